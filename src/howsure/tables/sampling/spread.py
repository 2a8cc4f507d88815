"""Spread: the variance of an estimate by what was sampled, each part with its degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np


class Quantiles(Protocol):
    """A tail: the quantile it asks of a variance that is known to some degrees of freedom."""

    def quantile(self, degrees: float) -> float:
        """Return the normal quantile, or Student's with finite degrees of freedom."""


class VariancePart(NamedTuple):
    """The variance that one thing sampled (rows, days, runs) adds, and how well it is known."""

    name: str
    variance: Any
    degrees: float = float("inf")


@dataclass(frozen=True)
class Spread:
    """The parts of a variance; their sum is the variance of the estimate.

    Whoever needs the length of an interval asks for ``half``, and never puts a quantile and a standard error together:
    each part has degrees of freedom of its own.
    """

    parts: tuple[VariancePart, ...]

    @property
    def variance(self) -> Any:
        """The variance: the sum of the parts."""
        return sum(part.variance for part in self.parts)

    @property
    def se(self) -> Any:
        """The standard error."""
        return np.sqrt(self.variance)

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the part that has the fewest."""
        return min(part.degrees for part in self.parts)

    def half(self, tail: Quantiles) -> Any:
        """Return half the length of a symmetric interval: √Σ q²·variance, q the quantile of each part's degrees.

        Square and add: with one part it is the quantile times the standard error. With several, the part that rests on
        few groups alone gets Student's quantile.
        """
        if len(self.parts) == 1:
            return tail.quantile(self.parts[0].degrees) * self.se
        return np.sqrt(sum(tail.quantile(part.degrees) ** 2 * part.variance for part in self.parts))

    def quantile(self, tail: Quantiles) -> Any:
        """Return half over standard error: what stands for z in methods that make their own variance."""
        if len(self.parts) == 1:
            return tail.quantile(self.parts[0].degrees)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self.half(tail) / self.se
        return np.where(np.isfinite(found), found, tail.quantile(self.degrees))[()]

    def summing_to(self, variance: Any) -> Spread:
        """Return parts in the same proportions that sum to another variance; the first takes all if there is none."""
        first, *rest = self.parts
        if not rest:
            return Spread((first._replace(variance=variance),))
        with np.errstate(invalid="ignore", divide="ignore"):
            times = np.where(self.variance > 0, variance / self.variance, np.nan)
        if not np.isfinite(times).all():
            return Spread(
                (first._replace(variance=variance), *(part._replace(variance=0.0 * part.variance) for part in rest))
            )
        return Spread(tuple(part._replace(variance=part.variance * times[()]) for part in self.parts))
