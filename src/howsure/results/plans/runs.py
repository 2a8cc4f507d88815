"""RunPlan: how many runs and how many rows, for an interval or for a comparison."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from howsure.results.base import Note
from howsure.results.plans.plan import Planned
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
        return f"{count(self.runs)} runs × {count(self.rows)} rows"


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
        each = " of each model" if self.models > 1 else ""
        return f"{count(self.runs)} runs{each} on {count(self.n)} rows give {self._reached()}{self._spent()}."

    @property
    def answer_first(self) -> tuple[str, str]:
        """The answer in two parts: runs and rows, and what they give."""
        return f"{count(self.runs)} runs × {count(self.n)} rows", f"give {self._reached()}{self._spent()}."

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        return super().to_dict() | {"others": [asdict(one) for one in self.others]}

    def _reached(self) -> str:
        if self.power is not None and self.difference is not None:
            what = f"a difference of {number(self.difference, 4)} in {self.metric}"
            return f"{percent(round(self.power, 3))} power to settle {what} at {percent(self.level)}"
        return f"{self.metric} ±{number(self.half_width, 4)} ({percent(self.level)} interval)"

    def _spent(self) -> str:
        return "" if self.price is None else f", for {self.price:,.2f}"

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        each = "each model" if self.models > 1 else "the model"
        instead = (
            f" As much would be given by {worded([str(one) for one in self.others], 'or')}." if self.others else ""
        )
        return (
            f"We run {each} {count(self.runs)} times on the same {count(self.n)} rows. That gives {self._reached()}, "
            f"with t for the spread between runs and z for the rows.{instead} The spread of runs and rows is that of a "
            f"pilot, which is uncertain itself where it has few runs. Computed with howsure {__version__}."
        )
