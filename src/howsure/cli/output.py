"""Writing results in the asked form; a file is written whole and then renamed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click


def deliver(text: str, output: str | None) -> None:
    """Print the text, or write it to a file that is never left half written."""
    if output is None:
        click.echo(text)
        return
    write_whole(Path(output), text if text.endswith("\n") else text + "\n")
    click.echo(f"wrote {output}", err=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and rename it there: a full disk leaves the old file as it was."""
    handle, draft = tempfile.mkstemp(dir=path.parent or Path(), prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
