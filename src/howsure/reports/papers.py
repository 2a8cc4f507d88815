"""A paper's rows and figures by its name, in every form."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from howsure.papers.rows import PaperRow
from howsure.reports.spreadsheet import as_csv
from howsure.results import json_ready

COLUMNS = ("table", "cell", "printed", "ours", "difference", "note")


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
    """Return the rows as text, JSON, CSV or Markdown."""
    if form == "json":
        return json.dumps(json_ready([row.to_dict() for row in rows]), indent=2, ensure_ascii=False)
    cells = [_cells(row) for row in rows]
    if form == "csv":
        return as_csv([dict(zip(COLUMNS, row, strict=True)) for row in cells])
    if form in ("md", "latex", "html"):
        lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|---:|---:|---:|---|"]
        return "\n".join(
            [f"# {title}", "", *lines, *("| " + " | ".join(row) + " |" for row in cells), "", summary(rows)]
        )
    widths = [max(len(name), *(len(row[at]) for row in cells)) for at, name in enumerate(COLUMNS)]
    table = [
        "  ".join(
            cell.rjust(width) if 1 < at < 5 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [COLUMNS, *cells]
    ]
    return "\n".join([title, "", *table, "", summary(rows)])


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


def _cells(row: PaperRow) -> tuple[str, ...]:
    ours = "–" if row.ours is None else f"{row.ours:.6g}" + (f" ± {row.se:.1g}" if row.se else "")
    difference = "" if row.difference is None else f"{row.difference:+.2g}"
    return row.table, row.cell, "–" if row.printed is None else f"{row.printed:g}", ours, difference, row.note
