"""Trials of the architecture: a kind of data and a way of sampling, each in one file, are served by everything."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.reports.page.page import table_page
from howsure.tables.strata import Strata
from support import toy_numbers
from support.toy_days import by_day
from support.toy_numbers import MEAN, numbers

RNG = np.random.default_rng(7)
N = 120
A = np.round(RNG.beta(4, 2, N), 2)
B = np.round(np.clip(A + RNG.normal(0.05, 0.1, N), 0, 1), 2)
GROUPS = np.arange(N) % 15
DAYS = np.arange(N) // 12
WEIGHTS = RNG.uniform(0.5, 2, N)


def test_the_kind_of_data_is_one_short_file() -> None:
    assert len(Path(toy_numbers.__file__).read_text().splitlines()) < 80


# --- a kind of data ---------------------------------------------------------------------------------------------------


def test_estimate_and_report() -> None:
    table = numbers({"a": A, "b": B})
    found = hs.estimate(table, MEAN, model="a", method="wald")
    assert found.value == pytest.approx(A.mean())
    assert found.se == pytest.approx(A.std() / math.sqrt(N))
    assert 0 < hs.estimate(table, MEAN, model="a").low < found.value
    made = hs.report(table)
    assert [(row.model, row.metric, row.value) for row in made] == [
        ("a", "mean", pytest.approx(A.mean())), ("b", "mean", pytest.approx(B.mean())),
    ]  # fmt: skip
    assert str(made)
    assert made.to_markdown()


def test_joint_intervals_know_the_correlation() -> None:
    both = hs.report(numbers({"a": A, "b": B}), joint=True)
    apart = hs.report(numbers({"a": A, "b": RNG.permutation(B)}), joint=True)
    assert 1.96 < both.critical_value < apart.critical_value < 2.25


def test_compare_is_paired() -> None:
    found = hs.compare(numbers({"a": A, "b": B}), MEAN, method="wald")
    assert found.difference == pytest.approx((B - A).mean())
    assert found.se == pytest.approx((B - A).std() / math.sqrt(N))
    assert hs.compare(numbers({"a": A, "b": B}), MEAN).winner == "b"
    assert hs.compare_all(numbers({"a": A, "b": B, "c": 1 - A}), MEAN).tied_with_best == ("b",)


def test_groups_weights_and_strata() -> None:
    mean = A.mean()
    sums = np.bincount(GROUPS, weights=A - mean) / N
    grouped = hs.estimate(numbers({"a": A}, groups=GROUPS, group_labels=tuple(range(15))), MEAN, method="wald")
    assert grouped.se == pytest.approx(math.sqrt((sums**2).sum() * 15 / 14))
    assert grouped.groups == 15
    weighted = hs.estimate(numbers({"a": A}, WEIGHTS), MEAN, method="wald")
    centre = np.average(A, weights=WEIGHTS)
    assert weighted.value == pytest.approx(centre)
    assert weighted.se == pytest.approx(math.sqrt((WEIGHTS**2 * (A - centre) ** 2).sum()) / WEIGHTS.sum())
    strata = Strata(DAYS % 2, ("even", "odd"), (1.0, 1.0))
    parts = [A[part == DAYS % 2] for part in (0, 1)]
    stratified = hs.estimate(numbers({"a": A}, strata=strata), MEAN, method="wald")
    assert stratified.se == pytest.approx(math.sqrt(sum(len(one) * one.var(ddof=1) for one in parts)) / N)


def test_slices_bootstrap_gate_and_page() -> None:
    halves = {name: numbers({"a": A[half], "b": B[half]}) for name, half in (("x", slice(60)), ("y", slice(60, N)))}
    slices = hs.Slices(halves)
    assert slices.total.n == N
    assert len(slices.report()) == 4
    assert slices.gap(MEAN, model="a").gap == pytest.approx(abs(A[:60].mean() - A[60:].mean()))
    table = numbers({"a": A, "b": B})
    drawn = hs.estimate(table, MEAN, model="a", method=hs.Bootstrap(n_resamples=2000, kind="percentile"))
    assert drawn.high - drawn.low == pytest.approx(2 * 1.96 * A.std() / math.sqrt(N), rel=0.08)
    assert hs.compare(table, MEAN, method="bootstrap").winner == "b"
    assert hs.gate(table, MEAN, at_least=0.5, model="a").verdict == "pass"
    assert "mean" in table_page(table, hs.report(table))


def test_what_needs_labels_says_so() -> None:
    table = numbers({"a": A, "b": B})
    with pytest.raises(hs.MethodError, match="rows of this table hold one number each"):
        hs.estimate(table, MEAN, model="a", method="smoothed")
    with pytest.raises(hs.InputError, match="hold one number each"):
        table.matrix("a")
    with pytest.raises(hs.InputError, match="differ in kind"):
        table.pick("a") + hs.table([0, 1], {"a": [0, 1]})


# --- a way of sampling ------------------------------------------------------------------------------------------------


def labels() -> hs.Table:
    truth = RNG.integers(0, 2, N)
    late = np.where(DAYS > 6, 1 - truth, truth)  # wrong on some days altogether
    table = hs.table(truth, {"a": late, "b": np.where(RNG.random(N) < 0.8, truth, 1 - truth)}, groups=np.arange(N))
    plain = table.design.without_groups()
    return hs.Table(table.models, table.contents, plain)


KINDS: dict[str, tuple[Callable[[], hs.Table], Any]] = {
    "labels": (labels, "accuracy"),
    "numbers": (lambda: hs.Table(("a", "b"), toy_numbers.Numbers(np.stack([A * (DAYS < 7), B], axis=1)),
                                 numbers({"a": np.arange(N)}).design), MEAN),
}  # fmt: skip


def day_variance(table: hs.Table, metric: Any, model: str) -> float:
    """Return the variance of rows and that of days, by hand."""
    place = table.models.index(model)
    column = table.contents.values[:, place] if metric is MEAN else table.contents.right(place)
    moved = column - np.mean(column)
    days = np.bincount(DAYS, weights=moved)
    return float((moved**2).sum() + (days**2).sum()) / N**2


@pytest.mark.parametrize("kind", KINDS)
def test_one_more_field_reaches_everything(kind: str) -> None:
    make, metric = KINDS[kind]
    plain = make()
    table = by_day(plain, DAYS)
    expected = math.sqrt(day_variance(plain, metric, "a"))
    without = hs.estimate(plain, metric, model="a", method="wald").se
    found = hs.estimate(table, metric, model="a", method="wald")
    assert found.se == pytest.approx(expected)
    assert expected > 1.5 * without
    assert found.design_effect == pytest.approx((expected / without) ** 2)
    assert hs.report(table, metric, method="wald")[0].se == pytest.approx(expected)
    joint = hs.report(table, metric, method="wald", joint=True)
    assert joint[0].se == pytest.approx(expected * math.sqrt(N / (N - 1)))
    both, alone = (hs.compare(one, metric, method="wald").se for one in (table, plain))
    assert both > 1.3 * alone
    assert hs.compare_all(table, metric, method="wald")[0].se == pytest.approx(both)
    options = hs.Bootstrap(n_resamples=4000, kind="percentile")
    wide, narrow = (hs.estimate(one, metric, model="a", method=options) for one in (table, plain))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    passes = {hs.gate(one, metric, at_least=found.value - 2 * without, model="a").verdict for one in (table, plain)}
    assert passes == {"inconclusive", "pass"}
    made = hs.report(table, metric)
    low = made.rows[0].low
    assert low < hs.report(plain, metric).rows[0].low
    assert f"{low:.3f}" in table_page(table, made)


SAMPLED: dict[str, dict[str, Any]] = {
    "groups": {"groups": GROUPS, "group_labels": tuple(range(15))},
    "weights": {"weights": WEIGHTS, "squares": WEIGHTS**2},
    "strata": {"strata": Strata(np.arange(N) % 2, ("even", "odd"), (1.0, 1.0))},
}


@pytest.mark.parametrize("beside", SAMPLED)
@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_with_every_other_way_of_sampling(kind: str, beside: str) -> None:
    """What days have in common is added to the variance that the rows have by their own sampling."""
    make, metric = KINDS[kind]
    table = make()
    plain = replace(table, design=replace(table.design, **SAMPLED[beside]))
    weights = SAMPLED[beside].get("weights", np.ones(N))
    columns = [table.contents.values[:, at] if metric is MEAN else table.contents.right(at) for at in (0, 1)]
    moved = [weights * (column - np.average(column, weights=weights)) for column in columns]
    common = [
        (np.bincount(DAYS, weights=one) ** 2).sum() / weights.sum() ** 2 for one in (moved[0], moved[1] - moved[0])
    ]
    with_days = by_day(plain, DAYS)
    single = [hs.estimate(one, metric, model="a", method="wald").se for one in (plain, with_days)]
    assert single[1] == pytest.approx(math.sqrt(single[0] ** 2 + common[0]))
    pair = [hs.compare(one, metric, method="wald").se for one in (plain, with_days)]
    assert pair[1] == pytest.approx(math.sqrt(pair[0] ** 2 + common[1]))


@pytest.mark.parametrize("kind", KINDS)
def test_it_reaches_the_gap_between_slices_and_joint_intervals(kind: str) -> None:
    make, metric = KINDS[kind]
    gaps, covariances = [], []
    for change in (lambda table: table, lambda table: by_day(table, DAYS)):
        table = change(make())
        even = np.arange(N) % 2 == 0
        gaps.append(hs.Slices({"x": table.some_rows(even), "y": table.some_rows(~even)}).gap(metric, model="a"))
        covariances.append(hs.report(table, metric, joint=True).covariance.matrix)
    assert gaps[1].high - gaps[1].low > 1.5 * (gaps[0].high - gaps[0].low)
    assert covariances[1][0, 0] > 2 * covariances[0][0, 0]
    assert covariances[1][0, 1] != pytest.approx(covariances[0][0, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_kept_when_rows_are_taken_merged_and_added(kind: str) -> None:
    make, metric = KINDS[kind]
    table = by_day(make(), DAYS)
    first, second = table.some_rows(DAYS < 5), table.some_rows(DAYS >= 5)
    whole = first + second
    assert whole.n == N
    assert sorted(set(whole.design.days.tolist())) == sorted(set(DAYS.tolist()))
    assert hs.estimate(whole, metric, model="a", method="wald").se == pytest.approx(
        hs.estimate(table, metric, model="a", method="wald").se
    )
    slices = hs.Slices({"early": first, "late": second})
    wald = slices.report(metric, method="wald", models="a")
    assert wald[0].se == pytest.approx(hs.estimate(first, metric, model="a", method="wald").se)
