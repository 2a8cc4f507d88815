"""Two estimates on the same rows: intervals and p-values of their difference or ratio."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, stdtr

from howsure.cells import Array
from howsure.evidence import Evidence, Tail, evidence_of
from howsure.intervals import IntervalMethod, default_method, interval, named_method
from howsure.linear import Linear


@dataclass(frozen=True)
class Pair:
    """Two estimates on the same rows, with their covariance: what a comparison method may ask for."""

    a: Linear
    b: Linear
    covariances: Array
    kind: str
    single: IntervalMethod | None

    @property
    def correlation(self) -> float:
        """Correlation of the two estimates; 0 where one cannot move."""
        spread = math.sqrt(max(self.covariances[0, 0] * self.covariances[1, 1], 0.0))
        return float(np.clip(self.covariances[0, 1] / spread, -1, 1)) if spread > 0 else 0.0

    @property
    def difference(self) -> float:
        """b − a, or b / a."""
        if self.kind == "ratio":
            return self.b.value / self.a.value if self.a.value != 0 else math.nan
        return self.b.value - self.a.value

    @property
    def nothing(self) -> float:
        """The value of no difference."""
        return 1.0 if self.kind == "ratio" else 0.0

    @property
    def se(self) -> float:
        """Standard error of the difference, or of the log ratio."""
        weights = np.array([-1.0, 1.0])
        if self.kind == "ratio":
            with np.errstate(divide="ignore"):
                weights = weights / np.array([self.a.value, self.b.value])
        with np.errstate(invalid="ignore"):
            return math.sqrt(max(float(weights @ self.covariances @ weights), 0.0))

    @property
    def degrees(self) -> float:
        """Degrees of freedom: groups − 1, or infinite."""
        return self.a.degrees

    def singles(self, tail: Tail) -> tuple[float, float, float, float]:
        """Return the single intervals (low a, high a, low b, high b) by the single method."""
        ends = []
        for linear in (self.a, self.b):
            evidence = evidence_of(linear)
            found = interval(evidence, self.single or _single_default(evidence), tail)
            ends += [float(found.low), float(found.high)]
        return ends[0], ends[1], ends[2], ends[3]


def _single_default(evidence: Evidence) -> IntervalMethod:
    """Return the default of the metric, but never one that resamples: its limits would carry noise."""
    chosen = default_method(evidence.metric, evidence)
    return chosen if chosen.batch else named_method("logit")


def wald_limits(pair: Pair, tail: Tail) -> tuple[float, float]:
    half = tail.quantile(pair.degrees) * pair.se
    if pair.kind == "ratio":
        return pair.difference * math.exp(-half), pair.difference * math.exp(half)
    return pair.difference - half, pair.difference + half


def mover_limits(pair: Pair, tail: Tail) -> tuple[float, float]:
    """Square-and-add with correlation (Newcombe 1998; Zou & Donner 2008), on logs for a ratio."""
    low_a, high_a, low_b, high_b = pair.singles(tail)
    value_a, value_b = pair.a.value, pair.b.value
    if pair.kind == "ratio":
        with np.errstate(divide="ignore"):
            ends = [float(np.log(x)) for x in (low_a, high_a, low_b, high_b, value_a, value_b)]
        low, high = square_and_add(*ends, correlation=pair.correlation)
        return math.exp(low), math.exp(high)
    return square_and_add(low_a, high_a, low_b, high_b, value_a, value_b, correlation=pair.correlation)


def square_and_add(
    low_a: float, high_a: float, low_b: float, high_b: float, a: float, b: float, *, correlation: float
) -> tuple[float, float]:
    """Return the limits of b − a from two single intervals and the correlation of the estimates."""
    down, up = (b - low_b, high_a - a), (high_b - b, a - low_a)
    return b - a - _joined(*down, correlation), b - a + _joined(*up, correlation)


def _joined(first: float, second: float, correlation: float) -> float:
    if math.isinf(first) or math.isinf(second):
        return math.inf
    return math.sqrt(max(first**2 - 2 * correlation * first * second + second**2, 0.0))


def unpaired(pair: Pair, tail: Tail) -> tuple[float, float]:
    """Return the interval that ignores the pairing: to show what pairing buys."""
    alone = replace(pair, covariances=np.diag(np.diagonal(pair.covariances)))
    return mover_limits(alone, tail)


def p_by_inversion(
    pair: Pair, limits: Callable[[Pair, Tail], tuple[float, float]], null: float, alternative: str
) -> float:
    """Return the p-value that belongs to an interval method: the level at which its limit meets the null."""
    rises = pair.difference >= null

    def clears(z: float) -> bool:
        low, high = limits(pair, Tail(1 - 2 * float(ndtr(-z))))
        return low > null if rises else high < null

    if not clears(1e-6):
        tail = 0.5
    else:
        below, above = 1e-6, 37.0
        if clears(8.0):
            tail = float(ndtr(-8.0))
        else:
            above = 8.0
            for _ in range(50):
                middle = (below + above) / 2
                below, above = (middle, above) if clears(middle) else (below, middle)
            tail = float(ndtr(-(below + above) / 2))
    return _p_of(tail, rises, alternative)


def _p_of(tail: float, rises: bool, alternative: str) -> float:
    if alternative == "two-sided":
        return min(2 * tail, 1.0)
    return tail if rises == (alternative == "greater") else 1 - tail


def wald_p(pair: Pair, null: float, alternative: str) -> float:
    if pair.se == 0:
        return 1.0 if pair.difference == null else math.nan
    gap = math.log(pair.difference / null) if pair.kind == "ratio" else pair.difference - null
    z = gap / pair.se
    tail = float(ndtr(-abs(z)) if math.isinf(pair.degrees) else stdtr(pair.degrees, -abs(z)))
    return _p_of(tail, z >= 0, alternative)
