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

from howsure.numerics.beta import TRUSTED_TOTAL, density, log_density, log_peak, log_shape, one_kernel, one_mid_p
from howsure.types import Floats

LowHigh = tuple[Floats, Floats]
Mask = NDArray[np.bool_]
Active = NDArray[np.intp]
Mass = Callable[[Floats, Active], tuple[Floats, Floats]]

_NUMBERS = frozenset((float, np.float64, int))
_PLAIN_TOTAL, _NOT_FEW = 1e9, 30.0  # up to which a single share goes through plain numbers, and from how many hits
_SMALL_MISS = 1e-7  # relative, of the tail; Newton squares it, and at 1e15 counts rounding allows no less
_FEW_ULPS = 5e-16
_NEAR_ZERO = 0.01


def floats(*values: ArrayLike) -> list[Floats]:
    """Return every value as a float array."""
    return [np.asarray(value, dtype=np.float64) for value in values]


def wilson(success: ArrayLike, failure: ArrayLike, *, z: ArrayLike, weight: ArrayLike = 1.0) -> LowHigh:
    """Return Wilson's score interval of s/(s + f), or of s/(s + weight f).

    With odds r = s/f the test reads (s - r f)^2 = z^2 (s + f) r, a quadratic in sqrt(r) whose only root of
    either sign is free of cancellation. The limits are exactly 0 and 1 at the edges and never outside.
    ``weight`` passes the odds through a link: Jaccard 1, F1 1/2 (F1 = 2u/(1 + u) of the Jaccard share u).

    >>> low, high = wilson(8, 2, z=1.96)
    >>> print(f"{low:.4f} {high:.4f}")
    0.4902 0.9433

    Source: Wilson (1927) JASA 22:209; Lam et al. (2024), eq. 42.
    """
    hits, misses, z, weight = floats(success, failure, z, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = z * np.sqrt(hits + misses)
        reach = (scale + np.sqrt(scale * scale + 4 * hits * misses)) ** 2
        # In this form every rounding is monotone, so a higher level never gives a shorter interval.
        low = 1 / (1 + weight * (reach / (4 * hits * hits)))
        high = 1 / (1 + weight * (4 * misses * misses / reach))
    return low, high


def wilson_corrected(success: ArrayLike, failure: ArrayLike, *, z: ArrayLike) -> LowHigh:
    """Return Wilson's interval with continuity correction: all p with |p̂ − p| − 1/(2n) ≤ z·√(p(1 − p)/n).

    >>> low, high = wilson_corrected(8, 2, z=1.959963984540054)
    >>> print(f"{low:.4f} {high:.4f}")
    0.4422 0.9646

    Source: Newcombe (1998) Stat. Med. 17:857, method 4; R's prop.test.
    """
    hits, misses, z = floats(success, failure, z)
    low = _corrected_low(hits, misses, z)
    return _where_counted(hits + misses, low, 1 - _corrected_low(misses, hits, z))


def _corrected_low(hits: Floats, misses: Floats, z: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        total = hits + misses
        root = np.sqrt(np.maximum(z * z - 2 - 1 / total + 4 * hits * (misses + 1) / total, 0.0))
        low = (2 * hits + z * z - 1 - z * root) / (2 * (total + z * z))
    # Up to half a hit the correction reaches beyond it, and p = 0 is among those not refuted.
    return np.where(hits > 0.5, np.clip(low, 0.0, 1.0), 0.0)


def agresti_coull(success: ArrayLike, failure: ArrayLike, *, z: ArrayLike) -> LowHigh:
    """Return Wald's interval after adding z^2/2 to both counts; it can leave [0, 1] and is reported as it is.

    Source: Agresti & Coull (1998) American Statistician 52:119.
    """
    hits, misses, z = floats(success, failure, z)
    half_square = z * z / 2
    total = hits + misses + 2 * half_square
    centre = (hits + half_square) / total
    half_width = z * np.sqrt((hits + half_square) * (misses + half_square) / total**3)
    return _where_counted(hits + misses, centre - half_width, centre + half_width)


def clopper_pearson(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> LowHigh:
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


def mid_p(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> LowHigh:
    """Return the mid-P interval: as Clopper-Pearson, but the observed count has half its probability.

    Each end misses at most twice its tail, whatever the share, since a mid-P is at least half an exact P. Counts may be
    fractional: the binomial tails are incomplete beta functions. Needs tail < 1/2.

    >>> low, high = mid_p(8, 2, tail=0.025)
    >>> print(f"{low:.4f} {high:.4f}")
    0.4805 0.9650

    Source: Lancaster (1961) JASA 56:223; Agresti & Gottard (2007) Comput. Stat. Data Anal. 51:6447.
    """
    if _single(success) and _single(failure) and _single(tail):
        hits, misses, beyond = float(success), float(failure), float(tail)  # type: ignore[arg-type]
        if _goes_plainly(hits, misses, beyond):
            kernel = one_kernel(hits + 1, misses + 1)
            low = one_mid_p(hits, misses, beyond, kernel, upper=False)
            high = one_mid_p(hits, misses, beyond, kernel, upper=True)
            return np.float64(low), np.float64(high)  # type: ignore[return-value]
    return mid_p_lower(success, failure, tail=tail), mid_p_upper(success, failure, tail=tail)


def _single(value: ArrayLike) -> bool:
    return type(value) in _NUMBERS or not np.ndim(value)


def _goes_plainly(hits: float, misses: float, tail: float) -> bool:
    """Say whether a single share goes through plain numbers: neither so few of a kind nor so many that they fail."""
    total = hits + misses
    few = min(hits or 1.0, misses or 1.0) < 1 if total <= TRUSTED_TOTAL else min(hits, misses) < _NOT_FEW
    return not few and total <= _PLAIN_TOTAL and 1e-9 < tail < 0.5


def mid_p_lower(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> Floats:
    """Return the lower mid-P limit: P(X > s) + P(X = s)/2 = tail; 0 without successes."""
    arrays = np.broadcast_arrays(*floats(success, failure, tail))
    hits, misses, tail = (part.ravel() for part in arrays)

    peak = log_peak(hits + 1, misses + 1)

    def above(share: Floats, active: Active) -> tuple[Floats, Floats]:
        some, rest = hits[active], misses[active]
        half, slope = _observed(share, some, rest, peak[active])
        return np.where(rest > 0, _mass_below(share, some + 1, rest), 0.0) + half, slope

    # Jeffreys' limit lies close by.
    start = lower_quantile(hits + 0.5, misses + 0.5, tail=tail)
    low = np.where(hits == 0, 0.0, _climb_to(start, tail, above))
    return np.where(hits + misses > 0, low, np.nan).reshape(arrays[0].shape)


def mid_p_upper(success: ArrayLike, failure: ArrayLike, *, tail: ArrayLike) -> Floats:
    """Return the upper mid-P limit: P(X < s) + P(X = s)/2 = tail; 1 without failures."""
    arrays = np.broadcast_arrays(*floats(success, failure, tail))
    hits, misses, tail = (part.ravel() for part in arrays)

    peak = log_peak(hits + 1, misses + 1)

    def below(share: Floats, active: Active) -> tuple[Floats, Floats]:
        some, rest = hits[active], misses[active]
        half, slope = _observed(share, some, rest, peak[active])
        return np.where(some > 0, _mass_above(share, some, rest + 1), 0.0) + half, slope

    start = upper_quantile(hits + 0.5, misses + 0.5, tail=tail)
    high = np.where(misses == 0, 1.0, _descend_to(start, tail, below))
    return np.where(hits + misses > 0, high, np.nan).reshape(arrays[0].shape)


def _observed(share: Floats, hits: Floats, misses: Floats, peak: Floats) -> tuple[Floats, Floats]:
    """Return half the probability of the observed count, and the slope P (s/x + f/(1 - x))/2 of either tail.

    P(X = s) is the density of Beta(s + 1, f + 1) over n + 1, also for fractional counts.
    """
    half = np.exp(peak + log_shape(share, hits + 1, misses + 1)) / (2 * (hits + misses + 1))
    return half, half * (hits / share + misses / (1 - share))


def beta_interval(
    success: ArrayLike,
    failure: ArrayLike,
    *,
    tail: ArrayLike,
    prior: tuple[ArrayLike, ArrayLike] = (0.5, 0.5),
) -> LowHigh:
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
    weight: float = 1.0,
) -> LowHigh:
    """Return the shortest credible interval of u/(u + weight (1 - u)), u ~ Beta(s + prior[0], f + prior[1]).

    Both ends have the same density. A monotone density gives a one-sided interval that starts at 0 or ends
    at 1; one that is neither monotone nor single-peaked (``has_shortest``) has no such interval and gets equal tails.
    """
    hits, misses, level, first, second = np.broadcast_arrays(*floats(success, failure, level, *prior))
    alpha, beta = hits + first, misses + second
    log_odds = _highest_density_split(alpha, beta, 1 - level, weight)
    low = lower_quantile(alpha, beta, tail=(1 - level) * special.expit(log_odds))
    high = upper_quantile(alpha, beta, tail=(1 - level) * special.expit(-log_odds))
    low, high = low / (low + weight * (1 - low)), high / (high + weight * (1 - high))
    return _where_counted(hits + misses, low, high)


def _highest_density_split(alpha: Floats, beta: Floats, outside: Floats, weight: float) -> Floats:
    """Return the log odds with which ``outside`` is split between the lower and the upper tail."""
    falling, rising = _monotone(alpha, beta, weight)
    log_odds = np.where(falling, -np.inf, np.where(rising, np.inf, 0.0))
    peaked = (alpha > 1) & (beta > 1)
    first, second, spare = alpha[peaked], beta[peaked], outside[peaked]
    # Solved on the side near 0, where the limits keep their digits; 1 - M has the weight 1/weight.
    turned = first > second
    weights = np.where(turned, 1 / weight, weight)
    found = _balance_densities(np.minimum(first, second), np.maximum(first, second), spare, weights)
    log_odds[peaked] = np.where(turned, -found, found)
    return log_odds


def has_shortest(alpha: Floats, beta: Floats, weight: float) -> Mask:
    """Return whether the density of u/(u + weight (1 - u)) has one peak or none inside (0, 1)."""
    falling, rising = _monotone(alpha, beta, weight)
    return np.asarray((alpha > 1) & (beta > 1) | falling | rising)


def _monotone(alpha: Floats, beta: Floats, weight: float) -> tuple[Mask, Mask]:
    """Return where the density falls, and where it rises, all the way.

    With c = 1 - weight the log density of the linked share moves with -q(u)/(u (1 - u)(weight + c u)),
    q(u) = (1 - alpha)(1 - u)(weight + c u) + (beta - 1) u (weight + c u) - 2 c u (1 - u), a quadratic.
    """
    c = 1 - weight
    square, linear = c * (alpha + beta), (1 - alpha) * (c - weight) + (beta - 1) * weight - 2 * c
    with np.errstate(invalid="ignore", divide="ignore"):
        vertex = -linear / (2 * square)
        extreme = (1 - alpha) * weight + linear * vertex / 2
    plain = ~((vertex > 0) & (vertex < 1))
    falling = (alpha <= 1) & (beta > 1) & ((c <= 0) | plain | (extreme >= 0))
    rising = (alpha > 1) & (beta <= 1) & ((c >= 0) | plain | (extreme <= 0))
    return falling, rising


def _balance_densities(alpha: Floats, beta: Floats, outside: Floats, weights: Floats) -> Floats:
    """Return the split of ``outside`` that makes both ends equally dense: Newton's steps in its log odds."""
    log_odds, active = np.zeros_like(outside), np.arange(outside.size)
    for _ in range(40):
        first, second, spare, odds = alpha[active], beta[active], outside[active], log_odds[active]
        weight = weights[active]
        below, above = spare * special.expit(odds), spare * special.expit(-odds)
        low, high = lower_quantile(first, second, tail=below), upper_quantile(first, second, tail=above)
        with np.errstate(all="ignore"):
            excess = log_density(low, first, second) - log_density(high, first, second)
            excess = excess + 2 * np.log((low + weight * (1 - low)) / (high + weight * (1 - high)))
            rise = _relative_slope(low, first, second, weight) - _relative_slope(high, first, second, weight)
            step = np.nan_to_num(np.clip(-excess * spare / (rise * below * above), -4, 4))
        log_odds[active] = odds + step
        active = active[np.abs(step) > 1e-6]
        if active.size == 0:
            break
    return log_odds


def _relative_slope(share: Floats, alpha: Floats, beta: Floats, weight: Floats) -> Floats:
    """Return d log(density of the linked share) / d(probability below)."""
    slope = (alpha - 1) / share - (beta - 1) / (1 - share) + 2 * (1 - weight) / (share + weight * (1 - share))
    return slope / density(share, alpha, beta)


def lower_quantile(alpha: ArrayLike, beta: ArrayLike, *, tail: ArrayLike) -> Floats:
    """Return the point of Beta(alpha, beta) with ``tail`` below it; 0 if alpha = 0, 1 if beta = 0."""
    alpha, beta, tail = np.broadcast_arrays(*floats(alpha, beta, tail))
    large = (alpha + beta > TRUSTED_TOTAL) & (tail > 0) & (tail < 1) & (alpha > 0) & (beta > 0)
    limit = np.asarray(special.betaincinv(alpha, np.where(large, 1.0, beta), tail))
    if large.any():
        first, second, wanted = alpha[large], beta[large], tail[large]

        def mass(share: Floats, active: Active) -> tuple[Floats, Floats]:
            some, rest = first[active], second[active]
            return _mass_below(share, some, rest), density(share, some, rest)

        limit[large] = _climb_to(_logit_normal(first, second, special.ndtri(wanted)), wanted, mass)
    return np.where(alpha == 0, 0.0, np.where(beta == 0, 1.0, limit))


def upper_quantile(alpha: ArrayLike, beta: ArrayLike, *, tail: ArrayLike) -> Floats:
    """Return the point of Beta(alpha, beta) with ``tail`` above it; 0 if alpha = 0, 1 if beta = 0."""
    alpha, beta, tail = np.broadcast_arrays(*floats(alpha, beta, tail))
    large = (alpha + beta > TRUSTED_TOTAL) & (tail > 0) & (tail < 1) & (alpha > 0) & (beta > 0)
    limit = np.asarray(special.betainccinv(alpha, np.where(large, 1.0, beta), tail))
    if large.any():
        first, second, wanted = alpha[large], beta[large], tail[large]

        def mass(share: Floats, active: Active) -> tuple[Floats, Floats]:
            some, rest = first[active], second[active]
            return _mass_above(share, some, rest), density(share, some, rest)

        limit[large] = _descend_to(_logit_normal(first, second, -special.ndtri(wanted)), wanted, mass)
    return np.where(alpha == 0, 0.0, np.where(beta == 0, 1.0, limit))


def _mass_below(share: Floats, alpha: Floats, beta: Floats) -> Floats:
    """Return P(Beta(alpha, beta) <= share).

    scipy 1.17 takes a wrong turn when both parameters are exactly equal (7e-5 off at 5e11, 20 % at 1e15), so one of
    them is then moved by a unit in the last place, which changes nothing else.
    """
    return np.asarray(special.betainc(alpha, np.where(alpha == beta, np.nextafter(beta, np.inf), beta), share))


def _mass_above(share: Floats, alpha: Floats, beta: Floats) -> Floats:
    """Return P(Beta(alpha, beta) > share): mirrored, which is quicker, where 1 - share keeps the digits of share."""
    found, near = _mass_below(1 - share, beta, alpha), share < _NEAR_ZERO
    found[near] = special.betaincc(alpha[near], beta[near], share[near])
    return found


def _logit_normal(alpha: Floats, beta: Floats, z: Floats) -> Floats:
    """Return the quantile that a normal distribution of the log odds would give."""
    return np.asarray(special.expit(np.log(alpha / beta) + z * np.sqrt(1 / alpha + 1 / beta)))


def _climb_to(start: Floats, tail: Floats, mass: Mass) -> Floats:
    """Return the x with mass(x) = tail; log mass is increasing and concave in log x, so Newton's steps settle.

    ``mass`` gives the mass and its slope at those x that are still active. All arrays are flat.
    """
    x, active = np.array(start), np.arange(start.size)
    for _ in range(40):
        before = x[active]
        with np.errstate(all="ignore"):
            found, slope = mass(before, active)
            missed = np.log(tail[active] / found)
            step = missed * found / (before * slope)
            step = np.where(np.isfinite(step), np.minimum(step, -0.5 * np.log(before)), 0.0)
            x[active] = after = before * np.exp(step)
        active = active[(np.abs(missed) > _SMALL_MISS) & (np.abs(after - before) > _FEW_ULPS * after)]
        if not active.size:
            break
    return x


def _descend_to(start: Floats, tail: Floats, mass: Mass) -> Floats:
    """Return the x with mass(x) = tail, for the mass above x: as before, with log(1 - x) for log x."""
    x, active = np.array(start), np.arange(start.size)
    for _ in range(40):
        before = x[active]
        with np.errstate(all="ignore"):
            (found, slope), rest = mass(before, active), np.log1p(-before)
            missed = np.log(tail[active] / found)
            step = missed * found / ((1 - before) * slope)
            step = np.where(np.isfinite(step), np.minimum(step, -0.5 * rest), 0.0)
        x[active] = after = -np.expm1(rest + step)
        active = active[(np.abs(missed) > _SMALL_MISS) & (np.abs(after - before) > _FEW_ULPS * after)]
        if not active.size:
            break
    return x


def _where_counted(total: Floats, low: Floats, high: Floats) -> LowHigh:
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)
