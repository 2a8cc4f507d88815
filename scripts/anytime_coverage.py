"""Compute how often a bound that is looked at after every row has held at all looks so far.

    python scripts/anytime_coverage.py

Writes docs/reference/anytime.json: a series per method and true share, over the number of looks. Exact: the
distribution of the successes is carried from row to row, and what has missed once is taken out. Takes some seconds.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import howsure as hs
from howsure.estimates.methods.martingales import confidence_sequence

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "anytime.json"
LOOKS = (25, 50, 100, 200, 500, 1000, 2000)
SHARES = (0.5, 0.9, 0.98)
METHODS = ("anytime", "wilson")


def limits(method: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits for 0 to n successes in n rows."""
    successes = np.arange(n + 1.0)
    if method == "anytime":
        return confidence_sequence(successes, n - successes)
    found = hs.batch_intervals("recall", tp=successes, fp=0, fn=n - successes, method=method)
    return np.asarray(found.low), np.asarray(found.high)


def held(method: str) -> dict[float, list[float]]:
    """Return for each share the probability that no look so far has missed, at the numbers of looks kept."""
    alive = {share: np.ones(1) for share in SHARES}
    kept: dict[float, list[float]] = {share: [] for share in SHARES}
    for n in range(1, LOOKS[-1] + 1):
        low, high = limits(method, n)
        for share, law in alive.items():
            law = np.append(law * (1 - share), 0.0) + np.append(0.0, law * share)
            law[(low > share) | (share > high)] = 0.0
            alive[share] = law
            if n in LOOKS:
                kept[share].append(round(float(law.sum()), 5))
    return kept


def main() -> None:
    """Compute and write the series, one to a line."""
    series = [
        {"method": method, "share": share, "n": LOOKS, "coverage": coverage}
        for method in METHODS for share, coverage in held(method).items()
    ]  # fmt: skip
    TARGET.write_text("[\n" + ",\n".join(map(json.dumps, series)) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
