"""hs.plan_strata: how many predicted positives and predicted negatives to label when labels are costly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, MetricError, setting
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.metric import Metric, selection_of
from howsure.metrics.names import MetricLike, named
from howsure.planning.expected import Expected
from howsure.planning.pilots import has_matrix, pilot_population, pilot_table
from howsure.planning.plan import whole
from howsure.results.plans.strata import StrataPlan
from howsure.tables.population import Population, population_of
from howsure.tables.sampling.rule import HIDDEN
from howsure.types import Array

LEAST = 2
STEPS = 60  # of the iteration for the allocation, which settles within twenty
TOLERANCE = 1e-9


def plan_strata(
    metric: MetricLike,
    *,
    n: int | None = None,
    half_width: float | None = None,
    se: float | None = None,
    level: float = 0.95,
    prevalence: float | None = None,
    predicted: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    specificity: float | None = None,
    npv: float | None = None,
    pilot: Any = None,
) -> StrataPlan:
    """Return how to share labels between predicted positives and negatives, for a metric known best with n labels.

    Labels in class h go as W_h·s_h: its share of the pool times the spread of the influence within it (Neyman 1934), a
    little more evenly with few labels: the error is that of ``stratified``, which allows for two hidden rows in each.
    Give ``n``, or the ``half_width`` or ``se`` to reach, and what is expected: ``predicted`` (the share predicted
    positive, which the pool tells) with precision and recall or npv, or any three rates that fix the table; or a
    ``pilot`` of any number of classes. Estimate afterwards with ``stratified``.

    >>> plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7).allocation
    {0: 363, 1: 137}
    """
    chosen, tail = named(metric).check_own_prevalence(), Tail(level)
    known = Expected(prevalence, predicted, precision, recall, specificity, npv)
    source = _source(chosen, pilot, known)
    pool = _pool(chosen, source)
    labels = pool.allocated(_rows(pool, tail, n, half_width, se))
    error = math.sqrt(pool.variance(labels))
    names = [name for name, share in zip(source.labels, source.shares.sum(0), strict=True) if share > 0]
    return StrataPlan(
        metric=chosen.name, n=int(labels.sum()), allocation=dict(zip(names, labels.tolist(), strict=True)),
        shares=dict(zip(names, pool.shares.tolist(), strict=True)), value=pool.value, se=error,
        half_width=tail.z * error, random_se=math.sqrt(pool.simple / float(labels.sum())), level=level,
    )  # fmt: skip


def _source(metric: Metric, pilot: Any, known: Expected) -> Population:
    if pilot is None:
        shares = known.shares(metric)
        if shares is None:
            raise InputError(
                f"give {setting('predicted')} with {setting('precision')} and {setting('recall')} (or "
                f"{setting('npv')}), or a pilot: what to expect"
            )
        return population_of(shares)
    if known.performance or known.predicted is not None:
        raise InputError("give a pilot or the performance you expect, not both: the pilot says what to expect")
    table = pilot_table(pilot)
    if not has_matrix(table):
        raise InputError("pilot must be a full confusion matrix of equal rows with one label each")
    return pilot_population(table, known.prevalence)


@dataclass(frozen=True)
class _Pool:
    """The predicted classes: shares of the pool, s(φ) within each, δ² of a row of another label; the whole's variance.

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

    def allocated(self, rows: int) -> Array:
        """Return the labels of each class that make Σ W²(s² + 2δ²/n)/n least: n goes as W·√(s² + 4δ²/n)."""
        labels = np.full(len(self.shares), rows / len(self.shares))
        for _ in range(STEPS):
            sizes = self.shares * np.sqrt(self.spread**2 + 2 * HIDDEN * self.hidden / np.maximum(labels, 1.0))
            labels = rows * (sizes / sizes.sum() if sizes.sum() > 0 else np.full(len(sizes), 1 / len(sizes)))
        return _allocated(rows, labels)


def _pool(metric: Metric, source: Population) -> _Pool:
    """Return the predicted classes of a population with what a row of each does to the metric."""
    found = moments(metric, source.shares, selection=selection_of(metric, source.labels, source.positive))
    if not math.isfinite(float(found.variance)):
        raise MetricError(f"metric {metric.name!r} is undefined or has no slope at the performance expected")
    held = source.shares.sum(0) > 0
    cells, moved = source.shares[:, held], found.influence[:, held]
    seen = np.where(cells > 0, moved, 0.0)
    shares = cells.sum(0)
    mean = (cells * seen).sum(0) / shares
    spread = np.sqrt(np.maximum((cells * (seen - mean) ** 2).sum(0) / shares, 0.0))
    hidden = np.where(np.isfinite(moved), moved - mean, 0.0) ** 2
    return _Pool(float(found.value), shares, spread, hidden.mean(0), float(found.variance * found.n))


def _rows(pool: _Pool, tail: Tail, n: int | None, half_width: float | None, se: float | None) -> int:
    classes = len(pool.shares)
    if sum(value is not None for value in (n, half_width, se)) != 1:
        raise InputError(
            f"give exactly one of {setting('n')}, {setting('half_width')} and {setting('se')}: the labels there are, "
            "or what should be reached"
        )
    if n is not None:
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < LEAST * classes:
            why = f"{LEAST} labels in each of {classes} predicted classes"
            raise InputError.of("n", n, f"it must be a whole number, {LEAST * classes} or larger: {why}")
        return int(n)
    error = se if se is not None else (half_width or math.nan) / tail.z
    if not 0 < error < math.inf:
        raise InputError(f"the target is {half_width if se is None else se!r}; it must be a number larger than 0")
    return _fewest(pool, error)


def _fewest(pool: _Pool, error: float) -> int:
    """Return the fewest labels whose expected error is small enough, between those without hidden rows and enough."""

    def holds(rows: int) -> bool:
        return pool.variance(pool.allocated(rows)) <= error**2 * (1 + TOLERANCE)

    low = LEAST * len(pool.shares)
    if holds(low):
        return low
    high = max(2 * low, whole(float(pool.shares @ pool.spread) ** 2 / error**2))
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _allocated(rows: int, sizes: Array) -> Array:
    """Return whole numbers of labels near proportion to the sizes, at least two each, that sum to the rows."""
    classes = len(sizes)
    spare = rows - LEAST * classes
    ideal = rows * (sizes / sizes.sum() if sizes.sum() > 0 else np.full(classes, 1 / classes))
    extra = np.maximum(ideal - LEAST, 0.0)
    extra = extra * spare / extra.sum() if extra.sum() > 0 else np.full(classes, spare / classes)
    labels = np.floor(extra).astype(np.int64)
    order = np.argsort(labels - extra, kind="stable")
    labels[order[: spare - int(labels.sum())]] += 1
    return np.asarray(labels + LEAST)
