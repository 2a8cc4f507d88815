"""A family of estimates on the same rows: each on its own model's rows, and the covariance of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.crossed import Crossing
from howsure.tables.sampling.prevalence import at_prior
from howsure.tables.sampling.rule import ROUNDING
from howsure.tables.sampling.spread import Spread
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import with_tasks
from howsure.types import Array, Undefined


@dataclass(frozen=True)
class Family:
    """Estimates of several models and metrics, and their covariance.

    Where rows are compact, each estimate stands on the merged rows of its own model: a few instead of millions.
    ``linearised`` is the covariance from the influences, from which the correlations come. ``crossed`` holds, for
    families of disjoint rows whose groups run through several, what each group adds. ``crossing`` is there where runs
    of the models were sampled; ``these``, the same with these very tasks meant, where tasks were. ``table`` holds the
    rows of all models.
    """

    linears: tuple[Linearised, ...]
    linearised: Array
    crossed: tuple[Array, tuple[Any, ...]] | None = None
    crossing: Crossing | None = None
    these: Family | None = None
    table: Table | None = None

    def __len__(self) -> int:
        return len(self.linears)

    @cached_property
    def values(self) -> Array:
        """The values."""
        return np.array([linear.value for linear in self.linears])

    @cached_property
    def covariances(self) -> Array:
        """The covariance: the correlations of the influences, each variance that of its estimate."""
        if self.crossing is None:
            return self.through_rows
        return self.scaled_crossing.covariances(self.through_rows)

    @cached_property
    def through_rows(self) -> Array:
        """The covariance through rows alone."""
        return with_variances(self.linearised, self.linears)

    @cached_property
    def scaled_crossing(self) -> Crossing:
        """The runs behind the estimates, with what the design effect adds to rows."""
        assert self.crossing is not None
        return self.crossing.scaled(np.array([linear.row_scale for linear in self.linears]))

    def spread(self, weights: Array) -> Spread:
        """Return the variance of Σ weight · estimate by what was sampled, where runs were."""
        held = weights != 0
        degrees = min(linear.degrees for linear, one in zip(self.linears, held, strict=True) if one)
        return self.scaled_crossing.spread(weights, self.through_rows, degrees)

    def as_textbook(self) -> Family:
        """Return the estimates with their linearised variances."""
        return replace(self, linears=tuple(linear.as_textbook() for linear in self.linears))

    def differences(self, first: Array, second: Array) -> list[Family] | None:
        """Return the two estimates of each difference with its design effect; None where it has none of its own."""
        if self.table is None or not all(has_own_effect(linear) for linear in self.linears):
            return None
        pairs = ((self.linears[a], self.linears[b]) for a, b in zip(first, second, strict=True))
        return [difference_of(self.table, *pair) for pair in pairs]

    @property
    def by_group(self) -> tuple[Array, tuple[Any, ...]] | None:
        """What each group (a row) adds to each estimate (a column), and the groups; None without."""
        design = self.linears[0].design
        if self.crossed is not None or design.n_groups is None:
            return self.crossed
        columns = [linear.design.by_group(linear.influence) for linear in self.linears]
        return np.stack(columns, axis=1), design.group_labels

    def some(self, kept: Sequence[int]) -> Family:
        """Return some of the estimates."""
        crossing = None if self.crossing is None else self.crossing.some(kept)
        held = tuple(self.linears[place] for place in kept)
        return Family(held, self.linearised[np.ix_(kept, kept)], crossing=crossing, table=self.table)


def has_own_effect(linear: Linearised) -> bool:
    """Say whether a difference of estimates like this one has a design effect of its own: rows alone were sampled."""
    design, value = linear.design, linear.value
    known = not (linear.linearised or linear.runs or design.tasks_sampled or design.judge) and design.n_groups != 1
    return bool(known and not design.independent and np.isfinite(value))


def difference_of(table: Table, first: Linearised, second: Linearised) -> Family:
    """Return two estimates on the same rows with the design effect of their difference.

    Two models share the hard groups and the heavy rows, so their difference depends on those less than either value.
    The covariance is that of independent rows, Σ wφψ/(W·n): with one design effect for all, rows alone decide how the
    two go together.
    """
    design, pair = table.design, (first, second)
    places = [table.places_of(table.model_index(one.model))[0] for one in pair]
    effect = design.effect_of(table.contents.contrast(pair, places, design))
    rows = [table.contents.counted(one, slice(None), design, at) for one, at in zip(pair, places, strict=True)]
    linearised = np.stack([(row * design.weights) @ np.stack(rows).T for row in rows]) / (design.total * design.n)
    return Family((first.within(effect), second.within(effect)), linearised)


def linearise(table: Table, metric: Metric, model: str | None = None, undefined: Undefined = "nan") -> Linearised:
    """Return a metric of one model with the influence of each row of the table: the mean over its runs, if any."""
    table, metric = at_prior(table, metric)
    index = table.model_index(model)
    name, design = table.models[index], table.design
    each = [table.contents.linearise(metric, name, at, design, undefined) for at in table.places_of(index)]
    if len(each) == 1 or design.runs is None:
        return each[0]
    from howsure.tables.runs.run_means import mean_of_runs  # few tables have runs

    return mean_of_runs(each, design.runs.factor)


def covariance(table: Table, linears: Sequence[Linearised]) -> Array:
    """Return the covariance matrix of estimates on one table from the influences of its rows, averaged over runs."""
    places = [table.places_of(table.model_index(linear.model)) for linear in linears]
    contents, design = table.contents, table.design
    if not any(linear.runs for linear in linears):
        return contents.covariance(linears, design, [at[0] for at in places])

    def influences(part: slice) -> Array:
        return np.stack(
            [_averaged(contents, linear, part, design, at) for linear, at in zip(linears, places, strict=True)]
        )

    return design.covariance(influences, len(linears))


def _averaged(contents: Contents, linear: Linearised, part: slice, design: Design, places: Sequence[int]) -> Array:
    """Return the mean over runs of the influences of some rows."""
    each = linear.runs or (linear,)
    found = sum(contents.counted(run, part, design, places[run.place - linear.place]) for run in each)
    return np.asarray(found / len(each))


def crossing_of(table: Table, linears: Sequence[Linearised]) -> Crossing | None:
    """Return the runs behind estimates on one table; None where none were sampled."""
    if all(linear.crossing is None for linear in linears):
        return None
    keys = [_runs_of(linear) for linear in linears]
    sets = list(dict.fromkeys(keys))
    within = np.zeros((len(linears), len(linears)))
    for one in sets:
        members = [place for place, key in enumerate(keys) if key == one]
        within[np.ix_(members, members)] = _summed_over_runs(table, [linears[place] for place in members])
    values = tuple(np.array([run.value for run in _sampled_runs(linear)]) for linear in linears)
    return Crossing(values, within, tuple(sets.index(key) for key in keys))


def crossings_apart(linears: Sequence[Linearised]) -> Crossing | None:
    """Return the runs behind estimates on different rows, each with runs of its own."""
    if all(linear.crossing is None for linear in linears):
        return None
    values = tuple(np.array([run.value for run in _sampled_runs(linear)]) for linear in linears)
    within = [0.0 if linear.crossing is None else float(linear.crossing.within[0, 0]) for linear in linears]
    return Crossing(values, np.diag(within), tuple(range(len(linears))))


def _sampled_runs(linear: Linearised) -> tuple[Linearised, ...]:
    return (linear,) if linear.crossing is None else linear.runs


def _runs_of(linear: Linearised) -> tuple[Any, ...]:
    """Return what says which runs an estimate has: its model's, or those that all models share, by their places."""
    shared = linear.factor is not None and linear.factor.paired
    own = () if shared else (linear.model,)
    return (*own, *(run.place - linear.place for run in _sampled_runs(linear)))


def _summed_over_runs(table: Table, linears: Sequence[Linearised]) -> Array:
    """Return the sum over runs of the covariance through rows of estimates that have their runs in common."""
    if len({linear.model for linear in linears}) == 1:
        first = linears[0]
        table = table if first.design is table.design else table.pick(first.model)
    places = [table.places_of(table.model_index(linear.model)) for linear in linears]
    total = np.zeros((len(linears), len(linears)))
    for each in zip(*map(_sampled_runs, linears), strict=True):
        here = [at[run.place - linear.place] for run, linear, at in zip(each, linears, places, strict=True)]
        total += table.contents.covariance(each, table.design, here)
    return total


def with_variances(linearised: Array, linears: Sequence[Linearised]) -> Array:
    """Return the covariance with the correlations of a linearised one and the variances of the estimates.

    An estimate that has a linearised variance of 0, but for rounding, shows no correlation: 0.
    """
    moves = np.array([not linear.still for linear in linears])
    if all(linear.linearised for linear in linears):
        return linearised if moves.all() else np.where(np.outer(moves, moves), linearised, 0.0)
    variances = [linear.variance if linear.crossing is None else linear.through_rows.variance for linear in linears]
    own, wanted = np.diagonal(linearised), np.array(variances) * moves
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
        raise InputError(messages.MODELS_OR_METRICS_IS_EMPTY(models=quoted(table.models)))
    return family_of_pairs(table, [(name, metric) for name in names for metric in metrics], undefined)


def family_of_pairs(table: Table, pairs: Sequence[tuple[str, Metric]], undefined: Undefined = "nan") -> Family:
    """Return the estimates of chosen pairs of a model and a metric, in their order."""
    table, pairs = _at_one_prior(table, pairs)
    models = dict.fromkeys(model for model, _ in pairs)
    whose = {model: table.pick(model) if table.contents.compact else table for model in models}
    linears = tuple(linearise(whose[model], metric, model, undefined) for model, metric in pairs)
    these = family_of_pairs(with_tasks(table, "fixed"), pairs, undefined) if table.design.tasks_sampled else None
    return Family(linears, covariance(table, linears), crossing=crossing_of(table, linears), these=these, table=table)


def _at_one_prior(table: Table, pairs: Sequence[tuple[str, Metric]]) -> tuple[Table, Sequence[tuple[str, Metric]]]:
    """Return the table at the prevalence that all metrics name, and the metrics as they are there."""
    priors = {(metric.prior, None if metric.prior is None else metric.label) for _, metric in pairs}
    if len(priors) > 1:
        raise InputError(
            messages.METRICS_HOLD_ARE_ABOUT_DIFFERENT_PREVALENCES(
                fromkeys=quoted(dict.fromkeys((metric.name for _, metric in pairs)))
            )
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
        return Family(linears, found, crossing=_stacked_runs(families, found))
    names = tuple(dict.fromkeys(name for one in grouped if one is not None for name in one[1]))
    sums = np.concatenate([_aligned(*one, names) for one in grouped if one is not None], axis=1)
    within = sums.T @ sums
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(np.diagonal(found) / np.diagonal(within))
    crossed = within * np.nan_to_num(np.outer(scale, scale))
    found = np.where(_block(ends), found, crossed)
    return Family(linears, found, (sums, names), _stacked_runs(families, found))


def _stacked_runs(families: Sequence[Family], rows: Array) -> Crossing | None:
    """Return the runs behind families of disjoint rows: a model has the same runs in all of them."""
    if any(family.crossing is None for family in families):
        return None
    known = [family.crossing for family in families if family.crossing is not None]
    values = tuple(one for crossing in known for one in crossing.values)
    keys = [_runs_of(linear) for family in families for linear in family.linears]
    ends = np.cumsum([0, *map(len, families)])
    # rows that two estimates do not share add nothing to each other run by run: Σ_r C_r = R · rows
    within = rows * np.array([len(one) for one in values])
    for crossing, start, stop in zip(known, ends, ends[1:], strict=False):
        within[start:stop, start:stop] = crossing.within
    return Crossing(values, within, tuple(list(dict.fromkeys(keys)).index(key) for key in keys))


def _aligned(sums: Array, own: tuple[Any, ...], names: tuple[Any, ...]) -> Array:
    place = {name: row for row, name in enumerate(names)}
    aligned = np.zeros((len(names), sums.shape[1]))
    aligned[[place[name] for name in own]] = sums
    return aligned


def _block(ends: Array) -> Array:
    """Return where row and column lie in the same family."""
    which = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    return np.asarray(which[:, None] == which)
