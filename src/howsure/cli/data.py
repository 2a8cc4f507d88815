"""From the data options of a verb to a table, saying what was guessed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.output import reading_bar, say, watched
from howsure.cli.wording import as_options

if TYPE_CHECKING:
    from howsure.table import Table


def source_of(files: tuple[str, ...]) -> Any:
    """Return what to read: standard input for "-", one file, or several."""
    if files == ("-",):
        return sys.stdin.buffer
    return files[0] if len(files) == 1 else list(files)


def labels_of(options: dict[str, Any]) -> list[str] | None:
    """Return the labels of a comma-separated option."""
    return None if options["labels"] is None else [part.strip() for part in options["labels"].split(",")]


def read_table(files: tuple[str, ...], options: dict[str, Any], *, quiet: bool) -> Table:
    """Read one file, several aligned by id, or standard input ("-")."""
    from howsure.sources.read import read

    table = read(
        source_of(files),
        truth=options["truth"],
        predictions=list(options["predictions"]) or None,
        group=options["group"],
        weight=options["weight"],
        id=options["id_"],
        pos_label=options["pos_label"],
        labels=labels_of(options),
        on_bad=options["on_bad"],
        progress=reading_bar() if watched(options["quiet"]) else None,
    )
    if not quiet:
        command = click.get_current_context().command
        for note in table.notes:
            say(f"note: {as_options(note, command)}", err=True)
    return table
