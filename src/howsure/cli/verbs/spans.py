"""spans: entity or chunk scores from files of tags in columns, one file a tagger where there are several."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import click

from howsure.cli.data import on_disk
from howsure.cli.options import OneOf
from howsure.cli.output import deliver, in_form, say
from howsure.cli.verbs.report import deliver_report, report_options
from howsure.errors.messages import cli as messages


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--gold",
    help="Column of gold tags: a name, or a number from the left (0 is the first) or right (-1 is the last). "
    "Default: the one before the first prediction.",
)
@click.option(
    "--pred",
    "predictions",
    multiple=True,
    help="Column of predicted tags, or NAME=COLUMN; repeat for several. Default: the last.",
)
@click.option("--sentence", help="Column that numbers sentences; without it a blank line ends one.")
@click.option("--group", help="Column of what belongs together, such as the document.")
@click.option("--scheme", default="IOB2", show_default=True, help="Tag set, or auto.")
@click.option("--tabs", is_flag=True, help="Columns are separated by tabs only.")
@click.option(
    "--malformed",
    type=OneOf(("conlleval", "strict", "error")),
    default="conlleval",
    show_default=True,
    help="What a tag that breaks the scheme does: as conlleval reads it, no chunk, or an error.",
)
@click.option("--no-types", is_flag=True, help="Compare spans alone.")
@click.option(
    "--outside", multiple=True, default=("O",), show_default=True, help="Tag outside any chunk; repeat for several."
)
@click.option(
    "--match",
    type=OneOf(("exact", "partial", "type")),
    default="exact",
    show_default=True,
    help="Which chunks match: span and type, half a hit for an overlap, or overlap and type.",
)
@click.option("--suffix", is_flag=True, help="The letter stands last: PER-B.")
@click.option("--delimiter", default="-", show_default=True, help="What stands between letter and type.")
@report_options
def spans(files: tuple[str, ...], **options: Any) -> None:
    """Report chunk scores with intervals from FILES of tags in columns (CoNLL); the sentence is the unit.

    Several files are one tagger each, on the same sentences: the report, and the comparison of their F1.
    """
    from howsure.sources.sequences.spans import spans_of_taggers
    from howsure.sources.sequences.taggers import read_taggers

    with ExitStack() as kept:
        paths = [kept.enter_context(on_disk(file, ".conll")) for file in files]
        found = read_taggers(
            paths,
            gold=None if options["gold"] is None else _column(options["gold"]),
            predictions=_predictions(options["predictions"]),
            sentence=None if options["sentence"] is None else _column(options["sentence"]),
            group=None if options["group"] is None else _column(options["group"]),
            separator="\t" if options["tabs"] else None,
        )
    how = {name: options[name] for name in ("scheme", "malformed", "outside", "suffix", "delimiter", "match")}
    table = spans_of_taggers(found, types=not options["no_types"], **how)
    deliver_report(table, options)
    if len(table.models) > 1 and options["format_"] == "text" and options["output"] is None:
        _compared(table, options)


def _compared(table: Any, options: dict[str, Any]) -> None:
    """Print the comparison of the taggers after their report."""
    from howsure.comparisons.compare import compare
    from howsure.comparisons.compare_all import compare_all

    metric = options["metrics"][0] if options["metrics"] else "f1"
    how = {"level": options["level"], "undefined": options["undefined"]}
    made: Any = compare(table, metric, **how) if len(table.models) == 2 else compare_all(table, metric, **how)
    say("")
    deliver(in_form(made, "text", quiet=True), None)


def _predictions(texts: tuple[str, ...]) -> Any:
    """Return the columns of predictions: numbers or names, or NAME=COLUMN for all of them."""
    if not texts:
        return (-1,)
    named = [text.partition("=") for text in texts]
    if all(mark for _, mark, _ in named):
        return {name: _column(column) for name, _, column in named}
    if any(mark for _, mark, _ in named):
        raise click.UsageError(messages.PRED_GIVE_NAME_COLUMN_FOR_ALL(texts=" and ".join(texts)))
    return [_column(text) for text in texts]


def _column(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdigit() else text
