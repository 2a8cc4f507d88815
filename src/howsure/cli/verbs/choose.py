"""choose: which rows to label next."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import on_disk
from howsure.cli.options import one_metric, output_options, seed_option
from howsure.cli.output import deliver, in_form


@click.command(epilog="Example: howsure choose preds.csv --judge gpt4 --pred bert --id id -n 200 --output to-label.csv")
@click.argument("file")
@click.option("--judge", "judges", multiple=True, help="Column of a judge's labels; repeat for several.")
@click.option("--pred", "predictions", multiple=True, required=True, help="Column of predicted labels; repeat.")
@click.option("--truth", help="Column of true labels, empty where nobody looked; such rows alone are chosen.")
@click.option("--id", "id_", help="Column that names rows; without it they are named by number, from 0.")
@click.option("-n", "--n", type=int, required=True, help="How many rows to label.")
@click.option(
    "-m", "--metric", callback=one_metric,
    help="Share labels out by how much rows move this metric, as the labels so far say.",
)  # fmt: skip
@click.option("--pos-label", help="The positive class.")
@click.option("--with", "carried", multiple=True, help="Column to write beside each row, such as its text; repeat.")
@click.option("--labelled", is_flag=True, help="Write the rows that have a label too, with it.")
@click.option(
    "--every", is_flag=True,
    help="Write every row of the file with its stratum, and whether it is chosen: for an estimate with the judge.",
)  # fmt: skip
@click.option("--input-format", help="Format of the file, where its ending does not say it.")
@seed_option
@output_options
def choose(file: str, **options: Any) -> None:
    """Choose rows of FILE to label next: at random within the strata of judge and prediction.

    The screen shows how many in each; --output writes a CSV file of the rows: id, stratum, weight.
    """
    from howsure.planning.labelling.choose import choose as make

    asked: dict[str, Any] = {name: options[name] for name in ("truth", "n", "metric", "pos_label", "seed")}
    asked |= {"judge": list(options["judges"]) or None, "predictions": list(options["predictions"])}
    with on_disk(file) as path:
        made = make(path, id=options["id_"], format=options["input_format"], **asked)
        form = _form(options)
        if form == "csv":
            deliver(_lines(path, made, options), options["output"])
            return
    deliver(in_form(made, form, quiet=options["quiet"]), options["output"])


def _form(options: dict[str, Any]) -> str:
    """Return the form asked for; a file that is written without one, by option or ending, holds the rows."""
    source = click.get_current_context().get_parameter_source("format_")
    told = source is not click.core.ParameterSource.DEFAULT or options["format_"] != "text"
    return str(options["format_"] if told or options["output"] is None else "csv")


def _lines(path: str, made: Any, options: dict[str, Any]) -> str:
    """Return the rows as CSV: id, stratum, weight, and the columns to carry along."""
    from howsure.reports.csv import as_csv
    from howsure.sources.files.request import ReadRequest
    from howsure.sources.rows.columns import read_columns

    rows, records = _records(made, labelled=options["labelled"], every=options["every"])
    with_truth = (options["labelled"] or options["every"]) and options["truth"]
    named = [*([options["truth"]] if with_truth else []), *options["carried"]]
    if named:
        request = ReadRequest(format=options["input_format"])
        columns = read_columns(path, request, {}, dict.fromkeys(named, "with"), optional=named).names
        for record, row in zip(records, rows, strict=True):
            record |= {name: columns[name][row] for name in named}
    return as_csv(records)


def _records(made: Any, *, labelled: bool, every: bool) -> tuple[list[int], list[dict[str, Any]]]:
    """Return the rows to write, and a line for each: those chosen, with labelled ones or with all of the pool."""
    if not every:
        parts = [made.labelled, made.chosen] if labelled else [made.chosen]
        return [row for part in parts for row in part.rows], [record for part in parts for record in part.records()]
    chosen = {*made.rows}
    pairs = zip(made.every.rows, made.every.ids, made.every.strata, strict=True)
    lines = [{"id": name, "stratum": stratum, "chosen": int(row in chosen)} for row, name, stratum in pairs]
    return list(made.every.rows), lines
