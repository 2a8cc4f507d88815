"""report and matrix: metrics with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import EVERY, asked_metrics, labels_of, on_disk, read_table, shown_as
from howsure.cli.options import (
    SIDES,
    FigureFile,
    OneOf,
    chosen_method,
    data_options,
    given,
    metric_option,
    names_option,
    output_options,
    plot_option,
    refuse,
    statistics_options,
    together,
)
from howsure.cli.output import deliver, deliver_result, save_drawing
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.results.estimate import Report
    from howsure.tables.table import Table

report_options = together(
    metric_option,
    names_option,
    click.option("--long", is_flag=True, help="A row for each model and metric, in place of the wide table."),
    click.option(
        "--pair",
        "pairs",
        multiple=True,
        metavar="MODEL:METRIC",
        help="A metric of one model, in place of --metric; repeat for a chosen set, which --joint then holds together.",
    ),
    click.option(
        "--baseline",
        metavar="MODEL",
        help="Mark with † what differs clearly from this model, in place of what is clearly worse than the best.",
    ),
    click.option("--se", is_flag=True, help="A column of standard errors in text, md and latex; csv and json have it."),
    click.option("--joint", is_flag=True, help="Intervals that hold together over all models and metrics."),
    click.option("--side", type=OneOf(SIDES), default="both", show_default=True, help="One-sided bounds."),
    click.option("--anytime", is_flag=True, help="Bounds that hold at every look at a growing test set."),
    click.option("--html", type=click.Path(dir_okay=False), help="Also write a self-contained page to this file."),
    plot_option,
    statistics_options,
    output_options,
)
matrix_option = click.option(
    "--plot-matrix", type=FigureFile(dir_okay=False),
    help="Draw the confusion matrix with an interval in every cell into this file (svg, png, pdf).",
)  # fmt: skip


@click.command(epilog="--method all shows every method that serves a metric, side by side.")
@click.argument("files", nargs=-1, required=True)
@data_options
@click.option("--by", help="Column to slice by: the same report for each of its values.")
@matrix_option
@report_options
def report(files: tuple[str, ...], by: str | None, **options: Any) -> None:
    """Report metrics with intervals for every model in FILES ("-" reads standard input).

    FILES are CSV, TSV, Parquet, Arrow or JSON, logs of evaluation harnesses, or counters that were saved (.npz).
    """
    if by is not None:
        from howsure.cli.verbs.slices import sliced_report

        refuse(options, ("anytime", "plot_matrix", "strata", "shares", "pool"), messages.WITH_BY())
        sliced_report(files, by, options)
        return
    shown = options["format_"] == "text" and options["output"] is None  # the printed report has the notes itself
    table = read_table(files, options, quiet=options["quiet"] or shown)
    deliver_report(table, options)


@click.command(epilog="--method all shows every method that serves a metric, side by side.")
@click.argument("file")
@click.option("--rows", type=OneOf(("truth", "prediction")), required=True, help="What the rows of the matrix are.")
@click.option("--pos-label", help="The positive class.")
@click.option("--labels", help="All labels, separated by commas, in order.")
@click.option("--n", "number", type=float, help="Number of rows, where the cells are shares.")
@matrix_option
@report_options
def matrix(file: str, rows: str, pos_label: str | None, number: float | None, **options: Any) -> None:
    """Report metrics with intervals from a confusion matrix in a CSV FILE ("-" reads standard input)."""
    from howsure.sources.files.matrix_files import read_matrix

    with on_disk(file) as path:
        table = read_matrix(path, rows=rows, labels=labels_of(options), pos_label=pos_label, n=number)
    deliver_report(table, options)


def deliver_report(table: Table, options: dict[str, Any]) -> None:
    """Write the report of a table in the asked form, and its page and figures if asked."""
    made = report_of(table, options)
    if options["html"] is not None:
        from howsure.reports.page.page import table_page

        deliver(table_page(table, made), options["html"])
    if options.get("plot_matrix") is not None:
        from howsure.reports.figures.matrix import plot_matrices

        save_drawing(plot_matrices(table, level=options["level"]), options["plot_matrix"])
    deliver_result(made, options, **shown_as(options))


def pairs_of(table: Table, options: dict[str, Any]) -> list[Any] | None:
    """Return what a report is asked for: pairs MODEL:METRIC, metrics, or None for the usual ones."""
    from howsure.cli.own_metric import own_metric
    from howsure.errors import InputError, quoted

    if not options["pairs"]:
        return asked_metrics(table, options)
    refuse(options, ("metrics",), messages.PAIR_NAMES_METRIC())
    found = []
    for text in options["pairs"]:
        # A model's name may hold a colon: the longest that is one counts.
        model = max((name for name in table.models if text.startswith(f"{name}:")), key=len, default=None)
        if model is None:
            rule = f"it must be MODEL:METRIC, such as {table.models[0]}:f1, with one of the models"
            raise InputError.of("pair", text, f"{rule} {quoted(table.models)}")
        found.append((model, own_metric(text.removeprefix(f"{model}:"))))
    return found


def report_of(table: Table, options: dict[str, Any]) -> Report:
    """Return the report that was asked for: by one method, by all of them, one-sided, or at any time."""
    from howsure.estimates.estimate import report as make_report

    metrics = pairs_of(table, options)
    shared = {"level": options["level"], "undefined": options["undefined"]}
    if options["anytime"] or options["side"] != "both" or options["method"] == EVERY:
        refuse(options, ("pairs",), messages.ANYTIME_SIDE_AND_METHOD_ALL())
    if options["anytime"]:
        refuse(options, ("method", "joint"), messages.WITH_ANYTIME())
        return make_report(table, metrics, anytime=True, **shared)
    if options["side"] == "both" and options["method"] != EVERY:
        return make_report(table, metrics, method=chosen_method(options), joint=options["joint"], **shared)
    refuse(options, ("joint",), f"--method {EVERY}" if options["method"] == EVERY else "--side")
    return _each(table, metrics, options)


def _each(table: Table, metrics: list[str] | None, options: dict[str, Any]) -> Report:
    """Return one-sided bounds, or every method of every metric."""
    from howsure.estimates.estimate import (
        chosen_metrics,
        classes_of,
        describe,
        estimate,
        family_notes,
        intervals,
        left_out,
        notes_of,
    )
    from howsure.results.estimate import Report

    shared, method = given(options, ("level", "side", "undefined")), None
    if options["method"] != EVERY:
        method = chosen_method(options)
    chosen = chosen_metrics(table, metrics, method)
    rows: list[Any] = []
    for model in table.models:
        for metric in chosen:
            if options["method"] == EVERY:
                rows += intervals(table, metric, model=model, **shared)
            else:
                rows.append(estimate(table, metric, model=model, method=method, **shared))
    notes = (*notes_of(table, chosen), *left_out(table, metrics, chosen))
    notes += family_notes(len(table.models), 1, options["level"])
    return Report(tuple(rows), options["level"], notes=notes, about=describe(table), classes=classes_of(table))
