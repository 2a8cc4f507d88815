"""Intervals at and near the ends of a metric's range: notes only where they are due, limits on the right side.

Each test was asked for by a small change of the code that no other test noticed (scripts/mutate.py).
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

import howsure as hs
from howsure.estimates.evidence import evidence_of_matrices
from howsure.estimates.methods.pseudo_counts import smoothed_moments_and_degrees
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import named

PERFECT = [[20, 0, 0], [0, 12, 0], [0, 0, 9]]
ALL_WRONG = [[0, 20, 0], [0, 0, 12], [9, 0, 0]]


def kinds(found: hs.Estimate) -> set[str]:
    return {note.kind for note in found.notes}


def test_wald_inside_the_range_is_not_said_to_leave_it() -> None:
    """0.5 ± 1.96·√(0.25/100) = [0.402, 0.598]: neither outside [0, 1] nor without width."""
    found = hs.estimate(hs.counts(tp=50, fp=10, fn=50, tn=90), "recall", method="wald")
    assert found.interval == pytest.approx((0.402, 0.598), abs=5e-4)
    assert not kinds(found) & {"overshoot", "degenerate"}


@pytest.mark.parametrize(("tp", "fn"), [(19, 1), (1, 19)])
def test_wald_beyond_either_end_is_said_to_leave_the_range(tp: int, fn: int) -> None:
    """0.95 ± 1.96·√(0.95·0.05/20) reaches 1.0455, and 0.05 mirrors it: each passes one end only."""
    found = hs.estimate(hs.counts(tp=tp, fp=5, fn=fn, tn=5), "recall", method="wald")
    assert (found.low < 0) != (found.high > 1)
    assert "overshoot" in kinds(found)
    assert "degenerate" not in kinds(found)


@pytest.mark.parametrize(("metric", "method", "bottom"), [("macro_f1", "logit", 0.0), ("kappa", "atanh", -1.0)])
def test_at_the_top_of_the_range_the_low_limit_stays_inside(metric: str, method: str, bottom: float) -> None:
    found = hs.estimate(hs.matrix(PERFECT, rows="truth"), metric, method=method)
    assert found.high == 1.0
    assert bottom + 0.5 < found.low < 1.0


def test_at_the_bottom_of_the_range_the_high_limit_stays_inside() -> None:
    found = hs.estimate(hs.matrix(ALL_WRONG, rows="truth"), "macro_f1", method="logit")
    assert found.low == 0.0
    assert 0.0 < found.high < 0.5


@pytest.mark.parametrize(
    ("metric", "method", "bottom"), [("mcc[0]", "atanh", -1.0), ("balanced_accuracy[0]", "logit", 0.0)]
)
def test_without_a_matrix_the_ends_get_wilsons_limit_of_as_many_rows(metric: str, method: str, bottom: float) -> None:
    """All of n rows right: Wilson's low limit is n/(n + t²), stretched over the range; all wrong mirrors it."""
    truth = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1], [1, 1], [1, 0], [0, 0], [0, 1]])
    n, t = len(truth), stats.t.ppf(0.975, len(truth) - 1)
    inner = bottom + (1 - bottom) * n / (n + t * t)
    right = hs.estimate(hs.table(truth, truth), metric, method=method)
    assert right.interval == pytest.approx((inner, 1.0), rel=1e-9)
    wrong = hs.estimate(hs.table(truth, 1 - truth), metric, method=method)
    assert wrong.interval == pytest.approx((bottom, bottom + 1 - inner), rel=1e-9)


TWO_LABELS = np.array([[1, 0], [0, 1], [1, 1], [0, 0]] * 3)
ENDS = {
    "perfect": hs.counts(tp=10, fp=0, fn=0, tn=10),
    "perfect without tn": hs.counts(tp=10, fp=0, fn=0),
    "no hit": hs.counts(tp=0, fp=5, fn=5, tn=10),
    "all wrong": hs.counts(tp=0, fp=5, fn=5, tn=0),
    "three classes right": hs.matrix(PERFECT, rows="truth", pos_label=1),
    "three classes wrong": hs.matrix(ALL_WRONG, rows="truth", pos_label=1),
    "labels right": hs.table(TWO_LABELS, TWO_LABELS, pos_label=1),
}


@pytest.mark.parametrize("end", ENDS)
def test_no_default_in_a_range_with_two_ends_loses_its_width(end: str) -> None:
    """At a perfect or a zero score an interval still has two ends, and the value lies between them."""
    asked = 0
    for metric in CATALOGUE:
        if np.isinf(metric.range[1]):
            continue
        try:
            found = hs.estimate(ENDS[end], metric)
        except hs.HowsureError:
            continue  # the metric needs what the table lacks
        if np.isfinite(found.value):
            asked += 1
            assert found.low < found.high, metric.name
            assert found.low <= found.value <= found.high, metric.name
    assert asked >= 8


def test_smoothed_t_uses_students_law_on_few_rows() -> None:
    """The hull of two intervals on the logit scale, by their formulas: t on the smoothed table, z on the table itself.

    Few rows give few degrees of freedom, so that z in the place of t would be seen.
    """
    matrix = np.array([[6.0, 1], [2, 5]])
    level, z = 0.99, stats.norm.ppf(0.995)
    evidence = evidence_of_matrices(named("macro_f1"), matrix)
    value, se, degrees = map(float, smoothed_moments_and_degrees(evidence, stats.norm.ppf(0.975)))
    assert 4 < degrees < 30
    smooth = expit(logit(value) + np.array([-1, 1]) * stats.t.ppf(0.995, degrees) * se / (value * (1 - value)))
    plain = hs.estimate(hs.matrix(matrix, rows="truth"), "macro_f1", method="wald", level=level)
    slope = plain.se / (plain.value * (1 - plain.value))
    whole = expit(logit(plain.value) + np.array([-1, 1]) * z * slope)
    found = hs.estimate(hs.matrix(matrix, rows="truth"), "macro_f1", method="smoothed-t", level=level)
    assert found.low == pytest.approx(min(smooth[0], whole[0]), rel=1e-9)
    assert found.high == pytest.approx(max(smooth[1], whole[1]), rel=1e-9)
    assert smooth[0] < whole[0]


@pytest.mark.parametrize("classes", [[5, 5, 5], [5, 9, 5]])
def test_a_flat_value_has_width_though_its_error_is_only_rounding(classes: list[int]) -> None:
    """The weighted lift of a perfect table is its number of classes, whatever their shares."""
    found = hs.estimate(hs.matrix(np.diag(classes), rows="truth"), "weighted_lift")
    assert found.value == pytest.approx(3)
    assert found.low < 2.9 < 3.1 < found.high


@pytest.mark.parametrize("metric", ["macro_lift", "micro_odds_ratio", "lift[0]", "odds_ratio[1]"])
def test_nothing_right_among_several_labels_leaves_an_endless_range_open(metric: str) -> None:
    truth = np.eye(3, dtype=int)[np.arange(12) % 3]
    found = hs.estimate(hs.table(truth, np.roll(truth, 1, axis=1)), metric)
    assert (found.value, found.low, found.high) == (0, 0, np.inf)
    assert "boundary" in kinds(found)
