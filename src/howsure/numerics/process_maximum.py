"""The largest of many normal estimates that nearly follow each other, such as a metric over thresholds: by sampling.

Neighbours are correlated to nearly 1, so there are far more of them than directions, and a few thousand draws give the
critical value to a hundredth in milliseconds where exact and quasi-random ways take seconds.
"""

from __future__ import annotations

import numpy as np

from howsure.types import Array, Side

DRAWS = 8000
JITTER = 1e-8  # of a variance: keeps the factor of a singular matrix from hanging on rounding


def process_maximum(
    covariances: Array, level: float, *, side: Side = "both", standardised: bool = True, seed: int = 0
) -> float:
    """Return q with P(max |Z_j| < q) = level, or P(max Z_j < q); coordinates without variance are left out.

    Z is standardised, or has the variances that it has.

    >>> round(process_maximum(np.eye(2), 0.95), 1)
    2.2
    """
    spread = np.sqrt(np.diagonal(covariances))
    moving = np.isfinite(spread) & (spread > 0)
    if not moving.any():
        return 0.0
    scale = spread[moving]
    correlation = covariances[np.ix_(moving, moving)] / np.outer(scale, scale)
    factor = np.linalg.cholesky(correlation + JITTER * np.eye(len(scale)))
    rng = np.random.default_rng(seed)
    largest = []
    for _ in range(DRAWS // 1000):
        drawn = rng.standard_normal((1000, len(scale))) @ factor.T * (1.0 if standardised else scale)
        largest.append((np.abs(drawn) if side == "both" else drawn).max(1))
    return float(np.quantile(np.concatenate(largest), level))
