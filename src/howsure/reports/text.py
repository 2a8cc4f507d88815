"""Plain text: aligned columns, bars of intervals on an axis, and lines that fit 80 columns."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from howsure.reports.align import aligned, visible, width_of
from howsure.reports.grid import Cell, EstimateCell, Grid, plain
from howsure.results.base import note_line
from howsure.results.words import number, percents

if TYPE_CHECKING:
    from howsure.results.estimate import Estimate
    from howsure.results.tasks.forest import ForestRow

    Interval = Estimate | ForestRow

WIDTH = 24
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)


def grid_text(grid: Grid, *, width: int | None = None) -> str:
    """Return a table with aligned columns, what it says above it, its caption and what is said below."""
    shown = grid.shown("text")
    below = [shown.caption, *shown.sentences]
    lead = [line for text in shown.lead for line in (*wrapped(text, width), "")]
    notes = chain.from_iterable(wrapped(note_line(note), width, hang=6) for note in shown.notes)
    said = chain.from_iterable(wrapped(text, width) for text in below if text)
    return "\n".join([*lead, *grid_lines(grid), "", *said, *notes])


def grid_lines(grid: Grid) -> list[str]:
    """Return the lines of a table alone; a value with its interval takes two."""
    shown = grid.shown("text")
    head = [column.heading("text") for column in shown.columns]
    body = [line for row in shown.rows for line in _lines(row)]
    return aligned([head, *body], shown.numbers)


def _lines(row: Sequence[Cell]) -> list[list[str]]:
    if not any(isinstance(cell, EstimateCell) for cell in row):
        return [list(map(plain, row))]
    first = [f"{cell.value}{cell.mark}" if isinstance(cell, EstimateCell) else plain(cell) for cell in row]
    if not any(cell.reach for cell in row if isinstance(cell, EstimateCell)):
        return [first]
    return [first, [cell.reach if isinstance(cell, EstimateCell) else "" for cell in row]]


def wrapped(text: str, width: int | None, *, hang: int = 0) -> list[str]:
    """Return a text on lines of at most so many places; without a width on one."""
    shown = visible(text)
    if width is None or width_of(shown) <= width:
        return [shown]
    return textwrap.wrap(shown, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)


# --- bars --------------------------------------------------------------------------------------------------------


def bar(row: Estimate, *, width: int = WIDTH, span: tuple[float, float] = (0.0, 1.0)) -> str:
    """Return a bar that shows the interval on the metric's own range; empty where that has no end."""
    start, end = span if row.metric_range is None else row.metric_range
    return bar_text(row, TextAxis(start, end), width)


@dataclass(frozen=True)
class TextAxis:
    """An axis that several bars share, with a step between its ticks."""

    low: float
    high: float
    step: float = 0.25

    @classmethod
    def of(cls, rows: Iterable[Interval]) -> TextAxis:
        """Return the axis that holds all intervals, on round numbers, within the metric's range."""
        ends = [end for row in rows for end in (row.low, row.high, row.value) if math.isfinite(end)]
        low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
        step = next((step for step in STEPS if high - low <= 4.5 * step), 0.0)
        if not step:
            step = 10 ** math.ceil(math.log10(max(high - low, 1e-9) / 4.5))
        return cls(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)

    @property
    def ticks(self) -> list[float]:
        """Round numbers along the axis."""
        return [self.low + at * self.step for at in range(round((self.high - self.low) / self.step) + 1)]

    def place(self, value: float, width: int) -> int:
        """Return the column of a value."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return min(max(round(share * (width - 1)), 0), width - 1)

    def header(self, width: int) -> str:
        """Return the ticks as text, as many as have room."""
        line = [" "] * width
        free = 0
        places = max(1, -math.floor(math.log10(self.step) + 1e-9)) if self.step < 1 else 0
        for tick in self.ticks:
            words = (
                number(tick, max(places, 1))
                if percents()
                else f"{tick:z.{max(places, len(f'{self.step:g}'.partition('.')[2]))}f}".replace("-", "−")
            )
            start = min(max(self.place(tick, width) - len(words) // 2, 0), width - len(words))
            if start >= free:
                line[start : start + len(words)] = words
                free = start + len(words) + 1
        return "".join(line)


def bar_text(row: Interval, axis: TextAxis, width: int, *, hollow: bool = False) -> str:
    """Return an interval as a bar of an axis; hollow for a model that does not lead."""
    if not all(math.isfinite(x) for x in (row.low, row.high, row.value, axis.low, axis.high)):
        return ""
    low, high, point = (axis.place(end, width) for end in (row.low, row.high, row.value))
    dot = "○" if hollow else "●"
    return "".join(dot if i == point else "━" if low <= i <= high else "·" for i in range(width))
