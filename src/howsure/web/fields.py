"""What a request may ask: one entry per field. Reading, refusing and the OpenAPI document follow from it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.errors import nearest, quoted
from howsure.web.limits import (
    LEVELS,
    MOST_CLASSES,
    MOST_COUNT,
    MOST_FOLDS,
    MOST_METRICS,
    MOST_PAIRED,
    MOST_TEXT,
    Refused,
    at_most,
)


@dataclass(frozen=True)
class Field:
    """One field of a request: its kind decides how it is read and described."""

    name: str
    kind: str
    text: str
    choices: tuple[str, ...] = ()
    example: Any = None


def read_fields(given: Mapping[str, Any], fields: Sequence[Field]) -> dict[str, Any]:
    """Return every field by name, None where it is not given; what is not known is refused."""
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            raise Refused(f"there is no field {name!r}.{nearest(str(name), known)} Fields: {quoted(known, most=40)}")
    return {name: _value(field, given.get(name)) for name, field in known.items()}


def _value(field: Field, value: Any) -> Any:
    if isinstance(value, tuple):
        value = _repeated(field, value)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str):
        at_most(f"characters of {field.name}", len(value), MOST_TEXT)
    read = READERS[field.kind](value, field.name)
    if field.choices and read not in field.choices:
        raise Refused(f"{field.name} is {value!r}; it must be one of {quoted(field.choices)}")
    return read


def _repeated(field: Field, values: tuple[Any, ...]) -> str:
    """Return what a query or a form gives more than once as one text: a list of names may come so, nothing else."""
    if field.kind != "names" or not all(isinstance(value, str) for value in values):
        raise Refused(f"{field.name} is given {len(values)} times; give it once")
    return ",".join(values)


def _number(value: Any, name: str) -> float:
    try:
        number = float("x" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        raise Refused(f"{name} is {str(value)[:80]!r}; it must be a number") from None
    if not math.isfinite(number):
        raise Refused(f"{name} is {str(value)[:80]!r}; it must be a finite number")
    at_most(name, abs(number), MOST_COUNT)
    return number


def _level(value: Any, name: str) -> float:
    level = _number(value, name)
    if not LEVELS[0] <= level <= LEVELS[1]:
        raise Refused(f"{name} is {level:g}; this server takes levels from {LEVELS[0]:g} to {LEVELS[1]:g}", 422)
    return level


def _whole(value: Any, name: str) -> int:
    number = _number(value, name)
    if number != int(number):
        raise Refused(f"{name} is {number:g}; it must be a whole number")
    return int(number)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise Refused(f"{name} is of type {type(value).__name__}; it must be text")
    text = str(value).strip()
    at_most(f"characters of {name}", len(text), 200)
    return text


def _names(value: Any, name: str) -> list[str]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise Refused(f"{name} is of type {type(value).__name__}; it must be a list of names")
    at_most(f"names in {name}", len(parts), max(MOST_METRICS, MOST_CLASSES))
    return [_text(part, name) for part in parts if not isinstance(part, str) or part.strip()]


def _flag(value: Any, name: str) -> bool:
    known = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    if str(value).lower() not in known:
        raise Refused(f"{name} is {str(value)[:80]!r}; it must be true or false")
    return known[str(value).lower()]


def lines_of(text: str) -> list[list[str]]:
    """Return pasted lines as fields, brackets and quotes ignored.

    A spreadsheet puts tabs between them; else they are parted by commas, semicolons, bars or spaces.

    >>> lines_of("[[2, 5],\\n [1, 7]]")
    [['2', '5'], ['1', '7']]
    >>> lines_of("2,5;1,7"), lines_of("New York\\t5\\t2")
    ([['2', '5', '1', '7']], [['New York', '5', '2']])
    """
    parting = r"\t" if "\t" in text else r"[,;|]" if re.search(r"[,;|]", text) else r"\s+"
    bare = (re.sub(r"[\[\](){}]", " ", line).strip(" ,;|\t") for line in text.splitlines())
    return [[cell.strip(" '\"") for cell in re.split(parting, line)] for line in bare if line]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _matrix(value: Any, name: str) -> dict[str, Any]:
    """Return {"cells": K lists of K counts, "labels": names or None}; a first line or column of names is taken off."""
    rows = lines_of(value) if isinstance(value, str) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
        raise Refused(f"{name} must be K lines of K counts each")
    at_most("rows of the matrix", len(rows), MOST_CLASSES + 1)
    labels = None
    if isinstance(value, str) and not all(map(_is_number, rows[0])):
        labels, rows = rows[0], rows[1:]
    if isinstance(value, str) and rows and not any(_is_number(row[0]) for row in rows):
        labels, rows = [row[0] for row in rows], [row[1:] for row in rows]
    at_most("classes", max([len(rows), *map(len, rows)]), MOST_CLASSES)
    cells = [[_number(cell, f"{name}, row {at}") for cell in row] for at, row in enumerate(rows, 1)]
    if not cells or any(len(row) != len(cells) for row in cells):
        raise Refused(
            f"{name} has {len(cells)} rows of {', '.join(str(len(row)) for row in cells)} counts; "
            "it must be square, K lines of K counts each"
        )
    return {"cells": cells, "labels": labels}


def _folds(value: Any, name: str) -> list[list[float]]:
    rows = lines_of(value) if isinstance(value, str) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise Refused(f"{name} must be a line of tp, fp, fn (or tp, fp, fn, tn) for each fold")
    at_most("folds", len(rows), MOST_FOLDS)
    if any(len(row) not in (3, 4) for row in rows):
        bad = next(at for at, row in enumerate(rows, 1) if len(row) not in (3, 4))
        raise Refused(f"{name}, line {bad} has {len(rows[bad - 1])} numbers; it must be tp, fp, fn or tp, fp, fn, tn")
    return [[_number(cell, f"{name}, line {at}") for cell in row] for at, row in enumerate(rows, 1)]


def _cube(value: Any, name: str) -> list[int]:
    """Return eight counts in the order truth, a, b: 000 001 010 011 100 101 110 111."""
    flat = [cell for row in lines_of(value) for cell in row] if isinstance(value, str) else _flattened(value)
    if len(flat) != 8:
        raise Refused(f"{name} has {len(flat)} counts; it must be eight: 2 truths × 2 predictions of a × 2 of b")
    counts = [_whole(cell, name) for cell in flat]
    at_most(f"a count of {name}", max(counts), MOST_PAIRED)
    return counts


def _flattened(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [item for part in value[:9] for item in (_flattened(part[:9]) if isinstance(part, list) else [part])]


READERS: dict[str, Callable[[Any, str], Any]] = {
    "number": _number, "level": _level, "whole": _whole, "text": _text, "names": _names, "flag": _flag,
    "matrix": _matrix, "folds": _folds, "cube": _cube,
}  # fmt: skip

METRIC = Field("metric", "text", "Metric, by its name in the catalogue.", example="f1")
LEVEL = Field("level", "level", "Level of the intervals; 0.95 unless given.", example=0.95)
UNDEFINED = Field("undefined", "text", "What an average does with a class that is 0/0.", ("nan", "skip", "zero"))
POS_LABEL = Field("pos_label", "text", "The positive class.")
ROPE = Field("rope", "number", "Region of practical equivalence: plus or minus this.")
TYPED = (
    Field("tp", "number", "True positives.", example=77),
    Field("fp", "number", "False positives.", example=44),
    Field("fn", "number", "False negatives.", example=10),
    Field("tn", "number", "True negatives; F1, precision and recall need none.", example=702),
    Field("matrix", "matrix", "A confusion matrix in place of the counts: K lines of K counts."),
    Field("rows", "text", "What the rows of the matrix are.", ("truth", "prediction")),
    Field("labels", "names", "The labels of the matrix, in order."),
    POS_LABEL,
)
INTERVALS = (*TYPED, METRIC, LEVEL, UNDEFINED)
REPORT = (
    *TYPED,
    Field("metrics", "names", "Metrics; the usual ones unless given."),
    Field("joint", "flag", "Intervals that hold together over all metrics."),
    LEVEL,
    UNDEFINED,
)
PAIR = (
    METRIC,
    LEVEL,
    Field("margin", "number", "Margin of non-inferiority or equivalence."),
    ROPE,
    Field("alternative", "text", "Claim about b − a.", ("two-sided", "greater", "less")),
)
COMPARE = (
    Field("cube", "cube", "Eight counts of rows by truth, prediction of a, prediction of b: 000 001 … 111.",
          example=[600, 30, 20, 50, 10, 20, 25, 245]),
    Field("a", "text", "Name of model a."),
    Field("b", "text", "Name of model b."),
    *PAIR,
)  # fmt: skip
BAYES = (
    Field("a", "folds", "Counts tp, fp, fn of each fold of model a.", example=[[2088, 154, 1058], [2109, 189, 1066]]),
    Field("b", "folds", "Counts tp, fp, fn of each fold of model b.", example=[[2075, 151, 1071], [2114, 175, 1061]]),
    Field("name_a", "text", "Name of model a."),
    Field("name_b", "text", "Name of model b."),
    Field("metrics", "names", "Metrics; precision, recall and f1 unless given."),
    LEVEL,
    ROPE,
    Field("prior", "number", "Prior mass per cell; 1 as in the paper unless given."),
    Field("factor", "text", "Factor of the summed counts: a number or 'conservative'; the paper's unless given."),
)
RATES = ("prevalence", "precision", "recall", "specificity")
PLAN = (
    METRIC,
    Field("half_width", "number", "Half-width of the interval to reach.", example=0.02),
    Field("se", "number", "Standard error to reach."),
    Field("n", "whole", "The reverse: what will this many rows give."),
    LEVEL,
    *(Field(name, "number", f"Expected {name}, between 0 and 1.") for name in (*RATES, "predicted", "npv")),
    Field("method", "text", "Interval method that will be used."),
    Field("assurance", "number", "Probability with which the half-width is met."),
    Field("bound", "text", "Worst case over all classifiers.", ("jiang", "sharp")),
    Field("cluster_size", "number", "Rows per cluster."),
    Field("icc", "number", "Correlation within a cluster."),
    Field("difference", "number", "Plan a comparison: the difference b − a to detect."),
    Field("power", "number", "Power of the comparison; 0.8 unless given."),
    *(Field(f"{name}_b", "number", f"Expected {name} of the second model.") for name in ("precision", "recall")),
    Field("accuracy", "number", "Expected accuracy, to compare accuracies."),
    Field("accuracy_b", "number", "Expected accuracy of the second model."),
    Field("agreement", "number", "Share of rows on which the two models agree."),
    Field("unpaired", "flag", "Two separate test sets instead of the same rows."),
    Field("margin", "number", "Margin of non-inferiority of the comparison."),
)
UPLOAD = (
    Field("question", "text", "What to answer from the file.", ("report", "compare")),
    Field("truth", "text", "Column of true labels; guessed unless given."),
    Field("predictions", "names", "Columns of predicted labels; guessed unless given."),
    Field("group", "text", "Column of what belongs together: patient, document, speaker."),
    Field("weight", "text", "Column of sampling weights."),
    POS_LABEL,
    UNDEFINED,
    Field("model", "text", "The model whose intervals are shown side by side."),
    Field("a", "text", "First model of a comparison."),
    Field("b", "text", "Second model of a comparison."),
    Field("page", "flag", "Return the full report page too."),
    *PAIR,
)
