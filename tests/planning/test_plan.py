"""hs.plan: a dozen plans checked by simulation at the planned n and below it, clusters, curves, and every refusal."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import binom, nbinom

import howsure as hs
from howsure.planning.expected import Expected
from howsure.planning.plan import smallest

RATES = {"prevalence": 0.1, "precision": 0.8, "recall": 0.7}
THREE = [[40, 6, 1], [5, 120, 9], [2, 8, 30]]
TWO = hs.counts(tp=77, fp=44, fn=10, tn=702)


def shares_of(given: dict[str, Any]) -> np.ndarray:
    """Return the shares that a plan was made for, by other arithmetic than the library's."""
    if "pilot" in given:
        pilot = given["pilot"]
        matrix = np.asarray(pilot.matrix() if isinstance(pilot, hs.Table) else pilot, dtype=float)
        return matrix / matrix.sum()
    tp = given["prevalence"] * given["recall"]
    fp = tp / given["precision"] - tp
    return np.array([[1 - given["prevalence"] - fp, fp], [given["prevalence"] - tp, tp]])


def mid_p(right: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mid-P limits of shares by halving: P(X > k) + P(X = k)/2 is 0.025 below and 0.975 above."""

    def beyond(share: np.ndarray) -> np.ndarray:
        more, as_many = (
            np.select([k == 0, k > total], [1.0, 0.0], betainc(np.maximum(k, 1), np.maximum(total - k, 0) + 1, share))
            for k in (right + 1, right)
        )
        return (more + as_many) / 2

    limits = []
    for tail, edge, end in ((0.025, right == 0, 0.0), (0.975, right == total, 1.0)):
        low, high = np.zeros(len(right)), np.ones(len(right))
        for _ in range(54):
            middle = (low + high) / 2
            under = beyond(middle) < tail
            low, high = np.where(under, middle, low), np.where(under, high, middle)
        limits.append(np.where(edge, end, (low + high) / 2))
    return limits[0], limits[1]


def half_widths(metric: str, method: str, shares: np.ndarray, n: int, tables: int, seed: int) -> np.ndarray:
    """Return simulated half-widths through the public interface."""
    drawn = np.random.default_rng(seed).multinomial(n, shares.ravel(), size=tables).reshape(-1, *shares.shape)
    found = hs.batch_intervals(metric, matrices=drawn, method=method)
    return (found.high - found.low) / 2


EXPECTED: dict[str, tuple[str, dict[str, Any]]] = {
    "f1 wilson": ("f1", {"half_width": 0.05, **RATES}),
    "f1 wald": ("f1", {"half_width": 0.05, "method": "wald", **RATES}),
    "f2 wilson": ("f2", {"half_width": 0.06, **RATES}),
    "precision exact": ("precision", {"half_width": 0.07, "method": "clopper-pearson", **RATES}),
    "recall wilson": ("recall", {"half_width": 0.08, **RATES}),
    "accuracy wilson": ("accuracy", {"half_width": 0.02, **RATES}),
    "jaccard logit": ("jaccard", {"half_width": 0.06, "method": "logit", **RATES}),
    "mcc of a pilot": ("mcc", {"half_width": 0.05, "pilot": TWO}),
    "macro f1 of a pilot": ("macro_f1", {"half_width": 0.04, "pilot": THREE}),
    "kappa of a pilot": ("kappa", {"half_width": 0.05, "pilot": THREE}),
}
ASSURED: dict[str, tuple[str, dict[str, Any]]] = {
    "f1 wilson": ("f1", {"half_width": 0.05, "assurance": 0.9, **RATES}),
    "recall exact": ("recall", {"half_width": 0.08, "assurance": 0.8, "method": "clopper-pearson", **RATES}),
    "macro f1 wald": ("macro_f1", {"half_width": 0.04, "assurance": 0.8, "pilot": THREE, "method": "wald"}),
}


def check_expected(name: str, tables: int) -> None:
    metric, given = EXPECTED[name]
    made = hs.plan(metric, **given)
    shares, goal = shares_of(given), given["half_width"]
    there, below = (half_widths(metric, made.method, shares, n, tables, 7) for n in (made.n, int(0.9 * made.n)))
    error = np.nanstd(there) / math.sqrt(tables)
    # the plan itself is simulated where it cannot be enumerated: two errors, four of their joint standard deviations
    assert abs(np.nanmean(there) - goal) < 4 * math.hypot(error, made.monte_carlo_error) + 2e-3 * goal
    assert np.nanmean(below) > goal + 4 * error


def check_assured(name: str, tables: int) -> None:
    metric, given = ASSURED[name]
    made = hs.plan(metric, **given)
    shares, goal, sure = shares_of(given), given["half_width"], given["assurance"]
    there, below = (
        np.mean(half_widths(metric, made.method, shares, n, tables, 11) <= goal) for n in (made.n, int(0.9 * made.n))
    )
    error = math.sqrt(sure * (1 - sure) / tables)
    assert abs(there - sure) < 5 * error + 0.01  # whole rows and the plan's own 10⁴ tables
    assert below < sure - 5 * error


@pytest.mark.parametrize("name", EXPECTED)
def test_expected_half_width_at_the_planned_n_and_below(name: str) -> None:
    check_expected(name, 3000)


@pytest.mark.parametrize("name", ASSURED)
def test_assurance_at_the_planned_n_and_below(name: str) -> None:
    check_assured(name, 3000)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_expected_half_width_with_many_tables(name: str) -> None:
    check_expected(name, 30_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSURED)
def test_assurance_with_many_tables(name: str) -> None:
    check_assured(name, 30_000)


def test_exact_where_enumeration_is_feasible() -> None:
    """The expected length of mid-P for accuracy, summed over the binomial: the smallest n, and no smaller one."""
    made = hs.plan("accuracy", half_width=0.06, prevalence=0.5, recall=0.8, specificity=0.8)
    assert made.monte_carlo_error == 0.0

    def expected(n: int) -> float:
        k = np.arange(n + 1)
        low, high = mid_p(k, np.full(n + 1, n))
        return float(binom.pmf(k, n, 0.8) @ (high - low) / 2)

    assert expected(made.n) <= 0.06 < expected(made.n - 1)
    assert made.half_width == pytest.approx(expected(made.n), rel=1e-9)


def test_assured_positives_in_the_worst_case_are_buderers() -> None:
    """n such that the positives needed (z²/4h²) are there with the assurance: a negative binomial quantile."""
    made = hs.plan("recall", half_width=0.1, prevalence=0.15, assurance=0.9)
    needed = math.ceil(0.25 * 1.959963984540054**2 / 0.1**2)
    assert needed == 97
    assert made.n == nbinom.ppf(0.9, needed, 0.15) + needed
    assert binom.sf(needed - 1, made.n, 0.15) >= 0.9 > binom.sf(needed - 1, made.n - 1, 0.15)


def test_the_worst_case_covers_what_one_expects() -> None:
    for metric in ("f1", "f0.5", "f2", "jaccard", "recall"):
        worst, sharp = (hs.plan(metric, se=0.02, prevalence=0.1, bound=bound) for bound in ("jiang", "sharp"))
        assert worst.n >= sharp.n >= hs.plan(metric, se=0.02, **RATES).n


def test_se_is_the_plain_formula() -> None:
    """n = ν/δ², ν of F1 by hand: tp (2(1−F))² + (fp+fn) F² over (2tp+fp+fn)²."""
    tp, wrong = 0.07, 0.0175 + 0.03
    f1 = 2 * tp / (2 * tp + wrong)
    variance = (tp * (2 - 2 * f1) ** 2 + wrong * f1**2) / (2 * tp + wrong) ** 2
    made = hs.plan("f1", se=0.01, **RATES)
    assert (made.n, made.positives) == (math.ceil(variance / 1e-4), math.ceil(made.n * 0.1))
    assert made.value == pytest.approx(f1, rel=1e-12)
    assert isinstance(made.n, int)
    assert isinstance(made.positives, int)


@pytest.mark.parametrize("given", [
    {"prevalence": 0.1, "recall": 0.7, "precision": 0.8}, {"prevalence": 0.1, "recall": 0.7, "predicted": 0.0875},
    {"prevalence": 0.1, "recall": 0.7, "specificity": 1 - 0.0175 / 0.9},
    {"predicted": 0.0875, "precision": 0.8, "recall": 0.7},
    {"predicted": 0.0875, "precision": 0.8, "npv": 0.8825 / 0.9125},
    {"prevalence": 0.1, "precision": 0.8, "predicted": 0.0875},
    {"prevalence": 0.1, "predicted": 0.0875, "precision": 0.8, "recall": 0.7},
])  # fmt: skip
def test_any_three_rates_fix_the_table(given: dict[str, float]) -> None:
    found = Expected(**given).shares()
    assert found == pytest.approx(np.array([[0.8825, 0.0175], [0.03, 0.07]]), abs=1e-12)


def test_two_rates_do_where_the_metric_does_not_care() -> None:
    assert hs.plan("recall", se=0.02, prevalence=0.1, recall=0.8).n == 4000  # 0.16 / 0.0004 / 0.1
    assert hs.plan("precision", se=0.02, predicted=0.2, precision=0.8).n == 2000
    assert hs.plan("specificity", se=0.02, prevalence=0.2, specificity=0.8).n == 500


def test_a_perfect_score_can_be_planned_for() -> None:
    """Mid-P at k of k: the low end's k-th power is 0.05; positives are binomial, so the mean of that over them."""
    made = hs.plan("recall", half_width=0.02, prevalence=0.2, recall=1.0, precision=0.9)
    k = np.arange(1, made.n + 1)
    expected = binom.pmf(k, made.n, 0.2) @ ((1 - 0.05 ** (1 / k)) / 2) / (1 - 0.8**made.n)
    assert expected == pytest.approx(0.02, rel=4e-3)


def test_a_pilot_moved_to_another_prevalence() -> None:
    """Recall and specificity of the pilot stay: as if they had been typed."""
    recall, specificity = 77 / 87, 702 / 746
    moved = hs.plan("f1", se=0.02, pilot=TWO, prevalence=0.02)
    assert moved.n == hs.plan("f1", se=0.02, prevalence=0.02, recall=recall, specificity=specificity).n
    assert moved.positives == math.ceil(moved.n * 0.02)


def test_pilots_of_every_kind_agree(tmp_path: Path) -> None:
    truth, guess = [0] * 746 + [1] * 87, [0] * 702 + [1] * 44 + [0] * 10 + [1] * 77
    path = tmp_path / "pilot.csv"
    path.write_text("truth,prediction\n" + "\n".join(f"{a},{b}" for a, b in zip(truth, guess, strict=True)))
    pilots = (
        TWO,
        hs.table(truth, guess),
        [[702, 44], [10, 77]],
        {"tp": 77, "fp": 44, "fn": 10, "tn": 702},
        str(path),
        path,
    )
    assert len({hs.plan("mcc", se=0.02, pilot=pilot).n for pilot in pilots}) == 1


def test_a_pilot_without_true_negatives_counts_its_own_rows() -> None:
    bare = hs.counts(tp=77, fp=44, fn=10)
    made = hs.plan("f1", half_width=0.03, pilot=bare, method="wald")
    found = hs.estimate(bare, "f1", method="wald")
    assert made.n == math.ceil(131 * (found.se * 1.959963984540054 / 0.03) ** 2)


# --- reverse, curve, still needed, words -----------------------------------------------------------------------------


def test_the_reverse_and_the_curve() -> None:
    made = hs.plan("f1", half_width=0.05, **RATES)
    back = hs.plan("f1", n=made.n, **RATES)
    assert back.half_width == made.half_width
    assert back.n == made.n
    expected = "positive) give f1 ±0.050 if you expect prevalence 0.1, precision 0.8, recall 0.7 (95% interval)."
    assert repr(back).endswith(expected)
    points = made.curve([500, made.n, 8000])
    assert [n for n, _ in points] == [500, made.n, 8000]
    assert points[1][1] == made.half_width
    assert points[0][1] > points[1][1] > points[2][1]
    assert dict(hs.plan("f1", se=0.01).curve([100]))[100] > 0


def test_plot_is_labelled() -> None:
    pytest.importorskip("matplotlib")
    from howsure.reports.figures.canvas import caption_of

    axes = hs.plan("f0.5", half_width=0.02, prevalence=0.615).plot(sizes=[4000, 16004, 64000])
    assert axes.get_xlabel() == "labelled rows"
    assert axes.get_ylabel() == "half-width of F0.5"
    assert caption_of(axes) == "95% intervals (Wald); worst case."
    assert axes.lines[0].get_ydata() == pytest.approx([0.04, 0.02, 0.01], rel=1e-3)


def test_still_needed() -> None:
    made = hs.still_needed(TWO, "f1", half_width=0.05)
    assert made.n_so_far == 833
    assert made.n_more == made.n - 833 == hs.plan("f1", half_width=0.05, pilot=TWO).n - 833
    assert "833 rows are labelled" in made.paragraph
    assert hs.still_needed(TWO, "f1", half_width=0.2).n_more == 0


def test_the_plan_says_itself() -> None:
    made = hs.plan("f0.5", half_width=0.02, prevalence=0.615)
    assert repr(made) == (
        "16,004 rows (about 9,843 positive) give f0.5 ±0.020 for any classifier with prevalence 0.615 (95% interval)."
    )
    assert made.paragraph == (
        "We plan 16,004 labelled rows (about 9,843 of them positive) to estimate f0.5 with a half-width of 0.02 at the "
        "95% level (worst case; largest half-width 0.0200, standard error 0.0102, interval by the wald method). "
        "Assumptions: prevalence 0.615; any classifier whatever (the bound of Jiang 2020 on the variance). "
        f"Computed with howsure {hs.__version__}."
    )
    assert json.loads(made.to_json())["n"] == 16004
    assert "clusters are needed" in hs.plan("f1", se=0.02, prevalence=0.3, cluster_size=5, icc=0.1).paragraph
    assert repr(hs.plan("f0.5", se=0.01)).startswith("10,249 positive rows give a standard error of 0.0100 for f0.5")


def test_same_input_same_plan() -> None:
    first, second = (hs.plan("f2", half_width=0.05, seed=4, **RATES) for _ in range(2))
    assert first.to_dict() == second.to_dict()
    sizes = [hs.plan("f2", half_width=0.05, seed=seed, **RATES).n for seed in range(5)]
    assert max(sizes) / min(sizes) < 1.01


@pytest.mark.parametrize("start", [1, 7, 99, 100, 101, 5000])
@pytest.mark.parametrize("answer", [1, 2, 100, 4321])
def test_smallest(start: int, answer: int) -> None:
    assert smallest(lambda n: n >= answer, start) == answer


@pytest.mark.parametrize("start", [1, 40, 70, 1000])
def test_a_target_that_is_missed_again_is_not_met_for_good(start: int) -> None:
    missed = {*range(1, 50), 53, 57, 61}
    assert smallest(lambda n: n not in missed, start, lambda n: 6) == 62


@pytest.mark.parametrize("assurance", [0.8, 0.95])
@pytest.mark.parametrize("metric", ["accuracy", "precision", "f1"])
def test_the_plan_is_the_first_size_from_which_the_goal_holds_for_good(metric: str, assurance: float) -> None:
    """Every size up to twice the plan is tried, by summing multinomial probabilities of all tables here."""
    rates, goal = {"prevalence": 0.5, "precision": 0.95, "recall": 0.97}, 0.1
    planned = hs.plan(metric, half_width=goal, assurance=assurance, **rates).n
    assert planned is not None
    (tn, fp), (fn, tp) = shares_of(rates)
    good, bad = {"accuracy": (tp + tn, fp + fn), "precision": (tp, fp), "f1": (tp, fp + fn)}[metric]
    sure = [_chance_of_a_short_interval(metric, good, bad, n, goal) >= assurance - 1e-12 for n in range(1, 2 * planned)]
    assert planned == 1 + max(n for n, enough in enumerate(sure, start=1) if not enough)


def _chance_of_a_short_interval(metric: str, good: float, bad: float, n: int, goal: float) -> float:
    """Return P(half-width ≤ goal): binomial counted rows, and among them binomial successes."""
    counted = np.arange(1, n + 1)
    total, right = (part[keep] for part in np.meshgrid(counted, np.arange(n + 1), indexing="ij")
                    for keep in [np.tri(n, n + 1, 1, dtype=bool)])  # fmt: skip
    chance = binom.pmf(total, n, good + bad) * binom.pmf(right, total, good / (good + bad))
    likely = chance > 1e-15
    total, right, chance = total[likely], right[likely], chance[likely]
    low, high = (limit[total, right] for limit in _limits_up_to(200))
    if metric == "f1":  # from tp / (tp + fp + fn) by 2u / (1 + u)
        low, high = 2 * low / (1 + low), 2 * high / (1 + high)
    return float(chance[(high - low) / 2 <= goal * (1 + 1e-12)].sum())


@cache
def _limits_up_to(most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mid-P limits by counted rows and successes among them."""
    total, right = np.tril_indices(most + 1)
    limits = np.full((2, most + 1, most + 1), np.nan)
    limits[:, total[1:], right[1:]] = mid_p(right[1:], total[1:])
    return limits[0], limits[1]


@cache
def _planned_here() -> list[int | None]:
    return [
        hs.plan(metric, half_width=0.03, assurance=assurance, method=method, **RATES).n
        for metric, method in (("f1", "wilson"), ("f1", None), ("mcc", None), ("balanced_accuracy", None))
        for assurance in (None, 0.9)
    ]


@pytest.mark.parametrize("core", ["Prescott", "Haswell", "SkylakeX"])
def test_no_processor_decides_a_plan(core: str) -> None:
    """The same numbers from other kernels of the linear algebra, which round sums in another way."""
    code = """
import howsure as hs
rates = dict(prevalence=0.1, precision=0.8, recall=0.7)
asked = (("f1", "wilson"), ("f1", None), ("mcc", None), ("balanced_accuracy", None))
print(*(hs.plan(metric, half_width=0.03, assurance=assurance, method=method, **rates).n
        for metric, method in asked for assurance in (None, 0.9)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"OPENBLAS_CORETYPE": core}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    if done.returncode < 0:
        pytest.skip(f"this processor does not run the kernels of {core}")
    assert done.returncode == 0, done.stderr
    here = _planned_here()
    assert [int(word) for word in done.stdout.split()] == here
    assert here[:2] == [5384, 5889]


def test_positives_are_open_where_the_rates_leave_them_open() -> None:
    """Precision 0.8 of 30 % predicted positive fits any prevalence from 0.24 to 0.94; the rows are the same for all."""
    rates = {"half_width": 0.05, "predicted": 0.3, "precision": 0.8}
    left_open = hs.plan("precision", **rates)
    assert left_open.positives is None
    assert "positives" not in repr(left_open)
    told = hs.plan("precision", prevalence=0.5, **rates)
    assert told.n == left_open.n
    assert told.positives == math.ceil(told.n * 0.5)
    solved = hs.plan("recall", half_width=0.05, predicted=0.3, precision=0.8, recall=0.6)  # prevalence 0.24 / 0.6
    assert solved.positives == math.ceil(solved.n * 0.4)
