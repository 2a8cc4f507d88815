"""Metrics of named sums: the mean of row values, a ratio of two sums, any smooth formula of them.

A table of labels shows a formula its cells; a table of row values shows it ``mean``, one of sums per unit its sums by
their names. The slopes come from the same complex step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from howsure.errors import MetricError, nearest, quoted
from howsure.errors.messages import metrics as messages
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import STEEP, STEP
from howsure.metrics.gradient_check import REMEDY, TOLERANCE
from howsure.metrics.metric import Metric
from howsure.types import Array

CELLS = {"tp", "fp", "fn"}
SIDE = 1e-6
ROUNDING = 1e-9
LINES = ((0.3, 1.7), (1.9, 0.6), (0.8, 2.3))  # where lines begin, and their directions, turn by turn


class NamedSums:
    """What a formula sees of a table that holds no labels: numbers by their names, batch axes first."""

    def __init__(self, metric: Metric, names: Sequence[str], numbers: Array) -> None:
        self._metric = metric.name
        self._places = {name: place for place, name in enumerate(names)}
        self._numbers = numbers

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Any:
        if name not in self._places and self._places.keys() >= CELLS:
            tn = self["tn"] if "tn" in self._places else np.full(np.shape(self["tp"]), np.nan)
            cells = Cells(self["tp"], self["fp"], self["fn"], tn)
            if hasattr(cells, name):
                return getattr(cells, name)
        if name not in self._places:
            raise MetricError(
                messages.METRIC_ASKS_FOR_AND_TABLE_HOLDS(
                    metric=self._metric, name=name, places=quoted(self._places), hint=nearest(name, self._places)
                )
            )
        return self._numbers[..., self._places[name]]


def value_at(metric: Metric, names: Sequence[str], numbers: Array) -> Array:
    """Return a metric at named numbers (last axis); 0/0 is nan."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = metric.formula(NamedSums(metric, names, numbers))  # type: ignore[arg-type]
    try:
        return np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise MetricError(messages.FORMULA_OF_METRIC_GAVE(metric=metric.name, found=found)) from None


def slopes_at(metric: Metric, names: Sequence[str], numbers: Array) -> Array:
    """Return the slopes in each number, by complex step; refuse a formula that hides them from it."""
    steps = np.maximum(np.abs(numbers), 1.0)
    with np.errstate(all="ignore"):
        nudged = numbers + 1j * STEP * np.diag(steps)
        try:
            found = np.broadcast_to(np.imag(metric.formula(NamedSums(metric, names, nudged))), steps.shape)  # type: ignore[arg-type]
        except TypeError as error:
            raise MetricError(
                messages.FORMULA_OF_METRIC_WORKS_ON_NUMBERS(metric=metric.name, error=error, remedy=REMEDY)
            ) from error
        slopes = found / STEP / steps
    slopes = np.where(np.abs(slopes) > STEEP, np.nan, slopes)
    _check(metric, names, numbers, slopes)
    return slopes


def _check(metric: Metric, names: Sequence[str], numbers: Array, slopes: Array) -> None:
    """Compare with a plain difference, one number at a time."""
    for place, slope in enumerate(slopes):
        step = SIDE * max(abs(float(numbers[place])), SIDE)
        sides = np.array([numbers, numbers])
        sides[:, place] += [step, -step]
        ahead, behind = value_at(metric, names, sides)
        if not np.isfinite([ahead, behind]).all():
            continue
        plain = (ahead - behind) / (2 * step)
        blur = 1e-9 * (abs(ahead) + abs(behind)) / step  # what rounding leaves of a difference
        if np.isfinite(plain) and np.isfinite(slope) and abs(plain - slope) > TOLERANCE * (1 + abs(plain)) + blur:
            raise MetricError(
                messages.FORMULA_OF_METRIC_HAS_SLOPE_IN_AND_COMPLEX(
                    metric=metric.name, plain=plain, names=names[place], slope=slope, remedy=REMEDY
                )
            )


def is_ratio(metric: Metric, names: Sequence[str]) -> bool:
    """Say whether a formula is a ratio of two weighted sums: on every line it then is (a + bt)/(c + dt).

    Such a function keeps the cross ratio of four points, and no other smooth one does on every line.
    """
    starts, ways = (np.resize([pair[end] for pair in LINES], len(names)) for end in (0, 1))
    turned = ways * np.linspace(1.0, 1.6, len(names))
    for way in (ways, turned):
        points = np.array([0.0, 0.7, 1.5, 2.6])
        found = value_at(metric, names, starts + points[:, None] * way)
        if np.ptp(found) > ROUNDING and not abs(_cross(found) - _cross(points)) < ROUNDING:
            return False
    return True


def _cross(four: Array) -> float:
    a, b, c, d = four
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((a - c) * (b - d) / ((b - c) * (a - d)))


def _quotient(over: str, under: str, sums: Any) -> Any:
    return sums[over] / sums[under]


@lru_cache(maxsize=1024)
def quotient(over: str, under: str) -> Metric:
    """Return the ratio of two sums by their names, such as errors/words.

    >>> quotient("errors", "words").name
    'errors/words'
    """
    return Metric(
        f"{over}/{under}", partial(_quotient, over, under), range=(0.0, math.inf), better=None,
        text=f"{over} in all over {under} in all",
    )  # fmt: skip


def _mean(values: Any) -> Any:
    return values.mean


def _chance_corrected(d: Any) -> Any:
    return 1 - d.observed / d.expected


def _alpha(d: Any) -> Any:
    return 1 - d.observed / d.expected * (d.ratings - 1) / d.ratings


# Of several annotators: what they disagree in, item by item, beside what their ratings would if dealt out anew.
FLEISS = Metric(
    "fleiss_kappa", _chance_corrected, over="values", range=(-1.0, 1.0), text="1 − observed/expected disagreement"
)
KRIPPENDORFF = Metric(
    "krippendorff_alpha", _alpha, over="values", range=(-1.0, 1.0),
    text="1 − observed/expected disagreement, expected over pairs of different ratings",
)  # fmt: skip
MEAN = Metric("mean", _mean, over="values", range=(-math.inf, math.inf), text="mean of row values")
OF_VALUES: tuple[Metric, ...] = (MEAN,)
