"""The forest of tasks: as a table with bars, and as a drawing."""

from __future__ import annotations

import math

from howsure.reports.figures.intervals import Bar, bars_forest
from howsure.reports.figures.picture import BLUE, ORANGE, Panel
from howsure.reports.grid import Grid, GridColumn, columns, noted, sentences
from howsure.reports.text import TextAxis, bar_text
from howsure.results.sentences.phrases import phrase
from howsure.results.tasks.forest import Forest, ForestRow
from howsure.results.words import count, decimals_for, number, percent, signed

WIDTH = 30


def forest_grid(made: Forest, *, quiet: bool = False) -> Grid:
    """Return the lines of a forest, a task each, then what they say together, with bars in text."""
    lines = (*made.rows, *made.together)
    places = max((decimals_for(row.low, row.high) for row in lines if math.isfinite(row.low)), default=3)
    shown = signed if made.difference else number
    axis = TextAxis.of(lines)
    bars = GridColumn("bar", forms=("text",), headings={"text": axis.header(WIDTH)})
    header = (
        *columns(
            "task", made.said, "low", "high", "rows", "share", numbers=(made.said, "low", "high", "rows", "share")
        ),
        bars,
    )
    rows = tuple(
        (
            row.label, *(shown(end, places) for end in (row.value, row.low, row.high)),
            count(row.n) if math.isfinite(row.n) else "",
            percent(round(row.share, 3)) if math.isfinite(row.share) else "",
            bar_text(row, axis, WIDTH),
        )
        for row in lines
    )  # fmt: skip
    caption = made.caption
    notes = () if quiet else noted(made.notes, "text", "markdown", "notebook")
    return Grid(header, rows, caption, tuple(made.to_dicts()), (*sentences(made.sentence), *notes))


def forest_panel(made: Forest) -> Panel:
    """Describe the forest: a bar a task, then those of what they say together, in another colour."""
    bars = [_bar(row) for row in made.rows]
    bars += [Bar(phrase("forest heading"), heading=True), *map(_bar, made.together)]
    inside = made.metric_range if all(map(math.isfinite, made.metric_range)) else None
    return bars_forest(
        bars, against=0.0 if made.difference else None, inside=inside,
        label=f"{made.said}, {made.model}" if made.model else made.said,
        caption=made.caption,
    )  # fmt: skip


def _bar(row: ForestRow) -> Bar:
    return Bar(row.label, row.value, row.low, row.high, colour=BLUE if row.kind == "task" else ORANGE)
