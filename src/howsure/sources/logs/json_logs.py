"""Whole JSON objects: which kind of log they are, predictions with references, tables of MLflow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import fspath
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.sources.arrays.bad_values import shown
from howsure.sources.files.count_rows import made
from howsure.sources.files.distinct_rows import factor, table_of
from howsure.sources.files.formats import check_files, files_of
from howsure.sources.files.request import ReadRequest, guessed, roles_of
from howsure.sources.files.text_records import opened
from howsure.sources.logs.right_or_wrong import LogPath
from howsure.tables.table import Table

REFERENCES = ("references", "label_ids")  # of the package evaluate; of what a Trainer predicts


def kind_of_object(found: Any) -> str | None:
    """Return the kind of log that a JSON object is, or None."""
    if not isinstance(found, Mapping):
        return None
    keys = set(found)
    if "doc_id" in keys and keys & {"filtered_resps", "resps"}:
        return "lm-eval"
    if "eval" in keys and ("samples" in keys or {"status", "plan"} <= keys):
        return "inspect"
    spec = found.get("spec")
    if {"sample_id", "type", "data"} <= keys or (isinstance(spec, Mapping) and "completion_fns" in spec):
        return "openai-evals"
    if "predictions" in keys and keys & set(REFERENCES):
        return "huggingface"
    return "mlflow" if {"columns", "data"} <= keys else None


def load_json(source: LogPath) -> Any:
    """Return a whole JSON file."""
    name = files_of(source)[0]
    check_files([name])
    with opened(name) as file:
        try:
            return json.load(file)
        except (ValueError, RecursionError) as error:
            raise InputError(messages.NOT_JSON_CHECK_FILE_IS_COMPLETE(name=name, error=error)) from None


def read_huggingface(source: LogPath, request: ReadRequest) -> Table:
    """Read a JSON object with lists of predictions and references; predictions may be a mapping of models to lists."""
    found, name = load_json(source), repr(fspath(source))
    if kind_of_object(found) != "huggingface":
        raise InputError(messages.NO_LISTS_PREDICTIONS_AND_REFERENCES(name=name))
    predictions = found["predictions"]
    named = dict(predictions) if isinstance(predictions, Mapping) else {"model": predictions}
    truth = next(key for key in REFERENCES if key in found)
    columns = {truth: found[truth], **named}
    for column, values in columns.items():
        if not isinstance(values, list):
            raise InputError(messages.LIST_WITH_ONE_LABEL_PER_ROW(name=name, column=column, values=shown(values)))
    nested = [column for column, values in columns.items() if any(isinstance(one, list) for one in values)]
    if nested:
        raise InputError(messages.HOLD_LIST_PER_ROW(name=name, nested=quoted(nested)))
    return _table(columns, replace(request, truth=truth, predictions=list(named)), name)


def read_mlflow(source: LogPath, request: ReadRequest) -> Table:
    """Read an evaluation table that MLflow stored as JSON with 'columns' and 'data'."""
    found, name = load_json(source), repr(fspath(source))
    if kind_of_object(found) != "mlflow":
        raise InputError(messages.NO_TABLE_OF_MLFLOW(name=name))
    names, rows = found["columns"], found["data"]
    if not isinstance(rows, list) or not all(
        isinstance(row, list) and len(row) == len(names) for row in [names, *rows]
    ):
        raise InputError(messages.COLUMNS_AND_ROWS_OF_DATA(name=name))
    columns = {str(column): [row[place] for row in rows] for place, column in enumerate(names)}
    if request.truth is not None and request.predictions is not None:
        return _table(columns, request, name)
    free = [column for column in columns if column not in request.columns()]
    request, notes = guessed(request, free, columns)
    made = _table(columns, request, name)
    return replace(made, notes=(*made.notes, *notes))


def _table(columns: Mapping[str, Sequence[Any]], request: ReadRequest, name: str) -> Table:
    """Return the table of columns of Python objects, by the same rules as for files."""
    roles = roles_of(request, list(columns), source=name)
    sizes = {column: len(columns[column]) for column in roles.parts().values()}
    if len(set(sizes.values())) > 1:
        words = ", ".join(f"{column!r} has {size}" for column, size in sizes.items())
        raise InputError(messages.COLUMNS_DIFFER_IN_LENGTH(name=name, words=words))
    coded = {part: factor(columns[column]) for part, column in roles.parts().items()}
    return table_of(made(coded, roles, [np.ones(sizes[roles.truth])]), request.rules(name))
