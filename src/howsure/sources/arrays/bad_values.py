"""Rows that cannot be counted: what is wrong with a value, how many rows have it, and the sentence that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from howsure.errors import InputError, arg
from howsure.errors.messages.sources import arrays as messages
from howsure.metrics.metric import Label
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.codebook import MISSING
from howsure.types import Array

ABSENT = "is missing"
NO_LABEL = "is no label"
NO_WEIGHT = "is no finite number, zero or larger,"
SMALLEST, LARGEST = 1e-100, 1e100
"""The largest weight whose square and sums are numbers, and the least that the largest of all may be."""
_SHOWN = 60
SCORES = messages.LOOK_LIKE_SCORES()
_LABELS = messages.LABEL_OF_ONE_TYPE_IN_EACH()
_WEIGHTS = messages.WEIGHT_IS_FINITE_NUMBER_ZERO(largest=LARGEST)
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?")


class Rounded(float):
    """A number of which a reader may have kept no more digits than a double has: no label."""


class Fault(NamedTuple):
    """What is wrong in one column, in how many rows, with an example and the place of the first.

    Without a column the status speaks of whole lines, and says itself how many.
    """

    column: str
    status: str
    rows: int
    example: Any = None
    place: str = ""

    def phrase(self) -> str:
        """Return the fault in words."""
        if not self.column:
            return self.status + self.place
        example = "" if is_missing(self.example) else f", such as {shown(self.example)}"
        return f"{self.column!r} {self.status} in {self.rows:,}{example}{self.place}"


class Faults:
    """The faults of a source, gathered column by column."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._faults = [fault for fault in faults if fault.rows]

    def add(self, fault: Fault) -> None:
        """Remember a fault that some row has."""
        if fault.rows:
            self._faults.append(fault)

    def phrases(self) -> str:
        """Return all faults in words."""
        return "; ".join(fault.phrase() for fault in self._faults)

    def refusal(self, source: str, lost: int, total: int) -> InputError:
        """Return the error that refuses the rows, with the remedy."""
        return InputError(
            messages.OF_ROWS_CANNOT_BE_COUNTED(
                source=source,
                lost=lost,
                total=total,
                phrases=self.phrases(),
                weights=_WEIGHTS if all(fault.status == NO_WEIGHT for fault in self._faults) else _LABELS,
            )
        )

    def nothing_left(self, source: str, total: int) -> InputError:
        """Return the error for a source of which no row can be counted."""
        return InputError(
            messages.NONE_OF_ROWS_CAN_BE_COUNTED(
                source=source, total=total, phrases=self.phrases() or messages.IT_HAS_NONE()
            )
        )

    def note(self, lost: int, total: int) -> str:
        """Return the note for rows left out."""
        return rows_left_out(lost, total, self.phrases())


def rows_left_out(lost: int, total: int, why: str) -> str:
    """Return the note for rows left out, whatever the reason."""
    return marked("row left out" if lost == 1 else "rows left out", lost=f"{lost:,}", total=f"{total:,}", why=why)


def first_row(bad: Array) -> int | None:
    """Return the first row of those that are bad; None where none is."""
    row = int(bad.argmax()) if len(bad) else 0
    return row if len(bad) and bad[row] else None


def is_missing(value: Any) -> bool:
    """Say whether a value stands for none: None, nan, pandas' NA and NaT.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return type(value).__name__ in MISSING


def status_of(
    value: Any, *, text: bool, labels: Sequence[Label] | None = None, column: str = "", source: str = ""
) -> str:
    """Return what is wrong with a value as a label, in words, or an empty text.

    A fraction is refused at once: the column holds scores, and leaving rows out would not help.

    >>> status_of("error", text=False), status_of(1.0, text=False)
    ('is text where the truth has numbers', '')
    """
    if is_missing(value):
        return ABSENT
    if isinstance(value, str):
        wrong = "" if text else _status_of_text(value, column, source)
    elif isinstance(value, bool | int | np.integer | np.bool_):
        wrong = "is a number where the truth has text" if text else ""
    elif isinstance(value, Rounded):
        wrong = "is a number that readers of JSON round (write such labels as text)"
    elif isinstance(value, float | np.floating | Decimal):
        wrong = _status_of_float(float(value), text, column, source)
    else:
        wrong = NO_LABEL
    if not wrong and labels is not None and value not in labels:
        return "is not among the labels given"
    return wrong


def _status_of_text(value: str, column: str, source: str) -> str:
    if _FRACTION.fullmatch(value.strip()):
        raise _scores(value, column, source)
    return "is text where the truth has numbers"


def _status_of_float(value: float, text: bool, column: str, source: str) -> str:
    if not math.isfinite(value):
        return NO_LABEL
    if value != int(value):
        raise _scores(value, column, source)
    return "is a number where the truth has text" if text else ""


def _scores(value: object, column: str, source: str) -> InputError:
    return InputError(
        messages.HOLDS_IS_NOT_WHOLE_NUMBER(source=source, column=column, value=shown(value), scores=SCORES)
    )


def score_among(values: Iterable[Any], truth: Iterable[Any]) -> str | None:
    """Return a fraction of a column of texts that are all numbers where the truth has none; None for other columns.

    >>> score_among(["0.25", "1"], ["cat", "dog"]), score_among(["0.5", "1.5"], ["0.5", "1.5"])
    ('0.25', None)
    """
    found = None
    for value in values:
        if is_missing(value):
            continue
        if not isinstance(value, str) or not _is_number(value):
            return None
        found = value if found is None and _FRACTION.fullmatch(value.strip()) else found
    return None if found is None or any(isinstance(one, str) and _is_number(one) for one in truth) else found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def refuse_text_scores(value: str, column: str, source: str = "") -> InputError:
    """Return the refusal of numbers in a column of text under a truth that is none of them."""
    place = f"{source}: {column!r}" if source else arg(column)
    return InputError(messages.HOLDS_AND_OTHER_NUMBERS_BUT_TRUTH(place=place, value=shown(value), scores=SCORES))


def shown(value: Any) -> str:
    """Return a value as text, cut when long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
