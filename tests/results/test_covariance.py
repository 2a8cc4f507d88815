"""Reports and comparisons offer the covariance of their rows, labelled: against influences summed by hand."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import howsure as hs

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 2, 300)
PREDICTIONS = {
    name: np.where(RNG.random(300) < share, TRUTH, 1 - TRUTH)
    for name, share in zip("abc", (0.9, 0.8, 0.7), strict=True)
}
GROUPS = RNG.integers(0, 25, 300)


def accuracies() -> np.ndarray:
    """Return the influence of each row on the accuracy of each model."""
    right = np.stack([column == TRUTH for column in PREDICTIONS.values()])
    return right - right.mean(1, keepdims=True)


def test_a_report_knows_how_its_estimates_move_together() -> None:
    made = hs.report(hs.table(TRUTH, PREDICTIONS), ["accuracy", "recall"])
    found = made.covariance
    assert found.labels == tuple((model, metric) for model in "abc" for metric in ("accuracy", "recall"))
    assert np.diagonal(found.matrix) == pytest.approx([row.se**2 for row in made])
    moved = accuracies()
    assert found[("a", "accuracy"), ("c", "accuracy")] == pytest.approx(moved[0] @ moved[2] / 300**2)


def test_joint_intervals_and_groups() -> None:
    table = hs.table(TRUTH, PREDICTIONS, groups=GROUPS)
    moved = np.stack([np.bincount(GROUPS, weights=row) for row in accuracies()])
    plain = moved @ moved.T
    expected = plain / np.sqrt(np.outer(np.diagonal(plain), np.diagonal(plain)))
    single, joint = (hs.report(table, "accuracy", joint=joint) for joint in (False, True))
    for made in (single, joint):
        errors = np.array([row.se for row in made])  # by the rule of the design; the correlations are the influences'
        assert made.covariance.matrix == pytest.approx(expected * np.outer(errors, errors))
    assert np.diagonal(joint.covariance.matrix) == pytest.approx([row.se**2 for row in joint])


def test_comparisons() -> None:
    made = hs.compare_all(hs.table(TRUTH, PREDICTIONS), "accuracy")
    found = made.covariance
    assert found.labels == tuple((row.a, row.b) for row in made)
    a, b, c = accuracies()
    by_pair = {("a", "b"): b - a, ("a", "c"): c - a, ("b", "c"): c - b}
    for one, first in by_pair.items():
        for other, second in by_pair.items():
            assert found[one, other] == pytest.approx(first @ second / 300**2)


def test_slices() -> None:
    made = hs.slices(TRUTH, PREDICTIONS["a"], by=GROUPS % 2).report(["accuracy", "f1"])
    assert np.diagonal(made.covariance.matrix) == pytest.approx([row.se**2 for row in made])
    assert made.covariance.matrix[0, 2] == 0  # disjoint rows


def test_what_was_pickled_no_longer_knows_its_rows() -> None:
    made = hs.report(hs.table(TRUTH, PREDICTIONS), "accuracy")
    assert copy.deepcopy(made).covariance.labels == made.covariance.labels
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    with pytest.raises(hs.InputError, match="no longer knows the rows"):
        _ = again.covariance
    with pytest.raises(KeyError, match="is not among the labels"):
        _ = made.covariance[("a", "f1"), ("a", "accuracy")]
