"""A self-contained HTML page."""

from __future__ import annotations

from howsure.reports.notebook import report_notebook
from howsure.results import Report


def report_html(report: Report) -> str:
    """Return the report as one page that asks nothing of the network."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>howsure report</title></head>'
        f"<body>{report_notebook(report)}</body></html>"
    )
