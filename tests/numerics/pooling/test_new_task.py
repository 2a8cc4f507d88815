"""One new task: the law of its value against quadrature, and its ends."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from scipy import stats
from scipy.integrate import quad

from howsure.numerics.pooling.new_task import NewTask


def below(law: NewTask, value: float) -> float:
    """Return the same probability as an integral over χ², cut where the task's own spread becomes 0."""
    degrees = law.tasks - 1

    def part(chi: float) -> float:
        total = law.square * degrees / chi
        spread = math.sqrt(max(total - law.rows, 0.0) + max(total, law.rows) / law.tasks)
        return float(stats.chi2.pdf(chi, degrees) * stats.norm.cdf((value - law.mean) / spread))

    edge = law.square * degrees / law.rows
    ends = [0.0, edge, max(edge * 2, 400.0)]
    return sum(quad(part, low, high, epsabs=1e-11, limit=400)[0] for low, high in pairwise(ends))


@pytest.mark.parametrize(("square", "rows", "tasks"), [(0.04, 0.01, 5), (0.0004, 0.0003, 14), (0.01, 0.02, 3)])
def test_the_law_is_the_integral(square: float, rows: float, tasks: int) -> None:
    law = NewTask(0.1, square, rows, tasks)
    for value in (-0.3, 0.0, 0.1, 0.15):
        assert law.below(value) == pytest.approx(below(law, value), abs=1e-7)


def test_the_interval_leaves_out_what_it_says() -> None:
    law = NewTask(0.02, 0.003, 0.001, 6)
    low, high = law.interval(0.9)
    assert (law.below(low), law.below(high)) == pytest.approx((0.05, 0.95), abs=1e-9)
    wider = law.interval(0.99)
    assert wider[0] < low < 0.02 < high < wider[1]


def test_without_error_of_rows_it_is_student_s_prediction() -> None:
    """V = 0: the mean of K normal values, and one more of them: t on K − 1 at s·√(1 + 1/K)."""
    law = NewTask(0.0, 1.0, 0.0, 8)
    assert law.interval(0.95)[1] == pytest.approx(stats.t.ppf(0.975, 7) * math.sqrt(1 + 1 / 8), rel=1e-6)


@pytest.mark.parametrize("square", [0.0, 1e-12])
def test_tasks_that_do_not_differ_are_known_as_well_as_their_rows(square: float) -> None:
    """The spread between tasks is 0, so a new task has the common value, known to the mean variance of rows over K."""
    law = NewTask(0.3, square, 0.01, 40)
    half = stats.norm.ppf(0.975) * math.sqrt(0.01 / 40)
    assert law.interval(0.95) == pytest.approx((0.3 - half, 0.3 + half), rel=1e-6)
    assert law.below(0.3) == pytest.approx(0.5, abs=1e-9)


def test_without_any_spread_there_is_one_value() -> None:
    law = NewTask(0.3, 0.0, 0.0, 4)
    assert law.interval(0.95) == (0.3, 0.3)
    assert (law.below(0.2), law.below(0.3), law.below(0.4)) == (0.0, 0.5, 1.0)
