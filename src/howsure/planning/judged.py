"""Plans beside a judge: labels still needed, and the best split of a budget between people and the judge.

With K the share of the variance v of a metric that the judge explains, n labels among M judged rows give
V = v [(1 − K)/n + K/M] (Tenenbein 1970, JASA 65:1350): they are worth 1/[(1 − K)/n + K/M] labels without a judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from howsure.errors import InputError, check_number, check_whole, quoted
from howsure.errors.messages import planning as messages
from howsure.metrics.metric import Metric
from howsure.results.base import note_of
from howsure.results.plans.judged import JudgedPlan
from howsure.results.plans.plan import Plan
from howsure.tables.covariance import linearise
from howsure.tables.table import Table

FEW = 50  # labels below which what a judge explains is hardly known
Alone = Callable[..., Plan]


class Prices(NamedTuple):
    """What a label of people and an answer of the judge cost; None where nobody said."""

    label: float | None = None
    judge: float | None = None


class _Split(NamedTuple):
    """Labels and judged rows; no whole numbers yet."""

    labels: float
    judged: float


def judge_of(pilot: Any, metric: Metric) -> Any:
    """Return what a judge does to a metric on a pilot of one model; None where it has no judge."""
    if not isinstance(pilot, Table) or len(pilot.models) != 1:
        return None
    return linearise(pilot, metric).design.judge


def judged_plan(
    metric: Metric, facts: Any, alone: Alone, goal: Mapping[str, Any], *, pool: int | None, cost: Any,
    budget: float | None, level: float,
) -> JudgedPlan:  # fmt: skip
    """Return the plan; ``alone`` makes one of the labels of people without the judge, ``goal`` is what it is asked."""
    prices = _prices(cost)
    if pool is not None:
        check_whole("pool", pool, int(facts.judged), messages.PILOT_JUDGED_ROWS_ALREADY(judged=int(facts.judged)))
    if budget is not None:
        check_number("budget", budget, messages.NUMBER_LARGER_THAN_0(), above=0)
    explained = min(float(facts.explained), 1 - 1e-9)
    if goal.get("n") is None and any(value is not None for value in goal.values()):
        needed = alone(**goal).n
        assert needed is not None
        split = _for_worth(needed, explained, facts, pool, prices)
    else:
        needed, split = None, _for_money(goal.get("n"), budget, explained, facts, pool, prices)
    labels, judged = math.ceil(split.labels * (1 - 1e-9)), math.ceil(split.judged * (1 - 1e-9))
    worth = _worth(labels, judged, explained)
    reached = alone(n=max(round(worth), 1))
    few = [note_of("judged plan few", "few labels", labels=int(facts.labels))] if facts.labels < FEW else []
    return JudgedPlan(
        metric=metric.name, n=labels, n_more=max(labels - int(facts.labels), 0), pool=judged,
        pool_more=max(judged - int(facts.judged), 0), worth=worth, explained=float(facts.explained),
        alone=round(worth) if needed is None else needed, value=float(reached.value or math.nan),
        half_width=float(reached.half_width), se=float(reached.se), level=level, label_price=prices.label,
        judge_price=prices.judge, budget=budget, notes=tuple(few),
    )  # fmt: skip


def _worth(labels: float, judged: float, explained: float) -> float:
    return 1 / ((1 - explained) / labels + explained / judged)


def _prices(cost: Any) -> Prices:
    """Return the prices: {"label": 1, "judge": 0.01}, a pair of them in that order, or that of a label."""
    if cost is None:
        return Prices()
    if isinstance(cost, tuple | list) and len(cost) == 2:
        cost = dict(zip(("label", "judge"), cost, strict=True))
    if not isinstance(cost, Mapping):
        cost = {"label": cost}
    if not {"label"} <= set(cost) <= {"label", "judge"}:
        raise InputError(messages.COST_BESIDE_A_JUDGE(cost=quoted(cost), what={"label": 1, "judge": 0.01}))
    return Prices(
        **{
            name: check_number("cost", price, messages.PRICE_IS_LARGER_THAN_0(), above=0)
            for name, price in cost.items()
        }
    )


def _for_worth(needed: int, explained: float, facts: Any, pool: int | None, prices: Prices) -> _Split:
    """Return the labels, and the judged rows where they may be chosen, that are worth so many labels alone."""
    if pool is not None or prices.label is None or prices.judge is None:
        judged = float(facts.judged if pool is None else pool)
        return _Split(max(_labels(needed, judged, explained), facts.labels), judged)
    root = math.sqrt(explained * (1 - explained))
    ratio = math.sqrt(prices.judge / prices.label)
    labels, judged = needed * (1 - explained + root * ratio), needed * (explained + root / ratio)
    if labels > judged:  # a label on every judged row: the judge is not worth its price
        labels = judged = float(needed)
    if judged < facts.judged:
        return _Split(max(_labels(needed, facts.judged, explained), facts.labels), facts.judged)
    if labels >= facts.labels:
        return _Split(labels, judged)
    left = 1 / needed - (1 - explained) / facts.labels
    return _Split(facts.labels, max(explained / left, facts.judged) if left > 0 else judged)


def _labels(needed: float, judged: float, explained: float) -> float:
    """Return (1 − K)/(1/N − K/M): the labels that are worth N among M judged rows."""
    if needed > judged:
        raise InputError(messages.GOAL_ASKS_FOR_LABELS_WITHOUT_JUDGE(needed=needed, judged=judged))
    return (1 - explained) / (1 / needed - explained / judged)


def _for_money(
    n: int | None, budget: float | None, explained: float, facts: Any, pool: int | None, prices: Prices
) -> _Split:
    """Return the labels and judged rows that are given, or the best that a budget buys besides those there are."""
    if n is not None:
        judged = max(facts.judged if pool is None else pool, check_whole("n", n, 1))
        return _Split(n, judged)
    if budget is None or prices.label is None:
        raise InputError(messages.GIVE_ONE_OF_HALF_WIDTH_SE_N())
    if pool is not None or prices.judge is None:
        judged = float(facts.judged if pool is None else pool)
        left = budget - (judged - facts.judged) * (prices.judge or 0.0)
        if left < 0:
            raise InputError.of("budget", budget, messages.JUDGE_ALONE_COSTS_FOR_ROWS(budget=budget - left))
        return _Split(min(facts.labels + math.floor(left / prices.label), judged), judged)
    whole = budget + facts.labels * prices.label + facts.judged * prices.judge
    share = 1.0 if explained <= 0 else min(math.sqrt((1 - explained) / explained * prices.judge / prices.label), 1.0)
    labels = whole / (prices.label + prices.judge / share)
    if labels < facts.labels:
        return _Split(facts.labels, facts.judged + budget / prices.judge)
    if labels / share < facts.judged:
        return _Split(facts.labels + math.floor(budget / prices.label), facts.judged)
    return _Split(math.floor(labels), math.floor(labels / share))
