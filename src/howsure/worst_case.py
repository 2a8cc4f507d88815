"""The largest variance that any classifier can have: Jiang's bound for Tversky indices, ¼ for shares."""

from __future__ import annotations

import math

from howsure.errors import InputError, MetricError
from howsure.metric import Metric


def largest_variance(weight: float) -> float:
    """Return V(max(a, b)) of Jiang (2020), proposition 1: the maximum over τ of τ(1−τ)(1−(1−m)τ)².

    One stable formula serves every m = max(a, b), also 1 and above (where c = 1/(1−m) has no value or is negative).

    >>> [round(largest_variance(m), 4) for m in (0.5, 0.6, 0.7, 0.8, 0.9)]
    [0.1549, 0.1695, 0.1861, 0.205, 0.2262]
    """
    rest = 1 - weight
    peak = 2 / (3 * rest + 2 + math.sqrt(9 * rest * rest - 4 * rest + 4))
    return peak * (1 - peak) * (1 - rest * peak) ** 2


def worst_variance(metric: Metric, *, prevalence: float | None, predicted: float | None) -> tuple[float, str]:
    """Return the largest n·variance that any classifier can have, and the bound used, in words.

    A Tversky index: V / max(b·EZ, a·EA), with what is known of EZ (prevalence) and EA (share predicted positive).
    Another share: ¼ over the share of rows in its denominator.
    """
    if metric.tversky is not None:
        return _tversky_bound(metric, prevalence, predicted)
    if metric.share is not None:
        return _share_bound(metric, prevalence, predicted)
    raise MetricError(
        f"metric {metric.name!r} has no worst case over all classifiers; give the performance you expect "
        "(precision=, recall=, prevalence=) or a pilot table (pilot=)"
    )


def _tversky_bound(metric: Metric, prevalence: float | None, predicted: float | None) -> tuple[float, str]:
    assert metric.tversky is not None
    a, b = metric.tversky
    known = {}
    if prevalence is not None and b > 0:
        known["b·prevalence"] = b * prevalence
    if predicted is not None and a > 0:
        known["a·predicted"] = a * predicted
    if not known:
        need = "predicted (the share of rows predicted positive)" if b == 0 else "prevalence"
        raise InputError(f"metric {metric.name!r} needs {need} for its worst case, or the performance you expect")
    name = max(known, key=lambda key: known[key])
    return largest_variance(max(a, b)) / known[name], f"V(max(a,b)) / ({name}), Jiang (2020), corollary 2"


def _share_bound(metric: Metric, prevalence: float | None, predicted: float | None) -> tuple[float, str]:
    assert metric.share is not None
    base, words = _denominator(metric, prevalence, predicted)
    return 0.25 / base, f"¼ over the share of rows that are {words}"


def _denominator(metric: Metric, prevalence: float | None, predicted: float | None) -> tuple[float, str]:
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
        raise MetricError(
            f"metric {metric.name!r} has no simple worst case; give the performance you expect, or a pilot"
        )
    name, value, rest, words = known[cells]
    if value is None:
        raise InputError(f"metric {metric.name!r} needs {name} for its worst case, or the performance you expect")
    return (1 - value if rest else value), words
