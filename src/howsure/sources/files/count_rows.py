"""Count the distinct rows of files with DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from howsure.sources.arrays.bad_values import LARGEST, Fault
from howsure.sources.files.distinct_rows import Distinct, Factor, Roles
from howsure.sources.files.scans.scan import Scan

FIRST = 1 << 17
CROWDED = 0.2
"""Where so many of the first rows are distinct, all of them are estimated before they are counted."""


def made(
    keys: Mapping[str, Factor], roles: Roles, sums: Sequence[Any], *, good: Any = None, faults: tuple[Fault, ...] = ()
) -> Distinct:
    """Return distinct rows from coded columns; ``sums`` are rows and, with weights, the sums of powers 1 to 3."""
    counts, *powers = sums
    weighted = roles.weight is not None
    return Distinct(
        roles,
        truth=keys["truth"],
        predictions={name: keys[f"prediction {name}"] for name in roles.predictions},
        counts=np.asarray(counts, dtype=float),
        powers=powers if weighted else None,
        weighable=good if weighted else None,
        group=keys.get("group"),
        by=keys.get("by"),
        judges={name: keys[f"judge {name}"] for name in roles.judges},
        faults=faults,
    )


def count_engine(scan: Scan, roles: Roles, *, most: int) -> Distinct | None:
    """Count the distinct rows with DuckDB; None if there are more than ``most``."""
    inner = inner_select(scan, roles)
    names = [f"k{place}" for place in range(len(roles.parts()))]
    if _too_many(scan, inner, names, most):
        return None
    flags = ["good", "spoiled"]
    keys = ", ".join([*names, *flags])
    sql = f"SELECT {keys}, {sums_of(roles)} FROM ({inner}) GROUP BY {keys} LIMIT {most + 1}"
    gathered = gather(scan.steps(sql), len(names), most)
    return None if gathered is None else _from_engine(scan, roles, gathered)


def sums_of(roles: Roles, weight: str = "weight") -> str:
    """Return the SQL of what is summed over equal rows."""
    powers = (" * ".join([weight] * power) for power in (1, 2, 3))
    return ", ".join(["count(*)", *(f"sum({one})" for one in powers if roles.weight is not None)])


def _too_many(scan: Scan, inner: str, names: Sequence[str], most: int) -> bool:
    """Say whether distinct rows are likely too many to hold: by the first rows, then by an estimate of all."""
    if scan.bytes is not None and scan.bytes < most:
        return False
    key = f"hash({', '.join(names)})"
    first = f"SELECT count(*), count(DISTINCT {key}) FROM (SELECT * FROM ({inner}) LIMIT {FIRST})"
    rows, distinct = scan.rows(first)[0]
    if distinct < CROWDED * rows:
        return False
    estimate = f"SELECT approx_count_distinct({key}) FROM ({inner})"
    return int(scan.rows(estimate)[0][0]) > most


def inner_select(scan: Scan, roles: Roles) -> str:
    """Return the SQL that selects keys as k0, k1, …, the weight, and whether a row can be used."""
    chosen = [f"{scan.expression(column)} AS k{place}" for place, column in enumerate(roles.parts().values())]
    good = "true"
    if roles.weight is not None:
        value = scan.number(roles.weight)
        good = usable_weight(value)
        chosen.append(f"CASE WHEN {good} THEN {value} ELSE 0 END AS weight")
    return f"SELECT {', '.join(chosen)}, {good} AS good, {scan.unreadable} AS spoiled FROM {scan.sql}"


def usable_weight(value: str) -> str:
    """Return the SQL that is true of a weight that can be summed and squared."""
    return f"coalesce({value} >= 0 AND {value} <= {LARGEST!r}, false)"


def _from_engine(scan: Scan, roles: Roles, gathered: Gathered) -> Distinct:
    good, spoiled, *sums = gathered.numbers(default=3 if roles.weight is None else 5)
    keys = dict(zip(roles.parts(), gathered.factors(scan.decode), strict=True))
    found = made(keys, roles, sums, good=good, faults=scan.faults(int(sums[0][spoiled].sum())))
    return found.take(~spoiled) if spoiled.any() else found


def gather(steps: Iterable[Sequence[tuple[Any, ...]]], keys: int, most: int) -> Gathered | None:
    """Return rows gathered; None if there are more than ``most``."""
    found = Gathered(keys)
    return None if any(found.add(rows) > most for rows in steps) else found


class Gathered:
    """Rows gathered some at a time: the first columns as codes, the others as numbers."""

    def __init__(self, keys: int) -> None:
        self._places: list[dict[Any, int]] = [{} for _ in range(keys)]
        self._codes: list[list[Any]] = [[np.empty(0, np.uint8)] for _ in range(keys)]
        self._numbers: list[list[Any]] = []
        self._rows = 0

    def add(self, rows: Sequence[tuple[Any, ...]]) -> int:
        """Take in some rows; return how many there are by now."""
        size, columns = len(self._places), list(zip(*rows, strict=True))
        for places, codes, column in zip(self._places, self._codes, columns[:size], strict=True):
            codes.append(codes_of(column, places))
        self._numbers.append([np.array(column) for column in columns[size:]])
        self._rows += len(rows)
        return self._rows

    def factors(self, *decoders: Callable[[Any], Any]) -> list[Factor]:
        """Return the coded columns, their values decoded, by one function or one for each."""
        each = decoders if len(decoders) > 1 else decoders * len(self._places)
        columns = zip(self._places, self._codes, each, strict=True)
        return [Factor(np.concatenate(codes), [*places]).decoded(decode) for places, codes, decode in columns]

    def numbers(self, *, default: int) -> list[Any]:
        """Return the other columns; ``default`` is their number where no row came."""
        columns = zip(*self._numbers, strict=True) if self._numbers else ([np.empty(0, bool)] for _ in range(default))
        return [np.concatenate(column) for column in columns]


def codes_of(values: Sequence[Any], places: dict[Any, int]) -> Any:
    """Return values as places in the list of distinct ones, which grows."""
    found = [places.setdefault(value, len(places)) for value in values]
    return np.array(found, dtype=np.min_scalar_type(max(len(places) - 1, 0)))


def repeats_of(scan: Scan, columns: Sequence[str], *, rows: int) -> tuple[tuple[int, int], ...]:
    """Return, for each column, how many values and how many distinct ones its first rows hold."""
    chosen = ", ".join(f"{scan.expression(column)} AS k{place}" for place, column in enumerate(columns))
    sums = ", ".join(f"[count(k{place}), count(DISTINCT k{place})]" for place in range(len(columns)))
    return scan.rows(f"SELECT {sums} FROM (SELECT {chosen} FROM {scan.sql} LIMIT {rows})")[0]
