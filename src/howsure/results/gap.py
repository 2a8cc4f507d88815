"""Gap: the best slice, the worst slice and the difference between them."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.results.base import Drawn, Note
from howsure.results.words import number, percent


@dataclass(frozen=True, repr=False)
class Gap(Drawn):
    """How far slices lie apart in one metric: the gap between highest and lowest, and the worst slice.

    The interval of the gap holds the true difference between the highest and the lowest slice, whichever they are;
    ``worst_low`` and ``worst_high`` hold the true value of the truly worst slice, whichever that is.
    """

    metric: str
    model: str
    gap: float
    low: float
    high: float
    best: str
    worst: str
    worst_value: float
    worst_low: float
    worst_high: float
    may_be_worst: tuple[str, ...]
    level: float
    slices: int
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"{self.metric}: gap between slices {number(self.gap)} [{number(self.low)}, {number(self.high)}], worst "
            f"{self.worst} {number(self.worst_value)} [{number(self.worst_low)}, {number(self.worst_high)}], "
            f"{percent(self.level)} simultaneous over {self.slices} slices"
        )

    @property
    def sentence(self) -> str:
        """The gap in plain words."""
        if self.low > 0:
            first = f"The slices differ in {self.metric}: the true gap is at least {number(self.low)}."
        else:
            most = f"a gap up to {number(self.high)} is possible"
            first = f"The data do not settle whether the slices differ in {self.metric}; {most}."
        if len(self.may_be_worst) == 1:
            return f"{first} The worst slice: {self.worst}."
        return f"{first} May be the worst: {', '.join(self.may_be_worst)}."
