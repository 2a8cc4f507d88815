"""The sentences that refuse a column: which one, what it holds, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.errors import InputError, arg
from howsure.sources.arrays.bad_values import SCORES, shown


class MissingValues(InputError):
    """A column has missing values."""


def rule(name: str) -> str:
    """Return what the entries of a column must be."""
    return f"{'groups' if name == 'groups' else 'labels'} must be integers, booleans or strings"


def not_whole(name: str, value: float, row: int) -> InputError:
    """Return the refusal of a fraction."""
    remedy = "turn them into names of groups first, for example with str" if name == "groups" else SCORES
    return InputError(f"{arg(name)} holds {value!r} in row {row}, which is not a whole number; {rule(name)}; {remedy}.")


def not_labels(name: str, kind: str, value: Any, row: int) -> InputError:
    """Return the refusal of dates and other objects."""
    return InputError(
        f"{arg(name)} holds {kind} values ({shown(value)} in row {row}); {rule(name)}; convert them with str."
    )


def not_column(name: str, kind: str, remedy: str) -> InputError:
    """Return the refusal of something that is no column at all."""
    return InputError(f"{arg(name)} is {kind}; it must be a column with one entry a row; {remedy}.")


def nested(name: str, value: Any, row: int) -> InputError:
    """Return the refusal of a list of lists."""
    return InputError(
        f"{arg(name)} holds a {type(value).__name__} in row {row}; it must have one dimension, with one entry a row; "
        "take one label of each row first."
    )


def mixed(name: str, integer: tuple[Any, int], string: tuple[Any, int]) -> InputError:
    """Return the refusal of integers and strings in one column, each given with its first row."""
    return InputError(
        f"{name} mixes integers ({integer[0]!r} in row {integer[1]}) and strings ({string[0]!r} in row "
        f"{string[1]}); {rule(name)}, all of one type; convert the whole column, for example with str."
    )


def undecodable(name: str, value: bytes, row: int) -> InputError:
    """Return the refusal of bytes that are no text."""
    return InputError(
        f"{arg(name)} holds the bytes {value!r} in row {row}, which are not UTF-8; {rule(name)}; "
        "decode them first, for example with numpy.strings.decode."
    )


def refuse_missing(name: str, number: int, first: int) -> None:
    """Raise if any value is missing."""
    if not number:
        return
    many = "1 missing value, in row" if number == 1 else f"{number} missing values, the first in row"
    entry = {"groups": "group", "weight": "weight"}.get(name, "label")
    raise MissingValues(
        f"{arg(name)} has {many} {first} (counting from 0); every row needs a {entry}; "
        f"drop such rows from all columns, or fill in a {entry}."
    )


def check_dimensions(name: str, shape: Sequence[int]) -> None:
    """Raise unless there is one dimension."""
    if len(shape) == 1:
        return
    if not shape:
        raise not_column(name, "a single value", "give a list or an array")
    single = sum(size != 1 for size in shape) <= 1
    remedy = "flatten it with .ravel()" if single else "take the class of each row, for example with .argmax(axis=1)"
    raise InputError(
        f"{arg(name)} has {len(shape)} dimensions (shape {' × '.join(map(str, shape))}); "
        f"it must have one, with one entry a row; {remedy}."
    )


def type_name(value: Any) -> str:
    """Return the name of a value's type, with its module where it has one.

    >>> from fractions import Fraction
    >>> type_name(b"a"), type_name(Fraction(1, 2))
    ('bytes', 'fractions.Fraction')
    """
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
