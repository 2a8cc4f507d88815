"""Counting the columns of several libraries, against scikit-learn's f1_score on the same objects."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from clock import Ratio, in_turn, often
from memory import count
from record import Cell, Effort, Section, Target
from sklearn.metrics import f1_score

ROWS = 10_000_000
FEWER = 1_000_000
LIMIT = 5.0
NAMES = np.array(["cat", "dog", "horse", "bird", "a longer name of a class"])

Door = Callable[[Any], Any]
NUMBERS: dict[str, Door] = {
    "numpy bool": lambda place: place > 2,
    "numpy int8": lambda place: place.astype(np.int8),
    "numpy int64": lambda place: place,
    "pandas int64": pd.Series,
    "polars Int64": pl.Series,
    "Arrow int64": pa.array,
}
WORDS: dict[str, Door] = {
    "numpy U": lambda place: NAMES[place],
    "numpy object": lambda place: NAMES[place].astype(object),
    "list of int": lambda place: place.tolist(),
    "list of str": lambda place: NAMES[place].tolist(),
    "pandas Int64": lambda place: pd.Series(place, dtype="Int64"),
    "pandas object": lambda place: pd.Series(NAMES[place].astype(object), dtype=object),
    "pandas str": lambda place: pd.Series(NAMES[place], dtype="str"),
    "pandas category": lambda place: pd.Series(pd.Categorical.from_codes(place, NAMES)),
    "pandas Arrow string": lambda place: pd.Series(NAMES[place], dtype=pd.ArrowDtype(pa.string())),
    "polars String": lambda place: pl.Series(NAMES[place]),
    "polars Categorical": lambda place: pl.Series(NAMES[place]).cast(pl.Categorical),
    "polars Enum": lambda place: pl.Series(NAMES[place]).cast(pl.Enum(NAMES.tolist())),
    "Arrow string": lambda place: pa.array(NAMES[place]),
    "Arrow dictionary": lambda place: pa.array(NAMES[place]).dictionary_encode(),
}


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure every kind of column at its size, and all of them on a thousand rows."""
    many, fewer = effort.rows(ROWS), effort.rows(FEWER)
    large = [*compared(NUMBERS, many, effort.budget(4)), *compared(WORDS, fewer, effort.budget(4))]
    small = dict(compared({**NUMBERS, **WORDS}, 1000, effort.budget(1), calls=20))
    lines: list[list[Cell]] = [
        [name, many if name in NUMBERS else fewer, ratio.value, ratio.spread, small[name].value]
        for name, ratio in large
    ]
    targets = [
        Target(f"{name}: f1_score / counting", ratio.value, LIMIT, "at least", ratio.spread) for name, ratio in large
    ]
    text = (
        "How many times longer scikit-learn's `f1_score` (macro average, five classes; two for bool) takes than "
        f"`hs.table`, both given the same objects. Whole numbers have {many:,} rows; words, categoricals, nullable "
        f"numbers and lists {fewer:,}, because scikit-learn takes minutes for more."
    )
    columns = ["columns", "rows", "f1_score / counting", "middle half", "on 1,000 rows"]
    return [Section("The same columns, whatever library they come from", text, columns, lines)], targets


def compared(doors: dict[str, Door], rows: int, budget: float, calls: int = 1) -> Iterator[tuple[str, Ratio]]:
    """Yield how many times longer f1_score takes than counting, for each kind of column."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 5, rows)
    places = [truth, np.where(random.random(rows) < 0.8, truth, random.integers(0, 5, rows))]
    for name, door in doors.items():
        columns = [door(place) for place in places]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jobs = {
                "peer": often(lambda columns=columns: f1_score(*columns, average="macro"), calls),
                "ours": often(lambda columns=columns: count(columns), calls),
            }
            yield name, in_turn(jobs, budget=budget).ratio("peer", "ours")
