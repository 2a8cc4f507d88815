"""Score, likelihood-ratio and Wilson direct intervals: brute force, closed forms, enumeration and properties."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from howsure.errors import InputError
from howsure.numerics.binomial import wilson
from howsure.numerics.tversky import profile_interval, score_interval, wilson_direct_interval

REFERENCE = Path(__file__).parents[1] / "references" / "binomial_tversky.csv"
Z95 = -special.ndtri(0.025)
Interval = Callable[..., tuple[np.ndarray, np.ndarray]]
INTERVALS: dict[str, Interval] = {"score": score_interval, "profile": profile_interval}
WEIGHTS = ((0.8, 0.2), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (2.0, 0.3), (1e-3, 40.0))
# p11, p10, p01 of Lam et al. (2024), section 5.1
SCENARIOS = {1: (0.4, 0.1, 0.1), 2: (0.64, 0.16, 0.16), 3: (0.16, 0.04, 0.64)}

# Up to 1e14 and from 0.05: beyond, limits that differ by less than 1e-16 from 1 and each other cannot be told apart.
COUNTS = st.one_of(st.integers(0, 60), st.integers(0, 10**14), st.floats(0.1, 1e6)).map(float)
POSITIVE = st.floats(0.05, 50)


@lru_cache
def reference() -> dict[str, list[str]]:
    with REFERENCE.open() as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def column(name: str) -> np.ndarray:
    return np.array([float(text) for text in reference()[name]])


@pytest.mark.parametrize("name", INTERVALS)
def test_equals_brute_force(name: str) -> None:
    """Limits within 1e-10 relatively, lengths within 1e-8 or the rounding of the limits (counts up to 1e15)."""
    tp, fp, fn, a, b, z = (column(part) for part in ("tp", "fp", "fn", "a", "b", "z"))
    assert len(tp) == 110
    assert (tp == 0).any()
    assert ((fp == 0) & (fn == 0)).any()
    assert tp.max() > 1e12
    low, high = INTERVALS[name](tp, fp, fn, a=a, b=b, z=z)
    np.testing.assert_allclose(low, column(f"{name}_low"), rtol=1e-10, atol=0)
    np.testing.assert_allclose(high, column(f"{name}_high"), rtol=1e-10, atol=0)
    length = column(f"{name}_length")
    assert np.all(np.abs(high - low - length) <= np.maximum(1e-8 * length, 4 * np.spacing(high)))


def test_holds_the_values_that_brute_force_accepts() -> None:
    tp, fp, fn, a, b, z, tau = (column(part) for part in ("tp", "fp", "fn", "a", "b", "z", "tau"))
    low, high = score_interval(tp, fp, fn, a=a, b=b, z=z)
    accepted = np.abs(column("statistic")) <= z
    np.testing.assert_array_equal((low <= tau) & (tau <= high), accepted)
    assert 0 < accepted.sum() < len(accepted)


def direct_by_bisection(tp: float, errors: float, z: float) -> list[mp.mpf]:
    """Return the roots of eq. 37 on either side of the estimate, at the working precision."""
    hits, total = mp.mpf(tp), mp.mpf(tp) + mp.mpf(errors)
    estimate, k = 2 * hits / (total + hits), mp.mpf(z) ** 2 / total
    roots = []
    for end in (mp.mpf(0), mp.mpf(1)):
        inside, outside = estimate, end
        for _ in range(150):
            middle = (inside + outside) / 2
            quartic = k * middle * (middle - 1) * (middle - 2) ** 2 + 2 * (middle - estimate) ** 2
            inside, outside = (middle, outside) if quartic < 0 else (inside, middle)
        roots.append(outside if estimate != end else end)
    return roots


def test_wilson_direct_equals_its_quartic() -> None:
    """Every nu from 1 (Lam's condition on nu is not needed) to 1e15, and the table that defeats root finders."""
    rng = np.random.default_rng(7)
    cases = [(1, 0, 1.96), (0, 1, 1.96), (1, 1, 1.96), (0, 2, 6.5), (1e12, 1, 1.96), (1e6, 0, 1.96), (5e14, 5e14, 2.6)]
    cases += [(*(10 ** rng.uniform(-1, 15, 2)), rng.choice([0.3, 1.96, 6.5])) for _ in range(25)]
    with mp.workdps(60):
        for tp, errors, z in cases:
            exact = direct_by_bisection(tp, errors, z)
            found = [mp.mpf(float(x)) for x in wilson_direct_interval(tp, errors, z=z)]
            for ours, theirs in zip(found, exact, strict=True):
                assert abs(ours - theirs) <= 1e-14 * theirs
            length = exact[1] - exact[0]
            allowed = max(1e-8 * length, 4 * mp.mpf(np.spacing(float(found[1]))))
            assert abs(found[1] - found[0] - length) <= allowed


def test_lam_example() -> None:
    """Lam et al. (2024), section 6: TP 77, FP 44, FN 10."""
    assert np.round(wilson_direct_interval(77, 54, z=Z95), 3).tolist() == [0.664, 0.799]
    assert np.round(score_interval(77, 44, 10, a=0.5, b=0.5, z=Z95), 3).tolist() == [0.669, 0.801]
    assert np.round(np.diff(wilson_direct_interval(77, 54, z=Z95)), 3) == 0.135


@pytest.mark.parametrize("fn", [0, 3, 1e12])
def test_precision_and_recall_are_wilson(fn: float) -> None:
    """The error that has no weight plays no part."""
    tp, fp = np.array([0, 1, 5, 77, 1e15]), np.array([2, 0, 5, 44, 1e14])
    expected = wilson(tp, fp, z=1.96)
    np.testing.assert_array_equal(score_interval(tp, fp, fn, a=1, b=0, z=1.96), expected)
    np.testing.assert_array_equal(score_interval(tp, fn, fp, a=0, b=1, z=1.96), expected)


@pytest.mark.parametrize("a", [0.5, 1.0, 0.05, 7.0])
def test_equal_weights_are_wilson_through_the_link(a: float) -> None:
    """tau = u/(u + a(1 - u)) of the Jaccard share u; F1 = 2u/(1 + u)."""
    tp, fp, fn = np.array([0, 1, 5, 77, 1e10]), np.array([2, 0, 5, 44, 1e9]), np.array([1, 0, 0, 10, 3])
    share = np.array(wilson(tp, fp + fn, z=1.96))
    np.testing.assert_allclose(
        score_interval(tp, fp, fn, a=a, b=a, z=1.96), share / (share + a * (1 - share)), rtol=1e-13
    )
    nearly = score_interval(tp, fp, fn, a=a, b=a * (1 + 1e-13), z=1.96)
    np.testing.assert_allclose(nearly, share / (share + a * (1 - share)), rtol=1e-11)


def test_edges_have_closed_forms() -> None:
    """No hit: high = q/(q + E); no error: low = TP/(TP + q max(a, b)) (score) or 1/(1 + max(a, b)(e^{q/2TP} - 1))."""
    q, a, b = Z95**2, 0.8, 0.2
    low, high = score_interval(0, 3, 4, a=a, b=b, z=Z95)
    assert low == 0
    assert high == pytest.approx(q / (q + 3 * a + 4 * b), rel=1e-14)
    low, high = score_interval(5, 0, 0, a=a, b=b, z=Z95)
    assert high == 1
    assert low == pytest.approx(5 / (5 + q * a), rel=1e-14)
    low, high = profile_interval(5, 0, 0, a=a, b=b, z=Z95)
    assert high == 1
    assert low == pytest.approx(1 / (1 + a * np.expm1(q / 10)), rel=1e-14)
    low, high = profile_interval(0, 3, 0, a=1, b=0, z=Z95)
    assert low == 0
    assert high == pytest.approx(-np.expm1(-q / 6), rel=1e-14)


@pytest.mark.parametrize("interval", INTERVALS.values())
def test_undefined_is_nan(interval: Interval) -> None:
    low, high = interval([0, 0, 1], [0, 0, 0], [0, 4, 4], a=1, b=0, z=1.96)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]
    assert np.isnan(wilson_direct_interval(0, 0, z=1.96)).all()


@pytest.mark.parametrize("interval", INTERVALS.values())
@pytest.mark.parametrize(("a", "b"), [(0, 0), (-0.1, 1), (np.nan, 1)])
def test_refuses_impossible_weights(interval: Interval, a: float, b: float) -> None:
    with pytest.raises(InputError, match="a and b must be weights of at least 0, not both 0"):
        interval(1, 1, 1, a=a, b=b, z=1.96)


@pytest.mark.parametrize("interval", INTERVALS.values())
def test_broadcasts_and_mixes_weights(interval: Interval) -> None:
    tp, fp, fn = np.arange(4.0)[:, None, None], np.array([0.0, 2.0, 9.0])[:, None], 3.0
    a, b = np.array([weights[0] for weights in WEIGHTS]), np.array([weights[1] for weights in WEIGHTS])
    low, high = interval(tp, fp, fn, a=a, b=b, z=1.96)
    assert low.shape == high.shape == (4, 3, len(WEIGHTS))
    for i, j, k in np.ndindex(low.shape):
        one = interval(i, fp[j, 0], fn, a=a[k], b=b[k], z=1.96)
        np.testing.assert_allclose((low[i, j, k], high[i, j, k]), one, rtol=1e-13)


@pytest.mark.parametrize("interval", INTERVALS.values())
def test_blocks_do_not_show(interval: Interval) -> None:
    rng = np.random.default_rng(3)
    tp, fp, fn = rng.integers(0, 50, (3, 20_001))
    low, high = interval(tp, fp, fn, a=0.8, b=0.2, z=1.96)
    some = [0, 8191, 8192, 16_384, 20_000]
    expected = interval(tp[some], fp[some], fn[some], a=0.8, b=0.2, z=1.96)
    np.testing.assert_allclose((low[some], high[some]), expected, rtol=1e-13)


def statistic_by_bisection(counts: np.ndarray, contrast: np.ndarray) -> np.ndarray:
    """Return S/√V of the constrained fit p = c / n(1 + λw), whose λ makes Σ w p zero; then S = λV."""
    low, high = -1 / contrast[0], 1 / -contrast[1:].min(0)
    for _ in range(90):
        middle = (low + high) / 2
        with np.errstate(invalid="ignore"):  # 0/0 at an end of the range, where an empty cell puts the root
            above = (counts * contrast / (1 + middle * contrast)).sum(0) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    surplus = (counts * contrast).sum(0)
    return np.sign(surplus) * np.sqrt(np.maximum((low + high) / 2 * surplus, 0))


def test_the_accepted_set_is_an_interval() -> None:
    """Scan the statistic over 5 000 null values: it falls through +z and -z once, for weights of any size.

    Counts are small and weights extreme, where three roots of the cubic could matter; see the proof in score.py.
    """
    rng = np.random.default_rng(11)
    cells = rng.integers(0, 8, (60, 3, 1)) * rng.choice([1, 0.3, 40], (60, 3, 1))
    cells[:, 0] += cells.sum(axis=1) == 0
    weights = 10 ** rng.uniform(-3, 3, (60, 2, 1))
    tau = 1 / (1 + np.exp(np.linspace(-25, 25, 5001)))
    for (tp, fp, fn), (a, b) in zip(cells, weights, strict=True):
        contrast = np.array([1 - tau, -a * tau, -b * tau])
        statistic = statistic_by_bisection(np.array([tp, fp, fn]), contrast)
        for z in (0.5, 1.96, 4.0):
            low, high = score_interval(tp, fp, fn, a=a, b=b, z=z)
            inside = (low <= tau) & (tau <= high)
            away = np.abs(np.abs(statistic) - z) > 1e-6
            np.testing.assert_array_equal((np.abs(statistic) <= z)[away], inside[away])


@pytest.mark.parametrize("name", INTERVALS)
@given(tp=COUNTS, fp=COUNTS, fn=COUNTS, a=POSITIVE, b=POSITIVE, z=st.sampled_from([1.0, 1.96, 3.29, 6.5]))
def test_stays_in_range_and_holds_the_estimate(
    name: str, tp: float, fp: float, fn: float, a: float, b: float, z: float
) -> None:
    if tp + fp + fn < 1:
        return
    low, high = INTERVALS[name](tp, fp, fn, a=a, b=b, z=z)
    assert 0 <= low < high <= 1
    assert low <= tp / (tp + a * fp + b * fn) <= high
    assert (low == 0) >= (tp == 0)
    assert (high == 1) >= (fp + fn == 0)


@pytest.mark.parametrize("name", INTERVALS)
@given(tp=COUNTS, fp=COUNTS, fn=COUNTS, a=POSITIVE, b=POSITIVE)
def test_grows_with_the_level_and_swaps_with_the_errors(
    name: str, tp: float, fp: float, fn: float, a: float, b: float
) -> None:
    if tp + fp + fn < 1:
        return
    z = np.array([0.7, 1.96, 3.0])
    low, high = INTERVALS[name](tp, fp, fn, a=a, b=b, z=z)
    assert np.all(np.diff(low) <= 0)
    assert np.all(np.diff(high) >= 0)
    assert np.all(np.diff(high - low) > 0)
    np.testing.assert_allclose((low, high), INTERVALS[name](tp, fn, fp, a=b, b=a, z=z), rtol=1e-14)


@given(tp=COUNTS, errors=COUNTS, z=st.sampled_from([1.0, 1.96, 6.5]))
def test_wilson_direct_properties(tp: float, errors: float, z: float) -> None:
    if tp + errors < 1:
        return
    low, high = wilson_direct_interval(tp, errors, z=np.array([z, 1.1 * z]))
    assert np.all((low >= 0) & (low < high) & (high <= 1))
    assert low[0] <= 2 * tp / (2 * tp + errors) <= high[0]
    assert low[1] <= low[0]
    assert high[0] <= high[1]
    assert high[1] - low[1] > high[0] - low[0]


def every_table(n: int, shares: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return all (tp, fp, fn) of n rows but the empty one, with their probabilities given that."""
    tp, fp, fn = (part.ravel().astype(float) for part in np.indices((n + 1,) * 3))
    kept = (tp + fp + fn <= n) & (tp + fp + fn > 0)
    cells = np.array([tp[kept], fp[kept], fn[kept]])
    rest = n - cells.sum(axis=0)
    log_mass = special.gammaln(n + 1) - special.gammaln(cells + 1).sum(axis=0) - special.gammaln(rest + 1)
    log_mass += (cells * np.log(shares)[:, None]).sum(axis=0) + rest * np.log(1 - sum(shares))
    mass = np.exp(log_mass)
    return (*cells, mass / mass.sum())


def coverage(n: int, scenario: int, beta: float) -> tuple[float, float]:
    """Return the exact coverage of score and of Wald for F-beta."""
    a, b = 1 / (1 + beta**2), beta**2 / (1 + beta**2)
    p11, p10, p01 = SCENARIOS[scenario]
    truth = p11 / (p11 + a * p10 + b * p01)
    tp, fp, fn, mass = every_table(n, SCENARIOS[scenario])
    low, high = score_interval(tp, fp, fn, a=a, b=b, z=Z95)
    value = tp / (tp + a * fp + b * fn)
    error = np.sqrt((1 - value) ** 2 * tp + value**2 * (a**2 * fp + b**2 * fn)) / (tp + a * fp + b * fn)
    score = mass[(low <= truth) & (truth <= high)].sum()
    wald = mass[np.abs(value - truth) <= Z95 * error].sum()
    return float(score), float(wald)


@pytest.mark.parametrize("beta", [0.5, 2.0])
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("n", [25, 50, 100])
def test_coverage_by_enumeration(n: int, scenario: int, beta: float) -> None:
    score, wald = coverage(n, scenario, beta)
    assert 0.950 <= round(score, 3) <= 0.957
    assert 0.88 <= round(wald, 2) <= 0.94
    assert wald < score


@pytest.mark.parametrize(
    ("n", "printed"), [(25, (0.949, 0.953, 0.952)), (50, (0.949, 0.945, 0.953)), (100, (0.949, 0.949, 0.950))]
)
def test_lam_table_3_wilson_direct(n: int, printed: tuple[float, ...]) -> None:
    """Exact coverage over (nu, TP) against the column of Table 3, simulated there with 10^6 replicates."""
    for scenario, value in zip(SCENARIOS, printed, strict=True):
        p11, p10, p01 = SCENARIOS[scenario]
        relevant, share = p11 + p10 + p01, p11 / (p11 + p10 + p01)
        total, tp = (part.ravel() for part in np.meshgrid(np.arange(1, n + 1), np.arange(n + 1)))
        total, tp = total[tp <= total], tp[tp <= total]
        mass = binomial_mass(total, n, relevant) * binomial_mass(tp, total, share)
        low, high = wilson_direct_interval(tp, total - tp, z=Z95)
        truth = 2 * share / (1 + share)
        assert mass[(low <= truth) & (truth <= high)].sum() == pytest.approx(value, abs=0.001)


def binomial_mass(k: np.ndarray, n: np.ndarray | int, p: float) -> np.ndarray:
    return np.exp(special.xlogy(k, p) + special.xlog1py(n - k, -p) - np.log(n + 1.0) - special.betaln(k + 1, n - k + 1))
