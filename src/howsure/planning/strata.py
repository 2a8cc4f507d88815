"""hs.plan_strata: how many rows of each predicted class, or of judge × prediction, to label when labels are costly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import planning as messages
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.numerics.solving import first_count
from howsure.planning.expected import Expected
from howsure.planning.labelling.allocation import LEAST, Pool, StrataCells, pool_of, predicted_classes
from howsure.planning.labelling.said_strata import cells_of, strata_of
from howsure.planning.pilots import has_matrix, pilot_population, pilot_table
from howsure.planning.plan import whole
from howsure.results.plans.strata import StrataPlan
from howsure.tables.kinds.annotators.said_rows import said_rows
from howsure.tables.population import Population, population_of
from howsure.tables.table import Table

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
    ``pilot`` of any number of classes. A pilot with a judge makes strata of judge × prediction; ``hs.choose`` draws the
    rows. Estimate afterwards with ``stratified``.

    >>> plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7).allocation
    {0: 363, 1: 137}
    """
    chosen, tail = named(metric).check_own_prevalence(), Tail(level)
    known = Expected(prevalence, predicted, precision, recall, specificity, npv)
    names, cells = _strata(chosen, pilot, known)
    pool = pool_of(chosen, cells)
    labels = pool.allocated(_rows(pool, tail, n, half_width, se))
    error = math.sqrt(pool.variance(labels))
    return StrataPlan(
        metric=chosen.name, n=int(labels.sum()), allocation=dict(zip(names, labels.tolist(), strict=True)),
        shares=dict(zip(names, pool.shares.tolist(), strict=True)), value=pool.value, se=error,
        half_width=tail.z * error, random_se=math.sqrt(pool.simple / float(labels.sum())), level=level,
        kind="predicted class" if cells.classes else "kind of row",
    )  # fmt: skip


def _strata(metric: Metric, pilot: Any, known: Expected) -> tuple[list[Any], StrataCells]:
    """Return the names of the strata and their cells: predicted classes, or with a judge judge × prediction."""
    sides = said_rows(pilot) if isinstance(pilot, Table) else None
    if sides is None or not sides.judges.shape[1]:
        source = _source(metric, pilot, known)
        cells = predicted_classes(source)
        return [source.labels[place] for place in cells.predicted], cells
    pilot_table(pilot)
    if known.performance or known.predicted is not None or known.prevalence is not None:
        raise InputError(messages.GIVE_PILOT_OR_WHAT_YOU_EXPECT())
    kinds = strata_of(sides)
    return list(kinds.names), cells_of(sides, kinds, 0, pilot.pos_label)[1]


def _source(metric: Metric, pilot: Any, known: Expected) -> Population:
    if pilot is None:
        shares = known.shares(metric)
        if shares is None:
            raise InputError(messages.GIVE_PREDICTED_WITH_PRECISION_AND_RECALL())
        return population_of(shares)
    if known.performance or known.predicted is not None:
        raise InputError(messages.GIVE_PILOT_OR_PERFORMANCE_YOU_EXPECT())
    table = pilot_table(pilot)
    if not has_matrix(table):
        raise InputError(messages.PILOT_MUST_BE_FULL_CONFUSION_MATRIX())
    return pilot_population(table, known.prevalence)


def _rows(pool: Pool, tail: Tail, n: int | None, half_width: float | None, se: float | None) -> int:
    classes = len(pool.shares)
    if sum(value is not None for value in (n, half_width, se)) != 1:
        raise InputError(messages.GIVE_EXACTLY_ONE_OF_N_HALF_WIDTH())
    if n is not None:
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < LEAST * classes:
            why = messages.LABELS_IN_EACH_OF_PREDICTED_CLASSES(least=LEAST, classes=classes)
            raise InputError.of("n", n, messages.WHOLE_NUMBER_OR_LARGER(least=LEAST * classes, why=why))
        return int(n)
    error = se if se is not None else (half_width or math.nan) / tail.z
    if not 0 < error < math.inf:
        raise InputError(messages.TARGET_NUMBER_LARGER_THAN_0(half_width=half_width if se is None else se))
    return _fewest(pool, error)


def _fewest(pool: Pool, error: float) -> int:
    """Return the fewest labels whose expected error is small enough, between those without hidden rows and enough."""

    def holds(rows: int) -> bool:
        return pool.variance(pool.allocated(rows)) <= error**2 * (1 + TOLERANCE)

    low = LEAST * len(pool.shares)
    if holds(low):
        return low
    high = max(2 * low, whole(float(pool.shares @ pool.spread) ** 2 / error**2))
    while not holds(high):
        low, high = high, 2 * high
    return first_count(holds, low, high)
