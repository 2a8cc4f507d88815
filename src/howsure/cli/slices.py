"""report --by: the same report for each value of a column, and the gap between the worst and the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.cli.data import labels_of, source_of
from howsure.cli.options import chosen_method
from howsure.cli.output import deliver, draw, say

if TYPE_CHECKING:
    from howsure.slices import Slices


def read_all_slices(files: tuple[str, ...], by: str, options: dict[str, Any]) -> Slices:
    """Read the slices of a file."""
    from howsure.slices import Slices
    from howsure.sources.read import read_slices

    found = read_slices(
        source_of(files),
        by=by,
        truth=options["truth"],
        predictions=list(options["predictions"]) or None,
        group=options["group"],
        weight=options["weight"],
        labels=labels_of(options),
        pos_label=options["pos_label"],
        on_bad=options["on_bad"],
    )
    return Slices(found)


def sliced_report(files: tuple[str, ...], by: str, joint: bool, html: str | None, options: dict[str, Any]) -> None:
    """Print the report of every slice, and with a single metric the gap between slices."""
    from howsure.cli.report import report_as
    from howsure.reports.html import table_page

    parts = read_all_slices(files, by, options)
    shared = {
        "level": options["level"],
        "method": chosen_method(options["method"], options["seed"]),
        "undefined": options["undefined"],
    }
    metrics = list(options["metrics"]) or None
    made = parts.report(metrics, joint=joint, **shared)
    if html is not None:
        from howsure.estimates import report

        main = report(parts.total, metrics, **shared)
        pages = {str(name): report(table, metrics, **shared) for name, table in parts.items()}
        deliver(table_page(parts.total, main, slices=pages), html)
    if options["figure"] is not None:
        draw(made.plot(), options["figure"])
    deliver(report_as(made, options["format_"], quiet=options["quiet"]), options["output"])
    if options["format_"] == "text" and len(parts) > 1 and not options["quiet"]:
        for metric in dict.fromkeys(row.metric for row in made.rows[:1]) if metrics is None else metrics:
            for model in parts.models:
                say("\n" + str(parts.gap(metric, model=model, level=options["level"], undefined=options["undefined"])))
