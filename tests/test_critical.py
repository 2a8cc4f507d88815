"""Simultaneous critical values against closed forms, one-dimensional integrals, cubature, Genz's program and R."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import gammaincc, ndtr, ndtri
from scipy.stats import multivariate_normal

from howsure import critical, lattice
from howsure.critical import CriticalValue, critical_value, max_probability, tail_probability
from howsure.errors import InputError

Array = NDArray[np.float64]
LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999999)
R_VALUES = Path(__file__).parent / "references" / "critical_qmvnorm.csv"


# ---- matrices, and truths found another way


def compound(d: int, rho: float) -> Array:
    return np.where(np.eye(d) > 0, 1.0, rho)


def scaled(covariance: Array) -> Array:
    spread = np.sqrt(np.diagonal(covariance))
    return covariance / np.outer(spread, spread)


def random_correlation(d: int, rank: int, seed: int) -> Array:
    rows = np.random.default_rng(seed).normal(size=(d, rank))
    return scaled(rows @ rows.T)


def contrasts(k: int) -> Array:
    """Return the correlation of all differences of k independent coordinates: rank k − 1."""
    rows = np.zeros((k * (k - 1) // 2, k))
    for row, (i, j) in zip(rows, combinations(range(k), 2), strict=True):
        row[i], row[j] = 1, -1
    return rows @ rows.T / 2


def one_factor(loadings: Array) -> Array:
    return np.where(np.eye(len(loadings)) > 0, 1.0, np.outer(loadings, loadings))


def factor_probability(q: float, loadings: Array, side: str) -> float:
    """Return P(max < q) for Z_j = l_j f + noise by SciPy's adaptive integral over f."""
    noise = np.sqrt(1 - loadings**2)

    def inside(f: float) -> float:
        low = ndtr((-q - loadings * f) / noise) if side == "both" else 0.0
        return float(np.prod(ndtr((q - loadings * f) / noise) - low) * np.exp(-f * f / 2) / np.sqrt(2 * np.pi))

    breaks = sorted({float(x) for x in (*(q / loadings), *(-q / loadings), -2, 0, 2) if abs(x) < 9})
    edges = [-9.0, *breaks, 9.0]
    return sum(quad(inside, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in pairwise(edges))


def factor_truth(level: float, loadings: Array, side: str = "both") -> float:
    low = 0.01 if side == "both" else -3.0
    return float(brentq(lambda q: factor_probability(q, loadings, side) - level, low, 8.0, xtol=1e-11))


def range_probability(w: float, k: int) -> float:
    """Return P(largest − smallest of k independent normals < w)."""
    return quad(lambda x: k * np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (ndtr(x + w) - ndtr(x)) ** (k - 1), -9, 9,
                points=(-4, -w / 2, 0), epsabs=1e-13, epsrel=1e-12)[0]  # fmt: skip


def range_truth(level: float, k: int) -> float:
    return float(brentq(lambda w: range_probability(w, k) - level, 0.1, 12.0, xtol=1e-11)) / np.sqrt(2)


@pytest.fixture
def sampled_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the shortcuts away, so that matrices with a known answer go through the samplers."""
    monkeypatch.setattr(critical, "exact_tail", lambda block: None)


# ---- exact cases


@pytest.mark.parametrize("level", LEVELS)
def test_independent_coordinates_have_the_closed_form(level: float) -> None:
    for d in (1, *range(2, 51, 4), 50):
        q = critical_value(np.eye(d), level)
        assert q.value == pytest.approx(-ndtri((1 - level ** (1 / d)) / 2), abs=1e-9)
        assert critical_value(np.eye(d), level, side="upper").value == pytest.approx(ndtri(level ** (1 / d)), abs=1e-9)
        assert (q.dimension, q.rank) == (d, d)
        assert q.how == ("exact: rank 1" if d == 1 else "exact: independent")
        assert q.error < 1e-6


@pytest.mark.parametrize("rho", [0.1, 0.3, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("d", [2, 3, 7, 20, 50])
def test_compound_symmetry_is_a_one_dimensional_integral(d: int, rho: float) -> None:
    loadings = np.full(d, np.sqrt(rho))
    for level, side in ((0.95, "both"), (0.8, "upper"), (0.999, "both")):
        q = critical_value(compound(d, rho), level, side=side)  # type: ignore[arg-type]
        assert q.value == pytest.approx(factor_truth(level, loadings, side), abs=2e-9)
        assert q.error < 1e-6
        assert q.how == ("exact: rank 2" if d == 2 else "exact: equicorrelated")


def test_one_common_factor_with_unequal_and_negative_loadings() -> None:
    loadings = np.array([0.9, -0.5, 0.2, 0.97, -0.7, 0.5])
    for side in ("both", "upper"):
        q = critical_value(one_factor(loadings), 0.9, side=side)  # type: ignore[arg-type]
        assert q.how == "exact: one factor"
        assert q.value == pytest.approx(factor_truth(0.9, loadings, side), abs=1e-8)


def polygon_probability(axes: Array, q: float, side: str) -> float:
    """Return the normal mass of a polygon by brute force over many angles."""
    angle = (np.arange(300_000) + 0.5) * 2 * np.pi / 300_000
    height = np.full(len(angle), -np.inf)
    for x, y in axes:
        along = x * np.cos(angle) + y * np.sin(angle)
        height = np.maximum(height, np.abs(along) if side == "both" else along)
    with np.errstate(divide="ignore"):
        edge = np.exp(-0.5 * (q / height) ** 2)
    return (
        float(np.mean(np.where(height > 0, 1 - edge, 1.0))) if q > 0 else float(np.mean(np.where(height < 0, edge, 0)))
    )


@pytest.mark.parametrize("side", ["both", "upper"])
@pytest.mark.parametrize("angles", [[0.1, 0.5, 2.0, 2.9], [0.0, 0.02, 1.0], [0.3, 0.9], [0.0, 2.1, 4.2, 5.0]])
def test_rank_two_against_brute_force(angles: list[float], side: critical.Side) -> None:
    axes = np.column_stack([np.cos(angles), np.sin(angles)])
    matrix = axes @ axes.T
    for level in (0.2, 0.95):
        q = critical_value(matrix, level, side=side)
        assert q.how == "exact: rank 2"
        assert polygon_probability(axes, q.value, side) == pytest.approx(level, abs=1e-7)
    assert max_probability(matrix, -0.4, side=side)[0] == pytest.approx(polygon_probability(axes, -0.4, side), abs=1e-7)


# ---- singular and degenerate matrices


def test_duplicates_and_mirror_images_change_nothing() -> None:
    base = random_correlation(4, 4, 1)
    rows = np.vstack([np.eye(4), np.eye(4)[[0, 2, 2]], -np.eye(4)[[1]]])
    plain, doubled = critical_value(base), critical_value(rows @ base @ rows.T)
    assert doubled.rank == plain.rank == 4
    assert doubled.dimension == 8
    assert doubled.value == pytest.approx(plain.value, abs=plain.error + doubled.error)
    pair = critical_value([[1.0, 1.0], [1.0, 1.0]])
    assert (pair.value, pair.rank, pair.how) == (pytest.approx(ndtri(0.975), abs=1e-10), 1, "exact: rank 1")
    mirrored = critical_value([[1.0, -1.0], [-1.0, 1.0]], side="upper")
    assert mirrored.value == pytest.approx(ndtri(0.975), abs=1e-10)


def test_nearly_identical_coordinates_approach_identical_ones() -> None:
    rho = 1 - 1e-9
    assert critical_value(compound(5, rho)).value == pytest.approx(ndtri(0.975), abs=1e-4)
    base = np.vstack([np.eye(4), np.eye(4) + 1e-7 * np.roll(np.eye(4), 1, axis=1)])
    near = critical_value(scaled(base @ random_correlation(4, 4, 1) @ base.T))
    assert near.value == pytest.approx(critical_value(random_correlation(4, 4, 1)).value, abs=near.error + 1e-5)


def test_what_never_moves_is_left_out() -> None:
    matrix = np.array([[1.0, 0.4, 0.0], [0.4, 1.0, 0.0], [0.0, 0.0, 0.0]])
    q = critical_value(matrix)
    assert q.value == critical_value(matrix[:2, :2]).value
    assert (q.dimension, q.rank) == (3, 2)
    matrix[2, :2] = matrix[:2, 2] = np.nan
    assert critical_value(matrix).value == q.value
    assert critical_value(np.zeros((2, 2))) == CriticalValue(0.0, 0.0, 0.95, 2, 0, "exact: nothing moves")
    assert [float(p) for p in tail_probability(np.zeros((2, 2)), [0.0, 1.0])[0]] == [1.0, 0.0]


@pytest.mark.parametrize(("k", "bound"), [(3, 1e-6), (4, 1e-6), (5, 2e-5), (8, 1e-3), (11, 3e-3)])
def test_all_pairwise_differences_have_the_law_of_the_range(k: int, bound: float) -> None:
    q = critical_value(contrasts(k))
    assert q.rank == k - 1
    assert q.value == pytest.approx(range_truth(0.95, k), abs=q.error)
    assert q.error <= bound


def test_rank_three_with_twelve_coordinates_against_cubature_on_the_sphere() -> None:
    axes = np.random.default_rng(3).normal(size=(12, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    nodes, weights = np.polynomial.legendre.leggauss(800)
    turn = (np.arange(1600) + 0.5) * np.pi / 800
    for side in ("both", "upper"):
        q = critical_value(axes @ axes.T, side=side)  # type: ignore[arg-type]
        mass = 0.0
        for z, weight in zip(nodes, weights, strict=True):
            ring = np.sqrt(1 - z * z)
            heights = axes @ np.stack([ring * np.cos(turn), ring * np.sin(turn), np.full(1600, z)])
            height = (np.abs(heights) if side == "both" else heights).max(axis=0)
            with np.errstate(divide="ignore"):
                beyond = np.where(height > 0, gammaincc(1.5, 0.5 * (q.value / height) ** 2), 0.0)
            mass += weight / 2 * beyond.mean()
        assert q.how == "quadrature"
        assert q.error <= 1.1e-6
        assert mass == pytest.approx(0.05, abs=2e-7)


def test_rank_five_with_twenty_coordinates_against_plain_simulation() -> None:
    matrix = random_correlation(20, 5, 4)
    q = critical_value(matrix)
    random = np.random.default_rng(5)
    values, vectors = np.linalg.eigh(matrix)
    half = (vectors * np.sqrt(np.maximum(values, 0)))[:, -5:]
    hits = sum(int((np.abs(random.normal(size=(100_000, 5)) @ half.T).max(axis=1) < q.value).sum()) for _ in range(15))
    assert hits / 1_500_000 == pytest.approx(0.95, abs=3.5 * np.sqrt(0.95 * 0.05 / 1_500_000))


def test_a_matrix_typed_to_eight_digits_is_accepted_and_the_error_says_so() -> None:
    typed = np.round(contrasts(5) + 0.0, 8) + 3e-9 * (np.add.outer(range(10), range(10)) % 3 - 1) * (1 - np.eye(10))
    q = critical_value(typed)
    assert q.value == pytest.approx(range_truth(0.95, 5), abs=q.error)
    assert 1e-6 < q.error < 2e-3


# ---- the samplers


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
def test_agreement_with_genz_in_scipy(d: int, side: critical.Side) -> None:
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
    probability, error = max_probability(matrix, q, side="upper")
    expected, noise = genz(matrix, q, "upper")
    assert probability == pytest.approx(expected, abs=error + noise)
    assert error < 1e-3
    assert noise < 1e-4
    assert max_probability(matrix, min(q, 0.0))[0] == 0.0


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
        side: critical.Side = "upper" if len(misses) % 2 else "both"
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
    inside = [max_probability(part, q.value) for part in (one, two)]
    assert inside[0][0] * inside[1][0] == pytest.approx(0.95, abs=0.3 * q.error + inside[0][1] + inside[1][1])
    exact = critical_value(np.block([[compound(2, 0.3), np.zeros((2, 3))], [np.zeros((3, 2)), two]]))
    assert exact.how == "exact: independent blocks"
    product = max_probability(compound(2, 0.3), exact.value)[0] * factor_probability(
        exact.value, np.full(3, 0.5**0.5), "both"
    )
    assert product == pytest.approx(0.95, abs=1e-10)


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


# ---- probabilities and far tails


def test_probabilities_invert_critical_values() -> None:
    for matrix in (random_correlation(6, 6, 30), compound(8, 0.3), contrasts(4)):
        for side in ("both", "upper"):
            q = critical_value(matrix, 0.9, side=side)  # type: ignore[arg-type]
            probability, error = max_probability(matrix, q.value, side=side)  # type: ignore[arg-type]
            assert probability == pytest.approx(0.9, abs=error + 0.3 * q.error + 1e-9)


@pytest.mark.parametrize("q", [3.0, 5.0, 8.0])
def test_exact_tails_keep_their_digits(q: float) -> None:
    single = float(2 * ndtr(-q))
    p, _ = tail_probability(np.eye(7), q)
    assert float(p) == pytest.approx(-np.expm1(7 * np.log1p(-single)), rel=1e-12)
    mpmath.mp.dps = 30
    for d, rho in ((2, 0.6), (6, 0.5)):
        load, noise = mpmath.sqrt(rho), mpmath.sqrt(1 - mpmath.mpf(rho))

        def beyond(f: mpmath.mpf, d: int = d, load: mpmath.mpf = load, noise: mpmath.mpf = noise) -> mpmath.mpf:
            out = mpmath.ncdf((load * f - q) / noise) + mpmath.ncdf((-load * f - q) / noise)
            return mpmath.npdf(f) * -mpmath.expm1(d * mpmath.log1p(-out))

        truth = 2 * mpmath.quad(beyond, [0, 1, 2, 4, q, 8, 12, 18])
        p, error = tail_probability(compound(d, rho), q)
        assert float(p) == pytest.approx(float(truth), rel=1e-9)
        assert error <= 1e-6 * p


@pytest.mark.usefixtures("sampled_only")
@pytest.mark.parametrize("rho", [0.3, 0.7, 0.95])
def test_sampled_tails_keep_their_digits(rho: float) -> None:
    exact = {3.0: 0.0, 5.0: 0.0, 8.0: 0.0}
    for q in exact:
        load, noise = np.sqrt(rho), np.sqrt(1 - rho)

        def beyond(f: float, q: float = q, load: float = load, noise: float = noise) -> float:
            out = ndtr((load * f - q) / noise) + ndtr((-load * f - q) / noise)
            return float(-np.expm1(6 * np.log1p(-min(out, 1 - 1e-16))) * np.exp(-f * f / 2) / np.sqrt(2 * np.pi))

        exact[q] = 2 * sum(quad(beyond, a, a + 0.5, epsabs=0, epsrel=1e-10)[0] for a in np.arange(0, 14, 0.5))
    p, error = tail_probability(compound(6, rho), list(exact))
    truth = np.array(list(exact.values()))
    assert np.all(np.abs(p - truth) <= error)
    assert np.all(error <= 0.02 * truth)
    assert np.all(np.diff(p) < 0)


def test_tails_lie_between_one_coordinate_and_bonferroni() -> None:
    q = np.linspace(2.5, 8.0, 12)
    p, error = tail_probability(random_correlation(15, 6, 9), q)
    single = 2 * ndtr(-q)
    assert np.all(p <= 15 * single + error)
    assert np.all(p >= single - error)
    assert np.all(np.diff(p) < 0)
    assert p[-1] == pytest.approx(15 * single[-1], rel=0.2)
    infinite, _ = tail_probability(compound(3, 0.5), [np.inf, -np.inf])
    assert infinite.tolist() == [0.0, 1.0]
    assert tail_probability(compound(3, 0.5), [])[0].shape == (0,)


# ---- lattices


def test_lattice_sizes_are_primes_with_primitive_roots() -> None:
    for size, root in lattice.SIZES.items():
        assert all(size % i for i in range(2, int(size**0.5) + 1))
        factors = (
            [f for f in range(2, 1 + size // 2) if (size - 1) % f == 0] if size < 10_000 else prime_factors(size - 1)
        )
        assert all(pow(root, (size - 1) // f, size) != 1 for f in factors)


def prime_factors(n: int) -> list[int]:
    found, f = [], 2
    while n > 1:
        if n % f == 0:
            found.append(f)
            n //= f
        else:
            f += 1
    return sorted(set(found))


def worst_case(points: Array) -> float:
    """Return the squared worst-case error of a lattice for the weights that its construction minimises."""
    kernel = 2 * np.pi**2 * (points**2 - points + 1 / 6)
    return float(np.prod(1 + kernel * np.arange(1, points.shape[1] + 1) ** -1.5, axis=1).mean() - 1)


def test_each_lattice_component_is_the_best_given_the_earlier_ones() -> None:
    size, dimensions = 61, 4
    vector = [int(z) for z in lattice.generator(size, dimensions)]
    steps = np.arange(size)
    for j in range(1, dimensions):
        errors = [worst_case(np.outer(steps, [*vector[:j], z]) % size / size) for z in range(1, size)]
        assert worst_case(np.outer(steps, vector[: j + 1]) % size / size) == pytest.approx(min(errors), rel=1e-9)


@pytest.mark.parametrize("dimensions", [2, 3, 4, 5, 8, 9])
def test_directions_are_uniform_up_to_sign(dimensions: int) -> None:
    shifts = np.random.default_rng(0).random((4, dimensions - 1))
    u = lattice.directions(lattice.shifted(16381, shifts, 0, 16381)).reshape(-1, dimensions)
    assert np.linalg.norm(u, axis=1) == pytest.approx(1.0)
    assert u.T @ u / len(u) == pytest.approx(np.eye(dimensions) / dimensions, abs=2e-3)
    assert (u**4).mean(axis=0) == pytest.approx(3 / (dimensions * (dimensions + 2)), rel=2e-2)


# ---- R


def r_matrix(name: str, d: int) -> Array:
    step = np.arange(1, d + 1)
    makers: dict[str, Callable[[], Array]] = {
        "compound": lambda: compound(d, 0.5),
        "serial": lambda: 0.8 ** np.abs(np.subtract.outer(step, step)),
        "factor": lambda: one_factor((-1.0) ** step * (0.3 + 0.6 * step / d)),
        "contrasts": lambda: contrasts(round((1 + np.sqrt(1 + 8 * d)) / 2)),
    }
    return makers[name]()


def r_values() -> Iterator[tuple[str, int, Array]]:
    with R_VALUES.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name, d in dict.fromkeys((row["matrix"], int(row["dimension"])) for row in rows):
        chosen = [float(r["quantile"]) for r in rows if r["matrix"] == name and int(r["dimension"]) == d]
        yield name, d, np.array(chosen)


@pytest.mark.parametrize(
    ("name", "d", "values"), list(r_values()), ids=lambda x: str(x) if isinstance(x, (str, int)) else ""
)
def test_agreement_with_mvtnorm_within_its_own_noise(name: str, d: int, values: Array) -> None:
    q = critical_value(r_matrix(name, d))
    # R's root is found to some 1e-4 only (see dimension 2, where nothing is random); the rest moves with its seed.
    noise = 4 * values.std(ddof=1) / np.sqrt(len(values))
    assert q.value == pytest.approx(values.mean(), abs=noise + 4e-4 + q.error)
    assert np.abs(values - q.value).max() < 0.02


@pytest.mark.usefixtures("sampled_only")
@pytest.mark.parametrize("d", [6, 12, 30])
def test_closer_to_the_truth_than_mvtnorm_even_without_the_exact_route(d: int) -> None:
    values = next(values for name, size, values in r_values() if (name, size) == ("compound", d))
    truth = factor_truth(0.95, np.full(d, np.sqrt(0.5)))
    ours = [abs(critical_value(compound(d, 0.5), seed=seed).value - truth) for seed in range(3)]
    assert np.mean(ours) < 0.5 * np.abs(values - truth).mean()
    assert ours[0] < np.median(np.abs(values - truth))


# ---- refusals


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[1.0, 0.2]], {}, r"correlation has shape \(1, 2\); it must be square"),
        (1.0, {}, r"correlation has shape \(\); it must be square"),
        ([[1.0, 0.2], [0.3, 1.0]], {}, "a difference from its transpose by 0.1; it must be a symmetric"),
        ([[2.0, 0.2], [0.2, 1.0]], {}, "a diagonal that differs from 1 by 1; .* divide a covariance by"),
        ([[1.0, 1.2], [1.2, 1.0]], {}, "entries beyond ±1 by 0.2"),
        ([[1.0, 0.9, 0.0], [0.9, 1.0, 0.9], [0.0, 0.9, 1.0]], {}, "the eigenvalue -0.273; it must be positive semi"),
        ([[1.0, np.nan], [np.nan, 1.0]], {}, r"correlation\[0, 1\] is nan; every entry must be a number: put 0 on"),
        ([[1.0, 0.5], [0.5, 0.0]], {}, r"correlation\[0, 1\] is 0.5 but one of the two has variance 0"),
        (np.eye(2), {"level": 1.0}, "level is 1.0; it must lie strictly between 0 and 1"),
        (np.eye(2), {"accuracy": 0.0}, "accuracy is 0.0; it must be a positive error"),
        (np.eye(2), {"side": "lower"}, "side is 'lower'; it must be 'both'"),
    ],
)
def test_refusals(matrix: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        critical_value(matrix, **options)  # type: ignore[arg-type]


def test_undefined_statistics_are_refused() -> None:
    with pytest.raises(InputError, match="leave undefined statistics out"):
        tail_probability(np.eye(2), [1.0, np.nan])
