"""Draws that stop when the error is small enough, and the cheaper ways to make and to count them."""

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.estimates.methods.drawing import PRECISE, limits_of_draws
from howsure.estimates.tail import Limits
from howsure.metrics.names import named
from howsure.numerics.dirichlet import dirichlet_blocks
from howsure.tables.covariance import linearise


def classes(width: int, n: int) -> hs.Table:
    random = np.random.default_rng(width)
    truth = random.integers(0, width, n)
    return hs.table(truth, np.where(random.random(n) < 0.8, truth, random.integers(0, width, n)))


@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
def test_many_cells_stop_at_the_stated_error(method: str) -> None:
    found = hs.estimate(classes(18, 900), "macro_f1", method=method)
    assert found.error is not None
    assert 0.3 * PRECISE < found.error / (found.high - found.low) <= PRECISE


@pytest.mark.parametrize("options", [hs.Bayes(draws=1000), hs.Bootstrap(n_resamples=500)])
def test_a_number_that_was_asked_for_is_kept(options: hs.Bayes | hs.Bootstrap) -> None:
    found = hs.estimate(classes(18, 900), "macro_f1", method=options)
    assert found.error is not None
    assert found.error / (found.high - found.low) > PRECISE


def test_blocks_of_any_size_stop_at_the_same_draw() -> None:
    draws = np.random.default_rng(0).normal(size=30_000)

    def limits(values: np.ndarray) -> Limits:
        return Limits(0.0, 1.0, error=1 / np.sqrt(len(values)), value=len(values))

    looked = [limits_of_draws(np.array_split(draws, parts), limits, stops=True).value for parts in (1, 7, 300)]
    assert len(set(looked)) == 1
    assert looked[0] is not None
    assert looked[0] >= 1 / PRECISE**2
    assert limits_of_draws([draws], limits, stops=False).value == len(draws)


def test_tiny_shapes_have_their_distribution() -> None:
    """Shares of a Dirichlet are Beta: of a tiny cell (1e-3 of mass) and of a full one; sums of tiny cells too."""
    counts = np.zeros((20, 20))
    counts[0, 0], counts[1, 1] = 3, 5
    shapes = counts + 0.005
    drawn = np.concatenate(list(dirichlet_blocks(counts, prior=0.005, draws=20_000, seed=4)))
    total = shapes.sum()
    for part in [(0, 0), (1, 1), (slice(2, 12), slice(None)), (slice(None), slice(15, 20))]:
        mass = shapes[part].sum()
        found = drawn[:, part[0], part[1]].reshape(len(drawn), -1).sum(1)
        assert stats.kstest(found, stats.beta(mass, total - mass).cdf).pvalue > 1e-3
    held = drawn[:, 5, 7] + drawn[:, 7, 5] > 0  # two tiny cells: their ratio is known where either is held
    ratio = drawn[held, 5, 7] / (drawn[held, 5, 7] + drawn[held, 7, 5])
    assert held.mean() == pytest.approx(1 - np.exp(-2 * 0.005 * 700), abs=0.01)
    assert np.median(np.abs(ratio - 0.5)) == pytest.approx(0.5, abs=1e-6)


def test_tiny_shapes_do_not_depend_on_blocks() -> None:
    counts = np.diag(np.arange(1.0, 21.0))
    whole, parted = (
        np.concatenate(list(dirichlet_blocks(counts, draws=50, seed=1, block=block))) for block in (None, 7)
    )
    np.testing.assert_array_equal(whole, parted)


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "weighted_f1", "mcc", "kappa", "f1[3]"])
def test_sums_over_classes_are_those_of_the_matrix(metric: str) -> None:
    table = classes(6, 300)
    linear = linearise(table, named(metric))
    weights = np.random.default_rng(1).poisson(table.counts, (4, len(table.counts))).astype(float)
    truth, guess = (np.asarray(part).ravel() for part in (table.contents.truth, table.contents.predictions[:, 0]))
    expected = []
    for one in weights:
        matrix = np.zeros((6, 6))
        np.add.at(matrix, (truth, guess), one)
        expected.append(hs.estimate(hs.matrix(matrix, rows="truth"), metric, method="wald").value)
    np.testing.assert_allclose(table.contents.values_at(linear, weights), expected, rtol=1e-12)


def test_weighted_resamples_do_not_depend_on_blocks() -> None:
    random = np.random.default_rng(2)
    truth, guess = random.integers(0, 2, (2, 60))
    design = hs.table(truth, guess, sample_weight=random.uniform(1, 3, 60)).design
    drawn = [
        np.concatenate([one.weights for one in design.resamples(np.random.default_rng(0), 40, most=most)])
        for most in (10**6, 12)
    ]
    np.testing.assert_array_equal(*drawn)
