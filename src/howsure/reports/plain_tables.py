"""Gates, plans, studies, papers and catalogues as plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.coverage import Coverage
from howsure.papers.rows import PaperRow
from howsure.reports.grid import Grid
from howsure.results import count, number, percent
from howsure.verdicts import Gate


def gate_grid(made: Gate) -> Grid:
    """Return a gate as a table of one row."""
    judged = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    wanted = f"{made.direction} {made.threshold:g}"
    row = (made.verdict, made.metric, judged, wanted, *(number(x) for x in (made.value, made.low, made.high)))
    return Grid(
        ("verdict", "metric", "model", "wanted", "value", "low", "high"), (row,), frozenset({4, 5, 6}),
        f"One-sided {percent(made.level)} bounds ({made.method}), n = {count(made.n)}.", (made.to_dict(),),
        (made.sentence, *(f"note: {note}" for note in made.notes)),
    )  # fmt: skip


def plan_grid(made: Any, points: Sequence[tuple[int, float]] | None, *, quiet: bool = False) -> Grid:
    """Return a plan: its curve if one was asked for, else its main numbers, and its paragraph below."""
    notes = () if quiet else tuple(f"note: {note}" for note in getattr(made, "notes", ()))
    if points is not None:
        rows = tuple((count(n), number(value, 4)) for n, value in points)
        header, numbers = ("rows", "reached"), frozenset({0, 1})
    else:
        rows = tuple((name, text) for name, text in _plan_facts(made))
        header, numbers = ("what", "number"), frozenset({1})
    return Grid(header, rows, numbers, repr(made), (made.to_dict(),), (made.paragraph, *notes))


def _plan_facts(made: Any) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    for name in ("n", "positives", "n_clusters", "n_more", "half_width", "se", "difference", "power"):
        value = getattr(made, name, None)
        if value is not None:
            facts.append((name.replace("_", " "), count(value) if isinstance(value, int) else number(value, 4)))
    for label, rows in getattr(made, "allocation", {}).items():
        facts.append((f"labels among predicted {label}", count(rows)))
    return facts


def coverage_grid(made: Coverage) -> Grid:
    """Return a study, a row per method and n."""
    rows = tuple(
        (
            row.metric, row.method, count(row.n), f"{row.coverage:.4f}", f"{row.length:.4f}", f"{row.overshoot:.4f}",
            f"{row.degenerate:.4f}", "exact" if row.exact else f"± {row.se:.4f}",
        )
        for row in made.rows
    )  # fmt: skip
    header = ("metric", "method", "n", "coverage", "length", "overshoot", "degenerate", "error")
    first = made.rows[0]
    text = f"Coverage of {percent(first.level)} intervals; the true value is {number(first.truth, 4)}."
    return Grid(header, rows, frozenset({2, 3, 4, 5, 6}), text, tuple(made.to_dicts()))


def paper_grid(title: str, rows: Sequence[PaperRow], summary: str) -> Grid:
    """Return what a paper prints beside ours."""
    cells = tuple(_paper_cells(row) for row in rows)
    header = ("table", "cell", "printed", "ours", "difference", "note")
    return Grid(
        header, cells, frozenset({2, 3, 4}), title, tuple(row.to_dict() for row in rows), (summary,),
    )  # fmt: skip


def _paper_cells(row: PaperRow) -> tuple[str, ...]:
    ours = "–" if row.ours is None else f"{row.ours:.6g}" + (f" ± {row.se:.1g}" if row.se else "")
    difference = "" if row.difference is None else f"{row.difference:+.2g}"
    return row.table, row.cell, "–" if row.printed is None else f"{row.printed:g}", ours, difference, row.note


def listed(records: Sequence[dict[str, str]], title: str) -> Grid:
    """Return a catalogue as it is: every record a row."""
    header = tuple(records[0])
    rows = tuple(tuple(record[name] for name in header) for record in records)
    return Grid(header, rows, frozenset(), title, tuple(records))
