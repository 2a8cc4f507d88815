"""Make the bundled example: the predictions of three models on data that scikit-learn ships.

The models are closed-form and the halves fixed, so the files depend on no seed.

    python scripts/make_example.py          # writes into src/howsure/cli/example
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "src" / "howsure" / "cli" / "example"


def tumours() -> str:
    """Return malignant or benign, 284 tumours: the even rows train, the odd rows are predicted."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    labels = data.target_names[data.target]
    models = {
        "linear": LinearDiscriminantAnalysis(),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5, algorithm="brute")),
        "centroid": NearestCentroid(),
    }
    return _predictions(models, data.data[::2], labels[::2], data.data[1::2], labels[1::2])


def digits() -> str:
    """Return handwritten digits 0 to 9, 899 images: the first half trains, the second half is predicted."""
    from sklearn.datasets import load_digits
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    data = load_digits()
    half = len(data.target) // 2
    models = {
        "nearest": KNeighborsClassifier(1, algorithm="brute"),
        "neighbours": KNeighborsClassifier(9, algorithm="brute"),
        "naive_bayes": GaussianNB(),
    }
    return _predictions(models, data.data[:half], data.target[:half], data.data[half:], data.target[half:])


EXAMPLES = {"tumours.csv": tumours, "digits.csv": digits}


def _predictions(models: dict[str, Any], known: Any, known_truth: Any, new: Any, new_truth: Any) -> str:
    columns = [model.fit(known, known_truth).predict(new) for model in models.values()]
    return _csv(["truth", *models], zip(new_truth, *columns, strict=True))


def _csv(header: list[str], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in EXAMPLES.items():
        text = make()
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10)) - 1} rows, {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
