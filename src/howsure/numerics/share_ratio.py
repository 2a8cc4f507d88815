"""The score interval of a ratio of two independent shares: likelihood ratios of a diagnostic test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.types import Array

_FARTHEST = 700.0
_HALVINGS = 64


def ratio_interval(
    success: ArrayLike, failure: ArrayLike, base_success: ArrayLike, base_failure: ArrayLike, *, z: float
) -> tuple[Array, Array]:
    """Return all ratios θ = p/q that the score test of p = θ q does not reject at z.

    (p̂ − θ q̂)² ≤ z² (p(1−p)/n + θ² q(1−q)/m), with p = θ q fitted by likelihood.
    Koopman (1984) Biometrics 40:513; Miettinen & Nurminen (1985) Stat. Med. 4:213 without their n/(n−1).

    >>> low, high = ratio_interval(36, 4, 16, 64, z=1.959963984540054)  # Koopman's example: 36/40 over 16/80
    >>> print(f"{low:.2f} {high:.2f}")
    2.94 7.15
    """
    given = (success, failure, base_success, base_failure)
    counts = tuple(np.broadcast_arrays(*(np.asarray(part, dtype=float) for part in given)))
    x, y = counts[0], counts[2]
    low = np.where(x == 0, 0.0, np.exp(_crossing(counts, z)))
    high = np.where(y == 0, np.inf, np.exp(_crossing(counts, -z)))
    hole = (x + counts[1] == 0) | (y + counts[3] == 0) | ((x == 0) & (y == 0))
    return np.where(hole, np.nan, low)[()], np.where(hole, np.nan, high)[()]


def _crossing(counts: tuple[Array, ...], z: float) -> Array:
    """Return the log ratio where the signed score statistic, which falls with the ratio, passes z."""
    below = np.full(counts[0].shape, -_FARTHEST)
    above = np.full(counts[0].shape, _FARTHEST)
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        short = _statistic(counts, middle) > z
        below, above = np.where(short, middle, below), np.where(short, above, middle)
    return np.asarray((below + above) / 2)


def _statistic(counts: tuple[Array, ...], log_ratio: Array) -> Array:
    """Return the signed root of the score statistic; the larger share is put below, so that nothing overflows."""
    turned = log_ratio > 0
    x, nx, y, ny = (np.where(turned, counts[(k + 2) % 4], counts[k]) for k in range(4))
    ratio = np.exp(-np.abs(log_ratio))
    n, m = x + nx, y + ny
    with np.errstate(divide="ignore", invalid="ignore"):
        half = ratio * (n + y) + x + m
        q = 2 * (x + y) / (half + np.sqrt(np.maximum(half**2 - 4 * ratio * (n + m) * (x + y), 0.0)))
        p = ratio * q
        distance = x / n - ratio * (y / m)
        root = distance / np.sqrt(p * (1 - p) / n + ratio**2 * q * np.maximum(1 - q, 0.0) / m)
    root = np.where(distance == 0, 0.0, root)
    return np.where(turned, -root, root)
