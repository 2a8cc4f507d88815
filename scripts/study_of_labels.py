"""Coverage of the intervals of averages over labels where a row holds several: the evidence for their default.

Run: python scripts/study_of_labels.py [--seed 4242] [--populations 15] [--replicates 200] [--sizes 50 100 300]

A population has 2, 3, 6 or 15 labels, each in 2 to 40 % of rows, with precision and recall near a common value
between 0.70 and 0.99. Labels of one row are correlated, and so are its errors (one normal factor each, correlations ½
and 0.3). Samples in which the metric is 0/0 are left out. Seeds below 200 were looked at while the number of
pseudo-counts was chosen: z²/8, z²/(8√L) and z²/(8L) a cell.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

import howsure as hs
from howsure.types import Array

METRICS = ("macro_f1", "macro_recall", "weighted_f1", "micro_f1")
METHODS = ("wald", "logit", "smoothed-t", "default")
Results = dict[tuple[str, str], list[tuple[float, float]]]


@dataclass(frozen=True)
class Labels:
    """How often each label is true, and how well it is found."""

    prevalence: Array
    recall: Array
    precision: Array

    @classmethod
    def random(cls, rng: np.random.Generator) -> Labels:
        """Return a random population."""
        labels = int(rng.choice([2, 3, 6, 15]))
        prevalence = np.exp(rng.uniform(np.log(0.02), np.log(0.4), labels))
        level = rng.uniform(0.7, 0.99)
        recall, precision = (np.clip(level + rng.normal(0, 0.03, labels), 0.5, 0.995) for _ in range(2))
        return cls(prevalence, recall, precision)

    def truth(self, metric: str) -> float:
        """Return the metric's value in the population."""
        hits = self.prevalence * self.recall
        called = hits / self.precision
        f1 = 2 * hits / (self.prevalence + called)
        return float({
            "macro_f1": f1.mean(),
            "macro_recall": self.recall.mean(),
            "weighted_f1": f1 @ self.prevalence / self.prevalence.sum(),
            "micro_f1": 2 * hits.sum() / (self.prevalence + called).sum(),
        }[metric])  # fmt: skip

    def draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array]:
        """Return indicators of truth and prediction."""

        def factor(share: float) -> Array:
            own = rng.normal(size=(n, len(self.prevalence)))
            return np.sqrt(share) * rng.normal(size=(n, 1)) + np.sqrt(1 - share) * own

        true, errs = factor(0.5) < ndtri(self.prevalence), factor(0.3)
        false = self.prevalence * self.recall * (1 / self.precision - 1) / (1 - self.prevalence)
        return true.astype(int), np.where(true, errs < ndtri(self.recall), errs < ndtri(false)).astype(int)


def coverage(seed: int, populations: int, replicates: int, n: int) -> Results:
    """Return coverage and mean length for each population, by metric and method."""
    rng, found = np.random.default_rng([seed, n]), Results()
    for _ in range(populations):
        population = Labels.random(rng)
        kept: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for _ in range(replicates):
            table = hs.table(*population.draw(rng, n))
            for metric in METRICS:
                for method in METHODS:
                    made = hs.estimate(table, metric, method=None if method == "default" else method)
                    if np.isfinite(made.value):
                        held = made.low <= population.truth(metric) <= made.high
                        kept.setdefault((metric, method), []).append((float(held), made.high - made.low))
        for key, pairs in kept.items():
            if len(pairs) >= replicates / 4:
                held, length = np.mean(pairs, axis=0)
                found.setdefault(key, []).append((float(held), float(length)))
    return found


def main() -> None:
    """Print lowest, mean and highest coverage and mean length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--populations", type=int, default=15)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 100, 300])
    options = parser.parse_args()
    for n in options.sizes:
        for (metric, method), pairs in coverage(options.seed, options.populations, options.replicates, n).items():
            held, length = np.transpose(pairs)
            span = f"{held.min():.3f} / {held.mean():.3f} / {held.max():.3f}"
            print(f"n = {n:4}  {metric:12}  {method:8}  {span}   {length.mean():.3f}  ({len(pairs)} populations)")


if __name__ == "__main__":
    main()
