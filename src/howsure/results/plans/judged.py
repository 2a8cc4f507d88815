"""JudgedPlan: how many labels of people beside a judge, and how many rows for the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.results.base import Note
from howsure.results.plans.plan import Planned
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, metric_words, number, percent
from howsure.version import __version__


@dataclass(frozen=True, repr=False)
class JudgedPlan(Planned):
    """Labels of people (``n`` in all, ``n_more`` still to get) and rows for the judge (``pool``).

    ``worth`` is the number of labels without a judge that would tell as much, ``gain`` how many times n that is;
    ``explained`` the share of the metric's variance that the judge explains, from the pilot. ``alone`` are the labels
    that the goal would ask for without the judge. ``spent`` is what the labels and judgements still to get cost.
    """

    metric: str
    n: int
    n_more: int
    pool: int
    pool_more: int
    worth: float
    explained: float
    alone: int
    value: float
    half_width: float
    se: float
    level: float
    label_price: float | None = None
    judge_price: float | None = None
    budget: float | None = None
    notes: tuple[Note, ...] = ()

    @property
    def gain(self) -> float:
        """How many labels without a judge one label beside it is worth."""
        return self.worth / self.n

    @property
    def spent(self) -> float | None:
        """What labels and judgements that are still to get cost together; None where no price is known."""
        if self.label_price is None:
            return None
        return self.n_more * self.label_price + self.pool_more * (self.judge_price or 0.0)

    def __repr__(self) -> str:
        return phrase(
            "judged plan", more=count(self.n_more), n=count(self.n), pool=count(self.pool),
            metric=metric_words(self.metric), half=number(self.half_width), level=percent(self.level),
            worth=count(round(self.worth)), alone=count(self.alone),
        )  # fmt: skip

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        said = phrase(
            "judged plan paragraph", n=count(self.n), pool=count(self.pool), metric=metric_words(self.metric),
            value=number(self.value), explained=percent(round(self.explained, 2)), worth=count(round(self.worth)),
            half=number(self.half_width, 4), se=number(self.se, 4), level=percent(self.level), version=__version__,
        )  # fmt: skip
        spent = self.spent
        return said if spent is None else f"{said} {phrase('judged plan cost', spent=f'{spent:,.2f}')}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        return super().to_dict() | {"gain": self.gain, "spent": self.spent}
