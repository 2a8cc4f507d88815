"""Long work in pieces whose results are JSON: spread over processes, shown as it goes, kept and taken up again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from howsure.numerics.parallel import Progress, checked_progress, run_in_order
from howsure.studies.checkpoint import KeptParts, digest


class Pieces(KeptParts):
    """The finished pieces of long work, as they are in JSON."""

    kind = ".pieces"


def run_kept(
    function: Callable[..., Any],
    work: Sequence[tuple[Any, tuple[Any, ...]]],
    *,
    study: Any,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> list[Any]:
    """Return function(*arguments) for each (key, arguments), in order; keys are JSON and say all that a result needs.

    A result is JSON too. What a folder ``checkpoint`` holds already is not computed again.
    """
    kept = Pieces(checkpoint, study)
    keys = [digest(key) for key, _ in work]
    todo = [at for at, key in enumerate(keys) if key not in kept.found]
    done = run_in_order(
        function, [work[at][1] for at in todo], jobs=jobs, progress=progress, before=len(work) - len(todo)
    )
    for at, result in zip(todo, done, strict=True):
        plain = json.loads(json.dumps(result))
        kept.keep(keys[at], plain)
        kept.found[keys[at]] = plain
    return [kept.found[key] for key in keys]


def staged(progress: Progress, stages: int) -> Iterator[Progress]:
    """Yield a progress function for each of several stages, which together fill one line.

    >>> seen: list[tuple[int, int]] = []
    >>> first, second = staged(lambda done, everything: seen.append((done, everything)), 2)
    >>> first(1, 1), second(1, 2)
    (None, None)
    >>> seen
    [(1000, 2000), (1500, 2000)]
    """
    report = checked_progress(progress)
    for stage in range(stages):
        yield None if report is None else _Stage(report, stage, stages)


class _Stage:
    def __init__(self, report: Callable[[int, int], None], stage: int, stages: int) -> None:
        self.report, self.stage, self.stages = report, stage, stages

    def __call__(self, done: int, everything: int) -> None:
        self.report(round(1000 * (self.stage + done / everything)), 1000 * self.stages)
