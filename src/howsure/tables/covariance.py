"""A family of estimates on the same rows: each on its own model's rows, and the covariance of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.metrics.metric import Metric
from howsure.tables.linearised import Linearised, at_prior, linearise
from howsure.tables.sampling.rule import ROUNDING
from howsure.tables.table import Table
from howsure.types import Array, Undefined


@dataclass(frozen=True)
class Family:
    """Estimates of several models and metrics, and their covariance.

    Where rows are compact, each estimate stands on the merged rows of its own model: a few instead of millions.
    ``linearised`` is the covariance from the influences, from which the correlations come. ``crossed`` holds, for
    families of disjoint rows whose groups run through several, what each group adds.
    """

    linears: tuple[Linearised, ...]
    linearised: Array
    crossed: tuple[Array, tuple[Any, ...]] | None = None

    def __len__(self) -> int:
        return len(self.linears)

    @cached_property
    def values(self) -> Array:
        """The values."""
        return np.array([linear.value for linear in self.linears])

    @cached_property
    def covariances(self) -> Array:
        """The covariance: the correlations of the influences, each variance that of its estimate."""
        return with_variances(self.linearised, self.linears)

    def as_textbook(self) -> Family:
        """Return the estimates with their linearised variances."""
        return replace(self, linears=tuple(linear.as_textbook() for linear in self.linears))

    @property
    def by_group(self) -> tuple[Array, tuple[Any, ...]] | None:
        """What each group (a row) adds to each estimate (a column), and the groups; None without."""
        design = self.linears[0].design
        if self.crossed is not None or design.groups is None:
            return self.crossed
        columns = [linear.design.by_group(linear.influence) for linear in self.linears]
        return np.stack(columns, axis=1), design.group_labels

    def some(self, kept: Sequence[int]) -> Family:
        """Return some of the estimates."""
        return Family(tuple(self.linears[place] for place in kept), self.linearised[np.ix_(kept, kept)])


def covariance(table: Table, linears: Sequence[Linearised]) -> Array:
    """Return the covariance matrix of estimates on one table from the influences of its rows."""
    places = [table.model_index(linear.model) for linear in linears]
    return table.contents.covariance(linears, table.design, places)


def with_variances(linearised: Array, linears: Sequence[Linearised]) -> Array:
    """Return the covariance with the correlations of a linearised one and the variances of the estimates.

    An estimate that has a linearised variance of 0, but for rounding, shows no correlation: 0.
    """
    moves = np.array([not linear.still for linear in linears])
    if all(linear.linearised for linear in linears):
        return linearised if moves.all() else np.where(np.outer(moves, moves), linearised, 0.0)
    own, wanted = np.diagonal(linearised), np.array([linear.variance for linear in linears]) * moves
    shown = moves & (own > ROUNDING * wanted)
    scale = np.where(shown, np.sqrt(np.divide(wanted, own, out=np.ones_like(own), where=shown)), 0.0)
    found = np.asarray(linearised * np.outer(scale, scale))
    np.fill_diagonal(found, wanted)
    return found


def family_of(
    table: Table, metrics: Sequence[Metric], models: Sequence[str] | None = None, undefined: Undefined = "nan"
) -> Family:
    """Return the estimates of every metric for every model, model by model."""
    names = table.models if models is None else tuple(models)
    if not names or not metrics:
        raise InputError(f"models or metrics is empty; name at least one of each, models among {quoted(table.models)}")
    return family_of_pairs(table, [(name, metric) for name in names for metric in metrics], undefined)


def family_of_pairs(table: Table, pairs: Sequence[tuple[str, Metric]], undefined: Undefined = "nan") -> Family:
    """Return the estimates of chosen pairs of a model and a metric, in their order."""
    table, pairs = _at_one_prior(table, pairs)
    models = dict.fromkeys(model for model, _ in pairs)
    whose = {model: table.pick(model) if table.contents.compact else table for model in models}
    linears = tuple(linearise(whose[model], metric, model, undefined) for model, metric in pairs)
    return Family(linears, covariance(table, linears))


def _at_one_prior(table: Table, pairs: Sequence[tuple[str, Metric]]) -> tuple[Table, Sequence[tuple[str, Metric]]]:
    """Return the table at the prevalence that all metrics name, and the metrics as they are there."""
    priors = {(metric.prior, None if metric.prior is None else metric.label) for _, metric in pairs}
    if len(priors) > 1:
        raise InputError(
            f"metrics hold {quoted(dict.fromkeys(metric.name for _, metric in pairs))}, which are about different "
            "prevalences; together they must be about one: ask for each prevalence apart"
        )
    return at_prior(table, pairs[0][1])[0], [(model, replace(metric, prior=None)) for model, metric in pairs]


def stacked(families: Sequence[Family]) -> Family:
    """Return families of disjoint rows as one: independent of each other, unless groups run through several.

    With groups, Σ S S' over the groups of all, each family with its own G/(G−1).
    """
    linears = tuple(linear for family in families for linear in family.linears)
    ends = np.cumsum([0, *(len(family) for family in families)])
    found = np.zeros((ends[-1], ends[-1]))
    for family, start, stop in zip(families, ends, ends[1:], strict=False):
        found[start:stop, start:stop] = family.linearised
    grouped = [family.by_group for family in families]
    if any(one is None for one in grouped):
        return Family(linears, found)
    names = tuple(dict.fromkeys(name for one in grouped if one is not None for name in one[1]))
    sums = np.concatenate([_aligned(*one, names) for one in grouped if one is not None], axis=1)
    within = sums.T @ sums
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(np.diagonal(found) / np.diagonal(within))
    crossed = within * np.nan_to_num(np.outer(scale, scale))
    return Family(linears, np.where(_block(ends), found, crossed), (sums, names))


def _aligned(sums: Array, own: tuple[Any, ...], names: tuple[Any, ...]) -> Array:
    place = {name: row for row, name in enumerate(names)}
    aligned = np.zeros((len(names), sums.shape[1]))
    aligned[[place[name] for name in own]] = sums
    return aligned


def _block(ends: Array) -> Array:
    """Return where row and column lie in the same family."""
    which = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    return np.asarray(which[:, None] == which)
