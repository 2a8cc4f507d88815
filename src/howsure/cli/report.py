"""report, counts, matrix: metrics with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import read_table
from howsure.cli.options import (
    chosen_method,
    data_options,
    metric_option,
    output_options,
    plot_option,
    statistics_options,
)
from howsure.cli.output import deliver, draw
from howsure.reports.spreadsheet import as_csv

if TYPE_CHECKING:
    from howsure.results import Report
    from howsure.table import Table

joint_option = click.option("--joint", is_flag=True, help="Intervals that hold together over all models and metrics.")


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@metric_option
@joint_option
@click.option("--by", help="Column to slice by: the same report for each of its values.")
@click.option("--html", help="Also write a self-contained page to this file.")
@plot_option
@statistics_options
@output_options
def report(files: tuple[str, ...], joint: bool, by: str | None, html: str | None, **options: Any) -> None:
    """Report metrics with intervals for every model in FILES ("-" reads standard input)."""
    if by is not None:
        from howsure.cli.slices import sliced_report

        sliced_report(files, by, joint, html, options)
        return
    shown = options["format_"] == "text" and options["output"] is None  # the printed report has the notes itself
    table = read_table(files, options, quiet=options["quiet"] or shown)
    deliver_report(table, joint=joint, html=html, options=options)


@click.command()
@click.option("--tp", type=float, required=True, help="True positives.")
@click.option("--fp", type=float, required=True, help="False positives.")
@click.option("--fn", type=float, required=True, help="False negatives.")
@click.option("--tn", type=float, help="True negatives; F1, precision and recall need none.")
@metric_option
@joint_option
@click.option("--html", help="Also write a self-contained page to this file.")
@plot_option
@statistics_options
@output_options
def counts(tp: float, fp: float, fn: float, tn: float | None, joint: bool, html: str | None, **options: Any) -> None:
    """Report metrics with intervals from four counts."""
    from howsure.sources.typed import counts as typed

    deliver_report(typed(tp=tp, fp=fp, fn=fn, tn=tn), joint=joint, html=html, options=options)


@click.command()
@click.argument("file")
@click.option(
    "--rows", type=click.Choice(("truth", "prediction")), required=True, help="What the rows of the matrix are."
)
@click.option("--pos-label", help="The positive class.")
@click.option("--labels", help="All labels, separated by commas, in order.")
@metric_option
@joint_option
@click.option("--html", help="Also write a self-contained page to this file.")
@plot_option
@statistics_options
@output_options
def matrix(
    file: str, rows: str, pos_label: str | None, labels: str | None, joint: bool, html: str | None, **options: Any
) -> None:
    """Report metrics with intervals from a confusion matrix in a CSV FILE."""
    from howsure.sources.files import read_matrix

    names = None if labels is None else [part.strip() for part in labels.split(",")]
    table = read_matrix(file, rows=rows, labels=names, pos_label=pos_label)
    deliver_report(table, joint=joint, html=html, options=options)


def deliver_report(table: Table, *, joint: bool, html: str | None, options: dict[str, Any]) -> None:
    """Write the report of a table in the asked form, and its page if asked."""
    from howsure.estimates import report as make_report

    made = make_report(
        table,
        list(options["metrics"]) or None,
        level=options["level"],
        method=chosen_method(options["method"], options["seed"]),
        joint=joint,
        undefined=options["undefined"],
    )
    if html is not None:
        from howsure.reports.html import table_page

        deliver(table_page(table, made), html)
    if options["figure"] is not None:
        draw(made.plot(), options["figure"])
    deliver(report_as(made, options["format_"], quiet=options["quiet"]), options["output"])


def report_as(made: Report, form: str, *, quiet: bool = False) -> str:
    """Return a report in the asked form; quiet text has no notes."""
    from howsure.reports.text import report_text

    writers = {
        "text": lambda: report_text(made, quiet=quiet),
        "json": made.to_json,
        "csv": lambda: as_csv(made.to_dicts()),
        "md": made.to_markdown,
        "latex": made.to_latex,
        "html": made.to_html,
    }
    return writers[form]()
