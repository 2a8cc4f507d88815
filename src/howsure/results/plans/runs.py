"""RunPlan: how many runs and how many rows, for an interval or for a comparison."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from howsure.results.base import Note
from howsure.results.plans.plan import Planned
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, number, percent, worded
from howsure.version import __version__


@dataclass(frozen=True)
class RunsAndRows:
    """So many runs (of each model) on so many rows, and what they give; ``price`` where costs are known."""

    runs: int
    rows: int
    half_width: float
    price: float | None = None

    def __str__(self) -> str:
        return phrase("plan runs first", runs=count(self.runs), rows=count(self.rows))


@dataclass(frozen=True, repr=False)
class RunPlan(Planned):
    """How many runs of each model on how many rows reach a goal, and other pairs that give as much.

    ``goal`` says what is reached, in words; ``others`` are pairs on the same contour. ``power`` and ``difference`` are
    those of a comparison, where it is one.
    """

    metric: str
    runs: int
    n: int
    half_width: float
    se: float
    level: float
    goal: str
    others: tuple[RunsAndRows, ...] = ()
    price: float | None = None
    budget: float | None = None
    power: float | None = None
    difference: float | None = None
    models: int = 1
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        each = phrase("plan runs each") if self.models > 1 else ""
        return phrase("plan runs", each=each, **self._said())

    @property
    def answer_first(self) -> tuple[str, str]:
        """The answer in two parts: runs and rows, and what they give."""
        return phrase("plan runs first", **self._said()), phrase("plan runs rest", **self._said())

    def _said(self) -> dict[str, str]:
        spent = "" if self.price is None else phrase("plan runs spent", price=f"{self.price:,.2f}")
        return {"runs": count(self.runs), "rows": count(self.n), "reached": self._reached(), "spent": spent}

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        return super().to_dict() | {"others": [asdict(one) for one in self.others]}

    def _reached(self) -> str:
        shared = {"metric": self.metric, "level": percent(self.level)}
        if self.power is None or self.difference is None:
            return phrase("plan runs interval", half=number(self.half_width, 4), **shared)
        power, difference = percent(round(self.power, 3)), number(self.difference, 4)
        return phrase("plan runs power", power=power, difference=difference, **shared)

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        others = [str(one) for one in self.others]
        instead = phrase("plan runs instead", others=worded(others, "or")) if others else ""
        said = phrase(
            "plan runs paragraph", each=phrase("plan runs each model" if self.models > 1 else "plan runs the model"),
            instead=instead, **self._said(),
        )  # fmt: skip
        return said + phrase("plan computed", version=__version__)
