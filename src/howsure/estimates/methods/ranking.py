"""Interval methods of scores: score intervals by the variance under another value, and Newcombe's for AUC."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import stdtrit

from howsure.errors import MethodError, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.null_variance import hanley_mcneil, newcombe
from howsure.metrics.scoring import UnderNull
from howsure.types import Array

HALVINGS = 60


def null_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all values θ with |θ̂ − θ| ≤ q·√V(θ), V the variance that the estimate would have under θ.

    Wilson's idea. AUC: V is Hanley and McNeil's shape times the design effect of the influences, shrunk to 1 where the
    value is so near to an end that the influences tell little. Average precision, and shares at an estimated threshold:
    V is that of a share of rows times such an effect. q² lies between z² and Student's t², nearer to t² the more the
    influences tell. The interval has a width at a perfect ranking, and stays in the range. It is no exact test: with
    heavy tails and few rows it falls to 0.91.
    """
    null = evidence.null
    assert null is not None
    return Limits(*null_interval(evidence.value, null, tail, evidence.metric.range))


def null_interval(value: Any, null: UnderNull, tail: Tail, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Return the limits of values with their variances under another value; of many at once."""
    degrees = np.asarray(null.degrees, dtype=float)
    student = np.where(
        np.isfinite(degrees), -stdtrit(np.where(np.isfinite(degrees), degrees, 1.0), tail.probability), tail.z
    )
    reach = np.sqrt(null.estimated * student**2 + (1 - null.estimated) * tail.z**2)

    def inside(at: Array) -> Array:
        return np.asarray(np.abs(value - at) <= reach * np.sqrt(np.maximum(null.variance(at), 0.0)))

    bottom, top = (np.broadcast_to(np.float64(end), np.shape(value)).astype(float) for end in ends)
    return _edge(inside, np.asarray(value, dtype=float), bottom), _edge(inside, np.asarray(value, dtype=float), top)


def _edge(inside: Callable[[Array], Array], value: Array, end: Array) -> Array:
    """Return where values stop being inside on the way from the estimate to an end of the range."""
    near, far = value.copy(), end.copy()
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        kept = inside(middle)
        near, far = np.where(kept, middle, near), np.where(kept, far, middle)
    return np.where(np.abs(value - end) < 1e-12, end, (near + far) / 2)


def limits_of_sizes(
    low: float, high: float, positives: float, negatives: float, tail: Tail, method: str | None
) -> tuple[str, float, float]:
    """Return method and limits of an AUC of which value and class sizes are known alone, the value between two ends.

    All AUC that a score test does not reject, with the variance of Hanley & McNeil (1982), or by "newcombe" with class
    sizes averaged (Newcombe 2006). Scores of like spread in both classes are assumed: only rows can tell otherwise.

    >>> name, low, high = limits_of_sizes(0.875, 0.875, 80, 420, Tail(0.95), None)
    >>> name, round(low, 3), round(high, 3)
    ('wilson', 0.816, 0.917)
    """
    shapes = {"wilson": hanley_mcneil, "newcombe": newcombe}
    name = method or "wilson"
    if name not in shapes:
        raise MethodError(messages.METHOD_NEEDS_SCORES(name=name, shapes=quoted(shapes)))
    null = UnderNull(lambda at: shapes[name](at, positives, negatives), math.inf)
    ends = (0.0, 1.0)
    bottom, top = (null_interval(np.float64(value), null, tail, ends) for value in (low, high))
    return name, float(bottom[0]), float(top[1])


def newcombe_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return all AUC that a score test with Hanley and McNeil's variance does not reject, class sizes averaged.

    Newcombe (2006) Stat. Med. 25:559, method 5. It needs AUC and the two class sizes alone, so it serves a paper that
    prints no more; it assumes classes of like spread and falls to 0.84 where positives vary more than negatives.
    """
    assert evidence.linear is not None
    worth = evidence.linear.contents.worth(evidence.linear)
    assert worth is not None
    ones, zeros = worth.units
    null = UnderNull(lambda at: newcombe(at, ones, zeros), evidence.degrees, 1.0)
    return Limits(*null_interval(evidence.value, null, tail, evidence.metric.range))
