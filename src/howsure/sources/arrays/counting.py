"""Count the distinct rows of columns of whole numbers, a cache-sized block at a time."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from howsure.sources.arrays.counting_sparse import count_sparse
from howsure.sources.arrays.digits import (
    BIT,
    BLOCK,
    BYTE,
    Blockwise,
    DigitRange,
    append,
    digit_type,
    guess_spans,
    join,
    measure_span,
    narrow,
    split_codes,
)
from howsure.types import Array

DENSE = 1 << 22
"""The most cells of a table that is held in full; beyond it, only the rows that occur are held."""
FOLD = 1 << 12
"""Cells of a folded table: what the first-level cache holds."""
TWO_HANDS = 1 << 21
"""Rows from which two threads are worth starting: numpy releases the GIL while it works on a block."""
WIDE = 4
"""Bytes a value from which reading is the bottleneck, which two cores do faster than one; bytes gain nothing."""
PLANES = 5 if hasattr(np, "bitwise_count") else 0
"""The most two-valued columns whose every combination is counted by intersection; numpy 1 cannot count bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Distinct rows in lexicographic order.

    ``digits`` holds one array a column, values less the span's low; the others what was summed over each row.
    """

    digits: list[Array]
    spans: list[DigitRange]
    counts: Array
    weights: Array
    squares: Array
    cubes: Array


def count_rows(
    columns: Sequence[Blockwise], *, spans: Sequence[DigitRange | None], weight: Blockwise | None = None
) -> Rows:
    """Count the distinct rows of columns of the same length.

    A span of None is guessed from a thousand rows spread over the column; only where the guess fails are the
    columns measured in full and counted anew.

    >>> rows = count_rows([np.array([1, 0, 1]), np.array([1, 1, 1])], spans=[None, None])
    >>> [digit.tolist() for digit in rows.digits], rows.counts.tolist()
    ([[0, 1], [1, 1]], [1.0, 2.0])
    """
    rows = _count(columns, guess_spans(columns, spans), weight)
    if rows is None:
        measured = [span or measure_span(column) for column, span in zip(columns, spans, strict=True)]
        rows = _count(columns, measured, weight)
    if rows is None:
        raise RuntimeError("the columns changed while they were counted")
    return rows


def _count(columns: Sequence[Blockwise], spans: list[DigitRange], weight: Blockwise | None) -> Rows | None:
    cells = math.prod(span.size for span in spans)
    if weight is None and len(columns) <= PLANES and all(span == BIT for span in spans):
        totals = _count_planes(columns)
    elif cells <= min(DENSE, max(4 * len(columns[0]), FOLD)):
        # Sums of weights are made in one thread: in another order they differ in their last digit.
        totals = _in_parts(
            len(columns[0]),
            lambda start, end: _count_dense(columns, spans, weight, cells, start, end),
            side_by_side=weight is None,
        )
    else:
        found = count_sparse(columns, spans, weight)
        return None if found is None else _rows(found[0], spans, found[1])
    if totals is None:
        return None
    occupied = np.flatnonzero(totals[0])
    return _rows(split_codes(occupied.astype(digit_type(cells)), spans), spans, totals[:, occupied])


def _rows(digits: list[Array], spans: list[DigitRange], sums: Array) -> Rows:
    counts, *powers = sums.astype(np.float64, copy=False)
    weights, squares, cubes = powers or (counts, counts, counts)
    return Rows(digits, spans, counts, weights, squares, cubes)


def _count_planes(columns: Sequence[Blockwise]) -> Array | None:
    """Count columns of zeros and ones by the rows in which each set of columns is all ones.

    Eight rows a byte; the cells follow from the intersections by inclusion and exclusion.
    """
    rows = len(columns[0])
    wide = max(column[:1].itemsize for column in columns) >= WIDE
    totals = _in_parts(rows, lambda start, end: _intersections(columns, start, end), side_by_side=wide)
    if totals is None:
        return None
    totals[0] = rows
    for place in range(len(columns)):
        pairs = totals.reshape(-1, 2, 1 << place)
        pairs[:, 0] -= pairs[:, 1]
    return totals[np.newaxis]


def _in_parts(rows: int, count: Callable[[int, int], Array | None], *, side_by_side: bool) -> Array | None:
    """Return the sum of counts over both halves of the rows, in two threads where that pays; None if one has none."""
    if not side_by_side or rows < TWO_HANDS or (os.cpu_count() or 1) < 2:
        return count(0, rows)
    from concurrent.futures import ThreadPoolExecutor

    middle = rows // 2
    with ThreadPoolExecutor(1) as other:
        second = other.submit(count, middle, rows)
        first = count(0, middle)
        rest = second.result()
    return None if first is None or rest is None else first + rest


def _intersections(columns: Sequence[Blockwise], begin: int, end: int) -> Array | None:
    """Return in how many of some rows each set of columns is all ones; None if there are other values."""
    sets = 1 << len(columns)
    step = 4 * BLOCK  # a block of bits is small, and two threads get in each other's way between blocks
    common = np.zeros((sets, -(-min(step, end - begin) // 64)), dtype=np.uint64)
    ones = np.empty((sets - 1, common.shape[1]), dtype=np.uint8)
    scratch = np.empty(min(step, end - begin), dtype=BYTE)
    totals = np.zeros(sets, dtype=np.int64)
    for start in range(begin, end, step):
        for place, column in enumerate(reversed(columns)):
            if not _pack(column[start : min(start + step, end)], common[1 << place], scratch):
                return None
        for chosen in range(3, sets):
            lowest = chosen & -chosen
            if chosen > lowest:
                np.bitwise_and(common[chosen - lowest], common[lowest], out=common[chosen])
        totals[1:] += np.bitwise_count(common[1:], out=ones).sum(axis=1, dtype=np.uint32)
    return totals


def _pack(block: Array, plane: Array, scratch: Array) -> bool:
    """Write zeros and ones as bits into ``plane``, zeros to its end; False if there are other values."""
    digits = narrow(block, BIT, BYTE, scratch)
    if digits is None:
        return False
    packed = np.packbits(digits)
    plane.view(np.uint8)[: len(packed)] = packed
    plane.view(np.uint8)[len(packed) :] = 0
    return True


def _count_dense(
    columns: Sequence[Blockwise], spans: list[DigitRange], weight: Blockwise | None, cells: int, begin: int, end: int
) -> Array | None:
    """Count some rows into a full table by one joint code a row."""
    totals = np.zeros((1, cells), dtype=np.int64) if weight is None else np.zeros((4, cells))
    step = max(2 * BLOCK, cells)  # two threads get in each other's way between blocks
    scratch = np.empty(min(step, end - begin), dtype=np.intp)
    for start in range(begin, end, step):
        rows = slice(start, min(start + step, end))
        codes = join(columns, rows, spans)
        if codes is None:
            return None
        totals += cell_counts(codes, cells, scratch) if weight is None else _weigh(codes, weight[rows], cells, scratch)
    return totals


def cell_counts(codes: Array, size: int, scratch: Array | None = None) -> Array:
    """Count the codes 0, …, ``size - 1``.

    A small table is counted two rows at a time, as one code of a table of pairs: half as many increments, and
    fewer that wait for the one before.

    >>> cell_counts(np.array([0, 2, 2, 1, 2], dtype=np.uint8), 3)
    array([1, 1, 3])
    """
    half, odd = divmod(len(codes), 2)
    if size * size > FOLD or half < FOLD or odd:
        return np.bincount(_places(codes, scratch), minlength=size)
    table = cell_counts(append(codes[:half], size, codes[half:], size), size * size, scratch).reshape(size, size)
    folded: Array = table.sum(axis=0) + table.sum(axis=1)
    return folded


def _places(codes: Array, scratch: Array | None) -> Array:
    if scratch is None:
        return codes.astype(np.intp)
    scratch[: len(codes)] = codes
    return scratch[: len(codes)]


def _weigh(codes: Array, weight: Array, size: int, scratch: Array) -> Array:
    codes = _places(codes, scratch)
    weight = weight.astype(np.float64, copy=False)
    counts = np.bincount(codes, minlength=size)
    powers = (weight, weight * weight, weight * weight * weight)
    return np.stack([counts, *(np.bincount(codes, power, size) for power in powers)])
