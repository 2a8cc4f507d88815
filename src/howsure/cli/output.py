"""Writing results in the asked form; a file is written whole and then renamed."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from howsure.results.encoding import fitting
from howsure.results.saving import write_whole

if TYPE_CHECKING:
    from howsure.results.comparison import Comparison, Comparisons, Gate
    from howsure.results.estimate import Report

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def deliver(text: str, output: str | None, *, colour: str | None = None) -> None:
    """Print the text, or write it to a file that is never left half written.

    ``colour`` is that of the first word, up to a colon, where a person at a terminal will see it.
    """
    if output is None:
        first, colon, rest = obeyed_by_none(text).partition(":")
        say(f"{coloured(first, colour)}{colon}{rest}" if colour else first + colon + rest)
        return
    write_whole(output, (text if text.endswith("\n") else text + "\n").encode())
    wrote(output)


def wrote(path: object) -> None:
    """Say on the error stream which file was written, unless quiet was asked for."""
    running = click.get_current_context(silent=True)
    if running is None or not running.params.get("quiet"):
        say(f"wrote {path}", err=True)


def obeyed_by_none(text: str) -> str:
    """Return text without the control characters that a terminal would obey.

    >>> obeyed_by_none("a\\x1b[31m b")
    'a\\\\x1b[31m b'
    """
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def say(text: str, *, err: bool = False) -> None:
    """Print text, in plainer marks where the stream's encoding has no better."""
    stream = sys.stderr if err else sys.stdout
    ending = "" if text.endswith("\n") else "\n"
    click.echo(fitting(text + ending, getattr(stream, "encoding", None) or "utf-8"), err=err, nl=False)


def coloured(text: str, colour: str) -> str:
    """Return the text in a colour where a person at a terminal will see it; plain everywhere else."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return click.style(text, fg=colour, bold=True) if wanted else text


def watched(quiet: bool) -> bool:
    """Say whether somebody looks at a progress bar: the error stream is a terminal, and quiet was not asked for."""
    return not quiet and sys.stderr.isatty()


def sharing_bar(what: str) -> Callable[[float], None]:
    """Return what shows on the error stream how far work is, once it has taken a second, and wipes it at the end."""
    started, shown = time.monotonic(), [False]

    def show(share: float) -> None:
        if share >= 1 and shown[0]:
            sys.stderr.write("\r" + " " * 60 + "\r")
        elif share < 1 and time.monotonic() - started > 1:
            filled = int(40 * share)
            sys.stderr.write(f"\r{what} [{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}")
            shown[0] = True
        sys.stderr.flush()

    return show


def counting_bar(what: str) -> Callable[[int, int], None]:
    """Return what shows on the error stream how many parts are done, once it has taken a second."""
    show = sharing_bar(what)
    return lambda done, everything: show(done / everything if everything else 1.0)


def save_drawing(axes: object, path: str) -> None:
    """Write a figure (svg, pdf or png) and say so."""
    from howsure.reports.figures.canvas import save

    wrote(save(axes, path))


def in_form(made: Report | Comparison | Comparisons | Gate, form: str, *, quiet: bool = False) -> str:
    """Return a result in the asked form; quiet text has no notes."""
    if form == "json":
        return made.to_json(indent=2)
    return str(made.write("text", quiet=quiet) if form == "text" else made.write(form))
