"""Tabular files as something to select from: what DuckDB reads, the columns, and how a raw value is decoded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from howsure.errors import InputError, need_extra, quoted
from howsure.sources.files.duckdb_engine import Duck, quote
from howsure.sources.files.formats import compression_of, is_url
from howsure.sources.files.text_records import Dialect, all_records, dialect_of, dialect_of_lines

SMALL = 1 << 18
"""Bytes of text files that are counted line by line: below it, starting an engine costs more."""
SAMPLE = 1000
_REJECTS = 1_000_000


@dataclass(frozen=True)
class Scan:
    """Files of one format with the same columns.

    ``sql`` is what DuckDB selects from and ``parameters`` its values; ``expression`` gives the SQL of a column.
    ``decode`` turns a raw value into a Python object. ``relation`` makes an Arrow object to register before a query.
    """

    files: tuple[str, ...]
    kind: str
    columns: tuple[str, ...]
    sql: str
    parameters: Mapping[str, Any]
    expression: Callable[[str], str]
    dialects: tuple[Dialect | None, ...] = ()
    relation: Callable[[], Any] | None = None

    @property
    def name(self) -> str:
        """What to call the files in a message."""
        return repr(self.files[0]) if len(self.files) == 1 else f"{self.files[0]!r} and {len(self.files) - 1} more"

    @property
    def textual(self) -> bool:
        """Whether the files hold lines of text."""
        return self.kind in ("csv", "tsv", "jsonl")

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

    @property
    def small(self) -> bool:
        """Whether reading line by line is the quicker way."""
        if not self.textual or self.bytes is None:
            return False
        return self.bytes <= SMALL or find_spec("duckdb") is None

    def decode(self, value: Any) -> Any:
        """Return a raw value as a Python object: JSON is parsed, all else is as it is."""
        return json.loads(value) if value is not None and self.kind in ("json", "jsonl") else value

    def text(self, column: str) -> str:
        """Return the SQL of a column as text, the same for equal values of any format."""
        raw = self.expression(column)
        is_json = self.kind in ("json", "jsonl")
        text = raw.replace("json_extract(", "json_extract_string(", 1) if is_json else f"CAST({raw} AS VARCHAR)"
        return f"regexp_replace({text}, '^(-?[0-9]+)\\.0*$', '\\1')"

    def prepare(self, duck: Duck) -> None:
        """Register what the SQL needs besides files."""
        if self.relation is not None:
            duck.register("howsure_arrow", self.relation())


def scan_files(files: Sequence[str], kind: str, duck: Duck) -> Scan:
    """Return files as one scan; refuse files whose columns differ."""
    make = {"csv": _scan_csv, "tsv": _scan_csv, "jsonl": _scan_json, "json": _scan_json, "arrow": _scan_arrow}
    return make.get(kind, _scan_parquet)(tuple(files), kind, duck)


def _scan_csv(files: tuple[str, ...], kind: str, duck: Duck) -> Scan:
    files = tuple(one for name in files for one in _matching(name, duck))
    delimiter = "\t" if kind == "tsv" else None
    dialects = [
        dialect_of_lines(_first_lines(name, duck), name, delimiter=delimiter)
        if is_url(name)
        else dialect_of(name, delimiter=delimiter)
        for name in files
    ]
    columns = dialects[0].columns
    for name, dialect in zip(files, dialects, strict=True):
        if dialect[:2] != dialects[0][:2]:
            raise InputError(
                f"{name!r} has the columns {quoted(dialect.columns)} but {files[0]!r} has {quoted(columns)}; files "
                "that are read together must have the same columns in the same order"
            )
        if dialect.blank != dialects[0].blank:
            raise InputError(
                f"{name!r} has {dialect.blank} blank lines before its header but {files[0]!r} has {dialects[0].blank}; "
                "files that are read together must have as many; remove them"
            )
    places = {column: f"c{place}" for place, column in enumerate(columns)}
    sql = (
        "read_csv($files, auto_detect=false, header=true, skip=$blank, delim=$delimiter, quote='\"', escape='\"', "
        f"columns=$columns, nullstr='', store_rejects=true, rejects_limit={_REJECTS}, max_line_size=16777216, "
        "compression=$compression)"
    )
    parameters = {
        "files": list(files),
        "compression": _compression(files, unknown="auto"),
        "blank": dialects[0].blank,
        "delimiter": dialects[0].delimiter,
        "columns": dict.fromkeys(places.values(), "VARCHAR"),
    }
    return Scan(files, kind, columns, sql, parameters, places.__getitem__, tuple(dialects))


def _matching(name: str, duck: Duck) -> list[str]:
    """Return the files that a pattern in an object store stands for; any other name is itself."""
    if not is_url(name) or "*" not in name:
        return [name]
    found = duck.rows("SELECT file FROM glob($pattern) ORDER BY file", {"pattern": name}, source=repr(name))
    if not found:
        raise InputError(f"source is {name!r}, and no file matches this pattern; check the address and the pattern")
    protocol = name.partition("://")[0] + "://"
    return [one if is_url(one) else protocol + one for (one,) in found]


def _first_lines(name: str, duck: Duck) -> list[str]:
    """Return the first lines of a CSV file elsewhere."""
    sql = (
        "SELECT line FROM read_csv($file, auto_detect=false, header=false, columns={'line': 'VARCHAR'}, delim=chr(1), "
        f"quote='', escape='', nullstr='', max_line_size=16777216) LIMIT {SAMPLE}"
    )
    with duck.in_order():
        return [line or "" for (line,) in duck.rows(sql, {"file": name}, source=repr(name))]


def _compression(files: tuple[str, ...], *, unknown: str) -> str:
    """Return how the files are compressed, by their content: DuckDB goes by their names.

    Its readers of CSV and of JSON differ in what they call the unknown.
    """
    found = {None if is_url(name) else compression_of(name) for name in files}
    return found.pop() or unknown if len(found) == 1 else unknown


def _scan_json(files: tuple[str, ...], kind: str, duck: Duck) -> Scan:
    form = "'newline_delimited', ignore_errors=true" if kind == "jsonl" else "'array'"
    sql = f"read_json_objects($files, compression=$compression, format={form})"
    parameters = {"files": list(files), "compression": _compression(files, unknown="auto_detect")}
    scan = Scan(files, kind, (), sql, parameters, str, (None,) * len(files))
    columns = tuple(dict.fromkeys(key for one in first_objects(scan, duck) for key in one))
    places = {column: f"pointer{place}" for place, column in enumerate(columns)}
    pointers = {places[column]: "/" + column.replace("~", "~0").replace("/", "~1") for column in columns}

    def expression(column: str) -> str:
        return f"json_extract(json, ${places[column]})"

    return replace(scan, columns=columns, parameters={**scan.parameters, **pointers}, expression=expression)


def first_objects(scan: Scan, duck: Duck) -> list[dict[str, Any]]:
    """Return the first objects of JSON files."""
    if scan.kind == "jsonl" and not scan.remote:
        found = all_records(scan.files, scan.kind, scan.dialects)
        return [record.fields for (_, record), _ in zip(found, range(SAMPLE), strict=False) if record.fields]
    rows = duck.rows(f"SELECT json FROM {scan.sql} LIMIT {SAMPLE}", scan.parameters, source=scan.name)
    objects = [json.loads(row[0]) for row in rows if row[0] is not None]
    return [one for one in objects if isinstance(one, dict)]


def _scan_parquet(files: tuple[str, ...], kind: str, duck: Duck) -> Scan:
    sql, parameters = "read_parquet($files)", {"files": list(files)}
    columns = duck.names(f"SELECT * FROM {sql}", parameters, source=repr(files[0]))
    return Scan(files, kind, tuple(column for column, _ in columns), sql, parameters, _typed(dict(columns)))


def _typed(types: Mapping[str, str]) -> Callable[[str], str]:
    """Return how to select a column: decimals as doubles, dates and the like as text."""
    plain = ("INT", "BOOL", "VARCHAR", "ENUM", "FLOAT", "DOUBLE")

    def expression(column: str) -> str:
        dtype = types[column].upper()
        if dtype.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")):
            return f"CAST({quote(column)} AS DOUBLE)"
        if dtype.startswith("ENUM") or not any(word in dtype for word in plain) or dtype.endswith("]"):
            return f"CAST({quote(column)} AS VARCHAR)"
        return quote(column)

    return expression


def _scan_arrow(files: tuple[str, ...], kind: str, _: Duck) -> Scan:
    try:
        import pyarrow as pa
        from pyarrow import dataset, ipc
    except ImportError:
        raise need_extra("pyarrow", "files", "reading Arrow files") from None

    def stream() -> Any:
        return ipc.open_stream(pa.memory_map(files[0]))

    try:
        found = dataset.dataset(list(files), format="ipc")
        schema, relation = found.schema, lambda: found
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        try:
            schema, relation = stream().schema, stream
        except (pa.ArrowException, OSError, UnicodeDecodeError):
            raise InputError(
                f"{files[0]!r} cannot be read: {error}; check that it is a complete Arrow (Feather version 2) file"
            ) from None
    _check_arrow(files[0], relation)
    types = {field.name: _sql_type(field.type) for field in schema}
    return Scan(files, kind, tuple(schema.names), "howsure_arrow", {}, _typed(types), relation=relation)


def _check_arrow(name: str, relation: Callable[[], Any]) -> None:
    """Refuse damaged batches: DuckDB trusts their offsets and codes, and would read beyond them."""
    import pyarrow as pa

    try:
        found = relation()
        for batch in found if isinstance(found, pa.RecordBatchReader) else found.to_batches():
            batch.validate(full=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise InputError(f"{name!r} is damaged: {reason}; fetch or write it again") from None


def _sql_type(dtype: Any) -> str:
    from pyarrow import types

    if types.is_dictionary(dtype):
        return "ENUM"
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "VARCHAR"
    if types.is_decimal(dtype):
        return "DECIMAL"
    return str(dtype).upper()


def sample_of(scan: Scan, duck: Duck, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Return the first rows of some columns or all, a list of Python objects per column."""
    wanted = scan.columns if columns is None else columns
    if scan.textual and not scan.remote:
        found = all_records(scan.files, scan.kind, scan.dialects)
        first = [record.fields for (_, record), _ in zip(found, range(SAMPLE), strict=False) if record.fields]
        return {column: [one.get(column) for one in first] for column in wanted}
    chosen = ", ".join(f"{scan.expression(column)} AS c{place}" for place, column in enumerate(wanted))
    scan.prepare(duck)
    rows = duck.rows(f"SELECT {chosen} FROM {scan.sql} LIMIT {SAMPLE}", scan.parameters, source=scan.name)
    return {column: [scan.decode(row[place]) for row in rows] for place, column in enumerate(wanted)}
