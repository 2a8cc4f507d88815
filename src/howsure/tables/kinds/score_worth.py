"""What the rows of a metric of scores are worth: its variance, and how many positives and negatives it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.metrics.metric import Metric
from howsure.metrics.scoring import ScoreInfluence, Worth
from howsure.tables.design import Design
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

BY_LEVEL = "by level"  # in the details of an estimate: its influences by score and class


def is_ranked(metric: Metric) -> bool:
    """Say whether a metric depends on the order of the scores alone."""
    return metric.scoring is not None and metric.scoring.ranked


def plain_levels(linear: Linearised, design: Design) -> ScoreInfluence | None:
    """Return the influences by level of an estimate on independent rows, whose sums over levels are those over rows."""
    levels: ScoreInfluence | None = linear.details.get(BY_LEVEL)
    plain = levels is not None and design is linear.design and design.independent
    return levels if plain and np.isfinite(linear.value) else None


def variance_of_levels(levels: ScoreInfluence, design: Design, *, ranked: bool) -> float:
    """Return Σφ²/n², of a ``ranked`` metric DeLong's: each class times n/(n − 1), nan where a class has one row."""
    factors = (1.0 if not ranked else n / (n - 1) if n > 1 else np.nan for n in levels.sizes)
    return sum(factor * square for factor, square in zip(factors, levels.squares, strict=True)) / design.total**2


def worth_of_levels(linear: Linearised, levels: ScoreInfluence) -> Worth:
    """Return what independent rows are worth, from sums over levels."""
    sizes = np.float64(levels.sizes[0]), np.float64(levels.sizes[1])
    first, second = (square / linear.design.total**2 for square in levels.squares)
    return Worth(
        np.float64(linear.value), np.float64(linear.variance), *sizes, sizes, (first, second), linear.degrees
    )  # fmt: skip


def worth_of_rows(linear: Linearised, first: Array) -> Worth:
    """Return what rows are worth of which ``first`` are of one class, in any design."""
    design = linear.design
    masks = first & (design.weights > 0), ~first & (design.weights > 0)
    (ones, few), (zeros, fewer) = (_alike(design, mask) for mask in masks)
    moved = np.nan_to_num(linear.influence) ** 2 * design.squares / design.total**2
    parts = float(moved[masks[0]].sum()), float(moved[masks[1]].sum())
    value, variance = np.float64(linear.value), np.float64(linear.variance)
    return Worth(value, variance, ones, zeros, (few, fewer), parts, linear.degrees)


def _alike(design: Design, mask: Array) -> tuple[np.float64, np.float64]:
    """Return how many rows that count alike some rows are worth (Kish 1965), and the same with groups as one row."""
    weight = float(design.weights[mask].sum())
    rows = weight**2 / float(design.squares[mask].sum()) if weight > 0 else 0.0
    if design.groups is None:
        return np.float64(rows), np.float64(rows)
    return np.float64(rows), np.float64(min(len(np.unique(design.groups[mask])), rows) if weight > 0 else 0.0)
