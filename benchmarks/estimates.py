"""What a user waits for: importing, and one estimate, as ratios in one run.

``import howsure`` against ``import numpy, scipy.special``; ``howsure --help`` against ``import click``; one estimate of
F1 from arrays against scikit-learn's ``f1_score``; a whole report against it.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.metrics import f1_score

import howsure as hs

REPEATS = 7


def child_seconds(*command: str) -> float:
    """Return the CPU seconds of a command run by this Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def ratio_of_commands(first: tuple[str, ...], second: tuple[str, ...]) -> float:
    """Return the ratio of medians of two commands, run in turn."""
    pairs = [(child_seconds(*first), child_seconds(*second)) for _ in range(REPEATS)]
    return statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)


def seconds(work: Callable[[], object], calls: int) -> float:
    """Return the CPU seconds of one call."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - start) / calls


def ratio(first: Callable[[], object], second: Callable[[], object], calls: int) -> float:
    """Return the ratio of medians of two calls, taken in turn."""
    first(), second()
    pairs = [(seconds(first, calls), seconds(second, calls)) for _ in range(REPEATS)]
    return statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)


def main() -> None:
    """Print the ratios beside their limits."""
    base = ("-c", "import numpy, scipy.special")
    bare = ratio_of_commands(("-c", "import howsure"), base)
    print(f"{'import howsure / import numpy, scipy.special':58} {bare:7.3f}  limit 1.3")
    loaded = ("-c", "import howsure; howsure.estimate, howsure.table")
    print(f"{'  the same with the estimator loaded':58} {ratio_of_commands(loaded, base):7.3f}")
    helped = ratio_of_commands(("-m", "howsure", "--help"), ("-c", "import click"))
    print(f"{'howsure --help / import click':58} {helped:7.3f}  limit 3")
    rng = np.random.default_rng(0)
    for n, calls in ((1_000, 50), (100_000, 5), (1_000_000, 1)):
        truth = rng.integers(0, 2, n)
        guess = np.where(rng.random(n) < 0.8, truth, 1 - truth)
        one = ratio(
            lambda t=truth, g=guess: hs.estimate(hs.table(t, g), "f1"), lambda t=truth, g=guess: f1_score(t, g), calls
        )
        limit = "  limit 1" if n == 1_000 else ""
        print(f"{f'table and estimate of F1 / f1_score, n = {n:,}':58} {one:7.3f}{limit}")
        whole = ratio(
            lambda t=truth, g=guess: hs.report(hs.table(t, g)), lambda t=truth, g=guess: f1_score(t, g), calls
        )
        print(f"{f'table and report of nine metrics / f1_score, n = {n:,}':58} {whole:7.3f}")


if __name__ == "__main__":
    main()
