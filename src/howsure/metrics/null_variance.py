"""The variance that an estimate of scores would have if another value were true: what a score interval is made of.

Near an end of the range the rows say next to nothing about the spread, so a model's shape speaks; elsewhere the
influences do. The ratio of the two variances, a design effect, is shrunk to what the model says by ``CAUTION`` rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import digamma, expit, logit

from howsure.metrics.scoring import UnderNull, Worth
from howsure.types import Array

CAUTION = 4.0
MARGIN = 1.25  # by which tails heavier than exponential ones may exceed the shape of AUC


def hanley_mcneil(area: Any, positives: Any, negatives: Any) -> Array:
    """Return the variance of AUC where both classes have exponential scores, which is near to that of normal ones.

    θ(1−θ)[1 + (n₁−1)(1−θ)/(2−θ) + (n₀−1)θ/(1+θ)]/(n₁n₀). Hanley & McNeil (1982) Radiology 143:29.

    >>> round(float(hanley_mcneil(0.9, 50, 50)) ** 0.5, 4)
    0.0321
    """
    spread = 1 + (positives - 1) * (1 - area) / (2 - area) + (negatives - 1) * area / (1 + area)
    return np.asarray(area * (1 - area) * spread / (positives * negatives))


def either_shape(area: Any, positives: Any, negatives: Any) -> Array:
    """Return the larger of Hanley and McNeil's variance and of the same with the classes, and the order, exchanged.

    Theirs has the tail that overlaps among the positives, so most of the variance falls to them. Where it is the
    negatives that have it, and are few, that is too small by far; nothing but the rows can tell which holds.
    """
    return np.maximum(hanley_mcneil(area, positives, negatives), hanley_mcneil(area, negatives, positives))


def newcombe(area: Any, positives: Any, negatives: Any) -> Array:
    """Return the variance with both class sizes replaced by their mean: Newcombe (2006) Stat. Med. 25:559, method 5."""
    middle = (positives + negatives) / 2
    spread = 1 + (middle - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    return np.asarray(area * (1 - area) * spread / (positives * negatives))


def auc_null(worth: Worth) -> UnderNull:
    """Return k · H(θ): the variance of ``either_shape`` times the design effect that the influences show, shrunk.

    k = (d·V/H(θ̂) + c·k₀)/(d + c), V the variance of the influences, d = 4θ̂(1−θ̂)·min(n₁, n₀), c = 4, and k₀ what is
    known without the influences: 1.25, or with groups that times as much as if each counted as one row. t has
    Satterthwaite's degrees.
    """
    return _with_shape(worth, either_shape)


def _with_shape(worth: Worth, shape: Callable[[Any, Any, Any], Array]) -> UnderNull:
    seen = shape(worth.value, worth.positives, worth.negatives)
    floor = MARGIN * _floor(worth, lambda value, n: shape(value, *n))
    smaller = np.minimum(*worth.units)
    effect, estimated = _shrunk(worth, seen, 4 * worth.value * (1 - worth.value) * smaller, floor)
    return UnderNull(
        lambda value: effect * shape(value, worth.positives, worth.negatives),
        satterthwaite(worth),
        estimated,
        skewed=True,
    )


def partial_null(start: float, end: float, *, swapped: bool) -> Callable[[Worth], UnderNull]:
    """Return the null variance of partial AUC as a share of its range: as AUC, with the negatives that lie in it.

    The area over false positive rates from ``start`` to ``end`` compares the positives with that share of the negatives
    alone: 19 negatives leave two below a rate of 0.1, and no more is known of the spread than two can tell.
    ``swapped``: a range of true positive rates, in which positives lie.
    """
    width = end - start

    def shape(value: Any, positives: Any, negatives: Any) -> Array:
        value = np.asarray(value, dtype=float)
        odds = logit(value)
        found = [1 + (negatives - 1) * np.interp(odds, at, ones) + (positives - 1) * np.interp(odds, at, zeros)
                 for at, ones, zeros in _partial_ratios(start, end)]  # fmt: skip
        return np.asarray(value * (1 - value) * np.maximum(*found) / (positives * negatives))

    def null(worth: Worth) -> UnderNull:
        sizes, units, parts = (pair[::-1] if swapped else pair
                               for pair in ((worth.positives, worth.negatives), worth.units, worth.parts))  # fmt: skip
        inside = (np.maximum(width * pair[1], 1.0) for pair in (sizes, units))
        negatives, few = inside
        return _with_shape(
            worth._replace(positives=sizes[0], negatives=negatives, units=(units[0], few), parts=parts), shape
        )

    return null


@lru_cache(maxsize=64)
def _partial_ratios(start: float, end: float) -> tuple[tuple[Array, Array, Array], ...]:
    """Return the parts of positives and of negatives in a partial AUC's variance over θ(1 − θ), by the log odds of θ.

    One table each for ROC(u) = u^a, Hanley and McNeil's shape, and its mirror image 1 − (1 − u)^a, by the influences of
    ``metrics.ranking``: Var((f − U)₊) over the positives and Var(ROC(min(u, f)) − …) over the negatives.
    """
    ends = np.linspace(start, end, 200)
    edges = np.unique(np.concatenate([[0.0, 1.0], ends, expit(np.linspace(-24, 24, 1000))]))
    low, high = edges[:-1], edges[1:]
    powers = np.exp(np.linspace(-12, 10, 600))[:, None]
    found = []
    for roc in (_power, _mirrored_power):
        reached = roc(edges, powers)
        gained = np.maximum(end - edges, 0) - np.maximum(start - edges, 0)
        moved = roc(np.minimum(edges, end), powers) - roc(np.minimum(edges, start), powers)
        value = _mean((reached[:, 1:] + reached[:, :-1]) / 2, np.where((low >= start) & (high <= end), high - low, 0.0))
        share = value / (end - start)
        parts = (_spread(gained, np.diff(reached)) / (end - start) ** 2, _spread(moved, high - low) / (end - start))
        kept = (share > 1e-9) & (share < 1 - 1e-9)
        order = np.argsort(share[kept])
        inside = (share * (1 - share))[kept][order]
        found.append((logit(share[kept][order]), *(part[kept][order] / inside for part in parts)))
    return tuple(found)


def _power(rate: Array, power: Array) -> Array:
    return np.asarray(rate**power)


def _mirrored_power(rate: Array, power: Array) -> Array:
    """Return 1 − (1 − u)^a, with its digits where u is small."""
    return np.asarray(-np.expm1(power * np.log1p(-np.minimum(rate, 1 - 1e-16))))


def _mean(values: Array, weights: Array) -> Array:
    return np.asarray((values * weights).sum(-1))


def _spread(edges: Array, weights: Array) -> Array:
    """Return the variance of a function that is a line between edges of known weight."""
    middle = (edges[..., 1:] + edges[..., :-1]) / 2
    mean = _mean(middle, weights)
    square = _mean(middle**2 + np.diff(edges) ** 2 / 12, weights)
    return np.asarray(np.maximum(square - mean**2, 0.0))


def _floor(worth: Worth, shape: Callable[[Any, tuple[Any, Any]], Array]) -> Array:
    """Return the design effect if every group counted as one row, near the end of the range where nothing else tells.

    It is the ratio of two variances that both vanish at the end of the range, taken a little inside it.
    """
    inside = np.clip(worth.value, 0.001, 0.999)
    return shape(inside, worth.units) / shape(inside, (worth.positives, worth.negatives))


def _shrunk(worth: Worth, shape: Any, told: Any, floor: Any = 1.0) -> tuple[Array, Array]:
    """Return the design effect shrunk to what is known without the influences, and the weight of the influences."""
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.asarray(worth.variance) / np.asarray(shape)
    known = np.isfinite(seen) & (told > 0)
    told = np.where(known, told, 0.0)
    effect = (told * np.where(known, seen, 0.0) + CAUTION * floor) / (told + CAUTION)
    return np.asarray(effect), np.asarray(told / (told + CAUTION))


def satterthwaite(worth: Worth) -> Array:
    """Return the degrees of freedom of a variance of two classes: V²/Σ V_h²/(n_h − 1), those of groups if fewer."""
    first, second = worth.parts
    ones, zeros = np.maximum(worth.positives - 1, 1), np.maximum(worth.negatives - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (first + second) ** 2 / (first**2 / ones + second**2 / zeros)
    least = np.minimum(ones, zeros)
    found = np.where(np.isfinite(found), np.maximum(found, least), least)
    return np.asarray(np.minimum(found, worth.degrees))


def precision_null(worth: Worth) -> UnderNull:
    """Return k · θ(1−θ)/n₁ for average precision, k the design effect of the influences, shrunk to that of ``atop``.

    As for AUC with d = 4θ̂(1−θ̂)·n₁, and t on n₁ − 1 degrees of freedom; with groups n₁ is that of the groups with
    positives, both in what is known without the influences and in the degrees.
    """
    size, groups = np.asarray(worth.positives, dtype=float), np.maximum(worth.units[0], 1)
    inside = np.asarray(worth.value * (1 - worth.value))
    effect, estimated = _shrunk(worth, inside / size, 4 * inside * groups, atop(groups) * size / groups)
    degrees = np.minimum(np.maximum(groups - 1, 1), worth.degrees)
    return UnderNull(lambda value: effect * value * (1 - value) / size, degrees, estimated)


def atop(positives: Any) -> Array:
    """Return the design effect of average precision where negatives stand above every positive or do no harm.

    One such negative costs (1/2 + 1/3 + … + 1/(n₁+1))/n₁, so k = n₁·cost/θ, at θ near 1. A sample without any looks
    perfect, and one in five does where 1.6 are expected: nothing but this shape warns of them.

    >>> atop(np.array([1, 10, 1000])).round(2).tolist()
    [1.0, 2.02, 6.49]
    """
    costs = digamma(np.asarray(positives, dtype=float) + 2) + np.euler_gamma - 1
    return np.asarray(np.maximum(costs, 1.0))


def binomial_null(worth: Worth) -> UnderNull:
    """Return k · θ(1−θ)/n, n all rows: Wilson's interval with a design effect, shrunk as for AUC."""
    return _binomial(worth, worth.positives + worth.negatives, sum(worth.units))


def positive_null(worth: Worth) -> UnderNull:
    """Return k · θ(1−θ)/n, n the positives."""
    return _binomial(worth, worth.positives, worth.units[0])


def _binomial(worth: Worth, size: Any, units: Any) -> UnderNull:
    inside = worth.value * (1 - worth.value)
    effect, estimated = _shrunk(worth, inside / size, 4 * inside * units, size / units)
    return UnderNull(lambda value: effect * value * (1 - value) / size, worth.degrees, estimated)


def of_range(null: Callable[[Worth], UnderNull], ends: tuple[float, float]) -> Callable[[Worth], UnderNull]:
    """Return a null variance made for [0, 1] on another range."""
    bottom, width = ends[0], ends[1] - ends[0]

    def scaled(worth: Worth) -> UnderNull:
        made = null(worth._replace(value=(worth.value - bottom) / width, variance=worth.variance / width**2))
        return made._replace(variance=lambda value: width**2 * made.variance((value - bottom) / width))

    return scaled
