"""CSV and TSV files: text without types, its lines counted by DuckDB and found in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from tempfile import NamedTemporaryFile
from typing import Any, ClassVar

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import files as messages
from howsure.sources.arrays.bad_values import Fault, shown
from howsure.sources.files.duckdb_engine import Duck, UnevenLines
from howsure.sources.files.formats import is_url
from howsure.sources.files.scans.scan import SAMPLE, Scan, compression, plural
from howsure.sources.files.text_records import LONGEST, Dialect, Record, csv_records, dialect_of, opened

_REJECTS = 1_000_000
_LAST = "scan_id = (SELECT max(scan_id) FROM reject_scans)"
_SQL = (
    "read_csv($files, hive_partitioning=false, auto_detect=false, header=true, skip=$blank, delim=$delimiter, "
    "quote='\"', escape='\"', "
    f"columns=$columns, nullstr='', store_rejects=true, rejects_limit={_REJECTS}, max_line_size={LONGEST}, "
    "compression=$compression)"
)


@dataclass(frozen=True)
class DelimitedScan(Scan):
    """Files of lines whose fields a mark separates."""

    dialect: Dialect

    typed: ClassVar[bool] = False

    def of_file(self, column: str) -> str:
        """Return the SQL of a column, which has a name of ours there."""
        return f"c{self.columns.index(column)}"

    def steps(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, some at a time."""
        try:
            yield from super().steps(sql)
        except UnevenLines:
            self._level()
            yield from super().steps(sql)

    def _level(self) -> None:
        """Let the engine read copies whose lines all end alike; refuse files that are elsewhere, or are copies."""
        if self.remote or self.parameters["files"] != [self.duck.place(name) for name in self.files]:
            raise
        for place, name in enumerate(self.files):
            with (
                opened(name) as file,
                NamedTemporaryFile("w", encoding="utf-8", newline="\n", dir=self.duck.folder, delete=False) as copy,
            ):
                copy.writelines(line.rstrip("\r\n") + "\n" for line in file)
            self.parameters["files"][place] = copy.name
            if self.partitions:
                self.parameters["places"][place] = copy.name
        self.parameters["compression"] = "none"

    def dropped(self) -> int:
        """Return how many lines have not as many fields as there are columns, or quotes that do not end."""
        sql = f"SELECT count(DISTINCT (file_id, line)) FROM reject_errors WHERE {_LAST}"
        return int(self.rows(sql)[0][0])

    def faults(self, unreadable: int) -> tuple[Fault, ...]:
        """Return what to say of such lines."""
        rows = self.dropped()
        status = f"{plural(rows, 'line')} cannot be read as {plural(len(self.columns), 'field')}"
        return (Fault("", status, rows, place=self._first_dropped()),) if rows else ()

    def _first_dropped(self) -> str:
        if not self.remote:
            return self.first(lambda record: record.fields is None)
        # The line itself: DuckDB numbers records, of which some have several lines.
        sql = f"SELECT csv_line FROM reject_errors WHERE {_LAST} ORDER BY file_id, line LIMIT 1"
        return "".join(f" (first is {shown(line)})" for (line,) in self.rows(sql))

    def records(self, name: str) -> Iterator[Record]:
        """Yield the rows of one file with their lines."""
        with opened(name) as file:
            yield from csv_records(file, self.dialect)


def scan_delimited(files: Sequence[str], kind: str, duck: Duck) -> DelimitedScan:
    """Return CSV or TSV files; refuse those whose columns differ."""
    names = tuple(one for name in files for one in _matching(name, duck))
    delimiter = "\t" if kind == "tsv" else None
    first, *others = (_dialect(name, delimiter, duck) for name in names)
    for name, dialect in zip(names[1:], others, strict=True):
        _check_alike(name, dialect, names[0], first)
    parameters = {
        "files": [duck.place(name) for name in names],
        "compression": compression(names, unknown="auto"),
        "blank": first.blank,
        "delimiter": first.delimiter,
        "columns": {f"c{place}": "VARCHAR" for place in range(len(first.columns))},
    }
    return DelimitedScan(duck, names, first.columns, _SQL, parameters, first)


def _matching(name: str, duck: Duck) -> list[str]:
    """Return the files that a pattern in an object store stands for; any other name is itself."""
    if not is_url(name) or "*" not in name:
        return [name]
    found = duck.rows("SELECT file FROM glob($pattern) ORDER BY file", {"pattern": name}, source=repr(name))
    if not found:
        raise InputError(messages.SOURCE_AND_NO_FILE_MATCHES_PATTERN(name=name))
    protocol = name.partition("://")[0] + "://"
    return [one if is_url(one) else protocol + one for (one,) in found]


def _dialect(name: str, delimiter: str | None, duck: Duck) -> Dialect:
    if is_url(name):
        return dialect_of(_first_lines(name, duck), name, delimiter=delimiter)
    with opened(name) as file:
        return dialect_of(file, name, delimiter=delimiter)


def _first_lines(name: str, duck: Duck) -> list[str]:
    """Return the first lines of a CSV file elsewhere."""
    sql = (
        "SELECT line FROM read_csv($file, hive_partitioning=false, auto_detect=false, header=false, "
        "columns={'line': 'VARCHAR'}, delim=chr(1), "
        f"quote='', escape='', nullstr='', max_line_size={LONGEST}) LIMIT {SAMPLE}"
    )
    with duck.in_order():
        return [line or "" for (line,) in duck.rows(sql, {"file": name}, source=repr(name))]


def _check_alike(name: str, dialect: Dialect, other: str, first: Dialect) -> None:
    if dialect[:2] != first[:2]:
        raise InputError(
            messages.COLUMNS_FILES_ARE_READ_TOGETHER(
                name=name, columns=quoted(dialect.columns), other=other, other_columns=quoted(first.columns)
            )
        )
    if dialect.blank != first.blank:
        raise InputError(
            messages.BLANK_LINES_BEFORE_HEADER(name=name, blank=dialect.blank, other=other, other_blank=first.blank)
        )
