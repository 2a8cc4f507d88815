"""A Markdown table."""

from __future__ import annotations

from howsure.reports.align import visible
from howsure.reports.describe import all_notes, caption, cells_of, heading
from howsure.results.estimate import Report


def report_markdown(report: Report) -> str:
    """Return the report as a Markdown table with its caption and notes."""
    several = len(report.models) > 1
    lines = [
        (f"| {escaped(heading(report))} " if several else "") + "| metric | value | interval | method |",
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
    r"""Return text that stays one table cell and no markup.

    >>> print(escaped("a|b & $x_1$ <b>"))
    a\|b &amp; \$x\_1\$ \<b\>
    """
    text = visible(text.replace("\r\n", " ").replace("\n", " ")).replace("&", "&amp;")
    for mark in "\\`*_|<>[]~$":
        text = text.replace(mark, "\\" + mark)
    return text
