"""The bootstrap of a paired difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from comparisons.cubes import EXAMPLE, cube
from howsure.comparisons.catalogue import named_pair_method
from howsure.comparisons.compare import paired
from howsure.comparisons.methods.resampled import Resampled, _acceleration


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_bootstrap_p_value_belongs_to_its_interval(kind: str) -> None:
    made = hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind=kind, n_resamples=4999))
    found = named_pair_method(hs.Bootstrap(kind=kind, n_resamples=4999))
    pair = paired(EXAMPLE, "f1", "a", "b")
    from howsure.estimates.tail import Tail

    result = found(pair, Tail(0.95))
    assert result.p(made.low, "greater") == pytest.approx(0.025, abs=0.003)
    assert result.p(made.high, "less") == pytest.approx(0.025, abs=0.003)
    assert made.seed == 0
    assert made.error > 0


def test_bootstrap_draws_the_same_rows_for_both() -> None:
    same = cube([40, 0, 0, 10, 12, 0, 0, 38])
    made = hs.compare(same, "f1", method=hs.Bootstrap(n_resamples=500))
    assert (made.low, made.high) == (0.0, 0.0)
    assert any(note.kind == "degenerate" for note in made.notes)
    with pytest.raises(hs.InputError, match="'studentised' needs the error of each resampled difference"):
        hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind="studentised"))


def test_p_values_of_nine_draws_by_hand() -> None:
    """Draws 0.1 … 0.9. Below 0.35 lie three: (3 + ½)/10. Beyond all of them a p-value stays at 1/10 a side."""
    draws = Resampled(np.arange(1, 10) / 10, bias=0.0, acceleration=0.0, mirror=None)
    assert draws.p(0.35, "greater") == pytest.approx(0.35)
    assert draws.p(0.35, "less") == pytest.approx(0.65)
    assert draws.p(0.35, "two-sided") == pytest.approx(0.7)
    assert [draws.p(null, "two-sided") for null in (-1.0, 2.0)] == pytest.approx([0.2, 0.2])
    mirrored = replace(draws, mirror=1.4)  # the basic kind: 1.4 − draw, which is above 0.95 for four of nine
    assert mirrored.p(0.95, "greater") == pytest.approx(1 - 4.5 / 10)


@pytest.mark.parametrize("lean", [0.0, 0.08])
@pytest.mark.parametrize("bias", [0.0, -0.2])
def test_limits_of_even_draws_are_their_ranks(bias: float, lean: float) -> None:
    """Draws even over [0, 1]: a limit is Efron's (1987) corrected rank r itself, its error √(r(1 − r)/draws)."""
    draws = Resampled(np.linspace(0, 1, 1_000_001), bias=bias, acceleration=lean, mirror=None)
    z = stats.norm.ppf(0.05)
    rank = stats.norm.cdf(bias + (bias + z) / (1 - lean * (bias + z)))
    limit, error = draws.quantile(0.05)
    assert limit == pytest.approx(rank, rel=1e-9)
    assert error == pytest.approx(np.sqrt(rank * (1 - rank) / 1_000_001), rel=1e-6)
    assert draws.p(limit, "greater") == pytest.approx(0.05, abs=1e-5)  # a rank is a multiple of 1e-6


@pytest.mark.parametrize("kind", ["difference", "ratio"])
@pytest.mark.parametrize("grouped", [False, True])
def test_acceleration_is_that_of_the_jackknife(kind: str, grouped: bool) -> None:
    """Σ(mean − leave-one-out)³ / 6(Σ(mean − leave-one-out)²)^1.5, one row or one group left out at a time."""
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 3000)
    right = random.random((2, 3000)) < [[0.8], [0.97]]
    said = np.where(right, truth, 1 - truth)
    groups = np.arange(3000) // 3 if grouped else np.arange(3000)
    table = hs.table(truth, {"a": said[0], "b": said[1]}, groups=groups if grouped else None)
    hits = np.array([np.bincount(groups, weights=model) for model in right])
    left = (hits.sum(1, keepdims=True) - hits) / (3000 - np.bincount(groups))
    without = left[1] / left[0] if kind == "ratio" else left[1] - left[0]
    gap = without.mean() - without
    found = _acceleration(replace(paired(table, "accuracy", "a", "b"), kind=kind))
    assert found == pytest.approx((gap**3).sum() / (6 * (gap**2).sum() ** 1.5), rel=0.02)
