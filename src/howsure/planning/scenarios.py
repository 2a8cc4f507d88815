"""What a plan says beside its answer: the rows needed if the model is better or worse than expected, and at worst."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from howsure.errors import HowsureError, InputError, check_number, quoted
from howsure.errors.messages import planning as messages
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.metric import Metric, selection_of
from howsure.numerics.solving import bracketed_root
from howsure.planning.basis import Basis, expected_basis, worst_basis
from howsure.planning.expected import Expected
from howsure.results.plans.plan import Plan, PlanCase
from howsure.tables.population import Population, population_of

STEP = 0.05
GUESSES = (0.7, 0.8, 0.9)  # shown beside a worst case, where nobody said what to expect
Solved = Callable[[Basis], Plan]


def scenarios(
    made: Plan, metric: Metric, tail: Tail, known: Expected, source: Population | None, method: Any, seed: int,
    solved: Solved,
) -> tuple[PlanCase, ...]:  # fmt: skip
    """Return the plan made, two values of the metric around it and the worst case, each with the rows it asks for.

    Around what is expected the errors of every kind grow or shrink alike, the true classes keep their shares. Without
    an expectation the values are guesses. The worst case is left out where the shares known do not bound it.
    """
    rows = [] if source is None else _around(made, metric, tail, known, source, method, seed, solved)
    if source is None and not known.performance:
        rows = _guesses(metric, tail, known, seed, solved)
    try:
        worst = solved(worst_basis(metric, tail, known, "jiang"))
    except HowsureError:
        return tuple(rows)
    return (*rows, PlanCase(None, worst.n, worst.half_width))


def _around(
    made: Plan, metric: Metric, tail: Tail, known: Expected, source: Population, method: Any, seed: int, solved: Solved
) -> list[PlanCase]:
    value = _value(metric, source)
    cases = [PlanCase(value, made.n, made.half_width, expected=True)]
    for step in (-1, 1):
        target = value + step * _step(metric, value)
        moved = _moved(metric, source, target)
        if moved is not None:
            other = solved(expected_basis(metric, tail, moved, method, known, seed))
            cases.insert(0 if step < 0 else len(cases), PlanCase(target, other.n, other.half_width))
    return cases


def _guesses(metric: Metric, tail: Tail, known: Expected, seed: int, solved: Solved) -> list[PlanCase]:
    rows = []
    for value in GUESSES if metric.range == (0.0, 1.0) and metric.better == "higher" else ():
        try:
            guessed = Expected(known.prevalence, known.predicted, value=value)
            shares = guessed.shares(metric)
        except InputError:
            return []
        made = solved(expected_basis(metric, tail, population_of(shares), None, guessed, seed))
        rows.append(PlanCase(value, made.n, made.half_width))
    return rows


def _step(metric: Metric, value: float) -> float:
    """Return how far the other scenarios lie: 0.05, or half of what is left of the range."""
    room = min(value - metric.range[0], metric.range[1] - value)
    return STEP if room > STEP + 1e-9 else room / 2


def _value(metric: Metric, source: Population) -> float:
    selection = selection_of(metric, source.labels, source.positive)
    return float(moments(metric, source.shares, selection=selection).value)


def _moved(metric: Metric, source: Population, target: float) -> Population | None:
    """Return the population whose errors are all larger or smaller by one factor, so that the metric has its target."""
    total = source.shares.sum(1)
    wrong = source.shares - np.diag(np.diag(source.shares))
    share = np.divide(wrong.sum(1), total, out=np.zeros_like(total), where=total > 0)

    def made(factor: float) -> Population:
        errors = wrong * factor
        shares = errors + np.diag(np.maximum(total - errors.sum(1), 0.0))
        return Population(shares / shares.sum(), source.positive, source.labels, source.name)

    def gap(factor: float) -> float:
        return _value(metric, made(factor)) - target

    most = 1 / share.max() if share.max() > 0 else 0.0
    ends = [0.0, 1.0] if gap(1.0) * gap(0.0) < 0 else [1.0, most * (1 - 1e-9)]
    if not gap(ends[0]) * gap(ends[1]) < 0:
        return None
    return made(round(bracketed_root(gap, *ends), 12))


def price_of(cost: Any) -> float | None:
    """Return the price of one label: a number, or a mapping with the key "label"."""
    if cost is None:
        return None
    if isinstance(cost, Mapping):
        if set(cost) != {"label"}:
            raise InputError(messages.COST_HAS_KEYS(cost=quoted(cost), what={"label": 0.4}))
        cost = cost["label"]
    return check_number("cost", cost, messages.PRICE_OF_A_LABEL(), above=0)


def affordable(budget: float | None, price: float | None) -> int | None:
    """Return how many labels a budget buys."""
    if budget is None:
        return None
    check_number("budget", budget, messages.NUMBER_LARGER_THAN_0(), above=0)
    if price is None:
        raise InputError(messages.BUDGET_BUT_NOBODY_SAID_WHAT_LABEL(budget=budget))
    rows = math.floor(budget / price * (1 + 1e-12))
    if rows < 1:
        raise InputError(messages.BUDGET_BUYS_NO_LABEL_AT_EACH(budget=budget, price=price))
    return rows
