"""Counting rows: against reading the same bytes, against scikit-learn's f1_score, and as the data grow.

Ratios only, of medians of repeats taken in turn in one run. ``python benchmarks/counting.py --help``.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.sources.arrays import tabulate

Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"cpu": time.process_time, "wall": time.perf_counter}
"""CPU time counts every thread and is not stretched by other work on the machine; wall time is."""


@dataclass(frozen=True)
class Case:
    """Columns of labels, and the most that counting may cost in units of reading them."""

    name: str
    columns: list[Any]
    limit: float | None = None


@dataclass(frozen=True)
class Result:
    """One measured ratio beside its limit."""

    name: str
    ratio: float
    limit: float | None

    @property
    def verdict(self) -> str:
        """Say whether the limit was kept."""
        return "" if self.limit is None else "reached" if self.ratio <= self.limit else "MISSED"


def medians(jobs: list[Callable[[], object]], repeats: int, clock: Clock) -> list[float]:
    """Return the median time of each job, the jobs taken in turn so that disturbances hit all alike."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, taken in zip(jobs, times, strict=True):
            start = clock()
            job()
            taken.append(clock() - start)
    return [float(np.median(taken)) for taken in times]


def count(columns: list[Any], **more: Any) -> object:
    """Count truth and predictions as a user does."""
    return tabulate(columns[0], {f"m{place}": column for place, column in enumerate(columns[1:])}, **more)


def read(columns: list[Any]) -> int:
    """Read every byte once: the floor."""
    return sum(int(np.sum(column.view(np.uint64))) for column in columns)


def memory_cases(rows: int, random: np.random.Generator) -> Iterator[Case]:
    """Yield the cases whose cost is compared with reading the bytes; rows must be a multiple of 8."""

    def drawn(classes: int, dtype: str, columns: int = 2) -> list[Any]:
        return [random.integers(0, classes, rows, dtype=np.uint8).astype(dtype) for _ in range(columns)]

    yield Case("2 classes, bool", drawn(2, "bool"), 4)
    yield Case("2 classes, int8", drawn(2, "i1"), 4)
    yield Case("2 classes, int32", drawn(2, "i4"))
    yield Case("2 classes, int64", drawn(2, "i8"), 2.5)
    yield Case("2 classes, 2 models, bool", drawn(2, "bool", 3), 12)
    yield Case("2 classes, 10 models, bool", drawn(2, "bool", 11), 12)
    yield Case("2 classes, 10 models, int8", drawn(2, "i1", 11), 12)
    yield Case("3 classes, int8", drawn(3, "i1"))
    yield Case("3 classes, int64", drawn(3, "i8"))
    yield Case("10 classes, int64", drawn(10, "i8"))
    yield Case("100 classes, int8", drawn(100, "i1"), 12)
    yield Case("100 classes, int16", drawn(100, "i2"), 12)
    yield Case("100 classes, int32", drawn(100, "i4"), 12)
    yield Case("100 classes, int64", drawn(100, "i8"), 12)
    far = np.array([5, 10**12])
    yield Case("2 classes 10^12 apart, int64", [far[column] for column in drawn(2, "i8")])


def against_reading(rows: int, repeats: int, clock: Clock) -> Iterator[Result]:
    """Yield the cost of counting in units of reading the bytes."""
    for case in memory_cases(rows, np.random.default_rng(0)):
        jobs = [lambda case=case: read(case.columns), lambda case=case: count(case.columns)]
        floor, cost = medians(jobs, repeats, clock)
        yield Result(case.name, cost / floor, case.limit)


def peer_cases(rows: int, random: np.random.Generator) -> Iterator[Case]:
    """Yield the same labels in the columns of several libraries."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    names = np.array(["cat", "dog", "horse", "bird", "a longer name of a class"])
    places = [random.integers(0, 5, rows) for _ in range(2)]
    doors: dict[str, Callable[[Any], Any]] = {
        "numpy bool": lambda place: place > 2,
        "numpy int64": lambda place: place,
        "numpy U": lambda place: names[place],
        "numpy object": lambda place: names[place].astype(object),
        "list of int": lambda place: place.tolist(),
        "list of str": lambda place: names[place].tolist(),
        "pandas int64": pd.Series,
        "pandas Int64": lambda place: pd.Series(place, dtype="Int64"),
        "pandas object": lambda place: pd.Series(names[place].astype(object), dtype=object),
        "pandas str": lambda place: pd.Series(names[place], dtype="str"),
        "pandas category": lambda place: pd.Series(pd.Categorical.from_codes(place, names)),
        "pandas Arrow string": lambda place: pd.Series(names[place], dtype=pd.ArrowDtype(pa.string())),
        "polars Int64": pl.Series,
        "polars String": lambda place: pl.Series(names[place]),
        "polars Categorical": lambda place: pl.Series(names[place]).cast(pl.Categorical),
        "polars Enum": lambda place: pl.Series(names[place]).cast(pl.Enum(names.tolist())),
        "Arrow int64": pa.array,
        "Arrow string": lambda place: pa.array(names[place]),
        "Arrow dictionary": lambda place: pa.array(names[place]).dictionary_encode(),
    }
    for name, door in doors.items():
        yield Case(name, [door(place) for place in places])


def against_sklearn(rows: int, repeats: int, clock: Clock) -> Iterator[tuple[str, float]]:
    """Yield how many times faster counting is than scikit-learn's f1_score on the same objects."""
    from sklearn.metrics import f1_score

    for case in peer_cases(rows, np.random.default_rng(1)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jobs = [
                lambda case=case: f1_score(*case.columns, average="macro"),
                lambda case=case: count(case.columns),
            ]
            peer, ours = medians(jobs, repeats, clock)
        yield case.name, peer / ours


def peak_memory(rows: int) -> Iterator[tuple[str, float]]:
    """Yield the most memory that counting takes, as a share of the columns' own size."""
    for case in memory_cases(rows, np.random.default_rng(2)):
        count(case.columns)
        tracemalloc.start()
        count(case.columns)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        yield case.name, peak / sum(column.nbytes for column in case.columns)


def slopes(rows: int, repeats: int, clock: Clock) -> Iterator[tuple[str, float]]:
    """Yield the exponent with which the cost grows with rows, models and classes."""
    random = np.random.default_rng(3)
    sizes = [rows // 16, rows // 4, rows]
    growths: dict[str, tuple[list[int], list[list[Any]]]] = {
        "rows, 10 classes": (sizes, [[random.integers(0, 10, size) for _ in range(2)] for size in sizes]),
        "models, 2 classes": (
            [4, 8, 16],
            [[random.integers(0, 2, rows // 4, dtype=np.int8) for _ in range(models + 1)] for models in (4, 8, 16)],
        ),
        "classes": (
            [10, 50, 250],
            [[random.integers(0, classes, rows // 4) for _ in range(2)] for classes in (10, 50, 250)],
        ),
    }
    for name, (scale, tables) in growths.items():
        times = medians([lambda table=table: count(table) for table in tables], repeats, clock)
        yield name, float(np.polyfit(np.log(scale), np.log(times), 1)[0])


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows when compared with reading")
    parser.add_argument("--peer-rows", type=int, default=200_000, help="rows when compared with scikit-learn")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--clock", choices=CLOCKS, default="cpu", help="wall: only on an idle machine")
    options = parser.parse_args()
    rows, clock = options.rows // 8 * 8, CLOCKS[options.clock]
    print(f"## Counting {rows:,} rows, in units of reading their bytes ({options.clock} clock)\n")
    for result in against_reading(rows, options.repeats, clock):
        limit = "" if result.limit is None else f"limit {result.limit:g}: {result.verdict}"
        print(f"  {result.name:30} {result.ratio:7.2f}  {limit}", flush=True)
    print(f"\n## Times faster than sklearn.metrics.f1_score, {options.peer_rows:,} rows\n")
    for name, ratio in against_sklearn(options.peer_rows, 3, clock):
        print(f"  {name:30} {ratio:7.0f}", flush=True)
    print("\n## Times faster than sklearn.metrics.f1_score, 1,000 rows\n")
    for name, ratio in against_sklearn(1000, 20 * options.repeats, clock):
        print(f"  {name:30} {ratio:7.0f}", flush=True)
    print(f"\n## Peak memory as a share of the columns, {rows:,} rows\n")
    for name, share in peak_memory(rows):
        print(f"  {name:30} {share:7.3f}", flush=True)
    print("\n## Growth of cost: exponent\n")
    for name, slope in slopes(rows, 3, clock):
        print(f"  {name:30} {slope:7.2f}", flush=True)


if __name__ == "__main__":
    main()
