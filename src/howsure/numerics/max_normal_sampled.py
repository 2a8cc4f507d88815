"""The distribution of max|a_j·g| over very many a_j, g standard normal: directions drawn, the radius integrated.

P(max|a_j·g| >= q) = E[ P(chi_r > q / M) ], M = max|a_j·u| for a random direction u. One sample of M serves every q.
``critical`` is more accurate up to some two hundred estimates; this costs draws × axes × rank, for thousands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.numerics.critical import CriticalValue
from howsure.numerics.max_normal_tail import chi_square_tail
from howsure.numerics.solving import bracketed_root
from howsure.types import Array, Side

WORK = 6e9  # multiplications that the draws may cost: a few seconds
FEWEST, MOST = 20_480, 81_920  # draws
BATCHES = 10
BINS = 2048
STANDARD_ERRORS = 3.5
BLOCK = 4_000_000
GRID = 512  # of q: more of them are interpolated
DRAWS = 5000  # of a process
COLUMNS = 256  # as many coordinates as a band has, and some more
JITTER = 1e-8  # of a variance: keeps the factor of a singular matrix from hanging on rounding


@dataclass(frozen=True)
class MaxLaw:
    """Histograms (one per batch of draws) of the largest projection of a random direction on the axes."""

    size: int
    rank: int
    sides: int
    reach: Array
    held: Array

    def tail(self, q: Array) -> tuple[Array, Array]:
        """Return P(max >= q) for each q > 0, and its error; never below one comparison's p, nor above their sum."""
        if len(q) > GRID:
            grid = np.linspace(q.min(), q.max(), GRID)
            tail, error = self.tail(grid)
            with np.errstate(divide="ignore"):  # the logarithm is nearly straight between neighbours: 1e-4 at most
                return np.exp(np.interp(q, grid, np.log(tail))), np.interp(q, grid, error)
        with np.errstate(divide="ignore"):
            beyond = chi_square_tail(self.rank, (q[:, None] / self.reach) ** 2)
        batches = beyond @ self.held.T
        error = STANDARD_ERRORS * batches.std(axis=1, ddof=1) / math.sqrt(BATCHES)
        single = self.sides * ndtr(-q)
        chance = np.clip(batches.mean(axis=1), single, np.minimum(self.size * single, 1.0))
        # far out the sample runs dry while the sum of the single probabilities becomes exact
        return np.where(error > 0.1 * chance, np.minimum(self.size * single, 1.0), chance), error

    def quantile(self, level: float) -> CriticalValue:
        """Return q with P(max < q) = level."""
        share = 1 - level
        low = float(-ndtri(share / self.sides)) - 1e-9
        high = float(-ndtri(share / self.sides / self.size)) + 1e-9
        q = high if self.size == 1 else bracketed_root(lambda x: share - self._at(x), low, high, tolerance=1e-9)
        slope = (self._at(q - 1e-3) - self._at(q + 1e-3)) / 2e-3
        error = float(self.tail(np.array([q]))[1][0]) / slope if slope > 0 else math.inf
        return CriticalValue(q, error, level, self.size, self.rank, "Monte-Carlo over directions")

    def _at(self, q: float) -> float:
        return float(self.tail(np.array([q]))[0][0])


def max_law(axes: Array, *, side: str = "both", draws: int | None = None, seed: int = 0) -> MaxLaw:
    """Return the distribution of the largest projection on unit vectors: |a·g| (side "both") or a·g ("upper")."""
    size, rank = axes.shape
    if draws is None:
        draws = int(np.clip(WORK / (size * rank), FEWEST, MOST))
    random = np.random.default_rng(seed)
    each = draws // BATCHES
    reach = np.minimum([_reach(axes, side, each, random) for _ in range(BATCHES)], 1.0)
    edges = np.linspace(reach.min(), 1.0 + 1e-12, BINS + 1)
    held = np.stack([np.histogram(batch, edges)[0] for batch in reach]) / each
    return MaxLaw(size, rank, 2 if side == "both" else 1, np.maximum((edges[1:] + edges[:-1]) / 2, 0.0), held)


def _reach(axes: Array, side: str, draws: int, random: np.random.Generator) -> Array:
    axes = axes.astype(np.float32)  # precise enough for samples, and twice as fast
    some = max(1, BLOCK // len(axes))
    found = []
    for start in range(0, draws, some):
        directions = random.standard_normal((min(some, draws - start), axes.shape[1]), dtype=np.float32)
        projected = directions @ axes.T
        largest = np.abs(projected).max(axis=1) if side == "both" else projected.max(axis=1)
        found.append(largest / np.linalg.norm(directions, axis=1))
    return np.concatenate(found)


def process_maximum(
    covariances: Array, level: float, *, side: Side = "both", standardised: bool = True, seed: int = 0
) -> float:
    """Return q with P(max |Z_j| < q) = level, or P(max Z_j < q); coordinates without variance are left out.

    For estimates that nearly follow each other, such as a metric over thresholds: neighbours are correlated to nearly
    1, and a few thousand draws give q to a hundredth in milliseconds. Z is standardised, or has its own variances.

    >>> round(process_maximum(np.eye(2), 0.95), 1)
    2.2
    """
    spread = np.sqrt(np.diagonal(covariances))
    moving = np.isfinite(spread) & (spread > 0)
    if not moving.any():
        return 0.0
    scale = spread[moving]
    correlation = covariances[np.ix_(moving, moving)] / np.outer(scale, scale)
    factor = np.linalg.cholesky(correlation + JITTER * np.eye(len(scale)))
    # In single precision, which is enough for draws: three times as quick.
    axes = (factor if standardised else factor * scale[:, None]).astype(np.float32)
    drawn = _draws(max(len(scale), COLUMNS), seed)[:, : len(scale)] @ axes.T
    largest = (np.abs(drawn) if side == "both" else drawn).max(1)
    return float(np.quantile(largest.astype(float), level))


@lru_cache(maxsize=2)
def _draws(columns: int, seed: int) -> Array:
    """Return normal numbers, the same for every process of no more than so many coordinates."""
    return np.random.default_rng(seed).standard_normal((DRAWS, columns), dtype=np.float32)
