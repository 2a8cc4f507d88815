"""spans: entity or chunk scores from a file of tags in columns."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import on_disk
from howsure.cli.options import OneOf
from howsure.cli.verbs.report import deliver_report, report_options


@click.command()
@click.argument("file")
@click.option(
    "--gold",
    help="Column of gold tags: a name, or a number from the left (0 is the first) or right (-1 is the last). "
    "Default: the one before the first prediction.",
)
@click.option(
    "--pred", "predictions", multiple=True, help="Column of predicted tags; repeat for several. Default: the last."
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
@report_options
def spans(file: str, **options: Any) -> None:
    """Report chunk scores with intervals from a FILE of tags in columns (CoNLL); the sentence is the unit."""
    from howsure.sources.sequences.conll import read_conll
    from howsure.sources.sequences.spans import spans as count_spans

    with on_disk(file, ".conll") as path:
        tagged = read_conll(
            path,
            gold=None if options["gold"] is None else _column(options["gold"]),
            predictions=[_column(name) for name in options["predictions"]] or (-1,),
            sentence=None if options["sentence"] is None else _column(options["sentence"]),
            group=None if options["group"] is None else _column(options["group"]),
            separator="\t" if options["tabs"] else None,
        )
    table = count_spans(
        tagged.gold,
        tagged.predictions,
        scheme=options["scheme"],
        groups=tagged.groups,
        malformed=options["malformed"],
        types=not options["no_types"],
        outside=options["outside"],
    )
    deliver_report(table, options)


def _column(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdigit() else text
