"""Records of text files, one at a time with their line numbers: logs are read so, and bad lines found so."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any, NamedTuple

from howsure.errors import InputError
from howsure.errors.messages.sources import files as messages
from howsure.sources.files.formats import is_url, unfolded

DELIMITERS = ",\t;|"
LONGEST = 1 << 24
"""The longest line of a CSV file."""


class Record(NamedTuple):
    """One record: where it stands, and its fields by column; None if it cannot be read."""

    line: int
    fields: dict[str, Any] | None


@contextmanager
def opened(name: str) -> Iterator[IO[str]]:
    """Open a text file, compressed or not; refuse what is not UTF-8, or not here."""
    if is_url(name):
        rule = messages.FROM_ADDRESS_ONLY_TABLES_OF_ROWS()
        raise InputError.of("source", name, rule)
    try:
        with unfolded(name) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as file:
            yield file
    except UnicodeDecodeError as error:
        raise InputError(messages.SOURCE_IS_NOT_UTF_8(source=repr(name), reason=error.reason)) from None


class Dialect(NamedTuple):
    """What separates the fields of a CSV file, its columns, and the blank lines before the line that names them."""

    delimiter: str
    columns: tuple[str, ...]
    blank: int = 0


def dialect_of(lines: Iterable[str], name: str, *, delimiter: str | None = None) -> Dialect:
    """Return the delimiter and columns of a CSV file, given its lines, of which the first with text is read."""
    blank, line = next(((place, line) for place, line in enumerate(lines) if line.strip()), (0, ""))
    if not line:
        raise InputError(messages.NO_TEXT_FILE_OF_PREDICTIONS_NEEDS(name=name))
    if len(line) > LONGEST:
        raise InputError(
            messages.LINE_CHARACTERS_LINE_NAMES_COLUMNS(name=name, blank=blank + 1, number=len(line), longest=LONGEST)
        )
    found = delimiter or max(DELIMITERS, key=lambda mark: len(fields_of(line, mark)))
    columns = tuple(fields_of(line, found))
    if "" in columns[1:]:
        raise InputError(messages.LINE_COLUMN_HAS_NO_NAME(name=name, blank=blank + 1, columns=list(columns)))
    return Dialect(found, columns, blank)


def fields_of(line: str, delimiter: str) -> list[str]:
    """Return the fields of one line of CSV."""
    return _next(csv.reader([line], delimiter=delimiter)) or []


def _next(reader: Iterator[list[str]]) -> list[str] | None:
    """Return the next row of a reader, None at the end; fields may be as long as the engine takes lines."""
    usual = csv.field_size_limit(LONGEST)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(usual)


def csv_records(file: IO[str], dialect: Dialect) -> Iterator[Record]:
    """Yield the rows below the header; an empty field is None, a row of another length has no fields."""
    reader = csv.reader(islice(file, dialect.blank, None), delimiter=dialect.delimiter, strict=True)
    header, width = True, len(dialect.columns)
    while True:
        line = dialect.blank + reader.line_num + 1
        try:
            row = _next(reader)
        except csv.Error:
            yield Record(line, None)
            continue
        if row is None:
            return
        if header or not row:
            header = False
            continue
        while len(row) > width and not row[-1]:  # a comma at the end of a line, which the engine forgives too
            row.pop()
        good = len(row) == width
        yield Record(line, {k: v or None for k, v in zip(dialect.columns, row, strict=True)} if good else None)


def json_records(file: Iterable[str]) -> Iterator[Record]:
    """Yield the objects of JSON lines; a line that is no object has no fields."""
    for number, line in enumerate(file, start=1):
        if line.strip():
            yield Record(number, _object(line))


def _object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line, object_pairs_hook=_first_of_each)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _first_of_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object in which the first of equal keys counts, as DuckDB has it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        found.update(reversed(pairs))
    return found
