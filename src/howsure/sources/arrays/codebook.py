"""Python objects to codes: every distinct object is judged once, every other one is a look-up.

The order of classes that the type of a column states (ordered categories, an enumeration, a dictionary) is found here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import index
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import arrays as messages
from howsure.tables.table import is_part
from howsure.types import Array

Order = tuple[Any, ...]

MISSING = frozenset({"NoneType", "NAType", "NaTType"})
"""Types whose only values mean that there is none."""


class NotALabel(Exception):
    """Carries an object that is neither an integer, a boolean nor a string."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Codebook(dict[Any, int]):
    """The code of each distinct object, in the order of appearance.

    Equal numbers share a code whatever their type: True, 1 and 1.0 are the label 1.

    >>> book = Codebook()
    >>> book.encode(["b", "a", "b"]).tolist(), book.labels
    ([0, 1, 0], ['b', 'a'])
    """

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[Any] = []
        self.missing: int | None = None

    def encode(self, values: Sequence[Any]) -> Array:
        """Return the codes of values."""
        try:
            return np.fromiter(map(self.__getitem__, values), dtype=np.int32, count=len(values))
        except TypeError:
            for value in values:
                if not _hashable(value):
                    raise NotALabel(value) from None
            raise

    def __missing__(self, value: Any) -> int:
        label = plain_label(value)
        if label is None:
            if self.missing is None:
                self.missing = self._place(None)
            return self.missing
        code = self[value] = self._place(label)
        return code

    def _place(self, label: Any) -> int:
        self.labels.append(label)
        return len(self.labels) - 1


def plain_label(value: Any) -> int | str | None:
    """Return a label as a Python integer or string, None if it is missing; raise NotALabel otherwise.

    >>> plain_label(np.int8(3)), plain_label(2.0), plain_label(float("nan"))
    (3, 2, None)
    """
    if isinstance(value, str):
        return str.__str__(value)  # what an enumeration's member says, not its name
    if isinstance(value, int | np.integer):
        return index(value)
    if isinstance(value, np.bool_):
        return int(value)
    if isinstance(value, float | np.floating):
        return _whole(value)
    if type(value).__name__ in MISSING or (isinstance(value, np.datetime64 | np.timedelta64) and np.isnat(value)):
        return None
    raise NotALabel(value)


def _whole(value: float | np.floating[Any]) -> int | None:
    if np.isnan(value):
        return None
    if np.isinf(value) or value != int(value):
        raise NotALabel(value)
    return int(value)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def common_order(stated: Iterable[tuple[str, Sequence[Any]]]) -> Order | None:
    """Return the longest of some lists, each named, if it holds every other in its order; None if there is none.

    >>> common_order([("truth", ["low", "high"]), ("B", ["low", "mid", "high"])])
    ('low', 'mid', 'high')
    """
    found: tuple[str, Order] | None = None
    for name, order in stated:
        one = name, tuple(order)
        if found is None:
            found = one
            continue
        shorter, longer = sorted((found, one), key=lambda each: len(each[1]))
        if not is_part(shorter[1], longer[1]):
            raise InputError(
                messages.ORDERED_CLASSES_ONE_ORDER_OF_CLASSES(
                    found=found[0], other_found=quoted(found[1]), name=name, order=quoted(order)
                )
            )
        found = longer
    return None if found is None else found[1]


def in_order(found: Collection[Any], order: Sequence[Any]) -> Order:
    """Return the classes that occur in the order stated; those it does not list come last, sorted."""
    own = {label: label for label in found}  # where the list says 1 and the class is True
    listed = [own.pop(label) for label in order if label in own]
    return (*listed, *sorted(own))
