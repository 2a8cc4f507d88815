"""Tables typed by hand: four counts, or a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from howsure.errors import InputError, first_given, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Label
from howsure.tables.design import LARGEST, SMALLEST, plain_design
from howsure.tables.labels import Labels
from howsure.tables.table import Table, positive_class
from howsure.types import Array, Ints

ROWS = ("truth", "prediction")
CELLS = ("tp", "fp", "fn", "tn")
PLAIN = (int, float, str, bytes, type(None))
ROUNDED = 0.02  # how far the sum of printed shares may lie from 1
TOO_LARGE = messages.COUNTS_ARE_TOO_LARGE()
TOO_SMALL = messages.COUNTS_ARE_TOO_SMALL()


def counts(
    several: Mapping[str, Sequence[Any]] | None = None,
    /,
    *,
    tp: Any = None,
    fp: Any = None,
    fn: Any = None,
    tn: Any = None,
    model: str = "model",
    n: float | None = None,
    unit: Any = None,
    groups: Any = None,
) -> Table:
    """Return the two-class table of counts; without ``tn``, metrics that need true negatives are refused.

    Columns in place of numbers are the counts of many units (images, documents): the unit is what was sampled, rows of
    the same ``unit`` are added up, and ``groups`` says which units belong together. Several models are a mapping of
    (tp, fp, fn) or (tp, fp, fn, tn): counts({"yolo": (tp, fp, fn), "detr": (tp, fp, fn)}, unit=images).
    Shares of all rows in place of counts need ``n``, the number of rows: an interval rests on it.

    >>> counts(tp=77, fp=44, fn=10, tn=702)
    Table(833 rows, 2 labels, 1 model)
    >>> counts(tp=[3, 1, 4], fp=[0, 1, 0], fn=[1, 0, 0], unit=["a.png", "b.png", "c.png"])
    Table(3 rows, 1 model)
    """
    if several is not None:
        _refuse_beside(several, {"tp": tp, "fp": fp, "fn": fn, "tn": tn})
        return _of_units({str(name): columns for name, columns in several.items()}, unit, groups)
    if tp is None or fp is None or fn is None:
        missing = "tp" if tp is None else "fp" if fp is None else "fn"
        raise InputError(messages.MISSING_GIVE_TP_FP_AND_FN(missing=missing))
    given = (tp, fp, fn) if tn is None else (tp, fp, fn, tn)
    if any(map(_is_column, given)):
        return _of_units({str(model): given}, unit, groups)
    if unit is not None or groups is not None:
        raise InputError(messages.GIVEN_BUT_TP_FP_AND_FN(name="groups" if unit is None else "unit"))
    checked = list(map(checked_count, given, CELLS))
    if n is not None or not all(map(float.is_integer, checked)):
        checked = counted(np.array(checked), n, whole=tn is not None).tolist()
    hits, false, missed, *rest = checked
    cells = np.array([*(rest or (0.0,)), false, missed, hits])
    return Table((str(model),), _two_classes(tn is not None), plain_design(cells))


def _of_units(systems: Mapping[str, Sequence[Any]], unit: Any, groups: Any) -> Table:
    from howsure.sources.kinds.sums import counts_of_units  # the door for columns, which numbers do without

    return counts_of_units(systems, unit=unit, groups=groups)


def _is_column(value: Any) -> bool:
    return not isinstance(value, PLAIN) and np.ndim(value) > 0


def _refuse_beside(several: Any, given: Mapping[str, Any]) -> None:
    if not isinstance(several, Mapping):
        raise InputError(messages.COUNTS_TAKES_MAPPING_OF_MODEL_NAME(kind=type(several).__name__))
    if astray := first_given(given):
        raise InputError(messages.GIVEN_BESIDE_MAPPING_OF_MODELS(name=astray))


def matrix(
    counts: Any,
    *,
    rows: str,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    model: str = "model",
    n: float | None = None,
) -> Table:
    """Return the table of a confusion matrix; ``rows`` says whether its rows are "truth" or "prediction".

    scikit-learn puts the truth in rows; R's caret and yardstick and two of the five papers the prediction. Shares in
    place of counts need ``n``, the number of rows: an interval rests on it.

    >>> matrix([[2, 5, 0], [2, 70, 2], [2, 2, 15]], rows="truth", labels=["a", "b", "c"])
    Table(100 rows, 3 labels, 1 model)
    """
    check_rows(rows)
    cells = counted(_checked_matrix(counts), n)
    if labels is None and hasattr(counts, "columns"):
        labels = _frame_labels(counts)
    names = tuple(range(len(cells))) if labels is None else tuple(map(_plain, labels))
    check_labels(names)
    if len(names) != len(cells):
        raise InputError(messages.LABELS_NAMES_BUT_MATRIX_ROWS(number=len(names), number_of_cells=len(cells)))
    held = Labels(*_places(len(cells)), labels=names, **positive_class(names, pos_label))
    return Table((str(model),), held, plain_design((cells if rows == "truth" else cells.T).ravel()))


def check_rows(rows: object) -> None:
    """Refuse anything but what the rows of a matrix can be."""
    if rows not in ROWS:
        raise InputError.of("rows", rows, messages.TRUTH_AS_IN_SCIKIT_LEARN())


def counted(cells: Array, n: float | None, *, whole: bool = True) -> Array:
    """Return counts; shares of rows are multiplied by n and refused without it. ``whole``: all cells are given."""
    fractional = bool((cells != np.rint(cells)).any())
    if n is None and not fractional:
        return cells
    total = cells.sum()
    # Without true negatives the sum says less: a lone fraction may be a count scaled down, three of them are shares.
    among = bool(((cells > 0) & (cells < 1)).all()) and total <= 1 + ROUNDED
    shares = fractional and (abs(total - 1) <= ROUNDED if whole else among)
    if n is None:
        if shares:
            raise InputError(
                messages.COUNTS_SUM_THEY_ARE_SHARES(
                    ravel=quoted([f"{cell:g}" for cell in cells.ravel()], most=4), total=total
                )
            )
        return cells
    rows = checked_count(n, "n")
    if not shares or rows < 1:
        came = messages.COUNTS_SUM(total=total) if rows >= 1 else messages.N_IS_NOT_ONE(n=n)
        raise InputError(messages.N_IS_NUMBER_OF_ROWS_BEHIND(came=came))
    return cells * rows / (total if whole else 1.0)


def checked_count(value: Any, name: str) -> float:
    """Return a count as a float; refuse what is not a finite number, zero or larger."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise InputError.of(name, value, messages.NUMBER_ZERO_OR_LARGER()) from None
    if not 0 <= number < math.inf:
        raise InputError.of(name, value, messages.COUNT_MUST_BE_FINITE())
    if number > LARGEST:
        raise InputError.of(name, value, f"{TOO_LARGE}")
    if 0 < number < SMALLEST:
        raise InputError.of(name, value, f"{TOO_SMALL}")
    return number


def _checked_matrix(counts: Any) -> Array:
    if np.ma.is_masked(counts):
        row, column = np.argwhere(np.ma.getmaskarray(counts))[0]
        raise InputError(messages.COUNTS_IS_MASKED_IN_ROW_COLUMN(row=row, column=column))
    try:
        cells = np.asarray(counts, dtype=float)
    except (TypeError, ValueError):
        raise InputError(messages.COUNTS_IS_NOT_MATRIX_OF_NUMBERS()) from None
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or not cells.size:
        raise InputError(messages.COUNTS_HAS_SHAPE(shape=cells.shape))
    if not np.isfinite(cells).all() or (cells < 0).any():
        row, column = np.argwhere(~np.isfinite(cells) | (cells < 0))[0]
        raise InputError(messages.COUNTS_IN_ROW_COLUMN(cells=cells[row, column], row=row, column=column))
    if cells.sum() > LARGEST:
        raise InputError(messages.COUNTS_SUM_TOO_HIGH(cells=cells.sum(), too_large=TOO_LARGE))
    if ((cells > 0) & (cells < SMALLEST)).any():
        raise InputError(messages.COUNT_IS_TOO_SMALL(least=cells[cells > 0].min(), too_small=TOO_SMALL))
    return cells


def _frame_labels(frame: Any) -> list[Label]:
    """Return a frame's column names, and see that its rows (where they are named) come in the same order."""
    columns = [_plain(label) for label in frame.columns]
    rows = [_plain(label) for label in getattr(frame, "index", range(len(columns)))]
    if rows not in (columns, list(range(len(columns)))):
        raise InputError(messages.COUNTS_HAS_ROWS_BUT_COLUMNS(rows=quoted(rows), columns=quoted(columns)))
    return columns


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def check_labels(labels: Sequence[Label]) -> None:
    """Refuse labels that repeat or mix strings with numbers."""
    if len(set(labels)) < len(labels):
        twice = [label for label in dict.fromkeys(labels) if list(labels).count(label) > 1]
        raise InputError(messages.LABELS_HOLDS_MORE_THAN_ONCE(twice=quoted(twice)))
    kinds = {type(label).__name__ for label in labels if isinstance(label, str)}
    others = {type(label).__name__ for label in labels if not isinstance(label, str)}
    if kinds and others:
        raise InputError(
            messages.LABELS_MIXES_USE_ONE_TYPE_THROUGHOUT(
                kinds=", ".join(sorted(kinds)), others=", ".join(sorted(others))
            )
        )


@lru_cache(maxsize=8)
def _places(width: int) -> tuple[Ints, Ints]:
    """Return true and predicted class of each cell of a matrix, row by row."""
    truth, prediction = np.indices((width, width))
    return truth.ravel(), prediction.reshape(-1, 1)


@lru_cache(maxsize=2)
def _two_classes(negatives: bool) -> Labels:
    """Return the four cells of two classes as rows, made once: tables of four counts differ in the counts alone."""
    return Labels(*_places(2), labels=(0, 1), pos_label=1, negatives=negatives)
