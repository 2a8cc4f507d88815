"""A column of whatever library: lists and numpy, pandas, polars, Arrow, and anything that shows itself as an array."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.sources.arrays.codebook import NotALabel, common_order, plain_label
from howsure.sources.arrays.column import (
    Column,
    Converted,
    from_array,
    from_floats,
    from_objects,
    from_sequence,
    kind_of,
    refusal,
)
from howsure.sources.arrays.digits import blocks, digit_type
from howsure.sources.arrays.refusals import not_column, not_labels, refuse_absent, refuse_missing, type_name
from howsure.types import Array

_CHUNK = 1 << 20
"""Strings that Arrow encodes at a time."""


def read_column(name: str, data: Any) -> Column:
    """Return a column of integers, booleans or strings, whatever library holds it.

    >>> read_column("truth", ["b", "a", "b"]).labels()
    ['b', 'a', 'b']
    """
    if isinstance(data, list | tuple):
        return from_sequence(name, data)
    data = only_column(data)
    if isinstance(data, np.ndarray):
        return from_array(name, data)
    if isinstance(data, range):
        return from_array(name, np.arange(data.start, data.stop, data.step))
    return from_library(name, data)


def numpy_array(name: str, data: Any) -> Array:
    """Return numbers of any library as numpy has them, with a mask where they have one; refuse what it cannot read."""
    try:
        if isinstance(data, list | tuple | np.ndarray):
            return np.asanyarray(data)
        if _is_arrow(data):
            return _arrow_numbers(data)
        return np.asarray(data.to_numpy() if hasattr(data, "to_numpy") else data)
    except (TypeError, ValueError, RuntimeError) as error:
        remedy = "give a list or an array of numbers"
        raise not_column(name, f"a {type_name(data)} that numpy cannot read ({error})", remedy) from error


def only_column(data: Any) -> Any:
    """Return the column of an array of shape (n, 1) or of a frame that has one; other data as they are.

    >>> only_column(np.array([[3], [4]]))
    array([3, 4])
    """
    shape = getattr(data, "shape", None)
    if isinstance(data, np.ndarray) or not (isinstance(shape, tuple) and len(shape) == 2 and shape[1] == 1):
        return data[:, 0] if isinstance(data, np.ndarray) and shape is not None and shape[1:] == (1,) else data
    import narwhals as nw

    frame = nw.from_native(data, eager_only=True, pass_through=True)
    return frame[frame.columns[0]].to_native() if isinstance(frame, nw.DataFrame) else data[:, 0]


def from_library(name: str, data: Any) -> Column:
    """Read a column that is neither a list, a tuple nor a numpy array."""
    if isinstance(data, memoryview | array):
        return from_array(name, np.asarray(data))
    if data is None or np.isscalar(data) or isinstance(data, Mapping | Set):
        raise not_column(name, "None" if data is None else f"a single {type_name(data)}", "give a list or an array")
    import narwhals as nw
    from narwhals import dependencies as known

    data = nw.to_native(data, pass_through=True)
    if known.is_pandas_series(data) or known.is_pandas_index(data):
        return from_pandas(name, data)
    if known.is_polars_series(data):
        return from_polars(name, data)
    if _is_arrow(data):
        return from_arrow(name, data)
    if _is_pandas_array(data):
        return _from_pandas_dtype(name, sys.modules["pandas"].Series(data, copy=False))
    if known.is_into_dataframe(data):
        raise not_column(name, f"a table ({type_name(data)})", "name one of its columns")
    return _from_other(name, data)


def _is_arrow(data: Any) -> bool:
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(data, arrow.Array | arrow.ChunkedArray)


def _is_pandas_array(data: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.api.extensions.ExtensionArray)


def _from_other(name: str, data: Any) -> Column:
    if hasattr(data, "__array__") or hasattr(data, "__dlpack__"):
        try:
            values = np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
        except (TypeError, ValueError, RuntimeError, BufferError) as error:
            remedy = "move it to main memory first, for example with .cpu()"
            raise not_column(name, f"a {type_name(data)} that numpy cannot read ({error})", remedy) from error
        return from_array(name, values)
    if isinstance(data, Sequence):
        return from_sequence(name, list(data))
    raise not_column(name, f"a {type_name(data)}", "give a list or an array, for example list(...)")


def from_pandas(name: str, data: Any) -> Column:
    """Read a pandas Series or Index; categories, nullable and Arrow-backed columns by their own codes."""
    column = _from_pandas_dtype(name, data)
    return replace(column, index=getattr(data, "index", None))


def _from_pandas_dtype(name: str, data: Any) -> Column:
    import pandas as pd

    dtype = data.dtype
    if isinstance(dtype, np.dtype):
        return from_array(name, data.to_numpy())
    if isinstance(dtype, pd.CategoricalDtype):
        column = from_categories(name, data.array.codes, dtype.categories.tolist())
        return _ordered(column) if dtype.ordered else column
    if isinstance(dtype, pd.ArrowDtype) or str(getattr(dtype, "storage", "")).startswith("pyarrow"):
        return from_arrow(name, data.array.__arrow_array__())
    if isinstance(dtype, pd.StringDtype):
        return from_objects(name, data.to_numpy(dtype=object))
    numpy_type = getattr(dtype, "numpy_dtype", None)
    if numpy_type is None:
        return from_array(name, np.asarray(data))
    refuse_absent(name, np.asarray(data.isna()))
    return from_array(name, data.to_numpy(dtype=numpy_type))


def from_categories(name: str, codes: Array, categories: Sequence[Any]) -> Column:
    """Read codes that are places in a list of categories; a code below zero stands for a missing value."""
    if len(codes) and int(codes.min()) < 0:
        refuse_absent(name, codes < 0)
    labels: list[Any] = []
    for place, category in enumerate(categories):
        try:
            labels.append(plain_label(category))
        except NotALabel:
            used = codes == place
            if used.any():
                raise refusal(name, category, int(used.argmax())) from None
            labels.append(None)
    for place in [place for place, label in enumerate(labels) if label is None]:
        refuse_absent(name, codes == place)
    kind = kind_of(name, codes, labels)
    boolean = kind == "integers" and {type(category) for category in categories} <= {bool, np.bool_}
    return Column(name, "booleans" if boolean and labels else kind, codes, labels)


def _ordered(column: Column) -> Column:
    """Return the column with its list of classes as their order; what is no label is never a class."""
    return replace(column, order=[label for label in column.vocabulary or () if label is not None])


def from_polars(name: str, data: Any) -> Column:
    """Read a polars Series: strings through a polars Enum, numbers a slice at a time."""
    import polars as pl

    if not len(data):
        return from_sequence(name, [])
    if missing := data.null_count():
        refuse_missing(name, missing, int(data.is_null().arg_max()))
    if data.dtype == pl.Categorical:
        return _from_polars_categories(name, data)
    if data.dtype == pl.String:
        return _from_polars_enum(name, data.cast(pl.Enum(data.unique())))
    dtype = data.dtype
    if dtype == pl.Enum:
        return _ordered(_from_polars_enum(name, data))
    if dtype.is_integer() or dtype == pl.Boolean:
        values = Converted(data, _polars_numbers)
        if values[:1].dtype.kind == "O":  # integers of 128 bits
            return from_objects(name, data.to_list())
        return Column(name, "booleans" if dtype == pl.Boolean else "integers", values)
    if dtype.is_float():
        return from_floats(name, Converted(data, _polars_numbers))
    if dtype == pl.Object:
        return from_objects(name, data.to_list())
    raise not_labels(name, f"polars.{dtype}", data[0], 0)


def _from_polars_enum(name: str, data: Any) -> Column:
    return from_categories(name, data.to_physical().to_numpy(), data.dtype.categories.to_list())


def _from_polars_categories(name: str, data: Any) -> Column:
    """Read codes into the categories of all columns of the session, of which only those here are listed."""
    import polars as pl

    present = data.unique()
    strings, places = present.cast(pl.String).to_list(), present.to_physical().to_list()
    categories = [strings[0]] * (1 + max(places))
    for place, string in zip(places, strings, strict=True):
        categories[place] = string
    return from_categories(name, data.to_physical().to_numpy(), categories)


def _polars_numbers(block: Any) -> Array:
    return np.asarray(block.to_numpy())


def from_arrow(name: str, data: Any) -> Column:
    """Read an Arrow array: dictionaries by their codes, strings encoded by Arrow, numbers a slice at a time."""
    import pyarrow as pa

    if not len(data):
        return from_sequence(name, [])
    if missing := data.null_count:
        refuse_missing(name, missing, _first_null(data))
    kind = pa.types
    dtype = data.type
    if kind.is_integer(dtype) or kind.is_boolean(dtype):
        values = Converted(data, _arrow_numbers)
        return Column(name, "booleans" if kind.is_boolean(dtype) else "integers", values)
    if kind.is_floating(dtype):
        return from_floats(name, Converted(data, _arrow_numbers))
    if not _is_hashed(dtype):
        raise not_labels(name, f"Arrow {dtype}", data[0].as_py(), 0)
    return replace(from_categories(name, *_unified(data)), order=arrow_order(name, data))


def arrow_order(name: str, data: Any) -> Sequence[Any] | None:
    """Return the order that an Arrow column's dictionary states, common to all its chunks; None if it states none."""
    import pyarrow as pa

    if not (pa.types.is_dictionary(data.type) and data.type.ordered):
        return None
    chunks = data.chunks if isinstance(data, pa.ChunkedArray) else [data]
    lists = ([value for value in chunk.dictionary.to_pylist() if value is not None] for chunk in chunks)
    return common_order((f"chunk {place} of {name}", each) for place, each in enumerate(lists, start=1))


def _is_hashed(dtype: Any) -> bool:
    """Say whether Arrow keeps or makes a dictionary of such values."""
    from pyarrow import types as kind

    strings = kind.is_string(dtype) or kind.is_large_string(dtype) or kind.is_string_view(dtype)
    return strings or (kind.is_dictionary(dtype) and not kind.is_nested(dtype.value_type))


def _unified(data: Any) -> tuple[Array, list[Any]]:
    """Return codes and values of an Arrow column whose chunks each have a dictionary of their own."""
    places: dict[Any, int] = {}
    codes = np.empty(len(data), dtype=np.uint8)
    start = 0
    for indices, dictionary in _dictionaries(data):
        local = np.array([places.setdefault(value, len(places)) for value in dictionary], dtype=np.int64)
        if len(places) > 1 << 8 * codes.itemsize:
            codes = codes.astype(digit_type(len(places)))
        for block in blocks(indices):
            codes[start : start + len(block)] = local[block]
            start += len(block)
    return codes, list(places)


def _dictionaries(data: Any) -> Iterator[tuple[Array, list[Any]]]:
    import pyarrow as pa

    for chunk in data.chunks if isinstance(data, pa.ChunkedArray) else [data]:
        step = len(chunk) if pa.types.is_dictionary(chunk.type) else _CHUNK
        for start in range(0, len(chunk), max(1, step)):
            part = chunk.slice(start, step)
            part = part.cast(pa.large_string()) if pa.types.is_string_view(part.type) else part
            part = part if pa.types.is_dictionary(part.type) else part.dictionary_encode()
            yield part.indices.to_numpy(zero_copy_only=False), part.dictionary.to_pylist()


def _arrow_numbers(block: Any) -> Array:
    return np.asarray(block.to_numpy(zero_copy_only=False))


def _first_null(data: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.index(data.is_null(), True).as_py())
