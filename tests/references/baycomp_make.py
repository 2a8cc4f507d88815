"""The Bayesian signed rank by baycomp. Writes baycomp_ranks.csv.

Run in this folder: python baycomp_make.py (a minute). Nothing of howsure is used.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

DRAWS = 200_000


def main() -> None:
    """Write the probabilities of left, rope and right of several sets of differences."""
    from baycomp import SignedRankTest  # of an environment of its own

    rng = np.random.default_rng(5)
    rows = []
    settings = [(5, 0.02, 0.02), (8, 0.0, 0.03), (12, 0.01, 0.02), (20, 0.005, 0.01)]
    for case, (tasks, shift, spread) in enumerate(settings):
        values = np.round(rng.normal(shift, spread, size=tasks), 4)
        for rope in (0.0, 0.01):
            found = SignedRankTest(np.zeros(tasks), values, rope=rope, nsamples=DRAWS, random_state=case).probs()
            rows.append((case, rope, " ".join(map(str, values)), *map(float, found)))
    with (Path(__file__).parent / "baycomp_ranks.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("case", "rope", "differences", "left", "equal", "right"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
