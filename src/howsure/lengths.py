"""How long an interval will be: the distribution of its half-width at n rows, by enumeration or simulation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from howsure.cells import Array
from howsure.enumeration import number_of_outcomes, outcomes, random_outcomes
from howsure.evidence import Tail
from howsure.intervals import IntervalMethod
from howsure.metric import Metric
from howsure.populations import Population
from howsure.scenario import Scenario, how_to

MOST_OUTCOMES = 60_000  # enumerated; beyond that simulation is exact enough and quicker
TABLES, TABLES_OF_MATRICES = 10_000, 4_000  # the whole matrix costs more, and its half-width varies less
BLOCK = 20_000


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

    @property
    def tables(self) -> int:
        """Number of simulated tables, where there are too many to enumerate."""
        return TABLES if self.metric.over == "class" else TABLES_OF_MATRICES

    def exact(self, n: float) -> bool:
        """Say whether the half-widths at n rows are all there are, rather than drawn."""
        return self.halves(max(1, round(n))).exact

    def halves(self, n: int) -> Halves:
        """Return the half-widths at n rows; nan where the metric is undefined."""
        if n not in self._kept:
            self._kept[n] = self._found(n)
        return self._kept[n]

    def _found(self, n: int) -> Halves:
        scenario = Scenario(self.metric, self.source, self.tail, "nan", n, self.seed)
        how = how_to(scenario, self.entry, None)
        if how != "simulate" and number_of_outcomes(scenario.shares(how), n) > MOST_OUTCOMES:
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
                low, high = scenario.limits(self.entry, scenario.evidence(stack), stack)
                parts.append((np.asarray(high - low) / 2, weight[start : start + BLOCK]))
        half, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Halves(half, weight / weight.sum(), how != "simulate")

    def mean(self, n: float) -> float:
        """Return the expected half-width, given that the metric is defined."""
        half, weight, _ = self.halves(max(1, round(n)))
        defined = ~np.isnan(half)
        return float(half[defined] @ weight[defined] / weight[defined].sum()) if defined.any() else float("inf")

    def quantile(self, n: float, probability: float) -> float:
        """Return the half-width that is met with this probability; an undefined metric never meets it."""
        half, weight, _ = self.halves(max(1, round(n)))
        half = np.where(np.isnan(half), np.inf, half)
        order = np.argsort(half)
        place = int(np.searchsorted(np.cumsum(weight[order]), probability - 1e-12))
        return float(half[order][min(place, len(half) - 1)])

    def probability(self, n: int, goal: float) -> float:
        """Return the probability that the half-width is at most the goal."""
        half, weight, _ = self.halves(n)
        return float(weight[half <= goal + 1e-12].sum())

    def error(self, n: int) -> float:
        """Return the Monte-Carlo error of the expected half-width; 0 where it is exact."""
        half, weight, exact = self.halves(n)
        if exact:
            return 0.0
        defined = ~np.isnan(half)
        mean, share = self.mean(n), weight[defined] / weight[defined].sum()
        return float(np.sqrt(share @ (half[defined] - mean) ** 2 / self.tables))
