"""What a row of a long table holds: a number, right or wrong, or a predicted label beside the true one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages.sources import rows as messages
from howsure.metrics.metric import Label
from howsure.sources.files.request import ReadRequest
from howsure.sources.files.text_labels import decoder, fitting_labels, label_remarks
from howsure.sources.kinds.labels import table
from howsure.sources.logs.right_or_wrong import RIGHT, right_or_wrong
from howsure.sources.rows.asked import RowsAsked
from howsure.sources.rows.columns import RowColumns
from howsure.tables.table import Table
from howsure.types import Array, Ints

ByModel = Mapping[str, Any]


@dataclass(frozen=True)
class LongRows:
    """A number for each row of a long table, and how a table is made of them; this one of row values."""

    values: Array
    asked: RowsAsked

    @property
    def merit(self) -> Array:
        """How good each row is, for telling runs from repeated answers."""
        return self.values

    @property
    def ends(self) -> Any:
        """Between which ends a mean of several answers lies."""
        return self.asked.range

    def table(self, columns: ByModel, places: Ints, **how: Any) -> Table:
        """Return the table of a column for each model, or of one for each of its runs; places are the questions."""
        return table(values=columns, range=self.asked.range, better=self.asked.better or "higher", **how)

    def check_means(self) -> None:
        """Refuse the mean of several answers to a question where there is none."""


@dataclass(frozen=True)
class RightOrWrong(LongRows):
    """Whether each row is right (1) or wrong (0)."""

    @property
    def ends(self) -> Any:
        """A share of right answers lies between 0 and 1."""
        return (0, 1)

    def table(self, columns: ByModel, places: Ints, **how: Any) -> Table:
        """Return the table of right and wrong answers."""
        right = _each(columns, lambda one: one.astype(np.int8))
        made = table(np.ones(len(places), dtype=np.int8), right, labels=(0, 1), **how)
        return replace(made, contents=replace(made.contents, answers=True), notes=(*made.notes, RIGHT))


@dataclass(frozen=True)
class LongLabels(LongRows):
    """The place of each row's predicted label among ``labels``, and of the true one of each question."""

    truth: Ints
    labels: Sequence[Label]
    pos_label: Label | None
    right: Array

    @property
    def merit(self) -> Array:
        """Whether each row is right."""
        return self.right

    def table(self, columns: ByModel, places: Ints, **how: Any) -> Table:
        """Return the table of true and predicted labels."""
        named = np.array([*self.labels, None], dtype=object)[:-1]
        said = _each(columns, lambda one: named[one.astype(int)].tolist())
        truth = named[self.truth[places]].tolist()
        return table(truth, said, labels=self.labels, pos_label=self.pos_label, **how)

    def check_means(self) -> None:
        """Refuse: labels have no mean."""
        raise InputError(messages.LABELS_HAVE_NO_MEAN())


class LongAnswers:
    """Codes of models and questions, what each row holds, and how often each pair occurs."""

    def __init__(self, models: Sequence[str], model: Ints, ids: Sequence[Any], place: Ints, rows: LongRows) -> None:
        self.models, self.model, self.ids, self.place, self.rows = models, model, ids, place, rows
        self.answers = np.zeros((len(models), len(ids)), dtype=int)
        np.add.at(self.answers, (model, place), 1)


def _each(columns: ByModel, made: Any) -> dict[str, Any]:
    """Return what is made of each column, those of runs too."""
    return {
        name: {run: made(one) for run, one in column.items()} if isinstance(column, Mapping) else made(column)
        for name, column in columns.items()
    }


def long_rows_of(
    columns: RowColumns, request: ReadRequest, asked: RowsAsked, ids: Sequence[Any], place: Ints
) -> LongRows:
    """Return what the rows of a long table hold."""
    if asked.long_labels is not None:
        return _labels(columns, request, asked, ids, place)
    if asked.correct is None:
        return LongRows(columns.numbers[str(asked.value)], asked)
    found = [right_or_wrong(value) for value in columns.names[asked.correct]]
    wrong = [row for row, value in enumerate(found) if value is None]
    if wrong:
        held = columns.names[asked.correct][wrong[0]]
        raise InputError(
            messages.CORRECT_NAMES_COLUMN_HOLDS(correct=asked.correct, held=held, wrong=wrong[0], number=len(wrong))
        )
    return RightOrWrong(np.array(found, dtype=float), asked)


def with_labels(columns: RowColumns, request: ReadRequest, asked: RowsAsked) -> ReadRequest:
    """Give true and predicted labels of a text file their types; return the request with all labels that there are.

    As in a wide file the truth decides whether labels are numbers. Every slice then has the same labels.
    """
    if asked.long_labels is None:
        return request
    truth, said = asked.long_labels
    if not columns.typed:
        decode = decoder({one for one in columns.names[truth] if isinstance(one, str)}, request.labels)
        columns.names |= {name: list(map(decode, columns.names[name])) for name in (truth, said)}
    cells = columns.names[truth]
    positive = request.pos_label
    if positive is not None:
        (positive,) = fitting_labels([positive], cells) or [positive]
    whole = table(cells, columns.names[said], labels=fitting_labels(request.labels, cells), pos_label=positive)
    columns.notes += label_remarks(whole.labels)
    return replace(request, labels=whole.labels, pos_label=positive)


def _labels(columns: RowColumns, request: ReadRequest, asked: RowsAsked, ids: Sequence[Any], place: Ints) -> LongLabels:
    assert asked.long_labels is not None
    assert request.labels is not None
    truth, said = (columns.names[name] for name in asked.long_labels)
    found = one_a_question("truth", asked.long_labels[0], truth, ids, place)
    codes = {label: code for code, label in enumerate(request.labels)}
    values = np.array([codes[label] for label in said], dtype=float)
    right = np.array([one == other for one, other in zip(truth, said, strict=True)], dtype=float)
    own = np.array([codes[label] for label in found], dtype=np.int64)
    return LongLabels(values, asked, own, request.labels, request.pos_label, right)


def one_a_question(argument: str, column: str, values: Sequence[Any], ids: Sequence[Any], place: Ints) -> list[Any]:
    """Return what a column says of each question; refuse two answers about one."""
    found: dict[int, Any] = {}
    for at, value in zip(place.tolist(), values, strict=True):
        if found.setdefault(at, value) != value:
            raise InputError(
                messages.COLUMN_IN_QUESTION_HAS_TWO(
                    argument=argument, column=column, ids=ids[at], found=found[at], value=value
                )
            )
    return [found[at] for at in range(len(ids))]
