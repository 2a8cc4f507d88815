"""Count the distinct rows of files: by DuckDB, or line by line in Python where a text file is small."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from howsure.sources.arrays.bad_values import LARGEST, Fault, shown
from howsure.sources.files.distinct_rows import Distinct, Factor, factor
from howsure.sources.files.duckdb_engine import Duck, quote
from howsure.sources.files.duckdb_scan import Scan
from howsure.sources.files.request import Roles
from howsure.sources.files.text_records import all_records

Judge = Callable[[Any], bool]
FIRST = 1 << 17
CROWDED = 0.2
"""Where so many of the first rows are distinct, all of them are estimated before they are counted."""


def count_lines(scan: Scan, roles: Roles, duck: Duck) -> Distinct:
    """Count the distinct rows of a small text file in Python."""
    columns = list(roles.parts().values())
    found: dict[Any, list[Any]] = {}
    spoiled = 0
    for _, record in all_records(scan.files, scan.kind, scan.dialects):
        if record.fields is None:
            spoiled += 1
            continue
        values = tuple(map(record.fields.get, columns))
        weight = 0.0 if roles.weight is None else usable_weight(record.fields.get(roles.weight))
        key = (json.dumps(values) if scan.kind == "jsonl" else values), weight is None
        entry = found.setdefault(key, [values, weight is not None, 0, 0.0, 0.0])
        entry[2] += 1
        entry[3] += weight or 0.0
        entry[4] += (weight or 0.0) ** 2
    rows = list(found.values())
    keys = {part: factor([row[0][place] for row in rows]) for place, part in enumerate(roles.parts())}
    good, *sums = np.array([row[1:] for row in rows], dtype=float).reshape(-1, 4).T
    return made(keys, roles, sums, good=good > 0, faults=_spoiled(scan, spoiled, duck))


def usable_weight(value: Any) -> float | None:
    """Return a weight as a number, or None if it is no finite number, zero or larger."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number <= LARGEST else None


def made(
    keys: Mapping[str, Factor], roles: Roles, sums: Sequence[Any], *, good: Any = None, faults: tuple[Fault, ...] = ()
) -> Distinct:
    """Return distinct rows from coded columns; ``sums`` are rows and, with weights, weights and their squares."""
    counts, *weights = sums
    weighted = roles.weight is not None
    return Distinct(
        truth=keys["truth"],
        predictions={name: keys[f"prediction {name}"] for name in roles.predictions},
        counts=np.asarray(counts, dtype=float),
        truth_name=roles.truth,
        weights=weights[0] if weighted else None,
        squares=weights[1] if weighted else None,
        weighable=good if weighted else None,
        weight_name=str(roles.weight),
        group=keys.get("group"),
        group_name=str(roles.group),
        by=keys.get("by"),
        by_name=str(roles.by),
        faults=faults,
    )


def _spoiled(scan: Scan, rows: int, duck: Duck) -> tuple[Fault, ...]:
    what = "a JSON object" if scan.kind == "jsonl" else _plural(len(scan.columns), "field")
    status = f"{_plural(rows, 'line')} cannot be read as {what}"
    return (Fault("", status, rows, place=first_spoiled(scan, duck)),) if rows else ()


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def first_spoiled(scan: Scan, duck: Duck) -> str:
    """Return where the first line stands that cannot be read."""
    if scan.remote:
        return _first_rejected(scan, duck) if scan.kind != "jsonl" else ""
    found = all_records(scan.files, scan.kind, scan.dialects)
    return next((_at(scan, name, record.line) for name, record in found if record.fields is None), "")


def _first_rejected(scan: Scan, duck: Duck) -> str:
    sql = (
        "SELECT csv_line FROM reject_errors WHERE scan_id = (SELECT max(scan_id) FROM reject_scans) "
        "ORDER BY file_id, line LIMIT 1"  # the line itself: DuckDB numbers records, of which some have several lines
    )
    return "".join(f" (first is {shown(line)})" for (line,) in duck.rows(sql, {}, source=scan.name))


def first_bad(
    scan: Scan, roles: Roles, decode: Callable[[Any], Any], duck: Duck, *, most: int | None = None
) -> Callable[[str, Judge], str]:
    """Return a function that finds where the first bad value of a column stands, in words; among ``most`` records."""

    def where(name: str, is_bad: Judge) -> str:
        column = roles.predictions.get(name, name)
        if scan.kind == "parquet":
            return _first_null(scan, column, duck) if is_bad(None) else ""
        found = all_records(scan.files, scan.kind, scan.dialects) if scan.textual and not scan.remote else iter(())
        for file, record in islice(found, most):
            if record.fields is not None and is_bad(decode(record.fields.get(column))):
                return _at(scan, file, record.line)
        return ""

    return where


def _first_null(scan: Scan, column: str, duck: Duck) -> str:
    sql = (
        "SELECT filename, file_row_number FROM read_parquet($files, filename=true, file_row_number=true) "
        f"WHERE {quote(column)} IS NULL ORDER BY ALL LIMIT 1"
    )
    rows = duck.rows(sql, scan.parameters, source=scan.name)
    return "".join(f" (first in row {row + 1}{'' if len(scan.files) == 1 else f' of {file!r}'})" for file, row in rows)


def _at(scan: Scan, file: str, line: int) -> str:
    return f" (first at line {line}{'' if len(scan.files) == 1 else f' of {file!r}'})"


def count_engine(scan: Scan, roles: Roles, duck: Duck, *, most: int) -> Distinct | None:
    """Count the distinct rows with DuckDB; None if there are more than ``most``."""
    inner = inner_select(scan, roles)
    names = [f"k{place}" for place in range(len(roles.parts()))]
    if _too_many(scan, inner, names, duck, most):
        return None
    flags = ["good", "spoiled"]
    keys = ", ".join([*names, *flags])
    sql = f"SELECT {keys}, {sums_of(roles)} FROM ({inner}) GROUP BY {keys} LIMIT {most + 1}"
    scan.prepare(duck)
    gathered = Gathered(len(names))
    for batch in duck.batches(sql, scan.parameters, source=scan.name):
        if gathered.add(batch) > most:
            return None
    return _from_engine(scan, roles, duck, gathered)


def sums_of(roles: Roles, weight: str = "weight") -> str:
    """Return the SQL of what is summed over equal rows."""
    return "count(*)" + (f", sum({weight}), sum({weight} * {weight})" if roles.weight is not None else "")


def _too_many(scan: Scan, inner: str, names: Sequence[str], duck: Duck, most: int) -> bool:
    """Say whether distinct rows are likely too many to hold: by the first rows, then by an estimate of all."""
    if scan.bytes is not None and scan.bytes < most:
        return False
    key = f"hash({', '.join(names)})"
    scan.prepare(duck)
    first = f"SELECT count(*), count(DISTINCT {key}) FROM (SELECT * FROM ({inner}) LIMIT {FIRST})"
    rows, distinct = duck.rows(first, scan.parameters, source=scan.name)[0]
    if distinct < CROWDED * rows:
        return False
    scan.prepare(duck)
    estimate = f"SELECT approx_count_distinct({key}) FROM ({inner})"
    return int(duck.rows(estimate, scan.parameters, source=scan.name)[0][0]) > most


def inner_select(scan: Scan, roles: Roles) -> str:
    """Return the SQL that selects keys as k0, k1, …, the weight, and whether a row can be used."""
    chosen = [f"{scan.expression(column)} AS k{place}" for place, column in enumerate(roles.parts().values())]
    good = "true"
    if roles.weight is not None:
        # DuckDB's CSV reader takes a bare cast of a column into itself and drops the lines that fail it; not of a text.
        typed = scan.kind in ("parquet", "arrow")
        value = f"TRY_CAST({scan.expression(roles.weight) if typed else scan.text(roles.weight)} AS DOUBLE)"
        good = f"coalesce({value} >= 0 AND {value} <= {LARGEST!r}, false)"
        chosen.append(f"CASE WHEN {good} THEN {value} ELSE 0 END AS weight")
    spoiled = "json IS NULL OR json_type(json) <> 'OBJECT'" if scan.kind in ("json", "jsonl") else "false"
    return f"SELECT {', '.join(chosen)}, {good} AS good, {spoiled} AS spoiled FROM {scan.sql}"


def _from_engine(scan: Scan, roles: Roles, duck: Duck, gathered: Gathered) -> Distinct:
    good, spoiled, *sums = gathered.numbers(default=3 if roles.weight is None else 5)
    keys = dict(zip(roles.parts(), gathered.factors(scan.decode), strict=True))
    lost = rejected(duck, scan) if scan.kind in ("csv", "tsv") else int(sums[0][spoiled].sum())
    found = made(keys, roles, sums, good=good, faults=_spoiled(scan, lost, duck) if scan.textual else _no_objects(lost))
    return found.take(~spoiled) if spoiled.any() else found


def _no_objects(rows: int) -> tuple[Fault, ...]:
    entries = "1 entry is" if rows == 1 else f"{rows:,} entries are"
    return (Fault("", f"{entries} no JSON object", rows),) if rows else ()


def rejected(duck: Duck, scan: Scan) -> int:
    """Return how many lines of CSV files DuckDB could not read."""
    sql = (
        "SELECT count(DISTINCT (file_id, line)) FROM reject_errors "
        "WHERE scan_id = (SELECT max(scan_id) FROM reject_scans)"
    )
    return int(duck.rows(sql, {}, source=scan.name)[0][0])


class Gathered:
    """Arrow batches gathered: the first columns as codes, of which each batch has a dictionary of its own."""

    def __init__(self, keys: int) -> None:
        self._places: list[dict[Any, int]] = [{} for _ in range(keys)]
        self._codes: list[list[Any]] = [[] for _ in range(keys)]
        self._numbers: list[list[Any]] = []
        self._rows = 0

    def add(self, batch: Any) -> int:
        """Take in one batch; return how many rows there are by now."""
        size = len(self._places)
        for places, codes, column in zip(self._places, self._codes, batch.columns[:size], strict=True):
            coded = column.dictionary_encode(null_encoding="encode")
            table = [places.setdefault(value, len(places)) for value in coded.dictionary.to_pylist()]
            dtype = np.min_scalar_type(max(len(places) - 1, 0))
            codes.append(np.array(table, dtype=dtype)[coded.indices.to_numpy(zero_copy_only=False)])
        self._numbers.append([column.to_numpy(zero_copy_only=False) for column in batch.columns[size:]])
        self._rows += batch.num_rows
        return self._rows

    def factors(self, *decoders: Callable[[Any], Any]) -> list[Factor]:
        """Return the coded columns, their values decoded, by one function or one for each."""
        each = decoders if len(decoders) > 1 else decoders * len(self._places)
        return [
            Factor(_joined(codes), [decode(value) for value in places])
            for places, codes, decode in zip(self._places, self._codes, each, strict=True)
        ]

    def numbers(self, *, default: int) -> list[Any]:
        """Return the other columns; ``default`` is their number where no batch came."""
        columns = zip(*self._numbers, strict=True) if self._numbers else ([np.empty(0, bool)] for _ in range(default))
        return [np.concatenate(column) for column in columns]


def _joined(codes: Sequence[Any]) -> Any:
    return np.concatenate(codes) if codes else np.empty(0, dtype=np.uint8)


def repeats_of(scan: Scan, columns: Sequence[str], duck: Duck, *, rows: int) -> Iterator[tuple[str, int, int]]:
    """Yield, for each column, how many values and how many distinct ones its first rows hold."""
    if scan.small:
        found = [record.fields for _, record in all_records(scan.files, scan.kind, scan.dialects) if record.fields]
        for column in columns:
            values = [repr(one[column]) for one in found[:rows] if one.get(column) is not None]
            yield column, len(values), len(set(values))
        return
    for column in columns:
        scan.prepare(duck)
        chosen = f"SELECT {scan.expression(column)} AS k FROM {scan.sql} LIMIT {rows}"
        sql = f"SELECT count(k), count(DISTINCT k) FROM ({chosen})"
        filled, distinct = duck.rows(sql, scan.parameters, source=scan.name)[0]
        yield column, int(filled), int(distinct)
