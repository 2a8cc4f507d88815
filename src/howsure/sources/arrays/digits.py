"""Whole numbers as small unsigned digits, and several columns of digits as one code a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from howsure.types import Array

BLOCK = 1 << 17
"""Rows a block: the codes made of them stay in the second-level cache."""
SAMPLE = 1 << 10
"""Rows looked at to guess the least and the greatest value."""

_TYPES = tuple(np.dtype(f"u{width}") for width in (1, 2, 4, 8))
BYTE = _TYPES[0]


class Blockwise(Protocol):
    """Whole numbers that can be had a block of rows at a time."""

    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice, /) -> Array: ...


class DigitRange(NamedTuple):
    """The whole numbers ``low``, …, ``low + size - 1``."""

    low: int
    size: int


BIT = DigitRange(0, 2)


def digit_type(size: int) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds 0, …, ``size - 1``."""
    return _TYPES[(size > 1 << 8) + (size > 1 << 16) + (size > 1 << 32)]


def blocks(column: Blockwise, step: int = BLOCK) -> Iterator[Array]:
    """Yield the column in blocks of ``step`` rows."""
    for start in range(0, len(column), step):
        yield column[start : start + step]


def guess_spans(columns: Sequence[Blockwise], spans: Sequence[DigitRange | None]) -> list[DigitRange]:
    """Return the given spans, with the unknown ones guessed in common from a sample of rows."""
    found = [extremes(sample(column)) for column, span in zip(columns, spans, strict=True) if span is None]
    if not found:
        return [span for span in spans if span]
    low, high = min(pair[0] for pair in found), max(pair[1] for pair in found)
    low = 0 if low > 0 and high < 256 else low
    high = 1 if low == high == 0 else high
    return [span or _clipped(column, low, high) for column, span in zip(columns, spans, strict=True)]


def sample(column: Blockwise) -> Array:
    """Return a thousand rows spread over the column, or all rows of a short one."""
    rows = len(column)
    return column[:: 1 if rows <= 4 * SAMPLE else rows // SAMPLE]


def extremes(block: Array) -> tuple[int, int]:
    """Return the least and the greatest value."""
    block = np.ascontiguousarray(block)
    return int(block.min()), int(block.max())


def _clipped(column: Blockwise, low: int, high: int) -> DigitRange:
    """Return the span within the column's own type, so that subtracting ``low`` cannot wrap into it."""
    dtype = column[:1].dtype
    if dtype.kind == "b":
        return BIT
    limits = np.iinfo(dtype)
    low, high = max(low, int(limits.min)), min(high, int(limits.max))
    return DigitRange(low, high - low + 1) if low <= high else DigitRange(int(limits.min), 1)


def measure_span(column: Blockwise) -> DigitRange:
    """Return the span from the least to the greatest value, (0, 2) for zeros and ones."""
    if column[:1].dtype.kind == "b":
        return BIT
    found = [extremes(block) for block in blocks(column)]
    low, high = min(pair[0] for pair in found), max(pair[1] for pair in found)
    return BIT if low >= 0 and high <= 1 else DigitRange(low, high - low + 1)


def narrow(block: Array, span: DigitRange, target: np.dtype[Any], scratch: Array | None = None) -> Array | None:
    """Return ``block - low`` as unsigned numbers no wider than ``target``, or None if one is outside the span.

    ``scratch`` may take the result, so that a thread need not ask for memory block by block.

    >>> narrow(np.array([5, 7, 6]), DigitRange(5, 3), BYTE)
    array([0, 2, 1], dtype=uint8)
    """
    if not (block.flags.c_contiguous and block.dtype.isnative):
        block = np.ascontiguousarray(block, dtype=block.dtype.newbyteorder("="))
    digits = block.view(_TYPES[block.itemsize.bit_length() - 1])
    if span.low:
        digits = digits - digits.dtype.type(span.low % (1 << 8 * digits.itemsize))
    if digits.itemsize > target.itemsize:
        seen = int(np.bitwise_or.reduce(digits))
        if seen >> 8 * target.itemsize:
            return None
        if scratch is None:
            digits = digits.astype(target)
        else:
            np.copyto(scratch[: len(digits)], digits, casting="unsafe")
            digits = scratch[: len(digits)]
        if seen < span.size:
            return digits
    if int(np.maximum.reduce(digits)) < span.size:
        return digits
    # A boolean byte other than 0 and 1 (a mask made elsewhere, viewed as boolean) is still true.
    return (digits != 0).view(BYTE) if block.dtype.kind == "b" else None


def join(columns: Sequence[Blockwise], rows: slice, spans: Sequence[DigitRange]) -> Array | None:
    """Return one mixed-radix code a row, the first column leading, or None if a value is outside its span.

    Small digits gather in bytes as long as they fit, for a byte costs an eighth of a word to move.
    """
    code: Array | None = None
    part: Array | None = None
    size = part_size = 1
    total = digit_type(math.prod(span.size for span in spans))
    for column, span in zip(columns, spans, strict=True):
        digit = narrow(column[rows], span, BYTE if span.size <= 16 else total)
        if digit is None:
            return None
        if part is not None and part_size * span.size <= 256:
            part, part_size = append(part, part_size, digit, span.size), part_size * span.size
            continue
        if part is not None:
            code, size = append(code, size, part, part_size), size * part_size
        part, part_size = digit, span.size
    return code if part is None else append(code, size, part, part_size)


def append(code: Array | None, size: int, digit: Array, radix: int) -> Array:
    """Return ``code * radix + digit``, in the memory of ``code`` if that is ours and wide enough."""
    if code is None:
        return digit
    dtype = digit_type(size * radix)
    wide = code.astype(dtype, copy=False)
    ours = wide if wide.flags.owndata else None
    wide = np.add(wide, wide, out=ours) if radix == 2 else np.multiply(wide, dtype.type(radix), out=ours)
    joint: Array = np.add(wide, digit, out=wide, casting="unsafe")
    return joint


def split_codes(codes: Array, spans: Sequence[DigitRange]) -> list[Array]:
    """Return the digits of which ``join`` made the codes.

    >>> split_codes(np.array([7, 5], dtype=np.uint8), [DigitRange(0, 3), DigitRange(0, 4)])
    [array([1, 1], dtype=uint8), array([3, 1], dtype=uint8)]
    """
    digits = []
    for span in reversed(spans[1:]):
        rest = codes // codes.dtype.type(span.size)
        digits.append((codes - rest * codes.dtype.type(span.size)).astype(digit_type(span.size)))
        codes = rest
    return [codes.astype(digit_type(spans[0].size)), *reversed(digits)]
