"""The distributions behind a Bayes test, for its figure: the posterior of each model, and that of the difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from howsure.comparisons.bayes_probabilities import Question, cube_prior, pair_values, share_law
from howsure.comparisons.methods.paired_posterior import (
    DifferencePosterior,
    DrawnPosterior,
    paired_counts,
    posterior_of,
)
from howsure.comparisons.pair import Pair
from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.credible import Bayes
from howsure.estimates.posterior import both_draws, checked_prior, is_share, share_posterior
from howsure.numerics.sampled_posterior import SampledPosterior, sampled_difference, sampled_posterior
from howsure.numerics.share_difference import ShareDifference
from howsure.numerics.share_posterior import SharePosterior
from howsure.results.bayes_test import Laws
from howsure.types import Array

DRAWS = 100_000  # enough for a curve


@dataclass(frozen=True)
class SlopeLaw:
    """A distribution given by its survival function: the density is its slope over a step far below its width."""

    law: DifferencePosterior

    def pdf(self, x: npt.ArrayLike) -> Array:
        """Return the slope of P(difference ≤ x), by central differences."""
        step = 1e-3 * (float(self.isf(0.16)) - float(self.ppf(0.16)))
        slopes = [(self.law.above(at - step) - self.law.above(at + step)) / (2 * step) for at in np.ravel(x)]
        return np.asarray(np.maximum(np.reshape(slopes, np.shape(x)), 0.0))

    def ppf(self, p: npt.ArrayLike) -> Array:
        """Return the quantile."""
        return np.asarray(self.law.limits(float(np.asarray(p)))[0])

    def isf(self, q: npt.ArrayLike) -> Array:
        """Return the upper quantile."""
        return np.asarray(self.law.limits(float(np.asarray(q)))[1])


def independent_laws(b: Evidence, a: Evidence, asked: Question) -> Laws:
    """Return the distributions of two posteriors that are taken as independent."""
    if is_share(a) and is_share(b):
        prior = 1.0 if asked.prior is None else checked_prior(asked.prior)
        first, second = share_posterior(a, prior), share_posterior(b, prior)
        return Laws(first, second, ShareDifference(second, first), drawn=False)
    drawn = list(both_draws(b, a, asked.prior, draws=DRAWS, seed=asked.seed))
    singles = [SampledPosterior(part, seed=asked.seed, bounds=b.metric.range) for part in drawn]
    gain = SampledPosterior(drawn[0] - drawn[1], seed=asked.seed, bounds=_widest(b.metric.range))
    return Laws(singles[1], singles[0], gain, drawn=True)


def joint_laws(pair: Pair, asked: Question) -> Laws:
    """Return the distributions of two models that share their rows."""
    counts, (each, _) = paired_counts(pair), cube_prior(pair, asked.prior)
    a, b = (_single(pair, counts, each, axis, asked.seed) for axis in (2, 1))
    law = posterior_of(pair, Bayes(prior=each, seed=asked.seed), usual=DRAWS)
    if not isinstance(law, DrawnPosterior):
        return Laws(a, b, SlopeLaw(law), drawn=False)
    gain = sampled_difference(
        counts, partial(pair_values, pair), prior=each, draws=DRAWS, seed=asked.seed,
        bounds=_widest(pair.metric.range),
    )  # fmt: skip
    return Laws(a, b, gain, drawn=True)


def _single(pair: Pair, counts: Array, each: float, axis: int, seed: int) -> SharePosterior | SampledPosterior:
    """Return one model's own posterior: the sum over the other model's predictions is Dirichlet too."""
    masses = (counts + each).sum(axis)
    if pair.metric.share is None:
        prior = np.full(masses.shape, each * len(masses))
        return sampled_posterior(
            counts.sum(axis), partial(pair_values, pair), prior=prior, draws=DRAWS, seed=seed,
            bounds=pair.metric.range,
        )  # fmt: skip
    return share_law(pair, masses)


def _widest(ends: tuple[float, float]) -> tuple[float, float]:
    return ends[0] - ends[1], ends[1] - ends[0]
