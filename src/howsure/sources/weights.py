"""Read a column of weights."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.sources.digits import Array, blocks
from howsure.sources.refusals import check_dimensions, refuse_missing, type_name


def read_weight(data: Any) -> Array:
    """Return weights as an array of numbers, all finite, none below zero, not all zero.

    >>> read_weight([1, 0.5])
    array([1. , 0.5])
    """
    weight = _numbers(data)
    check_dimensions("weight", weight.shape)
    missing, first, start, positive = 0, 0, 0, False
    wrong: int | None = None
    for block in blocks(weight):
        absent = np.isnan(block)
        first = start + int(absent.argmax()) if not missing and absent.any() else first
        missing += int(np.count_nonzero(absent))
        good = (block >= 0) & (block < np.inf) | absent
        wrong = start + int(good.argmin()) if wrong is None and not good.all() else wrong
        positive = positive or bool((block > 0).any())
        start += len(block)
    refuse_missing("weight", missing, first)
    if wrong is not None:
        raise InputError(
            f"weight is {float(weight[wrong])!r} in row {wrong}; weights must be finite and zero or larger; "
            "correct it, or drop the row from all columns."
        )
    if start and not positive:
        raise InputError(f"weight is zero in all {start} rows; at least one row must count; give a weight above zero.")
    return weight


def _numbers(data: Any) -> Array:
    native = np.asarray(data) if isinstance(data, list | tuple | np.ndarray) else _from_library(data)
    if native.dtype.kind == "O":
        native = _from_objects(native)
    if native.dtype.kind not in "biuf":
        example = f", such as {native.flat[0]!s}" if native.size else ""
        raise InputError(
            f"weight holds {native.dtype} values{example}; weights must be numbers; convert them with float."
        )
    return native.astype(np.float64) if native.dtype.kind in "biu" else native


def _from_objects(values: Array) -> Array:
    """Return Python numbers as floats; None and pandas' NA are nan."""
    plain = [
        np.nan if value is None or type(value).__name__ == "NAType" else value for value in values.ravel().tolist()
    ]
    for row, value in enumerate(plain):
        if not isinstance(value, int | float | np.number | np.bool_):
            raise InputError(
                f"weight holds {type_name(value)} values ({value!r} in row {row}); "
                "weights must be numbers; convert them with float."
            )
    return np.array(plain, dtype=np.float64).reshape(values.shape)


def _from_library(data: Any) -> Array:
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(data, arrow.Array | arrow.ChunkedArray):
        return np.asarray(data.to_numpy(zero_copy_only=False))
    return np.asarray(data.to_numpy()) if hasattr(data, "to_numpy") else np.asarray(data)
