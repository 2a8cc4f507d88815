"""Tables that people paste: a matrix, the counts of folds, the eight counts of two models; as text or as JSON lists."""

from __future__ import annotations

import math
import re
from typing import Any

from pydantic import ValidationInfo

from howsure.errors.messages import web as messages
from howsure.web.limits import MOST_CLASSES, MOST_COUNT, MOST_FOLDS, MOST_PAIRED, Refused, at_most

THOUSANDS = re.compile(r"[0-9]{1,3}([,'\s][0-9]{3})+(\.[0-9]+)?")
Cells = tuple[list[list[float]], list[str] | None]  # a confusion matrix, and its labels where they were pasted too


def number(value: Any, name: str) -> float:
    """Return a finite number from a number or a text; the page sends numbers as text, as people type them.

    >>> number("7.5", "tp"), number("1,000", "tp"), number("12 500", "tp")
    (7.5, 1000.0, 12500.0)
    """
    if isinstance(value, str) and THOUSANDS.fullmatch(value.strip()):
        value = re.sub(r"[,'\s]", "", value)
    try:
        found = float("x" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        raise Refused(messages.MUST_BE_NUMBER(name=name, value=str(value)[:80])) from None
    if not math.isfinite(found):
        raise Refused(messages.FINITE_NUMBER(name=name, value=str(value)[:80]))
    at_most(name, abs(found), MOST_COUNT)
    return found


def share(value: Any, name: str) -> float:
    """Return a share from a number, or from a text that may be a percentage.

    >>> share("85%", "recall"), share(0.85, "recall")
    (0.85, 0.85)
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        return float(f"{number(value.strip()[:-1].strip(), name) / 100:.12g}")
    return number(value, name)


def level(value: Any, name: str) -> float:
    """Return a level: 0.95, 95% or 95.

    >>> level("95", "level"), level("99.9%", "level"), level(0.9, "level")
    (0.95, 0.999, 0.9)
    """
    found = share(value, name)
    return float(f"{found / 100:.12g}") if 50 <= found <= 100 else found


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


def matrix(value: Any, info: ValidationInfo) -> Cells:
    """Return K lists of K counts; a first line or column of names is taken off as the labels."""
    rows = lines_of(value) if isinstance(value, str) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
        raise Refused(messages.K_LINES_OF_K_COUNTS_EACH(field_name=info.field_name))
    at_most(messages.ROWS_OF_MATRIX(), len(rows), MOST_CLASSES + 1)
    labels = None
    if isinstance(value, str) and not all(map(_is_number, rows[0])):
        labels, rows = rows[0], rows[1:]
    if isinstance(value, str) and rows and not any(_is_number(row[0]) for row in rows):
        labels, rows = [row[0] for row in rows], [row[1:] for row in rows]
    at_most(messages.CLASSES(), max([len(rows), *map(len, rows)]), MOST_CLASSES)
    cells = _numbers(rows, f"{info.field_name}, row")
    if not cells or any(len(row) != len(cells) for row in cells):
        raise Refused(
            messages.ROWS_OF_COUNTS(
                field_name=info.field_name, number=len(cells), cells=", ".join(str(len(row)) for row in cells)
            )
        )
    return cells, labels


def folds(value: Any, info: ValidationInfo) -> list[list[float]]:
    """Return three or four counts of each fold."""
    rows = lines_of(value) if isinstance(value, str) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise Refused(messages.LINE_OF_TP_FP_FN(field_name=info.field_name))
    at_most(messages.FOLDS(), len(rows), MOST_FOLDS)
    for at, row in enumerate(rows, 1):
        if len(row) not in (3, 4):
            rule = messages.THREE_OR_FOUR_COUNTS()
            raise Refused(messages.LINE_NUMBERS(field_name=info.field_name, at=at, number=len(row), rule=rule))
    return _numbers(rows, f"{info.field_name}, line")


def _numbers(rows: list[list[Any]], name: str) -> list[list[float]]:
    return [[number(cell, f"{name} {at}") for cell in row] for at, row in enumerate(rows, 1)]


def cube(value: Any, info: ValidationInfo) -> list[int]:
    """Return eight counts in the order truth, a, b: 000 001 010 011 100 101 110 111."""
    name = str(info.field_name)
    flat = [cell for row in lines_of(value) for cell in row] if isinstance(value, str) else _flattened(value)
    if len(flat) != 8:
        raise Refused(messages.COUNTS_EIGHT_2_TRUTHS_2_PREDICTIONS(name=name, number=len(flat)))
    counts = [number(cell, name) for cell in flat]
    for count in counts:
        if count != int(count):
            raise Refused(messages.COUNT_MUST_BE_WHOLE(name=name, count=count))
    at_most(messages.A_COUNT_OF(name=name), max(counts), MOST_PAIRED)
    return list(map(int, counts))


def _flattened(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [item for part in value[:9] for item in (_flattened(part[:9]) if isinstance(part, list) else [part])]
