"""Parquet files, whose columns state their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import files as messages
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.scans.scan import TypedScan

_READ = "read_parquet($files, hive_partitioning=false)"


class ParquetScan(TypedScan):
    """Files of Parquet."""

    def first_bad(self, column: str, is_bad: Callable[[Any], bool], most: int | None = None) -> str:
        """Return the first row without a value, in words: others are not sought."""
        if not is_bad(None) or column in self.partitions:
            return ""
        source = _named(
            "read_parquet($files, hive_partitioning=false, filename='howsure_file', file_row_number=true)", self.names
        )
        sql = (
            f"SELECT howsure_file, file_row_number FROM {source} WHERE {self.of_file(column)} IS NULL "
            "ORDER BY ALL LIMIT 1"
        )
        return "".join(f" (first in row {row + 1}{self.part(self.duck.name_of(file))})" for file, row in self.rows(sql))


def scan_parquet(files: Sequence[str], kind: str, duck: Duck) -> ParquetScan:
    """Return Parquet files; the engine knows their columns by place, for it does not tell ``Pred`` from ``pred``."""
    parameters = {"files": [duck.place(name) for name in files]}
    described = duck.rows(f"DESCRIBE SELECT * FROM {_READ}", parameters, source=repr(files[0]))
    types = tuple(dtype for _, dtype, *_ in described)
    columns = _columns(files[0], duck)
    if len(columns) != len(types):
        columns = tuple(name for name, *_ in described)
    if len(files) > 1 and len({name.lower() for name in columns}) < len(columns):
        _check_alike(files, columns, duck)
    names = tuple(f"c{place}" for place in range(len(types)))
    return ParquetScan(duck, tuple(files), columns, _named(_READ, names), parameters, types, names)


def _named(source: str, names: Sequence[str]) -> str:
    return f"{source} AS data({', '.join(names)})"


def _columns(name: str, duck: Duck) -> tuple[str, ...]:
    """Return the columns as the file names them: those at the top of its tree of fields."""
    with duck.in_order():
        sql = "SELECT name, num_children FROM parquet_schema($file)"
        fields = duck.rows(sql, {"file": duck.place(name)}, source=repr(name))
    found, open_branches = [], 0
    for place, (field, children) in enumerate(fields):
        if place and not open_branches:
            found.append(field)
        open_branches += (children or 0) - bool(open_branches) if place else 0
    return tuple(found)


def _check_alike(files: Sequence[str], columns: tuple[str, ...], duck: Duck) -> None:
    """Refuse files of which the engine, which takes names that differ in case for one, could mix up columns."""
    for name in files[1:]:
        found = _columns(name, duck)
        if found != columns:
            raise InputError(
                messages.COLUMNS_SOME_OF_DIFFER(name=name, found=quoted(found), files=files[0], columns=quoted(columns))
            )
