"""What a judge is worth: moments of influences, the weight λ of the judge, and the variances with and without it.

The judge's influence g = φ(judge's answer, prediction) is a control variate for φ(truth, prediction) (double sampling:
Cochran 1977, section 12; PPI++: Angelopoulos, Duchi & Zrnic 2023, arXiv:2311.01453). Everything here is a function of
first and second moments of (φ, g₁ … g_J) over the rows with a label of people, and of (g₁ … g_J) over the others.
"""

from __future__ import annotations

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


def weights_of_judges(labelled: JudgeMoments, others: JudgeMoments, *, lost: float = 0.0) -> Array:
    """Return λ of each judge: cov(φ, g)/((1 + n/N) var g), var over all rows; between 0 and 1 in all.

    ``lost`` is 1 where var divides by one row less than there are, as in ppi-python. A judge whose λ would be negative
    is left out: one that says the opposite is more likely chance than use.
    """
    judges = len(labelled.first) - 1
    found = np.zeros(judges)
    if not (labelled.size > 0 and others.size > 0):
        return found
    towards = labelled.covariance[1:, 0]
    size = labelled.size + others.size
    spread = labelled.plus(others).covariance[1:, 1:] * (1 + labelled.size / others.size) * size / (size - lost)
    if not (np.isfinite(towards).all() and np.isfinite(spread).all()):
        return found
    held = np.flatnonzero(np.diagonal(spread) > 1e-14 * max(float(labelled.covariance[0, 0]), 1e-300))
    while len(held):
        solved = np.linalg.lstsq(spread[np.ix_(held, held)], towards[held], rcond=1e-10)[0]
        if (solved > 0).all():
            found[held] = solved / max(float(solved.sum()), 1.0)
            break
        held = held[solved > 0]
    return found


def variance_with(labelled: JudgeMoments, others: JudgeMoments, lam: Array, *, lost: float = 0.0) -> float:
    """Return V(λ) = var_n(φ − λg)/(n − lost) + var_N(λg)/N."""
    along = np.concatenate([[1.0], -lam])
    own = float(along @ labelled.covariance @ along) / (labelled.size - lost)
    pool = float(lam @ others.covariance[1:, 1:] @ lam) / others.size if others.size > 0 else 0.0
    return own + pool


def gain_of(human: float, labelled: JudgeMoments, others: JudgeMoments, lam: Array) -> float:
    """Return V of people alone over V with the judge, at smoothed moments; a mean and each λ were fitted."""
    used = float(np.count_nonzero(lam))
    judged = variance_with(labelled, others, lam, lost=1.0 + used)
    alone = human / (labelled.size - 1)
    return alone / judged if judged > 0 and np.isfinite(alone) else float("nan")
