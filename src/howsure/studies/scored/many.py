"""Many samples of scores at once: value, variance and worth of AUC and average precision in each, as evidence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.estimates.evidence import Evidence
from howsure.metrics.metric import Metric
from howsure.metrics.ranking import placements, precision_steps
from howsure.metrics.scoring import UnderNull, Worth
from howsure.types import Array, Ints

Moved = Callable[[Array, Array, Ints, Array], tuple[Array, Array]]


class ManyScores(Evidence):
    """A metric of scores on many samples of independent rows that count alike."""

    def __init__(self, metric: Metric, truth: Array, scores: Array) -> None:
        value, moved, truth, self._order = _influences(metric, truth, scores)
        self._moved = moved
        rows, ones = truth.shape[1], truth.sum(1)
        zeros = rows - ones
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = [(moved**2 * part).sum(1) / rows**2 for part in (truth, ~truth)]
            factors = [np.where(size > 1, size / (size - 1), np.nan) for size in (ones, zeros)]
        self.metric, self.value, self.has_cells, self.countable = metric, value, False, False
        self.variance = sum(part * factor for part, factor in zip(squares, factors, strict=True))
        self.n = self.size = np.full(len(value), float(rows))
        sizes = ones.astype(float), zeros.astype(float)
        self._worth = Worth(value, self.variance, *sizes, sizes, (squares[0], squares[1]))
        self.matrix = None

    @property
    def influence(self) -> Array:
        """The influence of each row (samples, n), in the order in which rows came."""
        found = np.empty_like(self._moved)
        np.put_along_axis(found, self._order, self._moved, 1)
        return found

    @property
    def null(self) -> UnderNull | None:
        """The variance that each value would have if another were true."""
        scoring = self.metric.scoring
        assert scoring is not None
        with np.errstate(divide="ignore", invalid="ignore"):
            return None if scoring.null is None else scoring.null(self._worth)

    @property
    def worth(self) -> Worth:
        """How many rows of each class each sample has."""
        return self._worth


def _influences(metric: Metric, truth: Array, scores: Array) -> tuple[Array, Array, Array, Ints]:
    """Return value, influences (samples, n) and truth, rows in the order of their scores, and that order."""
    order = np.argsort(scores, axis=1)
    truth, scores = (np.take_along_axis(part, order, 1) for part in (truth, scores))
    positives, negatives, place = _runs(truth, scores)
    total, ones = truth.shape[1], truth.sum(1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        value, moved = MANY[metric.canonical](positives, negatives, place, truth)
        lone = (ones == 0) | (ones == total)
        return np.where(lone[:, 0], np.nan, value), moved, truth, order


def _runs(truth: Array, scores: Array) -> tuple[Array, Array, Ints]:
    """Return positives and negatives at each level of each sample, and the level of each row; ties are one level."""
    new = np.ones(scores.shape, dtype=bool)
    new[:, 1:] = scores[:, 1:] != scores[:, :-1]
    place = np.cumsum(new, axis=1) - 1
    if new.all():
        return truth.astype(float), (~truth).astype(float), place
    samples, width = scores.shape[0], int(place.max()) + 1
    at = (np.arange(samples)[:, None] * width + place).ravel()
    first, second = (np.bincount(at, part.ravel(), samples * width).reshape(samples, width) for part in (truth, ~truth))
    return first, second, place


def _auc(positives: Array, negatives: Array, place: Ints, truth: Array) -> tuple[Array, Array]:
    value, below, above = placements(positives, negatives)
    total, ones = truth.shape[1], truth.sum(1)[:, None]
    moved = np.where(
        truth,
        (np.take_along_axis(below, place, 1) - value[:, None]) * (total / ones),
        (np.take_along_axis(above, place, 1) - value[:, None]) * (total / (total - ones)),
    )
    return value, moved


def _average_precision(positives: Array, negatives: Array, place: Ints, truth: Array) -> tuple[Array, Array]:
    value, precision, first, second = precision_steps(positives, negatives)
    steps = (np.take_along_axis(part, place, 1) for part in (precision, first, second))
    at, gained, lost = steps
    own = np.where(truth, at + gained - value[:, None], 0.0)
    return value, (own - lost) * (truth.shape[1] / truth.sum(1)[:, None])


MANY: dict[str, Moved] = {"auc": _auc, "average_precision": _average_precision}
