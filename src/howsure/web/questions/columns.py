"""The columns of a file as menus: what a row seems to hold, and which column is which, as far as it can be guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from howsure.errors import HowsureError
from howsure.sources.arrays.bad_values import is_missing
from howsure.sources.files.guess_columns import (
    MODEL,
    OUTCOME,
    looks_like_group,
    looks_like_id,
    looks_like_truth,
    plain_name,
)
from howsure.sources.files.read_file import columns_of, scan_of
from howsure.sources.files.request import ReadRequest

LOGS = (".json", ".eval")
CELLS = ("tp", "fp", "fn", "tn")
GRADES = ("score", "value", "rubric")  # of the outcomes those that are numbers, not right or wrong

Filled = dict[str, str]


def columns_in(path: str, request: ReadRequest) -> dict[str, Any]:
    """Return the columns of a file, what a row holds ("" where nothing is obvious) and the menus; none of a log.

    ``filled`` has the fields of the form with what was guessed, several columns apart by commas.
    """
    if Path(path).suffix.lower() in LOGS:
        return {"columns": [], "holds": "labels", "filled": {}}
    with request.start() as duck:
        scan = scan_of(path, request, duck)
        columns, sample = list(scan.columns), scan.sample(scan.columns)
        numbers = [column for column in columns if _fractions(sample[column]) and not _aside(column)]
        found = sums_of_units(columns) or long_table(columns) or numbers_of_models(columns, numbers)
        if not found:
            try:
                roles = columns_of(scan, request)[0]
                found = {"truth": roles.truth, "predictions": ", ".join(roles.predictions.values())}
            except HowsureError:  # which column is which must be said; the columns can be offered all the same
                found = {}
    return {"columns": columns, "holds": holds(found), "filled": found}


def holds(filled: Mapping[str, str]) -> str:
    """Return what a row holds if these are its columns."""
    marks = {"sums": "sums", "model_column": "long", "scores": "scores", "value": "values", "predictions": "labels"}
    return next((kind for name, kind in marks.items() if name in filled), "")


def sums_of_units(columns: Sequence[str]) -> Filled:
    """Return the columns of counts per unit, also with the model before them, and the unit.

    >>> sums_of_units(["image", "yolo_tp", "yolo_fp", "yolo_fn"])
    {'unit': 'image', 'sums': 'tp, fp, fn'}
    """
    parts = [re.fullmatch(r"(?:(.*)_)?(tp|fp|fn|tn)", column) for column in columns]
    cells = [cell for cell in CELLS if any(part and part[2] == cell for part in parts)]
    others = [column for column, part in zip(columns, parts, strict=True) if part is None]
    if not {"tp", "fp", "fn"} <= set(cells) or not others:
        return {}
    unit = next((column for column in others if looks_like_id(column) or looks_like_group(column)), others[0])
    return {"unit": unit, "sums": ", ".join(cells)}


def long_table(columns: Sequence[str]) -> Filled:
    """Return the columns of model, question and outcome.

    >>> long_table(["model", "question", "correct"])
    {'model_column': 'model', 'id': 'question', 'correct': 'correct'}
    """
    model = next((column for column in columns if plain_name(column) in MODEL), None)
    asked = next((column for column in columns if looks_like_id(column)), None)
    outcome = next((column for column in columns if plain_name(column) in OUTCOME), None)
    if model is None or asked is None or outcome is None:
        return {}
    return {"model_column": model, "id": asked, "value" if plain_name(outcome) in GRADES else "correct": outcome}


def numbers_of_models(columns: Sequence[str], numbers: Sequence[str]) -> Filled:
    """Return columns of numbers: scores beside a truth, else values; none where other columns may be labels.

    >>> numbers_of_models(["label", "svm", "bert"], ["svm", "bert"])
    {'truth': 'label', 'scores': 'svm, bert'}
    """
    truth = next((column for column in columns if looks_like_truth(column) and column not in numbers), None)
    if not numbers or set(columns) - {truth, *numbers} - {column for column in columns if _aside(column)}:
        return {}
    joined = ", ".join(numbers)
    return {"value": joined} if truth is None else {"truth": truth, "scores": joined}


def _aside(column: str) -> bool:
    return looks_like_id(column) or looks_like_group(column) or plain_name(column) in ("weight", "sample_weight")


def _fractions(values: Sequence[Any]) -> bool:
    """Say whether values, or the texts of a file, are numbers of which some are not whole."""
    try:
        found = [float(value) for value in values if not is_missing(value)]
    except (TypeError, ValueError):
        return False
    return any(value % 1 for value in found)
