"""Credible intervals as interval methods: exact Beta posteriors for shares, Dirichlet draws for the rest.

The options are known wherever methods are; posteriors are loaded when one is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import check_choice, check_number, check_seed, check_whole
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence
from howsure.estimates.methods.drawing import MANY_CELLS, limits_of_draws
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.gradient import values_of
from howsure.numerics.binomial import beta_highest_density, beta_interval, has_shortest
from howsure.results.base import note_of
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.numerics.share_posterior import CredibleKind

MOST_DRAWS, LEAST_DRAWS, MOST_NUMBERS = 100_000, 10_000, 20_000_000


@dataclass(frozen=True, slots=True)
class Bayes:
    """Options of a credible interval: prior mass per cell, equal tails or highest density, draws and seed.

    prior 1 is Wang & Li's (2019); ½ is Jeffreys' and covers far better near the ends. Without a prior a share takes ½
    per cell and a K×K table 2/K² per cell, two rows in all: mass 1 in every cell would outweigh the data. Without a
    number of draws there are 100,000; for tables of more than 200 cells as many as make the Monte-Carlo error of each
    limit at most an eightieth of the interval's length, if those are fewer than 20 million numbers or 10,000 draws. The
    error is reported with the interval.
    """

    prior: float | None = None
    kind: CredibleKind = "equal"
    draws: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.prior is not None:
            check_number("prior", self.prior, messages.POSITIVE_NUMBER_SUCH_AS_0(), above=0)
        check_choice("kind", self.kind, ("equal", "hdi"))
        if self.draws is not None:
            object.__setattr__(self, "draws", check_whole("draws", self.draws, 1000, messages.LEAVE_OUT_FOR_100000()))
        object.__setattr__(self, "seed", check_seed(self.seed))

    def draws_for(self, cells: int) -> int:
        """Return how many draws to make of a table of so many cells."""
        return self.draws or int(min(MOST_DRAWS, max(LEAST_DRAWS, MOST_NUMBERS // cells)))


def share_limits(evidence: Evidence, tail: Tail, options: Bayes) -> Limits:
    """Return the credible interval of a share metric from its exact Beta posterior.

    u ~ Beta(s + prior·kₛ, f + prior·k_f), with k the number of cells among successes and failures for each one of the
    side that has fewer, and the metric an increasing function of u. "equal" leaves the same probability beyond each
    end; "hdi" is the shortest interval on the metric's own scale, which no other scale shares. As a confidence interval
    it is no exact one: with Jeffreys' prior ½ the coverage varies around the level, and the prior shows where a class
    has few rows. Brown, Cai & DasGupta (2001) Statistical Science 16:101; Wang & Li (2019), eqs. 25–30.
    """
    share = evidence.metric.share
    assert share is not None
    prior = 0.5 if options.prior is None else options.prior
    masses = (prior * share.masses[0], prior * share.masses[1])
    success, failure = evidence.shares
    if options.kind == "equal":
        low, high = beta_interval(success, failure, tail=tail.probability, prior=masses)
        return Limits(share.link(low), share.link(high))
    from howsure.numerics.share_posterior import SharePosterior

    level = 1 - 2 * tail.probability
    low, high = beta_highest_density(success, failure, level=level, prior=masses, weight=share.weight)
    odd = ~has_shortest(success + masses[0], failure + masses[1], share.weight) & (success + failure > 0)
    for place in zip(*np.nonzero(np.atleast_1d(odd)), strict=True):
        place = place if np.ndim(low) else ()
        law = SharePosterior(float(success[place]) + masses[0], float(failure[place]) + masses[1], share.weight)
        low[place], high[place] = law.interval(level, kind="hdi")
    return Limits(low, high)


def dirichlet_values(evidence: Evidence, options: Bayes) -> Iterator[Array]:
    """Yield draws of the metric from the Dirichlet posterior of the whole table, in blocks.

    Cells ~ Dirichlet(counts + prior), the metric of each draw: any function of the matrix has a posterior so. Goutte &
    Gaussier (2005); Caelen (2017) Ann. Math. Artif. Intell. 81:429.
    """
    from howsure.numerics.dirichlet import dirichlet_blocks

    matrix = evidence.matrix
    assert matrix is not None
    blocks = dirichlet_blocks(matrix, prior=options.prior, draws=options.draws_for(matrix.size), seed=options.seed)
    return (values_of(evidence.metric, shares, evidence.selection, evidence.undefined) for shares in blocks)


def dirichlet_limits(evidence: Evidence, tail: Tail, options: Bayes) -> Limits:
    """Return the credible interval of any metric from Dirichlet draws, with its Monte-Carlo error.

    Without a prior each cell has mass 2/K², two rows in all. With few rows and many classes the prior still weighs
    much: with six excellent classes and 25 rows a 95 % interval covers about two thirds. Draws that leave the metric
    undefined are left out.
    """
    matrix = evidence.matrix
    assert matrix is not None
    stops = options.draws is None and matrix.size > MANY_CELLS
    return limits_of_draws(dirichlet_values(evidence, options), partial(_limits, tail, options), stops=stops)


def _limits(tail: Tail, options: Bayes, values: Array) -> Limits:
    from howsure.numerics.sampled_posterior import drawn_limits, shortest_drawn

    values = np.sort(values[np.isfinite(values)])
    if len(values) < 100:
        note = note_of("posterior undefined", "undefined")
        return Limits(np.float64(np.nan), np.float64(np.nan), (note,), seed=options.seed)
    low, high, error = drawn_limits(values, (tail.probability, 1 - tail.probability))
    if options.kind == "hdi":
        low, high = shortest_drawn(values, 1 - 2 * tail.probability)
    return Limits(np.float64(low), np.float64(high), error=error, seed=options.seed)


def bayes_limits(evidence: Evidence, tail: Tail, options: Bayes) -> Limits:
    """Return the exact interval where the metric is a share, otherwise the Dirichlet one.

    The posterior of a share is closed and has no Monte-Carlo error.
    """
    exact = evidence.metric.share is not None and evidence.countable
    return share_limits(evidence, tail, options) if exact else dirichlet_limits(evidence, tail, options)
