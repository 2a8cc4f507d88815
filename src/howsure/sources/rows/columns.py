"""Columns of a file or a frame, every row of them: numbers as floats, names as they are, bad rows refused or left "
"out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from howsure.errors import InputError, arg, nearest, quoted, setting
from howsure.sources.arrays.bad_values import is_missing
from howsure.sources.files.read_file import scan_of
from howsure.sources.files.request import ReadRequest
from howsure.sources.files.scans.scan import Scan
from howsure.sources.frames import wrapped_frame
from howsure.types import Array


@dataclass
class RowColumns:
    """Some columns of a source: ``numbers`` by column, nan where there is none; ``names`` as Python objects.

    Not ``typed`` are those of a text file, whose names are all text.
    """

    source: str
    all: tuple[str, ...]
    numbers: dict[str, Array]
    names: dict[str, list[Any]]
    notes: list[str] = field(default_factory=list)
    typed: bool = True

    def __len__(self) -> int:
        columns: list[Any] = [*self.numbers.values(), *self.names.values()]
        return len(columns[0]) if columns else 0

    def take(self, rows: Array) -> RowColumns:
        """Return some of the rows."""
        places = rows.nonzero()[0].tolist() if rows.dtype == bool else rows.tolist()
        names = {name: [column[place] for place in places] for name, column in self.names.items()}
        numbers = {name: column[rows] for name, column in self.numbers.items()}
        return replace(self, numbers=numbers, names=names)


def check_columns(wanted: Mapping[str, str], columns: Sequence[str], source: str) -> None:
    """Refuse a column that is not there; ``wanted`` maps a column to the argument that names it."""
    for column, argument in wanted.items():
        if column not in columns:
            raise InputError(
                f"{arg(argument)} names the column {column!r}, which {source} does not have; its columns are "
                f"{quoted(columns)}.{nearest(str(column), map(str, columns))}"
            )


def read_columns(
    source: Any, request: ReadRequest, numbers: Mapping[str, str], names: Mapping[str, str], *,
    alike: tuple[int, int] | None = None, optional: Iterable[str] = (),
) -> RowColumns:  # fmt: skip
    """Return columns of a file or frame; ``numbers`` and ``names`` map columns to the arguments that name them.

    ``alike`` asks for all further columns too that have so many distinct values, as names, from a number to another;
    ``optional`` ones may be missing.
    """
    if isinstance(source, (str, PathLike)):
        with request.start() as duck:
            scan = scan_of(source, request, duck)
            check_columns({**numbers, **names}, scan.columns, scan.name)
            scan.check_types((argument, column) for column, argument in {**numbers, **names}.items())
            made = _of_file(scan, numbers, [*names, *_alike(scan, {*numbers, *names}, alike)])
            return _usable(made, request.on_bad, _needed(numbers, names, optional), scan)
    made = _of_frame(source, numbers, names, alike)
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
    frame: Any, numbers: Mapping[str, str], names: Mapping[str, str], alike: tuple[int, int] | None
) -> RowColumns:
    wrapped = wrapped_frame(frame)
    available = tuple(wrapped.collect_schema().names())
    check_columns({**numbers, **names}, available, "the frame")
    others = [column for column in available if column not in {*numbers, *names}] if alike is not None else []
    chosen = wrapped.select(*dict.fromkeys((*numbers, *names, *others)))
    chosen = chosen.collect() if hasattr(chosen, "collect") else chosen
    more = [name for name in others if alike is not None and alike[0] <= chosen[name].n_unique() <= alike[1]]
    held = {column: _floats(chosen[column].to_list()) for column in numbers}
    return RowColumns("the frame", available, held, {name: chosen[name].to_list() for name in (*names, *more)})


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
            words.append(f"{column!r} {what} in {int(wrong.sum()):,}{_place(columns, scan, column, wrong)}")
            bad |= wrong
    lost = 0 if scan is None else scan.dropped()
    words += [f"{lost:,} line{'s' * (lost > 1)} cannot be read as {len(columns.all)} fields"] if lost else []
    total = len(columns) + lost
    if not words:
        if not total:
            raise InputError(f"{columns.source} has no rows; check the file or the filter")
        return columns
    gone = int(bad.sum()) + lost
    if on_bad == "refuse" or gone == total:
        raise InputError(
            f"{columns.source}: {gone:,} of {total:,} rows cannot be used: {'; '.join(words)}. Correct them, or leave "
            f"such rows out with {setting('on_bad', 'skip')}."
        )
    made = columns.take(~bad)
    made.notes.append(f"{gone:,} of {total:,} rows {'was' if gone == 1 else 'were'} left out: {'; '.join(words)}.")
    return made


def _is_no_name(value: Any) -> bool:
    """Say whether a value names nothing: it is missing, or holds others."""
    return isinstance(value, (list, dict, tuple, set, np.ndarray)) or is_missing(value)


def _place(columns: RowColumns, scan: Scan | None, column: str, wrong: Array) -> str:
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
