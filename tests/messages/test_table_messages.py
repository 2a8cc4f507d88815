"""Every message about tables, word for word: which argument, what came, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import howsure as hs
from support.refusals import refusal

BINARY = hs.counts(tp=7, fp=2, fn=1, tn=5)
BARE = hs.counts(tp=7, fp=2, fn=1)
THREE = hs.matrix(np.ones((3, 3)), rows="truth", labels=["ant", "bee", "cat"])
SETS = hs.table([{"a"}, {"a", "b"}], [{"a"}, {"b"}])
MODELS = hs.table([0, 1], {"bert": [0, 1], "svm": [1, 1]})


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
    "count in quotes": (
        lambda: hs.counts(tp="7", fp=0, fn=1),  # type: ignore[arg-type]
        "tp is '7'; it must be a number, zero or larger",
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


@pytest.mark.parametrize("case", TABLES)
def test_table_message(case: str) -> None:
    call, message = TABLES[case]
    assert refusal(call) == message


def test_adding_what_is_no_table() -> None:
    with pytest.raises(TypeError):
        BINARY + 3


def test_counts_beyond_double_precision_are_refused() -> None:
    rule = "above 2**53 (about 9.0e15) neighbouring counts cannot be told apart; divide all counts by a common factor"
    with pytest.raises(hs.InputError) as caught:
        hs.counts(tp=1e19, fp=1, fn=1)
    assert str(caught.value) == f"tp is 1e+19; {rule}"
    with pytest.raises(hs.InputError) as caught:
        hs.matrix([[1e19, 0], [0, 1]], rows="truth")
    assert str(caught.value) == f"counts sum to 1e+19; {rule}"
