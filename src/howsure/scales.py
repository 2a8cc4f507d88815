"""Scales on which a metric has no ends: logit, log, atanh. Limits made there stay in the metric's range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.cells import Array


@dataclass(frozen=True, slots=True)
class Scale:
    """An increasing map from a metric's range to the whole line, its inverse and its slope."""

    name: str
    to: Callable[[Any], Array]
    back: Callable[[Any], Array]
    slope: Callable[[Any], Array]


def scale_of(range_: tuple[float, float]) -> Scale:
    """Return the scale of a range: logit for two ends, atanh for [−1, 1], log for one end, plain for none.

    >>> scale_of((0.0, 1.0)).name, scale_of((-1.0, 1.0)).name, scale_of((0.0, float("inf"))).name
    ('logit', 'atanh', 'log')
    """
    bottom, top = range_
    if np.isinf(bottom):
        return Scale("plain", np.asarray, np.asarray, np.ones_like)
    if np.isinf(top):
        return Scale("log", lambda x: np.log(x - bottom), lambda y: bottom + np.exp(y), lambda x: 1 / (x - bottom))
    width = top - bottom
    if (bottom, top) == (-1.0, 1.0):
        return Scale("atanh", np.arctanh, np.tanh, lambda x: 1 / (1 - np.square(x)))
    return Scale(
        "logit",
        lambda x: np.log((x - bottom) / (top - x)),
        lambda y: bottom + width / (1 + np.exp(-np.asarray(y, dtype=float))),
        lambda x: width / ((x - bottom) * (top - x)),
    )


def on_scale(value: Any, se: Any, quantile: Any, range_: tuple[float, float]) -> tuple[Array, Array]:
    """Return h⁻¹(h(value) ± quantile · se · h'(value)): the delta method on the scale of the range."""
    scale = scale_of(range_)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        centre, half = scale.to(value), np.asarray(quantile * se) * scale.slope(value)
        return scale.back(centre - half), scale.back(centre + half)
