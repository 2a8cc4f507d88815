"""A tail that is given by its probability or its quantile, and so keeps its digits where the level nears 1."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import ndtr, ndtri

from howsure.estimates.evidence import Tail


@dataclass(frozen=True, slots=True)
class Beyond(Tail):
    """A two-sided tail whose probability beyond each end is stated, not found as (1 − level)/2."""

    beyond: float = 0.025

    def __post_init__(self) -> None:
        """Take the level as it comes: it may round to 1."""

    @property
    def probability(self) -> float:
        """Probability beyond each end."""
        return self.beyond

    @property
    def z(self) -> float:
        """Normal quantile."""
        return float(-ndtri(self.beyond))


def tail_at(z: float) -> Tail:
    """Return the tail of a single interval as wide as a given normal quantile: P(Z > z) beyond each end.

    >>> round(tail_at(1.959963984540054).level, 12), tail_at(9.0).probability > 0
    (0.95, True)
    """
    beyond = float(ndtr(-z))
    return Beyond(1 - 2 * beyond, "both", beyond)


def one_sided(level: float) -> Tail:
    """Return the tail whose two ends are each a one-sided limit at the level."""
    beyond = 1 - Tail(level).level
    return Beyond(1 - 2 * beyond, "both", beyond)
