"""AnnotatedLabels: several columns of truth, each with its predictions; a column is a level of a crossed factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np

from howsure.metrics.metric import Label, Metric
from howsure.results.base import Note
from howsure.tables.cell_view import CellView
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.design_notes import plain_notes
from howsure.tables.labels import Labels
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints, Undefined


class SharedCells(CellView):
    """Cells among which a row may be shared out, where its true label is not one: rows of a cell differ."""

    @property
    def tells_rows(self) -> bool:
        """A row may lie in several cells."""
        return False


@dataclass(frozen=True, eq=False)
class AnnotatedLabels(Contents):
    """True labels as several people see them, and predictions.

    ``truths`` (rows × columns of truth × labels) are shares: 1 for the label that an annotator gave, ½ each for two
    that tie. ``columns`` pairs a column of truth with one of ``predictions``: what a metric is taken on.
    """

    truths: Array
    predictions: Ints
    columns: tuple[tuple[int, int], ...]

    by_row = ("truths", "predictions")
    holds = "the labels of several annotators"
    kind_words = "has several annotators"

    @property
    def usual(self) -> str:
        """As of labels."""
        return self._cell_rows.usual

    @property
    def two_classes(self) -> bool:
        """As labels."""
        return self._cell_rows.two_classes

    # --- rows

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the columns."""
        columns = [self.columns[place] for place in models]
        truths, predictions = (sorted({pair[side] for pair in columns}) for side in (0, 1))
        moved = tuple((truths.index(truth), predictions.index(guess)) for truth, guess in columns)
        return replace(self, truths=self.truths[:, truths], predictions=self.predictions[:, predictions], columns=moved)

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        shares = (np.unique(column, axis=0, return_inverse=True)[1] for column in np.moveaxis(self.truths, 1, 0))
        return np.column_stack([*(one.reshape(-1) for one in shares), self.predictions]).astype(np.int64)

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with every label c replaced by codes[c]."""
        truths = np.zeros((*self.truths.shape[:2], len(labels)))
        for code, place in enumerate(codes.tolist()):
            truths[..., place] += self.truths[..., code]
        return replace(self, truths=truths, predictions=np.asarray(codes)[self.predictions], labels=labels)

    def sizes(self) -> dict[str, float]:
        """Return the number of labels."""
        return {"label": len(self.labels)}

    # --- a metric on the rows

    @property
    def _cell_rows(self) -> Labels:
        """A row for each cell of a confusion matrix."""
        every = np.arange(len(self.labels))
        shared = {one.name: getattr(self, one.name) for one in fields(Contents)}
        return Labels(np.repeat(every, len(every)), np.tile(every, len(every))[:, None], **shared)

    def _matrices(self, place: int, weights: Array) -> Array:
        """Return the cells of a column at many weightings (weightings × rows), truth first, flat."""
        truth, guess = self.columns[place]
        found = np.zeros((len(weights), len(self.labels), len(self.labels)))
        for code in range(len(self.labels)):
            rows = self.predictions[:, guess] == code
            found[:, :, code] = weights[:, rows] @ self.truths[rows, truth]
        return found.reshape(len(weights), -1)

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one column: a function of the cells, among which a row may be shared out."""
        cells = self._matrices(place, design.weights[None])[0]
        made = self._cell_rows.linearise(metric, model, 0, design.reweighted(cells), undefined)
        held = {one.name: getattr(made.seen, one.name) for one in fields(CellView)}
        return Linearised(self, design, metric, model, place, undefined, made.value, SharedCells(**held))

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of the rows: the mean over the cells among which each is shared out."""
        truth, guess = self.columns[place]
        moved = (linear.seen.by_cell - linear.seen.centre).T[self.predictions[part, guess]]
        share = self.truths[part, truth]
        with np.errstate(invalid="ignore"):
            found = np.where(share > 0, share * moved, 0.0).sum(1)
        return np.where(design.weights[part] > 0, found, 0.0)

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows."""
        return self._cell_rows.values_at(replace(linear, place=0), self._matrices(linear.place, weights))

    # --- labels

    @property
    def each_class(self) -> bool:
        """Whether there are more classes than two."""
        return len(self.labels) > 2

    def cross_table(self, places: Sequence[int], weights: Array) -> Array | None:
        """Return the confusion matrix of one column; of several there is none, as they have other truths."""
        if len(places) != 1:
            return None
        return self._matrices(places[0], weights[None]).reshape(len(self.labels), -1)

    def class_cells(self, place: int, counts: Array) -> Array | None:
        """Return tp, fp, fn, tn (rows) of every class (columns) of one column."""
        return self._cell_rows.class_cells(0, self._matrices(place, counts[None])[0])

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label, the mean over the columns of truth."""
        return np.asarray(weights @ self.truths.mean(1))

    def occurring(self, weights: Array) -> list[Label]:
        """Return the labels that are true or predicted somewhere."""
        cells = sum(self._matrices(place, weights[None])[0] for place in range(len(self.columns)))
        return self._cell_rows.occurring(np.asarray(cells))

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is undefined."""
        return plain_notes(linear)
