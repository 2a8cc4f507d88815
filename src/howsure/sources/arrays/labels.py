"""One list of labels from the values that occur in the distinct rows, and the place of each value in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import arrays as messages
from howsure.metrics.metric import Label
from howsure.sources.arrays.codebook import common_order, in_order
from howsure.sources.arrays.column import Column
from howsure.sources.arrays.digits import DigitRange, digit_type
from howsure.sources.arrays.libraries import read_column
from howsure.types import Array

_LISTED = 1 << 16
"""The widest span of which all whole numbers are listed, and not only those that occur."""
_PAIRS = ((0, 1), (-1, 1))
"""Label sets of two that are completed when only one of them occurs."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """One column of the distinct rows: places in a list of values, and the places that occur."""

    column: Column
    codes: Array
    values: Sequence[Any]
    present: Array

    def occurring(self) -> list[Any]:
        """Return the values that occur."""
        return [self.values[place] for place in self.present.tolist()]

    def recode(self, places: Mapping[Any, int]) -> tuple[Array, bool]:
        """Return the codes in another list, given the place of each value, and whether their order is kept."""
        dtype = digit_type(len(places))
        target = np.array([places[value] for value in self.occurring()], dtype=dtype)
        ordered = bool((target[1:] > target[:-1]).all())
        if self.codes.dtype == dtype and np.array_equal(target, self.present):
            return self.codes, ordered
        table = np.zeros(len(self.values), dtype=dtype)
        table[self.present] = target
        return table[self.codes], ordered


def coded(column: Column, digits: Array, span: DigitRange) -> Coded:
    """Return a column of the distinct rows with the list of values that its digits stand for."""
    if column.vocabulary is None and span.size > _LISTED:
        found, digits = np.unique(digits, return_inverse=True)
        return Coded(column, digits, [value + span.low for value in found.tolist()], np.arange(len(found)))
    values = range(span.low, span.low + span.size) if column.vocabulary is None else column.vocabulary
    seen = np.zeros(span.size, dtype=np.bool_)
    seen[digits] = True
    return Coded(column, digits, values, np.flatnonzero(seen))


def label_set(
    columns: Sequence[Coded], given: Any, counts: Array, order: Sequence[Label] | None = None
) -> tuple[tuple[Label, ...], bool]:
    """Return the labels, and whether their order means something: it was stated, or they are numbers.

    They are those given, or else the union of those that occur, completed to a usual pair: in the order that the
    type of a column states, otherwise sorted.
    """
    if given is not None:
        labels = _given(given, columns[0].column)
        _refuse_unlisted(columns, labels, counts)
        return labels, True
    stated = [(column.column.name, column.column.order) for column in columns if column.column.order is not None]
    order = common_order(stated) if order is None else order
    found = _occurring(columns)
    if order is None:
        return found, not isinstance(found[0], str)
    return in_order(found, order), set(found) <= set(order) or not isinstance(found[0], str)


def _occurring(columns: Sequence[Coded]) -> tuple[Label, ...]:
    """Return the sorted union of the labels that occur, completed to a usual pair."""
    if all(column.column.kind == "booleans" for column in columns):
        return (False, True)
    found = set().union(*(column.occurring() for column in columns))
    return next((pair for pair in _PAIRS if found <= set(pair)), tuple(sorted(found)))


def group_set(column: Coded) -> tuple[Label, ...]:
    """Return the groups that occur, sorted."""
    found = sorted(column.occurring())
    return tuple(map(bool, found)) if column.column.kind == "booleans" else tuple(found)


def _given(given: Any, truth: Column) -> tuple[Label, ...]:
    column = read_column("labels", given)
    labels = tuple(map(bool, column.labels())) if column.kind == "booleans" else tuple(column.labels())
    if not labels:
        raise InputError(messages.LABELS_IS_EMPTY())
    check_one_type([truth, column])
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InputError(messages.LABELS_LISTS_TIMES(twice=twice, other_twice=labels.count(twice)))
    return labels


def _refuse_unlisted(columns: Iterable[Coded], labels: tuple[Label, ...], counts: Array) -> None:
    listed = set(labels)
    for column in columns:
        for place, label in zip(column.present.tolist(), column.occurring(), strict=True):
            if label in listed:
                continue
            number = int(counts[column.codes == place].sum())
            raise InputError(
                messages.LABEL_IN_ROW_LABELS(
                    column=column.column.name,
                    label=label,
                    number=number,
                    what="s" * (number > 1),
                    labels=quoted(labels),
                )
            )


def check_one_type(columns: Sequence[Column]) -> None:
    """Raise if some columns hold strings and others numbers; names the first of each."""
    strings = next((column for column in columns if column.kind == "strings"), None)
    numbers = next((column for column in columns if column.kind != "strings"), None)
    if strings is None or numbers is None:
        return
    one, other = sorted((strings, numbers), key=columns.index)
    raise InputError(
        messages.HOLDS_HOLDS_LABELS(
            one=one.name,
            kind=one.kind,
            example=one.example(),
            other=other.name,
            other_kind=other.kind,
            other_example=other.example(),
        )
    )
