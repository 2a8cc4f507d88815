"""A table of many models held as one table per pair of models, for when the joint rows would not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.metrics.metric import Label
from howsure.tables.contents import Codes
from howsure.tables.linearised import Linear, covariance
from howsure.tables.table import Table, union_of_labels
from howsure.types import Array

Pair = tuple[str, str]


class Apart(Codes):
    """The truth alone: what is left of the rows when predictions are held in pairs."""

    __slots__ = ()

    def pick(self, models: list[int]) -> Codes:
        """Refuse: rows with three or more models were not counted."""
        raise _in_pairs(len(models))

    def project(self, gradient: Any, model: int) -> Array:
        """Refuse: the influence of a row needs the predictions."""
        raise _in_pairs(model)

    def matrix(self, weights: Array, model: int, width: int) -> Array:
        """Refuse: a confusion matrix needs the predictions."""
        raise _in_pairs(model)


def _in_pairs(_: int) -> InputError:
    return InputError(
        "this table holds its models in pairs, because their joint rows would not fit in memory; "
        "take one or two models first: table.pick('a') or table.pick('a', 'b')"
    )


@dataclass(frozen=True, eq=False, repr=False)
class Pairwise(Table):
    """A Table of which any one or two models can be had with ``pick``, and no more at a time.

    Every estimate needs the rows of one model, every covariance of two estimates the rows of two: the numbers are the
    same as from the joint table. ``rows`` holds the truth alone.
    """

    pairs: Mapping[Pair, Table] = field(default_factory=dict)

    def pick(self, *models: str) -> Table:
        """Return the table of one or two models; more are refused."""
        for name in models:
            self.model_index(name)
        if len(models) == 1:
            first = next(pair for pair in self.pairs if models[0] in pair)
            return self.pairs[first].pick(*models)
        if len(models) != 2:
            raise _in_pairs(len(models))
        return (self.pairs.get(models) or self.pairs[models[::-1]]).pick(*models)

    def matrix(self, model: str | None = None) -> Array:
        """Return the K×K confusion counts of one model, truth in rows."""
        return self.pick(self.models[self.model_index(model)]).matrix()

    def merged(self) -> Table:
        """Return the table itself: equal rows are one already."""
        return self

    def without_groups(self) -> Table:
        """Return the table with rows taken as independent."""
        return self._each(Table.without_groups)

    def binary(self, label: Label) -> Table:
        """Return one class against the rest."""
        return self._each(lambda table: table.binary(label))

    def relabel(self, names: Mapping[Any, Label]) -> Table:
        """Return the table with labels renamed."""
        return self._each(lambda table: table.relabel(names))

    def with_labels(self, labels: Sequence[Label]) -> Table:
        """Return the table on a label set that contains its own."""
        return self._each(lambda table: table.with_labels(labels))

    def __add__(self, other: object) -> Table:
        if not isinstance(other, Pairwise):
            return NotImplemented
        if set(self.models) != set(other.models):
            raise InputError(
                f"tables to add hold different models: {quoted(self.models)} and {quoted(other.models)}; "
                "both must hold the same ones"
            )
        return joined_pairs({pair: table + other.pick(*pair) for pair, table in self.pairs.items()}, self.models)

    def __repr__(self) -> str:
        return super().__repr__().removesuffix(")") + ", in pairs)"

    def _each(self, change: Callable[[Table], Table]) -> Pairwise:
        return joined_pairs({pair: change(table) for pair, table in self.pairs.items()}, self.models)


def pair_covariance(table: Pairwise, linears: Sequence[Linear]) -> Array:
    """Return the covariance of estimates, block by block from the tables of their pairs of models."""
    places: dict[str, list[int]] = {}
    for place, linear in enumerate(linears):
        places.setdefault(linear.model, []).append(place)
    blocks: list[tuple[str, ...]] = [*model_pairs(list(places))] or [tuple(places)]
    found = np.empty((len(linears), len(linears)))
    for models in blocks:
        chosen = [place for model in models for place in places[model]]
        rows = table.pick(*models)
        found[np.ix_(chosen, chosen)] = covariance(rows, [replace(linears[place], table=rows) for place in chosen])
    return found


def model_pairs(models: Sequence[str]) -> list[Pair]:
    """Return every pair of models."""
    return list(combinations(models, 2))


def joined_pairs(pairs: Mapping[Pair, Table], models: Sequence[str], *, notes: Iterable[str] = ()) -> Pairwise:
    """Return the table of many models from the tables of all their pairs, brought to one list of labels."""
    labels = reduce(union_of_labels, (table.labels for table in pairs.values()))
    aligned = {pair: table if table.labels == labels else table.with_labels(labels) for pair, table in pairs.items()}
    first = next(iter(aligned.values()))
    assert isinstance(first.rows, Codes)
    empty = np.empty((len(first.rows), 0), dtype=np.int32)
    truth = replace(first, models=(), rows=Codes(first.rows.truth, empty)).merged()
    assert isinstance(truth.rows, Codes)
    return Pairwise(
        labels=labels,
        models=tuple(models),
        rows=Apart(truth.rows.truth, truth.rows.predictions),
        counts=truth.counts,
        weights=truth.weights,
        squares=truth.squares,
        groups=truth.groups,
        group_labels=truth.group_labels,
        pos_label=truth.pos_label,
        negatives=truth.negatives,
        notes=tuple(dict.fromkeys((*truth.notes, *notes))),
        ordered=all(table.ordered for table in pairs.values()),
        pairs=aligned,
    )
