"""Two estimates on the same rows: intervals and p-values of their difference or ratio."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, stdtr

from howsure.estimates.catalogue import IntervalMethod, default_method, interval, named_method
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.tail import Tail, tail_at
from howsure.metrics.metric import Metric
from howsure.numerics.solving import bracketed_root
from howsure.tables.cell_view import CellView
from howsure.tables.covariance import Family, difference_of, has_own_effect
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.crossed import Crossing
from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.tables.table import Table
from howsure.tables.tasks.task_values import TaskValues, task_values
from howsure.types import Array

Alternative = Literal["two-sided", "greater", "less"]
Ends = tuple[float, float]
DUST = 1e-13  # of the variances: what rounding leaves of a difference that cannot move
FARTHEST = 37.0  # beyond this normal quantile a tail probability underflows


@dataclass(frozen=True)
class Pair:
    """Two estimates on the same rows (or on rows apart), with their covariance: what a comparison may ask for.

    ``linearised`` is the covariance of their influences, which their correlation comes from. ``crossing`` is there
    where runs of the models were sampled. ``these`` are the two with these very tasks meant, where tasks are a sample.
    ``table`` holds their rows, where they are the same.
    """

    a: Linearised
    b: Linearised
    linearised: Array
    kind: str = "difference"
    single: IntervalMethod | None = None
    crossing: Crossing | None = None
    rope: float | None = None
    these: Family | None = None
    table: Table | None = None

    @property
    def metric(self) -> Metric:
        """The metric of both."""
        return self.a.metric

    @cached_property
    def covariances(self) -> Array:
        """The covariance: the correlation of the influences, each variance that of its estimate."""
        return self.family.covariances

    @cached_property
    def family(self) -> Family:
        """The two estimates as a family."""
        return Family((self.a, self.b), self.linearised, crossing=self.crossing)

    def as_textbook(self) -> Pair:
        """Return the pair with the linearised variances."""
        return replace(self, a=self.a.as_textbook(), b=self.b.as_textbook())

    @cached_property
    def own(self) -> Pair:
        """The two with the design effect of their difference, where rows were not drawn one by one."""
        if self.table is None or self.crossing is not None or not (has_own_effect(self.a) and has_own_effect(self.b)):
            return self
        found = difference_of(self.table, self.a, self.b)
        return replace(self, a=found.linears[0], b=found.linears[1], linearised=found.linearised, table=None)

    @property
    def correlation(self) -> float:
        """Correlation of the two estimates; 0 where one cannot move."""
        spread = math.sqrt(max(self.covariances[0, 0] * self.covariances[1, 1], 0.0))
        return float(np.clip(self.covariances[0, 1] / spread, -1, 1)) if spread > 0 else 0.0

    @property
    def difference(self) -> float:
        """b − a, or b / a; nan where one of them is infinite."""
        if not (math.isfinite(self.a.value) and math.isfinite(self.b.value)):
            return math.nan
        if self.kind == "ratio":
            return self.b.value / self.a.value if self.a.value != 0 else math.nan
        return self.b.value - self.a.value

    @property
    def nothing(self) -> float:
        """The value of no difference."""
        return 1.0 if self.kind == "ratio" else 0.0

    @property
    def reach(self) -> Ends:
        """The smallest and the largest value that a difference (or ratio) can have."""
        bottom, top = self.metric.range
        return (0.0, math.inf) if self.kind == "ratio" else (bottom - top, top - bottom)

    @cached_property
    def se(self) -> float:
        """Standard error of the difference, or of the log ratio."""
        if self.crossing is not None:
            return float(self.spread.se)
        if self.own is not self:
            return self.own.se
        with np.errstate(invalid="ignore"):
            parts = self._weights * self.covariances * self._weights[:, None]
            return math.sqrt(without_dust(float(parts.sum()), float(np.trace(parts))))

    @property
    def _weights(self) -> Array:
        """What each estimate counts in the difference, or in the log ratio."""
        weights = np.array([-1.0, 1.0])
        if self.kind == "difference":
            return weights
        with np.errstate(divide="ignore"):
            return np.asarray(weights / np.array([self.a.value, self.b.value]))

    @property
    def same_rows(self) -> bool:
        """Whether both estimates stand on the same rows."""
        return self.a.design is self.b.design

    @cached_property
    def tasks(self) -> TaskValues | None:
        """The difference in each task, where rows are of several tasks."""
        these = self.these or self.family
        floor = None if these.crossing is None else these.spread(np.array([-1.0, 1.0]))
        return task_values(self.a, self.b, floor) if self.same_rows else None

    @property
    def seen(self) -> CellView:
        """The cells that the metric sees; for methods that have made sure that there are any."""
        return self.a.seen

    @property
    def degrees(self) -> float:
        """Degrees of freedom: groups − 1, or infinite."""
        return min(self.a.degrees, self.b.degrees)

    def half(self, tail: Tail) -> float:
        """Return half the length of a symmetric interval of the difference, or of the log ratio."""
        return float(self.spread.half(tail))

    @cached_property
    def spread(self) -> Spread:
        """The variance of the difference, or of the log ratio, with its degrees of freedom."""
        if self.crossing is not None:
            return self.family.spread(self._weights)
        return Spread((VariancePart("rows", self.se**2, self.degrees),))

    @cached_property
    def moving(self) -> float:
        """How many independent rows carry the two estimates."""
        return (self.a.moving_rows + self.b.moving_rows) / 2

    @cached_property
    def evidences(self) -> tuple[Evidence, Evidence]:
        """The evidence of each, for the single intervals."""
        return evidence_of(self.a), evidence_of(self.b)

    def singles(self, tail: Tail) -> Array:
        """Return the single intervals [[low a, high a], [low b, high b]] by the single method."""
        return np.array([single_limits(evidence, self.single, tail) for evidence in self.evidences])


def without_dust(variance: float, scale: float) -> float:
    """Return a variance of a difference, 0 where it is only rounding."""
    return variance if variance > DUST * scale else 0.0 if variance == variance else math.nan


def single_method(evidence: Evidence, method: IntervalMethod | None) -> IntervalMethod:
    """Return the method of a single interval: by default the metric's own, but never one that resamples."""
    chosen = method or default_method(evidence.metric, evidence)
    if method is None and chosen.joined and named_method(chosen.joined).missing(evidence) is None:
        return named_method(chosen.joined)
    if not chosen.batch and method is None:
        return named_method("logit" if evidence.metric.range == (0.0, 1.0) else "wald")
    return chosen


def single_limits(evidence: Evidence, method: IntervalMethod | None, tail: Tail) -> Ends:
    """Return a single interval by a method, by default the metric's own."""
    found = interval(evidence, single_method(evidence, method), tail)
    return float(found.low), float(found.high)


def limits_at(evidence: Evidence, method: IntervalMethod | None, z: Array) -> Array:
    """Return the lower and the upper limits of single intervals at many quantiles."""
    chosen = single_method(evidence, method)
    if chosen.tails and len(z) > 1:
        found = interval(evidence, chosen, tail_at(z))
        return np.stack(np.broadcast_arrays(found.low, found.high, z)[:2])
    every = [interval(evidence, chosen, tail_at(float(one))) for one in z]
    return np.array([[found.low for found in every], [found.high for found in every]])


# ---- Wald


def wald_limits(pair: Pair, tail: Tail) -> Ends:
    """Return d ± z · se, for a ratio on the log scale: (b/a) · exp(± z · se of log(b/a)).

    se² = Var a + Var b − 2 Cov(a, b), the covariance from the influences of the same rows on both (Takahashi et al.
    2023, Stat. Med. 42:4177). With groups z is Student's quantile. It fails where few rows tell the models apart: with
    models that nearly always agree it is far too short, and without any such row it has no width.
    """
    half = pair.half(tail)
    if pair.kind == "ratio":
        return pair.difference * math.exp(-half), pair.difference * math.exp(half)
    return pair.difference - half, pair.difference + half


def wald_p(pair: Pair, null: float, alternative: Alternative) -> float:
    """Return the p-value of (d − null)/se: normal, or Student's t with groups."""
    gap = pair.difference - null
    if pair.kind == "ratio":
        gap = math.log(pair.difference / null) if pair.difference > 0 else -math.inf
    if pair.se == 0 or not math.isfinite(pair.se):
        return 1.0 if gap == 0 else math.nan
    if pair.crossing is not None:
        return p_by_inversion(pair, wald_limits, null, alternative)
    z = gap / pair.se
    tail = float(ndtr(-abs(z)) if math.isinf(pair.degrees) else stdtr(pair.degrees, -abs(z)))
    return p_of(tail, z >= 0, alternative)


# ---- MOVER


def mover_limits(pair: Pair, tail: Tail) -> Ends:
    """Square-and-add on the single intervals' limits, the correlation shrunk as if z²/2 rows were independent.

    Newcombe (1998) Stat. Med. 17:2635; Zou & Donner (2008) Stat. Med. 27:1693; ratios: Donner & Zou (2012)
    Stat. Methods Med. Res. 21:347. Without the shrinkage the interval of two models that nearly always agree
    falls to 82 % coverage where 95 % is asked; with it, to 93.
    """
    if math.isnan(pair.difference):
        return math.nan, math.nan
    pair = pair.own
    (low_a, high_a), (low_b, high_b) = pair.singles(tail)
    a, b = pair.a.value, pair.b.value
    correlation = shrunk(pair.correlation, pair.moving, tail.z)
    down, up = (b - low_b, high_a - a), (high_b - b, a - low_a)
    if pair.kind == "ratio":
        return ratio_limits(a, b, down, up, correlation)
    low, high = square_and_add(b - a, down, up, correlation)
    return float(low), float(high)


def shrunk(correlation: Any, moving: Any, z: Any) -> Any:
    """Return the correlation after z²/2 more rows on which the two estimates are independent.

    r · m/(m + z²/2) for m rows that carry the estimates. Two models that agree on every row have an estimated
    correlation of 1, and joined limits would then have no width; the true correlation need not be 1.
    """
    return correlation * moving / (moving + np.square(z) / 2)


def square_and_add(
    difference: Any, down: tuple[Any, Any], up: tuple[Any, Any], correlation: Any
) -> tuple[Array, Array]:
    """Return the limits of b − a from (b − low b, high a − a), (high b − b, a − low a) and the correlation.

    Each limit is a distance as a standard error is: the lower limit of b − a joins the lower one of b with the upper
    one of a, as √(x² − 2rxy + y²). So the asymmetry of the single intervals is kept (Zou & Donner 2008, Stat. Med.
    27:1693).
    """
    return difference - joined(*down, correlation), difference + joined(*up, correlation)


def joined(first: Any, second: Any, correlation: Any) -> Array:
    """Return √(x² − 2rxy + y²); a limit on the wrong side of its estimate counts as none."""
    x, y = np.maximum(first, 0.0), np.maximum(second, 0.0)
    with np.errstate(invalid="ignore"):
        length = np.sqrt(np.maximum(x**2 - 2 * correlation * x * y + y**2, 0.0))
    return np.where(np.isinf(x) | np.isinf(y), np.inf, length)


def ratio_limits(a: float, b: float, down: Ends, up: Ends, correlation: float) -> Ends:
    """Return all R for which the interval of b − R·a holds 0: two quadratics, sound also where b is 0.

    Fieller's argument on joined limits (Donner & Zou 2012, Stat. Methods Med. Res. 21:347). Where the interval of a
    reaches 0 no R is too large, and the upper limit is infinite.
    """
    (x, y), (u, v) = ([max(float(part), 0.0) for part in side] for side in (down, up))
    if math.isinf(y):
        low = 0.0
    else:
        middle, constant = a * b - correlation * x * y, b * b - x * x
        low = _over(constant, middle + _root(middle**2 - constant * (a * a - y * y)))
    middle, leading = a * b - correlation * u * v, a * a - v * v
    high = math.inf if math.isinf(u) else _over(middle + _root(middle**2 - leading * (b * b - u * u)), leading)
    return low, high


def _root(value: float) -> float:
    return math.sqrt(max(value, 0.0))


def _over(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else (0.0 if top == 0 else math.inf)


def unpaired_limits(pair: Pair, tail: Tail) -> Ends:
    """Return the interval that ignores the pairing: to show what pairing buys."""
    apart = replace(pair, linearised=np.diag(np.diagonal(pair.linearised)), table=None)
    return mover_limits(apart, tail) if pair.crossing is None else wald_limits(apart, tail)


# ---- p-values


def p_by_inversion(pair: Pair, limits: Callable[[Pair, Tail], Ends], null: float, alternative: Alternative) -> float:
    """Return the p-value that belongs to an interval method: the tail at which its limit meets the null.

    So the interval and the test never disagree: p < 1 − level exactly where the interval excludes the null. It takes
    the limits to move outwards as the level rises.
    """
    rises = pair.difference >= null

    def gap(z: float) -> float:
        low, high = limits(pair, tail_at(z))
        return low - null if rises else null - high

    tail = float(ndtr(-meeting_point(gap)))
    return p_of(tail, rises, alternative) if math.isfinite(tail) else math.nan


def meeting_point(gap: Callable[[float], float]) -> float:
    """Return the quantile z at which a gap that shrinks with z vanishes: 0 at the start, the farthest at the end."""
    if not gap(1e-6) > 0:
        return 0.0 if gap(1e-6) <= 0 else math.nan
    reach = 4.0
    while reach < FARTHEST and gap(reach) > 0:
        reach *= 2
    if reach >= FARTHEST:
        return FARTHEST
    return bracketed_root(gap, 1e-6, reach, tolerance=1e-9)


def posterior_p(above: float, alternative: Alternative) -> float:
    """Return what stands in place of a p-value: the posterior probability of the other side, of the null from above."""
    return {"two-sided": 2 * min(above, 1 - above), "greater": 1 - above, "less": above}[alternative]


def p_of(tail: float, rises: bool, alternative: Alternative) -> float:
    """Return the p-value of a tail on the side to which the difference leans."""
    if alternative == "two-sided":
        return min(2 * tail, 1.0)
    return tail if rises == (alternative == "greater") else 1 - tail
