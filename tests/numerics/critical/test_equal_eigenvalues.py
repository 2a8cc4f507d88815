"""Critical values do not hang on last bits where eigenvalues are equal, and their vectors therefore anybody's."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import studentized_range

from howsure.numerics import critical
from howsure.numerics.critical import critical_value
from numerics.critical.matrices import Array, compound


def differences(models: int) -> Array:
    """Return the correlations of all differences of exchangeable models: one eigenvalue, models − 1 times."""
    pairs = list(combinations(range(models), 2))
    signs = np.zeros((len(pairs), models))
    for row, (first, second) in enumerate(pairs):
        signs[row, first], signs[row, second] = 1.0, -1.0
    return np.asarray(signs @ signs.T / 2)


BLOCKS = np.kron(np.eye(2), compound(4, 0.3)) + 0.1 * (1 - np.kron(np.eye(2), np.ones((4, 4))))
CYCLE = np.array([[[1.0, 0.4, 0.2, 0.1, 0.2, 0.4][(i - j) % 6] for j in range(6)] for i in range(6)])


@pytest.mark.parametrize("matrix", [differences(6), BLOCKS, CYCLE], ids=["differences", "blocks", "cycle"])
def test_a_bit_more_or_less_changes_nothing_that_is_shown(matrix: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another processor's eigenvectors: those of a matrix that differs in last bits, and turned at random."""
    first = critical_value(matrix)
    rng, plain = np.random.default_rng(1), np.linalg.eigh

    def turned(given: Array) -> tuple[Array, Array]:
        noise = rng.normal(size=given.shape) * 2e-16
        values, vectors = plain(given + (noise + noise.T) / 2)
        for value in np.unique(values.round(9)):
            same = np.abs(values - value) < 1e-8
            vectors[:, same] = vectors[:, same] @ np.linalg.qr(rng.normal(size=(same.sum(), same.sum())))[0]
        return values, vectors

    monkeypatch.setattr(critical.np.linalg, "eigh", turned)
    for _ in range(3):
        assert critical_value(matrix).value == pytest.approx(first.value, abs=1e-8)


def test_exchangeable_differences_have_the_studentized_range() -> None:
    q = critical_value(differences(10))
    assert q.value == pytest.approx(studentized_range.ppf(0.95, 10, np.inf) / np.sqrt(2), abs=q.error)


@pytest.mark.parametrize("matrix", [differences(6), BLOCKS, CYCLE, compound(40, 0.7)])
def test_the_fixed_basis_is_one(matrix: Array) -> None:
    axes, _ = critical._axes(matrix)
    assert axes @ axes.T == pytest.approx(matrix, abs=1e-13)
