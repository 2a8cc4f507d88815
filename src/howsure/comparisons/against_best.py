"""Multiple comparisons with the best (Hsu): which models may be the best, and how far each is from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from howsure.comparisons.contrasts import Contrasts, Reaches
from howsure.tables.covariance import Family
from howsure.types import Array

FEW = 12  # rivals: above, the critical values of so many models are found from drawn directions


@dataclass(frozen=True)
class AgainstBest:
    """For each model: difference to the best of the others, its interval (an end at 0 settles it), and its p-value."""

    other: Array
    low: Array
    high: Array
    p_value: Array
    critical: Array

    @property
    def possible(self) -> Array:
        """Whether a model may be the best."""
        return self.high > 0


@dataclass(frozen=True)
class _Race:
    """Models of one metric, ``sign`` +1 if a higher value is better and −1 otherwise."""

    reaches: Reaches
    sign: int
    method: str

    @property
    def family(self) -> Family:
        """The estimates."""
        return self.reaches.family

    def __len__(self) -> int:
        return len(self.family)

    @cached_property
    def behind(self) -> Array:
        """By how much each model is behind the rival furthest ahead: the statistic of their difference, or 0."""
        size, pairs = len(self), self.reaches.all_pairs(self.method)
        first, second = pairs.first, pairs.second
        ahead = self.sign * pairs.differences
        behind = np.zeros((size, size))
        behind[first, second] = np.where(ahead > 0, pairs.statistics, 0.0)
        behind[second, first] = np.where(ahead < 0, pairs.statistics, 0.0)
        return np.asarray(behind.max(axis=1, initial=0.0))

    def against(self, model: int) -> Contrasts:
        """Return model − other for all others, so that positive is good."""
        others = np.array([other for other in range(len(self)) if other != model])
        mine = np.full(len(others), model)
        first, second = (others, mine) if self.sign > 0 else (mine, others)
        return Contrasts(self.family, first, second, self.reaches, self.method, FEW)


def against_best(reaches: Reaches, *, better: str, level: float, method: str = "mover") -> AgainstBest:
    """Return simultaneous intervals of each model's true value minus the best of the others.

    For model i, [min(0, …), max(0, …)] with a one-sided critical value of the largest of its differences (Hsu 1984
    Ann. Stat. 12:1136; Edwards & Hsu 1983 JASA 78:965 for unequal variances). A model whose upper end is 0 is not the
    best; together the others hold the best with the stated level, whichever that is.
    """
    race = _Race(reaches, 1 if better == "higher" else -1, method)
    size = len(race)
    contrasts = [race.against(model) for model in range(size)]
    q = np.array([float(against.critical(level, side="upper")) for against in contrasts])
    upper = np.full((size, size), np.inf)
    for model in range(size):
        upper[model, np.arange(size) != model] = contrasts[model].limits(q[model])[1]
    high = np.maximum(0.0, upper.min(axis=1))
    possible = high > 0
    low = np.array([_lower(model, upper, possible) for model in range(size)])
    values = np.where(np.eye(size, dtype=bool), -np.inf, race.sign * race.family.values)
    p_values = np.array([_p_value(*pair) for pair in zip(contrasts, race.behind, strict=True)])
    return AgainstBest(values.argmax(axis=1), low, high, p_values, q)


def _lower(model: int, upper: Array, possible: Array) -> float:
    """Return the lower end: 0 if no other can be the best, else from those that can (their own critical values)."""
    rivals = [other for other in np.flatnonzero(possible) if other != model]
    return min([0.0, *(-float(upper[rival, model]) for rival in rivals)])


def _p_value(contrasts: Contrasts, behind: float) -> float:
    """Return the smallest error probability, 1 − level, at which a model is ruled out as the best.

    P(max Z ≥ z) of its differences to all others, z the statistic of the rival that is furthest ahead; 1 if none is.
    """
    return float(contrasts.tails(np.array([behind]), side="upper")[0]) if behind > 0 else 1.0


def may_be_best(reaches: Reaches, *, better: str, level: float, method: str = "mover") -> Array:
    """Return which models may be the best: as ``against_best``, with critical values only where they matter.

    The critical value of k − 1 differences lies between the quantile of a single one and Bonferroni's. A model behind
    by more than the second is out and one behind by less than the first is in, whatever the correlations are.
    """
    race = _Race(reaches, 1 if better == "higher" else -1, method)
    size = len(race)
    least = float(-ndtri(1 - level))
    most = float(-ndtri((1 - level) / max(size - 1, 1)))
    found = np.ones(size, dtype=bool)
    for model in range(size if size > 1 else 0):
        if race.behind[model] > most:
            found[model] = False
        elif race.behind[model] > least:
            found[model] = not race.against(model).exceeds(float(race.behind[model]), level)
    return found
