"""The records behind a table at full precision: CSV that a spreadsheet opens safely, and JSON."""

from __future__ import annotations

import json
from typing import Any

from howsure.reports.grid import Grid
from howsure.results.base import json_ready, rows_document

FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r", "\n")
SEPARATORS = (",", ";", "\t", "\r", "\n", '"')


def grid_json(grid: Grid) -> str:
    """Return the records of a table as a JSON document."""
    return json.dumps(rows_document(grid.document, grid.records), indent=2, ensure_ascii=False)


def grid_csv(grid: Grid) -> str:
    """Return the records of a table as CSV, a dictionary among them as JSON."""
    records = map(spread_out, grid.records)
    return as_csv([{key: _flat(value) for key, value in record.items()} for record in records])


def _flat(value: Any) -> Any:
    return json.dumps(json_ready(value), ensure_ascii=False) if isinstance(value, dict) else value


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Return rows as CSV; text that a spreadsheet would run as a formula is made plain.

    Text with a semicolon is quoted, too: some spreadsheets split there, and would find a formula behind it.

    >>> as_csv([{"model": "=1+1", "note": "a;=2", "low": -0.5}])
    'model,note,low\\n\\'=1+1,"a;=2",-0.5\\n'

    A list of numbers is no formula, whatever its sign:

    >>> as_csv([{"limits": (-0.5, 0.25)}])
    'limits\\n"-0.5; 0.25"\\n'
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([safe_cell(row.get(name)) for name in names] for row in rows)]
    return "".join(",".join(map(_written, line)) + "\n" for line in lines)


def spread_out(row: dict[str, Any]) -> dict[str, Any]:
    """Return a record with what a judge adds as columns of their own, so that a sheet and a frame can hold it.

    >>> spread_out({"value": 0.8, "judge": {"gain": 1.5, "human": {"low": 0.7}}})
    {'value': 0.8, 'judge_gain': 1.5, 'judge_human_low': 0.7}
    """
    held = row.get("judge")
    if not isinstance(held, dict):
        return row
    found: dict[str, Any] = {}
    for name, value in held.items():
        inner = value if isinstance(value, dict) else {"": value}
        found |= {f"judge_{name}_{part}".rstrip("_"): one for part, one in inner.items()}
    return {name: value for name, value in row.items() if name != "judge"} | found


def _written(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in SEPARATORS) else text


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    parts = [value]
    if isinstance(value, (list, tuple)):
        parts, value = list(map(str, value)), "; ".join(map(str, value))
    if isinstance(value, str) and value.startswith(FORMULA_MARKS) and not all(map(_is_number, parts)):
        return "'" + value
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
