"""Dirichlet draws, posteriors made of draws, and two models on the same rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import special
from scipy.integrate import trapezoid

from howsure.comparisons.methods.paired_posterior import DiscordantPosterior, TverskyPosterior
from howsure.errors import InputError
from howsure.numerics.dirichlet import default_prior, dirichlet_blocks
from howsure.numerics.sampled_posterior import SampledPosterior, sampled_difference, sampled_posterior
from howsure.numerics.share_posterior import SharePosterior

Floats = npt.NDArray[np.float64]

# counts[truth, prediction of A, prediction of B]
JOINT = np.array([[[520, 31], [24, 40]], [[30, 39], [22, 294]]])


def accuracy(table: Floats) -> Floats:
    return np.asarray((table[:, 0, 0] + table[:, 1, 1]) / table.sum(axis=(1, 2)))


def recall(table: Floats) -> Floats:
    return np.asarray(table[:, 1, 1] / table[:, 1].sum(axis=1))


def precision(table: Floats) -> Floats:
    return np.asarray(table[:, 1, 1] / table[:, :, 1].sum(axis=1))


def f1(table: Floats) -> Floats:
    return np.asarray(2 * table[:, 1, 1] / (table[:, 1].sum(axis=1) + table[:, :, 1].sum(axis=1)))


def dirichlet_draws(counts: npt.ArrayLike, **options: Any) -> Floats:
    return np.concatenate(list(dirichlet_blocks(counts, **options)))


def chances(gained: float, lost: float, *, prior: float = 0.5) -> tuple[float, float]:
    """P(B is better) and P(A is better) from the rows that only one of them gets right."""
    sides = ((gained, lost), (lost, gained))
    one, other = (DiscordantPosterior(first + prior, second + prior, 1.0).above(0.0) for first, second in sides)
    return one, other


def tversky_chance(
    counts: npt.ArrayLike, a: float, b: float, *, prior: float | None = None, draws: int = 100_000, seed: int = 0
) -> tuple[float, float]:
    """P(T_B > T_A) on the same rows, and its standard error."""
    each = np.full((2, 2, 2), default_prior((2, 2, 2)) if prior is None else prior)
    law = TverskyPosterior(np.asarray(counts), each, (a, b), draws, seed)
    return law.above(0.0), float(law._chances(0.0).std(ddof=1)) / math.sqrt(draws)


def kolmogorov(uniform: Floats) -> float:
    """Scaled distance from the uniform law; above 1.95 once in a thousand."""
    n = len(uniform)
    return float(np.abs(np.sort(uniform) - (np.arange(n) + 0.5) / n).max() * math.sqrt(n))


# ---- draws


def test_the_prior_has_the_mass_of_two_rows() -> None:
    for classes in (2, 3, 10):
        assert default_prior((classes, classes)) * classes**2 == pytest.approx(2)
        assert default_prior((classes,) * 3) * classes**3 == pytest.approx(2)
    assert default_prior((3,)) == 0.5
    # the joint prior of two models, summed over the second, is the prior of the first alone
    assert 2 * default_prior((2, 2, 2)) == default_prior((2, 2))


@pytest.mark.parametrize("prior", [1 / 16, 1e-3, 2.0])
def test_each_cell_has_its_beta_margin(prior: float) -> None:
    counts = np.array([0.0, 3.0, 0.0, 11.5])
    draws = dirichlet_draws(counts, prior=prior, draws=4000, seed=1)
    shapes = counts + prior
    np.testing.assert_allclose(draws.sum(axis=1), 1)
    for cell in (1, 3):
        margin = SharePosterior(shapes[cell], shapes.sum() - shapes[cell])
        assert kolmogorov(margin.cdf(draws[:, cell])) < 1.95
    errors = np.sqrt(draws.var(axis=0) / 4000)
    assert np.all(np.abs(draws.mean(axis=0) - shapes / shapes.sum()) < 4.5 * errors + 1e-12)


def test_two_cells_are_dependent_as_they_should() -> None:
    shapes = np.array([2.0, 3.0, 4.0])
    draws = dirichlet_draws(shapes - 0.5, draws=40_000)
    expected = -np.outer(shapes, shapes) / (shapes.sum() ** 2 * (shapes.sum() + 1))
    found = np.cov(draws.T)
    assert found[0, 1] == pytest.approx(expected[0, 1], rel=0.05)
    assert found[1, 2] == pytest.approx(expected[1, 2], rel=0.05)


def test_an_empty_table_with_a_tiny_prior_has_no_nan() -> None:
    draws = dirichlet_draws(np.zeros(6), prior=1e-3, draws=2000)
    assert np.all(np.isfinite(draws))
    assert np.mean(draws.max(axis=1) > 0.999) > 0.9  # nearly all mass in one cell, chosen at random
    assert np.bincount(draws.argmax(axis=1), minlength=6) == pytest.approx(2000 / 6, abs=75)


def test_counts_of_a_billion_keep_their_spread() -> None:
    draws = dirichlet_draws([1e9, 3e9], prior=1.0, draws=4000)[:, 0]
    exact = SharePosterior(1e9 + 1, 3e9 + 1)
    assert draws.std() == pytest.approx(exact.sd, rel=0.05)
    assert kolmogorov(exact.cdf(draws)) < 1.95


def test_blocks_do_not_change_the_draws() -> None:
    whole = dirichlet_draws([[5, 0], [1, 2]], prior=0.3, draws=100, seed=9)
    blocks = list(dirichlet_blocks([[5, 0], [1, 2]], prior=0.3, draws=100, seed=9, block=7))
    assert max(map(len, blocks)) == 7
    np.testing.assert_array_equal(np.concatenate(blocks), whole)
    assert not np.array_equal(whole, dirichlet_draws([[5, 0], [1, 2]], prior=0.3, draws=100, seed=10))


def test_memory_is_bounded_by_default() -> None:
    first = next(iter(dirichlet_blocks(np.ones((100, 100)), draws=10**9)))
    assert first.nbytes < 1e7


def test_a_prior_for_each_cell() -> None:
    draws = dirichlet_draws([4, 4], prior=[1.0, 7.0], draws=4000)
    assert kolmogorov(SharePosterior(5, 11).cdf(draws[:, 0])) < 1.95


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dirichlet_draws([1, -2]), "counts is [1, -2]; it must be an array of finite numbers of at least 0"),
        (lambda: dirichlet_draws([1, 2], prior=0), "prior is 0; it must be above 0 in every cell"),
        (lambda: dirichlet_draws([1, 2], prior=[1, 1, 1]), "prior has shape (3,) but counts has shape (2,)"),
        (lambda: dirichlet_draws([1, 2], draws=0), "draws is 0; it must be a whole number, 1 or larger"),
        (lambda: SampledPosterior(np.array([0.1, np.nan])), "draws has 2 values, 1 of them not finite"),
        (lambda: SampledPosterior(np.array([0.1, 0.2])).interval(1.0), "level is 1.0; it must lie strictly"),
        (lambda: SampledPosterior(np.array([0.1, 0.2])).interval(kind="x"), "kind is 'x'; it must be 'equal' or 'hdi'"),
        (lambda: sampled_difference([[1, 2], [3, 4]], accuracy), "counts has shape (2, 2); it must be K x K x K"),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        call()  # type: ignore[operator]
    assert message in str(error.value)


# ---- a posterior made of draws


@pytest.fixture(scope="module")
def pair() -> tuple[SampledPosterior, SharePosterior]:
    """The accuracy of a table: 100 000 draws and the exact law."""
    table = np.array([[40, 7], [5, 33]])
    return sampled_posterior(table, accuracy, seed=2), SharePosterior(73 + 1, 12 + 1)


def test_draws_agree_with_the_exact_law(pair: tuple[SampledPosterior, SharePosterior]) -> None:
    sampled, exact = pair
    error = sampled.error()
    assert kolmogorov(exact.cdf(sampled.draws)) < 1.95
    assert abs(sampled.mean - exact.mean) < 4 * error.mean
    assert sampled.sd == pytest.approx(exact.sd, rel=0.01)
    assert sampled.mode == pytest.approx(exact.mode, abs=0.005)
    for found, true, slack in zip(sampled.interval(), exact.interval(), error[1:], strict=True):
        assert abs(found - true) < 4 * slack < 0.002
    grid = np.linspace(0.7, 0.95, 26)
    np.testing.assert_allclose(sampled.cdf(grid), exact.cdf(grid), atol=0.006)
    np.testing.assert_allclose(sampled.sf(grid), exact.sf(grid), atol=0.006)
    np.testing.assert_allclose(sampled.pdf(grid), exact.pdf(grid), atol=0.03 * exact.pdf(exact.mode))
    np.testing.assert_allclose(sampled.ppf([0.1, 0.5, 0.9]), exact.ppf([0.1, 0.5, 0.9]), atol=0.001)
    np.testing.assert_allclose(sampled.isf([0.1, 0.5, 0.9]), exact.isf([0.1, 0.5, 0.9]), atol=0.001)


def test_the_shortest_interval_of_draws(pair: tuple[SampledPosterior, SharePosterior]) -> None:
    sampled, exact = pair
    low, high = sampled.interval(0.9, kind="hdi")
    error = sampled.error(0.9, kind="hdi")
    assert high - low < np.diff(sampled.interval(0.9))[0]
    assert sampled.cdf(high) - sampled.cdf(low) == pytest.approx(0.9, abs=1e-4)
    for found, true, slack in zip((low, high), exact.interval(0.9, kind="hdi"), error[1:], strict=True):
        assert abs(found - true) < 4 * slack < 0.02


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.5, 6.0), (1.0, 9.0), (30.0, 4.0)])
def test_the_density_keeps_its_mass_at_the_bounds(a: float, b: float) -> None:
    exact = SharePosterior(a, b)
    sampled = SampledPosterior(exact.sample(50_000, seed=4), seed=4)
    grid = np.linspace(0, 1, 20_001)
    assert trapezoid(sampled.pdf(grid), grid) == pytest.approx(1, abs=0.003)
    inside = np.linspace(0.05, 0.95, 19)
    np.testing.assert_allclose(sampled.pdf(inside), exact.pdf(inside), atol=0.1 + 0.03 * exact.pdf(inside).max())
    if a == 1:
        assert sampled.pdf(0.0) == pytest.approx(float(exact.pdf(0.0)), rel=0.1)  # unreflected it would be half
    assert sampled.pdf([-0.5, 1.5]).tolist() == [0, 0]


def test_monte_carlo_errors_are_calibrated() -> None:
    exact = SharePosterior(8, 3)
    runs = [SampledPosterior(exact.sample(2000, seed=seed), seed=seed) for seed in range(120)]
    means, ends = [run.mean for run in runs], np.array([run.interval(0.9) for run in runs])
    stated = np.array([run.error(0.9) for run in runs]).mean(axis=0)
    assert np.std(means, ddof=1) / stated[0] == pytest.approx(1, abs=0.25)
    assert np.std(ends, axis=0, ddof=1) / stated[1:] == pytest.approx(1, abs=0.25)
    shortest = np.array([run.interval(0.9, kind="hdi") for run in runs]).std(axis=0, ddof=1)
    claimed = np.array([run.error(0.9, kind="hdi")[1:] for run in runs]).mean(axis=0)
    assert np.all((shortest / claimed > 0.5) & (shortest / claimed < 2))


def test_resampling_and_equal_draws() -> None:
    sampled = SampledPosterior(np.array([3.0, 1.0, 2.0]), bounds=(0.0, math.inf))
    assert set(sampled.sample(100, seed=1)) == {1.0, 2.0, 3.0}
    assert np.array_equal(sampled.sample(9, seed=1), sampled.sample(9, seed=1))
    constant = SampledPosterior(np.full(50, 0.25))
    assert constant.interval() == (0.25, 0.25)
    assert constant.mode == pytest.approx(0.25)


def test_a_ratio_with_a_heavy_tail() -> None:
    draws = np.exp(np.random.default_rng(0).standard_cauchy(20_000).clip(-20, 20))
    sampled = SampledPosterior(draws, bounds=(0.0, math.inf))
    assert np.isfinite(sampled.pdf([0.5, 1.0, 100.0])).all()
    assert sampled.ppf(0.5) == pytest.approx(1, abs=0.05)


# ---- the same rows


@pytest.mark.parametrize(("gained", "lost", "prior"), [(39, 22, 0.25), (0, 0, 0.5), (3, 40, 1.0), (120.5, 90.25, 0.5)])
def test_bayesian_mcnemar(gained: float, lost: float, prior: float) -> None:
    greater, less = chances(gained, lost, prior=prior)
    assert greater == pytest.approx(special.betaincc(gained + prior, lost + prior, 0.5), rel=1e-12)
    assert less == pytest.approx(special.betainc(gained + prior, lost + prior, 0.5), rel=1e-12)


def test_bayesian_mcnemar_of_millions_is_normal() -> None:
    greater, less = chances(1_000_000_000, 999_940_000)
    assert greater == pytest.approx(special.ndtr(60_000 / math.sqrt(1_999_940_000)), rel=1e-6)
    assert chances(0, 200, prior=1.0)[0] == pytest.approx(0.5**201, rel=1e-12)
    assert less + greater == pytest.approx(1, abs=1e-12)


def test_recall_by_draws_by_the_root_and_exactly() -> None:
    exact = chances(39, 22, prior=0.25)[0]
    probability, error = tversky_chance(JOINT, 0.0, 1.0, draws=20_000)
    assert abs(probability - exact) < 4 * error
    assert sampled_difference(JOINT, recall).sf(0) == pytest.approx(exact, abs=0.004)


def test_accuracy_sums_two_cells_and_their_priors() -> None:
    exact = chances(39 + 24, 22 + 31, prior=2 * 0.25)[0]
    assert sampled_difference(JOINT, accuracy, seed=3).sf(0) == pytest.approx(exact, abs=0.006)


@pytest.mark.parametrize(("weights", "metric"), [((1.0, 0.0), precision), ((0.5, 0.5), f1)])
@pytest.mark.parametrize("prior", [None, 0.5, 1 / 16])
def test_precision_and_f1_against_counting_draws(
    weights: tuple[float, float], metric: object, prior: float | None
) -> None:
    probability, error = tversky_chance(JOINT, *weights, prior=prior, draws=20_000, seed=1)
    counted = float(sampled_difference(JOINT, metric, prior=prior, seed=2).sf(0))  # type: ignore[arg-type]
    assert abs(probability - counted) < 4 * math.hypot(error, math.sqrt(counted * (1 - counted) / 100_000))
    # Rao-Blackwell: integrating one gamma exactly beats counting as many draws
    assert error < math.sqrt(probability * (1 - probability) / 20_000)


def test_swapping_the_models_in_the_joint_table() -> None:
    one, error = tversky_chance(JOINT, 0.5, 0.5, seed=1)
    other, error_other = tversky_chance(JOINT.swapaxes(1, 2), 0.5, 0.5, seed=2)
    assert abs(one + other - 1) < 4 * math.hypot(error, error_other)


def test_models_that_never_differ_are_even() -> None:
    same = np.array([[[500, 0], [0, 30]], [[20, 0], [0, 90]]])
    probability, error = tversky_chance(same, 0.5, 0.5)
    assert abs(probability - 0.5) < 4 * error


def test_billions_of_rows() -> None:
    probability, error = tversky_chance(JOINT * 1e7, 0.0, 1.0, draws=4000)
    assert probability == pytest.approx(chances(39e7, 22e7, prior=0.25)[0], abs=1e-12)
    close = np.array([[[5e9, 1e9], [1e9, 3e9]], [[1e9, 1e9 + 3e4], [1e9, 9e9]]])
    probability, error = tversky_chance(close, 0.0, 1.0, draws=4000)
    exact = chances(1e9 + 3e4, 1e9, prior=0.25)[0]
    assert 0.5 < exact < 0.9
    assert abs(probability - exact) < 4 * error


def test_agreement_makes_the_difference_sharper_than_independence() -> None:
    paired = sampled_difference(JOINT, f1)
    a, b = JOINT.sum(axis=2), JOINT.sum(axis=1)
    apart = sampled_posterior(b, f1, seed=1).sd, sampled_posterior(a, f1, seed=2).sd
    assert paired.sd < 0.85 * math.hypot(*apart)
    assert paired.bounds == (-1.0, 1.0)


def test_three_classes_on_the_same_rows() -> None:
    rng = np.random.default_rng(0)
    joint = rng.integers(0, 9, (3, 3, 3))
    joint[np.arange(3), np.arange(3), np.arange(3)] += 40

    def accuracy_of_three(table: Floats) -> Floats:
        return np.asarray(np.einsum("kii->k", table))

    right = np.arange(3)
    gained = joint[right, :, right].sum() - joint[right, right, right].sum()
    lost = joint[right, right, :].sum() - joint[right, right, right].sum()
    cells = 6 * default_prior((3, 3, 3))
    exact, _ = chances(float(gained), float(lost), prior=cells)
    assert sampled_difference(joint, accuracy_of_three).sf(0) == pytest.approx(exact, abs=0.006)
