"""Linearised: one metric of one model on a table: its value, and how each row moves it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named, of_class
from howsure.results.base import Note
from howsure.results.words import metric_words
from howsure.tables.cell_view import CellView
from howsure.tables.design import Design
from howsure.tables.sampling.crossed import Crossing
from howsure.tables.sampling.effect import DesignEffect
from howsure.tables.sampling.rule import ROUNDING
from howsure.tables.sampling.runs import CrossedFactor
from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.tables.sampling.tasks import between_tasks, values_in_tasks
from howsure.types import Array, Undefined

if TYPE_CHECKING:
    from howsure.tables.contents import Contents
    from howsure.tables.table import Table


@dataclass(frozen=True, eq=False)
class Linearised:
    """One estimate and how each row of its table moves it.

    ``place`` is the model's place among those of the contents. ``scores`` is the influence of each row where it does
    not follow from cells; ``view`` the cells where there are any; ``details`` what only this kind of data knows.
    ``textbook`` asks for the linearised variance without what the design effect adds; ``told`` is another design effect
    than its own, that of a difference of which it is a part. ``runs`` are the estimates whose
    mean this one is, each of one run (a seed, a prompt, a reader) on the same rows; ``factor`` says how they were
    sampled.
    """

    contents: Contents
    design: Design
    metric: Metric
    model: str
    place: int
    undefined: Undefined
    value: float
    view: CellView | None = None
    scores: Array | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    textbook: bool = False
    told: DesignEffect | None = None
    runs: tuple[Linearised, ...] = ()
    factor: CrossedFactor | None = None

    @property
    def said(self) -> str:
        """The metric's name as people write it."""
        return metric_words(self.metric.name)

    @property
    def sampled(self) -> str:
        """What was sampled, in words."""
        return self.design.sampled(self.contents.unit)

    @property
    def fraction(self) -> tuple[float, float] | None:
        """Numerator and denominator, where the metric is a share of whole rows."""
        return self.contents.fraction(self)

    @property
    def n(self) -> float:
        """Number of rows."""
        return self.design.n

    @property
    def counted(self) -> float:
        """The share of rows that the metric counts where it is a share of cells, as F1 counts tp, fp and fn; else 1."""
        if self.runs:
            return float(np.mean([run.counted for run in self.runs]))
        share, view = self.metric.share, self.view
        if share is None or view is None or not view.whole:
            return float(self.details.get("counted", 1.0))
        return float(view.cells.counted((*share.success, *share.failure)))

    @property
    def seen(self) -> CellView:
        """The cells, for those who have made sure that there are any."""
        assert self.view is not None
        return self.view

    @cached_property
    def influence(self) -> Array:
        """Influence of each distinct row (weighted mean zero)."""
        return self.influence_of(slice(None))

    def influence_of(self, part: slice) -> Array:
        """Influence of some of the rows: a block at a time keeps memory bounded."""
        return self.contents.influence(self, part, self.design, self.place)

    @property
    def scale(self) -> float:
        """The size of a change of the value that is no rounding: its range, or the value itself."""
        width = self.metric.range[1] - self.metric.range[0]
        return max(abs(self.value) if np.isfinite(self.value) else 0.0, width if np.isfinite(width) else 0.0)

    @property
    def _plain(self) -> bool:
        """Whether rows are independent, count alike, and hold one label each."""
        return self.design.independent and not self.contents.several

    @property
    def linearised(self) -> bool:
        """Whether the variance is the linearised one: of plain rows it always is."""
        return self.textbook or self._plain

    def as_textbook(self) -> Linearised:
        """Return the same estimate with the linearised variance of textbooks (R's survey) and its degrees of freedom.

        It sees no error that did not occur: on heavy rows, in a stratum, among few groups.
        """
        return self if self.linearised else replace(self, textbook=True)

    @cached_property
    def _effect(self) -> DesignEffect:
        return self.design.effect(self) if self.told is None else self.told

    def as_part(self, times: float, degrees: float) -> Linearised:
        """Return the estimate with a multiple of its design effect, and other degrees of freedom."""
        own = self._effect
        return replace(self, told=own._replace(factor=own.factor * times, degrees=degrees))

    def within(self, whole: DesignEffect) -> Linearised:
        """Return the estimate as a part of something that has another design effect."""
        return self.as_part(whole.factor / self._effect.factor, whole.degrees)

    @cached_property
    def spread(self) -> Spread:
        """The variance of the value by what was sampled, with degrees of freedom."""
        if self.design.tasks_sampled:
            these = with_design(self, replace(self.design, tasks=None))
            return Spread((between_tasks(*values_in_tasks(self)),), these.spread if self.runs else these.through_rows)
        if self.crossing is None:
            return Spread((self.through_rows, *(() if self.linearised else self._further)))
        rows, scale = self.through_rows, np.array([self.row_scale])
        return self.crossing.scaled(scale).spread(np.ones(1), np.array([[rows.variance]]), rows.degrees)

    @cached_property
    def through_rows(self) -> VariancePart:
        """The variance through rows (or groups of them) alone, as if nothing else had been sampled."""
        if self.linearised:
            return VariancePart("rows", self.linearised_variance, self._linearised_degrees)
        effect = self._effect
        degrees = min(effect.degrees, self._linearised_degrees) if self.design.ungrouped else effect.degrees
        return VariancePart("rows", effect.base * effect.factor, degrees)

    @property
    def crossing(self) -> Crossing | None:
        """The runs behind the estimate, where more than one was sampled."""
        if len(self.runs) < 2 or self.factor is None or not self.factor.random or self.design.tasks_sampled:
            return None
        return self._crossing

    @cached_property
    def _crossing(self) -> Crossing:
        within = np.array([[sum(run.linearised_variance for run in self.runs)]])
        return Crossing((np.array([run.value for run in self.runs]),), within, (0,))

    @property
    def row_scale(self) -> float:
        """How many times its linearised standard error through rows the estimate has."""
        own = self.linearised_variance
        return math.sqrt(self.through_rows.variance / own) if own > 0 else 1.0

    @property
    def _further(self) -> tuple[VariancePart, ...]:
        parts = self.design.further(lambda part: self.influence_of(part)[None], 1)
        return tuple(VariancePart(part.name, float(part.covariance[0, 0]), part.degrees) for part in parts)

    @cached_property
    def variance(self) -> float:
        """Variance of the value: that of independent rows times the design effect."""
        return float(self.spread.variance)

    @cached_property
    def still(self) -> bool:
        """Whether no row moves the value, but for rounding: a perfect score, say."""
        return bool(self.n and self.variance * self.n <= ROUNDING * self.scale**2)

    @cached_property
    def linearised_variance(self) -> float:
        """The linearised variance through rows: the mean square of the influence."""
        if self.n and self._plain and self.view is not None and self.view.tells_rows and self.view.smooth:
            return self.independent_variance  # the same sum, over a few cells instead of all rows
        return float(self.contents.covariance([self], self.design, [self.place])[0, 0])

    @property
    def _linearised_degrees(self) -> float:
        return self.design.degrees(bundled=self.contents.bundled(self.metric))

    @cached_property
    def independent_variance(self) -> float:
        """Variance if the cells came from n independent, equally weighted rows: what a design effect compares with."""
        if self.view is not None and self.view.tells_rows:
            return self.view.spread / self.n
        share = self.design.weights / self.design.total
        return float(share @ self.influence**2 / self.n)

    @property
    def design_effect(self) -> float:
        """variance / independent variance; 1 for plain rows. Where both are zero, what the design alone says."""
        return 1.0 if self._plain else self._ratio_of_variances

    @cached_property
    def _ratio_of_variances(self) -> float:
        base, through_rows = self.independent_variance, self.through_rows.variance if self.runs else self.variance
        if base * self.n > ROUNDING * self.scale**2 and (self.textbook or not self.still):
            return through_rows / base
        return float("nan") if self.textbook else self._effect.factor

    @property
    def effective_n(self) -> float:
        """Effective sample size: the number of independent rows that would give the same variance."""
        return float(self.n) if self._plain else self._worth_in_rows

    @cached_property
    def _worth_in_rows(self) -> float:
        if self.design.n_groups == 1:
            return 1.0
        effect = self.design_effect
        if np.isfinite(effect) and effect > 0:
            return float(self.n / effect)
        return float(self.n / self._effect.factor) if self.n else float("nan")

    @property
    def matrix(self) -> Array | None:
        """The confusion matrix of as many rows as the data are worth, truth in rows; None where there is none."""
        return None if self.view is None else self.view.counts(float(self.effective_n))

    @property
    def unbiasing(self) -> float:
        """What an unbiased variance has more; 1 where the covariance of the contents has it already."""
        return 1.0 if self.contents.unbiased(self.metric) else self.design.unbiasing

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the variance; of the linearised one without computing it."""
        if self.linearised and self.crossing is None and not self.design.tasks_sampled:
            return self._linearised_degrees
        return self.spread.degrees

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What belongs to the estimate whatever the interval method: on what rows hold, on how they were sampled."""
        return (*self.contents.notes(self), *self.design.notes(self))

    @cached_property
    def moving_rows(self) -> float:
        """How many independent rows carry the estimate.

        For a share or a Tversky index: the rows that it counts (influence not 0). Otherwise the participation number
        (Σ φ²)² / Σ φ⁴: a rare class that carries an average leaves few. Groups and weights as in the effective size.
        """
        influence, share = np.nan_to_num(self.influence), self.design.weights / self.design.weights.sum()
        if self.metric.share is not None or self.metric.tversky is not None:
            moving = float(share[np.abs(influence) > 1e-12 * np.abs(influence).max(initial=0.0)].sum())
        else:
            fourth = float(share @ influence**4)
            moving = float(share @ influence**2) ** 2 / fourth if fourth > 0 else 0.0
        return self.effective_n * (moving or 1.0)


def with_design(linear: Linearised, design: Design) -> Linearised:
    """Return an estimate on the same rows, sampled in another way; its runs too."""
    runs = tuple(replace(run, design=design) for run in linear.runs)
    return replace(linear, design=design, runs=runs)


def of_each_class(linear: Linearised, bases: Sequence[Metric]) -> list[Linearised]:
    """Return metrics of each class that an average looks at: the first of all classes, then the next."""
    chosen = [of_class(base, label) for base in bases for label in linear.seen.labels_in_view]
    contents, design, undefined = linear.contents, linear.design, linear.undefined
    found = [contents.linearise(one, linear.model, linear.place, design, undefined) for one in chosen]
    if linear.told is None:
        return found
    times = linear.told.factor / replace(linear, told=None).design_effect
    return [one.as_part(times, linear.told.degrees) for one in found]


def metric_on(table: Table, metric: MetricLike) -> Metric:
    """Return the metric of a name as the rows of a table have it."""
    return table.contents.fitted(named(metric))


def check_one_scale(first: Linearised, second: Linearised) -> None:
    """Refuse two sides on which a name means two things: another range of values, or another positive class."""
    one, other = first.metric, second.metric
    if (one.range, one.better) != (other.range, other.better):
        ends = [f"{metric.range[0]:g} to {metric.range[1]:g}, better when {metric.better}" for metric in (one, other)]
        raise InputError(
            messages.OF_GOES_VALUES_OF_TWO_TEST(
                one=one.name, model=first.model, ends=ends[0], other_model=second.model, other_ends=ends[1]
            )
        )
    classes = [side.contents.pos_label for side in (first, second)]
    if one.over == "class" and one.label is None and None not in classes and classes[0] != classes[1]:
        raise InputError(
            messages.POSITIVE_CLASS_ABOUT(
                classes=classes[0], model=first.model, other_classes=classes[1], other_model=second.model, one=one.name
            )
        )
