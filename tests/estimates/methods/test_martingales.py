"""Fortunes of fair games: against integrals in many digits, closed forms, and every path of a short stream."""

from __future__ import annotations

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest

from howsure.errors import InputError
from howsure.estimates.methods.martingales import (
    MOST_VALUES,
    PER_ROW,
    confidence_sequence,
    log_fortune,
    mean_limit,
    normal_log_fortune,
    normal_reach,
    share_limit,
)

HALF = mpmath.mpf(1) / 2


def mixed(values: list[float], counts: list[int], mean: float) -> mpmath.mpf:
    """Return the fortune by quadrature: q from the part of Beta(½, ½) above the mean."""
    m = mpmath.mpf(mean)
    start = mpmath.asin(mpmath.sqrt(m))

    def made(psi: mpmath.mpf) -> mpmath.mpf:
        q = mpmath.sin(psi) ** 2
        factors = (x * q / m + (1 - x) * (1 - q) / (1 - m) for x in map(mpmath.mpf, values))
        return mpmath.fprod(factor**count for factor, count in zip(factors, counts, strict=True))

    end = mpmath.pi / 2
    places = [start + (end - start) * part / 8 for part in range(9)]
    return mpmath.quad(made, places) / (end - start)


@pytest.mark.parametrize(
    ("values", "counts", "mean"),
    [
        ([0.0, 0.5, 1.0], [5, 85, 10], 0.5),
        ([0.0, 0.5, 1.0], [3, 400, 1], 0.51),
        ([0.1, 0.35, 0.9, 1.0], [7, 20, 30, 2], 0.4),
        ([0.0, 1.0], [1, 99], 0.93),
        ([0.25], [12], 0.9),
    ],
)
def test_the_fortune_is_the_integral(values: list[float], counts: list[int], mean: float) -> None:
    with mpmath.workdps(30):
        expected = float(mpmath.log(mixed(values, counts, mean)))
    assert log_fortune(np.array(values), np.array(counts, dtype=float), mean) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("only_a", "only_b", "n"), [(5, 10, 100), (0, 12, 50), (300, 370, 5000), (30_000, 30_700, 10**6)]
)
def test_discordant_rows_are_a_coin(only_a: int, only_b: int, n: int) -> None:
    """At no difference only discordant rows count: a Beta(½, ½) mixture above ½ against a fair coin, in closed form."""
    counts = np.array([only_a, n - only_a - only_b, only_b], dtype=float)
    with mpmath.workdps(40):
        whole = mpmath.betainc(only_b + HALF, only_a + HALF, HALF, 1) / mpmath.beta(HALF, HALF)
        expected = float(mpmath.log(whole) + (only_a + only_b + 1) * mpmath.log(2))
    assert log_fortune(np.array([0.0, 0.5, 1.0]), counts, 0.5) == pytest.approx(expected, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("mean", [0.1, 0.5, 0.83])
@pytest.mark.parametrize("seed", range(3))
def test_a_fair_row_leaves_the_fortune_as_it_is_on_average(mean: float, seed: int) -> None:
    """A martingale: whatever the law of the next row, if its mean is the supposed one; a smaller mean loses."""
    draw = np.random.default_rng(seed)
    values = np.append(draw.random(4), [0.0, 1.0])
    counts = draw.integers(0, 40, 6).astype(float)
    now = math.exp(log_fortune(values, counts, mean))
    below, above = values[values < mean], values[values > mean]
    for x, y in itertools.product(below, above):
        share = (mean - x) / (y - x)  # the chance of y with which the mean is the supposed one
        then = [math.exp(log_fortune(np.append(values, end), np.append(counts, 1.0), mean)) for end in (x, y)]
        assert (1 - share) * then[0] + share * then[1] == pytest.approx(now, rel=1e-9)
        assert (1 - 0.9 * share) * then[0] + 0.9 * share * then[1] < now


@pytest.mark.parametrize(("successes", "failures", "probability"), [(90, 10, 0.05), (3, 0, 0.1), (500, 2, 0.01)])
def test_one_sided_limits_of_a_share_against_mpmath(successes: int, failures: int, probability: float) -> None:
    limit = float(share_limit(successes, failures, probability))
    with mpmath.workdps(30):
        made = mixed([0.0, 1.0], [failures, successes], limit)
    assert float(made) == pytest.approx(1 / probability, rel=1e-8)
    as_values = mean_limit(np.array([0.0, 1.0]), np.array([failures, successes], dtype=float), probability)
    assert as_values == pytest.approx(limit, abs=1e-10)
    assert limit > float(confidence_sequence(successes, failures, level=1 - probability)[0])


@cache
def lower_limits(probability: float) -> list[np.ndarray]:
    """Return the limit of every number of successes in 1, 2, … 300 rows; no share has to do with them."""
    return [share_limit(np.arange(n + 1.0), n - np.arange(n + 1.0), probability) for n in range(1, 301)]


@pytest.mark.parametrize("share", [0.1, 0.6, 0.97])
@pytest.mark.parametrize("probability", [0.05, 0.2])
def test_a_one_sided_limit_is_ever_wrong_as_seldom_as_said(share: float, probability: float) -> None:
    """Exact, over all paths of 300 rows: those on which a lower limit has exceeded the share are taken out."""
    law, missed = np.ones(1), 0.0
    for limits in lower_limits(probability):
        law = np.append(law * (1 - share), 0.0) + np.append(0.0, law * share)
        wrong = limits > share
        missed += float(law[wrong].sum())
        law[wrong] = 0.0
    assert missed + law.sum() == pytest.approx(1.0)
    assert 0.2 * probability < missed <= probability


def test_a_difference_of_rows_is_ever_wrong_as_seldom_as_said() -> None:
    """Exact, over all streams of 60 rows of −1, 0, 1 with mean 0.1: the fortune against 0.1 ever reaches 10."""
    chances = {-1: 0.1, 0: 0.7, 1: 0.2}
    values, wrong, law = np.array([0.0, 0.5, 1.0]), 0.0, {(0, 0): 1.0}
    for n in range(1, 61):
        new: dict[tuple[int, int], float] = {}
        for (a, b), chance in law.items():
            for step, more in chances.items():
                place = (a + (step < 0), b + (step > 0))
                new[place] = new.get(place, 0.0) + chance * more
        law = {}
        for (a, b), chance in new.items():
            made = log_fortune(values, np.array([a, n - a - b, b], dtype=float), 0.55) if b * 0.9 > a else 0.0
            if made >= math.log(10):
                wrong += chance
            else:
                law[a, b] = chance
    assert wrong + sum(law.values()) == pytest.approx(1.0)
    assert 0.02 < wrong <= 0.1


def test_limits_are_where_the_fortune_is_made_and_nowhere_else() -> None:
    """Below the limit every mean is ruled out, above it none: the set of possible means is an interval."""
    draw = np.random.default_rng(5)
    for _ in range(40):
        values = draw.random(3) if draw.random() < 0.5 else np.array([0.0, 0.5, 1.0])
        counts = draw.integers(0, 60, 3).astype(float) + 1
        limit = mean_limit(values, counts, 0.1)
        for mean in np.linspace(0.01, 0.99, 25):
            assert (log_fortune(values, counts, float(mean)) >= math.log(10)) == (mean <= limit)


def test_many_values_are_shared_between_marks_without_making_a_limit_surer() -> None:
    values = np.random.default_rng(2).beta(2, 1, 4 * MOST_VALUES)
    counts = np.ones(len(values))
    limit = mean_limit(values, counts, 0.025)
    assert 0 <= log_fortune(values, counts, limit) - math.log(40) < 0.01


def test_ends() -> None:
    nothing = np.zeros(0)
    assert mean_limit(nothing, nothing, 0.05) == 0.0
    assert mean_limit(np.zeros(1), np.array([9.0]), 0.05) == 0.0
    assert mean_limit(np.ones(1), np.array([1.0]), 0.05) < mean_limit(np.ones(1), np.array([500.0]), 0.05) < 1
    with pytest.raises(InputError, match="finite counts"):
        share_limit(-1, 1, 0.05)


@pytest.mark.parametrize(("z", "rows"), [(3.0, 500), (-1.0, 100), (0.0, 2000), (6.0, 10**6)])
def test_the_normal_fortune_is_the_integral(z: float, rows: int) -> None:
    """Drifts from the positive half of a normal law, the likelihood of each against none: S = z√n, variance n."""
    with mpmath.workdps(30):
        rho, total = mpmath.sqrt(PER_ROW), mpmath.mpf(z) * mpmath.sqrt(rows)
        peak, width = max(total / rows, 0), 1 / mpmath.sqrt(rows + 1 / rho**2)
        places = sorted({mpmath.mpf(0), *(max(peak + step * width, 0) for step in range(-9, 10)), 40 * rho})

        def made(drift: mpmath.mpf) -> mpmath.mpf:
            return 2 * mpmath.npdf(drift, 0, rho) * mpmath.exp(drift * total - rows * drift**2 / 2)

        expected = float(mpmath.log(mpmath.quad(made, places)))
    assert normal_log_fortune(z, rows) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("rows", [100, 500, 5000, 10**6])
def test_the_normal_reach_is_that_of_the_paper(rows: int) -> None:
    """Waudby-Smith and others (2024): √(2(nρ²+1)/(n²ρ²)·log(√(nρ²+1)/α)) standard deviations, two-sided.

    One-sided games each with half of the error need a trifle more: Φ of the reach is not quite 1.
    """
    known = rows * PER_ROW
    paper = math.sqrt(2 * (known + 1) / known * math.log(math.sqrt(known + 1) / 0.05))
    assert paper < normal_reach(0.025, rows) < 1.002 * paper
    assert math.exp(normal_log_fortune(normal_reach(0.025, rows), rows)) == pytest.approx(40, rel=1e-8)


def test_shortest_near_500_rows() -> None:
    reaches = {rows: normal_reach(0.025, rows) for rows in (100, 300, 500, 800, 5000)}
    assert min(reaches, key=lambda rows: reaches[rows]) in (300, 500, 800)
