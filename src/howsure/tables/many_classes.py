"""Labels of very many classes: what Labels computes from a K×K matrix, from the rows and K sums of each kind.

Slopes: a complex step in each of the 4K cells would take 4K copies of K numbers. But formulas of many classes are made
of sums over classes (hits, pooled cells, averages, Σ actual · predicted), and what is summed is a formula of one class.
So one step in all classes at once gives the slope of every summand, and the sum passes them on: forward differentiation
with the 4K slopes of a number beside it. The result is compared with plain complex steps in some cells; a formula that
mixes classes in another way is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import InputError, MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.cells import Cells, Formula, remainder
from howsure.metrics.gradient import STEEP, STEP, Gradient
from howsure.metrics.metric import Metric
from howsure.types import Array, Ints, Undefined

if TYPE_CHECKING:
    from howsure.tables.labels import Labels

MOST_CLASSES = 500
"""Classes up to which the K×K matrix is made: its slopes take 4K² complex numbers."""
MOST_MATRIX = 50_000_000
"""Cells of a matrix that is made when somebody asks for it."""
CELLS = ("tp", "fp", "fn", "tn")
CHECKED = 6
TOLERANCE = 1e-6


def class_cells(truth: Ints, guess: Ints, weights: Array, width: int) -> Cells:
    """Return the cells of each class as shares of the weight, summed over rows: of one weighting, or of each of many.

    Rows are on the last axis of ``weights``.
    """
    right = truth == guess
    wrong = ~right
    total = np.asarray(weights.sum(-1))
    tp = sums_by_code(truth[right], weights[..., right], width)
    missed = weights[..., wrong]
    fn, fp = (sums_by_code(codes[wrong], missed, width) for codes in (truth, guess))
    tn = remainder(total, tp + fp + fn)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Cells(*(part / total[..., None] for part in (tp, fp, fn, tn)))


def sums_by_code(codes: Ints, weights: Array, width: int) -> Array:
    """Return the sums of weights of the rows of each code, 0 to width − 1; rows are on the last axis."""
    if weights.ndim == 1:
        return np.bincount(codes, weights=weights, minlength=width)
    sums = np.zeros((len(weights), width))
    order = np.argsort(codes, kind="stable")
    held, starts = np.unique(codes[order], return_index=True)
    if len(held):
        sums[:, held] = np.add.reduceat(weights[:, order], starts, axis=1)
    return sums


def at_rows(slopes: Gradient, truth: Ints, guess: Ints) -> Array:
    """Return what ``slopes.by_cell`` holds in the cell of each row."""
    base = slopes.tn.sum(-1)
    missed, wrong, hit = slopes.fn - slopes.tn, slopes.fp - slopes.tn, slopes.tp - slopes.tn
    return np.asarray(base + np.where(truth == guess, hit[truth], missed[truth] + wrong[guess]))


def row_slopes(rows: Labels, slopes: Gradient, place: int, part: slice = slice(None)) -> Array:
    """Return the slope of each row: that in its cell."""
    truth, guess = rows.truth[part], rows.predictions[part, place]
    return (
        at_rows(slopes, truth, guess) if len(rows.labels) > MOST_CLASSES else np.asarray(slopes.by_cell[truth, guess])
    )


def class_moments(slopes: Gradient, centre: float, axis: int) -> Array:
    """Return the share of finite entries of ``slopes.by_cell − centre`` along an axis, and their sums over K: of φ, φ².

    Off the diagonal φ is a sum of one number of the true class and one of the predicted, so that sums over one of them
    follow from sums over all classes.
    """
    base = slopes.tn.sum(-1) - centre
    missed, wrong, hit = slopes.fn - slopes.tn, slopes.fp - slopes.tn, slopes.tp - slopes.tn + base
    summed, fixed = (missed, wrong + base) if axis == 0 else (wrong, missed + base)
    finite, held = np.isfinite(summed), np.where(np.isfinite(summed), summed, 0.0)
    number, first, second = (part.sum() - part for part in (finite.astype(float), held, held**2))
    known = np.isfinite(fixed)
    fixed, right = np.where(known, fixed, 0.0), np.isfinite(hit)
    hit = np.where(right, hit, 0.0)
    sums = (number, first + number * fixed, second + 2 * fixed * first + number * fixed**2)
    return np.stack([
        (np.where(known, part, 0.0) + own) / len(hit) for part, own in zip(sums, (right, hit, hit**2), strict=True)
    ])  # fmt: skip


def pseudo_cells(classes: Ints) -> tuple[Ints, Ints, Array]:
    """Return truth, prediction and number of pseudo-rows that add to each class what ½ row spread over K² cells does.

    2K rows in place of K²: the hits of each class, and misses, each of one class and taken for the next. What is added
    to tp, fp and fn of a class is the same.
    """
    size = len(classes)
    hits, misses = np.full(size, 1 / (2 * size**2)), np.full(size, (size - 1) / (2 * size**2))
    truth, guess = np.concatenate([classes, classes]), np.concatenate([classes, np.roll(classes, 1)])
    return truth, guess, np.concatenate([hits, misses])


def no_matrix(width: int) -> str:
    """Return in words why there is no matrix."""
    return f"there are {width:,} classes, whose matrix of {width**2:,} cells is not held"


def refuse_matrix(width: int, models: int) -> InputError:
    """Return the refusal of a table of K^(models + 1) cells."""
    return InputError(messages.MATRIX_WOULD_TAKE(no_matrix=no_matrix(width), width=width ** (models + 1) * 8 / 2**30))


def check_metric(metric: Metric, width: int) -> None:
    """Refuse a metric of the whole matrix."""
    if metric.over == "matrix" or metric.scores is not None:
        raise MetricError(messages.METRIC_LOOKS_AT_EVERY_CELL(metric=metric.name, no_matrix=no_matrix(width)))


@dataclass(frozen=True, eq=False)
class Traced:
    """A number, or one for each class, with its slopes (4, K) in the cells of the classes.

    Of a number for each class the slopes are those in the cells of its own class: it depends on no others.
    """

    value: Array
    slopes: Array

    __array_priority__ = 1000

    @property
    def real(self) -> Array:
        """The value alone."""
        return self.value

    def sum(self, axis: int = -1) -> Traced:
        """Return the sum over classes."""
        return Traced(self.value.sum(-1), self.slopes)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options or ufunc not in _RULES:
            return NotImplemented
        rule: Any = _RULES[ufunc]
        return rule(*map(_unwrapped, inputs))

    def __add__(self, other: Any) -> Traced:
        return _add(self, _unwrapped(other))

    __radd__ = __add__

    def __neg__(self) -> Traced:
        return Traced(-self.value, -self.slopes)

    def __sub__(self, other: Any) -> Traced:
        return _subtract(self, _unwrapped(other))

    def __rsub__(self, other: Any) -> Traced:
        return _subtract(_unwrapped(other), self)

    def __mul__(self, other: Any) -> Traced:
        return _multiply(self, _unwrapped(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Traced:
        return _divide(self, _unwrapped(other))

    def __rtruediv__(self, other: Any) -> Traced:
        return _divide(_unwrapped(other), self)

    def __pow__(self, power: Any) -> Traced:
        return _power(self, _unwrapped(power))


def _unwrapped(found: Any) -> Any:
    """Return what numpy.asarray has put into an array of one object."""
    return found.item() if isinstance(found, np.ndarray) and found.dtype == object and found.ndim == 0 else found


def _both(a: Any, b: Any) -> tuple[Array, Array]:
    """Return the values of two operands; refuse a total beside single classes, whose slopes would be K×K."""
    x, y = (one.value if isinstance(one, Traced) else np.asarray(one) for one in (a, b))
    for one, value, other in ((a, x, y), (b, y, x)):
        if isinstance(one, Traced) and other.ndim > value.ndim:
            raise TypeError(messages.SUM_OVER_CLASSES_IS_COMBINED())
    if isinstance(a, Traced) and isinstance(b, Traced) and x.ndim != y.ndim:
        raise TypeError(messages.SUM_OVER_CLASSES_IS_COMBINED())
    return x, y


def _chained(value: Array, *terms: tuple[Any, Any]) -> Traced:
    """Return a value whose slopes are Σ factor · slopes over the operands that have any."""
    found = [factor * one.slopes for one, factor in terms if isinstance(one, Traced)]
    return Traced(np.asarray(value), np.asarray(sum(found[1:], start=found[0])))


def _add(a: Any, b: Any) -> Traced:
    x, y = _both(a, b)
    return _chained(x + y, (a, 1.0), (b, 1.0))


def _subtract(a: Any, b: Any) -> Traced:
    x, y = _both(a, b)
    return _chained(x - y, (a, 1.0), (b, -1.0))


def _multiply(a: Any, b: Any) -> Traced:
    x, y = _both(a, b)
    return _chained(x * y, (a, y), (b, x))


def _divide(a: Any, b: Any) -> Traced:
    x, y = _both(a, b)
    return _chained(x / y, (a, 1 / y), (b, -x / (y * y)))


def _power(a: Any, power: Any) -> Traced:
    x, p = _both(a, power)
    if isinstance(power, Traced):
        raise TypeError(messages.POWER_DEPENDS_ON_CELLS())
    return _chained(x**p, (a, p * x ** (p - 1)))


def _sqrt(a: Any) -> Traced:
    root = np.sqrt(a.value)
    return Traced(root, a.slopes / (2 * root))


_RULES = {
    np.add: _add,
    np.subtract: _subtract,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.power: _power,
    np.sqrt: _sqrt,
    np.negative: lambda a: -a,
    np.square: lambda a: a * a,
}


class TracedCells(Cells):
    """The cells of all classes, each a traced number; a formula of one class is differentiated in all at once."""

    def by_class(self, formula: Formula, *, idle: Array | None = None) -> tuple[Any, Array]:
        """Return the formula per class with its slopes, and the weight (0 or 1) of each class in an average."""
        assert self.origin is not None
        values, kept = self.origin.by_class(formula, idle=idle)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            slopes = np.stack([np.asarray(formula(_stepped(self.origin, cell))).imag / STEP for cell in CELLS])
        missing = np.isnan(np.asarray(formula(self.origin)).real)
        slopes = np.where(np.abs(slopes) > STEEP, np.nan, slopes)
        return Traced(values, np.where(missing, 0.0, slopes)), kept

    def average(self, formula: Formula, weight: Formula | None = None) -> Any:
        """Return the mean of a per-class formula over classes with its slopes."""
        assert self.origin is not None
        if weight is None:
            values, kept = self.by_class(formula)
            return (values * kept).sum() / kept.sum(-1)
        values, kept = self.by_class(formula, idle=weight(self.origin) == 0)
        weights = kept * _unwrapped(weight(self))
        return (values * weights).sum() / weights.sum()

    def pooled(self) -> Any:
        """Return the sums over classes."""
        return Cells(self.tp.sum(-1), self.fp.sum(-1), self.fn.sum(-1), self.tn.sum(-1))


def _stepped(cells: Cells, cell: str) -> Cells:
    """Return the cells with one of the four nudged in every class."""
    return replace(cells, **{cell: getattr(cells, cell) + 1j * STEP}, matrix=None, origin=cells)


def class_gradient(metric: Metric, cells: Cells, undefined: Undefined = "nan") -> Gradient:
    """Return the slopes of a metric of many classes at these cells."""
    plain = replace(cells, undefined=undefined, matrix=None, origin=None)
    width = plain.tp.shape[-1]
    traced: dict[str, Any] = {
        cell: Traced(getattr(plain, cell), np.outer(np.arange(4) == place, np.ones(width)))
        for place, cell in enumerate(CELLS)
    }
    try:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            found = _unwrapped(metric.formula(TracedCells(**traced, undefined=undefined, origin=plain)))
            value = float(np.asarray(metric.formula(plain)))
    except (TypeError, AttributeError, ValueError, IndexError) as error:
        raise _mixes(metric, width, str(error)) from None
    if not isinstance(found, Traced) or found.value.ndim or not _same(float(found.value), value):
        raise _mixes(metric, width, "its value does not follow from them")
    slopes = np.broadcast_to(np.where(np.abs(found.slopes) > STEEP, np.nan, found.slopes), (4, width))
    if not np.isnan(value):
        _check(metric, plain, slopes)
    return Gradient(*slopes)


def _check(metric: Metric, cells: Cells, slopes: Array) -> None:
    """Compare with complex steps in the cells of some classes, spread over those that hold most and least."""
    order = np.argsort(cells.tp + cells.fp + cells.fn, kind="stable")
    for place in np.unique(order[np.linspace(0, len(order) - 1, CHECKED).astype(int)]):
        for row, cell in enumerate(CELLS):
            nudge = np.zeros(len(order), dtype=complex)
            nudge[place] = 1j * STEP
            moved = replace(cells, **{cell: getattr(cells, cell) + nudge}, origin=cells)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
                expected = float(np.asarray(metric.formula(moved)).imag / STEP)
            if abs(expected) <= STEEP and not _same(float(slopes[row, place]), expected):
                raise _mixes(metric, len(order), f"slopes differ in a cell: {slopes[row, place]:g} and {expected:g}")


def _same(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=TOLERANCE, atol=1e-12, equal_nan=True))


def _mixes(metric: Metric, width: int, why: str) -> MetricError:
    return MetricError(
        messages.METRIC_OF_CLASSES_NEEDS_ALL_CELLS(metric=metric.name, width=width, other_width=width**2, why=why)
    )
