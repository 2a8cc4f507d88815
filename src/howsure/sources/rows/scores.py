"""hs.read of scores: columns of files and frames, row by row, for the door that scores in memory come through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import compress
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import files as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import is_missing
from howsure.sources.files.join_by_id import Files, scores_aligned, texts_of
from howsure.sources.files.request import ReadRequest, no_such_column
from howsure.sources.files.scans.scan import Scan
from howsure.sources.frames import collected
from howsure.sources.kinds.scores import score_table
from howsure.sources.rows.columns import check_columns
from howsure.tables.table import Table

MOST_ROWS = 50_000_000
LOWEST = "lowest"


def score_columns(request: ReadRequest, columns: Sequence[str], source: str) -> dict[str, list[str]]:
    """Return the columns of each model's scores: one, or one for each class where a name has a star.

    >>> score_columns(ReadRequest(score_columns=["svm", "net=net_*"]), ["y", "svm", "net_a", "net_b"], "it")
    {'svm': ['svm'], 'net': ['net_a', 'net_b']}
    """
    given = request.score_columns
    assert given is not None
    if isinstance(given, Mapping):
        named = {str(name): [part] if isinstance(part, str) else list(part) for name, part in given.items()}
    else:
        names = [given] if isinstance(given, str) else list(given)
        split = (one.partition("=") if "*" in one else (one, "", one) for one in names)
        named = {model: [column] for model, _, column in split}
    if not named:
        raise InputError(messages.SCORES_IS_EMPTY())
    found = {
        model: [one for part in parts for one in _matching(part, columns, source)] for model, parts in named.items()
    }
    for part in (request.truth, request.group, request.weight, request.by):
        if part is not None and any(part in one for one in found.values()):
            raise InputError(messages.SCORES_NAMES_COLUMN_PLAYS_ANOTHER_PART(part=part))
    return found


def _matching(name: str, columns: Sequence[str], source: str) -> list[str]:
    found = [one for one in columns if fnmatchcase(one, name)] if "*" in name else [name] * (name in columns)
    if not found:
        raise no_such_column("scores", name, columns, source)
    return found


def check_named(request: ReadRequest, columns: Sequence[str], source: str) -> None:
    """Refuse scores without a truth, and columns that are not there."""
    if request.truth is None:
        raise InputError(messages.TRUTH_MUST_BE_NAMED_BESIDE_SCORES(columns=quoted(columns)))
    if request.predictions is not None:
        raise InputError(messages.PREDICTIONS_IS_GIVEN_BESIDE_SCORES())
    check_columns(request.naming("truth", "group", "weight", "by"), columns, source)


def scores_of_scan(scan: Scan, request: ReadRequest) -> tuple[Table, list[Any] | None]:
    """Return the table of the scores in a file, and the column to slice by."""
    check_named(request, scan.columns, scan.name)
    models = score_columns(request, scan.columns, scan.name)
    parts = [request.truth, request.group, request.by]
    chosen = [scan.expression(str(part)) for part in parts if part is not None]
    chosen += [scan.number(column) for columns in models.values() for column in columns]
    chosen += [] if request.weight is None else [scan.number(request.weight)]
    wanted = ", ".join(f"{one} AS k{place}" for place, one in enumerate(chosen))
    with scan.duck.in_order():
        rows = scan.rows(f"SELECT {wanted} FROM {scan.sql} LIMIT {MOST_ROWS + 1}")
    if len(rows) > MOST_ROWS:
        raise InputError(messages.MORE_THAN_ROWS(scan=scan.name, most_rows=MOST_ROWS))
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in chosen]
    named = [part is not None for part in parts]
    texts = [texts_of(scan, columns.pop(0), request.labels if at == 0 else None) if there else None
             for at, there in enumerate(named)]  # fmt: skip
    numbers = [np.array(column, dtype=float) for column in columns]
    return _made(request, texts, models, numbers)


def scores_of_files(files: Files, request: ReadRequest) -> Table:
    """Return the table of several files of scores, joined by their id: a model each, or the columns that are named."""
    given = request.score_columns
    names = [given] if isinstance(given, str) else given
    if request.truth is None:
        raise InputError(messages.TRUTH_BESIDE_SCORES_OF_FILES())
    if request.predictions is not None:
        raise InputError(messages.PREDICTIONS_IS_GIVEN_BESIDE_SCORES())
    if not names or isinstance(names, Mapping) or any("*" in one for one in names):
        raise InputError(messages.SCORES_OF_SEVERAL_FILES(given=given, number=len(files)))
    found = scores_aligned(files, replace(request, score_columns=None, predictions=list(names)))
    numbers = [np.array(column, dtype=float) for column in found.scores.values()]
    numbers += [] if found.weight is None else [np.array(found.weight, dtype=float)]
    made, _ = _made(request, [found.truth, found.group, None], {name: [name] for name in found.scores}, numbers)
    return replace(made, notes=(*made.notes, *found.remarks))


def scores_of_frame(wrapped: Any, request: ReadRequest) -> tuple[Table, list[Any] | None]:
    """Return the table of the scores in a data frame, and the column to slice by.

    Of a lazy frame the engine counts the distinct rows, which alone come back: scores with four digits are few.
    """
    names = wrapped.collect_schema().names()
    check_named(request, names, "the frame")
    models = score_columns(request, names, "the frame")
    parts = [request.truth, request.group, request.by]
    needed = [
        one for one in (*parts, request.weight, *(c for some in models.values() for c in some)) if one is not None
    ]
    held, counts = collected(wrapped, list(dict.fromkeys(needed)), most=MOST_ROWS)
    if len(held) > MOST_ROWS:
        raise InputError(messages.MORE_THAN_ROWS(scan=messages.THE_FRAME(), most_rows=MOST_ROWS))
    texts = [None if part is None else held[part].to_list() for part in parts]
    columns = [column for some in models.values() for column in some]
    numbers = [_floats(held[column], column) for column in (*columns, *([request.weight] if request.weight else []))]
    return _made(request, texts, models, numbers, counts)


def _floats(column: Any, name: str) -> Any:
    if column.dtype.is_float():
        return np.asarray(column.to_numpy(), dtype=float)
    try:
        return np.array([np.nan if is_missing(one) else one for one in column.to_list()], dtype=float)
    except (TypeError, ValueError):
        raise InputError(messages.SCORES_COLUMN_HOLDS_VALUES(name=name, dtype=column.dtype)) from None


def _made(
    request: ReadRequest,
    texts: Sequence[list[Any] | None],
    models: Mapping[str, list[str]],
    numbers: list[Any],
    counts: Any = None,
) -> tuple[Table, list[Any] | None]:
    truth, group, by = texts
    assert truth is not None
    weight = numbers.pop() if request.weight is not None else None
    scores: dict[str, Any] = {}
    for model, columns in models.items():
        some = [numbers.pop(0) for _ in columns]
        scores[model] = some[0] if len(some) == 1 else np.stack(some, axis=1)
    notes: tuple[str, ...] = ()
    if request.on_bad == "skip":
        good = _good(truth, group, by, weight, scores)
        notes = _left_out(good, counts)
        truth, group, by = (None if part is None else list(compress(part, good)) for part in (truth, group, by))
        weight, counts = (None if part is None else part[good] for part in (weight, counts))
        scores = {name: one[good] for name, one in scores.items()}
    made = score_table(
        truth, scores, labels=request.labels, pos_label=request.pos_label, sample_weight=weight, groups=group,
        threshold=request.threshold, abstain=LOWEST if request.abstain == LOWEST else None, counts=counts,
    )  # fmt: skip
    return replace(made, notes=(*made.notes, *notes)), by


def _good(truth: Any, group: Any, by: Any, weight: Any, scores: Mapping[str, Any]) -> Any:
    """Return which rows have truth, group, weight and all scores."""
    good = np.array([not is_missing(one) and one != "" for one in truth])
    for part in (group, by):
        good &= True if part is None else np.array([not is_missing(one) for one in part])
    for column in scores.values():
        fine = np.isfinite(column)
        good &= fine if fine.ndim == 1 else fine.all(1)
    good &= True if weight is None else np.isfinite(weight) & (weight >= 0)
    return good


def _left_out(good: Any, counts: Any) -> tuple[str, ...]:
    """Return a note on the rows that are not good."""
    often = np.ones(len(good)) if counts is None else counts
    lost, total = int(often[~good].sum()), int(often.sum())
    return (marked("rows of scores left out", lost=f"{lost:,}", total=f"{total:,}"),) if lost else ()
