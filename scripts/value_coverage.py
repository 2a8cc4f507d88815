"""Coverage of the methods of row values for docs/reference/methods: simulated, kept in coverage.json."""

from __future__ import annotations

import json

import numpy as np
from reference_methods import COVERAGE

import howsure as hs

METHODS = ("wilson", "t", "betting")
SIZES = (25, 100)
MEANS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
SAMPLES, ANSWERS = 1000, 4


def series(method: str, n: int, samples: int) -> dict[str, object]:
    """Return coverage and mean length of a method over the populations."""
    rng, covered, lengths = np.random.default_rng(20_261), [], []
    for mean in MEANS:
        shares = rng.binomial(ANSWERS, rng.beta(mean, 1 - mean, (samples, n))) / ANSWERS
        found = [hs.estimate(hs.table(values=row, range=(0, 1)), "mean", method=method) for row in shares]
        covered.append(round(float(np.mean([one.low <= mean <= one.high for one in found])), 5))
        lengths.append(round(float(np.mean([one.high - one.low for one in found])), 5))
    worst = min(covered)
    error = round(float(np.sqrt(worst * (1 - worst) / samples)), 4)
    return {"metric": "mean", "method": method, "n": n, "level": 0.95, "exact": False, "se": error,
            "quality": list(MEANS), "coverage": covered, "length": lengths}  # fmt: skip


if __name__ == "__main__":
    kept = [one for one in json.loads(COVERAGE.read_text(encoding="utf-8")) if one["metric"] != "mean"]
    kept += [series(method, n, SAMPLES) for n in SIZES for method in METHODS]
    lines = ",\n".join(json.dumps(one) for one in kept)
    COVERAGE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
