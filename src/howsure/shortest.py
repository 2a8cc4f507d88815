"""The shortest interval of a share posterior that holds a given probability."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from howsure import betas
from howsure.quadrature import FloatArray
from howsure.roots import bracketed_root


class Law(Protocol):
    """What is asked of a share posterior."""

    @property
    def a(self) -> float: ...
    @property
    def b(self) -> float: ...
    @property
    def weight(self) -> float: ...
    def log_density(self, m: FloatArray, n: FloatArray) -> FloatArray: ...
    def log_kernel(self, m: FloatArray, n: FloatArray) -> FloatArray: ...
    def below(self, m: FloatArray, n: FloatArray) -> FloatArray: ...
    def above(self, m: FloatArray, n: FloatArray) -> FloatArray: ...


def shortest(law: Law, tail: float) -> tuple[float, float]:
    """Return the shortest interval with probability 1 - tail.

    With one interior peak both ends have the same density: Newton in two unknowns. Otherwise, or if that does not
    settle, search over the mass left below: the interval touches an end of the scale, or has equal densities.
    """
    if law.a > 1 and law.b > 1:
        ends = _newton(law, tail)
        if ends is not None:
            return ends
    return _search(law, tail)


def _newton(law: Law, tail: float) -> tuple[float, float] | None:
    """Solve cdf(low) + sf(high) = tail and density(low) = density(high) on the log-odds scale."""
    t = np.concatenate([_low_logit(law, np.array([tail / 2])), _high_logit(law, np.array([tail / 2]))])
    for _ in range(30):
        (m, n), x = betas.pair(t), betas.pair(t + math.log(law.weight))
        with np.errstate(divide="ignore"):
            heights, kernels = law.log_density(m, n), np.exp(law.log_kernel(m, n))
        excess = float(law.below(m[:1], n[:1])[0] + law.above(m[1:], n[1:])[0]) - tail
        slopes = law.a * x[1] - law.b * x[0] + m - n
        determinant = kernels[1] * slopes[0] - kernels[0] * slopes[1]
        gap = heights[0] - heights[1]
        step = np.array([excess * slopes[1] - gap * kernels[1], excess * slopes[0] - gap * kernels[0]]) / determinant
        if not (np.all(np.isfinite(step)) and slopes[0] > 0 > slopes[1]):
            return None
        t = t + step
        if abs(excess) < 1e-9 * tail and abs(gap) < 1e-9:
            low, high = betas.pair(t)[0]
            return float(low), float(high)
    return None


def _search(law: Law, tail: float) -> tuple[float, float]:
    grid = np.linspace(-40.0, 40.0, 81)
    slope = _slope(law, grid, tail)
    turns = np.flatnonzero((slope[:-1] < -1e-12) & (slope[1:] >= -1e-12))
    roots = [bracketed_root(lambda v: float(_slope(law, np.array([v]), tail)[0]), grid[k], grid[k + 1]) for k in turns]
    left, right = betas.pair(np.array([0.0, *roots]))
    low = betas.pair(_low_logit(law, tail * left))[0]
    high = betas.pair(_high_logit(law, tail * right))[0]
    whole = np.array([tail])
    low = np.concatenate([low, [0.0], betas.pair(_low_logit(law, whole))[0]])
    high = np.concatenate([high, betas.pair(_high_logit(law, whole))[0], [1.0]])
    # Of lengths that are equal but for rounding (a flat density) the first, central one is taken.
    best = int(np.argmax(high - low <= (1 + 1e-12) * np.min(high - low)))
    return float(low[best]), float(high[best])


def _slope(law: Law, split: FloatArray, tail: float) -> FloatArray:
    """Return log density at the low end minus at the high end, with tail masses split at these log odds."""
    left, right = betas.pair(split)
    low, high = betas.pair(_low_logit(law, tail * left)), betas.pair(_high_logit(law, tail * right))
    return law.log_density(*low) - law.log_density(*high)


def _low_logit(law: Law, tail: FloatArray) -> FloatArray:
    return np.maximum(betas.logit_ppf(law.a, law.b, tail), -betas.DEEPEST_LOGIT) - math.log(law.weight)


def _high_logit(law: Law, tail: FloatArray) -> FloatArray:
    return -np.maximum(betas.logit_ppf(law.b, law.a, tail), -betas.DEEPEST_LOGIT) - math.log(law.weight)
