"""hs.plan: how many labelled rows for a standard error or a half-width, worst case or at what one expects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.anticipated import anticipated_shares, pilot_population, share_between
from howsure.cells import Array
from howsure.errors import InputError, MethodError
from howsure.evidence import Tail, evidence_of_matrices
from howsure.influence import moments
from howsure.intervals import IntervalMethod, default_method, interval, named_method
from howsure.linear import linearise
from howsure.metric import Metric, selection_of
from howsure.naming import MetricLike, named
from howsure.plans import Clusters, Plan, clusters_of
from howsure.populations import Population, population_of
from howsure.results import Note
from howsure.study import study
from howsure.worst_case import largest_variance, worst_variance

STUDIED = 2000  # above this many rows the length at the expected table is the expected length to four digits
MOST = 10**12
TABLES = 4000


def plan(
    metric: MetricLike,
    *,
    half_width: float | None = None,
    se: float | None = None,
    n: int | None = None,
    level: float = 0.95,
    prevalence: float | None = None,
    predicted: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    specificity: float | None = None,
    pilot: Any = None,
    method: Any = None,
    assurance: float | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    seed: int = 0,
) -> Plan:
    """Return how many rows to label so that a metric is known well enough.

    Give one of ``half_width`` (of the interval at ``level``), ``se``, or ``n`` (the reverse: what will n rows give).
    With prevalence (or ``predicted``, the share of positive predictions) alone, the answer holds for every classifier
    (Jiang 2020, corollary 2). With ``precision`` and ``recall`` as well, or a ``pilot`` (table, matrix or file), it
    holds for the performance expected: then ``half_width`` is the expected one of the method that will be used, or,
    with ``assurance``, one that is met with that probability. ``cluster_size`` and ``icc`` inflate for clusters.

    >>> plan("f0.5", half_width=0.02, prevalence=0.615).n
    16004
    """
    chosen, tail = named(metric), Tail(level)
    _check_goal(half_width, se, n, assurance)
    shares = {
        "prevalence": prevalence, "predicted": predicted, "precision": precision, "recall": recall,
        "specificity": specificity,
    }  # fmt: skip
    known = {name: share_between(name, value) for name, value in shares.items()}
    source, table = _source(pilot, known)
    clusters = _clusters(chosen, table, cluster_size, icc)
    target = {"half_width": half_width, "se": se, "n": n, "assurance": assurance}
    if source is None:
        made = _worst_case(chosen, tail, known, target)
    else:
        made = _expected(chosen, tail, source, target, method, known, seed)
    return _with_clusters(made, clusters, target)


def _check_goal(half_width: float | None, se: float | None, n: int | None, assurance: float | None) -> None:
    if sum(value is not None for value in (half_width, se, n)) != 1:
        raise InputError("give exactly one of half_width=, se= and n=: what should be reached, or the rows there are")
    if half_width is not None and not 0 < half_width < 0.5:
        raise InputError(f"half_width is {half_width!r}; it must lie strictly between 0 and 0.5")
    if se is not None and not 0 < se < 0.5:
        raise InputError(f"se is {se!r}; it must lie strictly between 0 and 0.5")
    if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1):
        raise InputError(f"n is {n!r}; it must be a whole number, 1 or larger")
    if assurance is not None and not (0.5 <= assurance < 1 and half_width is not None):
        raise InputError(f"assurance is {assurance!r}; it must lie from 0.5 to below 1 and goes with half_width=")


def _source(pilot: Any, known: dict[str, float | None]) -> tuple[Population | None, Any]:
    if pilot is not None:
        if any(known[name] is not None for name in ("precision", "recall", "specificity")):
            raise InputError("give a pilot or the performance you expect, not both: the pilot says what to expect")
        return pilot_population(pilot)
    shares = anticipated_shares(**known)
    return (None, None) if shares is None else (population_of(shares), None)


# --- worst case ------------------------------------------------------------------------------------------------------


def _worst_case(metric: Metric, tail: Tail, known: dict[str, float | None], target: dict[str, Any]) -> Plan:
    if target["assurance"] is not None:
        raise InputError("assurance needs the performance you expect: give precision= and recall=, or a pilot")
    if metric.tversky is not None and known["prevalence"] is None and known["predicted"] is None:
        return _positives_only(metric, tail, target)
    variance, words = worst_variance(metric, prevalence=known["prevalence"], predicted=known["predicted"])

    def half(rows: float) -> float:
        return tail.z * math.sqrt(variance / rows)

    rows = _rows_for(variance, tail, target)
    return Plan(
        metric=metric.name, n=rows, positives=_positives(metric, rows, tail, known, target), level=tail.level,
        half_width=half(rows), se=math.sqrt(variance / rows), goal=_goal(target), method="wald", basis="worst case",
        assumptions=(_share_words(known), f"any classifier whatever: n · variance at most {variance:.6g} = {words}"),
        prevalence=known["prevalence"], curve_of=half, variance=variance,
        notes=(Note("the bound is on the standard error at the true value, not on each realised half-width", "bound"),),
    )  # fmt: skip


def _positives_only(metric: Metric, tail: Tail, target: dict[str, Any]) -> Plan:
    """Return how many positives to recruit when the prevalence is unknown: n·EZ ≥ V/(δ² b)."""
    assert metric.tversky is not None
    a, b = metric.tversky
    if b == 0:
        raise InputError(f"metric {metric.name!r} needs predicted (the share of rows predicted positive)")
    variance = largest_variance(max(a, b)) / b
    rows = _rows_for(variance, tail, target)

    def half(positives: float) -> float:
        return tail.z * math.sqrt(variance / positives)

    return Plan(
        metric=metric.name, n=None, positives=rows, level=tail.level, half_width=half(rows),
        se=math.sqrt(variance / rows), goal=_goal(target), method="wald", basis="worst case",
        assumptions=("prevalence unknown: the number counts truly positive rows",
                     f"any classifier whatever: V(max(a,b)) / b = {variance:.6g}, Jiang (2020), corollary 2"),
        curve_of=half, variance=variance,
        notes=(Note("n is the number of positives over the prevalence; give prevalence= to have it", "prevalence"),),
    )  # fmt: skip


def _rows_for(variance: float, tail: Tail, target: dict[str, Any]) -> int:
    if target["n"] is not None:
        return int(target["n"])
    error = target["se"] if target["se"] is not None else target["half_width"] / tail.z
    return _whole(variance / error**2)


def _whole(rows: float) -> int:
    """Return the next whole number; 12.000000000001 is twelve, not thirteen."""
    return max(1, math.ceil(rows * (1 - 1e-12)))


def _positives(
    metric: Metric, rows: int, tail: Tail, known: dict[str, float | None], target: dict[str, Any]
) -> int | None:
    """Return the positives to recruit: Jiang's V/(δ² b) where that is the bound, else rows times prevalence."""
    prevalence = known["prevalence"]
    return None if prevalence is None else _whole(rows * prevalence)


def _goal(target: dict[str, Any]) -> str:
    if target["n"] is not None:
        return f"{target['n']:,} rows"
    if target["se"] is not None:
        return f"a standard error of {target['se']:g}"
    sure = "" if target["assurance"] is None else f" with probability {target['assurance']:g}"
    return f"a half-width of {target['half_width']:g}{sure}"


def _share_words(known: dict[str, float | None]) -> str:
    words = {"predicted": "share predicted positive"}
    given = [f"{words.get(name, name)} {value:g}" for name, value in known.items() if value is not None]
    return ", ".join(given) or "shares of a pilot"


# --- what one expects --------------------------------------------------------------------------------------------------


def _expected(
    metric: Metric, tail: Tail, source: Population, target: dict[str, Any], method: Any, known: dict[str, float | None],
    seed: int,
) -> Plan:  # fmt: skip
    selection = selection_of(metric, source.labels, source.positive)
    exact = moments(metric, source.shares, selection=selection)
    variance, value = float(exact.variance * exact.n), float(exact.value)
    if not math.isfinite(variance):
        raise InputError(
            f"metric {metric.name!r} is undefined or has no slope at the performance expected; change it a little"
        )
    entry = _entry(metric, source, method)
    half = _half_width(metric, entry, source, tail, seed)
    if target["se"] is not None or target["n"] is not None:
        rows = _rows_for(variance, tail, target)
    elif target["assurance"] is not None:
        start = _rows_for(max(variance, 1e-9), tail, target)
        sure = _assured(metric, entry, source, tail, target["half_width"], seed)
        rows = _smallest(lambda size: -sure(size), -target["assurance"], start)
    else:
        rows = _smallest(half, target["half_width"], _rows_for(max(variance, 1e-9), tail, target))
    prevalence = _prevalence(source)
    return Plan(
        metric=metric.name, n=rows, positives=None if prevalence is None else _whole(rows * prevalence),
        level=tail.level, half_width=half(rows), se=math.sqrt(variance / rows), goal=_goal(target), method=entry.name,
        basis="expected performance", assumptions=(_share_words(known), f"{metric.name} near {value:.4g}"),
        prevalence=prevalence, value=value, curve_of=half, variance=variance, assurance=target["assurance"], seed=seed,
    )  # fmt: skip


def _prevalence(source: Population) -> float | None:
    return None if source.positive is None else float(source.shares[source.labels.index(source.positive)].sum())


def _entry(metric: Metric, source: Population, method: Any) -> IntervalMethod:
    selection = selection_of(metric, source.labels, source.positive)
    evidence = evidence_of_matrices(metric, source.shares * 1000, selection=selection)
    entry = default_method(metric, evidence) if method is None else named_method(method)
    if not entry.batch:
        raise MethodError(
            f"method {entry.name!r} draws at random and cannot be planned for; choose a method without draws"
        )
    why = entry.missing(evidence)
    if why is not None:
        raise MethodError(f"method {entry.name!r} cannot serve metric {metric.name!r}: {why}")
    return entry


def _half_width(
    metric: Metric, entry: IntervalMethod, source: Population, tail: Tail, seed: int
) -> Callable[[float], float]:
    """Return the expected half-width as a function of n: studied below 2 000 rows, at the expected table above."""
    selection = selection_of(metric, source.labels, source.positive)

    def half(rows: float) -> float:
        if rows <= STUDIED:
            found = study(metric, [entry], source, n=int(rows), level=tail.level, replicates=TABLES, seed=seed)
            return float(found[0].length / 2)
        evidence = evidence_of_matrices(metric, source.shares * rows, selection=selection)
        limits = interval(evidence, entry, tail)
        return float(limits.high - limits.low) / 2

    return half


def _assured(
    metric: Metric, entry: IntervalMethod, source: Population, tail: Tail, goal: float, seed: int
) -> Callable[[int], float]:
    """Return P(half-width ≤ goal) as a function of n, from simulated tables with one seed."""
    selection = selection_of(metric, source.labels, source.positive)

    def probability(rows: int) -> float:
        drawn = np.random.default_rng(seed).multinomial(int(rows), source.shares.ravel(), size=TABLES)
        tables = drawn.reshape(TABLES, *source.shares.shape).astype(float)
        limits = interval(evidence_of_matrices(metric, tables, selection=selection), entry, tail)
        widths: Array = np.asarray(limits.high - limits.low) / 2
        return float(np.mean(np.where(np.isnan(widths), np.inf, widths) <= goal + 1e-12))

    return probability


def _smallest(function: Callable[[int], float], goal: float, start: int) -> int:
    """Return the smallest n with function(n) ≤ goal, for a function that falls (but for noise), by bisection."""
    low, high = 0, max(start, 2)
    while not function(high) <= goal:
        low, high = high, high * 2
        if high > MOST:
            raise InputError("no number of rows up to 10¹² reaches the target; ask for less")
    while low == 0 and high > 2 and function(high // 2) <= goal:
        high //= 2
    low = max(low, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if function(middle) <= goal else (middle, high)
    return high


# --- clusters --------------------------------------------------------------------------------------------------------


def _clusters(metric: Metric, table: Any, size: float | None, icc: float | None) -> Clusters | None:
    if table is not None and table.groups is not None and icc is None:
        linear = linearise(table, metric)
        return Clusters(linear.design_effect, float(table.n) / float(table.n_groups), None)
    return clusters_of(size, icc)


def _with_clusters(made: Plan, clusters: Clusters | None, target: dict[str, Any]) -> Plan:
    if clusters is None or made.n is None:
        return made
    factor = clusters.design_effect
    if target["n"] is not None:
        worth = max(made.n / factor, 1.0)
        return replace(
            made, half_width=made.curve_of(worth), se=math.sqrt(made.variance / worth), clusters=clusters,
            n_clusters=math.ceil(made.n / clusters.size),
        )  # fmt: skip
    count = math.ceil(made.n * factor / clusters.size * (1 - 1e-12))
    rows = _whole(made.n * factor)
    prevalence = made.prevalence
    positives = None if prevalence is None else _whole(rows * prevalence)
    return replace(made, n=rows, positives=positives, clusters=clusters, n_clusters=count)


def still_needed(
    table: Any, metric: MetricLike, *, half_width: float | None = None, se: float | None = None, **more: Any
) -> Plan:
    """Return how many more rows are expected to reach the target, given what has been labelled so far."""
    made = plan(metric, half_width=half_width, se=se, pilot=table, **more)
    assert made.n is not None
    more_rows = max(made.n - int(table.n), 0)
    return replace(made, n_so_far=int(table.n), n_more=more_rows)


def curve(made: Plan, sizes: Iterable[int]) -> list[tuple[int, float]]:
    """Return the half-width at several numbers of rows."""
    return [(size, made.curve_of(size)) for size in sizes]
