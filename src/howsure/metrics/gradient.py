"""The engine: a metric's value, and how it moves when one row moves. Gradients by complex step."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.cells import Cells, nudged, with_policy
from howsure.metrics.metric import Metric, cells_for
from howsure.types import Array, Undefined

Selection = int | Array | Literal["pooled"] | None
STEP = 1e-150
STEEP = 1e60  # a complex step at a branch point returns about STEP ** -0.5: the slope is infinite
BLOCK = 2_000_000
NUDGES = tuple(1j * STEP * np.eye(4))


@dataclass(frozen=True, slots=True)
class Gradient:
    """Slopes of a metric in the cells tp fp fn tn (of one class, or each), and in the scored share."""

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    _: KW_ONLY
    scored: Array | None = None
    scores: Array | None = None
    matrix: Array | None = None

    @property
    def by_cell(self) -> Array:
        """Return the influence (not yet centred) of a row in each cell (…, truth, prediction)."""
        if self.matrix is not None:
            return self.matrix
        classes = np.arange(self.tp.shape[-1])
        missed = self.fn - self.tn
        wrong = self.fp - self.tn
        table = self.tn.sum(-1)[..., None, None] + missed[..., :, None] + wrong[..., None, :]
        table[..., classes, classes] = self.tn.sum(-1)[..., None] + self.tp - self.tn
        if self.scored is not None and self.scores is not None:
            table = table + self.scored[..., None, None] * self.scores
        return np.asarray(table)


def value_of(metric: Metric, cells: Cells, undefined: Undefined = "nan") -> Array:
    """Return the metric's value at these cells; 0/0 is nan. Cells alone know no prevalence but their own."""
    metric.check_own_prevalence()
    with np.errstate(divide="ignore", invalid="ignore"):
        found = metric.formula(with_policy(cells, undefined))
    try:
        if found is not None:  # numpy would take it for nan
            return np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        pass
    raise MetricError(messages.FORMULA_OF_METRIC_RETURNS(metric=metric.name, found=found))


def values_of(metric: Metric, matrices: ArrayLike, selection: Selection, undefined: Undefined = "nan") -> Array:
    """Return the metric's value for each of some confusion matrices (…, K, K), of counts or of shares."""
    cells, _ = cells_for(metric, matrices, shares=metric.over == "matrix")
    return value_of(metric, view(cells, selection), undefined)


def gradient_of(metric: Metric, cells: Cells, undefined: Undefined = "nan") -> Gradient:
    """Return the metric's slopes at these cells: Im g(p + i·h·e) / h, exact to rounding."""
    cells = with_policy(cells, undefined)
    if metric.over == "matrix":
        return _matrix_gradient(metric, cells)
    single = metric.over == "class"
    moved = _nudged_class(cells) if single else nudged(cells, STEP)
    slopes = _slopes(metric, moved)
    width = 1 if single else cells.tp.shape[-1]
    last = slopes.transpose(*range(1, slopes.ndim), 0)
    parts = [last[..., k * width : (k + 1) * width] for k in range(4)]
    if cells.scored is not None and not single:
        return Gradient(*parts, scored=slopes[-1], scores=cells.scores)
    return Gradient(*parts)


def _nudged_class(cells: Cells) -> Cells:
    """Return the cells of one class four times, copy d nudged in its d-th cell: as ``nudged``, without a class axis."""
    batch = (1,) * np.ndim(cells.tp)
    parts = (cells.tp, cells.fp, cells.fn, cells.tn)
    moved = (part + nudge.reshape(4, *batch) for part, nudge in zip(parts, NUDGES, strict=True))
    return Cells(*moved, undefined=cells.undefined, origin=cells)


def _slopes(metric: Metric, moved: Cells) -> Array:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        slopes = np.asarray(metric.formula(moved)).imag / STEP
    return np.where(np.abs(slopes) > STEEP, np.nan, slopes)


def _matrix_gradient(metric: Metric, cells: Cells) -> Gradient:
    """Differentiate a formula of the whole matrix, some cells at a time so that memory stays bounded."""
    assert cells.matrix is not None
    shares = cells.matrix
    size = shares.shape[-1] ** 2
    some = max(1, BLOCK // shares.size)
    slopes = [
        _slopes(metric, _nudged_matrix(cells, range(start, min(start + some, size)))) for start in range(0, size, some)
    ]
    table = np.moveaxis(np.concatenate(slopes), 0, -1).reshape(shares.shape)
    zero = np.zeros(shares.shape[:-1])
    return Gradient(zero, zero, zero, zero, matrix=table)


def _nudged_matrix(cells: Cells, chosen: range) -> Cells:
    assert cells.matrix is not None
    width = cells.matrix.shape[-1]
    nudge = np.zeros((len(chosen), width * width), dtype=complex)
    nudge[np.arange(len(chosen)), list(chosen)] = 1j * STEP
    batch = (1,) * (cells.matrix.ndim - 2)
    moved = cells.matrix + nudge.reshape(len(chosen), *batch, width, width)
    tp = np.diagonal(moved, axis1=-2, axis2=-1)
    fp, fn = moved.sum(-2) - tp, moved.sum(-1) - tp
    tn = moved.sum((-2, -1))[..., None] - tp - fp - fn
    return Cells(tp, fp, fn, tn, matrix=moved, undefined=cells.undefined, origin=cells)


@dataclass(frozen=True, slots=True)
class Moments:
    """A metric on one or many confusion matrices: value, variance of the value, influence per cell."""

    value: Array
    variance: Array
    influence: Array
    cells: Cells
    n: Array


def moments(metric: Metric, matrix: Array, *, selection: Selection = None, undefined: Undefined = "nan") -> Moments:
    """Return value, variance and influence for confusion matrices (…, K, K) of independent rows.

    variance = mean square of the influence over n (Takahashi et al. 2022; Jiang 2020).
    """
    matrix = np.asarray(matrix, dtype=float)
    width = matrix.shape[-1]
    some = max(1, BLOCK // (4 * width * width))
    if matrix.ndim < 3 or len(matrix) <= some:
        return _moments(metric, matrix, selection, undefined)
    blocks = [
        _moments(metric, matrix[start : start + some], selection, undefined) for start in range(0, len(matrix), some)
    ]
    return _joined(blocks)


def _moments(metric: Metric, matrix: Array, selection: Selection, undefined: Undefined) -> Moments:
    width = matrix.shape[-1]
    cells, n = cells_for(metric, matrix)
    assert cells.matrix is not None
    seen, shares = view(cells, selection), cells.matrix
    value = value_of(metric, seen, undefined)
    influence = embed(gradient_of(metric, seen, undefined), width, selection).by_cell
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(shares > 0, shares * influence, 0.0).sum((-2, -1))
        influence = influence - mean[..., None, None]
        variance = np.where(shares > 0, shares * influence**2, 0.0).sum((-2, -1)) / n
    return Moments(value, np.where(np.isnan(value), np.nan, variance), influence, seen, n)


def _joined(blocks: list[Moments]) -> Moments:
    first = blocks[0].cells
    parts = ("tp", "fp", "fn", "tn", "scored", "matrix")
    joined: dict[str, Any] = {
        part: np.concatenate([getattr(block.cells, part) for block in blocks])
        for part in parts
        if getattr(first, part) is not None
    }
    cells = replace(first, **joined)
    value, variance, influence, n = (
        np.concatenate([getattr(block, name) for block in blocks]) for name in ("value", "variance", "influence", "n")
    )
    return Moments(value, variance, influence, cells, n)


def view(cells: Cells, selection: Selection) -> Cells:
    """Return what the metric sees: one class (an index), some (an array), all pooled into one, or all (None)."""
    if isinstance(selection, str):
        return cells.pooled()
    return cells if selection is None else cells.take(selection)


def embed(gradient: Gradient, width: int, selection: Selection) -> Gradient:
    """Return slopes for all ``width`` classes from the slopes in the classes that were seen."""
    if selection is None:
        return gradient
    where = slice(None) if isinstance(selection, str) else np.atleast_1d(selection)

    def scattered(part: Array) -> Array:
        full = np.zeros((*part.shape[:-1], width))
        full[..., where] = part
        return full

    return Gradient(*(scattered(part) for part in (gradient.tp, gradient.fp, gradient.fn, gradient.tn)))
