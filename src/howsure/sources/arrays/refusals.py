"""The sentences that refuse a column: which one, what it holds, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages.sources import arrays as messages
from howsure.sources.arrays.bad_values import SCORES, shown
from howsure.types import Array


class MissingValues(InputError):
    """A column has missing values."""


def rule(name: str) -> str:
    """Return what the entries of a column must be."""
    return f"{'groups' if name == 'groups' else 'labels'} must be integers, booleans or strings"


def not_whole(name: str, value: float, row: int) -> InputError:
    """Return the refusal of a fraction."""
    remedy = messages.TURN_THEM_INTO_NAMES_OF_GROUPS() if name == "groups" else SCORES
    return InputError(
        messages.HOLDS_IN_ROW_IS_NOT_WHOLE(name=name, value=value, row=row, rule=rule(name), remedy=remedy)
    )


def not_labels(name: str, kind: str, value: Any, row: int) -> InputError:
    """Return the refusal of dates and other objects."""
    return InputError(messages.VALUES_ARE_NO_LABELS(name=name, kind=kind, value=shown(value), row=row, rule=rule(name)))


def not_column(name: str, kind: str, remedy: str) -> InputError:
    """Return the refusal of something that is no column at all."""
    return InputError(messages.NOT_A_COLUMN(name=name, kind=kind, remedy=remedy))


def nested(name: str, value: Any, row: int) -> InputError:
    """Return the refusal of a list of lists."""
    return InputError(messages.ENTRY_HAS_PARTS(name=name, kind=type(value).__name__, row=row))


def mixed(name: str, integer: tuple[Any, int], string: tuple[Any, int]) -> InputError:
    """Return the refusal of integers and strings in one column, each given with its first row."""
    return InputError(
        messages.MIXES_INTEGERS_IN_ROW(
            name=name,
            integer=integer[0],
            other_integer=integer[1],
            string=string[0],
            other_string=string[1],
            rule=rule(name),
        )
    )


def undecodable(name: str, value: bytes, row: int) -> InputError:
    """Return the refusal of bytes that are no text."""
    return InputError(messages.HOLDS_BYTES_IN_ROW(name=name, value=value, row=row, rule=rule(name)))


def refuse_missing(name: str, number: int, first: int) -> None:
    """Raise if any value is missing."""
    if not number:
        return
    many = messages.ONE_MISSING_IN_ROW() if number == 1 else messages.SEVERAL_MISSING_FIRST_IN_ROW(number=number)
    entry = {"groups": "group", "weight": "weight"}.get(name, "label")
    raise MissingValues(messages.ENTRIES_ARE_MISSING(name=name, many=many, first=first, entry=entry))


def refuse_absent(name: str, absent: Array) -> None:
    """Raise if any value is missing, given which are."""
    refuse_missing(name, int(np.count_nonzero(absent)), int(absent.argmax()) if len(absent) else 0)


def check_dimensions(name: str, shape: Sequence[int]) -> None:
    """Raise unless there is one dimension."""
    if len(shape) == 1:
        return
    if not shape:
        raise not_column(name, "a single value", "give a list or an array")
    single = sum(size != 1 for size in shape) <= 1
    remedy = messages.FLATTEN_IT() if single else messages.TAKE_CLASS_OF_EACH_ROW()
    raise InputError(
        messages.DIMENSIONS_SHAPE_ONE_WITH_ONE_ENTRY(
            name=name, number=len(shape), shape=" × ".join(map(str, shape)), remedy=remedy
        )
    )


def type_name(value: Any) -> str:
    """Return the name of a value's type, with its module where it has one.

    >>> from fractions import Fraction
    >>> type_name(b"a"), type_name(Fraction(1, 2))
    ('bytes', 'fractions.Fraction')
    """
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
