"""Ratings: the labels that several annotators gave the same items, with gaps where one gave none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Label
from howsure.sources.arrays.bad_values import is_missing
from howsure.sources.arrays.libraries import only_column, read_column
from howsure.sources.arrays.numbers import by_model, check_equal_lengths, places_of, sampled
from howsure.tables.kinds.annotators.ratings import Ratings, RatingScale
from howsure.tables.table import Table
from howsure.types import Ints

SCALES = ("nominal", "ordinal", "interval")


def ratings_table(
    ratings: Any, *, scale: RatingScale = "nominal", labels: Sequence[Label] | None = None, sample_weight: Any = None,
    groups: Any = None,
) -> Table:  # fmt: skip
    """Return the table of what several annotators said of each item; None and nan are missing ratings."""
    check_choice("scale", scale, SCALES)
    named = annotators(ratings, "ratings")
    codes, found = numbers_with_gaps(named) if scale == "interval" else labels_with_gaps(named, labels)
    check_order(scale, labels, found)
    design = sampled("ratings", len(codes), weight=sample_weight, groups=groups)
    return Table(("annotators",), Ratings(codes, scale, labels=found), design).merged()


def check_order(scale: RatingScale, labels: Sequence[Label] | None, found: Sequence[Label]) -> None:
    """Refuse an ordinal scale of text whose order nobody gave."""
    if scale == "ordinal" and labels is None and isinstance(found[0], str):
        raise InputError(messages.SCALE_IS_ORDINAL_AND_LABELS(found=quoted(found)))


def annotators(ratings: Any, argument: str) -> dict[str, Any]:
    """Return columns by the names of their annotators; refuse fewer than two."""
    named = by_model(argument, ratings, of="ratings")
    if len(named) < 2:
        raise InputError(messages.HOLDS_ONE_ANNOTATOR(argument=argument))
    return named


def labels_with_gaps(named: Mapping[str, Any], labels: Sequence[Label] | None = None) -> tuple[Ints, tuple[Label, ...]]:
    """Return the place of each label (rows × columns; −1 for none) among the labels of all columns, and these.

    >>> codes, labels = labels_with_gaps({"a": ["x", None, "y"], "b": ["x", "x", None]})
    >>> codes.tolist(), labels
    ([[0, 0], [-1, 0], [1, -1]], ('x', 'y'))
    """
    columns = {name: _objects(name, column) for name, column in named.items()}
    rows = check_equal_lengths({name: len(column) for name, column in columns.items()})
    given = [(name, row) for name, column in columns.items() for row in range(rows) if not is_blank(column[row])]
    if not given:
        raise InputError(messages.NO_LABEL_NOR_HAS_ANOTHER_ANNOTATOR(next=next(iter(named))))
    # One column of all labels: a mixture of text and numbers is refused wherever it stands.
    whole = read_column(f"labels of {quoted(named)}", [_plain(columns[name][row]) for name, row in given])
    places, found = places_of(whole)
    if labels is not None:
        odd = [label for label in found if label not in labels]
        if odd:
            raise InputError.of("labels", list(labels), messages.LACKS_ANNOTATORS_GAVE(odd=quoted(odd)))
        place = np.array([list(labels).index(label) for label in found])
        places, found = place[places], tuple(labels)
    codes = np.full((rows, len(columns)), -1, dtype=np.int64)
    order = {name: column for column, name in enumerate(columns)}
    codes[[row for _, row in given], [order[name] for name, _ in given]] = places
    return codes, found


def numbers_with_gaps(named: Mapping[str, Any]) -> tuple[Ints, tuple[Any, ...]]:
    """Return the place of each number (rows × columns; −1 for none) among the numbers of all columns, and these."""
    columns = {name: _objects(name, column) for name, column in named.items()}
    rows = check_equal_lengths({name: len(column) for name, column in columns.items()})
    values = np.full((rows, len(columns)), np.nan)
    for place, (name, column) in enumerate(columns.items()):
        for row, value in enumerate(column):
            if not is_blank(value):
                values[row, place] = _number(name, value, row)
    given = ~np.isnan(values)
    if not given.any():
        raise InputError(messages.NO_NUMBER_NOR_HAS_ANOTHER_ANNOTATOR(next=next(iter(named))))
    found, places = np.unique(values[given], return_inverse=True)
    codes = np.full(values.shape, -1, dtype=np.int64)
    codes[given] = places
    return codes, tuple(found.tolist())


def is_blank(value: Any) -> bool:
    """Say whether nobody gave a label: None, nan, or text without a mark.

    >>> is_blank(None), is_blank(" "), is_blank("NA")
    (True, True, False)
    """
    return is_missing(value) or (isinstance(value, str) and not value.strip())


def _number(name: str, value: Any, row: int) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.inf
    if not np.isfinite(found):
        raise InputError(messages.IN_ROW_INTERVAL_SCALE_NEEDS_FINITE(name=name, value=value, row=row))
    return found


def _plain(value: Any) -> Any:
    """Return a whole float, as a column with gaps makes of integers, as the integer."""
    return int(value) if isinstance(value, float | np.floating) and float(value).is_integer() else value


def _objects(name: str, column: Any) -> list[Any]:
    """Return a column of any library as Python objects."""
    column = only_column(column)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    if isinstance(column, str | bytes | Mapping) or not hasattr(column, "__iter__"):
        raise InputError(messages.GIVE_LIST_OR_ARRAY_WITH_RATING(name=name, kind=type(column).__name__))
    return list(column)
