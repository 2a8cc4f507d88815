"""Comparisons over tasks: both questions, methods by name, ranks, forests; and the benchmarks that people have."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.errors import InputError, MethodError
from howsure.tables.tasks.of_tasks import tables_of_tasks, with_tasks


def benchmark(seed: int = 2, tasks: int = 7, n: int = 120, models: int = 4) -> dict[str, hs.Table]:
    rng = np.random.default_rng(seed)
    held = {}
    for at in range(tasks):
        truth = rng.integers(0, 2, n)
        right = 0.7 + 0.05 * np.arange(models) + rng.normal(0, 0.04, models)
        guesses = {f"m{m}": np.where(rng.random(n) < one, truth, 1 - truth) for m, one in enumerate(right)}
        held[f"task {at}"] = hs.table(truth, guesses)
    return held


HELD = benchmark()
FIXED, RANDOM = (hs.tasks(HELD, tasks=how) for how in ("fixed", "random"))


def differences(a: str, b: str, metric: str = "accuracy") -> tuple[np.ndarray, np.ndarray]:
    """Return the difference in each task and its variance, from the rows."""
    made = [hs.compare(one, metric, a=a, b=b, method="wald") for one in HELD.values()]
    return np.array([one.difference for one in made]), np.array([one.se**2 * one.n / (one.n - 1) for one in made])


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc"])
def test_student_s_t_over_tasks(metric: str) -> None:
    d, v = differences("m0", "m3", metric)
    made = hs.compare(RANDOM, metric, a="m0", b="m3")
    half = max(stats.t.ppf(0.975, 6) * d.std(ddof=1) / math.sqrt(7), stats.norm.ppf(0.975) * math.sqrt(v.sum()) / 7)
    assert made.method == "t"
    assert (made.difference, made.low, made.high) == pytest.approx(
        (d.mean(), d.mean() - half, d.mean() + half), rel=1e-9
    )
    tail = max(
        stats.t.sf(abs(d.mean()) / (d.std(ddof=1) / 7**0.5), 6), stats.norm.sf(abs(d.mean()) * 7 / v.sum() ** 0.5)
    )
    assert made.p_value == pytest.approx(2 * tail, rel=1e-5)


def test_both_answers_are_given_whatever_was_asked() -> None:
    fixed, random = (hs.compare(table, "accuracy", a="m0", b="m1") for table in (FIXED, RANDOM))
    assert (fixed.low, fixed.high) == pytest.approx((fixed.tasks.fixed.low, fixed.tasks.fixed.high))
    assert (random.low, random.high) == pytest.approx((random.tasks.random.low, random.tasks.random.high))
    assert fixed.tasks.random == pytest.approx(random.tasks.random)
    assert fixed.tasks.fixed == pytest.approx(random.tasks.fixed)
    assert fixed.sentence == random.sentence
    assert "On these 7 tasks" in fixed.sentence
    assert "tasks like these" in fixed.sentence.lower()
    assert fixed.to_dict()["tasks"]["by_task"][0]["task"] == "task 0"
    for made, other in ((fixed, "sample"), (random, "alone")):
        assert not math.isnan(made.p_value)
        one = hs.estimate(FIXED if made is fixed else RANDOM, "accuracy", model="m0")
        assert any(note.kind == "other question" and other in note for note in one.notes)


def test_never_shorter_than_the_rows_allow() -> None:
    """Tasks that happen to agree make nothing more certain."""
    one = next(iter(HELD.values()))
    made = hs.compare(hs.tasks({str(at): one for at in range(5)}, tasks="random"), "accuracy", a="m0", b="m3")
    rows = hs.compare(one, "accuracy", a="m0", b="m3", method="wald")
    spread = rows.se * math.sqrt(rows.n / (rows.n - 1) / 5)
    assert made.high - made.difference == pytest.approx(stats.norm.ppf(0.975) * spread, rel=1e-9)


def test_signed_ranks_by_name() -> None:
    d, _ = differences("m0", "m2")
    made = hs.compare(FIXED, "accuracy", a="m0", b="m2", method="signed-rank")
    assert made.p_value == pytest.approx(stats.wilcoxon(d, method="exact").pvalue, rel=1e-9)
    assert made.p_method == "signed rank, exact"
    assert any("one number a task" in note for note in made.notes)
    greater = hs.compare(FIXED, "accuracy", a="m0", b="m2", method="wilcoxon", alternative="greater")
    assert greater.p_value == pytest.approx(stats.wilcoxon(d, alternative="greater", method="exact").pvalue, rel=1e-9)


def test_the_bayesian_signed_rank_has_a_rope() -> None:
    made = hs.compare(FIXED, "accuracy", a="m0", b="m3", method="bayesian-signed-rank", rope=0.01)
    assert sum(made.rope_probabilities) == pytest.approx(1)
    assert made.rope_probabilities[2] > 0.9
    assert (made.seed, made.p_method) == (0, "posterior tail")
    again = hs.compare(FIXED, "accuracy", a="m3", b="m0", method=hs.SignedRanks(draws=50_000), rope=0.01)
    assert again.rope_probabilities[0] == pytest.approx(made.rope_probabilities[2], abs=0.01)


def test_pairs_hold_together_by_bonferroni() -> None:
    made = hs.compare_all(RANDOM, "accuracy")
    q = stats.t.ppf(1 - 0.025 / 6, 6)
    for row in made.rows:
        d, v = differences(row.a, row.b)
        half = max(q * d.std(ddof=1) / math.sqrt(7), stats.norm.ppf(1 - 0.025 / 6) * math.sqrt(v.sum()) / 7)
        assert (row.low, row.high) == pytest.approx((d.mean() - half, d.mean() + half), rel=1e-9)
        assert row.decided == (row.p_value < 0.05)
    beaten = {row.a if row.winner == row.b else row.b for row in made.rows if row.winner}
    assert set(made.tied_with_best) == {"m0", "m1", "m2", "m3"} - beaten
    assert any(note.kind == "both" for note in made.notes)
    assert any("tasks like these the ranks" in note for note in hs.compare_all(FIXED, "accuracy").notes)


def test_methods_over_tasks_need_tasks() -> None:
    one = HELD["task 0"]
    for method in ("t", "hartung-knapp", "signed-rank"):
        with pytest.raises(MethodError, match="needs several tasks"):
            hs.compare(one, "accuracy", a="m0", b="m1", method=method)
    with pytest.raises(MethodError, match="needs several tasks"):
        hs.compare_all(one, "accuracy", method="t")
    with pytest.raises(MethodError, match="not ratios"):
        hs.compare(FIXED, "accuracy", a="m0", b="m1", method="t", kind="ratio")
    with pytest.raises(MethodError, match="tasks are a sample"):
        hs.compare(RANDOM, "accuracy", a="m0", b="m1", method="bootstrap")
    with pytest.raises(InputError, match="compare pairs"):
        hs.compare_all(RANDOM, "accuracy", versus="best")
    same = {name: hs.table([0, 1] * 5, {"a": [0, 1] * 5, "b": [0, 1] * 5}) for name in "xy"}
    with pytest.raises(MethodError, match="precision is unknown"):
        hs.compare(hs.tasks(same), "accuracy", method="hartung-knapp")
    with pytest.raises(InputError, match="holds no tasks"):
        hs.forest(one, "accuracy", model="m0")
    with pytest.raises(InputError, match="holds no tasks"):
        with_tasks(one, "random")


def test_a_forest_has_every_task_and_all_together() -> None:
    made = hs.forest(FIXED, "f1", a="m0", b="m3")
    pair = hs.compare(FIXED, "f1", a="m0", b="m3")
    assert [row.label for row in made] == list(HELD)
    assert [row.kind for row in made.together] == ["these", "like", "common", "random", "new"]
    assert (made["these"].low, made["like"].high) == pytest.approx((pair.low, pair.tasks.random.high))
    assert (made["new"].low, made["new"].high) == pytest.approx((pair.new_task.low, pair.new_task.high))
    assert "task 3" in str(made)
    one = hs.forest(RANDOM, "f1", model="m2")
    assert one["task 1"].value == hs.estimate(HELD["task 1"], "f1", model="m2").value
    assert one["new"].high <= 1.0
    with pytest.raises(KeyError):
        made["task 99"]


def test_runs_inside_tasks_are_named_where_the_tasks_are() -> None:
    """Seeds are a sample too, weights by precision do not know them, and tasks that count alike are no weights."""
    rng = np.random.default_rng(3)

    def task(n: int) -> hs.Table:
        truth = rng.integers(0, 2, n)
        runs = {name: [np.where(rng.random(n) < 0.8, truth, 1 - truth) for _ in range(3)] for name in "ab"}
        return hs.table(truth, runs, labels=(0, 1))

    table = hs.tasks({name: task(n) for name, n in (("x", 60), ("y", 90), ("z", 120))})
    notes = hs.compare(table, "accuracy", "a", "b").notes
    assert "These 3 tasks are meant, and only their rows and runs are a sample." in map(str, notes)
    fixed = hs.compare(FIXED, "accuracy", "m0", "m1")
    assert "These 7 tasks are meant, and only their rows are a sample." in map(str, fixed.notes)
    assert "Random effects" not in hs.forest(table, "accuracy", a="a", b="b").caption
    assert "Random effects: Hartung and Knapp." in hs.forest(FIXED, "accuracy", a="m0", b="m1").caption
    assert "sampling weights" not in hs.page(table, metrics=["accuracy"])


def test_mean_ranks() -> None:
    made = hs.friedman(FIXED, "accuracy")
    values = np.array([[hs.estimate(one, "accuracy", model=m).value for m in one.models] for one in HELD.values()])
    theirs = stats.friedmanchisquare(*values.T)
    assert (made.chi_squared, made.p_chi_squared) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    assert list(made.ranks.values()) == pytest.approx(np.mean([stats.rankdata(-row) for row in values], axis=0))
    for clique in made.cliques:
        assert made.ranks[clique[-1]] - made.ranks[clique[0]] <= made.critical_difference
    assert any("ranks know neither" in note for note in made.notes)
    for bad, words in ((HELD["task 0"], "three models"), (FIXED.pick("m0", "m1"), "three models")):
        with pytest.raises(InputError, match=words):
            hs.friedman(bad, "accuracy")


def test_categories_of_a_benchmark_as_tasks(shared_data: Path) -> None:
    """The figures of a computation apart from the library, rounded: 14 categories, 8 models, 12 032 questions."""
    table = hs.read(
        shared_data / "mmlu-pro-models" / "predictions.csv", truth="answer", task="category", abstain="none"
    )
    made = hs.compare(table, "accuracy", a="phi3_mini", b="llama31_8b_instruct")
    assert [round(100 * end, 1) for end in (made.difference, made.low, made.high)] == [2.2, 1.2, 3.2]
    assert [round(100 * end, 1) for end in made.tasks.random[:2]] == [-0.8, 5.2]
    assert [round(100 * end, 1) for end in made.new_task[:2]] == [-8.8, 13.1]
    assert round(made.new_task.better, 2) == 0.67
    fixed, random = (hs.compare_all(with_tasks(table, how), "accuracy").rank_ranges for how in ("fixed", "random"))
    assert sorted(fixed.values()) == [(1, 1), (2, 2), (3, 3), (4, 5), (4, 5), (6, 6), (7, 7), (8, 8)]
    assert sorted(random.values()) == [(1, 2), (1, 2), (3, 3), (4, 6), (4, 6), (4, 7), (6, 7), (8, 8)]


def test_a_long_table_of_tasks(shared_data: Path) -> None:
    table = hs.read(
        shared_data / "runs-tasks" / "predictions.csv",
        model="model",
        id="id",
        correct="correct",
        task="task",
        tasks="random",
    )
    assert list(tables_of_tasks(table)) == ["abalone", "cancer", "digits", "iris", "juice", "wine"]
    assert hs.compare_all(table, "accuracy").rank_ranges.keys() == {"forest", "mlp", "sgd"}
