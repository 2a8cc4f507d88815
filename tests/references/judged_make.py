"""A pass rate where a judge agreed with people in every labelled row, by ppi-python, truescore and judgy.

Run in this folder: python judged_make.py (seconds), in an environment of its own. Writes judged_peers.csv. Nothing of
howsure is used. A case has n labels of people, of which some pass, and a judge that agrees with all of them and passes
the same share of 1000 rows, labelled ones among them. A program that refuses, or returns no number, has empty limits.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
ROWS = 1000
CASES = ((30, 24), (30, 30), (50, 45), (100, 80), (100, 50), (200, 196))


def main() -> None:
    import judgy
    import truescore
    from ppi_py import ppi_mean_ci

    def by_ppi(labels: np.ndarray, others: np.ndarray) -> tuple[float, float]:
        low, high = ppi_mean_ci(labels, labels, others, alpha=0.05)
        return float(np.squeeze(low)), float(np.squeeze(high))

    def by_truescore(labels: np.ndarray, others: np.ndarray) -> tuple[float, float]:
        found = truescore.ppi_estimate(np.concatenate([labels, others]), labels, np.arange(len(labels)))
        return float(found.low), float(found.high)

    def by_judgy(labels: np.ndarray, others: np.ndarray) -> tuple[float, float]:
        np.random.seed(0)  # noqa: NPY002  (the program draws from the global stream)
        _, low, high = judgy.estimate_success_rate(labels.astype(int), labels.astype(int), others.astype(int))
        return float(low), float(high)

    programs: dict[str, Callable[[np.ndarray, np.ndarray], tuple[float, float]]] = {
        "ppi-python": by_ppi, "truescore": by_truescore, "judgy": by_judgy
    }  # fmt: skip
    with (HERE / "judged_peers.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["n", "passed", "program", "low", "high"])
        for n, passed in CASES:
            labels = np.repeat([1.0, 0.0], [passed, n - passed])
            right = round(ROWS * passed / n) - passed
            others = np.repeat([1.0, 0.0], [right, ROWS - n - right])
            for name, find in programs.items():
                try:
                    ends = find(labels, others)
                except Exception:  # whatever a program refuses with
                    ends = (math.nan, math.nan)
                out.writerow([n, passed, name, *("" if math.isnan(end) else repr(end) for end in ends)])


if __name__ == "__main__":
    main()
