"""Interval methods of scores: score intervals by the variance under another value, and Newcombe's for AUC."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betainc, stdtrit

from howsure.errors import MethodError, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.null_variance import either_shape, newcombe
from howsure.metrics.scoring import UnderNull
from howsure.numerics.solving import bracketed_root, bracketed_roots
from howsure.types import Array

INSIDE = 1e-15  # a share is not tested nearer to an end than this


def null_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values θ with |θ̂ − θ| ≤ q·√V(θ), V the variance that the estimate would have under θ.

    Wilson's idea. AUC: V is the less favourable of Hanley and McNeil's shape and its mirror image, times the design
    effect of the influences, shrunk to 1 where the value is so near to an end that the influences tell little. Average
    precision: V is that of a share of the positives times an effect that is shrunk to the one of a few negatives above
    every positive. Shares at an estimated threshold: that of a share of rows times such an effect. q² lies between z²
    and Student's t², nearer to t² the more the influences tell. The interval has a width at a perfect ranking, and
    stays in the range. It is no exact test: near an end an AUC, whose estimate is skewed there, falls below 0.9.
    """
    assert evidence.null is not None
    return Limits(*null_interval(evidence.value, evidence.null, tail, evidence.metric.range))


def null_tail_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values that neither one-sided binomial test rejects, at as many rows as the variance there is worth.

    n(θ) = θ(1 − θ)/V(θ) rows, V as for ``null_limits``, with n(θ)·θ̂ successes: the mid-P knows the skewness that the
    estimate has near an end of its range, where a symmetric test misses on one side.
    """
    assert evidence.null is not None
    return Limits(*tail_interval(evidence.value, evidence.null, tail, evidence.metric.range))


def null_interval(value: Any, null: UnderNull, tail: Tail, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Return the limits of values with their variances under another value; of many at once."""
    reach, value = _squared_quantile(null, tail), _each(value, tail)
    return _edges(lambda at: reach * null.variance(at) - (value - at) ** 2, value, ends)


def tail_interval(value: Any, null: UnderNull, tail: Tail, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Return the limits by binomial tails, of many at once; where Student's t is larger than z, rows are fewer."""
    wider, (bottom, top), value = _squared_quantile(null, tail) / tail.z**2, ends, _each(value, tail)
    width, failing = top - bottom, (top - value) / (top - bottom)

    def kept(at: Array) -> Array:
        share = np.clip((at - bottom) / width, INSIDE, 1 - INSIDE)
        rows = share * (1 - share) * width**2 / (wider * null.variance(bottom + width * share))
        hits, misses = rows * (1 - failing), rows * failing
        fewer, as_few = betainc(hits + 1, misses, share), betainc(hits, misses + 1, share)
        half = (np.where(misses > 0, fewer, 0.0) + np.where(hits > 0, as_few, 1.0)) / 2
        return np.asarray(np.where(at < value, half, 1 - half) - tail.probability)

    return _edges(kept, value, ends)


def _each(value: Any, tail: Tail) -> Array:
    """Return a value for each of many tails, or many values, or one."""
    return np.asarray(value, dtype=float) + np.zeros(np.shape(tail.probability))


def _squared_quantile(null: UnderNull, tail: Tail) -> Array:
    degrees = np.asarray(null.degrees, dtype=float)
    known = np.isfinite(degrees)
    student = np.where(known, -stdtrit(np.where(known, degrees, 1.0), tail.probability), tail.z)
    return np.asarray(null.estimated * student**2 + (1 - null.estimated) * tail.z**2)


def _edges(kept: Callable[[Array], Array], value: Array, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Return where values stop being kept (above 0) on the way from the estimate to each end of the range."""
    low, high = (_edge(kept, value, end) for end in ends)
    return low, high


def _edge(kept: Callable[[Any], Array], value: Array, end: float) -> Array:
    near = value + 1e-13 * (end - value)  # the variance at a perfect value is 0, and a hair inside it is not
    if np.ndim(value):
        found = bracketed_roots(kept, near, np.full(near.shape, end))
    elif np.isnan(value) or kept(end) > 0 or not kept(near) > 0:
        found = np.where(kept(end) > 0, end, value)
    else:
        found = np.asarray(bracketed_root(lambda at: float(kept(at)), float(near), end, tolerance=1e-13))
    return np.where(np.abs(value - end) < 1e-12, end, found)


def limits_of_sizes(
    low: float, high: float, positives: float, negatives: float, tail: Tail, method: str | None
) -> tuple[str, float, float]:
    """Return method and limits of an AUC of which value and class sizes are known alone, the value between two ends.

    All AUC that binomial tails, or by "wilson" a score test, do not reject, with the variance of Hanley & McNeil (1982)
    or of its mirror image, whichever is larger; by "newcombe" with class sizes averaged (Newcombe 2006).

    >>> name, low, high = limits_of_sizes(0.875, 0.875, 80, 420, Tail(0.95), None)
    >>> name, round(low, 3), round(high, 3)
    ('mid-p', 0.818, 0.92)
    """
    shapes = {"mid-p": either_shape, "wilson": either_shape, "newcombe": newcombe}
    name = method or "mid-p"
    if name not in shapes:
        raise MethodError(messages.METHOD_NEEDS_SCORES(name=name, shapes=quoted(shapes)))
    null = UnderNull(lambda at: shapes[name](at, positives, negatives), math.inf)
    ends, limits = (0.0, 1.0), tail_interval if name == "mid-p" else null_interval
    bottom, top = (limits(np.float64(value), null, tail, ends) for value in (low, high))
    return name, float(bottom[0]), float(top[1])


def newcombe_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all AUC that a score test with Hanley and McNeil's variance does not reject, class sizes averaged.

    Newcombe (2006) Stat. Med. 25:559, method 5. It needs AUC and the two class sizes alone, so it serves a paper that
    prints no more; it assumes classes of like spread and falls to 0.84 where positives vary more than negatives.
    """
    worth = evidence.worth
    assert worth is not None
    ones, zeros = worth.units
    null = UnderNull(lambda at: newcombe(at, ones, zeros), evidence.degrees, 1.0)
    return Limits(*null_interval(evidence.value, null, tail, evidence.metric.range))
