"""hs.posterior: the law of a metric given a table or the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from howsure.cross_validation.folds import Folds
from howsure.errors import InputError, MethodError, check_seed, check_whole
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import value_of, values_of
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.numerics.dirichlet import default_prior, dirichlet_blocks
from howsure.numerics.sampled_posterior import SampledPosterior
from howsure.numerics.share_posterior import SharePosterior
from howsure.tables.contents import Codes
from howsure.tables.linearised import Linear, linearise
from howsure.tables.table import Table
from howsure.types import Array

Posterior = SharePosterior | SampledPosterior


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
    cells, by default with 1/K per cell of a K×K table: 1 per cell would be K² invented rows, mostly errors.

    Folds count as their effective table. A table of weighted or grouped rows, or of tagged sentences, counts as the
    number of independent rows it is worth, as in ``estimate(method="beta")``.

    >>> from howsure import counts
    >>> law = posterior(counts(tp=77, fp=44, fn=10), "f1")
    >>> round(law.mean, 4), [round(end, 4) for end in law.interval(0.95)]
    (0.7349, [0.6648, 0.7981])

    Source: Wang & Li (2019), eqs. 25 to 27 (the exponents of 25 and 26 less one); Goutte & Gaussier (2005).
    """
    seed, draws = check_seed(seed), check_whole("draws", draws, 2, "100000 are usual")
    held = evidence_for(data, metric, model)
    if held.is_share:
        return held.share(1.0 if prior is None else checked_prior(prior))
    values = held.draws(prior, draws=draws, seed=seed)
    return SampledPosterior(values, seed=seed, bounds=held.metric.range)


def checked_prior(prior: float) -> float:
    """Return a prior mass per cell; refuse what is not a positive number."""
    if isinstance(prior, bool) or not isinstance(prior, (int, float)) or not (np.isfinite(prior) and prior > 0):
        raise InputError(
            f"prior is {prior!r}; it must be a positive number per cell, such as 1 (paper) or 0.5 (Jeffreys)"
        )
    return float(prior)


@dataclass(frozen=True)
class Held:
    """A metric on a table, and how many independent rows (or counts) stand behind it."""

    linear: Linear
    size: float

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.linear.metric

    @property
    def table(self) -> Table:
        """The table."""
        return self.linear.table

    @property
    def is_share(self) -> bool:
        """Whether the posterior is a Beta under a link: cells that each row, or each chunk, falls into once."""
        single = isinstance(self.table.rows, Codes) or self.metric.over == "class" or self.linear.row_share
        return self.metric.share is not None and single

    def share(self, prior: float) -> SharePosterior:
        """Return the exact posterior of a share."""
        share = self.metric.share
        assert share is not None
        parts = (share.success, share.failure)
        a, b = (float(np.nan_to_num(self.linear.cells.counted(part) * self.size)) + prior * len(part) for part in parts)
        return SharePosterior(a, b, share.weight)

    def draws(self, prior: float | None, *, draws: int, seed: int) -> Array:
        """Return draws of the metric from a Dirichlet on its cells, in random order."""
        counts = self._counts()
        each = self.prior_used(prior)
        blocks = dirichlet_blocks(counts.ravel(), prior=each, draws=draws, seed=seed)
        return np.concatenate([self._value(block.reshape(-1, *counts.shape)) for block in blocks])

    def _counts(self) -> Array:
        """Return the counts the Dirichlet is on: K×K, or tp fp fn (tn) of the classes in view."""
        table, cells = self.table, self.linear.cells
        if isinstance(table.rows, Codes):
            matrix = table.rows.matrix(table.weights, table.model_index(self.linear.model), len(table.labels))
            matrix *= self.size / max(float(table.weights.sum()), 1e-300)
            return matrix if table.negatives else matrix.ravel()[1:]
        if self.metric.over == "row" or (self.metric.over != "class" and not table.pooled):
            raise MethodError(
                f"metric {self.metric.name!r} has no posterior here: rows with several labels are no draws from one "
                "list of cells; use estimate(method='bootstrap'), or a metric of one class, such as 'f1[label]'"
            )
        parts = (cells.tp, cells.fp, cells.fn, cells.tn)[: 4 if table.negatives else 3]
        return np.stack([np.asarray(part) for part in parts]) * self.size

    def prior_used(self, prior: float | None) -> float:
        """Return the prior per cell of the draws: by default mass K in all for K classes, ½ per cell of one class."""
        if prior is not None:
            return checked_prior(prior)
        shape = self._counts().shape
        chunks = len(shape) == 2 and not isinstance(self.table.rows, Codes)
        return 1 / shape[0] if chunks else default_prior(shape)

    def _value(self, shares: Array) -> Array:
        metric = self.metric
        if isinstance(self.table.rows, Codes):
            if not self.table.negatives:
                hidden = np.full((len(shares), 1), np.nan)
                shares = np.concatenate([hidden, shares], axis=1).reshape(-1, 2, 2)
            return values_of(metric, shares, self.linear.selection)
        parts = [shares[:, part] for part in range(shares.shape[1])]
        rest = parts[3] if len(parts) == 4 else np.full_like(parts[0], np.nan)
        return value_of(metric, Cells(parts[0], parts[1], parts[2], rest))


def evidence_for(data: Table | Folds, metric: MetricLike, model: str | None = None) -> Held:
    """Return a metric on a table or on folds, with what they count for."""
    if isinstance(data, Folds):
        linear = linearise(data.effective, named(metric), model)
        return Held(linear, float(data.effective.weights.sum()))
    if not isinstance(data, Table):
        raise InputError(f"data is {type(data).__name__}; it must be a Table (howsure.table, counts, …) or Folds")
    linear = linearise(data, named(metric), model)
    return Held(linear, linear.effective_n)


def both_draws(b: Held, a: Held, prior: float | None, *, draws: int, seed: int) -> Iterator[Array]:
    """Yield independent draws of two metrics, b first."""
    for held, state in zip((b, a), np.random.SeedSequence(seed).generate_state(2), strict=True):
        yield held.draws(prior, draws=draws, seed=int(state))
