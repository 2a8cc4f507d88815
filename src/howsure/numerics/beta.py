"""The beta distribution on the log-odds scale: density, tails and quantiles that stay sound from 1e-3 to 1e12.

A point is a pair (x, y) with y = 1 - x, both given to full relative precision, so nothing is lost near 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from howsure.types import Floats

# Below this, x is a power law and exp(logit) underflows: P(X < x) = x^a / (a B(a, b)) to all digits.
DEEPEST_LOGIT = 690.0
# Above this, the library function loses digits and speed while the error of the expansion is below 1e-13.
_LARGE = 1e8
_ATANH_SERIES = [1.0 / (2 * k + 3) for k in range(9)][::-1]
_FEW = 20.0
# Below this total scipy's inverse of the incomplete beta is quick and right to 1e-12. Far above it is neither: at
# counts of 1e15 the tail comes out 13 % wrong, although the incomplete beta itself stays right to 1e-8.
TRUSTED_TOTAL = 1e4
_SMALL_MISS, _FEW_ULPS = 1e-6, 5e-16  # relative: of the tail, which a step by Halley cubes, and of the share
_SMALL_STEP = 0.1  # relative, of the tail: a step after which the density is known from that before it
_HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)
_STIRLING_SERIES = [1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12]


def pair(logit: Floats) -> tuple[Floats, Floats]:
    """Return (x, 1 - x) of the log odds, each to full relative precision."""
    return special.expit(logit), special.expit(-logit)


def log_kernel(a: float, b: float, x: Floats, y: Floats) -> Floats:
    """Return log(x^a y^b / B(a, b)), the log density of the log odds of Beta(a, b).

    In the form of Loader (2000), deviance plus Stirling errors: no cancellation at a, b = 1e9, where the
    three logarithms are 1e9 each.
    """
    return _log_constant(a, b) - _deviance(a, b, x, y)


def one_kernel(a: float, b: float) -> Callable[[float, float], float]:
    """Return x^a y^b / B(a, b) as a function of a single x and y = 1 - x: ``log_kernel`` without arrays."""
    constant, x_mean, y_mean = _log_constant(a, b), a / (a + b), b / (a + b)
    c8, c7, c6, c5, c4, c3, c2, c1, c0 = _ATANH_SERIES

    def log_minus(ratio: float, excess: float) -> float:
        if not -0.2 < excess < 0.2:
            return math.log(ratio) - excess
        s = excess / (2.0 + excess)
        series = (((c8 * s * s + c7) * s * s + c6) * s * s + c5) * s * s + c4
        series = (((series * s * s + c3) * s * s + c2) * s * s + c1) * s * s + c0
        return 2.0 * s * s * s * series - excess * s

    def kernel(x: float, y: float) -> float:
        shift = x - x_mean if a <= b else y_mean - y
        away = a * log_minus(x / x_mean, shift / x_mean) + b * log_minus(y / y_mean, -shift / y_mean)
        return math.exp(constant + away)

    return kernel


def one_mid_p(hits: float, misses: float, tail: float, kernel: Callable[..., float], *, upper: bool) -> float:
    """Return one mid-P limit of a single share: as for many, in plain numbers in place of a hundred small arrays.

    ``kernel`` is that of hits + 1 and misses + 1. Newton's step in the logarithms of tail and share with Halley's
    correction, whose second derivative is at hand.
    """
    own, other = (misses, hits) if upper else (hits, misses)
    if own == 0:
        return (1.0 if upper else 0.0) if other > 0 else math.nan
    a, b = (hits, misses + 1) if upper else (hits + 1, misses)  # the counts beyond the observed one
    x = _near_mid_p(hits + 0.5, misses + 0.5, tail, upper=upper)
    part, rest = (1 - x, math.log1p(-x)) if upper else (x, math.log(x))  # the side on which the limit is small
    missed, half, moved, odds = 1.0, 0.0, 0.0, 0.0
    for _ in range(40):
        if abs(missed) < _SMALL_STEP:  # from the last one: no logarithm of what is large
            half *= math.exp(own * moved + other * math.log1p(-odds * math.expm1(moved)))
        else:
            half = kernel(x, 1 - x) / (2 * x * (1 - x) * (hits + misses + 1))
        found = (_beyond(a, b, x, upper=upper) if other > 0 else 0.0) + half
        missed, odds = math.log(tail / found), part / (1 - part)
        lost = other * odds
        rate = half * (own + lost) / found  # d log(tail) / d log(part)
        bend = own - lost + lost / ((1 - part) * (own + lost)) - rate  # d log(rate) / d log(part)
        moved = min(missed / max(rate + 0.5 * missed * bend, 0.5 * rate), -0.5 * rest)
        rest += moved
        before, x = x, -math.expm1(rest) if upper else math.exp(rest)
        if abs(missed) <= _SMALL_MISS or abs(x - before) <= _FEW_ULPS * x:
            break
        part = 1 - x if upper else x
    return x


def _beyond(a: float, b: float, x: float, *, upper: bool) -> float:
    """Return P(X <= x) of Beta(a, b), or P(X > x): from 1 − x where that keeps every digit, at half the cost."""
    if not upper:
        return float(special.betainc(a, b, x))
    return float(special.betainc(b, a, 1 - x) if x >= 0.25 else special.betaincc(a, b, x))


def _near_mid_p(a: float, b: float, tail: float, *, upper: bool) -> float:
    """Return Jeffreys' limit, which lies close to the mid-P one, or what a normal law of the log odds would give."""
    if a + b <= TRUSTED_TOTAL + 1:
        return float((special.betainccinv if upper else special.betaincinv)(a, b, tail))
    z = special.ndtri(tail)
    return float(special.expit(math.log(a / b) + (-z if upper else z) * math.sqrt(1 / a + 1 / b)))


def _log_constant(a: float, b: float) -> float:
    constant = 0.5 * math.log(a / (2 * math.pi) * (b / (a + b)))
    return constant + _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b)


def cdf(a: float, b: float, x: Floats, y: Floats) -> Floats:
    """Return P(X <= x) for X ~ Beta(a, b), to full relative precision in the lower tail."""
    if min(a, b) > _LARGE:
        return _expansion(a, b, x, y)
    value, lower = np.empty(np.shape(x)), np.asarray(x <= y)
    value[lower] = special.betainc(a, b, x[lower])
    value[~lower] = _complement(b, a, y[~lower])
    return value


def sf(a: float, b: float, x: Floats, y: Floats) -> Floats:
    """Return P(X > x) for X ~ Beta(a, b), to full relative precision in the upper tail."""
    return cdf(b, a, y, x)


def logit_ppf(a: float, b: float, p: Floats) -> Floats:
    """Return the log odds of the p-quantile of Beta(a, b), for 0 < p < 1."""
    logit, lower = np.empty(np.shape(p)), p <= 0.5
    logit[lower] = _lower_logit(a, b, p[lower])
    logit[~lower] = -_lower_logit(b, a, 1.0 - p[~lower])
    return logit


def _lower_logit(a: float, b: float, p: Floats) -> Floats:
    """Solve log cdf = log p by Newton, kept in a bracket: log cdf is concave in the log odds, so it is quick."""
    if not p.size:
        return p
    power_law = (np.log(p) + math.log(a) + float(special.betaln(a, b))) / a
    scale, deep = logit_sd(a, b), power_law < -DEEPEST_LOGIT
    low, high = np.full(p.shape, -DEEPEST_LOGIT), np.full(p.shape, DEEPEST_LOGIT)
    logit = np.clip(logit_mean(a, b) + scale * special.ndtri(p), low, high)
    for _ in range(100):
        gap, step = _newton_step(a, b, p, logit)
        low, high = np.where(gap > 0, logit, low), np.where(gap < 0, logit, high)
        target = logit + step
        # Newton converges quadratically: after a gap of 1e-8 the next one is rounding.
        close = np.abs(gap) <= 1e-8
        target = np.where(close | ((target > low) & (target < high)), target, 0.5 * (low + high))
        moved, logit = np.abs(target - logit), target
        if np.all(close | deep | (moved <= 2e-16 * np.abs(logit))):
            break
    return np.where(deep, power_law, logit)


def _newton_step(a: float, b: float, p: Floats, logit: Floats) -> tuple[Floats, Floats]:
    x, y = pair(logit)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        below = cdf(a, b, x, y)
        gap = np.log(p) - np.log(below)
        step = gap * below * np.exp(-log_kernel(a, b, x, y))
    return gap, step


def logit_mean(a: float, b: float) -> float:
    """Return the mean of the log odds of Beta(a, b)."""
    return float(special.digamma(a) - special.digamma(b))


def logit_sd(a: float, b: float) -> float:
    """Return the standard deviation of the log odds of Beta(a, b)."""
    # The Hurwitz zeta function at 2 is the trigamma function.
    return math.sqrt(float(special.zeta(2.0, a) + special.zeta(2.0, b)))


def _complement(a: float, b: float, x: Floats) -> Floats:
    # One minus the lower function, which is several times quicker than the upper one and as good below 0.9.
    below: Floats = special.betainc(a, b, x)
    sharp = below > 0.9
    upper = 1.0 - below
    upper[sharp] = special.betaincc(a, b, x[sharp])
    return upper


def _expansion(a: float, b: float, x: Floats, y: Floats) -> Floats:
    """Return the first two terms of Temme's uniform expansion of the incomplete beta function (1992)."""
    n = a + b
    deviance = _deviance(a, b, x, y)
    shift = _shift(a, b, x, y) / math.sqrt(a / n * (b / n))
    root = np.copysign(np.sqrt(2.0 * deviance / n), shift)
    near = np.abs(shift) < 1e-8
    with np.errstate(divide="ignore", invalid="ignore"):
        correction = np.where(near, (b - a) / (3.0 * math.sqrt(a) * math.sqrt(b)), 1.0 / root - 1.0 / shift)
    normal: Floats = 0.5 * special.erfc(-root * math.sqrt(n / 2))
    value = normal + np.exp(-deviance) * correction / math.sqrt(2 * math.pi * n)
    return np.clip(value, 0.0, 1.0)  # two denormal numbers may leave a negative one


def _shift(a: float, b: float, x: Floats, y: Floats) -> Floats:
    return x - a / (a + b) if a <= b else b / (a + b) - y


def _deviance(a: float, b: float, x: Floats, y: Floats) -> Floats:
    """Return a log(x0/x) + b log(y0/y) with x0 = a/(a+b), as a sum of two non-negative terms."""
    x_mean, y_mean, shift = a / (a + b), b / (a + b), _shift(a, b, x, y)
    return -a * _log_minus(x / x_mean, shift / x_mean) - b * _log_minus(y / y_mean, -shift / y_mean)


def _log_minus(ratio: Floats, excess: Floats) -> Floats:
    """Return log(ratio) - excess, where excess = ratio - 1 is known to better absolute precision."""
    s = excess / (2.0 + excess)
    square, series = s * s, np.zeros_like(s)
    for coefficient in _ATANH_SERIES:
        series = series * square + coefficient
    with np.errstate(divide="ignore"):
        far = np.log(ratio) - excess
    return np.where(np.abs(excess) < 0.2, 2.0 * s * square * series - excess * s, far)


def _stirling_error(a: float) -> float:
    """Return log Gamma(a) minus Stirling's formula for it."""
    if a < 12.0:
        return math.lgamma(a) - (a - 0.5) * math.log(a) + a - 0.5 * math.log(2 * math.pi)
    small = 1.0 / (a * a)
    c6, c5, c4, c3, c2, c1, c0 = _STIRLING_SERIES
    series = ((c6 * small + c5) * small + c4) * small + c3
    return (((series * small + c2) * small + c1) * small + c0) / a


# ---- many parameters at once


def density(share: Floats, alpha: Floats, beta: Floats) -> Floats:
    """Return the density of Beta(alpha, beta), without overflow or cancellation at large parameters."""
    return np.exp(log_density(share, alpha, beta))


def log_density(share: Floats, alpha: Floats, beta: Floats) -> Floats:
    """Return the log density of Beta(alpha, beta), measured from its mean so that nothing large cancels."""
    return log_peak(alpha, beta) + log_shape(share, alpha, beta)


def log_peak(alpha: Floats, beta: Floats) -> Floats:
    """Return the part of the log density of Beta(alpha, beta) that does not depend on the share."""
    with np.errstate(all="ignore"):
        total = alpha + beta
        scale = 0.5 * np.log(alpha * beta / (2 * np.pi * total))
        return np.asarray(scale + _stirling(total) - _stirling(alpha) - _stirling(beta))


def log_shape(share: Floats, alpha: Floats, beta: Floats) -> Floats:
    """Return the part of the log density of Beta(alpha, beta) that depends on the share."""
    with np.errstate(all="ignore"):
        total = alpha + beta
        mean = share * total
        away = mean - alpha
        fall = alpha * log_excess(away / alpha, mean / alpha)
        fall = fall + beta * log_excess(-away / beta, (1 - share) * total / beta)
        return np.asarray(-fall - np.log(share) - np.log1p(-share))


def log_excess(x: Floats, one_plus_x: Floats) -> Floats:
    """Return x - log(1 + x) to full relative accuracy near 0, given 1 + x for x near -1.

    With y = x/(2 + x), log(1 + x) = 2 artanh(y), hence x - log(1 + x) = x y - 2 (y^3/3 + y^5/5 + ...).
    """
    y = x / (2 + x)
    square = y * y
    series = np.zeros_like(square)
    for odd in range(13, 1, -2):
        series = square * series + 1 / odd
    return np.where(np.abs(x) < 0.1, y * (x - 2 * square * series), x - np.log(one_plus_x))


def _stirling(x: Floats) -> Floats:
    """Return log Gamma(x) minus Stirling's formula: by its definition below 20, above from a continued fraction."""
    y = x + 1
    small = np.minimum(x, _FEW)
    plain = special.gammaln(small) - (small - 0.5) * np.log(small) + small - _HALF_LOG_TWO_PI
    large = (x + 0.5) * np.log1p(1 / x) - 1 + 1 / (12 * (y + 1 / (30 * (y + 53 / (210 * (y + 195 / (371 * y)))))))
    return np.where(x < _FEW, plain, large)
