"""smoothed-t: degrees of freedom against brute force, range, and coverage on populations not used to make it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import howsure as hs
from howsure.evidence import evidence_of_matrices
from howsure.influence import moments
from howsure.naming import named
from howsure.smoothing import smoothed_moments_and_degrees, smoothed_table

Z = float(-ndtri(0.025))
METRICS = ("macro_f1", "macro_f1_star", "macro_precision", "weighted_f1", "balanced_accuracy", "mcc", "kappa")


def scaled_variance(name: str, shares: np.ndarray) -> float:
    """n times the variance, from the engine's own first derivatives only."""
    made = moments(named(name), shares)
    return float(made.variance * made.n)


def brute_degrees(name: str, table: np.ndarray) -> float:
    """2 V² / Var(V̂), the slope of V in each cell by a plain central difference."""
    n = table.sum()
    shares = table / n
    slopes = np.zeros(shares.size)
    step = 1e-6
    for cell in range(shares.size):
        up, down = shares.ravel().copy(), shares.ravel().copy()
        up[cell] += step
        down[cell] -= step
        sides = [scaled_variance(name, side.reshape(shares.shape) / side.sum()) for side in (up, down)]
        slopes[cell] = (sides[0] - sides[1]) / (2 * step)
    weights = shares.ravel()
    spread = weights @ (slopes - weights @ slopes) ** 2 / n
    return float(2 * scaled_variance(name, shares) ** 2 / spread)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_degrees_of_freedom_agree_with_central_differences(name: str, classes: int) -> None:
    rng = np.random.default_rng(classes)
    matrix = (rng.poisson(3, (classes, classes)) + 12 * np.eye(classes)).astype(float)
    evidence = evidence_of_matrices(named(name), matrix)
    assert float(smoothed_moments_and_degrees(evidence, Z)[2]) == pytest.approx(
        brute_degrees(name, smoothed_table(evidence, Z)), rel=1e-4
    )


def test_pseudo_counts_sum_to_half_z_squared_and_leave_a_skipped_class_empty() -> None:
    matrix = np.array([[30.0, 2, 0], [3, 20, 0], [0, 0, 0]])
    every = smoothed_table(evidence_of_matrices(named("macro_f1"), matrix), Z)
    assert (every - matrix).sum() == pytest.approx(Z * Z / 2)
    some = smoothed_table(evidence_of_matrices(named("macro_f1"), matrix, undefined="skip"), Z)
    assert (some - matrix).sum() == pytest.approx(Z * Z / 2)
    assert not some[2].any()
    assert not some[:, 2].any()


def test_a_skipped_class_changes_nothing() -> None:
    three = hs.matrix([[38, 2, 0], [1, 39, 0], [0, 0, 0]], rows="truth")
    two = hs.matrix([[38, 2], [1, 39]], rows="truth")
    found = hs.estimate(three, "macro_f1", undefined="skip")
    assert found.interval == pytest.approx(hs.estimate(two, "macro_f1").interval, rel=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_it_stays_in_range_and_holds_the_estimate(name: str) -> None:
    rng = np.random.default_rng(1)
    metric = named(name)
    for _ in range(60):
        matrix = rng.poisson(rng.choice([0.3, 2.0]), (3, 3)) + np.diag(rng.integers(1, 20, 3))
        found = hs.estimate(hs.matrix(matrix, rows="truth"), name, method="smoothed-t")
        assert metric.range[0] <= found.low <= found.value <= found.high <= metric.range[1]
        assert found.low < found.high


def test_a_perfect_score_is_no_certainty() -> None:
    found = hs.estimate(hs.matrix(np.diag([10, 12, 8]), rows="truth"), "macro_f1")
    assert found.method == "smoothed-t"
    assert found.high == 1
    assert 0.3 < found.low < 0.95


@pytest.mark.parametrize("name", ["macro_f1", "mcc"])
def test_coverage_in_takahashis_first_scenario(name: str) -> None:
    """Simulated with 4 000 tables: 0.95 within four standard errors below and the method's caution above."""
    shares = (np.eye(3) * 7 + 1) / 30
    rows = hs.study(name, ["smoothed-t"], shares, n=[25, 50, 100], replicates=4000)
    for row in rows:
        assert 0.935 <= row.coverage <= 0.985
        assert row.overshoot == 0
        assert row.degenerate == 0
