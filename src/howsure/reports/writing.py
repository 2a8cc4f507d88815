"""Every result in every form: which function writes what. ``Result.write`` of each result comes here.

A result is made a "grid", from which it is written as text, markdown (md), latex, tex-macros, html, csv, json and for a
"notebook", there with its "drawing". What describes its "picture" makes that drawing (inline SVG) and its "figure"
(matplotlib's axes). The rest is its own: "frame" (a data frame), "document" (what becomes JSON), a drawing with more
than the picture, and what stands in place of its table, such as the page that is the html of a report.
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
    "drawing": "notebook.draw_differences",
    "picture": "figures.intervals.comparisons_forest",
}
_SIZES = {"grid": "grids.plan_grid", "drawing": "notebook.draw_plan", "picture": "figures.sizes.plan_curve"}
_POSTERIOR = {"grid": "grids.posterior_grid", "picture": "figures.densities.posterior_curve"}
# By the name of the class, which has one home: to load every kind of result would take longer than to write one.
WRITERS: dict[str, dict[str, str]] = {
    "Estimate": {"notebook": "notebook.estimate_notebook", "picture": "figures.intervals.estimate_forest"},
    "Report": {
        "grid": "grids.report_grid",
        "text": "texts.report_text",
        "ranking": "boards.verdicts.report_ranking",
        "pairs": "boards.verdicts.every_pair",
        "html": "page.page.report_html",
        "document": "describe.report_document",
        "frame": "frames.frame_of_rows",
        "notebook": "notebook.report_notebook",
        "picture": "figures.intervals.report_forest",
    },
    "Comparison": _DIFFERENCES | {"text": "texts.comparison_text"},
    "Comparisons": _DIFFERENCES | {"frame": "frames.flat_frame", "text": "texts.comparisons_text"},
    "Gate": {
        "text": "texts.gate_text",
        "grid": "grids.gate_grid",
        "picture": "figures.intervals.gate_forest",
    },
    "Gap": {"grid": "grids.gap_grid", "picture": "figures.intervals.gap_forest"},
    "BayesTest": {
        "grid": "grids.bayes_grid",
        "drawing": "notebook.draw_bayes_test",
        "figure": "figures.densities.plot_bayes_test",
    },
    "Plan": _SIZES,
    "ComparisonPlan": _SIZES,
    "Choice": {"grid": "grids.choice_grid"},
    "JudgedPlan": {"grid": "grids.plan_grid"},
    "StrataPlan": {"grid": "grids.plan_grid"},
    "RunPlan": {"grid": "grids.plan_grid"},
    "Curve": {
        "grid": "grids.curve_grid",
        "drawing": "notebook.draw_curve",
        "picture": "figures.curves.curve_panel",
        "frame": "frames.frame_of_rows",
    },
    "Calibration": {
        "grid": "grids.calibration_grid",
        "drawing": "notebook.draw_calibration",
        "picture": "figures.curves.calibration_panel",
    },
    "ThresholdChoice": {"grid": "grids.threshold_grid"},
    "Coverage": {
        "grid": "grids.coverage_grid",
        "drawing": "notebook.draw_coverage",
        "picture": "figures.sizes.coverage_curves",
        "frame": "frames.frame_of_rows",
    },
    "ClassCounts": {"grid": "grids.class_grid", "frame": "frames.frame_of_rows"},
    "Forest": {
        "grid": "tasks.forest.forest_grid",
        "picture": "tasks.forest.forest_panel",
        "frame": "frames.frame_of_rows",
    },
    "MeanRanks": {"grid": "tasks.mean_ranks.ranks_grid", "picture": "tasks.mean_ranks.ranks_panel"},
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
    if form == "figure":
        return _figure(own["picture"], result, **options)
    if form == "drawing":
        return _function("svg.svg")(_function(own["picture"])(result)) if "picture" in own else ""
    width = options.pop("width", None)
    for name in ("verbose", "pairs", "every"):  # what only some texts know
        options.pop(name, None)
    grid = write(result, "grid", **options)
    if form == "text":
        return _function(FORMS[form])(grid, width=width)
    if form == "notebook":
        return _function("notebook.grid_notebook")(grid, write(result, "drawing"))
    return written(grid, form)


def _figure(picture: str, result: Any, *, axes: Any = None, **options: Any) -> Any:
    return _function("figures.canvas.draw")(_function(picture)(result, **options), axes)


def written(grid: Grid, form: str) -> str:
    """Return a table as text, markdown (md), latex, tex-macros, html, csv or json."""
    return str(_function(FORMS[form])(grid))


def _function(path: str) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"howsure.reports.{module}"), name)
    return found
