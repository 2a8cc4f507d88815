"""OfTasks: the rows of several tasks, the data sets of a benchmark; a metric is the mean of its values in the tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.metrics.names import named, usual_metrics
from howsure.results.base import Note
from howsure.results.words import metric_words
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.effect import Relabelled
from howsure.tables.sampling.tasks import TaskSampling, taken
from howsure.tables.strata import Strata
from howsure.tables.table import Table
from howsure.types import Array, Ints, Undefined


@dataclass(frozen=True, eq=False)
class OfTasks(Contents):
    """What the rows of each task hold, one after the other; each task has labels and classes of its own.

    The value of a metric is Σ share · value in the task, the shares those of the weights. A row moves it by its
    influence in its own task and by how far that task lies from the mean: within a task (a stratum) the second part is
    the same for all rows, between tasks it is all there is.
    """

    parts: tuple[Contents, ...]
    names: tuple[str, ...]

    holds = "the rows of several tasks"
    kind_words = "holds several tasks"
    sections = ("tasks",)

    @property
    def unit(self) -> str:
        """What a row is called in the tasks."""
        return self.parts[0].unit

    @property
    def leading(self) -> str:  # type: ignore[override]
        """The metric that a comparison of the first task takes."""
        return self.parts[0].leading

    @property
    def wholly_right(self) -> str:  # type: ignore[override]
        """The metric that is the share of rows wholly right."""
        return self.parts[0].wholly_right

    @property
    def usual(self) -> tuple[Metric, ...]:
        """What every task has among its usual metrics."""
        usual = [tuple(map(named, usual_metrics(part.usual, part.labels))) for part in self.parts]
        common = [metric for metric in usual[0] if all(metric.name in {one.name for one in more} for more in usual)]
        return tuple(self.fitted(metric) for metric in common if not self.lacks(metric))

    def lacks(self, metric: Metric) -> bool:
        """Say whether some task did not count what a metric needs."""
        return any(part.lacks(metric) for part in self.parts)

    def fitted(self, metric: Metric) -> Metric:
        """Return the metric as the tasks have it; ranges that differ are joined."""
        found = [part.fitted(metric) for part in self.parts]
        low, high = min(one.range[0] for one in found), max(one.range[1] for one in found)
        return found[0] if found[0].range == (low, high) else replace(found[0], range=(low, high))

    # --- rows

    def __len__(self) -> int:
        return self._ends[-1]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(int(end) for end in np.cumsum([0, *map(len, self.parts)]))

    @cached_property
    def places(self) -> tuple[slice, ...]:
        """Where the rows of each task stand."""
        return tuple(slice(start, end) for start, end in zip(self._ends, self._ends[1:], strict=False))

    @cached_property
    def codes(self) -> Ints:
        """The task of each row."""
        return np.repeat(np.arange(len(self.parts)), np.diff(self._ends))

    def take(self, rows: Any) -> Self:
        """Return some of the rows, task by task."""
        chosen = np.arange(len(self))[rows]
        kept = [chosen[(chosen >= place.start) & (chosen < place.stop)] - place.start for place in self.places]
        return replace(self, parts=tuple(part.take(own) for part, own in zip(self.parts, kept, strict=True)))

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, parts=tuple(part.pick(models) for part in self.parts))

    def keys(self) -> Ints:
        """Return the rows as one integer matrix: the task first."""
        keys = [np.asarray(part.keys(), dtype=np.int64) for part in self.parts]
        width = max(key.shape[1] for key in keys)
        padded = [np.pad(key, ((0, 0), (0, width - key.shape[1]))) for key in keys]
        return np.column_stack([self.codes, np.concatenate(padded)])

    def joined(self, other: Self) -> Self:
        """Refuse: the rows of two tables of tasks are joined task by task."""
        raise InputError(messages.TABLES_OF_TASKS_ARE_JOINED_TASK())

    def through(self, table: Table, change: Callable[[Table], Table]) -> Table:
        """Return the table with the rows of each task changed."""
        return stacked_like(table, {name: change(one) for name, one in tables_of_tasks(table).items()})

    def added(self, table: Table, other: Table) -> Table:
        """Return the rows of both, task by task."""
        first, second = tables_of_tasks(table), tables_of_tasks(other)
        if set(first) != set(second):
            raise InputError(messages.TABLES_TO_ADD_HOLD_DIFFERENT_TASKS(first=quoted(first), second=quoted(second)))
        return stacked_like(table, {name: one + second[name] for name, one in first.items()})

    def labels_at(self, thresholds: Sequence[float] | str) -> OfTasks:
        """Return the labels that rows of each task have when their scores are cut."""
        return replace(self, parts=tuple(part.labels_at(thresholds) for part in self.parts))

    # --- a metric on the rows

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return the weighted mean of the values in the tasks; what is undefined in one follows ``undefined``."""
        own = _own_designs(design, self.places)
        parts = tuple(
            part.linearise(part.fitted(metric), model, place, one, undefined)
            for part, one in zip(self.parts, own, strict=True)
        )
        values = np.array([part.value for part in parts])
        told = ~np.isnan(values)
        shares = np.bincount(self.codes, weights=design.weights, minlength=len(parts)) / (design.total or 1.0)
        if undefined == "skip" and told.any():
            shares = np.where(told, shares, 0.0) / shares[told].sum()
        values = np.where(told, values, 0.0 if undefined == "zero" else np.nan)
        counted = shares > 0
        value = float(shares[counted] @ values[counted]) if counted.any() else math.nan
        scores = np.zeros(len(self))
        for rows, part, share, at in zip(self.places, parts, shares, values, strict=True):
            if share > 0:
                weight = float(design.weights[rows].sum()) / design.total
                moved = part.influence if np.isfinite(part.value) else 0.0
                scores[rows] = (moved + at - value) * share / weight
        fitted = self.fitted(metric)
        held = {"tasks": parts, "values": np.where(counted, values, np.nan), "shares": shares,
                "counted": float(shares @ [part.counted for part in parts])}  # fmt: skip
        return Linearised(self, design, fitted, model, place, undefined, value, scores=scores, details=held)

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows; the tasks keep their shares."""
        found = np.zeros(len(weights))
        for rows, part, share in zip(self.places, linear.details["tasks"], linear.details["shares"], strict=True):
            if share > 0:
                values = part.contents.values_at(part, weights[:, rows])
                found += share * (np.where(np.isnan(values), 0.0, values) if linear.undefined == "zero" else values)
        return found

    def relabelled(self, linear: Linearised) -> Relabelled | None:
        """Return how a row of each task would move the estimate if its label were another."""
        found = [part.contents.relabelled(part) for part in linear.details["tasks"]]
        if all(one is None for one in found):
            return None
        zeros = [Relabelled(*(np.zeros(len(part)) for _ in range(3))) for part in self.parts]
        # δ is about the task's own value, and the influences here are about the mean of the tasks: shift both alike.
        shifts = np.nan_to_num(linear.details["values"] - linear.value)
        moved = [_shifted(one or zero, by) for one, zero, by in zip(found, zeros, shifts, strict=True)]
        return Relabelled(*(np.concatenate(column) for column in zip(*moved, strict=True)))

    def rows_of_share(self, linear: Linearised, size: float, z: float) -> float | None:
        """Return u(1 − u)/V: as many outcomes of 0 and 1 would have the variance of this mean, u the value as a share.

        F1 is taken as Jaccard's share, on whose scale its limits are made. Where no row moves the value there are as
        many as the metric counts: recall of positives alone.
        """
        bottom, top = linear.metric.range
        if not np.isfinite(top - bottom):
            return None
        share, slope = linear.metric.as_share(linear.value)
        found = 0.0 if linear.still else float(share * (1 - share) / (slope**2 * linear.variance))
        return found if found > 0 else size * linear.counted

    def right(self, place: int) -> Array | None:
        """Return whether each row was answered right by a model."""
        found = [part.right(place) for part in self.parts]
        return None if any(one is None for one in found) else np.concatenate([np.asarray(one) for one in found])

    def bundled(self, metric: Metric) -> bool:
        """Say whether a row of some task brings several outcomes for a metric."""
        return any(part.bundled(metric) for part in self.parts)

    # --- words

    def sizes(self) -> dict[str, float]:
        """Return the number of tasks."""
        return {"task": len(self.parts)}

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return in which tasks the metric is undefined, and what was made of it."""
        lost = [name for name, part in zip(self.names, linear.details["tasks"], strict=True) if np.isnan(part.value)]
        if not lost:
            return ()
        done = {"nan": "so it has no mean over the tasks", "skip": "left out", "zero": "counted as 0"}
        return (
            Note(
                f"{metric_words(linear.metric.name)} is undefined in {quoted(lost)}: {done[linear.undefined]}",
                "undefined",
            ),
        )

    def described(self) -> Mapping[str, Any]:
        """Return what a report says of the data."""
        return dict(super().described()) | {"tasks": list(self.names)}


def _shifted(one: Relabelled, by: float) -> Relabelled:
    """Return the moments of influences that are all larger by the same."""
    return Relabelled(one.known, one.mean + by * one.known, one.square + 2 * by * one.mean + by**2 * one.known)


# --- tables of tasks and the tables of each -------------------------------------------------------------------------


def stacked_tasks(tables: Mapping[str, Table], weights: Mapping[str, float], notes: Sequence[str] = ()) -> Table:
    """Return the tables of several tasks as one: tasks are strata, rows weighted so that each counts by its weight."""
    names, parts = tuple(tables), list(tables.values())
    shares = np.array([float(weights[name]) for name in names])
    shares = shares / shares.sum()
    n = float(sum(part.n for part in parts))
    totals = np.array([part.design.total for part in parts])
    scales = np.divide(shares * n, totals, out=np.zeros(len(parts)), where=totals > 0)
    counts = np.concatenate([part.counts for part in parts])
    codes = np.repeat(np.arange(len(parts)), [len(part.contents) for part in parts])
    groups, group_labels = _groups(names, parts)
    design = replace(
        parts[0].design,
        counts=counts,
        weights=np.concatenate([part.weights * scale for part, scale in zip(parts, scales, strict=True)]),
        squares=np.concatenate([part.squares * scale**2 for part, scale in zip(parts, scales, strict=True)]),
        cubes=np.concatenate([part.design.cubes * scale**3 for part, scale in zip(parts, scales, strict=True)]),
        strata=_strata(names, parts),
        groups=groups,
        group_labels=group_labels,
        tasks=TaskSampling(codes, names, tuple(shares.tolist()), tuple(scales.tolist())),
    )
    contents = OfTasks(
        parts=tuple(part.contents for part in parts), names=names, answers=all(part.contents.answers for part in parts)
    )
    return Table(parts[0].models, contents, design, tuple(dict.fromkeys(notes)))


def of_one_kind(one: Contents, other: Contents) -> bool:
    """Say whether the rows of two tasks hold the same kind of data, whatever it is called."""
    return type(one) is type(other)


def with_tasks(table: Table, choice: str) -> Table:
    """Return a table with its tasks taken as "fixed", these very ones, or as a "random" sample of tasks like these."""
    return replace(table, design=replace(table.design, tasks=taken(table.design.tasks, choice)))


def stacked_like(table: Table, tables: Mapping[str, Table]) -> Table:
    """Return tables of tasks as one, with the weights of another table of the same tasks."""
    sampled = table.design.tasks
    assert sampled is not None
    weights = dict(zip(sampled.names, sampled.shares, strict=True))
    return with_tasks(stacked_tasks(tables, weights, table.notes), "random" if sampled.random else "fixed")


def tables_of_tasks(table: Table) -> dict[str, Table]:
    """Return the table of each task; none where rows are not of several."""
    contents = table.contents
    if not isinstance(contents, OfTasks):
        return {}
    return {
        name: Table(table.models, part, own_design(table.design, rows))
        for name, part, rows in zip(contents.names, contents.parts, contents.places, strict=True)
    }


_OWN_DESIGNS: WeakKeyDictionary[Design, tuple[Design, ...]] = WeakKeyDictionary()


def _own_designs(design: Design, places: tuple[slice, ...]) -> tuple[Design, ...]:
    """Return the design of each task's rows, made once for all models, runs and metrics on them."""
    if design not in _OWN_DESIGNS:
        _OWN_DESIGNS[design] = tuple(own_design(design, rows) for rows in places)
    return _OWN_DESIGNS[design]


def own_design(design: Design, rows: slice) -> Design:
    """Return the design that the rows of one task have of their own: as sampled there, with their own weights."""
    taken, sampled = design.take(rows), design.tasks
    if sampled is None or not len(taken):
        return replace(taken, tasks=None)
    scale = sampled.scales[int(sampled.codes[rows.start])] or 1.0
    weights, squares = taken.weights / scale, taken.squares / scale**2
    plain = np.allclose(weights, taken.counts, rtol=1e-12) and np.allclose(squares, taken.counts, rtol=1e-12)
    own = (taken.counts,) * 3 if plain else (weights, squares, taken.cubes / scale**3)
    sums: dict[str, Any] = dict(zip(("weights", "squares", "cubes"), own, strict=True))
    groups, labels = _own_groups(taken)
    return replace(taken, tasks=None, strata=_own_strata(taken.strata), groups=groups, group_labels=labels, **sums)


def _groups(names: Sequence[str], parts: Sequence[Table]) -> tuple[Ints | None, tuple[Any, ...]]:
    """Return the groups of all tasks, each a pair of task and group: groups of different tasks are different ones."""
    if parts[0].groups is None:
        return None, ()
    starts = np.cumsum([0, *(len(part.group_labels) for part in parts)])
    codes = [np.asarray(part.groups) + start for part, start in zip(parts, starts, strict=False)]
    return np.concatenate(codes), tuple(
        (name, group) for name, part in zip(names, parts, strict=True) for group in part.group_labels
    )


def _own_groups(design: Design) -> tuple[Ints | None, tuple[Any, ...]]:
    if design.groups is None:
        return None, ()
    found, codes = np.unique(design.groups, return_inverse=True)
    return codes, tuple(design.group_labels[code][1] for code in found)


def _strata(names: Sequence[str], parts: Sequence[Table]) -> Strata:
    """Return the tasks as strata, or the strata of each, each a pair of task and stratum."""
    codes: list[Ints] = []
    labels: list[Any] = []
    left: list[float] = []
    for name, part in zip(names, parts, strict=True):
        own = part.strata or Strata(np.zeros(len(part.contents), dtype=np.int64), (None,), (1.0,))
        codes.append(own.codes + len(labels))
        labels += [(name, label) for label in own.labels]
        left += own.left
    return Strata(np.concatenate(codes), tuple(labels), tuple(left))


def _own_strata(strata: Strata | None) -> Strata | None:
    if strata is None:
        return None
    found, codes = np.unique(strata.codes, return_inverse=True)
    labels = tuple(strata.labels[code][1] for code in found)
    return None if labels == (None,) else Strata(codes, labels, tuple(strata.left[code] for code in found))
