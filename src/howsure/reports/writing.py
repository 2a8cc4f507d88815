"""Every result in every form: which function writes what. ``Result.write`` of each result comes here.

A form is one of "text", "markdown", "latex", "html" (a table, of a report the whole page), "notebook", "document" (what
becomes JSON), "frame" (a data frame) and "figure" (matplotlib's axes).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from howsure.numerics.sampled_posterior import SampledPosterior
from howsure.numerics.share_posterior import SharePosterior
from howsure.results.bayes_test import BayesTest
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.coverage import Coverage
from howsure.results.estimate import Estimate, Report
from howsure.results.gap import Gap
from howsure.results.plan import ComparisonPlan, Plan, StrataPlan

_POSTERIOR = {"notebook": "notebook.posterior_notebook", "figure": "figures.densities.plot_posterior"}
_COMPARED = {
    "markdown": "comparisons.comparisons_markdown",
    "latex": "comparisons.comparisons_latex",
    "html": "comparisons.comparisons_html",
    "notebook": "notebook.comparisons_notebook",
    "figure": "figures.intervals.plot_comparisons",
}
# Where each form is written, below howsure.reports; a module is loaded when it writes.
WRITERS: dict[type, dict[str, str]] = {
    Estimate: {"notebook": "notebook.estimate_html", "figure": "figures.intervals.plot_estimate"},
    Report: {
        "text": "text.report_text",
        "markdown": "markdown.report_markdown",
        "latex": "latex.report_latex",
        "html": "page.page.report_html",
        "document": "describe.report_document",
        "frame": "frames.frame_of_rows",
        "notebook": "notebook.report_notebook",
        "figure": "figures.intervals.plot_report",
    },
    Comparison: _COMPARED,
    Comparisons: _COMPARED | {"text": "comparisons.comparisons_text", "frame": "frames.flat_frame"},
    Gate: {"notebook": "notebook.gate_notebook", "figure": "figures.intervals.plot_gate"},
    Gap: {"notebook": "notebook.gap_notebook", "figure": "figures.intervals.plot_gap"},
    BayesTest: {
        "markdown": "bayes_tests.bayes_markdown",
        "latex": "bayes_tests.bayes_latex",
        "html": "bayes_tests.bayes_html",
        "notebook": "notebook.bayes_notebook",
        "figure": "figures.densities.plot_bayes_test",
    },
    Plan: {"notebook": "notebook.plan_notebook", "figure": "figures.sizes.plot_plan"},
    ComparisonPlan: {"notebook": "notebook.plan_notebook", "figure": "figures.sizes.plot_plan"},
    StrataPlan: {"notebook": "notebook.plan_notebook"},
    Coverage: {
        "frame": "frames.frame_of_rows",
        "notebook": "notebook.coverage_notebook",
        "figure": "figures.sizes.plot_coverage",
    },
    SharePosterior: _POSTERIOR,
    SampledPosterior: _POSTERIOR,
}


def write(result: Any, form: str, **options: Any) -> Any:
    """Return a result in one of its forms."""
    module, _, function = WRITERS[type(result)][form].rpartition(".")
    return getattr(import_module(f"howsure.reports.{module}"), function)(result, **options)
