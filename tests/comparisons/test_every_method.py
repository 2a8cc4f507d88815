"""What holds for every method that compares two models; and ratios."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from comparisons.cubes import EXAMPLE, cube, cubes
from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.comparisons.methods.tasks import PAIR_TASK_METHODS
from howsure.comparisons.pair import ratio_limits, square_and_add
from howsure.sources.kinds.runs import in_runs
from howsure.tables.sampling.runs import ModelRuns

FREE = ("mover", "wald", "tango", "mcnemar", "mid-p", "bayes")


@given(cubes, st.sampled_from(["accuracy", "recall", "f1", "precision", "mcc"]), st.sampled_from(["mover", "wald"]))
def test_swapping_the_models_flips_the_sign(counts: list[int], metric: str, method: str) -> None:
    table = cube(counts)
    one, two = hs.compare(table, metric, "a", "b", method=method), hs.compare(table, metric, "b", "a", method=method)
    if math.isnan(one.difference):
        assert math.isnan(two.difference)
        return
    assert (one.difference, one.low, one.high) == pytest.approx((-two.difference, -two.high, -two.low), abs=1e-12)
    assert one.p_value == pytest.approx(two.p_value, abs=1e-8, nan_ok=True)
    assert one.probability_better == pytest.approx(1 - two.probability_better, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("method", FREE)
def test_swapping_in_every_method(method: str) -> None:
    one, two = (hs.compare(EXAMPLE, "recall", *names, method=method) for names in (("a", "b"), ("b", "a")))
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-8)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-6)


@given(cubes, st.sampled_from(["accuracy", "f1", "precision", "balanced_accuracy"]))
def test_the_interval_excludes_zero_when_p_is_small(counts: list[int], metric: str) -> None:
    made = hs.compare(cube(counts), metric)
    if not math.isnan(made.p_value) and abs(made.p_value - 0.05) > 1e-6:
        assert made.decided == (made.p_value < 0.05)


@given(cubes, st.sampled_from(["accuracy", "f1", "recall"]))
def test_ratio_and_difference_settle_the_same(counts: list[int], metric: str) -> None:
    difference, ratio = (hs.compare(cube(counts), metric, kind=kind) for kind in ("difference", "ratio"))
    if math.isnan(ratio.difference):
        return
    assert ratio.difference == pytest.approx(difference.value_b / difference.value_a)
    assert ratio.low <= ratio.difference <= ratio.high
    near = min(abs(difference.low), abs(difference.high)) < 1e-9
    assert near or ratio.decided == difference.decided


def test_ratio_by_brute_force() -> None:
    """All R for which the interval of b − R·a holds 0."""
    a, b, down, up, correlation = 0.6, 0.7, (0.08, 0.09), (0.06, 0.07), 0.4
    grid = np.linspace(0.5, 2.0, 200_001)
    low, high = square_and_add(b - grid * a, (down[0], grid * down[1]), (up[0], grid * up[1]), correlation)
    held = grid[(low <= 0) & (high >= 0)]
    assert ratio_limits(a, b, down, up, correlation) == pytest.approx((held[0], held[-1]), abs=1e-5)


def test_a_ratio_to_zero() -> None:
    never = cube([30, 0, 5, 0, 10, 0, 15, 0])
    made = hs.compare(never, "recall", "a", "b", kind="ratio")
    assert made.difference == 0
    assert made.low == 0
    assert 0 < made.high < 1
    assert math.isnan(hs.compare(never, "recall", "b", "a", kind="ratio").difference)


@pytest.mark.parametrize("entry", PAIR_METHODS, ids=lambda entry: entry.name)
def test_methods_agree_on_many_rows(entry) -> None:
    many = cube(EXAMPLE.counts * 30)
    if entry in PAIR_TASK_METHODS:  # eight tasks alike: nothing but rows makes them differ
        many = hs.tasks({f"task {place}": many for place in range(8)})
    if entry.name == "crossed":  # the one that is about runs alone; the same run twice adds nothing to the rows
        twice = ModelRuns((("1", "2"), ("1", "2")))
        many = in_runs(replace(many, contents=many.contents.pick([0, 0, 1, 1])), many.models, twice)
    metric = "precision" if entry.name == "kosinski" else "accuracy"  # the one that is about predictive values alone
    made, wald = (hs.compare(many, metric, method=method) for method in (entry, "wald"))
    assert (made.low, made.high) == pytest.approx((wald.low, wald.high), abs=0.0015)
    assert entry.citation
    assert entry.text
    assert entry.avoid
