"""Plain text: tables with aligned digits, a small bar per interval, and the comparison of two models."""

from __future__ import annotations

import math

from howsure.reports.align import aligned, visible
from howsure.reports.grid import Grid, plain
from howsure.results.base import note_line
from howsure.results.comparison import Comparison
from howsure.results.estimate import Estimate
from howsure.results.words import number

WIDTH = 24


def grid_text(grid: Grid) -> str:
    """Return a table with aligned columns, its caption and what is said below."""
    shown = grid.shown("text")
    head = [column.heading("text") for column in shown.columns]
    lines = aligned([head, *(list(map(plain, row)) for row in shown.rows)], shown.numbers)
    below = [shown.caption, *shown.sentences, *map(note_line, shown.notes)]
    return "\n".join([*lines, "", *(visible(text) for text in below if text)])


def bar(row: Estimate, *, width: int = WIDTH, span: tuple[float, float] = (0.0, 1.0)) -> str:
    """Return a bar that shows the interval on the metric's own range; empty where that has no end."""
    start, end = span if row.metric_range is None else row.metric_range
    if not all(math.isfinite(x) for x in (row.low, row.high, row.value, start, end)):
        return ""

    def place(x: float) -> int:
        return min(max(round((x - start) / (end - start) * (width - 1)), 0), width - 1)

    low, high, point = place(row.low), place(row.high), place(row.value)
    return "".join("●" if i == point else "━" if low <= i <= high else "·" for i in range(width))


def comparison_text(row: Comparison, *, quiet: bool = False) -> str:
    """Return one comparison line by line: the difference, what it says, and what stands beside it."""
    notes = [] if quiet else [note_line(note) for note in row.notes]
    return "\n".join(map(visible, [repr(row), row.sentence, *notes, *_beside(row)]))


def _beside(row: Comparison) -> list[str]:
    """Return what stands beside a comparison: values, discordant rows, what pairing bought, practical equality."""
    lines = [
        f"{row.a} {number(row.value_a)} · {row.b} {number(row.value_b)} · correlation {number(row.correlation, 2)}"
    ]
    if row.discordant is not None:
        lines.append(f"rows that only {row.a} got right: {row.discordant[0]:g}; only {row.b}: {row.discordant[1]:g}")
    if row.unpaired is not None:
        low, high = (number(end) for end in row.unpaired)
        lines.append(f"ignoring the pairing the interval would be [{low}, {high}]")
    if row.rope_probabilities is not None:
        worse, equal, better = row.rope_probabilities
        lines.append(f"probability worse {worse:.3f} · within ±{row.rope:g} {equal:.3f} · better {better:.3f}")
    if row.verdict is not None:
        lines.append(f"margin {row.margin:g}: {row.verdict}")
    return lines
