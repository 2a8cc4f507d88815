"""A paper's rows and figures by its name, in every form."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from howsure.papers.rows import PaperRow
from howsure.reports.columns import aligned
from howsure.reports.plain_tables import paper_grid


def paper_rows(name: str, **options: Any) -> list[PaperRow]:
    """Return the rows of a paper; options that it does not take, or that are None, are left out."""
    rows = import_module(f"howsure.papers.{name}").rows
    known = signature(rows).parameters
    return list(rows(**{key: value for key, value in options.items() if value is not None and key in known}))


def paper_figures(name: str, folder: Path) -> list[Path]:
    """Draw the paper's figures into a folder and return the files."""
    draw = getattr(import_module(f"howsure.papers.{name}"), "figures", None)
    folder.mkdir(parents=True, exist_ok=True)
    return [] if draw is None else list(draw(folder))


def paper_text(name: str, title: str, rows: list[PaperRow], form: str) -> str:
    """Return the rows in the asked form; text is headed by the paper's title."""
    grid = paper_grid(title, rows, summary(rows))
    if form == "text":
        return "\n".join([title, "", *aligned([grid.header, *grid.rows], grid.numbers), "", *grid.said])
    return grid.written(form)


def summary(rows: list[PaperRow]) -> str:
    """Return how many printed numbers came out, within rounding of the last printed digit or Monte-Carlo error."""
    printed = [row for row in rows if row.printed is not None and row.ours is not None]
    agree = sum(agrees(row) for row in printed)
    return (
        f"{agree} of {len(printed)} printed numbers come out within rounding or Monte-Carlo error; "
        f"{len(rows)} rows in all."
    )


def agrees(row: PaperRow) -> bool:
    """Say whether ours rounds to the printed value, give or take one unit and three Monte-Carlo errors."""
    assert row.printed is not None
    assert row.ours is not None
    text = f"{row.printed!r}"
    unit = 10.0 ** -(len(text.partition(".")[2]) if "." in text and "e" not in text else 0)
    return abs(row.ours - row.printed) <= unit * 1.001 + 3 * (row.se or 0.0)
