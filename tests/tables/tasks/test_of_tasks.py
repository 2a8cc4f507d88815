"""Tables of tasks: values and variances against a direct computation, for every kind of data; parts and wholes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import stdtrit

import howsure as hs
from howsure.errors import InputError
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.tables.tasks.of_tasks import tables_of_tasks, with_tasks
from howsure.tables.tasks.task_values import task_values
from support.toy_numbers import Numbers, numbers


def labelled(rng: np.random.Generator, n: int, classes: int = 2, **more: object) -> hs.Table:
    truth = rng.integers(0, classes, n)
    models = {name: np.where(rng.random(n) < right, truth, rng.integers(0, classes, n)) for name, right in MODELS}
    return hs.table(truth, models, **more)


MODELS = (("a", 0.6), ("b", 0.7), ("c", 0.8))


def scored(rng: np.random.Generator, n: int) -> hs.Table:
    truth = rng.integers(0, 2, n)
    return hs.table(truth, scores={name: truth * right + rng.normal(size=n) for name, right in MODELS})


def valued(rng: np.random.Generator, n: int) -> hs.Table:
    return hs.table(values={name: rng.beta(8 * right, 8 * (1 - right), n) for name, right in MODELS}, range=(0, 1))


def summed(rng: np.random.Generator, n: int) -> hs.Table:
    words = rng.integers(5, 20, n)
    errors = {name: {"errors": rng.binomial(words, 1 - right), "words": words} for name, right in MODELS}
    return hs.sums(errors, better="lower")


def label_sets(rng: np.random.Generator, n: int) -> hs.Table:
    truth = rng.integers(0, 2, (n, 3))
    return hs.table(truth, {name: np.where(rng.random((n, 3)) < right, truth, 1 - truth) for name, right in MODELS})


KINDS = {
    "labels": (labelled, "f1"), "classes": (lambda rng, n: labelled(rng, n, 4), "macro_f1"),
    "scores": (scored, "average_precision"), "values": (valued, "mean"), "sums": (summed, "errors/words"),
    "label sets": (label_sets, "micro_f1"),
}  # fmt: skip


def some(kind: str, seed: int = 1, sizes: tuple[int, ...] = (60, 150, 35, 90)) -> dict[str, hs.Table]:
    rng = np.random.default_rng(seed)
    return {f"task {at}": KINDS[kind][0](rng, n) for at, n in enumerate(sizes)}


@pytest.mark.parametrize("weights", ["equal", "size", {"task 0": 1, "task 1": 2, "task 2": 3, "task 3": 0.5}])
@pytest.mark.parametrize("kind", KINDS)
def test_fixed_tasks_are_a_stratified_sample(kind: str, weights: object) -> None:
    """Σ w·value and Σ w²·variance, each task on its own, its variance with n/(n − 1)."""
    held, metric = some(kind), KINDS[kind][1]
    each = [hs.estimate(one, metric, model="b", method="wald") for one in held.values()]
    size = np.array([one.n for one in held.values()], dtype=float)
    share = {"equal": np.ones(4), "size": size}.get(weights) if isinstance(weights, str) else [*weights.values()]
    share = np.asarray(share) / np.sum(share)
    found = hs.estimate(hs.tasks(held, weights=weights), metric, model="b", method="wald")
    assert found.value == pytest.approx(float(share @ [one.value for one in each]), rel=1e-12)
    # the influences themselves, summed by hand: what a kind of data divides by n − 1 already is not asked
    table = hs.tasks(held, weights=weights).pick("b")
    squares = []
    for one in tables_of_tasks(table).values():
        linear = linearise(one, metric_on(one, metric))
        moved = linear.influence - np.average(linear.influence, weights=one.counts)
        squares.append(float(one.counts @ moved**2) / (one.n * (one.n - 1)))
    assert found.se == pytest.approx(math.sqrt(share**2 @ squares), rel=1e-9)
    if kind in ("labels", "classes", "values"):
        assert found.se == pytest.approx(
            math.sqrt(sum(w**2 * one.se**2 * one.n / (one.n - 1) for w, one in zip(share, each, strict=True))), rel=1e-9
        )


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_serves_every_kind(kind: str) -> None:
    held, metric = some(kind), KINDS[kind][1]
    for how in ("fixed", "random"):
        table = hs.tasks(held, tasks=how)
        assert hs.estimate(table, metric, model="a").low < hs.estimate(table, metric, model="a").high
        assert len(hs.report(table, joint=True).rows) >= 3
        made = hs.compare(table, metric, a="a", b="c")
        assert made.low <= made.difference <= made.high
        assert [row.task for row in made.by_task] == list(held)
        assert made.new_task.low < made.difference < made.new_task.high
        pairs = hs.compare_all(table, metric)
        assert len(pairs.rows) == 3
        assert all(low <= high for low, high in pairs.rank_ranges.values())
        assert hs.gate(table, metric, baseline="a", model="c", margin=1.0).verdict == "pass"
        assert "Together" in hs.page(table) or "task 1" in hs.page(table)


def test_random_tasks_are_student_s_t_over_their_values() -> None:
    held = some("classes", sizes=(400, 500, 600, 700, 800))
    values = np.array([hs.estimate(one, "macro_f1", model="a").value for one in held.values()])
    found = hs.estimate(hs.tasks(held, tasks="random"), "macro_f1", model="a", method="wald")
    rows = hs.estimate(hs.tasks(held), "macro_f1", model="a", method="wald")
    assert found.se == pytest.approx(max(values.std(ddof=1) / math.sqrt(5), rows.se), rel=1e-12)
    half = max(2.7764451051977987 * values.std(ddof=1) / math.sqrt(5), (rows.high - rows.low) / 2)
    assert found.high - found.value == pytest.approx(half, rel=1e-9)


def test_a_difference_in_each_task_is_that_of_the_task_alone() -> None:
    held = some("labels")
    table = hs.tasks(held)
    first, second = (linearise(table.pick("a", "c"), metric_on(table, "f1"), name) for name in "ac")
    found = task_values(first, second)
    for name, value, variance in zip(found.names, found.values, found.variances, strict=True):
        alone = hs.compare(held[name], "f1", a="a", b="c", method="wald")
        assert value == pytest.approx(alone.difference, rel=1e-12)
        assert variance == pytest.approx(alone.se**2 * alone.n / (alone.n - 1), rel=1e-9)


def test_groups_weights_and_strata_of_a_task_stay_its_own() -> None:
    rng = np.random.default_rng(3)
    n = 120
    truth = rng.integers(0, 2, n)
    guess = np.where(rng.random(n) < 0.8, truth, 1 - truth)
    weights, groups = rng.uniform(0.5, 2, n), np.repeat(np.arange(40), 3)
    for more in ({"sample_weight": weights}, {"groups": groups}, {"sample_weight": weights, "groups": groups}):
        one = hs.table(truth, guess, **more)
        made = hs.tasks({"x": one, "y": one})
        alone, both = (hs.estimate(table, "f1", method="wald") for table in (one, made))
        again = hs.estimate(tables_of_tasks(made)["y"], "f1", method="wald")
        assert (again.value, again.se, again.n) == (alone.value, pytest.approx(alone.se), alone.n)
        assert both.value == pytest.approx(alone.value)
        if "groups" in more and "sample_weight" not in more:  # two tasks alike: half the variance
            assert both.se == pytest.approx(alone.se / math.sqrt(2), rel=0.02)
    strata = hs.stratified(truth, guess, strata=groups % 2, shares={0: 0.3, 1: 0.7})
    made = hs.tasks({"x": strata, "y": strata})
    assert hs.estimate(made, "f1", method="wald").se == pytest.approx(
        hs.estimate(strata, "f1", method="wald").se / math.sqrt(2), rel=1e-9
    )


def test_a_task_without_a_value() -> None:
    """No true or predicted positive: F1 is 0/0 there."""
    held = {
        "x": hs.counts(tp=8, fp=2, fn=2, tn=8),
        "y": hs.counts(tp=0, fp=0, fn=0, tn=20),
        "z": hs.counts(tp=6, fp=4, fn=4, tn=6),
    }
    table = hs.tasks(held)
    found = hs.estimate(table, "f1")
    assert math.isnan(found.value)
    assert any("undefined in 'y'" in note for note in found.notes)
    assert hs.estimate(table, "f1", undefined="skip").value == pytest.approx((0.8 + 0.6) / 2)
    assert hs.estimate(table, "f1", undefined="zero").value == pytest.approx((0.8 + 0 + 0.6) / 3)
    two = hs.tasks({name: held[name] for name in "xz"})
    assert hs.estimate(table, "f1", undefined="skip", method="wald").se == pytest.approx(
        hs.estimate(two, "f1", method="wald").se, rel=1e-9
    )


def test_perfect_tasks_have_an_interval() -> None:
    table = hs.tasks({name: hs.counts(tp=20, fp=0, fn=0, tn=20) for name in "xyz"})
    for how in ("fixed", "random"):
        found = hs.estimate(with_tasks(table, how), "accuracy")
        assert found.value == found.high == 1.0
        assert 0.85 < found.low < 1.0


@pytest.mark.parametrize("tasks", ["fixed", "random"])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "recall", "f2", "macro_f1", "mcc"])
def test_with_many_rows_limits_are_as_far_apart_as_the_standard_error_says(metric: str, tasks: str) -> None:
    """Limits that are made on another scale, as those of F1 on Jaccard's, must know the variance on that scale."""
    cells = [(37_000, 2_400, 1_900, 58_700), (37_040, 2_380, 1_870, 58_710), (36_980, 2_430, 1_900, 58_690)]
    held = {str(at): hs.counts(tp=tp, fp=fp, fn=fn, tn=tn) for at, (tp, fp, fn, tn) in enumerate(cells)}
    found, wald = (hs.estimate(hs.tasks(held, tasks=tasks), metric, method=how) for how in (None, "wald"))
    assert found.high - found.low == pytest.approx(wald.high - wald.low, rel=2e-3)


def test_perfect_tasks_count_the_rows_that_a_metric_counts() -> None:
    """Tasks of equal size, none with an error: Wilson's interval of the positives for recall, of all rows together."""
    table = hs.tasks({name: hs.counts(tp=12, fp=0, fn=0, tn=28) for name in "xyz"})
    for metric, rows in (("recall", 36), ("f1", 36), ("accuracy", 120)):
        low = 1 / (1 + stdtrit(117, 0.975) ** 2 / rows)
        expected = 2 * low / (1 + low) if metric == "f1" else low
        assert hs.estimate(table, metric).low == pytest.approx(expected, rel=1e-9)


def test_parts_and_wholes() -> None:
    held = some("labels")
    table = hs.tasks(held, tasks="random")
    assert repr(table) == "Table(335 rows, 4 tasks, 3 models)"
    assert list(tables_of_tasks(table)) == list(held)
    twice = table + table
    assert twice.n == 2 * table.n
    assert hs.estimate(twice, "f1", model="b").value == pytest.approx(hs.estimate(table, "f1", model="b").value)
    assert hs.estimate(table.pick("b"), "f1").same(hs.estimate(table, "f1", model="b"))
    assert table.merged().n == table.n
    assert hs.estimate(table.scaled(2), "f1", model="b").value == pytest.approx(hs.estimate(table, "f1", model="b"))
    assert tables_of_tasks(hs.tasks(some("scores")).at(0.5))["task 1"].labels == (0, 1)
    with pytest.raises(InputError, match="different tasks"):
        _ = table + hs.tasks({"other": held["task 0"]})


def test_bootstrap_draws_rows_within_tasks() -> None:
    table = hs.tasks(some("labels"))
    wald = hs.estimate(table, "f1", model="b", method="wald")
    drawn = hs.estimate(table, "f1", model="b", method=hs.Bootstrap(2000, "percentile", 0))
    assert (drawn.low, drawn.high) == pytest.approx((wald.low, wald.high), abs=0.02)
    with pytest.raises(hs.MethodError, match="tasks are a sample"):
        hs.estimate(with_tasks(table, "random"), "f1", model="b", method="bootstrap")


@pytest.mark.parametrize(
    ("tables", "more", "words"),
    [
        ({}, {}, "must map the name of each task"),
        ({"x": 3}, {}, "has a int for task 'x'"),
        ({"x": "one"}, {"tasks": "random"}, "there is one task"),
        ({"x": "one", "y": "other"}, {}, "leave out the tasks"),
        ({"x": "one", "y": "values"}, {}, "all tasks must be of one kind"),
        ({"x": "one", "y": "groups"}, {}, "give both or neither"),
        ({"x": "one", "y": "one"}, {"weights": {"x": 1}}, "give each one number"),
        ({"x": "one", "y": "one"}, {"weights": {"x": 1, "y": -1}}, "larger than 0"),
        ({"x": "one", "y": "one"}, {"weights": 3}, "a number for each task"),
        ({"x": "one", "y": "one"}, {"weights": "rows"}, "one of 'equal', 'size'"),
        ({"x": "one", "y": "one"}, {"tasks": "sampled"}, "one of 'fixed', 'random'"),
        ({"x": "tasks", "y": "tasks"}, {}, "holds tasks itself"),
    ],
)
def test_what_does_not_fit_is_refused(tables: dict, more: dict, words: str) -> None:
    one = hs.table([1, 0, 1], [1, 0, 0])
    known = {
        "one": one, "other": hs.table([1, 0], {"bert": [1, 0]}), "values": hs.table(values=[0.1, 0.4]),
        "groups": hs.table([1, 0, 1], [1, 0, 0], groups=[1, 1, 2]), "tasks": hs.tasks({"p": one, "q": one}),
    }  # fmt: skip
    with pytest.raises(InputError, match=words):
        hs.tasks({name: known.get(kind, kind) for name, kind in tables.items()}, **more)


def test_tasks_that_look_like_the_same_rows_are_noted() -> None:
    one = hs.table([1, 0, 1, 1], [1, 0, 0, 1])
    assert any("share rows" in note for note in hs.tasks({"x": one, "y": one}).notes)


def test_two_kinds_of_one_name_are_still_two_kinds() -> None:
    class Others(Numbers):
        """Numbers of another kind, in the same words."""

    one = numbers({"a": [0.1, 0.7, 0.9], "b": [0.2, 0.4, 0.8]})
    other = replace(one, contents=Others(one.contents.values))
    assert one.contents.kind_words == other.contents.kind_words
    assert hs.tasks({"x": one, "y": one}).n == 6
    with pytest.raises(InputError, match="holds one number per row"):
        hs.tasks({"x": one, "y": other})
