"""Roots of many functions at once, and the tail of chi-square, against scipy; limits of shares from few of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from howsure.numerics.binomial import clopper_pearson, mid_p, wilson
from howsure.numerics.max_normal_tail import FEW_DEGREES, chi_square_tail
from howsure.numerics.solving import bracketed_roots, smooth_on_counts


@given(st.lists(st.tuples(st.floats(0.01, 30), st.floats(0.2, 4)), min_size=1, max_size=8))
def test_many_roots_are_brents(cases: list[tuple[float, float]]) -> None:
    level, power = np.array(cases).T
    found = bracketed_roots(
        lambda x: level - x**power - 0.3 * np.sin(x), np.full(len(level), 1e-6), np.full(len(level), 5.0)
    )
    for a, p, root in zip(level, power, found, strict=True):

        def gap(x: float, a: float = a, p: float = p) -> float:
            return float(a - x**p - 0.3 * np.sin(x))

        if gap(1e-6) <= 0:
            assert root == 1e-6
        elif gap(5.0) > 0:
            assert root == 5.0
        else:
            assert gap(root) == pytest.approx(0, abs=1e-9)
            assert root == pytest.approx(optimize.brentq(gap, 1e-6, 5.0, xtol=1e-14), rel=1e-9, abs=1e-10)


def test_a_function_with_a_jump_is_bisected() -> None:
    found = bracketed_roots(lambda x: np.where(x < 0.7, np.inf, -1.0), np.zeros(1), np.ones(1))
    assert found == pytest.approx([0.7], abs=1e-11)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 19, 39, 40, 41, 200])
def test_tail_of_chi_square(degrees: int) -> None:
    x = np.concatenate([[0.0], np.geomspace(1e-9, 1200, 400)])
    wanted = special.gammaincc(degrees / 2, x / 2)
    assert chi_square_tail(degrees, x) == pytest.approx(wanted, rel=1e-11)
    assert np.isfinite(chi_square_tail(FEW_DEGREES, np.array([1e9]))).all()


@pytest.mark.parametrize("first", [(700, 900), (250, 400), (1200, 1500)])
@pytest.mark.parametrize("limits", [mid_p, clopper_pearson, wilson])
def test_limits_of_shares_from_few_of_them(first: tuple[int, int], limits: Any) -> None:
    """All pairs of a box, each compared with the function itself."""
    hits, misses = (part.ravel() for part in np.meshgrid(np.arange(*first, 1.0), np.arange(140.0, 300)))
    option = {"z": 1.96} if limits is wilson else {"tail": 0.025}
    calls = []

    def half(some: Any, rest: Any) -> Any:
        calls.append(len(some))
        low, high = limits(some, rest, **option)
        return (high - low) / 2

    found = smooth_on_counts(half, hits, misses)
    assert sum(calls) < len(hits) / 3
    assert found == pytest.approx(half(hits, misses), rel=5e-13)


def test_counts_near_zero_and_steps_are_asked_one_by_one() -> None:
    hits, misses = (part.ravel() for part in np.meshgrid(np.arange(100.0), np.arange(100.0)))
    assert smooth_on_counts(np.add, hits, misses) == pytest.approx(hits + misses, rel=1e-15)
    assert smooth_on_counts(lambda a, b: np.floor(a / 7) + b, hits + 300, misses + 300) is None
    assert smooth_on_counts(np.add, hits[:100] + 300, misses[:100] + 300) is None


def test_a_value_does_not_hang_on_what_else_was_asked() -> None:
    hits, misses = (part.ravel() for part in np.meshgrid(np.arange(500.0, 600), np.arange(200.0, 300)))

    def half(some: Any, rest: Any) -> Any:
        return mid_p(some, rest, tail=0.025)[1]

    whole, part = smooth_on_counts(half, hits, misses), smooth_on_counts(half, hits[3000:7000], misses[3000:7000])
    assert whole is not None
    assert np.array_equal(whole[3000:7000], part)
