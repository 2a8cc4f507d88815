"""The counting of rows: against a plain Counter over tuples, on every path."""

from __future__ import annotations

import math
import pickle
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.sources.arrays import counting, counting_sparse
from howsure.sources.arrays.digits import DigitRange, join, split_codes
from howsure.sources.arrays.tabulate import CountedRows, tabulate
from howsure.tables.labels import Labels

Rows = Sequence[tuple[Any, ...]]


def transposed(rows: Rows) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def tally_of(columns: Sequence[Any], **more: Any) -> CountedRows:
    return tabulate(columns[0], {f"m{place}": column for place, column in enumerate(columns[1:])}, **more)


def rows_of(tally: CountedRows) -> list[tuple[Any, ...]]:
    """The distinct rows of a tally as tuples of labels, a group first if there is one."""
    codes = np.column_stack([tally.truth, tally.predictions]).tolist()
    rows = [tuple(tally.labels[code] for code in row) for row in codes]
    if tally.design.groups is None:
        return rows
    return [(tally.design.group_labels[group], *row) for group, row in zip(tally.design.groups, rows, strict=True)]


def check(tally: CountedRows, rows: Rows) -> None:
    """The tally holds each distinct row once, with its count, in lexicographic order of the codes."""
    assert dict(zip(rows_of(tally), tally.design.counts.tolist(), strict=True)) == Counter(rows)
    codes = np.column_stack([tally.truth, tally.predictions])
    codes = codes if tally.design.groups is None else np.column_stack([tally.design.groups, codes])
    listed = codes.tolist()
    assert listed == sorted(listed)
    assert tally.truth.dtype == tally.predictions.dtype == np.min_scalar_type(len(tally.labels) - 1)
    assert tally.design.counts.dtype == np.float64


@st.composite
def tables(draw: st.DrawFn, labels: st.SearchStrategy[Any], *, models: int = 3) -> Rows:
    width = draw(st.integers(2, models + 1))
    return draw(st.lists(st.tuples(*[labels] * width), min_size=1, max_size=60))


small = st.integers(0, 4)
negative = st.integers(-130, 130)
huge = st.sampled_from([-(2**63), -1, 0, 5, 10**12, 2**63 - 1])
words = st.text(st.characters(codec="utf-8"), max_size=4)


@given(tables(small) | tables(negative) | tables(huge) | tables(words) | tables(st.booleans()))
def test_rows_are_counted_as_a_counter_does(rows: Rows) -> None:
    check(tally_of(transposed(rows)), rows)


@given(tables(small) | tables(negative) | tables(huge), st.sampled_from(["i8", ">i8", "i8[::2]"]))
def test_arrays_of_integers(rows: Rows, kind: str) -> None:
    columns = [np.array(column, dtype=kind[:3].rstrip("[")) for column in transposed(rows)]
    if kind.endswith("[::2]"):
        columns = [np.repeat(column, 2)[::2] for column in columns]
    check(tally_of(columns), rows)


@given(tables(st.integers(0, 2**64 - 1)))
def test_unsigned_integers_above_the_signed_range(rows: Rows) -> None:
    check(tally_of([np.array(column, dtype=np.uint64) for column in transposed(rows)]), rows)


@given(tables(small), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows: Rows, random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = tally_of(transposed(rows)), tally_of(transposed(shuffled))
    assert rows_of(one) == rows_of(other)
    assert one.design.counts.tolist() == other.design.counts.tolist()


@given(st.lists(st.tuples(words, small, small, st.floats(0, 100)), min_size=1, max_size=60))
def test_groups_and_weights(rows: Rows) -> None:
    group, truth, prediction, weight = transposed(rows)
    weight[0] += 0.5
    sums: dict[Any, list[float]] = defaultdict(list)
    for key, value in zip(zip(group, truth, prediction, strict=True), weight, strict=True):
        sums[key].append(value)
    tally = tabulate(truth, {"m": prediction}, groups=group, weight=weight)
    check(tally, list(zip(group, truth, prediction, strict=True)))
    assert tally.design.group_labels == tuple(sorted(set(group)))
    found = zip(rows_of(tally), tally.design.weights.tolist(), tally.design.squares.tolist(), strict=True)
    for row, weights, squares in found:
        assert weights == pytest.approx(math.fsum(sums[row]), rel=1e-13)
        assert squares == pytest.approx(math.fsum(value * value for value in sums[row]), rel=1e-13)


def test_without_weights_the_sums_are_the_counts_themselves() -> None:
    for labels in ([0, 1, 1], ["b", "a", "b"], [5, 10**12, 5]):
        tally = tabulate(labels, {"m": labels})
        assert tally.design.weights is tally.design.counts
        assert tally.design.squares is tally.design.counts


@pytest.mark.parametrize(
    ("models", "classes"), [(12, 10), (60, 2), (63, 2), (70, 2), (40, 7), (1, 400), (5, 2), (6, 2), (3, 40)]
)
def test_many_models_and_many_classes(models: int, classes: int) -> None:
    random = np.random.default_rng(models)
    truth = random.integers(0, classes, 1500)
    noise = random.random((1500, models)) < 0.1
    predictions = np.where(noise, random.integers(0, classes, (1500, models)), truth[:, np.newaxis])
    columns = [truth, *predictions.T]
    check(tally_of(columns), list(zip(*(column.tolist() for column in columns), strict=True)))
    check(tally_of(columns, weight=np.full(1500, 2.0)), list(zip(*(c.tolist() for c in columns), strict=True)))


@pytest.mark.parametrize("dtype", ["bool", "i1", "u2", "i4", "i8"])
@pytest.mark.parametrize("models", [1, 4, 9])
def test_two_classes_over_several_blocks(dtype: str, models: int) -> None:
    random = np.random.default_rng(1)
    columns = [random.integers(0, 2, 600_011).astype(dtype) for _ in range(models + 1)]
    tally = tally_of(columns)
    codes = sum(column.astype(np.int64) << place for place, column in enumerate(reversed(columns)))
    expected = np.bincount(codes, minlength=2 ** (models + 1))
    found = tally.truth.astype(np.int64)
    for prediction in tally.predictions.T:
        found = 2 * found + prediction
    assert found.tolist() == np.flatnonzero(expected).tolist()
    assert tally.design.counts.tolist() == expected[expected > 0].tolist()
    assert tally.labels == ((False, True) if dtype == "bool" else (0, 1))


@pytest.mark.parametrize("classes", [2, 3, 100])
@pytest.mark.parametrize("odd", [None, 10, -10])
def test_two_threads(odd: int | None, classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both halves are counted, also where a value in one of them that no sample saw asks for another way."""
    monkeypatch.setattr(counting, "TWO_HANDS", 1000)
    monkeypatch.setattr(counting.os, "cpu_count", lambda: 2)
    rng = np.random.default_rng(7)
    truth, predicted = rng.integers(0, classes, (2, 200_003))
    if odd is not None:
        truth[odd] = classes + 3
    check(tally_of([truth, predicted]), list(zip(truth.tolist(), predicted.tolist(), strict=True)))


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
@pytest.mark.parametrize("classes", [3, 20, 100])
def test_several_classes_over_several_blocks(dtype: str, classes: int) -> None:
    random = np.random.default_rng(2)
    truth, prediction = random.integers(0, classes, (2, 300_007)).astype(dtype)
    table = np.zeros((classes, classes))
    np.add.at(table, (truth, prediction), 1)
    tally = tabulate(truth, {"m": prediction})
    assert tally.design.counts.tolist() == table[table > 0].tolist()
    assert (table[tally.truth, tally.predictions[:, 0]] == tally.design.counts).all()


def test_blocks_of_the_sorting_path_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_sparse, "BLOCK", 64)
    monkeypatch.setattr(counting_sparse, "PENDING", 100)
    monkeypatch.setattr(counting, "DENSE", 0)
    random = np.random.default_rng(3)
    columns = [random.integers(0, 9, 1000) for _ in range(3)]
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    check(tally_of(columns), rows)
    weight = random.random(1000)
    tally = tally_of(columns, weight=weight)
    check(tally, rows)
    for row, found, squares in zip(rows_of(tally), tally.design.weights, tally.design.squares, strict=True):
        chosen = [value for value, other in zip(weight, rows, strict=True) if other == row]
        assert found == pytest.approx(math.fsum(chosen), rel=1e-13)
        assert squares == pytest.approx(math.fsum(value * value for value in chosen), rel=1e-13)


@pytest.mark.parametrize("rare", [2, 250, 256, 65_537, 70_000, 2**32, -7, -1])
@pytest.mark.parametrize("place", [1, 4999, 9998])
@pytest.mark.parametrize("classes", [2, 5])
def test_a_value_that_the_sample_of_rows_misses(rare: int, place: int, classes: int) -> None:
    random = np.random.default_rng(4)
    truth, prediction = random.integers(0, classes, (2, 10_000))
    prediction[place] = rare
    check(tabulate(truth, {"m": prediction}), list(zip(truth.tolist(), prediction.tolist(), strict=True)))


def test_types_of_different_range_do_not_wrap_into_each_other() -> None:
    truth = np.array([-5, -4, -3, 0, 1, 127] * 2, dtype=np.int8)
    prediction = np.array([255, 252, 253, 0, 1, 251, 0, 1, 2, 3, 4, 5], dtype=np.uint8)
    check(tabulate(truth, {"m": prediction}), list(zip(truth.tolist(), prediction.tolist(), strict=True)))


def test_the_whole_signed_range_in_one_column() -> None:
    truth = np.array([-(2**63), 2**63 - 1, 0], dtype=np.int64)
    check(tabulate(truth, {"m": truth[::-1]}), list(zip(truth.tolist(), truth[::-1].tolist(), strict=True)))


def test_integers_beyond_64_bits() -> None:
    truth, prediction = [2**70, 1, 2**64], [1, 1, -(2**80)]
    tally = tabulate(truth, {"m": prediction})
    check(tally, list(zip(truth, prediction, strict=True)))
    assert tally.labels == (-(2**80), 1, 2**64, 2**70)


@pytest.mark.parametrize("distinct", [2, 200, 900])
def test_long_columns_of_integers_far_apart(distinct: int) -> None:
    random = np.random.default_rng(5)
    values = random.integers(-(2**62), 2**62, distinct)
    truth, prediction = values[random.integers(0, distinct, (2, 20_000))]
    check(tabulate(truth, {"m": prediction}), list(zip(truth.tolist(), prediction.tolist(), strict=True)))
    check(
        tabulate(truth % 3, {"m": prediction % 3}, groups=truth),
        list(zip(truth.tolist(), (truth % 3).tolist(), (prediction % 3).tolist(), strict=True)),
    )


def test_more_groups_than_fit_a_full_table() -> None:
    random = np.random.default_rng(6)
    group = random.permutation(30_000)[random.integers(0, 30_000, 20_000)]
    truth, prediction = random.integers(0, 20, (2, 20_000))
    tally = tabulate(truth, {"m": prediction}, groups=group)
    check(tally, list(zip(group.tolist(), truth.tolist(), prediction.tolist(), strict=True)))
    assert tally.design.group_labels == tuple(sorted(set(group.tolist())))


def test_boolean_bytes_other_than_one_are_true() -> None:
    mask = np.array([0, 255, 2, 1, 0], dtype=np.uint8).view(np.bool_)
    truth = [False, True, True, False, True]
    for models in (1, 7):
        tally = tabulate(truth, {str(model): mask for model in range(models)})
        check(tally, [(real, *[value != 0] * models) for real, value in zip(truth, [0, 255, 2, 1, 0], strict=True)])


@pytest.mark.parametrize("models", [1, 9])
@pytest.mark.parametrize("high", [2, 9, 100])
def test_inputs_stay_as_they_were(models: int, high: int) -> None:
    random = np.random.default_rng(7)
    columns = [random.integers(0, high, 3000).astype(np.uint8) for _ in range(models + 1)]
    before = [column.copy() for column in columns]
    for column in columns:
        column.flags.writeable = False
    tally_of(columns)
    assert all((one == other).all() for one, other in zip(columns, before, strict=True))


def test_memory_mapped_and_strided_arrays(tmp_path: Any) -> None:
    random = np.random.default_rng(8)
    truth, prediction = random.integers(0, 3, (2, 5000))
    np.save(tmp_path / "truth.npy", truth)
    expected = list(zip(truth.tolist(), prediction.tolist(), strict=True))
    check(tabulate(np.load(tmp_path / "truth.npy", mmap_mode="r"), {"m": prediction}), expected)
    check(tabulate(np.repeat(truth, 3)[::3], {"m": prediction[::-1][::-1]}), expected)
    check(tabulate(np.column_stack([truth, prediction])[:, 0], {"m": prediction.astype(">i2")}), expected)


@pytest.mark.parametrize(
    ("truth", "prediction", "expected"),
    [
        ([1, 1], [1, 1], (0, 1)),
        ([0, 0], [0, 0], (0, 1)),
        ([True], [True], (False, True)),
        ([True, False], [1, 1], (0, 1)),
        ([True, 0], [True, False], (0, 1)),
        ([True, 2], [True, False], (0, 1, 2)),
        ([-1, -1], [-1, -1], (-1, 1)),
        ([-1, 1], [1, 1], (-1, 1)),
        ([-1, 0], [1, 1], (-1, 0, 1)),
        ([2, 2], [2, 2], (2,)),
        ([0, 2], [1, 1], (0, 1, 2)),
        (["b", "b"], ["a", ""], ("", "a", "b")),
        ([1.0, 0.0], [True, False], (0, 1)),
        ([3.0, -2.0], [3, 3], (-2, 3)),
    ],
)
def test_labels_without_a_list(truth: list[Any], prediction: list[Any], expected: tuple[Any, ...]) -> None:
    tally = tabulate(truth, {"m": prediction})
    assert tally.labels == expected
    assert [type(label) for label in tally.labels] == [type(label) for label in expected]
    check(tally, list(zip(truth, prediction, strict=True)))


@pytest.mark.parametrize("labels", [["c", "a", "b"], ("c", "a", "b"), np.array(["c", "a", "b"])])
def test_given_labels_keep_their_order_and_those_that_never_occur(labels: Any) -> None:
    tally = tabulate(["a", "b", "a"], {"m": ["b", "b", "a"]}, labels=labels)
    assert tally.labels == ("c", "a", "b")
    assert tally.truth.tolist() == [1, 1, 2]
    assert tally.predictions.tolist() == [[1], [2], [2]]
    assert tally.design.counts.tolist() == [1, 1, 1]


def test_given_labels_may_be_a_range_or_booleans() -> None:
    assert tabulate([1, 2], {"m": [1, 1]}, labels=range(4)).labels == (0, 1, 2, 3)
    tally = tabulate([1, 0], {"m": [1, 1]}, labels=[True, False])
    assert tally.labels == (True, False)
    assert tally.truth.tolist() == [0, 1]


def test_a_perfect_prediction_has_one_row_a_class() -> None:
    labels = [f"class {number}" for number in range(300)]
    tally = tabulate(labels * 3, {"m": labels * 3})
    assert tally.design.counts.tolist() == [3.0] * 300
    assert tally.labels == tuple(sorted(labels))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.data())
@settings(max_examples=50)
def test_joined_digits_come_apart_again(sizes: list[int], data: st.DataObject) -> None:
    columns = [np.array(data.draw(st.lists(st.integers(0, size - 1), min_size=3, max_size=3))) for size in sizes]
    spans = [DigitRange(0, size) for size in sizes]
    codes = join(columns, slice(None), spans)
    assert codes is not None
    expected = [0, 0, 0]
    for column, size in zip(columns, sizes, strict=True):
        expected = [code * size + digit for code, digit in zip(expected, column.tolist(), strict=True)]
    assert codes.tolist() == expected
    assert [digit.tolist() for digit in split_codes(codes, spans)] == [column.tolist() for column in columns]


@pytest.mark.parametrize(("labels", "dtype"), [(2, "u1"), (256, "u1"), (257, "u2"), (65_536, "u2"), (65_537, "u4")])
def test_codes_are_as_small_as_the_labels_allow(labels: int, dtype: str) -> None:
    truth = np.arange(labels)
    for predictions in (truth, truth[::-1]):
        tally = tabulate(truth, {"m": predictions})
        assert tally.truth.dtype == tally.predictions.dtype == dtype
        assert np.array_equal(tally.truth, truth)
        assert np.array_equal(tally.predictions[:, 0], predictions)


@pytest.mark.parametrize("labels", [2, 16, 17, 200, 256, 257])
def test_small_codes_do_not_overflow_in_what_is_made_of_them(labels: int, tmp_path: Path) -> None:
    """The last class is predicted for every row; all that tables do to codes must keep them apart."""
    truth, last = np.arange(labels), np.full(labels, labels - 1)
    expected = np.zeros((labels, labels))
    expected[:, -1] = 1
    table = hs.table(truth, {"a": last, "b": truth})
    assert np.array_equal(table.matrix("a"), expected)
    assert np.array_equal(table.matrix("b"), np.eye(labels))
    assert hs.estimate(table, "accuracy", model="a").value == pytest.approx(1 / labels, rel=1e-12)
    assert hs.compare(table, "accuracy", "a", "b").difference == pytest.approx(1 - 1 / labels, rel=1e-12)
    turned = table.with_labels(range(labels - 1, -1, -1))
    assert np.array_equal(turned.matrix("a"), expected[::-1, ::-1])
    wider = table.with_labels(range(-labels, labels))
    assert np.array_equal(wider.matrix("b"), np.diag(np.repeat([0, 1], labels)))
    assert np.array_equal((table + table).matrix("a"), 2 * expected)
    assert np.array_equal(pickle.loads(pickle.dumps(table)).matrix("a"), expected)
    assert table.binary(labels - 1).pick("a").fp == labels - 1
    counter = hs.Counter(range(labels), ["a", "b"])
    counter.update(truth, {"a": last, "b": truth})
    counter.save(tmp_path / "state")
    assert np.array_equal((counter + hs.Counter.load(tmp_path / "state")).table.matrix("a"), 2 * expected)


def test_codes_given_anew_are_small_too() -> None:
    rows = Labels(np.array([0, 2], dtype=np.uint8), np.array([[1], [0]], dtype=np.uint8), labels=("a", "b", "c"))
    moved = rows.recoded(np.array([4, 300, 1]), tuple(range(301)))
    assert (moved.truth.tolist(), moved.predictions.tolist(), moved.truth.dtype) == ([4, 1], [[300], [4]], np.uint16)
    dropped = rows.recoded(np.array([0, -1, 200]), tuple(range(201)))
    assert (dropped.truth.tolist(), dropped.predictions.tolist()) == ([0, 200], [[-1], [0]])
