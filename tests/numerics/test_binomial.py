"""Intervals of a share: against R, against 40-digit arithmetic, against their definitions, and their properties."""

from __future__ import annotations

import csv
from math import comb
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from howsure.numerics import binomial

REFERENCE = Path(__file__).parents[1] / "references" / "binomial_limits.csv"
METHODS = {
    "clopper_pearson": lambda s, f, tail: binomial.clopper_pearson(s, f, tail=tail),
    "wilson": lambda s, f, tail: binomial.wilson(s, f, z=-special.ndtri(tail)),
    "agresti_coull": lambda s, f, tail: binomial.agresti_coull(s, f, z=-special.ndtri(tail)),
    "beta_0.5": lambda s, f, tail: binomial.beta_interval(s, f, tail=tail),
    "beta_1": lambda s, f, tail: binomial.beta_interval(s, f, tail=tail, prior=(1, 1)),
    "mid_p": lambda s, f, tail: binomial.mid_p(s, f, tail=tail),
}
SOUND = ("clopper_pearson", "wilson", "mid_p")
COUNTS = st.one_of(st.integers(0, 200), st.floats(0.05, 1e6), st.floats(1, 1e15)).map(float)
TAILS = st.sampled_from([0.25, 0.1, 0.05, 0.025, 0.005, 5e-7])


@pytest.mark.parametrize(
    ("method", "source", "least"),
    [
        ("clopper_pearson", "binom.test", 200),
        ("clopper_pearson", "Hmisc", 200),
        ("wilson", "prop.test", 200),
        ("wilson", "Hmisc", 150),
        ("wilson", "epiR", 200),
        ("agresti_coull", "epiR", 200),
        ("beta_0.5", "qbeta", 200),
        ("beta_1", "qbeta", 200),
    ],
)
def test_equals_r(method: str, source: str, least: int) -> None:
    with REFERENCE.open() as file:
        rows = [row for row in csv.DictReader(file) if (row["method"], row["source"]) == (method, source)]
    assert len(rows) >= least
    success, failure, level, low, high = (
        np.array([float(row[name]) for row in rows]) for name in ("success", "failure", "level", "low", "high")
    )
    found = METHODS[method](success, failure, (1 - level) / 2)
    np.testing.assert_allclose(found[0], low, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found[1], high, rtol=0, atol=1e-9)
    assert 0 in success
    assert 0 in failure
    if source in ("binom.test", "prop.test", "qbeta"):
        assert {1.0, 1e6} <= set(success + failure)


def test_lam_example() -> None:
    """Lam et al. (2024), section 6: TP 77, FP 44, FN 10."""
    for limits, printed in (
        (binomial.clopper_pearson(77, 54, tail=0.025), (0.665, 0.805)),
        (binomial.wilson(77, 54, z=-special.ndtri(0.025)), (0.669, 0.801)),
    ):
        f1 = [2 * u / (1 + u) for u in limits]
        assert np.round(f1, 3).tolist() == list(printed)
    assert np.round(binomial.wilson(77, 54, z=-special.ndtri(0.025), weight=0.5), 3).tolist() == [0.669, 0.801]


@pytest.mark.parametrize("weight", [1.0, 0.5, 3.0])
def test_wilson_to_rounding(weight: float) -> None:
    """The textbook quadratic at 60 digits; the lengths are compared too, since limits hide errors."""
    rng = np.random.default_rng(1)
    with mp.workdps(60):
        for _ in range(60):
            success, failure = (float(x) for x in 10 ** rng.uniform(-1, 15, 2))
            z = float(rng.choice([0.5, 1.96, 6.5]))
            s, f, square = mp.mpf(success), mp.mpf(failure), mp.mpf(z) ** 2
            centre, total = s + square / 2, s + f + square
            half = mp.sqrt(square * (s * f / (s + f) + square / 4))
            exact = [u / (u + weight * (1 - u)) for u in ((centre - half) / total, (centre + half) / total)]
            low, high = binomial.wilson(success, failure, z=z, weight=weight)
            length = exact[1] - exact[0]
            assert abs(mp.mpf(float(low)) / exact[0] - 1) < 1e-15
            assert abs(mp.mpf(float(high)) / exact[1] - 1) < 1e-15
            allowed = max(mp.mpf("1e-8"), 4 * mp.mpf(np.spacing(float(high))) / length)
            assert abs((mp.mpf(float(high)) - mp.mpf(float(low))) / length - 1) < allowed


def beta_tail(alpha: float, beta: float, x: float) -> tuple[mp.mpf, mp.mpf]:
    """Return the probability below x and the density at x, by quadrature of the density."""
    a, b, end = mp.mpf(alpha), mp.mpf(beta), mp.mpf(x)
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

    def density(t: mp.mpf) -> mp.mpf:
        return mp.exp((a - 1) * mp.log(t) + (b - 1) * mp.log1p(-t) - log_beta)

    deviation = mp.sqrt(a * b / (a + b) ** 3)
    steps = (40, 12, 6, 3, 1.5, 0.5, 0)
    return mp.quad(density, sorted({max(mp.mpf(0), end - k * deviation) for k in steps})), density(end)


@pytest.mark.parametrize("tail", [0.025, 5e-7])
@pytest.mark.parametrize(
    ("success", "failure"),
    [(3e2, 7e2), (1e6, 1e9), (1, 1e9), (3e11, 7e11), (3e14, 7e14), (1e12, 999e12), (7, 1e15), (5e11, 5e11 - 1)],
)
def test_clopper_pearson_at_large_counts(success: float, failure: float, tail: float) -> None:
    """The error of either limit is at most 1e-8 of the length, or a few units in the last place."""
    low, high = (float(x) for x in binomial.clopper_pearson(success, failure, tail=tail))
    with mp.workdps(40):
        below, slope = beta_tail(success, failure + 1, low)
        above, fall = beta_tail(failure, success + 1, 1 - mp.mpf(high))
        allowed = max(1e-8 * (high - low), 4 * np.spacing(high))
        assert abs(below - tail) / slope < allowed
        assert abs(above - tail) / fall < allowed


@pytest.mark.parametrize("total", [1, 2, 3, 7, 12])
def test_mid_p_by_definition(total: int) -> None:
    """P(X > s) + P(X = s)/2 = tail at the lower limit, P(X < s) + P(X = s)/2 = tail at the upper one."""
    tail = 0.025
    for success in range(total + 1):
        low, high = (float(x) for x in binomial.mid_p(success, total - success, tail=tail))

        def mid(p: float, outcomes: range, observed: int = success) -> float:
            mass = [comb(total, k) * p**k * (1 - p) ** (total - k) for k in range(total + 1)]
            return sum(mass[k] for k in outcomes) + mass[observed] / 2

        if success:
            assert mid(low, range(success + 1, total + 1)) == pytest.approx(tail, rel=1e-11)
        if success < total:
            assert mid(high, range(success)) == pytest.approx(tail, rel=1e-11)
        assert (low == 0) == (success == 0)
        assert (high == 1) == (success == total)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("success", "failure"), [(1, 1), (1, 9), (9, 1), (40, 2), (300, 900), (2.5, 0.8)])
def test_highest_density_is_the_shortest(success: float, failure: float, level: float) -> None:
    law = stats.beta(success + 0.5, failure + 0.5)
    low, high = binomial.beta_highest_density(success, failure, level=level)
    assert law.cdf(high) - law.cdf(low) == pytest.approx(level, abs=1e-12)
    below = np.linspace(0, 1 - level, 4001)
    lengths = law.ppf(np.minimum(below + level, 1)) - law.ppf(below)
    assert high - low <= lengths.min() + 1e-13
    assert high - low == pytest.approx(lengths.min(), rel=1e-5)


def test_highest_density_of_a_monotone_posterior_is_one_sided() -> None:
    low, high = binomial.beta_highest_density([0, 10, 0], [10, 0, 3], level=0.9)
    assert low[0] == 0
    assert high[1] == 1
    assert low[2] == 0
    assert stats.beta(0.5, 10.5).cdf(high[0]) == pytest.approx(0.9, abs=1e-13)
    assert stats.beta(10.5, 0.5).sf(low[1]) == pytest.approx(0.9, abs=1e-13)


def test_highest_density_at_large_counts() -> None:
    """At 1e12 counts the posterior is normal: limits at mean +- z deviations, to the order of its skewness."""
    success, failure = np.array([3e11, 5e11]), np.array([7e11, 5e11])
    low, high = binomial.beta_highest_density(success, failure, level=0.95)
    mean, total = success / (success + failure), success + failure
    deviation = np.sqrt(mean * (1 - mean) / total)
    np.testing.assert_allclose((high - mean) / deviation, -special.ndtri(0.025), rtol=2e-6)
    np.testing.assert_allclose((mean - low) / deviation, -special.ndtri(0.025), rtol=2e-6)


@pytest.mark.parametrize("method", METHODS)
def test_no_counts_are_undefined(method: str) -> None:
    low, high = METHODS[method](np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0.025)
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


@pytest.mark.parametrize("method", METHODS)
def test_broadcasts(method: str) -> None:
    success, failure = np.array([0.0, 3.0, 20.0, 1e5])[:, None], np.array([1.0, 4.0, 2e4])
    tail = np.array([0.1, 0.005])[:, None, None]
    low, high = METHODS[method](success, failure, tail)
    assert low.shape == high.shape == (2, 4, 3)
    for i, j, k in np.ndindex(low.shape):
        one = METHODS[method](success[j, 0], failure[k], tail[i, 0, 0])
        np.testing.assert_allclose((low[i, j, k], high[i, j, k]), one, rtol=1e-12)


@pytest.mark.parametrize("method", SOUND)
@given(success=COUNTS, failure=COUNTS, tail=TAILS)
def test_stays_in_range_and_holds_the_estimate(method: str, success: float, failure: float, tail: float) -> None:
    if success + failure < 1:
        return
    low, high = METHODS[method](success, failure, tail)
    assert 0 <= low < high <= 1
    assert low <= success / (success + failure) <= high
    if success == 0:
        assert low == 0
    if failure == 0:
        assert high == 1


@pytest.mark.parametrize("method", SOUND)
@given(success=COUNTS, failure=COUNTS)
def test_grows_with_the_level(method: str, success: float, failure: float) -> None:
    if success + failure < 1:
        return
    low, high = METHODS[method](success, failure, np.array([0.1, 0.025, 5e-7]))
    assert np.all(np.diff(low) <= 0)
    assert np.all(np.diff(high) >= 0)
    assert np.all(np.diff(high - low) > 0)


@pytest.mark.parametrize("method", [*SOUND, "beta_0.5", "agresti_coull"])
@given(success=st.integers(0, 10**6), failure=st.integers(1, 10**6), tail=TAILS)
def test_failures_mirror_successes(method: str, success: int, failure: int, tail: float) -> None:
    low, high = METHODS[method](success, failure, tail)
    other_low, other_high = METHODS[method](failure, success, tail)
    assert low == pytest.approx(1 - other_high, abs=1e-12)
    assert high == pytest.approx(1 - other_low, abs=1e-12)


@pytest.mark.parametrize(("hits", "misses"), [(8, 2), (0, 10), (10, 0), (1, 99), (50, 51)])
def test_corrected_wilson_against_scipy(hits: int, misses: int) -> None:
    for level in (0.8, 0.95, 0.999):
        theirs = stats.binomtest(hits, hits + misses).proportion_ci(level, method="wilsoncc")
        found = binomial.wilson_corrected(hits, misses, z=stats.norm.ppf((1 + level) / 2))
        assert found == pytest.approx(tuple(theirs), abs=1e-12)


@given(st.floats(0, 6000), st.floats(0, 4000), st.floats(1e-10, 0.499), st.booleans())
def test_one_share_is_as_many(success: float, failure: float, tail: float, whole: bool) -> None:
    """A single share goes through plain numbers, many through arrays; to rounding the limits are the same."""
    hits, misses = (float(round(success)), float(round(failure))) if whole else (success, failure)
    one, many = binomial.mid_p(hits, misses, tail=tail), binomial.mid_p([hits], [misses], tail=[tail])
    assert one[0] == pytest.approx(many[0][0], rel=1e-13, abs=1e-15, nan_ok=True)
    assert one[1] == pytest.approx(many[1][0], rel=1e-13, abs=1e-15, nan_ok=True)


@given(st.floats(4, 9), st.floats(0.02, 0.98), st.floats(-8, -0.31), st.booleans())
def test_one_share_of_many_rows_is_as_many(digits: float, share: float, log_tail: float, whole: bool) -> None:
    """Up to 1e9 rows too: the limits agree to a few units in the last place, counted from the end that is nearer."""
    hits, misses, tail = 10**digits * share, 10**digits * (1 - share), 10**log_tail
    if whole:
        hits, misses = float(round(hits)), float(round(misses))
    one, many = binomial.mid_p(hits, misses, tail=tail), binomial.mid_p([hits], [misses], tail=[tail])
    assert one[0] == pytest.approx(many[0][0], rel=1e-14, abs=0)
    assert 1 - one[1] == pytest.approx(1 - many[1][0], rel=1e-12, abs=0)
