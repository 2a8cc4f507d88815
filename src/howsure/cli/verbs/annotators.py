"""agreement and rogan-gladen: annotators beside each other, and a rate corrected for a judge of known errors."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import labels_of, on_disk
from howsure.cli.options import OneOf, level_option, output_options
from howsure.cli.output import deliver, in_form
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.results.estimate import Report


@click.command(epilog="Example: howsure agreement labels.csv --annotator ann1 --annotator ann2 --annotator ann3")
@click.argument("file")
@click.option(
    "--annotator", "annotators", multiple=True, required=True, help="Column of one annotator's labels; repeat."
)
@click.option(
    "--coefficient", type=OneOf(("cohen", "fleiss", "krippendorff")), default="krippendorff", show_default=True,
    help="Which coefficient; krippendorff takes empty cells as missing ratings.",
)  # fmt: skip
@click.option(
    "--scale", type=OneOf(("nominal", "ordinal", "interval")), default="nominal", show_default=True,
    help="What a difference of two labels is worth.",
)  # fmt: skip
@click.option("--labels", help="All labels, separated by commas, from the lowest to the highest.")
@click.option("--pairs", is_flag=True, help="Show every two annotators as well.")
@click.option("--group", help="Column of what belongs together: document, speaker.")
@click.option("--method", help="Interval method; see 'howsure methods'.")
@click.option("--input-format", help="Format of the file, where its ending does not say it.")
@level_option
@output_options
def agreement(file: str, **options: Any) -> None:
    """Say how far the annotators in FILE agree beyond chance, one row an item and one column an annotator."""
    from howsure.estimates.annotators.agreement import agreement as agree
    from howsure.results.base import Note
    from howsure.results.estimate import Report
    from howsure.sources.rows.annotations import read_ratings

    names, labels = list(options["annotators"]), labels_of(options)
    with on_disk(file) as path:
        ratings, groups, notes = read_ratings(
            path, names, group=options["group"], labels=labels, format=options["input_format"]
        )
    asked = {name: options[name] for name in ("scale", "method", "level")}
    asked |= {"groups": groups, "labels": _like(labels, ratings)}
    first = agree(ratings, options["coefficient"], **asked)
    rows = [first]
    if options["pairs"] and len(names) > 2:
        for one, other in combinations(names, 2):
            found = agree({one: ratings[one], other: ratings[other]}, options["coefficient"], **asked)
            rows.append(found.replace(model=f"{one} and {other}"))
    made = Report(tuple(rows), options["level"], tuple(Note(note) for note in notes), unit="item")
    deliver(_text(made, options), options["output"])


def _like(labels: list[str] | None, ratings: dict[str, list[Any]]) -> Any:
    """Return the labels of the option as the file has them: numbers where it has numbers."""
    from howsure.sources.files.text_labels import fitting_labels

    return fitting_labels(labels, [cell for held in ratings.values() for cell in held])


def _text(made: Report, options: dict[str, Any]) -> str:
    if options["format_"] == "text" and len(made) == 1:
        lines = [repr(made[0])] if options["quiet"] else [str(made[0]), *(f"note: {note}" for note in made.notes)]
        return "\n".join(lines)
    return in_form(made, options["format_"], quiet=options["quiet"])


@click.command(
    "rogan-gladen",
    epilog="Example: howsure rogan-gladen --judged 620 --n 1000 --sensitivity 72/80 --specificity 51/60",
)
@click.option("--judged", type=int, required=True, help="Rows that the judge calls positive.")
@click.option("-n", "--n", type=int, required=True, help="Rows that the judge saw.")
@click.option("--sensitivity", required=True, metavar="FOUND/OF", help="Positives that the judge found, or a share.")
@click.option("--specificity", required=True, metavar="RIGHT/OF", help="Negatives that it left alone, or a share.")
@level_option
@output_options
def rogan_gladen(**options: Any) -> None:
    """Correct the rate that a judge reports for errors of the judge that were measured elsewhere."""
    from howsure.estimates.annotators.rogan_gladen import rogan_gladen as correct
    from howsure.results.estimate import Report

    rates = {name: _rate(options[name], f"--{name}") for name in ("sensitivity", "specificity")}
    found = correct(judged=options["judged"], n=options["n"], level=options["level"], **rates)
    deliver(_text(Report((found,), options["level"]), options), options["output"])


def _rate(text: str, option: str) -> Any:
    """Return (right, of) of 72/80, or a share."""
    right, parted, of = text.partition("/")
    try:
        return (int(right), int(of)) if parted else float(text)
    except ValueError:
        raise click.UsageError(messages.FOUND_OF_SUCH_AS_72_80(option=option, text=text)) from None
