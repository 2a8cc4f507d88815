"""What a notebook shows of each result: a table, what it says in words, and a drawing."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from howsure.reports.figures import curves, densities, intervals, sizes
from howsure.reports.grid import Grid
from howsure.reports.grids import report_grid
from howsure.reports.html import bullets, grid_html, small, sortable_html
from howsure.reports.svg import MOST_WIDE, bars_svg, interval_svg, svg
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.coverage import Coverage
from howsure.results.curves.curve import Calibration, Curve
from howsure.results.estimate import Estimate, Report
from howsure.results.plans.comparison import ComparisonPlan
from howsure.results.plans.plan import Plan
from howsure.results.sentences.phrases import phrase
from howsure.results.words import metric_words

MOST_LINES = 60


def grid_notebook(grid: Grid, drawing: str) -> str:
    """Return a table with what it says, its drawing, and its notes."""
    return grid_html(grid) + drawing + bullets(grid.shown("notebook").notes)


# --- estimates and reports ---------------------------------------------------------------------------------------


def estimate_notebook(estimate: Estimate) -> str:
    """Return an estimate as a line with its interval drawn beside it."""
    notes = "".join(f"<div><small>note: {escape(note)}</small></div>" for note in estimate.notes)
    held = small(estimate.held_fixed) if estimate.held_fixed else ""
    return f"<div><code>{escape(repr(estimate))}</code> {interval_svg(estimate)}</div>{held}{notes}"


def report_notebook(report: Report) -> str:
    """Return the verdict, a table that sorts, a forest plot, the caption, and the notes."""
    grid = report_grid(report)
    lead = "".join(f"<p><strong>{escape(text)}</strong></p>" for text in grid.lead)
    decided = {phrase("overlap")} if len(report.models) > 1 and grid.lead else set()  # what the lead did already
    notes = [note for note in grid.shown("notebook").notes if note not in decided]
    below = small(grid.shown("html").caption) + bullets(notes)
    return lead + sortable_html(replace(grid, caption="", captions={})) + _forest(report) + below


def _forest(report: Report) -> str:
    """Draw the metrics that share an axis; what has no upper end is left out and named."""
    if not report.rows:
        return ""
    chosen, left = intervals.shown_metrics(report)
    rows = sorted((row for row in report.rows if row.metric in chosen), key=lambda row: chosen.index(row.metric))
    shown = replace(report, rows=tuple(rows[:MOST_LINES]))
    said = f"Not drawn, for want of an upper end: {', '.join(map(metric_words, left))}." if left else ""
    if len(rows) > MOST_LINES:
        said = f"The first {MOST_LINES} of {len(rows)} estimates are drawn. {said}"
    return svg(intervals.report_forest(shown)) + small(said)


# --- differences and verdicts ------------------------------------------------------------------------------------


def draw_differences(made: Comparison | Comparisons) -> str:
    """Draw differences against none."""
    return svg(intervals.comparisons_forest(made, most=MOST_LINES, longest=MOST_WIDE // 2 - 1))


def draw_bayes_test(test: BayesTest) -> str:
    """Draw the density of the difference with the areas of H0 and H1."""
    if test.laws is None:
        return ""
    panel = densities.difference_curve(test)
    return svg(panel) + small(f"{panel.described}: orange and blue.")


# --- curves of scores --------------------------------------------------------------------------------------------


def draw_curve(made: Curve) -> str:
    """Draw a curve with its band, its caption below."""
    panel = curves.curve_panel(made)
    return svg(panel, height=320) + small(panel.caption)


def draw_calibration(made: Calibration) -> str:
    """Draw the reliability curve."""
    return "" if made.curve is None else draw_curve(made.curve)


# --- plans and studies -------------------------------------------------------------------------------------------


def draw_plan(plan: Plan | ComparisonPlan) -> str:
    """Draw the curve of a plan."""
    what = "power" if hasattr(plan, "power") else "half-width"
    return svg(sizes.plan_curve(plan)) + small(f"{what} over the number of rows; dotted: the plan.")


def draw_coverage(found: Coverage) -> str:
    """Draw the coverage of a study against the nominal level."""
    several = len({(row.metric, row.population) for row in found.rows}) > 1
    bars = [
        intervals.Bar(
            f"{row.method}, n = {row.n:,}" + (f", {row.population or row.metric}" if several else ""),
            row.coverage, row.coverage - 1.96 * row.se, row.coverage + 1.96 * row.se,
        )
        for row in found.rows[:MOST_LINES]
    ]  # fmt: skip
    said = "Points: coverage, with ± 1.96 Monte-Carlo standard errors where simulated; dashed: the nominal level."
    return bars_svg(bars, mark=found.rows[0].level) + small(said)
