"""Pseudo-counts: the same metric with a little added to every cell of a confusion matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from howsure.metrics.gradient import Selection, moments
from howsure.metrics.metric import Metric
from howsure.types import Array, Undefined


class Smoothed(NamedTuple):
    """A metric on a table with pseudo-counts: value, its variance, and the influence of each kind of row.

    Kinds of rows (cells of a matrix, or distinct rows) are on the last axis, batch axes first; ``influence_at`` gives
    their influences at other weights, with one more axis in front.
    """

    value: Array
    variance: Array
    weights: Array
    influence: Array
    influence_at: Callable[[Array], Array]


def smoothed_matrices(
    metric: Metric, matrices: Array, z: float, *, selection: Selection = None, undefined: Undefined = "nan"
) -> Smoothed:
    """Return a metric on confusion matrices (…, K, K) with z²/(2K²) added to each of their K² cells.

    The plus-four idea (Agresti & Coull 1998) spread evenly: z²/2 rows in all. Every class then occurs, so no
    average is 0/0. A class that is to be skipped stays empty.
    """
    table = with_pseudo_counts(matrices, z, skip=undefined == "skip")
    here = moments(metric, table, selection=selection, undefined=undefined)
    flat = (*table.shape[:-2], -1)

    def influence_at(sides: Array) -> Array:
        stack = sides.reshape(-1, *table.shape[-2:])
        return moments(metric, stack, selection=selection, undefined=undefined).influence.reshape(sides.shape)

    return Smoothed(here.value, here.variance, table.reshape(flat), here.influence.reshape(flat), influence_at)


def with_pseudo_counts(matrices: Array, z: float, *, skip: bool) -> Array:
    """Return the matrices with z²/(2K²) in every cell, K the classes that occur where others are skipped."""
    table = np.where(np.isnan(matrices), 0.0, matrices)
    if not skip:
        return np.asarray(table + z * z / (2 * table.shape[-1] ** 2))
    held = table.sum(-1) + table.sum(-2) > 0
    classes = np.maximum(held.sum(-1), 1)[..., None, None]
    return np.asarray(table + z * z / (2 * classes**2) * (held[..., :, None] & held[..., None, :]))
