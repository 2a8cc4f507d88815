"""A family of estimates on the same rows: each on its own model's table, and the covariance of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.metrics.metric import Metric
from howsure.tables.contents import Codes
from howsure.tables.in_pairs import Pairwise, pair_covariance
from howsure.tables.linearised import Linear, covariance, linearise
from howsure.tables.table import Table
from howsure.types import Array, Undefined

BLOCK = 4_000_000


@dataclass(frozen=True)
class Family:
    """Estimates of several models and metrics, and their covariance.

    Where rows have one label, each estimate stands on the merged table of its own model: a few rows instead of
    millions. ``sums`` holds, with groups, what each group (a row) adds to each estimate (a column).
    """

    linears: tuple[Linear, ...]
    covariances: Array
    sums: Array | None = None
    group_labels: tuple[Any, ...] = ()

    def __len__(self) -> int:
        return len(self.linears)

    @cached_property
    def values(self) -> Array:
        """The values."""
        return np.array([linear.value for linear in self.linears])


def family_of(
    table: Table, metrics: Sequence[Metric], models: Sequence[str] | None = None, undefined: Undefined = "nan"
) -> Family:
    """Return the estimates of every metric for every model, model by model."""
    names = table.models if models is None else tuple(models)
    if not names or not metrics:
        raise InputError(f"models or metrics is empty; name at least one of each, models among {quoted(table.models)}")
    if table.multilabel or any(metric.over == "row" for metric in metrics):
        linears = tuple(linearise(table, metric, name, undefined) for name in names for metric in metrics)
    else:
        alone = [table.pick(name) for name in names]
        linears = tuple(linearise(one, metric, None, undefined) for one in alone for metric in metrics)
    if isinstance(table, Pairwise):
        return Family(linears, pair_covariance(table, linears))
    if table.groups is not None:
        return _grouped(table, linears)
    return Family(linears, _covariance(table, linears))


def _grouped(table: Table, linears: tuple[Linear, ...]) -> Family:
    sums = np.stack([group_sums(linear, len(table.group_labels)) for linear in linears], axis=1)
    return Family(linears, clustered(sums, table.n_groups or 0), sums, table.group_labels)


def group_sums(linear: Linear, size: int) -> Array:
    """Return what each group adds to an estimate: Σ w φ over its rows, over the whole weight."""
    table = linear.table
    assert table.groups is not None
    weighted = linear.influence * table.weights
    return np.bincount(table.groups, weights=weighted, minlength=size) / float(table.weights.sum())


def clustered(sums: Array, groups: int) -> Array:
    """Return the cluster-robust covariance Σ S S' · G/(G−1); nan with a single group."""
    factor = groups / (groups - 1) if groups > 1 else np.nan
    return np.asarray(sums.T @ sums * factor)


def stacked(families: Sequence[Family]) -> Family:
    """Return families of disjoint rows as one: independent of each other, unless groups run through several.

    With groups, Σ S S' over the groups of all, each family with its own G/(G−1).
    """
    linears = tuple(linear for family in families for linear in family.linears)
    ends = np.cumsum([0, *(len(family) for family in families)])
    found = np.zeros((ends[-1], ends[-1]))
    for family, start, stop in zip(families, ends, ends[1:], strict=False):
        found[start:stop, start:stop] = family.covariances
    if any(family.sums is None for family in families):
        return Family(linears, found)
    names = tuple(dict.fromkeys(name for family in families for name in family.group_labels))
    sums = np.concatenate([_aligned(family, names) for family in families], axis=1)
    within = sums.T @ sums
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(np.diagonal(found) / np.diagonal(within))
    crossed = within * np.nan_to_num(np.outer(scale, scale))
    return Family(linears, np.where(_block(ends), found, crossed), sums, names)


def _aligned(family: Family, names: tuple[Any, ...]) -> Array:
    assert family.sums is not None
    place = {name: row for row, name in enumerate(names)}
    sums = np.zeros((len(names), len(family)))
    sums[[place[name] for name in family.group_labels]] = family.sums
    return sums


def _block(ends: Array) -> Array:
    """Return where row and column lie in the same family."""
    which = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    return np.asarray(which[:, None] == which)


def _covariance(table: Table, linears: tuple[Linear, ...]) -> Array:
    if isinstance(table.rows, Codes) and all(linear.row_scores is None for linear in linears):
        places = [table.model_index(linear.model) for linear in linears]
        models = sorted(set(places))
        if len(models) * (len(table.labels) - 1) <= len(linears) and float(table.weights.sum()) > 0:
            return _by_features(table, linears, [models.index(place) for place in places], models)
    return covariance(table, [replace(linear, table=table) for linear in linears])


def _by_features(table: Table, linears: tuple[Linear, ...], places: list[int], models: list[int]) -> Array:
    """Return Σ w² φ ψ / (Σ w)² through indicators of the predictions: fewer columns than estimates.

    Among rows of one true class, φ of a model is its value for the first class plus a step for any other.
    """
    size, width = len(linears), len(table.labels)
    cells = np.stack([cell_influence(linear) for linear in linears])
    found = np.zeros((size, size))
    for truth in range(width):
        steps = np.zeros((size, len(models) * (width - 1) + 1))
        steps[:, 0] = cells[:, truth, 0]
        for estimate, place in enumerate(places):
            start = 1 + place * (width - 1)
            steps[estimate, start : start + width - 1] = cells[estimate, truth, 1:] - cells[estimate, truth, 0]
        found += steps @ _gram(table, truth, models) @ steps.T
    return found / float(table.weights.sum()) ** 2


def cell_influence(linear: Linear) -> Array:
    """Return the influence of a row by its true and predicted class; 0 in cells that hold no row."""
    rows = linear.table.rows
    assert isinstance(rows, Codes)
    width = len(linear.table.labels)
    cells = np.zeros((width, width))
    model = linear.table.model_index(linear.model)
    cells[rows.truth, rows.predictions[:, model]] = linear.influence
    return cells


def _gram(table: Table, truth: int, models: list[int]) -> Array:
    """Return the products, weighted by w², of 1 and the indicators of each model's prediction, over one true class."""
    rows, width = table.rows, len(table.labels)
    assert isinstance(rows, Codes)
    chosen = np.flatnonzero(rows.truth == truth)
    columns = 1 + len(models) * (width - 1)
    gram = np.zeros((columns, columns))
    for part in _parts(chosen, columns):
        predictions = rows.predictions[part].T[models]
        features = np.ones((columns, len(part)))
        features[1:] = (predictions[:, None] == np.arange(1, width)[:, None]).reshape(-1, len(part))
        features *= np.sqrt(table.squares[part])
        gram += features @ features.T
    return gram


def _parts(chosen: Array, columns: int) -> Iterator[Array]:
    some = max(1, BLOCK // columns)
    return (chosen[start : start + some] for start in range(0, len(chosen), some))


def moving_rows(linear: Linear) -> float:
    """Return how many independent rows carry an estimate.

    For a share or a Tversky index: the rows that it counts (influence not 0). Otherwise the participation number
    (Σ φ²)² / Σ φ⁴: a rare class that carries an average leaves few. Groups and weights as in the effective size.
    """
    influence, share = np.nan_to_num(linear.influence), linear.table.weights / linear.table.weights.sum()
    if linear.metric.share is not None or linear.metric.tversky is not None:
        moving = float(share[np.abs(influence) > 1e-12 * np.abs(influence).max(initial=0.0)].sum())
    else:
        fourth = float(share @ influence**4)
        moving = float(share @ influence**2) ** 2 / fourth if fourth > 0 else 0.0
    return linear.effective_n * (moving or 1.0)
