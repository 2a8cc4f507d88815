"""Intervals, ratios, posteriors and correlations by scipy.stats. Writes scipy_values.csv.

Run in this folder: python scipy_make.py (a few seconds). Nothing of howsure is used. A likelihood ratio is a relative
risk between the truly positive and the truly negative rows; the Matthews coefficient is Pearson's correlation of the
two indicators, and n times its square is the chi-square statistic of the table.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.stats.contingency import odds_ratio, relative_risk

TABLES = ((77, 44, 10, 702), (8, 3, 2, 11), (670, 202, 74, 640), (25, 40, 1, 9), (5, 1, 4, 900))
LEVELS = (0.8, 0.95, 0.999)
Row = tuple[str, str, float, float, float, float]


def shares(tp: int, fp: int, fn: int, tn: int) -> dict[str, tuple[int, int]]:
    return {"precision": (tp, fp), "recall": (tp, fn), "specificity": (tn, fp), "npv": (tn, fn)}


def of_shares(cells: tuple[int, ...], level: float) -> Iterator[Row]:
    for metric, (success, failure) in shares(*cells).items():
        found = stats.binomtest(success, success + failure)
        value = success / (success + failure)
        for method in ("exact", "wilson"):
            low, high = found.proportion_ci(level, method)
            yield metric, method, level, value, float(low), float(high)
        for prior in (0.5, 1.0):
            law = stats.beta(success + prior, failure + prior)
            yield metric, f"beta {prior}", level, value, *map(float, law.interval(level))


def of_ratios(cells: tuple[int, ...], level: float) -> Iterator[Row]:
    tp, fp, fn, tn = cells
    plus, minus = relative_risk(tp, tp + fn, fp, fp + tn), relative_risk(fn, tp + fn, tn, fp + tn)
    odds = odds_ratio([[tp, fp], [fn, tn]], kind="sample")
    for metric, found, value in (
        ("lr_plus", plus, plus.relative_risk),
        ("lr_minus", minus, minus.relative_risk),
        ("odds_ratio", odds, odds.statistic),
    ):
        ends = found.confidence_interval(level)
        yield metric, "log", level, float(value), float(ends.low), float(ends.high)


def of_correlation(cells: tuple[int, ...]) -> Iterator[Row]:
    tp, fp, fn, tn = cells
    truth, guess = np.repeat([1, 0, 1, 0], cells), np.repeat([1, 1, 0, 0], cells)
    yield "mcc", "pearson", math.nan, float(stats.pearsonr(truth, guess).statistic), math.nan, math.nan
    square = stats.chi2_contingency([[tp, fp], [fn, tn]], correction=False).statistic / sum(cells)
    yield "mcc", "chi-square", math.nan, float(np.sqrt(square)), math.nan, math.nan


def main() -> None:
    with Path("scipy_values.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["tp", "fp", "fn", "tn", "metric", "method", "level", "value", "low", "high"])
        for cells in TABLES:
            for level in LEVELS:
                writer.writerows((*cells, *row) for row in (*of_shares(cells, level), *of_ratios(cells, level)))
            writer.writerows((*cells, *row) for row in of_correlation(cells))


if __name__ == "__main__":
    main()
