"""HTML tables that need no style of their own: what a notebook and ``to_html()`` show. Every text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from howsure.reports.grid import Cell, EstimateCell, Grid, plain


def grid_html(grid: Grid) -> str:
    """Return a table with what is said below; notes are left to a notebook."""
    lead = "".join(f"<p><strong>{escape(text)}</strong></p>" for text in grid.lead)
    return lead + table_html(grid) + "".join(f"<p>{escape(text)}</p>" for text in grid.shown("html").sentences)


def sortable_html(grid: Grid) -> str:
    """Return a table that sorts by a click on a heading where scripts run, as in a notebook."""
    script = (files("howsure.reports.page") / "templates" / "sort.js").read_text(encoding="utf-8")
    return table_html(grid).replace("<table>", '<table class="sortable" data-plain>', 1) + f"<script>{script}</script>"


def table_html(grid: Grid) -> str:
    """Return a table with its caption, if it has one."""
    shown = grid.shown("html")
    caption = f'<caption style="text-align:left;min-width:30rem">{escape(shown.caption)}</caption>'
    head = _line((column.heading("html") for column in shown.columns), 'th scope="col"', shown)
    body = "".join(_line(row, "td", shown) for row in shown.rows)
    return f"<table>{caption if shown.caption else ''}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _line(cells: Iterable[Cell], tag: str, shown: Grid) -> str:
    kinds = [' class="n"' if column.kind == "number" else "" for column in shown.columns]
    end = tag.partition(" ")[0]
    parts = [f"<{tag}{kind}>{_cell(cell)}</{end}>" for kind, cell in zip(kinds, cells, strict=True)]
    return f"<tr>{''.join(parts)}</tr>"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, EstimateCell):
        return escape(plain(cell))
    value = f"<strong>{escape(cell.value)}</strong>" if cell.best else escape(cell.value)
    return f"{value}{'†' if cell.worse else ''}<br/><small>{escape(cell.reach)}</small>"


def small(text: str) -> str:
    """Return a paragraph in small letters; nothing of no text."""
    return f"<p><small>{escape(text)}</small></p>" if text else ""


def bullets(items: Iterable[str]) -> str:
    """Return a list; nothing of no items."""
    made = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<ul>{made}</ul>" if made else ""
