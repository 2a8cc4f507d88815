"""TaskValues: an estimate, or a difference of two, in each task: its value and its variance through rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.pooling.random_effects import Pooled
from howsure.tables.kinds.tasks import OfTasks, own_design
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.tables.sampling.tasks import between_tasks
from howsure.types import Array


@dataclass(frozen=True, eq=False)
class TaskValues:
    """The values of tasks, their variances through rows, and their shares of the mean; nan where one has no value.

    ``random`` says that the tasks are a sample. ``degrees`` are those of the variance through rows of the mean.
    """

    names: tuple[str, ...]
    values: Array
    variances: Array
    shares: Array
    rows: Array
    degrees: float = float("inf")
    random: bool = False

    @property
    def told(self) -> Array:
        """Which tasks have a value and count."""
        return np.isfinite(self.values) & (self.shares > 0)

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
        """The variance of the mean if tasks are a sample: that between tasks, and no less than that of the rows."""
        return Spread((between_tasks(np.where(self.told, self.values, np.nan), self.shares),), self.through_rows)

    @property
    def known(self) -> TaskValues:
        """The tasks that have a value and a variance."""
        kept = self.told & np.isfinite(self.variances)
        share = self.shares[kept] / self.shares[kept].sum() if kept.any() else self.shares[kept]
        names = tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)
        return TaskValues(
            names, self.values[kept], self.variances[kept], share, self.rows[kept], self.degrees, self.random
        )


def task_values(linear: Linearised, other: Linearised | None = None) -> TaskValues | None:
    """Return an estimate in each task, or the difference ``other`` − ``linear``; None where rows are not of tasks.

    The variance of a task is that of its own design: its groups, weights and strata, with n/(n − 1) of independent
    rows. A difference is paired within the task: the influences of the two on the same rows are subtracted.
    """
    sampled, contents = linear.design.tasks, linear.contents
    if sampled is None or not isinstance(contents, OfTasks):
        return None
    values, influence, shares = linear.details["values"], linear.influence, linear.details["shares"]
    if other is not None:
        values, influence = other.details["values"] - values, other.influence - influence
    variances = [
        float("nan") if np.isnan(value) else _variance(linear, influence[rows], rows)
        for value, rows in zip(values, contents.places, strict=True)
    ]
    rows = np.bincount(contents.codes, weights=linear.design.counts, minlength=len(values))
    bundled = contents.bundled(linear.metric)
    plain = linear.design.ungrouped and not bundled
    degrees = float("inf") if plain else linear.design.degrees(bundled=bundled)
    return TaskValues(sampled.names, values, np.array(variances), shares, rows, degrees, sampled.random)


def pooled_spread(pooled: Pooled, held: TaskValues) -> Spread:
    """Return the variance of a pooled mean, no less than the rows of the tasks leave at these weights."""
    rows = VariancePart("rows", float(pooled.weights**2 @ held.variances), held.degrees)
    return Spread((VariancePart("tasks", pooled.variance, pooled.degrees),), rows)


def _variance(linear: Linearised, influence: Array, rows: slice) -> float:
    design = own_design(linear.design, rows)
    centred = influence - float(design.weights @ influence) / design.total
    return float(design.covariance(lambda part: centred[part][None], 1)[0, 0]) * design.unbiasing
