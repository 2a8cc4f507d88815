"""Notes on what people get wrong without noticing: each where it matters, and none where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs

COMMON = [1] * 45 + [0] * 5  # the positive class is 90 % of the rows
GUESSED = [1] * 44 + [0] * 4 + [1, 0]


def told(found: Any, kind: str) -> list[str]:
    return [str(note) for note in found.notes if note.kind == kind]


# --- a class that is never true --------------------------------------------------------------------------------------

STRANGE = hs.table([0, 1, 1, 0, 1], [0, 1, 2, 0, 1])


@pytest.mark.parametrize("metric", ["macro_precision", "macro_f1", "macro_f1_star", "macro_jaccard"])
def test_a_class_that_is_predicted_and_never_true_is_named(metric: str) -> None:
    assert told(hs.estimate(STRANGE, metric, undefined="zero"), "never true") == [
        "class 2 is predicted but never true: it counts as 0 in macro averages; check that truth and prediction are "
        "not swapped, or average without it"
    ]


@pytest.mark.parametrize("metric", ["macro_recall", "weighted_precision", "micro_f1", "accuracy", "kappa", "f1[2]"])
def test_a_class_that_is_never_true_is_not_named_where_it_adds_no_zero(metric: str) -> None:
    assert not told(hs.estimate(STRANGE, metric), "never true")


def test_without_the_strange_class_there_is_no_note() -> None:
    assert not told(hs.estimate(STRANGE, hs.macro("f1", without=[2])), "never true")
    several = hs.table(["a", "b", "a", "b"], ["a", "c", "d", "b"])
    assert "classes 'c', 'd' are predicted but never true: they count" in told(
        hs.estimate(several, "macro_f1"), "never true"
    )[0]  # fmt: skip


def test_a_report_says_it_once() -> None:
    assert str(hs.report(STRANGE)).count("predicted but never true") == 1


# --- the positive class is the common one ----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "npv", "jaccard"])
def test_a_common_positive_class_that_nobody_chose_is_pointed_out(metric: str) -> None:
    assert told(hs.estimate(hs.table(COMMON, GUESSED), metric), "majority") == [
        "the positive class is 1, which 90% of rows are; give pos_label=0 for the rare class, or pos_label=1 to confirm"
    ]


def test_a_positive_class_that_was_chosen_is_not_questioned(tmp_path: Path) -> None:
    for table in (
        hs.table(COMMON, GUESSED, pos_label=1),
        hs.counts(tp=44, fp=1, fn=1, tn=4),
        hs.matrix([[4, 1], [1, 44]], rows="truth", pos_label=1),
        hs.table([1 - label for label in COMMON], [1 - label for label in GUESSED]),  # the rare class is positive
        hs.table([1] * 39 + [0] * 11, [1] * 39 + [0] * 11),  # 78 %
    ):
        assert not told(hs.estimate(table, "f1"), "majority")


@pytest.mark.parametrize("metric", ["accuracy", "mcc", "kappa", "balanced_accuracy", "macro_f1", "f1[1]"])
def test_metrics_that_treat_both_classes_alike_have_no_wrong_class(metric: str) -> None:
    assert not told(hs.estimate(hs.table(COMMON, GUESSED), metric), "majority")


def test_files_and_matrices_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("truth,prediction\n" + "".join(f"{a},{b}\n" for a, b in zip(COMMON, GUESSED, strict=True)))
    typed = hs.matrix([[4, 1], [1, 44]], rows="truth")
    assert all(told(hs.estimate(table, "f1"), "majority") for table in (hs.read(path), typed))
    assert not told(hs.estimate(hs.read(path, pos_label=1), "f1"), "majority")


# --- few rows behind a share -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "metric", "text"),
    [
        ((4, 2, 30, 472), "precision", "precision rests on 6 predicted positives of 508 rows"),
        ((4, 30, 2, 472), "recall", "recall rests on 6 actual positives of 508 rows"),
        ((472, 2, 30, 4), "specificity", "specificity rests on 6 actual negatives of 508 rows"),
        ((472, 30, 1, 0), "npv", "NPV rests on 1 predicted negative of 503 rows"),
        ((4, 2, 30, 472), "false_discovery_rate", "false discovery rate rests on 6 predicted positives of 508 rows"),
    ],
)
def test_a_share_of_few_rows_says_how_many(cells: tuple[int, ...], metric: str, text: str) -> None:
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    assert told(hs.estimate(table, metric), "few rows") == [text]


def test_no_word_where_n_is_what_counts() -> None:
    few = hs.counts(tp=4, fp=2, fn=30, tn=472)
    assert not told(hs.estimate(few, "accuracy"), "few rows")
    assert not told(hs.estimate(few, "recall"), "few rows")  # of 34
    assert not told(hs.estimate(hs.counts(tp=4, fp=2, fn=3, tn=5), "precision"), "few rows")  # 6 of 14: n tells it
    assert not told(hs.estimate(hs.counts(tp=15, fp=5, fn=3, tn=900), "precision"), "few rows")  # 20


# --- weights ---------------------------------------------------------------------------------------------------------


def balancing(truth: list[int]) -> np.ndarray:
    """Return scikit-learn's class_weight='balanced': n / (K · rows of the class)."""
    sizes = np.bincount(truth)
    return len(truth) / (len(sizes) * sizes[truth])


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_weights_that_balance_the_classes_are_asked_about(kind: Any) -> None:
    table = hs.table(COMMON, GUESSED, sample_weight=balancing(COMMON).astype(kind))
    (text,) = told(hs.estimate(table, "f1"), "balanced weights")
    assert text.startswith("the weights give every true class the same sum, as class_weight='balanced' does")


def test_other_weights_are_not_asked_about() -> None:
    random = np.random.default_rng(3).uniform(1, 2, 50)
    even = [0, 1] * 25  # balanced as they are
    for truth, weight in ((COMMON, random), (COMMON, np.full(50, 2.0)), (even, np.full(50, 0.5))):
        found = hs.estimate(hs.table(truth, GUESSED, sample_weight=weight, pos_label=1), "f1")
        assert not told(found, "balanced weights")
    # Each class has the same sum, but rows of one class differ: no class weights.
    uneven = balancing(COMMON) * np.where(np.arange(50) == 0, 1.5, 1.0)
    uneven[1] -= uneven.sum() - 50
    assert not told(hs.estimate(hs.table(COMMON, GUESSED, sample_weight=uneven), "f1"), "balanced weights")


@pytest.mark.parametrize("pairing", ["paired", "independent"])
def test_a_bayes_test_of_weighted_rows_says_what_it_does_with_them(pairing: Any) -> None:
    both = {"a": GUESSED, "b": COMMON[::-1]}
    weighted = hs.table(COMMON, both, sample_weight=np.linspace(1, 3, 50))
    (text,) = told(hs.bayes_test(weighted, metric="recall", pairing=pairing), "weights")
    assert text.startswith("rows carry sampling weights, which the posterior takes for fewer rows of equal weight")
    assert not told(hs.bayes_test(hs.table(COMMON, both), metric="recall", pairing=pairing), "weights")
