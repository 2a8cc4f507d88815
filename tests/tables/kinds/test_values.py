"""Row values through everything: estimates, methods, groups, weights, strata, pairs, joint, slices, gates, reports."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import howsure as hs
from howsure.reports.page.page import table_page

RNG = np.random.default_rng(3)
N = 120
A = np.round(RNG.beta(4, 2, N), 2)
B = np.round(np.clip(A + RNG.normal(0.05, 0.1, N), 0, 1), 2)
GROUPS = np.arange(N) // 4
Z = stats.norm.ppf(0.975)


def wilson(share: float, size: float, z: float) -> tuple[float, float]:
    """Return Wilson's limits in the textbook's form."""
    centre, half = share + z * z / (2 * size), z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return (centre - half) / (1 + z * z / size), (centre + half) / (1 + z * z / size)


def worth(values: Any, z: float) -> float:
    """Return the number of 0/1 rows that tell as much, by its definition: z²/4 rows of 0 and of 1 are added."""
    rows, weights = np.append(values, [0.0, 1.0]), np.append(np.ones(len(values)), [z * z / 4] * 2)
    mean = np.average(rows, weights=weights)
    return len(values) * mean * (1 - mean) / np.average((rows - mean) ** 2, weights=weights)


# --- one model --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_at_the_effective_number_of_rows(level: float) -> None:
    found = hs.estimate(hs.table(values=A, range=(0, 1)), "mean", level=level)
    z = stats.norm.ppf((1 + level) / 2)
    assert found.method == "wilson"
    assert found.value == pytest.approx(A.mean())
    assert (found.low, found.high) == pytest.approx(wilson(A.mean(), worth(A, z), z), abs=1e-12)


def test_of_zeros_and_ones_it_is_wilsons_interval_of_a_share() -> None:
    right = (A > 0.6).astype(float)
    values = hs.estimate(hs.table(values=right, range=(0, 1)), "mean")
    labels = hs.estimate(hs.table(np.ones(N, dtype=int), right.astype(int)), "accuracy", method="wilson")
    assert (values.low, values.high) == pytest.approx((labels.low, labels.high), abs=1e-12)


@pytest.mark.parametrize("constant", [0.0, 1.0, 0.4])
def test_equal_values_leave_an_interval_with_a_width(constant: float) -> None:
    found = hs.estimate(hs.table(values=np.full(25, constant), range=(0, 1)), "mean")
    assert 0 <= found.low <= constant <= found.high <= 1
    assert found.high - found.low > 0.02


def test_other_ranges_are_rescaled() -> None:
    share = hs.estimate(hs.table(values=A, range=(0, 1)), "mean")
    marks = hs.estimate(hs.table(values=1 + 4 * A, range=(1, 5)), "mean")
    assert (marks.low, marks.high) == pytest.approx((1 + 4 * share.low, 1 + 4 * share.high), abs=1e-12)


def test_unbounded_values_have_students_interval() -> None:
    losses = RNG.exponential(2.0, 40)
    found = hs.estimate(hs.table(values=losses, better="lower"), "mean")
    expected = stats.t.interval(0.95, 39, losses.mean(), stats.sem(losses))
    assert found.method == "t"
    assert (found.low, found.high) == pytest.approx(expected)
    assert any(note.kind == "no range" for note in found.notes)
    assert hs.estimate(hs.table(values=losses, range=(0, math.inf)), "mean").method == "t"


def test_t_with_groups_has_the_degrees_of_the_groups() -> None:
    found = hs.estimate(hs.table(values=A, range=(0, 1), groups=GROUPS), "mean", method="t")
    means = A.reshape(-1, 4).mean(1)
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 29, A.mean(), stats.sem(means)), rel=0.02)
    assert found.groups == 30


def test_methods_side_by_side_and_those_that_need_labels() -> None:
    table = hs.table(values=A, range=(0, 1))
    assert {"wald", "wilson", "t", "betting", "logit", "bootstrap"} <= {
        row.method for row in hs.intervals(table, "mean")
    }
    with pytest.raises(hs.MethodError, match="one number each"):
        hs.estimate(table, "mean", method="dirichlet")
    with pytest.raises(hs.MetricError, match=r"metric 'f1' asks for .* this table holds 'mean'"):
        hs.estimate(table, "f1")
    with pytest.raises(hs.MetricError, match="'mean' needs row values"):
        hs.estimate(hs.counts(tp=1, fp=1, fn=1, tn=1), "mean")
    with pytest.raises(hs.MetricError, match="about labels"):
        hs.estimate(table, "macro_f1")


def test_a_function_of_the_mean() -> None:
    perplexity = hs.Metric("perplexity", lambda v: np.exp(v.mean), range=(0, math.inf), better="lower")
    found = hs.estimate(hs.table(values=A), perplexity, method="wald")
    assert found.value == pytest.approx(math.exp(A.mean()))
    assert found.se == pytest.approx(math.exp(A.mean()) * A.std() / math.sqrt(N))
    with pytest.raises(hs.MetricError, match="complex step sees"):
        hs.estimate(hs.table(values=A), hs.Metric("mine", lambda v: abs(v.mean), range=(0, 9)))


# --- how rows were sampled --------------------------------------------------------------------------------------------


def test_groups_weights_and_strata_enter_by_the_design() -> None:
    grouped = hs.table(values=A, range=(0, 1), groups=GROUPS)
    sums = np.bincount(GROUPS, weights=A - A.mean())
    assert hs.estimate(grouped, "mean", method="wald").se == pytest.approx(
        math.sqrt((sums**2).sum() * 30 / 29) / N, rel=0.02
    )
    weights = RNG.uniform(0.5, 2, N)
    weighted = hs.estimate(hs.table(values=A, range=(0, 1), sample_weight=weights), "mean")
    assert weighted.value == pytest.approx(np.average(A, weights=weights))
    assert 0 < weighted.low < weighted.value < weighted.high < 1
    parts = hs.stratified(values=A, range=(0, 1), strata=GROUPS % 2, shares={0: 0.2, 1: 0.8})
    assert hs.estimate(parts, "mean").value == pytest.approx(
        0.2 * A[GROUPS % 2 == 0].mean() + 0.8 * A[GROUPS % 2 == 1].mean()
    )


@pytest.mark.parametrize("how", ["weights", "groups"])
def test_zeros_and_ones_are_worth_as_much_as_right_answers(how: str) -> None:
    right = (A > 0.6).astype(int)
    more = {"sample_weight": np.repeat([1.0, 5.0], N // 2)} if how == "weights" else {"groups": GROUPS}
    values = hs.estimate(hs.table(values=right, range=(0, 1), **more), "mean", method="wilson")
    labels = hs.estimate(hs.table(np.ones(N, dtype=int), right, **more), "accuracy", method="wilson")
    assert (values.effective_n, values.low) == (pytest.approx(labels.effective_n), pytest.approx(labels.low))


def test_what_more_answers_could_bring() -> None:
    """Between questions only: no answer more shortens it. Within only: answers are worth as much as questions."""
    apart = np.repeat(np.round(RNG.random(50), 2), 3)
    note = next(n for n in hs.estimate(hs.table(values=apart, range=(0, 1), groups=np.arange(150) // 3), "mean").notes
                if n.kind == "within groups")  # fmt: skip
    assert "no less than 100% of its length" in note
    within = np.tile([0.0, 0.5, 1.0], 50) + RNG.normal(0, 1e-3, 150).clip(-0.01, 0.01)
    note = next(n for n in hs.estimate(hs.table(values=within, groups=np.arange(150) // 3), "mean").notes
                if n.kind == "within groups")  # fmt: skip
    assert "help as much as more groups" in note


# --- several models ---------------------------------------------------------------------------------------------------


def test_differences_are_paired() -> None:
    table = hs.table(values={"a": A, "b": B}, range=(0, 1))
    plain = hs.compare(table, "mean", method="wald")
    assert plain.difference == pytest.approx((B - A).mean())
    assert plain.se == pytest.approx((B - A).std() / math.sqrt(N))
    found = hs.compare(table, "mean")
    assert found.winner == "b"
    assert found.high - found.low < 0.5 * (found.unpaired[1] - found.unpaired[0])
    assert hs.compare(hs.table(values={"a": A, "b": B}, range=(0, 1), better="lower"), "mean").winner == "a"
    assert hs.compare_all(hs.table(values={"a": A, "b": B, "c": 1 - A}, range=(0, 1)), "mean").tied_with_best == ("b",)


def test_joint_slices_gate_report_and_page() -> None:
    table = hs.table(values={"a": A, "b": B}, range=(0, 1))
    joint = hs.report(table, joint=True)
    assert 1.96 < joint.critical_value < 2.24
    slices = hs.slices(values={"a": A, "b": B}, range=(0, 1), by=GROUPS % 3)
    assert slices.total.n == N
    assert slices[0].n == 40
    gap = slices.gap("mean", model="a")
    means = [A[part == GROUPS % 3].mean() for part in range(3)]
    assert gap.gap == pytest.approx(max(means) - min(means))
    assert hs.gate(table, "mean", at_least=0.5, model="a").verdict == "pass"
    assert hs.gate(table, "mean", baseline="a", model="b", margin=0.0).verdict == "pass"
    with pytest.raises(hs.InputError, match="outside the range of 'mean', 0 to 1"):
        hs.gate(table, "mean", at_least=60, model="a")
    made = hs.report(table)
    assert [row.metric for row in made] == ["mean", "mean"]
    assert made.to_markdown()
    assert made.to_latex()
    assert "mean" in table_page(table, made)


def test_tables_add_and_differ_in_range() -> None:
    first, second = hs.table(values=A[:50], range=(0, 1)), hs.table(values=A[50:], range=(0, 1))
    assert hs.estimate(first + second, "mean").low == pytest.approx(
        hs.estimate(hs.table(values=A, range=(0, 1)), "mean").low
    )
    with pytest.raises(hs.InputError, match="of the ranges"):
        first + hs.table(values=A, range=(0, 2))
    with pytest.raises(hs.InputError, match="differ in kind"):
        first + hs.table([0, 1], {"model": [0, 1]})


# --- the door ---------------------------------------------------------------------------------------------------------

COLUMNS = {
    "list": A.tolist(), "array": A, "column": A[:, None], "pandas": pd.Series(A), "polars": pl.Series(A),
    "arrow": pa.array(A), "objects": np.array(A, dtype=object), "frame": pd.DataFrame({"model": A}),
    "polars frame": pl.DataFrame({"model": A}), "mapping": {"model": A},
}  # fmt: skip


@pytest.mark.parametrize("form", COLUMNS)
def test_every_form_gives_the_same(form: str) -> None:
    found = hs.estimate(hs.table(values=COLUMNS[form], range=(0, 1)), "mean")
    assert (found.value, found.low) == pytest.approx((A.mean(), wilson(A.mean(), worth(A, Z), Z)[0]))


REFUSED = {
    "outside the range": ({"values": [0.5, 2], "range": (0, 1)}, r"values is 2 in row 1, outside the range 0 to 1"),
    "text": ({"values": ["good"]}, "values holds .* must be numbers"),
    "missing": ({"values": [1.0, None]}, "1 missing value, the first in row 1"),
    "infinite": ({"values": [1.0, math.inf]}, "values is inf in row 1"),
    "labels too": ({"y_true": [1], "values": [1]}, "y_true is given beside values"),
    "labels=": ({"labels": [1], "values": [1]}, "labels is given beside values"),
    "nothing": ({}, "y_pred is missing"),
    "groups": ({"values": [1, 2], "groups": ["a"]}, "values has 2 rows but groups has 1"),
    "lengths": ({"values": {"a": [1, 2], "b": [1]}}, 'values "a" has 2 rows but values "b" has 1'),
    "no rows": ({"values": []}, "values has 0 rows"),
    "range": ({"values": [1], "range": (1, 0)}, r"range is \(1, 0\); its first end must lie below"),
    "range of labels": ({"y_true": [1], "y_pred": [1], "range": (0, 1)}, "it belongs to row values"),
    "better": ({"values": [1], "better": "up"}, "better is 'up'"),
    "no model": ({"values": {}}, "values holds no model"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    given, message = REFUSED[case]
    with pytest.raises(hs.InputError, match=message):
        hs.table(**given)


# --- pass@k -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("right", "answers", "k"), [(0, 4, 2), (1, 4, 2), (3, 5, 3), (2, 5, 5), (4, 6, 1)])
def test_pass_at_k_is_the_share_of_choices_with_a_right_answer(right: int, answers: int, k: int) -> None:
    chosen = [some for some in product(range(answers), repeat=k) if len(set(some)) == k]
    passed = np.mean([any(answer < right for answer in some) for some in chosen])
    assert hs.pass_at([right], answers, k=k).tolist() == pytest.approx([passed])


def test_pass_at_refuses_what_cannot_be() -> None:
    assert hs.pass_at([1, 2], [400, 500], k=300).tolist() == pytest.approx([0.75, 1 - 200 * 199 / (500 * 499)])
    with pytest.raises(hs.InputError, match="question 1 has 3 answers"):
        hs.pass_at([1, 1], [5, 3], k=4)
    with pytest.raises(hs.InputError, match="more than its 3 answers"):
        hs.pass_at([4], 3, k=1)
    with pytest.raises(hs.InputError, match="whole number"):
        hs.pass_at([0.5], 3, k=1)
