"""Runs crossed with rows: variances against the whole covariance of all runs, and a U-statistic of crossed samples."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.comparisons.compare import paired
from howsure.tables.covariance import covariance, linearise
from howsure.tables.linearised import metric_on

RNG = np.random.default_rng(21)
N = 240
TRUTH = RNG.integers(0, 3, N)


def runs(number: int, right: float = 0.8, seed: int = 0) -> np.ndarray:
    """Return predictions of several runs that find the same rows hard."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=N)
    shift = rng.normal(0, 0.2, number)
    ok = 0.8 * hard + 0.6 * rng.normal(size=(number, N)) < stats.norm.ppf(right) + shift[:, None]
    return np.where(ok, TRUTH, (TRUTH + rng.integers(1, 3, (number, N))) % 3)


A, B = runs(4), runs(5, 0.75, seed=1)
MORE: dict[str, dict[str, Any]] = {
    "plain": {}, "groups": {"groups": np.arange(N) // 4}, "weights": {"sample_weight": RNG.uniform(0.5, 2, N)},
}  # fmt: skip


def whole(table: hs.Table, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all runs and the whole of their covariance: every run a model of its own."""
    flat = table.each_run()
    linears = [linearise(flat, metric_on(flat, metric), model) for model in flat.models]
    return np.array([linear.value for linear in linears]), covariance(flat, linears)


def by_hand(values: np.ndarray, block: np.ndarray) -> tuple[float, float, float]:
    """Return B, rows and shared of SAMPLING's formulas from values and covariance of R runs."""
    number = len(values)
    off = block[~np.eye(number, dtype=bool)].mean()
    return float(values.var(ddof=1) / number), float(block.mean()), float(off)


@pytest.mark.parametrize("how", MORE)
@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "f1[1]", "mcc", "kappa"])
def test_one_model_from_the_whole_covariance(metric: str, how: str) -> None:
    table = hs.table(TRUTH, {"a": list(A)}, **MORE[how])
    found = hs.estimate(table, metric, method="wald")
    values, block = whole(table, metric)
    between, rows, shared = by_hand(values, block)
    assert found.value == pytest.approx(values.mean())
    assert found.se == pytest.approx(math.sqrt(max(between + shared, rows)))
    groups = len(np.unique(MORE[how].get("groups", [])))
    q = stats.t.ppf(0.975, groups - 1) if groups else stats.norm.ppf(0.975)
    half = math.sqrt(max(stats.t.ppf(0.975, 3) ** 2 * between + q**2 * max(shared, 0), q**2 * rows))
    assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half))
    assert sum(found.parts.values()) == pytest.approx(1)
    assert found.parts["runs"] == pytest.approx(max(between + shared - rows, 0) / found.se**2, abs=1e-12)
    assert found.runs == 4


@pytest.mark.parametrize("how", MORE)
@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "f1[1]"])
def test_a_difference_with_runs_of_their_own(metric: str, how: str) -> None:
    table = hs.table(TRUTH, {"a": A, "b": B}, **MORE[how])
    values, block = whole(table, metric)
    (b_a, rows_a, shared_a), (b_b, rows_b, shared_b) = (
        by_hand(values[:4], block[:4, :4]),
        by_hand(values[4:], block[4:, 4:]),
    )
    both = block[:4, 4:].mean()
    rows, shared = rows_a + rows_b - 2 * both, shared_a + shared_b - 2 * both
    found = hs.compare(table, metric, "a", "b", method="wald")
    assert found.difference == pytest.approx(values[4:].mean() - values[:4].mean())
    assert found.se == pytest.approx(math.sqrt(max(b_a + b_b + shared, rows)))
    degrees = (b_a + b_b) ** 2 / (b_a**2 / 3 + b_b**2 / 4)
    groups = len(np.unique(MORE[how].get("groups", [])))
    q = stats.t.ppf(0.975, groups - 1) if groups else stats.norm.ppf(0.975)
    half = math.sqrt(max(stats.t.ppf(0.975, degrees) ** 2 * (b_a + b_b) + q**2 * max(shared, 0), q**2 * rows))
    assert found.high - found.difference == pytest.approx(half)
    if how == "plain":  # nothing to add for a design: the default is the same
        assert (hs.compare(table, metric, "a", "b").low, hs.compare(table, metric, "a", "b").method) == (
            pytest.approx(found.low), "crossed",
        )  # fmt: skip


def test_a_difference_of_shared_runs_is_that_of_the_differences() -> None:
    table = hs.table(TRUTH, {"a": A, "b": B[:4]}, paired_runs=True)
    values, block = whole(table, "macro_f1")
    contrast = np.concatenate([-np.eye(4), np.eye(4)], axis=1)
    between, rows, shared = by_hand(contrast @ values, contrast @ block @ contrast.T)
    found = hs.compare(table, "macro_f1", "a", "b")
    assert found.se == pytest.approx(math.sqrt(max(between + shared, rows)))
    half = math.sqrt(max(stats.t.ppf(0.975, 3) ** 2 * between + 1.959964**2 * max(shared, 0), 1.959964**2 * rows))
    assert found.high - found.difference == pytest.approx(half, rel=1e-6)


def u_statistic(x: np.ndarray) -> float:
    """Return the unbiased variance of the mean of readers × cases: X̄² − mean of x_ir x_jq over i ≠ j, r ≠ q.

    Gallas (2006), Academic Radiology 13:353, written from its definition: all pairs of cells that share neither a
    reader nor a case.
    """
    readers, cases = x.shape
    total, terms = 0.0, 0
    for (r, i), (q, j) in product(np.ndindex(readers, cases), repeat=2):
        if r != q and i != j:
            total, terms = total + x[r, i] * x[q, j], terms + 1
    return float(x.mean() ** 2 - total / terms)


def test_paired_readers_against_a_u_statistic() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 20)
    first, second = (np.where(rng.random((3, 20)) < share, truth, 1 - truth) for share in (0.9, 0.6))
    table = hs.table(truth, {"film": first, "screen": second}, paired_runs=True)
    pair = paired(table, "accuracy", "film", "screen")
    shared, between = (part.variance for part in pair.spread.parts)
    x = (second == truth).astype(float) - (first == truth)
    # U estimates σ²_R/R + σ²_C/n + σ²_RC/(nR); ours divides through rows by n, the U-statistic by n − 1
    assert between + shared * 20 / 19 == pytest.approx(u_statistic(x), rel=1e-12)


def test_more_rows_than_runs_explain_nothing_away() -> None:
    """The floor: two runs that agree by luck make nothing shorter than rows alone do."""
    one = hs.estimate(hs.table(TRUTH, A[0]), "accuracy", method="wald")
    same = hs.estimate(hs.table(TRUTH, {"a": [A[0], A[0]]}), "accuracy", method="wald")
    assert same.se == pytest.approx(one.se)
    assert (same.low, same.high) == pytest.approx((one.low, one.high))
    assert any(note.kind == "same runs" for note in same.notes)


def test_all_runs_perfect_have_the_interval_of_the_rows() -> None:
    perfect = hs.estimate(hs.table(TRUTH, {"a": [TRUTH] * 3}), "accuracy")
    one = hs.estimate(hs.table(TRUTH, TRUTH), "accuracy", method="wilson")
    assert (perfect.low, perfect.high) == pytest.approx((one.low, one.high))


def test_fixed_runs_are_the_averaged_influence() -> None:
    table = hs.table(TRUTH, {"a": A}, runs="fixed")
    block = whole(table, "macro_f1")[1]
    found = hs.estimate(table, "macro_f1", method="wald")
    assert found.se == pytest.approx(math.sqrt(block.mean()))
    assert found.high - found.value == pytest.approx(1.959964 * found.se, rel=1e-6)


def test_one_run_is_the_plain_estimate() -> None:
    plain, single = (hs.estimate(hs.table(TRUTH, {"a": one}), "macro_f1") for one in (A[0], [A[0]]))
    assert (single.low, single.high, single.method) == (plain.low, plain.high, plain.method)


def test_unequal_runs_beside_two_keep_a_t_of_their_own() -> None:
    table = hs.table(TRUTH, {"a": A[:2], "b": B})
    pair = paired(table, "accuracy", "a", "b")
    assert [part.degrees for part in pair.spread.parts[1:]] == [1.0, 4.0]
    assert len(paired(hs.table(TRUTH, {"a": A[:3], "b": B}), "accuracy", "a", "b").spread.parts) == 2


def test_the_p_value_meets_the_interval() -> None:
    table = hs.table(TRUTH, {"a": A, "b": B})
    found = hs.compare(table, "macro_f1", "a", "b")
    at_p = hs.compare(table, "macro_f1", "a", "b", level=1 - found.p_value)
    assert min(abs(at_p.low), abs(at_p.high)) == pytest.approx(0, abs=1e-6)
