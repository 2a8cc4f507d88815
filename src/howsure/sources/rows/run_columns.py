"""Wide files and frames: several columns that are runs of one model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import rows as messages
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.runs import RunColumns, check_no_runs, columns_of_runs, refuse_runs
from howsure.sources.rows.asked import MARK, RowsAsked, between
from howsure.tables.sampling.runs import RunChoice

COMMA = ","


def named_run_columns(
    source: Any, request: ReadRequest, given: Any, *, argument: str, choice: RunChoice | None, paired: bool,
    classes: bool = False,
) -> RunColumns | None:  # fmt: skip
    """Return columns by model where some are runs of one: lists in a mapping, or 'bert=bert_*' or 'bert=a,b' in a list.

    ``classes`` says that a list or a pattern holds a column for each class, as with scores: runs are then named in a
    mapping. None where no model has runs.
    """
    if (
        given is None
        or (isinstance(given, str) and not _is_pattern(given))
        or (classes and not isinstance(given, Mapping))
    ):
        check_no_runs(choice, paired)
        return None
    if isinstance(given, Mapping):
        found = {str(model): _of_model(columns, classes=classes) for model, columns in given.items()}
    else:
        found = dict(_of_name(source, request, str(one), argument) for one in _several(given))
    if not any(isinstance(columns, dict) for columns in found.values()):
        check_no_runs(choice, paired)
        return None
    return columns_of_runs(argument, found, rows=None, choice=choice, paired=paired, wide=True)


def _several(given: Any) -> Sequence[Any]:
    return [given] if isinstance(given, str) else list(given)


def _of_model(columns: Any, *, classes: bool) -> Any:
    if isinstance(columns, Mapping):
        return {str(run): column for run, column in columns.items()}
    if classes or isinstance(columns, str) or not isinstance(columns, Iterable):
        return columns
    return {str(column): str(column) for column in columns}


def _is_pattern(name: str) -> bool:
    _, equals, columns = name.partition("=")
    return bool(equals) and (MARK in columns or COMMA in columns)


def _of_name(source: Any, request: ReadRequest, name: str, argument: str) -> tuple[str, Any]:
    """Return a model and its column, or the columns of 'bert=first,second' or that fit a pattern as 'bert=bert_*'."""
    available = _columns_in(source, request) if _is_pattern(name) else [name]
    if name in available:
        return name, name
    model, _, pattern = name.partition("=")
    if MARK not in pattern:
        return model, {one: one for one in map(str.strip, pattern.split(COMMA)) if one}
    fits = {run: one for one in available if (run := between(pattern, one)) is not None}
    if not fits:
        raise InputError(
            messages.PATTERN_FOR_RUNS_OF_NO_COLUMN(
                argument=argument, pattern=pattern, model=model, available=quoted(available)
            )
        )
    return model, fits


def _columns_in(source: Any, request: ReadRequest) -> Sequence[str]:
    from howsure.sources.rows.columns import columns_in  # loaded for a pattern alone: it brings readers of all rows

    return columns_in(source, request)


def with_run_columns(
    source: Any, request: ReadRequest, asked: RowsAsked
) -> tuple[ReadRequest, RowsAsked, RunColumns | None]:
    """Return what is asked for with a column for each run, and whose runs those are; None where there are none."""
    if asked.model is not None or asked.patterns:
        return request, asked, None
    how: Any = {"choice": asked.runs, "paired": asked.paired_runs}
    if request.score_columns is not None:
        given: Any = request.score_columns
        parts = named_run_columns(source, request, given, argument="scores", classes=True, **how)
    else:
        argument, given = ("predictions", request.predictions) if asked.value is None else ("value", asked.value)
        parts = named_run_columns(source, request, given, argument=argument, **how)
    if parts is None:
        return request, asked, None
    if request.judge is not None:
        refuse_runs(parts, "judge")
    if request.score_columns is not None:
        threshold = parts.by_column(request.threshold)
        return replace(request, score_columns=parts.columns, threshold=threshold), asked, parts
    if asked.value is not None:
        return request, replace(asked, value=parts.columns), parts
    return replace(request, predictions=parts.columns), asked, parts
