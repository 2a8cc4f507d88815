"""Writing results in the asked form; a file is written whole and then renamed."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

# What a terminal or a pipe that knows only ASCII gets instead.
PLAIN = str.maketrans({
    "●": "o", "━": "=", "·": ".", "−": "-", "–": "-", "…": "...", "±": "+/-", "≤": "<=", "≥": ">=", "×": "x",
    "∞": "inf", "→": "->", "√": "sqrt", "²": "^2", "β": "beta", "ρ": "rho", "ν": "nu",
})  # fmt: skip


def deliver(text: str, output: str | None) -> None:
    """Print the text, or write it to a file that is never left half written."""
    if output is None:
        say(text)
        return
    write_whole(Path(output), (text if text.endswith("\n") else text + "\n").encode())
    say(f"wrote {output}", err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print text, in plainer marks where the stream's encoding has no better."""
    stream = sys.stderr if err else sys.stdout
    ending = "" if text.endswith("\n") else "\n"
    click.echo(fitting(text + ending, getattr(stream, "encoding", None) or "utf-8"), err=err, nl=False)


def fitting(text: str, encoding: str) -> str:
    """Return the text as the encoding can show it.

    >>> fitting("··━●━·", "ascii"), fitting("··━●━·", "utf-8"), fitting("名", "ascii")
    ('..=o=.', '··━●━·', '?')
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(PLAIN).encode("ascii", "replace").decode()
    return text


def coloured(text: str, colour: str) -> str:
    """Return the text in a colour where a person at a terminal will see it; plain everywhere else."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return click.style(text, fg=colour, bold=True) if wanted else text


def watched(quiet: bool) -> bool:
    """Say whether somebody looks at a progress bar: the error stream is a terminal, and quiet was not asked for."""
    return not quiet and sys.stderr.isatty()


def reading_bar() -> Callable[[float], None]:
    """Return what shows on the error stream how far reading is, once it has taken a second, and wipes it at the end."""
    started, shown = time.monotonic(), [False]

    def show(share: float) -> None:
        if share >= 1 and shown[0]:
            sys.stderr.write("\r" + " " * 60 + "\r")
        elif share < 1 and time.monotonic() - started > 1:
            filled = int(40 * share)
            sys.stderr.write(f"\rreading [{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}")
            shown[0] = True
        sys.stderr.flush()

    return show


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it there: a full disk or Ctrl-C leaves the old file as it was."""
    handle, draft = tempfile.mkstemp(dir=path.parent or Path(), prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def draw(axes: object, path: str) -> None:
    """Write a figure (svg, pdf or png) and say so."""
    from howsure.reports.canvas import save

    say(f"wrote {save(axes, path)}", err=True)
