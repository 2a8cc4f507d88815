"""The shape of every reader of tabular files: columns, the SQL of a value, and where the first bad row stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from howsure.sources.arrays.bad_values import Fault
from howsure.sources.files.duckdb_engine import Duck, quote
from howsure.sources.files.formats import compression_of, is_url
from howsure.sources.files.text_records import Record

SAMPLE = 1000
_PLAIN = ("INT", "BOOL", "VARCHAR", "ENUM", "FLOAT", "DOUBLE")


@dataclass(frozen=True)
class Scan(ABC):
    """Files of one format with the same columns; ``sql`` is what DuckDB selects from and ``parameters`` its values."""

    duck: Duck
    files: tuple[str, ...]
    columns: tuple[str, ...]
    sql: str
    parameters: dict[str, Any]

    typed: ClassVar[bool] = True
    """Whether values have types of their own; of those that have none, the truth's decide."""
    unreadable: ClassVar[str] = "false"
    """The SQL that is true of a row that holds no values."""

    @property
    def name(self) -> str:
        """What to call the files in a message."""
        return repr(self.files[0]) if len(self.files) == 1 else f"{self.files[0]!r} and {len(self.files) - 1} more"

    @property
    def remote(self) -> bool:
        """Whether the files lie where only the engine can read them."""
        return any(map(is_url, self.files))

    @property
    def bytes(self) -> int | None:
        """The size of the files; None where it cannot be known."""
        if self.remote:
            return None
        return sum(Path(name).stat().st_size for name in self.files)

    @abstractmethod
    def expression(self, column: str) -> str:
        """Return the SQL of a column."""

    def text(self, column: str) -> str:
        """Return the SQL of a column as text, the same for equal values of any format."""
        return whole_text(f"CAST({self.expression(column)} AS VARCHAR)")

    def number(self, column: str) -> str:
        """Return the SQL of a column as a number, NULL where it is none."""
        # DuckDB's CSV reader takes a bare cast of a column into itself and drops the lines that fail it; not of a text.
        return f"TRY_CAST({self.text(column)} AS DOUBLE)"

    def decode(self, value: Any) -> Any:
        """Return a raw value as a Python object."""
        return value

    def ready(self) -> Duck:
        """Return the engine, ready for one query."""
        return self.duck

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return all rows of a query with a small result."""
        return [row for rows in self.steps(sql) for row in rows]

    def steps(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, some at a time."""
        return self.ready().steps(sql, self.parameters, source=self.name)

    def batches(self, sql: str) -> Iterator[Any]:
        """Yield the result of a query as Arrow record batches."""
        return self.ready().batches(sql, self.parameters, source=self.name)

    def dropped(self) -> int:
        """Return how many lines the last query left out because they cannot be read."""
        return 0

    def faults(self, unreadable: int) -> tuple[Fault, ...]:
        """Return what to say of rows that the last query could not read, given how many it found ``unreadable``."""
        return ()

    def records(self, name: str) -> Iterator[Record]:
        """Yield the records of one file with their lines; none where it has no lines."""
        return iter(())

    def first(self, wanted: Callable[[Record], bool], most: int | None = None) -> str:
        """Return where the first such record stands, in words; among ``most`` records."""
        here = () if self.remote else self.files
        every = ((name, record) for name in here for record in self.records(name))
        found = next(((name, record.line) for name, record in islice(every, most) if wanted(record)), None)
        return "" if found is None else f" (first at line {found[1]}{self.part(found[0])})"

    def first_bad(self, column: str, is_bad: Callable[[Any], bool], most: int | None = None) -> str:
        """Return where the first bad value of a column stands, in words; among ``most`` records."""
        return self.first(lambda record: record.fields is not None and is_bad(record.fields.get(column)), most)

    def part(self, name: str) -> str:
        """Return which of several files is meant, in words."""
        return "" if len(self.files) == 1 else f" of {name!r}"

    def sample(self, columns: Sequence[str]) -> dict[str, list[Any]]:
        """Return the first rows of some columns, a list of Python objects per column."""
        if not columns:
            return {}
        chosen = ", ".join(f"{self.expression(column)} AS c{place}" for place, column in enumerate(columns))
        with self.duck.in_order():
            rows = self.rows(f"SELECT {chosen} FROM {self.sql} LIMIT {SAMPLE}")
        return {column: [self.decode(row[place]) for row in rows] for place, column in enumerate(columns)}


def whole_text(text: str) -> str:
    """Return the SQL of a text in which 1.0 is 1."""
    return f"regexp_replace({text}, '^(-?[0-9]+)\\.0*$', '\\1')"


@dataclass(frozen=True)
class TypedScan(Scan):
    """Files that state the type of each column."""

    types: Mapping[str, str]

    def expression(self, column: str) -> str:
        """Return the SQL of a column: decimals as doubles, dates and the like as text."""
        dtype = self.types[column].upper()
        if dtype.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")):
            return f"CAST({quote(column)} AS DOUBLE)"
        if dtype.startswith("ENUM") or not any(word in dtype for word in _PLAIN) or dtype.endswith("]"):
            return f"CAST({quote(column)} AS VARCHAR)"
        return quote(column)

    def number(self, column: str) -> str:
        """Return the SQL of a column as a number, NULL where it is none."""
        return f"TRY_CAST({self.expression(column)} AS DOUBLE)"


def compression(files: Sequence[str], *, unknown: str) -> str:
    """Return how the files are compressed, by their content: DuckDB goes by their names.

    Its readers of CSV and of JSON differ in what they call the unknown.
    """
    found = {None if is_url(name) else compression_of(name) for name in files}
    return found.pop() or unknown if len(found) == 1 else unknown


def plural(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
