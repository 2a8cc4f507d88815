"""The samplers of critical values: against Genz's program, and whether the reported error is honest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from howsure.numerics import critical
from howsure.numerics.critical import critical_value, tail_probability
from numerics.critical.matrices import Array, compound, factor_probability, factor_truth, one_factor, random_correlation


def genz(matrix: Array, q: float, side: str) -> tuple[float, float]:
    """Return P(max < q) by Genz's program in SciPy, with four standard errors over its seeds."""
    d = len(matrix)
    lower = np.full(d, -q if side == "both" else -np.inf)
    law = [
        multivariate_normal(np.zeros(d), matrix, allow_singular=True, maxpts=100_000, seed=seed) for seed in range(8)
    ]
    values = np.array([one.cdf(np.full(d, q), lower_limit=lower) for one in law])
    return float(values.mean()), float(4 * values.std(ddof=1) / np.sqrt(8)) + 1e-8


@pytest.mark.parametrize("d", [3, 4, 5, 6])
@pytest.mark.parametrize("side", ["both", "upper"])
def test_agreement_with_genz_in_scipy(d: int, side: critical.MaxSide) -> None:
    for seed in range(3):
        matrix = random_correlation(d, d + 1 + seed, 100 * d + seed)
        q = critical_value(matrix, 0.9, side=side)
        probability, noise = genz(matrix, q.value, side)
        assert probability == pytest.approx(0.9, abs=0.3 * q.error + noise)
        assert noise < 5e-4
        assert q.error <= 1e-4


@pytest.mark.parametrize("q", [-0.7, 0.0, 0.6])
def test_upper_probabilities_at_and_below_zero(q: float) -> None:
    matrix = random_correlation(5, 6, 8)
    tail, error = tail_probability(matrix, q, side="upper")
    expected, noise = genz(matrix, q, "upper")
    assert 1 - tail == pytest.approx(expected, abs=error + noise)
    assert error < 1e-3
    assert noise < 1e-4
    assert tail_probability(matrix, min(q, 0.0))[0] == 1.0


@pytest.mark.parametrize(("d", "rho"), [(3, -0.5), (4, -0.3), (6, -0.15)])
def test_slightly_negative_equicorrelation(d: int, rho: float) -> None:
    q = critical_value(compound(d, rho))
    probability, noise = genz(compound(d, rho), q.value, "both")
    assert probability == pytest.approx(0.95, abs=0.2 * q.error + noise)
    assert noise < 5e-4


def factor_miss(q: float, level: float, loadings: Array, side: str) -> float:
    """Return how far q is from the truth: the probability by the trapezoidal rule over f, divided by its slope."""
    f, step = np.linspace(-9, 9, 9001, retstep=True)
    noise = np.sqrt(1 - loadings**2)

    def inside(q: float) -> float:
        low = ndtr((-q - f[:, None] * loadings) / noise) if side == "both" else 0.0
        within = np.prod(ndtr((q - f[:, None] * loadings) / noise) - low, axis=1)
        return float(step * (within * np.exp(-f * f / 2)).sum() / np.sqrt(2 * np.pi))

    return (inside(q) - level) / (inside(q + 1e-3) - inside(q - 1e-3)) * 2e-3


@pytest.mark.usefixtures("sampled_only")
def test_the_reported_error_is_honest() -> None:
    random = np.random.default_rng(12)
    misses, errors = [], []
    for d in [4, 5, 6, 7, 8, 10, 12, 16, 20, 30] * 2 + [4, 5, 6, 7, 8, 9, 10, 14, 18, 50]:
        loadings = random.uniform(-0.97, 0.97, d) if len(misses) % 3 else random.uniform(0.4, 0.98, d)
        side: critical.MaxSide = "upper" if len(misses) % 2 else "both"
        q = critical_value(one_factor(loadings), side=side)
        assert q.how == "quasi-Monte-Carlo"
        assert q.error <= (1e-4 if d <= 6 else 1e-3)
        misses.append(abs(factor_miss(q.value, 0.95, loadings, side)))
        errors.append(q.error)
    held = np.array(misses) <= np.array(errors)
    assert held.sum() >= 28
    assert np.median(np.array(errors) / np.array(misses)) < 40  # a bound that says something


@pytest.mark.slow
@pytest.mark.usefixtures("sampled_only")
@pytest.mark.parametrize("rho", [0.2, 0.5, 0.8, 0.95])
@pytest.mark.parametrize(("d", "bound"), [(50, 1e-3), (200, 3e-3)])
def test_many_coordinates(d: int, bound: float, rho: float) -> None:
    q = critical_value(compound(d, rho))
    truth = factor_truth(0.95, np.full(d, np.sqrt(rho)))
    assert q.value == pytest.approx(truth, abs=q.error)
    assert q.value == pytest.approx(truth, abs=bound)
    assert q.error < 1.5 * bound


@pytest.mark.usefixtures("sampled_only")
def test_accuracy_buys_accuracy() -> None:
    matrix, truth = compound(5, 0.4), factor_truth(0.95, np.full(5, np.sqrt(0.4)))
    usual, better = critical_value(matrix), critical_value(matrix, accuracy=5e-6)
    assert better.error <= 5.1e-6 < usual.error
    assert better.value == pytest.approx(truth, abs=better.error)


def test_a_target_out_of_reach_ends_at_the_cap_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(critical, "LARGEST_BUDGET", 1e8)
    q = critical_value(random_correlation(8, 8, 2), accuracy=1e-9)
    assert q.error > 1e-6


def test_same_input_same_output_and_another_seed_within_the_error() -> None:
    matrix = random_correlation(9, 9, 6)
    first = critical_value(matrix)
    assert critical_value(matrix) == first
    other = critical_value(matrix, seed=1)
    assert other.value != first.value
    assert other.value == pytest.approx(first.value, abs=first.error + other.error)


def test_independent_blocks_multiply() -> None:
    one, two = random_correlation(4, 4, 20), compound(3, 0.5)
    both = np.block([[one, np.zeros((4, 3))], [np.zeros((3, 4)), two]])
    order = [4, 0, 5, 1, 2, 6, 3]
    q = critical_value(both[np.ix_(order, order)])
    (first, error), (second, more) = (tail_probability(part, q.value) for part in (one, two))
    assert (1 - first) * (1 - second) == pytest.approx(0.95, abs=0.3 * q.error + error + more)
    exact = critical_value(np.block([[compound(2, 0.3), np.zeros((2, 3))], [np.zeros((3, 2)), two]]))
    assert exact.how == "exact: independent blocks"
    pair = 1 - tail_probability(compound(2, 0.3), exact.value)[0]
    three = factor_probability(exact.value, np.full(3, 0.5**0.5), "both")
    assert pair * three == pytest.approx(0.95, abs=1e-10)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), d=st.integers(2, 7), extra=st.integers(-2, 3), level=st.floats(0.5, 0.999))
def test_bounds_order_and_symmetry(seed: int, d: int, extra: int, level: float) -> None:
    matrix = random_correlation(d, max(1, d + extra), seed)
    q = critical_value(matrix, level, accuracy=1e-3)
    share = 1 - level
    assert q.value <= -ndtri(share / (2 * d)) + q.error  # Bonferroni
    assert q.value <= -ndtri((1 - level ** (1 / d)) / 2) + q.error  # Šidák
    assert q.value >= -ndtri(share / 2) - q.error  # a single coordinate
    assert critical_value(matrix, min(0.9999, level + 0.01), accuracy=1e-3).value > q.value
    random = np.random.default_rng(seed)
    order, signs = random.permutation(d), random.choice([-1.0, 1.0], d)
    shuffled = critical_value((matrix * np.outer(signs, signs))[np.ix_(order, order)], level, accuracy=1e-3)
    assert shuffled.value == pytest.approx(q.value, abs=q.error + shuffled.error)
    upper = critical_value(matrix, level, side="upper", accuracy=1e-3)
    assert upper.value <= q.value + q.error + upper.error
