"""Pseudo-counts: value, standard error and degrees of freedom of a metric with a little added to every kind of row."""

from __future__ import annotations

import numpy as np

from howsure.estimates.evidence import Evidence
from howsure.metrics.pseudo_counts import Smoothed
from howsure.types import Array

SIDE_STEP = 1e-4


def _smoothed(evidence: Evidence, z: float) -> Smoothed:
    """Return the metric with pseudo-counts, where a requirement has made sure that there are any to add."""
    found = evidence.smoothed(z)
    assert found is not None
    return found


def smoothed_moments(evidence: Evidence, z: float) -> tuple[Array, Array]:
    """Return value and standard error on the table with z²/2 rows spread evenly over its cells.

    The plus-four idea (Agresti & Coull 1998), about two rows at level 0.95. Every class then occurs, so no average is
    0/0, and a perfect score has a variance. In a rare class the pseudo-counts weigh as much as the data.
    """
    found = _smoothed(evidence, z)
    return found.value, np.sqrt(found.variance)


def smoothed_moments_and_degrees(evidence: Evidence, z: float) -> tuple[Array, Array, Array]:
    """Return smoothed_moments with Satterthwaite's degrees of freedom of that variance: 2 V² / Var(V̂).

    V = Σ p φ² has the influence φ² + 2 H(pφ), H the metric's second derivative, so one step along pφ to each side
    gives it. Few rows in a class that weighs much leave V itself uncertain: then t is wider than z.
    (Satterthwaite 1946, Biometrics Bulletin 2:110; for one proportion Pan 2002, Comput. Stat. Data Anal. 40:143.)
    """
    found = _smoothed(evidence, z)
    return found.value, np.sqrt(found.variance), _degrees(found)


def _degrees(found: Smoothed) -> Array:
    """Return 2 V² / Var(V̂) for the weights of kinds of rows (last axis) and the influence of a row of each."""
    weights, influence = found.weights, found.influence
    n = weights.sum(-1)
    largest = np.abs(influence).max(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = weights * influence * np.where(largest > 0, SIDE_STEP / largest, 0.0)
        ahead, behind = found.influence_at(np.stack([weights + along, weights - along]))
        bend = (ahead - behind) * largest / (2 * SIDE_STEP)
        shares = weights / n[..., None]
        spread = influence**2 + 2 * bend
        spread = spread - (shares * spread).sum(-1, keepdims=True)
        square = (shares * spread**2).sum(-1) / n
        return np.asarray(2 * (found.variance * n) ** 2 / square)
