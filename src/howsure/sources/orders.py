"""The order of classes where the type of a column states one: ordered categories, an enumeration, a dictionary."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from howsure.errors import InputError, quoted
from howsure.table import is_part

Order = tuple[Any, ...]


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
                f"{found[0]} has the ordered classes {quoted(found[1])} but {name} has {quoted(order)}; there must be "
                "one order of the classes; give both columns the same list, or state the order with labels="
            )
        found = longer
    return None if found is None else found[1]


def in_order(found: Collection[Any], order: Sequence[Any]) -> Order:
    """Return the classes that occur in the order stated; those it does not list come last, sorted."""
    own = {label: label for label in found}  # where the list says 1 and the class is True
    listed = [own.pop(label) for label in order if label in own]
    return (*listed, *sorted(own))
