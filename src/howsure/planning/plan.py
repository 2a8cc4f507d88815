"""hs.plan: how many labelled rows for a standard error or a half-width, worst case or at what one expects."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from howsure.errors import (
    InputError,
    MethodError,
    check_choice,
    check_number,
    check_seed,
    check_whole,
    is_number,
)
from howsure.errors.messages import planning as messages
from howsure.estimates.catalogue import named_method
from howsure.estimates.interval_method import IntervalMethod
from howsure.estimates.methods.anytime import ANYTIME, check_no_method
from howsure.estimates.tail import Tail
from howsure.metrics.largest_variance import BOUNDS
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.numerics.solving import first_count
from howsure.planning.basis import WORST_METHOD, Basis, expected_basis, pilot_basis, positives_basis, worst_basis
from howsure.planning.clusters import planned_clusters, widening
from howsure.planning.expected import Expected, own_value
from howsure.planning.judged import judge_of, judged_plan
from howsure.planning.pilots import beside_pilot, has_matrix, pilot_population, pilot_table
from howsure.planning.runs.run_plans import check_no_run_plan, check_runs_alone, has_runs, plan_runs
from howsure.planning.scenarios import affordable, price_of, scenarios
from howsure.planning.scored import auc_basis
from howsure.results.plans.judged import JudgedPlan
from howsure.results.plans.plan import Clusters, Plan
from howsure.results.plans.runs import RunPlan
from howsure.tables.population import Population, population_of
from howsure.tables.table import Table

MOST = 10**12


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
    npv: float | None = None,
    classes: int | None = None,
    pilot: Any = None,
    method: Any = None,
    assurance: float | None = None,
    bound: str = "jiang",
    cluster_size: float | None = None,
    icc: float | None = None,
    cost: Any = None,
    budget: float | None = None,
    seed: int = 0,
    anytime: bool = False,
    pool: int | None = None,
    runs: int | None = None,
    **own: float,
) -> Plan | RunPlan | JudgedPlan:
    """Return how many rows to label so that a metric is known well enough.

    Give one of ``half_width`` (of the interval at ``level``), ``se``, or ``n`` (the reverse: what will n rows give).
    What you expect of the metric goes by its own name: ``accuracy=0.85``, ``f1=0.8`` with a prevalence, or
    ``macro_f1=0.7`` with ``classes``, the number of classes, taken as equally frequent.
    With prevalence (or ``predicted``, the share of positive predictions, or both) alone, the answer holds for every
    classifier (Jiang 2020, corollary 2; ``bound="sharp"`` finds the true maximum instead, which is smaller for some).
    With ``precision`` and ``recall`` as well, or a ``pilot`` (table, matrix, counts or file), it holds for the
    performance expected: then ``half_width`` is the expected one of the method that will be used, or, with
    ``assurance``, one that is met with that probability. The worst case is one of standard errors, so that it knows
    no ``method`` but "wald". ``cluster_size`` and ``icc`` (or a pilot with groups) inflate
    for clusters, with Student's t for few of them. A pilot with ``prevalence`` is moved to that prevalence.
    ``cost`` is the price of a label; with it ``budget`` says what one has, in place of ``n`` or beside a goal.
    ``anytime=True`` plans for an interval that holds at all looks together. A pilot with several runs of its model
    weighs runs against rows: ``runs`` says how many there will be; without it ``cost={"run": 1000, "row": 1}`` decides,
    with ``budget`` in place of a goal (a RunPlan, with other pairs that give as much).

    A pilot with a judge gives a JudgedPlan: labels still needed (``n_more``) among ``pool`` judged rows, those of the
    pilot unless given. With ``cost={"label": 1, "judge": 0.01}`` and no pool, both are chosen for the least money, or
    for the most that a ``budget`` buys.

    >>> plan("f0.5", half_width=0.02, prevalence=0.615).n
    16004
    >>> plan("f1", se=0.025, prevalence=0.1, precision=0.8, recall=0.7).n
    2024
    >>> plan("accuracy", se=0.025, accuracy=0.8).n
    256
    """
    if has_runs(pilot):
        check_runs_alone(
            prevalence=prevalence, predicted=predicted, precision=precision, recall=recall, specificity=specificity,
            npv=npv, classes=classes, method=method, assurance=assurance, cluster_size=cluster_size, icc=icc, pool=pool,
            anytime=anytime, **own,
        )  # fmt: skip
        return plan_runs(
            metric, pilot, half_width=half_width, se=se, n=n, runs=runs, level=level, cost=cost, budget=budget
        )
    check_no_run_plan(runs)
    chosen, tail = named(metric).check_own_prevalence(), Tail(level)
    value = own_value(chosen, own)
    facts = judge_of(pilot, chosen)
    if facts is not None:
        if prevalence is not None:
            raise beside_pilot("prevalence")
        _pilot(pilot, Expected(prevalence, predicted, precision, recall, specificity, npv, value, classes))
        alone = partial(_alone, metric, {
            "pilot": pilot.contents.as_judged(pilot, "ignore"), "method": method, "assurance": assurance,
            "level": level, "cluster_size": cluster_size, "icc": icc, "seed": seed, "anytime": anytime,
        })  # fmt: skip
        goals = {"half_width": half_width, "se": se, "n": n}
        return judged_plan(chosen, facts, alone, goals, pool=pool, cost=cost, budget=budget, level=level)
    if pool is not None:
        raise InputError.of("pool", pool, messages.GOES_WITH_PILOT_HAS_JUDGE(), messages.MAKE_ONE_WITH_JUDGE())
    price = price_of(cost)
    bought = affordable(budget, price)
    goal = _goal(chosen, half_width, se, bought if n is None and half_width is None and se is None else n)
    _check_assurance(assurance, half_width)
    seed = check_seed(seed)
    if anytime:
        method = _at_any_time(chosen, method, se, cluster_size, icc)
    known = Expected(prevalence, predicted, precision, recall, specificity, npv, value, classes)
    table = None if pilot is None else _pilot(pilot, known)
    clusters = planned_clusters(chosen, table, cluster_size, icc)
    source = _source(chosen, known, table)
    basis = _basis(chosen, tail, known, table, source, method, bound, seed)
    solved = partial(_solved, clusters=clusters, tail=tail, goal=goal, assurance=assurance)
    made = solved(basis)
    return replace(
        made, cost=price, budget=budget, affordable=bought, anytime=anytime,
        scenarios_of=cache(partial(scenarios, made, chosen, tail, known, source, method, seed, solved))
        if chosen.scoring is None else tuple,
    )  # fmt: skip


def _alone(metric: MetricLike, people: dict[str, Any], **goal: Any) -> Plan:
    """Return the plan for labels of people without the judge; what n rows give needs no assurance."""
    made = plan(metric, **goal, **(people if goal.get("n") is None else people | {"assurance": None}))
    assert isinstance(made, Plan)
    return made


def _at_any_time(
    metric: Metric, method: Any, se: float | None, cluster_size: float | None, icc: float | None
) -> IntervalMethod:
    """Return the method that will serve a metric at any time; refuse what such an interval does not know."""
    check_no_method(method)
    for name, value in (("se", se), ("cluster_size", cluster_size), ("icc", icc)):
        if value is not None:
            raise InputError(messages.AND_ANYTIME_IS_TRUE_PLANS_INTERVAL(name=name, value=value))
    return ANYTIME[0] if metric.share is not None else ANYTIME[-1]


def _goal(metric: Metric, half_width: float | None, se: float | None, n: int | None) -> tuple[str, float]:
    """Return what is asked for: one of half_width, se, n, and its number."""
    given = {name: value for name, value in (("half_width", half_width), ("se", se), ("n", n)) if value is not None}
    if len(given) != 1:
        raise InputError(messages.GIVE_EXACTLY_ONE_OF_HALF_WIDTH_SE())
    ((name, value),) = given.items()
    if name == "n":
        return name, check_whole("n", value, 1)
    most = (metric.range[1] - metric.range[0]) / 2
    rule = messages.LIE_STRICTLY_BETWEEN_0_HALF_RANGE(most=most, metric=metric.name)
    return name, check_number(name, value, rule, above=0, below=most)


def _check_assurance(assurance: float | None, half_width: float | None) -> None:
    if assurance is not None and not (is_number(assurance) and 0.5 <= assurance < 1 and half_width is not None):
        rule = messages.ASSURANCE_FROM_ONE_HALF()
        raise InputError.of("assurance", assurance, rule)


def _pilot(pilot: Any, known: Expected) -> Table:
    given = [*(["predicted"] if known.predicted is not None else []), *known.performance]
    if given:
        raise beside_pilot(given[0] if given[0] != "value" else "the value expected")
    return pilot_table(pilot)


def _source(metric: Metric, known: Expected, table: Table | None) -> Population | None:
    """Return the population one expects, where it is known cell by cell."""
    if table is not None:
        return pilot_population(table, known.prevalence) if has_matrix(table) else None
    shares = None if metric.scoring is not None else known.shares(metric)
    return None if shares is None else population_of(shares)


def _basis(
    metric: Metric, tail: Tail, known: Expected, table: Table | None, source: Population | None, method: Any,
    bound: str, seed: int,
) -> Basis:  # fmt: skip
    _check_bound(bound, worst=table is None and source is None)
    if metric.scoring is not None and table is None:
        return auc_basis(metric, tail, known)
    if source is not None:
        return expected_basis(metric, tail, source, method, known, seed)
    if table is not None:
        return pilot_basis(metric, tail, table.without_groups(), method, known.prevalence)
    _check_worst_method(method)
    if metric.tversky is not None and known.prevalence is None and known.predicted is None:
        return positives_basis(metric, tail, bound)
    return worst_basis(metric, tail, known, bound)


def _check_bound(bound: str, *, worst: bool) -> None:
    check_choice("bound", bound, BOUNDS)
    if bound != BOUNDS[0] and not worst:
        raise InputError(messages.BOUND_IS_ABOUT_WORST_CASE(bound=bound))


def _check_worst_method(method: Any) -> None:
    """Refuse a method that the worst case cannot plan for: its bound is on the standard error, hence Wald's."""
    if method is None:
        return
    name = named_method(method).name
    if method in ANYTIME:
        raise InputError(messages.ANYTIME_IS_TRUE_NEEDS_PERFORMANCE_YOU())
    if name != WORST_METHOD:
        raise MethodError(messages.METHOD_BUT_WORST_CASE_OVER_ALL(name=name, worst_method=WORST_METHOD))


# --- from a basis to a number of rows --------------------------------------------------------------------------------


def _solved(
    basis: Basis, clusters: Clusters | None, tail: Tail, goal: tuple[str, float], assurance: float | None
) -> Plan:
    name, value = goal
    worth = _Worth(basis, clusters, tail)
    if name == "n":
        rows = int(value)
    else:
        error = value if name == "se" else value / tail.z
        start = whole(max(basis.variance, 1e-9) / error**2)
        reached = worth.se if name == "se" else partial(worth.half, assurance=assurance)
        closed = clusters is None and (name == "se" or (basis.closed and assurance is None))
        ahead = _no_more if name == "se" else basis.ahead
        rows = start if closed else _in_clusters(lambda n: reached(n) <= value * (1 + 1e-12), start, clusters, ahead)
    return basis.plan(
        rows, level=tail.level, half_width=worth.half(rows), se=worth.se(rows), goal=_words(goal, assurance),
        target=None if name == "n" else value, asked=goal,
        assurance=assurance, clusters=clusters, curve_of=worth.half,
        n_clusters=None if clusters is None else math.ceil(rows / clusters.size * (1 - 1e-12)),
    )  # fmt: skip


class _Worth:
    """What a number of rows gives: independent rows, or clusters with their design effect and t quantile."""

    def __init__(self, basis: Basis, clusters: Clusters | None, tail: Tail) -> None:
        self.basis, self.clusters, self.tail = basis, clusters, tail

    def half(self, rows: float, assurance: float | None = None) -> float:
        factor = 1.0 if self.clusters is None else self.clusters.design_effect
        wider = 1.0 if self.clusters is None else widening(self.clusters, rows, self.tail)
        return wider * self.basis.half(max(rows / factor, 1.0), assurance)

    def se(self, rows: float) -> float:
        factor = 1.0 if self.clusters is None else self.clusters.design_effect
        return math.sqrt(self.basis.variance * factor / rows)


def _no_more(rows: float) -> int:
    return 0


def _in_clusters(
    met: Callable[[int], bool], start: int, clusters: Clusters | None, ahead: Callable[[float], int]
) -> int:
    """Return the smallest number of rows, in whole clusters where there are any, from which the target is met."""
    if clusters is None:
        return smallest(met, start, ahead)

    def clusters_ahead(count: float) -> int:
        return math.ceil(ahead(clusters.rows(int(count)) / clusters.design_effect) / clusters.size)

    first = whole(start / clusters.size)
    return clusters.rows(smallest(lambda count: met(clusters.rows(count)), first, clusters_ahead))


def whole(rows: float) -> int:
    """Return the next whole number; 12.000000000001 is twelve, not thirteen."""
    return max(1, math.ceil(rows * (1 - 1e-12)))


def smallest(met: Callable[[int], bool], start: int, ahead: Callable[[float], int] = _no_more) -> int:
    """Return the smallest n from which a target is met for good: at n and at the ``ahead(n)`` numbers after it.

    A half-width of counts wavers as n grows, so that a target may be met, missed and met again. The search halves
    between two powers of two, then walks on past every miss. ``start`` says only at which power it begins; the numbers
    tried do not depend on its last digits, and so neither does the answer.

    >>> smallest(lambda n: n in (4, 5, 7) or n > 9, 100, lambda n: 5)
    10
    """
    high = 1 << (max(start, 1) - 1).bit_length()
    while not met(high):
        high *= 2
        if high > MOST:
            raise InputError(messages.NO_NUMBER_OF_ROWS_UP())
    while high > 1 and met(high // 2):
        high //= 2
    return _for_good(met, first_count(met, high // 2, high), ahead)


def _for_good(met: Callable[[int], bool], first: int, ahead: Callable[[float], int]) -> int:
    at = first
    while at < first + ahead(first):
        at += 1
        if not met(at):
            first = at + 1
    return first


def _words(goal: tuple[str, float], assurance: float | None) -> str:
    name, value = goal
    if name == "n":
        return ""
    sure = "" if assurance is None else f" met with probability {assurance:g}"
    return f"a {'standard error' if name == 'se' else 'half-width'} of {value:g}{sure}"


def still_needed(
    table: Table,
    metric: MetricLike,
    *,
    half_width: float | None = None,
    se: float | None = None,
    level: float = 0.95,
    method: Any = None,
    assurance: float | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    seed: int = 0,
) -> Plan | JudgedPlan:
    """Return how many more rows are expected to reach the target, given what has been labelled so far.

    The table is the pilot; ``n_more`` is 0 where it is enough already. Looking often and stopping at the first success
    gives intervals that are a little too hopeful: fix the looks beforehand.

    >>> from howsure import counts
    >>> still_needed(counts(tp=77, fp=44, fn=10, tn=702), "f1", se=0.025).n_more
    719
    """
    made = plan(
        metric, half_width=half_width, se=se, pilot=table, level=level, method=method, assurance=assurance,
        cluster_size=cluster_size, icc=icc, seed=seed,
    )  # fmt: skip
    if isinstance(made, JudgedPlan):
        return made
    if isinstance(made, RunPlan):
        raise InputError(messages.TABLE_HOLDS_SEVERAL_RUNS_OF_MODEL())
    assert made.n is not None
    return replace(made, n_so_far=int(table.n), n_more=max(made.n - int(table.n), 0))
