"""Correlation matrices for the tests of critical values, and truths found another way."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

Array = NDArray[np.float64]


def compound(d: int, rho: float) -> Array:
    return np.where(np.eye(d) > 0, 1.0, rho)


def scaled(covariance: Array) -> Array:
    spread = np.sqrt(np.diagonal(covariance))
    return covariance / np.outer(spread, spread)


def random_correlation(d: int, rank: int, seed: int) -> Array:
    rows = np.random.default_rng(seed).normal(size=(d, rank))
    return scaled(rows @ rows.T)


def contrasts(k: int) -> Array:
    """Return the correlation of all differences of k independent coordinates: rank k − 1."""
    rows = np.zeros((k * (k - 1) // 2, k))
    for row, (i, j) in zip(rows, combinations(range(k), 2), strict=True):
        row[i], row[j] = 1, -1
    return rows @ rows.T / 2


def one_factor(loadings: Array) -> Array:
    return np.where(np.eye(len(loadings)) > 0, 1.0, np.outer(loadings, loadings))


def factor_probability(q: float, loadings: Array, side: str) -> float:
    """Return P(max < q) for Z_j = l_j f + noise by SciPy's adaptive integral over f."""
    noise = np.sqrt(1 - loadings**2)

    def inside(f: float) -> float:
        low = ndtr((-q - loadings * f) / noise) if side == "both" else 0.0
        return float(np.prod(ndtr((q - loadings * f) / noise) - low) * np.exp(-f * f / 2) / np.sqrt(2 * np.pi))

    breaks = sorted({float(x) for x in (*(q / loadings), *(-q / loadings), -2, 0, 2) if abs(x) < 9})
    edges = [-9.0, *breaks, 9.0]
    return sum(quad(inside, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in pairwise(edges))


def factor_truth(level: float, loadings: Array, side: str = "both") -> float:
    low = 0.01 if side == "both" else -3.0
    return float(brentq(lambda q: factor_probability(q, loadings, side) - level, low, 8.0, xtol=1e-11))


def range_probability(w: float, k: int) -> float:
    """Return P(largest − smallest of k independent normals < w)."""
    return quad(lambda x: k * np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (ndtr(x + w) - ndtr(x)) ** (k - 1), -9, 9,
                points=(-4, -w / 2, 0), epsabs=1e-13, epsrel=1e-12)[0]  # fmt: skip


def range_truth(level: float, k: int) -> float:
    return float(brentq(lambda w: range_probability(w, k) - level, 0.1, 12.0, xtol=1e-11)) / np.sqrt(2)
