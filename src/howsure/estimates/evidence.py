"""Evidence: what an interval method may ask for: a value, its variance, its cells and counts, for one table or many."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property, partial
from typing import Any

import numpy as np

from howsure.errors.messages import estimates as messages
from howsure.estimates.tail import Tail
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, Selection, embed, gradient_of, moments, value_of, view
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.metric import Metric, cells_for
from howsure.metrics.pseudo_counts import Smoothed, smoothed_matrices
from howsure.metrics.scoring import UnderNull, Worth
from howsure.tables.cell_view import CELLS
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.types import Array, Undefined


class Evidence:
    """A metric on one table, or on many at once (batch axes first).

    ``size`` is the number of independent rows the data are worth; counts of cells are shares times size.
    ``countable`` says that those counts are of independent rows with one outcome each, as binomial and
    multinomial methods need. ``positive`` is the place of the positive class of two, None if it was not named.
    ``linear`` is the one estimate on rows, where the evidence is not of many tables. Cells and slopes are there where a
    requirement has seen that they are.
    """

    metric: Metric
    value: Any
    variance: Any
    n: Any
    size: Any
    cells: Cells
    slopes: Gradient
    matrix: Array | None
    selection: Selection
    undefined: Undefined
    degrees: float = float("inf")
    has_cells: bool = True
    countable: bool = True
    positive: int | None = 1
    linear: Linearised | None = None

    @property
    def lacking(self) -> str:
        """Why there is no confusion matrix, in words."""
        return "" if self.linear is None else self.linear.contents.no_matrix

    @property
    def se(self) -> Array:
        """Standard error of the value."""
        return np.asarray(np.sqrt(self.variance))

    @property
    def spread(self) -> Spread:
        """The variance by what was sampled, with degrees of freedom."""
        return Spread((VariancePart("rows", self.variance, self.degrees),))

    def quantile(self, tail: Tail) -> Any:
        """Return the quantile that belongs to a tail: normal, or Student's t where the variance rests on few groups."""
        return self.spread.quantile(tail)

    def tail_of(self, tail: Tail) -> float:
        """Return the probability beyond each end for methods that take one: less where the variance rests on groups."""
        return tail.beyond_quantile(self.degrees)

    def half(self, tail: Tail) -> Any:
        """Return half the length of a symmetric interval."""
        return self.spread.half(tail)

    def as_textbook(self) -> Evidence:
        """Return the evidence with the linearised variance, where that is another."""
        return self

    def with_variance(self, variance: Any) -> Evidence:
        """Return the same evidence with another variance."""
        other = copy(self)
        other.__dict__["variance"] = variance
        return other

    def with_size(self, size: float) -> Evidence:
        """Return the same evidence, worth another number of rows."""
        other = copy(self)
        other.__dict__["size"] = np.float64(size)
        return other

    @property
    def shares(self) -> tuple[Array, Array]:
        """Success and failure counts of a share metric."""
        share = self.metric.share
        assert share is not None
        return self.cells.counted(share.success) * self.size, self.cells.counted(share.failure) * self.size

    @property
    def larger_counts(self) -> list[tuple[Array, Array]]:
        """Success and failure counts of each of the shares of which the metric is the larger."""
        assert self.metric.larger is not None
        sides = ((share.success, share.failure) for share in self.metric.larger)
        return [
            (self.cells.counted(hits) * self.size, self.cells.counted(misses) * self.size) for hits, misses in sides
        ]

    @property
    def tversky_counts(self) -> tuple[Array, Array, Array]:
        """tp, fp, fn of a Tversky metric."""
        return self.cells.tp * self.size, self.cells.fp * self.size, self.cells.fn * self.size

    @property
    def one_class(self) -> bool:
        """Whether the metric sees one class against the rest: its cells have no axis of classes."""
        return np.ndim(self.cells.tp) == np.ndim(self.n)

    @property
    def binary_slopes(self) -> tuple[Array, Array, Array, Array]:
        """Slopes in tp, fp, fn, tn of the positive class."""
        if self.one_class:
            tp, fp, fn, tn = (getattr(self.slopes, cell)[..., 0] for cell in CELLS)
            return tp, fp, fn, tn
        table = embed(self.slopes, 2, self.selection).by_cell
        assert self.positive is not None
        one, zero = self.positive, 1 - self.positive
        return table[..., one, one], table[..., zero, one], table[..., one, zero], table[..., zero, zero]

    @cached_property
    def null(self) -> UnderNull | None:
        """The variance that the value would have if another were true, for metrics that know it."""
        return None if self.linear is None else self.linear.contents.under_null(self.linear)

    @property
    def worth(self) -> Worth | None:
        """How many rows of each class there are, and the parts of the variance, for metrics of scores."""
        return None if self.linear is None else self.linear.contents.worth(self.linear)

    @property
    def centre(self) -> float | None:
        """The value without the bias that it has in few rows, where that is known."""
        return None if self.linear is None else self.linear.contents.centre(self.linear)

    def rows_of_share(self, z: float) -> float | None:
        """Return the number of outcomes of 0 and 1 that would tell as much, where there are no cells to count."""
        return None

    def smoothed(self, z: float) -> Smoothed | None:
        """Return the metric on the table with pseudo-counts; None where nobody knows what to add."""
        raise TypeError(messages.EVIDENCE_IS_MADE_BY_EVIDENCE_OF_EVIDENCE_OF_MATRICES())


class RowEvidence(Evidence):
    """The evidence of one estimate on rows; it has cells only where rows hold labels."""

    def __init__(self, linear: Linearised) -> None:
        self.linear, self.metric, self.undefined = linear, linear.metric, linear.undefined
        self.value, self.n, self.size = np.float64(linear.value), np.float64(linear.n), np.float64(linear.effective_n)
        self.degrees, seen = linear.degrees, linear.view
        if seen is None:
            self.has_cells, self.countable, self.selection = False, False, None
        else:
            self.countable, self.selection, self.positive = seen.whole, seen.selection, seen.positive
            self.cells = seen.cells

    @cached_property
    def variance(self) -> Any:
        """The variance of the value."""
        assert self.linear is not None
        return np.float64(self.linear.variance)

    @cached_property
    def matrix(self) -> Array | None:  # type: ignore[override]
        """Counts of the cells at the effective number of rows, truth in rows; None where there are none."""
        assert self.linear is not None
        return self.linear.matrix

    @property
    def slopes(self) -> Gradient:  # type: ignore[override]
        """How the metric moves with each cell it sees."""
        assert self.linear is not None
        return self.linear.seen.slopes

    @property
    def spread(self) -> Spread:
        """The parts of the variance, in the proportions of the estimate's."""
        assert self.linear is not None
        return self.linear.spread.summing_to(self.variance)

    def as_textbook(self) -> Evidence:
        """Return the evidence with the linearised variance, and what the data are worth by it."""
        assert self.linear is not None
        return self if self.linear.linearised else RowEvidence(self.linear.as_textbook())

    def rows_of_share(self, z: float) -> float | None:
        """Return the number of outcomes of 0 and 1 that would tell as much of a mean or ratio between two ends."""
        assert self.linear is not None
        return self.linear.contents.rows_of_share(self.linear, float(self.size), z)

    def smoothed(self, z: float) -> Smoothed | None:
        """Return the metric on the rows with pseudo-rows of their kind."""
        assert self.linear is not None
        return self.linear.contents.smoothed(self.linear, float(self.size), z)


class TableEvidence(Evidence):
    """The evidence of many tables of independent rows; variance and slopes are found when asked for.

    Wilson's interval needs neither, so a million of them cost what the arithmetic costs.
    """

    def __init__(
        self, metric: Metric, cells: Cells, n: Array, make_matrix: Callable[[], Array], *, selection: Selection,
        undefined: Undefined, positive: int | None = 1,
    ) -> None:  # fmt: skip
        self.metric, self.cells, self.n, self.size = metric, cells, n, n
        self.selection, self.undefined, self.positive, self._make_matrix = selection, undefined, positive, make_matrix

    @cached_property
    def value(self) -> Array:
        """The metric on each table."""
        return value_of(self.metric, self.cells, self.undefined)

    @cached_property
    def matrix(self) -> Array:  # type: ignore[override]
        """Counts (…, K, K), truth in rows."""
        return self._make_matrix()

    @cached_property
    def slopes(self) -> Gradient:  # type: ignore[override]
        """How the metric moves with each cell it sees."""
        return gradient_of(self.metric, self.cells, self.undefined)

    @cached_property
    def variance(self) -> Array:
        """Mean square of the influence over n."""
        if not self.one_class:
            return moments(self.metric, self.matrix, selection=self.selection, undefined=self.undefined).variance
        shares = np.stack([getattr(self.cells, cell) for cell in CELLS])
        slopes = np.stack([getattr(self.slopes, cell)[..., 0] for cell in CELLS])
        with np.errstate(invalid="ignore", divide="ignore"):
            held = shares > 0
            centred = slopes - np.where(held, shares * slopes, 0.0).sum(0)
            variance = np.where(held, shares * centred**2, 0.0).sum(0) / self.n
        return np.where(np.isnan(self.value), np.nan, variance)

    def quantile(self, tail: Tail) -> Any:
        """Return the normal quantile: of independent rows it asks for no variance."""
        return tail.quantile(self.degrees)

    def smoothed(self, z: float) -> Smoothed:
        """Return the metric on the tables with pseudo-counts in their cells."""
        return smoothed_matrices(self.metric, self.matrix, z, selection=self.selection, undefined=self.undefined)


def evidence_of(linear: Linearised) -> Evidence:
    """Return the evidence of one estimate on a table."""
    return RowEvidence(linear)


def evidence_of_matrices(
    metric: Metric, matrices: Array, *, selection: Selection = None, undefined: Undefined = "nan",
    positive: int | None = 1,
) -> TableEvidence:  # fmt: skip
    """Return the evidence of a metric on many confusion matrices (…, K, K) of independent rows, truth in rows."""
    check_slopes(metric)
    matrices = np.asarray(matrices, dtype=float)
    cells, n = cells_for(metric, matrices)
    how: Any = {"selection": selection, "undefined": undefined, "positive": positive}
    return TableEvidence(metric, view(cells, selection), n, lambda: matrices, **how)


def evidence_of_counts(
    metric: Metric, tp: Array, fp: Array, fn: Array, tn: Array, *, undefined: Undefined = "nan"
) -> TableEvidence:
    """Return the evidence of a metric of one class on tables given by four arrays of counts of equal shape."""
    relevant = tp + fp + fn
    n = np.where(np.isnan(tn), relevant, relevant + tn)
    with np.errstate(invalid="ignore", divide="ignore"):
        cells = Cells(tp / n, fp / n, fn / n, tn / n)
    matrix = partial(matrix_of, tp, fp, fn, tn)
    return TableEvidence(metric, cells, n, matrix, selection=1, undefined=undefined)


def matrix_of(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Return two-class matrices, truth in rows, the positive class second."""
    return np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)
