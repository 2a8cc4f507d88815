"""Long work: spread over processes through joblib, in order, with a line that shows how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Any, Literal, TypeVar

from howsure.errors import InputError, need_extra

Returned = TypeVar("Returned")
Progress = Callable[[int, int], None] | Literal["bar"] | None
WAVE = 64
"""Pieces at a time for a backend of joblib that hands results over only at the end, so that finished ones are kept."""


def run_in_order(
    function: Callable[..., Returned],
    work: Sequence[tuple[Any, ...]],
    *,
    jobs: int,
    progress: Progress = None,
    before: int = 0,
) -> Iterator[Returned]:
    """Yield function(*arguments) for each piece of work, in order; ``progress`` is told (done, everything).

    ``before`` pieces were done at another time. A piece is told as done once the caller has come back for the next:
    a caller that keeps results has kept it by then.
    """
    report = checked_progress(progress)
    _check_jobs(jobs)
    for done, result in enumerate(_results(function, work, jobs), before + 1):
        yield result
        if report is not None:
            report(done, before + len(work))


def checked_progress(progress: Progress) -> Callable[[int, int], None] | None:
    """Return what to call with (done, everything), or None."""
    if progress == "bar":
        return draw_bar
    if progress is not None and not callable(progress):
        raise InputError.of("progress", progress, "it must be None, 'bar' or a function of (done, everything)")
    return progress


def _check_jobs(jobs: object) -> None:
    """Refuse what is no number of processes; below zero joblib counts down from all of them."""
    if isinstance(jobs, bool) or not isinstance(jobs, Integral) or jobs == 0:
        rule = "it must be a whole number other than zero: 1 works in this process, -1 on every core"
        raise InputError.of("jobs", jobs, rule)


def _results(function: Callable[..., Returned], work: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Returned]:
    if jobs == 1 or len(work) < 2:
        yield from (function(*arguments) for arguments in work)
        return
    try:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend
    except ImportError:
        raise need_extra("joblib", "studies", f"jobs = {jobs}") from None
    pieces = [delayed(function)(*arguments) for arguments in work]
    if getattr(get_active_backend()[0], "supports_return_generator", False):
        yield from Parallel(n_jobs=jobs, return_as="generator")(pieces)
        return
    for start in range(0, len(pieces), WAVE):
        yield from Parallel(n_jobs=jobs)(pieces[start : start + WAVE])


def draw_bar(done: int, everything: int) -> None:
    """Draw one line on the standard error stream, over and over."""
    filled = 40 * done // everything
    end = "\n" if done == everything else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{everything}{end}")
    sys.stderr.flush()
