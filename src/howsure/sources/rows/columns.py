"""Columns of a file or a frame, every row of them: numbers as floats, names as they are, bad rows refused or left "
"out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages.sources import rows as messages
from howsure.sources.arrays.bad_values import LARGEST, is_missing, rows_left_out
from howsure.sources.files.read_file import scan_of
from howsure.sources.files.request import ReadRequest, no_such_column
from howsure.sources.files.scans.scan import Scan
from howsure.sources.frames import collected, wrapped_frame
from howsure.tables.table import Table
from howsure.types import Array


@dataclass
class RowColumns:
    """Some columns of a source: ``numbers`` by column, nan where there is none; ``names`` as Python objects.

    ``counts`` is how often each row occurred, where an engine has counted distinct rows; None where each did once.
    Not ``typed`` are those of a text file, whose names are all text.
    """

    source: str
    all: tuple[str, ...]
    numbers: dict[str, Array]
    names: dict[str, list[Any]]
    notes: list[str] = field(default_factory=list)
    counts: Array | None = None
    typed: bool = True

    def __len__(self) -> int:
        columns: list[Any] = [*self.numbers.values(), *self.names.values()]
        return len(columns[0]) if columns else 0

    def take(self, rows: Array) -> RowColumns:
        """Return some of the rows."""
        places = rows.nonzero()[0].tolist() if rows.dtype == bool else rows.tolist()
        names = {name: [column[place] for place in places] for name, column in self.names.items()}
        numbers = {name: column[rows] for name, column in self.numbers.items()}
        counts = None if self.counts is None else self.counts[rows]
        return replace(self, numbers=numbers, names=names, counts=counts)

    def weight(self, column: str | None) -> Array | None:
        """Return the weights of the rows: their column, or how often each occurred."""
        return self.counts if column is None else self.numbers[column]

    def spread(self) -> RowColumns:
        """Return every row as often as it occurred, for tables that do not take counts."""
        if self.counts is None:
            return self
        spread = self.take(np.repeat(np.arange(len(self)), self.counts.astype(np.int64)))
        spread.counts = None
        return spread


def as_often(table: Table, counts: Array | None) -> Table:
    """Return a table whose rows carry how often they occurred as weights with rows that occurred so often."""
    if counts is None:
        return table
    often = table.design.weights
    return replace(table, design=replace(table.design, counts=often, weights=often, squares=often, cubes=often))


def check_columns(wanted: Mapping[str, str], columns: Sequence[str], source: str) -> None:
    """Refuse a column that is not there; ``wanted`` maps a column to the argument that names it."""
    for column, argument in wanted.items():
        if column not in columns:
            raise no_such_column(argument, column, columns, source)


def read_columns(
    source: Any, request: ReadRequest, numbers: Mapping[str, str], names: Mapping[str, str], *,
    alike: tuple[int, int] | None = None, optional: Iterable[str] = (), counted: bool = False,
) -> RowColumns:  # fmt: skip
    """Return columns of a file or frame; ``numbers`` and ``names`` map columns to the arguments that name them.

    ``alike`` asks for all further columns too that have so many distinct values, as names, from a number to another;
    ``optional`` ones may be missing. ``counted`` lets the engine of a lazy frame count distinct rows.
    """
    if isinstance(source, (str, PathLike)):
        with request.start() as duck:
            scan = scan_of(source, request, duck)
            check_columns({**numbers, **names}, scan.columns, scan.name)
            scan.check_types((argument, column) for column, argument in {**numbers, **names}.items())
            made = _of_file(scan, numbers, [*names, *_alike(scan, {*numbers, *names}, alike)])
            return _usable(made, request.on_bad, _needed(numbers, names, optional), scan)
    made = _of_frame(source, numbers, names, alike, counted)
    return _usable(made, request.on_bad, _needed(numbers, names, optional), None)


def _needed(numbers: Iterable[str], names: Iterable[str], optional: Iterable[str]) -> list[str]:
    """Return the columns that must have a value in every row."""
    return [name for name in (*numbers, *names) if name not in set(optional)]


def columns_in(source: Any, request: ReadRequest) -> tuple[str, ...]:
    """Return the columns that a file or frame has."""
    if isinstance(source, (str, PathLike)):
        with request.start() as duck:
            return scan_of(source, request, duck).columns
    return tuple(wrapped_frame(source).collect_schema().names())


def _alike(scan: Scan, used: set[str], number: tuple[int, int] | None) -> list[str]:
    """Return the other columns that have so many distinct values."""
    others = [column for column in scan.columns if column not in used]
    if number is None or not others:
        return []
    counts = ", ".join(f"count(DISTINCT {scan.text(column)})" for column in others)
    found = scan.rows(f"SELECT {counts} FROM {scan.sql}")[0]
    return [column for column, count in zip(others, found, strict=True) if number[0] <= count <= number[1]]


def _of_file(scan: Scan, numbers: Iterable[str], names: Sequence[str]) -> RowColumns:
    chosen = [f"{scan.number(column)} AS v{place}" for place, column in enumerate(numbers)]
    chosen += [f"{scan.expression(column)} AS n{place}" for place, column in enumerate(names)]
    with scan.duck.in_order():
        rows = scan.rows(f"SELECT {', '.join(chosen)} FROM {scan.sql}")
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(chosen)
    count = len(chosen) - len(names)
    held = {
        column: np.array([np.nan if value is None else value for value in values], dtype=float)
        for column, values in zip(numbers, columns[:count], strict=True)
    }
    texts = {
        column: [scan.decode(value) for value in values] for column, values in zip(names, columns[count:], strict=True)
    }
    return RowColumns(scan.name, scan.columns, held, texts, typed=scan.typed)


def _of_frame(
    frame: Any, numbers: Mapping[str, str], names: Mapping[str, str], alike: tuple[int, int] | None, counted: bool
) -> RowColumns:
    wrapped = wrapped_frame(frame)
    available = tuple(wrapped.collect_schema().names())
    check_columns({**numbers, **names}, available, "the frame")
    others = [column for column in available if column not in {*numbers, *names}] if alike is not None else []
    chosen, counts = collected(wrapped, list(dict.fromkeys((*numbers, *names, *others))), counted=counted)
    more = [name for name in others if alike is not None and alike[0] <= chosen[name].n_unique() <= alike[1]]
    held = {column: _floats(chosen[column].to_list()) for column in numbers}
    texts = {name: chosen[name].to_list() for name in (*names, *more)}
    return RowColumns("the frame", available, held, texts, counts=counts)


def read_sums(source: Any, request: ReadRequest, numbers: Mapping[str, str], names: Mapping[str, str]) -> RowColumns:
    """Return columns whose rows of the same names are to be added up: the engine of a lazy frame adds them.

    Where a number is missing or none, every row is read, so that it can be refused or left out by itself.
    """
    wrapped = None if isinstance(source, (str, PathLike)) else wrapped_frame(source)
    if wrapped is None or not hasattr(wrapped, "collect"):
        return read_columns(source, request, numbers, names)
    import narwhals.stable.v2 as nw

    available = tuple(wrapped.collect_schema().names())
    check_columns({**numbers, **names}, available, "the frame")
    values = {column: nw.col(column).cast(nw.Float64) for column in numbers}
    usable = [((one >= -LARGEST) & (one <= LARGEST)).fill_null(False) for one in values.values()]
    sums = [one.sum().alias(column) for column, one in values.items()]
    odd = [(~one).cast(nw.Int64).sum().alias(f"howsure_{place}") for place, one in enumerate(usable)]
    held = wrapped.group_by(*names).agg(*sums, *odd).collect()
    if not len(held) or any(sum(held[f"howsure_{place}"].to_list()) for place in range(len(odd))):
        return read_columns(source, request, numbers, names)
    added = {column: _floats(held[column].to_list()) for column in numbers}
    made = RowColumns("the frame", available, added, {name: held[name].to_list() for name in names})
    return _usable(made, request.on_bad, _needed(numbers, names, ()), None)


def _floats(values: Sequence[Any]) -> Array:
    def number(value: Any) -> float:
        try:
            return float("nan") if is_missing(value) or isinstance(value, str | bytes) else float(value)
        except (TypeError, ValueError):
            return float("nan")

    return np.array([number(value) for value in values], dtype=float)


def _usable(columns: RowColumns, on_bad: str, needed: Sequence[str], scan: Scan | None) -> RowColumns:
    """Return the rows that have all they need; the others are refused, or left out and noted."""
    faults = {column: ~np.isfinite(values) for column, values in columns.numbers.items() if column in needed}
    named = [column for column in needed if column in columns.names]
    faults |= {column: np.array([_is_no_name(v) for v in columns.names[column]], dtype=bool) for column in named}
    bad = np.zeros(len(columns), dtype=bool)
    words = []
    for column, wrong in faults.items():
        if wrong.any():
            what = "is no finite number" if column in columns.numbers else "is missing, or several values"
            words.append(f"{column!r} {what} in {_often(columns, wrong):,}{_place(columns, scan, column, wrong)}")
            bad |= wrong
    lost = 0 if scan is None else scan.dropped()
    words += [f"{lost:,} line{'s' * (lost > 1)} cannot be read as {len(columns.all)} fields"] if lost else []
    total = _often(columns, np.ones(len(columns), dtype=bool)) + lost
    if not words:
        if not total:
            raise InputError(messages.NO_ROWS_CHECK_FILE_OR_FILTER(source=columns.source))
        return columns
    gone = _often(columns, bad) + lost
    if on_bad == "refuse" or gone == total:
        raise InputError(
            messages.OF_ROWS_CANNOT_BE_USED(source=columns.source, gone=gone, total=total, words="; ".join(words))
        )
    made = columns.take(~bad)
    made.notes.append(rows_left_out(gone, total, "; ".join(words)))
    return made


def _often(columns: RowColumns, which: Array) -> int:
    """Return how many rows of the source some of the rows are."""
    return int(which.sum() if columns.counts is None else columns.counts[which].sum())


def _is_no_name(value: Any) -> bool:
    """Say whether a value names nothing: it is missing, or holds others."""
    return isinstance(value, (list, dict, tuple, set, np.ndarray)) or is_missing(value)


def _place(columns: RowColumns, scan: Scan | None, column: str, wrong: Array) -> str:
    if columns.counts is not None:
        return ""
    if scan is None:
        return f" (first in row {int(wrong.argmax())}, counting from 0)"

    def is_bad(value: Any) -> bool:
        if column in columns.names:
            return value == "" or _is_no_name(value)
        try:
            return not np.isfinite(float(value))
        except (TypeError, ValueError):
            return True

    return scan.first_bad(column, is_bad)
