"""Forest: a metric, or a difference, in each task or study, and what they say together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from howsure.errors.messages import results as messages
from howsure.results.base import Drawn, Listed, Note, Tabled
from howsure.results.sentences.phrases import phrase
from howsure.results.tasks.over_tasks import Unlike
from howsure.results.words import number, percent, reach


class ForestRow(NamedTuple):
    """A line of the forest: a task, or what all say together; ``kind`` names which.

    "task"; "these" (these very tasks), "like" (tasks like these), "common" (one common value, by precision), "random"
    (random effects by Hartung and Knapp), "new" (one new task: a prediction interval).
    """

    label: str
    value: float
    low: float
    high: float
    n: float = math.nan
    share: float = math.nan
    kind: str = "task"


@dataclass(frozen=True, eq=False, repr=False)
class Forest(Tabled, Drawn, Listed[ForestRow]):
    """A metric of one model (or the difference b − a of two) in each task, and together."""

    metric: str
    model: str
    rows: tuple[ForestRow, ...]
    together: tuple[ForestRow, ...]
    level: float
    difference: bool = False
    metric_range: tuple[float, float] = (0.0, 1.0)
    heterogeneity: Unlike | None = None
    notes: tuple[Note, ...] = ()

    def _named(self, index: Any) -> ForestRow:
        """Return the line of a task by its name, or of what all say together by its kind."""
        for row in (*self.rows, *self.together):
            if index in ((row.label,) if row.kind == "task" else (row.label, row.kind)):
                return row
        raise KeyError(messages.NO_LINE_OF_FOREST(index=index, rows=", ".join(row.label for row in self.rows)))

    def __repr__(self) -> str:
        first = self.together[0]
        return phrase(
            "forest", metric=self.said, model=self.model, size=len(self.rows), value=number(first.value),
            reach=reach(first.low, first.high, sign=self.difference), level=percent(self.level),
        )  # fmt: skip

    def __str__(self) -> str:
        return str(self.write("text"))

    @property
    def caption(self) -> str:
        """What the lines are, and how those of all tasks were made that are there."""
        effects = phrase("forest effects") if any(row.kind == "random" for row in self.together) else ""
        level = percent(self.level)
        return phrase("forest caption", metric=self.said, model=self.model, level=level, effects=effects)

    @property
    def sentence(self) -> str:
        """What the tasks say together."""
        said = (
            phrase(f"forest {row.kind}", reach=reach(row.low, row.high, sign=self.difference)) for row in self.together
        )
        return phrase("forest together", metric=self.said, model=self.model, parts="; ".join(said))

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        unlike = None if self.heterogeneity is None else self.heterogeneity._asdict()
        lines = {
            name: [row._asdict() for row in rows] for name, rows in (("rows", self.rows), ("together", self.together))
        }
        return super().to_dict() | lines | {"heterogeneity": unlike}

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a line."""
        return [row._asdict() for row in (*self.rows, *self.together)]
