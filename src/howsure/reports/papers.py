"""A paper's rows and figures by its name, in every form."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from howsure.reports.align import aligned
from howsure.reports.plain_tables import paper_grid
from howsure.studies.papers.rows import PaperRow


def paper_rows(name: str, **options: Any) -> list[PaperRow]:
    """Return the rows of a paper; options that it does not take, or that are None, are left out."""
    rows = import_module(f"howsure.studies.papers.{name}").rows
    known = signature(rows).parameters
    return list(rows(**{key: value for key, value in options.items() if value is not None and key in known}))


def paper_figures(name: str, folder: Path) -> list[Path]:
    """Draw the paper's figures into a folder and return the files."""
    draw = getattr(import_module(f"howsure.studies.papers.{name}"), "figures", None)
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
    found = standings(rows)
    printed = sum(found.values()) - found["not recomputed"]
    return (
        f"{found['agrees']} of {printed} printed numbers come out within rounding or Monte-Carlo error, "
        f"{found['explained']} differ for a stated reason, {found['open']} are open; {len(rows)} rows in all."
    )


def standings(rows: list[PaperRow]) -> dict[str, int]:
    """Return how many printed numbers agree, are explained, open or not recomputed; each number counts once."""
    found = Counter(row.standing for row in rows if row.standing and not row.again)
    return {name: found[name] for name in ("agrees", "explained", "open", "not recomputed")}
