"""Coverage of the interval methods of scores for docs/reference/methods: simulated, kept in coverage.json.

AUC and the F1 at the best threshold: normal scores of equal spread, 30 % positives, the AUC on the axis. ECE: a
probability whose true log-odds are the axis' value times the stated ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import expit, ndtr, ndtri

import howsure as hs

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference" / "methods" / "coverage.json"
QUALITY = (0.55, 0.7, 0.85, 0.93, 0.98)
PREVALENCE = 0.3
SAMPLES = {"auc": 400, "f1@best": 100, "ece": 100}
METHODS = {"auc": ("newcombe", "wilson", "wald"), "f1@best": ("band", "wald"), "ece": ("union", "wald")}
SIZES = {"auc": (25, 100), "f1@best": (100,), "ece": (200,)}
Drawn = tuple[np.ndarray, np.ndarray, Callable[[hs.Estimate], float]]


def draw_ranks(rng: np.random.Generator, n: int, area: float, metric: str) -> Drawn:
    """Return truth, scores, and the value that an estimate is held against."""
    move = np.sqrt(2) * ndtri(area)
    truth = rng.random(n) < PREVALENCE
    while min(truth.sum(), (~truth).sum()) < 2:
        truth = rng.random(n) < PREVALENCE
    scores = rng.standard_normal(n) + move * truth

    def f1(estimate: hs.Estimate) -> float:
        caught, wrong = ndtr(move - estimate.threshold), ndtr(-estimate.threshold)
        return 2 * PREVALENCE * caught / (PREVALENCE * caught + (1 - PREVALENCE) * wrong + PREVALENCE)

    return truth, scores, (lambda estimate: area) if metric == "auc" else f1


def draw_probabilities(rng: np.random.Generator, n: int, slope: float, metric: str) -> Drawn:
    """Return truth and stated probabilities, and the true ECE in 15 bins."""

    def stated(size: int) -> np.ndarray:
        return 1.5 * rng.standard_normal(size)

    fine = 1.5 * ndtri((np.arange(200_000) + 0.5) / 200_000)
    gap = expit(slope * fine) - expit(fine)
    place = np.minimum((expit(fine) * 15).astype(int), 14)
    true = float(np.abs(np.bincount(place, gap, 15)).sum() / len(fine))
    odds = stated(n)
    return rng.random(n) < expit(slope * odds), expit(odds), lambda estimate: true


def series(metric: str, n: int) -> list[dict[str, object]]:
    """Return coverage and mean length of each method along the axis."""
    rng = np.random.default_rng([n, len(metric)])
    draw = draw_probabilities if metric == "ece" else draw_ranks
    found = {name: ([], []) for name in METHODS[metric]}
    for quality in QUALITY:
        hits = {name: [] for name in found}
        for _ in range(SAMPLES[metric]):
            truth, scores, true = draw(rng, n, quality, metric)
            table = hs.table(truth, scores=scores)
            for name in found:
                made = hs.estimate(table, metric, method=name)
                hits[name].append(
                    (made.low <= true(made) + 1e-12 and true(made) - 1e-12 <= made.high, made.high - made.low)
                )
        for name, rows in hits.items():
            found[name][0].append(float(np.mean([hit for hit, _ in rows])))
            found[name][1].append(float(np.mean([length for _, length in rows])))
    se = float(np.sqrt(0.05 * 0.95 / SAMPLES[metric]))
    return [
        {"metric": metric, "method": name, "n": n, "level": 0.95, "quality": list(QUALITY), "coverage": coverage,
         "length": length, "exact": False, "se": se}
        for name, (coverage, length) in found.items()
    ]  # fmt: skip


if __name__ == "__main__":
    made = [one for metric, sizes in SIZES.items() for n in sizes for one in series(metric, n)]
    kept = [one for one in json.loads(TARGET.read_text(encoding="utf-8")) if one["metric"] not in SIZES]
    lines = ",\n".join(json.dumps(one) for one in (*kept, *made))
    TARGET.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
