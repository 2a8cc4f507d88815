"""Multi-label input: indicator matrices and lists of label sets, with the item as the unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, arg, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Label, find_label
from howsure.sources.arrays.libraries import only_column
from howsure.sources.arrays.tabulate import tabulate
from howsure.sources.kinds.counts import check_labels
from howsure.tables.label_counts import LabelCounts
from howsure.tables.table import Table
from howsure.types import Ints


def is_multilabel(y_true: Any) -> bool:
    """Say whether the truth is an n×L matrix or a sequence of label sets rather than one column.

    An array of shape (n, 1) and a frame of one column are a column.
    """
    y_true = only_column(y_true)
    if hasattr(y_true, "ndim"):
        return bool(y_true.ndim == 2)
    if hasattr(y_true, "columns") or hasattr(y_true, "column_names"):
        return True
    first = next(iter(y_true), None) if isinstance(y_true, (list, tuple)) else None
    return isinstance(first, (set, frozenset, list, tuple, np.ndarray))


def multilabel_table(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    weight: Any = None,
    groups: Any = None,
) -> Table:
    """Return the table whose rows are distinct (label set, predicted label sets)."""
    columns = {"truth": y_true, **{f'prediction "{name}"': column for name, column in predictions.items()}}
    for name, values in columns.items():
        _check_several(name, values)
    names = _label_names(columns, labels)
    check_labels(names)
    filled = {name: _indicators(values, names, name) for name, values in columns.items()}
    sizes = {name: len(block) for name, block in filled.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(
            "; ".join(f"{arg(name)} has {size} rows" for name, size in sizes.items())
            + ": they must describe the same rows in the same order"
        )
    truth, *guesses = filled.values()
    # The item's pattern is one label to the counting loop, so weights and groups are checked there, once.
    patterns, kind = np.unique(
        np.packbits(np.concatenate([truth, *guesses], axis=1), axis=1), axis=0, return_inverse=True
    )
    kind = kind.ravel()
    tally = tabulate(kind, {"": kind}, labels=range(len(patterns)), weight=weight, groups=groups)
    bits = np.unpackbits(patterns, axis=1)[tally.truth][:, : len(names) * (1 + len(guesses))]
    actual, predicted = (
        bits[:, : len(names)],
        bits[:, len(names) :].reshape(len(bits), len(guesses), len(names)),
    )
    positive = None if pos_label is None else names[find_label(pos_label, names, argument="pos_label")]
    rows = LabelCounts(
        actual.astype(np.int64), predicted.astype(np.int64), (predicted & actual[:, None]).astype(np.int64),
        labels=names, pos_label=positive,
    )  # fmt: skip
    return Table(tuple(predictions), rows, tally.design)


def _check_several(name: str, values: Any) -> None:
    """Refuse a plain column beside a truth of several columns, and masked cells."""
    if np.ma.is_masked(values):
        raise InputError(messages.MASKED_CELLS_EVERY_ITEM(name=name))
    first = next(iter(values), None) if isinstance(values, list | tuple) else None
    plain = isinstance(first, int | float | str | np.generic) or getattr(values, "ndim", 2) == 1
    if plain:
        raise InputError(messages.ONE_COLUMN_BUT_TRUTH_HAS_SEVERAL(name=name))


def _label_names(columns: Mapping[str, Any], labels: Sequence[Label] | None) -> tuple[Label, ...]:
    if labels is not None:
        return tuple(labels)
    truth = columns["truth"]
    if hasattr(truth, "columns"):
        return tuple(truth.columns)
    if hasattr(truth, "ndim") or _looks_like_indicators(truth):
        return tuple(range(np.shape(truth)[1]))
    seen = {label for column in columns.values() for row in column for label in row}
    kinds = {type(label).__name__ for label in seen}
    if len({kind == "str" for kind in kinds}) > 1:
        raise InputError(messages.LABEL_SETS_MIX_TYPES(kinds=", ".join(sorted(kinds))))
    return tuple(sorted(seen))


def _looks_like_indicators(values: Any) -> bool:
    if not all(hasattr(row, "__len__") for row in values):
        return False
    sizes = {len(row) for row in values}
    plain = all(not isinstance(row, (set, frozenset)) for row in values)
    return plain and len(sizes) == 1 and sizes != {0} and all(item in (0, 1) for row in values for item in row)


def _indicators(values: Any, labels: tuple[Label, ...], name: str) -> Ints:
    if hasattr(values, "columns"):
        columns = list(values.columns)
        if set(columns) != set(labels):
            raise InputError(messages.COLUMNS_BUT_LABELS(name=name, columns=quoted(columns), labels=quoted(labels)))
        values = values[list(labels)]
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if not hasattr(values, "ndim") and not _looks_like_indicators(values):
        return _from_sets(values, labels, name)
    block = np.asarray(values)
    if block.ndim != 2 or block.shape[1] != len(labels):
        raise InputError(messages.SHAPE_ONE_ROW_PER_ITEM_COLUMNS(name=name, shape=block.shape, number=len(labels)))
    if block.dtype.kind not in "biuf" or not np.isin(block, (0, 1)).all():
        raise InputError(messages.INDICATOR_MATRIX_WITH_VALUES(name=name))
    return block.astype(np.uint8)


def _from_sets(values: Iterable[Iterable[Label]], labels: tuple[Label, ...], name: str) -> Ints:
    place = {label: position for position, label in enumerate(labels)}
    rows = list(values)
    block = np.zeros((len(rows), len(labels)), dtype=np.uint8)
    for index, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(messages.IN_ROW_EACH_ROW(name=name, row=row, index=index))
        for label in row:
            if label not in place:
                raise InputError(messages.LABEL_IN_ROW(name=name, label=label, index=index, labels=quoted(labels)))
            block[index, place[label]] = 1
    return block
