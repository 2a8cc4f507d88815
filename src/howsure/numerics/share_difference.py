"""Exact comparison of two independent share posteriors: one-dimensional quadrature instead of a million draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from howsure.errors import InputError, check_level, check_seed
from howsure.errors.messages import numerics as messages
from howsure.numerics import beta as betas
from howsure.numerics.share_posterior import SharePosterior
from howsure.numerics.solving import around_peak, bracketed_root, integral
from howsure.types import Floats

ShareQuantity = Literal["below", "above", "density"]
ShareAndRest = tuple[Floats, Floats]


class Chances(NamedTuple):
    """A probability and its complement, the smaller of them to full relative precision."""

    greater: float
    less: float


class Rope(NamedTuple):
    """The probabilities that B is worse than, practically equal to, and better than A."""

    worse: float
    equivalent: float
    better: float


def probability_greater(b: SharePosterior, a: SharePosterior, *, margin: float = 0.0) -> Chances:
    """Return P(M_B - M_A > margin) and P(M_B - M_A <= margin) of two independent posteriors.

    P(M_B > M_A + margin) = integral of f_A(m) P(M_B > m + margin) dm, on the log-odds scale and against the density
    of the sharper posterior. Absolute error below 1e-10 for parameters from 1e-3 to 1e9, and a probability
    of 1e-30 comes out as such. Two models on the same rows are dependent: this then overstates the doubt.

    >>> probability_greater(SharePosterior(3, 1), SharePosterior(1, 3))
    Chances(greater=0.95, less=0.05)
    """
    if not -1.0 < margin < 1.0:
        raise InputError.of("margin", margin, messages.LIE_BETWEEN_1_AND_1())
    if margin == 0 and a == b:
        return Chances(0.5, 0.5)
    greater_is_small = _centre(b) - _centre(a) < margin
    small = _upper(b, a, margin) if greater_is_small else _upper(a, b, -margin)
    if small > 0.9:
        greater_is_small = not greater_is_small
        small = _upper(b, a, margin) if greater_is_small else _upper(a, b, -margin)
    return Chances(small, 1.0 - small) if greater_is_small else Chances(1.0 - small, small)


def rope_probabilities(b: SharePosterior, a: SharePosterior, *, rope: float) -> Rope:
    """Return P(M_B - M_A < -rope), P(|M_B - M_A| <= rope) and P(M_B - M_A > rope).

    The region of practical equivalence of Benavoli, Corani, Demsar & Zaffalon (2017), JMLR 18(77).

    >>> [round(p, 6) for p in rope_probabilities(SharePosterior(1, 1), SharePosterior(1, 1), rope=0.5)]
    [0.125, 0.75, 0.125]
    """
    if not 0.0 <= rope < 1.0:
        raise InputError.of("rope", rope, messages.AT_LEAST_0_AND_BELOW_1())
    upper, lower = probability_greater(b, a, margin=rope), probability_greater(b, a, margin=-rope)
    inside = upper.less - lower.less if upper.less < lower.greater else lower.greater - upper.greater
    return Rope(lower.less, max(inside, 0.0), upper.greater)


def monte_carlo_probability(
    b: SharePosterior, a: SharePosterior, *, margin: float = 0.0, draws: int = 10**6, seed: int = 0
) -> tuple[float, float]:
    """Return P(M_B - M_A > margin) from draws, and its standard error (Wang & Li 2019, eq. 33): a cross-check."""
    seed_b, seed_a = np.random.SeedSequence(check_seed(seed)).spawn(2)
    logit_b, logit_a = b.sample_logit(draws, seed=seed_b), a.sample_logit(draws, seed=seed_a)
    # Without a margin the log odds decide: they differ where both shares round to 1.
    higher = logit_b > logit_a if margin == 0 else betas.pair(logit_b)[0] - betas.pair(logit_a)[0] > margin
    hits = int(np.count_nonzero(higher))
    # The estimate of an unseen event is 0, but its error is not: Laplace's share keeps it positive.
    share = (hits + 1) / (draws + 2)
    return hits / draws, math.sqrt(share * (1.0 - share) / draws)


@dataclass(frozen=True)
class ShareDifference:
    """The distribution of M_B - M_A for two independent posteriors, by exact quadrature.

    >>> gain = ShareDifference(SharePosterior(3, 1), SharePosterior(1, 3))
    >>> gain.mean, float(gain.sf(0))
    (0.5, 0.95)
    """

    b: SharePosterior
    a: SharePosterior

    @cached_property
    def mean(self) -> float:
        """The mean of the difference."""
        return self.b.mean - self.a.mean

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the difference."""
        return math.hypot(self.b.sd, self.a.sd)

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Return P(M_B - M_A <= x)."""
        return self._each(x, lambda margin: self._chances(margin).less)

    def sf(self, x: npt.ArrayLike) -> Floats:
        """Return P(M_B - M_A > x)."""
        return self._each(x, lambda margin: self._chances(margin).greater)

    def pdf(self, x: npt.ArrayLike) -> Floats:
        """Return the density of M_B - M_A at x: the integral of f_A(m) f_B(m + x) dm.

        >>> flat = SharePosterior(1, 1)
        >>> [round(float(height), 9) for height in ShareDifference(flat, flat).pdf([-0.25, 0.5])]
        [0.75, 0.5]
        """
        return self._each(x, self._density)

    def ppf(self, p: npt.ArrayLike) -> Floats:
        """Return the quantile of the difference."""
        return self._each(p, lambda share: self._quantile(share, 1.0 - share))

    def isf(self, q: npt.ArrayLike) -> Floats:
        """Return the upper quantile of the difference."""
        return self._each(q, lambda share: self._quantile(1.0 - share, share))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the equal-tailed credible interval of the difference."""
        check_level(level)
        return float(self.ppf((1.0 - level) / 2)), float(self.isf((1.0 - level) / 2))

    def sample(self, size: int, *, seed: int = 0) -> Floats:
        """Return independent draws of the difference."""
        seed_b, seed_a = np.random.SeedSequence(check_seed(seed)).spawn(2)
        return self.b.sample(size, seed=seed_b) - self.a.sample(size, seed=seed_a)

    def _chances(self, margin: float) -> Chances:
        if abs(margin) >= 1.0:
            return Chances(float(margin < 0), float(margin > 0))
        return probability_greater(self.b, self.a, margin=margin)

    def _density(self, x: float) -> float:
        if abs(x) >= 1.0:
            return 0.0
        if betas.logit_sd(self.b.a, self.b.b) < betas.logit_sd(self.a.a, self.a.b):
            return _Shifted(self.b, self.a, -x, "density").integral()
        return _Shifted(self.a, self.b, x, "density").integral()

    def _each(self, x: npt.ArrayLike, function: Callable[[float], float]) -> Floats:
        values = np.asarray(x, dtype=np.float64)
        return np.reshape([function(float(value)) for value in values.ravel()], values.shape)[()]

    def _quantile(self, below: float, above: float) -> float:
        if not 0.0 < below < 1.0:
            return -1.0 if below == 0 else 1.0 if below == 1 else math.nan
        guess = min(max(self.mean + self.sd * float(special.ndtri(below)), -1.0), 1.0)
        low, high = max(guess - 0.5 * self.sd, -1.0), min(guess + 0.5 * self.sd, 1.0)
        while self._excess(low, below, above) > 0:
            low = max(2.0 * low - high, -1.0)
        while self._excess(high, below, above) < 0:
            high = min(2.0 * high - low, 1.0)
        return bracketed_root(lambda x: self._excess(x, below, above), low, high, tolerance=1e-12 * self.sd)

    def _excess(self, x: float, below: float, above: float) -> float:
        """Return log(cdf/p) at x, or log((1-p)/sf) for an upper quantile: increasing in x."""
        chances = self._chances(x)
        if below <= above:
            return math.log(chances.less / below) if chances.less > 0 else -math.inf
        return math.log(above / chances.greater) if chances.greater > 0 else math.inf


def _centre(law: SharePosterior) -> float:
    return law.a / (law.a + law.weight * law.b)


def _upper(b: SharePosterior, a: SharePosterior, margin: float) -> float:
    """Return P(M_B - M_A > margin), integrating against the density of the sharper of the two."""
    if betas.logit_sd(b.a, b.b) < betas.logit_sd(a.a, a.b):
        return _Shifted(b, a, -margin, "below").integral()
    return _Shifted(a, b, margin, "above").integral()


@dataclass(frozen=True)
class _Shifted:
    """The integral of f(m) T(m + shift) dm, f the density of one posterior and T a tail (or the density) of the other.

    With r = 1 - |shift|, s = logistic(v) and s' = logistic(-v), both m and m + shift, and both distances from 1,
    are sums of positive terms: r s or |shift| + r s, r s' or |shift| + r s'. So nothing cancels near 0 and 1.
    """

    density: SharePosterior
    other: SharePosterior
    shift: float
    tail: ShareQuantity

    def integral(self) -> float:
        panels = around_peak(self._log_integrand, self._landmarks())
        return integral(self._integrand, panels) + self._outside() + self._ends()

    def _points(self, v: Floats) -> tuple[ShareAndRest, ShareAndRest]:
        size = abs(self.shift)
        s, s_prime = ((1.0 - size) * side for side in betas.pair(v))
        inner, outer = (s, size + s_prime), (size + s, s_prime)
        return (inner, outer) if self.shift >= 0 else (outer, inner)

    def _integrand(self, v: Floats) -> Floats:
        (m, n), shifted = self._points(v)
        s, s_prime = betas.pair(v)
        jacobian = (1.0 - abs(self.shift)) * (s / m) * (s_prime / n)
        return np.exp(self.density.log_kernel(m, n)) * jacobian * self._tail(*shifted)

    def _log_integrand(self, v: Floats) -> Floats:
        (m, n), shifted = self._points(v)
        s, s_prime = betas.pair(v)
        with np.errstate(divide="ignore"):
            return self.density.log_kernel(m, n) + np.log((s / m) * (s_prime / n)) + np.log(self._tail(*shifted))

    def _tail(self, m: Floats, n: Floats) -> Floats:
        if self.tail == "density":
            return np.exp(self.other.log_density(m, n))
        return self.other.below(m, n) if self.tail == "below" else self.other.above(m, n)

    def _landmarks(self) -> Floats:
        """Return the landmarks of both posteriors in the variable v."""
        size = abs(self.shift)
        inner, outer = (0.0, size), (size, 0.0)
        ends = (inner, outer) if self.shift >= 0 else (outer, inner)
        found = [np.array([-betas.DEEPEST_LOGIT, betas.DEEPEST_LOGIT]), 2.0 ** np.arange(10), -(2.0 ** np.arange(10))]
        for law, (low, high) in zip((self.density, self.other), ends, strict=True):
            m, n = betas.pair(law.landmarks())
            inside = (m > low) & (n > high)
            found.append(np.log(m[inside] - low) - np.log(n[inside] - high))
        points: Floats = np.unique(np.concatenate(found))
        return points[np.abs(points) <= betas.DEEPEST_LOGIT]

    def _outside(self) -> float:
        """Return the mass of the density where m + shift lies outside [0, 1] and the tail is 1."""
        size = np.array(abs(self.shift))
        if self.tail == "above" and self.shift < 0:
            return float(self.density.below(size, 1.0 - size))
        if self.tail == "below" and self.shift > 0:
            return float(self.density.above(1.0 - size, size))
        return 0.0

    def _ends(self) -> float:
        """Return what lies beyond the deepest log odds, where both densities are power laws or the tail is constant."""
        if min(self.density.a, self.density.b) > 1.0:
            return 0.0
        if self.tail == "density" and self.shift == 0:
            poles = min(self.density.a + self.other.a, self.density.b + self.other.b)
            return 0.0 if poles > 1.0 else math.inf
        ends, size = np.array([-betas.DEEPEST_LOGIT, betas.DEEPEST_LOGIT]), np.array(abs(self.shift))
        (m, n), _ = self._points(ends)
        below, above = self.density.below(m, n)[0], self.density.above(m, n)[1]
        if self.shift > 0:
            return float(below * self._tail(size, 1.0 - size))
        if self.shift < 0:
            return float(above * self._tail(1.0 - size, size))
        kernel, tails = np.exp(self.density.log_kernel(m, n)), (self.other.below(m, n)[0], self.other.above(m, n)[1])
        left = kernel[0] * tails[0] / (self.density.a + self.other.a)
        right = kernel[1] * tails[1] / (self.density.b + self.other.b)
        return float(left + above - right if self.tail == "below" else below - left + right)
