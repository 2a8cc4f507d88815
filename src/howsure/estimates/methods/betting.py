"""A lower limit of the mean of numbers in [0, 1] that holds at every sample size: betting against each mean.

Who bets a fraction of a fortune on x − m in every row, λ of it, multiplies the fortune by 1 + λ(x − m). If m is the
true mean, the game is fair for every λ up to 1/m, and so is a mixture of gamblers: the fortune reaches 1/p with
probability p at most (Markov). The limit is the mean against which the mixture would have made 1/p.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import logsumexp

from howsure.numerics.solving import bracketed_root
from howsure.types import Array

LEAST = 5.4  # times 1/√n: the best bet where values are 0 or 1 and p is 0.025; narrower values want larger ones
RATIO = 1.15
BETS = 80


def betting_limit(values: Array, counts: Array, probability: float) -> float:
    """Return the lower limit of a mean, which exceeds the true one with at most this probability.

    Assumes independent values in [0, 1] of one mean, whatever their distribution. Bets are λ = λ₀·1.15^k with weights
    ∝ 1/λ, cut at 1/m; λ₀ goes with 1/√n, so the limit is for the number of rows at hand and not for many looks. Each
    bet's fortune falls as m rises, so the limit is unique, and limits of several levels are nested.

    Waudby-Smith & Ramdas (2024) JRSS B 86:1, with a mixture of constant bets (Cover 1991, Mathematical Finance 1:1)
    in place of bets that follow the data: it does not depend on the order of the rows.

    >>> round(betting_limit(np.array([0.2, 0.5, 0.8]), np.array([20.0, 40.0, 20.0]), 0.025), 3)
    0.429
    """
    values, counts = values[counts > 0], counts[counts > 0]
    mean = float(counts @ values) / float(counts.sum())
    if not mean > 0:
        return 0.0
    bets = LEAST / np.sqrt(counts.sum()) * RATIO ** np.arange(BETS)
    masses = np.log(np.append(np.full(BETS - 1, 1 - 1 / RATIO), 1.0)) - np.log(RATIO) * np.arange(BETS)
    goal = -math.log(probability)

    def beyond(m: float) -> float:
        return _log_fortune(values, counts, bets, masses, m) - goal

    if not beyond(mean * 1e-12) > 0:
        return 0.0
    return float(bracketed_root(beyond, mean * 1e-12, mean, tolerance=1e-13))


def _log_fortune(values: Array, counts: Array, bets: Array, masses: Array, m: float) -> float:
    with np.errstate(divide="ignore"):
        logs = [counts @ np.log1p(np.maximum(min(bet, 1 / m) * (values - m), -1.0)) for bet in bets]
    return float(logsumexp(np.array(logs) + masses))
