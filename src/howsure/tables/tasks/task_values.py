"""TaskValues: an estimate, or a difference of two, in each task: its value and its variance through rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.numerics.pooling.random_effects import Pooled
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.tables.sampling.tasks import between_tasks, values_in_tasks
from howsure.tables.tasks.of_tasks import own_design
from howsure.types import Array


@dataclass(frozen=True, eq=False)
class TaskValues:
    """The values of tasks, their variances through rows, and their shares of the mean; nan where one has no value.

    ``random`` says that the tasks are a sample. ``degrees`` are those of the variance through rows of the mean; where
    runs were sampled too, ``floor`` is the variance on these very tasks, rows and runs together.
    """

    names: tuple[str, ...]
    values: Array
    variances: Array
    shares: Array
    rows: Array
    degrees: float = float("inf")
    random: bool = False
    floor: Spread | None = None

    @property
    def told(self) -> Array:
        """Which tasks have a value and count."""
        return np.isfinite(self.values) & (self.shares > 0)

    @property
    def runs_sampled(self) -> bool:
        """Whether runs were sampled too, which the variances through rows do not know."""
        return self.floor is not None

    @cached_property
    def mean(self) -> float:
        """The mean of the values by their shares."""
        told = self.told
        return float(self.shares[told] @ self.values[told]) if told.any() else float("nan")

    @cached_property
    def through_rows(self) -> VariancePart:
        """The variance of the mean if these very tasks are meant: Σ share² · variance."""
        told = self.told
        return VariancePart("rows", float(self.shares[told] ** 2 @ self.variances[told]), self.degrees)

    @cached_property
    def spread(self) -> Spread:
        """The variance of the mean if tasks are a sample: that between tasks, and no less than on these very tasks."""
        between = between_tasks(np.where(self.told, self.values, np.nan), self.shares)
        return Spread((between,), self.floor or self.through_rows)

    @property
    def known(self) -> TaskValues:
        """The tasks that have a value and a variance."""
        kept = self.told & np.isfinite(self.variances)
        share = self.shares[kept] / self.shares[kept].sum() if kept.any() else self.shares[kept]
        names = tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)
        return replace(
            self, names=names, values=self.values[kept], variances=self.variances[kept], shares=share,
            rows=self.rows[kept],
        )  # fmt: skip


def task_values(linear: Linearised, other: Linearised | None = None, floor: Spread | None = None) -> TaskValues | None:
    """Return an estimate in each task, or the difference ``other`` − ``linear``; None where rows are not of tasks.

    The variance of a task is that of its own design: its groups, weights and strata, with n/(n − 1) of independent
    rows. A difference is paired within the task: the influences of the two on the same rows are subtracted.
    """
    sampled = linear.design.tasks
    if sampled is None:
        return None
    (values, shares), influence = values_in_tasks(linear), linear.influence
    if other is not None:
        values, influence = values_in_tasks(other)[0] - values, other.influence - influence
    variances = [
        float("nan") if np.isnan(value) else _variance(linear, influence[rows], rows)
        for value, rows in zip(values, sampled.places, strict=True)
    ]
    rows = np.bincount(sampled.codes, weights=linear.design.counts, minlength=len(values))
    bundled = linear.contents.bundled(linear.metric)
    if other is None and linear.crossing is not None:
        floor = linear.spread
    plain = linear.design.ungrouped and not bundled
    degrees = float("inf") if plain else linear.design.degrees(bundled=bundled)
    return TaskValues(sampled.names, values, np.array(variances), shares, rows, degrees, sampled.random, floor)


def pooled_spread(pooled: Pooled, held: TaskValues) -> Spread:
    """Return the variance of a pooled mean, no less than the rows of the tasks leave at these weights."""
    rows = VariancePart("rows", float(pooled.weights**2 @ held.variances), held.degrees)
    return Spread((VariancePart("tasks", pooled.variance, pooled.degrees),), rows)


def _variance(linear: Linearised, influence: Array, rows: slice) -> float:
    design = own_design(linear.design, rows)
    centred = influence - float(design.weights @ influence) / design.total
    return float(design.covariance(lambda part: centred[part][None], 1)[0, 0]) * design.unbiasing
