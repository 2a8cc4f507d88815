"""The page of slices: that of all rows, with the report of each slice and the gaps between them."""

from __future__ import annotations

from typing import Any

from howsure.comparisons.slices import Slices
from howsure.errors import HowsureError
from howsure.estimates.estimate import chosen_metrics, report
from howsure.reports.page.page import table_page
from howsure.results.gap import Gap


def gaps_between(parts: Slices, metrics: Any | None, **shared: Any) -> tuple[list[Gap], dict[str, str]]:
    """Return the gap between slices for each model and metric that was named, or the first metric.

    Where there is none, because too few slices have the metric, the second part says why, by model.
    """
    chosen = chosen_metrics(parts.total, metrics)
    found, missing = [], {}
    for metric in chosen[:1] if metrics is None else chosen:
        for model in parts.models:
            try:
                found.append(parts.gap(metric, model=model, **shared))
            except HowsureError as error:
                missing[model] = str(error)
    return found, missing


def sliced_page(parts: Slices, metrics: Any | None = None, *, by: str, name: str = "", **shared: Any) -> str:
    """Return the page of all rows with a section on their slices; ``shared`` is level, method, undefined."""
    each = {str(slice_): report(table, metrics, **shared) for slice_, table in parts.items()}
    of_gaps = {key: value for key, value in shared.items() if key != "method"}
    gaps = gaps_between(parts, metrics, **of_gaps)[0] if len(parts) > 1 else []
    return table_page(parts.total, report(parts.total, metrics, **shared), slices=each, gaps=gaps, by=by, name=name)
