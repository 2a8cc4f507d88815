"""MeanRanks: Friedman's test over tasks with Nemenyi's critical difference, for who must report it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.results.base import Drawn, Note, Tabled
from howsure.results.sentences.phrases import phrase
from howsure.results.words import number, p_said, percent


@dataclass(frozen=True, eq=False, repr=False)
class MeanRanks(Tabled, Drawn):
    """Mean ranks of models over tasks (1 is the best), Friedman's χ² and Iman & Davenport's F.

    ``p_value`` is that of F, which Demšar (2006) recommends; two models differ by Nemenyi's test where their mean ranks
    lie further apart than ``critical_difference``.
    """

    metric: str
    ranks: dict[str, float]
    chi_squared: float
    p_chi_squared: float
    f: float
    p_value: float
    critical_difference: float
    tasks: int
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def order(self) -> list[str]:
        """The models, best mean rank first."""
        return sorted(self.ranks, key=lambda name: self.ranks[name])

    @property
    def cliques(self) -> list[tuple[str, ...]]:
        """The longest runs of models whose mean ranks lie within the critical difference: what a bar joins."""
        order = self.order
        runs: list[tuple[int, int]] = []
        for start, first in enumerate(order):
            within = [
                name for name in order[start:] if self.ranks[name] - self.ranks[first] <= self.critical_difference
            ]
            end = start + len(within)
            if len(within) > 1 and (not runs or end > runs[-1][1]):
                runs.append((start, end))
        return [tuple(order[start:end]) for start, end in runs]

    def __repr__(self) -> str:
        return phrase(
            "friedman", metric=self.said, chi_squared=number(self.chi_squared, 2), df=len(self.ranks) - 1,
            f=number(self.f, 2), p=p_said(self.p_value), models=len(self.ranks), size=self.tasks,
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """What the test says."""
        shared = {"metric": self.said, "level": percent(self.level), "size": self.tasks}
        if not self.p_value < 1 - self.level:
            return phrase("friedman alike", **shared)
        return phrase("friedman differ", cd=number(self.critical_difference, 2), best=self.order[0], **shared)

    def __str__(self) -> str:
        return str(self.write("text"))

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        return super().to_dict() | {"cliques": [list(one) for one in self.cliques]}
