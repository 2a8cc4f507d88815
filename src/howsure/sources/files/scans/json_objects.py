"""JSON lines, and one JSON list: an object a row, whose values keep their types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

from howsure.sources.arrays.bad_values import Fault, Rounded
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.scans.scan import SAMPLE, Scan, compression, plural, whole_text
from howsure.sources.files.text_records import Record, json_records, opened

EXACT = 2.0**53
_FORMS = {"jsonl": "'newline_delimited', ignore_errors=true", "json": "'array'"}


@dataclass(frozen=True)
class JsonScan(Scan):
    """Files of JSON objects, one a line (``kind`` "jsonl") or in a list ("json")."""

    kind: str

    unreadable: ClassVar[str] = "json IS NULL OR json_type(json) <> 'OBJECT'"

    def of_file(self, column: str) -> str:
        """Return the SQL of a value as JSON; null is a missing value like one that is not there."""
        return f"nullif(json_extract(json, {self._pointer(column)}), 'null')"

    def of_folder(self, name: str) -> str:
        """Return the SQL of a value that a folder states, as JSON: a whole number where it is one."""
        return f"CAST(coalesce(to_json(TRY_CAST({name} AS BIGINT)), to_json({name})) AS VARCHAR)"

    def text(self, column: str) -> str:
        """Return the SQL of a value as text, the same for equal values of any format."""
        if column in self.partitions:
            return f"part{self.partitions.index(column)}"
        return whole_text(f"json_extract_string(json, {self._pointer(column)})")

    def _pointer(self, column: str) -> str:
        return f"$pointer{self.columns.index(column)}"

    def decode(self, value: Any) -> Any:
        """Return a value of JSON as a Python object."""
        return None if value is None else json.loads(value, parse_float=_number)

    def faults(self, unreadable: int) -> tuple[Fault, ...]:
        """Return what to say of lines and entries that are no objects."""
        if not unreadable:
            return ()
        if self.kind == "json":
            entries = "1 entry is" if unreadable == 1 else f"{unreadable:,} entries are"
            return (Fault("", f"{entries} no JSON object", unreadable),)
        status = f"{plural(unreadable, 'line')} cannot be read as a JSON object"
        return (Fault("", status, unreadable, place=self.first(lambda record: record.fields is None)),)

    def records(self, name: str) -> Iterator[Record]:
        """Yield the objects of JSON lines with their lines; half a surrogate pair is no text for DuckDB."""
        if self.kind == "jsonl":
            with opened(name) as file:
                yield from (one if _is_text(one.fields) else Record(one.line, None) for one in json_records(file))


def _number(text: str) -> float:
    """Return a number; one that the engine may have rounded, as JSON's readers do with long integers, is marked."""
    found = float(text)
    return Rounded(found) if EXACT <= abs(found) < inf else found


def _is_text(found: Any) -> bool:
    try:
        return bool(json.dumps(found, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        return False


def scan_json(files: Sequence[str], kind: str, duck: Duck) -> JsonScan:
    """Return files of JSON objects; their columns are the keys of the first ones."""
    sql = f"read_json_objects($files, hive_partitioning=false, compression=$compression, format={_FORMS[kind]})"
    parameters = {
        "files": [duck.place(name) for name in files],
        "compression": compression(files, unknown="auto_detect"),
    }
    scan = JsonScan(duck, tuple(files), (), sql, parameters, kind)
    with duck.in_order():
        keys = scan.rows(f"SELECT json_keys(json) FROM {sql} LIMIT {SAMPLE}")
    columns = tuple(dict.fromkeys(key for (some,) in keys for key in some or ()))
    pointers = {
        f"pointer{place}": "/" + column.replace("~", "~0").replace("/", "~1") for place, column in enumerate(columns)
    }
    return replace(scan, columns=columns, parameters={**parameters, **pointers})
