"""Where a higher level need not contain the interval of a lower one: the only exemptions, each with its reason.

Every other method is nested on every table, at any two levels from 0.5 to 1 − 1e-9, to a few units in the last place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import howsure as hs

CELLS = ("tp", "fp", "fn", "tn")
ULPS = 4  # two limits are each rounded once or twice


class Tables(NamedTuple):
    """What an exemption may look at; ``cells`` has the counts of a table in its last axis, of one class as in CELLS."""

    metric: hs.Metric
    cells: np.ndarray
    value: Any
    variance: Any
    level: float


class Exemption(NamedTuple):
    """On which tables a method is not nested, and why."""

    reason: str
    where: Callable[[Tables], Any]


def _always(tables: Tables) -> Any:
    return np.True_


def _less_than_a_row(tables: Tables) -> Any:
    """Of the cells that a share of one class looks at; hits and misses of all classes are every row there is."""
    share = tables.metric.share
    assert share is not None
    seen: Any = [CELLS.index(name) for name in (*share.success, *share.failure) if name in CELLS] or slice(None)
    return tables.cells[..., seen].sum(-1) < 1


EXEMPT = {
    "agresti-coull": Exemption("z² rows are added, half of them right: more at a higher level", _always),
    "smoothed": Exemption("z²/2 rows are spread over the table: more at a higher level", _always),
    "hdi": Exemption(
        "the posterior of less than a row has a peak at each end, and the shortest interval may change from one end to "
        "the other",
        _less_than_a_row,
    ),
}


def rounding(method: str, limit: Any) -> Any:
    """Return by how much a limit may fall short: a few units in its last place.

    Among 1e15 rows the pseudo-counts of smoothed-t are rounded to eighths: that moves limits by up to 1e-14. A limit
    below 1e-100, of hundredths of a row, is found among logarithms and is 0 for every purpose.
    """
    finite = np.where(np.isfinite(limit), np.abs(limit), 1.0)
    return np.maximum(ULPS * np.spacing(finite), 1e-13 if method == "smoothed-t" else 1e-100)


def broken(method: str, tables: Tables, inner: tuple[Any, Any], outer: tuple[Any, Any]) -> Any:
    """Return where the outer interval does not hold the inner one although it should."""
    (low, high), (lower, upper) = (tuple(map(np.asarray, limits)) for limits in (inner, outer))
    with np.errstate(invalid="ignore"):
        held = (lower <= low + rounding(method, low)) & (upper >= high - rounding(method, high))
        exempt = EXEMPT[method].where(tables) if method in EXEMPT else np.False_
    return np.logical_not(held | exempt | np.isnan(low) | np.isnan(high))
