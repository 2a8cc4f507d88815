"""One object of the largest coordinate: its quantile and its tails come from one sample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.numerics.critical import MaxNormal, critical_value, tail_probability


def exchangeable(size: int) -> np.ndarray:
    """Correlations of all differences of ``size`` equal and independent means."""
    first, second = np.triu_indices(size, 1)
    contrast = np.zeros((len(first), size))
    contrast[np.arange(len(first)), second], contrast[np.arange(len(first)), first] = 1, -1
    return contrast @ contrast.T / 2


@pytest.mark.parametrize("size", [4, 10])
def test_the_tail_at_the_quantile_is_what_the_level_leaves(size: int) -> None:
    """The quantile of the studentised range with infinite degrees, over the square root of 2."""
    law = MaxNormal(exchangeable(size))
    q = law.quantile(0.95)
    assert float(q) == pytest.approx(stats.studentized_range.ppf(0.95, size, np.inf) / 2**0.5, abs=q.error)
    tail, error = law.tail([float(q), float(q) + 1, 1.0])
    assert tail[0] == pytest.approx(0.05, abs=1e-6)
    assert (error > 0).all()


def test_the_order_of_questions_changes_nothing_beyond_the_error() -> None:
    matrix = exchangeable(8)
    law = MaxNormal(matrix)
    tail, error = law.tail([2.0, 3.0])
    q = law.quantile(0.95)
    alone, other = critical_value(matrix), tail_probability(matrix, [2.0, 3.0])
    assert float(q) == pytest.approx(float(alone), abs=q.error + alone.error)
    assert np.all(np.abs(tail - other[0]) <= error + other[1])
