"""The covariance of many estimates of label rows through indicators of the predictions, where those are fewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.tables.labels import Labels

BLOCK = 4_000_000


def covariance_by_indicators(
    rows: Labels, linears: Sequence[Linearised], design: Design, places: Sequence[int], models: list[int]
) -> Array:
    """Return Σ w² φ ψ / (Σ w)² through indicators of the predictions: fewer columns than estimates.

    Among rows of one true class, φ of a model is its value for the first class plus a step for any other: φ = S x,
    with x the 1 and the indicators of each model's prediction. Hence Σ w² φ φᵀ = S (Σ w² x xᵀ) Sᵀ, summed over true
    classes. The products of indicators are made once for all metrics: with M models, K classes and E estimates a
    row costs (M(K−1) + 1)² in place of E².
    """
    size, width = len(linears), len(rows.labels)
    cells = np.stack([_cell_influence(linear) for linear in linears])
    found = np.zeros((size, size))
    for truth in range(width):
        steps = np.zeros((size, len(models) * (width - 1) + 1))
        steps[:, 0] = cells[:, truth, 0]
        for estimate, place in enumerate(places):
            start = 1 + place * (width - 1)
            steps[estimate, start : start + width - 1] = cells[estimate, truth, 1:] - cells[estimate, truth, 0]
        found += steps @ _gram(rows, design, truth, models) @ steps.T
    return found / design.total**2


def _gram(rows: Labels, design: Design, truth: int, models: list[int]) -> Array:
    """Return the products, weighted by w², of 1 and the indicators of each model's prediction, over one class."""
    width = len(rows.labels)
    chosen = np.flatnonzero(rows.truth == truth)
    columns = 1 + len(models) * (width - 1)
    gram = np.zeros((columns, columns))
    for part in _parts(chosen, columns):
        predictions = rows.predictions[part].T[models]
        features = np.ones((columns, len(part)))
        features[1:] = (predictions[:, None] == np.arange(1, width)[:, None]).reshape(-1, len(part))
        features *= np.sqrt(design.squares[part])
        gram += features @ features.T
    return gram


def _cell_influence(linear: Linearised) -> Array:
    """Return the influence of a row by its true and predicted class; 0 in cells that hold no row."""
    assert linear.seen.matrix is not None
    with np.errstate(invalid="ignore"):
        return np.where(linear.seen.matrix > 0, linear.seen.by_cell - linear.seen.centre, 0.0)


def _parts(chosen: Array, columns: int) -> Iterator[Array]:
    some = max(1, BLOCK // columns)
    return (chosen[start : start + some] for start in range(0, len(chosen), some))
