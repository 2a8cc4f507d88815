"""Plans beside a judge: labels still needed, and the best split of a budget."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.planning.judged import judge_of, judged_plan
from howsure.results.plans.judged import JudgedPlan
from support.command_line import run

RNG = np.random.default_rng(1)
N = 4000
TRUTH = (RNG.random(N) < 0.3).astype(int)
MODEL = np.where(RNG.random(N) < 0.85, TRUTH, 1 - TRUTH)
JUDGE = np.where(RNG.random(N) < 0.93, TRUTH, 1 - TRUTH)
KNOWN = [int(value) if row < 200 else None for row, value in enumerate(TRUTH)]


def pilot() -> hs.Table:
    return hs.table(KNOWN, {"bert": MODEL}, judge=JUDGE)


def made(**asked: Any) -> JudgedPlan:
    found = hs.plan("accuracy", pilot=pilot(), **asked)
    assert isinstance(found, JudgedPlan)
    return found


class Facts(NamedTuple):
    """What a judge of known worth does."""

    explained: float
    judged: float
    labels: float = 1.0


@pytest.mark.parametrize(
    ("explained", "pool", "labels"),
    [(0.3, 10_000, 284), (0.5, 10_000, 205), (0.7, 10_000, 124), (0.9, 10_000, 42),
     (0.3, 2_000, 298), (0.5, 2_000, 223), (0.7, 2_000, 140), (0.9, 2_000, 49)],
)  # fmt: skip
def test_labels_for_a_standard_error(explained: float, pool: int, labels: int) -> None:
    """The table of the design notes: rate 0.8, standard error 0.02, 400 or 401 labels of people alone."""

    def alone(**goal: Any) -> Any:
        return hs.plan("accuracy", accuracy=0.8, **goal)

    metric, goal = named("accuracy"), {"se": 0.02, "half_width": None, "n": None}
    how: Any = {"pool": None, "cost": None, "budget": None, "level": 0.95}
    found = judged_plan(metric, Facts(explained, pool), alone, goal, **how)
    assert found.n == pytest.approx(labels, abs=1)
    assert found.worth == pytest.approx(found.alone, rel=0.03)
    assert found.n_more == found.n - 1


def test_the_plan_holds_what_it_says() -> None:
    found = made(half_width=0.03)
    facts = judge_of(pilot(), named("accuracy"))
    alone = hs.plan("accuracy", half_width=0.03, pilot=hs.table(TRUTH[:200], MODEL[:200])).n
    assert found.alone == alone
    assert found.n_more == found.n - 200
    assert found.worth == pytest.approx(1 / ((1 - facts.explained) / found.n + facts.explained / N))
    assert alone <= found.worth < alone + 3
    assert found.half_width == pytest.approx(0.03, abs=2e-4)
    more = made(half_width=0.03, pool=40_000)
    assert more.n < found.n
    assert more.pool_more == 40_000 - N
    again = hs.still_needed(pilot(), "accuracy", half_width=0.03)
    assert (again.n, again.n_more) == (found.n, found.n_more)


@pytest.mark.parametrize("prices", [{"label": 1, "judge": 0.3}, {"label": 1, "judge": 0.01}, (5, 0.002)])
def test_no_other_split_of_the_money_does_better(prices: Any) -> None:
    """By trying every number of labels: the goal is reached with the least money, and a budget goes furthest."""
    label, judge = prices.values() if isinstance(prices, dict) else prices
    found, explained = made(se=0.008, cost=prices), judge_of(pilot(), named("accuracy")).explained
    needed = found.alone
    costs = []
    for n in range(200, needed):
        left = 1 / needed - (1 - explained) / n
        if left > 0 and explained / left >= n:
            costs.append((n - 200) * label + (max(explained / left, N) - N) * judge)
    assert found.spent is not None
    assert found.spent <= min(costs) + label + judge
    spent = made(budget=800, cost=prices)
    assert spent.spent is not None
    assert spent.spent <= 800 + 1e-9
    best = max(
        1 / ((1 - explained) / n + explained / (N + (800 - (n - 200) * label) / judge))
        for n in range(200, 200 + int(800 / label) + 1)
    )
    assert spent.worth == pytest.approx(best, rel=0.01)


def test_what_labels_give() -> None:
    found = made(n=400)
    assert found.n == 400
    assert found.half_width == pytest.approx(
        hs.plan("accuracy", n=round(found.worth), pilot=hs.table(TRUTH[:200], MODEL[:200])).half_width
    )
    one_price = made(budget=100, cost=2.0)
    assert (one_price.n_more, one_price.pool, one_price.spent) == (50, N, 100)
    few = hs.table([*KNOWN[:30], *[None] * (N - 30)], {"bert": MODEL}, judge=JUDGE)
    assert "30 labels alone" in str(hs.plan("accuracy", n=60, pilot=few))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "give one of half_width"),
        ({"budget": 100}, "give one of half_width"),
        ({"half_width": 0.03, "pool": 100}, "pool is 100"),
        ({"half_width": 0.005}, "not even labels on all of them would do"),
        ({"n": 400, "cost": {"judge": 1}}, "beside a judge it has 'label'"),
        ({"n": 400, "cost": {"label": -1}}, "a price is larger than 0"),
        ({"budget": 1, "pool": 10_000, "cost": (1, 1)}, "the judge alone costs 6000"),
        ({"half_width": 0.03, "precision": 0.8}, "pilot and precision were both given"),
        ({"half_width": 0.03, "prevalence": 0.2}, "pilot and prevalence were both given"),
    ],
)
def test_refusals(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.InputError, match=words):
        made(**asked)


def test_a_pool_needs_a_judge() -> None:
    with pytest.raises(hs.InputError, match="it goes with a pilot that has a judge"):
        hs.plan("accuracy", half_width=0.03, accuracy=0.8, pool=1000)


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    pl.DataFrame({"human": KNOWN, "gpt4": JUDGE, "bert": MODEL}).write_csv(path)
    asked = ["plan", "accuracy", "--half-width", 0.03, "--pilot", path, "--truth", "human", "--judge", "gpt4"]
    asked += ["--pred", "bert"]
    found = json.loads(run(*asked, "--pool", 10_000, "--format", "json").stdout)
    assert found["n"] == made(half_width=0.03, pool=10_000).n
    priced = run(*asked, "--cost-per-label", 1, "--cost-per-judgement", 0.01).stdout
    assert "What is still to get costs 141.00" in " ".join(priced.split())
    assert "give both prices" in run(*asked, "--cost-per-judgement", 0.01, code=2).stderr
    strata = json.loads(
        run("plan", "accuracy", "--strata", "--n", 100, "--pilot", path, "--truth", "human", "--judge", "gpt4",
            "--pred", "bert", "--format", "json").stdout
    )  # fmt: skip
    assert set(strata["allocation"]) == {f"gpt4 {j}, bert {p}" for j in (0, 1) for p in (0, 1)}
