"""Metrics of scores by scikit-learn, with ties and weights. Writes scored_{rows,values}.csv.

Run in this folder: python scored_make.py (a second). Nothing of howsure is used. A row has a score of the positive
class (p), rounded to two digits so that there are ties, and probabilities of three classes (q0, q1, q2).
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn import metrics

HERE = Path(__file__).parent


def write(name: str, rows: list[dict[str, object]]) -> None:
    with (HERE / f"scored_{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    rng = np.random.default_rng(8)
    rows, values = [], []
    for case, n in enumerate((30, 80, 250)):
        truth = rng.integers(0, 2, n)
        p = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + 1.3 * truth - 0.6))), 2).clip(0.01, 0.99)
        kind = rng.integers(0, 3, n)
        raw = np.exp(rng.normal(size=(n, 3)) + 1.2 * np.eye(3)[kind])
        q = np.round(raw / raw.sum(1, keepdims=True), 6)
        q[:, 2] = np.round(1 - q[:, 0] - q[:, 1], 6)
        weight = np.round(rng.uniform(0.2, 3, n), 3)
        for row in zip(truth, p, weight, kind, *q.T, strict=True):
            rows.append(
                dict(zip(("case", "truth", "p", "weight", "kind", "q0", "q1", "q2"), (case, *row), strict=True))
            )
        for weighted, w in ((0, None), (1, weight)):
            two, several = {"sample_weight": w}, {"sample_weight": w, "labels": [0, 1, 2]}
            found = {
                "auc": metrics.roc_auc_score(truth, p, **two),
                "partial_auc[fpr<=0.2,standardised]": metrics.roc_auc_score(truth, p, max_fpr=0.2, **two),
                "average_precision": metrics.average_precision_score(truth, p, **two),
                "brier": metrics.brier_score_loss(truth, p, **two),
                "log_loss": metrics.log_loss(truth, p, **two),
                "f1@0.5": metrics.f1_score(truth, p >= 0.5, **two),
                "classes: macro_auc": metrics.roc_auc_score(kind, q, multi_class="ovr", **several),
                "classes: top2_accuracy": metrics.top_k_accuracy_score(kind, q, k=2, **several),
                "classes: log_loss": metrics.log_loss(kind, q, **several),
                "classes: brier": metrics.brier_score_loss(kind, q, scale_by_half=False, **several),
            }
            if w is None:
                found["classes: macro_auc_ovo"] = metrics.roc_auc_score(kind, q, multi_class="ovo", labels=[0, 1, 2])
            for name, value in found.items():
                values.append({"case": case, "weighted": weighted, "metric": name, "value": repr(float(value))})
    write("rows", rows)
    write("values", values)


if __name__ == "__main__":
    main()
