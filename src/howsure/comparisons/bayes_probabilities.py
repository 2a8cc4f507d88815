"""What two posteriors say of ν_B − ν_A ≤ 0 and > 0: independent, or paired on the same rows."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from howsure.comparisons.methods.paired_posterior import (
    DifferencePosterior,
    DiscordantPosterior,
    DrawnPosterior,
    TverskyPosterior,
    paired_counts,
    posterior_of,
)
from howsure.comparisons.pair import Pair
from howsure.errors import MethodError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.credible import Bayes
from howsure.estimates.posterior import both_draws, checked_prior, is_share, prior_used, share_posterior
from howsure.metrics.cells import cells_of_matrix
from howsure.metrics.gradient import values_of, view
from howsure.numerics.dirichlet import default_prior
from howsure.numerics.sampled_posterior import SampledPosterior, sampled_difference
from howsure.numerics.share_difference import (
    ShareDifference,
    monte_carlo_probability,
    probability_greater,
    rope_probabilities,
)
from howsure.numerics.share_posterior import SharePosterior
from howsure.types import Array

Method = Literal["exact", "monte-carlo"]
DRAWS = 10**6


class Question(NamedTuple):
    """How a comparison is to be made."""

    level: float
    rope: float | None
    prior: float | None
    method: Method | None
    draws: int | None
    seed: int

    @property
    def number(self) -> int:
        """The number of plain draws: as asked, or the paper's."""
        return DRAWS if self.draws is None else self.draws


class PosteriorFindings(NamedTuple):
    """What two posteriors say of ν_B − ν_A."""

    p_h0: float
    p_h1: float
    mean: float
    low: float
    high: float
    rope: tuple[float, float, float] | None
    method: str
    error: float | None = None
    draws: int | None = None
    pulled: float = 0.0  # the share of the smaller posterior's mass that is prior


# --- independent posteriors --------------------------------------------------------------------------------------


def independent(b: Evidence, a: Evidence, asked: Question) -> tuple[PosteriorFindings, float]:
    """Return what two posteriors say that are taken as independent, and the prior mass of a cell (Wang & Li 2019).

    Shares: P(ν_B > ν_A) by quadrature over two Beta posteriors, or by draws as in the paper. Other metrics: by draws
    from each Dirichlet. Models that were tested on the same rows are correlated, mostly positively; taken as
    independent their difference is then known better than stated.
    """
    if not (is_share(a) and is_share(b)):
        if asked.method == "exact":
            raise MethodError(messages.METHOD_EXACT_NEEDS_SHARE_OF_CELLS(metric=b.metric.name))
        drawn = list(both_draws(b, a, asked.prior, draws=asked.number, seed=asked.seed))
        found = _from_draws(drawn[0] - drawn[1], asked)
        return found, prior_used(b, asked.prior)
    prior = 1.0 if asked.prior is None else checked_prior(asked.prior)
    laws = share_posterior(b, prior), share_posterior(a, prior)
    found = _by_drawing(*laws, asked) if asked.method == "monte-carlo" else _by_quadrature(*laws, asked)
    share = b.metric.share
    assert share is not None
    mass = prior * sum(share.masses)
    return found._replace(pulled=mass / min(law.a + law.b for law in laws)), prior


def _by_quadrature(b: SharePosterior, a: SharePosterior, asked: Question) -> PosteriorFindings:
    """Return the probabilities and the interval of ν_B − ν_A without simulation."""
    gain, chances = ShareDifference(b, a), probability_greater(b, a)
    rope = None if asked.rope is None else rope_probabilities(b, a, rope=asked.rope)
    low, high = gain.interval(asked.level)
    return PosteriorFindings(chances.less, chances.greater, gain.mean, low, high, rope, "exact")


def _by_drawing(b: SharePosterior, a: SharePosterior, asked: Question) -> PosteriorFindings:
    """Count draws as in eq. 33; the sign is read off the log odds, which do not round to 1."""
    above, error = monte_carlo_probability(b, a, draws=asked.number, seed=asked.seed)
    differences = ShareDifference(b, a).sample(asked.number, seed=asked.seed)
    return _from_draws(differences, asked)._replace(p_h0=1 - above, p_h1=above, error=error)


def _from_draws(differences: Array, asked: Question) -> PosteriorFindings:
    """Return the same from draws of ν_B − ν_A, with the Monte-Carlo error of the probability."""
    law = SampledPosterior(differences, bounds=(-math.inf, math.inf))
    above = float(law.sf(0.0))
    rope = None
    if asked.rope is not None:
        worse, over = float(np.mean(law.draws < -asked.rope)), float(law.sf(asked.rope))
        rope = (worse, 1 - worse - over, over)
    low, high = law.interval(asked.level)
    error = _counted_error(above, len(law.draws))
    return PosteriorFindings(1 - above, above, law.mean, low, high, rope, "monte-carlo", error, len(law.draws))


# --- paired on the same rows -------------------------------------------------------------------------------------


def cube_prior(pair: Pair, prior: float | None) -> tuple[float, float]:
    """Return the prior per cell of the joint K×K×K table and of each model's own K×K table."""
    width = len(pair.a.contents.labels)
    if prior is None:
        each = default_prior((width,) * 3)
        return each, each * width
    return checked_prior(prior) / width, checked_prior(prior)


def joint_posterior(pair: Pair, asked: Question) -> PosteriorFindings:
    """Return what the posterior of the joint table (truth, a, b) says: the pairing of the two models is kept."""
    counts, (each, _) = paired_counts(pair), cube_prior(pair, asked.prior)
    if asked.method == "monte-carlo":
        drawn = sampled_difference(counts, partial(pair_values, pair), prior=each, draws=asked.number, seed=asked.seed)
        return _from_draws(drawn.draws, asked)
    law = posterior_of(pair, Bayes(prior=each, draws=asked.draws, seed=asked.seed), usual=DRAWS)
    if asked.method == "exact" and not isinstance(law, DiscordantPosterior):
        raise MethodError(messages.METHOD_EXACT_IS_NOT_AVAILABLE(metric=pair.metric.name))
    tail = (1 - asked.level) / 2
    above, (low, high) = law.above(0.0), law.limits(tail)
    rope = None
    if asked.rope is not None:
        worse, over = 1 - law.above(-asked.rope), law.above(asked.rope)
        rope = (worse, max(1 - worse - over, 0.0), over)
    mean = _paired_mean(pair, counts + each, asked)
    method = {"draws": "monte-carlo"}.get(law.how, law.how)
    return PosteriorFindings(1 - above, above, mean, low, high, rope, method, *_simulated(law, above))


def _simulated(law: DifferencePosterior, above: float) -> tuple[float | None, int | None]:
    """Return the Monte-Carlo error of P(H0) and the number of draws behind it."""
    if isinstance(law, TverskyPosterior):
        chances = law._chances(0.0)
        return float(chances.std(ddof=1) / math.sqrt(len(chances))), len(chances)
    if isinstance(law, DrawnPosterior):
        return _counted_error(above, len(law.ordered)), len(law.ordered)
    return None, None


def _counted_error(share: float, draws: int) -> float:
    """Return the standard error of a share of draws; an unseen event has one too (Laplace's share)."""
    kept = (share * draws + 1) / (draws + 2)
    return math.sqrt(kept * (1 - kept) / draws)


def _paired_mean(pair: Pair, masses: Array, asked: Question) -> float:
    """Return E[ν_B − ν_A]: a difference of means needs no pairing, and each model's cells are Dirichlet too."""
    if pair.metric.share is None:
        each = masses - paired_counts(pair)
        drawn = sampled_difference(
            paired_counts(pair), partial(pair_values, pair), prior=each, draws=100_000, seed=asked.seed,
            bounds=(-math.inf, math.inf),
        )  # fmt: skip
        return drawn.mean
    a, b = (share_law(pair, masses.sum(axis)).mean for axis in (2, 1))
    return b - a


def share_law(pair: Pair, masses: Array) -> SharePosterior:
    """Return the posterior of a share from the masses of one model's cells, counts with their prior."""
    share = pair.metric.share
    assert share is not None
    cells, total = cells_of_matrix(masses)
    seen = view(cells, pair.seen.selection)
    success, failure = (float(seen.counted(part) * total) for part in (share.success, share.failure))
    return SharePosterior(success, failure, share.weight)


def pair_values(pair: Pair, matrix: Array) -> Array:
    """Return the metric of a pair for each matrix of shares."""
    return values_of(pair.metric, matrix, pair.seen.selection)
