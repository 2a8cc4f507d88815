"""InPairs: rows of many models held as one table per pair of models, when the joint rows would not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from typing import Any, Self

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.labels import Labels
from howsure.tables.linearised import Linearised
from howsure.tables.table import Table, union_of_labels
from howsure.types import Array, Undefined

ModelPair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class InPairs(Labels):
    """Labels of which any one or two models can be had at a time, and no more.

    Every estimate needs the rows of one model, every covariance of two estimates the rows of two: the numbers are the
    same as from the joint rows. ``truth`` is all that is left of those.
    """

    models: tuple[str, ...] = ()
    pairs: Mapping[ModelPair, Table] = field(default_factory=dict)

    manner = ", in pairs"
    kind_words = "holds its models in pairs"

    def _table(self, places: Sequence[int]) -> Table:
        """Return the table of one or two models; more are refused."""
        names = tuple(self.models[place] for place in places)
        if len(names) == 1:
            first = next(pair for pair in self.pairs if names[0] in pair)
            return self.pairs[first].pick(*names)
        if len(names) != 2:
            raise InputError(messages.TABLE_HOLDS_MODELS_IN_PAIRS_BECAUSE())
        pair = (names[0], names[1])
        return (self.pairs.get(pair) or self.pairs[pair[::-1]]).pick(*pair)

    def picked(self, models: list[int], design: Design) -> tuple[Contents, Design]:
        """Return the rows of one or two models, and their design."""
        found = self._table(models)
        return found.contents, found.design

    def pick(self, models: list[int]) -> Self:
        """Refuse: rows with some of the models have a design of their own."""
        self._table([*models, *models, *models])
        return self

    def through(self, table: Table, change: Callable[[Table], Table]) -> Table:
        """Return the table with each pair changed."""
        return joined_pairs({pair: change(one) for pair, one in self.pairs.items()}, self.models, notes=table.notes)

    def added(self, table: Table, other: Table) -> Table:
        """Return the rows of both, pair by pair."""
        return joined_pairs({pair: one + other.pick(*pair) for pair, one in self.pairs.items()}, self.models)

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model on its own rows."""
        found = self._table([place])
        return found.contents.linearise(metric, model, 0, found.design, undefined)

    def covariance(self, linears: Sequence[Linearised], design: Design, places: Sequence[int]) -> Array:
        """Return the covariance of estimates, block by block from the tables of their pairs of models.

        A covariance concerns two models at a time, so the tables of the pairs hold all of it: the joint rows of all
        models are never needed.
        """
        of_model: dict[int, list[int]] = {}
        for estimate, place in enumerate(places):
            of_model.setdefault(place, []).append(estimate)
        blocks: list[tuple[int, ...]] = [*combinations(of_model, 2)] or [tuple(of_model)]
        found = np.empty((len(linears), len(linears)))
        for models in blocks:
            chosen = [estimate for place in models for estimate in of_model[place]]
            rows, here = self._table(models), [at for at, place in enumerate(models) for _ in of_model[place]]
            some = [linears[estimate] for estimate in chosen]
            found[np.ix_(chosen, chosen)] = rows.contents.covariance(some, rows.design, here)
        return found

    def class_cells(self, place: int, counts: Array) -> Array:
        """Return tp, fp, fn, tn of every class, from the rows of that model."""
        found = self._table([place])
        assert isinstance(found.contents, Labels)
        return found.contents.class_cells(0, found.counts)

    def check_runs(self) -> None:
        """Refuse: runs are compared through their joint rows."""
        raise InputError(messages.JOINT_ROWS_OF_ALL_RUNS())

    def cross_table(self, places: Sequence[int], weights: Array) -> Array:
        """Return the truth alone, or refuse: a confusion matrix needs the predictions."""
        if not places:
            return super().cross_table(places, weights)
        raise InputError(messages.TAKE_ONE_OR_TWO_MODELS_FIRST())


def model_pairs(models: Sequence[str]) -> list[ModelPair]:
    """Return every pair of models."""
    return list(combinations(models, 2))


def joined_pairs(pairs: Mapping[ModelPair, Table], models: Sequence[str], *, notes: Iterable[str] = ()) -> Table:
    """Return the table of many models from the tables of all their pairs, brought to one list of labels."""
    labels = reduce(union_of_labels, (table.labels for table in pairs.values()))
    aligned = {pair: table if table.labels == labels else table.with_labels(labels) for pair, table in pairs.items()}
    first = next(iter(aligned.values()))
    assert isinstance(first.contents, Labels)
    empty = np.empty((len(first.contents), 0), dtype=np.int32)
    truth = replace(first, models=(), contents=replace(first.contents, predictions=empty)).merged()
    held: Any = truth.contents
    contents = InPairs(
        held.truth, held.predictions, models=tuple(models), pairs=aligned, labels=labels, pos_label=held.pos_label,
        negatives=held.negatives, ordered=all(table.ordered for table in pairs.values()),
    )  # fmt: skip
    said = tuple(dict.fromkeys((*truth.notes, *notes)))
    return Table(tuple(models), contents, truth.design, said)
