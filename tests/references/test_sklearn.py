"""Point values equal scikit-learn's, on 200 random tables for every metric that scikit-learn has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn import metrics as theirs

import howsure as hs
from howsure.metrics.gradient import moments
from howsure.metrics.metric import selection_of
from howsure.metrics.names import named

TABLES = 200
WHOLE: dict[str, Callable[..., Any]] = {
    "accuracy": theirs.accuracy_score,
    "mcc": theirs.matthews_corrcoef,
    "kappa": theirs.cohen_kappa_score,
    "kappa_linear": lambda *pair, **more: theirs.cohen_kappa_score(*pair, weights="linear", **more),
    "kappa_quadratic": lambda *pair, **more: theirs.cohen_kappa_score(*pair, weights="quadratic", **more),
    "balanced_accuracy": theirs.balanced_accuracy_score,
}


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield


def labels_of(seed: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and prediction in which every class is both true and predicted."""
    random = np.random.default_rng(seed)
    size = int(random.integers(classes, 200))
    truth = np.concatenate([np.arange(classes), random.integers(0, classes, size)])
    skill = random.uniform(0.2, 0.95)
    guess = np.where(random.uniform(size=len(truth)) < skill, truth, random.integers(0, classes, len(truth)))
    guess[:classes] = np.roll(np.arange(classes), 1)
    return truth, guess


def value(table: hs.Table, metric: Any) -> float:
    return hs.estimate(table, metric, method="wald").value


def values(tables: np.ndarray, name: str, pos_label: int | None = None) -> np.ndarray:
    """Return a metric of many tables in one call, the first checked to be what hs.estimate says."""
    metric, labels = named(name), range(tables.shape[-1])
    found = moments(metric, tables, selection=selection_of(metric, labels, pos_label)).value
    assert value(hs.matrix(tables[0], rows="truth", pos_label=pos_label), name) == found[0]
    return found


def averaged(truth: np.ndarray, guess: np.ndarray, **more: Any) -> dict[str, Any]:
    """Return scikit-learn's scores by our names, three in a call."""
    found = {}
    for beta, name in ((1, "f1"), (0.5, "f0.5"), (2, "f2")):
        found["precision"], found["recall"], found[name], _ = theirs.precision_recall_fscore_support(
            truth, guess, beta=beta, **more
        )
    return found | {"jaccard": theirs.jaccard_score(truth, guess, **more)}


def whole(truth: np.ndarray, guess: np.ndarray, **more: Any) -> dict[str, Any]:
    return {name: rule(truth, guess, **more) for name, rule in WHOLE.items()}


def assert_same(tables: list[np.ndarray], expected: list[dict[str, Any]], pos_label: int | None = None) -> None:
    for name in expected[0]:
        ours = values(np.stack(tables), name, pos_label)
        assert ours == pytest.approx(np.array([row[name] for row in expected]), rel=1e-12, abs=1e-12), name


def test_binary() -> None:
    pairs = [labels_of(seed, 2) for seed in range(TABLES)]
    expected = [averaged(*pair, average="binary") | whole(*pair) for pair in pairs]
    assert_same([theirs.confusion_matrix(*pair) for pair in pairs], expected, pos_label=1)


@pytest.mark.parametrize("classes", range(2, 9))
def test_several_classes(classes: int) -> None:
    pairs = [labels_of(seed, classes) for seed in range(TABLES // 7 + 1)]
    expected = [whole(*pair) for pair in pairs]
    for row, pair in zip(expected, pairs, strict=True):
        for kind in ("macro", "micro", "weighted"):
            row.update({f"{kind}_{name}": score for name, score in averaged(*pair, average=kind).items()})
    assert_same([theirs.confusion_matrix(*pair) for pair in pairs], expected)


def test_some_classes_only() -> None:
    """Averages over a part of the labels, and each label on its own."""
    averages = {"macro": hs.macro, "micro": hs.micro, "weighted": hs.weighted}
    for seed in range(40):
        classes = 3 + seed % 5
        truth, guess = labels_of(seed, classes)
        table = hs.matrix(theirs.confusion_matrix(truth, guess), rows="truth")
        kept = sorted({0, seed % classes, (seed * 7 + 1) % classes})
        left = [label for label in range(classes) if label not in kept]
        for kind, average in averages.items():
            for name, expected in averaged(truth, guess, labels=kept, average=kind).items():
                assert value(table, average(name, classes=kept)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
            assert value(table, average(name, without=left)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        each = theirs.f1_score(truth, guess, average=None)
        found = [value(table, hs.of_class("f1", label)) for label in range(classes)]
        assert found == pytest.approx(each, rel=1e-12, abs=1e-12)


def test_likelihood_ratios_and_rates_of_two_classes() -> None:
    tables, expected = [], []
    for seed in range(TABLES):
        truth, guess = labels_of(seed, 2)
        truth, guess = np.append(truth, [0, 1]), np.append(guess, [0, 1])
        plus, minus = theirs.class_likelihood_ratios(truth, guess)
        tables.append(theirs.confusion_matrix(truth, guess))
        expected.append(
            {
                "lr_plus": plus,
                "lr_minus": minus,
                "specificity": theirs.recall_score(truth, guess, pos_label=0),
                "npv": theirs.precision_score(truth, guess, pos_label=0),
            }
        )
    assert_same(tables, expected, pos_label=1)


def test_arrays_and_matrix_give_the_same_table() -> None:
    for seed in range(20):
        truth, guess = labels_of(seed, 2 + seed % 5)
        expected = theirs.confusion_matrix(truth, guess)
        assert np.array_equal(hs.table(truth, guess).matrix(), expected)
        assert np.array_equal(hs.matrix(expected.T, rows="prediction").matrix(), expected)


def test_sample_weights() -> None:
    for seed in range(30):
        truth, guess = labels_of(seed, 2 + seed % 4)
        weight = np.random.default_rng(seed).gamma(2.0, size=len(truth))
        table = hs.table(truth, guess, sample_weight=weight)
        for name, expected in whole(truth, guess, sample_weight=weight).items():
            assert value(table, name) == pytest.approx(expected, rel=1e-12, abs=1e-12), name
        for name, expected in averaged(truth, guess, sample_weight=weight, average="macro").items():
            assert value(table, f"macro_{name}") == pytest.approx(expected, rel=1e-12, abs=1e-12), name
