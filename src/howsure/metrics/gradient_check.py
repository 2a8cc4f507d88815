"""A formula that hides its slope from the complex step would give a wrong interval without a word: refuse it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.gradient import moments, values_of
from howsure.metrics.metric import Metric
from howsure.types import Array

STEP = 1e-6
TOLERANCE = 1e-4
# Two tables with no equal or empty cells, on both sides of the kink that |fp − fn| or |tp − fp| has.
TABLES = np.array(
    [
        [[0.171, 0.053, 0.031], [0.067, 0.203, 0.109], [0.043, 0.131, 0.192]],
        [[0.059, 0.127, 0.173], [0.089, 0.101, 0.037], [0.113, 0.229, 0.072]],
    ]
)
DIRECTION = np.array([[0.31, -0.47, 0.83], [-0.19, 0.61, 0.23], [0.71, 0.11, -0.53]])
REMEDY = messages.ABS_ROUND_REAL_AND_LIKE()


@lru_cache(maxsize=1024)
def check_slopes(metric: Metric) -> None:
    """Refuse a formula whose complex-step slope is not its slope: both are taken along one direction.

    >>> check_slopes(Metric("gap", lambda c: abs(c.tp - c.fp) / c.total))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    howsure.errors.MetricError: formula of metric 'gap' has the slope -0.3082 at a trial table...
    """
    if metric.label is None or not _sound(replace(metric, name="any", label=None, aliases=(), canonical="")):
        _check(metric)


@lru_cache(maxsize=1024)
def _sound(of_any_class: Metric) -> bool:
    """Say whether a formula passes, which does not hang on the class that it is taken of: thousands are asked for."""
    try:
        _check(of_any_class)
    except MetricError:
        return False
    return True


def _check(metric: Metric) -> None:
    _check_cells(metric)
    if metric.over == "row":
        return
    selection = 0 if metric.over == "class" else None
    for table in TABLES:
        with np.errstate(all="ignore"):
            ends = [_value(metric, table + sign * STEP * DIRECTION, selection) for sign in (1, -1)]
            if ends[0] is None or ends[1] is None:
                return
            _compare(metric, (ends[0] - ends[1]) / (2 * STEP), _slope(metric, table, selection))


def _check_cells(metric: Metric) -> None:
    """Refuse a formula that asks for something that cells do not have."""
    selection = None if metric.over in ("classes", "matrix") else 0
    try:
        with np.errstate(all="ignore"):
            values_of(metric, TABLES[0], selection)
    except (AttributeError, TypeError) as error:
        raise MetricError(messages.METRIC_CANNOT_BE_COMPUTED_FROM_LABELS(metric=metric.name, error=error)) from None
    except (ArithmeticError, IndexError, ValueError):
        return


def _value(metric: Metric, table: Array, selection: int | None) -> Array | None:
    """Return the value, or None where the formula is not made for three classes."""
    try:
        return values_of(metric, table, selection)
    except (ArithmeticError, IndexError, ValueError):
        return None


def _slope(metric: Metric, table: Array, selection: int | None) -> Array:
    try:
        made = moments(metric, table, selection=selection)
    except (TypeError, ValueError) as error:
        raise MetricError(
            messages.FORMULA_OF_METRIC_WORKS_ON_NUMBERS(metric=metric.name, error=error, remedy=REMEDY)
        ) from error
    return np.asarray((made.influence * DIRECTION).sum() / table.sum())


def _compare(metric: Metric, plain: Array, complex_step: Array) -> None:
    size = 1.0 + abs(float(plain))
    if np.isfinite(plain) and not abs(float(plain) - float(complex_step)) <= TOLERANCE * size:
        raise MetricError(
            messages.FORMULA_OF_METRIC_HAS_SLOPE(
                metric=metric.name, plain=float(plain), complex_step=float(complex_step), remedy=REMEDY
            )
        )
