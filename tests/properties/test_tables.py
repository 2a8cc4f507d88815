"""Tables: what counts and matrices become, and that adding, splitting, picking and relabelling lose nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from support.strategies import LETTERS, count_matrices, lettered, some

ROWS = st.lists(
    st.tuples(*[st.sampled_from("abcd")] * 3, st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=30
)


def table_of(rows: list[tuple[str, str, str, int, int]], **more: object) -> hs.Table:
    truth, first, second, group, weight = (list(column) for column in zip(*rows, strict=True))
    return hs.table(truth, {"one": first, "two": second}, groups=group, sample_weight=weight, **more)


def contents(table: hs.Table) -> dict[tuple[object, ...], tuple[float, float, float]]:
    """Return what a table says, by names: (group, truth, predictions) → count, weight, square."""
    found = {}
    for index in range(len(table.rows)):
        group = None if table.groups is None else table.group_labels[table.groups[index]]
        labels = [table.labels[code] for code in (table.rows.truth[index], *table.rows.predictions[index])]
        if table.counts[index]:
            found[(group, *labels)] = (table.counts[index], table.weights[index], table.squares[index])
    return found


@given(ROWS, st.integers(0, 30))
def test_splitting_and_adding_is_the_table_of_both(rows: list[tuple[str, str, str, int, int]], cut: int) -> None:
    """Whatever labels and groups the two parts happen to hold."""
    cut = min(cut, len(rows))
    parts = [part for part in (rows[:cut], rows[cut:]) if part]
    added = sum(table_of(part) for part in parts)
    whole = table_of(rows)
    assert contents(added) == contents(whole)
    assert added.labels == whole.labels
    assert (added.n, added.n_groups, added.models) == (whole.n, whole.n_groups, whole.models)
    for name in ("accuracy", "macro_f1", "weighted_recall"):
        ours, theirs = (hs.estimate(table, name, method="wald", model="two") for table in (added, whole))
        assert (ours.value, ours.se) == pytest.approx((theirs.value, theirs.se), rel=1e-12, nan_ok=True)


@some(2)
@given(ROWS)
def test_picking_a_model_is_the_table_of_that_model(rows: list[tuple[str, str, str, int, int]]) -> None:
    truth, first, second, group, weight = (list(column) for column in zip(*rows, strict=True))
    for name, column in (("one", first), ("two", second)):
        alone = hs.table(truth, {name: column}, groups=group, sample_weight=weight, labels=list("abcd"))
        assert contents(table_of(rows, labels=list("abcd")).pick(name)) == contents(alone)


@some(2)
@given(ROWS)
def test_dropping_groups_is_never_having_had_them(rows: list[tuple[str, str, str, int, int]]) -> None:
    truth, first, second, _, weight = (list(column) for column in zip(*rows, strict=True))
    plain = hs.table(truth, {"one": first, "two": second}, sample_weight=weight)
    assert contents(table_of(rows).without_groups()) == contents(plain)


@given(count_matrices())
def test_rows_says_the_orientation(counts: np.ndarray) -> None:
    assert np.array_equal(hs.matrix(counts, rows="truth").matrix(), counts)
    assert np.array_equal(hs.matrix(counts, rows="prediction").matrix(), counts.T)


@given(count_matrices(), count_matrices())
def test_adding_matrices_of_different_sizes(first: np.ndarray, second: np.ndarray) -> None:
    width = max(len(first), len(second))
    expected = np.zeros((width, width))
    for part in (first, second):
        expected[: len(part), : len(part)] += part
    added = hs.matrix(first, rows="truth", labels=LETTERS[: len(first)]) + hs.matrix(
        second, rows="truth", labels=LETTERS[: len(second)]
    )
    assert np.array_equal(added.matrix(), expected)
    assert added.labels == LETTERS[:width]


@given(count_matrices())
def test_one_class_against_the_rest(counts: np.ndarray) -> None:
    table = lettered(counts)
    for index, label in enumerate(table.labels):
        one = table.binary(label)
        tp, fp, fn = counts[index, index], counts[:, index].sum() - counts[index, index], counts[index].sum()
        assert (one.tp, one.fp, one.fn) == (tp, fp, fn - tp)
        assert one.tn == counts.sum() - fp - fn
        assert (one.labels, one.pos_label) == ((0, 1), 1)


@given(count_matrices(classes=st.integers(3, 5)))
def test_merging_classes_adds_their_rows_and_columns(counts: np.ndarray) -> None:
    merged = lettered(counts).relabel({"b": "a"})
    fold = np.zeros((len(counts) - 1, len(counts)))
    fold[0, :2] = 1
    fold[np.arange(1, len(counts) - 1), np.arange(2, len(counts))] = 1
    assert np.array_equal(merged.matrix(), fold @ counts @ fold.T)
    assert merged.labels == ("a", *LETTERS[2 : len(counts)])


def test_counts_and_matrix_agree() -> None:
    typed = hs.counts(tp=77, fp=44, fn=10, tn=702)
    assert np.array_equal(typed.matrix(), [[702, 44], [10, 77]])
    assert (typed.tp, typed.fp, typed.fn, typed.tn, typed.n) == (77, 44, 10, 702, 833)
    assert (typed.labels, typed.pos_label, typed.models) == ((0, 1), 1, ("model",))


def test_cells_follow_the_positive_class() -> None:
    table = hs.matrix([[7, 4], [1, 9]], rows="truth", labels=["yes", "no"], pos_label="yes")
    assert (table.tp, table.fn, table.fp, table.tn) == (7, 4, 1, 9)


def test_counts_without_true_negatives() -> None:
    table = hs.counts(tp=77, fp=44, fn=10)
    assert (table.tp, table.fp, table.fn, table.n) == (77, 44, 10, 131)
    assert np.isnan(table.tn)
    assert not table.negatives
    assert hs.estimate(table, "f1").value == hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1").value


def test_fractional_counts_are_kept() -> None:
    table = hs.counts(tp=1.5, fp=0.25, fn=0, tn=2)
    assert table.n == 3.75
    assert hs.estimate(table, "precision").value == pytest.approx(1.5 / 1.75, rel=1e-15)
    assert hs.matrix([[0.1, 0.2], [0.3, 0.8]], rows="truth").n == pytest.approx(1.4)


def test_shares_are_no_counts() -> None:
    """Fractions that sum to 1 are shares of rows: an interval rests on how many rows there were."""
    shares = [[0.1, 0.2], [0.3, 0.4]]
    with pytest.raises(hs.InputError, match="pass n=, the number of rows"):
        hs.matrix(shares, rows="truth")
    assert hs.matrix(shares, rows="truth", n=50).matrix() == pytest.approx(np.array([[5.0, 10], [15, 20]]))


def test_model_name_is_kept() -> None:
    assert hs.counts(tp=1, fp=1, fn=1, model="svm").models == ("svm",)
    assert hs.matrix([[1, 0], [0, 1]], rows="truth", model="svm").model == "svm"


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([0, 1], 1), ([1, 0], 1), ([-1, 1], 1), ([False, True], True),
        ([1, 2], None), (["0", "1"], None), ([0, 1, 2], None),
    ],
)  # fmt: skip
def test_positive_class_is_known_or_must_be_said(labels: list[object], positive: object) -> None:
    table = hs.matrix(np.eye(len(labels)), rows="truth", labels=labels)
    assert table.pos_label is positive or table.pos_label == positive


def test_positive_class_follows_the_labels_of_a_sum() -> None:
    """A positive class that was never said, only implied by {0, 1}, does not outlive a third label."""
    two, three = hs.table([0, 1], [1, 1]), hs.table([0, 2, 1], [1, 1, 2])
    assert two.pos_label == 1
    for added in (two + three, three + two):
        assert added.pos_label is None
        with pytest.raises(hs.MetricError, match="there are 3 labels"):
            hs.estimate(added, "f1")
    assert two.with_labels([0, 1, 2]).pos_label is None
    assert (two + hs.table([0, 2, 1], [1, 1, 2], pos_label=1)).pos_label == 1


def test_positive_class_follows_a_renaming() -> None:
    words = hs.matrix([[5, 1], [2, 7]], rows="truth", labels=["no", "yes"])
    assert words.pos_label is None
    numbers = words.relabel({"no": 0, "yes": 1})
    assert numbers.pos_label == 1
    assert numbers.relabel({0: "no", 1: "yes"}).pos_label == "yes"
    assert hs.matrix(np.ones((3, 3)), rows="truth").relabel({2: 1}).pos_label == 1


def test_frames_bring_their_labels() -> None:
    counts = [[2, 5, 0], [2, 70, 2], [2, 2, 15]]
    expected = hs.matrix(counts, rows="truth", labels=list("abc"))
    framed = pd.DataFrame(counts, columns=list("abc"))
    for frame in (framed, framed.set_axis(list("abc"), axis=0), pl.DataFrame(counts, schema=list("abc"), orient="row")):
        table = hs.matrix(frame, rows="truth")
        assert table.labels == expected.labels
        assert np.array_equal(table.matrix(), expected.matrix())


def test_crosstab_of_pandas_is_read_in_its_orientation() -> None:
    truth, guess = list("aabbcc"), list("abbbca")
    cross = pd.crosstab(pd.Series(guess, name="guess"), pd.Series(truth, name="truth"))
    table = hs.matrix(cross, rows="prediction")
    assert np.array_equal(table.matrix(), hs.table(truth, guess).matrix())


def test_labels_of_numpy_become_plain() -> None:
    table = hs.matrix(np.eye(2), rows="truth", labels=np.array([3, 4]))
    assert [type(label) for label in table.labels] == [int, int]


def test_weights_that_happen_to_sum_to_the_counts_are_weights() -> None:
    """0.5 and 1.5 on two equal rows sum to 2; their squares do not, and the error must know."""
    table = hs.table([1, 1, 0, 0], [1, 1, 1, 0], sample_weight=[0.5, 1.5, 1, 1])
    assert np.array_equal(table.weights, table.counts)
    assert table.weighted
    again = table + hs.table([1], [1])
    assert again.squares.sum() == pytest.approx(0.25 + 2.25 + 1 + 1 + 1)
    assert hs.estimate(table, "accuracy").design_effect > 1


def test_unknown_negatives_stay_unknown() -> None:
    table = hs.counts(tp=7, fp=4, fn=1)
    added = table + table
    assert (added.tp, added.fp, added.fn) == (14, 8, 2)
    assert np.isnan(added.tn)
    assert table.relabel({0: "no", 1: "yes"}).tp == 7
    assert table.binary(1).tp == 7


@given(ROWS, st.sampled_from([0.3688, 2.0, 1e6]))
def test_scaled_counts(rows: list[tuple[str, str, str, int, int]], factor: float) -> None:
    """As if every row had come ``factor`` times: the value stays, independent rows have a smaller error."""
    table = table_of(rows).without_groups()
    before, after = (hs.estimate(one, "accuracy", method="wald", model="one") for one in (table, table.scaled(factor)))
    assert after.n == pytest.approx(factor * len(rows))
    assert (after.value, after.se * factor**0.5) == pytest.approx((before.value, before.se), rel=1e-9, abs=1e-9)


def test_sum_of_chunks_starts_from_nothing() -> None:
    chunks = [hs.table([0, 1, 1], [0, 1, 0]) for _ in range(4)]
    assert sum(chunks).n == 12


def test_models_in_another_order_add_by_name() -> None:
    first = hs.table([0, 1], {"one": [0, 1], "two": [1, 1]})
    second = hs.table([0, 1], {"two": [1, 1], "one": [0, 1]})
    added = first + second
    assert added.models == ("one", "two")
    assert np.array_equal(added.matrix("one"), 2 * first.matrix("one"))


def test_labels_that_never_occur_are_kept() -> None:
    table = hs.table(["a", "b"], ["a", "b"], labels=["c", "b", "a"])
    assert table.labels == ("c", "b", "a")
    assert table.matrix().sum() == 2


def test_repr() -> None:
    assert repr(hs.counts(tp=1_000, fp=2, fn=3, tn=4)) == "Table(1,009 rows, 2 labels, 1 model)"
    assert repr(hs.table([0, 1], {"a": [0, 1], "b": [1, 1]}, groups=[1, 2])) == (
        "Table(2 rows, 2 labels, 2 models, 2 groups)"
    )
    assert repr(hs.table(["a"], ["a"], groups=[1])) == "Table(1 row, 1 label, 1 model, 1 group)"
