"""Beside the answer: other values of the metric, the worst case, and what a budget buys."""

from __future__ import annotations

import math
import pickle

import pytest

import howsure as hs
from howsure.errors import InputError


def test_the_scenarios_are_plans_of_their_own() -> None:
    made = hs.plan("accuracy", half_width=0.03, accuracy=0.85)
    low, here, high, worst = made.scenarios
    assert [one.value for one in (low, here, high)] == pytest.approx([0.80, 0.85, 0.90], abs=1e-9)
    for one in (low, here, high):
        assert one.n == hs.plan("accuracy", half_width=0.03, accuracy=round(one.value, 9)).n
    assert here.expected
    assert here.n == made.n
    assert worst.value is None
    assert worst.n == math.ceil(1.959963984540054**2 * 0.25 / 0.03**2)


def test_errors_grow_alike_around_rates() -> None:
    """F1 of π = 0.1, precision 0.8 and recall 0.7: fp and fn grow by one factor until F1 is 0.05 lower."""
    made = hs.plan("f1", half_width=0.05, prevalence=0.1, precision=0.8, recall=0.7)
    tp, fp, fn = 0.07, 0.0175, 0.03
    target = 2 * tp / (2 * tp + fp + fn) - 0.05
    # 2(0.1 − 0.03c)/(2(0.1 − 0.03c) + 0.0475c) = target
    factor = 0.2 * (1 - target) / (0.06 * (1 - target) + 0.0475 * target)
    recall = 1 - 0.3 * factor
    precision = 0.1 * recall / (0.1 * recall + 0.0175 * factor)
    other = hs.plan("f1", half_width=0.05, prevalence=0.1, precision=precision, recall=recall)
    assert made.scenarios[0].value == pytest.approx(target, abs=1e-9)
    assert made.scenarios[0].n == pytest.approx(other.n, abs=1)


def test_near_the_edge_the_steps_are_shorter() -> None:
    values = [one.value for one in hs.plan("accuracy", half_width=0.01, accuracy=0.98).scenarios[:3]]
    assert values == pytest.approx([0.97, 0.98, 0.99], abs=1e-9)


def test_guesses_stand_beside_a_worst_case() -> None:
    made = hs.plan("f1", half_width=0.05, prevalence=0.2)
    assert [one.value for one in made.scenarios] == [0.7, 0.8, 0.9, None]
    assert made.scenarios[-1].n == made.n
    assert not any(one.expected for one in made.scenarios)


def test_a_budget_buys_whole_labels() -> None:
    made = hs.plan("accuracy", half_width=0.03, accuracy=0.85, cost=0.4, budget=200)
    assert made.affordable == 500
    assert f"Your budget buys 500: ±{hs.plan('accuracy', n=500, accuracy=0.85).half_width:.3f}." in str(made)
    alone = hs.plan("accuracy", accuracy=0.85, cost={"label": 0.1}, budget=0.3 * 1000 / 10)
    assert alone.n == alone.affordable == 300
    assert alone.half_width == hs.plan("accuracy", n=300, accuracy=0.85).half_width


def test_the_text_has_the_answer_first_and_the_costs_beside_it() -> None:
    made = hs.plan("accuracy", half_width=0.03, accuracy=0.85, cost=0.5)
    lines = str(made).splitlines()
    assert lines[0] == f"{made.n} rows give accuracy ±0.030 if you expect accuracy 0.85 (95% interval)."
    assert lines[2].split() == ["if", "accuracy", "is", "rows", "cost"]
    assert lines[4].split() == ["0.850", str(made.n), f"{made.n / 2:.2f}", "what", "you", "expect"]
    assert lines[6].startswith("anything")
    assert "note: Label 300, look again (±" in str(made)


@pytest.mark.parametrize(("given", "message"), [
    ({"budget": 100}, "nobody said what a label costs"),
    ({"budget": 1, "cost": 2}, "buys no label"),
    ({"budget": -1, "cost": 2}, "budget is -1"),
    ({"cost": {"judge": 1}}, "labels alone"),
    ({"cost": 0}, "cost is 0"),
])  # fmt: skip
def test_refusals(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        hs.plan("accuracy", half_width=0.03, accuracy=0.85, **given)


def test_a_plan_of_another_process_keeps_its_scenarios() -> None:
    made = hs.plan("accuracy", half_width=0.03, accuracy=0.85)
    again = pickle.loads(pickle.dumps(made))
    assert again.scenarios == made.scenarios
    assert str(again) == str(made)
