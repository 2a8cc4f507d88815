"""CellView: what a metric of cells sees of a table: tp fp fn tn of the classes in view, slopes, the whole matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, Selection, embed, gradient_of, value_of, values_of
from howsure.metrics.metric import Label, Metric
from howsure.types import Array, Undefined

CELLS = ("tp", "fp", "fn", "tn")
Differentiate = Callable[[Metric, Cells, Undefined], Gradient]


@dataclass(frozen=True, eq=False)
class CellView:
    """The cells that a metric of one model is a function of, as shares of the weight, and its slopes there.

    ``differentiate`` finds the slopes when they are asked for: the limits of a share do without them.
    ``matrix`` is the confusion matrix of weights (truth in rows), None where rows hold several labels. ``whole`` says
    that each row, or each chunk, falls into one of the cells, as binomial and multinomial methods need. ``positive`` is
    the place of the positive class of two, None if it was not named; ``hidden`` that true negatives were not counted.
    """

    metric: Metric
    labels: tuple[Label, ...]
    undefined: Undefined
    cells: Cells
    selection: Selection
    matrix: Array | None = None
    whole: bool = True
    positive: int | None = None
    hidden: bool = False
    pooled: bool = False
    differentiate: Differentiate = gradient_of

    @property
    def one_class(self) -> bool:
        """Whether the metric sees one class against the rest."""
        return np.ndim(self.cells.tp) == 0

    @property
    def labels_in_view(self) -> list[Label]:
        """The classes that the metric looks at."""
        if isinstance(self.selection, str):
            return ["any"]
        chosen = range(len(self.labels)) if self.selection is None else np.atleast_1d(self.selection)
        return [self.labels[index] for index in chosen]

    # --- slopes and variance

    @cached_property
    def slopes(self) -> Gradient:
        """How the metric moves with each cell it sees."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.differentiate(self.metric, self.cells, self.undefined)

    @cached_property
    def full(self) -> Gradient:
        """Slopes for all classes, 0 in those that are not in view."""
        return embed(self.slopes, len(self.labels), self.selection)

    @cached_property
    def by_cell(self) -> Array:
        """The influence of a row, not yet centred, by its true and predicted class."""
        return self.full.by_cell

    @cached_property
    def centre(self) -> float:
        """Mean influence: slopes times shares, empty cells left out."""
        shares, slopes = self._held
        return float(shares @ slopes)

    @cached_property
    def _shares_and_slopes(self) -> tuple[Array, Array]:
        """Shares and slopes of the cells of the matrix, else of tp fp fn tn of each class."""
        if self.metric.over != "class" and self.cells.matrix is not None:
            return self.cells.matrix, self.slopes.by_cell
        shares, slopes = (np.array([getattr(part, cell) for cell in CELLS]) for part in (self.cells, self.slopes))
        return shares, slopes.reshape(shares.shape)

    @cached_property
    def _held(self) -> tuple[Array, Array]:
        """Shares and slopes of the cells that hold rows; the slope in an empty one may be infinite."""
        shares, slopes = self._shares_and_slopes
        held = shares > 0
        return shares[held], slopes[held]

    @property
    def tells_rows(self) -> bool:
        """Whether all rows of a cell move the value alike, and each row is in one."""
        return self.metric.over == "class" or self.cells.matrix is not None

    @property
    def smooth(self) -> bool:
        """Whether every slope is finite, also in cells that hold no row."""
        return bool(np.isfinite(self._shares_and_slopes[1]).all())

    @cached_property
    def spread(self) -> float:
        """n · variance if the cells came from independent, equally weighted rows."""
        shares, slopes = self._held
        return float(shares @ (slopes - self.centre) ** 2)

    def marked(self, cells: Sequence[str]) -> Gradient:
        """Return slopes of 1 in some of the cells of the classes in view, 0 elsewhere."""
        marks = (np.full(self.slopes.tp.shape, float(cell in cells)) for cell in CELLS)
        return embed(Gradient(*marks), len(self.labels), self.selection)

    def counts(self, size: float) -> Array | None:
        """Return the confusion matrix of data that are worth so many rows; None where rows hold several labels."""
        if self.matrix is None:
            return None
        total = float(self.matrix.sum())
        return self.matrix * (size / total if total > 0 else 1.0)

    # --- draws from the cells

    @property
    def multinomial(self) -> Array | None:
        """The shares of cells that a row or chunk is a draw from; None where there is no such list of cells.

        K×K, or flat without the cell that was not counted; of chunks tp fp fn (tn) of the classes in view.
        """
        if self.matrix is not None:
            shares = self.matrix / max(float(self.matrix.sum()), 1e-300)
            return shares.ravel()[1:] if self.hidden else shares
        if self.metric.over == "row" or (self.metric.over != "class" and not self.pooled):
            return None
        parts = (self.cells.tp, self.cells.fp, self.cells.fn, self.cells.tn)[: 3 if self.hidden else 4]
        return np.stack([np.asarray(part) for part in parts])

    @property
    def chunked(self) -> bool:
        """Whether the multinomial has a row of classes for each of tp, fp, fn, rather than one for each true class."""
        return self.matrix is None and np.ndim(self.cells.tp) == 1

    def value_at(self, shares: Array) -> Array:
        """Return the metric's value at many shares of the multinomial."""
        if self.matrix is not None:
            if self.hidden:
                nothing = np.full((len(shares), 1), np.nan)
                shares = np.concatenate([nothing, shares], axis=1).reshape(-1, 2, 2)
            return values_of(self.metric, shares, self.selection)
        parts = [shares[:, part] for part in range(shares.shape[1])]
        rest = parts[3] if len(parts) == 4 else np.full_like(parts[0], np.nan)
        return value_of(self.metric, Cells(parts[0], parts[1], parts[2], rest))
