"""Every message of the core, word for word: which argument, what came, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import howsure as hs
from howsure import scores
from howsure.naming import named

BINARY = hs.counts(tp=7, fp=2, fn=1, tn=5)
BARE = hs.counts(tp=7, fp=2, fn=1)
WORDS = hs.matrix([[5, 1], [2, 7]], rows="truth", labels=["no", "yes"])
THREE = hs.matrix(np.ones((3, 3)), rows="truth", labels=["ant", "bee", "cat"])
SETS = hs.table([{"a"}, {"a", "b"}], [{"a"}, {"b"}])
LOPSIDED = hs.matrix([[3, 0], [2, 0]], rows="truth", labels=["a", "b"])
MODELS = hs.table([0, 1], {"bert": [0, 1], "svm": [1, 1]})


def metric_of(text: str) -> Callable[[], object]:
    return lambda: named(text)


METRICS: dict[str, tuple[Callable[[], object], str]] = {
    "no name": (lambda: hs.Metric("", len), "name of a Metric must be a non-empty string, not ''"),
    "no formula": (
        lambda: hs.Metric("mine", 3),  # type: ignore[arg-type]
        "formula of metric 'mine' must be a function of the cells, not 3",
    ),
    "over": (
        lambda: hs.Metric("mine", len, over="cell"),  # type: ignore[arg-type]
        "over of metric 'mine' is 'cell'; it must be 'class', 'classes', 'matrix' or 'row'",
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
    "beta zero": (lambda: hs.f_beta(0), "beta is 0; F-beta needs beta > 0 (beta = 0 is precision)"),
    "beta nan": (lambda: hs.f_beta(float("nan")), "beta is nan; it must be a finite number, zero or larger"),
    "prevalence": (lambda: hs.ppv_at(1.5), "prevalence is 1.5; it must lie strictly between 0 and 1"),
    "prevalence of no number": (
        lambda: hs.npv_at("half"),  # type: ignore[arg-type]
        "prevalence is 'half'; it must lie strictly between 0 and 1",
    ),
    "average of an average": (
        lambda: hs.macro(hs.macro("f1")),
        "metric 'macro_f1' cannot be averaged or taken for one class; give a metric of a single class",
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
        "metric 'samples_f1[a]': a samples average is over rows and takes no classes",
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

TABLES: dict[str, tuple[Callable[[], object], str]] = {
    "negative count": (
        lambda: hs.counts(tp=-1, fp=0, fn=0),
        "tp is -1; a count must be finite and zero or larger",
    ),
    "endless count": (
        lambda: hs.counts(tp=1, fp=float("inf"), fn=0),
        "fp is inf; a count must be finite and zero or larger",
    ),
    "count of no number": (
        lambda: hs.counts(tp=1, fp=0, fn="many"),  # type: ignore[arg-type]
        "fn is 'many'; it must be a number, zero or larger",
    ),
    "rows": (
        lambda: hs.matrix([[1]], rows="actual"),
        "rows is 'actual'; it must be 'truth' (as in scikit-learn) or 'prediction' (as in R's caret)",
    ),
    "not square": (
        lambda: hs.matrix([[1, 2, 3], [4, 5, 6]], rows="truth"),
        "counts has the shape (2, 3); a confusion matrix is square, K rows of K counts",
    ),
    "ragged": (
        lambda: hs.matrix([[1, 2], [3]], rows="truth"),
        "counts is not a matrix of numbers; give K rows of K counts each",
    ),
    "negative cell": (
        lambda: hs.matrix([[1, -2], [3, 4]], rows="truth"),
        "counts has -2 in row 0, column 1; a count must be finite and zero or larger",
    ),
    "cell of no number": (
        lambda: hs.matrix([[1, 2], [float("nan"), 4]], rows="truth"),
        "counts has nan in row 1, column 0; a count must be finite and zero or larger",
    ),
    "too few labels": (
        lambda: hs.matrix(np.eye(3), rows="truth", labels=["a", "b"]),
        "labels has 2 names but the matrix has 3 rows; give one label per row",
    ),
    "label twice": (
        lambda: hs.matrix(np.eye(3), rows="truth", labels=["a", "b", "a"]),
        "labels holds 'a' more than once; each label must stand once",
    ),
    "labels of two types": (
        lambda: hs.matrix(np.eye(2), rows="truth", labels=["a", 1]),
        "labels mixes str and int; use one type throughout",
    ),
    "positive label": (
        lambda: hs.matrix(np.eye(2), rows="truth", labels=["no", "yes"], pos_label="yess"),
        "pos_label names the class 'yess', which is not among the labels 'no', 'yes'. Did you mean 'yes'?",
    ),
    "frame out of order": (
        lambda: hs.matrix(pd.DataFrame(np.eye(2), index=["b", "a"], columns=["a", "b"]), rows="truth"),
        "counts has the rows 'b', 'a' but the columns 'a', 'b'; both must name the same labels in the same order: "
        "reindex it, or pass the bare numbers with labels=",
    ),
    "model not named": (
        lambda: hs.estimate(MODELS, "f1"),
        "model is not named and the table holds 2: 'bert', 'svm'; name one",
    ),
    "model not there": (
        lambda: hs.estimate(MODELS, "f1", model="svn"),
        "model 'svn' is not in the table; it holds 'bert', 'svm'. Did you mean 'svm'?",
    ),
    "scaled by nothing": (
        lambda: BINARY.scaled(0),
        "factor is 0; it must be a finite number larger than 0",
    ),
    "matrix of sets": (
        SETS.matrix,
        "matrix: rows of this table hold several labels, so there is no one matrix; "
        "ask for a metric of one class, such as 'f1[label]'",
    ),
    "binary of sets": (
        lambda: SETS.binary("a"),
        "binary: this table is multi-label; ask for 'f1[label]' and the like instead",
    ),
    "binary of the uncounted class": (
        lambda: BARE.binary(0),
        "labels: 0 is the class whose own hits this table does not count (tn was not given), so it must stay first; "
        "give tn to look at it as a class like any other",
    ),
    "rename what is not there": (
        lambda: THREE.relabel({"dog": "cat"}),
        "names maps 'dog', which are not labels; the labels are 'ant', 'bee', 'cat'",
    ),
    "merge classes of sets": (
        lambda: SETS.relabel({"a": "b"}),
        "names merges classes of a multi-label table; a row could then count twice. Rename without merging",
    ),
    "labels lacking": (
        lambda: THREE.with_labels(["ant", "cat"]),
        "labels lacks 'bee', which the table holds; give all of 'ant', 'bee', 'cat'",
    ),
    "cells of three": (
        lambda: THREE.tp,
        "tp, fp, fn and tn need two labels; the table has 'ant', 'bee', 'cat'. Use binary(label) first",
    ),
    "add other types": (
        lambda: THREE + hs.matrix(np.eye(2), rows="truth"),
        "labels of the two tables differ in type: 'ant', 'bee', 'cat' and 0, 1; convert one to the other's type",
    ),
    "add other models": (
        lambda: MODELS + hs.table([0, 1], {"bert": [0, 1], "crf": [1, 1]}),
        "tables to add hold different models: 'bert', 'svm' and 'bert', 'crf'; both must hold the same ones",
    ),
    "add other kinds": (
        lambda: SETS + THREE,
        "tables to add differ in kind: one is multi-label, the other has one label per row",
    ),
    "add other negatives": (
        lambda: BARE + BINARY,
        "tables to add differ: one counts true negatives, the other does not; give tn to both or neither",
    ),
    "add other groups": (
        lambda: BINARY + hs.table([0, 1], [0, 1], groups=[1, 2]),
        "tables to add differ: one has groups, the other has none; give groups to both or neither",
    ),
    "add other positives": (
        lambda: hs.table(["x", "y"], ["x", "y"], pos_label="x") + hs.table(["x", "y"], ["x", "y"], pos_label="y"),
        "tables to add have different positive classes: 'x' and 'y'",
    ),
    "no model": (lambda: hs.table([0, 1], {}), "y_pred holds no model; give at least one column of predictions"),
    "models of one name": (
        lambda: hs.table([0, 1], {1: [0, 1], "1": [1, 1]}),
        "y_pred names models that read the same as text: 1, '1'; give each its own name",
    ),
    "sets of two sizes": (
        lambda: hs.table([{"a"}, {"b"}], {"one": [{"a"}]}),
        'truth has 2 rows; prediction "one" has 1 rows: they must describe the same rows in the same order',
    ),
    "sets of two types": (
        lambda: hs.table([{"a"}, {1}], [{"a"}, {1}]),
        "label sets mix the types int, str; use one type throughout",
    ),
    "a set that is none": (
        lambda: hs.table([{"a"}, "b"], [{"a"}, {"b"}]),
        "truth has 'b' in row 1; each row must be a set or list of labels",
    ),
    "a label not listed": (
        lambda: hs.table([{"a"}, {"b"}], [{"a"}, {"c"}], labels=["a", "b"]),
        "prediction \"model\" has the label 'c' in row 1; labels are 'a', 'b'",
    ),
    "indicators of two widths": (
        lambda: hs.table(np.eye(3), np.eye(3)[:, :2]),
        'prediction "model" has the shape (3, 2); it must have one row per item and 3 columns, one per label',
    ),
    "scores for indicators": (
        lambda: hs.table(np.eye(2), np.eye(2) * 0.7),
        'prediction "model" is an indicator matrix with values other than 0 and 1; threshold scores first',
    ),
    "indicators of other labels": (
        lambda: hs.table(pd.DataFrame(np.eye(2), columns=["a", "b"]), pd.DataFrame(np.eye(2), columns=["a", "c"])),
        "prediction \"model\" has the columns 'a', 'c', but the labels are 'a', 'b'; give one column per label",
    ),
}

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "level": (
        lambda: hs.estimate(BINARY, "f1", level=95),
        "level is 95; it must lie strictly between 0 and 1, such as 0.95",
    ),
    "side": (
        lambda: hs.estimate(BINARY, "f1", side="left"),  # type: ignore[arg-type]
        "side is 'left'; it must be one of 'both', 'lower', 'upper'",
    ),
    "undefined": (
        lambda: hs.estimate(BINARY, "f1", undefined="drop"),  # type: ignore[arg-type]
        "undefined is 'drop'; it must be one of 'nan', 'skip', 'zero'",
    ),
    "not a table": (
        lambda: hs.estimate([[1, 2], [3, 4]], "f1"),  # type: ignore[arg-type]
        "table is of type list; make a Table first: howsure.table(y_true, y_pred), "
        "howsure.counts(tp=…, fp=…, fn=…), howsure.matrix(…, rows=…) or howsure.read(file)",
    ),
    "no metrics": (
        lambda: hs.report(BINARY, []),
        "metrics is empty; name at least one, or leave it out for the usual ones",
    ),
    "weights of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], weights="cubic"),
        "weights is 'cubic'; it must be one of None, 'linear', 'quadratic'",
    ),
    "labels of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], labels=[5, 6]),
        "labels 5, 6 occur in no row; name labels that do: 0, 1",
    ),
    "average": (
        lambda: scores.f1_score([0, 1], [0, 1], average="mean"),
        "average is 'mean'; it must be one of None, 'binary', 'micro', 'macro', 'weighted', 'samples'",
    ),
    "samples of one label": (
        lambda: scores.f1_score([0, 1], [0, 1], average="samples"),
        "average is 'samples', which is for multi-label input; each row here has one label",
    ),
    "binary of three": (
        lambda: scores.f1_score([0, 1, 2], [0, 1, 1]),
        "average is 'binary', but the data are 3 labels (0, 1, 2); choose average='macro', 'micro', 'weighted' or None",
    ),
    "binary of sets": (
        lambda: scores.f1_score(np.eye(2), np.eye(2)),
        "average is 'binary', but the data are multi-label; choose average='macro', 'micro', 'weighted' or None",
    ),
    "positive label": (
        lambda: scores.f1_score(["no", "yes"], ["no", "no"]),
        "pos_label is 1, which is not among the labels 'no', 'yes'; pass one of them",
    ),
    "zero division": (
        lambda: scores.f1_score([0, 1], [0, 1], zero_division=0.5),
        "zero_division is 0.5; it must be 'warn', 0, 1 or nan",
    ),
    "target names": (
        lambda: scores.classification_report([0, 1], [0, 1], target_names=["zero"]),
        "target_names has 1 names but there are 2 labels; give one name per label",
    ),
}


@pytest.mark.parametrize("case", METRICS)
def test_metric_message(case: str) -> None:
    call, message = METRICS[case]
    with pytest.raises(hs.MetricError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("case", TABLES)
def test_table_message(case: str) -> None:
    call, message = TABLES[case]
    with pytest.raises(hs.HowsureError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("case", CALLS)
def test_call_message(case: str) -> None:
    call, message = CALLS[case]
    with pytest.raises(hs.InputError) as caught:
        call()
    assert str(caught.value) == message


def test_unknown_metric_lists_what_there_is() -> None:
    with pytest.raises(hs.MetricError) as caught:
        named("precison")
    message = str(caught.value)
    assert message.startswith("metric 'precison' is not known. Did you mean 'precision'? Known: 'accuracy', ")
    assert message.endswith(
        "'exact_match'; also 'f<beta>', 'tversky(a,b)', 'ppv_at(prevalence)', 'npv_at(prevalence)', "
        "averages 'macro_…', 'micro_…', 'weighted_…', 'samples_…', and one class as 'name[label]'."
    )


def test_unknown_method_suggests_the_nearest() -> None:
    with pytest.raises(hs.MethodError) as caught:
        hs.estimate(BINARY, "f1", method="wold")
    assert str(caught.value).startswith("method 'wold' is not known. Did you mean 'wald'? Known: ")


def test_a_typed_name_is_never_run() -> None:
    for text in ("__import__('os')", "f1; print(1)", "tversky(__import__,1)", "lambda c: 1"):
        with pytest.raises(hs.MetricError):
            named(text)


def test_adding_what_is_no_table() -> None:
    with pytest.raises(TypeError):
        BINARY + 3


def test_every_error_is_a_value_error() -> None:
    for error in (hs.HowsureError, hs.InputError, hs.MetricError, hs.MethodError):
        assert issubclass(error, ValueError)


NOTES: dict[str, tuple[Callable[[], hs.Estimate], str, str]] = {
    "never predicted": (
        lambda: hs.estimate(hs.counts(tp=0, fp=0, fn=3, tn=9), "precision", method="wald"),
        "undefined",
        "precision is undefined (0/0): class 1 is never predicted",
    ),
    "never true": (
        lambda: hs.estimate(hs.counts(tp=0, fp=2, fn=0, tn=9), "recall", method="wald"),
        "undefined",
        "recall is undefined (0/0): class 1 is never true",
    ),
    "neither": (
        lambda: hs.estimate(hs.counts(tp=0, fp=0, fn=0, tn=9), "f1", method="wald"),
        "undefined",
        "f1 is undefined (0/0): class 1 is never true and never predicted",
    ),
    "predicted for every row": (
        lambda: hs.estimate(hs.counts(tp=2, fp=3, fn=0, tn=0), "npv", method="wald"),
        "undefined",
        "npv is undefined (0/0): class 1 is predicted for every row",
    ),
    "one class in all": (
        lambda: hs.estimate(LOPSIDED, "mcc", method="wald"),
        "undefined",
        "mcc is undefined (0/0): class 'a' is predicted for every row",
    ),
    "pooled classes that never occur": (
        lambda: hs.estimate(hs.matrix(np.diag([5, 0, 0]), rows="truth"), "micro_f1[1,2]", method="wald"),
        "undefined",
        "micro_f1[1,2] is undefined (0/0): each of the classes 1, 2 is never true and never predicted",
    ),
    "average": (
        lambda: hs.estimate(LOPSIDED, "macro_precision", method="wald"),
        "undefined",
        "precision is 0/0 for 'b' (class 'b' is never predicted), so the average is undefined; "
        'undefined="skip" leaves such classes out, "zero" counts them as zero',
    ),
    "skipped": (
        lambda: hs.estimate(LOPSIDED, "macro_precision", undefined="skip", method="wald"),
        "undefined",
        "precision is 0/0 for 'b' (class 'b' is never predicted), "
        "left out of the average, which is over 1 of 2 classes",
    ),
    "zero": (
        lambda: hs.estimate(LOPSIDED, "macro_precision", undefined="zero", method="wald"),
        "undefined",
        "precision is 0/0 for 'b' (class 'b' is never predicted), counted as zero",
    ),
    "without weight": (
        lambda: hs.estimate(hs.matrix([[3, 2], [0, 0]], rows="truth"), "weighted_recall", method="wald"),
        "undefined",
        "recall is 0/0 for 1 (class 1 is never true), without weight in the average",
    ),
    "no rows": (
        lambda: hs.estimate(hs.counts(tp=0, fp=0, fn=0, tn=0), "accuracy", method="wald"),
        "undefined",
        "accuracy is undefined: the table holds no rows",
    ),
    "empty sets": (
        lambda: hs.estimate(hs.table([{"a"}, set()], [{"a"}, set()]), "samples_f1", method="wald"),
        "undefined",
        "samples_f1: 1 rows have neither true nor predicted labels (0/0), so the average is undefined",
    ),
    "infinite": (
        lambda: hs.estimate(hs.counts(tp=5, fp=0, fn=1, tn=9), "lr_plus", method="wald"),
        "boundary",
        "lr_plus is infinite: its denominator is zero, so there is no standard error",
    ),
    "no slope": (
        lambda: hs.estimate(hs.matrix([[0, 3], [1, 9]], rows="truth"), "g_mean[1]", method="wald"),
        "boundary",
        "g_mean[1] has no finite slope at 0, hence no standard error",
    ),
    "perfect": (
        lambda: hs.estimate(hs.counts(tp=5, fp=0, fn=0, tn=9), "f1", method="wald"),
        "degenerate",
        "the Wald interval has no width: no row moves f1 at 1. That is no certainty; "
        "another method gives a proper interval",
    ),
    "overshoot": (
        lambda: hs.estimate(hs.counts(tp=9, fp=1, fn=0, tn=2), "precision", method="wald"),
        "overshoot",
        "the Wald interval leaves the range of precision; it is shown as computed",
    ),
    "tie": (
        lambda: hs.estimate(hs.counts(tp=9, fp=3, fn=3, tn=2), "overlap", method="wald"),
        "kink",
        "overlap: the numbers of true and of predicted positives are equal, where the formula has a kink; "
        "the standard error is too small there and the limit law is not normal",
    ),
    "tie in an average": (
        lambda: hs.estimate(
            hs.matrix([[500, 3, 90], [3, 500, 9], [1, 9, 500]], rows="truth", labels=list("abc")), "macro_overlap",
            method="wald",
        ),
        "kink",
        "macro_overlap: the numbers of true and of predicted rows of 'b' are equal, where the formula has a kink; "
        "the standard error is too small there and the limit law is not normal",
    ),
    "one group": (
        lambda: hs.estimate(hs.table([0, 1], [1, 1], groups=[7, 7]), "accuracy", method="wald"),
        "groups",
        "all rows belong to one group, so the spread between groups is unknown; give more groups",
    ),
    "few groups": (
        lambda: hs.estimate(hs.table([0, 1, 1, 0], [1, 1, 0, 0], groups=[7, 7, 8, 9]), "accuracy", method="wald"),
        "few groups",
        "only 3 groups: below about 30 a cluster-robust error is itself uncertain",
    ),
    "groups": (
        lambda: hs.estimate(hs.table([0, 1, 1, 0], [1, 1, 0, 0], groups=[7, 7, 8, 9]), "accuracy", method="wald"),
        "groups",
        "4 rows in 3 groups: design effect 0.75, worth 5 independent rows; Student's t with 2 degrees of freedom",
    ),
    "weights": (
        lambda: hs.estimate(hs.table([0, 1], [1, 1], sample_weight=[1, 3]), "accuracy", method="wald"),
        "weights",
        "rows carry sampling weights: worth 2.7 independent rows for accuracy",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTES)
def test_note(case: str) -> None:
    call, kind, text = NOTES[case]
    found = [note for note in call().notes if note.kind == kind]
    assert [str(note) for note in found] == [text]


def test_a_tie_by_construction_is_no_tie() -> None:
    """Micro overlap over all classes: false positives and false negatives are the same rows."""
    found = hs.estimate(THREE, "micro_overlap", method="wald")
    assert "kink" not in {note.kind for note in found.notes}


def test_counts_beyond_double_precision_are_refused() -> None:
    rule = "above 2**53 (about 9.0e15) neighbouring counts cannot be told apart; divide all counts by a common factor"
    with pytest.raises(hs.InputError) as caught:
        hs.counts(tp=1e19, fp=1, fn=1)
    assert str(caught.value) == f"tp is 1e+19; {rule}"
    with pytest.raises(hs.InputError) as caught:
        hs.matrix([[1e19, 0], [0, 1]], rows="truth")
    assert str(caught.value) == f"counts sum to 1e+19; {rule}"
