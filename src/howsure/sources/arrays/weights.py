"""Read a column of weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages.sources import arrays as messages
from howsure.sources.arrays.bad_values import LARGEST, SMALLEST
from howsure.sources.arrays.codebook import MISSING
from howsure.sources.arrays.digits import blocks
from howsure.sources.arrays.libraries import numpy_array, only_column
from howsure.sources.arrays.refusals import check_dimensions, refuse_missing, type_name
from howsure.types import Array


def read_weight(data: Any) -> Array:
    """Return weights as an array of numbers, all finite, none below zero, not all zero.

    >>> read_weight([1, 0.5])
    array([1. , 0.5])
    """
    weight = _numbers(only_column(data))
    check_dimensions("weight", weight.shape)
    missing, first, start, greatest = 0, 0, 0, 0.0
    wrong: int | None = None
    most = min(LARGEST, float(np.finfo(weight.dtype).max))  # of narrow floats all that are finite
    for block in blocks(weight):
        absent = np.isnan(block)
        first = start + int(absent.argmax()) if not missing and absent.any() else first
        missing += int(np.count_nonzero(absent))
        good = (block >= 0) & (block <= most) | absent
        wrong = start + int(good.argmin()) if wrong is None and not good.all() else wrong
        greatest = max(greatest, float(np.nanmax(block, initial=0.0)))
        start += len(block)
    refuse_missing("weight", missing, first)
    if wrong is not None:
        raise InputError(
            messages.WEIGHT_IN_ROW(weight=float(weight[wrong]), wrong=wrong, reach=_reach(float(weight[wrong])))
        )
    if start and 0 < greatest < SMALLEST:
        raise InputError(messages.WEIGHT_IS_AT_MOST_IN_ALL(greatest=greatest, smallest=SMALLEST))
    if start and not greatest:
        raise InputError(messages.WEIGHT_IS_ZERO_IN_ALL_ROWS(start=start))
    return weight


def _reach(weight: float) -> str:
    """Return the rule for a weight whose square is no number, in words."""
    if not 0 < weight < np.inf:
        return ""
    return f", and at most {LARGEST:g}, above which sums of their squares are no numbers"


def _numbers(data: Any) -> Array:
    native = numpy_array("weight", data)
    if native.dtype.kind == "O":
        native = _from_objects(native)
    if native.dtype.kind not in "biuf":
        raise _not_numbers(str(native.dtype), f" ({native.flat[0]!s} in row 0)" if native.size else "")
    if isinstance(native, np.ma.MaskedArray):
        native = np.ma.filled(native.astype(np.float64), np.nan)
    return native.astype(np.float64) if native.dtype.kind in "biu" else native


def _from_objects(values: Array) -> Array:
    """Return Python numbers as floats, missing ones as nan."""
    plain = [np.nan if type(value).__name__ in MISSING else value for value in values.ravel().tolist()]
    for row, value in enumerate(plain):
        if not isinstance(value, int | float | np.number | np.bool_):
            raise _not_numbers(type_name(value), f" ({value!r} in row {row})")
    return np.array(plain, dtype=np.float64).reshape(values.shape)


def _not_numbers(kind: str, example: str) -> InputError:
    return InputError(messages.WEIGHT_HOLDS_VALUES(kind=kind, example=example))
