"""What a notebook shows of each result: a table, what it says in words, and a drawing."""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from howsure.reports.forest import MOST_WIDE, Bar, axis, bars_svg, cut, forest_svg
from howsure.reports.grid import Grid
from howsure.reports.grids import report_grid
from howsure.reports.html import bullets, grid_html, small, table_html
from howsure.reports.svg import curve_svg, interval_svg
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.coverage import Coverage
from howsure.results.estimate import Estimate, Report
from howsure.results.gap import Gap
from howsure.results.words import percent

MOST_LINES = 60
TAIL = 0.0005
BLUE, ORANGE = "#0072b2", "#d55e00"


def grid_notebook(grid: Grid, drawing: str) -> str:
    """Return a table with what it says, its drawing, and its notes."""
    return grid_html(grid) + drawing + bullets(grid.shown("notebook").notes)


# --- estimates and reports ---------------------------------------------------------------------------------------


def estimate_notebook(estimate: Estimate) -> str:
    """Return an estimate as a line with its interval drawn beside it."""
    notes = "".join(f"<div><small>note: {escape(note)}</small></div>" for note in estimate.notes)
    return f"<div><code>{escape(repr(estimate))}</code> {interval_svg(estimate)}</div>{notes}"


def report_notebook(report: Report) -> str:
    """Return a report as a table, a forest plot under which stands the caption, and its notes."""
    grid = report_grid(report)
    below = small(grid.caption) + bullets(grid.shown("notebook").notes)
    return table_html(replace(grid, caption="")) + _forest(report) + below


def _forest(report: Report) -> str:
    """Draw the metrics that share an axis; what has no upper end is left out and named."""
    bounded = [row for row in report.rows if all(map(math.isfinite, row.metric_range or (0.0, 1.0)))]
    order = list(dict.fromkeys(row.metric for row in bounded))
    rows = sorted(bounded or report.rows, key=lambda row: order.index(row.metric) if bounded else 0)
    methods = len({(row.model, row.metric) for row in rows}) < len(rows)
    shown = rows[:MOST_LINES]
    labels = [_label(row, report, methods=methods) for row in shown]
    left = [name for name in report.metrics if bounded and name not in order]
    said = f"Not drawn, for want of an upper end: {', '.join(left)}." if left else ""
    if len(rows) > MOST_LINES:
        said = f"The first {MOST_LINES} of {len(rows)} estimates are drawn. {said}"
    return forest_svg(shown, labels=labels) + small(said)


def _label(row: Estimate, report: Report, *, methods: bool) -> str:
    """Return what tells a line from the others."""
    parts = [row.metric] if len(report.metrics) > 1 or not (methods or len(report.models) > 1) else []
    parts += [row.model] if len(report.models) > 1 else []
    return " · ".join([*parts, *([row.method] if methods else [])])


# --- differences and verdicts ------------------------------------------------------------------------------------


def draw_differences(made: Comparison | Comparisons) -> str:
    """Draw differences against none."""
    rows = [made] if isinstance(made, Comparison) else list(made.rows)
    sign = "/" if rows[0].kind == "ratio" else "−"
    half = MOST_WIDE // 2 - 1
    bars = [
        Bar(f"{cut(row.b, half)} {sign} {cut(row.a, half)}", row.difference, row.low, row.high)
        for row in rows[:MOST_LINES]
    ]
    return bars_svg(bars, mark=rows[0].nothing)


def draw_gate(made: Gate) -> str:
    """Draw the bounds of a gate against its threshold."""
    name = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    return bars_svg([Bar(name, made.value, made.low, made.high)], mark=made.threshold)


def draw_gap(made: Gap) -> str:
    """Draw the gap between slices against none."""
    return bars_svg([Bar(f"gap in {made.metric}", made.gap, made.low, made.high)], mark=0.0)


def draw_bayes_test(test: BayesTest) -> str:
    """Draw the density of the difference with the areas of H0 and H1."""
    if test.laws is None:
        return ""
    gain = test.laws().gain
    ends = min(float(gain.ppf(TAIL)), 0.0), max(float(gain.isf(TAIL)), 0.0)
    x = np.unique(np.append(np.linspace(*ends, 121), 0.0))
    shades = [(-math.inf, 0.0, ORANGE), (0.0, math.inf, BLUE)]
    said = f"density of {test.b} − {test.a}: P(H0) {test.p_h0:.4g}, P(H1) {test.p_h1:.4g}"
    drawn = curve_svg(x.tolist(), np.asarray(gain.pdf(x)).tolist(), shades=shades, mark=0.0, described=said)
    return drawn + small(f"{said}: orange and blue.")


# --- posteriors, plans, studies ----------------------------------------------------------------------------------


def draw_posterior(law: Any) -> str:
    """Draw the density of a posterior with its 95% credible interval shaded."""
    low, high = law.interval(0.95)
    x = np.unique(np.concatenate([np.linspace(float(law.ppf(TAIL)), float(law.isf(TAIL)), 161), [low, high]]))
    said = f"posterior density; shaded: {percent(0.95)} credible interval (equal tails)"
    return curve_svg(x.tolist(), np.asarray(law.pdf(x)).tolist(), shades=[(low, high, BLUE)], described=said)


def draw_plan(plan: Any) -> str:
    """Draw the curve of a plan where it has one."""
    if not callable(getattr(plan, "curve", None)):
        return ""
    points = plan.curve()
    what = "power" if hasattr(plan, "power") else "half-width"
    rows = plan.n if plan.n is not None else plan.positives
    said = f"{what} over the number of rows; dashed: the plan"
    heights = axis(0.0, max(height for _, height in points))[2]
    drawn = curve_svg(*zip(*points, strict=True), heights=heights, mark=float(rows), described=said)
    return drawn + small(f"{said}.")


def draw_coverage(found: Coverage) -> str:
    """Draw the coverage of a study against the nominal level."""
    several = len({(row.metric, row.population) for row in found.rows}) > 1
    bars = [
        Bar(
            f"{row.method}, n = {row.n:,}" + (f", {row.population or row.metric}" if several else ""),
            row.coverage, row.coverage - 1.96 * row.se, row.coverage + 1.96 * row.se,
        )
        for row in found.rows[:MOST_LINES]
    ]  # fmt: skip
    said = "Points: coverage, with ± 1.96 Monte-Carlo standard errors where simulated; dashed: the nominal level."
    return bars_svg(bars, mark=found.rows[0].level) + small(said)
