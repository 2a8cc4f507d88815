"""Count every pair of models in one pass over a file: rows are added, batch by batch, to one small cube per pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.cells import Array
from howsure.pairwise import Pair
from howsure.sources.distinct_rows import Distinct, Factor
from howsure.sources.duck import Duck
from howsure.sources.scans import Scan
from howsure.sources.tallies import inner_select, made
from howsure.sources.wishes import Roles

MOST_NUMBERS = 1 << 24
"""Numbers in all cubes together, 128 MB; with more labels than that allows, pairs are counted another way."""
_STEP = 1 << 16


class Cubes:
    """Counts of (truth, first, second) for pairs of models, and with weights their sums and sums of squares."""

    def __init__(self, pairs: Sequence[tuple[int, int]], layers: int) -> None:
        self.places: dict[Any, int] = {}
        self._pairs = pairs
        self._sums = np.zeros((layers, len(pairs), 2, 2, 2))

    def coded(self, column: Any) -> Any:
        """Return an Arrow column as places in the list of labels, which grows."""
        coded = column.dictionary_encode()
        table = [self.places.setdefault(value, len(self.places)) for value in coded.dictionary.to_pylist()]
        dtype = np.min_scalar_type(max(len(self.places) - 1, 0))
        return np.array(table, dtype=dtype)[coded.indices.to_numpy(zero_copy_only=False)]

    def add(self, columns: Sequence[Any], weights: Array | None) -> bool:
        """Take in rows, truth first and then a column per model; say whether the cubes still fit."""
        codes = [self.coded(column) for column in columns]
        if not self._grown():
            return False
        for start in range(0, len(codes[0]), _STEP):
            some = slice(start, start + _STEP)
            self._add([one[some].astype(np.int64) for one in codes], None if weights is None else weights[some])
        return True

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
        terms = (None,) if weights is None else (None, weights, weights * weights)
        for place, (first, second) in enumerate(self._pairs):
            cells = rows[first] + models[second]
            for layer, term in enumerate(terms):
                found = np.bincount(cells, weights=term, minlength=width**3)
                self._sums[layer, place] += found.reshape(width, width, width)

    def distinct(self, place: int) -> tuple[list[Any], list[Array]]:
        """Return the labels of one pair's distinct rows as codes, and the sums over each."""
        chosen = np.nonzero(self._sums[0, place])
        return list(chosen), [layer[place][chosen] for layer in self._sums]


def pair_cubes(scan: Scan, roles: Roles, pairs: Sequence[Pair], duck: Duck) -> dict[Pair, Distinct] | None:
    """Count (truth, two models) for all pairs at once; None with a group, or with too many labels for cubes.

    Rows with a missing value are left out.
    """
    if roles.group is not None:
        return None
    models = list(roles.predictions)
    keys = [f"k{place}" for place in range(1 + len(models))]
    complete = " AND ".join([*(f"{name} IS NOT NULL" for name in keys), "good", "NOT spoiled"])
    weighted = roles.weight is not None
    chosen = ", ".join([*keys, *(["weight"] if weighted else [])])
    sql = f"SELECT {chosen} FROM ({inner_select(scan, roles)}) WHERE {complete}"
    cubes = Cubes([(models.index(a), models.index(b)) for a, b in pairs], 3 if weighted else 1)
    scan.prepare(duck)
    for batch in duck.batches(sql, scan.parameters, source=scan.name):
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
