"""Interval methods of a mean of row values: Student's t, and betting for a guarantee."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.limits import edge_notes
from howsure.estimates.tail import Limits, Tail
from howsure.numerics.betting import betting_limit
from howsure.results.base import Note


def student(evidence: Evidence, tail: Tail) -> Limits:
    """Return mean ± t · s/√n, with n − 1 degrees of freedom: the textbook interval of a mean.

    With weights the degrees are those of the effective number of rows, with groups those of the groups. It assumes that
    the sample shows how far values reach. A rubric on which most rows have the best mark, or a rare success, does not:
    with 25 rows the interval may cover 0.7 where 0.95 is asked, and reach beyond the range. Student (1908) Biometrika
    6:1.
    """
    assert evidence.linear is not None
    size = float(evidence.size)
    degrees = min(evidence.degrees, size - 1)
    if not degrees > 0:
        few = Note("Student's t needs more than one row that counts", "degenerate")
        return Limits(np.float64(np.nan), np.float64(np.nan), (few,))
    se = np.sqrt(evidence.variance * evidence.linear.design.unbiasing)
    half = -stdtrit(degrees, tail.probability) * se
    low, high = evidence.value - half, evidence.value + half
    return Limits(low, high, edge_notes("t", evidence, low, high))


def betting(evidence: Evidence, tail: Tail) -> Limits:
    """Return the means against which no mixture of gamblers would have made a fortune of 1/tail.

    The level holds at every number of rows, whatever the values in the range look like: no normal approximation is
    made. The price is length: 1.3 to 2 times that of t. See ``numerics.betting`` for the game.
    """
    assert evidence.linear is not None
    found = evidence.linear.contents.rows_that_count(evidence.linear)
    assert found is not None
    values, counts = found
    bottom, top = evidence.metric.range
    low = betting_limit(values, counts, tail.probability)
    high = 1 - betting_limit(1 - values, counts, tail.probability)
    return Limits(np.float64(bottom + (top - bottom) * low), np.float64(bottom + (top - bottom) * high))
