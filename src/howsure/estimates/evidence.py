"""What an interval method may ask for: a value, its variance, its cells and counts, for one table or many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from howsure.errors import InputError, check_level, quoted
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, Selection, gradient_of, moments
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.metric import Metric
from howsure.results.base import Note
from howsure.tables.contents import Codes
from howsure.tables.linearised import Linear
from howsure.types import Array, Side, Undefined

SIDES = ("both", "lower", "upper")


@dataclass(frozen=True, slots=True)
class Tail:
    """A level and a side: how much probability each end of the interval may miss."""

    level: float
    side: Side = "both"

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.side not in SIDES:
            raise InputError(f"side is {self.side!r}; it must be one of {quoted(SIDES)}")

    @property
    def probability(self) -> float:
        """Probability beyond each end."""
        return (1 - self.level) / 2 if self.side == "both" else 1 - self.level

    @property
    def z(self) -> float:
        """Normal quantile; from the tail, so that a level near 1 keeps its digits."""
        return float(-ndtri(self.probability))

    def quantile(self, degrees: float) -> float:
        """Normal quantile, or Student's t where the variance rests on few groups."""
        return self.z if np.isinf(degrees) else float(-stdtrit(degrees, self.probability))


@dataclass(frozen=True, slots=True)
class Limits:
    """Both ends of an interval, and what should be said of how they were found."""

    low: Any
    high: Any
    notes: tuple[Note, ...] = ()
    error: float | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Evidence:
    """A metric on one table, or on many at once (batch axes first).

    ``size`` is the number of independent rows the data are worth; counts of cells are shares times size.
    ``countable`` says that those counts are of independent rows with one outcome each, as binomial and
    multinomial methods need. ``positive`` is the place of the positive class of two, None if it was not named.
    """

    metric: Metric
    value: Any
    variance: Any
    n: Any
    size: Any
    cells: Cells
    slopes: Gradient
    degrees: float = float("inf")
    countable: bool = True
    undefined: Undefined = "nan"
    matrix: Array | None = None
    selection: Selection = None
    linear: Linear | None = None
    positive: int | None = 1

    @property
    def se(self) -> Array:
        """Standard error of the value."""
        return np.asarray(np.sqrt(self.variance))

    @property
    def shares(self) -> tuple[Array, Array]:
        """Success and failure counts of a share metric."""
        share = self.metric.share
        assert share is not None
        return self.cells.counted(share.success) * self.size, self.cells.counted(share.failure) * self.size

    @property
    def tversky_counts(self) -> tuple[Array, Array, Array]:
        """tp, fp, fn of a Tversky metric."""
        return self.cells.tp * self.size, self.cells.fp * self.size, self.cells.fn * self.size


def evidence_of(linear: Linear) -> Evidence:
    """Return the evidence of one estimate on a table."""
    table = linear.table
    effective = linear.effective_n
    matrix = None
    if isinstance(table.rows, Codes):
        matrix = table.rows.matrix(table.weights, table.model_index(linear.model), len(table.labels))
    scale = effective / float(table.weights.sum()) if matrix is not None and table.weights.sum() > 0 else 1.0
    return Evidence(
        metric=linear.metric,
        value=np.float64(linear.value),
        variance=np.float64(linear.variance),
        n=np.float64(table.n),
        size=np.float64(effective),
        cells=linear.cells,
        slopes=linear.slopes,
        degrees=linear.degrees,
        countable=matrix is not None or linear.metric.over == "class" or linear.row_share,
        undefined=linear.undefined,
        matrix=None if matrix is None else matrix * scale,
        selection=linear.selection,
        linear=linear,
        positive=table.labels.index(table.pos_label) if table.pos_label in table.labels else None,
    )


def evidence_of_matrices(
    metric: Metric, matrices: Array, *, selection: Selection = None, undefined: Undefined = "nan"
) -> Evidence:
    """Return the evidence of a metric on many confusion matrices (…, K, K) of independent rows, truth in rows."""
    check_slopes(metric)
    made = moments(metric, matrices, selection=selection, undefined=undefined)
    return Evidence(
        metric=metric,
        value=made.value,
        variance=made.variance,
        n=made.n,
        size=made.n,
        cells=made.cells,
        slopes=gradient_of(metric, made.cells, undefined),
        undefined=undefined,
        matrix=np.asarray(matrices, dtype=float),
        selection=selection,
    )
