"""hs.plan_strata: how many predicted positives and predicted negatives to label when labels are costly."""

from __future__ import annotations

import math
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
from howsure.types import Array

LEAST = 2


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

    Labels in class h go as W_h·s_h: its share of the pool times the spread of the influence within it (Neyman 1934).
    Give ``n``, or the ``half_width`` or ``se`` to reach, and what is expected: ``predicted`` (the share predicted
    positive, which the pool tells) with precision and recall or npv, or any three rates that fix the table; or a
    ``pilot`` of any number of classes. Estimate afterwards with ``stratified``.

    >>> plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7).allocation
    {0: 360, 1: 140}
    """
    chosen, tail = named(metric), Tail(level)
    known = Expected(prevalence, predicted, precision, recall, specificity, npv)
    source = _source(chosen, pilot, known)
    value, shares, spread, simple = _spreads(chosen, source)
    root = float(shares @ spread)
    rows = _rows(root, tail, n, half_width, se, len(shares))
    labels = _allocated(rows, shares * spread)
    error = math.sqrt(float((shares**2 * spread**2 / labels).sum()))
    names = [name for name, share in zip(source.labels, source.shares.sum(0), strict=True) if share > 0]
    return StrataPlan(
        metric=chosen.name, n=int(labels.sum()), allocation=dict(zip(names, labels.tolist(), strict=True)),
        shares=dict(zip(names, shares.tolist(), strict=True)), value=value, se=error, half_width=tail.z * error,
        random_se=math.sqrt(simple / float(labels.sum())), level=level,
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


def _spreads(metric: Metric, source: Population) -> tuple[float, Array, Array, float]:
    """Return the value, the shares of the predicted classes, s_h(φ) within each, and n·variance of simple sampling."""
    found = moments(metric, source.shares, selection=selection_of(metric, source.labels, source.positive))
    if not math.isfinite(float(found.variance)):
        raise MetricError(f"metric {metric.name!r} is undefined or has no slope at the performance expected")
    held = source.shares.sum(0) > 0
    cells, moved = source.shares[:, held], found.influence[:, held]
    moved = np.where(cells > 0, moved, 0.0)
    shares = cells.sum(0)
    mean = (cells * moved).sum(0) / shares
    spread = np.sqrt(np.maximum((cells * (moved - mean) ** 2).sum(0) / shares, 0.0))
    return float(found.value), shares, spread, float(found.variance * found.n)


def _rows(root: float, tail: Tail, n: int | None, half_width: float | None, se: float | None, classes: int) -> int:
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
    return max(whole(root**2 / error**2), LEAST * classes)


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
