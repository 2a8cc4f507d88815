"""Tasks: how often intervals hold the truth on fresh benchmarks, of these tasks and of tasks like these."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.comparisons.methods.task_answers import new_task
from howsure.estimates.tail import Tail
from howsure.tables.tasks.task_values import TaskValues
from studies import new_task_study, task_run_study, task_study
from studies.task_run_study import Cell, computed

KEPT = Path(__file__).parents[2] / "docs" / "how-to" / "tasks.json"
LEAST = {"accuracy": 0.94, "f1": 0.94, "recall": 0.94, "macro_f1": 0.92}  # macro F1 of five classes: few rows of each
LEVEL = 0.95
LIKE_THESE = KEPT.with_name("tasks-like-these.json")


def lines_in(file: Path) -> list[dict[str, Any]]:
    return list(json.loads(file.read_text(encoding="utf-8")))


def hold(lines: list[dict[str, Any]]) -> None:
    """Populations of four shapes: t is a little short for five tasks of a uniform or two-valued law."""
    samples = lines[0]["samples"]
    error = 3 * math.sqrt(0.93 * 0.07 / samples)
    assert min(line["held"] for line in lines) > 0.93 - error
    assert min(line["predicted"] for line in lines) > 0.93 - error
    assert np.mean([line["held"] for line in lines]) > LEVEL
    assert np.mean([line["predicted"] for line in lines]) > LEVEL


def test_tasks_like_these_are_kept_and_hold() -> None:
    lines = lines_in(LIKE_THESE)
    kept = [(*line["cell"][:3], tuple(line["cell"][3])) for line in lines]
    assert sorted(kept) == sorted(new_task_study.wanted())
    assert {line["samples"] for line in lines} == {new_task_study.SAMPLES}
    hold(lines)


def test_limits_of_many_samples_are_what_the_library_says() -> None:
    found = new_task_study.drawn(np.random.default_rng(4), (5, "gamma", 0.02, (40, 150)), 20)
    halves, news = new_task_study.mean_half(found), new_task_study.new_task_half(found)
    for at, (values, variances) in enumerate(zip(*found, strict=True)):
        each = TaskValues(tuple("abcde"), values, variances, np.full(5, 0.2), np.full(5, 90.0), random=True)
        assert halves[at] == pytest.approx(each.spread.half(Tail(LEVEL)), rel=1e-12)
        one = new_task(each, LEVEL, None)
        assert news[at] == pytest.approx((one.high - one.low) / 2, rel=1e-5)


@pytest.mark.slow
def test_tasks_like_these_hold_the_mean_of_their_population_and_one_new_task() -> None:
    """The same 72 populations, other samples than those kept."""
    hold([new_task_study.computed(cell, seed=32) for cell in new_task_study.wanted()])


@pytest.mark.parametrize(("near", "classes"), [(0.8, 2), (0.99, 2), (0.95, 4), (0.9995, 2)])
def test_many_samples_of_tasks_at_once_are_what_the_library_says(near: float, classes: int) -> None:
    rng = np.random.default_rng([classes, 7])
    held = task_study.benchmark(rng, near, classes)
    matrices = held.draw(rng, 2)
    for metric in task_study.metrics_of(classes):
        ends = np.array(task_study.task_samples(metric, held.rows, matrices).limits()).T
        for found, each in zip(ends, matrices.astype(int), strict=True):
            tables = {str(at): hs.matrix(one, rows="truth", labels=range(classes)) for at, one in enumerate(each)}
            made = hs.estimate(hs.tasks(tables), metric)
            assert found == pytest.approx((made.low, made.high), abs=1e-12)


def test_these_tasks_are_kept_and_hold() -> None:
    lines = lines_in(KEPT)
    assert sorted(tuple(line["cell"]) for line in lines) == sorted(task_study.wanted())
    assert {line["samples"] for line in lines} == {task_study.SAMPLES}
    for metric, least in LEAST.items():
        assert min(task_study.figures(lines, metric, "covered")) >= least


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("near", task_study.NEAR)
def test_these_tasks_hold_the_value_of_the_benchmark(near: float, classes: int) -> None:
    """Other benchmarks than those kept, new rows each time: Wilson's interval with what strata hide."""
    lines = [task_study.computed((near, classes, number), seed=99) for number in range(3)]
    for metric in task_study.metrics_of(classes):
        least = min(task_study.figures(lines, metric, "covered"))
        assert least > 0.93 - 3 * math.sqrt(0.93 * 0.07 / task_study.SAMPLES), metric


@pytest.mark.slow
@pytest.mark.parametrize(("tasks", "sizes", "right"), [(4, (30, 80), 0.8), (8, (30, 200), 0.95), (15, (100, 800), 0.7)])
def test_these_tasks_hold_their_mcc(tasks: int, sizes: tuple[int, int], right: float) -> None:
    rng, samples = np.random.default_rng([tasks, 7]), 600
    rows = rng.integers(*sizes, size=tasks)
    good = np.clip(rng.normal(right, 0.06, size=tasks), 0.55, 0.985)
    cells = np.stack([0.4 * good, 0.6 * (1 - good), 0.4 * (1 - good), 0.6 * good], axis=1)  # tp, fp, fn, tn

    def table(each: np.ndarray) -> hs.Table:
        kept = (dict(zip(("tp", "fp", "fn", "tn"), map(float, one), strict=True)) for one in each)
        return hs.tasks({str(at): hs.counts(**one) for at, one in enumerate(kept)})

    true = hs.estimate(table(cells * 1e6), "mcc", method="wald").value
    held = 0
    for _ in range(samples):
        drawn = np.array([rng.multinomial(n, share) for n, share in zip(rows, cells, strict=True)])
        found = hs.estimate(table(drawn), "mcc")
        held += found.low <= true <= found.high
    assert held / samples > 0.93 - 3 * math.sqrt(LEVEL * (1 - LEVEL) / samples)


def test_runs_inside_tasks_are_kept_and_hold() -> None:
    """Equal algorithms called different, and a value covered, in every cell; less three errors of its samples."""
    lines = lines_in(KEPT.with_name("runs-in-tasks.json"))
    assert sorted(tuple(line["cell"]) for line in lines) == sorted(task_run_study.wanted())
    for line in lines:
        assert line["different"] / line["samples"] <= 0.065
        assert line["covered"] / line["samples"] > 0.93 - 3 * math.sqrt(0.93 * 0.07 / line["samples"])


CELLS = [(4, 3, 0.15, "fixed"), (8, 5, 0.15, "fixed"), (4, 5, 0.0, "random"), (8, 3, 0.15, "random")]


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_runs_inside_tasks(cell: Cell) -> None:
    """Two equal algorithms on all tasks: called different in at most 6.5 %, the value of one covered in 93 %."""
    found = computed(cell, samples := 500)
    assert found["different"] / samples < 0.065 + 3 * math.sqrt(0.065 * 0.935 / samples)
    assert found["covered"] / samples > 0.93 - 3 * math.sqrt(0.93 * 0.07 / samples)
