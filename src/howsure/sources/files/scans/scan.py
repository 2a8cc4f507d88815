"""The shape of every reader of tabular files: columns, the SQL of a value, and where the first bad row stands."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

from howsure.errors import InputError
from howsure.errors.messages.sources import files as messages
from howsure.sources.arrays.bad_values import Fault
from howsure.sources.files.duckdb_engine import Duck, quote
from howsure.sources.files.formats import compression_of, is_url
from howsure.sources.files.partitions import partitions_of
from howsure.sources.files.text_records import Record

SAMPLE = 1000
_WIDE = 500
"""Columns sampled at once: the engine holds a block of rows of each."""
_PLAIN = ("INT", "BOOL", "VARCHAR", "ENUM", "FLOAT", "DOUBLE", "DECIMAL")
_NESTED = (
    "STRUCT", "MAP", "UNION", "LIST", "LARGE_LIST", "FIXED_SIZE_LIST", "LIST_VIEW", "LARGE_LIST_VIEW", "VARIANT",
    "DENSE_UNION", "SPARSE_UNION", "RUN_END_ENCODED",
)  # fmt: skip
NOT_READ = "NOT READ"
"""The type of a column that the engine cannot read: its values are not looked at."""


@dataclass(frozen=True)
class Scan(ABC):
    """Files of one format with the same columns; ``sql`` is what DuckDB selects from and ``parameters`` its values."""

    duck: Duck
    files: tuple[str, ...]
    columns: tuple[str, ...]
    sql: str
    parameters: dict[str, Any]
    partitions: tuple[str, ...] = field(default=(), kw_only=True)
    """The columns that the folders of the files state."""

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

    def expression(self, column: str) -> str:
        """Return the SQL of a column."""
        if column in self.partitions:
            return self.of_folder(f"part{self.partitions.index(column)}")
        return self.of_file(column)

    @abstractmethod
    def of_file(self, column: str) -> str:
        """Return the SQL of a column of the files."""

    def of_folder(self, name: str) -> str:
        """Return the SQL of a value that a folder states."""
        return name

    def with_partitions(self) -> Self:
        """Return the files with the columns that their folders state."""
        found = partitions_of(self.files, self.columns)
        names = [f"part{place}" for place in range(len(found.columns))]
        files = self.sql.replace("($files", "($files, filename='howsure_file'", 1)
        stated = ", ".join(["unnest($places) AS howsure_file", *(f"unnest(${one}) AS {one}" for one in names)])
        more = {"places": [self.duck.place(name) for name in self.files]}
        return replace(
            self,
            columns=(*self.columns, *found.columns),
            sql=f"(SELECT * FROM {files} JOIN (SELECT {stated}) USING (howsure_file))",
            parameters={**self.parameters, **more, **dict(zip(names, map(list, found.values), strict=True))},
            partitions=found.columns,
        )

    def check_types(self, parts: Iterable[tuple[str, str]]) -> None:
        """Refuse columns whose values cannot play their parts; each is an argument and its column. Text can."""
        return

    def text(self, column: str) -> str:
        """Return the SQL of a column as text, the same for equal values of any format."""
        return whole_text(f"CAST({self.expression(column)} AS VARCHAR)")

    def number(self, column: str) -> str:
        """Return the SQL of a column as a number, NULL where it is none."""
        # DuckDB's CSV reader takes a bare cast of a column into itself and drops the lines that fail it; not of a text.
        return f"TRY_CAST(replace({self.text(column)}, '_', 'x') AS DOUBLE)"  # to DuckDB 1_0 is ten

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
        if column in self.partitions:
            return ""
        return self.first(lambda record: record.fields is not None and is_bad(record.fields.get(column)), most)

    def part(self, name: str) -> str:
        """Return which of several files is meant, in words."""
        return "" if len(self.files) == 1 else f" of {name!r}"

    def sample(self, columns: Sequence[str]) -> dict[str, list[Any]]:
        """Return the first rows of some columns, a list of Python objects per column."""
        found: dict[str, list[Any]] = {}
        for start in range(0, len(columns), _WIDE):
            found |= self._sample(columns[start : start + _WIDE])
        return found

    def _sample(self, columns: Sequence[str]) -> dict[str, list[Any]]:
        chosen = ", ".join(f"{self.expression(column)} AS c{place}" for place, column in enumerate(columns))
        with self.duck.in_order():
            rows = self.rows(f"SELECT {chosen} FROM {self.sql} LIMIT {SAMPLE}")
        return {column: [self.decode(row[place]) for row in rows] for place, column in enumerate(columns)}


def whole_text(text: str) -> str:
    """Return the SQL of a text in which 1.0 is 1."""
    return f"regexp_replace({text}, '^(-?[0-9]+)\\.0*$', '\\1')"


@dataclass(frozen=True)
class TypedScan(Scan):
    """Files that state the type of each column; ``names`` are those that the engine has for the columns.

    For it ``Pred`` and ``pred`` are one name, hence columns may have names of ours there.
    """

    types: tuple[str, ...]
    names: tuple[str, ...]

    def of_file(self, column: str) -> str:
        """Return the SQL of a column: whole numbers and decimals exactly, dates and the like as text."""
        name, dtype = quote(self.names[self.columns.index(column)]), self.type_of(column)
        if dtype.startswith(("HUGEINT", "UHUGEINT")):
            return f"CAST({name} AS DECIMAL(38, 0))"
        if is_nested(dtype) or dtype.startswith("ENUM") or not any(word in dtype for word in _PLAIN):
            return f"CAST({name} AS VARCHAR)"
        return name

    def type_of(self, column: str) -> str:
        """Return the type of a column of the files, as the engine or the file calls it."""
        return self.types[self.columns.index(column)].upper()

    def decode(self, value: Any) -> Any:
        """Return a value as a Python object: a decimal that is whole as an integer."""
        return int(value) if isinstance(value, Decimal) and value.is_finite() and value == int(value) else value

    def number(self, column: str) -> str:
        """Return the SQL of a column as a number, NULL where it is none."""
        if self.types[self.columns.index(column)] == "VARCHAR":
            return super().number(column)
        return f"TRY_CAST({self.expression(column)} AS DOUBLE)"

    def with_partitions(self) -> Self:
        """Return the files with the columns that their folders state."""
        made = super().with_partitions()
        return replace(made, types=(*made.types, *("VARCHAR" for _ in made.partitions)))

    def of_folder(self, name: str) -> str:
        """Return the SQL of a value that a folder states: a whole number where all are."""
        texts = [text for text in self.parameters[name] if text is not None]
        return f"CAST({name} AS BIGINT)" if texts and all(map(_is_whole, texts)) else name

    def check_types(self, parts: Iterable[tuple[str, str]]) -> None:
        """Refuse columns whose values cannot play their parts; each is an argument and its column."""
        for part, column in parts:
            dtype = self.type_of(column)
            if not (is_nested(dtype) or dtype.startswith(NOT_READ)):
                continue
            rule = (
                messages.WEIGHTS_MUST_BE_NUMBERS()
                if part == "weight"
                else messages.EACH_ROW_NEEDS_ONE_INTEGER_BOOLEAN()
            )
            raise InputError(
                messages.NAMES_COLUMN_OF_IS_OF_TYPE(
                    part=part,
                    column=column,
                    name=self.name,
                    removeprefix=dtype.removeprefix(NOT_READ).strip().lower(),
                    rule=rule,
                )
            )


def is_nested(dtype: str) -> bool:
    """Say whether a type is one of several values in a row.

    >>> is_nested("STRUCT(a INTEGER)"), is_nested("INTEGER[]"), is_nested("DECIMAL(18,3)")
    (True, True, False)
    """
    head = re.split("[(<]", dtype, maxsplit=1)[0]
    return head in _NESTED or dtype.endswith("]")


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 19


def compression(files: Sequence[str], *, unknown: str) -> str:
    """Return how the files are compressed, by their content: DuckDB goes by their names.

    Its readers of CSV and of JSON differ in what they call the unknown.
    """
    found = {None if is_url(name) else compression_of(name) for name in files}
    return found.pop() or unknown if len(found) == 1 else unknown


def plural(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
