"""howsure.scores: scikit-learn's signatures, scikit-learn's values, an interval besides."""

from __future__ import annotations

import inspect
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sklearn
import sklearn.exceptions
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs

import howsure as hs
from howsure import scores
from support.beside_sklearn import assert_same, both, draw

AVERAGED = ["precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score"]
nan = float("nan")


def fills(name: str) -> tuple[float, ...]:
    """Return the values of zero_division that scikit-learn documents for a score."""
    return (0, 1) if name == "jaccard_score" else (0, 1, nan)


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield


@pytest.mark.parametrize("name", scores.__all__)
def test_signature_is_theirs(name: str) -> None:
    """Same parameters, same kinds, same defaults, in the same order; ours may have more at the end."""
    ours = inspect.signature(getattr(scores, name)).parameters
    expected = inspect.signature(getattr(theirs, name)).parameters
    assert list(ours)[: len(expected)] == list(expected)
    for parameter in expected.values():
        mine = ours[parameter.name]
        assert (mine.kind, repr(mine.default)) == (parameter.kind, repr(parameter.default)), parameter.name


@pytest.mark.parametrize("name", AVERAGED)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
def test_averages_of_small_tables(name: str, average: str | None) -> None:
    """Few rows, so that classes go missing on either side."""
    for seed in range(3):
        pair = draw(seed, ["ant", "bee", "cat", "dog"], 5 + seed)
        for zero in fills(name):
            assert_same(name, *pair, average=average, zero_division=zero)
        assert_same(name, *pair, average=average, zero_division=0, labels=["dog", "ant"])
        assert_same(name, *pair, average=average, zero_division=0, labels=["ant", "eel", "cat"])


@settings(max_examples=max(settings.default.max_examples // 2, 10))
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=12),
    st.sampled_from(AVERAGED),
    st.sampled_from(["macro", "micro", "weighted", None]),
    st.sampled_from([0, 1, 2]),
    st.one_of(st.none(), st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True)),
)
def test_averages_of_any_rows(
    rows: list[tuple[int, int, int]], name: str, average: str | None, choice: int, labels: list[int] | None
) -> None:
    truth, guess, weight = map(np.array, zip(*rows, strict=True))
    zero = fills(name)[choice % len(fills(name))]
    if labels is None or set(labels) & {*truth, *guess}:
        assert_same(name, truth, guess, average=average, zero_division=zero, labels=labels, sample_weight=weight)


@pytest.mark.parametrize("name", AVERAGED)
def test_binary(name: str) -> None:
    for seed in range(4):
        assert_same(name, *draw(seed, [0, 1], 30))
        assert_same(name, *draw(seed, [-1, 1], 30), sample_weight=np.linspace(0.1, 3, 30))
        assert_same(name, *draw(seed, ["no", "yes"], 30), pos_label="yes")
        assert_same(name, *draw(seed, ["no", "yes"], 30), pos_label="no")
        assert_same(name, *draw(seed, [False, True], 30))


@pytest.mark.parametrize("name", AVERAGED)
def test_binary_without_a_positive(name: str) -> None:
    for truth, guess in (([0, 0, 0], [0, 0, 0]), ([0, 0, 1], [0, 0, 0]), ([0, 0, 0], [0, 1, 0])):
        for zero in fills(name):
            assert_same(name, truth, guess, zero_division=zero)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohen_kappa(weights: str | None) -> None:
    for seed in range(4):
        pair = draw(seed, [0, 1, 2, 5], 25)
        assert_same("cohen_kappa_score", *pair, weights=weights)
        assert_same("cohen_kappa_score", *pair, weights=weights, labels=[5, 0, 2])
        assert_same("cohen_kappa_score", *pair, weights=weights, labels=[0, 1, 2, 3, 5])
        assert_same("cohen_kappa_score", *pair, weights=weights, sample_weight=np.linspace(0.1, 3, 25))
    assert_same("cohen_kappa_score", [1, 1], [1, 1], weights=weights)
    with pytest.warns(scores.UndefinedMetricWarning, match="Set replace_undefined_by"):
        assert scores.cohen_kappa_score([1, 1], [1, 1], weights=weights, replace_undefined_by=0.0) == 0
    if "replace_undefined_by" in inspect.signature(theirs.cohen_kappa_score).parameters:  # not in the oldest
        assert_same("cohen_kappa_score", [1, 1], [1, 1], weights=weights, replace_undefined_by=0.0)


@pytest.mark.parametrize("name", ["accuracy_score", "matthews_corrcoef", "balanced_accuracy_score"])
def test_whole_table_scores(name: str) -> None:
    for seed in range(5):
        pair = draw(seed, ["a", "b", "c"], 6 + seed)
        assert_same(name, *pair)
        assert_same(name, *pair, sample_weight=np.linspace(0.1, 3, len(pair[0])))
    assert_same(name, [1, 1, 1], [1, 1, 1])
    assert_same(name, [0, 1, 1], [1, 1, 1])


def test_options_of_accuracy_and_balanced_accuracy() -> None:
    for seed in range(10):
        pair = draw(seed, [3, 4, 5], 20)
        assert_same("accuracy_score", *pair, normalize=False)
        assert_same("balanced_accuracy_score", *pair, adjusted=True)


def test_adjusted_balanced_accuracy_has_the_scaled_error() -> None:
    """(b − 1/K)/(1 − 1/K): the standard error grows by K/(K−1)."""
    pair = draw(1, [0, 1, 2], 50)
    plain, adjusted = (scores.balanced_accuracy_score(*pair, adjusted=flag) for flag in (False, True))
    assert adjusted.se == pytest.approx(plain.se * 3 / 2, rel=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", None])
@pytest.mark.parametrize("name", AVERAGED)
def test_multilabel(name: str, average: str | None) -> None:
    for seed in range(3):
        truth, guess = np.random.default_rng(seed).integers(0, 2, (2, 7 + 3 * seed, 4))
        for zero in fills(name):
            assert_same(name, truth, guess, average=average, zero_division=zero)
        assert_same(name, truth, guess, average=average, zero_division=0, labels=[2, 0])
        assert_same(name, truth, guess, average=average, zero_division=0, sample_weight=np.arange(1, len(truth) + 1))


def test_multilabel_accuracy_is_exact_match() -> None:
    truth, guess = np.random.default_rng(0).integers(0, 2, (2, 30, 2))
    assert_same("accuracy_score", truth, guess)
    assert_same("accuracy_score", truth, guess, normalize=False, sample_weight=np.linspace(1, 2, 30))


REPORTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "some labels": {"labels": ["cat", "ant"]},
    "all and one more": {"labels": ["ant", "bee", "cat", "eel"], "target_names": ["A", "B", "C", "E"]},
    "weighted rows": {"sample_weight": np.linspace(0.5, 2, 12)},
    "one": {"zero_division": 1},
}


def assert_same_report(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(found) == list(expected)
    for name, row in expected.items():
        if not isinstance(row, dict):
            assert float(found[name]) == pytest.approx(row, rel=1e-12)
            continue
        assert list(found[name]) == list(row)
        for column, number in row.items():
            assert float(found[name][column]) == pytest.approx(number, rel=1e-12, abs=1e-12), (name, column)


@pytest.mark.parametrize("case", REPORTS)
def test_classification_report(case: str) -> None:
    pair = draw(3, ["ant", "bee", "cat"], 12)
    options = {"zero_division": 0} | REPORTS[case]
    found, expected = both("classification_report", *pair, output_dict=True, **options)
    if case == "all and one more" and "accuracy" not in expected:
        pytest.skip("an older scikit-learn calls the accuracy a micro average where a label is spare")
    assert_same_report(found, expected)


def test_classification_report_of_several_labels_a_row() -> None:
    truth, guess = np.random.default_rng(5).integers(0, 2, (2, 12, 3))
    assert_same_report(*both("classification_report", truth, guess, output_dict=True, zero_division=0))
    names = ["x", "y"]
    assert_same_report(
        *both(
            "classification_report", truth, guess, output_dict=True, zero_division=0, labels=[2, 1], target_names=names
        )
    )


def test_classification_report_as_text() -> None:
    text = scores.classification_report([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], digits=3)
    assert repr(text) == str(text)
    assert text._repr_html_() == f"<pre>{text}</pre>"
    lines = text.splitlines()
    assert lines[0].split() == ["precision", "recall", "f1-score", "support"]
    assert lines[2].split()[:2] == ["0", "0.667"]
    first = [line.split()[0] for line in lines if line.strip()]
    assert first == ["precision", "0", "1", "accuracy", "macro", "weighted"]
    assert "[" in lines[2]


def test_warning_when_nothing_is_chosen() -> None:
    with pytest.warns(scores.UndefinedMetricWarning, match="Set zero_division to choose"):
        found = scores.precision_score([0, 1, 1], [0, 0, 0])
    assert float(found) == 0.0
    assert {note.kind for note in found.notes} >= {"undefined", "filled"}
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_no_warning_when_it_is_chosen() -> None:
    assert float(scores.precision_score([0, 1, 1], [0, 0, 0], zero_division=1)) == 1.0


@pytest.mark.parametrize(("beta", "limit"), [(0, "precision_score"), (np.inf, "recall_score")])
def test_limits_of_beta(beta: float, limit: str) -> None:
    pair = draw(2, [0, 1], 40)
    assert float(scores.fbeta_score(*pair, beta=beta)) == float(getattr(scores, limit)(*pair))
    assert float(scores.fbeta_score(*pair, beta=beta)) == theirs.fbeta_score(*pair, beta=beta)


OF_SCORES = ("average_precision_score", "brier_score_loss", "log_loss", "roc_auc_score", "top_k_accuracy_score")


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_probabilities_are_theirs(name: str, weighted: bool) -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3 if name == "top_k_accuracy_score" else 2, 90)
    raw = np.exp(rng.normal(size=(90, 3)) + np.eye(3)[truth])
    said = raw / raw.sum(1, keepdims=True) if name == "top_k_accuracy_score" else raw[:, 1] / raw[:, :2].sum(1)
    more = {"sample_weight": rng.uniform(0.5, 2, 90)} if weighted else {}
    found = getattr(scores, name)(truth, said, **more)
    assert float(found) == pytest.approx(getattr(theirs, name)(truth, said, **more), abs=1e-12)
    assert found.low < found.value < found.high


def test_auc_of_parts_and_classes_is_theirs() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 90)
    raw = np.exp(rng.normal(size=(90, 3)) + np.eye(3)[truth])
    said = raw / raw.sum(1, keepdims=True)
    for kind in ("ovr", "ovo"):
        expected = theirs.roc_auc_score(truth, said, multi_class=kind)
        assert float(scores.roc_auc_score(truth, said, multi_class=kind)) == pytest.approx(expected, abs=1e-12)
    two, part = truth > 0, said[:, 1] + said[:, 2]
    expected = theirs.roc_auc_score(two, part, max_fpr=0.3)
    assert float(scores.roc_auc_score(two, part, max_fpr=0.3)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", scores.__all__)
def test_a_score_is_an_estimate(name: str) -> None:
    if name in ("classification_report", "confusion_matrix", "precision_recall_fscore_support", *OF_SCORES):
        return
    pair = draw(7, [0, 1], 60)
    more: dict[str, Any] = {"beta": 2} if name == "fbeta_score" else {}
    rule: Callable[..., hs.Estimate] = getattr(scores, name)
    found = rule(*pair, **more)
    if name == "class_likelihood_ratios":
        rule = lambda *pair, **more: scores.class_likelihood_ratios(*pair, **more)[0]  # noqa: E731
        found = rule(*pair)
    assert isinstance(found, hs.Estimate)
    assert found.low < found.value < found.high
    narrow = rule(*pair, level=0.5, method="wald", **more)
    assert narrow.level == 0.5
    assert narrow.high - narrow.low == pytest.approx(2 * 0.6744897501960817 * narrow.se, rel=1e-9)
    assert rule(*pair, groups=np.arange(60) // 5, **more).groups == 12


def test_a_score_equals_the_estimate_of_its_table() -> None:
    pair = draw(4, ["a", "b", "c"], 50)
    expected = hs.estimate(hs.table(*pair), "macro_f1", level=0.9)
    found = scores.f1_score(*pair, average="macro", level=0.9)
    assert (found.value, found.low, found.high, found.se) == (expected.value, expected.low, expected.high, expected.se)


def test_scaled_accuracy_scales_its_interval() -> None:
    pair = draw(4, [0, 1], 50)
    share, number = (scores.accuracy_score(*pair, normalize=flag) for flag in (True, False))
    assert [number.low, number.high, number.se] == pytest.approx([50 * x for x in (share.low, share.high, share.se)])


def test_an_unknown_keyword_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'confidence'"):
        scores.f1_score([1, 0], [1, 1], confidence=0.9)


@pytest.mark.parametrize("name", scores.__all__)
def test_what_is_ours_is_seen_in_the_signature(name: str) -> None:
    parameters = inspect.signature(getattr(scores, name)).parameters
    assert [(one, parameters[one].default) for one in list(parameters)[-3:]] == [
        ("groups", None),
        ("level", 0.95),
        ("method", None),
    ]


def test_the_module_shows_scores_alone() -> None:
    assert dir(scores) == scores.__all__
    assert scores.UndefinedMetricWarning is sklearn.exceptions.UndefinedMetricWarning
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        scores.nothing  # noqa: B018


def test_without_scikit_learn_the_warning_is_our_own() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import warnings; from howsure import scores\n"
        "assert issubclass(scores.UndefinedMetricWarning, UserWarning)\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    assert scores.precision_score([0, 1], [0, 0]) == 0.0\n"
        "assert seen[0].category is scores.UndefinedMetricWarning\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("predicted", [np.array([[1, 0, 1]]), [[1, 0, 1]], [[1, 0, 1], [1, 1, 1]]])
def test_predictions_in_rows_are_no_column_and_not_taken_for_runs(predicted: Any) -> None:
    for function in (scores.accuracy_score, scores.f1_score, scores.confusion_matrix, scores.cohen_kappa_score):
        with pytest.raises(ValueError, match="one label a row"):
            function([1, 0, 1], predicted)
