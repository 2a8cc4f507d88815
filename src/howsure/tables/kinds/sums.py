"""UnitSums: several sums in each unit: tp, fp, fn of an image, errors and words of an utterance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np

from howsure.errors import InputError, MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Better, Metric
from howsure.metrics.named_sums import is_ratio, quotient, slopes_at, value_at
from howsure.metrics.names import named, one_class
from howsure.results.base import Note
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.unit_moments import RatioMoments, ratio_moments
from howsure.tables.kinds.unit_notes import unit_notes
from howsure.tables.kinds.values import RowValues
from howsure.tables.label_notes import needs_negatives
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints, Undefined

CELLS = ("tp", "fp", "fn")
OF_CELLS = ("precision", "recall", "f1", "per_unit_f1")
UNIT = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class UnitSums(Contents):
    """Sums of each unit (rows × models × sums) by their names; a metric is a smooth function of their totals.

    ``whole`` says that the first sum is part of the second, so that their ratio lies between 0 and 1; ``better`` which
    way a ratio is better, where its name does not say it.
    """

    sums: Array
    names: tuple[str, ...] = ()
    whole: bool = False
    better: Better | None = None

    by_row = ("sums",)
    holds = "several sums each"
    kind_words = "holds sums per unit"

    @property
    def cells(self) -> bool:
        """Whether the sums are true and false positives and false negatives."""
        return set(CELLS) <= set(self.names)

    @property
    def leading(self) -> str:  # type: ignore[override]
        """F1 of counts, else the first sum over the second."""
        return "f1" if self.cells else "/".join(self.names[:2])

    @property
    def usual(self) -> tuple[Metric, ...]:
        """Precision, recall and F1 of counts, also of each unit; else the first sum over the second."""
        if self.cells:
            more = ("accuracy",) if self.negatives else ()
            return tuple(map(named, (*more, *OF_CELLS)))
        if len(self.names) < 2:
            raise MetricError(messages.TABLE_HOLDS_SUM_ALONE_AND_METRIC(names=self.names[0]))
        return (self.fitted(quotient(*self.names[:2])),)

    def saved_fields(self) -> dict[str, Any]:
        """Return what a file says of sums besides their array."""
        names = {"names": self.names, "whole": self.whole, "better": self.better, "negatives": self.negatives}
        return {"kind": "sums", **names}

    def fitted(self, metric: Metric) -> Metric:
        """Return the metric with the range and direction that the sums have; of counts, as a metric of one class."""
        if self.cells and metric.over == "classes" and not metric.per_class and metric.scores is None:
            metric = one_class(metric)
        found = metric if metric.better is not None or self.better is None else replace(metric, better=self.better)
        if self.whole and metric.name.removeprefix("per_unit_") == "/".join(self.names[:2]):
            found = replace(found, range=UNIT)
        return found

    # --- rows

    def pick(self, models: list[int]) -> Self:
        """Return the units with some of the models."""
        return replace(self, sums=self.sums[:, models])

    def keys(self) -> Ints:
        """Return the units as one integer matrix, for finding equal ones."""
        flat = self.sums.reshape(len(self), -1)
        columns = [np.unique(column, return_inverse=True)[1] for column in flat.T]
        return np.stack(columns, axis=1)

    def check_joins(self, other: Contents) -> None:
        """Refuse to add units of another kind, or with other sums."""
        if not isinstance(other, UnitSums):
            return super().check_joins(other)
        if (self.names, self.whole, self.better) != (other.names, other.whole, other.better):
            raise InputError(messages.TABLES_TO_ADD_HOLD_SUMS(names=self.names, other_names=other.names))
        return super().check_joins(other)

    # --- a metric on the units

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a function of the totals; a unit moves it by its sums less the mean sums, times the slopes."""
        metric = self.fitted(metric)
        self._check_fits(metric)
        if metric.over == "row":
            return self._mean_of_units(metric, model, place, design, undefined)
        if design.total == 0:
            nothing = np.full(len(self), np.nan)
            return Linearised(self, design, metric, model, place, undefined, math.nan, scores=nothing)
        mean = design.weights @ self.sums[:, place] / design.total
        value = float(value_at(metric, self.names, mean))
        metric.check_value(value)
        slopes = slopes_at(metric, self.names, mean)
        scores = (self.sums[:, place] - mean) @ np.nan_to_num(slopes)
        scores = np.where(np.isfinite(value) & np.isfinite(slopes).all(), scores, np.nan)
        return Linearised(self, design, metric, model, place, undefined, value, scores=scores)

    def _check_fits(self, metric: Metric) -> None:
        if metric.label is not None or metric.over not in ("class", "row") or metric.per_class:
            raise MetricError(messages.METRIC_IS_ABOUT_LABELS_OF_SEVERAL(metric=metric.name))
        if self.cells and self.lacks(metric):
            raise needs_negatives(metric)

    def lacks(self, metric: Metric) -> bool:
        """Say whether a metric needs true negatives that were not counted."""
        return self.cells and not self.negatives and _needs_tn(metric)

    def of_units(self, metric: Metric, place: int) -> Array:
        """Return a metric of each unit alone; nan where it is 0/0."""
        return value_at(metric, self.names, self.sums[:, place])

    def _mean_of_units(
        self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined
    ) -> Linearised:
        """Return the mean of a metric of each unit: units are then rows with a value."""
        values = np.stack([self.of_units(metric, one) for one in range(self.sums.shape[1])], axis=1)
        if undefined in ("zero", "one"):
            values = np.where(np.isnan(values), float(undefined == "one"), values)
        made = RowValues(values, metric.range, metric.better).linearise(metric, model, place, design, undefined)
        if undefined == "nan" and (np.isnan(values[:, place]) & (design.weights > 0)).any():
            return replace(made, value=math.nan, scores=np.full(len(self), np.nan))
        return made

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the units."""
        means = weights @ self.sums[:, linear.place] / weights.sum(1, keepdims=True)
        return value_at(linear.metric, self.names, means)

    def bundled(self, metric: Metric) -> bool:
        """Always: a unit brings several outcomes."""
        return True

    def moments(self, linear: Linearised, size: float, extra: float) -> RatioMoments | None:
        """Return what is known of a ratio with pseudo-units; None where the metric is no ratio of two sums."""
        bottom, top = linear.metric.range
        if bottom != 0 or not _is_ratio(linear.metric, self.names) or not np.isfinite(linear.value):
            return None
        rates = self.of_units(linear.metric, linear.place)
        held = np.isfinite(rates) & (linear.design.weights > 0)
        worst = top if np.isfinite(top) else float(rates[held].max(initial=linear.value))
        return ratio_moments(linear, size, extra, (bottom, worst), self._without_one(linear))

    def _without_one(self, linear: Linearised) -> Array:
        """Return the metric without each unit, or each group of units, in turn."""
        design, sums = linear.design, self.sums[:, linear.place]
        single = design.weights / np.where(design.counts > 0, design.counts, 1.0)
        out: Array = sums * single[:, None]
        weight: Array = single
        if design.groups is not None:
            _, codes = np.unique(design.groups, return_inverse=True)
            out = np.stack([np.bincount(codes, weights=column * design.weights) for column in sums.T], axis=1)
            weight = np.bincount(codes, weights=design.weights)
        left = (design.weights @ sums - out) / np.where(design.total > weight, design.total - weight, np.nan)[:, None]
        return value_at(linear.metric, self.names, left)

    def rows_of_share(self, linear: Linearised, size: float, z: float) -> float | None:
        """Return r̃(1 − r̃)/V, with z²/4 pseudo-units at each end: outcomes of 0 and 1 that tell as much of a ratio."""
        if linear.metric.range != UNIT or not _is_ratio(linear.metric, self.names):
            return None
        found = self.moments(linear, size, z * z / 4)
        if found is None:
            return size
        centre = (linear.value * size + z * z / 4) / (size + z * z / 2)
        return centre * (1 - centre) / found.variance

    def ratio(self, linear: Linearised, size: float, extra: float = 0.5) -> RatioMoments | None:
        """Return variance and degrees of a ratio from 0 upwards, with half a pseudo-unit at each end, or with none."""
        return None if np.isfinite(linear.metric.range[1]) else self.moments(linear, size, extra)

    def per_error(self, linear: Linearised) -> float:
        """Return how much one more in a sum of every unit moves the metric: of a ratio, one over the mean size."""
        mean = linear.design.weights @ self.sums[:, linear.place] / linear.design.total
        return float(np.nan_to_num(slopes_at(linear.metric, self.names, mean)).max())

    # --- words

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is undefined, few, or made by one unit."""
        return unit_notes(linear, self.sums[:, linear.place], self.of_units(linear.metric, linear.place), self.names)

    def described(self) -> dict[str, Any]:
        """Return what a report says of the data."""
        return dict(super().described()) | {"sums": list(self.names)}

    @cached_property
    def totals(self) -> Array:
        """The sums over all units (models × sums), not weighted."""
        return np.asarray(self.sums.sum(0))


def _needs_tn(metric: Metric) -> bool:
    try:
        return metric.needs_tn
    except (AttributeError, MetricError, TypeError):  # a formula of other sums
        return False


@lru_cache(maxsize=256)
def _is_ratio(metric: Metric, names: tuple[str, ...]) -> bool:
    return is_ratio(metric, names)


def check_names(names: tuple[str, ...]) -> None:
    """Refuse names of sums that the name of a metric could not mention."""
    odd = [name for name in names if not name or set(name) & set("/[]")]
    if odd:
        raise InputError(messages.SUMS_HAS_NAME(odd=odd[0]))
