"""curve, calibration and threshold: what scores say besides their metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import read_table
from howsure.cli.options import data_options, level_option, one_metric, output_options, plot_option
from howsure.cli.output import deliver, in_form, save_drawing
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.tables.table import Table

MODEL = click.option("--model", help="The model, where the file holds several.")
FILES = click.argument("files", nargs=-1, required=True)


@click.command()
@FILES
@data_options
@MODEL
@click.option(
    "-m",
    "--metric",
    "what",
    default="roc",
    show_default=True,
    callback=one_metric,
    help="roc, precision_recall, reliability, decision, risk_coverage, or a metric such as f1 over its thresholds.",
)
@click.option("--bins", type=int, default=10, show_default=True, help="Bins of a reliability curve.")
@click.option("--label", help="The class to look at, where there is a score for each.")
@click.option("--html", type=click.Path(dir_okay=False), help="Also write the curve as a page to this file.")
@plot_option
@level_option
@output_options
def curve(files: tuple[str, ...], **options: Any) -> None:
    """Draw a curve of the scores in FILES with a band that holds along all of it at once."""
    from howsure.estimates.curve import curve as make_curve

    table = _table(files, options)
    asked = {name: options[name] for name in ("model", "level", "bins", "label")}
    made = make_curve(table, options["what"], **asked)
    if options["html"] is not None:
        deliver(page_of(made.write("notebook"), f"{made.metric} of {made.model}"), options["html"])
    _deliver([made], options)


@click.command()
@FILES
@data_options
@MODEL
@click.option("--bins", type=int, default=10, show_default=True, help="Bins of the reliability curve.")
@click.option("--clip", type=float, help="How far probabilities of 0 and 1 are kept off the ends.")
@plot_option
@level_option
@output_options
def calibration(files: tuple[str, ...], **options: Any) -> None:
    """Say how far the probabilities in FILES can be taken at their word."""
    from howsure.estimates.calibration import calibration as make

    table = _table(files, options)
    asked = {name: options[name] for name in ("level", "bins", "clip")}
    _deliver([make(table, model=model, **asked) for model in _chosen(table, options)], options)


@click.command()
@FILES
@data_options
@MODEL
@click.option(
    "-m", "--metric", "metric", required=True, callback=one_metric,
    help="The metric that must reach a bound, such as precision.",
)  # fmt: skip
@click.option("--at-least", type=float, help="The bound that the metric must reach.")
@click.option("--at-most", type=float, help="The bound that the metric must not exceed.")
@click.option(
    "--then", default="recall", show_default=True, callback=one_metric,
    help="The metric that is made best among what is left.",
)  # fmt: skip
@level_option
@output_options
def threshold(files: tuple[str, ...], **options: Any) -> None:
    """Find the best threshold among those that are shown to reach a bound."""
    from howsure.estimates.threshold import threshold as make

    table = _table(files, {**options, "metric": None})
    asked = {name: options[name] for name in ("at_least", "at_most", "then", "level")}
    made = [make(table, options["metric"], model=model, **asked) for model in _chosen(table, options)]
    _deliver(made, options)


def _table(files: tuple[str, ...], options: dict[str, Any]) -> Table:
    if not options["scores"]:
        raise click.UsageError(messages.SCORE_IS_MISSING())
    return read_table(files, {**options, "metrics": ()}, quiet=options["quiet"])


def _chosen(table: Table, options: dict[str, Any]) -> tuple[str, ...]:
    return table.models if options["model"] is None else (options["model"],)


def _deliver(made: list[Any], options: dict[str, Any]) -> None:
    """Write what was found of each model, one after another; JSON is one document."""
    form = options["format_"]
    if options.get("figure") is not None:
        if len(made) > 1:
            raise click.UsageError(messages.PLOT_DRAWS_ONE_MODEL(number=len(made)))
        save_drawing(made[0].plot(), options["figure"])
    if form == "json" and len(made) > 1:
        from howsure.results.base import document_of, rows_document

        rows = rows_document(f"{document_of(type(made[0]))}s", (one.to_dict() for one in made))
        deliver(json.dumps(rows, indent=2, ensure_ascii=False), options["output"])
        return
    parts = [in_form(one, form, quiet=options["quiet"]).rstrip("\n") for one in made]
    if form == "csv":  # one head for all
        parts = [parts[0], *(part.partition("\n")[2] for part in parts[1:])]
    deliver(("\n" if form == "csv" else "\n\n").join(parts), options["output"])


def page_of(body: str, title: str) -> str:
    """Return a drawing with its table as a page of its own."""
    from html import escape

    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"{head}<body><h1>{escape(title)}</h1>{body}</body></html>"
