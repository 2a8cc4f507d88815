"""One data set for every door: made once, counted in plain Python, and compared to the last count."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from howsure.table import Table

TRUTH, MODELS, GROUP, WEIGHT = "gold label", ("svm", 'bert "base"'), "patient", "w"
CLASSES = ("cat", "dog", "emu")


def make_columns(n: int = 3000, seed: int = 0) -> dict[str, list[Any]]:
    """Return columns of labels, groups and weights; weights are eighths, so that sums are exact in any order."""
    draw = random.Random(seed)
    truth = [draw.choice(CLASSES) for _ in range(n)]
    columns: dict[str, list[Any]] = {TRUTH: truth}
    for model in MODELS:
        columns[model] = [label if draw.random() < 0.7 else draw.choice((*CLASSES, "fox")) for label in truth]
    columns[GROUP] = [draw.randrange(40) for _ in range(n)]
    columns[WEIGHT] = [draw.randrange(1, 33) / 8 for _ in range(n)]
    return columns


def counted(columns: dict[str, list[Any]], *, group: bool = False) -> dict[tuple[Any, ...], tuple[float, float, float]]:
    """Return (rows, sum of weights, sum of squared weights) of each distinct row, counted one row at a time."""
    found: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    names = [*([GROUP] if group else []), TRUTH, *MODELS]
    for *key, weight in zip(*(columns[name] for name in names), columns[WEIGHT], strict=True):
        entry = found[tuple(key)]
        entry[0] += 1
        entry[1] += weight
        entry[2] += weight * weight
    return {key: (entry[0], entry[1], entry[2]) for key, entry in found.items()}


def rows_of(table: Table) -> dict[tuple[Any, ...], tuple[float, float, float]]:
    """Return a table's distinct rows by their labels; each row must be there once."""
    found = {}
    for place in range(len(table.rows)):
        key = tuple(table.labels[code] for code in (table.rows.truth[place], *table.rows.predictions[place]))
        if table.groups is not None:
            key = (table.group_labels[table.groups[place]], *key)
        assert key not in found
        found[key] = (float(table.counts[place]), float(table.weights[place]), float(table.squares[place]))
    return found


def check_door(read: Any) -> None:
    """Check the tables that ``read(truth=…, predictions=…, …)`` returns: plain, and with groups and weights."""
    columns = make_columns()
    names = {"truth": TRUTH, "predictions": list(MODELS)}
    plain = read(**names)
    assert plain.labels == ("cat", "dog", "emu", "fox")
    assert plain.models == MODELS
    assert rows_of(plain) == {key: (entry[0],) * 3 for key, entry in counted(columns).items()}
    full = read(**names, group=GROUP, weight=WEIGHT)
    assert full.group_labels == tuple(range(40))
    assert rows_of(full) == counted(columns, group=True)
