"""hs.threshold: the best threshold among those that are shown to reach a bound."""

from __future__ import annotations

import math

import numpy as np

from howsure.errors import InputError, check_number
from howsure.errors.messages import estimates as messages
from howsure.estimates.catalogue import own_limits
from howsure.estimates.estimate import check_table
from howsure.estimates.methods.band import Band, band_of, evidence_at
from howsure.estimates.tail import Tail, tail_at
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.metrics.thresholds import best_place, values_over
from howsure.results.base import Note, note_of
from howsure.results.curves.curve import ThresholdChoice
from howsure.sources.kinds.runs import without_runs
from howsure.tables.table import Table
from howsure.types import Array, Ints, Side

MOST_TIMES = 1e6


def threshold(
    table: Table,
    metric: MetricLike,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    then: MetricLike = "recall",
    model: str | None = None,
    level: float = 0.95,
) -> ThresholdChoice:
    """Return the threshold best for ``then`` among those at which the metric is shown to reach a bound.

    A row is positive when its score is at least the threshold. The bounds are one-sided and hold at all thresholds
    together, so the one that is chosen misses the bound with probability 1 − level at most, however it was chosen.
    Without such a threshold it says how many more positives would show one.

    >>> from howsure import table
    >>> t = table([0] * 50 + [1] * 50, scores=[k / 100 for k in range(100)])
    >>> threshold(t, "precision", at_least=0.8).threshold
    0.5
    """
    check_table(table)
    goal, wanted = _label_metric(metric, "metric"), _label_metric(then, "then")
    if (at_least is None) == (at_most is None):
        raise InputError(messages.GIVE_ONE_OF_AT_LEAST_AND_AT_MOST())
    bound = check_number(
        "at_least" if at_most is None else "at_most", at_least if at_most is None else at_most,
        messages.FINITE_NUMBER(),
    )  # fmt: skip
    one = without_runs(table, model, "a threshold")
    rows, rising = one.contents.scored(0), at_most is None
    side: Side = "lower" if rising else "upper"
    found = band_of(rows, one.design, goal, Tail(level, side), own_limits, degrees=one.design.degrees())
    ends = found.low if rising else found.high
    shown = np.isfinite(found.value) & (ends >= bound if rising else ends <= bound)
    direction = "at least" if rising else "at most"
    if not shown.any():
        return _none(one, goal, found, bound, direction, level, rising)
    after = values_over(wanted, found.at)
    place = int(best_place(wanted, after, shown))
    place = place if place >= 0 else int(np.flatnonzero(shown)[0])
    return ThresholdChoice(
        goal.name, one.model, float(found.at.levels[place]), bound, direction, level, one.n, float(found.value[place]),
        float(ends[place]), wanted.name, float(after[place]), q=found.q, notes=_notes(found),
    )  # fmt: skip


def _label_metric(metric: MetricLike, argument: str) -> Metric:
    found = named(metric)
    if found.scoring is not None or found.cut is not None:
        raise InputError(messages.NO_METRIC_OF_LABELS_AT_THRESHOLD(argument=argument, found=found.name))
    return found


def _notes(found: Band) -> tuple[Note, ...]:
    return (note_of("bounds critical", "band", detail=True, size=len(found.value), q=f"{found.q:.3f}"),)


def _none(
    one: Table, metric: Metric, found: Band, bound: float, direction: str, level: float, rising: bool
) -> ThresholdChoice:
    """Return that no threshold is shown to reach the bound, and how many more positives would show one."""
    beyond = found.value - bound if rising else bound - found.value
    needed = np.full(len(beyond), math.inf)
    some = np.flatnonzero(beyond > 0)
    if len(some):
        needed[some] = _times(metric, found, some, bound, rising)
    place = int(np.argmin(needed)) if np.isfinite(needed).any() else int(np.nanargmax(beyond))
    ones = float(one.design.counts @ one.contents.scored(0).positive)
    more = ones * (needed[place] - 1) if math.isfinite(needed[place]) else math.nan
    ends = found.low if rising else found.high
    return ThresholdChoice(
        metric.name, one.model, None, bound, direction, level, one.n, float(found.value[place]), float(ends[place]),
        more_positives=more, nearest=float(found.at.levels[place]), q=found.q, notes=_notes(found),
    )  # fmt: skip


def _times(metric: Metric, found: Band, places: Ints, bound: float, rising: bool) -> Array:
    """Return how many times as many rows would move the limit at each of some thresholds beyond the bound."""
    at, size, tail = found.at.take(places), found.size[places], tail_at(found.q)

    def reached(times: Array) -> Array:
        _, limits = own_limits(evidence_at(metric, at, size * times), tail)
        return np.asarray(limits.low >= bound if rising else limits.high <= bound)

    low, high = np.ones(len(places)), np.full(len(places), 2.0)
    while (short := ~reached(high) & (high <= MOST_TIMES)).any():
        low, high = np.where(short, high, low), np.where(short, high * 2, high)
    beyond = high > MOST_TIMES
    while (high / low).max() > 1.005:
        middle = np.sqrt(low * high)
        kept = reached(middle)
        low, high = np.where(kept, low, middle), np.where(kept, middle, high)
    return np.where(beyond, math.inf, high)
