"""RowValues: one number for each model in each row: a rubric, a share of right answers, a loss."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from howsure.errors import InputError, MetricError, setting
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Better, Metric
from howsure.metrics.named_sums import MEAN, slopes_at, value_at
from howsure.results.base import Note
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.design_notes import more_in_each_group, plain_notes
from howsure.tables.kinds.unit_notes import mean_notes
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.effect import Relabelled
from howsure.types import Array, Ints, Undefined

NAMES = ("mean",)
UNBOUNDED = Note(
    "no range with two ends was given for the values, so the interval is Student's t, which knows nothing of values "
    f"that did not occur; give {setting('range')} if it is known, such as (0, 1)",
    "no range",
)


@dataclass(frozen=True, eq=False)
class RowValues(Contents):
    """One number for each model in each row, all within ``range``; ``better`` says which way is better.

    A metric is the mean, or a smooth function of it. A value that is nan belongs to a row that does not count.
    """

    values: Array
    range: tuple[float, float] = (-math.inf, math.inf)
    better: Better | None = "higher"

    by_row = ("values",)
    holds = "one number each"
    kind_words = "holds row values"
    leading = "mean"
    stratifies = True

    @property
    def usual(self) -> tuple[Metric, ...]:
        """The mean."""
        return (self.fitted(MEAN),)

    def fitted(self, metric: Metric) -> Metric:
        """Return the metric with the range and the direction of the values, where it is their mean."""
        if metric.over == "row":
            self._check_fits(metric)
        if metric.formula is not MEAN.formula:
            return metric
        return replace(metric, range=self.range, better=self.better)

    def saved_fields(self) -> dict[str, Any]:
        """Return what a file says of values besides their array."""
        return {"kind": "values", "range": self.range, "better": self.better}

    # --- rows

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, values=self.values[:, models])

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        columns = [np.unique(column, return_inverse=True)[1] for column in self.values.T]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self), 0), dtype=np.int64)

    def check_joins(self, other: Contents) -> None:
        """Refuse to add rows of another kind, or of another range."""
        super().check_joins(other)
        assert isinstance(other, RowValues)
        if (self.range, self.better) != (other.range, other.better):
            raise InputError(
                messages.TABLES_TO_ADD_HOLD_VALUES(
                    range=self.range, other_range=other.range, better=self.better, other_better=other.better
                )
            )

    # --- a metric on the rows

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return the mean, or a function of it; a row moves the mean by how far it lies from it."""
        if not self.mean_of_rows(metric):
            self._check_fits(metric)
        metric = metric if metric.over == "row" else self.fitted(metric)
        column = self.values[:, place]
        told = ~np.isnan(column)
        weights = design.weights * told
        total = float(weights.sum())
        if total == 0:
            nothing = np.full(len(column), np.nan)
            return Linearised(self, design, metric, model, place, undefined, math.nan, scores=nothing)
        filled = np.where(told, column, 0.0)
        mean = float(weights @ filled) / total
        value, slope = mean, 1.0
        if not self.mean_of_rows(metric):
            held = np.array([mean])
            value, slope = float(value_at(metric, NAMES, held)), float(slopes_at(metric, NAMES, held)[0])
        metric.check_value(value)
        scores = slope * (filled - mean) * told * (design.total / total)
        at = {"mean": mean, "slope": slope}
        return Linearised(self, design, metric, model, place, undefined, value, scores=scores, details=at)

    def _check_fits(self, metric: Metric) -> None:
        if metric.label is not None or metric.over not in ("class", "values"):
            raise MetricError(messages.METRIC_IS_ABOUT_LABELS_AND_ROWS(metric=metric.name))

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows."""
        column = self.values[:, linear.place]
        told = ~np.isnan(column)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = weights @ np.where(told, column, 0.0) / (weights @ told.astype(float))
        if self.mean_of_rows(linear.metric):
            return np.asarray(means)
        return value_at(linear.metric, NAMES, means[..., None])

    def influences_at(self, linear: Linearised, weights: Array) -> Array | None:
        """Return the influence of each row, not centred, at many weightings; of the mean alone."""
        if not self.mean_of_rows(linear.metric) or np.isnan(self.values[:, linear.place]).any():
            return None
        return np.broadcast_to(self.values[:, linear.place], weights.shape)

    def mean_of_rows(self, metric: Metric) -> bool:
        """Say whether a metric is the plain mean of a number of each row."""
        return metric.formula is MEAN.formula or metric.over == "row"

    def rows_that_count(self, linear: Linearised) -> tuple[Array, Array] | None:
        """Return the values as shares of their range and how often each occurred, of independent rows alone."""
        bottom, top = linear.metric.range
        if not (self.mean_of_rows(linear.metric) and np.isfinite(top - bottom) and linear.design.independent):
            return None
        column = self.values[:, linear.place]
        told = ~np.isnan(column)
        return (column[told] - bottom) / (top - bottom), linear.design.counts[told]

    def pseudo_rows(self, linear: Linearised) -> tuple[Contents, Array] | None:
        """Return a row at each end of the range, a quarter of each for z = 1; none where the range has no two ends."""
        bottom, top = linear.metric.range
        if not (self.mean_of_rows(linear.metric) and np.isfinite(top - bottom)):
            return None
        ends = np.repeat(np.array([[bottom], [top]]), self.values.shape[1], axis=1)
        return replace(self, values=ends), np.full(2, 0.25)

    def rows_of_share(self, linear: Linearised, size: float, z: float) -> float | None:
        """Return n · m̃(1 − m̃)/ṽ, mean and variance with z²/4 rows at each end of the range: never less than n.

        A value between the ends tells more of a mean than an outcome of 0 or 1 does. For values that are all 0 or 1 it
        is n itself, and Wilson's interval is that of a share. The added rows stand for values that did not occur.
        """
        if np.isnan(linear.value):
            return size if self.pseudo_rows(linear) is not None else None
        found = self.smoothed(linear, size, z)
        if found is None:
            return None
        bottom, top = linear.metric.range
        share = (float(found.value) - bottom) / (top - bottom)
        spread = float(found.variance * found.weights.sum()) / (top - bottom) ** 2
        return size * max(share * (1 - share) / spread, 1.0)

    def relabelled(self, linear: Linearised) -> Relabelled | None:
        """Return how a row would move the mean at either end of the range: what rows that were not seen may do."""
        bottom, top = linear.metric.range
        if not (self.mean_of_rows(linear.metric) and np.isfinite(top - bottom) and np.isfinite(linear.value)):
            return super().relabelled(linear)
        away = np.array([bottom, top]) - linear.value
        ones = np.ones(len(self))
        return Relabelled(ones, ones * away.mean(), ones * np.square(away).mean())

    # --- words

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is undefined, and what a missing range means."""
        if linear.metric.over == "row":
            return mean_notes(linear, self.values[:, linear.place])
        found = plain_notes(linear)
        if self.mean_of_rows(linear.metric) and not np.isfinite(np.subtract(*linear.metric.range)):
            found = (*found, UNBOUNDED)
        return (*found, *more_in_each_group(linear))

    def described(self) -> dict[str, Any]:
        """Return what a report says of the data."""
        return dict(super().described()) | {"range": list(self.range), "better": self.better}

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest value that occur."""
        return float(np.nanmin(self.values)), float(np.nanmax(self.values))
