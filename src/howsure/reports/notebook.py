"""What a notebook shows of each result: a table, what it says in words, and a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from howsure.reports.bayes_tests import bayes_html
from howsure.reports.comparisons import comparisons_html
from howsure.reports.describe import all_notes, caption, cells_of, heading
from howsure.reports.forest import MOST_WIDE, Bar, axis, bars_svg, cut, forest_svg
from howsure.reports.plain_tables import coverage_grid, gap_grid, gate_grid, plan_grid, posterior_grid
from howsure.reports.svg import curve_svg, interval_svg
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.coverage import Coverage
from howsure.results.estimate import Estimate, Report
from howsure.results.words import percent

MOST_LINES = 60
TAIL = 0.0005
BLUE, ORANGE = "#0072b2", "#d55e00"


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
    return forest_svg(shown, labels=labels) + (f"<p><small>{escape(said)}</small></p>" if said else "")


def _label(row: Estimate, report: Report, *, methods: bool) -> str:
    """Return what tells a line from the others."""
    parts = [row.metric] if len(report.metrics) > 1 or not (methods or len(report.models) > 1) else []
    parts += [row.model] if len(report.models) > 1 else []
    return " · ".join([*parts, *([row.method] if methods else [])])


# --- differences and verdicts ------------------------------------------------------------------------------------


def comparisons_notebook(made: Comparison | Comparisons) -> str:
    """Return comparisons as a table, the differences drawn against none, and their notes."""
    rows = [made] if isinstance(made, Comparison) else list(made.rows)
    sign = "/" if rows[0].kind == "ratio" else "−"
    half = MOST_WIDE // 2 - 1
    bars = [
        Bar(f"{cut(row.b, half)} {sign} {cut(row.a, half)}", row.difference, row.low, row.high)
        for row in rows[:MOST_LINES]
    ]
    return comparisons_html(made) + bars_svg(bars, mark=rows[0].nothing) + _notes(made.notes)


def gate_notebook(made: Gate) -> str:
    """Return a gate as a table and its bounds against the threshold."""
    name = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    drawn = bars_svg([Bar(name, made.value, made.low, made.high)], mark=made.threshold)
    return gate_grid(made).html() + drawn


def gap_notebook(made: Any) -> str:
    """Return the gap between slices as a table, and drawn."""
    drawn = bars_svg([Bar(f"gap in {made.metric}", made.gap, made.low, made.high)], mark=0.0)
    return gap_grid(made).html() + drawn + _notes(made.notes)


def bayes_notebook(test: BayesTest) -> str:
    """Return a Bayes test as a table and the density of the difference with the areas of H0 and H1."""
    drawn = ""
    if test.laws is not None:
        gain = test.laws().gain
        x = _grid(min(float(gain.ppf(TAIL)), 0.0), max(float(gain.isf(TAIL)), 0.0))
        shades = [(-math.inf, 0.0, ORANGE), (0.0, math.inf, BLUE)]
        said = f"density of {test.b} − {test.a}: P(H0) {test.p_h0:.4g}, P(H1) {test.p_h1:.4g}"
        drawn = curve_svg(x.tolist(), np.asarray(gain.pdf(x)).tolist(), shades=shades, mark=0.0, described=said)
        drawn += f"<p><small>{escape(said)}: orange and blue.</small></p>"
    return bayes_html([test]) + drawn + _notes(test.notes)


def _grid(low: float, high: float) -> Any:
    return np.unique(np.append(np.linspace(low, high, 121), 0.0))


# --- posteriors, plans, studies ----------------------------------------------------------------------------------


def posterior_notebook(law: Any) -> str:
    """Return a posterior as its numbers and its density with the 95% credible interval shaded."""
    low, high = law.interval(0.95)
    x = np.unique(np.concatenate([np.linspace(float(law.ppf(TAIL)), float(law.isf(TAIL)), 161), [low, high]]))
    said = f"posterior density; shaded: {percent(0.95)} credible interval (equal tails)"
    drawn = curve_svg(x.tolist(), np.asarray(law.pdf(x)).tolist(), shades=[(low, high, BLUE)], described=said)
    return posterior_grid({"": law}, level=0.95).html() + drawn


def plan_notebook(plan: Any) -> str:
    """Return a plan as its numbers, its paragraph, and its curve where it has one."""
    drawn = ""
    if callable(getattr(plan, "curve", None)):
        points = plan.curve()
        what = "power" if hasattr(plan, "power") else "half-width"
        rows = plan.n if plan.n is not None else plan.positives
        said = f"{what} over the number of rows; dashed: the plan"
        heights = axis(0.0, max(height for _, height in points))[2]
        drawn = curve_svg(*zip(*points, strict=True), heights=heights, mark=float(rows), described=said)
        drawn += f"<p><small>{escape(said)}.</small></p>"
    return plan_grid(plan, None).html() + drawn


def coverage_notebook(found: Coverage) -> str:
    """Return a study as a table, and its coverage drawn against the nominal level."""
    several = len({(row.metric, row.population) for row in found.rows}) > 1
    bars = [
        Bar(
            f"{row.method}, n = {row.n:,}" + (f", {row.population or row.metric}" if several else ""),
            row.coverage, row.coverage - 1.96 * row.se, row.coverage + 1.96 * row.se,
        )
        for row in found.rows[:MOST_LINES]
    ]  # fmt: skip
    said = "Points: coverage, with ± 1.96 Monte-Carlo standard errors where simulated; dashed: the nominal level."
    level = found.rows[0].level
    return coverage_grid(found).html() + bars_svg(bars, mark=level) + f"<p><small>{said}</small></p>"
