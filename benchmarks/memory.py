"""Counting rows in memory, in units of reading their bytes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from clock import in_turn
from record import Cell, Effort, Section, Target

import howsure as hs

ROWS = 10_000_000
BLOCK = 1 << 17
LIMIT_OF_INCREMENTS = 1.5


@dataclass(frozen=True)
class Case:
    """Columns of labels, and the most that counting may cost in units of reading them."""

    name: str
    columns: list[Any]
    limit: float | None = None


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure every case."""
    rows = effort.rows(ROWS)
    lines: list[list[Cell]] = []
    targets = []
    for case in cases(rows, np.random.default_rng(0)):
        ratio = in_turn(
            {"read": lambda case=case: read(case.columns), "count": lambda case=case: count(case.columns)},
            budget=effort.budget(4),
            least=15,
            most=75,
        ).ratio("count", "read")
        lines.append([case.name, ratio.value, ratio.spread, case.limit, peak_memory(case.columns)])
        if case.limit is not None:
            targets.append(Target(f"{case.name}: counting / reading", ratio.value, case.limit, spread=ratio.spread))
    columns = ["labels", "count / read", "middle half", "target", "extra memory / columns"]
    text = (
        f"`hs.table` on {rows:,} rows of numpy arrays, labels drawn evenly and independently. Reading is `np.sum` "
        "over the same bytes seen as 64-bit numbers, in one thread: what looking at every byte once costs. `hs.table` "
        "takes two threads from two million rows on (one for up to five two-valued columns of one byte a label), so "
        "its own floor is lower than that. One model unless said. The last column is the most memory that counting "
        "allocates, as a share of the columns' own size."
    )
    whole = Section("Any table of truth and predictions", text, columns, lines)
    alone, against_increments = increments(rows, effort)
    return [whole, alone], targets + against_increments


def increments(rows: int, effort: Effort) -> tuple[Section, list[Target]]:
    """Measure what the increments alone cost, the codes being ready: the floor of a table of many classes."""
    lines: list[list[Cell]] = []
    targets = []
    random = np.random.default_rng(10)
    for classes in (10, 100):
        columns = [random.integers(0, classes, rows, dtype=np.int8) for _ in range(2)]
        codes = random.integers(0, classes**2, BLOCK)
        jobs = {
            "read": lambda columns=columns: read(columns),
            "count": lambda columns=columns: count(columns),
            "bincount": lambda codes=codes, cells=classes**2: [
                np.bincount(codes, minlength=cells) for _ in range(-(-rows // BLOCK))
            ],
        }
        rounds = in_turn(jobs, budget=effort.budget(6), least=15, most=75)
        bare, ratio = rounds.ratio("bincount", "read"), rounds.ratio("count", "bincount")
        name = f"{classes} classes, int8"
        lines.append([name, bare.value, bare.spread, ratio.value, LIMIT_OF_INCREMENTS if classes == 100 else None])
        if classes == 100:
            told = f"{name}: counting / np.bincount alone"
            targets.append(Target(told, ratio.value, LIMIT_OF_INCREMENTS, spread=ratio.spread))
    text = (
        "With more than eight classes every row is one increment of one cell, and the fastest loop in numpy for it "
        "is `np.bincount`. Here it is given codes of the right type that lie in the cache: a program on numpy that "
        "counts such a table costs at least this, and the rest is for reading, checking and joining the labels. At one "
        "byte a label this floor is far above reading, so the target is a multiple of it."
    )
    columns = ["labels", "bincount / read", "middle half", "hs.table / bincount", "target"]
    return Section("The increments alone", text, columns, lines), targets


def count(columns: list[Any]) -> object:
    """Count truth and predictions as a user does."""
    return hs.table(columns[0], {f"m{place}": column for place, column in enumerate(columns[1:])})


def read(columns: list[Any]) -> int:
    """Read every byte once: the floor."""
    return sum(int(np.sum(column.view(np.uint64))) for column in columns)


def peak_memory(columns: list[Any]) -> float:
    """Return the most memory that counting takes, as a share of the columns' own size."""
    tracemalloc.start()
    count(columns)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / sum(column.nbytes for column in columns)


def cases(rows: int, random: np.random.Generator) -> Iterator[Case]:
    """Yield the cases; rows must be a multiple of 8."""

    def drawn(classes: int, dtype: str, columns: int = 2) -> list[Any]:
        return [random.integers(0, classes, rows, dtype=np.uint8).astype(dtype) for _ in range(columns)]

    yield Case("2 classes, bool", drawn(2, "bool"), 4)
    yield Case("2 classes, int8", drawn(2, "i1"), 4)
    yield Case("2 classes, int32", drawn(2, "i4"))
    yield Case("2 classes, int64", drawn(2, "i8"), 2.5)
    yield Case("2 classes, 2 models, bool", drawn(2, "bool", 3))
    yield Case("2 classes, 10 models, bool", drawn(2, "bool", 11), 12)
    yield Case("2 classes, 10 models, int8", drawn(2, "i1", 11), 12)
    yield Case("2 classes, 10 models, int64", drawn(2, "i8", 11), 12)
    yield Case("3 classes, int8", drawn(3, "i1"))
    yield Case("3 classes, int64", drawn(3, "i8"))
    yield Case("10 classes, int8", drawn(10, "i1"))
    yield Case("10 classes, int64", drawn(10, "i8"))
    yield Case("100 classes, int8", drawn(100, "i1"))
    yield Case("100 classes, int16", drawn(100, "i2"), 12)
    yield Case("100 classes, int32", drawn(100, "i4"), 12)
    yield Case("100 classes, int64", drawn(100, "i8"), 12)
    far = np.array([5, 10**12])
    yield Case("2 classes 10¹² apart, int64", [far[column] for column in drawn(2, "i8")])
