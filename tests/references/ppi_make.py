"""Means with a judge by ppi-python (PPI++, arXiv:2311.01453). Writes ppi_rows.csv and ppi_means.csv.

Run in this folder: python ppi_make.py (a second). Nothing of howsure is used. A row has a judge's number and, where it
is labelled, the truth; the first 26 cases hold 0 and 1, the others numbers between 0 and 1.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def write(name: str, rows: list[dict[str, object]]) -> None:
    with (HERE / f"ppi_{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate  # of an environment of its own

    rng = np.random.default_rng(22)
    rows, means = [], []
    for case in range(40):
        n, rest = int(rng.integers(15, 45)), int(rng.integers(20, 90))
        if case < 26:
            truth = (rng.random(n + rest) < rng.uniform(0.2, 0.9)).astype(float)
            judge = np.where(rng.random(n + rest) < rng.uniform(0.55, 0.97), truth, 1 - truth)
        else:
            truth = rng.beta(*rng.uniform(0.5, 5, 2), n + rest).round(4)
            judge = np.clip(truth + rng.normal(0.1, rng.uniform(0.02, 0.5), n + rest), 0, 1).round(4)
        for row in range(n + rest):
            rows.append({"case": case, "truth": truth[row] if row < n else "", "judge": judge[row]})
        three = truth[:n], judge[:n], judge[n:]
        value = float(np.squeeze(ppi_mean_pointestimate(*three)))
        low, high = (float(np.squeeze(end)) for end in ppi_mean_ci(*three, alpha=0.05))
        means.append({"case": case, "value": repr(value), "low": repr(low), "high": repr(high)})
    write("rows", rows)
    write("means", means)


if __name__ == "__main__":
    main()
