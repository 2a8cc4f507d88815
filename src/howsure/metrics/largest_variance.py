"""The largest variance that any classifier can have: Jiang's bound for Tversky indices, ¼ for shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from howsure.errors import InputError, MetricError, check_choice, check_number, is_number
from howsure.errors.messages import metrics as messages
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.types import Array

BOUNDS = ("jiang", "sharp")
GRID, ZOOMS = 81, 30


def largest_variance(metric: MetricLike | float) -> float:
    """Return Jiang's V of a metric: the largest n·variance that any classifier can have, per row that counts.

    Of a Tversky index (F-measures, Jaccard) it is V(max(a, b)), the maximum over τ of τ(1−τ)(1−(1−m)τ)² (Jiang 2020,
    proposition 1); a number in place of a metric is m = max(a, b) itself. The variance of the index is then at most
    V / (n · max(b·prevalence, a·share predicted positive)). Of any other share of rows it is ¼.

    One stable formula serves every m = max(a, b), also 1 and above (where the printed c has no value or is negative):
    τ = 2/(3d + 2 + √(9d² − 4d + 4)), d = 1 − m.

    >>> [round(largest_variance(m), 4) for m in (0.5, 0.6, 0.7, 0.8, 0.9)]
    [0.1549, 0.1695, 0.1861, 0.205, 0.2262]
    >>> largest_variance("f0.5") == largest_variance("tversky(0.8,0.2)") == largest_variance(0.8)
    True
    """
    rest = 1 - _weight(metric)
    peak = 2 / (3 * rest + 2 + math.sqrt(9 * rest * rest - 4 * rest + 4))
    return peak * (1 - peak) * (1 - rest * peak) ** 2


def _weight(metric: MetricLike | float) -> float:
    if is_number(metric):
        return check_number("metric", metric, messages.METRIC_OR_MAX(), above=0)
    return _heavier(named(metric).check_own_prevalence())  # type: ignore[arg-type]


def _heavier(metric: Metric) -> float:
    """Return max(a, b) of a Tversky index; V(1) = ¼ is that of every share."""
    if metric.tversky is not None and not _binomial(metric):
        return max(metric.tversky)
    if metric.share is not None:
        return 1.0
    raise MetricError(messages.METRIC_IS_NEITHER_TVERSKY_INDEX(metric=metric.name))


@dataclass(frozen=True)
class WorstCase:
    """The largest n·variance that any classifier can have: where it comes from, and the rows it rests on.

    ``share`` of all rows are ``rows`` ("truly positive"); the variance is ``per_row`` over their number. ``steps``
    lead to it, number by number.
    """

    variance: float
    source: Literal["jiang", "share", "sharp"]
    share: float
    rows: str
    steps: tuple[str, ...] = ()

    @property
    def per_row(self) -> float:
        """n·variance if every row were one that counts."""
        return self.variance * self.share


def worst_case(metric: Metric, *, prevalence: float | None, predicted: float | None, bound: str = "jiang") -> WorstCase:
    """Return the largest n·variance of a metric over all classifiers.

    A Tversky index: V(max(a, b)) / max(b·EZ, a·EA), with what is known of EZ (prevalence) and EA (share predicted
    positive), or with ``bound="sharp"`` the true maximum of the variance. Another share: ¼ over the share of rows
    in its denominator.
    """
    check_choice("bound", bound, BOUNDS)
    if metric.tversky is not None and not _binomial(metric):
        found = _tversky_bound(metric, prevalence, predicted)
        return found if bound == "jiang" else _sharp(metric, found, prevalence, predicted)
    if metric.share is not None:
        base, words = denominator(metric, prevalence, predicted)
        step = f"n · variance ≤ ¼ / {base:g} = {0.25 / base:.6g}: a share of rows that are {words}"
        return WorstCase(0.25 / base, "share", base, words, (step,))
    raise MetricError(messages.METRIC_HAS_NO_WORST_CASE_OVER(metric=metric.name))


def _binomial(metric: Metric) -> bool:
    """Say whether an index is precision or recall: shares of rows, outside proposition 1 (erratum J8)."""
    return metric.tversky in ((1.0, 0.0), (0.0, 1.0))


def _tversky_bound(metric: Metric, prevalence: float | None, predicted: float | None) -> WorstCase:
    assert metric.tversky is not None
    a, b = metric.tversky
    known = []
    if prevalence is not None and b > 0:
        known.append((b * prevalence, "b·prevalence", prevalence, "truly positive"))
    if predicted is not None and a > 0:
        known.append((a * predicted, "a·predicted", predicted, "predicted positive"))
    if not known:
        need = messages.PREDICTED_SHARE_OF_ROWS_PREDICTED_POSITIVE() if b == 0 else "prevalence"
        raise InputError(messages.METRIC_NEEDS_FOR_WORST_CASE(metric=metric.name, need=need))
    base, name, share, rows = max(known)
    top = largest_variance(max(a, b))
    steps = (
        *tversky_steps(a, b),
        f"n · variance ≤ V / ({name}) = {top:.6g} / {base:.6g} = {top / base:.6g} (corollary 2)",
    )
    return WorstCase(top / base, "jiang", share, rows, steps)


def tversky_steps(a: float, b: float) -> tuple[str, ...]:
    """Return how V of a Tversky index comes about, in words and numbers."""
    heavier = max(a, b)
    return (
        f"a = {a:g} weighs false positives, b = {b:g} false negatives: tp / (tp + a·fp + b·fn)",
        f"V(max(a, b)) = V({heavier:g}) = {largest_variance(heavier):.6g} (Jiang 2020, proposition 1)",
    )


def tversky_variance(a: float, b: float, tp: Array, fp: Array, fn: Array) -> Array:
    """Return n·variance of tp/(tp + a·fp + b·fn) at shares of the cells: proposition 1 (i), also at tp = 0.

    ν = tp·{(a·fp + b·fn)² + tp·(a²·fp + b²·fn)} / (tp + a·fp + b·fn)⁴.
    """
    lost, squared = a * fp + b * fn, a * a * fp + b * b * fn
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(tp * (lost**2 + tp * squared) / (tp + lost) ** 4)


def _sharp(metric: Metric, loose: WorstCase, prevalence: float | None, predicted: float | None) -> WorstCase:
    """Maximise the variance over all confusion matrices with the shares that are known, by zooming into a grid."""
    assert metric.tversky is not None
    low, high, best = np.zeros(2), np.ones(2), 0.0
    for _ in range(ZOOMS):
        axes = [np.linspace(start, end, GRID) for start, end in zip(low, high, strict=True)]
        first, second = np.meshgrid(*axes, indexing="ij")
        cells = _cells(_spread(first), _spread(second), metric.tversky, prevalence, predicted)
        found = tversky_variance(*metric.tversky, *cells)
        where = np.unravel_index(int(np.argmax(found)), found.shape)
        best = max(best, float(found[where]))
        middle, width = np.array([axes[k][where[k]] for k in range(2)]), 0.25 * (high - low)
        low, high = np.maximum(middle - width, 0.0), np.minimum(middle + width, 1.0)
    step = f"n · variance ≤ {best:.6g}, the largest variance of all confusion matrices with these shares"
    return WorstCase(best, "sharp", loose.share, loose.rows, (step,))


def _spread(place: Array) -> Array:
    """Return a place between 0 and 1 with many more of them near the ends, where rare classes have their maximum."""
    return np.asarray(place**3 / (place**3 + (1 - place) ** 3))


def _cells(
    first: Array, second: Array, weights: tuple[float, float], prevalence: float | None, predicted: float | None
) -> tuple[Array, ...]:
    """Return tp, fp, fn from two numbers between 0 and 1: recall (or precision), and how large the free margin is.

    The free cell times its weight is set against the share that is known, so that rare classes are seen as well.
    """
    a, b = weights
    if prevalence is None:
        assert predicted is not None
        tp, fn, fp = _cells(first, second, (b, a), predicted, None)
        return tp, fp, fn
    if predicted is None:
        with np.errstate(divide="ignore"):
            fp = prevalence / a * second / (1 - second) if a > 0 else second
        return prevalence * first, np.minimum(fp, 1 - prevalence), prevalence * (1 - first)
    least, most = max(0.0, prevalence + predicted - 1), min(prevalence, predicted)
    tp = least + (most - least) * first
    return tp, predicted - tp, prevalence - tp


def denominator(metric: Metric, prevalence: float | None, predicted: float | None) -> tuple[float, str]:
    """Return the share of rows that a share metric counts, and which they are, in words."""
    assert metric.share is not None
    cells = frozenset((*metric.share.success, *metric.share.failure))
    everything = {frozenset(("tp", "fp", "fn", "tn")), frozenset(("hits", "misses")), frozenset(("all_tp", "all_fp")),
                  frozenset(("all_tp", "all_fn"))}  # fmt: skip
    if cells in everything:
        return 1.0, "counted at all"
    known = {
        frozenset(("tp", "fn")): ("prevalence", prevalence, False, "truly positive"),
        frozenset(("fp", "tn")): ("prevalence", prevalence, True, "truly negative"),
        frozenset(("tp", "fp")): ("predicted", predicted, False, "predicted positive"),
        frozenset(("tn", "fn")): ("predicted", predicted, True, "predicted negative"),
    }
    if cells not in known:
        raise MetricError(messages.METRIC_HAS_NO_SIMPLE_WORST_CASE(metric=metric.name))
    name, value, rest, words = known[cells]
    if value is None:
        raise InputError(messages.METRIC_NEEDS_FOR_WORST_CASE_OR_PERFORMANCE(metric=metric.name, name=name))
    return (1 - value if rest else value), words
