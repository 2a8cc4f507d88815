"""Every message about metrics, word for word: which argument, what came, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from support.refusals import refusal

BARE = hs.counts(tp=7, fp=2, fn=1)
WORDS = hs.matrix([[5, 1], [2, 7]], rows="truth", labels=["no", "yes"])
THREE = hs.matrix(np.ones((3, 3)), rows="truth", labels=["ant", "bee", "cat"])
BETA = "it must be a finite number larger than 0 (at 0 it would be precision)"
SETS = hs.table([{"a"}, {"a", "b"}], [{"a"}, {"b"}])


def metric_of(text: str) -> Callable[[], object]:
    return lambda: named(text)


METRICS: dict[str, tuple[Callable[[], object], str]] = {
    "value outside the range": (
        lambda: hs.estimate(BARE, hs.Metric("cost", lambda c: 100 * c.fn + c.fp)),
        "metric 'cost' is 10.2 here, and its range is said to be 0 to 1; give hs.Metric the range that holds all its "
        "values, such as range=(0, 10)",
    ),
    "range of words": (
        lambda: hs.Metric("cost", len, range="a"),  # type: ignore[arg-type]
        "range of metric 'cost' is 'a'; it must be its smallest and its largest value, such as (0, 1) or "
        "(0, float('inf'))",
    ),
    "range upside down": (
        lambda: hs.Metric("cost", len, range=(1, 0)),
        "range of metric 'cost' is (1, 0); it must be its smallest and its largest value, such as (0, 1) or "
        "(0, float('inf'))",
    ),
    "better up": (
        lambda: hs.Metric("cost", len, better="up"),  # type: ignore[arg-type]
        "better of metric 'cost' is 'up'; it must be 'higher', 'lower' or None",
    ),
    "no name": (lambda: hs.Metric("", len), "name of a Metric must be a non-empty string, not ''"),
    "no formula": (
        lambda: hs.Metric("mine", 3),  # type: ignore[arg-type]
        "formula of metric 'mine' must be a function of the cells, not 3",
    ),
    "over": (
        lambda: hs.Metric("mine", len, over="cell"),  # type: ignore[arg-type]
        "over of metric 'mine' is 'cell'; it must be 'class', 'classes', 'matrix', 'row' or 'values'",
    ),
    "tversky": (
        lambda: hs.tversky(0, 0),
        "tversky(0, 0) is 1 for every classifier; at least one weight must be positive",
    ),
    "negative weight": (lambda: hs.tversky(-1, 0), "a is -1; it must be a finite number, zero or larger"),
    "weight of no number": (
        lambda: hs.tversky(1, "x"),  # type: ignore[arg-type]
        "b is 'x'; it must be a finite number, zero or larger",
    ),
    "beta zero": (lambda: hs.f_beta(0), f"beta is 0; {BETA}"),
    "beta below zero": (lambda: hs.f_beta(-1), f"beta is -1; {BETA}"),
    "beta nan": (lambda: hs.f_beta(float("nan")), f"beta is nan; {BETA}"),
    "formula of text": (
        lambda: hs.estimate(WORDS, hs.Metric("mine", lambda c: "a", over="classes")),
        "formula of metric 'mine' returns 'a'; it must return a number, computed from the cells",
    ),
    "formula of nothing": (
        lambda: hs.estimate(WORDS, hs.Metric("mine", lambda c: None, over="classes")),
        "formula of metric 'mine' returns None; it must return a number, computed from the cells",
    ),
    "prevalence": (lambda: hs.ppv_at(1.5), "prevalence is 1.5; it must lie strictly between 0 and 1"),
    "prevalence of no number": (
        lambda: hs.npv_at("half"),  # type: ignore[arg-type]
        "prevalence is 'half'; it must lie strictly between 0 and 1",
    ),
    "average of an average": (
        lambda: hs.macro(hs.macro("f1")),
        "metric 'macro_f1' cannot be averaged or taken for one class; give a metric of a single class",
    ),
    "average of an average by name": (
        metric_of("macro_macro_f1*"),
        "metric 'macro_f1*' cannot be averaged or taken for one class; give a metric of a single class",
    ),
    "average of an average of the catalogue": (
        lambda: hs.macro("macro_f1_star"),
        "metric 'macro_f1_star' cannot be averaged or taken for one class; give a metric of a single class",
    ),
    "metrics that are none": (
        lambda: hs.report(WORDS, 3),  # type: ignore[arg-type]
        "metric is 3 of type int; it must be a name or a howsure.Metric",
    ),
    "average of one class": (
        lambda: hs.of_class(hs.of_class("f1", "a"), "b"),
        "metric 'f1[a]' cannot be averaged or taken for one class; give a metric of a single class",
    ),
    "average of order": (
        lambda: hs.macro("kappa_linear"),
        "metric 'kappa_linear' is about the order of all classes; it has no value for one class",
    ),
    "name taken": (
        lambda: hs.weighted("kappa"),
        "the weighted average of 'kappa' would be called 'weighted_kappa', which already names 'kappa_linear'; "
        "wrap its formula in a Metric with a name of its own",
    ),
    "classes and without": (
        lambda: hs.micro("f1", classes=["a"], without=["b"]),
        "give classes= or without=, not both: one says what to keep, the other what to leave out",
    ),
    "no classes": (lambda: hs.micro("f1", classes=[]), "classes is empty; name at least one class to average over"),
    "not a name": (
        lambda: named(3),  # type: ignore[arg-type]
        "metric is 3 of type int; it must be a name or a howsure.Metric",
    ),
    "not numbers": (
        metric_of("tversky(a,b)"),
        "metric 'tversky(a,b)' needs plain numbers between its parentheses, not 'a,b'",
    ),
    "too few numbers": (
        metric_of("tversky(0.5)"),
        "metric 'tversky(0.5)' has 1 numbers between its parentheses; it takes 2",
    ),
    "samples of classes": (
        metric_of("samples_f1[a]"),
        "metric 'samples_f1[a]': this average is over rows and takes no classes",
    ),
    "class that is not there": (
        lambda: hs.estimate(THREE, "f1[cot]"),
        "metric 'f1[cot]' names the class 'cot', which is not among the labels 'ant', 'bee', 'cat'. "
        "Did you mean 'cat'?",
    ),
    "positive class of three": (
        lambda: hs.estimate(THREE, "f1"),
        "metric 'f1' is about one class, but there are 3 labels: 'ant', 'bee', 'cat'. Average it ('macro_f1', "
        "'micro_f1', 'weighted_f1'), name a class ('f1[cat]'), "
        "or pass pos_label to look at one class against the rest.",
    ),
    "positive class of two": (
        lambda: hs.estimate(WORDS, "f1"),
        "metric 'f1' needs to know the positive class, and the labels 'no', 'yes' do not say it; "
        "pass pos_label='yes' (or the other one), or use 'macro_f1' or 'f1[yes]'.",
    ),
    "every class left out": (
        lambda: hs.estimate(WORDS, hs.macro("f1", without=["no", "yes"])),
        "metric 'macro_f1[without no,yes]' leaves out every class; keep at least one of 'no', 'yes'",
    ),
    "rows": (
        lambda: hs.estimate(THREE, "samples_f1"),
        "metric 'samples_f1' is about rows with several labels, and each row here has one; "
        "for such rows it equals 'accuracy'",
    ),
    "one label": (
        lambda: hs.estimate(SETS, "kappa"),
        "metric 'kappa' takes one label per row, and this table holds several per row; "
        "use 'exact_match', an average such as 'micro_f1', or one class such as 'f1[…]'",
    ),
    "true negatives": (
        lambda: hs.estimate(BARE, "specificity"),
        "metric 'specificity' needs the true negatives, which this table does not count; give tn=, or choose a metric "
        "without them: 'precision', 'recall', 'false_negative_rate', 'false_discovery_rate', 'f1', 'f0.5', 'f2', "
        "'jaccard', 'fowlkes_mallows', 'overlap'",
    ),
    "the other class": (
        lambda: hs.estimate(BARE, "f1[0]"),
        "metric 'f1[0]' is about the class 0, whose hits are the true negatives that this table does not count; "
        "give tn=",
    ),
}


@pytest.mark.parametrize("case", METRICS)
def test_metric_message(case: str) -> None:
    call, message = METRICS[case]
    assert refusal(call, hs.MetricError) == message


def test_unknown_metric_lists_what_there_is() -> None:
    with pytest.raises(hs.MetricError) as caught:
        named("precison")
    message = str(caught.value)
    assert message.startswith("metric 'precison' is not known. Did you mean 'precision'? Known: 'accuracy', ")
    assert message.endswith(
        "'exact_match'; also 'f<beta>', 'tversky(a,b)', 'ppv_at(prevalence)', 'npv_at(prevalence)', "
        "averages 'macro_…', 'micro_…', 'weighted_…', 'samples_…', 'per_unit_…', one class as 'name[label]', "
        "'mean' of row values, and 'a/b' of two sums. Of scores: 'auc', 'average_precision', 'macro_auc', "
        "'macro_auc_ovo', 'brier', 'brier_skill', 'log_loss', 'calibration_slope', 'calibration_intercept', "
        "'calibration_in_the_large', 'ece', 'partial_auc[fpr<=0.1]', 'top3_accuracy', and any of labels at a threshold "
        "as 'name@0.5'."
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("f1_score", "f1"),
        ("precision_score", "precision"),
        ("balanced_accuracy_score", "balanced_accuracy"),
        ("matthews_corrcoef", "mcc"),
        ("cohen_kappa_score", "kappa"),
        ("f1_macro", "macro_f1"),
        ("macro_macro_f1", "macro_f1"),
    ],
)
def test_a_name_of_scikit_learn_leads_to_ours(typed: str, meant: str) -> None:
    said = refusal(metric_of(typed), hs.MetricError)
    assert said.startswith(f"metric {typed!r} is not known. Did you mean {meant!r}? ")
    assert named(meant).name == meant


def test_a_typed_name_is_never_run() -> None:
    for text in ("__import__('os')", "f1; print(1)", "tversky(__import__,1)", "lambda c: 1"):
        with pytest.raises(hs.MetricError):
            named(text)
