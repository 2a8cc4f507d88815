"""A Markdown table."""

from __future__ import annotations

from howsure.reports.describe import all_notes, caption, cells_of
from howsure.results import Report


def report_markdown(report: Report) -> str:
    """Return the report as a Markdown table with its caption and notes."""
    several = len(report.models) > 1
    lines = [
        ("| model " if several else "") + "| metric | value | interval | method |",
        ("|---" if several else "") + "|---|---:|:---:|---|",
    ]
    for row in report.rows:
        parts = {key: escaped(text) for key, text in cells_of(row).items()}
        lead = f"| {parts['model']} " if several else ""
        lines.append(
            f"{lead}| {parts['metric']} | {parts['value']} | [{parts['low']}, {parts['high']}] | {parts['method']} |"
        )
    notes = [f"- {escaped(note)}" for note in all_notes(report)]
    return "\n".join([*lines, "", caption(report), *([""] if notes else []), *notes])


def escaped(text: str) -> str:
    """Return text that stays one table cell and no markup."""
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, "\\" + mark)
    return text.replace("\n", " ")
