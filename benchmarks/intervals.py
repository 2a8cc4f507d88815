"""Intervals and studies: many at once against plain formulas, exact studies against simulation, counts against rows.

Ratios only, of medians of repeats taken in turn in one run. ``python benchmarks/intervals.py --help``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

import howsure as hs
from howsure.papers import lam2024

Z = 1.959963984540054
Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"cpu": time.process_time, "wall": time.perf_counter}


@dataclass(frozen=True)
class Result:
    """One measured ratio beside what was asked of it."""

    name: str
    ratio: float
    limit: float
    wants: str = "at most"
    note: str = ""

    @property
    def verdict(self) -> str:
        """Say whether the limit was kept."""
        kept = self.ratio <= self.limit if self.wants == "at most" else self.ratio >= self.limit
        return "reached" if kept else "MISSED"

    def __str__(self) -> str:
        words = f"{self.name}: {self.ratio:,.2f} ({self.wants} {self.limit:g}: {self.verdict})"
        return f"{words}; {self.note}" if self.note else words


def medians(jobs: list[Callable[[], object]], repeats: int, clock: Clock) -> list[float]:
    """Return the median time of each job, the jobs taken in turn so that disturbances hit all alike."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, taken in zip(jobs, times, strict=True):
            start = clock()
            job()
            taken.append(clock() - start)
    return [float(np.median(taken)) for taken in times]


def plain_wald(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Wald limits of F1 from the closed formula (Lam et al. 2024, eq. 29): the floor."""
    relevant = tp + fp + fn
    f1 = 2 * tp / (relevant + tp)
    half = Z * (2 - f1) * np.sqrt(f1 * (1 - f1) / (2 * relevant))
    return f1 - half, f1 + half


def many_intervals(size: int, repeats: int, clock: Clock) -> Iterator[Result]:
    """Yield a million Wilson direct intervals in one call against a million Wald intervals."""
    tp, fp, fn, tn = (
        np.random.default_rng(0).multinomial(833, [0.09, 0.05, 0.02, 0.84], size=size).T.astype(float).copy()
    )

    def batch(method: str) -> Callable[[], object]:
        return lambda: hs.batch_intervals("f1", tp=tp, fp=fp, fn=fn, tn=tn, method=method)

    jobs = [batch("wilson-direct"), batch("wald"), batch("wilson"), lambda: plain_wald(tp, fp, fn)]
    direct, wald, wilson, floor = medians(jobs, repeats, clock)
    yield Result(f"{size:,} wilson-direct / {size:,} wald, both by hs.batch_intervals", direct / wald, 40)
    yield Result(f"{size:,} wilson-direct / the bare formula of Wald", direct / floor, 40)
    yield Result(f"{size:,} wilson / the bare formula of Wald", wilson / floor, 40)


def lam_tables(repeats: int, clock: Clock) -> Iterator[Result]:
    """Yield the 18 conditions of Lam's tables by enumeration against 10⁵ simulated samples each."""
    jobs: list[Callable[[], object]] = [
        lambda: lam2024.simulation_study(),
        lambda: lam2024.simulation_study(exact=False, replicates=100_000),
    ]
    exact, simulated = medians(jobs, repeats, clock)
    yield Result("Lam's Tables 3 to 6, exact / simulated with 10⁵ replicates", exact / simulated, 1)


def bootstrap(rows: int, few: int, repeats: int, clock: Clock) -> Iterator[Result]:
    """Yield 9999 resamples of a table of a million rows against scipy.stats.bootstrap on the rows.

    Scipy's time grows in proportion to the resamples, so it is asked for a few and its time is scaled up.
    """
    rng = np.random.default_rng(0)
    truth = (rng.random(rows) < 0.3).astype(np.int8)
    guess = np.where(rng.random(rows) < 0.85, truth, 1 - truth).astype(np.int8)
    table = hs.table(truth, guess)

    def f1(z: np.ndarray, a: np.ndarray) -> float:
        return 2 * np.count_nonzero(z & a) / (np.count_nonzero(z) + np.count_nonzero(a))

    def ours() -> object:
        return hs.estimate(table, "f1", method=hs.Bootstrap(n_resamples=9999, kind="percentile"))

    def theirs() -> object:
        return stats.bootstrap(
            (truth, guess), f1, paired=True, vectorized=False, n_resamples=few, method="percentile", rng=rng
        )

    fast, slow = medians([ours, theirs], repeats, clock)
    note = f"scipy timed on {few} resamples and scaled by 9999/{few}; counting the rows once is not included"
    yield Result(f"9999 resamples of {rows:,} rows: scipy / ours", slow * 9999 / few / fast, 1000, "at least", note)
    counted, _ = medians([lambda: (hs.table(truth, guess), ours()), lambda: None], repeats, clock)
    yield Result("the same, counting the rows included", slow * 9999 / few / counted, 1000, "at least", "the whole job")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure intervals and studies, as ratios.")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--few", type=int, default=20, help="resamples of scipy's bootstrap")
    parser.add_argument("--clock", choices=CLOCKS, default="cpu")
    options = parser.parse_args()
    clock = CLOCKS[options.clock]
    for result in many_intervals(options.size, options.repeats, clock):
        print(result)
    for result in lam_tables(min(options.repeats, 3), clock):
        print(result)
    for result in bootstrap(options.size, options.few, options.repeats, clock):
        print(result)


if __name__ == "__main__":
    main()
