"""Read the reference tables that are stored here."""

from __future__ import annotations

import csv
from pathlib import Path

HERE = Path(__file__).parent


def stored(name: str) -> list[dict[str, str]]:
    """Return the rows of a stored table."""
    with (HERE / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def grouped(rows: list[dict[str, str]], *keys: str) -> dict[tuple[str, ...], list[dict[str, str]]]:
    """Return the rows by the values of some columns."""
    found: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    return found
