"""hs.batch_intervals: many tables in one call, from arrays of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InputError, MetricError, numbers_of
from howsure.errors.messages import estimates as messages
from howsure.estimates.catalogue import IntervalMethod, default_method, interval, named_method
from howsure.estimates.evidence import Evidence, evidence_of_counts, evidence_of_matrices, matrix_of
from howsure.estimates.methods.credible import Bayes
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric, selection_of
from howsure.metrics.names import MetricLike, table_metric
from howsure.sources.kinds.counts import TOO_LARGE, TOO_SMALL
from howsure.tables.design import LARGEST, SMALLEST
from howsure.types import Array, Side, Undefined

BLOCK = 32_768  # cells: the working arrays of a block stay in the processor's cache
CELLS = ("tp", "fp", "fn", "tn")


def method_for(metric: Metric, method: Any) -> IntervalMethod:
    """Return a method for a metric: Bayes needs no draws where the metric is a share, so it serves a batch there."""
    entry = named_method(method)
    return replace(entry, batch=True) if isinstance(method, Bayes) and metric.share is not None else entry


def blocks_of(size: int, classes: int = 2) -> Iterator[slice]:
    """Yield slices that cover ``size`` tables, a block at a time; slopes take about K² numbers per cell."""
    some = max(128, BLOCK // (4 if classes == 2 else 2 * classes**2))
    return (slice(start, start + some) for start in range(0, size, some))


@dataclass(frozen=True, eq=False)
class BatchIntervals:
    """The same metric on many tables: arrays of values and limits, in the shape of the counts."""

    value: Array
    low: Array
    high: Array
    metric: str
    method: str
    level: float

    def __repr__(self) -> str:
        return f"BatchIntervals({self.value.size:,} tables, {self.metric}, {self.level:g} {self.method})"


def batch_intervals(
    metric: MetricLike,
    *,
    tp: ArrayLike | None = None,
    fp: ArrayLike | None = None,
    fn: ArrayLike | None = None,
    tn: ArrayLike | None = None,
    matrices: ArrayLike | None = None,
    method: str | IntervalMethod | Bayes | None = None,
    level: float = 0.95,
    side: Side = "both",
    undefined: Undefined = "nan",
) -> BatchIntervals:
    """Return a metric and its interval for many tables at once, from arrays of counts.

    Give ``tp, fp, fn`` (and ``tn`` where the metric needs it) as arrays that broadcast, or ``matrices`` of shape
    (…, K, K) with truth in rows. Each table is of independent rows. What is 0/0 comes out as nan.

    >>> found = batch_intervals("f1", tp=[77, 10], fp=[44, 0], fn=[10, 0], method="wilson")
    >>> found.low.round(3), found.high.round(3)
    (array([0.669, 0.839]), array([0.801, 1. ]))
    """
    chosen, tail = table_metric(metric), Tail(level, side)
    shape, pick = _source(chosen, (tp, fp, fn), tn, matrices, undefined)
    entry = default_method(chosen, pick(slice(0, 1))) if method is None else method_for(chosen, method)
    if not entry.batch:
        raise InputError(messages.METHOD_DRAWS_FOR_ONE_TABLE(entry=entry.name))
    value, low, high = np.empty((3, int(np.prod(shape))))
    for part in blocks_of(len(value), 2 if matrices is None else np.shape(matrices)[-1]):
        evidence = pick(part)
        found = interval(evidence, entry, tail)
        value[part], low[part], high[part] = evidence.value, found.low, found.high
    value, low, high = (array.reshape(shape) for array in (value, low, high))
    return BatchIntervals(value, low, high, metric=chosen.name, method=entry.name, level=level)


def _source(
    metric: Metric, counts: tuple[Any, Any, Any], tn: Any, matrices: ArrayLike | None, undefined: Undefined
) -> tuple[tuple[int, ...], Callable[[slice], Evidence]]:
    """Return the shape of the batch and a function from a slice of it to its evidence."""
    if matrices is None:
        cells = _four(metric, counts, tn)
        flat = [cell.reshape(-1) for cell in cells]
        if _one_class(metric) and metric.label is None:
            return cells[0].shape, lambda part: evidence_of_counts(
                metric, *(c[part] for c in flat), undefined=undefined
            )
        return cells[0].shape, _picker(metric, matrix_of(*flat), undefined)
    if any(part is not None for part in (*counts, tn)):
        raise InputError(messages.MATRICES_AND_COUNTS())
    stack = numbers_of("matrices", matrices, messages.ARRAY_OF_COUNTS_K_ROWS())
    if stack.ndim < 2 or stack.shape[-1] != stack.shape[-2]:
        raise InputError(messages.MATRICES_HAS_SHAPE(shape=stack.shape))
    _check(stack)
    return stack.shape[:-2], _picker(metric, stack.reshape(-1, *stack.shape[-2:]), undefined)


def _one_class(metric: Metric) -> bool:
    """Say whether a metric looks at one class of two."""
    return isinstance(selection_of(metric, (0, 1), 1), int)


def _picker(metric: Metric, stack: Array, undefined: Undefined) -> Callable[[slice], Evidence]:
    width = stack.shape[-1]
    selection = selection_of(metric, tuple(range(width)), 1 if width == 2 else None)
    return lambda part: evidence_of_matrices(metric, stack[part], selection=selection, undefined=undefined)


def _four(metric: Metric, counts: tuple[Any, Any, Any], tn: Any) -> list[Array]:
    if any(part is None for part in counts):
        raise InputError(messages.TP_FP_AND_FN_ARE_NEEDED())
    if tn is None and (metric.needs_tn or not _one_class(metric)):
        raise MetricError(messages.METRIC_NEEDS_TRUE_NEGATIVES(metric=metric.name))
    given = dict(zip(CELLS, (*counts, np.nan if tn is None else tn), strict=True))
    rule = messages.NUMBER_OR_ARRAY_OF_COUNTS_NUMBER()
    cells = {name: numbers_of(name, part, rule) for name, part in given.items()}
    for name, part in cells.items():
        if not (name == "tn" and tn is None):
            _check(part, name)
    try:
        return list(np.broadcast_arrays(*cells.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {np.shape(part)}" for name, part in given.items())
        raise InputError(messages.COUNTS_HAVE_SHAPES_DO_NOT_FIT(shapes=shapes)) from None


def _check(counts: Array, name: str = "matrices") -> None:
    sound = (counts >= 0) & np.isfinite(counts)
    if not sound.all():
        raise InputError(messages.HOLDS_COUNT_COUNTS_MUST_BE_FINITE(name=name, flat=counts[~sound].flat[0]))
    odd = (counts > LARGEST) | ((counts > 0) & (counts < SMALLEST))
    if odd.any():
        first = counts[odd].flat[0]
        raise InputError(
            messages.COUNT_IS_TOO_LARGE_OR_SMALL(
                name=name, first=first, too_large=TOO_LARGE if first > 1 else TOO_SMALL
            )
        )
