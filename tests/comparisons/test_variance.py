"""The variance of a paired difference: McNemar's, clustered, weighted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import howsure as hs
from comparisons.cubes import cube, cubes
from howsure.comparisons.compare import paired


@given(cubes)
def test_variance_of_an_accuracy_difference_is_mcnemars(counts: list[int]) -> None:
    n = sum(counts)
    only_a, only_b = counts[0b001] + counts[0b110], counts[0b010] + counts[0b101]
    pair = paired(cube(counts), "accuracy", "a", "b")
    expected = ((only_a + only_b) / n - ((only_b - only_a) / n) ** 2) / n
    assert pair.se**2 == pytest.approx(expected, rel=1e-12, abs=1e-18)


def test_clustered_variance_by_hand() -> None:
    random = np.random.default_rng(3)
    truth, groups = random.integers(0, 2, 300), random.integers(0, 40, 300)
    a, b = (np.where(random.random(300) < 0.75, truth, 1 - truth) for _ in range(2))
    made = hs.compare(hs.table(truth, {"a": a, "b": b}, groups=groups), "accuracy", method="wald")
    gain = (b == truth).astype(float) - (a == truth)
    sums = np.array([(gain - gain.mean())[groups == g].sum() for g in range(40)])
    se = math.sqrt((sums**2).sum() * 40 / 39) / 300
    assert made.se == pytest.approx(se, rel=1e-12)
    assert made.high == pytest.approx(made.difference + stats.t.isf(0.025, 39) * se, rel=1e-9)
    assert made.p_value == pytest.approx(2 * stats.t.sf(abs(made.difference) / se, 39), rel=1e-9)


def test_weights_of_any_scale() -> None:
    random = np.random.default_rng(4)
    truth, weight = random.integers(0, 3, 200), random.random(200) + 0.1
    predictions = {name: np.where(random.random(200) < 0.7, truth, random.integers(0, 3, 200)) for name in "ab"}
    one, two = (
        hs.compare(hs.table(truth, predictions, sample_weight=factor * weight), "macro_f1") for factor in (1.0, 9.0)
    )
    assert (one.low, one.high, one.p_value) == pytest.approx((two.low, two.high, two.p_value), rel=1e-9)
