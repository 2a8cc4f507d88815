"""Two-level orthogonal arrays of strength 2, cut from Hadamard matrices of every order 4, 8, …, 64."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import cross_validation as messages
from howsure.types import Integers

LARGEST_ORDER = 64


def two_level_array(repeats: int) -> Integers:
    """Return, as 0 and 1, which blocks (rows) train the first fold of each repeat (columns).

    Any two columns show (0, 0), (0, 1), (1, 0) and (1, 1) equally often, so any two training sets of
    different repeats share a quarter of the blocks. The number of blocks is the smallest multiple of four
    above ``repeats``. Three repeats give Table 1 of Wang & Li (2019): blocks 1, 2; then 1, 3; then 2, 3.

    >>> two_level_array(3).T.tolist()
    [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]]

    Source: Wang, Wang, Li, Yang & Yang (2017), Neural Computation 29:519.
    """
    repeats = checked_repeats(repeats)
    matrix = hadamard(4 * (repeats // 4 + 1))
    contrasts = (matrix * matrix[:, :1])[:, 1:]
    array = (contrasts != contrasts[-1]).astype(np.int64)
    descending = np.lexsort(-array[::-1])
    chosen: Integers = array[:, descending[:repeats]]
    return chosen


def checked_repeats(repeats: Any) -> int:
    """Return the number of repeats as an int, or say why it cannot be one."""
    try:
        number = index(repeats)
    except TypeError:
        rule = f"it must be a whole number from 2 to {LARGEST_ORDER - 1}; the usual choice is 3"
        raise InputError.of("repeats", repeats, f"{rule}.") from None
    if number == 1:
        raise InputError(messages.REPEATS_OF_ONE())
    if not 2 <= number < LARGEST_ORDER:
        reach = messages.LIE_BETWEEN_2_WHERE_HADAMARD_ORDER(
            largest_order=LARGEST_ORDER - 1, other_largest_order=LARGEST_ORDER
        )
        raise InputError(messages.REPEATS_USUAL_CHOICE_IS_3(number=number, reach=reach))
    return number


def hadamard(order: int) -> Integers:
    """Return a matrix of ±1 with orthogonal columns; ``order`` is 1, 2 or a multiple of four up to 64.

    Doubling (Sylvester 1867) where the half order has one; otherwise Paley (1933): his first construction
    over the field of order − 1 elements (12, 20, 44, 60), his second over order/2 − 1 (28, 36, 52).
    """
    if order == 1:
        return np.ones((1, 1), dtype=np.int64)
    if order in (2, 4) or order % 8 == 0:
        return np.kron(_PAIR, hadamard(order // 2))
    if order in (12, 20, 44, 60):
        return _bordered(_characters(order - 1), sign=-1) + np.eye(order, dtype=np.int64)
    conference = _bordered(_characters(order // 2 - 1), sign=1)
    diagonal = np.eye(len(conference), dtype=np.int64)
    return np.kron(conference, _PAIR) + np.kron(diagonal, np.array([[1, -1], [-1, -1]]))


_PAIR: Integers = np.array([[1, 1], [1, -1]])


def _bordered(core: Integers, *, sign: int) -> Integers:
    """Return ``core`` with a first row of ones, a first column of ``sign`` and 0 in the corner."""
    return np.block(
        [
            [np.zeros((1, 1), dtype=np.int64), np.ones((1, len(core)), dtype=np.int64)],
            [np.full((len(core), 1), sign, dtype=np.int64), core],
        ]
    )


def _characters(size: int) -> Integers:
    """Return the quadratic character of x − y for all x, y of the field of ``size`` elements.

    It is 1 for a square, −1 for a non-square and 0 for 0. ``size`` is a prime p or p². An element is a + b·r
    with r² a non-square of the prime field, numbered a + p·b; in a prime field b is 0.
    """
    root = math.isqrt(size)
    prime = root if root * root == size else size
    residues = {x * x % prime for x in range(prime)}
    twist = min(x for x in range(prime) if x not in residues)
    b, a = np.divmod(np.arange(size), prime)
    chi = np.full(size, -1)
    chi[(a * a + twist * b * b) % prime + prime * (2 * a * b % prime)] = 1
    chi[0] = 0
    table: Integers = chi[(a[:, None] - a) % prime + prime * ((b[:, None] - b) % prime)]
    return table
