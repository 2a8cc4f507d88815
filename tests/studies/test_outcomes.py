"""The outcomes that hs.study enumerates or draws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from howsure.studies.enumerate import number_of_outcomes, outcomes, random_outcomes


@pytest.mark.parametrize(
    ("shares", "n"), [([0.5, 0.3, 0.2], 9), ([0.4, 0.1, 0.1, 0.4], 7), ([0.6, 0.0, 0.4], 5), ([1.0], 3)]
)
def test_outcomes_are_all_of_them_with_their_multinomial_probability(shares: list[float], n: int) -> None:
    expected = {}
    for counts in itertools.product(range(n + 1), repeat=len(shares)):
        if sum(counts) == n and all(share > 0 or count == 0 for share, count in zip(shares, counts, strict=True)):
            ways = math.factorial(n) / math.prod(map(math.factorial, counts))
            expected[counts] = ways * math.prod(p**k for p, k in zip(shares, counts, strict=True))
    found = {}
    for block, chances in outcomes(np.array(shares), n):
        found |= {tuple(row): chance for row, chance in zip(block.astype(int).tolist(), chances, strict=True)}
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n", "share"), [(25, 0.07), (1000, 0.5), (5000, 0.003), (100_000, 0.3)])
def test_outcomes_lose_next_to_nothing(n: int, share: float) -> None:
    shares = np.array([0.7 * share, 0.3 * share, 1 - share])
    mass, mean = 0.0, np.zeros(3)
    for block, chances in outcomes(shares, n):
        mass += chances.sum()
        mean += chances @ block
    assert mass == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(n * shares, rel=1e-8)


def test_outcomes_come_in_parts_that_add_up() -> None:
    shares = np.array([0.4, 0.1, 0.1, 0.4])
    whole = sum(len(chances) for _, chances in outcomes(shares, 30))
    parts = [len(c) for low in range(0, 31, 7) for _, c in outcomes(shares, 30, range(low, low + 7))]
    assert sum(parts) == whole


def test_number_of_outcomes_is_never_far_below_the_truth() -> None:
    for shares, n in [([0.4, 0.1, 0.1, 0.4], 200), ([0.01, 0.001, 0.002, 0.987], 500), ([0.4, 0.2, 0.4], 5000)]:
        real = sum(len(chances) for _, chances in outcomes(np.array(shares), n))
        assert real <= number_of_outcomes(np.array(shares), n) <= 20 * real + 1000


def test_random_outcomes_count_the_distinct_ones() -> None:
    counts, times = random_outcomes(np.array([0.3, 0.3, 0.4]), 6, 0, 5000, seed=3)
    assert times.sum() == 5000
    assert len(np.unique(counts, axis=0)) == len(counts) <= 28
    assert (counts.sum(1) == 6).all()
    assert times @ counts / 5000 == pytest.approx([1.8, 1.8, 2.4], abs=0.08)
