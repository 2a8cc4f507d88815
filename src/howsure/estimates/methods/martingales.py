"""Test martingales: fortunes of games that are fair at a supposed value, and the values against which none was made.

If the supposed value is the true one, the fortune is 1 on average after every row, so it *ever* reaches 1/p with
probability p at most (Ville 1939). The values against which it has not reached 1/p are therefore limits that hold at
all sample sizes together. Three games: on outcomes of 0 and 1, on numbers in [0, 1], and on what is nearly normal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import betainc, betaln, expit, log_expit, log_ndtr, logit, logsumexp

from howsure.errors import InputError
from howsure.errors.messages import estimates as messages
from howsure.estimates.tail import Tail
from howsure.numerics.solving import bracketed_root
from howsure.types import Array

PRIOR = 0.5
_HALVINGS = 64
_FAR = 745.0  # expit(-745) is the smallest positive number
NODES = 128
MOST_VALUES = 1024
BEST_AT = 500  # rows at which the normal limits are shortest
_ALPHA = 0.05
PER_ROW = (1 - 2 * math.log(_ALPHA) + math.log(-2 * math.log(_ALPHA))) / BEST_AT


# --- outcomes of 0 and 1


def confidence_sequence(successes: Any, failures: Any, *, level: float = 0.95) -> tuple[Array, Array]:
    """Return limits for a share that hold with the level for all sample sizes together.

    Under a share p the ratio M = B(½+s, ½+f) / (B(½, ½) p^s (1−p)^f), the likelihood averaged over a Beta(½, ½) prior
    against that of p, is a martingale that starts at 1, so it ever reaches 1/(1−level) with probability at most 1−level
    (Ville 1939; Robbins 1970). The limits hold every p whose M is below. Assumes independent outcomes of one share.
    (Howard, Ramdas, McAuliffe & Sekhon 2021, Annals of Statistics 49:1055; Waudby-Smith & Ramdas 2024, JRSS B 86:1.)

    >>> low, high = confidence_sequence(90, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.772, 0.971)
    """
    sure = Tail(level).level
    s, f = _counts(successes, failures)
    room = np.asarray(betaln(PRIOR, PRIOR) - betaln(PRIOR + s, PRIOR + f) - np.log1p(-sure))

    def outside(x: Array) -> Array:
        return np.asarray(-s * log_expit(x) - f * log_expit(-x) >= room)

    low = np.where(s > 0, expit(_edge(outside, np.full(s.shape, -_FAR), _centre(s, f))), 0.0)
    high = np.where(f > 0, expit(_edge(outside, np.full(s.shape, _FAR), _centre(s, f))), 1.0)
    return low, high


def share_limit(successes: Any, failures: Any, probability: float) -> Array:
    """Return a lower limit of a share that is ever wrong with at most this probability.

    As ``confidence_sequence``, but only against shares that are too small: the prior is that part of Beta(½, ½) which
    lies above the share tested. Near 1 a lower limit is so nearer to the share than a two-sided one is.

    >>> round(float(share_limit(90, 10, 0.05)), 3)
    0.79
    """
    s, f = _counts(successes, failures)
    room = betaln(PRIOR, PRIOR) - betaln(PRIOR + s, PRIOR + f) - math.log(probability)

    def outside(x: Array) -> Array:
        rest = expit(-x)
        with np.errstate(divide="ignore"):
            above = np.log(betainc(PRIOR + f, PRIOR + s, rest)) - np.log(betainc(PRIOR, PRIOR, rest))
        return np.asarray(above - s * log_expit(x) - f * log_expit(-x) >= room)

    return np.where(s > 0, expit(_edge(outside, np.full(s.shape, -_FAR), _centre(s, f))), 0.0)


def _counts(successes: Any, failures: Any) -> tuple[Array, Array]:
    s, f = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(failures, dtype=float))
    if (s < 0).any() or (f < 0).any() or not (np.isfinite(s) & np.isfinite(f)).all():
        raise InputError(messages.SUCCESSES_AND_FAILURES_MUST_BE_FINITE())
    return s, f


def _centre(s: Array, f: Array) -> Array:
    """Return the log-odds of the observed share: there −s·log p − f·log(1−p), convex on that scale, is least."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(np.where(s + f > 0, logit(s / (s + f)), 0.0), -_FAR, _FAR)


def _edge(outside: Callable[[Array], Array], far: Array, near: Array) -> Array:
    """Return the point between far (outside) and near (inside) where outside ends, by halving; itself outside."""
    for _ in range(_HALVINGS):
        middle = (far + near) / 2
        out = outside(middle)
        far, near = np.where(out, middle, far), np.where(out, near, middle)
    return far


# --- numbers in [0, 1]


def log_fortune(values: Array, counts: Array, mean: float) -> float:
    """Return the log of the fortune that bets on values above a supposed mean m have made, whatever the rows' order.

    A gambler who takes q > m for the mean stakes a part (q − m)/(m(1 − m)) of the fortune on x − m in each row, so that
    it is multiplied by x·q/m + (1−x)(1−q)/(1−m). The fortune is the average over such gamblers, q drawn from the part
    of Beta(½, ½) above m. For x of 0 and 1 this is the likelihood ratio of ``share_limit``; for x of 0, ½ and 1 and
    m = ½ it sees the discordant rows of two models alone. Waudby-Smith & Ramdas (2024), with constant bets.

    >>> values, counts = np.array([0.0, 0.5, 1.0]), np.array([5.0, 85.0, 10.0])
    >>> round(math.exp(log_fortune(values, counts, 0.5)), 3)
    0.854
    """
    places, masses = _gamblers()
    start = math.asin(math.sqrt(mean))
    further = (math.pi / 2 - start) * places
    stakes = np.sin(further) * np.sin(2 * start + further) / (mean * (1 - mean))  # (q − m)/(m(1 − m))
    with np.errstate(divide="ignore"):
        logs = np.log1p(np.maximum(stakes[:, None] * (values - mean), -1.0)) @ counts
    return float(logsumexp(logs, b=masses))


@cache
def _gamblers() -> tuple[Array, Array]:
    """Return where gamblers stand between m and 1 on the scale of arcsin √q, on which Beta(½, ½) is even, and masses.

    Dense near m: of many rows small bets make the most. The masses are fixed, so the mixture is a martingale as it is.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    spots = (nodes + 1) / 2
    return spots**3, weights / 2 * 3 * spots**2


def mean_limit(values: Array, counts: Array, probability: float) -> float:
    """Return a lower limit of the mean of numbers in [0, 1] that is ever wrong with at most this probability.

    Assumes independent values of one mean, whatever their distribution. Values of more than 1 024 kinds are shared
    between two of as many marks: the mean stays, and as a logarithm is concave, no fortune grows by it.

    >>> round(mean_limit(np.array([0.2, 0.5, 0.8]), np.array([20.0, 40.0, 20.0]), 0.025), 3)
    0.43
    """
    values, counts = _gathered(values[counts > 0], counts[counts > 0])
    mean = min(float(counts @ values) / float(counts.sum()), 1 - 1e-12) if len(values) else 0.0
    goal = -math.log(probability)
    if not mean > 0 or not log_fortune(values, counts, mean * 1e-12) > goal:
        return 0.0
    return float(bracketed_root(lambda m: log_fortune(values, counts, m) - goal, mean * 1e-12, mean, tolerance=1e-13))


def _gathered(values: Array, counts: Array) -> tuple[Array, Array]:
    if len(values) <= MOST_VALUES:
        return values, counts
    last = MOST_VALUES - 1
    place = np.clip(values, 0.0, 1.0) * last
    below = np.minimum(place.astype(np.int64), last - 1)
    part = place - below
    held = np.bincount(below, counts * (1 - part), MOST_VALUES) + np.bincount(below + 1, counts * part, MOST_VALUES)
    return np.linspace(0.0, 1.0, MOST_VALUES), held


# --- what is nearly normal


def normal_log_fortune(z: float, rows: float) -> float:
    """Return the log of the fortune against "the true value is not above the supposed one", z standard errors below.

    The sum of n rows of variance 1 is to be a Brownian motion, and gamblers take drifts from the positive half of a
    normal prior of variance ρ²: log K = log 2 − ½log(1 + nρ²) + r²/2 + log Φ(r), r = z·√(nρ²/(1 + nρ²)). It grows
    with z. Robbins (1970) Ann. Math. Stat. 41:1397; with an estimated variance the level holds from many rows on alone:
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024) Annals of Statistics 52:2613.

    >>> round(math.exp(normal_log_fortune(3.0, 500)), 2)
    36.26
    """
    known = rows * PER_ROW
    r = z * math.sqrt(known / (1 + known))
    return math.log(2) - math.log1p(known) / 2 + r * r / 2 + float(log_ndtr(r))


def normal_reach(probability: float, rows: float) -> float:
    """Return how many standard errors a limit lies from the value, at any time, with at most this probability beyond.

    >>> round(normal_reach(0.025, 500), 2), round(normal_reach(0.025, 5000), 2)
    (3.04, 3.26)
    """
    goal = -math.log(probability)
    known = rows * PER_ROW
    most = math.sqrt(2 * (goal + math.log1p(known)) * (1 + known) / known) + 1
    return float(bracketed_root(lambda z: goal - normal_log_fortune(z, rows), 0.0, most, tolerance=1e-12))
