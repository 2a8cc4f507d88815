"""Intervals of a share, success / (success + failure): Wilson, Clopper-Pearson, mid-P, Beta posteriors.

Every function is pure and broadcasts over all its arguments. Counts may be fractional and as large as 1e15.
``tail`` is the probability left in each tail (0.025 for a two-sided 95 % interval), ``z = -ndtri(tail)`` and is
positive. No counts at all (success + failure = 0) give (nan, nan).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Array = NDArray[np.float64]
Limits = tuple[Array, Array]

# scipy's inverse of the incomplete beta is right to 1e-12 below this total; far above it needs Newton's help.
_TRUSTED_TOTAL = 1e4


def floats(*values: ArrayLike) -> list[Array]:
    """Return every value as a float array."""
    return [np.asarray(value, dtype=np.float64) for value in values]


def wilson(success: ArrayLike, failure: ArrayLike, *, z: ArrayLike, weight: ArrayLike = 1.0) -> Limits:
    """Return Wilson's score interval of s/(s + f), or of s/(s + weight f).

    With odds r = s/f the test reads (s - r f)^2 = z^2 (s + f) r, a quadratic in sqrt(r) whose only root of
    either sign is free of cancellation. The limits are exactly 0 and 1 at the edges and never outside.
    ``weight`` passes the odds through a link: Jaccard 1, F1 1/2 (F1 = 2u/(1 + u) of the Jaccard share u).

    >>> low, high = wilson(8, 2, z=1.96)
    >>> print(f"{low:.4f} {high:.4f}")
    0.4901 0.9433

    Source: Wilson (1927) JASA 22:209; Lam et al. (2024), eq. 42.
    """
    hits, misses, z, weight = floats(success, failure, z, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = z * np.sqrt(hits + misses)
        reach = (scale + np.sqrt(scale * scale + 4 * hits * misses)) ** 2
        low = 4 * hits * hits / (4 * hits * hits + weight * reach)
        high = reach / (reach + weight * 4 * misses * misses)
    return low, high


def agresti_coull(success: ArrayLike, failure: ArrayLike, *, z: ArrayLike) -> Limits:
    """Return Wald's interval after adding z^2/2 to both counts; it can leave [0, 1] and is reported as it is.

    Source: Agresti & Coull (1998) American Statistician 52:119.
    """
    hits, misses, z = floats(success, failure, z)
    half_square = z * z / 2
    total = hits + misses + 2 * half_square
    centre = (hits + half_square) / total
    half_width = z * np.sqrt((hits + half_square) * (misses + half_square) / total**3)
    return _where_counted(hits + misses, centre - half_width, centre + half_width)


def clopper_pearson(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> Limits:
    """Return the exact interval: P(X >= s | low) = tail and P(X <= s | high) = tail.

    Coverage is never below nominal. low is 0 without successes, high is 1 without failures.

    >>> low, high = clopper_pearson(0, 10, tail=0.025)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0000 0.3085

    Source: Clopper & Pearson (1934) Biometrika 26:404; Lam et al. (2024), eqs. 26-27.
    """
    hits, misses, tail = floats(success, failure, tail)
    low = lower_quantile(hits, misses + 1, tail=tail)
    high = upper_quantile(hits + 1, misses, tail=tail)
    return _where_counted(hits + misses, low, high)


def mid_p(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> Limits:
    """Return the mid-P interval: as Clopper-Pearson, but the observed count has half its probability.

    Shorter than Clopper-Pearson with mean coverage near nominal, without its guarantee. Needs tail < 1/2.

    Source: Lancaster (1961) JASA 56:223; Agresti & Gottard (2007) Comput. Stat. Data Anal. 51:6447.
    """
    hits, misses, tail = np.broadcast_arrays(*floats(success, failure, tail))

    def slope(share: Array) -> Array:
        return (density(share, hits, misses + 1) + density(share, hits + 1, misses)) / 2

    def above(share: Array) -> Array:
        return (special.betainc(hits, misses + 1, share) + special.betainc(hits + 1, misses, share)) / 2

    def below(share: Array) -> Array:
        return (special.betaincc(hits, misses + 1, share) + special.betaincc(hits + 1, misses, share)) / 2

    # Jeffreys' limits lie close by.
    low, high = beta_interval(hits, misses, tail=tail)
    low = np.where(hits == 0, 0.0, _polish_lower(low, tail, above, slope, steps=12))
    high = np.where(misses == 0, 1.0, _polish_upper(high, tail, below, slope, steps=12))
    return _where_counted(hits + misses, low, high)


def beta_interval(
    success: ArrayLike,
    failure: ArrayLike,
    *,
    tail: ArrayLike,
    prior: tuple[ArrayLike, ArrayLike] = (0.5, 0.5),
) -> Limits:
    """Return the equal-tailed credible interval of the posterior Beta(s + prior[0], f + prior[1]).

    The default prior is Jeffreys'. The limits are plain quantiles: with no failure the interval stops short of 1.

    Source: Brown, Cai & DasGupta (2001) Statistical Science 16:101.
    """
    hits, misses, tail, first, second = floats(success, failure, tail, *prior)
    low = lower_quantile(hits + first, misses + second, tail=tail)
    high = upper_quantile(hits + first, misses + second, tail=tail)
    return _where_counted(hits + misses, low, high)


def beta_highest_density(
    success: ArrayLike,
    failure: ArrayLike,
    *,
    level: ArrayLike,
    prior: tuple[ArrayLike, ArrayLike] = (0.5, 0.5),
) -> Limits:
    """Return the shortest credible interval of Beta(s + prior[0], f + prior[1]).

    Both ends have the same density. A monotone density gives a one-sided interval that starts at 0 or ends
    at 1; a U-shaped one (both parameters at most 1) has no such interval and gets equal tails.
    """
    hits, misses, level, first, second = np.broadcast_arrays(*floats(success, failure, level, *prior))
    alpha, beta = hits + first, misses + second
    low_tail = _highest_density_tail(alpha, beta, 1 - level)
    low = lower_quantile(alpha, beta, tail=low_tail)
    high = upper_quantile(alpha, beta, tail=1 - level - low_tail)
    return _where_counted(hits + misses, low, high)


def _highest_density_tail(alpha: Array, beta: Array, outside: Array) -> Array:
    """Return the part of ``outside`` that lies below the highest-density interval."""
    tail = outside / 2
    tail = np.where((alpha <= 1) & (beta > 1), 0.0, tail)
    tail = np.where((alpha > 1) & (beta <= 1), outside, tail)
    peaked = (alpha > 1) & (beta > 1)
    tail[peaked] = _balance_densities(alpha[peaked], beta[peaked], outside[peaked])
    return tail


def _balance_densities(alpha: Array, beta: Array, outside: Array) -> Array:
    """Return the lower tail that makes both ends equally dense: Newton's steps kept inside a bracket."""
    lower, upper, tail = np.zeros_like(outside), outside, outside / 2
    for _ in range(60):
        low, high = lower_quantile(alpha, beta, tail=tail), upper_quantile(alpha, beta, tail=outside - tail)
        with np.errstate(all="ignore"):
            excess = log_density(low, alpha, beta) - log_density(high, alpha, beta)
            newton = tail - excess / (_relative_slope(low, alpha, beta) - _relative_slope(high, alpha, beta))
        lower, upper = np.where(excess < 0, tail, lower), np.where(excess > 0, tail, upper)
        inside = (newton > lower) & (newton < upper)
        before, tail = tail, np.where(inside, newton, np.where(excess == 0, tail, (lower + upper) / 2))
        if np.all(np.abs(tail - before) <= 1e-13 * outside):
            break
    return tail


def _relative_slope(share: Array, alpha: Array, beta: Array) -> Array:
    """Return d log f / d(probability below) = (log f)' / f of the Beta density f."""
    return ((alpha - 1) / share - (beta - 1) / (1 - share)) / density(share, alpha, beta)


def lower_quantile(alpha: ArrayLike, beta: ArrayLike, *, tail: ArrayLike) -> Array:
    """Return the point of Beta(alpha, beta) with ``tail`` below it; 0 if alpha = 0, 1 if beta = 0."""
    alpha, beta, tail = np.broadcast_arrays(*floats(alpha, beta, tail))
    limit = special.betaincinv(alpha, beta, tail)
    large = (alpha + beta > _TRUSTED_TOTAL) & (alpha > 0) & (beta > 0) & (tail > 0) & (tail < 1)
    if large.any():
        first, second = alpha[large], beta[large]
        limit = np.array(limit)
        limit[large] = _polish_lower(
            limit[large],
            tail[large],
            lambda share: special.betainc(first, second, share),
            lambda share: density(share, first, second),
        )
    return _where_mass(limit, alpha, beta)


def upper_quantile(alpha: ArrayLike, beta: ArrayLike, *, tail: ArrayLike) -> Array:
    """Return the point of Beta(alpha, beta) with ``tail`` above it; 0 if alpha = 0, 1 if beta = 0."""
    alpha, beta, tail = np.broadcast_arrays(*floats(alpha, beta, tail))
    limit = special.betainccinv(alpha, beta, tail)
    large = (alpha + beta > _TRUSTED_TOTAL) & (alpha > 0) & (beta > 0) & (tail > 0) & (tail < 1)
    if large.any():
        first, second = alpha[large], beta[large]
        limit = np.array(limit)
        limit[large] = _polish_upper(
            limit[large],
            tail[large],
            lambda share: special.betaincc(first, second, share),
            lambda share: density(share, first, second),
        )
    return _where_mass(limit, alpha, beta)


def _polish_lower(
    limit: Array, tail: Array, mass: Callable[[Array], Array], slope: Callable[[Array], Array], steps: int = 4
) -> Array:
    """Return the root of mass(limit) = tail by Newton's steps of log mass in log limit."""
    for _ in range(steps):
        with np.errstate(all="ignore"):
            found = mass(limit)
            step = np.log(tail / found) * found / (limit * slope(limit))
            limit = np.where(np.isfinite(step), limit * np.exp(np.minimum(step, -0.5 * np.log(limit))), limit)
    return limit


def _polish_upper(
    limit: Array, tail: Array, mass: Callable[[Array], Array], slope: Callable[[Array], Array], steps: int = 4
) -> Array:
    """Return the root of mass(limit) = tail by Newton's steps of log mass in log(1 - limit)."""
    for _ in range(steps):
        with np.errstate(all="ignore"):
            found, rest = mass(limit), np.log1p(-limit)
            step = np.log(tail / found) * found / ((1 - limit) * slope(limit))
            limit = np.where(np.isfinite(step), -np.expm1(rest + np.minimum(step, -0.5 * rest)), limit)
    return limit


def density(share: Array, alpha: Array, beta: Array) -> Array:
    """Return the density of Beta(alpha, beta), without overflow or cancellation at large parameters."""
    return np.exp(log_density(share, alpha, beta))


def log_density(share: Array, alpha: Array, beta: Array) -> Array:
    """Return the log density of Beta(alpha, beta), measured from its mean so that nothing large cancels."""
    with np.errstate(all="ignore"):
        total = alpha + beta
        away = share * total - alpha
        fall = alpha * log_excess(away / alpha, share * total / alpha)
        fall = fall + beta * log_excess(-away / beta, (1 - share) * total / beta)
        peak = 0.5 * np.log(alpha * beta / (2 * np.pi * total)) + _stirling(total) - _stirling(alpha) - _stirling(beta)
        return peak - fall - np.log(share) - np.log1p(-share)


def log_excess(x: Array, one_plus_x: Array) -> Array:
    """Return x - log(1 + x) to full relative accuracy near 0, given 1 + x for x near -1.

    With y = x/(2 + x), log(1 + x) = 2 artanh(y), hence x - log(1 + x) = x y - 2 (y^3/3 + y^5/5 + ...).
    """
    y = x / (2 + x)
    square = y * y
    series = np.zeros_like(square)
    for odd in range(19, 1, -2):
        series = square * series + 1 / odd
    return np.where(np.abs(x) < 0.25, y * (x - 2 * square * series), x - np.log(one_plus_x))


def _stirling(x: Array) -> Array:
    """Return log Gamma(x) minus Stirling's formula, from its continued fraction (a few digits at x = 1/2)."""
    return 1 / (12 * (x + 1 / (30 * (x + 53 / (210 * (x + 195 / (371 * x)))))))


def _where_mass(limit: Array, alpha: Array, beta: Array) -> Array:
    return np.where(alpha == 0, 0.0, np.where(beta == 0, 1.0, limit))


def _where_counted(total: Array, low: Array, high: Array) -> Limits:
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)
