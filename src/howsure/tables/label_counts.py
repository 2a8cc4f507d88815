"""LabelCounts: counts per class in each row, true, predicted, and both: a multi-label item or a tagged sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from howsure.errors import InputError, MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, embed, gradient_of, value_of, view
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.metric import Label, Metric, find_label, selection_of
from howsure.results.base import Note
from howsure.tables.cell_view import CellView, Differentiate
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.label_notes import label_notes, needs_negatives
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints, Undefined


@dataclass(frozen=True, eq=False)
class LabelCounts(Contents):
    """Counts per class in each row: true, predicted (of each model), and both."""

    actual: Ints
    predicted: Ints
    hits: Ints

    by_row = ("actual", "predicted", "hits")
    several = True
    holds = "several labels"
    kind_words = "is multi-label"
    wholly_right = "exact_match"

    @property
    def leading(self) -> str:  # type: ignore[override]
        """F1 over all labels together."""
        return "f1" if self.pooled else "micro_f1"

    @property
    def unit(self) -> str:
        """A tagged corpus has sentences."""
        return "sentence" if self.pooled else "row"

    @property
    def usual(self) -> str:
        """Which metrics people report: of chunks, of label sets."""
        return "chunks" if self.pooled else "label sets" if self.negatives else "label sets without negatives"

    # --- rows

    def _each(self, change: Callable[[Ints], Ints]) -> dict[str, Any]:
        return {name: change(getattr(self, name)) for name in self.by_row}

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, predicted=self.predicted[:, models], hits=self.hits[:, models])

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        flat = (part.reshape(len(self), -1) for part in (self.actual, self.predicted, self.hits))
        return np.concatenate(list(flat), axis=1)

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with class c counted as class codes[c]; only a renaming, never a merger."""
        if len(set(codes.tolist())) < len(codes):
            raise InputError(messages.NAMES_MERGES_CLASSES_OF_MULTI_LABEL_TABLE())

        def moved(part: Ints) -> Ints:
            wide = np.zeros((*part.shape[:-1], len(labels)), dtype=part.dtype)
            wide[..., codes] = part
            return wide

        return replace(self, **self._each(moved), labels=labels)

    def sizes(self) -> dict[str, float]:
        """Return the number of labels."""
        return {"label": len(self.labels)}

    # --- a metric on the rows

    def parts(self, place: int) -> tuple[Array, Array, Array]:
        """Return tp, fp, fn of one model per row and class."""
        hits = self.hits[:, place].astype(float)
        return hits, self.predicted[:, place] - hits, self.actual - hits

    @cached_property
    def _last(self) -> dict[int, tuple[Array, Cells]]:
        return {}

    def _cells(self, weights: Array, place: int) -> Cells:
        """Return the cells of every class, as shares of the weight; the last are kept, as many metrics look at them."""
        kept = self._last.get(place)
        if kept is None or kept[0] is not weights:
            self._last[place] = kept = weights, self._counted_cells(weights, place)
        return kept[1]

    def _counted_cells(self, weights: Array, place: int) -> Cells:
        share = weights / weights.sum()
        tp, fp, fn = (share @ part for part in self.parts(place))
        rest = np.maximum(share @ (1.0 - self.actual - self.predicted[:, place] + self.hits[:, place]), 0.0)
        return Cells(tp, fp, fn, rest if self.negatives else np.full(len(self.labels), np.nan))

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model: a function of the cells of each class, or the mean of a score of each row."""
        self._check_fits(metric)
        check_slopes(metric)
        if metric.over == "row":
            return self._row_mean(metric, model, place, design, undefined)
        selection = selection_of(metric, self.labels, self.pos_label, pooled=self.pooled)
        with np.errstate(invalid="ignore", divide="ignore"):
            seen = view(self._cells(design.weights, place), selection)
            value = float(value_of(metric, seen, undefined)) if design.weights.any() else float("nan")
        metric.check_value(value)
        cells = self._view(metric, undefined, seen, selection, whole=metric.over == "class")
        return Linearised(self, design, metric, model, place, undefined, value, cells)

    def _view(
        self, metric: Metric, undefined: Undefined, cells: Cells, selection: Any, *, whole: bool,
        differentiate: Differentiate = gradient_of,
    ) -> CellView:  # fmt: skip
        positive = self.labels.index(self.pos_label) if self.pos_label in self.labels else None
        return CellView(
            metric, self.labels, undefined, cells, selection, whole=whole, positive=positive,
            hidden=not self.negatives, pooled=self.pooled, differentiate=differentiate,
        )  # fmt: skip

    def _row_mean(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        cells = self._row_cells(place)
        scores, told = _row_scores(metric, cells, undefined)
        weights = design.weights * told
        value = float(weights @ scores / weights.sum())
        metric.check_value(value)
        influence = (scores - value) * told * (design.total / weights.sum())
        if metric.share is not None:
            cells = _right_or_wrong(metric, scores, weights)
        seen = self._view(metric, undefined, cells, None, whole=metric.share is not None, differentiate=_no_slopes)
        return Linearised(self, design, metric, model, place, undefined, value, seen, influence)

    def _row_cells(self, place: int) -> Cells:
        """Return each row's own cells, summed over classes: what a samples average sees."""
        tp, fp, fn = (part.sum(-1) for part in self.parts(place))
        return Cells(tp, fp, fn, self.actual.shape[-1] - tp - fp - fn)

    def _check_fits(self, metric: Metric) -> None:
        if metric.single_label:
            raise MetricError(messages.METRIC_TAKES_ONE_LABEL_PER_ROW(metric=metric.name))
        if self.lacks(metric):
            raise needs_negatives(metric)

    def lacks(self, metric: Metric) -> bool:
        """Say whether a metric needs true negatives that were not counted; of an average, each class its own."""
        if self.negatives:
            return False
        return any(part.needs_tn for part in metric.per_class) if metric.per_class else metric.needs_tn

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows: slopes times what they hold."""
        if linear.scores is not None:
            return linear.scores[part]
        raw = self.take(part).project(linear.seen.full, place)
        with np.errstate(invalid="ignore"):
            return np.where(design.weights[part] > 0, raw - linear.seen.centre, 0.0)

    def project(self, gradient: Gradient, place: int) -> Array:
        """Return each row's influence, not yet centred."""
        tp, fp, fn = self.parts(place)
        rest = gradient.tn
        moved = tp @ (gradient.tp - rest) + fp @ (gradient.fp - rest) + fn @ (gradient.fn - rest)
        return np.asarray(moved + rest.sum(-1))

    def _cells_at(self, place: int, weights: Array) -> Cells:
        sums = weights.sum(1, keepdims=True)
        tp, fp, fn = (weights @ part / sums for part in self.parts(place))
        rest = np.maximum(1 - tp - fp - fn, 0.0) if self.negatives else np.full(tp.shape, np.nan)
        return Cells(tp, fp, fn, rest)

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows."""
        if linear.scores is not None:
            scores, told = _row_scores(linear.metric, self._row_cells(linear.place), linear.undefined)
            return np.asarray(weights @ (scores * told) / (weights @ told))
        seen = view(self._cells_at(linear.place, weights), linear.seen.selection)
        return value_of(linear.metric, seen, linear.undefined)

    def influences_at(self, linear: Linearised, weights: Array) -> Array | None:
        """Return the influence of each row, not centred, at many weightings."""
        if linear.scores is not None or linear.view is None:
            return None
        seen = view(self._cells_at(linear.place, weights), linear.seen.selection)
        slopes = embed(gradient_of(linear.metric, seen, linear.undefined), len(self.labels), linear.seen.selection)
        named = zip(("tp", "fp", "fn"), self.parts(linear.place), strict=True)
        return np.asarray(sum((getattr(slopes, name) - slopes.tn) @ part.T for name, part in named))

    def smooths(self, metric: Metric) -> bool:
        """Say whether there are pseudo-rows for a metric: not for a mean of rows."""
        return metric.over in ("class", "classes")

    def pseudo_rows(self, linear: Linearised) -> tuple[Contents, Array] | None:
        """Return rows in each cell (tp, fp, fn, tn) of each of the L labels in view: 1/(8√L) of each for z = 1.

        Each of them concerns one label alone. What they draw an average of L labels aside goes with their number, and
        its error with 1/√L: so does the number. One label is smoothed as a table of two classes. A label that is not in
        view, or to be skipped, gets none.
        """
        if not self.smooths(linear.metric):
            return None
        labels = self._smoothed_labels(linear)
        each = np.zeros((len(labels), len(self.labels)), dtype=self.actual.dtype)
        each[np.arange(len(labels)), labels] = 1
        none = np.zeros_like(each)
        true, guessed, right = (np.concatenate(parts) for parts in (
            (each, none, each, none), (each, each, none, none), (each, none, none, none),
        ))  # fmt: skip
        models = self.predicted.shape[1]
        guesses, hits = (np.repeat(part[:, np.newaxis], models, axis=1) for part in (guessed, right))
        more = replace(self, actual=true, predicted=guesses, hits=hits)
        return more, np.full(len(more), 1 / (8 * np.sqrt(max(len(labels), 1))))

    def _smoothed_labels(self, linear: Linearised) -> Ints:
        """Return the places of the labels that get pseudo-rows."""
        labels, selection = np.arange(len(self.labels)), linear.seen.selection
        if selection is not None and not isinstance(selection, str):
            labels = np.atleast_1d(labels[selection])
        if linear.undefined == "skip":
            labels = labels[(self.actual[:, labels].any(0)) | (self.predicted[..., labels].any((0, 1)))]
        return labels

    def bundled(self, metric: Metric) -> bool:
        """Say whether a row brings several outcomes; a share of rows has one for each, right or wrong as a whole."""
        return not (metric.over == "row" and metric.share is not None)

    def rows_that_tell(self, linear: Linearised, size: float) -> float:
        """Return the number of rows of a share that one row moves as much as here a row can, at most all there are.

        Rows without a label, or of a common class, say nothing about the errors that are still to come in a rare one.
        For F1 of one class the result is its score interval: twice the rows that are true or predicted.
        """
        weights, metric = linear.design.weights, linear.metric
        if metric.over == "row":
            told = ~np.isnan(value_of(metric, self._row_cells(linear.place)))
            return float(size * (weights @ told / weights.sum() if linear.undefined == "skip" else 1.0))
        tp, fp, fn, tn = (np.nan_to_num(getattr(linear.seen.full, cell)) for cell in ("tp", "fp", "fn", "tn"))
        steepest = max((self.actual[weights > 0] @ np.abs(tp - fn)).max(), np.abs(tn - fp).max())
        reach = metric.range[1] - metric.range[0]
        return float(np.clip(size * reach / steepest, 1.0, size)) if steepest else size

    def class_cells(self, place: int, counts: Array) -> Array:
        """Return tp, fp, fn, tn of every class; tn is nan where true negatives were not counted."""
        tp, fp, fn = (counts @ part for part in self.parts(place))
        return np.stack([tp, fp, fn, counts.sum() - tp - fp - fn if self.negatives else np.full_like(tp, np.nan)])

    @property
    def each_class(self) -> bool:
        """Always: a row may hold several."""
        return True

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label."""
        return np.asarray(weights @ self.actual)

    def only(self, labels: Sequence[Label]) -> Self:
        """Return the rows with some of the labels."""
        place = [find_label(label, self.labels, argument="labels") for label in labels]
        return replace(self, **self._each(lambda part: part[..., place]), labels=tuple(labels))

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is undefined and why, what sits on a boundary, what is easily overlooked."""
        return label_notes(linear)


def _row_scores(metric: Metric, cells: Cells, undefined: Undefined) -> tuple[Array, Array]:
    """Return the score of each row, and whether it counts: 1, or 0 for one that is 0/0 and to be skipped."""
    scores = value_of(metric, cells)
    missing = np.isnan(scores)
    if undefined == "nan":
        return scores, np.ones(len(scores))
    filled = np.where(missing, 1.0 if undefined == "one" else 0.0, scores)
    return filled, np.where(missing & (undefined == "skip"), 0.0, 1.0)


def _no_slopes(metric: Metric, cells: Cells, undefined: Undefined) -> Gradient:
    """Return slopes of 0: what moves a mean of rows is in the influences, not in the cells."""
    zero = np.zeros(1)
    return Gradient(zero, zero, zero, zero)


def _right_or_wrong(metric: Metric, scores: Array, weights: Array) -> Cells:
    """Return the cells of rows that are right or wrong as a whole: hits and misses, as accuracy has them."""
    if not np.isin(scores, (0.0, 1.0)).all():
        raise MetricError(
            messages.METRIC_SAYS_IS_SHARE_OF_ROWS(metric=metric.name, scores=scores[~np.isin(scores, (0.0, 1.0))][0])
        )
    right, wrong = (np.array([weights @ part / weights.sum()]) for part in (scores, 1.0 - scores))
    return Cells(right, np.zeros(1), wrong, np.zeros(1))
