"""Read a column of labels in which some rows have none: what nobody labelled, what a judge did not answer.

A row has no label where its value is missing (None, nan, a null of any library) or blank text. Any other code for that
("NA", -1) would be a class of its own, so ``refuse_codes`` asks what it means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages.sources import arrays as messages
from howsure.sources.arrays.column import Column, Converted, encoded_objects, from_array, from_sequence, kind_of
from howsure.sources.arrays.digits import blocks, sample
from howsure.sources.arrays.libraries import only_column, read_column
from howsure.sources.arrays.refusals import MissingValues, not_whole
from howsure.types import Array

CODES = frozenset(
    {"na", "n/a", "#n/a", "nan", "<na>", "null", "nil", "none", "missing", "unlabeled", "unlabelled", "?", "-", "tbd"}
)
_LARGEST = 254
NUMBER = -1  # as in scikit-learn's semi-supervised learning


def no_label(value: Any) -> bool:
    """Say whether a value is missing or blank text."""
    return value is None or (isinstance(value, str) and not value.strip())


class Blanked(NamedTuple):
    """A column and the value that stands for no label in it, if a number does."""

    column: Column
    sentinel: int | None = None

    def blank(self, value: Any) -> bool:
        """Say whether a value of the column means that there is no label."""
        return no_label(value) or (self.sentinel is not None and value == self.sentinel)


def read_blanked(name: str, data: Any, *, quick: bool = False) -> Blanked:
    """Return a column of labels in which rows may have none.

    ``quick`` reads floats while they are counted, which raises WrongGuess where they are not what they seemed.

    >>> found = read_blanked("truth", ["yes", None, "no", ""])
    >>> [found.blank(value) for value in found.column.labels()]
    [False, True, False, True]
    """
    if not isinstance(data, list | tuple):
        data = only_column(data)
        if not isinstance(data, np.ndarray):
            try:
                return Blanked(read_column(name, data))
            except MissingValues:
                data = _with_nulls(data)
    if isinstance(data, np.ma.MaskedArray):
        absent, data = np.ma.getmaskarray(data), data.data.astype(object)
        data[absent] = None
    if isinstance(data, np.ndarray) and data.ndim == 1 and data.dtype.kind == "f":
        return (_guessed(name, data) if quick else None) or _from_floats(name, data)
    if isinstance(data, np.ndarray) and data.dtype.kind not in "OT":
        return Blanked(from_array(name, data))
    try:
        return Blanked(from_sequence(name, data) if isinstance(data, list | tuple) else from_array(name, data))
    except MissingValues:
        return _from_objects(name, data)


class WrongGuess(Exception):
    """A column of floats holds other numbers than its first rows let expect."""


def _guessed(name: str, data: Array) -> Blanked | None:
    """Read whole numbers from 0 to 254 as bytes while they are counted; None where a sample holds others.

    No row is looked at twice: that no number is the one that stands for nan is checked when blocks are converted.
    """
    first = sample(data)
    told = first[~np.isnan(first)]
    if not (len(told) and told.min() >= 0 and told.max() < _LARGEST):
        return None
    nothing = np.uint8(int(told.max()) + 1)

    def converted(block: Array) -> Array:
        with np.errstate(invalid="ignore"):
            small = block.astype(np.uint8)
        whole = small == block
        if whole.all():
            if small.max(initial=0) >= nothing:
                raise WrongGuess
            return small
        found: Array = small * whole + (~whole).view(np.uint8) * nothing  # a third of the time of numpy.where
        absent = len(block) - np.count_nonzero(whole)
        if np.count_nonzero(np.isnan(block)) != absent or np.count_nonzero(found >= nothing) != absent:
            raise WrongGuess
        return found

    return Blanked(Column(name, "integers", Converted(data, converted)), int(nothing))


def _from_floats(name: str, data: Array) -> Blanked:
    """Read whole numbers as floats, nan where there is none: as one less than the smallest."""
    least, start, missing = np.inf, 0, False
    for block in blocks(data):
        absent = np.isnan(block)
        whole = (np.trunc(block) == block) & (np.abs(block) < 2.0**52) | absent
        if not whole.all():
            raise not_whole(name, float(block[whole.argmin()]), start + int(whole.argmin()))
        missing, start = missing or bool(absent.any()), start + len(block)
        least = min(least, float(np.fmin.reduce(block, initial=np.inf)))
    if not missing:
        return Blanked(Column(name, "integers", Converted(data, lambda block: block.astype(np.int64))))
    sentinel = int(least) - 1 if np.isfinite(least) else 0

    def whole_numbers(block: Array) -> Array:
        return np.where(np.isnan(block), sentinel, block).astype(np.int64)

    return Blanked(Column(name, "integers", Converted(data, whole_numbers)), sentinel)


def _from_objects(name: str, data: Any) -> Blanked:
    codes, book = encoded_objects(name, data)
    told = codes[codes != book.missing]
    kind = kind_of(name, told, book.labels) if len(told) else "integers"
    return Blanked(Column(name, kind, codes, book.labels))


def _with_nulls(data: Any) -> Any:
    """Return a column that has nulls as numpy has it: floats with nan, or objects with None."""
    import narwhals as nw

    series = nw.from_native(data, series_only=True, pass_through=True, allow_series=True)
    if not isinstance(series, nw.Series):
        return np.asarray(data, dtype=object)
    if series.dtype.is_numeric():
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    return np.array(series.to_list(), dtype=object)


def refuse_codes(name: str, values: Iterable[Any], elsewhere: Sequence[Any], *, blanks: bool) -> None:
    """Refuse a value that looks like a code for "no label" and that no prediction ever is: it would be a class."""
    known = set(elsewhere)
    for value in values:
        code = value.strip().casefold() in CODES if isinstance(value, str) else value == NUMBER
        if not code or value in known:
            continue
        beside = messages.BESIDE_ROWS_ARE_BLANK() if blanks else ""
        raise InputError(messages.HOLDS_ROW_NOBODY_LABELLED(name=name, value=value, beside=beside))
