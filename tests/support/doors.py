"""Two data sets for every door, one whole and one with holes: counted in plain Python, compared to the last count."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from howsure.errors import InputError
from howsure.sources.read import read
from howsure.tables.table import Table

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


def make_holed(n: int = 600, seed: int = 1) -> dict[str, list[Any]]:
    """Return the same columns with values missing in each, more than one in a row too, and with negative weights."""
    draw = random.Random(seed)
    columns = {
        name: [None if draw.random() < 0.06 else value for value in values]
        for name, values in make_columns(n, seed).items()
    }
    columns[WEIGHT] = [-1.0 if draw.random() < 0.06 else value for value in columns[WEIGHT]]
    return columns


Rows = dict[tuple[Any, ...], tuple[float, float, float]]


def counted(columns: dict[str, list[Any]], *, group: bool = False) -> Rows:
    """Return (rows, sum of weights, sum of squared weights) of each distinct row, counted one row at a time."""
    found: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    names = [*([GROUP] if group else []), TRUTH, *MODELS]
    for *key, weight in zip(*(columns[name] for name in names), columns[WEIGHT], strict=True):
        entry = found[tuple(key)]
        entry[0] += 1
        entry[1] += weight
        entry[2] += weight * weight
    return {key: (entry[0], entry[1], entry[2]) for key, entry in found.items()}


def plainly(rows: Rows) -> Rows:
    """Return the rows as they are without weights: every sum is the number of rows."""
    return {key: (entry[0],) * 3 for key, entry in rows.items()}


def whole_rows(columns: dict[str, list[Any]], *names: str) -> dict[str, list[Any]]:
    """Return the columns without the rows that miss a value, or have a negative weight, in one of ``names``."""
    kept = [
        place
        for place, row in enumerate(zip(*(columns[name] for name in names), strict=True))
        if None not in row and not (WEIGHT in names and row[names.index(WEIGHT)] < 0)
    ]
    # A weight that nobody asks for may be missing; the sums of weights are not looked at then.
    filled = {name: [values[place] for place in kept] for name, values in columns.items()}
    return filled | {WEIGHT: [0.0 if value is None else value for value in filled[WEIGHT]]}


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


def check_door(read: Callable[..., Table]) -> None:
    """Check the tables that ``read(truth=…, predictions=…, …)`` returns: plain, and with groups and weights."""
    columns = make_columns()
    plain = read(truth=TRUTH, predictions=list(MODELS))
    assert plain.labels == ("cat", "dog", "emu", "fox")
    assert plain.models == MODELS
    assert rows_of(plain) == plainly(counted(columns))
    full = read(truth=TRUTH, predictions=list(MODELS), group=GROUP, weight=WEIGHT)
    assert full.group_labels == tuple(range(40))
    assert rows_of(full) == counted(columns, group=True)


def check_holes(read: Callable[..., Table]) -> None:
    """Check what ``read`` makes of missing labels, groups and weights: refused, left out and noted, abstentions."""
    columns, names = make_holed(), {"truth": TRUTH, "predictions": list(MODELS)}
    with pytest.raises(InputError, match="missing"):
        read(**names)
    plain = read(**names, on_bad="skip")
    kept = whole_rows(columns, TRUTH, *MODELS)
    assert rows_of(plain) == plainly(counted(kept))
    assert _left_out(columns, kept, TRUTH, *MODELS) in _without_places(plain.notes)
    full = read(**names, group=GROUP, weight=WEIGHT, on_bad="skip")
    kept = whole_rows(columns, TRUTH, *MODELS, GROUP, WEIGHT)
    assert rows_of(full) == counted(kept, group=True)
    assert _left_out(columns, kept, TRUTH, *MODELS, GROUP, WEIGHT) in _without_places(full.notes)
    abstained = columns | {name: ["none" if value is None else value for value in columns[name]] for name in MODELS}
    filled = read(**names, on_bad="skip", abstain="none")
    assert rows_of(filled) == plainly(counted(whole_rows(abstained, TRUTH, *MODELS)))


def _without_places(notes: Iterable[str]) -> list[str]:
    """Return notes without where the first bad row stands: a file with lines knows it, an engine does not."""
    return [re.sub(r" \(first (?:at line|in row) \d+(?: of '[^']*')?\)", "", note) for note in notes]


def _left_out(columns: dict[str, list[Any]], kept: dict[str, list[Any]], *names: str) -> str:
    """Return the note on rows left out, its numbers counted here."""
    faults = [
        f"{name!r} is no finite number, zero or larger, in {sum(value is None or value < 0 for value in columns[name])}"
        if name == WEIGHT
        else f"{name!r} is missing in {columns[name].count(None)}"
        for name in names
    ]
    total = len(columns[TRUTH])
    return f"{total - len(kept[TRUTH])} of {total} rows were left out: {'; '.join(faults)}."


def check_source(door: Callable[[dict[str, list[Any]]], Any]) -> None:
    """Check hs.read of the source that ``door`` makes of columns, whole ones and those with holes."""
    check_door(partial(read, door(make_columns())))
    check_holes(partial(read, door(make_holed())))
