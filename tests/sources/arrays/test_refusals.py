"""Every sentence with which a column is refused, in full."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from howsure.errors import HowsureError, InputError
from howsure.sources.arrays.tabulate import tabulate


def refused(truth: Any, prediction: Any, **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        tabulate(truth, {"B": prediction}, **more)
    return str(caught.value)


def test_refusals_are_value_errors() -> None:
    with pytest.raises(ValueError, match="truth has 0 rows"):
        tabulate([], {"B": []})
    assert issubclass(InputError, HowsureError)


def test_lengths() -> None:
    assert refused([0, 1] * 416 + [1], [1, 0] * 416) == (
        'truth has 833 rows but prediction "B" has 832; they must describe the same rows in the same order.'
    )
    assert refused([0], [1], groups=[1, 2]) == (
        "truth has 1 row but groups has 2; they must describe the same rows in the same order."
    )
    assert refused([0, 1], [1, 0], weight=[1, 2, 3]) == (
        "truth has 2 rows but weight has 3; they must describe the same rows in the same order."
    )


@pytest.mark.parametrize(
    "empty", [[], (), np.array([]), np.array([], dtype="U3"), pd.Series([]), pl.Series([]), pa.array([]), range(0)]
)
def test_no_rows(empty: Any) -> None:
    assert refused(empty, empty) == (
        "truth has 0 rows; a table needs at least one; check the filter or the file it came from."
    )


def test_no_models() -> None:
    with pytest.raises(InputError) as caught:
        tabulate([0, 1], {})
    assert str(caught.value) == (
        "predictions is empty; a table needs at least one model; give a column of predicted labels."
    )
    with pytest.raises(InputError) as caught:
        tabulate([0, 1], {"1": [0, 1], 1: [1, 1]})  # type: ignore[dict-item]
    assert str(caught.value) == ("predictions names models that read the same ('1', 1); give each its own name.")


def test_dimensions() -> None:
    assert refused(np.zeros((1, 5), dtype=int), [0] * 5) == (
        "truth has 2 dimensions (shape 1 × 5); it must have one, with one entry a row; flatten it with .ravel()."
    )
    assert refused([0] * 5, np.zeros((5, 3))) == (
        'prediction "B" has 2 dimensions (shape 5 × 3); it must have one, with one entry a row; '
        "take the class of each row, for example with .argmax(axis=1)."
    )
    assert refused(np.array(3), [0]) == (
        "truth is a single value; it must be a column with one entry a row; give a list or an array."
    )
    assert refused([[0], [1]], [0, 1]) == (
        "truth holds a list in row 0; it must have one dimension, with one entry a row; "
        "take one label of each row first."
    )
    assert refused(["a", ("b", "c")], ["a", "b"]) == (
        "truth holds a tuple in row 1; it must have one dimension, with one entry a row; "
        "take one label of each row first."
    )
    assert refused(np.ma.masked_array([[1, 2]], mask=[[True, False]]), [1]) == (
        "truth has 2 dimensions (shape 1 × 2); it must have one, with one entry a row; flatten it with .ravel()."
    )


NOT_COLUMNS = {
    "None": (None, "None"),
    "a string": ("cat", "a single str"),
    "a number": (3, "a single int"),
    "a set": ({1, 2}, "a single set"),
    "a mapping": ({"a": 1}, "a single dict"),
}


@pytest.mark.parametrize("case", NOT_COLUMNS)
def test_no_column_at_all(case: str) -> None:
    data, kind = NOT_COLUMNS[case]
    assert refused(data, [0]) == f"truth is {kind}; it must be a column with one entry a row; give a list or an array."


def test_tables_iterators_and_unreadable_objects() -> None:
    assert refused([0], pd.DataFrame({"a": [0], "b": [0]})) == (
        f'prediction "B" is a table ({pd.DataFrame.__module__}.DataFrame); '
        "it must be a column with one entry a row; name one of its columns."
    )
    assert refused([0], (value for value in [1])) == (
        'prediction "B" is a generator; it must be a column with one entry a row; '
        "give a list or an array, for example list(...)."
    )

    class OnDevice:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            raise TypeError("cannot convert from the device")

    assert refused([0], OnDevice()) == (
        f'prediction "B" is a {OnDevice.__module__}.{OnDevice.__qualname__} that numpy cannot read '
        "(cannot convert from the device); it must be a column with one entry a row; "
        "move it to main memory first, for example with .cpu()."
    )


THREE_MISSING = {
    "None in a list": ["a", None, "b", None, None],
    "nan in a list": ["a", float("nan"), "b", float("nan"), np.nan],
    "None among integers": [1, None, 0, None, None],
    "numpy nan": np.array([1, np.nan, 0, np.nan, np.nan]),
    "numpy object": np.array(["a", None, "b", np.nan, pd.NA], dtype=object),
    "numpy masked": np.ma.masked_array([1, 0, 0, 1, 1], mask=[0, 1, 0, 1, 1]),
    "not a time": ["a", np.datetime64("NaT", "s"), "b", pd.NaT, None],
    "pandas str": pd.Series(["a", None, "b", None, None]),
    "pandas object": pd.Series(["a", None, "b", None, None], dtype=object),
    "pandas string": pd.Series(["a", None, "b", None, None], dtype=pd.StringDtype("python")),
    "pandas category": pd.Series(["a", None, "b", None, None], dtype="category"),
    "pandas float": pd.Series([1.0, None, 0.0, None, None]),
    "pandas Int64": pd.Series([1, None, 0, None, None], dtype="Int64"),
    "pandas boolean": pd.Series([True, None, False, None, None], dtype="boolean"),
    "pandas Arrow": pd.Series([1, None, 0, None, None], dtype="int64[pyarrow]"),
    "polars String": pl.Series(["a", None, "b", None, None]),
    "polars Categorical": pl.Series(["a", None, "b", None, None], dtype=pl.Categorical),
    "polars Int64": pl.Series([1, None, 0, None, None]),
    "polars nan": pl.Series([1.0, float("nan"), 0.0, float("nan"), float("nan")]),
    "Arrow": pa.array(["a", None, "b", None, None]),
    "Arrow chunks": pa.chunked_array([["a"], [None, "b", None, None]]),
    "Arrow dictionary": pa.array(["a", None, "b", None, None]).dictionary_encode(),
    "Arrow null in the dictionary": pa.DictionaryArray.from_arrays([0, 1, 2, 1, 1], ["a", None, "b"]),
    "Arrow nan": pa.array([1.0, float("nan"), 0.0, float("nan"), float("nan")]),
}
if hasattr(np.dtypes, "StringDType"):  # since numpy 2
    string = np.dtypes.StringDType(na_object=None)
    THREE_MISSING["numpy string"] = np.array(["a", None, "b", None, None], dtype=string)


@pytest.mark.parametrize("case", THREE_MISSING)
def test_missing_values(case: str) -> None:
    sentence = (
        "has 3 missing values, the first in row 1 (counting from 0); every row needs a label; "
        "drop such rows from all columns, or fill in a label."
    )
    assert refused(THREE_MISSING[case], [0, 1, 0, 1, 1]) == f"truth {sentence}"
    assert refused([0, 1, 0, 1, 1], THREE_MISSING[case]) == f'prediction "B" {sentence}'


def test_one_missing_value_and_missing_groups() -> None:
    assert refused(["a", "b"], ["a", None]) == (
        'prediction "B" has 1 missing value, in row 1 (counting from 0); every row needs a label; '
        "drop such rows from all columns, or fill in a label."
    )
    assert refused([0, 1], [0, 1], groups=[None, None]) == (
        "groups has 2 missing values, the first in row 0 (counting from 0); every row needs a group; "
        "drop such rows from all columns, or fill in a group."
    )


def test_missing_values_far_down() -> None:
    data = np.ones(300_000)
    data[[150_000, 290_000]] = np.nan
    assert refused(data, data).startswith("truth has 2 missing values, the first in row 150000 ")
    assert refused(data.astype(object), data).startswith("truth has 2 missing values, the first in row 150000 ")


def test_scores() -> None:
    remedy = (
        "labels must be integers, booleans or strings; these look like scores: give them as scores=, or "
        "threshold them first, for example with scores >= 0.5."
    )
    for scores in (
        [1.0, 0.73],
        np.array([1.0, 0.73]),
        pl.Series([1.0, 0.73]),
        pa.array([1.0, 0.73]),
        pd.Series([1, 0.73]),
    ):
        assert refused([0, 1], scores) == (f'prediction "B" holds 0.73 in row 1, which is not a whole number; {remedy}')
    assert refused([0, 1], [1, float("inf")]) == (
        f'prediction "B" holds inf in row 1, which is not a whole number; {remedy}'
    )
    assert refused([0, 1], [0, 1], groups=[0.5, 1.0]) == (
        "groups holds 0.5 in row 0, which is not a whole number; groups must be integers, booleans or strings; "
        "turn them into names of groups first, for example with str."
    )


OTHERS = {
    "dates": ([datetime.date(2024, 1, 2)] * 2, "datetime.date values (datetime.date(2024, 1, 2) in row 0)"),
    "a fraction": ([1, Fraction(1, 2)], "fractions.Fraction values (Fraction(1, 2) in row 1)"),
    "bytes": ([b"a", b"b"], "bytes values (b'a' in row 0)"),
    "numpy dates": (
        np.array(["2024-01-02"] * 2, dtype="M8[D]"),
        f"datetime64[D] values ({np.datetime64('2024-01-02')!r} in row 0)",
    ),
    "numpy complex": (np.array([1j, 0]), f"complex128 values ({np.complex128(1j)!r} in row 0)"),
    "polars dates": (
        pl.Series([datetime.date(2024, 1, 2)] * 2),
        "polars.Date values (datetime.date(2024, 1, 2) in row 0)",
    ),
    "Arrow dates": (
        pa.array([datetime.date(2024, 1, 2)] * 2),
        "Arrow date32[day] values (datetime.date(2024, 1, 2) in row 0)",
    ),
    "Arrow lists": (pa.array([[1], [2]]), "Arrow list<item: int64> values ([1] in row 0)"),
    "categories of dates": (
        pd.Series([pd.Timestamp("2024-01-02")] * 2, dtype="category"),
        "pandas.Timestamp values (Timestamp('2024-01-02 00:00:00') in row 0)",
    ),
    "a long object": (
        [Fraction(10**80, 3)] * 2,
        "fractions.Fraction values (Fraction(" + "1" + "0" * 47 + "... in row 0)",
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_objects(case: str) -> None:
    data, found = OTHERS[case]
    message = refused(data, [0, 1]).replace("pandas._libs.tslibs.timestamps.", "pandas.")
    message = re.sub(r"list<\w+: int64>", "list<item: int64>", message)
    assert message == f"truth holds {found}; labels must be integers, booleans or strings; convert them with str."


def test_bytes_that_are_no_text() -> None:
    for rows in (3, 20_000):
        data = np.array([b"a"] * (rows - 1) + [b"\xff"])
        assert refused(data, ["a"] * rows) == (
            rf"truth holds the bytes b'\xff' in row {rows - 1}, which are not UTF-8; labels must be integers, booleans "
            "or strings; decode them first, for example with numpy.strings.decode."
        )


def test_types_mixed_in_a_column() -> None:
    for data in ([1, 2, "a"], np.array([1, 2, "a"], dtype=object), pd.Series([1, 2, "a"], dtype="category")):
        assert refused([1, 2, 2], data) == (
            "prediction \"B\" mixes integers (1 in row 0) and strings ('a' in row 2); labels must be integers, "
            "booleans or strings, all of one type; convert the whole column, for example with str."
        )


def test_types_mixed_between_columns() -> None:
    assert refused([1, 2], ["a", "b"]) == (
        "truth holds integers (such as 1) but prediction \"B\" holds strings (such as 'a'); "
        "labels must be of one type; convert one of the two, for example with str."
    )
    assert refused(["a", "b"], np.array([True, False])) == (
        "truth holds strings (such as 'a') but prediction \"B\" holds booleans (such as True); "
        "labels must be of one type; convert one of the two, for example with str."
    )
    with pytest.raises(InputError) as caught:
        tabulate(["1", "2"], {"A": ["1", "1"], "B": [1, 2]})
    assert str(caught.value) == (
        "truth holds strings (such as '1') but prediction \"B\" holds integers (such as 1); "
        "labels must be of one type; convert one of the two, for example with str."
    )


def test_given_labels() -> None:
    assert refused(["a", "b"], ["a", "a"], labels=["a", "b", "a"]) == (
        "labels lists 'a' 2 times; each label has one place; list it once."
    )
    assert refused([1, 0], [1, 1], labels=[1, 0, True]) == (
        "labels lists 1 2 times; each label has one place; list it once."
    )
    assert refused([1, 0], [1, 1], labels=[]) == (
        "labels is empty; it must list every label that occurs; leave it out to take those that occur."
    )
    assert refused(["a", "b"], ["x", "a"], labels=["a", "b"]) == (
        "prediction \"B\" has the label 'x' in 1 row, which labels ('a', 'b') does not list; "
        "every label that occurs must be listed; add it to labels, or drop such rows from all columns."
    )
    assert refused([1, 3, 3, 3], [1, 1, 3, 1], labels=[1, 2]) == (
        "truth has the label 3 in 3 rows, which labels (1, 2) does not list; "
        "every label that occurs must be listed; add it to labels, or drop such rows from all columns."
    )
    assert refused([1, 3], [1, 1], labels=["1", "3"]) == (
        "truth holds integers (such as 1) but labels holds strings (such as '1'); "
        "labels must be of one type; convert one of the two, for example with str."
    )


def test_weights() -> None:
    def weight(*values: Any) -> str:
        return refused([0] * len(values), [1] * len(values), weight=list(values))

    rule = "weights must be finite and zero or larger; correct it, or drop the row from all columns."
    assert weight(1, -0.5, 2) == f"weight is -0.5 in row 1; {rule}"
    assert weight(1, 2, float("inf")) == f"weight is inf in row 2; {rule}"
    for absent in (float("nan"), None, pd.NA):
        assert weight(1, absent) == (
            "weight has 1 missing value, in row 1 (counting from 0); every row needs a weight; "
            "drop such rows from all columns, or fill in a weight."
        )
    assert weight(0, 0, 0) == ("weight is zero in all 3 rows; at least one row must count; give a weight above zero.")
    assert weight("1", "2") == "weight holds <U1 values (1 in row 0); weights must be numbers; convert them with float."
    assert weight(1, Fraction(1, 2)) == (
        "weight holds fractions.Fraction values (Fraction(1, 2) in row 1); weights must be numbers; "
        "convert them with float."
    )
    assert refused([0, 1], [0, 1], weight=np.ones((1, 2))) == (
        "weight has 2 dimensions (shape 1 × 2); it must have one, with one entry a row; flatten it with .ravel()."
    )
    assert weight(1, 1e154) == (
        "weight is 1e+154 in row 1; weights must be finite and zero or larger, and at most 1e+100, above which sums of "
        "their squares are no numbers; correct it, or drop the row from all columns."
    )
    assert weight(0, 1e-200) == (
        "weight is at most 1e-200 in all rows; below 1e-100 squares of weights vanish; multiply all weights by a "
        "common factor."
    )
    assert refused([0, 1], [0, 1], weight=[[1], [1, 2]]).startswith("weight is a list that numpy cannot read (")
    assert refused([0, 1], [0, 1], weight=np.ma.masked_array([1.0, 2.0], mask=[0, 1])).startswith(
        "weight has 1 missing value, in row 1 "
    )
