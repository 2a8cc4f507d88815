"""Critical values that have a closed form or a one-dimensional integral."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from howsure.numerics import critical
from howsure.numerics.critical import critical_value, tail_probability
from numerics.critical.matrices import Array, compound, factor_truth, one_factor

LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999999)


@pytest.mark.parametrize("level", LEVELS)
def test_independent_coordinates_have_the_closed_form(level: float) -> None:
    for d in (1, *range(2, 51, 4), 50):
        q = critical_value(np.eye(d), level)
        assert q.value == pytest.approx(-ndtri((1 - level ** (1 / d)) / 2), abs=1e-9)
        assert critical_value(np.eye(d), level, side="upper").value == pytest.approx(ndtri(level ** (1 / d)), abs=1e-9)
        assert (q.dimension, q.rank) == (d, d)
        assert q.how == ("exact: rank 1" if d == 1 else "exact: independent")
        assert q.error < 1e-6


@pytest.mark.parametrize("rho", [0.1, 0.3, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("d", [2, 3, 7, 20, 50])
def test_compound_symmetry_is_a_one_dimensional_integral(d: int, rho: float) -> None:
    loadings = np.full(d, np.sqrt(rho))
    for level, side in ((0.95, "both"), (0.8, "upper"), (0.999, "both")):
        q = critical_value(compound(d, rho), level, side=side)  # type: ignore[arg-type]
        assert q.value == pytest.approx(factor_truth(level, loadings, side), abs=2e-9)
        assert q.error < 1e-6
        assert q.how == ("exact: rank 2" if d == 2 else "exact: equicorrelated")


def test_one_common_factor_with_unequal_and_negative_loadings() -> None:
    loadings = np.array([0.9, -0.5, 0.2, 0.97, -0.7, 0.5])
    for side in ("both", "upper"):
        q = critical_value(one_factor(loadings), 0.9, side=side)  # type: ignore[arg-type]
        assert q.how == "exact: one factor"
        assert q.value == pytest.approx(factor_truth(0.9, loadings, side), abs=1e-8)


def polygon_probability(axes: Array, q: float, side: str) -> float:
    """Return the normal mass of a polygon by brute force over many angles."""
    angle = (np.arange(300_000) + 0.5) * 2 * np.pi / 300_000
    height = np.full(len(angle), -np.inf)
    for x, y in axes:
        along = x * np.cos(angle) + y * np.sin(angle)
        height = np.maximum(height, np.abs(along) if side == "both" else along)
    with np.errstate(divide="ignore"):
        edge = np.exp(-0.5 * (q / height) ** 2)
    return (
        float(np.mean(np.where(height > 0, 1 - edge, 1.0))) if q > 0 else float(np.mean(np.where(height < 0, edge, 0)))
    )


@pytest.mark.parametrize("side", ["both", "upper"])
@pytest.mark.parametrize("angles", [[0.1, 0.5, 2.0, 2.9], [0.0, 0.02, 1.0], [0.3, 0.9], [0.0, 2.1, 4.2, 5.0]])
def test_rank_two_against_brute_force(angles: list[float], side: critical.MaxSide) -> None:
    axes = np.column_stack([np.cos(angles), np.sin(angles)])
    matrix = axes @ axes.T
    for level in (0.2, 0.95):
        q = critical_value(matrix, level, side=side)
        assert q.how == "exact: rank 2"
        assert polygon_probability(axes, q.value, side) == pytest.approx(level, abs=1e-7)
    outside = tail_probability(matrix, -0.4, side=side)[0]
    assert 1 - outside == pytest.approx(polygon_probability(axes, -0.4, side), abs=1e-7)
