"""Plans for AUC: Hanley and McNeil's variance, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multivariate_normal

import howsure as hs
from howsure.planning.scored import outranked


def test_a_standard_error_of_auc_is_hanley_and_mcneils() -> None:
    """Hanley & McNeil (1982): Q1 = A/(2 − A), Q2 = 2A²/(1 + A)."""
    made = hs.plan("auc", se=0.02, prevalence=0.25, auc=0.8)
    ones, zeros = made.n * 0.25, made.n * 0.75
    q1, q2 = 0.8 / 1.2, 2 * 0.64 / 1.8
    exact = (0.16 + (ones - 1) * (q1 - 0.64) + (zeros - 1) * (q2 - 0.64)) / (ones * zeros)
    assert math.sqrt(exact) == pytest.approx(0.02, rel=0.01)


def test_a_half_width_is_that_of_the_interval_that_will_be_used() -> None:
    made = hs.plan("auc", half_width=0.05, prevalence=0.3, auc=0.9)
    assert hs.plan("auc", n=made.n, prevalence=0.3, auc=0.9).half_width == pytest.approx(0.05, rel=0.01)
    assert made.positives == math.ceil(made.n * 0.3)


def test_other_metrics_of_scores_need_a_pilot() -> None:
    with pytest.raises(hs.InputError, match="give a table of scores as pilot="):
        hs.plan("average_precision", half_width=0.03, prevalence=0.1)
    with pytest.raises(hs.InputError, match=r"needs the value expected, such as auc=0\.85"):
        hs.plan("auc", half_width=0.03, prevalence=0.1)
    rng = np.random.default_rng(0)
    truth = (rng.random(200) < 0.3).astype(int)
    pilot = hs.table(truth, scores=1 / (1 + np.exp(-rng.normal(size=200) - 1.5 * truth)))
    made = hs.plan("average_precision", half_width=0.03, pilot=pilot)
    assert made.n > 1000


# --- two models


@pytest.mark.parametrize(
    ("auc", "auc_b", "rho"), [(0.8, 0.85, 0.6), (0.6, 0.95, -0.4), (0.5, 0.5, 1.0), (0.3, 0.9, 0.0)]
)
def test_the_covariance_of_two_ranks_is_a_normal_probability(auc: float, auc_b: float, rho: float) -> None:
    """A row outranks one of the other class by both models: two normal differences that correlate by half of rho."""
    h, k = ndtri(auc), ndtri(auc_b)
    both = multivariate_normal.cdf([h, k], cov=[[1, rho / 2], [rho / 2, 1]], abseps=1e-10, releps=1e-10)
    assert outranked(h, k, rho) == pytest.approx(both - auc * auc_b, abs=1e-7)


def scored(
    n: int, *, seed: int, auc: float = 0.8, auc_b: float = 0.85, rho: float = 0.6, share: float = 0.3
) -> hs.Table:
    draw = np.random.default_rng(seed)
    truth, common = (draw.random(n) < share).astype(int), draw.normal(size=n)
    own = {"a": auc, "b": auc_b}
    return hs.table(truth, scores={
        name: ndtri(value) * math.sqrt(2) * truth + math.sqrt(rho) * common + math.sqrt(1 - rho) * draw.normal(size=n)
        for name, value in own.items()
    })  # fmt: skip


def test_the_power_of_a_paired_comparison_is_what_samples_show() -> None:
    """Of 300 test sets of the planned size, drawn from the binormal model, 80 % settle it by DeLong's test."""
    made = hs.plan_comparison("auc", auc=0.8, auc_b=0.85, prevalence=0.3, score_correlation=0.6)
    tables = (scored(made.n, seed=seed) for seed in range(300))
    settled = sum(hs.compare(table, "auc", method="wald").p_value < 0.05 for table in tables)
    assert abs(settled / 300 - 0.8) < 3 * math.sqrt(0.16 / 300)


def test_a_pilot_of_scores_says_the_same() -> None:
    pilot = scored(40_000, seed=1)
    theory = hs.plan_comparison("auc", auc=0.8, difference=0.05, prevalence=0.3, score_correlation=0.6)
    assert hs.plan_comparison("auc", pilot=pilot, difference=0.05).n == pytest.approx(theory.n, rel=0.05)
    apart = hs.plan_comparison("auc", auc=0.8, difference=0.05, prevalence=0.3, paired=False)
    assert apart.n == pytest.approx(hs.plan_comparison("auc", pilot=pilot, difference=0.05, paired=False).n, rel=0.05)
    assert hs.plan_comparison("average_precision", pilot=pilot).power == 0.8
    found = hs.plan_comparison("auc", n=theory.n, auc=0.8, difference=0.05, prevalence=0.3, score_correlation=0.6)
    assert found.power == pytest.approx(0.8, abs=0.001)
    assert math.isnan(found.agreement)
    assert "agree" not in found.paragraph
    assert hs.plan_comparison("auc", auc=0.8, difference=0.05, prevalence=0.3).notes[0].kind == "agreement"
    stopping = hs.plan_comparison("auc", auc=0.8, auc_b=0.85, prevalence=0.3, score_correlation=0.6, anytime=True)
    assert theory.n < stopping.expected < stopping.n
    assert stopping.power_at(stopping.n) >= 0.8


def test_row_values_are_planned_from_a_pilot() -> None:
    draw = np.random.default_rng(0)
    first, second = draw.random(400), draw.random(400)
    made = hs.plan_comparison("mean", pilot=hs.table(values={"a": first, "b": second}, range=(0, 1)), difference=0.1)
    variance = float(np.var(second - first))
    assert made.n == math.ceil((1.959963985 + 0.841621234) ** 2 * variance / 0.01)


def test_what_says_nothing_of_auc_is_refused() -> None:
    with pytest.raises(hs.InputError, match="needs model a's auc= and prevalence="):
        hs.plan_comparison("auc", difference=0.05, prevalence=0.3)
    with pytest.raises(hs.InputError, match=r"precision is 0\.8, which says nothing of auc"):
        hs.plan_comparison("auc", auc=0.8, difference=0.05, prevalence=0.3, precision=0.8)
    with pytest.raises(hs.InputError, match=r"auc is 0\.8, which is for AUC, and metric is 'f1'"):
        hs.plan_comparison("f1", auc=0.8, difference=0.05, prevalence=0.3, precision=0.8, recall=0.8)
    with pytest.raises(hs.InputError, match="it takes AUC beyond 0 or 1"):
        hs.plan_comparison("auc", auc=0.9, difference=0.2, prevalence=0.3)
    with pytest.raises(hs.InputError, match="score_correlation is 2"):
        hs.plan_comparison("auc", auc=0.9, difference=0.05, prevalence=0.3, score_correlation=2)
