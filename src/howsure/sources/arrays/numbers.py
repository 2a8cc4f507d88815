"""Read a column of numbers of whatever library, and how rows were sampled beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import arrays as messages
from howsure.sources.arrays.bad_values import first_row
from howsure.sources.arrays.codebook import MISSING
from howsure.sources.arrays.column import Column
from howsure.sources.arrays.libraries import numpy_array, read_column
from howsure.sources.arrays.refusals import MissingValues, check_dimensions, not_column, type_name
from howsure.sources.arrays.weights import read_weight
from howsure.tables.design import Design
from howsure.types import Array, Ints


def read_numbers(name: str, data: Any) -> Array:
    """Return a column as finite floats; refuse text, missing and infinite values with the first row.

    >>> read_numbers("values", [1, 0.5, True])
    array([1. , 0.5, 1. ])
    """
    numbers = read_floats(name, data)
    check_dimensions(name, numbers.shape)
    missing = np.isnan(numbers)
    if missing.any():
        raise MissingValues(
            messages.NUMBERS_ARE_MISSING(
                name=name, missing=int(missing.sum()), what="s" * int(missing.sum() > 1), argmax=int(missing.argmax())
            )
        )
    row = first_row(~np.isfinite(numbers))
    if row is not None:
        raise InputError(messages.NUMBER_IS_NOT_FINITE(name=name, numbers=float(numbers[row]), row=row))
    return numbers


def read_floats(name: str, data: Any) -> Array:
    """Return a column as floats, nan where a value is missing; refuse what is no number."""
    if data is None or np.isscalar(data) or isinstance(data, Mapping):
        raise not_column(name, "None" if data is None else f"a single {type_name(data)}", "give a list or an array")
    native = numpy_array(name, data)
    if native.ndim == 2 and native.shape[1] == 1:
        native = native[:, 0]
    if native.dtype.kind == "O":
        native = _from_objects(name, native)
    if native.dtype.kind not in "biuf":
        shown = messages.IN_ROW_0(flat=native.flat[0]) if native.size else ""
        raise InputError(messages.HOLDS_VALUES_THEY_MUST_BE_NUMBERS(name=name, dtype=native.dtype, shown=shown))
    if isinstance(native, np.ma.MaskedArray):
        native = np.ma.filled(native.astype(np.float64), np.nan)
    return np.asarray(native, dtype=np.float64)


def _from_objects(name: str, values: Array) -> Array:
    """Return Python numbers as floats, missing ones as nan."""
    plain = [np.nan if type(value).__name__ in MISSING else value for value in values.ravel().tolist()]
    for row, value in enumerate(plain):
        try:
            if isinstance(value, str | bytes):
                raise TypeError
            plain[row] = float(value)
        except (TypeError, ValueError):
            raise InputError(
                messages.HOLDS_VALUES_IN_ROW(name=name, type_name=type_name(value), value=value, row=row)
            ) from None
    return np.array(plain, dtype=np.float64).reshape(values.shape)


def check_equal_lengths(sizes: Mapping[str, int]) -> int:
    """Return the number of rows that all columns have, one or more; refuse columns of unequal length, by name."""
    rows = common_length(sizes)
    if not rows:
        raise InputError(messages.TABLE_HAS_NO_ROWS(first=next(iter(sizes))))
    return rows


def common_length(sizes: Mapping[str, int]) -> int:
    """Return the number of rows that all columns have, perhaps none."""
    (first, rows), *others = sizes.items()
    for name, other in others:
        if other != rows:
            raise InputError(
                messages.ROW_THEY_MUST_DESCRIBE_SAME_ROWS(
                    first=first, rows=rows, what="s" * (rows != 1), name=name, other=other
                )
            )
    return rows


def places_of(column: Column) -> tuple[Ints, tuple[Any, ...]]:
    """Return the place of each row's label among the labels that occur, and these, sorted."""
    found, codes = np.unique(column.values[:], return_inverse=True)
    names = found.tolist() if column.vocabulary is None else [column.vocabulary[place] for place in found.tolist()]
    names = list(map(bool, names)) if column.kind == "booleans" else names
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return place[codes.ravel()], tuple(names[one] for one in order)


def sampled(name: str, rows: int, *, weight: Any = None, groups: Any = None, counts: Array | None = None) -> Design:
    """Return how rows were sampled, one by one: their weights and groups, as long as the column of that name.

    ``counts`` says how often each row occurred, and its weight is then that of each.
    """
    often = np.ones(rows) if counts is None else counts
    weighing = often if weight is None else np.asarray(read_weight(weight), dtype=float)
    grouping = None if groups is None else read_column("groups", groups)
    sizes = {name: rows, "weight": len(weighing)} | ({} if grouping is None else {"groups": len(grouping)})
    check_equal_lengths(sizes)
    codes, names = (None, ()) if grouping is None else places_of(grouping)
    if weight is None:
        return Design(often, often, often, codes, names)
    powers = (weighing, weighing**2, weighing**3)
    weights, squares, cubes = powers if counts is None else (counts * power for power in powers)
    return Design(often, weights, squares, codes, names, cubes=cubes)


def by_model(argument: str, given: Any, *, of: str = "numbers") -> dict[str, Any]:
    """Return columns by the names of their models: a mapping or a frame as it is, a single column as "model"."""
    if isinstance(given, Mapping):
        found = {str(name): column for name, column in given.items()}
    elif hasattr(given, "columns") and not callable(given.columns):
        names = list(getattr(given, "column_names", given.columns))
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(messages.COLUMN_TWICE_EACH_MODEL_NEEDS_OWN(argument=argument, twice=twice))
        found = {str(name): given[name] for name in names}
    else:
        found = {"model": given}
    if not found:
        raise InputError(messages.HOLDS_NO_MODEL(argument=argument, of=of))
    if isinstance(given, Mapping) and len(found) < len(given):
        raise InputError(messages.NAMES_MODELS_READ_SAME_AS_TEXT(argument=argument, given=quoted(given)))
    return found
