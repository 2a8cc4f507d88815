"""Count every pair of models by itself, many pairs in one pass: when their joint rows would not fit in memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.pairwise import Pair
from howsure.sources.distinct_rows import Distinct
from howsure.sources.duck import Duck
from howsure.sources.scans import Scan
from howsure.sources.tallies import Gathered, inner_select, made, rejected, sums_of
from howsure.sources.wishes import Roles

PAIRS_A_PASS = 48
ESTIMATED = 8
SURELY = 1.5
"""Pairs that are expected to have so many times more rows than fit are not counted: it would take long to fail."""


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
    """Count (truth, two models) for many pairs at once; None if all have more than ``most`` distinct rows together.

    One pass over the file serves PAIRS_A_PASS pairs, by GROUPING SETS. Rows with a missing value are left out.
    """
    if _expected(scan, roles, pairs, duck) > SURELY * most:
        return None
    found: dict[Pair, Distinct] = {}
    for first in range(0, len(pairs), PAIRS_A_PASS):
        room = most - sum(len(distinct.counts) for distinct in found.values())
        counted = _pass(scan, roles, pairs[first : first + PAIRS_A_PASS], duck, room)
        if counted is None:
            return None
        found |= counted
    return found


def _expected(scan: Scan, roles: Roles, pairs: Sequence[Pair], duck: Duck) -> float:
    """Return about how many distinct rows all pairs have together, from estimates for some of them."""
    some = pairs[:: -(-len(pairs) // ESTIMATED)]
    place = {part: f"k{index}" for index, part in enumerate(roles.parts())}
    shared = [place[part] for part in ("truth", "group") if part in place]
    keys = [", ".join([*shared, *(place[f"prediction {model}"] for model in pair)]) for pair in some]
    counts = ", ".join(f"approx_count_distinct(hash({one}))" for one in keys)
    scan.prepare(duck)
    found = duck.rows(f"SELECT {counts} FROM ({inner_select(scan, roles)})", scan.parameters, source=scan.name)[0]
    return float(np.mean(found)) * len(pairs)


def _pass(scan: Scan, roles: Roles, pairs: Sequence[Pair], duck: Duck, most: int) -> dict[Pair, Distinct] | None:
    parts = list(roles.parts())
    place = {part: f"k{index}" for index, part in enumerate(parts)}
    shared = [place[part] for part in ("truth", "group") if part in place]
    sets = [[*shared, *(place[f"prediction {model}"] for model in pair)] for pair in pairs]
    varying = list(dict.fromkeys(name for one in sets for name in one if name not in shared))
    complete = " AND ".join([*(f"{name} IS NOT NULL" for name in place.values()), "good", "NOT spoiled"])
    sql = (
        f"SELECT {', '.join([*shared, *varying])}, {', '.join(f'grouping({name})' for name in varying)}, "
        f"{sums_of(roles)} FROM ({inner_select(scan, roles)}) WHERE {complete} "
        f"GROUP BY GROUPING SETS ({', '.join('(' + ', '.join(one) + ')' for one in sets)})"
    )
    scan.prepare(duck)
    gathered = Gathered(len(shared) + len(varying))
    for batch in duck.batches(sql, scan.parameters, source=scan.name):
        if gathered.add(batch) > most:
            return None
    return _sorted_out(
        gathered, scan, roles, pairs, [*shared, *varying], [[name in one for name in varying] for one in sets]
    )


def _sorted_out(
    gathered: Gathered, scan: Scan, roles: Roles, pairs: Sequence[Pair], names: list[str], sets: list[list[bool]]
) -> dict[Pair, Distinct]:
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
