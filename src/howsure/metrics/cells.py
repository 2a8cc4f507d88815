"""What a formula sees: the cells tp fp fn tn of each class, as shares of the rows, batch axes first."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.types import Array, Undefined

Formula = Callable[["Cells"], Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """Shares of rows that are true positive, false positive, … for one class or, on the last axis, for each.

    A formula reads ``tp fp fn tn``, the margins ``actual predicted total`` and, when it looks at all classes
    at once, ``hits`` and ``misses``. The four cells are kept apart, so a rare error is not lost in a
    difference of large numbers. ``tn`` is nan where negatives were not counted.
    """

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    _: KW_ONLY
    scored: Array | None = None
    scores: Array | None = None
    matrix: Array | None = None
    undefined: Undefined = "nan"
    origin: Cells | None = None

    @property
    def actual(self) -> Array:
        """Share of rows that truly belong to the class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> Array:
        """Share of rows that are predicted to belong to the class."""
        return self.tp + self.fp

    @property
    def total(self) -> Array:
        """All rows: 1, or nan where negatives were not counted."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def hits(self) -> Array:
        """Share of rows whose one label is right."""
        return np.asarray(self.tp.sum(-1))

    @property
    def misses(self) -> Array:
        """Share of rows whose one label is wrong."""
        return np.asarray(self.fn.sum(-1))

    @property
    def all_tp(self) -> Array:
        """True positives summed over the classes in view."""
        return np.asarray(self.tp.sum(-1))

    @property
    def all_fp(self) -> Array:
        """False positives summed over the classes in view."""
        return np.asarray(self.fp.sum(-1))

    @property
    def all_fn(self) -> Array:
        """False negatives summed over the classes in view."""
        return np.asarray(self.fn.sum(-1))

    def take(self, classes: Any) -> Cells:
        """Return the cells of one class (an index) or of some (an index array)."""
        parts = (part[..., classes] for part in (self.tp, self.fp, self.fn, self.tn))
        return Cells(*parts, undefined=self.undefined, origin=self.origin and self.origin.take(classes))

    def pooled(self) -> Cells:
        """Return the sums over classes: what a micro average sees."""
        return Cells(*(np.asarray(part.sum(-1)) for part in (self.tp, self.fp, self.fn, self.tn)))

    def versus_rest(self) -> Cells:
        """Return the two-class cells (rest, class) of a single class."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        two = (np.stack(pair, -1) for pair in ((tn, tp), (fn, fp), (fp, fn), (tp, tn)))
        return Cells(*two, undefined=self.undefined, origin=self.origin and self.origin.versus_rest())

    def by_class(self, formula: Formula, *, idle: Array | None = None) -> tuple[Array, Array]:
        """Return the formula's value per class and the weight (0 or 1) that each class has in an average.

        What is 0/0 is decided on the unperturbed cells: a nudge of one cell must not make a class appear.
        A class marked ``idle`` carries no weight, so that its value does not matter.
        """
        values = np.asarray(formula(self))
        missing = np.isnan(np.asarray(formula(self.origin or self)).real)
        if not missing.any():
            return values, np.ones(values.shape)
        silent = missing if self.undefined == "skip" else missing & (False if idle is None else idle)
        hole = {"nan": np.nan, "skip": 0.0, "zero": 0.0, "one": 1.0}[self.undefined]
        filled = np.where(missing, np.where(silent, 0.0, hole), values)
        return filled, np.broadcast_to(~silent, values.shape).astype(float)

    def average(self, formula: Formula, weight: Formula | None = None) -> Array:
        """Return the mean of a per-class formula over classes, undefined classes treated as asked."""
        if weight is None:
            values, weights = self.by_class(formula)
        else:
            values, kept = self.by_class(formula, idle=weight(self.origin or self) == 0)
            weights = kept * weight(self)
        return np.asarray((values * weights).sum(-1) / weights.sum(-1))

    def counted(self, names: tuple[str, ...]) -> Array:
        """Return the sum of the named cells."""
        return reduce(add, [getattr(self, name) for name in names])


def cells_of_matrix(matrix: ArrayLike, *, scores: Array | None = None, shares: bool = True) -> tuple[Cells, Array]:
    """Return the cells of each class of confusion matrices (…, K, K), truth in rows, and the totals.

    A nan at [0, 0] says that negatives were not counted. ``shares``: the matrix is kept too, as shares of the rows.
    """
    counts = np.asarray(matrix, dtype=float)
    total = np.asarray(counts.sum((-2, -1)))
    if np.isnan(total).any():
        total = np.nansum(counts, axis=(-2, -1))
    two, kept = counts.shape[-1] == 2, shares or scores is not None
    with np.errstate(invalid="ignore", divide="ignore"):
        each = counts / total[..., None, None] if two or kept else counts
        parts = _two_classes(each) if two else [part / total[..., None] for part in _classes(counts, total)]
    scored = None if scores is None else np.asarray((each * scores).sum((-2, -1)))
    return Cells(*parts, scored=scored, scores=scores, matrix=each if kept else None), total


def one_of_two(matrix: Array, place: int, *, hidden: bool = False) -> Cells:
    """Return the cells of one of the two classes of one matrix, whose [0, 0] may be ``hidden``: not counted.

    As ``cells_of_matrix`` and then ``take``, in single numbers in place of a dozen small arrays.
    """
    first, second, third, fourth = matrix.ravel().tolist()
    total = (0.0 if hidden else first) + second + third + fourth or math.nan
    counts = (math.nan if hidden else first, second, third, fourth)
    tn, fp, fn, tp = [np.float64(count / total) for count in (counts if place else counts[::-1])]
    return Cells(tp, fp, fn, tn)  # type: ignore[arg-type]


def _two_classes(shares: Array) -> tuple[Array, Array, Array, Array]:
    """Return tp, fp, fn, tn of both classes: what one class misses, the other is taken for."""
    tp, fn = (part.diagonal(axis1=-2, axis2=-1) for part in (shares, shares[..., ::-1]))
    return tp, fn[..., ::-1], fn, tp[..., ::-1]


def _classes(counts: Array, total: Array) -> tuple[Array, Array, Array, Array]:
    """Return tp, fp, fn, tn of each class, in rows."""
    tp = np.diagonal(counts, axis1=-2, axis2=-1)
    errors = counts.copy()
    diagonal = np.arange(counts.shape[-1])
    errors[..., diagonal, diagonal] = 0.0
    fp, fn = errors.sum(-2), errors.sum(-1)
    return tp, fp, fn, remainder(total, tp + fp + fn)


def remainder(total: Array, used: Array) -> Array:
    """Return total − used, exact for whole counts and with rounding dust removed for fractional ones."""
    rest = total[..., None] - used
    whole = np.all(total == np.rint(total)) and np.all(used == np.rint(used))
    return np.where(rest > (0.0 if whole else 1e-13 * total[..., None]), rest, 0.0)


def nudged(cells: Cells, step: float) -> Cells:
    """Return complex cells with one more leading axis: copy d is nudged by i·step in its d-th cell.

    Order of the cells: tp, fp, fn, tn of each class, then the scored share if there is one.
    """
    parts = (cells.tp, cells.fp, cells.fn, cells.tn)
    width = parts[0].shape[-1]
    directions = 4 * width + (cells.scored is not None)
    batch = (1,) * (parts[0].ndim - 1)
    units = _units(directions, width, step)
    moved = [part + unit.reshape(directions, *batch, width) for part, unit in zip(parts, units, strict=True)]
    scored = cells.scored
    if scored is not None:
        last = np.zeros(directions, dtype=complex)
        last[-1] = 1j * step
        scored = scored + last.reshape(directions, *(1,) * scored.ndim)
    return Cells(*moved, scored=scored, scores=cells.scores, undefined=cells.undefined, origin=cells)


@lru_cache(maxsize=8)
def _units(directions: int, width: int, step: float) -> tuple[Array, ...]:
    """Return i·step for each direction (first axis) at its place, one array for each of tp, fp, fn, tn."""
    return tuple(np.split(1j * step * np.eye(directions, 4 * width), 4, axis=1))


def with_policy(cells: Cells, undefined: Undefined) -> Cells:
    """Return the same cells with another rule for undefined classes."""
    return cells if cells.undefined == undefined else replace(cells, undefined=undefined)
