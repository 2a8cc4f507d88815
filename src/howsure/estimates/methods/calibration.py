"""The interval of the expected calibration error, which is above 0 for a perfect model too."""

from __future__ import annotations

import numpy as np

from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.limits import wald
from howsure.estimates.tail import Limits, Tail
from howsure.numerics.solving import bracketed_root
from howsure.types import Array

DRAWS = 4000
JITTER = 1e-10
FARTHEST = 64.0


def union_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return Wald's interval joined with the calibration errors c·d̂ under which as much ECE as was seen is likely.

    ECE sums absolute gaps d_b of bins, so noise alone makes it positive: for a calibrated model Wald covers 5 % and the
    bootstrap nothing, at any number of rows. Take the true gaps to be c·d̂, draw their noise from the covariance of the
    gaps, and keep every c under which the observed ECE lies within the tails; c·ÊCE is the calibration error then. That
    interval reaches 0 for a calibrated model, where Wald's does not, and is too short far from 0, where Wald's is
    right.
    """
    linear = evidence.linear
    assert linear is not None
    gaps, seen = np.asarray(linear.details["gaps"]), float(evidence.value)
    noise = _noise(evidence)

    def below(scale: float) -> float:
        """Return the chance of less ECE than was seen, ties half, if the true gaps were scale · d̂."""
        drawn = np.abs(scale * gaps + noise).sum(1)
        return float((drawn < seen).mean() + (drawn <= seen).mean()) / 2

    low = 0.0 if below(0.0) < 1 - tail.probability else _meets(below, 1 - tail.probability)
    high = _meets(below, tail.probability)
    plain = wald(evidence, tail)
    first, second = min(low * seen, max(float(plain.low), 0.0)), max(high * seen, min(float(plain.high), 1.0))
    return Limits(np.float64(first), np.float64(min(second, 1.0)))


def _meets(below: object, chance: float) -> float:
    """Return the scale at which the chance of less ECE has fallen to a given one."""
    assert callable(below)
    if below(0.0) <= chance:
        return 0.0
    reach = 1.0
    while reach < FARTHEST and below(reach) > chance:
        reach *= 2
    return reach if below(reach) > chance else bracketed_root(lambda at: below(at) - chance, 0.0, reach, tolerance=1e-6)


def _noise(evidence: Evidence) -> Array:
    """Return draws of the noise in the gaps of the bins, from their covariance under the design.

    A bin of a few rows that are all alike shows no spread, so none has less than that of a calibrated model.
    """
    linear = evidence.linear
    assert linear is not None
    place, gap, gaps = (np.asarray(linear.details[name]) for name in ("bin", "gap", "gaps"))
    held = np.unique(place)

    def influences(part: slice) -> Array:
        return np.asarray(np.where(place[part] == held[:, None], gap[part], 0.0) - gaps[held][:, None])

    found = linear.design.covariance(influences, len(held))
    found += np.diag(np.maximum(np.asarray(linear.details["model_spread"])[held] - np.diagonal(found), 0.0))
    scale = float(np.trace(found)) / len(held)
    factor = np.linalg.cholesky(found + (JITTER * scale + 1e-300) * np.eye(len(held)))
    drawn = np.zeros((DRAWS, len(gaps)))
    drawn[:, held] = np.random.default_rng(0).standard_normal((DRAWS, len(held))) @ factor.T
    return drawn
