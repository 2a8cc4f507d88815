"""Pseudo-counts: the same metric on a table with a little added to every cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.cells import Array
from howsure.evidence import Evidence
from howsure.influence import moments

SIDE_STEP = 1e-4


def smoothed_table(evidence: Evidence, z: float) -> Array:
    """Return the table with z²/2 rows spread evenly over its cells; a class that is to be skipped stays empty."""
    assert evidence.matrix is not None
    table = np.where(np.isnan(evidence.matrix), 0.0, evidence.matrix)
    if evidence.undefined != "skip":
        return np.asarray(table + z * z / (2 * table.shape[-1] ** 2))
    held = table.sum(-1) + table.sum(-2) > 0
    classes = np.maximum(held.sum(-1), 1)[..., None, None]
    return np.asarray(table + z * z / (2 * classes**2) * (held[..., :, None] & held[..., None, :]))


def smoothed_moments(evidence: Evidence, z: float) -> tuple[Array, Array]:
    """Return value and standard error on the table with z²/(2K²) added to each of its K² cells.

    The plus-four idea (Agresti & Coull 1998) spread evenly: z²/2 rows in all. Every class then occurs, so no
    average is 0/0.
    """
    table = smoothed_table(evidence, z)
    made = moments(evidence.metric, table, selection=evidence.selection, undefined=evidence.undefined)
    return made.value, np.sqrt(made.variance)


def smoothed_moments_and_degrees(evidence: Evidence, z: float) -> tuple[Array, Array, Array]:
    """Return smoothed_moments with Satterthwaite's degrees of freedom of that variance: 2 V² / Var(V̂).

    V = Σ p φ² has the influence φ² + 2 H(pφ), H the metric's second derivative, so one step along pφ to each side
    gives it. Few rows in a class that weighs much leave V itself uncertain: then t is wider than z.
    (Satterthwaite 1946, Biometrics Bulletin 2:110; for one proportion Pan 2002, Comput. Stat. Data Anal. 40:143.)
    """
    table = smoothed_table(evidence, z)
    options: Any = {"selection": evidence.selection, "undefined": evidence.undefined}
    here = moments(evidence.metric, table, **options)
    largest = np.abs(here.influence).max(axis=(-2, -1), keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = table * here.influence * np.where(largest > 0, SIDE_STEP / largest, 0.0)
        sides = np.concatenate([np.reshape(table + sign * along, (-1, *table.shape[-2:])) for sign in (1, -1)])
        ahead, behind = moments(evidence.metric, sides, **options).influence.reshape(2, *table.shape)
        bend = (ahead - behind) * largest / (2 * SIDE_STEP)
        shares = table / here.n[..., None, None]
        spread = here.influence**2 + 2 * bend
        spread = spread - (shares * spread).sum((-2, -1), keepdims=True)
        square = (shares * spread**2).sum((-2, -1)) / here.n
        degrees = 2 * (here.variance * here.n) ** 2 / square
    return here.value, np.sqrt(here.variance), np.asarray(degrees)
