"""Every note on an estimate, word for word: what is undefined, degenerate, tied or weighted, and why."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs

THREE = hs.matrix(np.ones((3, 3)), rows="truth", labels=["ant", "bee", "cat"])
LOPSIDED = hs.matrix([[3, 0], [2, 0]], rows="truth", labels=["a", "b"])


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
        "F1 is undefined (0/0): class 1 is never true and never predicted",
    ),
    "predicted for every row": (
        lambda: hs.estimate(hs.counts(tp=2, fp=3, fn=0, tn=0), "npv", method="wald"),
        "undefined",
        "NPV is undefined (0/0): class 1 is predicted for every row",
    ),
    "one class in all": (
        lambda: hs.estimate(LOPSIDED, "mcc", method="wald"),
        "undefined",
        "MCC is undefined (0/0): class 'a' is predicted for every row",
    ),
    "pooled classes that never occur": (
        lambda: hs.estimate(hs.matrix(np.diag([5, 0, 0]), rows="truth"), "micro_f1[1,2]", method="wald"),
        "undefined",
        "micro F1 [1,2] is undefined (0/0): each of the classes 1, 2 is never true and never predicted",
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
        "samples F1: 1 rows have neither true nor predicted labels (0/0), so the average is undefined",
    ),
    "infinite": (
        lambda: hs.estimate(hs.counts(tp=5, fp=0, fn=1, tn=9), "lr_plus", method="wald"),
        "boundary",
        "LR+ is infinite: its denominator is zero, so there is no standard error",
    ),
    "no slope": (
        lambda: hs.estimate(hs.matrix([[0, 3], [1, 9]], rows="truth"), "g_mean[1]", method="wald"),
        "boundary",
        "g mean [1] has no finite slope at 0, hence no standard error",
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
        "macro overlap: the numbers of true and of predicted rows of 'b' are equal, where the formula has a kink; "
        "the standard error is too small there and the limit law is not normal",
    ),
    "one group": (
        lambda: hs.estimate(hs.table([0, 1], [1, 1], groups=[7, 7]), "accuracy", method="wald"),
        "groups",
        "all rows belong to one group, so the spread between them is unknown; give more",
    ),
    "few groups": (
        lambda: hs.estimate(hs.table([0, 1, 1, 0], [1, 1, 0, 0], groups=[7, 7, 8, 9]), "accuracy", method="wald"),
        "few groups",
        "only 3 groups: below about 30 an interval for clustered rows is uncertain",
    ),
    "groups": (
        lambda: hs.estimate(hs.table([0, 1, 1, 0], [1, 1, 0, 0], groups=[7, 7, 8, 9]), "accuracy", method="wald"),
        "groups",
        "Rows of one group are no more alike than others: for accuracy, 4 rows count like 5.",
    ),
    "degrees": (
        lambda: hs.estimate(hs.table([0, 1, 1, 0], [1, 1, 0, 0], groups=[7, 7, 8, 9]), "accuracy", method="wald"),
        "degrees",
        "4 rows in 3 groups: design effect 0.75, Student's t with 2 degrees of freedom",
    ),
    "weights": (
        lambda: hs.estimate(hs.table([0, 1], [1, 1], sample_weight=[1, 3]), "accuracy", method="wald"),
        "weights",
        "rows carry sampling weights: for accuracy, 2 rows count like 3 drawn evenly",
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
