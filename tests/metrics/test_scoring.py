"""Metrics of scores: each influence is the derivative of the definition in the weights, with ties and weights."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import OF_SCORES, named
from howsure.tables.covariance import linearise

TWO = (
    *(entry.name for entry in OF_SCORES if entry.scoring is not None and entry.scoring.classes != "several"),
    "partial_auc[fpr<=0.13]", "partial_auc[tpr>=0.777]", "partial_auc[0.11<=fpr<=0.37]",
    "partial_auc[fpr<=0.13,standardised]", "ece[bins=7]", "log_loss[clip=0.05]", "f1@0.5", "accuracy@0.31", "mcc@0.4",
    "f1@best", "balanced_accuracy@best",
)  # fmt: skip
SEVERAL = ("macro_auc", "macro_auc_ovo", "top2_accuracy", "brier", "brier_skill", "log_loss", "ece", "auc[2]",
           "macro_f1@argmax")  # fmt: skip
STEP = 1e-6


def two_classes(seed: int, *, ties: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = (rng.random(30) < 0.4).astype(int)
    scores = 1 / (1 + np.exp(-(rng.normal(size=30) + 1.2 * truth)))
    if ties:
        scores = np.round(scores, 1).clip(0.05, 0.95)
    return truth, scores, rng.uniform(0.3, 3.0, 30)


def several_classes(seed: int, *, ties: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 24)
    raw = np.exp(rng.normal(size=(24, 3)) + 1.1 * np.eye(3)[truth])
    if ties:  # votes of eight judges and one for each class
        raw = 1.0 + np.array([rng.multinomial(8, row / row.sum()) for row in raw])
    return truth, raw / raw.sum(1, keepdims=True), rng.uniform(0.3, 3.0, 24)


def slopes(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray, metric: str | hs.Metric) -> np.ndarray:
    """Return W · dT/dw of each row by central differences of the value alone."""

    def value(at: np.ndarray) -> float:
        return float(hs.estimate(hs.table(truth, scores=scores, sample_weight=at), metric, method="wald").value)

    found = []
    for row in range(len(truth)):
        side = np.zeros(len(truth))
        side[row] = STEP
        found.append((value(weights + side) - value(weights - side)) / (2 * STEP))
    return float(weights.sum()) * np.array(found)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("metric", TWO)
def test_influence_is_the_derivative_in_the_weights(metric: str, ties: bool) -> None:
    truth, scores, weights = two_classes(3, ties=ties)
    made = linearise(hs.table(truth, scores=scores, sample_weight=weights), named(metric))
    assert made.influence == pytest.approx(slopes(truth, scores, weights, metric), abs=2e-6)
    assert float(weights @ made.influence) == pytest.approx(0, abs=1e-10 * float(weights.sum()))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("metric", SEVERAL)
def test_influence_with_a_score_for_each_class(metric: str, ties: bool) -> None:
    truth, scores, weights = several_classes(5, ties=ties)
    made = linearise(hs.table(truth, scores=scores, sample_weight=weights), named(metric))
    assert made.influence == pytest.approx(slopes(truth, scores, weights, metric), abs=2e-6)


@pytest.mark.parametrize("metric", [*TWO, "recall@specificity>=0.8", "accuracy@coverage=0.7"])
def test_many_weightings_give_the_values_of_each(metric: str) -> None:
    truth, scores, _ = two_classes(7, ties=True)
    table = hs.table(truth, scores=scores)
    made = linearise(table, named(metric))
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, (5, len(truth))).astype(float) + 0.25
    many = made.contents.values_at(made, weights)
    each = [hs.estimate(hs.table(truth, scores=scores, sample_weight=row), metric, method="wald").value
            for row in weights]  # fmt: skip
    assert many == pytest.approx(each, abs=1e-12)


def test_delong_is_the_variance_within_classes() -> None:
    """DeLong's formula by brute force over all pairs, ties half, sample variances with n − 1."""
    truth, scores, _ = two_classes(11, ties=True)
    kernel = (scores[truth == 1][:, None] > scores[truth == 0]) + 0.5 * (
        scores[truth == 1][:, None] == scores[truth == 0]
    )
    variance = kernel.mean(1).var(ddof=1) / kernel.shape[0] + kernel.mean(0).var(ddof=1) / kernel.shape[1]
    made = hs.estimate(hs.table(truth, scores=scores), "auc", method="wald")
    assert made.value == pytest.approx(kernel.mean(), abs=1e-14)
    assert made.se**2 == pytest.approx(variance, rel=1e-12)


def test_average_precision_by_its_definition() -> None:
    truth, scores, _ = two_classes(13, ties=True)
    steps, recall = 0.0, 0.0
    for level in sorted(set(scores), reverse=True):
        marked = scores >= level
        now = (marked & (truth == 1)).sum() / truth.sum()
        steps += (now - recall) * truth[marked].mean()
        recall = now
    assert float(hs.estimate(hs.table(truth, scores=scores), "ap")) == pytest.approx(steps, abs=1e-14)


def test_sensitivity_at_a_specificity_counts_whole_rows() -> None:
    """(1 − 0.9)·20 is 1.9999999999999996 in floats: two false positives of twenty are a specificity of 0.9."""
    scores = np.concatenate([np.arange(20) / 20, np.array([0.86, 0.91, 0.94, 0.97])])
    truth = np.array([0] * 20 + [1] * 4)
    made = hs.estimate(hs.table(truth, scores=scores), "recall@specificity>=0.9")
    assert made.value == 1.0
    assert hs.estimate(hs.table(truth, scores=scores), "specificity@recall>=1e-9").value == 1.0


def test_a_chosen_threshold_is_named() -> None:
    table = hs.table([0, 0, 1, 1, 1], scores=[0.1, 0.4, 0.35, 0.8, 0.9])
    made = hs.estimate(table, "f1@best", method="wald")
    assert (made.threshold, made.value) == (0.35, pytest.approx(6 / 7))
    assert hs.estimate(table, "f1@0.5").threshold == 0.5


def test_accuracy_at_a_coverage_is_that_of_the_most_confident() -> None:
    table = hs.table([1, 0, 1, 0, 1], scores=[0.95, 0.1, 0.3, 0.45, 0.55])
    assert hs.estimate(table, "accuracy@coverage=0.4").value == 1.0
    assert hs.estimate(table, "accuracy@coverage=0.6").value == pytest.approx(2 / 3)
    assert hs.estimate(table, "accuracy@coverage=1").value == hs.estimate(table, "accuracy@0.5").value


def test_a_metric_of_ones_own_by_its_influence_or_from_others() -> None:
    truth, scores, weights = two_classes(3, ties=True)
    table = hs.table(truth, scores=scores, sample_weight=weights)

    def gap(y: np.ndarray, s: np.ndarray, w: np.ndarray) -> tuple[float, np.ndarray]:
        ones, zeros = w * y, w * (1 - y)
        first, second = ones @ s / ones.sum(), zeros @ s / zeros.sum()
        moved = w.sum() * (y * (s - first) / ones.sum() - (1 - y) * (s - second) / zeros.sum())
        return float(first - second), moved

    own = hs.score_metric("gap", gap, range=(-1, 1))
    made = linearise(table, own)
    assert made.influence == pytest.approx(slopes(truth, scores, weights, own), abs=2e-6)
    mixed = hs.combined("mixed", lambda auc, brier, f1: auc**2 - brier * f1, of=["auc", "brier", "f1@0.5"])
    assert linearise(table, mixed).influence == pytest.approx(slopes(truth, scores, weights, mixed), abs=2e-6)
    assert hs.estimate(table, mixed).low < hs.estimate(table, mixed).value
    wrong = hs.score_metric("wrong", lambda y, s, w: (0.5, s))
    with pytest.raises(hs.MetricError, match="weighted mean is 0"):
        hs.estimate(table, wrong)


def test_slices_and_strata_serve_scores() -> None:
    truth, scores, _ = two_classes(3, ties=False)
    parts = hs.slices(truth, scores=scores, by=["x", "y"] * 15)
    assert float(hs.estimate(parts["x"], "auc")) == float(hs.estimate(hs.table(truth[::2], scores=scores[::2]), "auc"))
    pool = hs.stratified(truth, scores=scores, strata=["x", "y"] * 15, shares={"x": 0.5, "y": 0.5})
    assert float(hs.estimate(pool, "auc")) == pytest.approx(float(hs.estimate(hs.table(truth, scores=scores), "auc")))
