"""Count every pair of models by itself, many pairs in one pass: when their joint rows would not fit in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.pairwise import Pair
from howsure.sources.distinct_rows import Distinct
from howsure.sources.duck import Duck
from howsure.sources.scans import Scan
from howsure.sources.tallies import Book, inner_select, made, rejected
from howsure.sources.wishes import Roles

PAIRS_A_PASS = 48


def unusable(scan: Scan, roles: Roles, duck: Duck) -> tuple[dict[str, int], int, int]:
    """Return the rows with a missing value by column, those with any, and all rows."""
    columns = list(roles.parts().values())
    missing = [f"k{place} IS NULL" for place in range(len(columns))]
    sums = ", ".join(f"count(*) FILTER ({one})" for one in [*missing, " OR ".join([*missing, "NOT good", "spoiled"])])
    scan.prepare(duck)
    sql = f"SELECT {sums}, count(*) FROM ({inner_select(scan, roles)})"
    *counts, lost, total = map(int, duck.rows(sql, scan.parameters, source=scan.name)[0])
    torn = rejected(duck, scan) if scan.kind in ("csv", "tsv") else 0
    return dict(zip(columns, counts, strict=True)), lost + torn, total + torn


def pair_counts(
    scan: Scan, roles: Roles, pairs: Sequence[Pair], duck: Duck, *, most: int
) -> dict[Pair, Distinct] | None:
    """Count (truth, two models) for many pairs at once; None if one pair has more than ``most`` distinct rows.

    One pass over the file serves PAIRS_A_PASS pairs, by GROUPING SETS. Rows with a missing value are left out.
    """
    found: dict[Pair, Distinct] = {}
    for first in range(0, len(pairs), PAIRS_A_PASS):
        some = pairs[first : first + PAIRS_A_PASS]
        counted = _pass(scan, roles, some, duck, most)
        if counted is None:
            return None
        found |= counted
    return found


def _pass(scan: Scan, roles: Roles, pairs: Sequence[Pair], duck: Duck, most: int) -> dict[Pair, Distinct] | None:
    parts = list(roles.parts())
    place = {part: f"k{index}" for index, part in enumerate(parts)}
    shared = [place[part] for part in ("truth", "group") if part in place]
    sets = [[*shared, *(place[f"prediction {model}"] for model in pair)] for pair in pairs]
    varying = list(dict.fromkeys(name for one in sets for name in one if name not in shared))
    complete = " AND ".join([*(f"{name} IS NOT NULL" for name in place.values()), "good", "NOT spoiled"])
    sums = "sum(weight), sum(weight * weight)" if roles.weight is not None else "0, 0"
    sql = (
        f"SELECT {', '.join([*shared, *varying])}, {', '.join(f'grouping({name})' for name in varying)}, "
        f"count(*), {sums} FROM ({inner_select(scan, roles)}) WHERE {complete} "
        f"GROUP BY GROUPING SETS ({', '.join('(' + ', '.join(one) + ')' for one in sets)})"
    )
    scan.prepare(duck)
    gathered = _Pairs(
        scan, roles, pairs, [*shared, *varying], [[name in one for name in varying] for one in sets], len(shared)
    )
    for batch in duck.batches(sql, scan.parameters, source=scan.name):
        if gathered.add(batch) > most * len(pairs):
            return None
    return gathered.distinct()


class _Pairs:
    """Rows of grouping sets, sorted into the pair that each belongs to."""

    def __init__(
        self,
        scan: Scan,
        roles: Roles,
        pairs: Sequence[Pair],
        names: list[str],
        sets: list[list[bool]],
        shared: int,
    ) -> None:
        self._scan, self._roles, self._pairs, self._names = scan, roles, pairs, names
        self._books = [Book() for _ in names]
        self._sets, self._shared = {tuple(one): place for place, one in enumerate(sets)}, shared
        self._kinds: list[Any] = []
        self._sums: list[Any] = []
        self._rows = 0

    def add(self, batch: Any) -> int:
        """Take in one batch; return how many rows there are by now."""
        columns = [column.to_numpy(zero_copy_only=False) for column in batch.columns[len(self._names) :]]
        masks = np.column_stack(columns[: len(self._names) - self._shared]) == 0
        patterns, kind = np.unique(masks, axis=0, return_inverse=True)
        table = np.array([self._sets[tuple(map(bool, pattern))] for pattern in patterns], dtype=np.int32)
        self._kinds.append(table[kind.ravel()])
        for place, book in enumerate(self._books):
            book.add(batch.column(place))
        self._sums.append(np.column_stack([column.astype(float) for column in columns[-3:]]))
        self._rows += len(kind)
        return self._rows

    def distinct(self) -> dict[Pair, Distinct]:
        """Return the distinct rows of each pair."""
        kinds, sums = np.concatenate(self._kinds), np.concatenate(self._sums)
        columns = {name: book.factor(self._scan.decode) for name, book in zip(self._names, self._books, strict=True)}
        place = {part: f"k{index}" for index, part in enumerate(self._roles.parts())}
        found = {}
        for index, pair in enumerate(self._pairs):
            chosen, roles = np.flatnonzero(kinds == index), self._roles.of_models(pair)
            keys = {part: columns[place[part]].take(chosen) for part in roles.parts()}
            counts, weights, squares = sums[chosen].T
            whole = np.column_stack([np.ones(len(chosen)), counts, weights, squares])
            found[pair] = made(keys, roles, counts, whole)
        return found
