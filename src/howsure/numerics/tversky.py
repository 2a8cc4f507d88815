"""Score and likelihood-ratio intervals of the Tversky family, tau = TP / (TP + a FP + b FN).

Under the null value tau the contrast w = (1 - tau, -a tau, -b tau, 0) of the cells (TP, FP, FN, TN) has mean
zero: one linear constraint on a multinomial. The constrained estimate is p_i = c_i / (n (1 + lambda w_i)) with
lambda the root of sum w_i c_i / (1 + lambda w_i) = 0; an empty cell takes mass only when lambda reaches the end
of its range. True negatives have w = 0 and drop out of everything below.

Write S = sum w_i c_i and V = sum w_i^2 n p_i. Since c_i = n p_i (1 + lambda w_i), S = lambda V, and the squared
score statistic S^2 / V is simply lambda S. Setting it to q = z^2 gives lambda = q / S, so both limits are roots of
one cubic. Scale the contrast to (s, -a, -b) with s = (1 - tau)/tau, let E = a FP + b FN and y = s TP; then

    y / (y (1 + q/TP) - E)  =  a FP / (y - E - q a)  +  b FN / (y - E - q b).

*The accepted set is an interval, for all weights, counts and levels.* Of the cubic's three roots one lies above
E + q max(a, b) (there 1/(right side) + E/y strictly increases: the lower limit of tau), one between E + q a
and E + q b (the right side falls from +inf to -inf), hence just one is left below E (the upper limit). With an
empty or a shared error cell the middle root merges with a pole and the same count holds. The likelihood ratio
moves with s at the rate 2 lambda TP / (1 + lambda s), which has the sign of lambda: its set is an interval as well.

Every function broadcasts over all its arguments; 0/0 (TP + a FP + b FN = 0) gives (nan, nan).
Sources: Lam et al. (2024), eqs. 37 and 42; Owen (1988) Biometrika 75:237 for the constrained likelihood.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.errors import InputError
from howsure.errors.messages import numerics as messages
from howsure.numerics.beta import log_excess
from howsure.numerics.binomial import LowHigh, floats, mid_p, wilson
from howsure.types import Floats

_BLOCK = 8192  # a block's working arrays stay in the processor's second-level cache
_DIRECT_STEPS = 5
_DUST, _SHRUNK = 1e-13, 600
_NOTHING = 1e-60  # smaller counts move no limit by more than that, and their products underflow
_FAR = 1e30  # a score limit at so large a z is 0 or 1 for every purpose, and its cubic does not overflow
_SMALL_STEP = 1e-9  # Newton squares the error: what follows such a step is below rounding


def score_interval(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, a: ArrayLike, b: ArrayLike, z: ArrayLike) -> LowHigh:
    """Return the score interval of TP/(TP + a FP + b FN): all values whose score statistic is within z.

    It is Wilson's interval for precision (1, 0) and recall (0, 1), and Wilson's interval of the Jaccard share
    through its link when a = b (F1: Lam's Wilson indirect). Both limits are exact at the edges: no true positive
    gives low = 0, no error gives high = 1.

    >>> low, high = score_interval(77, 44, 10, a=0.5, b=0.5, z=1.959964)
    >>> print(f"{low:.3f} {high:.3f}")
    0.669 0.801
    """
    tp, fp, fn, a, b, z = floats(tp, fp, fn, a, b, z)
    _check_weights(a, b)
    simple = (a == b) | (a == 0) | (b == 0)
    if simple.all():
        return wilson(tp, fp * (a > 0) + fn * (b > 0), z=z, weight=np.maximum(a, b))
    low, high = _in_blocks(_score_limits, tp, fp, fn, a, b, z)
    if simple.any():
        easy_low, easy_high = wilson(tp, fp * (a > 0) + fn * (b > 0), z=z, weight=np.maximum(a, b))
        low, high = np.where(simple, easy_low, low), np.where(simple, easy_high, high)
    return low, high


def _score_limits(tp: Floats, fp: Floats, fn: Floats, a: Floats, b: Floats, z: Floats) -> LowHigh:
    """Return the limits as TP/(TP + E + S) and (TP + m)/(TP + m + E): pseudo-errors S, pseudo-hits m."""
    defined = tp + a * fp + b * fn > 0
    tp, fp, fn = (np.where(part < _NOTHING, 0.0, part) for part in (tp, fp, fn))
    errors = a * fp + b * fn
    with np.errstate(all="ignore"):
        low = tp / (tp + errors + _pseudo_errors(tp, fp, fn, a, b, z * z))
        hits = tp + _pseudo_hits(tp, fp, fn, a, b, z * z)
        high = hits / (hits + errors)
    low, high = np.where(tp == 0, 0.0, low), np.where(errors == 0, 1.0, high)
    return np.where(defined, low, np.nan), np.where(defined, high, np.nan)


def mid_p_interval(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, a: ArrayLike, b: ArrayLike, tail: ArrayLike
) -> LowHigh:
    """Return the mid-P interval of TP/(TP + a FP + b FN): ``by_tails`` with mid-P limits of a share.

    >>> low, high = mid_p_interval(77, 44, 10, a=0.5, b=0.5, tail=0.025)
    >>> print(f"{low:.3f} {high:.3f}")
    0.668 0.802
    """
    return by_tails(mid_p, tp, fp, fn, a=a, b=b, tail=tail)


def by_tails(
    of_share: Callable[..., LowHigh], tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, a: ArrayLike, b: ArrayLike,
    tail: ArrayLike,
) -> LowHigh:  # fmt: skip
    """Return limits of TP/(TP + a FP + b FN) from those that a function gives a share (mid-P, Clopper-Pearson).

    Precision (1, 0), recall (0, 1) and indices with a = b (F1, Jaccard) are shares of rows through a link, and the
    interval is that of the share. With two weights there is no binomial law; the score interval is then taken at the
    quantile at which a share with the same hits and as many errors has the limit, for each end its own. Errors of
    weights a and b are worth (a FP + b FN)²/(a² FP + b² FN) of equal weight. So the limits are those of the share where
    there is one, and nested in the level, as those of the share and of the score interval are.
    """
    tp, fp, fn, a, b, tail = np.broadcast_arrays(*floats(tp, fp, fn, a, b, tail))
    _check_weights(a, b)
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.nan_to_num((a * fp + b * fn) ** 2 / (a * a * fp + b * b * fn))
    low, high = of_share(tp, errors, tail=tail)
    heavy = np.maximum(a, b)
    with np.errstate(invalid="ignore"):
        through = tuple(share / (share + heavy * (1 - share)) for share in (low, high))
    simple = (a == b) | (a == 0) | (b == 0)
    if simple.all():
        return through
    ends = (_like_share(tp, fp, fn, a, b, errors, share, limit) for limit, share in enumerate((low, high)))
    first, second = (np.where(simple, plain, other) for plain, other in zip(through, ends, strict=True))
    return first, second


def _like_share(
    tp: Floats, fp: Floats, fn: Floats, a: Floats, b: Floats, errors: Floats, share: Floats, limit: int
) -> Floats:
    """Return the lower (0) or upper (1) score limit at the z at which a test of tp/(tp + errors) meets a share.

    At levels of some per cent a mid-P limit may lie on the other side of the value, and so does this one.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (tp * (1 - share) - errors * share) / np.sqrt((tp + errors) * share * (1 - share))
        z = z if limit == 0 else -z
        low, high = score_interval(tp, fp, fn, a=a, b=b, z=np.where(np.isfinite(z), np.minimum(np.abs(z), _FAR), 0.0))
    near, far = (low, high) if limit == 0 else (high, low)
    return np.where((share > 0) & (share < 1), np.where(z >= 0, near, far), share)


def _pseudo_errors(tp: Floats, fp: Floats, fn: Floats, a: Floats, b: Floats, q: Floats) -> Floats:
    """Return S of the lower limit, S = q max(a, b) + x with x >= 0 the only such root of the shifted cubic."""
    errors, heavy, gap = a * fp + b * fn, np.maximum(a, b), np.abs(a - b)
    extreme = np.where(a >= b, fp, fn)
    linear = tp * (a * a * fp + b * b * fn) + errors * errors + q * heavy * (gap * extreme + errors - gap * tp)
    constant = q * q * heavy * gap * extreme * (heavy * (tp + q) + errors)
    return q * heavy + _positive_root(tp, q * (tp * (gap + heavy) - errors), -q * linear, -constant)


def _pseudo_hits(tp: Floats, fp: Floats, fn: Floats, a: Floats, b: Floats, q: Floats) -> Floats:
    """Return m of the upper limit: the same cubic in m = -S/s, whose coefficients change sign once."""
    errors, spread, product = a * fp + b * fn, a * a * fp + b * b * fn, a * b
    mixed, relevant = product * (fp + fn), q * product * (tp + fp + fn)
    square = errors * errors
    quadratic = square + tp * (spread - mixed) + relevant
    linear = tp * (tp * spread + square + 2 * relevant)
    return _positive_root(square + q * mixed, -q * quadratic, -q * linear, -q * tp * tp * relevant)


def _positive_root(c3: Floats, c2: Floats, c1: Floats, c0: Floats) -> Floats:
    """Return the only positive root of c3 x^3 + c2 x^2 + c1 x + c0, where c3 >= 0 >= c0, or 0 if there is none.

    With c1 <= 0, p(x)/x^2 is increasing and concave, so Newton's steps climb to the root from any point below
    it; with c1 > 0 (then c2 > 0) the reversed polynomial in 1/x has that shape.
    """
    turned = c1 > 0
    k3, k2 = np.where(turned, -c0, c3), np.where(turned, -c1, c2)
    k1, k0 = np.where(turned, -c2, c1), np.where(turned, -c3, c0)
    half = -0.5 * k2
    middle = np.sqrt(half * half - k3 * k1)
    without_constant = np.where(half > 0, (middle + half) / k3, -k1 / (middle - half))
    by_constant = np.fmin(np.cbrt(-0.5 * k0 / k3), np.sqrt(0.5 * k0 / np.minimum(-k2, 0)))
    x = np.fmax(without_constant, by_constant)
    for _ in range(40):
        cubic, slope = k3 * x * x * x, -k1 * x
        step = x * (cubic + k2 * x * x - slope + k0) / (cubic + slope - 2 * k0)
        x = x - step
        if not np.any(np.abs(step) > _SMALL_STEP * x):
            break
    root = np.where(turned, 1 / x, x)
    return np.where((c0 == 0) & (turned | (c1 == 0) & (c2 >= 0)), 0.0, root)


def profile_interval(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, a: ArrayLike, b: ArrayLike, z: ArrayLike
) -> LowHigh:
    """Return the likelihood-ratio interval: 2 sum c_i log(1 + lambda w_i) <= z^2, same constrained fit.

    No true positive gives low = 0, no error gives high = 1; the other limit stays proper.

    >>> low, high = profile_interval(10, 0, 0, a=1, b=0, z=1.959964)   # low = exp(-z^2 / 20)
    >>> print(f"{low:.4f} {high:.4f}")
    0.8252 1.0000
    """
    tp, fp, fn, a, b, z = floats(tp, fp, fn, a, b, z)
    _check_weights(a, b)
    return _in_blocks(_profile_limits, tp, fp, fn, a, b, z)


def _profile_limits(tp: Floats, fp: Floats, fn: Floats, a: Floats, b: Floats, z: Floats) -> LowHigh:
    """Return both limits from lambda: given lambda, the null value has a closed form."""
    size = tp + a * fp + b * fn
    fp, fn = (np.where(part < _DUST * tp, 0.0, part) for part in (fp, fn))
    heavy, errors = np.maximum(a, b), a * fp + b * fn
    cells = (tp, np.where(a >= b, fp, fn), np.where(a >= b, fn, fp), np.minimum(a, b) / heavy)
    with np.errstate(all="ignore"):
        low = 1 / (1 + heavy * _profile_odds_against(*cells, z * z / 2))
        high = 1 / (1 + heavy / _profile_odds_for(*cells, z * z / 2))
        value = tp / size
    # Among 1e13 hits a climb may end a rounding beyond the estimate, and errors that are dust still move that.
    low, high = np.fmin(low, value), np.fmax(high, value)
    # The hits shrink by about exp(-z²/(2 TP)): for a small fraction of a hit that is zero to a double.
    low, high = np.where(tp * _SHRUNK < z * z / 2, 0.0, low), np.where(errors == 0, 1.0, high)
    return np.where(size > 0, low, np.nan), np.where(size > 0, high, np.nan)


def _profile_odds_against(tp: Floats, extreme: Floats, other: Floats, light: Floats, goal: Floats) -> Floats:
    """Return s of the lower limit: lambda runs from 0 to the value at which every hit is taken."""
    pole = _pole(tp, extreme, other, light)
    # Without extreme errors lambda can stop at 1 while s still grows: the empty cell takes the rest.
    moved = np.where(other == 0, 0.0, other * light / (1 - light))
    fixed = special.xlog1py(other, -light)
    stopped = (extreme == 0) & (moved < tp) & (fixed - special.xlog1py(tp, -moved / tp) < goal)

    def fit(log_v: Floats) -> tuple[Floats, Floats, Floats]:
        v = np.exp(log_v)
        ratio, slope, odds = _constrained_fit(tp * v / (pole * (1 + v)), tp / (1 + v), tp, extreme, other, light, pole)
        return ratio, slope * tp * (v / (1 + v)) / (pole * (1 + v)), odds  # (1 + v)² would overflow

    start = _first_guess(tp, extreme, other, light, goal) * pole / tp
    reached = _climb(fit, start, np.where(stopped, np.nan, goal))
    return np.where(stopped, np.expm1((goal - fixed) / tp), 1 / reached)


def _profile_odds_for(tp: Floats, extreme: Floats, other: Floats, light: Floats, goal: Floats) -> Floats:
    """Return 1/s of the upper limit: -lambda runs from 0 without end."""
    pole = _pole(tp, extreme, other, light)

    def fit(log_v: Floats) -> tuple[Floats, Floats, Floats]:
        v = np.exp(log_v)
        ratio, slope, odds = _constrained_fit(-v, tp + pole * v, tp, extreme, other, light, pole)
        return ratio, -slope * v, odds

    return _climb(fit, _first_guess(tp, extreme, other, light, goal), goal)


def _pole(tp: Floats, extreme: Floats, other: Floats, light: Floats) -> Floats:
    """Return TP / lambda_max, where the fitted number of hits vanishes at lambda_max."""
    total = tp + extreme + light * (tp + other)
    apart = tp + extreme - light * (tp + other)
    return 0.5 * (total + np.sqrt(apart * apart + 4 * light * extreme * other))


def _first_guess(tp: Floats, extreme: Floats, other: Floats, light: Floats, goal: Floats) -> Floats:
    errors, spread = extreme + light * other, extreme + light * light * other
    return np.sqrt(2 * goal / (errors * errors / (tp + goal) + spread))


def _constrained_fit(
    multiplier: Floats, room: Floats, tp: Floats, extreme: Floats, other: Floats, light: Floats, pole: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return half the likelihood ratio, its derivative in lambda, and the odds 1/s, for weights (1, light).

    Mass moves from hits to errors: c_i j_i with j_i = lambda w_i / (1 - lambda w_i). Its first-order terms cancel
    exactly, which leaves a sum of terms x - log(1 + x), none negative. ``room`` is TP - pole lambda.
    """
    grown, grown_other = 1 / (1 - multiplier), 1 / (1 - light * multiplier)
    gain, gain_other = multiplier * grown, light * multiplier * grown_other
    moved = extreme * gain + other * gain_other
    kept = room * (1 - (tp + extreme + other) * light * multiplier / pole) * grown * grown_other
    fitted = extreme * grown + light * other * grown_other
    from_hits = np.where(tp > 0, tp * log_excess(-moved / tp, kept / tp), -moved)
    ratio = from_hits + extreme * log_excess(gain, grown) + other * log_excess(gain_other, grown_other)
    rate = extreme * grown * grown + light * other * grown_other * grown_other
    slope = moved * rate / kept + extreme * gain * grown + light * other * gain_other * grown_other
    return ratio, slope, kept / fitted


def _climb(fit: Callable[[Floats], tuple[Floats, Floats, Floats]], start: Floats, goal: Floats) -> Floats:
    """Return the odds at which the ratio reaches its goal: Newton's steps of log ratio in log v."""
    log_v = np.log(start)
    for _ in range(60):
        ratio, slope, _odds = fit(log_v)
        step = np.clip(np.log(goal / ratio) * ratio / slope, -4, 40)
        before, log_v = log_v, np.minimum(log_v + step, 700)
        if not np.any(np.abs(log_v - before) > _SMALL_STEP):
            break
    return fit(log_v)[2]


def wilson_direct_interval(tp: ArrayLike, errors: ArrayLike, *, z: ArrayLike) -> LowHigh:
    """Return Lam's Wilson direct interval of F1 = 2 TP/(2 TP + errors), errors = FP + FN.

    Its quartic has one root on either side of the estimate for every TP + errors > 0 (the paper's condition
    on nu is not needed) and a nearly double root at large counts. In rho = sqrt(F1 / (2 - 2 F1)) it reads
    (TP - errors rho^2) B = +-c rho with B = (1 + 2 rho^2)/(1 + rho^2), between 1 and 2, and
    c = z (errors + 2 TP)/sqrt(TP + errors): a quadratic given B, two well separated roots, no cancellation.

    >>> low, high = wilson_direct_interval(77, 54, z=1.959964)
    >>> print(f"{low:.3f} {high:.3f}")
    0.664 0.799

    Source: Lam et al. (2024), eqs. 33-37.
    """
    return _in_blocks(_direct_limits, *floats(tp, errors, z))


def _direct_limits(tp: Floats, errors: Floats, z: Floats) -> LowHigh:
    with np.errstate(all="ignore"):
        width = z * (errors + 2 * tp) / np.sqrt(tp + errors)
        product = 4 * tp * errors
        low = _direct_root(tp, width, product, 2.0, 1.0)
        high = _direct_root(errors, width, product, 1.0, 2.0)
        return 2 * low * low / (1 + 2 * low * low), 2 / (2 + high * high)


def _direct_root(count: Floats, width: Floats, product: Floats, top: float, bottom: float) -> Floats:
    """Return x = 2 count / (c' + sqrt(c'^2 + product)) with c' = width / B(x), B = (bottom + top x^2)/(1 + x^2).

    x is rho for the lower and 1/rho for the upper limit. The map contracts by a factor of at most 0.35 and
    Newton's method on it needs few steps from anywhere.
    """
    x = 2 * count / (width / 1.5 + np.sqrt(width * width / 2.25 + product))
    for _ in range(_DIRECT_STEPS):
        square = x * x
        bend = bottom + top * square
        narrowed = width * (1 + square) / bend
        root = np.sqrt(narrowed * narrowed + product)
        mapped = 2 * count / (narrowed + root)
        # d log(mapped)/d log(x) = (narrowed/root) d log B / d log x
        pull = narrowed * 2 * (top - bottom) * square / (root * (1 + square) * bend)
        x = x + (mapped - x) / (1 - pull)
    return x


def _check_weights(a: Floats, b: Floats) -> None:
    if not np.all((a >= 0) & (b >= 0) & (a + b > 0)):
        raise InputError(messages.A_AND_B_MUST_BE_WEIGHTS(a=a, b=b))


def _in_blocks(solve: Callable[..., LowHigh], *values: Floats) -> LowHigh:
    """Return the limits of broadcast arrays, computed in blocks that fit the cache."""
    shape = np.broadcast_shapes(*(value.shape for value in values))
    flat = [value if value.ndim == 0 else np.broadcast_to(value, shape).ravel() for value in values]
    total = int(np.prod(shape))
    low, high = np.empty(total), np.empty(total)
    for start in range(0, total, _BLOCK):
        block = slice(start, start + _BLOCK)
        low[block], high[block] = solve(*(value if value.ndim == 0 else value[block] for value in flat))
    return low.reshape(shape), high.reshape(shape)
