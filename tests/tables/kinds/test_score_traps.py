"""What goes wrong with scores in silence elsewhere: each trap is refused, noted or without effect here."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs

Y = [0, 1, 1, 0, 1, 0]
P = [0.2, 0.7, 0.9, 0.4, 0.6, 0.5]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf"), None])
def test_what_is_no_finite_number_is_named_by_its_row(bad: float | None) -> None:
    with pytest.raises(hs.InputError, match=r"in 1 of 6 rows \(row 2, counting from 0\)"):
        hs.table(Y, scores=[0.2, 0.7, bad, 0.4, 0.6, 0.5])


@pytest.mark.parametrize("text", ["0.2", "high", ""])
def test_text_is_no_score(text: str) -> None:
    with pytest.raises(hs.InputError, match="scores must be numbers"):
        hs.table(Y, scores=[text] * 6)


def test_predicted_labels_given_as_scores_are_noted() -> None:
    found = hs.estimate(hs.table(Y, scores=[0, 1, 1, 0, 1, 1]), "auc")
    assert any("0 and 1 alone; these look like labels" in str(note) for note in found.notes)
    assert not any("look like labels" in str(note) for note in hs.estimate(hs.table(Y, scores=P), "auc").notes)


@pytest.mark.parametrize(("score", "shown"), [(1.5, "1.5"), (-0.1, "-0.1")])
@pytest.mark.parametrize("metric", ["brier", "log_loss", "ece", "calibration_slope"])
def test_scores_outside_0_and_1_are_no_probabilities(metric: str, score: float, shown: str) -> None:
    made = hs.table(Y, scores=[score, *P[1:]])
    with pytest.raises(hs.MetricError, match=f"needs probabilities between 0 and 1, and a score is {shown}"):
        hs.estimate(made, metric)
    assert np.isfinite(hs.estimate(made, "auc").value)


def test_columns_of_classes_are_in_the_order_of_the_labels() -> None:
    truth = ["b", "a", "c", "a"]
    each = np.array([[0.2, 0.7, 0.1], [0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.5, 0.3, 0.2]])  # a, b, c
    assert hs.estimate(hs.table(truth, scores=each), "accuracy@argmax").value == 1.0
    turned = hs.table(truth, scores=each[:, [2, 0, 1]], labels=["c", "a", "b"])
    assert hs.estimate(turned, "accuracy@argmax").value == 1.0
    assert hs.estimate(turned, "auc[a]").value == hs.estimate(hs.table(truth, scores=each), "auc[a]").value


def test_a_score_at_the_threshold_is_positive() -> None:
    made = hs.table([1, 0], scores=[0.5, np.nextafter(0.5, 0)])
    assert hs.estimate(made, "recall@0.5").value == 1.0
    assert hs.estimate(made, "specificity@0.5").value == 1.0


def test_folds_with_scales_of_their_own_are_tasks() -> None:
    """Scores of two folds on two scales: pooled they rank fold against fold; each fold by itself is perfect."""
    low, high = [0.1, 0.2, 0.3], [0.7, 0.8, 0.9]
    first, second = hs.table([0, 1, 1], scores=low), hs.table([0, 0, 1], scores=high)
    pooled = hs.estimate(hs.table([0, 1, 1, 0, 0, 1], scores=[*low, *high]), "auc").value
    assert pooled == pytest.approx(5 / 9)
    assert hs.estimate(hs.tasks({"fold 1": first, "fold 2": second}), "auc").value == 1.0
