"""Long work: spread over processes through joblib, in order, with a line that shows how far it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Any, Literal, TypeVar

from howsure.errors import InputError, need_extra
from howsure.errors.messages import numerics as messages

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
        return ProgressBar()
    if progress is not None and not callable(progress):
        raise InputError.of("progress", progress, messages.NONE_BAR_OR_FUNCTION())
    return progress


def _check_jobs(jobs: object) -> None:
    """Refuse what is no number of processes; below zero joblib counts down from all of them."""
    if isinstance(jobs, bool) or not isinstance(jobs, Integral) or jobs == 0:
        rule = messages.WHOLE_NUMBER_OTHER_THAN_ZERO()
        raise InputError.of("jobs", jobs, rule)


def _results(function: Callable[..., Returned], work: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Returned]:
    if jobs == 1 or len(work) < 2:
        yield from (function(*arguments) for arguments in work)
        return
    try:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend
    except ImportError:
        raise need_extra("joblib", "studies", messages.JOBS_ARE_SET(jobs=jobs)) from None
    pieces = [delayed(function)(*arguments) for arguments in work]
    if getattr(get_active_backend()[0], "supports_return_generator", False):
        yield from Parallel(n_jobs=jobs, return_as="generator")(pieces)
        return
    for start in range(0, len(pieces), WAVE):
        yield from Parallel(n_jobs=jobs)(pieces[start : start + WAVE])


class ProgressBar:
    """One line on the standard error stream, drawn over and over: how much is done, and about how long the rest takes.

    The time left is that of what was done since the bar was made: pieces from an earlier run do not count.
    """

    def __init__(self) -> None:
        self.began, self.first = time.monotonic(), -1

    def __call__(self, done: int, everything: int) -> None:
        if self.first < 0:
            self.first = max(done - 1, 0)
        filled = 40 * done // everything
        end = "\n" if done == everything else ""
        left = time_left(time.monotonic() - self.began, done - self.first, everything - done)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{everything} {left:<18}{end}")
        sys.stderr.flush()


def time_left(elapsed: float, done: float, rest: float) -> str:
    """Return in words how long the rest takes at the pace so far; nothing where none is left or nothing is known.

    >>> time_left(60, 30, 60), time_left(2, 1, 3), time_left(7200, 1, 1), time_left(5, 3, 0)
    ('about 2 min left', 'about 6 s left', 'about 2.0 h left', '')
    """
    if rest <= 0 or done <= 0:
        return ""
    seconds = elapsed / done * rest
    if seconds < 60:
        return f"about {max(round(seconds), 1)} s left"
    return f"about {round(seconds / 60)} min left" if seconds < 3600 else f"about {seconds / 3600:.1f} h left"
