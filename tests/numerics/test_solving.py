"""Roots of many functions at once, and the tail of chi-square, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from howsure.numerics.max_normal_tail import FEW_DEGREES, chi_square_tail
from howsure.numerics.solving import bracketed_roots


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
