"""Simulated studies: against enumeration, by seed, for methods that draw, one-sided."""

from __future__ import annotations

import math

import pytest

import howsure as hs
from studies.populations import HALF


def test_simulation_agrees_with_enumeration() -> None:
    methods = ["wald", "wilson", "logit"]
    exact = hs.study("f2", methods, HALF, n=[20, 40])
    drawn = hs.study("f2", methods, HALF, n=[20, 40], exact=False, replicates=40_000, seed=5)
    for one, other in zip(exact, drawn, strict=True):
        assert (one.method, one.n) == (other.method, other.n)
        assert not other.exact
        assert other.se == pytest.approx(math.sqrt(other.coverage * (1 - other.coverage) / 40_000), rel=1e-3)
        assert abs(one.coverage - other.coverage) < 4.5 * other.se
        assert abs(one.length - other.length) < 4.5 * other.length_se


def test_same_seed_same_numbers_other_seed_other_numbers() -> None:
    first, again, other = (
        hs.study("mcc", "wald", HALF, n=30, exact=False, replicates=3000, seed=seed)[0] for seed in (1, 1, 2)
    )
    assert first == again
    assert first.coverage != other.coverage


def test_methods_that_draw_are_studied_one_table_at_a_time() -> None:
    rows = hs.study("f1", ["wilson", hs.Bootstrap(n_resamples=200)], HALF, n=4, replicates=100)
    slow = hs.study("f1", hs.Bootstrap(n_resamples=200), HALF, n=4, exact=False, replicates=300)[0]
    assert [row.method for row in rows] == ["wilson", "bootstrap"]
    assert rows[1].exact
    assert abs(slow.coverage - rows[1].coverage) < 4.5 * slow.se


def test_a_ratio_without_an_upper_end_has_infinite_length() -> None:
    """LR+ of a table without false positives is infinite, and so is the upper limit; nothing else breaks."""
    row = hs.study("lr_plus", "log", HALF, n=8)[0]
    assert row.exact
    assert row.length == math.inf
    assert 0.9 < row.coverage < 1


def test_one_sided_study() -> None:
    lower = hs.study("precision", "clopper-pearson", HALF, n=20, level=0.95, side="lower")[0]
    both = hs.study("precision", "clopper-pearson", HALF, n=20, level=0.90)[0]
    assert lower.below == 0
    assert lower.above == pytest.approx(both.above, abs=1e-12)
    assert lower.coverage >= 0.95
