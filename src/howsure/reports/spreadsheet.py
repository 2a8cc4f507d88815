"""CSV that a spreadsheet opens safely."""

from __future__ import annotations

import csv
import io
from typing import Any

FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Return rows as CSV; text that a spreadsheet would run as a formula is made plain."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = list(rows[0]) if rows else []
    writer.writerow(names)
    writer.writerows([[safe_cell(row[name]) for name in names] for row in rows])
    return stream.getvalue()


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, str) and value.startswith(FORMULA_MARKS) and not _is_number(value):
        return "'" + value
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
