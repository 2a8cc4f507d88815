"""Writing results in the asked form; a file is written whole and then renamed."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from pathlib import Path
from typing import Any

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


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Return rows as CSV; text that a spreadsheet would run as a formula is made plain."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = list(rows[0]) if rows else []
    writer.writerow(names)
    writer.writerows([[safe_cell(row[name]) for name in names] for row in rows])
    return stream.getvalue()


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, str) and value[:1] in "=+-@\t\r":
        return "'" + value
    return value
