"""Holm's adjustment of p-values."""

from __future__ import annotations

import numpy as np

from howsure.types import Array


def holm(p_values: Array) -> Array:
    """Return Holm's adjusted p-values (1979 Scand. J. Stat. 6:65); undefined ones stay out of the family.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    size = int(np.isfinite(p_values).sum())
    steps = np.maximum(size - np.arange(len(p_values)), 1)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[order] = np.minimum(np.fmax.accumulate(p_values[order] * steps), 1.0)
    return np.where(np.isnan(p_values), np.nan, adjusted)
