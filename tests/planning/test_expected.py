"""What one expects, by the metric's own name: solved by hand, or by another program."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

import howsure as hs
from howsure.errors import InputError
from howsure.metrics.names import named
from howsure.planning.expected import Expected

SCORES = {
    "mcc": matthews_corrcoef, "kappa": cohen_kappa_score, "balanced_accuracy": balanced_accuracy_score, "f1": f1_score,
}  # fmt: skip


def scored(score, shares: np.ndarray) -> float:
    """Return scikit-learn's value at a table of shares, by weights."""
    truth, predicted = (part.ravel() for part in np.indices(shares.shape))
    return float(score(truth, predicted, sample_weight=shares.ravel()))


@pytest.mark.parametrize("prevalence", [0.02, 0.3, 0.5, 0.6])
@pytest.mark.parametrize("value", [0.55, 0.8, 0.97])
@pytest.mark.parametrize("name", SCORES)
def test_the_table_has_the_value_and_errors_of_both_kinds_alike(name: str, value: float, prevalence: float) -> None:
    shares = Expected(prevalence=prevalence, value=value).shares(named(name))
    assert shares is not None
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    assert shares[1].sum() == pytest.approx(prevalence, abs=1e-12)
    assert shares[0, 1] == pytest.approx(shares[1, 0], abs=1e-10)
    assert scored(SCORES[name], shares) == pytest.approx(value, abs=1e-9)


def test_f1_with_equal_errors_is_precision_and_recall() -> None:
    shares = Expected(prevalence=0.2, value=0.75).shares(named("f1"))
    assert shares == pytest.approx(np.array([[0.75, 0.05], [0.05, 0.15]]), abs=1e-11)


def test_a_rate_beside_the_value_fixes_the_rest() -> None:
    # F1 = 2PR/(P + R): with F1 0.8 and recall 0.9 the precision is 0.72.
    shares = Expected(prevalence=0.2, recall=0.9, value=0.8).shares(named("f1"))
    assert shares is not None
    assert shares[1, 1] == pytest.approx(0.18, abs=1e-11)
    assert shares[1, 1] / shares[:, 1].sum() == pytest.approx(0.72, abs=1e-10)


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_even_classes(classes: int) -> None:
    """With classes alike, macro F1 and accuracy are the share of right rows, and kappa is (Ka − 1)/(K − 1)."""
    for name, right in (("macro_f1", 0.7), ("accuracy", 0.7), ("kappa", ((classes - 1) * 0.6 + 1) / classes)):
        shares = Expected(value=0.6 if name == "kappa" else 0.7, classes=classes).shares(named(name))
        assert shares is not None
        assert np.diag(shares) == pytest.approx(np.full(classes, right / classes), abs=1e-10)
        assert shares.sum(0) == pytest.approx(np.full(classes, 1 / classes), abs=1e-10)


@pytest.mark.parametrize(("name", "share"), [("accuracy", 0.85), ("error_rate", 0.15)])
def test_a_share_of_all_rows_needs_nothing_else(name: str, share: float) -> None:
    """The plan is that of a binomial share: n = p(1 − p)/se²."""
    made = hs.plan(name, se=0.01, **{name: share})
    assert made.n == math.ceil(0.85 * 0.15 / 1e-4 - 1e-9)
    assert hs.plan(name, half_width=0.03, **{name: share}).n == hs.plan("accuracy", half_width=0.03, accuracy=0.85).n


def test_by_value_or_by_rates_is_one_plan() -> None:
    by_value = hs.plan("f1", half_width=0.05, prevalence=0.2, f1=0.75)
    by_rates = hs.plan("f1", half_width=0.05, prevalence=0.2, precision=0.75, recall=0.75)
    assert by_value.n == by_rates.n
    assert hs.plan("dice", half_width=0.05, prevalence=0.2, f1=0.75).n == by_value.n


REFUSED = {
    "another metric": ({"f1": 0.8}, "f1 is 0.8, but the plan is for accuracy"),
    "beyond the range": ({"accuracy": 1.2}, "accuracy is 1.2; accuracy lies between 0 and 1"),
    "text": ({"accuracy": "high"}, "accuracy is 'high'; accuracy lies between 0 and 1"),
    "too much": ({"accuracy": 0.8, "prevalence": 0.3, "precision": 0.8, "recall": 0.8}, "says too much"),
    "a pilot too": ({"accuracy": 0.8, "pilot": [[5, 1], [1, 5]]}, "pilot and the value expected were both given"),
    "one class": ({"accuracy": 0.8, "classes": 1}, "classes is 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    given, message = REFUSED[name]
    with pytest.raises(InputError, match=message):
        hs.plan("accuracy", half_width=0.03, **given)


@pytest.mark.parametrize(("metric", "given", "message"), [
    ("f1", {"f1": 0.8}, "too little"),
    ("macro_f1", {"macro_f1": 0.8}, "too little about the confusion matrix; give prevalence="),
    ("macro_f1", {"macro_f1": 0.1, "classes": 4}, "no better than guessing"),
    ("f1", {"f1": 0.55, "prevalence": 0.9}, "prevalence 0.9 and as many false positives as false negatives"),
    ("mcc", {"mcc": 0.9, "prevalence": 0.5, "recall": 0.2}, "no classifier has mcc 0.9 with prevalence 0.5 and recall"),
])  # fmt: skip
def test_refusals_of_other_metrics(metric: str, given: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        hs.plan(metric, half_width=0.03, **given)


def test_a_word_that_is_no_argument_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="no argument 'halfwidth', nor a metric of that name"):
        hs.plan("f1", halfwidth=0.03)
