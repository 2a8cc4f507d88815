"""Streams of units with two sums, looked at every 25 units: how often limits at any time ever miss their ratio.

A unit has words and errors; laws differ in how long units are and how errors gather in few of them. Limits are made
from running sums of powers, written anew from the formulas of docs/reference/anytime.md; a test compares the library's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.estimates.methods.martingales import normal_reach
from studies.anytime_study import EVERY, FIRST, MOST

CARRY = 30  # units that carry the ratio before there are limits
BLOCK = 200  # streams at once
STREAMS = 4000
POWERS = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4))
Line = dict[str, Any]
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def _share(a: float, b: float) -> Draw:
    return lambda rng, size: rng.beta(a, b, size)


def _long(low: float, sigma: float) -> Draw:
    return lambda rng, size: np.ceil(low * np.exp(sigma * rng.normal(size=size)))


# words of a unit, and the probability that a word of it is wrong, whose mean is the true ratio where both are unlinked
LAWS: dict[str, tuple[Draw, Draw, float]] = {
    "sentences": (lambda rng, size: 1 + rng.poisson(12, size), _share(2, 18), 0.1),
    "long tail of words": (_long(8, 1.0), _share(2, 18), 0.1),
    "rare errors": (lambda rng, size: 1 + rng.poisson(12, size), _share(0.5, 49.5), 0.01),
    "errors gather": (lambda rng, size: 1 + rng.poisson(12, size), _share(0.1, 0.9), 0.1),
    "rare, and they gather": (lambda rng, size: 1 + rng.poisson(6, size), _share(0.05, 2.45), 0.02),
    "one word": (lambda rng, size: 1 + rng.geometric(0.5, size), _share(1, 9), 0.1),
    "half wrong, very long units": (_long(5, 1.5), _share(1, 1), 0.5),
}
KINDS = tuple(LAWS)


def drawn(rng: np.random.Generator, kind: str, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and words of units."""
    length, share, _ = LAWS[kind]
    words = length(rng, size).astype(int)
    return rng.binomial(words, share(rng, size)).astype(float), words.astype(float)


def limits(errors: np.ndarray, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both limits at every look, streams first; the whole range where 30 units do not carry the ratio yet."""
    rows = np.arange(EVERY, errors.shape[-1] + 1, EVERY)
    sums = {power: (errors ** power[0] * words ** power[1]).cumsum(-1)[:, rows - 1] for power in POWERS}
    ratio = sums[1, 0] / sums[0, 1]
    mean = sums[0, 1] / rows
    square = (sums[2, 0] - 2 * ratio * sums[1, 1] + ratio**2 * sums[0, 2]) / mean**2
    fourth = (
        sums[4, 0] - 4 * ratio * sums[3, 1] + 6 * ratio**2 * sums[2, 2] - 4 * ratio**3 * sums[1, 3]
        + ratio**4 * sums[0, 4]
    ) / mean**4  # fmt: skip
    with np.errstate(invalid="ignore", divide="ignore"):
        sure = (rows >= FIRST) & (square**2 / fourth >= CARRY)
    half = np.array([normal_reach(0.025, float(n)) for n in rows]) * np.sqrt(square) / rows
    return np.where(sure, np.maximum(ratio - half, 0.0), 0.0), np.where(sure, ratio + half, np.inf)


def line(kind: str, number: int, *, streams: int = STREAMS, most: int = MOST) -> Line:
    """Return in what share of the streams of a law the limits ever missed its ratio."""
    rng, true = np.random.default_rng([number, KINDS.index(kind), 3]), LAWS[kind][2]
    missed = 0
    for start in range(0, streams, BLOCK):
        low, high = limits(*drawn(rng, kind, (min(BLOCK, streams - start), most)))
        missed += int(((low > true) | (high < true)).any(-1).sum())
    return {"kind": kind, "number": number, "streams": streams, "most": most, "wrong": {"ratio": missed / streams}}
