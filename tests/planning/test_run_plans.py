"""Runs against rows: the plan is the interval's own law, and what it promises is what another sample gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import howsure as hs

RNG = np.random.default_rng(12)
N = 1000
TRUTH = RNG.integers(0, 2, N)


def runs(number: int, right: float, spread: float, rows: int = N, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the truth, and runs whose accuracy differs by luck."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.integers(0, 2, rows), rng.normal(size=rows)
    cut = stats.norm.ppf(right) + rng.normal(0, spread, (number, 1))
    ok = math.sqrt(0.6) * hard + math.sqrt(0.4) * rng.normal(size=(number, rows)) < cut
    return truth, np.where(ok, truth, 1 - truth)


def pilot(number: int = 5, spread: float = 0.15) -> hs.Table:
    truth, columns = runs(number, 0.85, spread)
    return hs.table(truth, {"a": columns})


def half(table: hs.Table) -> float:
    found = hs.estimate(table, "accuracy", method="wald")
    return found.high - found.value


def test_as_many_runs_and_rows_give_what_the_pilot_has() -> None:
    table = pilot()
    made = hs.plan("accuracy", pilot=table, n=N, runs=5)
    assert made.half_width == pytest.approx(half(table))
    assert (made.runs, made.n) == (5, N)


def test_the_law_of_runs_and_rows() -> None:
    """h² = t² (σ²_run + σ²_cell/n)/R + z² σ²_row/n, its components from the pilot's values and covariance by hand."""
    table = pilot()
    values = np.array(hs.estimate(table, "accuracy").run_values)
    flat = table.each_run()
    right = np.array([[flat.contents.right(at)] for at in range(5)])[:, 0].astype(float)
    weights = flat.counts
    centred = right - values[:, None]
    block = (centred * weights) @ centred.T / N**2
    between, rows = values.var(ddof=1) / 5, block.mean()
    shared = block[~np.eye(5, dtype=bool)].mean()
    run, cell, row = 5 * max(between - (rows - shared), 0), 5 * N * (rows - shared), N * shared
    for number, size in ((10, 1000), (5, 10_000), (20, 4000)):
        expected = math.sqrt(
            stats.t.ppf(0.975, number - 1) ** 2 * (run + cell / size) / number + stats.norm.ppf(0.975) ** 2 * row / size
        )
        assert hs.plan("accuracy", pilot=table, n=size, runs=number).half_width == pytest.approx(expected)


def test_goals_budgets_and_contours() -> None:
    table = pilot()
    by_runs = hs.plan("accuracy", pilot=table, half_width=0.02, runs=10)
    assert by_runs.half_width <= 0.02 < hs.plan("accuracy", pilot=table, n=by_runs.n - 1, runs=10).half_width
    by_rows = hs.plan("accuracy", pilot=table, half_width=0.02, n=5000)
    assert by_rows.half_width <= 0.02 < hs.plan("accuracy", pilot=table, n=5000, runs=by_rows.runs - 1).half_width
    cheap = hs.plan("accuracy", pilot=table, half_width=0.02, cost={"run": 1000, "row": 1})
    for one in (cheap, *cheap.others):
        assert one.half_width == pytest.approx(0.02, abs=2e-4)
    assert all(one.price >= cheap.price for one in cheap.others)
    dear = hs.plan("accuracy", pilot=table, half_width=0.02, cost={"run": 1, "row": 1000})
    assert dear.runs > cheap.runs
    bought = hs.plan("accuracy", pilot=table, cost={"run": 1000, "row": 1}, budget=20_000)
    assert bought.price <= 20_000
    every = [hs.plan("accuracy", pilot=table, n=20_000 - 1000 * one, runs=one).half_width for one in range(2, 20)]
    assert bought.half_width == pytest.approx(min(every))
    assert "runs" in str(bought)
    assert bought.to_dict()["runs"] == bought.runs


def test_a_comparison_with_a_power() -> None:
    truth, first = runs(6, 0.80, 0.05, 4000, seed=1)
    second = runs(6, 0.84, 0.05, 4000, seed=1)[1]
    table = hs.table(truth, {"a": first, "b": second})
    made = hs.plan_comparison("accuracy", pilot=table, difference=0.03, power=0.8, runs=8)
    assert made.power == pytest.approx(0.8, abs=0.02)
    assert made.models == 2
    again = hs.plan_comparison("accuracy", pilot=table, difference=0.03, n=made.n, runs=8)
    assert again.power == pytest.approx(made.power)
    few = hs.plan_comparison("accuracy", pilot=table, difference=0.03, n=made.n, runs=3)
    assert few.power < made.power
    bought = hs.plan_comparison("accuracy", pilot=table, difference=0.03, cost={"run": 50, "row": 1}, budget=800)
    assert bought.price <= 800
    assert 0 < bought.power < 1


def test_what_cannot_be_planned_is_refused() -> None:
    table = pilot(3, 0.2)
    with pytest.raises(hs.InputError, match="with so many runs"):
        hs.plan("accuracy", pilot=table, half_width=0.005, runs=3)
    with pytest.raises(hs.InputError, match="needs a pilot with several runs"):
        hs.plan("accuracy", accuracy=0.8, half_width=0.02, runs=3)
    with pytest.raises(hs.InputError, match="needs a pilot with several runs"):
        hs.plan_comparison("accuracy", accuracy=0.8, difference=0.02, runs=3)
    with pytest.raises(hs.InputError, match="price of each"):
        hs.plan("accuracy", pilot=table, half_width=0.05, cost=3)
    with pytest.raises(hs.InputError, match="prices are missing"):
        hs.plan("accuracy", pilot=table, budget=10)
    with pytest.raises(hs.InputError, match="give a goal"):
        hs.plan("accuracy", pilot=table, runs=3)
    with pytest.raises(hs.InputError, match="several runs of a model"):
        hs.still_needed(table, "accuracy", half_width=0.05)
    assert hs.plan("accuracy", pilot=table, half_width=0.05, runs=30).notes


@pytest.mark.parametrize("more", [{"prevalence": 0.3}, {"method": "wald"}, {"anytime": True}, {"accuracy": 0.8}])
def test_what_a_plan_of_runs_would_not_heed_is_refused(more: dict[str, float]) -> None:
    with pytest.raises(hs.InputError, match=rf"{next(iter(more))} is .*; a pilot with several runs"):
        hs.plan("accuracy", pilot=pilot(3), half_width=0.05, **more)
    truth, columns = runs(3, 0.8, 0.1, 300)
    two = hs.table(truth, {"a": columns, "b": columns[::-1]})
    with pytest.raises(hs.InputError, match=r"margin is .*; a pilot with several runs"):
        hs.plan_comparison("accuracy", pilot=two, difference=0.05, margin=0.02)


def test_the_sentence_of_the_pilot_is_the_plan() -> None:
    """5 more runs would shorten the interval by x, ten times the rows by y: the same law."""
    table = pilot()
    note = next(note for note in hs.estimate(table, "accuracy").notes if note.startswith("5 runs. "))
    now = hs.plan("accuracy", pilot=table, n=N, runs=5).half_width
    more, rows = (
        hs.plan("accuracy", pilot=table, n=size, runs=number).half_width for number, size in ((10, N), (5, 10 * N))
    )
    assert f"shorten the interval by {100 * (1 - more / now):.0f}%" in note
    assert f"ten times the rows by {100 * (1 - rows / now):.0f}%" in note
