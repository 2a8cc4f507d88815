"""Plans for AUC: Hanley and McNeil's variance, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs


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
