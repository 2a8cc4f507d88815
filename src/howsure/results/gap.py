"""Gap: the best slice, the worst slice and the difference between them."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.results.base import Drawn, Note
from howsure.results.sentences.phrases import phrase
from howsure.results.words import number, numeral, percent, reach, worded


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
        return phrase(
            "gap", metric=self.said, gap=number(self.gap), reach=reach(self.low, self.high, 3), worst=self.worst,
            value=number(self.worst_value), worst_reach=reach(self.worst_low, self.worst_high, 3),
            level=percent(self.level), slices=self.slices,
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """The gap in plain words."""
        name = "slices differ" if self.low > 0 else "slices may not"
        first = phrase(name, metric=self.said, low=number(self.low), high=number(self.high))
        if len(self.may_be_worst) == 1:
            return f"{first} {phrase('the worst', worst=self.worst)}"
        if len(self.may_be_worst) == self.slices:
            return f"{first} {phrase('any the worst', size=numeral(self.slices))}"
        return f"{first} {phrase('some the worst', names=worded(self.may_be_worst, 'or'))}"
