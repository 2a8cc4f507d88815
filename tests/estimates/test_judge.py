"""Estimates with a judge: what they are beside people's, notes, designs, joint intervals, many models."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.tables.table import Table
from howsure.types import Array


def columns(seed: int, rows: int = 600, judge: float = 0.9) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    truth = (rng.random(rows) < 0.4).astype(int)
    noisy = [np.where(rng.random(rows) < right, truth, 1 - truth) for right in (0.85, 0.75, judge)]
    return {"truth": truth, "a": noisy[0], "b": noisy[1], "judge": noisy[2], "doc": rng.integers(0, 60, rows)}


def judged(seed: int = 0, labels: int = 100, **more: Any) -> Table:
    data = columns(seed)
    truth = np.where(np.arange(600) < labels, data["truth"].astype(float), np.nan)
    return hs.table(truth, {"a": data["a"], "b": data["b"]}, judge=data["judge"], **more)


def kinds(found: Any) -> set[str]:
    return {note.kind for note in found.notes}


def test_the_parts_of_an_estimate() -> None:
    found = hs.estimate(judged(), "f1", model="a")
    alone = hs.estimate(judged(), "f1", model="a", judge="ignore")
    data = columns(0)
    assert found.human is not None
    assert (found.human.value, found.human.low, found.human.high) == (alone.value, alone.low, alone.high)
    assert found.judge_only is not None
    assert found.judge_only.value == pytest.approx(
        hs.estimate(hs.table(data["judge"], data["a"]), "f1").value, abs=1e-12
    )
    assert found.n == 100
    assert found.effective_n == pytest.approx(100 * (found.gain or 0))
    assert repr(found).endswith(f"100 human labels worth {round(found.effective_n)} with the judge")
    assert pickle.loads(pickle.dumps(found)).same(found)
    wider = found.at(0.99)
    assert wider.low < found.low
    assert wider.human is not None
    assert wider.human.low < found.human.low


def test_method_is_that_method_at_as_many_rows_as_labels_are_worth() -> None:
    found = hs.estimate(judged(), "accuracy", model="a", method="wilson")
    n, p, z2 = found.effective_n, found.value, 1.959963984540054**2
    middle, half = p + z2 / (2 * n), np.sqrt(p * (1 - p) * z2 / n + z2 * z2 / (4 * n * n))
    assert [found.low, found.high] == pytest.approx([(middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)])


def test_a_judge_never_makes_labels_worth_less_nor_more_than_all_rows() -> None:
    for seed in range(8):
        for right in (0.5, 0.7, 1.0):
            data = columns(seed, judge=right)
            truth = np.where(np.arange(600) < 60, data["truth"].astype(float), np.nan)
            found = hs.estimate(hs.table(truth, data["a"], judge=data["judge"]), "f1")
            assert 1.0 <= (found.gain or 0) <= 10.0
            assert all(0.0 <= weight <= 1.0 for weight in found.lam)


def test_fewer_other_rows_than_labels() -> None:
    found = hs.estimate(judged(labels=400), "f1", model="a")
    assert 1.0 < (found.gain or 0) <= 1.5
    assert found.high - found.low < found.human.high - found.human.low


def test_a_judge_of_no_use_changes_nothing() -> None:
    data = columns(1)
    truth = np.where(np.arange(600) < 100, data["truth"].astype(float), np.nan)
    constant = hs.table(truth, data["a"], judge=np.ones(600, dtype=int))
    everything = hs.table(data["truth"], data["a"], judge=data["judge"])
    for made in (constant, everything):
        found = hs.estimate(made, "accuracy")
        assert found.human is not None
        assert found.gain == 1.0
        assert (found.value, found.low, found.high) == pytest.approx(
            (found.human.value, found.human.low, found.human.high)
        )


@pytest.mark.parametrize("name", ["accuracy", "f1", "mcc"])
@pytest.mark.parametrize("design", ["groups", "sample_weight", "strata"])
def test_a_judge_of_no_use_leaves_a_difference_as_it_is_without(design: str, name: str) -> None:
    """In groups, with weights and in strata: the design effect is that of the difference, whoever labelled."""
    data = columns(3)
    truth = np.where(np.arange(600) < 100, data["truth"].astype(float), np.nan)
    given: dict[str, Any] = {design: data["doc"] // 4 if design == "strata" else data["doc"] + 1}
    make = hs.stratified if design == "strata" else hs.table
    table = make(truth, {"a": data["a"], "b": data["b"]}, judge=np.where(np.arange(600) == 599, 1.0, np.nan), **given)
    found, alone = (hs.compare(table, name, "a", "b", judge=use) for use in ("gain", "ignore"))
    ends = [(one.difference, one.low, one.high, one.p_value) for one in (found, alone)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)


def test_few_labels_none_and_few_of_a_class() -> None:
    few = hs.estimate(judged(labels=15), "f1", model="a")
    assert few.gain == 1.0
    assert "few labels" in kinds(few)
    none = hs.estimate(judged(labels=0), "f1", model="a")
    assert np.isnan(none.value)
    rng = np.random.default_rng(0)
    rare = (rng.random(600) < 0.02).astype(int)
    truth = np.where(np.arange(600) < 60, rare.astype(float), np.nan)
    truth[0] = 1.0
    assert "few of class" in kinds(hs.estimate(hs.table(truth, rare, judge=rare), "recall"))


def test_labels_that_are_no_random_draw_are_noted_and_random_ones_are_not() -> None:
    data = columns(3)
    odd = np.where((data["judge"] != data["a"]) | (np.arange(600) < 10), data["truth"].astype(float), np.nan)
    assert "labels" in kinds(hs.estimate(hs.table(odd, data["a"], judge=data["judge"]), "accuracy"))
    noted = sum("labels" in kinds(hs.estimate(judged(seed), "accuracy", model="a")) for seed in range(20))
    assert noted <= 2
    weights = np.where(np.isnan(odd), 1.0, 2.0)
    known = hs.estimate(hs.table(odd, data["a"], judge=data["judge"], sample_weight=weights), "accuracy")
    assert "labels" not in kinds(known)


def test_chi_squared_is_that_of_scipy() -> None:
    from scipy.stats import chi2_contingency

    from howsure.tables.kinds.judges.judge_notes import _chance

    data = columns(5)
    made = hs.table(np.where(np.arange(600) < 150, data["truth"].astype(float), np.nan), data["a"], judge=data["judge"])
    kind = data["judge"] * 2 + data["a"]
    cells = np.array([np.bincount(kind[part], minlength=4) for part in (slice(0, 150), slice(150, None))])
    expected = chi2_contingency(cells, correction=False).pvalue
    assert _chance(made.contents, 0, made.design) == pytest.approx(expected, abs=1e-12)


def test_perfect_agreement_is_noted_and_not_believed() -> None:
    truth = np.array([1.0] * 24 + [0.0] * 6 + [np.nan] * 970)
    judge = np.array([1] * 24 + [0] * 6 + [1] * 776 + [0] * 194)
    found = hs.estimate(hs.table(truth, np.ones(1000, dtype=int), judge=judge), "accuracy", method="wilson")
    assert "judge agrees" in kinds(found)
    # the study's own code gives 0.705 to 0.870, where ppi-python has 0.775 to 0.825 and judgy no width at all
    assert [round(found.low, 3), round(found.high, 3)] == [0.705, 0.87]


def test_groups_weights_and_strata() -> None:
    data = columns(0)
    plain = hs.estimate(judged(), "f1", model="a")
    grouped = hs.estimate(judged(groups=data["doc"]), "f1", model="a")
    assert grouped.value == pytest.approx(plain.value, abs=1e-12)
    assert grouped.groups == len(set(data["doc"][:100].tolist()))
    alike = hs.estimate(judged(sample_weight=np.full(600, 3.0)), "f1", model="a")
    assert alike.value == pytest.approx(plain.value, abs=1e-12)
    assert alike.gain == pytest.approx(plain.gain, rel=0.05)
    truth = np.where(np.arange(600) < 100, data["truth"].astype(float), np.nan)
    shares = {0: float((data["a"] == 0).mean()), 1: float((data["a"] == 1).mean())}
    parted = hs.estimate(hs.stratified(truth, data["a"], judge=data["judge"], shares=shares), "f1")
    assert parted.value == pytest.approx(plain.value, abs=0.05)
    assert (parted.gain or 0) > 1.1


def test_every_row_in_a_group_of_its_own_is_as_plain_rows() -> None:
    found = hs.estimate(judged(groups=np.arange(600)), "accuracy", model="a")
    plain = hs.estimate(judged(), "accuracy", model="a")
    assert found.value == pytest.approx(plain.value, abs=1e-12)
    assert found.gain == pytest.approx(plain.gain, rel=0.02)


def test_the_covariance_of_estimates_is_that_of_their_variances_by_sampling() -> None:
    """The linearised covariance of two estimates with a judge, against their spread over samples."""
    from howsure.tables.covariance import family_of
    from howsure.tables.linearised import metric_on

    rng = np.random.default_rng(11)
    found, held = [], []
    for _ in range(300):
        truth = (rng.random(1200) < 0.4).astype(int)
        a, b, judge = (np.where(rng.random(1200) < right, truth, 1 - truth) for right in (0.85, 0.8, 0.9))
        made = hs.table(np.where(np.arange(1200) < 200, truth.astype(float), np.nan), {"a": a, "b": b}, judge=judge)
        family = family_of(made, [metric_on(made, "accuracy")])
        found.append(family.values)
        held.append(family.linearised)
    seen, told = np.cov(np.array(found).T), np.mean(held, axis=0)
    own = np.diagonal(seen)
    error = np.sqrt((np.outer(own, own) + seen**2) / 300)  # of a covariance of normal numbers, by 300 samples
    assert (np.abs(told - seen) < 3.5 * error).all()


def test_joint_intervals_and_many_models() -> None:
    made = judged()
    single, joint = hs.report(made, ["f1", "accuracy"]), hs.report(made, ["f1", "accuracy"], joint=True)
    for one, other in zip(single, joint, strict=True):
        assert other.low < one.low
        assert other.high > one.high
        assert other.gain == one.gain
    pairs = hs.compare_all(made, "f1")
    assert pairs.rows[0].difference == pytest.approx(single["b", "f1"].value - single["a", "f1"].value)
    assert pairs.tied_with_best == ("a",)
    people = hs.compare_all(made, "f1", judge="ignore").rows[0]
    assert pairs.rows[0].high - pairs.rows[0].low < people.high - people.low


def test_a_difference_has_a_weight_of_its_own() -> None:
    made = judged(2)
    both, people = hs.compare(made, "f1", "a", "b"), hs.compare(made, "f1", "a", "b", judge="ignore")
    assert both.high - both.low < people.high - people.low
    assert "with the judge" in repr(both)
    reverse = hs.compare(made, "f1", "b", "a")
    assert (reverse.low, reverse.high) == pytest.approx((-both.high, -both.low))


def test_several_judges() -> None:
    data = columns(0)
    rng = np.random.default_rng(9)
    other = np.where(rng.random(600) < 0.85, data["truth"], 1 - data["truth"])
    truth = np.where(np.arange(600) < 150, data["truth"].astype(float), np.nan)
    gains = []
    for judge in ({"x": data["judge"]}, {"y": other}, {"x": data["judge"], "y": other}):
        gains.append(hs.estimate(hs.table(truth, data["a"], judge=judge), "accuracy").gain or 0)
    assert gains[2] > max(gains[:2])
    # by least squares of φ on both judges' φ, over (1 + n/N): the same weights
    found = hs.estimate(hs.table(truth, data["a"], judge={"x": data["judge"], "y": other}), "accuracy")
    right = [(column == data["a"]).astype(float) for column in (data["truth"], data["judge"], other)]
    spread = np.cov(right[1:], ddof=0)
    towards = [np.cov(right[0][:150], one[:150], ddof=0)[0, 1] for one in right[1:]]
    assert found.lam == pytest.approx(np.linalg.solve(spread, towards) / (1 + 150 / 450), abs=1e-9)
    few = np.where(np.arange(600) < 60, data["truth"].astype(float), np.nan)
    mean = hs.estimate(hs.table(few, data["a"], judge={"x": data["judge"], "y": other}), "accuracy")
    assert mean.lam[0] == mean.lam[1]


def test_relabelling_and_slices() -> None:
    data = columns(0)
    words = np.array(["no", "yes"])
    truth = [None if row >= 100 else str(words[one]) for row, one in enumerate(data["truth"].tolist())]
    made = hs.table(truth, words[data["a"]], judge=words[data["judge"]], pos_label="yes")
    plain = hs.estimate(judged(), "f1", model="a")
    for other in (made, made.relabel({"no": 0, "yes": 1}), made.binary("yes")):
        assert hs.estimate(other, "f1").value == pytest.approx(plain.value, abs=1e-12)
        assert hs.estimate(other, "f1").gain == pytest.approx(plain.gain, abs=1e-9)


def test_what_a_judge_does_not_go_with_is_refused() -> None:
    made = judged()
    with pytest.raises(hs.InputError, match="has a judge"):
        hs.tasks({"x": made, "y": made})
    with pytest.raises(hs.HowsureError, match="a judge, whose weight"):
        hs.estimate(made, "f1", model="a", anytime=True)
    with pytest.raises(hs.InputError, match="beside scores"):
        hs.table([1, 0], scores=[0.2, 0.8], judge=[1, 0])


def test_groups_that_run_through_slices_make_them_move_together() -> None:
    """Every group has the same rows in both slices, so the two scores are equal in every sample, and so no gap."""
    data = columns(4)
    truth = np.where(data["doc"] < 12, data["truth"].astype(float), np.nan)
    twice = {name: np.concatenate([column, column]) for name, column in (data | {"human": truth}).items()}
    by = np.repeat(["x", "y"], 600)
    made = hs.slices(twice["human"], twice["a"], by=by, judge=twice["judge"], groups=twice["doc"])
    apart = hs.slices(twice["human"], twice["a"], by=by, judge=twice["judge"])
    together, without = made.gap("accuracy"), apart.gap("accuracy")
    assert together.gap == pytest.approx(0, abs=1e-9)
    assert together.high < without.high / 3


def test_a_judge_that_would_empty_a_class_is_not_used() -> None:
    """Three positives among 25 labels, which the judge finds, and none for it among the other rows: λ would be 1."""
    truth, model, judge = (np.zeros(225, dtype=int) for _ in range(3))
    truth[[6, 23, 24]], model[[3, 4, 6, 7, 8, 14, 24]], judge[[6, 22, 23, 24]] = 1, 1, 1
    known = np.where(np.arange(225) < 25, truth.astype(float), np.nan)
    found = hs.estimate(hs.table(known, model, judge=judge), "recall")
    assert found.lam == (0.0,)
    assert found.value == pytest.approx(2 / 3)
    assert (found.low, found.high) == (found.human.low, found.human.high)


def test_groups_in_which_differences_cancel_do_not_make_them_certain() -> None:
    """In each group a alone is right once and b alone once: the sums over groups do not differ, the rows do."""
    rng = np.random.default_rng(2)
    truth = np.tile([1, 0, 1, 0], 200)
    a, b = np.tile([0, 0, 1, 0], 200), np.tile([1, 1, 1, 0], 200)
    judge = np.where(rng.random(800) < 0.9, truth, 1 - truth)
    known = np.where(np.arange(800) < 120, truth.astype(float), np.nan)
    models = {"a": a, "b": b}
    found = hs.compare(hs.table(known, models, judge=judge, groups=np.arange(800) // 4), "accuracy")
    plain = hs.compare(hs.table(known, models, judge=judge), "accuracy")
    assert found.low <= plain.low < plain.high <= found.high
