"""Intervals, kappas and paired tests by statsmodels. Writes statsmodels_{limits,kappa,mcnemar,holm}.csv.

Run in this folder: python statsmodels_make.py (a few seconds). Nothing of howsure is used.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

METHODS = ("normal", "agresti_coull", "beta", "wilson", "jeffreys")
Row = tuple[object, ...]


def limits() -> Iterator[Row]:
    for n in (1, 4, 20, 131, 5000):
        for success in sorted({0, 1, n // 10, n // 2, (4 * n) // 5, n}):
            for level in (0.8, 0.95, 0.999):
                for method in METHODS:
                    low, high = proportion_confint(success, n, 1 - level, method)
                    yield method, success, n - success, level, float(low), float(high)


def kappas() -> Iterator[Row]:
    generator = random.Random(3)
    for case in range(12):
        classes = 2 + case % 5
        table = np.array([[generator.randint(1, 12) for _ in range(classes)] for _ in range(classes)])
        table += np.diag([generator.randint(5, 40) for _ in range(classes)])
        cells = " ".join(map(str, table.ravel()))
        for weights in (None, "linear", "quadratic"):
            found = cohens_kappa(table, wt=weights)
            yield cells, weights or "none", float(found.kappa), float(found.std_kappa)


def paired() -> Iterator[Row]:
    for both, only_a, only_b, neither in (
        (40, 3, 9, 8),
        (10, 0, 6, 4),
        (300, 41, 60, 99),
        (5, 7, 7, 1),
        (900, 1, 0, 9),
    ):
        table = [[both, only_a], [only_b, neither]]
        exact, score = mcnemar(table, exact=True), mcnemar(table, exact=False, correction=False)
        yield both, only_a, only_b, neither, float(exact.pvalue), float(score.pvalue)


def stepped() -> Iterator[Row]:
    generator = random.Random(8)
    for case, size in enumerate((1, 2, 5, 12, 40)):
        p_values = [generator.random() ** 4 for _ in range(size)]
        for p_value, adjusted in zip(p_values, multipletests(p_values, method="holm")[1], strict=True):
            yield case, p_value, float(adjusted)


def main() -> None:
    files = {
        "limits": ("method success failure level low high", limits()),
        "kappa": ("cells weights value se", kappas()),
        "mcnemar": ("both only_a only_b neither exact score", paired()),
        "holm": ("family p_value adjusted", stepped()),
    }
    for name, (header, rows) in files.items():
        with Path(f"statsmodels_{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header.split(), *rows])


if __name__ == "__main__":
    main()
