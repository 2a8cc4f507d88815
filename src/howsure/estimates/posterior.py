"""hs.posterior: the distribution of a metric given a table or the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.cross_validation.folds import Folds
from howsure.errors import InputError, MethodError, check_number, check_seed, check_whole
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.metrics.names import MetricLike, named
from howsure.numerics.dirichlet import default_prior, dirichlet_blocks
from howsure.numerics.sampled_posterior import Posterior, SampledPosterior
from howsure.numerics.share_posterior import SharePosterior
from howsure.tables.cell_view import CellView
from howsure.tables.covariance import linearise
from howsure.tables.table import Table
from howsure.types import Array


def posterior(
    data: Table | Folds,
    metric: MetricLike = "f1",
    *,
    prior: float | None = None,
    model: str | None = None,
    draws: int = 100_000,
    seed: int = 0,
) -> Posterior:
    """Return the posterior of a metric: Beta in closed form where it is a share of cells, otherwise by draws.

    A share has success ~ Beta(successes + prior·cells, failures + prior·cells), so F1 = 2u/(1+u) with
    u ~ Beta(TP + prior, FP + FN + 2·prior). The default prior 1 is Wang & Li's; it is not flat on F1 (mean 0.455
    before any data), and ½ (Jeffreys) covers far better near F1 = 1. Other metrics draw from a Dirichlet on all
    cells, by default with 2/K² per cell of a K×K table, two rows in all: 1 per cell would be K² rows, mostly errors.

    Folds count as their effective table. A table of weighted or grouped rows, or of tagged sentences, counts as the
    number of independent rows it is worth, as in ``estimate(method="beta")``.

    >>> from howsure import counts
    >>> law = posterior(counts(tp=77, fp=44, fn=10), "f1")
    >>> round(law.mean, 4), [round(end, 4) for end in law.interval(0.95)]
    (0.7349, [0.6648, 0.7981])

    Source: Wang & Li (2019), eqs. 25 to 27 (the exponents of 25 and 26 less one); Goutte & Gaussier (2005).
    """
    seed, draws = check_seed(seed), check_whole("draws", draws, 2, messages.USUALLY_100000())
    held = evidence_for(data, metric, model)
    if is_share(held):
        return share_posterior(held, 1.0 if prior is None else checked_prior(prior))
    values = posterior_draws(held, prior, draws=draws, seed=seed)
    return SampledPosterior(values, seed=seed, bounds=held.metric.range)


def checked_prior(prior: float) -> float:
    """Return a prior mass per cell; refuse what is not a positive number."""
    rule = messages.POSITIVE_NUMBER_PER_CELL()
    return check_number("prior", prior, rule, above=0)


def is_share(evidence: Evidence) -> bool:
    """Say whether the posterior is a Beta under a link: cells that each row, or each chunk, falls into once."""
    return evidence.metric.share is not None and evidence.countable


def share_posterior(evidence: Evidence, prior: float) -> SharePosterior:
    """Return the exact posterior of a share."""
    share = evidence.metric.share
    assert share is not None
    parts = (share.success, share.failure)
    counts = (float(np.nan_to_num(evidence.cells.counted(part) * evidence.size)) for part in parts)
    a, b = (count + prior * mass for count, mass in zip(counts, share.masses, strict=True))
    return SharePosterior(a, b, share.weight)


def posterior_draws(evidence: Evidence, prior: float | None, *, draws: int, seed: int) -> Array:
    """Return draws of the metric from a Dirichlet on its cells, in random order."""
    seen, shares = _multinomial(evidence)
    counts = shares * float(evidence.size)
    blocks = dirichlet_blocks(counts.ravel(), prior=prior_used(evidence, prior), draws=draws, seed=seed)
    return np.concatenate([seen.value_at(block.reshape(-1, *counts.shape)) for block in blocks])


def _multinomial(evidence: Evidence) -> tuple[CellView, Array]:
    """Return the cells and their shares that a Dirichlet can be put on."""
    linear = evidence.linear
    seen = None if linear is None else linear.view
    shares = None if seen is None else seen.multinomial
    if seen is None or shares is None:
        raise MethodError(messages.METRIC_HAS_NO_POSTERIOR_HERE(metric=evidence.metric.name))
    return seen, shares


def prior_used(evidence: Evidence, prior: float | None) -> float:
    """Return the prior per cell of the draws: by default mass 2 in all for K classes, ½ per cell of one class."""
    if prior is not None:
        return checked_prior(prior)
    seen, shares = _multinomial(evidence)
    return 2 / shares.size if seen.chunked else default_prior(shares.shape)


def evidence_for(data: Table | Folds, metric: MetricLike, model: str | None = None) -> Evidence:
    """Return a metric on a table or on folds, with what they count for."""
    if isinstance(data, Folds):
        linear = linearise(data.effective, named(metric), model)
        return evidence_of(linear).with_size(linear.design.total)
    if not isinstance(data, Table):
        raise InputError(messages.DATA_TABLE_HOWSURE(kind=type(data).__name__))
    return evidence_of(linearise(data, named(metric), model))


def both_draws(b: Evidence, a: Evidence, prior: float | None, *, draws: int, seed: int) -> Iterator[Array]:
    """Yield independent draws of two metrics, b first."""
    for held, state in zip((b, a), np.random.SeedSequence(seed).generate_state(2), strict=True):
        yield posterior_draws(held, prior, draws=draws, seed=int(state))
