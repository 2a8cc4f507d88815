"""The limit by betting keeps its promise: exact over all outcomes of a share, and against a plain computation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.estimates.methods.betting import BETS, LEAST, RATIO, betting_limit


@pytest.mark.parametrize("n", [5, 20, 60])
def test_the_level_holds_for_every_share(n: int) -> None:
    """Of n outcomes of 0 and 1, the limit exceeds the true share with at most the stated probability: enumerated."""
    hits = np.arange(n + 1)
    limits = np.array([betting_limit(np.array([0.0, 1.0]), np.array([n - s, float(s)]), 0.025) for s in hits])
    for share in np.linspace(0.01, 0.99, 99):
        assert stats.binom.pmf(hits, n, share)[limits > share].sum() <= 0.025


def test_it_is_the_mean_against_which_the_mixture_makes_the_fortune() -> None:
    values = np.array([0.1, 0.35, 0.35, 0.8, 0.9, 0.95, 1.0, 0.7])
    limit = betting_limit(values, np.ones(8), 0.05)
    fortune, left = 0.0, 1.0
    for k in range(BETS):
        bet = min(LEAST / np.sqrt(8) * RATIO**k, 1 / limit)
        part = left * (1 - 1 / RATIO) if k < BETS - 1 else left
        fortune, left = fortune + part * np.prod(1 + bet * (values - limit)), left - part
    assert fortune == pytest.approx(20, rel=1e-8)


def test_limits_are_nested_and_stay_in_the_range() -> None:
    values = np.random.default_rng(0).beta(2, 1, 40)
    limits = [betting_limit(values, np.ones(40), p) for p in (0.2, 0.1, 0.05, 0.01, 1e-4)]
    assert limits == sorted(limits, reverse=True)
    assert 0 < limits[-1] < limits[0] < values.mean()
    assert betting_limit(np.zeros(10), np.ones(10), 0.05) == 0.0
    assert betting_limit(np.array([1e-9]), np.ones(1), 0.05) >= 0.0


def test_counts_are_repeated_values() -> None:
    values = np.array([0.2, 0.9])
    assert betting_limit(values, np.array([3.0, 5.0]), 0.05) == pytest.approx(
        betting_limit(np.repeat(values, [3, 5]), np.ones(8), 0.05), abs=1e-12
    )
