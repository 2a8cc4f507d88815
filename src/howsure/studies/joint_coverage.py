"""Coverage and length of joint intervals: tables drawn from a population of several rules, all metrics at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from howsure.estimates.catalogue import interval, named_method
from howsure.estimates.evidence import Evidence, evidence_of_matrices
from howsure.estimates.joint import correlation_of
from howsure.estimates.methods.limits import blur
from howsure.estimates.tail import Tail, tail_at
from howsure.metrics.metric import Metric, selection_of
from howsure.metrics.names import MetricLike, named
from howsure.numerics.critical import critical_value
from howsure.tables.covariance import family_of
from howsure.tables.design import plain_design
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.types import Array

Counts = tuple[int, int, int]  # tp, fp, fn
LEVEL = 0.95


@dataclass(frozen=True)
class JointMethod:
    """A way to make the intervals of several estimates.

    ``together``: they are to hold together, with one critical value for all. ``corrected``: their variances hold what
    the correction adds. ``scaled``: they are made on the scale of the metric's range.
    """

    together: bool = False
    corrected: bool = False
    scaled: bool = False


JOINT_METHODS = {
    "corrected": JointMethod(together=True, corrected=True),
    "joint": JointMethod(together=True),
    "individual": JointMethod(),
    "individual-corrected": JointMethod(corrected=True),
    "scaled": JointMethod(together=True, scaled=True),
    "individual-scaled": JointMethod(scaled=True),
}


def population_table(counts: Mapping[str, Counts], *, positives: int, n: int) -> Table:
    """Return rules with these counts on the same n rows, independent of each other among rows of one true class.

    Published counts say nothing of how rules agree; given the truth, independence is the least that can be assumed.
    """
    cells = [(truth, *predictions) for truth in (0, 1) for predictions in product((0, 1), repeat=len(counts))]
    shares = [
        [fp / (n - positives) for _, fp, _ in counts.values()],
        [tp / positives for tp, _, _ in counts.values()],
    ]
    chances = [
        (positives if cell[0] else n - positives)
        * float(np.prod([share if hit else 1 - share for share, hit in zip(shares[cell[0]], cell[1:], strict=True)]))
        for cell in cells
    ]
    return table_of_cells(np.array(cells), np.array(chances), tuple(counts))


def table_of_cells(cells: Array, counts: Array, models: Sequence[str]) -> Table:
    """Return the table of distinct rows (truth, predictions), labels 0 and 1, with possibly fractional counts."""
    rows = Labels(cells[:, 0], cells[:, 1:], labels=(0, 1), pos_label=1)
    return Table(tuple(models), rows, plain_design(counts))


@lru_cache(maxsize=4096)
def _critical(correlation: bytes, level: float) -> float:
    """Return the critical value of a correlation given by its bytes; coverage, length and their errors ask for one."""
    flat = np.frombuffer(correlation)
    return float(critical_value(flat.reshape(math.isqrt(flat.size), -1), level))


@dataclass(frozen=True)
class JointCoverage:
    """Intervals of all rules × metrics on ``replicates`` samples of n rows from a population (a table of shares).

    The critical value is that of the population's correlation; a sample's own differs by a few thousandths.
    """

    population: Table
    metrics: tuple[MetricLike, ...]
    n: int
    replicates: int
    seed: int | tuple[int, ...] = 0
    level: float = LEVEL

    @cached_property
    def _metrics(self) -> tuple[Metric, ...]:
        return tuple(named(metric) for metric in self.metrics)

    @cached_property
    def _samples(self) -> Array:
        shares = self.population.counts / self.population.counts.sum()
        return np.random.default_rng(self.seed).multinomial(self.n, shares, size=self.replicates).astype(float)

    def _matrices(self, model: int, counts: Array) -> Array:
        cells, width = self.population.contents.keys(), len(self.population.labels)
        place = np.zeros((len(cells), width * width))
        place[np.arange(len(cells)), width * cells[:, 0] + cells[:, 1 + model]] = 1.0
        return np.asarray((counts @ place).reshape(-1, width, width))

    @cached_property
    def evidences(self) -> list[Evidence]:
        """The evidence of every estimate in all samples, rule by rule; variances with n − 1."""
        found = []
        for model, metric in self._pairs:
            made = self._evidence(metric, self._matrices(model, self._samples))
            found.append(made.with_variance(made.variance * self.n / (self.n - 1)))
        return found

    def _evidence(self, metric: Metric, matrices: Array) -> Evidence:
        positive = self.population.pos_label
        selection = selection_of(metric, self.population.labels, positive)
        place = None if positive is None else self.population.labels.index(positive)
        return evidence_of_matrices(metric, matrices, selection=selection, positive=place)

    @property
    def _pairs(self) -> list[tuple[int, Metric]]:
        return [(model, metric) for model in range(len(self.population.models)) for metric in self._metrics]

    @cached_property
    def truths(self) -> Array:
        """The true values."""
        counts = self.population.counts[None]
        whole = ((metric, self._matrices(model, counts)) for model, metric in self._pairs)
        found = [self._evidence(metric, one).value for metric, one in whole]
        return np.concatenate(found)

    @cached_property
    def _covariance(self) -> Array:
        """The covariance of the estimates at this n, at the true shares."""
        size = float(self.population.counts.sum())
        return family_of(self.population, self._metrics).covariances * size / self.n

    @cached_property
    def _blurring(self) -> Array:
        """What the correction adds to each variance, sample by sample."""
        return np.stack([blur(evidence, Tail(self.level).z) for evidence in self.evidences])

    def members(self, model: str | None) -> list[int]:
        """Return the places of one rule's estimates, or of all."""
        width = len(self._metrics)
        if model is None:
            return list(range(len(self._pairs)))
        start = self.population.models.index(model) * width
        return list(range(start, start + width))

    def critical(self, members: Sequence[int], method: str) -> float:
        """Return the critical value of some estimates by a method."""
        way = JOINT_METHODS[method]
        if not way.together:
            return Tail(self.level).z
        covariance = self._covariance[np.ix_(members, members)]
        if way.corrected:
            covariance = covariance + np.diag(self._blurring[members].mean(axis=1))
        correlation = correlation_of(covariance, still=np.zeros(len(members), dtype=bool))
        # Rounded, so that samples of several sizes, whose correlations differ in the last bits alone, ask once.
        return _critical(np.round(correlation, 12).tobytes(), self.level)

    def limits(self, member: int, method: str, q: float) -> tuple[Array, Array]:
        """Return both limits of one estimate in all samples."""
        evidence, way = self.evidences[member], JOINT_METHODS[method]
        if way.scaled:
            name = {(0.0, 1.0): "logit", (-1.0, 1.0): "atanh"}.get(evidence.metric.range, "log")
            found = interval(evidence, named_method(name), tail_at(q))
            return np.asarray(found.low), np.asarray(found.high)
        added = self._blurring[member] if way.corrected else 0.0
        half = q * np.sqrt(evidence.variance + added)
        return evidence.value - half, evidence.value + half

    def joint(self, method: str, model: str | None = None, *, relative: bool = False) -> tuple[float, float]:
        """Return the share of samples in which all intervals hold, and their mean length (over the true value)."""
        members = self.members(model)
        q = self.critical(members, method)
        held, lengths = np.ones(self.replicates, dtype=bool), []
        for member in members:
            low, high = self.limits(member, method, q)
            truth = self.truths[member]
            held &= (low <= truth) & (truth <= high)
            lengths.append(np.nanmean(high - low) / (truth if relative else 1.0))
        return float(held.mean()), float(np.mean(lengths))

    def length_error(self, method: str, model: str | None = None, *, relative: bool = False) -> float:
        """Return the standard deviation of the mean length from sample to sample, at a fixed critical value."""
        members = self.members(model)
        q, total = self.critical(members, method), np.zeros(self.replicates)
        for member in members:
            low, high = self.limits(member, method, q)
            total += (high - low) / (self.truths[member] if relative else 1.0)
        return float(np.nanstd(total / len(members)))

    def error(self, coverage: float) -> float:
        """Return the Monte-Carlo standard error of a coverage."""
        return float(np.sqrt(coverage * (1 - coverage) / self.replicates))

    def single(self, method: str) -> list[float]:
        """Return how often each estimate's own interval holds its true value."""
        found = []
        for member, truth in enumerate(self.truths):
            low, high = self.limits(member, method, self.critical([member], method))
            found.append(float(np.mean((low <= truth) & (truth <= high))))
        return found

    @cached_property
    def defined(self) -> Array:
        """In which samples every estimate has a value."""
        return np.asarray(np.isfinite([evidence.value for evidence in self.evidences]).all(axis=0))
