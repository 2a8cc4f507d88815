"""OverTasks: what a comparison says task by task, on these tasks, on tasks like these, and on one new task."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from howsure.results.sentences.phrases import phrase
from howsure.results.words import chance, count, decimals_for, percent, signed, tight


class TaskRow(NamedTuple):
    """The difference in one task, with the task's share in the mean."""

    task: str
    difference: float
    low: float
    high: float
    p_value: float
    value_a: float
    value_b: float
    n: float
    share: float


class Answer(NamedTuple):
    """An interval of the mean difference over tasks and its p-value."""

    low: float
    high: float
    p_value: float

    @property
    def decided(self) -> bool:
        """Whether no difference lies outside."""
        return bool(self.low > 0 or self.high < 0)


class NewTaskLimits(NamedTuple):
    """Where the difference on one more task of the kind may lie, and the probability that b is better there."""

    low: float
    high: float
    better: float


class Unlike(NamedTuple):
    """How unlike tasks are: Cochran's Q with p-value, τ (standard deviation between tasks) and I²."""

    q: float
    degrees: int
    p_value: float
    tau: float
    i_squared: float


@dataclass(frozen=True)
class OverTasks:
    """The two questions that tasks raise, and their answers.

    ``fixed``: these very tasks, only rows are sampled. ``random``: tasks like these, None where there is one task.
    ``chosen`` is the one whose interval the comparison itself has.
    """

    rows: tuple[TaskRow, ...]
    fixed: Answer
    random: Answer | None
    new_task: NewTaskLimits | None
    chosen: str
    heterogeneity: Unlike | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision."""
        named = {"fixed": self.fixed, "random": self.random, "new_task": self.new_task, "unlike": self.heterogeneity}
        plain = {name: None if one is None else one._asdict() for name, one in named.items()}
        return {"chosen": self.chosen, "by_task": [row._asdict() for row in self.rows]} | plain

    def sentence(self, a: str, b: str, metric: str, level: float, better: str | None) -> str:
        """Return both answers in words, because they answer different questions."""
        shared = {"metric": metric, "a": a, "b": b, "size": count(len(self.rows)), "level": percent(level)}
        first = phrase(f"these tasks{_kind(self.fixed, better)}", **shared, **_fields(self.fixed, a, b, better))
        if self.random is None:
            return first
        like = phrase(f"tasks like these{_kind(self.random, better)}", **shared, **_fields(self.random, a, b, better))
        return f"{first} {like}{self._new(b, better)}"

    def _new(self, b: str, better: str | None) -> str:
        if self.new_task is None or math.isnan(self.new_task.low):
            return "."
        low, high = signed(self.new_task.low), signed(self.new_task.high)
        if better is None:
            return phrase("one new task", low=low, high=high)
        return phrase("one new task better", low=low, high=high, b=b, chance=chance(self.new_task.better, 2))


def _kind(answer: Answer, better: str | None) -> str:
    return " open" if not answer.decided else "" if better is not None else " differ"


def _fields(answer: Answer, a: str, b: str, better: str | None) -> dict[str, str]:
    winner = b if (answer.low > 0) == (better != "lower") else a
    ends = sorted((abs(answer.low), abs(answer.high)))
    places = decimals_for(answer.low, answer.high)
    low, high = signed(answer.low, places), signed(answer.high, places)
    return {"winner": winner, "other": a if winner == b else b, "low": low, "high": high, "reach": tight(*ends)}
