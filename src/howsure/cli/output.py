"""Writing results in the asked form; a file is written whole and then renamed."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from howsure.results.saving import write_whole
from howsure.results.sentences.encoding import fitting

if TYPE_CHECKING:
    from howsure.results.comparison import Comparison, Comparisons
    from howsure.results.estimate import Report
    from howsure.results.gate import Gate
    from howsure.results.plans.choice import Choice

PATIENCE = 2.0  # seconds without a word
_BARS: list[str] = []  # what a bar shows the progress of at the moment
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def deliver(text: str, output: str | None, *, colour: str | None = None) -> None:
    """Print the text, or write it to a file that is never left half written.

    ``colour`` is that of the first word, where a person at a terminal will see it.
    """
    if output is None:
        first, space, rest = obeyed_by_none(text).partition(" ")
        say(f"{coloured(first, colour)}{space}{rest}" if colour else first + space + rest)
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
            _BARS[:] = [name for name in _BARS if name != what]
        elif share < 1 and time.monotonic() - started > 1:
            filled = int(40 * share)
            sys.stderr.write(f"\r{what} [{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}")
            shown[0] = True
            _BARS[:] = [what]
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


def draw_result(made: Any, options: dict[str, Any]) -> None:
    """Draw a result into the file that --plot names, if it names one."""
    if options["figure"] is not None:
        save_drawing(made.plot(), options["figure"])


WIDTH = 80


def in_form(
    made: Report | Comparison | Comparisons | Gate | Choice, form: str, *, quiet: bool = False, **how: Any
) -> str:
    """Return a result in the asked form; quiet text has no notes, and ``how`` says what else text shows."""
    if form == "json":
        return made.to_json(indent=2)
    if form == "text":
        return str(made.write("text", quiet=quiet, width=WIDTH, **how))
    table = form not in ("csv", "html", "tex-macros")
    asked = {name: how[name] for name in ("long", "se", "baseline") if how.get(name) and table}
    return str(made.write(form, **asked, **({"quiet": True} if quiet and form == "md" and "long" in how else {})))


def deliver_result(made: Any, options: dict[str, Any], **how: Any) -> None:
    """Draw a result where that is asked for, and write it in the asked form."""
    draw_result(made, options)
    deliver(in_form(made, options["format_"], quiet=options["quiet"], **how), options["output"])


@contextmanager
def waiting(quiet: bool) -> Iterator[None]:
    """Say on the error stream, every second from the third on, that work goes on, unless a bar says how far it is."""
    if not watched(quiet):
        yield
        return
    done, started = threading.Event(), time.monotonic()

    def tell() -> None:
        while not done.wait(1.0):
            if time.monotonic() - started > PATIENCE and not _BARS:
                sys.stderr.write(f"\rworking … {time.monotonic() - started:.0f} s")
                sys.stderr.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if time.monotonic() - started > PATIENCE:
            sys.stderr.write("\r" + " " * 30 + "\r")
            sys.stderr.flush()
