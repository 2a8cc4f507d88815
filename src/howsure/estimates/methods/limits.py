"""The functions behind the interval methods: from evidence and tail to limits.

Scales on which a metric has no ends (logit, log, atanh) keep limits that are made there in the range of the metric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.pseudo_counts import smoothed_moments, smoothed_moments_and_degrees
from howsure.estimates.methods.ranking import null_limits, null_tail_limits
from howsure.estimates.requirements import a_matrix, a_score_test, between_two_ends
from howsure.estimates.tail import Limits, Tail
from howsure.numerics import binomial
from howsure.numerics.share_ratio import ratio_interval
from howsure.numerics.tversky import mid_p_interval, profile_interval, score_interval, wilson_direct_interval
from howsure.results.base import Note, note_of
from howsure.results.sentences.phrases import marked
from howsure.types import Array

# The pseudo-counts of level 0.95 at every level: a centre that moves with the level would not keep intervals nested.
USUAL_LEVEL = 0.95
PSEUDO_Z = Tail(USUAL_LEVEL).z
FEWEST_DEGREES = 4.0  # where pseudo-counts make the variance, Satterthwaite's degrees would be one or two


def wald(evidence: Evidence, tail: Tail) -> Limits:
    """Return value ± z · se, the standard error from the influence of each row (the delta method).

    se² = Σ φ²/n². With groups z is Student's quantile on groups − 1 degrees of freedom. It treats the metric as linear
    and its variance as known, so it fails where either is not so: few rows, or a value near an end of its range. There
    the limits leave the range, and at a perfect score, where no row moves the value, the interval has no width.
    Takahashi et al. (2022), section 3; Jiang (2020), corollary 1; Lam et al. (2024), section 4.2.
    """
    half = evidence.half(tail)
    low, high = evidence.value - half, evidence.value + half
    return Limits(low, high, edge_notes("Wald", evidence, low, high))


def edge_notes(name: str, evidence: Evidence, low: Any, high: Any) -> tuple[Note, ...]:
    """Return what is said of limits that have no width, or that leave the range of the metric."""
    if np.ndim(low):
        return ()
    metric, notes = evidence.metric, []
    if low == high and np.isfinite(low):
        notes.append(note_of("no width", "degenerate", method=name, metric=metric.name, value=f"{float(low):.3g}"))
    if low < metric.range[0] or high > metric.range[1]:
        notes.append(note_of("leaves the range", "overshoot", method=name, metric=metric.name))
    return tuple(notes)


def of_share(function: Callable[..., tuple[Array, Array]], *, by_tail: bool) -> Callable[[Evidence, Tail], Limits]:
    """Return the interval method of a share from a function of its successes and failures.

    ``function`` gives the limits of u = s/(s + f), by the probability of a tail or by z. The metric is an increasing
    function of u, such as F1 = 2u/(1 + u) of Jaccard's share, so its limits are those of u sent through that link: the
    coverage of the one is the coverage of the other. Counts are shares times the effective number of rows.
    """

    def limits(evidence: Evidence, tail: Tail) -> Limits:
        share = evidence.metric.share
        assert share is not None
        spread = {"tail": evidence.tail_of(tail)} if by_tail else {"z": evidence.quantile(tail)}
        low, high = function(*evidence.shares, **spread)
        return Limits(share.link(low), share.link(high))

    return limits


def score_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values that a score test does not reject: the variance is that under the value tested (Wilson).

    A share: (û − u)² ≤ z² u(1 − u)/n, a quadratic in u. A Tversky index τ: the contrast (1−τ)·tp − a·τ·fp − b·τ·fn has
    mean 0 under τ, and its variance is taken at the cell shares of greatest likelihood under τ. Unlike Wald's, the
    variance is not 0 at a perfect score, and the limits stay in the range. It is not exact: with a share near 0 or 1
    and few rows the coverage can fall a few points short of the level. Wilson (1927) JASA 22:209; F1: Lam et al.
    (2024), section 4.4.
    """
    if evidence.null is not None:
        return null_limits(evidence, tail)
    z, metric = evidence.quantile(tail), evidence.metric
    if between_two_ends(evidence) is None:
        return _between_two_ends(evidence, tail)
    if metric.share is not None and evidence.countable:
        return Limits(*binomial.wilson(*evidence.shares, z=z, weight=metric.share.weight))
    if metric.larger is not None:
        # The larger share lies below one of the upper limits, and above both lower ones where neither test rejects it.
        (low, high), (other, top) = (binomial.wilson(*pair, z=z) for pair in evidence.larger_counts)
        return Limits(np.maximum(low, other), np.maximum(high, top))
    assert metric.tversky is not None
    a, b = metric.tversky
    return Limits(*score_interval(*evidence.tversky_counts, a=a, b=b, z=z))


def mid_p_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values that neither one-sided binomial test rejects, the observed count with half its probability.

    Each end of a share misses at most twice what the level allows, at every level and every share: Wilson's upper end
    misses six times as much at level 0.95 and a hundred times at 0.999, where a share is near 1. It is as short as
    Wilson's and nested in the level. Counts are shares times the effective number of rows, through the incomplete beta
    function. Tversky indices such as F2: ``numerics.tversky.by_tails``; the larger of two shares has the larger of
    their limits. AUC: at as many rows as its variance is worth. Lancaster (1961) JASA 56:223; Berry & Armitage (1995)
    The Statistician 44:417.
    """
    if evidence.null is not None:
        return null_tail_limits(evidence, tail)
    metric, beyond = evidence.metric, evidence.tail_of(tail)
    if metric.share is not None and evidence.countable:
        low, high = binomial.mid_p(*evidence.shares, tail=beyond)
        return Limits(metric.share.link(low), metric.share.link(high))
    if metric.larger is not None:
        (low, high), (other, top) = (binomial.mid_p(*pair, tail=beyond) for pair in evidence.larger_counts)
        return Limits(np.maximum(low, other), np.maximum(high, top))
    assert metric.tversky is not None
    a, b = metric.tversky
    return Limits(*mid_p_interval(*evidence.tversky_counts, a=a, b=b, tail=beyond))


def _between_two_ends(evidence: Evidence, tail: Tail) -> Limits:
    """Return Wilson's interval of a mean or ratio, at the number of outcomes of 0 and 1 that would tell as much."""
    size = evidence.rows_of_share(tail.z)
    assert size is not None
    (bottom, top), link = evidence.metric.range, evidence.metric.share
    share, _ = evidence.metric.as_share(evidence.value)
    ends = binomial.wilson(share * size, (1 - share) * size, z=evidence.quantile(tail))
    low, high = (bottom + (top - bottom) * end if link is None else link.link(end) for end in ends)
    return Limits(low, high)


def koopman(evidence: Evidence, tail: Tail) -> Limits:
    """Return all ratios of two shares of different rows that a score test does not reject, as LR+ and LR− are.

    Both shares are fitted by likelihood under the ratio tested. The interval stays defined with an empty cell, where
    Wald on the log scale has no variance. It is no exact test: the coverage may fall a little short of the level.
    Koopman (1984) Biometrics 40:513; Miettinen & Nurminen (1985) Stat. Med. 4:213.
    """
    assert evidence.metric.quotient is not None
    sides = [names for share in evidence.metric.quotient for names in (share.success, share.failure)]
    counts = [evidence.cells.counted(names) * evidence.size for names in sides]
    return Limits(*ratio_interval(*counts, z=evidence.quantile(tail)))


def profile(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values whose likelihood ratio stays within z²: 2 Σ c log(p̂/p̂(τ)) ≤ z² over the cells.

    p̂(τ) are the cell shares of greatest likelihood among those whose metric is τ (empirical likelihood: Owen 1988,
    Biometrika 75:237). The interval is the same on every scale of the metric. The statistic is chi-square only for many
    rows: with few the interval covers a little less than the score interval.
    """
    z, metric = evidence.quantile(tail), evidence.metric
    if metric.tversky is None:
        assert metric.share is not None
        success, failure = evidence.shares
        weight = metric.share.weight
        return Limits(*profile_interval(success, failure, np.zeros_like(failure), a=weight, b=weight, z=z))
    a, b = metric.tversky
    return Limits(*profile_interval(*evidence.tversky_counts, a=a, b=b, z=z))


def wilson_direct(evidence: Evidence, tail: Tail) -> Limits:
    """Return all F1 within z of the standard error that F1 would have itself: two roots of a quartic.

    (F̂ − F)² ≤ z² F(1−F)(2−F)²/(2(tp + fp + fn)). Lam et al. (2024), eq. 37, kept to reproduce the paper: the score
    interval is as short or shorter and covers as well.
    """
    tp, fp, fn = evidence.tversky_counts
    return Limits(*wilson_direct_interval(tp, fp + fn, z=evidence.quantile(tail)))


def blur(evidence: Evidence, z: float) -> Array:
    """Return the blurring term Σd² z²/(2n²) of Yuan & Jiang's choice II, which is added to V/(n−1).

    d are the slopes in (EZA, EA, EZ); z is the individual quantile also in joint intervals (errata Y4, Y5).
    Z and A are 1 for the positive class: the term is another one where the other class is positive.
    """
    tp, fp, fn, tn = evidence.binary_slopes
    squares = (tp - fp - fn + tn) ** 2 + (fp - tn) ** 2 + (fn - tn) ** 2
    return np.asarray(squares * z * z / (2 * evidence.size * evidence.size))


def blurred(evidence: Evidence, tail: Tail) -> Limits:
    """Return Wald's interval with the variance V/(n−1) + Σd² z²/(2n²): Yuan & Jiang (2025), choice II.

    The variance of each of the three moments that the metric is made of is enlarged by z²/(2n), so the interval has a
    width at a perfect score too. It is long: with few rows it covers 97 to 100 % where 95 % is asked.
    """
    size = evidence.size
    variance = evidence.variance * size / (size - 1) + blur(evidence, tail.z)
    half = evidence.quantile(tail) * np.sqrt(variance)
    low, high = evidence.value - half, evidence.value + half
    if not np.ndim(size) and size <= 1:
        return Limits(np.float64(np.nan), np.float64(np.nan), (note_of("blurred few", "degenerate"),))
    return Limits(low, high, edge_notes("blurred", evidence, low, high))


def transformed(evidence: Evidence, tail: Tail) -> Limits:
    """Return Wald's interval on the scale of the range, brought back: h⁻¹(h(M) ± z · se · h'(M)).

    h is the logit on [0, 1], atanh on [−1, 1], the log on [0, ∞). Limits stay in the range, and the estimate is nearer
    to normal there. Where h has no finite error (a value at an end of its range, or no row that moves it) the limits
    come from a score interval, else from pseudo-counts, else from Wilson's of the rows that tell; a note says which.
    Agresti (2013), Categorical Data Analysis, section 3.1; atanh: Fisher (1921) Metron 1:3; log: Simel et al. (1991).
    """
    z, metric = evidence.quantile(tail), evidence.metric
    low, high = on_scale(evidence.value, evidence.se, z, metric.range)
    bottom, top = metric.range
    edge = (evidence.value <= bottom) | (evidence.value >= top) | _flat(evidence)
    if not np.any(edge & ~np.isnan(evidence.value)):
        return Limits(low, high)
    first, second, what = _at_the_edge(evidence, tail)
    low, high = np.where(edge, first, low), np.where(edge, second, high)
    scale = scale_of(metric.range).name
    note = note_of("no finite error", "boundary", metric=metric.name, scale=scale, limits=marked(f"limits by {what}"))
    return Limits(low, high, () if np.ndim(low) else (note,))


def _flat(evidence: Evidence) -> Any:
    """Say where no row moves the value, but for rounding: one error in 1e15 rows still moves it by 1e-8 a row."""
    with np.errstate(invalid="ignore"):
        return evidence.variance * evidence.n <= np.square(1e-12 * evidence.value)


def _at_the_edge(evidence: Evidence, tail: Tail) -> tuple[Array, Array, str]:
    """Return limits where a transform is undefined, and by what: score, smoothed table, range or Wilson."""
    z, metric = evidence.quantile(tail), evidence.metric
    if a_score_test(evidence) is None:
        found = score_limits(evidence, tail)
        return found.low, found.high, "score"
    if a_matrix(evidence) is None:
        value, se = smoothed_moments(evidence, PSEUDO_Z)
        low, high = on_scale(value, se, z, metric.range)
        low = np.where(evidence.value <= metric.range[0], metric.range[0], low)
        return (
            low,
            np.where(evidence.value >= metric.range[1], metric.range[1], high),
            "pseudo-counts",
        )
    bottom, top = metric.range
    if np.isinf(top - bottom):
        return np.asarray(bottom), np.asarray(top), "range"
    share = (evidence.value - bottom) / (top - bottom)
    size = float(evidence.size)
    if evidence.linear is not None:
        size = evidence.linear.contents.rows_that_tell(evidence.linear, size)
    low, high = binomial.wilson(share * size, (1 - share) * size, z=z)
    return bottom + (top - bottom) * low, bottom + (top - bottom) * high, "rows"


def smoothed(evidence: Evidence, tail: Tail) -> Limits:
    """Return Wald's interval on the table with pseudo-counts, z²/2 rows spread over its cells.

    The idea of Agresti & Coull (1998) for one share, z²/(2K²) in each cell of a K×K table. A class without rows no
    longer makes an average 0/0, and a perfect score has a variance. The centre is drawn to the middle, further at a
    higher level, so intervals of several levels need not be nested, and the limits may leave the range.
    """
    z = evidence.quantile(tail)
    value, se = smoothed_moments(evidence, tail.z)
    low, high = value - z * se, np.where(np.isposinf(evidence.value), np.inf, value + z * se)
    return Limits(low, high, edge_notes("smoothed", evidence, low, high))


def smoothed_t(evidence: Evidence, tail: Tail) -> Limits:
    """Join two intervals on the scale of the range: the table with pseudo-counts and t, and the table as it is.

    Low and high are the outer ones of h⁻¹(h(M̃) ± t · s̃e · h'(M̃)), with Satterthwaite's degrees of freedom of s̃e²,
    at least four, and h⁻¹(h(M) ± z · se · h'(M)). The first knows that a variance from few rows is uncertain; the
    second is not drawn to the middle. For agreement of annotators the second has t too, on n − 1 degrees at most, and
    its M compares ratings of different items alone: with pairs of one item kappa and alpha are too low. Above level
    0.95 the distance of a limit grows with z² at most: errors that have not been seen yet are as rare as counts of them
    are, but the tails of t with four degrees of freedom would take a perfect score for nothing at all. With few rows,
    three or more classes and an excellent model it still falls short.
    Satterthwaite (1946) Biometrics Bulletin 2:110; Pan (2002) Comput. Stat. Data Anal. 40:143.
    """
    smooth = smoothed_moments_and_degrees(evidence, PSEUDO_Z)
    low, high = _smoothed_t(evidence, smooth, tail)
    usual = Tail(USUAL_LEVEL)
    far = np.asarray(tail.probability) < usual.probability
    if far.any():
        nearer, further = _smoothed_t(evidence, smooth, usual)
        growth = (evidence.quantile(tail) / evidence.quantile(usual)) ** 2
        low = np.where(far, np.maximum(low, evidence.value - growth * (evidence.value - nearer)), low)
        high = np.where(far, np.minimum(high, evidence.value + growth * (further - evidence.value)), high)
    return Limits(low, high)


def _smoothed_t(evidence: Evidence, smooth: tuple[Array, Array, Array], tail: Tail) -> tuple[Array, Array]:
    """Return both limits at one tail, from value, standard error and degrees of freedom with pseudo-counts."""
    value, se, degrees = smooth
    degrees = np.minimum(np.maximum(degrees, FEWEST_DEGREES), evidence.degrees)
    reach, (bottom, top) = -stdtrit(degrees, tail.probability), evidence.metric.range
    low, high = on_scale(value, se, reach, (bottom, top))
    # Among 1e15 rows the pseudo-counts may be lost in rounding, and the scale is then infinite at the end of the range.
    low = np.where(np.isnan(low), np.maximum(value - reach * se, bottom), low)
    high = np.where(np.isnan(high), np.minimum(value + reach * se, top), high)
    below, above = (np.where(np.isfinite(end), end, evidence.value) for end in _as_it_is(evidence, degrees, tail))
    return np.minimum(low, below), np.maximum(high, above)


def _as_it_is(evidence: Evidence, degrees: Array, tail: Tail) -> tuple[Array, Array]:
    """Return both limits without pseudo-counts: by z, or about the value without its bias by t on n − 1 at most."""
    centre, metric = evidence.centre, evidence.metric
    if centre is None:
        return on_scale(evidence.value, evidence.se, evidence.quantile(tail), metric.range)
    reach = -stdtrit(np.minimum(degrees, np.maximum(evidence.n - 1, 1)), tail.probability)
    return on_scale(centre, evidence.se, reach, metric.range)


@dataclass(frozen=True, slots=True)
class Scale:
    """An increasing map from a metric's range to the whole line, its inverse and its slope."""

    name: str
    to: Callable[[Any], Array]
    back: Callable[[Any], Array]
    slope: Callable[[Any], Array]


def scale_of(range_: tuple[float, float]) -> Scale:
    """Return the scale of a range: logit for two ends, atanh for [−1, 1], log for one end, plain for none.

    >>> scale_of((0.0, 1.0)).name, scale_of((-1.0, 1.0)).name, scale_of((0.0, float("inf"))).name
    ('logit', 'atanh', 'log')
    """
    bottom, top = range_
    if np.isinf(bottom):
        return Scale("plain", np.asarray, np.asarray, np.ones_like)
    if np.isinf(top):
        return Scale("log", lambda x: np.log(x - bottom), lambda y: bottom + np.exp(y), lambda x: 1 / (x - bottom))
    width = top - bottom
    if (bottom, top) == (-1.0, 1.0):
        return Scale("atanh", np.arctanh, np.tanh, lambda x: 1 / (1 - np.square(x)))
    return Scale(
        "logit",
        lambda x: np.log((x - bottom) / (top - x)),
        lambda y: bottom + width / (1 + np.exp(-np.asarray(y, dtype=float))),
        lambda x: width / ((x - bottom) * (top - x)),
    )


def on_scale(value: Any, se: Any, quantile: Any, range_: tuple[float, float]) -> tuple[Array, Array]:
    """Return h⁻¹(h(value) ± quantile · se · h'(value)): the delta method on the scale of the range."""
    scale = scale_of(range_)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        centre, half = scale.to(value), np.asarray(quantile * se) * scale.slope(value)
        return scale.back(centre - half), scale.back(centre + half)
