"""The bootstrap of a table: multinomial counts of its rows, or whole groups; never single rows, bounded memory.

The design draws, the contents compute: so it serves every kind of data and every way of sampling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.errors import MethodError, check_choice, check_seed, check_whole
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.drawing import MANY_CELLS, limits_of_draws
from howsure.estimates.methods.limits import scale_of
from howsure.estimates.tail import Limits, Tail
from howsure.results.base import Note, note_of
from howsure.results.words import count
from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.resampled_errors import resampled_errors
from howsure.types import Array

BootstrapKind = Literal["percentile", "basic", "bca", "studentised"]
KINDS = ("percentile", "basic", "bca", "studentised")
BLOCK = 250_000
USUAL_RESAMPLES = 9999
MOST_RESAMPLES = 10_000_000
"""Resamples whose values fit in memory; their Monte-Carlo error is below every other by then."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Options of the bootstrap: how many resamples, which kind of limits, which seed.

    Without a number of resamples there are 9999; with more than 200 distinct rows as many as make the Monte-Carlo error
    of each limit at most an eightieth of the interval's length, if those are fewer.
    percentile, basic: Efron & Tibshirani (1993), chapters 13–14. bca: Efron (1987) JASA 82:171, with the
    acceleration from the influence. studentised: Hall (1988) Ann. Stat. 16:927, on the scale of the range.
    """

    n_resamples: int | None = None
    kind: BootstrapKind = "bca"
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, KINDS)
        if self.n_resamples is not None:
            number = check_whole("n_resamples", self.n_resamples, 100, messages.USUALLY_9999(), most=MOST_RESAMPLES)
            object.__setattr__(self, "n_resamples", number)
        object.__setattr__(self, "seed", check_seed(self.seed))


def bootstrap_values(linear: Linearised, options: Bootstrap, *, with_se: bool = False) -> Iterator[Array]:
    """Yield the metric's value in every resample, in blocks of bounded memory; below it its standard error, if asked.

    A resample is a multinomial draw of how often each distinct row occurs (or each group, within each stratum), so its
    cost depends on the number of distinct rows and not on n.
    """
    rows, design = linear.contents, linear.design
    most = BLOCK // max(1, len(rows.labels) ** 2 // max(len(rows), 1))
    number = USUAL_RESAMPLES if options.n_resamples is None else options.n_resamples
    for sample in design.resamples(np.random.default_rng(options.seed), number, most=most):
        values = rows.values_at(linear, sample.weights)
        if with_se:
            values = np.stack([values, resampled_errors(design, _influences(linear, sample.weights), sample)])
        yield values


def _influences(linear: Linearised, weights: Array) -> Array:
    found = linear.contents.influences_at(linear, weights)
    if found is None:
        raise MethodError(messages.KIND_IS_STUDENTISED_NEEDS_INFLUENCE(metric=linear.metric.name))
    return found


def bootstrap_limits(evidence: Evidence, tail: Tail, options: Bootstrap) -> Limits:
    """Return bootstrap limits of one estimate, their Monte-Carlo error, and what to say of them.

    Every kind needs resamples that differ: at a perfect score all are perfect, and the interval has no width, which a
    note says. Resamples that leave the metric undefined are dropped and counted; below 100 there are no limits.
    """
    linear = evidence.linear
    assert linear is not None
    drawn = bootstrap_values(linear, options, with_se=options.kind == "studentised")
    stops = options.n_resamples is None and len(linear.contents) > MANY_CELLS
    return limits_of_draws(drawn, partial(_limits, evidence, linear, tail, options), stops=stops)


def _limits(evidence: Evidence, linear: Linearised, tail: Tail, options: Bootstrap, drawn: Array) -> Limits:
    values = drawn if drawn.ndim == 1 else drawn[0]
    good = np.isfinite(values)
    notes = _lost(linear, values, good)
    if good.sum() < 100:
        return Limits(np.float64(np.nan), np.float64(np.nan), notes, seed=options.seed)
    if options.kind == "studentised":
        low, high, error = _studentised(evidence, values[good], drawn[1][good], tail)
    else:
        low, high, error = _LIMITS[options.kind](evidence, np.sort(values[good]), tail)
    if low == high:
        notes += (note_of("resamples alike", "degenerate"),)
    return Limits(np.float64(low), np.float64(high), notes, error=error, seed=options.seed)


def _lost(linear: Linearised, values: Array, good: Array) -> tuple[Note, ...]:
    lost = int((~good).sum())
    if not lost:
        return ()
    return (
        note_of(
            "resamples lost", "resamples", lost=count(lost), resamples=count(len(values)), metric=linear.metric.name
        ),
    )


def _ends(ordered: Array, ranks: Iterable[float]) -> tuple[float, float, float]:
    """Return two quantiles of ordered draws, and the larger of their Monte-Carlo errors."""
    from howsure.numerics.sampled_posterior import drawn_limits  # with posteriors, which no other method needs

    return drawn_limits(ordered, ranks)


def _percentile(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    """Return the quantiles of the resampled values (Efron & Tibshirani 1993, chapter 13).

    They carry over to any scale, but a bias or skewness of the estimate shifts both ends the wrong way.
    """
    return _ends(ordered, (tail.probability, 1 - tail.probability))


def _basic(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    """Return 2·value less the opposite quantiles: the error is taken to have the distribution of the resampled one.

    Davison & Hinkley (1997), Bootstrap Methods and their Application, section 5.2. Limits may leave the range.
    """
    low, high, error = _percentile(evidence, ordered, tail)
    value = float(evidence.value)
    return 2 * value - high, 2 * value - low, error


def _bca(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    """Return quantiles corrected for bias and skewness: at Φ(b + (b ± z)/(1 − a(b ± z))) in place of Φ(± z).

    b = Φ⁻¹ of the share of resamples below the value, ties half; a, the acceleration, is a sixth of the skewness of the
    influences. The coverage error of each limit falls with 1/n where that of the percentile falls with 1/√n, but few
    rows that matter leave b and a uncertain too. Efron (1987) JASA 82:171.
    """
    linear = evidence.linear
    assert linear is not None
    acceleration = acceleration_of(linear.influence, linear.design)
    return _ends(ordered, bca_ranks(ordered, float(evidence.value), acceleration, tail))


def bca_ranks(ordered: Array, value: float, acceleration: float, tail: Tail) -> list[float]:
    """Return the ranks of both limits among the resampled values, corrected for bias and skewness."""
    below = ((ordered < value).mean() + (ordered <= value).mean()) / 2
    bias = float(ndtri(np.clip(below, 0.5 / len(ordered), 1 - 0.5 / len(ordered))))
    return [float(ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))) for z in (-tail.z, tail.z)]


def acceleration_of(influence: Array, design: Design) -> float:
    """Return a sixth of the skewness of the units' influences: Σφ³/(6(Σφ²)^1.5), over rows or groups.

    Efron (1987) JASA 82:171; the influence stands where others put the jackknife.
    """
    sums, weight = design.unit_influences(influence)
    square = float(weight @ sums**2)
    return float(weight @ sums**3) / (6 * square**1.5) if square > 0 else 0.0


def _studentised(evidence: Evidence, values: Array, errors: Array, tail: Tail) -> tuple[float, float, float]:
    """Return the limits from the distribution of (h(M*) − h(M))/se*, on the scale h of the range.

    Each resample has a standard error of its own, so the pivot hardly depends on the unknown variance (Hall 1988, Ann.
    Stat. 16:927). A resample without a variance has no pivot and is left out, so a value near an end of the range
    leaves few.
    """
    scale = scale_of(evidence.metric.range)
    value, se = np.float64(evidence.value), np.float64(evidence.as_textbook().se)
    with np.errstate(all="ignore"):
        pivots = (scale.to(values) - scale.to(value)) / (errors * scale.slope(values))
        width = float(se * scale.slope(value))
    pivots = np.sort(pivots[np.isfinite(pivots)])
    if not len(pivots) or not np.isfinite(width):
        return float("nan"), float("nan"), float("nan")
    low, high, spread = _ends(pivots, (1 - tail.probability, tail.probability))
    centre = float(scale.to(value))
    ends = [float(scale.back(centre - pivot * width)) for pivot in (low, high)]
    error = spread * width / float(scale.slope(value))
    return ends[0], ends[1], error


_LIMITS = {"percentile": _percentile, "basic": _basic, "bca": _bca}
