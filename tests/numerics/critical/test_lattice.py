"""The lattices behind the samplers."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics import lattice_rules as lattice
from numerics.critical.matrices import Array


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
