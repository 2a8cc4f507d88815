"""Tail: a level and a side, and so how much probability each end of an interval may miss; and what a method returns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from howsure.errors import check_choice, check_level
from howsure.results.base import Note
from howsure.types import Side

SIDES = ("both", "lower", "upper")


@dataclass(frozen=True, slots=True)
class Tail:
    """A level and a side: how much probability each end of the interval may miss."""

    level: float
    side: Side = "both"

    def __post_init__(self) -> None:
        check_level(self.level)
        check_choice("side", self.side, SIDES)

    @property
    def probability(self) -> float:
        """Probability beyond each end."""
        return (1 - self.level) / 2 if self.side == "both" else 1 - self.level

    @property
    def z(self) -> float:
        """Normal quantile; from the tail, so that a level near 1 keeps its digits."""
        return _plain(-ndtri(self.probability))

    def quantile(self, degrees: float) -> float:
        """Normal quantile, or Student's t where the variance rests on few groups."""
        return self.z if degrees == math.inf else _plain(-stdtrit(degrees, self.probability))

    def beyond_quantile(self, degrees: float) -> float:
        """Return the normal probability beyond that quantile: what an exact tail takes where groups are few."""
        return self.probability if degrees == math.inf else _plain(ndtr(-self.quantile(degrees)))


@dataclass(frozen=True, slots=True)
class TailAt(Tail):
    """A two-sided tail whose probability beyond each end is stated, not found as (1 − level)/2.

    It keeps its digits where the level nears 1. An array of probabilities is as many tails at once, for the methods
    that say they take them.
    """

    beyond: Any = 0.025

    def __post_init__(self) -> None:
        """Take the level as it comes: it may round to 1."""

    @property
    def probability(self) -> Any:
        """Probability beyond each end."""
        return self.beyond


def tail_at(z: Any) -> Tail:
    """Return the tail of a single interval as wide as a given normal quantile: P(Z > z) beyond each end.

    >>> round(tail_at(1.959963984540054).level, 12), tail_at(9.0).probability > 0
    (0.95, True)
    """
    beyond = _plain(ndtr(-z))
    return TailAt(1 - 2 * beyond, "both", beyond)


def _plain(found: Any) -> float:
    """Return a single number as a float, and many, which only methods that take many tails see, as they are."""
    single: float = found if np.ndim(found) else float(found)
    return single


def one_sided(level: float) -> Tail:
    """Return the tail whose two ends are each a one-sided limit at the level."""
    beyond = 1 - Tail(level).level
    return TailAt(1 - 2 * beyond, "both", beyond)


@dataclass(frozen=True, slots=True)
class Limits:
    """Both ends of an interval, and what should be said of how they were found."""

    low: Any
    high: Any
    notes: tuple[Note, ...] = ()
    error: float | None = None
    seed: int | None = None
    value: float | None = None  # where the method weighs tasks in its own way
    se: float | None = None
