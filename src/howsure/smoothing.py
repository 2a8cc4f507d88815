"""Pseudo-counts: the same metric on a table with a little added to every cell."""

from __future__ import annotations

import numpy as np

from howsure.cells import Array
from howsure.evidence import Evidence
from howsure.influence import moments


def smoothed_moments(evidence: Evidence, z: float) -> tuple[Array, Array]:
    """Return value and standard error on the table with z²/(2K²) added to each of its K² cells.

    The plus-four idea (Agresti & Coull 1998) spread evenly: z²/2 rows in all. Every class then occurs, so no
    average is 0/0.
    """
    assert evidence.matrix is not None
    classes = evidence.matrix.shape[-1]
    table = np.nan_to_num(evidence.matrix) + z * z / (2 * classes**2)
    made = moments(evidence.metric, table, selection=evidence.selection, undefined=evidence.undefined)
    return made.value, np.sqrt(made.variance)
