"""Time jobs in turn: elapsed seconds, repeated, as ratios of medians."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Job = Callable[[], object]
PLAIN_SORT = (
    "A sort is numpy's stable one of doubles, which compares them one by one on every processor. Its default sort "
    "costs as much where numpy has no vector instructions for it, and a tenth where it has AVX-512: ratios to that "
    "would tell of the processor."
)


@dataclass(frozen=True)
class Ratio:
    """A ratio of medians, and the middle half of the ratios of the single rounds."""

    value: float
    low: float
    high: float

    @property
    def spread(self) -> str:
        """Say where the middle half of the rounds lies."""
        return f"{figure(self.low)} to {figure(self.high)}"


@dataclass(frozen=True)
class Rounds:
    """Seconds of each job in each round."""

    seconds: Mapping[str, np.ndarray]

    def ratio(self, job: str, base: str) -> Ratio:
        """Return what ``job`` costs in units of ``base``."""
        above, below = self.seconds[job], self.seconds[base]
        low, high = np.quantile(above / below, [0.25, 0.75])
        return Ratio(float(np.median(above) / np.median(below)), float(low), float(high))

    def median(self, job: str) -> float:
        """Return the median seconds of a job."""
        return float(np.median(self.seconds[job]))


def in_turn(jobs: Mapping[str, Job], *, budget: float = 10.0, least: int = 3, most: int = 25) -> Rounds:
    """Run the jobs in turn, in a new order every round, for about ``budget`` seconds after a round to warm up.

    Elapsed time is what a user waits for, and lets each library use the cores as it does; it wants an idle machine.
    """
    start = time.perf_counter()
    for job in jobs.values():
        job()
    rounds = int(np.clip(budget / (time.perf_counter() - start + 1e-9), least, most))
    order, shuffle = list(jobs), np.random.default_rng(0)
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        shuffle.shuffle(order)
        for name in order:
            taken[name].append(elapsed(jobs[name]))
    return Rounds({name: np.array(seconds) for name, seconds in taken.items()})


def elapsed(job: Job) -> float:
    """Return the seconds that a job takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def plain_sort(values: np.ndarray) -> Job:
    """Return the sort that others are compared with: see PLAIN_SORT."""
    return lambda: np.sort(values, kind="stable")


def often(job: Job, times: int) -> Job:
    """Return a job that does ``job`` many times: for what is too short to be timed alone."""

    def repeated() -> None:
        for _ in range(times):
            job()

    return repeated


def figure(value: float) -> str:
    """Write a number with about three figures.

    >>> [figure(value) for value in (12345.6, 12.345, 1.2345, 0.012345, 0.00012345)]
    ['12,346', '12.3', '1.23', '0.012', '0.00012']
    """
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if size >= 0.01 or size == 0 else f"{value:.2g}"


def child_seconds(*command: str) -> float:
    """Return the CPU seconds of a command run by this Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
