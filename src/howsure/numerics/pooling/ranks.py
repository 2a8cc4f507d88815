"""Ranks over tasks: Wilcoxon's signed rank, its Bayesian form, and Friedman's test with Nemenyi's critical difference.

They look at the values of tasks alone and know nothing of the rows behind them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, gammaincc, ndtr

from howsure.types import Array

EXACT = 50  # tasks up to which all signs are counted
CHUNK = 2_000


class SignedRank(NamedTuple):
    """Σ of the ranks of the positive differences, and how likely one as small or smaller, as large or larger is."""

    positive: float
    at_most: float
    at_least: float
    exact: bool


class FriedmanTest(NamedTuple):
    """Mean ranks of models over tasks, Friedman's χ² and Iman & Davenport's F, each with its p-value."""

    ranks: Array
    chi_squared: float
    p_chi_squared: float
    f: float
    p_value: float


def average_ranks(values: Array) -> Array:
    """Return ranks from 1 (the smallest), equal values sharing theirs."""
    order = np.argsort(values, kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(1, len(values) + 1)
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.bincount(inverse, weights=ranks) / counts)[inverse])


def signed_rank(differences: Array) -> SignedRank:
    """Return Wilcoxon's signed rank test: all signs counted up to 50 tasks, else normal; differences of 0 are left out.

    Wilcoxon (1945) Biometrics Bulletin 1:80. Ties share their ranks, and all signs are counted with those.
    """
    kept = differences[differences != 0]
    if not len(kept):
        return SignedRank(0.0, 1.0, 1.0, True)
    ranks = average_ranks(np.abs(kept))
    positive = float(ranks[kept > 0].sum())
    if len(kept) > EXACT:
        spread = math.sqrt(float(ranks @ ranks)) / 2
        z = (positive - float(ranks.sum()) / 2) / spread
        return SignedRank(positive, float(ndtr(z)), float(ndtr(-z)), False)
    doubled = np.rint(2 * ranks).astype(int)  # shared ranks are halves
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    ways /= ways.sum()
    at = round(2 * positive)
    return SignedRank(positive, float(ways[: at + 1].sum()), float(ways[at:].sum()), True)


def bayesian_signed_rank(
    differences: Array, *, rope: float, prior: float, draws: int, seed: int
) -> tuple[float, float, float]:
    """Return the probabilities that a new pair of tasks has a mean difference below, within and above the rope.

    A Dirichlet process on the differences with ``prior`` weight at 0; the mean of two draws from it falls below −rope,
    within it, or above; each draw of the process is counted for the largest of the three (Benavoli, Corani, Mangili &
    Zaffalon 2014, ICML; Benavoli, Corani, Demšar & Zaffalon 2017, JMLR 18:77).
    """
    held = np.append(0.0, differences)
    sums = held[:, None] + held
    above, below = (_beyond(sign * sums, 2 * rope) for sign in (1, -1))
    rng, counts = np.random.default_rng(seed), np.zeros(3)
    for start in range(0, draws, CHUNK):
        weights = rng.dirichlet(np.append(prior, np.ones(len(differences))), size=min(CHUNK, draws - start))
        down, up = (((weights @ side) * weights).sum(1) for side in (below, above))
        middle = 1 - down - up if rope > 0 else np.full(len(weights), -1.0)
        counts += np.bincount(np.argmax(np.stack([down, middle, up], axis=1), axis=1), minlength=3)
    low, within, high = counts / draws
    return float(low), float(within), float(high)


def _beyond(sums: Array, threshold: float) -> Array:
    return np.asarray((sums > threshold) + 0.5 * (sums == threshold))


def friedman_test(values: Array) -> FriedmanTest:
    """Return Friedman's test of values (tasks × models), rank 1 the largest, corrected for ties.

    Friedman (1937) JASA 32:675; F: Iman & Davenport (1980) Comm. Stat. A 9:571.
    """
    tasks, models = values.shape
    ranks = np.stack([average_ranks(-row) for row in values])
    tied = sum(
        float((counts**3 - counts).sum()) for counts in (np.unique(row, return_counts=True)[1] for row in values)
    )
    scale = 1 - tied / (tasks * models * (models**2 - 1))
    mean = ranks.mean(0)
    apart = 12 * tasks / (models * (models + 1)) * float(((mean - (models + 1) / 2) ** 2).sum())
    chi_squared = apart / scale if scale > 0 else 0.0
    left = tasks * (models - 1) - chi_squared
    f = (tasks - 1) * chi_squared / left if left > 1e-12 * chi_squared else math.inf
    first, second = models - 1.0, (models - 1.0) * (tasks - 1.0)
    tail = 0.0 if math.isinf(f) else float(betainc(second / 2, first / 2, second / (second + first * f)))
    return FriedmanTest(mean, chi_squared, float(gammaincc(first / 2, chi_squared / 2)), f, tail)


def critical_difference(models: int, tasks: int, level: float) -> float:
    """Return how far two mean ranks must lie apart to differ (Nemenyi 1963; Demšar 2006, JMLR 7:1)."""
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(level, models, np.inf))
    return q / math.sqrt(2) * math.sqrt(models * (models + 1) / (6 * tasks))
