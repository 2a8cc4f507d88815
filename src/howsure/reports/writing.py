"""Every result in every form: which function writes what. ``Result.write`` of each result comes here.

A result is made a "grid", from which it is written as text, markdown (md), latex, tex-macros, html, csv, json and for a
"notebook", there with its "drawing". The rest is its own: "figure" (matplotlib's axes), "frame" (a data frame),
"document" (what becomes JSON), and what stands in place of its table, such as the page that is the html of a report.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from howsure.reports.grid import Grid

# Where each function is, below howsure.reports; a module is loaded when it writes.
FORMS = {
    "text": "text.grid_text",
    "markdown": "markdown.grid_markdown",
    "md": "markdown.grid_markdown",
    "latex": "latex.grid_latex",
    "tex-macros": "tex_macros.grid_macros",
    "html": "html.grid_html",
    "csv": "csv.grid_csv",
    "json": "csv.grid_json",
}
_DIFFERENCES = {
    "grid": "grids.comparisons_grid",
    "notebook": "notebook.verdict_notebook",
    "drawing": "notebook.draw_differences",
    "figure": "figures.intervals.plot_comparisons",
}
_POSTERIOR = {
    "grid": "grids.posterior_grid",
    "drawing": "notebook.draw_posterior",
    "figure": "figures.densities.plot_posterior",
}
# By the name of the class, which has one home: to load every kind of result would take longer than to write one.
WRITERS: dict[str, dict[str, str]] = {
    "Estimate": {"notebook": "notebook.estimate_notebook", "figure": "figures.intervals.plot_estimate"},
    "Report": {
        "grid": "grids.report_grid",
        "text": "texts.report_text",
        "ranking": "boards.verdicts.report_ranking",
        "pairs": "boards.verdicts.every_pair",
        "html": "page.page.report_html",
        "document": "describe.report_document",
        "frame": "frames.frame_of_rows",
        "notebook": "notebook.report_notebook",
        "figure": "figures.intervals.plot_report",
    },
    "Comparison": _DIFFERENCES | {"text": "texts.comparison_text"},
    "Comparisons": _DIFFERENCES | {"frame": "frames.flat_frame", "text": "texts.comparisons_text"},
    "Gate": {
        "text": "texts.gate_text",
        "grid": "grids.gate_grid",
        "notebook": "notebook.verdict_notebook",
        "drawing": "notebook.draw_gate",
        "figure": "figures.intervals.plot_gate",
    },
    "Gap": {"grid": "grids.gap_grid", "drawing": "notebook.draw_gap", "figure": "figures.intervals.plot_gap"},
    "BayesTest": {
        "grid": "grids.bayes_grid",
        "drawing": "notebook.draw_bayes_test",
        "figure": "figures.densities.plot_bayes_test",
    },
    "Plan": {"grid": "grids.plan_grid", "drawing": "notebook.draw_plan", "figure": "figures.sizes.plot_plan"},
    "ComparisonPlan": {
        "grid": "grids.plan_grid",
        "drawing": "notebook.draw_plan",
        "figure": "figures.sizes.plot_plan",
    },
    "Choice": {"grid": "grids.choice_grid", "drawing": "notebook.draw_no_picture"},
    "JudgedPlan": {"grid": "grids.plan_grid", "drawing": "notebook.draw_plan"},
    "StrataPlan": {"grid": "grids.plan_grid", "drawing": "notebook.draw_plan"},
    "RunPlan": {"grid": "grids.plan_grid", "drawing": "notebook.draw_plan"},
    "Curve": {
        "grid": "grids.curve_grid",
        "drawing": "notebook.draw_curve",
        "figure": "figures.curves.plot_curve",
        "frame": "frames.frame_of_rows",
    },
    "Calibration": {
        "grid": "grids.calibration_grid",
        "drawing": "notebook.draw_calibration",
        "figure": "figures.curves.plot_calibration",
    },
    "ThresholdChoice": {"grid": "grids.threshold_grid", "drawing": "notebook.draw_no_picture"},
    "Coverage": {
        "grid": "grids.coverage_grid",
        "drawing": "notebook.draw_coverage",
        "figure": "figures.sizes.plot_coverage",
        "frame": "frames.frame_of_rows",
    },
    "ClassCounts": {"grid": "grids.class_grid", "drawing": "notebook.draw_no_picture", "frame": "frames.frame_of_rows"},
    "Forest": {
        "grid": "tasks.forest.forest_grid",
        "drawing": "tasks.forest.draw_forest",
        "figure": "tasks.forest.plot_forest",
        "frame": "frames.frame_of_rows",
    },
    "MeanRanks": {
        "grid": "tasks.mean_ranks.ranks_grid",
        "drawing": "tasks.mean_ranks.draw_ranks",
        "figure": "tasks.mean_ranks.plot_ranks",
    },
    "SharePosterior": _POSTERIOR,
    "SampledPosterior": _POSTERIOR,
}


def write(result: Any, form: str, **options: Any) -> Any:
    """Return a result in one of its forms."""
    own = WRITERS[type(result).__name__]
    if form in own:
        return _function(own[form])(result, **options)
    if form == "json" and hasattr(result, "to_json"):
        return result.to_json(indent=2)
    width = options.pop("width", None)
    for name in ("verbose", "pairs", "every"):  # what only some texts know
        options.pop(name, None)
    grid = write(result, "grid", **options)
    if form == "text":
        return _function(FORMS[form])(grid, width=width)
    if form == "notebook":
        return _function("notebook.grid_notebook")(grid, write(result, "drawing"))
    return written(grid, form)


def written(grid: Grid, form: str) -> str:
    """Return a table as text, markdown (md), latex, tex-macros, html, csv or json."""
    return str(_function(FORMS[form])(grid))


def _function(path: str) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"howsure.reports.{module}"), name)
    return found
