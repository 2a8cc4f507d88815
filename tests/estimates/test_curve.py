"""Curves, thresholds and calibration: values by hand, limits that hold together, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.calibration import isotonic

RNG = np.random.default_rng(5)
TRUTH = (RNG.random(300) < 0.35).astype(int)
SCORES = 1 / (1 + np.exp(-(RNG.normal(size=300) + 1.5 * TRUTH - 0.7)))
TABLE = hs.table(TRUTH, scores=SCORES)
GROUPED = hs.table(TRUTH, scores=SCORES, groups=np.repeat(np.arange(60), 5))


def test_roc_is_both_rates_within_campbells_rectangle() -> None:
    made = hs.curve(TABLE, "roc")
    at = 100
    marked = made.threshold[at] <= SCORES
    assert made.value[at] == pytest.approx(marked[TRUTH == 1].mean())
    assert made.fpr[at] == pytest.approx(marked[TRUTH == 0].mean())
    # Dvoretzky–Kiefer–Wolfowitz–Massart: 2·exp(−2nd²) = 1 − √level in each class
    ones = int(TRUTH.sum())
    half = math.sqrt(math.log(2 / (1 - math.sqrt(0.95))) / (2 * ones))
    assert made.high[at] - made.value[at] == pytest.approx(min(half, 1 - made.value[at]))
    assert made.area.value == hs.estimate(TABLE, "auc").value


def test_a_metric_over_thresholds_has_one_critical_value() -> None:
    made = hs.curve(TABLE, "f1")
    at = int(np.argmin(np.abs(made.threshold - 0.5)))
    alone = hs.estimate(TABLE, f"f1@{float(made.threshold[at])!r}", method="wilson")
    assert made.value[at] == pytest.approx(alone.value, abs=1e-12)
    assert 2.3 < made.q < 3.6
    assert made.low[at] < alone.low < alone.high < made.high[at]
    assert made.best.value == pytest.approx(np.nanmax([hs.estimate(TABLE, f"f1@{float(t)!r}").value for t in SCORES]))
    place = int(np.searchsorted(made.threshold, made.best.threshold))
    assert (made.best.low, made.best.high) == pytest.approx((made.low[place], made.high[place]), abs=0.01)


def test_clusters_widen_the_band() -> None:
    doubled = hs.table(np.repeat(TRUTH, 4), scores=np.repeat(SCORES, 4), groups=np.repeat(np.arange(300), 4))
    plain, wide = hs.curve(TABLE, "recall"), hs.curve(doubled, "recall")
    at = int(np.searchsorted(wide.threshold, 0.5))
    same = int(np.searchsorted(plain.threshold, wide.threshold[at]))
    # Four copies of each row in one group tell no more than the row itself, but for Student's t.
    assert wide.high[at] - wide.low[at] == pytest.approx(plain.high[same] - plain.low[same], rel=0.05)


def test_precision_and_recall_share_their_thresholds() -> None:
    made = hs.curve(TABLE, "precision_recall")
    assert made.recall[0] == 1.0
    assert np.all(made.low <= made.value)
    assert np.all(made.value <= made.high)
    assert made.area.metric == "average_precision"


def test_reliability_counts_rows_in_equal_bins() -> None:
    made = hs.curve(TABLE, "reliability", bins=5)
    inside = (SCORES >= 0.2) & (SCORES < 0.4)
    assert made.count.tolist()[1] == inside.sum()
    assert made.value[1] == pytest.approx(TRUTH[inside].mean())
    assert made.predicted[1] == pytest.approx(SCORES[inside].mean())
    assert made.q == pytest.approx(2.569, abs=0.001)  # Šidák's for five independent bins
    assert hs.curve(GROUPED, "reliability", bins=5).value == pytest.approx(made.value)


def test_decision_curve_is_net_benefit() -> None:
    made = hs.curve(TABLE, "decision")
    at = 29  # threshold probability 0.30
    marked = SCORES >= 0.3
    expected = (marked & (TRUTH == 1)).mean() - (marked & (TRUTH == 0)).mean() * 0.3 / 0.7
    assert made.threshold[at] == pytest.approx(0.3)
    assert made.value[at] == pytest.approx(expected)
    assert made.everyone[at] == pytest.approx(TRUTH.mean() - (1 - TRUTH.mean()) * 0.3 / 0.7)


def test_risk_over_coverage_ends_with_the_error_rate() -> None:
    made = hs.curve(TABLE, "risk_coverage")
    assert made.value[-1] == pytest.approx(1 - hs.estimate(TABLE, "accuracy@0.5").value)
    assert made.value[10] <= made.value[-1]


def test_curves_refuse_what_they_cannot_draw() -> None:
    with pytest.raises(hs.InputError, match="it must be one of 'roc', "):
        hs.curve(TABLE, "auc")
    with pytest.raises(hs.InputError, match="needs scores"):
        hs.curve(hs.counts(tp=7, fp=4, fn=1, tn=70), "roc")
    with pytest.raises(hs.InputError, match="needs probabilities"):
        hs.curve(hs.table(TRUTH, scores=SCORES * 10), "decision")
    three = hs.table([0, 1, 2, 0], scores=np.full((4, 3), 1 / 3))
    with pytest.raises(hs.InputError, match="name the class"):
        hs.curve(three, "roc")


# --- thresholds


def test_a_threshold_is_shown_to_reach_its_bound() -> None:
    made = hs.threshold(TABLE, "precision", at_least=0.5, then="recall")
    assert made.bound >= 0.5
    assert made.value == pytest.approx(TRUTH[made.threshold <= SCORES].mean())
    lower = hs.threshold(TABLE, "precision", at_least=0.4, then="recall")
    assert lower.then_value >= made.then_value
    assert "is shown to have precision at least 0.500" in made.sentence


def test_without_such_a_threshold_it_says_what_it_would_take() -> None:
    made = hs.threshold(TABLE, "recall", at_least=0.99, then="precision")
    assert made.threshold is None
    assert made.more_positives > 0
    again = hs.table(np.tile(TRUTH, 40), scores=np.tile(SCORES, 40))
    assert hs.threshold(again, "recall", at_least=0.99, then="precision").threshold is not None
    never = hs.threshold(hs.table([0, 1] * 50, scores=[0.5] * 100), "precision", at_least=0.9)
    assert math.isnan(never.more_positives)
    with pytest.raises(hs.InputError, match="give one of at_least= and at_most="):
        hs.threshold(TABLE, "precision")


# --- calibration


def test_corp_parts_add_up_and_a_calibrated_model_passes() -> None:
    rng = np.random.default_rng(4)
    said = rng.uniform(0.02, 0.98, 2000)
    made = hs.calibration(hs.table((rng.random(2000) < said).astype(int), scores=said))
    assert made.miscalibration - made.discrimination + made.uncertainty == pytest.approx(made["brier"].value, abs=1e-12)
    assert made.p_value > 0.01
    assert made["calibration_slope"].low < 1 < made["calibration_slope"].high
    off = hs.calibration(hs.table((rng.random(2000) < said**2).astype(int), scores=said))
    assert off.p_value < 1e-6
    assert off["ece"].value > 2 * off.expected_ece


def test_isotonic_regression_against_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn.isotonic")
    rng = np.random.default_rng(3)
    values, weights = rng.normal(size=60) + np.arange(60) / 20, rng.uniform(0.5, 2, 60)
    expected = sklearn.IsotonicRegression().fit_transform(np.arange(60), values, sample_weight=weights)
    assert isotonic(values, weights) == pytest.approx(expected, abs=1e-12)
