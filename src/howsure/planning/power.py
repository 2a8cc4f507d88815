"""What n rows can tell of two models: power, rows needed, the smallest difference detected."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from howsure.comparisons.methods.discordant import shared_denominator
from howsure.errors import InputError
from howsure.errors.messages import planning as messages
from howsure.estimates.methods.anytime import carried
from howsure.metrics.largest_variance import denominator
from howsure.metrics.metric import Metric
from howsure.results.plans.plan import Clusters
from howsure.tables.covariance import covariance, linearise
from howsure.tables.design import plain_design
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.types import Array

STEPS = 50
HALVINGS = 60
PairedCells = Callable[[float | None], Array]
PairMoments = Callable[[float | None], tuple[float, float]]


def paired_moments(metric: Metric, shares: Array, *, paired: bool) -> tuple[float, float]:
    """Return the difference b − a at these shares and n times its variance."""
    return moments_of(table_of_shares(shares), metric, paired=paired)


def moments_of(table: Table, metric: Metric, *, paired: bool) -> tuple[float, float]:
    """Return the difference b − a of a table of two models and n times its variance, whatever its rows hold."""
    linears = [linearise(table, metric, model) for model in table.models]
    joint = covariance(table, linears)
    variance = joint[0, 0] + joint[1, 1] - (2 * joint[0, 1] if paired else 0.0)
    if not np.isfinite(variance):
        raise InputError(messages.METRIC_IS_UNDEFINED_OR_HAS_NO_SLOPE_AT_PERFORMANCE(metric=metric.name))
    return linears[1].value - linears[0].value, float(max(variance, 0.0) * table.n)


def table_of_shares(shares: Array) -> Table:
    """Return the table of (truth, a, b) with these counts, which may be fractions."""
    width = len(shares)
    truth, a, b = (part.ravel() for part in np.indices(shares.shape))
    flat = shares.ravel()
    positive = 1 if width == 2 else None
    rows = Labels(truth, np.column_stack([a, b]), labels=tuple(range(width)), pos_label=positive)
    return Table(("a", "b"), rows, plain_design(flat))


class PowerQuestion:
    """What n rows can tell of two models, as a function of the difference between them."""

    def __init__(
        self, metric: Metric, pair: PairedCells, paired: bool, margin: float | None, critical: float, ahead: float,
        clusters: Clusters | None,
    ) -> None:  # fmt: skip
        self.metric, self.pair, self.paired, self.margin = metric, pair, paired, margin
        self.critical, self.ahead = critical, ahead
        self.factor = 1.0 if clusters is None else clusters.design_effect
        self.counted = paired and margin is None and shared_denominator(metric)

    def agreement(self, difference: float) -> float:
        """Return the share of rows on which the two agree; nan where rows hold no labels."""
        return float(np.einsum("zkk->", self.pair(difference)))

    def gap(self, difference: float | None) -> float:
        return paired_moments(self.metric, self.pair(difference), paired=self.paired)[0]

    def variance(self, difference: float) -> float:
        return paired_moments(self.metric, self.pair(difference), paired=self.paired)[1]

    def carrying(self, difference: float) -> float:
        """Return the share of rows that carry the difference: the participation number of their influences."""
        table = table_of_shares(self.pair(difference))
        first, second = (linearise(table, self.metric, model).influence for model in table.models)
        return float(carried(second - first, table.design.weights / table.n))

    def null_variance(self, difference: float) -> float:
        """Return n·variance as the test sees it: McNemar's counts every discordant row, not only the surplus."""
        variance = self.variance(difference)
        if not self.counted:
            return variance
        share, _ = denominator(self.metric, float(self.pair(difference)[1].sum()), None)
        return variance + difference**2 / share

    def effect(self, difference: float) -> float:
        """Return how far the truth lies from what is refuted; with a margin, in the direction that is better."""
        if self.margin is None:
            return abs(difference)
        return self.margin + (-difference if self.metric.better == "lower" else difference)

    def needed(self, difference: float) -> float:
        effect = self.effect(difference)
        if not effect > 1e-12:
            away = (
                messages.ZERO_AS_PLANNED()
                if self.margin is None
                else messages.BEYOND_MARGIN(difference=difference, margin=self.margin)
            )
            remedy = messages.PLAN_FOR_DIFFERENCE() if self.margin is None else ""
            raise InputError(messages.DIFFERENCE_NO_NUMBER_OF_ROWS(away=away, remedy=remedy))
        tested, true = math.sqrt(self.null_variance(difference)), math.sqrt(self.variance(difference))
        return self.factor * (self.critical * tested + self.ahead * true) ** 2 / effect**2

    def answer(self, difference: float | None, n: int | None, power: float) -> tuple[int, float, float]:
        """Return rows, difference and power, two of which are given."""
        if n is None:
            assert difference is not None
            return max(2, math.ceil(self.needed(difference) * (1 - 1e-12))), difference, power
        if difference is None:
            return int(n), self.detectable(int(n)), power
        tested, true = (
            math.sqrt(part * self.factor / n) for part in (self.null_variance(difference), self.variance(difference))
        )
        return int(n), difference, float(ndtr((self.effect(difference) - self.critical * tested) / true))

    def detectable(self, n: int) -> float:
        """Return the smallest difference that n rows detect; it changes the variance, so in steps."""
        found = 0.0
        for _ in range(STEPS):
            try:
                size = self._reach(n, found)
            except InputError:
                if self.margin is not None or found == 0:
                    raise
                return self._between(n, found)
            new = size if self.margin is None else self._towards(size)
            if abs(new - found) < 1e-10:
                break
            found = new
        return found

    def _reach(self, n: int, difference: float) -> float:
        """Return the effect that n rows detect if the variance is that at a difference."""
        variances = (self.null_variance(difference), self.variance(difference))
        tested, true = (math.sqrt(part / n) for part in variances)
        return math.sqrt(self.factor) * (self.critical * tested + self.ahead * true)

    def _between(self, n: int, beyond: float) -> float:
        """Return the detectable difference by halving, where a step led further than the metric can move."""
        low, high = 0.0, beyond
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            try:
                short = self._reach(n, middle) > middle
            except InputError:
                short = False
            low, high = (middle, high) if short else (low, middle)
        if self._reach(n, low) - low > 1e-6:
            raise InputError(messages.N_FEW_ROWS_DETECT_NO_RISE(n=n, metric=self.metric.name, low=low))
        return low

    def _towards(self, size: float) -> float:
        assert self.margin is not None
        return (self.margin - size) if self.metric.better == "lower" else (size - self.margin)


class MomentsQuestion(PowerQuestion):
    """The same where difference and variance are known without cells: of scores, of row values."""

    def __init__(
        self, metric: Metric, moments: PairMoments, paired: bool, margin: float | None, critical: float, ahead: float,
        clusters: Clusters | None,
    ) -> None:  # fmt: skip
        super().__init__(metric, lambda difference: np.zeros((0, 0, 0)), paired, margin, critical, ahead, clusters)
        self.moments, self.counted = moments, False

    def carrying(self, difference: float) -> float:
        """Return that nothing is known of single rows: limits at any time take the variance as it is."""
        return math.inf

    def agreement(self, difference: float) -> float:
        """Rows hold no labels to agree on."""
        return math.nan

    def gap(self, difference: float | None) -> float:
        """Return the difference that is planned for."""
        return self.moments(difference)[0]

    def variance(self, difference: float) -> float:
        """Return n·variance of the difference."""
        return self.moments(difference)[1]
