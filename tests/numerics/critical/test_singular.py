"""Critical values of singular and degenerate matrices, against the range, cubature and plain simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaincc, ndtri

from howsure.numerics.critical import CriticalValue, critical_value, tail_probability
from numerics.critical.matrices import compound, contrasts, random_correlation, range_truth, scaled


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
