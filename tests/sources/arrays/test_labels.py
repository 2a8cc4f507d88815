"""The order of classes: taken where the type of a column states one, refused where two differ, noted where guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import howsure as hs
from howsure.errors import InputError
from howsure.sources.arrays.codebook import common_order, in_order
from support.strategies import some

GRADES = ["low", "mid", "high", "top"]
TRUTH = ["mid", "low", "high", "high", "mid", "low", "mid"]
GUESS = ["low", "mid", "high", "mid", "high", "low", "mid"]
OCCURRING = ("low", "mid", "high")

Column = Callable[[list[str], list[str]], Any]
COLUMNS: dict[str, Column] = {
    "pandas": lambda values, order: pd.Series(pd.Categorical(values, categories=order, ordered=True)),
    "polars": lambda values, order: pl.Series(values, dtype=pl.Enum(order)),
    "Arrow": lambda values, order: pa.DictionaryArray.from_arrays(
        pa.array([order.index(value) for value in values]), pa.array(order), ordered=True
    ),
}
FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "polars lazy": lambda columns: pl.LazyFrame(pl.DataFrame(columns)),
}


def frame(kind: str, truth: list[str], guess: list[str], second: list[str] = GRADES) -> Any:
    column = COLUMNS[kind.split()[0]]
    return FRAMES[kind]({"label": column(truth, GRADES), "svm": column(guess, second), "site": list("aabbbab")})


def expected_matrix() -> list[list[int]]:
    pairs = list(zip(TRUTH, GUESS, strict=True))
    return [[pairs.count((true, seen)) for seen in OCCURRING] for true in OCCURRING]


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_keep_their_order(kind: str) -> None:
    column = COLUMNS[kind]
    for guess in (column(GUESS, GRADES), GUESS):
        table = hs.table(column(TRUTH, GRADES), guess)
        assert table.labels == OCCURRING
        assert table.matrix().tolist() == expected_matrix()
        assert table.ordered


@pytest.mark.parametrize("on_bad", ["refuse", "skip"])
@pytest.mark.parametrize("kind", FRAMES)
def test_frames_keep_their_order(kind: str, on_bad: str) -> None:
    table = hs.read(frame(kind, TRUTH, GUESS), truth="label", predictions="svm", on_bad=on_bad)
    assert table.labels == OCCURRING
    assert table.matrix().tolist() == expected_matrix()
    assert table.ordered


@pytest.mark.parametrize("kind", FRAMES)
def test_slices_keep_their_order(kind: str) -> None:
    slices = hs.read_slices(frame(kind, TRUTH, GUESS), by="site", truth="label", predictions="svm")
    assert {table.labels for table in slices.values()} == {OCCURRING}
    assert sum(slices.values()).matrix().tolist() == expected_matrix()


def test_unordered_categories_sort_by_name() -> None:
    plain = pd.Series(pd.Categorical(TRUTH, categories=GRADES)), pl.Series(TRUTH, dtype=pl.Categorical), TRUTH
    for truth in plain:
        table = hs.table(truth, GUESS)
        assert table.labels == tuple(sorted(OCCURRING))
        assert not table.ordered


def test_an_enum_of_duckdb_is_ordered() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = ", ".join(f"('{true}', '{seen}')" for true, seen in zip(TRUTH, GUESS, strict=True))
    kind = "ENUM('low', 'mid', 'high', 'top')"
    connection = duckdb.connect()
    relation = connection.sql(f"SELECT t::{kind} AS label, p::{kind} AS svm FROM (VALUES {rows}) AS v(t, p)")
    assert hs.read(relation, truth="label", predictions="svm").matrix().tolist() == expected_matrix()


def test_weighted_kappa_is_theirs_with_labels_in_order() -> None:
    table = hs.table(*(pd.Categorical(some, categories=GRADES, ordered=True) for some in (TRUTH, GUESS)))
    for name, weights in (("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        theirs = cohen_kappa_score(TRUTH, GUESS, labels=list(OCCURRING), weights=weights)
        by_name = cohen_kappa_score(TRUTH, GUESS, weights=weights)
        assert hs.estimate(table, name).value == pytest.approx(theirs, rel=1e-12)
        assert abs(theirs - by_name) > 0.01


@pytest.mark.parametrize("kind", COLUMNS)
def test_two_orders_are_refused(kind: str) -> None:
    column = COLUMNS[kind]
    truth, guess = column(TRUTH, GRADES), column(GUESS, GRADES[::-1])
    with pytest.raises(InputError, match=r"truth has the ordered classes 'low'.* but prediction .* has 'top'"):
        hs.table(truth, guess)
    assert hs.table(truth, guess, labels=["mid", "low", "high"]).labels == ("mid", "low", "high")


@pytest.mark.parametrize("kind", FRAMES)
def test_two_orders_in_a_frame_are_refused(kind: str) -> None:
    data = frame(kind, TRUTH, GUESS, second=GRADES[::-1])
    for on_bad in ("refuse", "skip"):
        with pytest.raises(InputError, match=r"'label' has the ordered classes .* but 'svm' has"):
            hs.read(data, truth="label", predictions="svm", on_bad=on_bad)
    chosen = hs.read(data, truth="label", predictions="svm", labels=GRADES)
    assert chosen.labels == tuple(GRADES)


def test_a_list_with_some_classes_left_out_is_the_same_order() -> None:
    table = hs.table(
        pd.Categorical(TRUTH, categories=GRADES, ordered=True),
        pd.Categorical(["low"] * 6 + ["high"], categories=["low", "high"], ordered=True),
    )
    assert table.labels == OCCURRING


def test_a_class_outside_the_list_comes_last_and_leaves_the_order_open() -> None:
    table = hs.table(pd.Categorical(TRUTH, categories=GRADES, ordered=True), ["none", *GUESS[1:]])
    assert table.labels == (*OCCURRING, "none")
    assert "order" in {note.kind for note in hs.estimate(table, "kappa_linear").notes}


def test_numbers_in_another_order() -> None:
    for categories in ([3, 1, 2], [3.0, 1.0, 2.0]):
        truth = pd.Categorical([1, 2, 3, 1], categories=categories, ordered=True)
        assert hs.table(truth, [1, 2, 2, 3]).labels == (3, 1, 2)
    both = pd.Categorical([True, False, True], categories=[True, False], ordered=True)
    found = hs.table(both, both)
    assert found.labels == (True, False)
    assert (found.pos_label, found.tp, found.tn) == (True, 2, 1)


def test_chunks_of_one_arrow_column() -> None:
    def chunked(*lists: list[str]) -> Any:
        return pa.chunked_array([COLUMNS["Arrow"](["low", "high"], each) for each in lists])

    both = chunked(["low", "high"], GRADES)
    assert hs.table(both, ["low", "mid", "high", "high"]).labels == OCCURRING
    with pytest.raises(InputError, match="chunk 1 of truth has the ordered classes"):
        hs.table(chunked(GRADES, GRADES[::-1]), ["low"] * 4)


def test_sums_of_tables_keep_an_order_they_share() -> None:
    def part(values: list[str]) -> hs.Table:
        column = pd.Categorical(values, categories=GRADES, ordered=True)
        return hs.table(column, column)

    some_classes, all_classes = part(["low", "high"]), part(list(OCCURRING))
    for total in (some_classes + all_classes, all_classes + some_classes):
        assert total.labels == OCCURRING
        assert total.ordered
    unknown = part(["low", "high"]) + part(["mid", "top"])
    assert not unknown.ordered


class TestNote:
    def kinds(self, table: hs.Table, metric: str) -> set[str]:
        return {note.kind for note in hs.estimate(table, metric).notes}

    def test_of_text_sorted_by_name(self) -> None:
        table = hs.table(TRUTH, GUESS)
        for metric, words in (("kappa_linear", "kappa linear"), ("kappa_quadratic", "kappa quadratic")):
            said = [str(note) for note in hs.estimate(table, metric).notes if note.kind == "order"]
            assert said == [
                f"{words}: classes are taken in the order 'high', 'low', 'mid', sorted by name; "
                "give labels= if another order is meant"
            ]
        assert "order" not in self.kinds(table, "kappa")

    def test_not_of_an_order_that_means_something(self) -> None:
        ordered = hs.table(pl.Series(TRUTH, dtype=pl.Enum(GRADES)), GUESS)
        given_order = hs.table(TRUTH, GUESS, labels=GRADES)
        numbers = hs.table([1, 2, 3, 1], [1, 3, 3, 2])
        typed = hs.matrix([[2, 1, 0], [0, 3, 1], [1, 0, 4]], rows="truth", labels=["c", "a", "b"])
        two = hs.table(["yes", "no", "no"], ["yes", "yes", "no"], pos_label="yes")
        for table in (ordered, given_order, numbers, typed, two, hs.table(TRUTH, GUESS).with_labels(GRADES)):
            assert "order" not in self.kinds(table, "kappa_linear")

    def test_of_frames_and_files(self, tmp_path: Any) -> None:
        data = pl.DataFrame({"label": TRUTH, "svm": GUESS})
        data.write_csv(tmp_path / "preds.csv")
        for source in (data, data.lazy(), tmp_path / "preds.csv"):
            assert "order" in self.kinds(hs.read(source, truth="label", predictions="svm"), "kappa_linear")


@some(60)
@given(st.permutations(range(5)), st.lists(st.integers(0, 4), min_size=1, max_size=20), st.data())
def test_ordered_categories_are_as_labels_given(order: list[int], truth: list[int], data: st.DataObject) -> None:
    """Whatever the order, a table of ordered categories is the table with labels= of those that occur."""
    names = [f"class {place}" for place in order]
    guess = data.draw(st.lists(st.integers(0, 4), min_size=len(truth), max_size=len(truth)))
    columns = [[f"class {place}" for place in some] for some in (truth, guess)]
    labels = [name for name in names if name in {*columns[0], *columns[1]}]
    expected = hs.table(*columns, labels=labels)
    for kind in COLUMNS.values():
        found = hs.table(*(kind(column, names) for column in columns))
        assert found.labels == expected.labels
        assert np.array_equal(found.matrix(), expected.matrix())


def test_common_order() -> None:
    assert common_order([]) is None
    assert common_order([("a", "bc"), ("b", "abc"), ("c", "ac")]) == ("a", "b", "c")
    with pytest.raises(InputError, match="one order of the classes"):
        common_order([("a", "ab"), ("b", "bc")])
    assert in_order({"z", "a", "m"}, "ma") == ("m", "a", "z")


def test_tables_counted_in_pairs_of_models_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair of models may lack a class; together they have the order that the type states."""
    monkeypatch.setattr("howsure.sources.frames.MOST_CELLS", 8)
    columns = {
        "label": ["mid"] * 3,
        "a": ["low", "mid", "mid"],
        "b": ["top", "mid", "mid"],
        "c": ["mid", "high", "mid"],
    }
    data = pl.LazyFrame(columns, schema=dict.fromkeys(columns, pl.Enum(GRADES)))
    found = hs.read(data, truth="label", predictions=["a", "b", "c"])
    assert "in pairs" in repr(found)
    assert found.labels == tuple(GRADES)
    assert found.ordered
    assert found.matrix("b").tolist() == [[0] * 4, [0, 2, 0, 1], [0] * 4, [0] * 4]
    plain = hs.read(data.cast(pl.String), truth="label", predictions=["a", "b", "c"])
    assert plain.labels == tuple(sorted(GRADES))
    assert not plain.ordered
