"""Counting truth against prediction with other libraries, each given its own kind of column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from clock import in_turn
from memory import read
from record import Cell, Effort, Section, Target
from sklearn.metrics import confusion_matrix

import howsure as hs

ROWS = 10_000_000
FEWER = 1_000_000
OURS = "howsure, `hs.table`"
FLOOR = "reading the bytes"
SQL = "SELECT t, p, count(*) FROM labels GROUP BY ALL"

Count = Callable[[], object]


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure three tables of numbers and one of words."""
    many, fewer = effort.rows(ROWS), effort.rows(FEWER)
    random = np.random.default_rng(4)
    cases: dict[str, list[Any]] = {
        "2 classes, int8": labels(random, many, 2, np.int8),
        "10 classes, int64": labels(random, many, 10, np.int64),
        "100 classes, int64": labels(random, many, 100, np.int64),
        "10 classes, str": [
            np.array([f"class {k}" for k in range(10)])[x] for x in labels(random, fewer, 10, np.int64)
        ],
    }
    costs = {name: compared(columns, effort.budget(20)) for name, columns in cases.items()}
    lines: list[list[Cell]] = [
        [peer, *(cost.get(peer) for cost in costs.values())] for peer in costs["2 classes, int8"]
    ]
    text = (
        "Time to count truth against prediction, in units of ours. Each library is given columns of its own "
        f"kind, made beforehand; every one gives the same counts (checked). {many:,} rows of numbers, {fewer:,} of "
        "words (ours: Arrow strings). polars and DuckDB use all cores; ours uses two from two million rows on."
    )
    return [Section("One table, counted by others", text, ["", *costs], lines)], []


def labels(random: np.random.Generator, rows: int, classes: int, dtype: Any) -> list[Any]:
    """Return truth, and a prediction that is right in four of five rows and drawn at random in the others."""
    truth = random.integers(0, classes, rows)
    guess = np.where(random.random(rows) < 0.8, truth, random.integers(0, classes, rows))
    return [truth.astype(dtype), guess.astype(dtype)]


def compared(columns: list[Any], budget: float) -> dict[str, float]:
    """Return the cost of every way to count, in units of ours, after checking that they agree."""
    ways = ways_to_count(columns)
    counts = {name: total(way()) for name, way in ways.items() if name != FLOOR}
    for name, found in counts.items():
        if not np.array_equal(found, counts[OURS]):
            raise AssertionError(f"{name} counts otherwise than howsure")
    rounds = in_turn(ways, budget=budget)
    return {name: rounds.ratio(name, OURS).value for name in ways}


def ways_to_count(columns: list[Any]) -> dict[str, Count]:
    """Return the ways, each with its data ready."""
    truth, guess = columns
    frame = pd.DataFrame({"t": truth, "p": guess})
    polar = pl.DataFrame({"t": truth, "p": guess})
    arrow = pa.table({"t": pa.array(truth), "p": pa.array(guess)})
    connection = duckdb.connect()
    connection.register("labels", arrow)
    words = truth.dtype.kind == "U"
    ours = (arrow["t"], arrow["p"]) if words else (truth, guess)
    ways: dict[str, Count] = {
        OURS: lambda: hs.table(*ours),
        FLOOR: lambda: read(columns),
        "polars, `group_by().len()`": lambda: polar.group_by("t", "p").len()["len"].to_numpy(),
        "DuckDB, `GROUP BY`, on Arrow": lambda: connection.sql(SQL).fetchall(),
        "pandas, `groupby().size()`": lambda: frame.groupby(["t", "p"]).size(),
        "pandas, `crosstab`": lambda: pd.crosstab(frame["t"], frame["p"]),
        "scikit-learn, `confusion_matrix`": lambda: confusion_matrix(truth, guess),
    }
    if words:
        del ways[FLOOR]
    return ways


def total(counted: Any) -> np.ndarray:
    """Return the counts of a table in ascending order, zeros left out: enough to see that two tables agree."""
    if isinstance(counted, hs.Table):
        counted = counted.counts
    elif isinstance(counted, list):
        counted = [row[2] for row in counted]
    values = np.sort(np.asarray(counted, dtype=np.int64).ravel())
    return values[values > 0]
