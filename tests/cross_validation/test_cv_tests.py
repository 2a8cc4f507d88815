"""Cross-validation tests: against mlxtend, mpmath, scipy.stats and computations written out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.cross_validation.cv_tests import (
    BEYOND_NOTE,
    FLAT_NOTE,
    RANGE_NOTE,
    blocked_three_by_two_t,
    corrected_resampled_t,
    five_by_two_f,
    five_by_two_t,
)
from howsure.errors import InputError
from howsure.results.cv_test import CvTest

TEN = [[0.031, 0.012], [-0.004, 0.020], [0.015, 0.027], [0.008, -0.011], [0.019, 0.022]]
SIX = [[0.031, 0.012], [0.024, 0.020], [0.015, 0.027]]

scores = st.floats(-0.5, 0.5, allow_subnormal=False).map(lambda value: round(value, 6))


def resampled(differences: Any, **options: Any) -> CvTest:
    return corrected_resampled_t(differences, n_train=50, n_test=50, **options)


EVERY_TEST = [(five_by_two_t, TEN), (five_by_two_f, TEN), (blocked_three_by_two_t, SIX), (resampled, TEN)]
T_TESTS = [pair for pair in EVERY_TEST if pair[0] is not five_by_two_f]


def t_tail(statistic: float, df: float) -> float:
    """Return P(|T| > |statistic|) by the regularised incomplete beta function in 40 digits."""
    with mpmath.workdps(40):
        x = mpmath.mpf(df) / (df + mpmath.mpf(statistic) ** 2)
        return float(mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, x, regularized=True))


def f_tail(statistic: float, above: float, below: float) -> float:
    """Return P(F > statistic)."""
    with mpmath.workdps(40):
        x = mpmath.mpf(below) / (below + above * mpmath.mpf(statistic))
        return float(mpmath.betainc(mpmath.mpf(below) / 2, mpmath.mpf(above) / 2, 0, x, regularized=True))


class Constant:
    """A model that learns nothing; the scorer below supplies the scores."""

    def fit(self, X: Any, y: Any) -> Constant:
        return self


def through_mlxtend(test: str, differences: list[list[float]]) -> tuple[float, float]:
    """Let mlxtend score model 1 with the given differences and model 2 with 0, fold by fold."""
    import mlxtend.evaluate

    supply: Iterator[float] = (score for pair in differences for d in pair for score in (d, 0.0))
    run = getattr(mlxtend.evaluate, test)
    models = (Constant(), Constant())
    statistic, p_value = run(*models, np.zeros((8, 1)), np.zeros(8), scoring=lambda model, X, y: next(supply))
    return statistic, p_value


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(
    ("ours", "theirs"), [(five_by_two_t, "paired_ttest_5x2cv"), (five_by_two_f, "combined_ftest_5x2cv")]
)
def test_five_by_two_agrees_with_mlxtend(ours: Callable[..., CvTest], theirs: str) -> None:
    pytest.importorskip("mlxtend")
    rng = np.random.default_rng(5)
    for differences in [TEN, *rng.normal(0.01, 0.02, size=(5, 5, 2)).tolist()]:
        statistic, p_value = through_mlxtend(theirs, differences)
        result = ours(differences)
        assert result.statistic == pytest.approx(statistic, rel=1e-12)
        assert result.p_value == pytest.approx(p_value, rel=1e-12)


def test_five_by_two_by_hand() -> None:
    variances = []
    for first, second in TEN:
        mean = (first + second) / 2
        variances.append((first - mean) ** 2 + (second - mean) ** 2)
    t = 0.031 / math.sqrt(sum(variances) / 5)
    f = sum(d * d for pair in TEN for d in pair) / (2 * sum(variances))
    assert five_by_two_t(TEN).statistic == pytest.approx(t, rel=1e-14)
    assert five_by_two_t(TEN).p_value == pytest.approx(t_tail(t, 5), rel=1e-13)
    assert five_by_two_f(TEN).statistic == pytest.approx(f, rel=1e-14)
    assert five_by_two_f(TEN).p_value == pytest.approx(f_tail(f, 10, 5), rel=1e-13)
    assert five_by_two_f(TEN).df == (10, 5)


def test_blocked_by_hand() -> None:
    six = [0.031, 0.012, 0.024, 0.020, 0.015, 0.027]
    mean = sum(six) / 6
    t = mean / math.sqrt(sum((d - mean) ** 2 for d in six) / 6)
    result = blocked_three_by_two_t(SIX)
    assert result.difference == pytest.approx(mean, rel=1e-14)
    assert result.statistic == pytest.approx(t, rel=1e-13)
    assert result.df == 5
    assert result.p_value == pytest.approx(t_tail(t, 5), rel=1e-12)
    # √5 times it is the ordinary one-sample t of six values: an independent road to the same number.
    from scipy import stats

    ordinary = stats.ttest_1samp(six, 0.0).statistic
    assert result.statistic == pytest.approx(ordinary / math.sqrt(5), rel=1e-13)


def test_corrected_by_hand() -> None:
    ten = [d for pair in TEN for d in pair]
    mean = sum(ten) / 10
    variance = sum((d - mean) ** 2 for d in ten) / 9
    t = mean / math.sqrt((1 / 10 + 20 / 180) * variance)
    result = corrected_resampled_t(TEN, n_train=180, n_test=20)
    assert result.statistic == pytest.approx(t, rel=1e-13)
    assert result.df == 9
    assert result.p_value == pytest.approx(t_tail(t, 9), rel=1e-12)
    # With no test rows the correction vanishes and the ordinary t test remains.
    from scipy import stats

    ordinary = stats.ttest_1samp(ten, 0.0)
    vanishing = corrected_resampled_t(ten, n_train=1e18, n_test=1e-3)
    assert vanishing.statistic == pytest.approx(ordinary.statistic, rel=1e-12)
    assert vanishing.p_value == pytest.approx(ordinary.pvalue, rel=1e-12)


@given(rows=st.lists(st.tuples(scores, scores), min_size=5, max_size=5), level=st.sampled_from([0.5, 0.9, 0.999]))
def test_interval_and_p_value_say_the_same(rows: list[tuple[float, float]], level: float) -> None:
    for test, values in (
        (five_by_two_t, rows),
        (five_by_two_f, rows),
        (blocked_three_by_two_t, rows[:3]),
        (resampled, rows),
    ):
        result = test(values, level=level)
        if math.isnan(result.low) or result.low == result.high or abs(result.p_value - (1 - level)) < 1e-9:
            continue
        assert (result.low <= 0 <= result.high) == (result.p_value > 1 - level)
        edge = test(np.asarray(values) - result.high, level=level)
        assert edge.p_value == pytest.approx(1 - level, rel=1e-5)


@given(
    rows=st.lists(st.tuples(scores, scores), min_size=5, max_size=5),
    factor=st.sampled_from([-1.0, -4.0, 0.25]),
)
def test_scale_and_sign(rows: list[tuple[float, float]], factor: float) -> None:
    for test, values in (
        (five_by_two_t, rows),
        (five_by_two_f, rows),
        (blocked_three_by_two_t, rows[:3]),
        (resampled, rows),
    ):
        plain, scaled = test(values), test(factor * np.asarray(values))
        if not math.isfinite(plain.statistic):
            continue
        sign = 1.0 if test is five_by_two_f else math.copysign(1.0, factor)
        assert scaled.statistic == pytest.approx(sign * plain.statistic, rel=1e-12)
        assert scaled.high - scaled.low == pytest.approx(abs(factor) * (plain.high - plain.low), rel=1e-9, nan_ok=True)


@pytest.mark.parametrize(("test", "values"), EVERY_TEST)
def test_flat_values_and_shape_do_not_matter(test: Callable[..., CvTest], values: list[list[float]]) -> None:
    assert test(np.ravel(values)) == test(values)


@pytest.mark.parametrize(("test", "values"), EVERY_TEST)
def test_result_is_complete_and_frozen(test: Callable[..., CvTest], values: list[list[float]]) -> None:
    result = test(values, level=0.9)
    assert result.level == 0.9
    assert RANGE_NOTE in result.notes
    assert "[0, 1]" in RANGE_NOTE
    assert result.low < result.difference < result.high
    assert result.citation in str(result)
    assert result.to_dict()["p_value"] == result.p_value
    with pytest.raises(AttributeError):
        result.level = 0.5  # type: ignore[misc]


def test_the_sentences() -> None:
    assert repr(five_by_two_t(TEN)).startswith("5×2cv paired t: t(5) = ")
    assert repr(five_by_two_f(TEN)).startswith("combined 5×2cv F: F(10, 5) = ")
    assert repr(blocked_three_by_two_t(SIX)).startswith("blocked 3×2cv t: t(5) = ")
    assert repr(resampled(TEN)).startswith("corrected resampled t: t(9) = ")


@pytest.mark.parametrize(("test", "values"), T_TESTS)
def test_equal_differences_have_no_variance(test: Callable[..., CvTest], values: list[list[float]]) -> None:
    same = test(np.full_like(np.array(values), 0.1))
    assert same.statistic == math.inf
    assert same.p_value == 0
    assert same.low == same.high == same.difference
    assert FLAT_NOTE in same.notes
    nothing = test(np.zeros_like(np.array(values)))
    assert math.isnan(nothing.statistic)
    assert math.isnan(nothing.p_value)
    assert FLAT_NOTE in nothing.notes


def test_f_without_variance_within_repeats() -> None:
    equal = five_by_two_f(np.full((5, 2), -0.1))
    assert (equal.statistic, equal.p_value) == (math.inf, 0)
    assert equal.low == equal.high
    between = five_by_two_f(np.repeat([[0.1], [0.2], [0.3], [0.4], [0.5]], 2, axis=1))
    assert math.isnan(between.low)
    assert any("rejects every shift" in note for note in between.notes)
    assert math.isnan(five_by_two_f(np.zeros((5, 2))).statistic)


def test_wide_interval_is_noted() -> None:
    assert BEYOND_NOTE in five_by_two_t([[0.9, -0.5]] * 5).notes
    assert BEYOND_NOTE not in five_by_two_t(TEN).notes


@pytest.mark.parametrize("correlations", [(0.4, 0.4), (1 / 3, 5 / 12), (0.0, 0.5)])
def test_plain_blocked_scale_is_right_on_the_line(correlations: tuple[float, float]) -> None:
    """The scales agree where rho1 + 4 rho2 = 2; then only the degrees of freedom can differ."""
    plain, given_ = blocked_three_by_two_t(SIX), blocked_three_by_two_t(SIX, correlations=correlations)
    assert given_.statistic == pytest.approx(plain.statistic, rel=1e-12)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.5, 0.9])
def test_equal_correlations_give_an_exact_t(rho: float) -> None:
    """For equicorrelated normals, mean/√(s²(1 + 5 rho)/(6(1 − rho))) is exactly t on 5 degrees of freedom."""
    from scipy import stats

    six = np.ravel(SIX)
    exact = six.mean() / math.sqrt(six.var(ddof=1) * (1 + 5 * rho) / (6 * (1 - rho)))
    result = blocked_three_by_two_t(SIX, correlations=(rho, rho))
    assert result.df == pytest.approx(5)
    assert result.statistic == pytest.approx(exact, rel=1e-12)
    assert result.p_value == pytest.approx(2 * stats.t.sf(abs(exact), 5), rel=1e-11)


def correlated_folds(rho1: float, rho2: float, *, size: int, seed: int) -> np.ndarray:
    """Return normal fold differences with mean 0: rho1 within a repeat, rho2 between repeats."""
    covariance = np.full((6, 6), rho2)
    for repeat in range(3):
        covariance[2 * repeat : 2 * repeat + 2, 2 * repeat : 2 * repeat + 2] = rho1
    np.fill_diagonal(covariance, 1.0)
    return np.random.default_rng(seed).multivariate_normal(np.zeros(6), covariance, size=size)


@pytest.mark.parametrize("correlations", [(0.25, 0.375), (0.5, 0.25), (-0.14, 0.4), (0.0, 0.0)])
def test_given_correlations_keep_the_size(correlations: tuple[float, float]) -> None:
    """The share rejected at 5 % is 5 % within 4 standard errors and half a point for Satterthwaite."""
    folds = correlated_folds(*correlations, size=6000, seed=11)
    rejected = np.mean([blocked_three_by_two_t(six, correlations=correlations).p_value < 0.05 for six in folds])
    assert rejected == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 6000) + 0.005)


def test_plain_blocked_rejects_too_often_above_the_line() -> None:
    folds = correlated_folds(0.5, 0.5, size=3000, seed=12)
    rejected = np.mean([blocked_three_by_two_t(six).p_value < 0.05 for six in folds])
    exact = t_tail(2.570581835636314 / math.sqrt(1.4), 5)
    assert exact > 0.08
    assert rejected == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 3000))


@pytest.mark.parametrize("level", [1e-6, 0.5, 0.95, 1 - 1e-9])
def test_quantiles_against_mpmath(level: float) -> None:
    result = five_by_two_t(TEN, level=level)
    quantile = (result.high - result.difference) / (result.difference / result.statistic)
    assert t_tail(quantile, 5) == pytest.approx(1 - level, rel=1e-6)
    wide = five_by_two_f([[1.0, -1.0]] * 5, level=0.95)
    # Here the mean is 0, every s² is 2, so high² = F·20/10 − 1.
    assert f_tail((wide.high**2 + 1) / 2, 10, 5) == pytest.approx(0.05, rel=1e-9)


def test_very_small_p_values_keep_their_digits() -> None:
    far = [[100.0, 100.001]] * 5
    assert five_by_two_t(far).p_value == pytest.approx(t_tail(five_by_two_t(far).statistic, 5), rel=1e-10)
    assert five_by_two_f(far).p_value == pytest.approx(f_tail(five_by_two_f(far).statistic, 10, 5), rel=1e-10)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: five_by_two_t(SIX), r"shape \(3, 2\); this test needs shape \(5, 2\)"),
        (lambda: five_by_two_f(np.ones((2, 5))), r"shape \(2, 5\)"),
        (lambda: blocked_three_by_two_t(TEN), r"needs shape \(3, 2\) or 6 values"),
        (lambda: blocked_three_by_two_t([1, 2, 3, 4, 5, math.nan]), "1 value"),
        (lambda: five_by_two_t(TEN, level=95), "level is 95"),
        (lambda: corrected_resampled_t([0.1], n_train=9, n_test=1), "needs 2 or more"),
        (lambda: corrected_resampled_t([0.1, 0.2], n_train=0, n_test=1), "n_train is 0"),
        (lambda: corrected_resampled_t([0.1, 0.2], n_train=9, n_test=-1), "n_test is -1"),
        (lambda: blocked_three_by_two_t(SIX, correlations=(0.0, 0.9)), "correlations is"),
        (lambda: blocked_three_by_two_t(SIX, correlations=(-1.0, 0.0)), "correlations is"),
    ],
)
def test_unusable_input(call: Callable[[], CvTest], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
