"""Credible intervals: the posterior of a share, its shortest interval, draws, and other priors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from estimates.methods.tables import SMALL, TABLE, limits
from howsure.metrics.names import named
from howsure.numerics.share_posterior import SharePosterior


def test_beta_is_the_posterior_with_half_a_row_per_cell_of_the_side_with_fewer() -> None:
    for metric, first, second in (
        ("precision", 77.5, 44.5), ("f1", 77.5, 55.0), ("jaccard", 77.5, 55.0), ("prevalence", 87.5, 746.5),
    ):  # fmt: skip
        law, found = stats.beta(first, second), np.array(limits(TABLE, metric, "beta"))
        share = found / (2 - found) if metric == "f1" else found
        assert law.cdf(share) == pytest.approx([0.025, 0.975], rel=1e-9)


def test_hdi_is_the_shortest_and_has_equal_density_at_its_ends() -> None:
    for metric, law in (("precision", SharePosterior(8.5, 2.5)), ("f1", SharePosterior(8.5, 6.0, 0.5))):
        low, high = limits(SMALL, metric, "hdi")
        assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-9)
        assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-6)
        below = np.linspace(0.001, 0.049, 25)
        assert high - low <= (law.ppf(below + 0.95) - law.ppf(below)).min() + 1e-12


@pytest.mark.parametrize("cells", [(0, 3, 4), (5, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0.2, 0.1), (0.2, 0, 0)])
@pytest.mark.parametrize("metric", ["f1", "jaccard", "tversky(0.1,0.1)", "tversky(3,3)"])
def test_hdi_at_the_edges_is_the_posteriors_own(metric: str, cells: tuple[float, ...]) -> None:
    table = hs.counts(tp=cells[0], fp=cells[1], fn=cells[2])
    weight = named(metric).share.weight
    law = SharePosterior(cells[0] + 0.5, cells[1] + cells[2] + 1.0, weight)
    low, high = limits(table, metric, "hdi")
    assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-9)
    assert high - low == pytest.approx(np.subtract(*law.interval(0.95, kind="hdi")[::-1]), abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "first", "second", "weight"),
    [
        ("precision", 8.5, 2.5, 1),
        ("recall", 8.5, 3.5, 1),
        ("accuracy", 16, 6, 1),
        ("f1", 8.5, 6, 0.5),
        ("jaccard", 8.5, 6, 1),
    ],
)
def test_dirichlet_draws_agree_with_the_exact_posterior_of_a_share(
    metric: str, first: float, second: float, weight: float
) -> None:
    """Prior ½ in each of four cells makes every share a Beta; the draws may differ by their Monte-Carlo error."""
    found, law = hs.estimate(SMALL, metric, method="dirichlet"), SharePosterior(first, second, weight)
    low, high = law.interval(0.95)
    assert found.error is not None
    assert 0 < found.error < 0.01
    assert abs(found.low - low) < 4 * found.error
    assert abs(found.high - high) < 4 * found.error
    assert found.meaning == "credible"


def test_bayes_with_a_prior_is_exact_for_shares() -> None:
    """Wang & Li: prior 1 per cell, F1 through Beta(tp + 1, fp + fn + 2)."""
    low, high = limits(SMALL, "f1", hs.Bayes(prior=1.0))
    assert (low, high) == pytest.approx(SharePosterior(9, 7, 0.5).interval(0.95), rel=1e-9)
