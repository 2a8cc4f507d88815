"""Populations of scores and many samples of each at once, judged by the functions that estimates are made of.

A population is a pair of distributions given by quantile functions, so that its true AUC is a sum over a fine grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtr, ndtri

from howsure.estimates.methods.ranking import null_interval
from howsure.estimates.tail import Tail
from howsure.metrics.null_variance import auc_null, precision_null
from howsure.metrics.ranking import placements, precision_steps
from howsure.metrics.scoring import Worth

GRID = (np.arange(200_000) + 0.5) / 200_000
Quantiles = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Population:
    """Scores of negatives and positives by their quantile functions; rows in groups, or with weights, if said."""

    name: str
    n: int
    prevalence: float
    negatives: Quantiles
    positives: Quantiles
    per_group: int = 1
    icc: float = 0.0
    weights: float = 0.0  # the spread of log weights

    @property
    def truth(self) -> tuple[float, float]:
        """The true AUC and average precision."""
        low, high = np.sort(self.negatives(GRID)), np.sort(self.positives(GRID))
        below = (np.searchsorted(low, high, "left") + np.searchsorted(low, high, "right")) / 2 / len(low)
        p = self.prevalence
        caught = (len(high) - np.searchsorted(high, high, "left")) / len(high)
        wrong = (len(low) - np.searchsorted(low, high, "left")) / len(low)
        return float(below.mean()), float((p * caught / (p * caught + (1 - p) * wrong)).mean())

    def draw(self, rng: np.random.Generator, samples: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return truth, score and weight of many samples (samples, n), each with two rows of each class at least."""
        kept: list[np.ndarray] = []
        while sum(map(len, kept)) < samples:
            y = rng.random((samples, self.n)) < self.prevalence
            if self.per_group > 1:  # groups of one truth, as a patient's rows are
                y = np.repeat(y[:, :: self.per_group], self.per_group, axis=1)[:, : self.n]
            enough = np.minimum(y.sum(1), (~y).sum(1)) >= 2 * self.per_group
            kept.append(y[enough])
        truth = np.concatenate(kept)[:samples]
        if self.icc:
            groups = -(-self.n // self.per_group)
            shared = np.repeat(rng.standard_normal((samples, groups)), self.per_group, axis=1)[:, : self.n]
            own = rng.standard_normal((samples, self.n))
            u = ndtr(np.sqrt(self.icc) * shared + np.sqrt(1 - self.icc) * own)
        else:
            u = rng.random((samples, self.n))
        scores = np.where(truth, self.positives(u), self.negatives(u))
        weight = np.exp(self.weights * rng.standard_normal((samples, self.n))) if self.weights else np.ones(truth.shape)
        return truth, scores, weight


def shifted(base: Any, area: float, scale: float = 1.0) -> tuple[Quantiles, Quantiles]:
    """Return a distribution of scipy and the same moved so far, and stretched, that AUC is about ``area``."""
    grid = (np.arange(4000) + 0.5) / 4000
    low = base.ppf(grid)
    left, right = -60.0, 60.0
    for _ in range(60):
        middle = (left + right) / 2
        got = np.searchsorted(low, scale * low + middle).mean() / len(low)
        left, right = (middle, right) if got < area else (left, middle)
    move = (left + right) / 2
    return base.ppf, lambda u: scale * base.ppf(u) + move


def levels(count: int, area: float) -> tuple[Quantiles, Quantiles]:
    """Return normal scores cut into a few levels."""
    move = np.sqrt(2) * ndtri(area)
    cuts = ndtri(np.arange(1, count) / count) + move / 2
    return (lambda u: np.searchsorted(cuts, ndtri(u)).astype(float),
            lambda u: np.searchsorted(cuts, ndtri(u) + move).astype(float))  # fmt: skip


def hidden(part: float, area: float) -> tuple[Quantiles, Quantiles]:
    """Return normal scores of which a part of the positives looks like negatives."""
    move = np.sqrt(2) * ndtri(area)

    def positives(u: np.ndarray) -> np.ndarray:
        inside = u < part
        return np.where(inside, ndtri(np.clip(u / part, 1e-12, 1 - 1e-12)),
                        ndtri(np.clip((u - part) / (1 - part), 1e-12, 1 - 1e-12)) + move)  # fmt: skip

    return ndtri, positives


DEVELOPMENT: dict[str, Callable[[float], tuple[Quantiles, Quantiles]]] = {
    "normal": lambda area: shifted(stats.norm, area),
    "wide": lambda area: shifted(stats.norm, area, 2.0),
    "narrow": lambda area: shifted(stats.norm, area, 0.5),
    "exponential": lambda area: shifted(stats.expon, area),
    "t3": lambda area: shifted(stats.t(3), area),
    "hidden": lambda area: hidden(0.2, area),
}
FRESH: dict[str, Callable[[float], tuple[Quantiles, Quantiles]]] = {
    "gumbel": lambda area: shifted(stats.gumbel_r, area, 1.4),
    "laplace": lambda area: shifted(stats.laplace, area),
    "t4 wide": lambda area: shifted(stats.t(4), area, 1.6),
    "chi-square": lambda area: shifted(stats.chi2(3), area),
    "part hidden": lambda area: hidden(0.12, area),
    "uniform narrow": lambda area: shifted(stats.uniform, area, 0.6),
}
SIZES, SHARES, AREAS = (40, 90, 180, 450), (0.06, 0.12, 0.3, 0.65), (0.62, 0.78, 0.91, 0.96, 0.993)


def grid(shapes: dict[str, Any], sizes: tuple[int, ...] = SIZES, shares: tuple[float, ...] = SHARES,
         areas: tuple[float, ...] = AREAS, **more: Any) -> Iterator[Population]:  # fmt: skip
    """Yield the populations of some shapes, sizes, prevalences and AUC, with four of each class expected at least."""
    for name, make in shapes.items():
        for area in areas:
            low, high = make(area)
            for n in sizes:
                for share in shares:
                    units = n / more.get("per_group", 1)
                    if min(units * share, units * (1 - share)) >= 4:
                        yield Population(f"{name} n={n} p={share} auc={area} {more or ''}", n, share, low, high, **more)


@dataclass(frozen=True)
class Judged:
    """The estimate, its influences and variance in each of many samples."""

    value: np.ndarray
    variance: np.ndarray
    worth: Worth


def judged(metric: str, y: np.ndarray, s: np.ndarray, w: np.ndarray, per_group: int = 1) -> Judged:
    """Return AUC or average precision of many samples with their variances, as an estimate finds them.

    Ties are rows of one level: samples with few levels are summed by level first, and have no groups or weights.
    """
    order = np.argsort(s, axis=1)
    y, s, w = (np.take_along_axis(part, order, 1) for part in (y, s, w))
    positives, negatives, where = w * y, w * ~y, None
    if (s[:, 1:] == s[:, :-1]).any():
        names, where = np.unique(s, return_inverse=True)
        where = where.reshape(s.shape)
        at = np.arange(len(s))[:, None] * len(names) + where
        positives, negatives = (
            np.bincount(at.ravel(), part.ravel(), len(s) * len(names)).reshape(len(s), -1)
            for part in (positives, negatives)
        )
    total, first, second = w.sum(1)[:, None], (w * y).sum(1)[:, None], (w * ~y).sum(1)[:, None]
    if metric == "auc":
        value, below, above = placements(positives, negatives)
        below, above = (part if where is None else np.take_along_axis(part, where, 1) for part in (below, above))
        moved = np.where(y, (below - value[:, None]) * total / first, (above - value[:, None]) * total / second)
    else:
        value, precision, up, upper = precision_steps(positives, negatives)
        precision, up, upper = (
            part if where is None else np.take_along_axis(part, where, 1) for part in (precision, up, upper)
        )
        moved = (np.where(y, precision + up - value[:, None], 0.0) - upper) * total / first
    return _spread(value, moved, y, w, order, per_group)


def _spread(
    value: np.ndarray, moved: np.ndarray, y: np.ndarray, w: np.ndarray, order: np.ndarray, per_group: int
) -> Judged:
    total, ones = w.sum(1), y.sum(1)
    zeros = y.shape[1] - ones
    squares = (w * moved) ** 2 / total[:, None] ** 2
    factor = np.where(y, (ones / (ones - 1))[:, None], (zeros / (zeros - 1))[:, None])
    parts = (squares * y).sum(1), (squares * ~y).sum(1)
    sizes = [(w * part).sum(1) ** 2 / (w**2 * part).sum(1) for part in (y, ~y)]
    variance, units, degrees = (squares * factor).sum(1), tuple(sizes), np.full(len(value), np.inf)
    if per_group > 1:
        back = np.empty_like(order)
        np.put_along_axis(back, order, np.broadcast_to(np.arange(order.shape[1]), order.shape), 1)
        sums = np.take_along_axis(w * moved, back, 1).reshape(len(value), -1, per_group).sum(2)
        groups = sums.shape[1]
        variance = (sums**2).sum(1) / total**2 * groups / (groups - 1)
        units = tuple(part / per_group for part in sizes)
        degrees = np.full(len(value), groups - 1.0)
    return Judged(value, variance, Worth(value, variance, *sizes, units, parts, degrees))


def limits_of(metric: str, found: Judged, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the default limits of each sample."""
    null = auc_null(found.worth) if metric == "auc" else precision_null(found.worth)
    return null_interval(found.value, null, Tail(level), (0.0, 1.0))


def wald_of(found: Judged, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return Wald's limits of each sample: DeLong's for AUC."""
    half = Tail(level).z * np.sqrt(found.variance)
    return found.value - half, found.value + half


def coverage(low: np.ndarray, high: np.ndarray, truth: float) -> float:
    """Return the share of intervals that hold the truth; rounding does not decide at an end of the range."""
    return float(np.mean((low <= truth + 1e-12) & (truth - 1e-12 <= high)))
