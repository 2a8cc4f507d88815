"""Several labels a row in files: one column of 0 and 1 for each label, or all labels of a row in one cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import rows as messages
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.label_sets import multilabel_table
from howsure.sources.rows.asked import MARK, RowsAsked, between
from howsure.sources.rows.columns import RowColumns, columns_in, read_columns
from howsure.tables.table import Table
from howsure.types import Array


def label_columns_maker(
    source: Any, request: ReadRequest, asked: RowsAsked, names: Mapping[str, str]
) -> tuple[RowColumns, Callable[[RowColumns], Table]]:
    """Return the columns, and how a table of label sets is made of them.

    ``truth`` and each prediction are a pattern with * in place of the label ("*_gold": a column of 0 and 1 for each
    label), or a column whose cells hold all labels of the row, apart by the separator.
    """
    if request.truth is None or request.predictions is None:
        raise InputError(messages.TRUTH_AND_PREDICTIONS_MUST_BE_NAMED())
    given = request.predictions
    models = {str(k): v for k, v in given.items()} if isinstance(given, Mapping) else {
        name.replace(MARK, "").strip("_.- ") or name: name for name in request.columns()
    }  # fmt: skip
    patterns = MARK in request.truth
    if any((MARK in one) != patterns for one in models.values()):
        raise InputError(messages.PREDICTIONS_AND_TRUTH(models=quoted(models.values()), truth=request.truth))
    make = _of_patterns if patterns else _of_cells
    return make(source, request, asked, dict(names), models, request.naming("weight"))


def _of_patterns(
    source: Any, request: ReadRequest, asked: RowsAsked, names: dict[str, str], models: Mapping[str, str],
    weight: dict[str, str],
) -> tuple[RowColumns, Callable[[RowColumns], Table]]:  # fmt: skip
    assert request.truth is not None
    available = columns_in(source, request)
    labels = [found for column in available if (found := between(request.truth, column)) is not None]
    if request.labels is None:
        _check_same_labels(available, labels, models.values())
    labels = list(map(str, request.labels)) if request.labels is not None else labels
    if not labels:
        raise InputError(messages.TRUTH_IS_PATTERN_NO_COLUMN_FITS(truth=request.truth, available=quoted(available)))
    chosen = {argument: [pattern.replace(MARK, label) for label in labels]
              for argument, pattern in (("truth", request.truth), *models.items())}  # fmt: skip
    numbers = {column: "truth" if who == "truth" else "predictions" for who, held in chosen.items() for column in held}
    columns = read_columns(source, request, numbers | weight, names, counted=True)

    def make(some: RowColumns) -> Table:
        blocks = {who: _indicators(some, held) for who, held in chosen.items()}
        truth = blocks.pop("truth")
        return multilabel_table(
            truth, blocks, labels=labels, pos_label=request.pos_label, weight=some.weight(request.weight),
            groups=some.names.get(request.group or ""),
        )  # fmt: skip

    return columns, make


def _check_same_labels(available: Iterable[str], labels: list[str], patterns: Iterable[str]) -> None:
    """Refuse a predicted label that has no column of truth: what was predicted for it would count for nothing."""
    for pattern in patterns:
        guessed = [found for column in available if (found := between(pattern, column)) is not None]
        more = [label for label in guessed if label not in labels]
        if labels and more:
            raise InputError(messages.PREDICTIONS_IS_PATTERN_FINDS_TOO(pattern=pattern, more=quoted(more)))


def _indicators(columns: RowColumns, held: list[str]) -> Array:
    block = np.stack([columns.numbers[name] for name in held], axis=1)
    odd = ~np.isin(block, (0.0, 1.0))
    if odd.any():
        row, place = np.argwhere(odd)[0]
        raise InputError(messages.COLUMN_HOLDS_ROW_COUNTING_FROM_0(held=held[place], block=block[row, place], row=row))
    return block.astype(np.uint8)


def _of_cells(
    source: Any, request: ReadRequest, asked: RowsAsked, names: dict[str, str], models: Mapping[str, str],
    weight: dict[str, str],
) -> tuple[RowColumns, Callable[[RowColumns], Table]]:  # fmt: skip
    assert request.truth is not None
    wanted = {request.truth: "truth", **dict.fromkeys(models.values(), "predictions")}
    columns = read_columns(source, request, weight, {**names, **wanted}, optional=wanted, counted=True)

    def make(some: RowColumns) -> Table:
        sets = {column: [_split(cell, asked.separator) for cell in some.names[column]] for column in wanted}
        return multilabel_table(
            sets[request.truth or ""], {model: sets[column] for model, column in models.items()},
            labels=None if request.labels is None else list(map(str, request.labels)), pos_label=request.pos_label,
            weight=some.weight(request.weight), groups=some.names.get(request.group or ""),
        )  # fmt: skip

    return columns, make


def _split(cell: Any, separator: str | None) -> frozenset[str]:
    if isinstance(cell, (list, tuple, set, frozenset)):
        return frozenset(map(str, cell))
    parts = ("" if cell is None else str(cell)).split(separator or " ")
    return frozenset(part.strip() for part in parts if part.strip())
