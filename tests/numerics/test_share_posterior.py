"""Posteriors of shares and exact comparisons of two, against mpmath, exact fractions and closed forms."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from howsure.errors import InputError
from howsure.numerics import beta as betas
from howsure.numerics.share_difference import (
    ShareDifference,
    _upper,
    monte_carlo_probability,
    probability_greater,
    rope_probabilities,
)
from howsure.numerics.share_posterior import SharePosterior
from howsure.numerics.solving import GAUSS, KRONROD, NODES, bracketed_root, integral

REFERENCES = Path(__file__).parents[1] / "references"

parameter = st.floats(-3, 9).map(lambda power: 10.0**power)
law = st.builds(SharePosterior, parameter, parameter, st.sampled_from([1.0, 0.5, 0.3, 2.0]))
margin = st.floats(-0.95, 0.95)


def references(name: str) -> list[dict[str, float]]:
    with (REFERENCES / name).open() as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def finite_sum(b: tuple[int, int], a: tuple[int, int]) -> Fraction:
    """P(Beta(*b) > Beta(*a)) for whole parameters, a finite sum in exact fractions."""

    def beta(x: int, y: int) -> Fraction:
        return Fraction(math.factorial(x - 1) * math.factorial(y - 1), math.factorial(x + y - 1))

    (first, second), (other, last) = b, a
    terms = (beta(other + i, last + second) / ((second + i) * beta(1 + i, second)) for i in range(first))
    return sum(terms, Fraction(0)) / beta(other, last)


# ---- probabilities


@pytest.mark.parametrize("row", references("posterior_probabilities.csv"))
def test_probabilities_against_mpmath(row: dict[str, float]) -> None:
    first = SharePosterior(row["a_first"], row["b_first"], row["weight_first"])
    second = SharePosterior(row["a_second"], row["b_second"], row["weight_second"])
    found = probability_greater(second, first, margin=row["margin"])
    assert found.greater == pytest.approx(row["greater"], abs=1e-11, rel=0)
    assert found.less == pytest.approx(row["less"], abs=1e-11, rel=0)
    smaller = min(row["greater"], row["less"])
    assert min(found) == pytest.approx(smaller, rel=1e-9, abs=1e-280)


def test_two_hundred_pairs_of_many_kinds_are_held() -> None:
    rows = references("posterior_probabilities.csv")
    assert len(rows) == 200
    assert sum(row["margin"] != 0 for row in rows) > 50
    assert sum(max(row["a_first"], row["a_second"]) > 1e6 for row in rows) > 50
    assert sum(min(row["a_first"], row["b_first"]) < 1 for row in rows) > 50
    assert sum(0 < min(row["greater"], row["less"]) < 1e-20 for row in rows) > 10


@pytest.mark.parametrize(("b", "a"), [((7, 3), (2, 5)), ((40, 7), (33, 9)), ((1, 90), (80, 2)), ((60, 1), (1, 60))])
def test_the_finite_sum_for_whole_parameters(b: tuple[int, int], a: tuple[int, int]) -> None:
    found = probability_greater(SharePosterior(*b), SharePosterior(*a))
    exact = finite_sum(b, a)
    assert found.greater == pytest.approx(float(exact), rel=1e-12)
    assert found.less == pytest.approx(float(1 - exact), rel=1e-12)


@pytest.mark.parametrize("margin", [0.0, 1e-6, 0.01, 0.3, 0.7])
def test_a_probability_of_1e_35_is_not_zero(margin: float) -> None:
    # The least of 60 uniforms exceeds the greatest of 60 others by a margin: one ordering of C(120, 60), and a gap.
    found = probability_greater(SharePosterior(1, 60), SharePosterior(60, 1), margin=margin)
    assert found.greater == pytest.approx((1 - margin) ** 120 / math.comb(120, 60), rel=1e-11)
    assert found.less == 1.0


def test_weights_that_differ_compare_f1_with_jaccard() -> None:
    # F1 = 2u/(1+u) > v with u, v uniform: the integral of 2u/(1+u) is 2 - 2 log 2.
    found = probability_greater(SharePosterior(1, 1, weight=0.5), SharePosterior(1, 1))
    assert found.greater == pytest.approx(2 - 2 * math.log(2), abs=1e-13)


@given(margin)
def test_two_uniforms_with_a_margin(margin: float) -> None:
    side = (1 - abs(margin)) ** 2 / 2
    found = probability_greater(SharePosterior(1, 1), SharePosterior(1, 1), margin=margin)
    assert found.greater == pytest.approx(side if margin >= 0 else 1 - side, abs=1e-13)


@given(law)
def test_identical_posteriors_give_one_half(posterior: SharePosterior) -> None:
    assert probability_greater(posterior, posterior) == (0.5, 0.5)
    assert _upper(posterior, posterior, 0.0) == pytest.approx(0.5, abs=2e-12)


@given(law, law, margin | st.just(0.0))
def test_swapping_the_models_swaps_the_probabilities(b: SharePosterior, a: SharePosterior, margin: float) -> None:
    one, other = probability_greater(b, a, margin=margin), probability_greater(a, b, margin=-margin)
    assert one.greater + other.greater == pytest.approx(1, abs=1e-11)
    assert one.greater + one.less == pytest.approx(1, abs=1e-15)


@settings(max_examples=30)
@given(law, law, margin, margin)
def test_a_larger_margin_is_less_probable(b: SharePosterior, a: SharePosterior, one: float, other: float) -> None:
    small, large = sorted((one, other))
    tight = probability_greater(b, a, margin=large).greater
    assert tight <= probability_greater(b, a, margin=small).greater + 1e-11


@pytest.mark.parametrize(
    ("b", "a", "margin"),
    [
        (SharePosterior(30, 4), SharePosterior(25, 6), 0.0),
        (SharePosterior(300.4, 44.2, 0.5), SharePosterior(250, 61, 0.5), 0.02),
        (SharePosterior(1e-3, 2e-3), SharePosterior(2e-3, 1e-3), 0.0),
        (SharePosterior(1e9, 1e8), SharePosterior(1e9, 1e8 + 1e4), 0.0),
        (SharePosterior(0.3, 0.4, 0.5), SharePosterior(0.5, 0.2), -0.4),
    ],
)
def test_draws_agree_with_quadrature(b: SharePosterior, a: SharePosterior, margin: float) -> None:
    estimate, error = monte_carlo_probability(b, a, margin=margin, draws=200_000, seed=3)
    assert error < 0.0012
    assert abs(estimate - probability_greater(b, a, margin=margin).greater) < 4 * error


def test_an_unseen_event_still_has_an_error() -> None:
    estimate, error = monte_carlo_probability(SharePosterior(1, 60), SharePosterior(60, 1), draws=1000)
    assert estimate == 0.0
    assert error > 0


# ---- the difference


@settings(max_examples=12)
@given(law, law, st.floats(0.001, 0.999))
def test_quantiles_of_the_difference_invert_its_distribution(b: SharePosterior, a: SharePosterior, p: float) -> None:
    gain = ShareDifference(b, a)
    x, step = float(gain.ppf(p)), 1e-9 * gain.sd + 1e-15
    assert gain.cdf(x - step) - 1e-9 <= p <= gain.cdf(x + step) + 1e-9


def test_the_difference_of_two_uniforms() -> None:
    gain = ShareDifference(SharePosterior(1, 1), SharePosterior(1, 1))
    assert gain.mean == 0
    assert gain.sd == pytest.approx(math.sqrt(1 / 6), abs=1e-15)
    end = 1 - math.sqrt(0.05)  # (1 - end)^2 / 2 = 0.025
    np.testing.assert_allclose(gain.interval(0.95), (-end, end), atol=1e-12)
    np.testing.assert_allclose(gain.cdf([-2.0, -1.0, 0.0, 0.5, 1.0]), [0, 0, 0.5, 0.875, 1], atol=1e-13)
    np.testing.assert_allclose(gain.isf([0.0, 0.125, 1.0]), [1, 0.5, -1], atol=1e-12)


def test_the_interval_of_a_sharp_difference_is_normal() -> None:
    gain = ShareDifference(SharePosterior(4e8, 6e8), SharePosterior(3e8, 7e8))
    low, high = gain.interval(0.9)
    assert (high - low) / gain.sd == pytest.approx(2 * special.ndtri(0.95), rel=1e-6)
    draws = gain.sample(20_000, seed=1)
    assert np.mean((low < draws) & (draws < high)) == pytest.approx(0.9, abs=0.01)


@settings(max_examples=20)
@given(law, law, st.floats(0, 0.9))
def test_rope_probabilities_are_a_distribution(b: SharePosterior, a: SharePosterior, rope: float) -> None:
    worse, equivalent, better = rope_probabilities(b, a, rope=rope)
    assert min(worse, equivalent, better) >= 0
    # Promised to 1e-10; only parameters such as 0.01 and 0.03, with a rope of 1e-300, need that: they err by 1.4e-11.
    close = 1e-11 if min(a.a, a.b, b.a, b.b) >= 0.1 else 1e-10
    assert worse + equivalent + better == pytest.approx(1, abs=close)
    np.testing.assert_allclose(rope_probabilities(a, b, rope=rope), (better, equivalent, worse), atol=close)


def test_a_tiny_chance_of_equivalence_keeps_its_digits() -> None:
    b, a = SharePosterior(1, 60), SharePosterior(60, 1)
    worse, equivalent, better = rope_probabilities(b, a, rope=1e-4)
    assert better == pytest.approx((1 - 1e-4) ** 120 / math.comb(120, 60), rel=1e-11)
    assert equivalent == pytest.approx(probability_greater(b, a, margin=-1e-4).greater - better, rel=1e-11)
    assert worse == 1.0


# ---- one posterior


@pytest.mark.parametrize("row", references("posterior_laws.csv"))
def test_moments_and_tails_against_mpmath(row: dict[str, float]) -> None:
    posterior = SharePosterior(row["a"], row["b"], row["weight"])
    assert posterior.mean == pytest.approx(row["mean"], rel=1e-13)
    assert posterior.sd == pytest.approx(row["sd"], rel=1e-11)
    assert posterior.cdf(row["point"]) == pytest.approx(row["below"], abs=1e-11, rel=1e-9)
    assert posterior.sf(row["point"]) == pytest.approx(row["above"], abs=1e-11, rel=1e-9)


def test_the_mean_of_f1_by_the_hypergeometric_function() -> None:
    for a, b, weight in ((1.0, 2.0, 0.5), (7.4, 3.2, 0.5), (0.02, 4.0, 0.3), (60.0, 0.5, 0.7)):
        series = mpmath.hyp2f1(1, b, a + b + 1, 1 - mpmath.mpf(weight))
        assert SharePosterior(a, b, weight).mean == pytest.approx(float(a / (a + b) * series), rel=1e-14)


@given(law, st.floats(1e-6, 1 - 1e-6))
def test_quantiles_invert_the_distribution(posterior: SharePosterior, p: float) -> None:
    logit = betas.logit_ppf(posterior.a, posterior.b, np.array([p]))
    x, y = betas.pair(logit)
    if abs(logit[0]) < 600:
        assert betas.cdf(posterior.a, posterior.b, x, y)[0] == pytest.approx(p, abs=1e-12, rel=1e-10)
        assert betas.sf(posterior.a, posterior.b, x, y)[0] == pytest.approx(1 - p, abs=1e-12, rel=1e-10)
    odds = math.exp(logit[0]) / posterior.weight if logit[0] < 600 else math.inf
    assert posterior.ppf(p) == pytest.approx(odds / (1 + odds) if math.isfinite(odds) else 1.0, rel=1e-12)
    rounded = 1 - (1 - p)  # what 1 - p still knows of p: the quantile of a small parameter feels the difference
    assert posterior.isf(1 - p) == pytest.approx(float(posterior.ppf(rounded)), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("n", [1e9, 1e12])
def test_interval_lengths_of_very_large_counts(n: float) -> None:
    # Lengths, not limits: a limit hides its errors behind the leading digits. Edgeworth terms are below 1/sqrt(n).
    low, high = SharePosterior(0.3 * n, 0.7 * n).interval(0.95)
    assert (high - low) / math.sqrt(0.21 / n) == pytest.approx(2 * 1.959963984540054, rel=1e-8)
    short, long = SharePosterior(0.3 * n, 0.7 * n).interval(0.95, kind="hdi")
    assert (long - short) == pytest.approx(high - low, rel=1e-7)


def test_the_library_quantile_that_fails_does_not_reach_us() -> None:
    # scipy's betaincinv returns a point with no mass below it for some whole parameters of 1e12.
    posterior = SharePosterior(1000, 1e12)
    low, high = posterior.interval(0.9)
    assert (low * 1e12, high * 1e12) == pytest.approx(tuple(special.gammaincinv(1000, [0.05, 0.95])), rel=1e-8)


@pytest.mark.parametrize(
    ("a", "b", "weight"), [(3, 2, 1.0), (40.5, 7.25, 0.5), (1.2, 9, 0.3), (0.4, 3, 0.5), (5, 0.2, 2.0)]
)
def test_the_density_is_the_slope_of_the_distribution(a: float, b: float, weight: float) -> None:
    posterior, x, step = SharePosterior(a, b, weight), np.linspace(0.05, 0.95, 19), 1e-5
    slope = (posterior.cdf(x + step) - posterior.cdf(x - step)) / (2 * step)
    np.testing.assert_allclose(posterior.pdf(x), slope, rtol=1e-6, atol=1e-9)


def test_the_ends_of_the_scale() -> None:
    assert SharePosterior(1, 4, 0.5).pdf(0) == pytest.approx(2)  # b weight
    assert SharePosterior(4, 1, 0.5).pdf(1) == pytest.approx(8)  # a / weight
    assert SharePosterior(2, 4).pdf([0, 1, -0.1, 1.1]).tolist() == [0, 0, 0, 0]
    assert SharePosterior(0.5, 4).pdf(0) == math.inf
    assert SharePosterior(3, 3).cdf([-1, 0, 0.5, 1, 2]).tolist() == pytest.approx([0, 0, 0.5, 1, 1])
    assert SharePosterior(3, 3).ppf([0, 0.5, 1]).tolist() == pytest.approx([0, 0.5, 1])
    assert SharePosterior(3, 3).isf([0, 0.5, 1]).tolist() == pytest.approx([1, 0.5, 0])
    assert math.isnan(SharePosterior(3, 3).ppf(1.5))


@pytest.mark.parametrize(
    ("a", "b", "weight"),
    [
        (3, 2, 1.0),
        (30, 2, 0.5),
        (1.0, 1.5, 0.5),
        (1.0, 3.0, 0.5),
        (2, 1, 2.0),
        (1.0, 1.0, 0.5),
        (1e9, 3e9, 0.5),
        (1.5, 1.5, 9),
    ],
)
def test_the_mode_is_the_highest_point(a: float, b: float, weight: float) -> None:
    posterior = SharePosterior(a, b, weight)
    around = posterior.mode + posterior.sd * np.linspace(-3, 3, 2001)
    grid = np.concatenate([np.linspace(0, 1, 2001), around[(around >= 0) & (around <= 1)]])
    assert posterior.logpdf(posterior.mode) >= posterior.logpdf(grid).max() - 1e-9


def test_where_there_is_no_single_mode() -> None:
    assert math.isnan(SharePosterior(0.5, 0.5).mode)
    assert math.isnan(SharePosterior(1, 1).mode)
    assert SharePosterior(0.5, 2).mode == 0
    assert SharePosterior(2, 0.5).mode == 1


# ---- the shortest interval


@given(st.floats(0.05, 4).map(lambda p: 10**p), st.floats(0.05, 4).map(lambda p: 10**p), st.sampled_from([1.0, 0.5]))
def test_an_interior_hdi_has_equal_densities(a: float, b: float, weight: float) -> None:
    posterior = SharePosterior(a, b, weight)
    low, high = posterior.interval(0.9, kind="hdi")
    assert posterior.cdf(high) - posterior.cdf(low) == pytest.approx(0.9, abs=1e-9)
    assert 0 <= low < posterior.mode < high <= 1
    if low > 1e-6 and high < 1 - 1e-6:
        assert posterior.logpdf(low) == pytest.approx(float(posterior.logpdf(high)), abs=1e-6)


@pytest.mark.parametrize(
    "kind", [(0.5, 0.5), (0.3, 0.7), (0.4, 6.0), (9.0, 0.8), (1.0, 1.0), (1.0, 8.0), (2.5, 1.0), (0.9, 1.5)]
)
@pytest.mark.parametrize("weight", [1.0, 0.5, 3.0])
def test_no_interval_is_shorter(kind: tuple[float, float], weight: float) -> None:
    posterior, tail = SharePosterior(*kind, weight), 0.2
    low, high = posterior.interval(1 - tail, kind="hdi")
    left = tail * np.linspace(0, 1, 4001)
    shares = [special.betaincinv(*kind, left), special.betaincinv(*kind, 1 - tail + left)]
    ends = [u / (u + weight * (1 - u)) for u in shares]
    assert high - low <= (ends[1] - ends[0]).min() + 1e-12
    assert high - low >= (ends[1] - ends[0]).min() - 1e-5
    assert posterior.cdf(high) - posterior.cdf(low) == pytest.approx(1 - tail, abs=1e-10)


def test_hdi_of_a_posterior_crowded_at_zero() -> None:
    # Nearly all mass within 1e-30 of 0: there P(M <= x) is the power law of x, which has an inverse.
    a, b = 1e-3, 1e9
    low, high = SharePosterior(a, b).interval(0.95, kind="hdi")
    assert low == 0
    assert math.log(high) == pytest.approx((math.log(0.95 * a) + special.betaln(a, b)) / a, rel=1e-12)


def test_hdi_is_on_the_scale_of_the_metric_and_equal_tails_are_invariant() -> None:
    jaccard, f1 = SharePosterior(5, 3), SharePosterior(5, 3, weight=0.5)
    moved = [2 * u / (1 + u) for u in jaccard.interval(0.9)]
    assert f1.interval(0.9) == pytest.approx(moved, abs=1e-14)
    shortest = [2 * u / (1 + u) for u in jaccard.interval(0.9, kind="hdi")]
    assert np.diff(f1.interval(0.9, kind="hdi"))[0] < np.diff(shortest)[0] - 1e-4


# ---- draws, errors, tools


def test_draws_follow_the_law() -> None:
    for posterior in (SharePosterior(3, 2, 0.5), SharePosterior(0.05, 0.2), SharePosterior(1e9, 3e8, 2.0)):
        uniform = np.sort(posterior.cdf(posterior.sample(20_000, seed=5)))
        distance = np.abs(uniform - (np.arange(20_000) + 0.5) / 20_000).max()
        assert distance < 1.95 / math.sqrt(20_000)  # Kolmogorov's 0.1 % point
    assert np.array_equal(SharePosterior(3, 2).sample(5), SharePosterior(3, 2).sample(5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SharePosterior(0, 1), "a is 0; it must be a finite number above 0; add a prior to the counts"),
        (lambda: SharePosterior(1, math.inf), "b is inf"),
        (lambda: SharePosterior(1, 1, math.nan), "weight is nan"),
        (lambda: SharePosterior(1, 1).interval(95), "level is 95; it must lie strictly between 0 and 1"),
        (lambda: SharePosterior(1, 1).interval(kind="equl"), "kind is 'equl'; it must be 'equal' or 'hdi'"),
        (lambda: probability_greater(SharePosterior(1, 1), SharePosterior(1, 2), margin=1), "margin is 1; it must lie"),
        (lambda: rope_probabilities(SharePosterior(1, 1), SharePosterior(1, 2), rope=-0.1), "rope is -0.1; it must be"),
        (lambda: ShareDifference(SharePosterior(1, 1), SharePosterior(1, 2)).interval(0), "level is 0; it must lie"),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        call()  # type: ignore[operator]
    assert message in str(error.value)


def test_the_quadrature_rules_are_exact_for_their_degrees() -> None:
    for degree in range(24):
        exact = (1 - (-1) ** (degree + 1)) / (degree + 1)
        if degree <= 23:
            assert KRONROD @ NODES**degree == pytest.approx(exact, abs=1e-15)
        if degree <= 13:
            assert GAUSS @ NODES**degree == pytest.approx(exact, abs=1e-15)
    assert abs(KRONROD @ NODES**24 - 2 / 25) > 1e-12


def test_the_integral_adapts() -> None:
    peak = integral(lambda x: 1e-5 / (1e-10 + x * x), np.array([-1.0, 0.1, 2.0]))
    assert peak == pytest.approx(math.atan(1e5) + math.atan(2e5), rel=1e-12)
    assert integral(np.exp, np.array([])) == 0


@pytest.mark.parametrize(("low", "high"), [(0.0, 3.0), (-5.0, 2.0), (1.4, 1e6)])
def test_roots(low: float, high: float) -> None:
    assert bracketed_root(lambda x: x**3 - 2.75, low, high) == pytest.approx(2.75 ** (1 / 3), rel=1e-14)


def test_roots_where_the_function_is_infinite() -> None:
    assert bracketed_root(lambda x: math.log(x) if x > 0 else -math.inf, 0.0, 5.0) == pytest.approx(1, abs=1e-14)
