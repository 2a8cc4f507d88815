"""What the distinct rows of a table hold: one label each (Codes), or counts per class (Bags)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient
from howsure.metrics.metric import Metric, cells_for
from howsure.types import Array

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """One true class and one predicted class per model in each row, as positions among the labels.

    The positions come in any integer type, mostly the smallest: cast them before computing with them.
    """

    truth: Ints
    predictions: Ints

    def __len__(self) -> int:
        return len(self.truth)

    def matrix(self, weights: Array, model: int, width: int) -> Array:
        """Return the confusion matrix of one model, truth in rows."""
        joint = self.truth.astype(np.int64) * width + self.predictions[:, model]
        return np.bincount(joint, weights=weights, minlength=width * width).reshape(width, width)

    def cells(self, weights: Array, model: int, width: int, metric: Metric, *, negatives: bool) -> Cells:
        """Return the cells of every class, as shares of the weight."""
        matrix = self.matrix(weights, model, width)
        if not negatives:
            matrix[0, 0] = np.nan
        return cells_for(metric, matrix)[0]

    def project(self, gradient: Gradient, model: int) -> Array:
        """Return each row's influence, not yet centred."""
        return np.asarray(gradient.by_cell[self.truth, self.predictions[:, model]])

    def take(self, chosen: Any) -> Codes:
        """Return some of the rows."""
        return Codes(self.truth[chosen], self.predictions[chosen])

    def pick(self, models: list[int]) -> Codes:
        """Return the rows with some of the models."""
        return Codes(self.truth, self.predictions[:, models])

    def recoded(self, codes: Ints) -> Codes:
        """Return the rows with every label code c replaced by codes[c]."""
        small = codes.astype(np.result_type(np.min_scalar_type(codes.min()), np.min_scalar_type(codes.max())))
        return Codes(small[self.truth], small[self.predictions])

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        return np.column_stack([self.truth, self.predictions])


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """Counts per class in each row: true, predicted, and both. A multi-label item or a tagged sentence."""

    actual: Ints
    predicted: Ints
    hits: Ints

    def __len__(self) -> int:
        return len(self.actual)

    def parts(self, model: int) -> tuple[Array, Array, Array]:
        """Return tp, fp, fn of one model per row and class."""
        hits = self.hits[:, model].astype(float)
        return hits, self.predicted[:, model] - hits, self.actual - hits

    def cells(self, weights: Array, model: int, width: int, metric: Metric, *, negatives: bool) -> Cells:
        """Return the cells of every class, as shares of the weight."""
        share = weights / weights.sum()
        tp, fp, fn = (share @ part for part in self.parts(model))
        rest = np.maximum(share @ (1.0 - self.actual - self.predicted[:, model] + self.hits[:, model]), 0.0)
        return Cells(tp, fp, fn, rest if negatives else np.full(width, np.nan))

    def project(self, gradient: Gradient, model: int) -> Array:
        """Return each row's influence, not yet centred."""
        tp, fp, fn = self.parts(model)
        rest = gradient.tn
        moved = tp @ (gradient.tp - rest) + fp @ (gradient.fp - rest) + fn @ (gradient.fn - rest)
        return np.asarray(moved + rest.sum(-1))

    def row_cells(self, model: int) -> Cells:
        """Return each row's own cells, summed over classes: what a samples average sees."""
        tp, fp, fn = (part.sum(-1) for part in self.parts(model))
        return Cells(tp, fp, fn, self.actual.shape[-1] - tp - fp - fn)

    def take(self, chosen: Any) -> Bags:
        """Return some of the rows."""
        return Bags(self.actual[chosen], self.predicted[chosen], self.hits[chosen])

    def pick(self, models: list[int]) -> Bags:
        """Return the rows with some of the models."""
        return Bags(self.actual, self.predicted[:, models], self.hits[:, models])

    def recoded(self, codes: Ints) -> Bags:
        """Return the rows with class c counted as class codes[c]; only a renaming, never a merger."""
        width = int(codes.max()) + 1

        def moved(part: Ints) -> Ints:
            wide = np.zeros((*part.shape[:-1], width), dtype=part.dtype)
            wide[..., codes] = part
            return wide

        return Bags(moved(self.actual), moved(self.predicted), moved(self.hits))

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        flat = (part.reshape(len(self), -1) for part in (self.actual, self.predicted, self.hits))
        return np.concatenate(list(flat), axis=1)


Rows = Codes | Bags


def joined(first: Rows, second: Rows) -> Rows:
    """Return the rows of both, one after the other."""
    if isinstance(first, Codes) and isinstance(second, Codes):
        return Codes(
            np.concatenate([first.truth, second.truth]),
            np.concatenate([first.predictions, second.predictions]),
        )
    assert isinstance(first, Bags)
    assert isinstance(second, Bags)
    return Bags(
        np.concatenate([first.actual, second.actual]),
        np.concatenate([first.predicted, second.predicted]),
        np.concatenate([first.hits, second.hits]),
    )


def distinct(keys: Ints) -> tuple[Ints, Ints]:
    """Return the positions of the first of each distinct row (sorted), and the number of each row's kind."""
    single, size = np.zeros(len(keys), dtype=np.int64), 1
    for column in keys.T:
        span = int(column.max(initial=0)) + 1
        if size * span > 2**62:
            _, single = np.unique(single, return_inverse=True)
            size = int(single.max(initial=0)) + 1
        single, size = single * span + column, size * span
    _, first, kind = np.unique(single, return_index=True, return_inverse=True)
    return first, kind
