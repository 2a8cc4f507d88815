"""Count every pair of models by itself, when the joint rows of all models would not fit in memory.

One pass over a file adds rows, batch by batch, to one small cube per pair; or the engine counts many pairs in a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.sources.files.count_rows import Gathered, codes_of, gather, inner_select, made, sums_of
from howsure.sources.files.distinct_rows import Distinct, Factor, Roles
from howsure.sources.files.scans.scan import Scan
from howsure.tables.in_pairs import ModelPair
from howsure.types import Array

MOST_NUMBERS = 1 << 24
"""Numbers in all cubes together, 128 MB; with more labels than that allows, pairs are counted another way."""
_STEP = 1 << 16


class Cubes:
    """Counts of (truth, first, second) for pairs of models, and with weights the sums of their powers 1 to 3."""

    def __init__(self, pairs: Sequence[tuple[int, int]], layers: int) -> None:
        self.places: dict[Any, int] = {}
        self._pairs = pairs
        self._sums = np.zeros((layers, len(pairs), 2, 2, 2))

    def add(self, columns: Sequence[Any], weights: Array | None) -> bool:
        """Take in rows, truth first and then a column per model; say whether the cubes still fit."""
        codes = [self._coded(column) for column in columns]
        if not self._grown():
            return False
        for start in range(0, len(codes[0]), _STEP):
            some = slice(start, start + _STEP)
            self._add([one[some].astype(np.int64) for one in codes], None if weights is None else weights[some])
        return True

    def _coded(self, column: Any) -> Any:
        """Return an Arrow column as places in the list of labels, which grows."""
        found = column.dictionary_encode()
        table = codes_of(found.dictionary.to_pylist(), self.places)
        return table[found.indices.to_numpy(zero_copy_only=False)]

    def _grown(self) -> bool:
        layers, pairs, width = self._sums.shape[:3]
        if len(self.places) <= width:
            return True
        wider = 1 << (len(self.places) - 1).bit_length()
        if layers * pairs * wider**3 > MOST_NUMBERS:
            return False
        sums = np.zeros((layers, pairs, wider, wider, wider))
        sums[:, :, :width, :width, :width] = self._sums
        self._sums = sums
        return True

    def _add(self, codes: Sequence[Any], weights: Array | None) -> None:
        width = self._sums.shape[-1]
        truth, *models = codes
        rows = [(truth * width + one) * width for one in models]
        terms = (None,) if weights is None else (None, weights, weights * weights, weights * weights * weights)
        for place, (first, second) in enumerate(self._pairs):
            cells = rows[first] + models[second]
            for layer, term in enumerate(terms):
                found = np.bincount(cells, weights=term, minlength=width**3)
                self._sums[layer, place] += found.reshape(width, width, width)

    def distinct(self, place: int) -> tuple[list[Any], list[Array]]:
        """Return the labels of one pair's distinct rows as codes, and the sums over each."""
        chosen = np.nonzero(self._sums[0, place])
        return list(chosen), [layer[place][chosen] for layer in self._sums]


def pair_cubes(scan: Scan, roles: Roles, pairs: Sequence[ModelPair]) -> dict[ModelPair, Distinct] | None:
    """Count (truth, two models) for all pairs at once; None with a group, or with too many labels for cubes.

    Rows with a missing value are left out.
    """
    if roles.group is not None:
        return None
    models = list(roles.predictions)
    keys = [f"k{place}" for place in range(1 + len(models))]
    weighted = roles.weight is not None
    chosen = ", ".join([*keys, *(["weight"] if weighted else [])])
    sql = f"SELECT {chosen} FROM ({inner_select(scan, roles)}) WHERE {_complete(roles)}"
    cubes = Cubes([(models.index(a), models.index(b)) for a, b in pairs], 4 if weighted else 1)
    for batch in scan.batches(sql):
        weights = batch.columns[-1].to_numpy(zero_copy_only=False) if weighted else None
        if not cubes.add(batch.columns[: len(keys)], weights):
            return None
    values = [scan.decode(value) for value in cubes.places]
    return {pair: _distinct(cubes, place, values, roles.of_models(pair)) for place, pair in enumerate(pairs)}


def _distinct(cubes: Cubes, place: int, values: list[Any], roles: Roles) -> Distinct:
    codes, sums = cubes.distinct(place)
    keys = dict(zip(roles.parts(), (_occurring(one, values) for one in codes), strict=True))
    return made(keys, roles, sums, good=np.ones(len(sums[0]), dtype=bool))


def _occurring(codes: Any, values: list[Any]) -> Factor:
    """Return a column with its own values only: the type of a text is decided by those of the truth."""
    used, places = np.unique(codes, return_inverse=True)
    return Factor(places, [values[place] for place in used.tolist()])


PAIRS_A_PASS = 48
ESTIMATED = 8
SURELY = 1.5
"""Pairs that are expected to have so many times more rows than fit are not counted: it would take long to fail."""


def unusable(scan: Scan, roles: Roles) -> tuple[dict[str, int], int, int]:
    """Return the rows with a missing value by column, those with any, and all rows."""
    columns = list(roles.parts().values())
    missing = [f"k{place} IS NULL" for place in range(len(columns))]
    sums = ", ".join(f"count(*) FILTER ({one})" for one in [*missing, " OR ".join([*missing, "NOT good", "spoiled"])])
    sql = f"SELECT {sums}, count(*) FROM ({inner_select(scan, roles)})"
    *counts, lost, total = map(int, scan.rows(sql)[0])
    torn = scan.dropped()
    return dict(zip(columns, counts, strict=True)), lost + torn, total + torn


def pair_counts(scan: Scan, roles: Roles, pairs: Sequence[ModelPair], *, most: int) -> dict[ModelPair, Distinct] | None:
    """Count (truth, two models) for many pairs at once; None if all have more than ``most`` distinct rows together.

    One pass over the file serves PAIRS_A_PASS pairs, by GROUPING SETS. Rows with a missing value are left out.
    """
    if _expected(scan, roles, pairs) > SURELY * most:
        return None
    found: dict[ModelPair, Distinct] = {}
    for first in range(0, len(pairs), PAIRS_A_PASS):
        room = most - sum(len(distinct.counts) for distinct in found.values())
        counted = _pass(scan, roles, pairs[first : first + PAIRS_A_PASS], room)
        if counted is None:
            return None
        found |= counted
    return found


def _expected(scan: Scan, roles: Roles, pairs: Sequence[ModelPair]) -> float:
    """Return about how many distinct rows all pairs have together, from estimates for some of them."""
    some = [_keys(roles, pair) for pair in pairs[:: -(-len(pairs) // ESTIMATED)]]
    counts = ", ".join(f"approx_count_distinct(hash({', '.join(keys)}))" for keys in some)
    found = scan.rows(f"SELECT {counts} FROM ({inner_select(scan, roles)})")[0]
    return float(np.mean(found)) * len(pairs)


def _keys(roles: Roles, models: Sequence[str]) -> list[str]:
    """Return the names that SQL has for the parts of some models: those that all share first."""
    names = {part: f"k{place}" for place, part in enumerate(roles.parts())}
    return [names[part] for part in ("truth", "group", *(f"prediction {one}" for one in models)) if part in names]


def _complete(roles: Roles) -> str:
    """Return the SQL that is true of a row which lacks nothing."""
    return " AND ".join([*(f"k{place} IS NOT NULL" for place in range(len(roles.parts()))), "good", "NOT spoiled"])


def _pass(scan: Scan, roles: Roles, pairs: Sequence[ModelPair], most: int) -> dict[ModelPair, Distinct] | None:
    shared, sets = _keys(roles, ()), [_keys(roles, pair) for pair in pairs]
    varying = list(dict.fromkeys(name for one in sets for name in one if name not in shared))
    sql = (
        f"SELECT {', '.join([*shared, *varying])}, {', '.join(f'grouping({name})' for name in varying)}, "
        f"{sums_of(roles)} FROM ({inner_select(scan, roles)}) WHERE {_complete(roles)} "
        f"GROUP BY GROUPING SETS ({', '.join('(' + ', '.join(one) + ')' for one in sets)})"
    )
    gathered = gather(scan.steps(sql), len(shared) + len(varying), most)
    if gathered is None:
        return None
    return _sorted_out(
        gathered, scan, roles, pairs, [*shared, *varying], [[name in one for name in varying] for one in sets]
    )


def _sorted_out(
    gathered: Gathered, scan: Scan, roles: Roles, pairs: Sequence[ModelPair], names: list[str], sets: list[list[bool]]
) -> dict[ModelPair, Distinct]:
    """Return the rows of each pair: grouping(column) is 0 where the column is part of a row's grouping set."""
    columns = dict(zip(names, gathered.factors(scan.decode), strict=True))
    varying = len(sets[0])
    numbers = gathered.numbers(default=varying + (1 if roles.weight is None else 3))
    masks, sums = np.column_stack(numbers[:varying]) == 0, numbers[varying:]
    place = {part: f"k{index}" for index, part in enumerate(roles.parts())}
    found = {}
    for pair, wanted in zip(pairs, sets, strict=True):
        chosen, some = np.flatnonzero((masks == wanted).all(axis=1)), roles.of_models(pair)
        keys = {part: columns[place[part]].take(chosen) for part in some.parts()}
        found[pair] = made(keys, some, [part[chosen] for part in sums], good=np.ones(len(chosen), dtype=bool))
    return found
