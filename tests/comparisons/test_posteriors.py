"""Posteriors of a paired difference, against draws and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import howsure as hs
from comparisons.cubes import EXAMPLE
from howsure.comparisons.methods.paired_posterior import DiscordantPosterior, DrawnPosterior, TverskyPosterior


def test_discordant_law_against_draws_and_closed_form() -> None:
    law = DiscordantPosterior(12.5, 5.5, 80.0)
    draws = np.random.default_rng(0).dirichlet([12.5, 5.5, 80.0], 1_000_000)
    gain = draws[:, 0] - draws[:, 1]
    for x in (-0.05, 0.0, 0.03, 0.1):
        assert law.above(x) == pytest.approx(np.mean(gain > x), abs=4 * 0.5 / 1000)
    assert law.above(0.0) == pytest.approx(special.betaincc(12.5, 5.5, 0.5), abs=1e-14)
    low, high = law.limits(0.025)
    assert (law.above(low), law.above(high)) == pytest.approx((0.975, 0.025), abs=1e-8)
    assert (low, high) == pytest.approx(np.quantile(gain, [0.025, 0.975]), abs=5e-4)


def test_bayes_of_a_share_is_the_dirichlet_on_its_own_rows() -> None:
    """Recall: positives only, prior ¼ in each of the eight cells."""
    made = hs.compare(EXAMPLE, "recall", method="bayes")
    counts = np.array([150, 12, 9, 14, 10, 22, 8, 75]).reshape(2, 2, 2)[1]
    law = DiscordantPosterior(counts[0, 1] + 0.25, counts[1, 0] + 0.25, counts[0, 0] + counts[1, 1] + 0.5)
    assert (made.low, made.high) == pytest.approx(law.limits(0.025), abs=1e-9)
    assert made.probability_better == pytest.approx(law.above(0.0))
    assert made.error is None
    assert made.seed is None
    assert made.meaning == "credible"


@pytest.mark.parametrize(("metric", "weights"), [("f1", (0.5, 0.5)), ("precision", (1.0, 0.0)), ("f2", (0.2, 0.8))])
def test_tversky_law(metric: str, weights: tuple[float, float]) -> None:
    counts = np.array([150, 12, 9, 14, 10, 22, 8, 75]).reshape(2, 2, 2)
    law = TverskyPosterior(counts, np.full((2, 2, 2), 0.25), weights, 20_000, 0)
    draws = np.random.default_rng(1).dirichlet(counts.ravel() + 0.25, 200_000).reshape(-1, 2, 2, 2)
    a, b = draws.sum(3), draws.sum(2)
    value = [m[:, 1, 1] / (m[:, 1, 1] + weights[0] * m[:, 0, 1] + weights[1] * m[:, 1, 0]) for m in (a, b)]
    gain = value[1] - value[0]
    for x in (-0.05, 0.0, 0.02, 0.08):
        assert law.above(x) == pytest.approx(np.mean(gain > x), abs=0.006)
    assert law.limits(0.025) == pytest.approx(np.quantile(gain, [0.025, 0.975]), abs=3e-3)
    made = hs.compare(EXAMPLE, metric, method="bayes")
    assert (made.low, made.high) == pytest.approx(law.limits(0.025), abs=1e-6)
    assert 0 < made.error < 2e-3
    assert made.seed == 0


def test_one_class_of_many_is_taken_against_the_rest() -> None:
    random = np.random.default_rng(8)
    truth = random.integers(0, 4, 400)
    a, b = (np.where(random.random(400) < 0.7, truth, random.integers(0, 4, 400)) for _ in range(2))
    many = hs.table(truth, {"a": a, "b": b})
    for metric in ("f1", "recall"):
        exact = hs.compare(many, f"{metric}[2]", method=hs.Bayes(prior=0.25))
        drawn = hs.compare(many, f"{metric}[2]", method=hs.Bayes(prior=0.25, kind="hdi", draws=100_000))
        assert exact.probability_better == pytest.approx(drawn.probability_better, abs=0.01)
        assert (exact.low, exact.high) == pytest.approx((drawn.low, drawn.high), abs=0.01)


def test_bayes_refuses_what_it_cannot_hold() -> None:
    truth, other = [0, 1, 1, 0], [0, 1, 0, 0]
    grouped = hs.table(truth, {"a": truth, "b": other}, groups=[1, 1, 2, 2])
    with pytest.raises(hs.MethodError, match="'bayes' cannot compare 'f1' here: it needs independent rows"):
        hs.compare(grouped, "f1", method="bayes")


def test_a_law_of_even_draws() -> None:
    """Draws even over [0, 1]: the error of a limit is √(p(1 − p)/draws); ties with a bound count half."""
    law = DrawnPosterior(np.linspace(0, 1, 10_001), "equal")
    assert law.limits(0.05) == pytest.approx((0.05, 0.95))
    assert law.error(0.05) == pytest.approx(np.sqrt(0.05 * 0.95 / 10_001), rel=1e-6)
    assert DrawnPosterior(np.array([0.0, 0.0, 1.0, 2.0]), "equal").above(0.0) == 0.75
