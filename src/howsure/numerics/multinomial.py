"""Simultaneous intervals of the shares of one multinomial sample: Goodman, Quesenberry & Hurst, Sison & Glaz."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.binomial import LowHigh, floats, wilson
from howsure.types import Floats


def goodman(counts: ArrayLike, *, level: float) -> LowHigh:
    """Return Wilson's interval of each share at the level that Bonferroni's inequality asks of k of them.

    >>> low, high = goodman([56, 72, 73, 59, 62, 87, 58], level=0.95)
    >>> print(f"{low[0]:.4f} {high[0]:.4f}")
    0.0852 0.1663

    Source: Goodman (1965) Technometrics 7:247.
    """
    (found,) = floats(counts)
    z = -special.ndtri((1 - level) / (2 * found.shape[-1]))
    return wilson(found, found.sum(-1, keepdims=True) - found, z=z)


def quesenberry_hurst(counts: ArrayLike, *, level: float) -> LowHigh:
    """Return the score intervals that hold together by one chi-squared bound: z² is its quantile at k − 1 degrees.

    Source: Quesenberry & Hurst (1964) Technometrics 6:191.
    """
    (found,) = floats(counts)
    z = math.sqrt(2 * special.gammaincinv((found.shape[-1] - 1) / 2, level))
    return wilson(found, found.sum(-1, keepdims=True) - found, z=z)


def sison_glaz(counts: ArrayLike, *, level: float) -> LowHigh:
    """Return the shares ± c/n with the smallest c that holds all of them, by Levin's representation; one sample.

    The probability that all multinomial counts stay within c of those seen is that of truncated Poisson counts given
    their sum, which an Edgeworth expansion approximates. Short where many cells are alike, but its limits are as far
    below as above a rare share: prefer Goodman's where cells are few or rare.

    Source: Sison & Glaz (1995) JASA 90:366; the upper limit is 2γ/n further, as there.
    """
    (found,) = floats(counts)
    size = float(found.sum())
    before = 0.0
    for reach in range(int(size) + 1):
        held = _all_within(found, reach, size)
        if held >= level:
            break
        before = held
    last = reach - 1
    gamma = (level - before) / (held - before) if held > before else 0.0
    low = np.clip((found - last) / size, 0.0, 1.0)
    return low, np.clip((found + last + 2 * gamma) / size, 0.0, 1.0)


def _all_within(counts: Floats, reach: int, size: float) -> float:
    """Return P(|X_i − counts_i| ≤ reach for all i) of a multinomial X with the shares that were seen."""
    moments = np.array([_truncated(count, reach) for count in counts])
    mass, mean, variance, third, fourth = moments.T
    spread = variance.sum()
    if spread == 0:
        return 0.0 if reach == 0 and len(counts) > 1 else 1.0
    z = (size - mean.sum()) / math.sqrt(spread)
    skew = third.sum() / spread**1.5
    excess = (fourth - 3 * variance**2).sum() / spread**2
    bend = (
        1
        + skew / 6 * (z**3 - 3 * z)
        + excess / 24 * (z**4 - 6 * z**2 + 3)
        + skew**2 / 72 * (z**6 - 15 * z**4 + 45 * z**2 - 15)
    )
    log_whole = special.gammaln(size + 1) - size * math.log(size) + size  # one over the chance of the sum
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi * spread) * bend
    return float(np.prod(mass) * density * math.exp(log_whole))


def _truncated(centre: float, reach: int) -> tuple[float, float, float, float, float]:
    """Return mass, mean and central moments 2, 3, 4 of a Poisson count of this mean, kept within reach of it."""
    values = np.arange(max(math.ceil(centre - reach), 0), math.floor(centre + reach) + 1, dtype=float)
    weights = np.exp(special.xlogy(values, centre) - centre - special.gammaln(values + 1))
    mass = float(weights.sum())
    if mass == 0:
        return 0.0, centre, 0.0, 0.0, 0.0
    shares = weights / mass
    mean = float((shares * values).sum())
    apart = values - mean
    second, third, fourth = (float((shares * apart**power).sum()) for power in (2, 3, 4))
    return mass, mean, second, third, fourth
