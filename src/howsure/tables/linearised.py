"""A metric on a table: value, influence of every row, and the variance of any set of such estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.errors import MetricError, quoted
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, Selection, embed, gradient_of, value_of, view
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.metric import Metric, selection_of
from howsure.tables.contents import Bags, Codes
from howsure.tables.design import Strata
from howsure.tables.table import Table
from howsure.types import Array, Undefined

BLOCK = 8_000_000
CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True)
class Linear:
    """One estimate and how each row of its table moves it."""

    table: Table
    metric: Metric
    model: str
    undefined: Undefined
    value: float
    cells: Cells
    selection: Selection
    slopes: Gradient
    row_scores: Array | None = None

    @cached_property
    def influence(self) -> Array:
        """Influence of each distinct row (weighted mean zero)."""
        return self.influence_of(slice(None))

    def influence_of(self, part: slice) -> Array:
        """Influence of some of the rows: a block at a time keeps memory bounded."""
        if self.row_scores is not None:
            return self.row_scores[part]
        full = embed(self.slopes, len(self.table.labels), self.selection)
        raw = self.table.rows.take(part).project(full, self.table.model_index(self.model))
        with np.errstate(invalid="ignore"):
            return np.where(self.table.weights[part] > 0, raw - self._centre, 0.0)

    @cached_property
    def _centre(self) -> float:
        """Mean influence: slopes times shares, empty cells left out."""
        shares, slopes = self._held
        return float(shares @ slopes)

    @cached_property
    def _shares_and_slopes(self) -> tuple[Array, Array]:
        """Shares and slopes of the cells of the matrix, else of tp fp fn tn of each class."""
        if self.metric.over != "class" and self.cells.matrix is not None:
            shares, slopes = self.cells.matrix, self.slopes.by_cell
        else:
            shares, slopes = (np.array([getattr(part, cell) for cell in CELLS]) for part in (self.cells, self.slopes))
            slopes = slopes.reshape(shares.shape)
        return shares, slopes

    @cached_property
    def _held(self) -> tuple[Array, Array]:
        """Shares and slopes of the cells that hold rows; the slope in an empty one may be infinite."""
        shares, slopes = self._shares_and_slopes
        held = shares > 0
        return shares[held], slopes[held]

    @property
    def _in_cells(self) -> bool:
        """Whether all rows of a cell move the value alike, and each row is in one."""
        return self.metric.over == "class" or self.cells.matrix is not None

    @cached_property
    def plain(self) -> bool:
        """Whether the table is of independent rows with one label and no weights."""
        return self.table.groups is None and not self.table.weighted and not self.table.multilabel

    @cached_property
    def variance(self) -> float:
        """Variance of the value: cluster-robust with groups, linearised with weights."""
        if self.table.n and self.plain and self._in_cells and np.isfinite(self._shares_and_slopes[1]).all():
            return self.independent_variance  # the same sum, over a few cells instead of all rows
        return float(covariance(self.table, [self])[0, 0])

    @cached_property
    def independent_variance(self) -> float:
        """Variance if the cells came from n independent, equally weighted rows: what a design effect compares with."""
        if self._in_cells:
            shares, slopes = self._held
            return float(shares @ (slopes - self._centre) ** 2) / self.table.n
        share = self.table.weights / float(self.table.weights.sum())
        return float(share @ self.influence**2 / self.table.n)

    @cached_property
    def design_effect(self) -> float:
        """variance / independent variance; 1 for plain rows, nan where both are zero."""
        if self.plain:
            return 1.0
        base = self.independent_variance
        return self.variance / base if base > 0 else float("nan")

    @cached_property
    def effective_n(self) -> float:
        """Number of independent rows that would tell as much.

        A perfect score says nothing about how rows hang together: then every group counts as one row, and weights
        count as unequal as they are among the rows that the metric is a share of. In strata a failure may be unseen
        where no row was counted: a row is worth what it stands for in the stratum that hides most.
        """
        effect = self.design_effect
        if np.isfinite(effect) and effect > 0:
            return float(self.table.n / effect)
        table, counted = self.table, self._counted
        if table.strata is not None and table.groups is None:
            return float(table.weights.sum() / self._heaviest_failure(table.strata))
        part = float(table.weights[counted].sum() / table.weights.sum())
        if table.groups is not None:
            worth = float(len(np.unique(table.groups[counted])))
        else:
            worth = float(table.weights[counted].sum() ** 2 / table.squares[counted].sum())
        return float(worth / part)

    @property
    def _counted(self) -> Array:
        """Which rows the metric is a share of: those of its numerator and denominator, else all with a weight."""
        table, share = self.table, self.metric.share
        held = table.weights > 0
        if share is None or self.metric.over == "row":
            return np.asarray(held)
        inside = self._marked((*share.success, *share.failure))
        counted = held & (table.rows.project(inside, table.model_index(self.model)) > 0)
        return np.asarray(counted if counted.any() else held)

    def _marked(self, cells: Sequence[str]) -> Gradient:
        """Return slopes of 1 in some of the cells of the classes in view, 0 elsewhere."""
        marks = (np.full(self.slopes.tp.shape, float(cell in cells)) for cell in CELLS)
        return embed(Gradient(*marks), len(self.table.labels), self.selection)

    def _heaviest_failure(self, strata: Strata) -> float:
        """Return the largest weight of a row in the strata whose predictions could be failures of the metric."""
        table, share = self.table, self.metric.share
        rows = np.bincount(strata.codes, weights=table.counts)
        weight = np.bincount(strata.codes, weights=table.weights) / np.maximum(rows, 1)
        if share is not None and isinstance(table.rows, Codes):
            failing: Array = np.any(self._marked(share.failure).by_cell > 0, axis=0)
            may_fail = np.bincount(strata.codes, failing[table.rows.predictions[:, table.model_index(self.model)]]) > 0
            weight = weight[may_fail] if may_fail.any() else weight
        return float(weight.max())

    @property
    def row_share(self) -> bool:
        """Whether the estimate is a share of rows with several labels, each right or wrong as a whole."""
        return self.metric.over == "row" and self.metric.share is not None

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the variance: groups (in strata: groups or rows) − strata, infinite for plain rows.

        A row that holds several labels, such as a sentence, is a group of its own, unless it has one outcome.
        """
        table = self.table
        if table.strata is None:
            if table.n_groups is not None:
                return float(table.n_groups - 1)
            return float(max(table.n - 1, 1)) if table.multilabel and not self.row_share else float("inf")
        units = table.n if table.n_groups is None else table.n_groups
        return float(max(units - len(np.unique(table.strata.codes)), 1))


def linearise(table: Table, metric: Metric, model: str | None = None, undefined: Undefined = "nan") -> Linear:
    """Return a metric of one model with the influence of each row of the table."""
    index = table.model_index(model)
    check_metric_fits(metric, table)
    check_slopes(metric)
    if metric.over == "row":
        return _row_mean(table, metric, index, undefined)
    selection = selection_of(metric, table.labels, table.pos_label, pooled=table.pooled)
    _check_class_is_counted(metric, table, selection)
    with np.errstate(invalid="ignore", divide="ignore"):
        everything = table.cells(index, metric)
        seen = view(everything, selection)
        value = float(value_of(metric, seen, undefined)) if table.weights.any() else float("nan")
        slopes = gradient_of(metric, seen, undefined)
    metric.check_value(value)
    return Linear(table, metric, table.models[index], undefined, value, seen, selection, slopes)


def _row_mean(table: Table, metric: Metric, index: int, undefined: Undefined) -> Linear:
    assert isinstance(table.rows, Bags)
    cells = table.rows.row_cells(index)
    scores = value_of(metric, cells)
    missing = np.isnan(scores)
    if undefined != "nan":
        scores = np.where(missing, 1.0 if undefined == "one" else 0.0, scores)
    weights = table.weights * ~missing if undefined == "skip" else table.weights
    value = float(weights @ scores / weights.sum())
    metric.check_value(value)
    influence = (scores - value) * weights / np.where(table.weights > 0, table.weights, 1.0)
    influence *= table.weights.sum() / weights.sum()
    if metric.share is not None:
        cells = _right_or_wrong(metric, scores, weights)
    zero = np.zeros(1)
    slopes = Gradient(zero, zero, zero, zero)
    return Linear(table, metric, table.models[index], undefined, value, cells, None, slopes, row_scores=influence)


def _right_or_wrong(metric: Metric, scores: Array, weights: Array) -> Cells:
    """Return the cells of rows that are right or wrong as a whole: hits and misses, as accuracy has them."""
    if not np.isin(scores, (0.0, 1.0)).all():
        raise MetricError(
            f"metric {metric.name!r} says that it is a share of rows, but a row scores "
            f"{scores[~np.isin(scores, (0.0, 1.0))][0]:.3g}; each row of a share must score 0 or 1; leave share= out"
        )
    right, wrong = (np.array([weights @ part / weights.sum()]) for part in (scores, 1.0 - scores))
    return Cells(right, np.zeros(1), wrong, np.zeros(1))


def lacks_negatives(metric: Metric, table: Table) -> bool:
    """Say whether a metric needs true negatives that the table does not count.

    A two-class table without tn lacks a cell of its other class too; rows with several labels lack only each tn.
    """
    if table.negatives:
        return False
    if table.multilabel and metric.per_class:
        return any(part.needs_tn for part in metric.per_class)
    return metric.needs_tn


def _without_tn() -> list[str]:
    return [entry.name for entry in CATALOGUE if entry.over == "class" and not entry.needs_tn]


def check_metric_fits(metric: Metric, table: Table) -> None:
    """Refuse a metric that has no meaning for this kind of table, and say which has."""
    if metric.over == "row" and isinstance(table.rows, Codes):
        raise MetricError(
            f"metric {metric.name!r} is about rows with several labels, and each row here has one; "
            "for such rows it equals 'accuracy'"
        )
    if metric.single_label and isinstance(table.rows, Bags):
        raise MetricError(
            f"metric {metric.name!r} takes one label per row, and this table holds several per row; "
            "use 'exact_match', an average such as 'micro_f1', or one class such as 'f1[…]'"
        )
    if lacks_negatives(metric, table):
        raise MetricError(
            f"metric {metric.name!r} needs the true negatives, which this table does not count; "
            f"give tn=, or choose a metric without them: {quoted(_without_tn())}"
        )


def _check_class_is_counted(metric: Metric, table: Table, selection: Selection) -> None:
    counted = table.negatives or table.multilabel
    if not counted and isinstance(selection, int) and selection == 0:
        raise MetricError(
            f"metric {metric.name!r} is about the class {table.labels[0]!r}, whose hits are the true negatives that "
            "this table does not count; give tn="
        )


def covariance(table: Table, linears: Sequence[Linear]) -> Array:
    """Return the covariance matrix of estimates on one table from the influences of its rows.

    Plain or weighted rows: Σ w² φ ψ / (Σ w)². Groups: influences are summed within a group first, and the
    sum of squares is multiplied by G/(G−1). (Binder 1983; Liang & Zeger 1986.) Strata: the same within each,
    around the stratum's own mean.
    """
    total = float(table.weights.sum())
    size = len(linears)
    if total == 0 or table.n_groups == 1:
        return np.full((size, size), np.nan)
    if table.strata is not None:
        return _stratified(table, table.strata, linears) / total**2
    if table.groups is None:
        return sum(_products(table, linears), start=np.zeros((size, size))) / total**2
    sums = _group_sums(table, table.groups, linears)
    return np.asarray(sums.T @ sums / total**2 * len(sums) / (len(sums) - 1))


def _stratified(table: Table, strata: Strata, linears: Sequence[Linear]) -> Array:
    """Return the covariance within strata, of rows or of the sums within groups."""
    if table.groups is not None:
        _, first = np.unique(table.groups, return_index=True)
        sums = _group_sums(table, table.groups, linears)
        return strata.covariance(strata.codes[first], np.ones(len(sums)), sums, np.zeros_like(sums))
    moved = np.stack([linear.influence for linear in linears], axis=1)
    mean = table.weights / np.where(table.counts > 0, table.counts, 1.0)
    spread = np.sqrt(np.maximum(table.squares - table.weights * mean, 0.0))
    return strata.covariance(strata.codes, table.counts, moved * mean[:, None], moved * spread[:, None])


def _blocks(table: Table, size: int) -> Iterator[slice]:
    some = max(1, BLOCK // size)
    return (slice(start, start + some) for start in range(0, len(table.rows), some))


def _products(table: Table, linears: Sequence[Linear]) -> Iterator[Array]:
    for part in _blocks(table, len(linears)):
        scaled = np.stack([linear.influence_of(part) for linear in linears]) * np.sqrt(table.squares[part])
        yield scaled @ scaled.T


def _group_sums(table: Table, groups: Array, linears: Sequence[Linear]) -> Array:
    _, codes = np.unique(groups, return_inverse=True)
    count = int(codes.max()) + 1
    sums = np.zeros((count, len(linears)))
    for part in _blocks(table, len(linears)):
        for column, linear in enumerate(linears):
            weighted = linear.influence_of(part) * table.weights[part]
            sums[:, column] += np.bincount(codes[part], weights=weighted, minlength=count)
    return sums
