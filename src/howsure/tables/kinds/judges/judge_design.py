"""The design of rows that a judge moved: as many as people labelled, and worth more. A design effect below one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from howsure.results.base import Note
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, units
from howsure.tables.design import Design, Influences
from howsure.tables.sampling.effect import DesignEffect
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised


class JudgeFacts(NamedTuple):
    """What a judge did to one estimate, or to a difference of two.

    ``human`` are the estimates of people alone, ``alone`` what the judge alone would say, ``explained`` the share of
    the variance that the judge explains, by its gain. ``labels`` of ``judged`` rows were labelled by people.
    """

    names: tuple[str, ...]
    lam: tuple[float, ...]
    gain: float
    explained: float
    labels: float
    judged: float
    human: tuple[Linearised, ...]
    alone: float
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class JudgedDesign(Design):
    """Moved rows in place of those that people labelled, whose variance has ``factor`` times that of plain rows.

    ``factor`` is the design effect of people's rows over the gain; ``freedom`` are people's degrees of freedom,
    ``adds`` what each group of all rows, labelled and others, adds to the estimate.
    """

    factor: float = 1.0
    freedom: float = float("inf")
    people: Design | None = None
    adds: Array | None = None
    facts: JudgeFacts | None = field(default=None, repr=False)

    @property
    def judge(self) -> JudgeFacts:
        """What the judge did."""
        assert self.facts is not None
        return self.facts

    @property
    def n(self) -> float:
        """How many rows people labelled."""
        return self.counts.sum() if self.people is None else self.people.n

    @property
    def n_groups(self) -> int | None:
        """Groups of the rows that people labelled."""
        return None if self.people is None else self.people.n_groups

    @property
    def weighted(self) -> bool:
        """Moved rows are no whole rows."""
        return True

    @property
    def independent(self) -> bool:
        """A judge stands between the rows and what they are worth; without rows there is nothing between."""
        return not self.n

    @property
    def row_by_row(self) -> bool:
        """A covariance is that of plain rows times the factor."""
        return False

    @property
    def counts_cells(self) -> bool:
        """Moved rows are counted by cell; groups and weights are in the factor."""
        return True

    def degrees(self, *, bundled: bool = False) -> float:
        """Return the degrees of freedom of people's rows."""
        return self.freedom

    def covariance(self, influences: Influences, size: int) -> Array:
        """Return the covariance of as many plain rows, times the factor."""
        return super().covariance(influences, size) * self.factor

    def by_group(self, influence: Array) -> Array:
        """Return what each named group adds to the estimate."""
        assert self.adds is not None
        return self.adds

    def effect(self, linear: Linearised) -> DesignEffect:
        """Return the factor."""
        base = float(self.weights @ linear.influence**2) / (self.total * float(self.n)) if self.total else float("nan")
        return DesignEffect(self.factor, base, self.freedom)

    def sampled(self, unit: str) -> str:
        """Return how many labels of people there are and what the judge makes them worth."""
        told = self.judge
        rows = phrase("human labels", labels=count(told.labels), s="s" * (told.labels != 1))
        if self.n_groups is not None:
            rows = f"{rows} of {units(self.n_groups, self.grouped_by)}"
        worth = round(told.labels * told.gain)
        return phrase("labels worth", labels=rows, worth=count(worth)) if worth > told.labels else rows

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is said of the judge, and of how people's rows were sampled."""
        own = tuple(note for one in self.judge.human for note in one.design.notes(one))
        return (*self.judge.notes, *dict.fromkeys(own))

    @property
    def _units(self) -> tuple[Array, float, Ints | None]:
        """What is resampled: as many rows as the labels are worth."""
        return self.counts / self.counts.sum(), float(self.counts.sum()) / self.factor, None
