"""Columns of text: digits aligned at the point, wide letters counted as two, nothing a terminal would obey."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from unicodedata import category, east_asian_width

from howsure.errors import LONG_SENTENCE, cut


def aligned(table: Sequence[Sequence[str]], numbers: Collection[int]) -> list[str]:
    """Return lines with columns of equal width, those of digits aligned at the point; the first row is the header.

    >>> print(*aligned([("name", "value"), ("a", "0.740"), ("名", "16.5")], {1}), sep="\\n")
    name   value
    a      0.740
    名    16.5
    """
    columns = [
        _column([visible(cell) for cell in column], at in numbers) for at, column in enumerate(zip(*table, strict=True))
    ]
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _column(cells: Sequence[str], digits: bool) -> list[str]:
    shown = [cells[0], *_at_the_point(cells[1:])] if digits else list(cells)
    width = max(map(width_of, shown))
    return [_padded(cell, width, left=digits) for cell in shown]


def _at_the_point(cells: Sequence[str]) -> list[str]:
    """Return numbers with room behind them, so that their points meet once they are pushed to the right."""
    behind = [len(cell) - cell.index(".") if "." in cell and cell[-1:].isdigit() else 0 for cell in cells]
    most = max(behind, default=0)
    return [
        cell + " " * (most - room) if cell[-1:].isdigit() else cell for cell, room in zip(cells, behind, strict=True)
    ]


def _padded(cell: str, width: int, *, left: bool) -> str:
    room = " " * (width - width_of(cell))
    return room + cell if left else cell + room


def width_of(text: str) -> int:
    """Return how many places a terminal gives a text: two for wide letters, none for marks that join."""
    return sum(0 if category(mark) in ("Mn", "Me", "Cf") else 1 + (east_asian_width(mark) in "WF") for mark in text)


def visible(text: str) -> str:
    """Return text on one line, without the control characters that a terminal would obey.

    >>> visible("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\\\nb'
    """
    text = cut(text, LONG_SENTENCE)
    return "".join(mark if category(mark) not in ("Cc", "Zl", "Zp") else repr(mark)[1:-1] for mark in text)
