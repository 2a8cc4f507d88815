"""Coverage of the methods of row values and of sums for docs/reference/methods: simulated, kept in coverage.json."""

from __future__ import annotations

import json

import numpy as np
from reference_methods import COVERAGE

import howsure as hs

METHODS = {"mean": ("wilson", "t", "betting"), "errors/words": ("log-t", "log")}
SIZES = (25, 100)
MEANS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
SAMPLES, ANSWERS = 1000, 4


def value_tables(mean: float, n: int, rng: np.random.Generator) -> list[hs.Table]:
    """Return samples of questions with shares of right answers."""
    shares = rng.binomial(ANSWERS, rng.beta(mean, 1 - mean, (SAMPLES, n))) / ANSWERS
    return [hs.table(values=row, range=(0, 1)) for row in shares]


def unit_tables(accuracy: float, n: int, rng: np.random.Generator) -> list[hs.Table]:
    """Return samples of utterances, some of them much worse than others: errors and words."""
    words = rng.poisson(15, (SAMPLES, n)) + 1
    errors = rng.poisson(words * rng.gamma(1.0, 1 - accuracy, words.shape))
    return [hs.sums({"errors": e, "words": w}) for e, w in zip(errors, words, strict=True)]


def series(metric: str, method: str, n: int) -> dict[str, object]:
    """Return coverage and mean length of a method over the populations."""
    rng, covered, lengths = np.random.default_rng(20_261), [], []
    for mean in MEANS:
        tables = value_tables(mean, n, rng) if metric == "mean" else unit_tables(mean, n, rng)
        truth = mean if metric == "mean" else 1 - mean
        found = [hs.estimate(table, metric, method=method) for table in tables]
        covered.append(round(float(np.mean([one.low <= truth <= one.high for one in found])), 5))
        length = float(np.mean([one.high - one.low for one in found]))
        lengths.append(round(length, 5) if np.isfinite(length) else None)
    worst = min(covered)
    error = round(float(np.sqrt(worst * (1 - worst) / SAMPLES)), 4)
    return {"metric": metric, "method": method, "n": n, "level": 0.95, "exact": False, "se": error,
            "quality": list(MEANS), "coverage": covered, "length": lengths}  # fmt: skip


if __name__ == "__main__":
    kept = [one for one in json.loads(COVERAGE.read_text(encoding="utf-8")) if one["metric"] not in METHODS]
    kept += [series(metric, name, n) for metric, names in METHODS.items() for n in SIZES for name in names]
    lines = ",\n".join(json.dumps(one) for one in kept)
    COVERAGE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
