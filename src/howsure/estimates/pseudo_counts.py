"""Pseudo-counts: the same metric on a table with a little added to every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.estimates.evidence import Evidence
from howsure.metrics.gradient import moments
from howsure.tables.contents import Bags
from howsure.tables.linearised import linearise
from howsure.tables.table import Table
from howsure.types import Array

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


def smoothed_rows(evidence: Evidence, z: float) -> Table:
    """Return a table of several labels a row with z²/(8√L) rows more in each cell (tp, fp, fn, tn) of its L labels.

    Each of them concerns one label alone. What they draw an average of L labels aside goes with their number, and its
    error with 1/√L: so does the number. One label is smoothed as a table of two classes. Rows count as many as the
    data are worth; a label that is not in view, or to be skipped, gets none.
    """
    assert evidence.linear is not None
    table, selection = evidence.linear.table, evidence.selection
    rows = table.rows
    assert isinstance(rows, Bags)
    labels = np.arange(len(table.labels))
    if selection is not None and not isinstance(selection, str):
        labels = np.atleast_1d(labels[selection])
    if evidence.undefined == "skip":
        labels = labels[(rows.actual[:, labels].any(0)) | (rows.predicted[..., labels].any((0, 1)))]
    unit = np.eye(len(table.labels), dtype=rows.actual.dtype)[labels]
    none = np.zeros_like(unit)
    true, guessed, right = (np.concatenate(part) for part in (
        (unit, none, unit, none), (unit, unit, none, none), (unit, none, none, none),
    ))  # fmt: skip
    models = rows.predicted.shape[1]
    more = Bags(true, *(np.repeat(part[:, np.newaxis], models, axis=1) for part in (guessed, right)))
    weight = table.weights * float(evidence.size / table.weights.sum())
    added = np.full(len(more), z * z / (8 * np.sqrt(max(len(labels), 1))))
    return _reweighted(replace(table, rows=_joined(rows, more), groups=None, strata=None), np.append(weight, added))


def _joined(rows: Bags, more: Bags) -> Bags:
    parts = ((getattr(rows, name), getattr(more, name)) for name in ("actual", "predicted", "hits"))
    return Bags(*map(np.concatenate, parts))


def _reweighted(table: Table, weights: Array) -> Table:
    return replace(table, counts=weights, weights=weights, squares=weights)


def smoothed_moments(evidence: Evidence, z: float) -> tuple[Array, Array]:
    """Return value and standard error on the table with z²/(2K²) added to each of its K² cells.

    The plus-four idea (Agresti & Coull 1998) spread evenly: z²/2 rows in all. Every class then occurs, so no
    average is 0/0.
    """
    if evidence.matrix is None:
        value, variance, _ = _on_rows(evidence, smoothed_rows(evidence, z))
        return value, np.sqrt(variance)
    table = smoothed_table(evidence, z)
    made = moments(evidence.metric, table, selection=evidence.selection, undefined=evidence.undefined)
    return made.value, np.sqrt(made.variance)


def smoothed_moments_and_degrees(evidence: Evidence, z: float) -> tuple[Array, Array, Array]:
    """Return smoothed_moments with Satterthwaite's degrees of freedom of that variance: 2 V² / Var(V̂).

    V = Σ p φ² has the influence φ² + 2 H(pφ), H the metric's second derivative, so one step along pφ to each side
    gives it. Few rows in a class that weighs much leave V itself uncertain: then t is wider than z.
    (Satterthwaite 1946, Biometrics Bulletin 2:110; for one proportion Pan 2002, Comput. Stat. Data Anal. 40:143.)
    """
    if evidence.matrix is None:
        rows = smoothed_rows(evidence, z)
        value, variance, influence = _on_rows(evidence, rows)

        def at_rows(sides: Array) -> Array:
            return np.stack([_on_rows(evidence, _reweighted(rows, side))[2] for side in sides])

        return value, np.sqrt(variance), _degrees(rows.weights, influence, variance, at_rows)
    table = smoothed_table(evidence, z)
    options: Any = {"selection": evidence.selection, "undefined": evidence.undefined}
    here = moments(evidence.metric, table, **options)
    flat = (*table.shape[:-2], -1)

    def at_cells(sides: Array) -> Array:
        return moments(evidence.metric, sides.reshape(-1, *table.shape[-2:]), **options).influence.reshape(sides.shape)

    degrees = _degrees(table.reshape(flat), here.influence.reshape(flat), here.variance, at_cells)
    return here.value, np.sqrt(here.variance), degrees


def _on_rows(evidence: Evidence, table: Table) -> tuple[Array, Array, Array]:
    """Return value, variance of the value, and influence of each row."""
    model = None if evidence.linear is None else evidence.linear.model
    made = linearise(table, evidence.metric, model, evidence.undefined)
    n = table.weights.sum()
    return np.asarray(made.value), np.asarray(table.weights @ made.influence**2 / n**2), made.influence


def _degrees(table: Array, influence: Array, variance: Array, influence_at: Callable[[Array], Array]) -> Array:
    """Return 2 V² / Var(V̂) for the counts of cells (last axis) and the influence of a row in each."""
    n = table.sum(-1)
    largest = np.abs(influence).max(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = table * influence * np.where(largest > 0, SIDE_STEP / largest, 0.0)
        ahead, behind = influence_at(np.stack([table + along, table - along]))
        bend = (ahead - behind) * largest / (2 * SIDE_STEP)
        shares = table / n[..., None]
        spread = influence**2 + 2 * bend
        spread = spread - (shares * spread).sum(-1, keepdims=True)
        square = (shares * spread**2).sum(-1) / n
        return np.asarray(2 * (variance * n) ** 2 / square)
