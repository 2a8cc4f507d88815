"""The neutral description of a report that every writer starts from."""

from __future__ import annotations

from typing import Any

from howsure.results import Estimate, Report, decimals_for, number, percent
from howsure.version import __version__

SCHEMA = "howsure/report/1"
COVERS = (
    "The intervals cover the luck of the draw of test rows: another sample from the same source would give "
    "other scores.",
    "They hold the models, their training data, thresholds and the labels fixed, and do not cover a change of "
    "source, wrong labels or choices made after looking at these rows.",
)


def report_document(report: Report) -> dict[str, Any]:
    """Return the report as one dictionary with its schema's version."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "level": report.level,
        "joint": report.joint,
        "critical_value": report.critical_value,
        "about": report.about,
        "rows": report.to_dicts(),
        "notes": [str(note) for note in report.notes],
        "covers": list(COVERS),
    }


def cells_of(estimate: Estimate) -> dict[str, str]:
    """Return an estimate's printed parts: enough decimals for its width, no more."""
    places = decimals_for(estimate.low, estimate.high)
    return {
        "model": estimate.model,
        "metric": estimate.metric,
        "value": number(estimate.value, places),
        "low": number(estimate.low, places),
        "high": number(estimate.high, places),
        "method": estimate.method,
    }


def caption(report: Report) -> str:
    """Return the sentence that belongs under every table or figure."""
    kind = "simultaneous " if report.joint else ""
    methods = ", ".join(dict.fromkeys(row.method for row in report.rows))
    support = report.rows[0].support if report.rows else "no rows"
    return f"{percent(report.level)} {kind}intervals ({methods}); {support}."


def all_notes(report: Report) -> list[str]:
    """Return the notes of the report and of its rows, each once, rows named."""
    found: dict[str, list[str]] = {str(note): [] for note in report.notes}
    for row in report.rows:
        for note in row.notes:
            found.setdefault(str(note), []).append(
                row.metric if len(report.models) == 1 else f"{row.metric} of {row.model}"
            )
    return [
        f"{text} ({', '.join(dict.fromkeys(where))})" if 0 < len(where) < 4 and where[0] not in text else text
        for text, where in found.items()
    ]
