"""What a method's intervals did over many tables: covered, length, overshoot, degeneracy; sums that add up."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from howsure.types import Array

SLACK = 1e-12  # rounding of a limit must not decide; no proper interval of a study is that short


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over tables, each weighted by its probability or by how often it was drawn."""

    mass: float = 0.0
    undefined: float = 0.0
    failed: float = 0.0
    covered: float = 0.0
    above: float = 0.0
    below: float = 0.0
    length: float = 0.0
    length_square: float = 0.0
    overshoot: float = 0.0
    degenerate: float = 0.0

    @property
    def defined(self) -> float:
        """Weight of the tables on which the metric is defined."""
        return max(self.mass - self.undefined, 0.0)

    @property
    def bounded(self) -> float:
        """Weight of the tables for which the method gives limits."""
        return max(self.defined - self.failed, 0.0)

    def mean(self, name: str) -> float:
        """Return a sum as a mean over the tables where the metric is defined; a length where there is one."""
        size = self.bounded if name.startswith("length") else self.defined
        return float(getattr(self, name) / size) if size > 0 else math.nan


SUMS = tuple(field.name for field in fields(Tally))


def tally(value: Array, low: Array, high: Array, weight: Array, truth: float, range_: tuple[float, float]) -> Tally:
    """Return the sums of one block of intervals against the true value; no limits for a value count as a miss."""
    undefined = np.isnan(value)
    bounded = ~(np.isnan(low) | np.isnan(high) | undefined)
    held = np.where(bounded, weight, 0.0)
    above, below = low > truth + SLACK, high < truth - SLACK
    with np.errstate(invalid="ignore"):
        width = np.where(held > 0, high - low, 0.0)
    outside = (low < range_[0] - SLACK) | (high > range_[1] + SLACK)
    return Tally(
        mass=float(weight.sum()),
        undefined=float(weight[undefined].sum()),
        failed=float(weight[~undefined & ~bounded].sum()),
        covered=float(held @ ~(above | below)),
        above=float(held @ above),
        below=float(held @ below),
        length=float(held @ width),
        length_square=float(held @ width**2),
        overshoot=float(held @ outside),
        degenerate=float(held @ (width <= SLACK)),
    )


def total(parts: Iterable[Tally]) -> Tally:
    """Return the sum of tallies, the same in whatever order they come."""
    held = list(parts)
    return Tally(*(math.fsum(getattr(part, name) for part in held) for name in SUMS))
