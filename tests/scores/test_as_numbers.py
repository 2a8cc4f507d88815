"""Scores where scikit-learn's floats and arrays stood before."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import howsure as hs
from howsure import scores
from support.beside_sklearn import assert_same, both, draw


@pytest.fixture(scope="module")
def score() -> Any:
    return scores.f1_score([1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0])  # tp 2, fp 1, fn 1: 2/3


def test_a_score_is_written_as_a_number(score: Any) -> None:
    assert (f"{score:.3f}", f"{score:.1%}", f"{score:8.2f}") == ("0.667", "66.7%", "    0.67")
    assert f"{score}" == str(score)
    assert (round(score, 2), round(score)) == (0.67, 1)
    with pytest.raises(ValueError, match="format"):
        format(score, "d")


@pytest.mark.parametrize("number", [2 / 3, 0.5, 0.8, 1, np.float64(0.8), np.float32(0.5), True])
def test_a_score_is_held_against_a_number_by_its_value(score: Any, number: Any) -> None:
    value = 2 / 3
    found = (score < number, score <= number, score > number, score >= number)
    assert found == (value < number, value <= number, value > number, value >= number)
    turned = (number > score, number >= score, number < score, number <= score)
    assert turned == found


def test_two_scores_are_ordered_by_their_values(score: Any) -> None:
    other = scores.f1_score([1, 0], [1, 0])
    assert score < other
    assert max(score, other) is other
    with pytest.raises(TypeError, match="not supported"):
        assert score < "0.8"


# --- arrays of scores ----------------------------------------------------------------------------------------------


def test_without_an_average_scores_are_an_array_of_estimates() -> None:
    pair = draw(3, ["a", "b", "c"], 40)
    found = scores.f1_score(*pair, average=None)
    assert (found.dtype, found.shape) == (np.float64, (3,))
    assert all(isinstance(one, hs.Estimate) for one in found)
    assert found[1].same(hs.estimate(hs.table(*pair), "f1[b]", undefined="zero"))
    assert found.low.tolist() == [one.low for one in found]
    assert found.high.tolist() == [one.high for one in found]
    assert type(found * 100) is type(found[1:]) is np.ndarray
    assert type(found.mean()) is np.float64
    back = pickle.loads(pickle.dumps(found))
    assert [one.same(other) for one, other in zip(found, back, strict=True)] == [True] * 3
    assert repr(found).count("(mid-P), 40 rows") == 3


def test_a_changed_number_is_no_longer_an_estimate() -> None:
    found = scores.f1_score([0, 1, 1, 2], [0, 1, 2, 2], average=None)
    low = found.low
    found[1] = 0.5
    assert type(found[1]) is np.float64
    assert isinstance(found[2], hs.Estimate)
    assert np.isnan(found.low).tolist() == [False, True, False]
    assert found.low[2] == low[2]
    found *= 100
    assert found.tolist() == pytest.approx([100, 50, 200 / 3])


def test_precision_recall_fscore_support() -> None:
    for seed, average in enumerate((None, "macro", "weighted", "micro")):
        pair = draw(seed, ["a", "b", "c"], 15)
        for found, expected in zip(
            *both("precision_recall_fscore_support", *pair, average=average, beta=0.5), strict=True
        ):
            assert (found is None) == (expected is None)
            if found is not None:
                np.testing.assert_allclose(found, expected, rtol=1e-12)
    *_, support = scores.precision_recall_fscore_support([0, 1, 1], [0, 1, 1], sample_weight=[1, 2, 0.5])
    assert support.tolist() == [1, 2.5]


def test_warn_for_chooses_what_is_warned_of() -> None:
    with pytest.warns(scores.UndefinedMetricWarning) as seen:
        scores.precision_recall_fscore_support([0, 1, 1], [0, 0, 0], warn_for=["precision"], average="macro")
    assert ["precision" in str(one.message) for one in seen] == [True]


@pytest.mark.parametrize("name", ["hamming_loss", "zero_one_loss"])
def test_losses(name: str) -> None:
    for seed in range(4):
        pair = draw(seed, ["a", "b", "c"], 12)
        assert_same(name, *pair)
        assert_same(name, *pair, sample_weight=np.linspace(1, 2, 12))
        assert_same(name, *np.random.default_rng(seed).integers(0, 2, (2, 9, 3)))
    assert_same("zero_one_loss", *pair, normalize=False)
    loss, right = scores.zero_one_loss(*pair), scores.accuracy_score(*pair)
    assert (loss.low, loss.high) == pytest.approx((1 - right.high, 1 - right.low), rel=1e-12)
    sets = np.random.default_rng(1).integers(0, 2, (2, 9, 3))  # one of nine rows is wholly right
    loss, right = scores.zero_one_loss(*sets), scores.accuracy_score(*sets)
    assert (loss, loss.low, loss.high) == pytest.approx((8 / 9, 1 - right.high, 1 - right.low), rel=1e-12)
    named = scores.zero_one_loss(*sets, method="wilson")
    low, high = binomtest(8, 9).proportion_ci(method="wilson")
    assert (named.low, named.high) == pytest.approx((low, high), rel=1e-12)


def test_class_likelihood_ratios() -> None:
    for seed in range(5):
        assert_same("class_likelihood_ratios", *draw(seed, ["no", "yes"], 40))
        assert_same("class_likelihood_ratios", *draw(seed, ["no", "yes"], 40), labels=["yes", "no"])
    for wrong in (0.5, {"LR+": 0.5, "LR-": 0.5}, {"LR+": 2}, "one"):
        with pytest.raises(hs.InputError, match="replace_undefined_by"):
            scores.class_likelihood_ratios([0, 1], [0, 1], replace_undefined_by=wrong)
    with pytest.raises(hs.InputError, match="two classes"):
        scores.class_likelihood_ratios([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_confusion_matrix(normalize: str | None) -> None:
    for seed in range(3):
        pair = draw(seed, ["a", "b", "c"], 30)
        for more in ({}, {"labels": ["c", "a"]}, {"sample_weight": np.linspace(0.5, 2, 30)}):
            assert_same("confusion_matrix", *pair, normalize=normalize, **more)


def test_limits_of_a_confusion_matrix() -> None:
    truth, guess = np.repeat([0, 0, 1, 1], [48, 2, 5, 45]), np.repeat([0, 1, 0, 1], [48, 2, 5, 45])
    shares = scores.confusion_matrix(truth, guess, normalize="true")
    recall = scores.recall_score(truth, guess, method="wilson")
    assert (shares.low[1, 1], shares.high[1, 1]) == pytest.approx((recall.low, recall.high), rel=1e-12)
    counts = scores.confusion_matrix(truth, guess)
    assert (counts.low <= counts).all()
    assert (counts.high >= counts).all()
    assert counts.high[0, 1] == pytest.approx(100 * scores.confusion_matrix(truth, guess, normalize="all").high[0, 1])
    assert pickle.loads(pickle.dumps(counts)).tolist() == [[48, 2], [5, 45]]
    with pytest.raises(hs.InputError, match="no limits of its own"):
        counts.copy().low  # noqa: B018
