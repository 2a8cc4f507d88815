"""What a notebook shows: one line for an estimate, a table with drawn intervals for a report."""

from __future__ import annotations

from html import escape

from howsure.reports.describe import all_notes, caption, cells_of
from howsure.reports.svg import interval_svg
from howsure.results import Estimate, Report


def estimate_html(estimate: Estimate) -> str:
    """Return an estimate as a line with its interval drawn beside it."""
    notes = "".join(f"<div><small>note: {escape(note)}</small></div>" for note in estimate.notes)
    return f"<div><code>{escape(repr(estimate))}</code> {interval_svg(estimate)}</div>{notes}"


def report_notebook(report: Report) -> str:
    """Return a report as a table with its intervals drawn."""
    head = "".join(f"<th>{name}</th>" for name in ("model", "metric", "value", "low", "high", "", "method"))
    body = "".join(_row(row) for row in report.rows)
    notes = "".join(f"<li>{escape(note)}</li>" for note in all_notes(report))
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p><small>{escape(caption(report))}</small></p>" + (f"<ul>{notes}</ul>" if notes else "")
    )


def _row(row: Estimate) -> str:
    parts = {key: escape(text) for key, text in cells_of(row).items()}
    cells = [
        parts["model"],
        parts["metric"],
        parts["value"],
        parts["low"],
        parts["high"],
        interval_svg(row),
        parts["method"],
    ]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
