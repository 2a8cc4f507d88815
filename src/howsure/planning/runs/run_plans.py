"""How many runs against how many rows: from a pilot with runs, for an interval or a comparison, by goal or budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtr, ndtri

from howsure.comparisons.compare import paired
from howsure.errors import InputError, check_number, check_whole, quoted
from howsure.errors.messages import planning as messages
from howsure.estimates.tail import Tail
from howsure.metrics.names import MetricLike
from howsure.numerics.solving import first_count
from howsure.results.base import note_of
from howsure.results.plans.runs import RunPlan, RunsAndRows
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.tables.sampling.crossed import projected
from howsure.tables.sampling.spread import Spread
from howsure.tables.table import Table

MOST_RUNS = 1000
MOST_ROWS = 10**12
FEW = 5
UNCERTAIN = note_of("plan runs uncertain", "few runs")


def has_runs(pilot: Any) -> bool:
    """Say whether a pilot is a table in which runs of a model were sampled."""
    runs = pilot.runs if isinstance(pilot, Table) else None
    return runs is not None and runs.factor.random and max(runs.numbers) > 1


def check_no_run_plan(runs: int | None, **others: Any) -> None:
    """Refuse what weighs runs against rows where no pilot has runs."""
    for name, value in (("runs", runs), *others.items()):
        if value is not None:
            raise InputError.of(
                name, value, messages.WEIGHS_RUNS_AGAINST_ROWS_NEEDS_PILOT(),
                messages.GIVE_PILOT_SUCH_AS_HS(),
            )  # fmt: skip


def check_runs_alone(**others: Any) -> None:
    """Refuse what a plan of runs and rows would not heed: it takes everything else from its pilot."""
    for name, value in others.items():
        if value is not None and value is not False:
            raise InputError.of(
                name, value, messages.PILOT_WITH_RUNS_KNOWS_IT(), messages.LEAVE_OUT_OR_PILOT_OF_ONE_RUN()
            )  # fmt: skip


@dataclass(frozen=True)
class _Law:
    """Half-width and standard error over runs and rows, from the spread of a pilot."""

    spread: Spread
    runs: int
    rows: float
    tail: Tail

    def _at(self, runs: int, rows: float) -> Spread:
        return projected(self.spread, self.runs, to=runs, rows=rows / self.rows)

    def half(self, runs: int, rows: float) -> float:
        return float(self._at(runs, rows).half(self.tail))

    def se(self, runs: int, rows: float) -> float:
        return float(self._at(runs, rows).se)


def plan_runs(
    metric: MetricLike, table: Table, *, half_width: float | None, se: float | None, n: int | None, runs: int | None,
    level: float, cost: Any, budget: float | None,
) -> RunPlan:  # fmt: skip
    """Return the plan of one model's interval."""
    if len(table.models) != 1:
        raise InputError(messages.PILOT_PICK_ONE_MODEL(models=quoted(table.models)))
    chosen = metric_on(table, metric)
    linear = linearise(table, chosen)
    law = _Law(linear.spread, len(linear.runs), float(table.n), Tail(level))
    if half_width is not None and se is not None:
        raise InputError(messages.GIVE_ONE_OF_HALF_WIDTH_AND_SE())
    reach, target = (law.half, half_width) if half_width is not None else (law.se, se)
    words = "" if target is None else f"a {'half-width' if half_width is not None else 'standard error'} of {target:g}"
    made = _chosen(
        law, reach, _positive("half_width" if half_width is not None else "se", target), n, runs, cost, budget, 1
    )
    return _plan(law, made, chosen.name, level, words, budget)


def plan_run_comparison(
    metric: MetricLike, table: Table, *, difference: float | None, power: float, n: int | None, runs: int | None,
    level: float, cost: Any, budget: float | None,
) -> RunPlan:  # fmt: skip
    """Return the plan of a comparison of two models: |difference| ≥ half-width + z_power · standard error."""
    if len(table.models) != 2:
        raise InputError(messages.PILOT_PICK_TWO_MODELS(models=quoted(table.models)))
    pair = paired(table, metric, *table.models)
    law = _Law(pair.spread, min(len(one.runs) for one in (pair.a, pair.b) if one.runs), float(table.n), Tail(level))
    wanted = abs(_positive("difference", None if difference is None else abs(difference)) or abs(pair.difference))
    sure = float(ndtri(power))

    def reach(runs: int, rows: float) -> float:
        return law.half(runs, rows) + sure * law.se(runs, rows)

    open_ = n is not None and runs is not None
    made = _chosen(law, reach, None if open_ or budget is not None else wanted, n, runs, cost, budget, 2)
    reached = float(ndtr((wanted - made.answer.half_width) / law.se(made.answer.runs, made.answer.rows)))
    found = _plan(law, made, pair.metric.name, level, f"power {power:g}", budget)
    return RunPlan(**(vars(found) | {"power": reached, "difference": wanted, "models": 2}))


@dataclass(frozen=True)
class _Found:
    answer: RunsAndRows
    others: tuple[RunsAndRows, ...]


def _positive(name: str, value: float | None) -> float | None:
    return None if value is None else check_number(name, value, messages.FINITE_NUMBER_LARGER_THAN_0(), above=0)


def _prices(cost: Any, models: int) -> tuple[float, float] | None:
    """Return the price of one more run of every model, and of a row."""
    if cost is None:
        return None
    if not isinstance(cost, Mapping) or set(cost) != {"run", "row"}:
        raise InputError.of("cost", cost, messages.PLAN_OF_RUNS_AND_ROWS_NEEDS(), messages.GIVE_BOTH_PRICES())
    run, row = (
        check_number("cost", cost[name], messages.PRICES_MUST_BE_LARGER_THAN_0(), above=0) for name in ("run", "row")
    )
    return run * models, row


def _chosen(
    law: _Law, reach: Callable[[int, float], float], target: float | None, n: int | None, runs: int | None, cost: Any,
    budget: float | None, models: int,
) -> _Found:  # fmt: skip
    """Return runs and rows: those given, those that reach the target at least cost, or the best that a budget buys."""
    prices = _prices(cost, models)
    if runs is not None:
        check_whole("runs", runs, 2)
    if n is not None:
        check_whole("n", n, 1)

    def at(count: int, rows: int) -> RunsAndRows:
        price = None if prices is None else count * prices[0] + rows * prices[1]
        return RunsAndRows(count, rows, law.half(count, rows), price)

    if budget is not None:
        return _Found(_bought(law, at, prices, budget, runs, n), ())
    if target is None:
        if n is None or runs is None:
            raise InputError(messages.GIVE_GOAL_HALF_WIDTH_OR_DIFFERENCE())
        return _Found(at(runs, n), ())
    return _reaching(law, reach, target, n, runs, at, prices)


def _bought(
    law: _Law, at: Callable[[int, int], RunsAndRows], prices: tuple[float, float] | None, budget: float,
    runs: int | None, n: int | None,
) -> RunsAndRows:  # fmt: skip
    if prices is None:
        raise InputError(messages.BUDGET_AND_PRICES_ARE_MISSING(budget=budget))
    check_number("budget", budget, messages.LARGER_THAN_0(), above=0)
    found = []
    for count in (runs,) if runs is not None else range(2, MOST_RUNS + 1):
        rows = math.floor((budget - count * prices[0]) / prices[1]) if n is None else n
        if rows < 1 or count * prices[0] + rows * prices[1] > budget * (1 + 1e-12):
            break
        found.append(at(count, rows))
    if not found:
        raise InputError(messages.BUDGET_DOES_NOT_BUY_TWO_RUNS(budget=budget))
    return min(found, key=lambda one: one.half_width)


def _reaching(
    law: _Law, reach: Callable[[int, float], float], target: float, n: int | None, runs: int | None,
    at: Callable[[int, int], RunsAndRows], prices: tuple[float, float] | None,
) -> _Found:  # fmt: skip
    if n is not None:
        count = next((one for one in range(2, MOST_RUNS + 1) if reach(one, n) <= target), None)
        if count is None:
            raise InputError(messages.N_ON_NO_NUMBER_OF_RUNS(n=n, target=target))
        return _Found(at(count, n), ())
    if runs is not None:
        rows = _rows(reach, target, runs)
        if rows is None:
            least = next((one for one in range(runs + 1, MOST_RUNS + 1) if _rows(reach, target, one) is not None), None)
            remedy = messages.ASK_FOR_LESS() if least is None else messages.TAKE_AT_LEAST_RUNS_OR_ASK(least=least)
            raise InputError.of("runs", runs, messages.NO_NUMBER_OF_ROWS_REACHES(target=target), remedy)
        return _Found(at(runs, rows), ())
    pairs = [at(one, rows) for one in _numbers() if (rows := _rows(reach, target, one)) is not None]
    if not pairs:
        raise InputError(messages.NO_RUNS_REACH(most_runs=MOST_RUNS, target=target))
    best = min(pairs, key=lambda one: one.runs * one.rows if prices is None else one.price or 0.0)
    fewer = [one for one in pairs if one.runs < best.runs]
    more = [one for one in pairs if one.runs >= 2 * best.runs]
    return _Found(best, (*fewer[len(fewer) // 2 :][:1], *more[:1]))


def _numbers() -> list[int]:
    return [*range(2, 41), *range(45, 101, 5), *range(120, MOST_RUNS + 1, 20)]


def _rows(reach: Callable[[int, float], float], target: float, runs: int) -> int | None:
    """Return the fewest rows that reach a target with so many runs; None where no number does."""
    if reach(runs, MOST_ROWS) > target:
        return None
    low, high = 0, 1
    while reach(runs, high) > target:
        low, high = high, high * 2
    return first_count(lambda rows: not reach(runs, rows) > target, low, high)


def _plan(law: _Law, made: _Found, metric: str, level: float, goal: str, budget: float | None) -> RunPlan:
    one = made.answer
    return RunPlan(
        metric=metric, runs=one.runs, n=one.rows, half_width=one.half_width, se=law.se(one.runs, one.rows), level=level,
        goal=goal, others=made.others, price=one.price, budget=budget, notes=(UNCERTAIN,) if law.runs < FEW else (),
    )  # fmt: skip
