"""Doors: the same labels give the same table whatever kind of column holds them."""

from __future__ import annotations

import enum
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from howsure.sources.arrays.tabulate import tabulate

Door = Callable[[list[Any]], Any]
NAMES = ["cat", "dog", "", "ünï 猫", "a rather longer name"]


def chunked(values: list[Any], kind: pa.DataType) -> pa.ChunkedArray:
    third = len(values) // 3
    return pa.chunked_array([values[:third], [], values[third:]], type=kind)


def two_dictionaries(values: list[Any]) -> pa.ChunkedArray:
    third = len(values) // 3
    chunks = [pa.array(part, pa.string()).dictionary_encode() for part in (values[:third], values[third:])]
    return pa.chunked_array(chunks)


class TensorLike:
    """An object that shows its numbers only through ``__array__``."""

    def __init__(self, values: list[Any]) -> None:
        self._values = np.array(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self._values


class CapsuleOnly:
    """An object that shows its numbers only through DLPack."""

    def __init__(self, values: list[Any]) -> None:
        self._values = np.array(values)

    def __dlpack__(self, **options: Any) -> Any:
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


STRINGS: dict[str, Door] = {
    "list": list,
    "tuple": tuple,
    "numpy U": np.array,
    "numpy big-endian U": lambda values: np.array(values).astype(np.array(values).dtype.newbyteorder(">")),
    "numpy S": lambda values: np.array([value.encode() for value in values]),
    "numpy object": lambda values: np.array(values, dtype=object),
    "list of numpy strings": lambda values: list(np.array(values)),
    "pandas str": pd.Series,
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "pandas string in Python": lambda values: pd.Series(values, dtype=pd.StringDtype("python")),
    "pandas string in Arrow": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "pandas wide category": lambda values: pd.Series(pd.Categorical(values, categories=["unused", *NAMES[::-1]])),
    "pandas Categorical": pd.Categorical,
    "pandas ordered": lambda values: pd.Series(pd.Categorical(values, categories=[*NAMES, "unused"], ordered=True)),
    "pandas Index": pd.Index,
    "polars String": pl.Series,
    "polars Categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars Enum": lambda values: pl.Series(values, dtype=pl.Enum(["unused", *NAMES])),
    "narwhals": lambda values: nw.from_native(pl.Series(values), series_only=True),
    "Arrow string": pa.array,
    "Arrow large string": lambda values: pa.array(values, pa.large_string()),
    "Arrow string view": lambda values: pa.array(values, pa.string_view()),
    "Arrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "Arrow ordered": lambda values: pa.DictionaryArray.from_arrays(
        pa.array([NAMES.index(value) for value in values]), pa.array([*NAMES, "unused"]), ordered=True
    ),
    "Arrow chunks": lambda values: chunked(values, pa.string()),
    "Arrow chunks of dictionaries": two_dictionaries,
}
STATED = {"polars Enum", "pandas ordered", "Arrow ordered"}
if hasattr(np.dtypes, "StringDType"):  # since numpy 2
    STRINGS["numpy string"] = lambda values: np.array(values, dtype=np.dtypes.StringDType())

INTEGERS: dict[str, Door] = {
    "list": list,
    "tuple": tuple,
    "list of numpy integers": lambda values: list(np.array(values)),
    "list of floats": lambda values: [float(value) for value in values],
    **{f"numpy {kind}": lambda values, kind=kind: np.array(values, dtype=kind) for kind in ("i1", "i2", ">i4", "i8")},
    "numpy float": lambda values: np.array(values, dtype=float),
    "numpy half": lambda values: np.array(values, dtype=np.float16),
    "numpy object": lambda values: np.array(values, dtype=object),
    "numpy masked": lambda values: np.ma.masked_array(values, mask=False),
    "pandas": pd.Series,
    "pandas float": lambda values: pd.Series(values, dtype=float),
    "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
    "pandas Arrow": lambda values: pd.Series(values, dtype="int16[pyarrow]"),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "pandas sparse": lambda values: pd.Series(values, dtype=pd.SparseDtype(int)),
    "pandas array": lambda values: pd.array(values, dtype="Int8"),
    "polars": pl.Series,
    "polars Int8": lambda values: pl.Series(values, dtype=pl.Int8),
    "polars Float32": lambda values: pl.Series(values, dtype=pl.Float32),
    "polars chunks": lambda values: pl.Series(values[:5]).append(pl.Series(values[5:])),
    "Arrow": pa.array,
    "Arrow chunks": lambda values: chunked(values, pa.int32()),
    "Arrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "Arrow double": lambda values: pa.array(values, pa.float64()),
    "array protocol": TensorLike,
    "DLPack": CapsuleOnly,
    "memoryview": lambda values: memoryview(np.array(values)),
}

BOOLEANS: dict[str, Door] = {
    "list": list,
    "list of numpy booleans": lambda values: list(np.array(values)),
    "numpy": np.array,
    "numpy object": lambda values: np.array(values, dtype=object),
    "pandas": pd.Series,
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "pandas boolean": lambda values: pd.Series(values, dtype="boolean"),
    "pandas Arrow": lambda values: pd.Series(values, dtype="bool[pyarrow]"),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "polars": pl.Series,
    "Arrow": pa.array,
    "Arrow chunks": lambda values: chunked(values, pa.bool_()),
    "array protocol": TensorLike,
}


def drawn(labels: list[Any], rows: int, seed: int) -> list[Any]:
    return [labels[place] for place in np.random.default_rng(seed).integers(0, len(labels), rows).tolist()]


def check_door(door: Door, labels: list[Any], rows: int, *, stated: bool = False) -> None:
    """``stated`` says that the type of the column states the order of the labels, which is theirs."""
    truth, prediction = drawn(labels, rows, 1), drawn(labels, rows, 2)
    expected = Counter(zip(truth, prediction, strict=True))
    for other in (door, list):
        tally = tabulate(door(truth), {"m": other(prediction)})
        expected_labels = labels if stated else sorted(labels)
        assert tally.labels == tuple(expected_labels)
        assert [type(label) for label in tally.labels] == [type(label) for label in expected_labels]
        assert tally.ordered == (stated or not isinstance(labels[0], str))
        found = zip(tally.truth, tally.predictions[:, 0], tally.design.counts, strict=True)
        assert {(tally.labels[a], tally.labels[b]): count for a, b, count in found} == expected
        assert tally.notes == ()


@pytest.mark.parametrize("rows", [100, 20_001])
@pytest.mark.parametrize("door", STRINGS)
def test_strings(door: str, rows: int) -> None:
    check_door(STRINGS[door], NAMES, rows, stated=door in STATED)


@pytest.mark.parametrize("rows", [100, 20_001])
@pytest.mark.parametrize("door", INTEGERS)
def test_integers(door: str, rows: int) -> None:
    check_door(INTEGERS[door], [-3, 0, 7, 100], rows)


@pytest.mark.parametrize("rows", [100, 20_001])
@pytest.mark.parametrize("door", BOOLEANS)
def test_booleans(door: str, rows: int) -> None:
    check_door(BOOLEANS[door], [False, True], rows)


@pytest.mark.parametrize("door", ["list", "numpy U", "numpy S", "numpy object", "pandas str", "polars String"])
@pytest.mark.parametrize("distinct", [250, 260, 3000])
def test_many_distinct_strings(door: str, distinct: int) -> None:
    check_door(STRINGS[door], [f"label {number:05d}" for number in range(distinct)], 40_000)


def test_arrow_chunks_with_more_values_than_a_byte_counts() -> None:
    check_door(STRINGS["Arrow chunks of dictionaries"], [f"{number}" for number in range(300)], 9000)


def test_strings_that_turn_wide_after_the_first_block() -> None:
    truth = np.array(["cat", "dog"] * 9000 + ["猫"])
    tally = tabulate(truth, {"m": truth})
    assert tally.labels == ("cat", "dog", "猫")
    assert tally.design.counts.tolist() == [9000, 9000, 1]


def test_trailing_nul_characters_count_where_the_column_keeps_them() -> None:
    values = ["a", "a\0", "a\0b", "\0"]
    for door in {"list", "numpy object", "numpy string", "polars String", "Arrow string", "pandas category"} & {
        *STRINGS
    }:
        assert tabulate(STRINGS[door](values), {"m": values}).labels == ("\0", "a", "a\0", "a\0b"), door


def test_numpy_itself_drops_trailing_nul_characters() -> None:
    values = np.array(["a", "a\0", "a\0b"])
    assert tabulate(values, {"m": values}).labels == ("a", "a\0b")


def test_members_of_enumerations_are_their_values() -> None:
    class Animal(str, enum.Enum):  # noqa: UP042 - the older spelling prints its name, which must not be taken
        CAT = "cat"
        DOG = "dog"

    class Answer(enum.IntEnum):
        NO = 0
        YES = 1

    assert tabulate([Animal.CAT, Animal.DOG], {"m": ["dog", "dog"]}).labels == ("cat", "dog")
    tally = tabulate([Answer.NO, Answer.YES], {"m": [1, 1]})
    assert tally.labels == (0, 1)
    assert [type(label) for label in tally.labels] == [int, int]


def test_unused_categories_are_no_labels_and_may_be_anything() -> None:
    data = pd.Series(pd.Categorical(["a", "b"], categories=["a", 7, pd.Timestamp("2024-01-01"), "b"]))
    assert tabulate(data, {"m": data}).labels == ("a", "b")


@pytest.mark.parametrize("door", ["pandas", "pandas Int64", "polars", "Arrow", "list", "numpy float", "numpy i1"])
def test_doors_for_groups_and_weights(door: str) -> None:
    group, weight = INTEGERS[door]([9, 3, 9, 4]), INTEGERS[door]([1, 2, 3, 0])
    tally = tabulate([0, 1, 0, 1], {"m": [0, 1, 0, 0]}, groups=group, weight=weight)
    assert tally.design.group_labels == (3, 4, 9)
    assert tally.design.groups is not None
    assert tally.design.groups.tolist() == [0, 1, 2]
    assert tally.design.counts.tolist() == [1, 1, 2]
    assert tally.design.weights.tolist() == [2, 0, 4]
    assert tally.design.squares.tolist() == [4, 0, 10]


def test_boolean_groups() -> None:
    assert tabulate([0, 1], {"m": [0, 1]}, groups=[True, False]).design.group_labels == (False, True)


def test_series_with_different_indexes_are_paired_by_position_and_noted() -> None:
    truth = pd.Series([1, 0, 1], index=[2, 1, 0])
    same = pd.Series([1, 0, 0], index=[2, 1, 0])
    other = pd.Series([1, 0, 0])
    assert tabulate(truth, {"a": same}).notes == ()
    tally = tabulate(truth, {"a": same, "b": other})
    assert tally.notes == ('truth and prediction "b" have different pandas indexes; rows were paired by position.',)
    assert tally.predictions.tolist() == [[0, 0], [0, 0], [1, 1]]
    assert tabulate(truth, {"a": [1, 0, 0]}).notes == ()
    assert tabulate(truth, {"a": same}, weight=pd.Series([1.0, 1, 1])).notes == (
        "truth and weight have different pandas indexes; rows were paired by position.",
    )
    assert tabulate(truth, {"a": same}, groups=other).notes == (
        "groups and truth have different pandas indexes; rows were paired by position.",
    )


def test_counting_numpy_arrays_imports_no_data_library() -> None:
    program = (
        "import sys, numpy as np\n"
        "from howsure.sources.arrays.tabulate import tabulate\n"
        "tabulate(np.array([1, 0]), {'m': [1, 1]})\n"
        "print(sorted({'narwhals', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
