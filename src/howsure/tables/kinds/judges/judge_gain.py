"""What a judge is worth: moments of influences, the weight λ of the judge, and the variances with and without it.

The judge's influence g = φ(judge's answer, prediction) is a control variate for φ(truth, prediction) (double sampling:
Cochran 1977, section 12; PPI++: Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453). Everything here is a function of
first and second moments of (φ, g₁ … g_J) over the rows with a label of people, and of (g₁ … g_J) over the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from howsure.types import Array


class JudgeMoments(NamedTuple):
    """The mean and the mean product of (φ, g₁ … g_J) over so many rows."""

    size: float
    first: Array
    second: Array

    @property
    def covariance(self) -> Array:
        """The covariance, divided by the number of rows."""
        return np.asarray(self.second - np.outer(self.first, self.first))

    def plus(self, other: JudgeMoments) -> JudgeMoments:
        """Return the moments of the rows of both."""
        size = self.size + other.size
        mine, theirs = self.size / size, other.size / size
        return JudgeMoments(size, mine * self.first + theirs * other.first, mine * self.second + theirs * other.second)


def judge_moments(size: float, share: Array, columns: Array) -> JudgeMoments:
    """Return the moments of columns (one a row of the matrix) under shares that sum to 1."""
    weighted = columns * share
    return JudgeMoments(size, weighted.sum(1), weighted @ columns.T)


def independent_moments(size: float, share: Array, mean: Array, square: Array, judges: int) -> JudgeMoments:
    """Return the moments where truth and every judge are drawn apart from the same answers, given a part of the rows.

    ``mean`` and ``square`` are the moments of φ over those answers in each part, ``share`` the share of the part.
    """
    ones = np.ones(1 + judges)
    product = float(share @ mean**2)
    second = np.full((1 + judges, 1 + judges), product)
    np.fill_diagonal(second, float(share @ square))
    return JudgeMoments(size, ones * float(share @ mean), second)


class JudgePart(NamedTuple):
    """The moments of one stratum, or of all rows: labelled rows and others, the share of the pool.

    ``left`` is 1 − n/P for labels drawn without replacement from P rows that are all that is meant, and 1 otherwise.
    """

    labelled: JudgeMoments
    others: JudgeMoments
    share: float = 1.0
    left: float = 1.0

    @property
    def beyond(self) -> float:
        """1/N − 1/(P − n): what other rows leave open of the judge's mean; nothing where they are the whole rest."""
        if not self.others.size > 0:
            return 0.0
        rest = (1 - self.left) / (self.left * self.labelled.size)
        return max(1 / self.others.size - rest, 0.0)

    def variance(self, lam: Array, *, lost: float) -> tuple[float, float]:
        """Return what labelled rows and others add: left · var(φ − λg/left)/(n − lost), and var(λg)(1/N − 1/(P − n)).

        Without a finite pool these are var_n(φ − λg)/n and var_N(λg)/N. The labels of a pool and the rest of it are no
        two samples but one: n draws without replacement, whose complement the judge knows.
        """
        if not self.left > 0:
            return 0.0, 0.0
        used = lam / self.left if self.others.size > 0 else np.zeros_like(lam)
        along = np.concatenate([[1.0], -used])
        own = self.left * float(along @ self.labelled.covariance @ along) / (self.labelled.size - lost)
        return own, float(lam @ self.others.covariance[1:, 1:] @ lam) * self.beyond


def weights_of_judges(parts: Sequence[JudgePart], *, lost: float = 0.0) -> Array:
    """Return λ of each judge: cov(φ, g)/((1 + n/N) var g), var over all rows; between 0 and 1 in all.

    In strata the sums Σ W²/n of both over the strata (the combined regression estimator: Cochran 1977, section 7.10).
    ``lost`` is 1 where var divides by one row less than there are, as in ppi-python. A judge whose λ would be negative
    is left out: one that says the opposite is more likely chance than use.
    """
    judges = len(parts[0].labelled.first) - 1
    found, towards, spread, own = np.zeros(judges), np.zeros(judges), np.zeros((judges, judges)), 0.0
    for labelled, others, share, _ in parts:
        if not (labelled.size > 0 and others.size > 0):
            continue
        size, scale = labelled.size + others.size, share**2 / labelled.size
        towards += scale * labelled.covariance[1:, 0]
        every = labelled.plus(others).covariance[1:, 1:] * size / (size - lost)
        spread += scale * (1 + labelled.size / others.size) * every
        own += scale * float(labelled.covariance[0, 0])
    if not (np.isfinite(towards).all() and np.isfinite(spread).all()):
        return found
    held = np.flatnonzero(np.diagonal(spread) > 1e-14 * max(own, 1e-300))
    while len(held):
        solved = np.linalg.lstsq(spread[np.ix_(held, held)], towards[held], rcond=1e-10)[0]
        if (solved > 0).all():
            found[held] = solved / max(float(solved.sum()), 1.0)
            break
        held = held[solved > 0]
    return found


def variance_with(parts: Sequence[JudgePart], lam: Array, *, lost: float = 0.0, fitted: float = 0.0) -> float:
    """Return V(λ) = Σ W² (var_n(φ − λg)/(n − lost) + var_N(λg)/N) over the strata.

    ``fitted`` numbers were fitted to all labelled rows besides the means of the strata.
    """
    each = np.array([[part.share**2 * one for one in part.variance(lam, lost=lost)] for part in parts])
    free = sum(part.labelled.size - lost for part in parts)
    own, pool = each.sum(0).tolist()
    return float(own * free / (free - fitted) + pool)


def gain_of(people: Sequence[JudgePart], judged: Sequence[JudgePart], lam: Array) -> float:
    """Return V of people alone over V with the judge, at smoothed moments; means and each λ were fitted."""
    alone = variance_with(people, np.zeros_like(lam), lost=1.0)
    helped = variance_with(judged, lam, lost=1.0, fitted=float(np.count_nonzero(lam)))
    return alone / helped if helped > 0 and np.isfinite(alone) else float("nan")
