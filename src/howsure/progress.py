"""Long work: spread over processes through joblib, in order, with a line that shows how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeVar

from howsure.errors import InputError, need_extra

Result = TypeVar("Result")
Progress = Callable[[int, int], None] | Literal["bar"] | None


def spread(
    function: Callable[..., Result], work: Sequence[tuple[Any, ...]], *, jobs: int, progress: Progress
) -> Iterator[Result]:
    """Yield function(*arguments) for each piece of work, in order; ``progress`` is told (done, everything)."""
    report = checked_progress(progress)
    for done, result in enumerate(_results(function, work, jobs), 1):
        if report is not None:
            report(done, len(work))
        yield result


def checked_progress(progress: Progress) -> Callable[[int, int], None] | None:
    """Return what to call with (done, everything), or None."""
    if progress == "bar":
        return draw_bar
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {progress!r}; it must be None, 'bar' or a function of (done, everything)")
    return progress


def _results(function: Callable[..., Result], work: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Result]:
    if jobs == 1 or len(work) < 2:
        yield from (function(*arguments) for arguments in work)
        return
    try:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend
    except ImportError:
        raise need_extra("joblib", "studies", f"jobs = {jobs}") from None
    # Some backends (Dask, Ray, Spark) hand everything over at the end.
    lazy = getattr(get_active_backend()[0], "supports_return_generator", False)
    run = Parallel(n_jobs=jobs, return_as="generator" if lazy else "list")
    yield from run(delayed(function)(*arguments) for arguments in work)


def draw_bar(done: int, everything: int) -> None:
    """Draw one line on the standard error stream, over and over."""
    filled = 40 * done // everything
    end = "\n" if done == everything else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{everything}{end}")
    sys.stderr.flush()
