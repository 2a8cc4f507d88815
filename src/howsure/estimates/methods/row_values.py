"""Interval methods of rows without cells: a mean of values by t or by betting, a ratio of sums by t on the log."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import stdtrit

from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.betting import betting_limit
from howsure.estimates.methods.limits import edge_notes
from howsure.estimates.tail import Limits, Tail
from howsure.results.base import note_of
from howsure.types import Array


def student(evidence: Evidence, tail: Tail) -> Limits:
    """Return mean ± t · s/√n, with n − 1 degrees of freedom: the textbook interval of a mean.

    With weights the degrees are those of the effective number of rows, with groups those of the groups. It assumes that
    the sample shows how far values reach. A rubric on which most rows have the best mark, or a rare success, does not:
    with 25 rows the interval may cover 0.7 where 0.95 is asked, and reach beyond the range. Student (1908) Biometrika
    6:1. A ratio of sums per unit has the jackknife's variance where it is larger, and Satterthwaite's degrees.
    """
    assert evidence.linear is not None
    size = float(evidence.size)
    degrees = min(evidence.degrees, size - 1)
    if not degrees > 0:
        return Limits(np.float64(np.nan), np.float64(np.nan), (note_of("t few", "degenerate"),))
    se = np.sqrt(evidence.variance * evidence.linear.design.unbiasing)
    of_units = evidence.linear.contents.ratio(evidence.linear, size, 0.0)
    if of_units is not None:
        se, degrees = np.float64(np.sqrt(of_units.variance)), of_units.degrees
    half = -stdtrit(degrees, tail.probability) * se
    low, high = evidence.value - half, evidence.value + half
    return Limits(low, high, edge_notes("t", evidence, low, high))


def log_t(evidence: Evidence, tail: Tail) -> Limits:
    """Return r · exp(± t · √V/r): a ratio of sums per unit, such as a word error rate, that has no upper end.

    V and the degrees of freedom of t know two half pseudo-units, one without error and one as bad as the worst, and
    what the jackknife finds more than the delta method (see ``tables.kinds.unit_moments``). Without any error there
    is no log: the upper limit is then one error in as many units as Wilson's interval cannot exclude.
    """
    linear = evidence.linear
    assert linear is not None
    size, value = float(evidence.size), float(evidence.value)
    if value == 0:
        high = tail.z**2 / (size + tail.z**2) * linear.contents.per_error(linear)
        return Limits(np.float64(0.0), np.float64(high), (note_of("no error seen", "boundary"),))
    found = linear.contents.ratio(linear, size)
    assert found is not None
    reach = -stdtrit(found.degrees, tail.probability) * np.sqrt(found.variance) / value
    return Limits(value * np.exp(-reach), value * np.exp(reach))


def betting(evidence: Evidence, tail: Tail) -> Limits:
    """Return the means against which no mixture of gamblers would have made a fortune of 1/tail.

    The level holds at every number of rows, whatever the values in the range look like: no normal approximation is
    made. The price is length: 1.3 to 2 times that of t. See ``betting_limit`` for the game.
    """
    return limits_by_bets(evidence, tail, betting_limit)


def limits_by_bets(evidence: Evidence, tail: Tail, limit: Callable[[Array, Array, float], float]) -> Limits:
    """Return the lower limit of the mean of the row values, and by that of what they lack of the top, the upper."""
    assert evidence.linear is not None
    found = evidence.linear.contents.rows_that_count(evidence.linear)
    assert found is not None
    values, counts = found
    bottom, top = evidence.metric.range
    low, high = limit(values, counts, tail.probability), 1 - limit(1 - values, counts, tail.probability)
    return Limits(np.float64(bottom + (top - bottom) * low), np.float64(bottom + (top - bottom) * high))
