"""Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable

from howsure.reports.align import visible
from howsure.reports.grid import Cell, EstimateCell, Grid

RULES = {"text": "---", "number": "---:", "interval": ":---:", "estimate": "---"}


def grid_markdown(grid: Grid) -> str:
    """Return a table with its caption and what is said below; notes are a list."""
    shown = grid.shown("markdown")
    head = _row(escaped_cell(column.heading("markdown")) for column in shown.columns)
    rule = "|" + "".join(f"{RULES[column.kind]}|" for column in shown.columns)
    said = [part for text in (shown.caption, *shown.sentences) if text for part in ("", escaped_cell(text))]
    notes = ["", *(f"- {escaped_cell(note)}" for note in shown.notes)] if shown.notes else []
    lead = [part for text in shown.lead for part in (escaped_cell(text), "")]
    return "\n".join([*lead, head, rule, *(_row(map(_cell, row)) for row in shown.rows), *said, *notes])


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(cell: Cell) -> str:
    if isinstance(cell, EstimateCell):
        value = escaped_cell(cell.value)
        shown = (f"**{value}**" if cell.best else value) + ("†" if cell.worse else "")
        return f"{shown} ({escaped_cell(cell.reach)})" if cell.reach else shown
    return escaped_cell(cell) if isinstance(cell, str) else f"[{escaped_cell(cell[0])}, {escaped_cell(cell[1])}]"


def escaped_cell(text: str) -> str:
    r"""Return text that stays one table cell and no markup.

    >>> print(escaped_cell("a|b & $x_1$ <b>"))
    a\|b &amp; \$x\_1\$ \<b\>
    """
    text = visible(text.replace("\r\n", " ").replace("\n", " ")).replace("&", "&amp;")
    for mark in "\\`*_|<>[]~$":
        text = text.replace(mark, "\\" + mark)
    return text
