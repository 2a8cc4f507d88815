"""Labels: one true class and one predicted class per model in each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from howsure.errors import InputError, MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.cells import Cells, one_of_two
from howsure.metrics.cuts import check_no_scores
from howsure.metrics.gradient import Selection, embed, gradient_of, value_of, view
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.metric import Label, Metric, cells_for, selection_of
from howsure.metrics.pseudo_counts import Smoothed, smoothed_matrices
from howsure.results.base import Note
from howsure.tables.cell_view import CellView
from howsure.tables.contents import Contents, RowOutcomes
from howsure.tables.design import Design
from howsure.tables.design_notes import more_in_each_group
from howsure.tables.indicators import covariance_by_indicators
from howsure.tables.label_notes import balanced_note, class_weights, fraction_of, label_notes, needs_negatives
from howsure.tables.linearised import Linearised
from howsure.tables.many_classes import (
    MOST_CLASSES,
    MOST_MATRIX,
    check_metric,
    class_cells,
    class_gradient,
    class_moments,
    no_matrix,
    pseudo_cells,
    refuse_matrix,
    row_slopes,
    sums_by_code,
)
from howsure.tables.sampling.effect import Movement, Relabelled, WeightClasses, cell_moments
from howsure.types import Array, Ints, Undefined

KEPT = {"_last", "_last_metric", "_places"}
RIGHT = {"hits", "tp", "tn", "all_tp"}


@dataclass(frozen=True, eq=False)
class Labels(Contents):
    """One true class and one predicted class per model in each row, as positions among the labels.

    The positions come in any integer type, mostly the smallest: cast them before computing with them.
    """

    truth: Ints
    predictions: Ints

    one_truth = True
    compact = True
    stratifies = True
    holds = "one label each"
    kind_words = "has one label per row"

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def unit(self) -> str:
        """A log of an evaluation has questions."""
        return "question" if self.answers else "row"

    def fraction(self, linear: Linearised) -> tuple[float, float] | None:
        """Return the rows that are successes and those that count; weights make no whole rows."""
        return fraction_of(linear)

    @property
    def usual(self) -> str:
        """Which metrics people report: of answers, of two classes with a positive one, of several classes."""
        if self.answers:
            return "answers"
        return "two classes" if self.two_classes else "classes"

    # --- rows

    def take(self, rows: Any) -> Self:
        """Return some of the rows."""
        return replace(self, truth=self.truth[rows], predictions=self.predictions[rows])

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, predictions=self.predictions[:, models])

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        return np.column_stack([self.truth, self.predictions])

    def joined(self, other: Self) -> Self:
        """Return the rows of both, one after the other."""
        truth = np.concatenate([self.truth, other.truth])
        return replace(self, truth=truth, predictions=np.concatenate([self.predictions, other.predictions]))

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with every label code c replaced by codes[c]."""
        if not self.negatives and codes[0] != 0:
            raise InputError(messages.LABELS_CLASS_WHOSE_OWN_HITS_TABLE(labels=self.labels[0]))
        small = codes.astype(np.result_type(np.min_scalar_type(codes.min()), np.min_scalar_type(codes.max())))
        return replace(self, truth=small[self.truth], predictions=small[self.predictions], labels=labels)

    def sizes(self) -> dict[str, float]:
        """Return the number of labels."""
        return {"label": len(self.labels)}

    # --- a metric on the rows

    @cached_property
    def _positive(self) -> int | None:
        """The place of the positive class among the labels, where one was named."""
        return self.labels.index(self.pos_label) if self.pos_label in self.labels else None

    @property
    def _many(self) -> bool:
        """Whether there are too many classes for their matrix."""
        return len(self.labels) > MOST_CLASSES

    @property
    def no_matrix(self) -> str:
        """Why there is no confusion matrix, in words."""
        return no_matrix(len(self.labels))

    def matrix(self, weights: Array, place: int) -> Array:
        """Return the confusion matrix of one model, truth in rows."""
        width = len(self.labels)
        joint = self._places[place] if len(self) <= width * width else self._joint(place)
        return np.bincount(joint, weights=weights, minlength=width * width).reshape(width, width)

    def _joint(self, place: int) -> Ints:
        """Return the cell of each row in the matrix of one model."""
        return self.truth.astype(np.int64) * len(self.labels) + self.predictions[:, place]

    @cached_property
    def _places(self) -> list[Ints]:
        return [self._joint(place) for place in range(self.predictions.shape[1])]

    def _cells(self, weights: Array, place: int, metric: Metric, selection: Selection) -> tuple[Cells, Array | None]:
        """Return the cells that a metric sees, and the matrix; the last are kept, as many metrics look at the same."""
        last: tuple[Any, ...] | None = self.__dict__.get("_last")  # read once: threads may share these rows
        key = (place, metric.scores)
        if last is None or last[0] is not weights or last[1] != key:
            matrix = None if self._many else self.matrix(weights, place)
            last = (weights, key, matrix, None)
            self.__dict__["_last"] = last
        matrix, cells = last[2:]
        if matrix is not None and len(matrix) == 2 and isinstance(selection, int) and metric.scores is None:
            return one_of_two(matrix, selection, hidden=not self.negatives), matrix
        if cells is None:
            cells = self._every_cell(weights, place, metric, matrix)
            self.__dict__["_last"] = (*last[:3], cells)
        return view(cells, selection), matrix

    def _every_cell(self, weights: Array, place: int, metric: Metric, matrix: Array | None) -> Cells:
        """Return the cells of every class."""
        if matrix is None:
            return class_cells(self.truth, self.predictions[:, place], weights, len(self.labels))
        seen = matrix.copy()
        if not self.negatives:
            seen[0, 0] = np.nan
        return cells_for(metric, seen)[0]

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model: a function of the K² cells, its slopes by complex step."""
        selection = self._in_view(metric)
        seen, matrix = self._cells(design.weights, place, metric, selection)
        held = design.total > 0 or design.weights.any()
        value = float(value_of(metric, seen, undefined)) if held else float("nan")
        metric.check_value(value)
        cells = CellView(
            metric,
            self.labels,
            undefined,
            seen,
            selection,
            matrix,
            positive=self._positive,
            hidden=not self.negatives,
            differentiate=class_gradient if self._many and metric.over == "classes" else gradient_of,
        )
        return Linearised(self, design, metric, model, place, undefined, value, cells)

    def _in_view(self, metric: Metric) -> Selection:
        """Return what a metric looks at; refuse one that does not fit. The last is kept: tables may share rows."""
        last: tuple[Metric, Selection] | None = self.__dict__.get("_last_metric")  # read once, as above
        if last is None or last[0] is not metric:
            self._check_fits(metric)
            check_slopes(metric)
            last = (metric, selection_of(metric, self.labels, self.pos_label))
            self._check_class_is_counted(*last)
            self.__dict__["_last_metric"] = last
        return last[1]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields without what was kept: a metric of somebody's own may hold a function."""
        return {name: value for name, value in vars(self).items() if name not in KEPT}

    def _check_fits(self, metric: Metric) -> None:
        check_no_scores(metric)
        if metric.over == "row":
            raise MetricError(messages.METRIC_IS_ABOUT_ROWS_WITH_SEVERAL(metric=metric.name))
        if self.lacks(metric):
            raise needs_negatives(metric)
        if self._many:
            check_metric(metric, len(self.labels))

    def lacks(self, metric: Metric) -> bool:
        """Say whether a metric needs true negatives that were not counted: a cell of the other class too."""
        return not self.negatives and metric.needs_tn

    def _check_class_is_counted(self, metric: Metric, selection: Any) -> None:
        if not self.negatives and isinstance(selection, int) and selection == 0:
            raise MetricError(messages.METRIC_IS_ABOUT_CLASS_WHOSE_HITS(metric=metric.name, labels=self.labels[0]))

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows: that of their cell."""
        raw = row_slopes(self, linear.seen.full, place, part)
        with np.errstate(invalid="ignore"):
            return np.where(design.weights[part] > 0, raw - linear.seen.centre, 0.0)

    def covariance(self, linears: Sequence[Linearised], design: Design, places: Sequence[int]) -> Array:
        """Return the covariance of estimates; through indicators of the predictions where those are fewer.

        Both ways give Σ w² φ ψ / (Σ w)². The shorter one needs a plain sum over rows, hence no groups and no strata.
        """
        models = sorted(set(places))
        few = len(models) * (len(self.labels) - 1) <= len(linears) and not self._many
        if few and len(linears) > 1 and design.row_by_row and design.total > 0:
            return covariance_by_indicators(self, linears, design, [models.index(place) for place in places], models)
        return super().covariance(linears, design, places)

    def _matrices_at(self, place: int, weights: Array) -> Array:
        """Return the confusion matrices of many weightings of the rows."""
        width = len(self.labels)
        places = self.truth.astype(np.int64) * width + self.predictions[:, place]
        stack = sums_by_code(places, weights, width * width).reshape(-1, width, width)
        if not self.negatives:
            stack[:, 0, 0] = np.nan
        return stack

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows."""
        metric, width = linear.metric, len(self.labels)
        if width == 2 or not self.negatives or metric.over == "matrix" or metric.scores is not None:
            cells = cells_for(metric, self._matrices_at(linear.place, weights))[0]
        else:
            cells = class_cells(self.truth, self.predictions[:, linear.place], weights, width)
        return value_of(metric, view(cells, linear.seen.selection), linear.undefined)

    def influences_at(self, linear: Linearised, weights: Array) -> Array | None:
        """Return the influence of each row, not centred, at many weightings."""
        if self._many:
            return None
        cells = cells_for(linear.metric, self._matrices_at(linear.place, weights))[0]
        slopes = gradient_of(linear.metric, view(cells, linear.seen.selection), linear.undefined)
        full = embed(slopes, len(self.labels), linear.seen.selection)
        return np.asarray(full.by_cell[:, self.truth, self.predictions[:, linear.place]])

    def smooths(self, metric: Metric) -> bool:
        """Say whether there are pseudo-rows for a metric: always."""
        return True

    def pseudo_rows(self, linear: Linearised) -> tuple[Contents, Array]:
        """Return a row in each of the K² cells, ½ of a row in all for z = 1; a class that is skipped gets none."""
        classes = np.arange(len(self.labels))
        if linear.undefined == "skip":
            classes = np.union1d(self.truth, self.predictions[:, linear.place])
        if len(classes) > MOST_CLASSES:
            truth, guess, each = pseudo_cells(classes)
            return replace(self, truth=truth, predictions=np.repeat(guess[:, None], self.predictions.shape[1], 1)), each
        truth, guess = (part.ravel() for part in np.meshgrid(classes, classes, indexing="ij"))
        predictions = np.repeat(guess[:, None], self.predictions.shape[1], axis=1)
        return replace(self, truth=truth, predictions=predictions), np.full(len(truth), 1 / (2 * max(len(truth), 1)))

    def smoothed(self, linear: Linearised, size: float, z: float) -> Smoothed | None:
        """Return the metric on the matrix with pseudo-counts in its cells."""
        held = linear.seen
        if held.matrix is None:
            return super().smoothed(linear, size, z)
        counts = held.matrix * (size / linear.design.total if linear.design.total > 0 else 1.0)
        return smoothed_matrices(linear.metric, counts, z, selection=held.selection, undefined=linear.undefined)

    def relabelled(self, linear: Linearised) -> Relabelled:
        """Return how a row moves the estimate if its true label is any of the K, its prediction being what it is.

        Where true classes are the strata, a row that was not seen has a class that is known and any prediction.
        """
        if linear.design.strata is not None and linear.design.strata.weighted_to:
            return Relabelled(*self._moments(linear, axis=1)[:, self.truth])
        return Relabelled(*self._moments(linear, axis=0)[:, self.predictions[:, linear.place]])

    def weight_classes(self, linear: Linearised) -> WeightClasses | None:
        """Return the true or else the predicted classes, where weights depend on them alone.

        A row that was not seen has such a class too: of a true class any prediction, of a predicted one any truth.
        """
        for axis, codes in ((1, self.truth), (0, self.predictions[:, linear.place])):
            if class_weights(codes, linear.design) is not None:
                return WeightClasses(codes, self._moments(linear, axis=axis)[2][codes])
        return None

    def contrast(self, pair: Sequence[Linearised], places: Sequence[int], design: Design) -> Movement:
        """Return how rows move a difference, and what they would do with any other label."""
        found = super().contrast(pair, places, design)
        if self._many:
            return found
        cells = [time * (one.seen.by_cell - one.seen.centre) for one, time in zip(pair, (-1, 1), strict=True)]
        by_class = design.weighted and class_weights(self.truth, design) is not None
        kept = design.strata is not None and bool(design.strata.weighted_to)
        said = [self.predictions[:, place] for place in places]
        return found.by_cells(cells, self.truth, said, by_class=by_class, weighted_to=kept)

    def _moments(self, linear: Linearised, *, axis: int) -> Array:
        """Return the share of finite influences along an axis of the cells, and their mean and mean square over all."""
        seen = linear.seen
        return (
            class_moments(seen.full, seen.centre, axis)
            if self._many
            else cell_moments(seen.by_cell - seen.centre, axis)
        )

    # --- row by row

    def right(self, place: int) -> Array:
        """Return whether each row was answered right by a model."""
        return np.asarray(self.predictions[:, place] == self.truth)

    def outcomes(self, linear: Linearised) -> RowOutcomes | None:
        """Return the successes of accuracy (all rows), recall (those of the class) or specificity (the others)."""
        share = linear.metric.share
        if share is None or share.weight != 1.0:
            return None
        which = share.fixed_rows
        chosen = linear.seen.selection
        if which is None or (which == "all" and chosen is not None):
            return None
        predicted = self.predictions[:, linear.place]
        if which == "all":
            right, counted = predicted == self.truth, np.ones(len(self), dtype=bool)
        else:
            positive = self.truth == chosen
            right, counted = (predicted == chosen) == positive, positive if which == "positive" else ~positive
        return RowOutcomes(np.asarray(counted), np.asarray(right if RIGHT & {*share.success} else ~right))

    def cross_table(self, places: Sequence[int], weights: Array) -> Array:
        """Return the weights of (truth, one prediction for each model)."""
        width = len(self.labels)
        if width ** (len(places) + 1) > MOST_MATRIX:
            raise refuse_matrix(width, len(places))
        joint = self.truth.astype(np.int64)
        for place in places:
            joint = joint * width + self.predictions[:, place]
        shape = (width,) * (len(places) + 1)
        return np.bincount(joint, weights=weights, minlength=width ** len(shape)).reshape(shape)

    def class_cells(self, place: int, counts: Array) -> Array:
        """Return tp, fp, fn, tn of every class; nan for what rests on true negatives that were not counted."""
        if self._many:
            shares = class_cells(self.truth, self.predictions[:, place], counts, len(self.labels))
            return np.asarray(np.stack([shares.tp, shares.fp, shares.fn, shares.tn]) * counts.sum())
        matrix = self.matrix(counts, place)
        tp = np.diagonal(matrix).copy()
        fp, fn = matrix.sum(axis=0) - tp, matrix.sum(axis=1) - tp
        tn = matrix.sum() - tp - fp - fn
        if not self.negatives:  # the hits of the first class, which are true negatives of all others
            tp[0], tn[1:] = np.nan, np.nan
        return np.stack([tp, fp, fn, tn])

    @property
    def each_class(self) -> bool:
        """Whether there are more classes than two."""
        return len(self.labels) > 2

    def occurring(self, weights: Array) -> list[Label]:
        """Return the labels that are true or predicted somewhere."""
        seen = self.support(weights) + sum(
            np.bincount(column, weights=weights, minlength=len(self.labels)) for column in self.predictions.T
        )
        return [label for label, weight in zip(self.labels, seen, strict=True) if weight > 0]

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label."""
        return self.cross_table([], weights)

    # --- words

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is undefined and why, what sits on a boundary, what is easily overlooked."""
        return (*label_notes(linear), *(more_in_each_group(linear) if self.answers else ()))

    def weight_notes(self, design: Design) -> tuple[Note, ...]:
        """Return whether weights look like those that balance classes for training."""
        return balanced_note(self.truth, design)
