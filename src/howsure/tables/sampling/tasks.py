"""TaskSampling: the tasks (data sets) that rows come from, their weights, and whether tasks were sampled too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages import tables as messages
from howsure.tables.sampling.rule import GroupSums
from howsure.tables.sampling.spread import VariancePart
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

TASK_CHOICES = ("fixed", "random")


@dataclass(frozen=True, eq=False)
class TaskSampling:
    """The task of each distinct row, the tasks' names, and how much each counts: ``shares`` sum to 1.

    ``scales`` is what the weight of a row of each task was multiplied with, so that the tasks count by their shares.
    ``random`` says that the tasks are a sample of tasks like these; otherwise they are the whole benchmark.
    """

    codes: Ints
    names: tuple[str, ...]
    shares: tuple[float, ...]
    scales: tuple[float, ...]
    random: bool = False

    def __len__(self) -> int:
        return len(self.names)

    @property
    def places(self) -> tuple[slice, ...]:
        """Where the rows of each task stand."""
        ends = np.searchsorted(self.codes, np.arange(len(self) + 1))
        return tuple(slice(int(start), int(end)) for start, end in pairwise(ends))

    def __getitem__(self, rows: Any) -> TaskSampling:
        """Return the tasks of some of the rows."""
        return replace(self, codes=self.codes[rows])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Ints:
        return np.asarray(self.codes, dtype=dtype)

    def covariance(self, sums: Array) -> Array:
        """Return the covariance between tasks, from Σ wφ/W of each task (rows) for each estimate (columns).

        With equal shares it is that of a mean over K tasks, s²/K; with others Bell & McCaffrey's CR2 of a weighted one.
        """
        share = np.asarray(self.shares)[:, None]
        centred = sums - share * sums.sum(0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(centred.T @ (centred / (1 - share)))


def taken(tasks: TaskSampling | None, choice: str) -> TaskSampling:
    """Return the tasks as they are meant: "fixed", these very ones, or a "random" sample of tasks like these."""
    check_choice("tasks", choice, TASK_CHOICES)
    if tasks is None:
        raise InputError(messages.TABLE_HOLDS_NO_TASKS())
    if choice == "random" and len(tasks) < 2:
        raise InputError(messages.TASKS_IS_RANDOM(names=tasks.names[0]))
    return replace(tasks, random=choice == "random")


def values_in_tasks(linear: Linearised) -> tuple[Array, Array]:
    """Return the value of an estimate in each task, the mean over its runs, and the share of each task."""
    held = [one.details for one in linear.runs or (linear,)]
    return np.mean([one["values"] for one in held], axis=0), np.asarray(held[0]["shares"])


def between_tasks(values: Array, shares: Array) -> VariancePart:
    """Return the variance that a weighted mean of the values of tasks has because the tasks were sampled.

    With equal shares s²/K on K − 1 degrees of freedom; with others Bell & McCaffrey's CR2 and their degrees. The values
    of tasks hold the error of their rows already. Tasks without a value are left out; of one alone nothing is known.
    """
    told = np.isfinite(values)
    if told.sum() < 2:
        return VariancePart("tasks", float("nan"), float("nan"))
    share = shares[told] / shares[told].sum()
    moved = share * (values[told] - share @ values[told])
    sums = GroupSums(moved, share, lambda one: np.asarray(one).sum(keepdims=True))
    return VariancePart("tasks", float(sums.variances()[0]), round(float(sums.degrees()[0]), 9))
