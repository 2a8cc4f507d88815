"""The variance of a ratio of sums, with pseudo-units for what few units do not show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.tables.linearised import Linearised
from howsure.types import Array

FEWEST_DEGREES = 4.0


class RatioMoments(NamedTuple):
    """Variance of a ratio, its degrees of freedom, and the part of it that the worst pseudo-unit made."""

    variance: float
    degrees: float
    worst_part: float
    worst: float


def ratio_moments(
    linear: Linearised, size: float, extra: float, ends: tuple[float, float], without_one: Array
) -> RatioMoments:
    """Return the variance of a ratio r with ``extra`` pseudo-units of mean size at each of two ends.

    m_k = (Σ φ^k + c Σ (end − r)^k)/(G + 2c); V = m₂/(G + 2c − 1), times what the jackknife finds more than the delta
    method; degrees of freedom 2(G + 2c)/(m₄/m₂² − 1), at least 4 (Satterthwaite). The pseudo-units enter the moments
    alone, not the ratio: they stand for a unit without error and one as bad as the worst, of which a sample of few
    units may have none. G is the number of independent units that the design says these are worth.
    """
    units, times = linear.design.unit_influences(linear.influence)
    if linear.design.groups is not None:
        units = units * len(units) / linear.design.total
    count = float(times.sum())
    second, fourth = float(times @ units**2) / count, float(times @ units**4) / count
    seen = size * linear.variance  # the variance of one independent unit, by the design
    kurtosis = fourth / second**2 if second > 0 else 1.0
    away = np.array(ends) - linear.value
    whole = size + 2 * extra
    m2 = (size * seen + extra * float((away**2).sum())) / whole
    m4 = (size * kurtosis * seen**2 + extra * float((away**4).sum())) / whole
    variance = m2 / max(whole - 1, 1.0) * _jackknifed(without_one, times, second)
    spare = m4 / m2**2 - 1 if m2 > 0 else 0.0
    degrees = np.clip(2 * whole / spare if spare > 0 else np.inf, FEWEST_DEGREES, max(whole - 1, FEWEST_DEGREES))
    part = extra * float(away[1] ** 2) / (whole * m2) if m2 > 0 else 0.0
    return RatioMoments(variance, float(min(degrees, max(linear.degrees, 1.0))), part, ends[1])


def _jackknifed(without_one: Array, times: Array, second: float) -> float:
    """Return the jackknife variance over that of the delta method, 1 at least."""
    count = float(times.sum())
    good = np.isfinite(without_one) & (times > 0)
    if not second > 0 or count < 3 or not good[times > 0].all():
        return 1.0
    centre = float(times[good] @ without_one[good]) / count
    jackknife = (count - 1) / count * float(times[good] @ (without_one[good] - centre) ** 2)
    return max(jackknife / (second / (count - 1)), 1.0)
