"""Judged rows: a judge's answer in every row, and in some of them what people say too.

With H the table of the rows that people labelled, J_n and J_N the judge's tables of those and of the other rows,
table(λ) = H + λ (J_N − J_n). A metric is taken there, and its interval is its own at n · gain rows: the judge moves the
table and is a design effect below one. ``gain`` is the smaller of two estimates on smoothed copies of the labelled
rows, so that a judge that happened to agree everywhere is not taken to agree always.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Label, Metric
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.judges.judge_copy import Alternatives, Contrast, Measure, finite
from howsure.tables.kinds.judges.judge_design import JudgeFacts
from howsure.tables.kinds.judges.judge_settle import moving, psi_covariance, settle
from howsure.tables.linearised import Linearised
from howsure.tables.table import Table
from howsure.types import Array, Ints, Undefined

BINS = 4  # of what a judge says in numbers, where rows are compared by kind


class Reading(NamedTuple):
    """One answer of a judge: the rows as they would be if it were true, and how much of it each row has.

    The share is 1, or 0 where the judge gave no answer; a score of 0.8 is 0.8 of one answer and 0.2 of the other.
    """

    rows: Contents
    share: Array

    def joined(self, other: Reading) -> Reading:
        """Return the rows of both, one after the other."""
        return Reading(self.rows.joined(other.rows), np.concatenate([self.share, other.share]))


class RowKind(NamedTuple):
    """Rows of which a judge and a model say the same things: how many people have labelled, and how many not."""

    judge: str
    model: str
    labelled: float
    free: float
    apart: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged(Contents):
    """Rows with a judge's answer, ``labelled`` where people gave theirs; ``people`` holds anything in other rows.

    ``judges`` are the readings of each judge. ``use`` says what becomes of them: "gain", or "wald" for the intervals of
    PPI++ as published.
    """

    people: Contents
    labelled: Array
    judges: tuple[tuple[Reading, ...], ...]
    judge_names: tuple[str, ...] = ("judge",)
    use: str = "gain"

    holds = "labels of people and of a judge"
    kind_words = "has a judge"
    compact = True
    sections = ("judge",)
    one_of_tasks = False
    labels_may_follow = True

    @property
    def manner(self) -> str:  # type: ignore[override]
        """The judges, by name."""
        return f", judged by {', '.join(self.judge_names)}"

    @property
    def unit(self) -> str:
        """As people's rows are called."""
        return self.people.unit

    @property
    def one_truth(self) -> bool:  # type: ignore[override]
        """As people's rows."""
        return self.people.one_truth

    @property
    def usual(self) -> str | tuple[Any, ...]:
        """As of people's rows."""
        return self.people.usual

    # --- rows

    def __post_init__(self) -> None:
        """Give the rows of people and judges the labels and the positive class that these have."""
        shared = {one.name: getattr(self, one.name) for one in fields(Contents)}
        kept = self._each(lambda held: replace(held, **shared), lambda share: share)
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    def _each(self, change: Callable[[Contents], Contents], share: Callable[[Array], Array]) -> dict[str, Any]:
        judges = tuple(
            tuple(Reading(change(one.rows), share(one.share)) for one in readings) for readings in self.judges
        )
        return {"people": change(self.people), "judges": judges}

    def __len__(self) -> int:
        return len(self.labelled)

    def take(self, rows: Any) -> Self:
        """Return some of the rows."""
        kept = self._each(lambda held: held.take(rows), lambda share: share[rows])
        return replace(self, labelled=self.labelled[rows], **kept)

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, **self._each(lambda held: held.pick(models), lambda share: share))

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        readings = [one for judge in self.judges for one in judge]
        shares = [np.unique(one.share, return_inverse=True)[1].reshape(-1) for one in readings]
        held = [self.people.keys(), *(one.rows.keys() for one in readings)]
        people, *others = held
        return np.column_stack([people, self.labelled.astype(np.int64), *shares, *others])

    def joined(self, other: Self) -> Self:
        """Return the rows of both, one after the other."""
        each = (zip(mine, yours, strict=True) for mine, yours in zip(self.judges, other.judges, strict=True))
        judges = tuple(tuple(one.joined(another) for one, another in both) for both in each)
        labelled = np.concatenate([self.labelled, other.labelled])
        return replace(self, people=self.people.joined(other.people), labelled=labelled, judges=judges)

    def check_joins(self, other: Contents) -> None:
        """Refuse rows without a judge, or with another."""
        super().check_joins(other)
        assert isinstance(other, Judged)
        if self.judge_names != other.judge_names or [*map(len, self.judges)] != [*map(len, other.judges)]:
            raise InputError(
                messages.TABLES_TO_ADD_HAVE_DIFFERENT_JUDGES(
                    judge_names=", ".join(self.judge_names), other_judge_names=", ".join(other.judge_names)
                )
            )
        self.people.check_joins(other.people)

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with every label code c replaced by codes[c]."""
        return replace(self, labels=labels, **self._each(lambda held: held.recoded(codes, labels), lambda share: share))

    def sizes(self) -> dict[str, float]:
        """Return the sizes of people's rows."""
        return self.people.sizes()

    # --- with and without the judge

    def by_people(self, design: Design) -> tuple[Contents, Design]:
        """Return the rows that people labelled, and their design."""
        return self.people.take(self.labelled), design.take(self.labelled)

    def without_people(self) -> Self:
        """Return the rows as they would be if nobody had looked."""
        return replace(self, people=self.nothing_said(), labelled=np.zeros(len(self), dtype=bool))

    @abstractmethod
    def nothing_said(self) -> Contents:
        """Return people's rows without what people said."""

    def as_judged(self, table: Table, how: str | None) -> Table:
        """Return the table with another use of its judge: "ignore" leaves the rows that people labelled."""
        if how is None or how == self.use:
            return table
        if how != "ignore":
            return replace(table, contents=replace(self, use=how))
        people, design = self.by_people(table.design)
        if not len(people):
            raise InputError(messages.JUDGE_IS_IGNORE_AND_NO_ROW())
        return replace(table, contents=people, design=design).merged()

    # --- a metric on the rows

    def fitted(self, metric: Metric) -> Metric:
        """Return a metric as people's rows have it."""
        return self.people.fitted(metric)

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model on the table that the judge moved."""
        found = settle(self, Contrast(metric, (model,), (place,), (1.0,), undefined), design)
        made = found.rows.linearise(metric, model, place, found.design, undefined)
        return replace(made, value=found.value) if np.isfinite(found.value) else made

    def contrasted(self, table: Table, metric: Metric, undefined: Undefined) -> Table:
        """Return the table of two models that the judge moved for their difference: λ and gain are the difference's."""
        contrast = Contrast(metric, table.models, (0, 1), (-1.0, 1.0), undefined)
        found = settle(self, contrast, table.design)
        return replace(table, contents=found.rows, design=found.design)

    def covariance(self, linears: Sequence[Linearised], design: Design, places: Sequence[int]) -> Array:
        """Return Σ ψψ' over labelled and other rows: ψ = φ − λg around its mean, λg around its mean."""
        moved = np.stack([self._moving(linear, place, design) for linear, place in zip(linears, places, strict=True)])
        return psi_covariance(self.labelled, moved, design)

    def _moving(self, linear: Linearised, place: int, design: Design) -> Array:
        facts: JudgeFacts = linear.design.judge

        def influence(rows: Contents) -> Array:
            return self.moves(rows, linear, place)

        judged = np.asarray(facts.lam) @ self.answers_moved(influence)
        return moving(self.labelled, influence(self.people), judged, design)

    def answers_moved(self, influence: Callable[[Contents], Array]) -> Array:
        """Return the judges' influence g of each row (judges × rows): 0 where a judge gave no answer."""
        return np.stack([sum(one.share * finite(influence(one.rows)) for one in judge) for judge in self.judges])

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric of people's rows at many weightings."""
        return self.people.values_at(linear, weights * self.labelled)

    @property
    def known(self) -> Array:
        """The rows that people labelled."""
        return self.labelled

    # --- what a kind of data knows

    @abstractmethod
    def moves(self, rows: Contents, linear: Linearised, place: int) -> Array:
        """Return how rows of people's kind would move an estimate that was made on other such rows."""

    @abstractmethod
    def alternatives(self, linears: Sequence[Linearised], places: Sequence[int]) -> Alternatives | None:
        """Return what truth and judge may say instead, for smoothing; None where nobody knows."""

    @abstractmethod
    def summed(self, people: Measure, judge: Measure) -> tuple[Contents, Array]:
        """Return rows and weights, possibly negative, of people's measure and the judge's signed one, summing to 1."""

    def agreement(self, weights: Array) -> tuple[float, ...]:
        """Return how much of people's rows each judge answered as they did; nan for scores, or without answers."""
        found = []
        for readings in self.judges:
            first = readings[0]
            seen = weights * self.labelled * (first.share > 0)
            alike = (first.rows.keys() == self.people.keys()).all(1) if len(readings) == 1 else np.zeros(len(self))
            found.append(float(seen @ alike / seen.sum()) if seen.sum() > 0 else float("nan"))
        return tuple(found)

    def judge_as_model(self, design: Design) -> tuple[Contents, Design] | None:
        """Return the rows where people and the first judge both gave a label, with the judge as the model."""
        return None

    def kinds_by_name(self, place: int, counts: Array) -> list[RowKind]:
        """Return how many rows of each kind, by judge and prediction, people have labelled; none without labels."""
        return []

    @abstractmethod
    def kinds_of_row(self, place: int) -> Ints:
        """Return the kind of each row by judge and prediction, for comparing labelled rows with the others."""

    # --- what people's rows say

    def right(self, place: int) -> Array | None:
        """Return whether each row was answered right, where people looked."""
        found = self.people.right(place)
        return None if found is None else found & self.labelled

    def cross_table(self, places: Sequence[int], weights: Array) -> Array | None:
        """Return the weights of (truth, one prediction for each model) of the rows that people labelled."""
        return self.people.cross_table(places, weights * self.labelled)

    def class_cells(self, place: int, counts: Array) -> Array | None:
        """Return the cells of every class of the rows that people labelled."""
        return self.people.class_cells(place, counts * self.labelled)

    @property
    def each_class(self) -> bool:
        """As of people's rows."""
        return self.people.each_class

    def occurring(self, weights: Array) -> list[Label]:
        """Return the labels that occur where people looked."""
        return self.people.occurring(weights * self.labelled)

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label."""
        return self.people.support(weights * self.labelled)

    def lacks(self, metric: Metric) -> bool:
        """Say whether people's rows lack what a metric needs."""
        return self.people.lacks(metric)

    def described(self) -> dict[str, Any]:
        """Return what a report says of the data."""
        return dict(self.people.described()) | {"judges": list(self.judge_names)}

    def saved_fields(self) -> dict[str, Any]:
        """Return each judge by name, and whether it gives scores."""
        return {"judges": [[name, len(one) > 1] for name, one in zip(self.judge_names, self.judges, strict=True)]}


def share_bins(values: Array) -> Ints:
    """Return the quarter of the values that each lies in, from 1 on."""
    ends = np.quantile(values, np.arange(1, BINS) / BINS) if len(values) else np.zeros(BINS - 1)
    return np.asarray(np.searchsorted(np.unique(ends), values, side="right") + 1)
