"""Encode fixed-width strings, and integers far apart, as the machine words that they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.sources.arrays.digits import BLOCK, Blockwise
from howsure.types import Array

_MOST = 255
"""The most distinct entries; beyond it, other ways serve as well."""
_FIRST = 1 << 10
"""Rows of the first block, which meets most strings for the first time."""
_BYTES = 1 << 21
_BITS = 16


class NotText(Exception):
    """Carries bytes that are not UTF-8."""


def encode_words(data: Blockwise) -> tuple[Array, list[Any]] | None:
    """Return the codes of a numpy U, S or integer array and its entries, or None if there are too many.

    The words of an entry, times odd numbers chosen so that no two entries met so far share a slot, give its
    slot; a comparison with the entry in that slot makes it certain.

    >>> codes, strings = encode_words(np.array(["cat", "dog", "cat"]))
    >>> codes.tolist(), strings
    ([0, 1, 0], ['cat', 'dog'])
    """
    itemsize = data[:1].itemsize
    if not itemsize:
        return None
    codes = np.empty(len(data), dtype=np.uint8)
    places: dict[Any, int] = {}
    tables = {"narrow": WordTable(), "wide": WordTable()}
    start, step = 0, _FIRST
    while start < len(data):
        block = data[start : start + step]
        shape, words = _words(block)
        found = tables[shape].look_up(words, block, places)
        if found is None:
            return None
        codes[start : start + step] = found
        start, step = start + step, max(_FIRST, min(BLOCK, _BYTES // itemsize))
    return codes, list(places)


def _words(block: Array) -> tuple[str, Array]:
    """Return the entries as rows of 64-bit words; strings with one byte a character where that holds them all."""
    if block.dtype.kind in "iu":
        return "narrow", block.astype(f"{block.dtype.kind}8").view(np.uint64)[:, np.newaxis]
    block = np.ascontiguousarray(block, dtype=block.dtype.newbyteorder("="))
    characters = block.view(np.uint32 if block.dtype.kind == "U" else np.uint8).reshape(len(block), -1)
    bytewise = block.dtype.kind == "S" or int(np.bitwise_or.reduce(characters, axis=None)) < 256
    unit, a_word = (np.dtype(np.uint8), 8) if bytewise else (np.dtype(np.uint32), 2)
    padded = np.zeros((len(block), -(-characters.shape[1] // a_word) * a_word), dtype=unit)
    padded[:, : characters.shape[1]] = characters
    return "narrow" if bytewise else "wide", padded.view(np.uint64)


class WordTable:
    """Codes of rows of words, looked up without comparing a row to more than one other."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._known = np.zeros((0, 0), dtype=np.uint64)
        self._codes = np.zeros(0, dtype=np.uint8)
        self._odd = np.zeros(0, dtype=np.uint64)
        self._shift = np.uint64(0)
        self._slots = np.zeros(0, dtype=np.intp)

    def look_up(self, words: Array, block: Array, places: dict[str, int]) -> Array | None:
        """Return the codes of the block; new entries get the next place. None if the table cannot hold them."""
        rows = self._rows(words)
        new = np.arange(len(words)) if rows is None else np.flatnonzero(~self._matches(rows, words))
        if len(new):
            if not self._learn(words, block, new, places):
                return None
            rows = self._rows(words)
        assert rows is not None
        return self._codes[rows]

    def _rows(self, words: Array) -> Array | None:
        return None if not len(self._known) else self._slots[_slots(words, self._odd, self._shift)]

    def _matches(self, rows: Array, words: Array) -> Array:
        same = self._known[:, 0][rows] == words[:, 0]
        for column in range(1, words.shape[1]):
            same &= self._known[:, column][rows] == words[:, column]
        return np.asarray(same)

    def _learn(self, words: Array, block: Array, new: Array, places: dict[str, int]) -> bool:
        first: dict[Any, int] = {}
        for value, row in zip(block[new].tolist(), new.tolist(), strict=True):
            first.setdefault(value, row)
        if len(first) + len(places) > _MOST:
            return False
        codes = [places.setdefault(_text(value), len(places)) for value in first]
        fresh = words[list(first.values())]
        self._known = np.concatenate([self._known, fresh]) if len(self._known) else fresh
        self._codes = np.concatenate([self._codes, np.array(codes, dtype=np.uint8)])
        return self._choose()

    def _choose(self) -> bool:
        """Find multipliers that give every known row a slot of its own."""
        count, width = self._known.shape
        for bits in np.repeat(np.arange(int(count).bit_length() + 1, _BITS + 1), 8):
            odd = self._random.integers(0, 1 << 63, width, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
            shift = np.uint64(64 - bits)
            slots = _slots(self._known, odd, shift)
            if len(np.unique(slots)) == count:
                self._odd, self._shift = odd, shift
                self._slots = np.zeros(1 << int(bits), dtype=np.intp)
                self._slots[slots] = np.arange(count)
                return True
        return False


def _slots(words: Array, odd: Array, shift: np.uint64) -> Array:
    mixed = words[:, 0] * odd[0]
    for column in range(1, words.shape[1]):
        mixed += words[:, column] * odd[column]
    slots: Array = (mixed >> shift).view(np.intp)
    return slots


def _text(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise NotText(value) from None
