"""Plain text with aligned digits and a small bar per interval."""

from __future__ import annotations

import math

from howsure.reports.align import aligned, visible
from howsure.reports.describe import all_notes, caption, cells_of, heading
from howsure.results.estimate import Estimate, Report

WIDTH = 24


def report_text(report: Report, *, quiet: bool = False) -> str:
    """Return the report as an aligned text table; quiet leaves out the notes."""
    rows = [_row(row, several=len(report.models) > 1) for row in report.rows]
    header = (heading(report), "metric", "value", "low", "high", "", "method")
    keep = [index for index, _ in enumerate(header) if index or len(report.models) > 1]
    table = [[row[index] for index in keep] for row in [header, *rows]]
    numbers = {column for column, index in enumerate(keep) if header[index] in ("value", "low", "high")}
    lines = aligned(table, numbers)
    notes = [] if quiet else [f"note: {visible(note)}" for note in all_notes(report)]
    return "\n".join([*lines, "", caption(report), *notes])


def _row(row: Estimate, *, several: bool) -> tuple[str, ...]:
    parts = cells_of(row)
    return (
        parts["model"],
        parts["metric"],
        parts["value"],
        parts["low"],
        parts["high"],
        bar(row),
        parts["method"],
    )


def bar(row: Estimate, *, width: int = WIDTH, span: tuple[float, float] = (0.0, 1.0)) -> str:
    """Return a bar that shows the interval on the metric's own range; empty where that has no end."""
    start, end = span if row.metric_range is None else row.metric_range
    if not all(math.isfinite(x) for x in (row.low, row.high, row.value, start, end)):
        return ""

    def place(x: float) -> int:
        return min(max(round((x - start) / (end - start) * (width - 1)), 0), width - 1)

    low, high, point = place(row.low), place(row.high), place(row.value)
    return "".join("●" if i == point else "━" if low <= i <= high else "·" for i in range(width))
