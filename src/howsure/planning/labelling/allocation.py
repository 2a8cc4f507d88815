"""Labels shared out between strata of a pool: Neyman's allocation, with what the estimate afterwards allows for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import planning as messages
from howsure.metrics.gradient import moments
from howsure.metrics.metric import Label, Metric, selection_of
from howsure.tables.population import Population
from howsure.tables.sampling.rule import HIDDEN
from howsure.types import Array, Ints

LEAST = 2
STEPS = 60  # of the iteration for the allocation, which settles within twenty


@dataclass(frozen=True)
class StrataCells:
    """Shares of a pool by true class (rows) and stratum (columns), and the predicted class that each stratum has.

    ``classes`` says that the strata are the predicted classes themselves.
    """

    shares: Array
    predicted: Ints
    labels: tuple[Label, ...]
    positive: Label | None = None
    classes: bool = False


def predicted_classes(source: Population) -> StrataCells:
    """Return the predicted classes that occur as strata."""
    held = np.flatnonzero(source.shares.sum(0) > 0)
    return StrataCells(source.shares[:, held], held, tuple(source.labels), source.positive, classes=True)


@dataclass(frozen=True)
class Pool:
    """The strata: shares of the pool, s(φ) within each, δ² of a row of another label; the whole's variance.

    ``simple`` is n times the variance of simple random labelling.
    """

    value: float
    shares: Array
    spread: Array
    hidden: Array
    simple: float

    def variance(self, labels: Array) -> float:
        """Return the variance that is to be expected of ``stratified``: Σ W²(s² + 2δ²/n)/n over what I grows by."""
        unseen = HIDDEN * self.hidden / labels
        found = float((self.shares**2 * (self.spread**2 + unseen) / labels).sum())
        return found * self.simple / (self.simple + float(self.shares @ unseen)) if self.simple > 0 else found

    def sizes(self, rows: float) -> Array:
        """Return labels in proportion to W·√(s² + 4δ²/n), which makes Σ W²(s² + 2δ²/n)/n least; no whole numbers."""
        labels = np.full(len(self.shares), rows / len(self.shares))
        for _ in range(STEPS):
            sizes = self.shares * np.sqrt(self.spread**2 + 2 * HIDDEN * self.hidden / np.maximum(labels, 1.0))
            labels = rows * (sizes / sizes.sum() if sizes.sum() > 0 else np.full(len(sizes), 1 / len(sizes)))
        return np.asarray(labels)

    def allocated(self, rows: int) -> Array:
        """Return the labels of each stratum, whole numbers of two or more."""
        return whole_labels(rows, self.sizes(rows))


def pool_of(metric: Metric, cells: StrataCells) -> Pool:
    """Return the strata of a pool with what a row of each does to the metric."""
    size = len(cells.shares)
    table = np.zeros((size, size))
    np.add.at(table.T, cells.predicted, cells.shares.T)
    found = moments(metric, table, selection=selection_of(metric, cells.labels, cells.positive))
    if not math.isfinite(float(found.variance)):
        raise MetricError(messages.METRIC_IS_UNDEFINED_OR_HAS_NO_SLOPE_AT_PERFORMANCE(metric=metric.name))
    moved = found.influence[:, cells.predicted]
    seen = np.where(cells.shares > 0, moved, 0.0)
    shares = cells.shares.sum(0)
    mean = (cells.shares * seen).sum(0) / shares
    spread = np.sqrt(np.maximum((cells.shares * (seen - mean) ** 2).sum(0) / shares, 0.0))
    hidden = np.where(np.isfinite(moved), moved - mean, 0.0) ** 2
    return Pool(float(found.value), shares, spread, hidden.mean(0), float(found.variance * found.n))


def whole_labels(rows: int, sizes: Array, least: Array | int = LEAST, most: Array | float = math.inf) -> Ints:
    """Return whole numbers of labels in proportion to the sizes that sum to the rows, between ``least`` and ``most``.

    >>> whole_labels(20, np.array([1.0, 9.0, 90.0])).tolist()
    [2, 2, 16]
    >>> whole_labels(20, np.array([1.0, 9.0, 90.0]), most=np.array([9.0, 9.0, 10.0])).tolist()
    [2, 8, 10]
    """
    low, high = np.broadcast_to(least, sizes.shape).astype(float), np.broadcast_to(most, sizes.shape).astype(float)
    scale = sizes / sizes.sum() if sizes.sum() > 0 else np.full(len(sizes), 1 / len(sizes))
    scale = np.maximum(scale, 1e-12)  # a stratum of no size takes what no other has room for
    bottom, top = 0.0, 1.0
    while np.clip(top * scale, low, high).sum() < min(rows, float(high.sum())) * (1 - 1e-12) and top < 1e300:
        bottom, top = top, 4 * top
    for _ in range(200):
        middle = (bottom + top) / 2
        bottom, top = (middle, top) if np.clip(middle * scale, low, high).sum() < rows else (bottom, middle)
    ideal = np.clip(top * scale, low, high)
    labels = np.floor(ideal + 1e-9)
    order = np.argsort(labels - ideal, kind="stable")
    for place in [*order, *order]:
        if labels.sum() >= rows:
            break
        labels[place] += labels[place] < high[place]
    return np.asarray(labels, dtype=np.int64)
