"""Lattice rules for quasi-Monte-Carlo integration, and the directions and normal vectors made from their points."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from howsure.types import Floats

# Numbers of points: primes near powers of two, each with a primitive root, which the construction needs.
SIZES = {
    7: 3, 13: 2, 31: 3, 61: 2, 127: 3, 251: 6, 509: 2, 1021: 10, 2039: 7, 4093: 2, 8191: 17, 16381: 2, 32749: 2,
    65521: 17, 131071: 3, 262139: 2, 524287: 3,
}  # fmt: skip


@lru_cache(maxsize=64)
def generator(size: int, dimensions: int) -> npt.NDArray[np.int64]:
    """Return the generating vector z of the lattice {k z / size mod 1: k = 0 … size-1}.

    Built component by component by Fourier transform: each component minimises the worst-case error in a Korobov
    space of smoothness 2 with weights j^-1.5. Nuyens & Cools (2006), Mathematics of Computation 75:903.
    """
    half = (size - 1) // 2
    powers = np.ones(half, dtype=np.int64)
    for i in range(1, half):
        powers[i] = powers[i - 1] * SIZES[size] % size
    x = powers / size
    kernel = 2 * math.pi**2 * (x * x - x + 1 / 6)
    spectrum, product, chosen = np.fft.rfft(kernel), np.ones(half), []
    for j in range(dimensions):
        misfit = np.fft.irfft(np.conj(np.fft.rfft(product)) * spectrum, half)
        best = int(np.argmin(misfit)) if j else 0
        chosen.append(int(powers[best]))
        product = product * (1 + (j + 1) ** -1.5 * np.roll(kernel, -best))
    return np.array(chosen, dtype=np.int64)


def shifted(size: int, shifts: Floats, start: int, stop: int) -> Floats:
    """Return points start … stop-1 of the lattice under each random shift, shape (shifts, points, dimensions)."""
    points = np.arange(start, stop)[:, None] * (generator(size, shifts.shape[1]) / size) + shifts[:, None]
    points -= np.floor(points)
    return points


def directions(points: Floats) -> Floats:
    """Turn points of the unit cube into unit vectors with one coordinate more, uniform up to their sign.

    The coordinates go in pairs with a uniform angle (all firsts, then all seconds, then the odd one out); the share
    of squared length left for later pairs is a power of a uniform number (a Beta variable). That number is folded,
    since lattices work best on periodic functions.
    """
    dimensions = points.shape[-1] + 1
    ends = np.ones((*points.shape[:-1], 1))
    with np.errstate(divide="ignore"):  # a power by way of logarithms, which numpy takes many at a time
        kept = np.exp(np.log(np.abs(2 * points[..., 1::2] - 1)) * (2 / np.arange(dimensions - 2, 0, -2)))
    left = np.cumprod(np.concatenate([ends, kept], axis=-1), axis=-1)
    if dimensions % 2 == 0:
        left = np.concatenate([left, 0 * ends], axis=-1)
    radii, angles = np.sqrt(left[..., :-1] - left[..., 1:]), 2 * math.pi * points[..., ::2]
    last = [] if dimensions % 2 == 0 else [np.sqrt(left[..., -1:])]
    return np.concatenate([radii * np.cos(angles), radii * np.sin(angles), *last], axis=-1)


def normals(points: Floats) -> Floats:
    """Turn points of the unit cube into independent standard normal numbers, folded first."""
    return np.asarray(ndtri(np.clip(np.abs(2 * points - 1), 1e-15, 1 - 1e-15)))
