"""Scores: the true class and a score per model in each row, or a score for each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from howsure.errors import InputError, MetricError, quoted, setting
from howsure.errors.messages import tables as messages
from howsure.metrics.gradient import STEP
from howsure.metrics.metric import Label, Metric, find_label
from howsure.metrics.names import named
from howsure.metrics.null_variance import positive_null
from howsure.metrics.scoring import Cut, Found, ScoreInfluence, ScoreRows, UnderNull, Worth, in_blocks
from howsure.metrics.thresholds import found_at_best, found_at_bound, found_at_coverage, values_at_cut
from howsure.results.base import Note
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.score_notes import score_notes
from howsure.tables.kinds.score_worth import (
    BY_LEVEL,
    is_ranked,
    plain_levels,
    variance_of_levels,
    worth_of_levels,
    worth_of_rows,
)
from howsure.tables.label_notes import balanced_note
from howsure.tables.labels import Labels
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints, Undefined

Thresholds = float | str | Mapping[str, float]
SUMS_TO = 1e-3  # how far a row of class probabilities may be from 1


@dataclass(frozen=True, eq=False)
class Scored(Contents):
    """The true class of each row, as a place among the labels, and scores (rows, models) or (rows, models, classes).

    ``threshold`` is what a metric of labels is taken at when it names none: a number for each model, or "argmax".
    ``numbered`` says that rows stand in the order in which they came.
    """

    truth: Ints
    scores: Array
    threshold: tuple[float, ...] | str | None = None
    numbered: bool = False

    by_row = ("truth", "scores")
    holds = "scores"
    kind_words = "holds scores"
    manner = ", scores"
    stratifies = True

    @property
    def each(self) -> bool:
        """Whether there is a score for each class."""
        return self.scores.ndim == 3

    @property
    def usual(self) -> str:
        """Which metrics people report: of ranks alone, of probabilities, of several classes; label ones if cut."""
        if self.each:
            return "scores of classes"
        return "scores" if self._probable else "ranks"

    @property
    def leading(self) -> str:  # type: ignore[override]
        """The area under the ROC curve."""
        return "macro_auc" if self.each else "auc"

    @property
    def curves(self) -> tuple[str, ...]:
        """Which curves a page draws: of several classes those of the most probable one."""
        if self.each:
            return ("reliability", "risk_coverage")
        return ("roc", "precision_recall", "f1", *(("reliability",) if self._probable else ()))

    @cached_property
    def _probable(self) -> bool:
        """Whether all scores could be probabilities."""
        return bool(len(self) == 0 or (self.scores.min() >= 0 and self.scores.max() <= 1))

    # --- rows

    def take(self, rows: Any) -> Self:
        """Return some of the rows."""
        return replace(super().take(rows), numbered=False)

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        kept = self.threshold
        if isinstance(kept, tuple):
            kept = tuple(kept[place] for place in models)
        return replace(self, scores=self.scores[:, models], threshold=kept)

    def picked(self, models: list[int], design: Design) -> tuple[Contents, Design]:
        """Return the rows with some of the models; few are equal, so none are sought."""
        return self.pick(models), design

    def keys(self) -> Ints:
        """Return the rows as one integer matrix: scores by their rank."""
        flat = self.scores.reshape(len(self), -1)
        ranks = [np.unique(column, return_inverse=True)[1] for column in flat.T]
        return np.column_stack([self.truth, *ranks])

    def joined(self, other: Self) -> Self:
        """Return the rows of both, one after the other."""
        return replace(super().joined(other), numbered=False)

    def check_joins(self, other: Contents) -> None:
        """Refuse to add rows of another kind, or cut at other thresholds."""
        super().check_joins(other)
        assert isinstance(other, Scored)
        if self.threshold != other.threshold:
            raise InputError(
                messages.TABLES_TO_ADD_HAVE_DIFFERENT_THRESHOLDS(
                    threshold=self.threshold, other_threshold=other.threshold
                )
            )

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with every label code c replaced by codes[c]."""
        if self.each:
            if sorted(codes) != list(range(len(labels))):
                raise InputError(messages.LABELS_TABLE_HOLDS_SCORE_FOR_EACH(labels=quoted(self.labels)))
            return replace(self, truth=codes[self.truth], scores=self.scores[:, :, np.argsort(codes)], labels=labels)
        return replace(self, truth=codes[self.truth], labels=labels)

    def sizes(self) -> dict[str, float]:
        """Return the number of labels."""
        return {"label": len(self.labels)}

    def described(self) -> Mapping[str, Any]:
        """Return what a report says of the data besides rows, labels, models, groups and weights."""
        return {**super().described(), "scores": True, "threshold": self.threshold}

    def saved_fields(self) -> dict[str, Any]:
        """Return what a file says of scores besides their arrays."""
        return {"kind": "scores", "threshold": self.threshold}

    # --- from scores to labels

    def labels_at(self, thresholds: Sequence[float] | str) -> Labels:
        """Return the labels of the same rows: positive from a threshold on, or the class with the highest score."""
        if isinstance(thresholds, str):
            if not self.each:
                raise InputError.of("threshold", thresholds, messages.WITH_ONE_SCORE_ROW())
            predictions = self.scores.argmax(2)
        elif self.each:
            raise InputError(messages.THRESHOLD_IS_NUMBER_AND_TABLE_HOLDS(number=len(self.labels)))
        else:
            positive = self.positive_place
            above = self.scores >= np.asarray(thresholds, dtype=float)
            predictions = np.where(above, positive, 1 - positive)
        shared = {name: getattr(self, name) for name in ("labels", "pos_label", "ordered", "implied")}
        small = np.min_scalar_type(len(self.labels))
        return Labels(self.truth.astype(small), predictions.astype(small), **shared)

    @property
    def positive_place(self) -> int:
        """The place of the positive class of two."""
        return find_label(self.pos_label, self.labels, argument="pos_label")

    @cached_property
    def _cut(self) -> dict[Any, Labels]:
        return {}

    def _labels(self, cut: Cut, metric: Metric) -> Labels:
        """Return the labels at a cut, made once for all metrics."""
        if cut.kind == "argmax":
            key: Any = "argmax"
        elif np.isnan(cut.value):
            if self.threshold is None:
                raise MetricError(
                    f"metric {metric.name!r} is about labels, and this table holds scores; say the threshold "
                    f"('{metric.name}@0.5'), or once for the table: {setting('threshold')}"
                    + ("; with several classes 'argmax' is one" if self.each else "")
                )
            key = self.threshold
        else:
            key = (cut.value,) * self.scores.shape[1]
        if key not in self._cut:
            self._cut[key] = self.labels_at(key)
        return self._cut[key]

    # --- a metric on the rows

    @cached_property
    def _rows(self) -> dict[Any, ScoreRows]:
        return {}

    def scored(self, place: int, label: Label | None = None) -> ScoreRows:
        """Return the rows of one model; sorted once for all metrics. ``label``: that class against the rest."""
        key = (place, label)
        if key not in self._rows:
            self._rows[key] = self._made(place, label)
        return self._rows[key]

    def _made(self, place: int, label: Label | None) -> ScoreRows:
        if self.each:
            rows = ScoreRows(self.truth, self.scores[:, place])
            return rows if label is None else rows.of_class(find_label(label, self.labels, argument="label"))
        positive = self.positive_place
        if label is not None and find_label(label, self.labels, argument="label") != positive:
            raise MetricError(messages.SCORES_ARE_OF_POSITIVE_CLASS(pos_label=self.pos_label, label=label))
        return ScoreRows((self.truth == positive).astype(np.int8), np.ascontiguousarray(self.scores[:, place]))

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model: of the scores themselves, or of the labels that a cut makes of them."""
        if metric.scoring is None and (metric.cut is None or metric.cut.kind in ("threshold", "argmax")):
            return self._of_labels(metric, model, place, design, undefined)
        if metric.scoring is not None and metric.scoring.parts:
            return self._combined(metric, model, place, design, undefined)
        metric = self.fitted(metric)
        self._check_fits(metric)
        rows = self.scored(place, metric.label)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self._found(metric, rows, design) if len(self) else Found(np.nan, np.zeros(0))
        levels = None if isinstance(found.moved, np.ndarray) else found.moved
        details = found.details if levels is None else {**found.details, BY_LEVEL: levels}
        moved = found.influence if levels is None else None
        return Linearised(self, design, metric, model, place, undefined, found.value, scores=moved, details=details)

    def _found(self, metric: Metric, rows: ScoreRows, design: Design) -> Found:
        if metric.scoring is not None:
            return metric.scoring.find(rows, design.weights)
        assert metric.cut is not None
        if metric.cut.kind == "best":
            return found_at_best(metric, rows, design.weights)
        if metric.cut.kind == "coverage":
            return found_at_coverage(metric, rows, design.weights)
        return found_at_bound(metric, rows, design.weights)

    def _of_labels(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        cut = metric.cut or Cut("threshold")
        held = self._labels(cut, metric)
        made = held.linearise(replace(metric, cut=None), model, place, design, undefined)
        at = None if self.each else cut.value
        if at is not None and np.isnan(at) and isinstance(self.threshold, tuple):
            at = self.threshold[place]
        return replace(made, metric=metric, details={} if at is None else {"threshold": at})

    def _combined(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a smooth function of other metrics: its slopes by complex step, its influences by the chain rule."""
        assert metric.scoring is not None
        parts = [self.linearise(part, model, place, design, undefined) for part in map(named, metric.scoring.parts)]
        values = np.array([part.value for part in parts])
        moved = values + 1j * STEP * np.eye(len(parts))
        value = float(np.real(metric.formula(*values)))
        slopes = [float(np.imag(metric.formula(*row))) / STEP for row in moved]
        metric.check_value(value)
        influence = sum(slope * part.influence for slope, part in zip(slopes, parts, strict=True))
        return Linearised(
            self, design, metric, model, place, undefined, value, scores=np.asarray(influence), details={"parts": parts}
        )

    def fitted(self, metric: Metric) -> Metric:
        """Return the metric with the range that it has here: Brier's score of several classes reaches 2."""
        several = self.each and metric.label is None
        return (
            replace(metric, range=metric.scoring.wide) if several and metric.scoring and metric.scoring.wide else metric
        )

    def _check_fits(self, metric: Metric) -> None:
        """Refuse a metric that these scores cannot serve."""
        scoring = metric.scoring
        several = self.each and metric.label is None
        if scoring is None:
            if self.each and metric.cut is not None and metric.cut.kind != "coverage":
                raise MetricError(
                    messages.METRIC_CUTS_ONE_SCORE_AND_TABLE(
                        metric=metric.name, partition=metric.name.partition("@")[0]
                    )
                )
            return
        if several and scoring.classes == "two":
            raise MetricError(
                messages.METRIC_IS_ABOUT_ONE_CLASS(
                    metric=metric.name, labels=quoted(self.labels), other_labels=self.labels[-1]
                )
            )
        if not several and scoring.classes == "several":
            raise MetricError(messages.METRIC_NEEDS_SCORE_FOR_EACH_CLASS(metric=metric.name))
        if scoring.probabilities and not self._probable:
            worst = self.scores.min() if self.scores.min() < 0 else self.scores.max()
            raise MetricError(messages.METRIC_NEEDS_PROBABILITIES_BETWEEN_0(metric=metric.name, worst=worst))

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows on an estimate."""
        levels: ScoreInfluence | None = linear.details.get(BY_LEVEL)
        return super().influence(linear, part, design, place) if levels is None else levels.of_rows[part]

    def covariance(self, linears: Sequence[Linearised], design: Design, places: Sequence[int]) -> Array:
        """Return the covariance of estimates; one that depends on score and class alone has its sum over the levels."""
        levels = plain_levels(linears[0], design) if len(linears) == 1 else None
        if levels is None:
            return super().covariance(linears, design, places)
        return np.array([[variance_of_levels(levels, design, ranked=is_ranked(linears[0].metric))]])

    def counted(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows, of scores and of labels made of them alike.

        That of a rank metric is multiplied by √(n_h/(n_h − 1)) of its row's class, where rows are independent: so that
        the variance of AUC is DeLong's.
        """
        moved = linear.influence_of(part)
        return moved * self._factor(design)[part] if is_ranked(linear.metric) and design.row_by_row else moved

    def _factor(self, design: Design) -> Array:
        """Return √(n_h/(n_h − 1)) of the class of each row; nan where a class has one row."""
        rows = np.bincount(self.truth, weights=design.counts, minlength=len(self.labels))
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.where(rows > 1, np.sqrt(rows / (rows - 1)), np.nan)
        return np.asarray(each[self.truth])

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows; thresholds that were chosen are chosen anew."""
        metric = linear.metric
        with np.errstate(invalid="ignore", divide="ignore"):
            if metric.scoring is not None and metric.scoring.parts:
                parts = [part.contents.values_at(part, weights) for part in linear.details["parts"]]
                return np.asarray(metric.formula(*parts), dtype=float)
            rows = self.scored(linear.place, metric.label)
            if metric.scoring is not None:
                return metric.scoring.at_each(rows, weights)
            return values_at_cut(metric, rows, weights)

    # --- what rows are worth

    def under_null(self, linear: Linearised) -> UnderNull | None:
        """Return the variance that the estimate would have at another value, where a score interval is known."""
        scoring, counted = linear.metric.scoring, linear.details.get("counted")
        null = positive_null if scoring is None else scoring.null
        if null is None or (scoring is None and counted is None):
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            return null(self.worth(linear, None if counted is None else np.asarray(counted)))

    def worth(self, linear: Linearised, first: Array | None = None) -> Worth:
        """Return the numbers of positives and negatives; of several classes the smallest and the rest."""
        design, label = linear.design, linear.metric.label
        levels = plain_levels(linear, design) if first is None else None
        if levels is not None:
            return worth_of_levels(linear, levels)
        if first is None and self.each and label is None:
            first = self.truth == self.support(design.weights).argmin()
        elif first is None:
            first = self.truth == (
                self.positive_place if label is None else find_label(label, self.labels, argument="label")
            )
        return worth_of_rows(linear, first)

    def mean_of_rows(self, metric: Metric) -> bool:
        """Say whether a metric is a mean over rows on a plain scale; log loss has its own."""
        return metric.scoring is not None and metric.scoring.mean and metric.range[0] + metric.range[1] != np.inf

    def unbiased(self, metric: Metric) -> bool:
        """Say whether the covariance divides by n − 1 already: for rank metrics, within each class."""
        return is_ranked(metric)

    def bundled(self, metric: Metric) -> bool:
        """Say whether Student's t belongs to a metric: to means over rows."""
        return metric.scoring is not None and metric.scoring.mean

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label."""
        size, found = len(self.labels), np.zeros(len(self.labels))
        for at in in_blocks(len(self)):
            found += np.bincount(self.truth[at], weights=weights[at], minlength=size)
        return found

    # --- words

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what only scores can say of an estimate."""
        return score_notes(linear, self)

    def weight_notes(self, design: Design) -> tuple[Note, ...]:
        """Return whether weights look like those that balance classes for training."""
        return balanced_note(self.truth, design)
