"""Columns of labels to a table of their distinct rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import arrays as messages
from howsure.metrics.metric import Label
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import refuse_text_scores, score_among
from howsure.sources.arrays.column import Column, condensed
from howsure.sources.arrays.counting import Rows, count_rows
from howsure.sources.arrays.counting_sparse import merge_rows
from howsure.sources.arrays.labels import Coded, check_one_type, coded, group_set, label_set
from howsure.sources.arrays.libraries import read_column
from howsure.sources.arrays.numbers import common_length
from howsure.sources.arrays.weights import read_weight
from howsure.tables.design import Design
from howsure.types import Array

__all__ = ["Label", "NoRows", "CountedRows", "tabulate"]


class NoRows(InputError):
    """The columns fit together, but hold no row."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedRows:
    """Distinct rows (group, truth, one prediction per model) and how often each occurred.

    Codes are places in ``labels`` and in the names of the groups, both sorted unless ``labels`` were given or a column
    states their order; rows are sorted by group, truth and predictions. ``ordered`` is False where labels are text that
    was sorted by name.
    """

    labels: tuple[Label, ...]
    models: tuple[str, ...]
    truth: Array
    predictions: Array
    design: Design
    notes: tuple[str, ...] = ()
    ordered: bool = True


def tabulate(
    truth: Any,
    predictions: Mapping[str, Any],
    *,
    labels: Any = None,
    weight: Any = None,
    groups: Any = None,
    order: Sequence[Label] | None = None,
) -> CountedRows:
    """Count the distinct rows of truth and predictions.

    Labels are integers, booleans or strings, in a column of any library. Without ``labels``: the sorted union of
    those that occur, completed to (0, 1), (False, True) or (-1, 1) where it lacks one of the two; in place of sorting,
    the order of ordered categories, of an enumeration, or ``order``. Weights are sampling weights; groups say which
    rows belong together.

    >>> tally = tabulate(["cat", "dog", "cat"], {"a": ["cat", "cat", "cat"]})
    >>> tally.labels, tally.truth.tolist(), tally.predictions.tolist(), tally.design.counts.tolist()
    (('cat', 'dog'), [0, 1], [[0], [0]], [2.0, 1.0])
    """
    columns = _read(truth, predictions)
    rows, grouping, found, notes = count_columns(columns, weight, groups)
    check_one_type(columns)
    refuse_scores(columns)
    names, ordered = label_set(found, labels, rows.counts, order)
    group_names = group_set(grouping[0]) if grouping else ()
    codes, (counts, weights, squares, cubes) = _placed(
        [*grouping, *found], [group_names] * len(grouping) + [names] * len(columns), rows
    )
    return CountedRows(
        labels=names,
        models=tuple(map(str, predictions)),
        truth=codes[len(grouping)],
        predictions=np.stack(codes[len(grouping) + 1 :], axis=1),
        design=Design(counts, weights, squares, codes[0] if grouping else None, group_names, cubes=cubes),
        notes=notes,
        ordered=ordered,
    )


def count_columns(
    columns: Sequence[Column], weight: Any, groups: Any
) -> tuple[Rows, list[Coded], list[Coded], tuple[str, ...]]:
    """Count the distinct rows of columns, truth first; return them, the codes of groups and of each column, and notes.

    Without ``groups`` there are no codes of them, else those of one column.
    """
    grouping = [] if groups is None else [read_column("groups", groups)]
    weighing = None if weight is None else read_weight(weight)
    check_lengths([*columns, *grouping], weighing)
    everything = [condensed(column) for column in (*grouping, *columns)]
    spans = [column.span for column in everything]
    rows = count_rows([column.values for column in everything], spans=spans, weight=weighing)
    found = [coded(*each) for each in zip(everything, rows.digits, rows.spans, strict=True)]
    return rows, found[: len(grouping)], found[len(grouping) :], index_notes(everything, weight)


def _read(truth: Any, predictions: Mapping[str, Any]) -> list[Column]:
    if not predictions:
        raise InputError(messages.PREDICTIONS_IS_EMPTY())
    if len(set(map(str, predictions))) < len(predictions):
        raise InputError(messages.PREDICTIONS_NAMES_MODELS_READ_SAME(predictions=quoted(predictions)))
    named = (read_column(f'prediction "{name}"', column) for name, column in predictions.items())
    return [read_column("truth", truth), *named]


def refuse_scores(columns: Sequence[Column]) -> None:
    """Refuse a column of numbers in text under a truth of words: counted, each would be a class of its own."""
    truth, *others = columns
    for column in others if truth.kind == "strings" else ():
        score = score_among(column.vocabulary or (), truth.vocabulary or ())
        if score is not None:
            raise refuse_text_scores(score, column.name)


def check_lengths(columns: Sequence[Column], weight: Array | None) -> None:
    """Refuse columns, truth first, and weights of unequal length, and columns without a row."""
    sizes = {column.name: len(column) for column in columns} | ({} if weight is None else {"weight": len(weight)})
    if not common_length(sizes):
        raise NoRows(messages.TRUTH_HAS_0_ROWS())


def _placed(
    columns: Sequence[Coded], names: Sequence[tuple[Label, ...]], rows: Rows
) -> tuple[list[Array], tuple[Array, ...]]:
    """Return each column's codes as places in its names, rows sorted and merged, and their sums."""
    places = {id(some): {name: place for place, name in enumerate(some)} for some in names}
    recoded = [column.recode(places[id(some)]) for column, some in zip(columns, names, strict=True)]
    codes = [codes for codes, _ in recoded]
    sums = rows.counts, rows.weights, rows.squares, rows.cubes
    if all(ordered for _, ordered in recoded):
        return codes, sums
    plain = rows.weights is rows.counts
    codes, merged = merge_rows(codes, [len(some) for some in names], np.stack(sums[:1] if plain else sums))
    return codes, (merged[0],) * 4 if plain else tuple(merged)


def index_notes(columns: Sequence[Column], weight: Any) -> tuple[str, ...]:
    index = getattr(weight, "index", None)
    indexed = [(column.name, column.index) for column in columns if column.index is not None]
    indexed += [] if index is None or callable(index) else [("weight", index)]
    for name, other in indexed[1:]:
        first, expected = indexed[0]
        if other is not expected and not other.equals(expected):
            return (marked("other indexes", first=first, second=name),)
    return ()
