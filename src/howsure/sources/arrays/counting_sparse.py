"""Count distinct rows by sorting, where the table of all possible rows is too large to hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from howsure.sources.arrays.digits import BLOCK, Blockwise, DigitRange, join, split_codes
from howsure.types import Array

WORD = 1 << 64
PENDING = 1 << 20
"""Distinct rows of blocks that wait to be merged, at least; later twice the rows found so far."""


class Held(NamedTuple):
    """Distinct rows: their codes, one array a word, and what was summed over each."""

    words: list[Array]
    sums: Array


def count_sparse(
    columns: Sequence[Blockwise], spans: Sequence[DigitRange], weight: Blockwise | None
) -> tuple[list[Array], Array] | None:
    """Return the digits of the distinct rows and their sums, or None if a value is outside its span.

    Memory grows with the number of distinct rows, not with the number of rows.
    """
    parts = _parts(spans)
    held: list[Held] = []
    limit = PENDING
    for start in range(0, len(columns[0]), BLOCK):
        rows = slice(start, start + BLOCK)
        words = [join(columns[part], rows, spans[part]) for part in parts]
        known = [word for word in words if word is not None]
        if len(known) < len(words):
            return None
        held.append(_distinct(known, None if weight is None else _powers(weight[rows])))
        if sum(len(some.words[0]) for some in held) > limit:
            held = [_merged(held)]
            limit = max(PENDING, 2 * len(held[0].words[0]))
    everything = _merged(held)
    return _split(everything.words, parts, spans), everything.sums


def merge_rows(columns: Sequence[Array], sizes: Sequence[int], sums: Array) -> tuple[list[Array], Array]:
    """Return rows of codes in lexicographic order, equal rows merged and their sums added.

    >>> digits, sums = merge_rows([np.array([1, 0, 1])], [2], np.array([[5.0, 2.0, 1.0]]))
    >>> digits[0].tolist(), sums.tolist()
    ([0, 1], [[2.0, 6.0]])
    """
    spans = [DigitRange(0, size) for size in sizes]
    parts = _parts(spans)
    words = [join(columns[part], slice(None), spans[part]) for part in parts]
    merged = _distinct([word for word in words if word is not None], sums)
    return _split(merged.words, parts, spans), merged.sums


def _split(words: Sequence[Array], parts: Sequence[slice], spans: Sequence[DigitRange]) -> list[Array]:
    return [digit for word, part in zip(words, parts, strict=True) for digit in split_codes(word, spans[part])]


def _parts(spans: Sequence[DigitRange]) -> list[slice]:
    """Return runs of columns whose joint code fits a 64-bit word."""
    parts, first = [], 0
    for last in range(1, len(spans) + 1):
        if last == len(spans) or math.prod(span.size for span in spans[first : last + 1]) > WORD:
            parts.append(slice(first, last))
            first = last
    return parts


def _powers(weight: Array) -> Array:
    weight = weight.astype(np.float64, copy=False)
    return np.stack([np.ones_like(weight), weight, weight * weight, weight * weight * weight])


def _distinct(words: list[Array], sums: Array | None) -> Held:
    if len(words) == 1 and sums is None:
        ordered = np.sort(words[0])
        starts = _starts([ordered])
        return Held([ordered[starts]], np.diff(starts, append=len(ordered))[np.newaxis].astype(np.float64))
    order = np.argsort(words[0]) if len(words) == 1 else np.lexsort(words[::-1])
    words = [word[order] for word in words]
    starts = _starts(words)
    terms = np.ones((1, len(order))) if sums is None else sums[:, order]
    return Held([word[starts] for word in words], np.add.reduceat(terms, starts, axis=1))


def _starts(words: Sequence[Array]) -> Array:
    changes = np.zeros(len(words[0]), dtype=np.bool_)
    changes[0] = True
    for word in words:
        changes[1:] |= word[1:] != word[:-1]
    return np.flatnonzero(changes)


def _merged(held: Sequence[Held]) -> Held:
    if len(held) == 1:
        return held[0]
    words = [np.concatenate(column) for column in zip(*(some.words for some in held), strict=True)]
    return _distinct(words, np.concatenate([some.sums for some in held], axis=1))
