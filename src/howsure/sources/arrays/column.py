"""Read one column of labels of any kind as whole numbers, and refuse what is not a label."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from howsure.errors import InputError
from howsure.sources.arrays.codebook import Codebook, NotALabel
from howsure.sources.arrays.digits import BIT, Blockwise, DigitRange, blocks, digit_type, extremes, sample
from howsure.sources.arrays.fixed_width import NotText, encode_words
from howsure.sources.arrays.refusals import (
    check_dimensions,
    mixed,
    nested,
    not_labels,
    not_whole,
    refuse_absent,
    refuse_missing,
    type_name,
    undecodable,
)
from howsure.types import Array

ColumnKind = Literal["booleans", "integers", "strings"]

_OBJECTS = 1 << 14
"""Python objects a block."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column as whole numbers: the labels themselves, or their places in ``vocabulary``."""

    name: str
    kind: ColumnKind
    values: Blockwise
    vocabulary: Sequence[Any] | None = None
    index: Any = None
    """The pandas index, if there is one."""
    order: Sequence[Any] | None = None
    """The classes in their order, where the column's type states one."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def span(self) -> DigitRange | None:
        """The span of the values, where it is known without looking."""
        if self.vocabulary is None:
            return BIT if self.kind == "booleans" else None
        return DigitRange(0, max(1, len(self.vocabulary)))

    def example(self) -> Any:
        """Return the label of the first row."""
        place = self.values[:1].tolist()[0]
        return place if self.vocabulary is None else self.vocabulary[place]

    def labels(self) -> list[Any]:
        """Return the labels of all rows as Python objects; for short columns."""
        places = self.values[:].tolist()
        return places if self.vocabulary is None else [self.vocabulary[place] for place in places]


class Converted:
    """A column that is converted a block at a time, so that no full-length copy is made."""

    def __init__(self, native: Any, convert: Callable[[Any], Array]) -> None:
        self._native = native
        self._convert = convert

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, rows: slice, /) -> Array:
        return self._convert(self._native[rows])


def from_sequence(name: str, data: Sequence[Any]) -> Column:
    """Read a list or tuple."""
    values = _integers(data)
    if values is None:
        return from_objects(name, data)
    boolean = len(data) > 0 and type(data[0]) is bool and set(map(type, data)) == {bool}
    return Column(name, "booleans" if boolean else "integers", values)


def _integers(data: Sequence[Any]) -> Array | None:
    """Return integers as an array of bytes or words; None if they do not fit or other objects are among them."""
    if len(data) > 0 and isinstance(data[0], np.bool_):
        return None  # numpy 1 lets them pass for integers
    try:
        return np.frombuffer(bytes(data), dtype=np.uint8)
    except TypeError:
        return None
    except ValueError:
        pass  # not all of them fit a byte
    try:
        return np.frombuffer(array("q", data), dtype=np.int64)
    except (TypeError, OverflowError):
        return None


def from_array(name: str, data: Array) -> Column:
    """Read a numpy array of one dimension."""
    check_dimensions(name, data.shape)
    if isinstance(data, np.ma.MaskedArray):
        refuse_absent(name, np.ma.getmaskarray(data))
        data = data.data
    kind = data.dtype.kind
    if kind in "biu":
        return Column(name, "booleans" if kind == "b" else "integers", data)
    if kind == "f":
        return from_floats(name, data)
    if kind in "US":
        return from_fixed_width(name, data)
    if kind in "OT":
        return from_objects(name, data)
    raise not_labels(name, str(data.dtype), data[0] if len(data) else None, 0)


def condensed(column: Column) -> Column:
    """Return a long column of few integers that lie far apart as places in a list of them."""
    if column.vocabulary is not None or len(column) <= _OBJECTS or column.values[:1].itemsize < 4:
        return column
    least, greatest = extremes(sample(column.values))
    if greatest - least < 1 << 16 or (encoded := encode_words(column.values)) is None:
        return column
    return replace(column, values=encoded[0], vocabulary=encoded[1])


def from_floats(name: str, data: Blockwise) -> Column:
    """Read floats that are whole numbers; refuse others."""
    missing, first, start = 0, 0, 0
    fraction: tuple[float, int] | None = None
    for block in blocks(data):
        block = block.astype(np.promote_types(block.dtype, np.float32), copy=False)
        absent = np.isnan(block)
        found = int(np.count_nonzero(absent))
        first = start + int(absent.argmax()) if found and not missing else first
        missing += found
        whole = (np.trunc(block) == block) & (np.abs(block) < 2.0**63) | absent
        if fraction is None and not whole.all():
            fraction = float(block[whole.argmin()]), start + int(whole.argmin())
        start += len(block)
    refuse_missing(name, missing, first)
    if fraction is not None:
        raise not_whole(name, *fraction)
    return Column(name, "integers", Converted(data, lambda block: block.astype(np.int64)))


def from_fixed_width(name: str, data: Array) -> Column:
    """Read a numpy array of dtype U or S."""
    try:
        encoded = encode_words(data) if len(data) > _OBJECTS else None
        if encoded is None:
            return from_objects(name, Converted(data, np.char.decode) if data.dtype.kind == "S" else data)
    except (NotText, UnicodeDecodeError):
        raise undecodable(name, *_first_undecodable(data)) from None
    return Column(name, "strings", *encoded)


def _first_undecodable(data: Array) -> tuple[bytes, int]:
    for row, value in enumerate(data.tolist()):
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            return value, row
    raise AssertionError("every entry is UTF-8")


def from_objects(name: str, data: Any) -> Column:
    """Read Python objects, each looked up in a table of those seen; refuse missing ones."""
    codes, book = encoded_objects(name, data)
    if book.missing is not None:
        refuse_absent(name, codes == book.missing)
    kind = kind_of(name, codes, book.labels)
    boolean = kind == "integers" and 0 < len(book) <= 2 and set(book.labels) <= {0, 1} and _all_boolean(data)
    return Column(name, "booleans" if boolean else kind, codes, book.labels)


def encoded_objects(name: str, data: Any) -> tuple[Array, Codebook]:
    """Return the code of each Python object, and the table of those seen; missing ones have a code too."""
    book = Codebook()
    codes = np.empty(len(data), dtype=np.uint8)
    for start, block in _object_blocks(data):
        try:
            found = book.encode(block)
        except NotALabel as odd:
            row = next(row for row, value in enumerate(block) if value is odd.value)
            raise refusal(name, odd.value, start + row) from None
        if len(book.labels) > 1 << 8 * codes.itemsize:
            codes = codes.astype(digit_type(len(book.labels)))
        codes[start : start + len(block)] = found
    return codes, book


def _object_blocks(data: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    for start in range(0, len(data), _OBJECTS):
        block = data[start : start + _OBJECTS]
        yield start, block.tolist() if isinstance(block, np.ndarray) else block


def kind_of(name: str, codes: Blockwise, labels: Sequence[Any]) -> ColumnKind:
    """Return whether the labels that the codes point to are integers or strings; refuse a mixture."""
    strings = np.array([isinstance(label, str) for label in labels], dtype=np.bool_)
    if not strings.any():
        return "integers"
    if not strings.all():
        is_string = strings[codes[:]]
        if not is_string.any():
            return "integers"
        if not is_string.all():
            rows = int(is_string.argmin()), int(is_string.argmax())
            integer, string = ((labels[codes[row : row + 1][0]], row) for row in rows)
            raise mixed(name, integer, string)
    return "strings"


def _all_boolean(data: Any) -> bool:
    return all(set(map(type, block)) <= {bool, np.bool_} for _, block in _object_blocks(data))


def refusal(name: str, value: Any, row: int) -> InputError:
    """Return the error that says why an object is no label."""
    if isinstance(value, list | tuple | dict | set | frozenset | np.ndarray):
        return nested(name, value, row)
    if isinstance(value, float | np.floating):
        return not_whole(name, float(value), row)
    return not_labels(name, type_name(value), value, row)
