"""One new task: where its value may lie, when those of K tasks like it are known with the error of their rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammainc, gammaincinv, ndtr

from howsure.numerics.solving import bracketed_root
from howsure.types import Array

PANELS = 100


@dataclass(frozen=True)
class NewTask:
    """The law of the true value of one more task: normal around the mean, the spread between tasks itself uncertain.

    The variance of observed values is s²·(K − 1)/χ², χ² with K − 1 degrees of freedom; a task's own part is that less
    the mean variance of rows, not below 0; the mean is known to 1/K of it, and no better than the rows allow. Plugging
    in an estimate of the task's own spread would take it for 0 half of the time.
    """

    mean: float
    square: float  # s², the variance of the observed values
    rows: float  # mean variance of a value through its rows
    tasks: int

    @cached_property
    def _law(self) -> tuple[Array, Array]:
        """Standard deviations of the new value, and the probability of each: χ² in equal steps of probability."""
        nodes, weights = np.polynomial.legendre.leggauss(8)
        half = (self.tasks - 1) / 2
        # a task's own spread ends at χ² = s²(K − 1)/V; steps narrow towards 0, where χ² is small and the spread large,
        # and towards 1, where χ² has no end
        kink = float(gammainc(half, half * self.square / self.rows)) if self.rows > 0 else 1.0
        steps = np.linspace(0.0, 1.0, PANELS + 1)
        edges = np.append(kink * steps**3, 1 - (1 - kink) * (1 - steps[1:]) ** 3) if kink < 1 - 1e-9 else steps**3
        width = np.diff(edges)[:, None]
        # steps without width, where the kink is at 0, count for nothing but must not divide by it
        at = np.maximum((edges[:-1, None] + width * (nodes + 1) / 2).ravel(), 1e-100)
        chance = (width * weights / 2).ravel()
        total = self.square * (self.tasks - 1) / (2 * gammaincinv(half, at))
        return np.sqrt(np.maximum(total - self.rows, 0.0) + np.maximum(total, self.rows) / self.tasks), chance

    def below(self, value: float) -> float:
        """Return the probability that the new value is smaller than this one."""
        if self.square == 0 == self.rows:
            return 0.5 if value == self.mean else float(value > self.mean)
        spread, chance = self._law
        return float(chance @ ndtr((value - self.mean) / spread))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the prediction interval: the new value lies in it with probability ``level``."""
        if self.square == 0 == self.rows:
            return self.mean, self.mean
        tail, spread = (1 - level) / 2, float(np.sqrt(max(self.square, self.rows / self.tasks)))
        reach = 8 * spread
        while self.below(self.mean - reach) > tail:
            reach *= 4
        low = bracketed_root(lambda x: self.below(x) - tail, self.mean - reach, self.mean, tolerance=1e-12 * spread)
        return low, 2 * self.mean - low
