"""Spread: the variance of an estimate by what was sampled, each part with its degrees of freedom."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import ndtr, stdtrit


class Quantiles(Protocol):
    """A tail: the quantile it asks of a variance that is known to some degrees of freedom."""

    def quantile(self, degrees: float) -> float:
        """Return the normal quantile, or Student's with finite degrees of freedom."""


@dataclass(frozen=True)
class NormalQuantile:
    """The tail of a normal quantile, for those who know no level."""

    z: float

    def quantile(self, degrees: float) -> float:
        """Return the normal quantile, or Student's of the same tail."""
        return self.z if math.isinf(degrees) else float(-stdtrit(degrees, ndtr(-self.z)))


class VariancePart(NamedTuple):
    """The variance that one thing sampled (rows, days, runs) adds, and how well it is known."""

    name: str
    variance: Any
    degrees: float = float("inf")

    def half(self, tail: Quantiles) -> Any:
        """Return half the length of a symmetric interval if nothing else were sampled."""
        return tail.quantile(self.degrees) * np.sqrt(self.variance)

    def summing_to(self, variance: Any) -> VariancePart:
        """Return the part with another variance."""
        return self._replace(variance=variance)


@dataclass(frozen=True)
class Spread:
    """The parts of a variance; their sum is the variance of the estimate, but never less than that of the ``floor``.

    Whoever needs the length of an interval asks for ``half``, and never puts a quantile and a standard error together:
    each part has degrees of freedom of its own. The floor is what rows alone would give, where runs cross them, or what
    these very tasks would, where tasks are a sample: a spread that is small by luck makes nothing more certain.
    """

    parts: tuple[VariancePart, ...]
    floor: VariancePart | Spread | None = None

    @property
    def name(self) -> str:
        """What the first part is."""
        return self.parts[0].name

    @property
    def variance(self) -> Any:
        """The variance: the sum of the parts, or the floor."""
        total = sum(part.variance for part in self.parts)
        return total if self.floor is None else np.maximum(total, self.floor.variance)

    @property
    def shares(self) -> dict[str, float]:
        """The share of each thing sampled in the variance; what runs add to that of rows is theirs."""
        total = float(self.variance)
        if self.floor is None:
            own = {part.name: float(part.variance) for part in self.parts}
        else:
            own = {self.floor.name: float(self.floor.variance), self.parts[-1].name: total - float(self.floor.variance)}
        return {name: one / total if total > 0 else float(name == self.parts[0].name) for name, one in own.items()}

    @property
    def se(self) -> Any:
        """The standard error."""
        return np.sqrt(self.variance)

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the part that has the fewest; of rows where runs cross them."""
        return min(part.degrees for part in self.parts) if self.floor is None else self.floor.degrees

    def half(self, tail: Quantiles) -> Any:
        """Return half the length of a symmetric interval: √Σ q²·variance, q the quantile of each part's degrees.

        Square and add: with one part it is the quantile times the standard error. With several, the part that rests on
        few groups alone gets Student's quantile.
        """
        if len(self.parts) == 1 and self.floor is None:
            return tail.quantile(self.parts[0].degrees) * self.se
        found = np.sqrt(sum(tail.quantile(part.degrees) ** 2 * part.variance for part in self.parts))
        if self.floor is None:
            return found
        return np.maximum(found, self.floor.half(tail))

    def quantile(self, tail: Quantiles) -> Any:
        """Return half over standard error: what stands for z in methods that make their own variance."""
        if len(self.parts) == 1 and self.floor is None:
            return tail.quantile(self.parts[0].degrees)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self.half(tail) / self.se
        return np.where(np.isfinite(found), found, tail.quantile(self.degrees))[()]

    def summing_to(self, variance: Any) -> Spread:
        """Return parts in the same proportions that sum to another variance; the first takes all if there is none."""
        first, *rest = self.parts
        if not rest and self.floor is None:
            return Spread((first._replace(variance=variance),))
        with np.errstate(invalid="ignore", divide="ignore"):
            times = np.where(self.variance > 0, variance / self.variance, np.nan)
        if not np.isfinite(times).all():
            left = (part._replace(variance=0.0 * part.variance) for part in rest)
            floor = None if self.floor is None else self.floor.summing_to(variance)
            return Spread((first._replace(variance=variance), *left), floor)
        floor = None if self.floor is None else self.floor.summing_to(self.floor.variance * times[()])
        return Spread(tuple(part._replace(variance=part.variance * times[()]) for part in self.parts), floor)
