"""From the data options of a verb to a table, saying what was guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from howsure.table import Table


def read_table(files: tuple[str, ...], options: dict[str, Any], *, quiet: bool) -> Table:
    """Read one file, several aligned by id, or standard input ("-")."""
    from howsure.sources.read import read

    source: Any = click.get_binary_stream("stdin") if files == ("-",) else files[0] if len(files) == 1 else list(files)
    labels = options["labels"]
    table = read(
        source,
        truth=options["truth"],
        predictions=list(options["predictions"]) or None,
        group=options["group"],
        weight=options["weight"],
        id=options["id_"],
        pos_label=options["pos_label"],
        labels=None if labels is None else [part.strip() for part in labels.split(",")],
        on_bad=options["on_bad"],
    )
    if not quiet:
        for note in table.notes:
            click.echo(f"note: {note}", err=True)
    return table
