"""Count the distinct rows of columns of whole numbers, a cache-sized block at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.sources.digits import (
    BIT,
    BLOCK,
    BYTE,
    Array,
    Slices,
    Span,
    append,
    guess_spans,
    join,
    measure_span,
    narrow,
)
from howsure.sources.sparse import count_sparse

DENSE = 1 << 22
"""The most cells of a table that is held in full; beyond it, only the rows that occur are held."""
FOLD = 1 << 12
"""Cells of a folded table: what the first-level cache holds."""
PLANES = 5
"""The most two-valued columns whose every combination is counted by intersection."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Distinct rows in lexicographic order.

    ``digits`` holds one array a column, values less the span's low; the others what was summed over each row.
    """

    digits: list[Array]
    spans: list[Span]
    counts: Array
    weights: Array
    squares: Array


def count_rows(columns: Sequence[Slices], *, spans: Sequence[Span | None], weight: Slices | None = None) -> Rows:
    """Count the distinct rows of columns of the same length.

    A span of None is guessed from about a thousand rows spread over the column; only where the guess fails are
    the columns measured in full and counted anew.

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


def _count(columns: Sequence[Slices], spans: list[Span], weight: Slices | None) -> Rows | None:
    cells = math.prod(span.size for span in spans)
    if weight is None and len(columns) <= PLANES and all(span == BIT for span in spans):
        totals = _count_planes(columns)
    elif cells <= min(DENSE, max(4 * len(columns[0]), FOLD)):
        totals = _count_dense(columns, spans, weight, cells)
    else:
        found = count_sparse(columns, spans, weight)
        return None if found is None else _rows(found[0], spans, found[1])
    if totals is None:
        return None
    occupied = np.flatnonzero(totals[0])
    return _rows(list(np.unravel_index(occupied, [span.size for span in spans])), spans, totals[:, occupied])


def _rows(digits: list[Array], spans: list[Span], sums: Array) -> Rows:
    counts, *powers = sums.astype(np.float64, copy=False)
    weights, squares = powers or (counts, counts)
    return Rows(digits, spans, counts, weights, squares)


def _count_planes(columns: Sequence[Slices]) -> Array | None:
    """Count columns of zeros and ones by the rows in which each set of columns is all ones.

    Eight rows a byte; the cells follow from the intersections by inclusion and exclusion.
    """
    shape = (2,) * len(columns)
    totals = np.zeros(shape, dtype=np.int64)
    step = max(BLOCK, 4 * BLOCK // max(column[:1].itemsize for column in columns))
    for start in range(0, len(columns[0]), step):
        planes = [plane for column in columns if (plane := _packed(column[start : start + step])) is not None]
        if len(planes) < len(columns):
            return None
        totals += np.reshape([0, *map(_ones, _intersections(planes))], shape)
    totals[(0,) * len(columns)] = len(columns[0])
    for axis in range(len(columns)):
        without, having = np.moveaxis(totals, axis, 0)
        without -= having
    return totals.reshape(1, -1)


def _packed(block: Array) -> Array | None:
    digits = narrow(block, BIT, BYTE)
    if digits is None:
        return None
    packed = np.packbits(digits)
    plane = np.zeros(-(-len(packed) // 8), dtype=np.uint64)
    plane.view(np.uint8)[: len(packed)] = packed
    return plane


def _intersections(planes: Sequence[Array]) -> list[Array]:
    """Return the common ones of every set of planes but the empty one, as a table with the first plane's axis first."""
    found: list[Array] = []
    for plane in reversed(planes):
        found += [plane, *(common & plane for common in found)]
    return found


def _ones(plane: Array) -> int:
    return int(np.bitwise_count(plane).sum())


def _count_dense(columns: Sequence[Slices], spans: list[Span], weight: Slices | None, cells: int) -> Array | None:
    """Count into a full table by one joint code a row."""
    totals = np.zeros((1, cells), dtype=np.int64) if weight is None else np.zeros((3, cells))
    step = max(BLOCK, cells)
    for start in range(0, len(columns[0]), step):
        rows = slice(start, start + step)
        codes = join(columns, rows, spans)
        if codes is None:
            return None
        totals += histogram(codes, cells) if weight is None else _weigh(codes, weight[rows], cells)
    return totals


def histogram(codes: Array, size: int) -> Array:
    """Count the codes 0, …, ``size - 1``.

    A small table is counted two rows at a time, as one code of a table of pairs: half as many increments, and
    fewer that wait for the one before.

    >>> histogram(np.array([0, 2, 2, 1, 2], dtype=np.uint8), 3)
    array([1, 1, 3])
    """
    half, odd = divmod(len(codes), 2)
    if size * size > FOLD or half < FOLD or odd:
        return np.bincount(codes.astype(np.intp, copy=False), minlength=size)
    table = histogram(append(codes[:half], size, codes[half:], size), size * size).reshape(size, size)
    folded: Array = table.sum(axis=0) + table.sum(axis=1)
    return folded


def _weigh(codes: Array, weight: Array, size: int) -> Array:
    codes = codes.astype(np.intp, copy=False)
    weight = weight.astype(np.float64, copy=False)
    counts = np.bincount(codes, minlength=size)
    return np.stack([counts, np.bincount(codes, weight, size), np.bincount(codes, weight * weight, size)])
