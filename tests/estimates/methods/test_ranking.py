"""Intervals of rankings: binomial tails at effective rows, and what they must not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc

import howsure as hs
from howsure.estimates.methods.ranking import null_interval, tail_interval
from howsure.estimates.tail import Tail, tail_at
from howsure.metrics.null_variance import _partial_ratios, atop, either_shape, hanley_mcneil, precision_null
from howsure.metrics.scoring import UnderNull, Worth
from howsure.numerics import binomial

BINOMIAL = UnderNull(lambda at: at * (1 - at) / 37.0)


@pytest.mark.parametrize("hits", [0.0, 0.4, 1.0, 20.5, 36.0, 37.0])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_with_the_variance_of_a_share_they_are_the_intervals_of_a_share(hits: float, level: float) -> None:
    value, tail = np.float64(hits / 37), Tail(level)
    wanted = np.array(binomial.mid_p(hits, 37 - hits, tail=tail.probability))
    assert np.array(tail_interval(value, BINOMIAL, tail, (0.0, 1.0))) == pytest.approx(wanted, abs=1e-10)
    wanted = np.array(binomial.wilson(hits, 37 - hits, z=tail.z))
    assert np.array(null_interval(value, BINOMIAL, tail, (0.0, 1.0))) == pytest.approx(wanted, abs=1e-10)


def test_limits_are_where_the_tails_are_and_many_at_once_are_as_single_ones() -> None:
    values = np.array([0.3, 0.62, 0.9, 0.99, 1.0])
    null, tail = UnderNull(lambda at: 1.3 * either_shape(at, 12, 50)), Tail(0.95)
    low, high = tail_interval(values, null, tail, (0.0, 1.0))
    for value, bottom, top in zip(values, low, high, strict=True):
        alone = np.array(tail_interval(value, null, tail, (0.0, 1.0)))
        assert alone == pytest.approx(np.array([bottom, top]), abs=1e-11)
        for end, lower in ((bottom, True), (top, False)):
            if not 0 < end < 1:
                continue
            rows = end * (1 - end) / (1.3 * float(either_shape(end, 12, 50)))
            hits, misses = rows * value, rows * (1 - value)
            fewer = betainc(hits + 1, misses, end) if misses > 1e-9 else 0.0
            mid = (fewer + betainc(hits, misses + 1, end)) / 2
            assert (mid if lower else 1 - mid) == pytest.approx(0.025, abs=1e-8)


def test_many_tails_at_once_are_as_single_ones() -> None:
    null, z = UnderNull(lambda at: either_shape(at, 12, 50), 11.0, 0.6), np.array([0.4, 1.6, 2.9])
    for limits in (tail_interval, null_interval):
        low, high = limits(np.float64(0.93), null, tail_at(z), (0.0, 1.0))
        alone = np.array([limits(np.float64(0.93), null, tail_at(float(one)), (0.0, 1.0)) for one in z])
        assert pytest.approx(alone, abs=1e-11) == np.array([low, high]).T


def test_another_range_is_only_another_scale() -> None:
    wide = UnderNull(lambda at: 0.01 * BINOMIAL.variance(at / 0.1))
    found = np.array(tail_interval(np.float64(0.08), wide, Tail(0.95), (0.0, 0.1)))
    wanted = np.array(tail_interval(np.float64(0.8), BINOMIAL, Tail(0.95), (0.0, 1.0)))
    assert found / 0.1 == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("method", ["mid-p", "wilson"])
def test_exchanging_the_classes_and_the_order_changes_nothing(method: str) -> None:
    """The chance that a positive outranks a negative has no direction: Hanley and McNeil's shape alone has one."""
    rng = np.random.default_rng(8)
    truth = rng.random(80) < 0.8
    scores = rng.standard_exponential(80) + 1.6 * truth
    one = hs.estimate(hs.table(truth, scores=scores), "auc", method=method)
    other = hs.estimate(hs.table(~truth, scores=-scores), "auc", method=method)
    turned = hs.estimate(hs.table(~truth, scores=scores), "auc", method=method)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-10)
    assert (one.value, one.low, one.high) == pytest.approx(
        (1 - turned.value, 1 - turned.high, 1 - turned.low), abs=1e-9
    )


def test_the_shape_is_the_larger_of_two() -> None:
    assert float(either_shape(0.9, 10, 90)) == float(hanley_mcneil(0.9, 10, 90)) > float(hanley_mcneil(0.9, 90, 10))
    assert float(either_shape(0.9, 90, 10)) == float(either_shape(0.9, 10, 90))
    assert float(either_shape(0.1, 90, 10)) == pytest.approx(float(either_shape(0.9, 10, 90)), rel=1e-14)


def test_limits_are_nested_in_the_level_and_hold_the_value() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(40) < 0.3
    table = hs.table(truth, scores=rng.standard_normal(40) + truth)
    found = [hs.estimate(table, "auc", level=level) for level in (0.5, 0.8, 0.95, 0.99, 0.9999)]
    ends = np.array([(one.low, one.high) for one in found])
    assert (np.diff(ends[:, 0]) < 0).all()
    assert (np.diff(ends[:, 1]) > 0).all()
    assert all(one.low < one.value < one.high for one in found)


def test_a_perfect_ranking_of_ten_and_ninety() -> None:
    table = hs.table([1] * 10 + [0] * 90, scores=[2.0] * 10 + list(np.linspace(0, 1, 90)))
    made = hs.estimate(table, "auc")
    assert (made.value, made.high, made.method) == (1.0, 1.0, "mid-p")
    rows = made.low * (1 - made.low) / (1.25 * float(either_shape(made.low, 10, 90)))
    assert made.low**rows / 2 == pytest.approx(0.025, abs=1e-9)  # half the chance that no row of so many fails


@pytest.mark.parametrize("positives", [2, 7, 60])
def test_what_a_negative_above_every_positive_costs_is_the_spread_of_average_precision(positives: int) -> None:
    """The precision at the k-th positive below it is k/(k + 1); rare ones are Poisson, so V = (1 − θ)·cost near 1."""
    cost = 1 - np.mean([k / (k + 1) for k in range(1, positives + 1)])
    assert float(atop(positives)) == pytest.approx(max(positives * cost, 1.0), rel=1e-12)
    null = precision_null(Worth(1.0, 0.0, positives, 500, (positives, 500), (0.0, 0.0)))
    near = 1 - 1e-9
    assert float(null.variance(near)) == pytest.approx((1 - near) * max(cost, 1 / positives), rel=1e-6)
    scores = np.r_[3.0, 2.0 + np.arange(positives) / 100, np.zeros(500)]
    truth = np.r_[0, np.ones(positives), np.zeros(500)].astype(int)
    assert hs.estimate(hs.table(truth, scores=scores), "average_precision").value == pytest.approx(1 - cost)


def test_a_perfect_average_precision_allows_for_negatives_on_top_that_were_not_seen() -> None:
    """With 3.7 of them expected a sample has none in one of forty: the truth there lies in the interval."""
    expected, positives, rng = -np.log(0.025), 50, np.random.default_rng(5)
    above = rng.poisson(expected, 20_000)[:, None]
    true = np.mean(np.arange(1, positives + 1) / (np.arange(1, positives + 1) + above))
    perfect = hs.table(np.repeat([0, 1], [400, positives]), scores=np.arange(400.0 + positives))
    low = hs.estimate(perfect, "average_precision").low
    assert true - 0.1 < low < true


@pytest.mark.parametrize("power", [0.05, 0.6, 3.0])
def test_the_shape_of_a_partial_area_is_that_of_its_influences_in_closed_form(power: float) -> None:
    """ROC(u) = u^a up to f: E(f − U)₊² = 2f^(a+2)/((a+1)(a+2)), and the negatives' part by ∫(u^a − f^a)² du."""
    f, a = 0.2, power
    at = f**a / (a + 1)
    positive = 2 * f**a / ((a + 1) * (a + 2)) - at**2
    negative = f ** (2 * a) * (2 * a**2 / ((2 * a + 1) * (a + 1)) - f * a**2 / (a + 1) ** 2)
    odds, ones, zeros = _partial_ratios(0.0, f)[0]
    found = np.array([np.interp(np.log(at / (1 - at)), odds, part) for part in (ones, zeros)]) * at * (1 - at)
    assert found == pytest.approx([positive, negative], rel=2e-3)


def test_the_whole_area_as_a_partial_one_has_the_interval_of_auc() -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(90) < 0.3
    table = hs.table(truth, scores=rng.standard_normal(90) + 1.5 * truth)
    whole, part = hs.estimate(table, "auc"), hs.estimate(table, "partial_auc[fpr<=1]")
    assert (part.value, part.low, part.high) == pytest.approx((whole.value, whole.low, whole.high), abs=1e-4)


def test_a_partial_area_rests_on_the_negatives_in_its_range() -> None:
    """Perfect over rates up to 0.1 with 40 negatives is no more than with four: far less than 40 would tell."""
    table = hs.table(np.repeat([0, 1], [40, 400]), scores=np.r_[np.linspace(0, 1, 40), np.linspace(2, 3, 400)])
    part, whole = hs.estimate(table, "partial_auc[fpr<=0.1]"), hs.estimate(table, "auc")
    assert part.high == pytest.approx(0.1)
    assert part.low / 0.1 < 0.75 < 0.9 < whole.low


def test_a_range_of_recall_is_the_mirror_image_of_one_of_false_alarms() -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(90) < 0.3
    scores = rng.standard_normal(90) + 1.5 * truth
    one = hs.estimate(hs.table(truth, scores=scores), "partial_auc[tpr>=0.8]")
    other = hs.estimate(hs.table(~truth, scores=-scores), "partial_auc[fpr<=0.2]")
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-6)
    flat, standard = (hs.estimate(hs.table(truth, scores=scores), f"partial_auc[fpr<=0.2{more}]")
                      for more in ("", ",standardised"))  # fmt: skip
    assert standard.low == pytest.approx(0.5 + 0.5 * (flat.low - 0.02) / 0.18, abs=1e-9)
    assert standard.high == pytest.approx(0.5 + 0.5 * (flat.high - 0.02) / 0.18, abs=1e-9)
