"""Slices: the same labels everywhere, missing classes survive, gaps with simultaneous control, groups across slices."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import family_of, stacked


def sliced(n: int = 600, *, seed: int = 0, grouped: bool = False, weighted: bool = False):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    by = random.choice(["north", "south", "tiny"], n, p=[0.6, 0.36, 0.04])
    truth = np.where((by == "tiny") & (truth == 2), 1, truth)
    skill = np.where(by == "south", 0.55, 0.8)
    a = np.where(random.random(n) < skill, truth, random.integers(0, 3, n))
    b = np.where((by == "tiny") & (a == 2), 0, np.where(random.random(n) < 0.5, truth, a))
    more = {}
    if grouped:
        more["groups"] = random.integers(0, 40, n)
    if weighted:
        more["sample_weight"] = random.random(n) + 0.2
    return truth, {"a": a, "b": b}, by, more


@pytest.mark.parametrize("kind", ["plain", "grouped", "weighted"])
def test_each_slice_is_the_table_of_its_rows(kind: str) -> None:
    truth, predictions, by, more = sliced(grouped=kind == "grouped", weighted=kind == "weighted")
    made = hs.slices(truth, predictions, by=by, **more)
    assert list(made) == ["north", "south", "tiny"]
    for name, table in made.items():
        chosen = by == name
        alone = hs.table(
            truth[chosen],
            {model: column[chosen] for model, column in predictions.items()},
            labels=[0, 1, 2],
            **{key: column[chosen] for key, column in more.items()},
        )
        assert table.labels == (0, 1, 2)
        assert table.n == alone.n
        assert table.n_groups == alone.n_groups
        for metric in ("accuracy", "mcc", "recall[0]"):
            one, two = (hs.estimate(source, metric, model="b") for source in (table, alone))
            assert (one.value, one.se, one.low, one.high) == pytest.approx((two.value, two.se, two.low, two.high))
    whole = hs.table(truth, predictions, **more)
    assert hs.estimate(made.total, "accuracy", model="a").se == pytest.approx(
        hs.estimate(whole, "accuracy", model="a").se, rel=1e-10
    )


def test_slices_of_any_column() -> None:
    truth, predictions, by, _ = sliced(60)
    codes = np.where(by == "north", 1, 2)
    assert list(hs.slices(truth, predictions, by=codes)) == [1, 2]
    assert list(hs.slices(truth, predictions, by=by == "north")) == [False, True]
    multi = hs.slices([{"x"}, {"y"}, {"x"}, set()], [{"x"}, {"x"}, {"x"}, set()], by=["p", "p", "q", "q"])
    assert multi["q"].n == 2
    assert hs.estimate(multi["p"], "micro_f1").value == pytest.approx(0.5)


def test_missing_classes_survive() -> None:
    truth, predictions, by, _ = sliced()
    report = hs.slices(truth, predictions, by=by).report(["macro_f1", "accuracy"])
    assert math.isnan(report[("b [tiny]", "macro_f1")].value)
    assert any(note.kind == "undefined" for note in report[("b [tiny]", "macro_f1")].notes)
    assert report[("b [tiny]", "accuracy")].value > 0.5
    skipped = hs.slices(truth, predictions, by=by).report("macro_f1", undefined="skip")
    assert skipped[("b [tiny]", "macro_f1")].value > 0.5


def test_report_names_its_slices() -> None:
    truth, predictions, by, _ = sliced()
    made = hs.slices(truth, {"a": predictions["a"]}, by=by).report("accuracy")
    assert made.models == ("north", "south", "tiny")
    assert [row["slice"] for row in made.to_dicts()] == ["north", "south", "tiny"]
    assert {row["model"] for row in made.to_dicts()} == {"a"}
    assert repr(made[0]).startswith("accuracy of north = ")


def test_joint_over_independent_slices() -> None:
    """Without groups slices are independent: q is Sidak's."""
    truth, predictions, by, _ = sliced()
    report = hs.slices(truth, {"a": predictions["a"]}, by=by).report("accuracy", joint=True)
    from scipy.special import ndtri

    assert report.critical_value == pytest.approx(float(ndtri((1 + 0.95 ** (1 / 3)) / 2)), abs=1e-9)
    assert "so that all 3 hold together" in report.notes[0]


def test_a_gap_between_independent_slices_by_hand() -> None:
    """Newcombe's hybrid score interval of two independent proportions: 56/70 and 48/80 give 0.0524 to 0.3339."""
    both = hs.Slices({"x": hs.counts(tp=48, fn=32, fp=0, tn=0), "y": hs.counts(tp=56, fn=14, fp=0, tn=0)})
    row = both.compare("accuracy", single="wilson")[0]
    assert row.difference == pytest.approx(0.2)
    assert (round(row.low, 4), round(row.high, 4)) == (0.0524, 0.3339)
    assert not row.paired
    assert row.n == 150
    assert row.correlation == 0


def test_groups_that_run_through_slices() -> None:
    """The covariance of two slices is that of the sums of one group's influences in both."""
    truth, predictions, by, more = sliced(grouped=True, seed=3)
    made = hs.slices(truth, predictions, by=by, **more)
    groups = more["groups"]
    right = (predictions["a"] == truth).astype(float)
    sums, factors = [], []
    for name in made:
        chosen = by == name
        centred = np.where(chosen, right - right[chosen].mean(), 0.0) / chosen.sum()
        sums.append([centred[groups == g].sum() for g in range(40)])
        count = len(set(groups[chosen]))
        factors.append(math.sqrt(count / (count - 1)))
    expected = np.array(sums) @ np.array(sums).T * np.outer(factors, factors)
    family = stacked([family_of(table, [named("accuracy")], ["a"]) for table in made.values()])
    assert family.linearised == pytest.approx(expected, rel=1e-10, abs=1e-15)
    known = family.covariances
    assert np.diagonal(known) == pytest.approx([linear.variance for linear in family.linears])
    own = np.sqrt(np.diagonal(known))
    spread = np.sqrt(np.diagonal(expected))
    assert known / np.outer(own, own) == pytest.approx(expected / np.outer(spread, spread), rel=1e-9, abs=1e-12)
    assert abs(expected[0, 1]) > 0
    difference = made.compare("accuracy", model="a", method="wald", adjust="none")["north", "south"]
    assert difference.se == pytest.approx(math.sqrt(expected[0, 0] + expected[1, 1] - 2 * expected[0, 1]))


def test_gap_and_worst_slice() -> None:
    truth, predictions, by, _ = sliced(2000)
    made = hs.slices(truth, predictions, by=by).gap("accuracy", model="a")
    values = {name: np.mean((predictions["a"] == truth)[by == name]) for name in ("north", "south", "tiny")}
    assert made.gap == pytest.approx(max(values.values()) - min(values.values()))
    assert made.worst == min(values, key=values.get) == "south"
    pairs = hs.slices(truth, predictions, by=by).compare("accuracy", model="a")
    assert made.low == pytest.approx(max(0, *(max(row.low, -row.high) for row in pairs)))
    assert made.high == pytest.approx(max(max(row.high, -row.low) for row in pairs))
    assert made.low < made.gap < made.high
    assert made.worst_low < made.worst_value
    assert "south" in made.may_be_worst
    assert "The slices differ in accuracy" in made.sentence
    lower = hs.slices(truth, predictions, by=by).gap("error_rate", model="a")
    assert (lower.gap, lower.low, lower.high) == pytest.approx((made.gap, made.low, made.high), abs=1e-9)
    assert lower.worst == "south"
    assert lower.may_be_worst == made.may_be_worst
    assert lower.worst_high == pytest.approx(1 - made.worst_low, abs=1e-9)


def test_gap_leaves_undefined_slices_out_and_says_so() -> None:
    truth, predictions, by, _ = sliced()
    made = hs.slices(truth, predictions, by=by).gap("macro_f1", model="b")
    assert made.slices == 2
    assert any(note.kind == "undefined" and "tiny" in note for note in made.notes)


def test_against_a_baseline_slice() -> None:
    truth, predictions, by, _ = sliced()
    made = hs.slices(truth, predictions, by=by).compare("accuracy", model="a", baseline="north")
    assert [(row.a, row.b) for row in made] == [("north", "south"), ("north", "tiny")]
    assert "3 slices" in repr(made)


def test_the_same_rows_in_two_tables() -> None:
    one, two = hs.counts(tp=30, fp=5, fn=10, tn=40), hs.counts(tp=32, fp=8, fn=8, tn=37)
    notes = hs.Slices({"model 1": one, "model 2": two}).compare("f1").notes
    assert any(note.kind == "same rows" for note in notes)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hs.Slices({}), "tables is empty"),
        (lambda: hs.Slices({"x": 3}), "table is of type int"),
        (lambda: hs.Slices({"x": hs.counts(tp=1, fp=1, fn=1)}).gap("f1"), "only the slice 'x'"),
        (lambda: hs.slices([1, 0], [1, 0], by=["x"]), "y_true has 2 rows but by has 1"),
        (lambda: hs.slices([1, 0], [1, 0], by=["x", "y"], groups=[1]), "by has 2 rows but groups has 1"),
        (lambda: hs.slices([1, 0], [1, 0], by=["x", "y"]).compare("accuracy", baseline="z"), "baseline is 'z'"),
        (
            lambda: hs.Slices({"x": hs.counts(tp=1, fp=1, fn=1), "y": hs.counts(tp=1, fp=1, fn=1, model="m")}),
            "must hold the same models",
        ),
    ],
)
def test_refusals(make, message: str) -> None:
    with pytest.raises(hs.InputError, match=message):
        make()


def test_unknown_slice() -> None:
    with pytest.raises(KeyError, match="'z' is not a slice; there are 'x', 'y'"):
        hs.slices([1, 0], [1, 0], by=["x", "y"])["z"]


def test_a_gap_without_a_better_end_says_what_worst_means() -> None:
    made = hs.slices([1, 0] * 20, [1, 0] * 10 + [1, 1] * 10, by=["x"] * 20 + ["y"] * 20)
    assert {note.kind for note in made.gap("predicted_prevalence").notes} >= {"direction"}
    assert "direction" not in {note.kind for note in made.gap("accuracy").notes}


def test_slices_are_ranked_under_their_own_names() -> None:
    parts = {"A": hs.counts(tp=85, fp=0, fn=15), "B": hs.counts(tp=91, fp=0, fn=9), "C": hs.counts(tp=30, fp=0, fn=70)}
    made = hs.Slices(parts).compare("recall")
    assert [one.model for one in made.estimates] == ["A", "B", "C"]
    assert made.ranks == {"B": 1, "A": 2, "C": 3}
    assert made.rank_ranges == {"A": (1, 2), "B": (1, 2), "C": (3, 3)}
    assert str(made).startswith("B and A are tied; C is clearly worse")


def test_a_difference_of_slices_counts_the_rows_of_both() -> None:
    made = hs.slices([1, 0] * 50, [1, 0, 0, 1] * 25, by=["x"] * 40 + ["y"] * 60).compare("accuracy")[0]
    assert made.sampled == "100 rows"
    assert repr(made).endswith("100 rows")


def test_slices_are_called_slices_and_what_was_sampled_is_said() -> None:
    both = hs.slices([1, 0] * 50, [1, 0, 0, 1] * 25, by=["x"] * 40 + ["y"] * 60)
    two = str(both.compare("accuracy"))
    assert "rank  slice  accuracy" in two
    assert "Sampled: 100 rows in all, different ones for each" in two
    assert "of the 1 pairs" not in two
    three = hs.slices([1, 0] * 50, [1, 0, 0, 1] * 25, by=["x"] * 20 + ["y"] * 60 + ["z"] * 20)
    said = str(three.compare("accuracy"))
    assert said.startswith("All three slices are tied in accuracy.")
    assert "Sampled: 20 to 60 rows, different ones for each" in said
    assert said.count("pairs have a clear winner") == 1
    assert "Intervals hold together at 95% (both pairs)." in str(three.compare("accuracy", baseline="x"))
