"""What a notebook shows of each result: a table, what it says in words, and a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from howsure.reports.bayes_tests import bayes_html
from howsure.reports.comparisons import comparisons_html
from howsure.reports.describe import all_notes, caption, cells_of, heading
from howsure.reports.figures import densities, intervals, sizes
from howsure.reports.plain_tables import coverage_grid, gap_grid, gate_grid, plan_grid, posterior_grid
from howsure.reports.svg import MOST_WIDE, bars_svg, interval_svg, svg
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.coverage import Coverage
from howsure.results.estimate import Estimate, Report

MOST_LINES = 60


def _notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in dict.fromkeys(map(str, notes)))
    return f"<ul>{items}</ul>" if items else ""


# --- estimates and reports ---------------------------------------------------------------------------------------


def estimate_html(estimate: Estimate) -> str:
    """Return an estimate as a line with its interval drawn beside it."""
    notes = "".join(f"<div><small>note: {escape(note)}</small></div>" for note in estimate.notes)
    return f"<div><code>{escape(repr(estimate))}</code> {interval_svg(estimate)}</div>{notes}"


def report_notebook(report: Report) -> str:
    """Return a report as a table, a forest plot, and its notes."""
    names = ("model", "metric", "value", "low", "high", "method")[len(report.models) == 1 :]
    shown = (heading(report) if name == "model" else name for name in names)
    head = "".join(f"<th>{escape(name)}</th>" for name in shown)
    body = "".join(_row(row, names) for row in report.rows)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{_forest(report)}"
        f"<p><small>{escape(caption(report))}</small></p>{_notes(all_notes(report))}"
    )


def _row(row: Estimate, names: Sequence[str]) -> str:
    parts = cells_of(row)
    return "<tr>" + "".join(f"<td>{escape(parts[name])}</td>" for name in names) + "</tr>"


def _forest(report: Report) -> str:
    """Draw the metrics that share an axis; what has no upper end is left out and named."""
    if not report.rows:
        return ""
    chosen, left = intervals.chosen_metrics(report)
    rows = sorted((row for row in report.rows if row.metric in chosen), key=lambda row: chosen.index(row.metric))
    shown = replace(report, rows=tuple(rows[:MOST_LINES]))
    said = f"Not drawn, for want of an upper end: {', '.join(left)}." if left else ""
    if len(rows) > MOST_LINES:
        said = f"The first {MOST_LINES} of {len(rows)} estimates are drawn. {said}"
    return svg(intervals.report_forest(shown)) + (f"<p><small>{escape(said)}</small></p>" if said else "")


# --- differences and verdicts ------------------------------------------------------------------------------------


def comparisons_notebook(made: Comparison | Comparisons) -> str:
    """Return comparisons as a table, the differences drawn against none, and their notes."""
    drawn = svg(intervals.comparisons_forest(made, most=MOST_LINES, longest=MOST_WIDE // 2 - 1))
    return comparisons_html(made) + drawn + _notes(made.notes)


def gate_notebook(made: Gate) -> str:
    """Return a gate as a table and its bounds against the threshold."""
    return gate_grid(made).html() + svg(intervals.gate_forest(made))


def gap_notebook(made: Any) -> str:
    """Return the gap between slices as a table, and drawn."""
    return gap_grid(made).html() + svg(intervals.gap_forest(made)) + _notes(made.notes)


def bayes_notebook(test: BayesTest) -> str:
    """Return a Bayes test as a table and the density of the difference with the areas of H0 and H1."""
    drawn = ""
    if test.laws is not None:
        panel = densities.difference_curve(test)
        drawn = f"{svg(panel)}<p><small>{escape(panel.described)}: orange and blue.</small></p>"
    return bayes_html([test]) + drawn + _notes(test.notes)


# --- posteriors, plans, studies ----------------------------------------------------------------------------------


def posterior_notebook(law: Any) -> str:
    """Return a posterior as its numbers and its density with the 95% credible interval shaded."""
    return posterior_grid({"": law}, level=0.95).html() + svg(densities.posterior_curve(law))


def plan_notebook(plan: Any) -> str:
    """Return a plan as its numbers, its paragraph, and its curve where it has one."""
    drawn = ""
    if callable(getattr(plan, "curve", None)):
        what = "power" if hasattr(plan, "power") else "half-width"
        drawn = f"{svg(sizes.plan_curve(plan))}<p><small>{what} over the number of rows; dotted: the plan.</small></p>"
    return plan_grid(plan, None).html() + drawn


def coverage_notebook(found: Coverage) -> str:
    """Return a study as a table, and its coverage drawn against the nominal level."""
    several = len({(row.metric, row.population) for row in found.rows}) > 1
    bars = [
        intervals.Bar(
            f"{row.method}, n = {row.n:,}" + (f", {row.population or row.metric}" if several else ""),
            row.coverage, row.coverage - 1.96 * row.se, row.coverage + 1.96 * row.se,
        )
        for row in found.rows[:MOST_LINES]
    ]  # fmt: skip
    said = "Points: coverage, with ± 1.96 Monte-Carlo standard errors where simulated; dashed: the nominal level."
    level = found.rows[0].level
    return coverage_grid(found).html() + bars_svg(bars, mark=level) + f"<p><small>{said}</small></p>"
