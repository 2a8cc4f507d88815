"""Every result in every form: which function writes what. ``Result.write`` of each result comes here.

A result is made a Grid, and a Grid is written as text, markdown (md), latex, html, csv or json. What a result has
beside its table, or in its place, is its own: "notebook", "drawing" (what a notebook shows below the table), "document"
(what becomes JSON), "frame" (a data frame), "figure" (matplotlib's axes), and of a report "html", the whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from howsure.numerics.sampled_posterior import SampledPosterior
from howsure.numerics.share_posterior import SharePosterior
from howsure.reports.grid import Grid
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.coverage import Coverage
from howsure.results.estimate import Estimate, Report
from howsure.results.gap import Gap
from howsure.results.plan import ComparisonPlan, Plan, StrataPlan

# Where each function is, below howsure.reports; a module is loaded when it writes.
FORMS = {
    "text": "text.grid_text",
    "markdown": "markdown.grid_markdown",
    "md": "markdown.grid_markdown",
    "latex": "latex.grid_latex",
    "html": "html.grid_html",
    "csv": "csv.grid_csv",
    "json": "csv.grid_json",
}
GRIDS: dict[type, str] = {
    Report: "grids.report_grid",
    Comparison: "grids.comparisons_grid",
    Comparisons: "grids.comparisons_grid",
    Gate: "grids.gate_grid",
    Gap: "grids.gap_grid",
    BayesTest: "grids.bayes_grid",
    Plan: "grids.plan_grid",
    ComparisonPlan: "grids.plan_grid",
    StrataPlan: "grids.plan_grid",
    Coverage: "grids.coverage_grid",
    SharePosterior: "grids.posterior_grid",
    SampledPosterior: "grids.posterior_grid",
}
OWN: dict[type, dict[str, str]] = {
    Estimate: {"notebook": "notebook.estimate_notebook", "figure": "figures.intervals.plot_estimate"},
    Report: {
        "html": "page.page.report_html",
        "document": "describe.report_document",
        "frame": "frames.frame_of_rows",
        "notebook": "notebook.report_notebook",
        "figure": "figures.intervals.plot_report",
    },
    Comparison: {
        "text": "text.comparison_text",
        "drawing": "notebook.draw_differences",
        "figure": "figures.intervals.plot_verdict",
    },
    Comparisons: {
        "frame": "frames.flat_frame",
        "drawing": "notebook.draw_differences",
        "figure": "figures.intervals.plot_verdict",
    },
    Gate: {"drawing": "notebook.draw_gate", "figure": "figures.intervals.plot_verdict"},
    Gap: {"drawing": "notebook.draw_gap", "figure": "figures.intervals.plot_verdict"},
    BayesTest: {"drawing": "notebook.draw_bayes_test", "figure": "figures.bayes.plot_bayes_test"},
    Plan: {"drawing": "notebook.draw_plan", "figure": "figures.plans.plot_plan"},
    ComparisonPlan: {"drawing": "notebook.draw_plan", "figure": "figures.plans.plot_comparison_plan"},
    StrataPlan: {"drawing": "notebook.draw_plan"},
    Coverage: {
        "frame": "frames.frame_of_rows",
        "drawing": "notebook.draw_coverage",
        "figure": "figures.curves.plot_coverage",
    },
    SharePosterior: {"drawing": "notebook.draw_posterior", "figure": "figures.curves.plot_posterior"},
    SampledPosterior: {"drawing": "notebook.draw_posterior", "figure": "figures.curves.plot_posterior"},
}


def write(result: Any, form: str, **options: Any) -> Any:
    """Return a result in one of its forms."""
    own = OWN[type(result)]
    if form in own:
        return _function(own[form])(result, **options)
    grid = _function(GRIDS[type(result)])(result, **options)
    if form == "notebook":
        return _function("notebook.grid_notebook")(grid, write(result, "drawing"))
    return written(grid, form)


def written(grid: Grid, form: str) -> str:
    """Return a table as text, markdown (md), latex, html, csv or json."""
    return str(_function(FORMS[form])(grid))


def _function(path: str) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"howsure.reports.{module}"), name)
    return found
