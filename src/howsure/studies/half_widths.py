"""How long an interval will be: the distribution of its half-width at n rows, by enumeration or simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from howsure.estimates.catalogue import IntervalMethod
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.numerics.solving import smooth_on_counts
from howsure.studies.enumerate import number_of_outcomes, outcomes, random_outcomes
from howsure.studies.scenario import How, Scenario, how_to, sees_only_the_share
from howsure.tables.population import Population
from howsure.types import Array

MOST_OUTCOMES = 200_000  # enumerated; beyond that simulation is exact enough and quicker
AHEAD, FEW = 1_000_000, 4_000  # outcomes enumerated to see whether a half-width still wavers
STEPS = 16  # sizes at which tables are drawn, between n and 2n
TABLES, TABLES_OF_MATRICES = 10_000, 4_000  # the whole matrix costs more, and its half-width varies less
BLOCK = 20_000
MOST_KEPT = 2_000  # successes or failures of a share whose half-widths are kept


class Halves(NamedTuple):
    """Half-widths, how much each counts, and whether they are all there are (exact) or drawn."""

    half: Array
    weight: Array
    exact: bool


@dataclass(frozen=True, eq=False)
class Lengths:
    """The half-width of one metric's interval in samples from one population."""

    metric: Metric
    entry: IntervalMethod
    source: Population
    tail: Tail
    seed: int = 0
    _kept: dict[int, Halves] = field(default_factory=dict, repr=False)
    _numbers: dict[int, float] = field(default_factory=dict, repr=False)
    _shares: dict[str, Array] = field(default_factory=dict, repr=False)

    @property
    def tables(self) -> int:
        """Number of simulated tables, where there are too many to enumerate."""
        return TABLES if isinstance(self._scenario(1)[0].selection, int) else TABLES_OF_MATRICES

    def exact(self, n: float) -> bool:
        """Say whether the half-widths at n rows are all there are, rather than drawn."""
        return self._outcomes(max(1, round(n))) <= MOST_OUTCOMES

    def ahead(self, n: float) -> int:
        """Return over how many rows beyond n the half-width may waver: none where it is drawn, see ``_between``.

        It wavers with the period in which one more row of the rarest cell is expected, and visibly only where outcomes
        are few. Four periods are looked at: in 42 curves of half-widths (seven populations, means and quantiles of
        three methods) half of one was enough from every size up to 420, and none for means.
        """
        outcomes = self._outcomes(max(1, round(n)))
        if outcomes > MOST_OUTCOMES:
            return 0
        held = self.source.shares[self.source.shares > 0]
        most = math.inf if outcomes < FEW else AHEAD // (outcomes + FEW)
        return int(min(math.ceil(n), math.ceil(4 / held.min()), most))

    def halves(self, n: int) -> Halves:
        """Return the half-widths at n rows; nan where the metric is undefined."""
        if n not in self._kept:
            self._kept[n] = self._found(n)
        return self._kept[n]

    def _scenario(self, n: int) -> tuple[Scenario, How]:
        scenario = self._rows(n)
        return scenario, how_to(scenario, self.entry, None, of_a_share=self._of_a_share)

    def _rows(self, n: int) -> Scenario:
        return Scenario(self.metric, self.source, self.tail, "nan", n, self.seed)

    def _outcomes(self, n: int) -> float:
        """Return about how many outcomes n rows have; infinitely many where they can only be drawn."""
        if n not in self._numbers:
            scenario, how = self._scenario(n)
            drawn = how == "simulate"
            self._numbers[n] = math.inf if drawn else number_of_outcomes(scenario.shares(how), n)
        return self._numbers[n]

    def _found(self, n: int) -> Halves:
        scenario, how = self._scenario(n)
        if not self.exact(n):
            how = "simulate"
        shares = scenario.shares(how)
        if how == "simulate":
            drawn = [random_outcomes(shares, n, 0, self.tables, self.seed)]
        else:
            drawn = list(outcomes(shares, n))
        parts = []
        for counts, weight in drawn:
            for start in range(0, len(counts), BLOCK):
                stack = scenario.matrices(how, counts[start : start + BLOCK])
                parts.append((self._half(scenario, stack), weight[start : start + BLOCK]))
        half, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Halves(half, weight / weight.sum(), how != "simulate")

    @cached_property
    def _of_a_share(self) -> bool:
        """Whether the interval hangs on the successes and failures of a share alone."""
        return sees_only_the_share(self._rows(2), self.entry)

    def _half(self, scenario: Scenario, stack: Array) -> Array:
        """Return the half-widths of tables; those that hang on a share alone are kept, as its counts come again."""
        evidence = scenario.evidence(stack)
        counts = [np.rint(part).astype(np.int64) for part in evidence.shares] if self._of_a_share else []
        size = 1 + max((int(part.max(initial=0)) for part in counts), default=MOST_KEPT)
        if size > MOST_KEPT:
            low, high = scenario.limits(self.entry, evidence, stack)
            return np.asarray(high - low) / 2
        (hits, misses), known = counts, self._known(size)
        new = np.flatnonzero(np.isnan(known[hits, misses]))
        if new.size:
            some = (hits[new].astype(float), misses[new].astype(float))
            found = smooth_on_counts(partial(self._of_counts, scenario), *some)
            known[hits[new], misses[new]] = self._of_counts(scenario, *some) if found is None else found
        found = known[hits, misses]
        return np.where(np.isinf(found), np.nan, found)

    def _of_counts(self, scenario: Scenario, hits: Array, misses: Array) -> Array:
        """Return the half-widths of shares, inf where undefined.

        Tables of these rows alone: the last digit must not hang on the size at which they came first.
        """
        tables = scenario.matrices("share", np.stack([hits, misses, hits + misses == 0], axis=1))
        low, high = scenario.limits(self.entry, scenario.evidence(tables), tables)
        return np.where(np.isnan(high - low), np.inf, (high - low) / 2)

    def _known(self, size: int) -> Array:
        """Return the half-widths by successes and failures, nan where they were not asked for, inf where undefined."""
        old = self._shares.get("known", np.empty((0, 0)))
        if len(old) < size:
            self._shares["known"] = np.full((2 * size, 2 * size), np.nan)
            self._shares["known"][: len(old), : len(old)] = old
        return self._shares["known"]

    def mean(self, n: float) -> float:
        """Return the expected half-width, given that the metric is defined."""
        return self._between(n, self._mean)

    def quantile(self, n: float, probability: float) -> float:
        """Return the half-width that is met with this probability; an undefined metric never meets it."""
        return self._between(n, lambda rows: self._quantile(rows, probability))

    def _between(self, n: float, found: Callable[[int], float]) -> float:
        """Return a half-width at n rows: that of all outcomes or, where they are drawn, a line through two sizes.

        Tables are drawn at the sizes 2^(k/16) alone, and between two of them the half-width follows the power of n
        that joins them. Draws at each n for itself would rise and fall with their luck, and no n would be the first
        from which a target is met.
        """
        rows = max(1, round(n))
        if self.exact(rows):
            return found(rows)
        below, above = drawn_sizes(rows)
        lower, upper = found(below), found(above)
        if below == above or not (0 < upper < math.inf and 0 < lower < math.inf):
            return upper
        power = math.log(upper / lower) / math.log(above / below)
        return lower * math.pow(rows / below, power)

    def _mean(self, n: int) -> float:
        half, weight, _ = self.halves(n)
        defined = ~np.isnan(half)
        whole = 1.0 if defined.all() else math.fsum(weight[defined])
        return math.fsum(half[defined] * weight[defined]) / whole if whole else math.inf

    def _quantile(self, n: int, probability: float) -> float:
        half, weight, _ = self.halves(n)
        half = np.where(np.isnan(half), np.inf, half)
        order = np.argsort(half, kind="stable")
        place = int(np.searchsorted(np.cumsum(weight[order]), probability - 1e-12))
        return float(half[order][min(place, len(half) - 1)])

    def probability(self, n: int, goal: float) -> float:
        """Return the probability that the half-width is at most the goal."""
        half, weight, _ = self.halves(n)
        return float(weight[half <= goal + 1e-12].sum())

    def error(self, n: int) -> float:
        """Return the Monte-Carlo error of the expected half-width; 0 where it is exact."""
        if self.exact(n):
            return 0.0
        n = drawn_sizes(n)[1]
        half, weight, _ = self.halves(n)
        defined = ~np.isnan(half)
        mean, share = self._mean(n), weight[defined] / weight[defined].sum()
        return float(np.sqrt(share @ (half[defined] - mean) ** 2 / self.tables))


def drawn_sizes(n: int) -> tuple[int, int]:
    """Return the two numbers of the form 2^(k/16), rounded, between which n lies; twice n if it is one.

    >>> drawn_sizes(1000), drawn_sizes(1024)
    ((981, 1024), (1024, 1024))
    """
    step = math.floor(STEPS * math.log2(n))
    sizes = [round(2 ** (k / STEPS)) for k in range(step - 1, step + 3)]
    return max(size for size in sizes if size <= n), min(size for size in sizes if size >= n)
