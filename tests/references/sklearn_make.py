"""Scores by scikit-learn: weights, several labels a row, classes that are 0/0. Writes sklearn_{cases,values}.csv.

Run in this folder: python sklearn_make.py (a few seconds). Nothing of howsure is used. A case is a list of labels a
row, or of indicators such as 011 for several labels a row, with weights or without.
"""

from __future__ import annotations

import csv
import math
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import metrics

AVERAGED = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "f2": lambda *pair, **more: metrics.fbeta_score(*pair, beta=2, **more),
    "jaccard": metrics.jaccard_score,
}
WHOLE = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "kappa_linear": lambda *pair, **more: metrics.cohen_kappa_score(*pair, weights="linear", **more),
    "kappa_quadratic": lambda *pair, **more: metrics.cohen_kappa_score(*pair, weights="quadratic", **more),
}
Found = Iterator[tuple[str, str, float]]


def labels(generator: random.Random, classes: int, size: int) -> tuple[list[int], list[int]]:
    truth = [*range(classes), *(generator.randrange(classes) for _ in range(size))]
    return truth, [label if generator.random() < 0.65 else generator.randrange(classes) for label in truth]


def indicators(generator: random.Random, width: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    truth = np.array([[int(generator.random() < 0.5) for _ in range(width)] for _ in range(size)])
    wrong = np.array([[int(generator.random() < 0.2) for _ in range(width)] for _ in range(size)])
    truth[:, 0], wrong[:, 0] = 1, 0  # every row has a label and a predicted one
    return truth, truth ^ wrong


def one_label(pair: Any, weight: list[float] | None) -> Found:
    for name, rule in WHOLE.items():
        yield name, "", float(rule(*pair, sample_weight=weight))
    for average in ("macro", "micro", "weighted"):
        for name, rule in AVERAGED.items():
            yield f"{average}_{name}", "", float(rule(*pair, average=average, sample_weight=weight))


def several_labels(pair: Any) -> Found:
    yield "exact_match", "", float(metrics.accuracy_score(*pair))
    for average in ("macro", "micro", "weighted", "samples"):
        for name, rule in AVERAGED.items():
            yield f"{average}_{name}", "", float(rule(*pair, average=average))


def empty_classes(pair: Any, classes: int) -> Found:
    """Macro averages over all classes: one is never predicted, one never true, one neither."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for policy, fill in (("zero", 0.0), ("skip", math.nan)):
            for name in ("precision", "recall", "f1"):
                value = AVERAGED[name](*pair, average="macro", labels=list(range(classes)), zero_division=fill)
                yield f"macro_{name}", policy, float(value)


def main() -> None:
    generator, cases, values = random.Random(17), [], []

    def keep(kind: str, pair: Any, weight: list[float] | None, found: Found) -> None:
        texts = [" ".join("".join(map(str, np.atleast_1d(row))) for row in part) for part in pair]
        cases.append((len(cases), kind, *texts, " ".join(map(repr, weight or []))))
        values.extend((len(cases) - 1, *row) for row in found)

    for classes in (2, 3, 5, 8):
        for weighted in (False, True):
            pair = labels(generator, classes, 60)
            weight = [round(generator.gammavariate(2, 1), 4) for _ in pair[0]] if weighted else None
            keep("labels", pair, weight, one_label(pair, weight))
    for width in (2, 4, 6):
        pair = indicators(generator, width, 30)
        keep("indicators", pair, None, several_labels(pair))
    for truth, guess in (
        ([0, 0, 1, 1, 2], [0, 1, 1, 0, 0]),
        ([0, 0, 1, 1, 0], [0, 1, 2, 0, 0]),
        ([0, 3, 3], [0, 3, 0]),
    ):
        keep("empty", (truth, guess), None, empty_classes((truth, guess), 4))
    headers = ("cases", "case kind truth guess weight", cases), ("values", "case metric undefined value", values)
    for name, header, rows in headers:
        with Path(f"sklearn_{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header.split(), *rows])


if __name__ == "__main__":
    main()
