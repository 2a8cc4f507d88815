"""The posterior of a share of cells, or of a Tversky index of one: precision, recall, accuracy, Jaccard, F1.

Its shortest interval (highest density) is found here too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from howsure.errors import InputError, check_level
from howsure.errors.messages import numerics as messages
from howsure.numerics import beta as betas
from howsure.numerics.dirichlet import log_gammas, random_streams
from howsure.numerics.solving import around_peak, bracketed_root, integral
from howsure.results.base import Shown
from howsure.types import Floats

CredibleKind = Literal["equal", "hdi"]


class DrawnDensity(Shown):
    """A posterior that is drawn as its density."""

    def plot(
        self,
        *,
        metric: str = "metric",
        level: float = 0.95,
        kind: CredibleKind = "equal",
        axes: Any = None,
        ax: Any = None,
    ) -> Any:
        """Draw the density with its credible interval and return matplotlib's axes."""
        return self.write("figure", metric=metric, level=level, kind=kind, axes=ax if axes is None else axes)


@dataclass(frozen=True)
class SharePosterior(DrawnDensity):
    """The distribution of M = u / (u + weight (1 - u)) with u ~ Beta(a, b).

    weight 1: M = u, a share (precision, recall, accuracy, Jaccard). weight 1/2: F1 = 2u/(1+u) of the Jaccard share
    (Wang & Li 2019, eq. 27). Any weight: the Tversky index with that weight on both errors. On the log-odds scale
    the weight is a shift by -log(weight). Methods take numbers or arrays and return the same.

    >>> precision = SharePosterior(9, 3)
    >>> precision.mean, round(float(precision.cdf(0.75)), 4)
    (0.75, 0.4552)
    >>> f1 = SharePosterior(1, 2, weight=0.5)
    >>> round(f1.mean, 3)
    0.455
    """

    a: float
    b: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        for name in ("a", "b", "weight"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise InputError.of(name, value, messages.FINITE_NUMBER_ABOVE_0())
            object.__setattr__(self, name, float(value))

    # ---- on the scale of M

    def pdf(self, x: npt.ArrayLike) -> Floats:
        """Return the density of M at x (infinite at an end where the density is unbounded)."""
        with np.errstate(over="ignore"):
            return np.exp(self.logpdf(x))[()]

    def logpdf(self, x: npt.ArrayLike) -> Floats:
        """Return the log density of M at x."""
        m = np.asarray(x, dtype=np.float64)
        inside = (m > 0) & (m < 1)
        middle = np.where(inside, m, 0.5)
        values = self.log_density(middle, 1.0 - middle)
        values = np.where(inside, values, -np.inf)
        values = np.where(m == 0, _end_density(self.a, self.b, math.log(self.weight)), values)
        return np.where(m == 1, _end_density(self.b, self.a, -math.log(self.weight)), values)[()]

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Return P(M <= x)."""
        m = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
        return self.below(m, 1.0 - m)[()]

    def sf(self, x: npt.ArrayLike) -> Floats:
        """Return P(M > x), to full relative precision where it is small."""
        m = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
        return self.above(m, 1.0 - m)[()]

    def ppf(self, p: npt.ArrayLike) -> Floats:
        """Return the quantile: the x with P(M <= x) = p."""
        share = np.asarray(p, dtype=np.float64)
        inside = (share > 0) & (share < 1)
        logit = betas.logit_ppf(self.a, self.b, np.where(inside, share, 0.5)) - math.log(self.weight)
        ends = np.where(share == 0, 0.0, np.where(share == 1, 1.0, np.nan))
        return np.where(inside, betas.pair(logit)[0], ends)[()]

    def isf(self, q: npt.ArrayLike) -> Floats:
        """Return the upper quantile: the x with P(M > x) = q."""
        share = np.asarray(q, dtype=np.float64)
        inside = (share > 0) & (share < 1)
        logit = -betas.logit_ppf(self.b, self.a, np.where(inside, share, 0.5)) - math.log(self.weight)
        ends = np.where(share == 0, 1.0, np.where(share == 1, 0.0, np.nan))
        return np.where(inside, betas.pair(logit)[0], ends)[()]

    def sample(self, size: int, *, seed: int | np.random.SeedSequence = 0) -> Floats:
        """Return independent draws of M."""
        return betas.pair(self.sample_logit(size, seed=seed))[0]

    def sample_logit(self, size: int, *, seed: int | np.random.SeedSequence = 0) -> Floats:
        """Return independent draws of the log odds of M, which keep apart what rounds to 0 or 1."""
        logs = log_gammas(random_streams(seed), np.array([self.a, self.b]), size)
        return np.asarray(logs[:, 0] - logs[:, 1] - math.log(self.weight), dtype=np.float64)

    # ---- summaries

    @cached_property
    def mean(self) -> float:
        """The mean of M: a/(a+b) for weight 1, else M at the mean share plus the mean deviation from it."""
        return self.a / (self.a + self.weight * self.b) + self._deviation_mean

    @cached_property
    def sd(self) -> float:
        """The standard deviation of M."""
        total = self.a + self.b
        if self.weight == 1.0:
            return math.sqrt(self.a / total * (self.b / total) / (total + 1.0))
        return math.sqrt(self.expectation(lambda m, n: self._deviation(m, n) ** 2) - self._deviation_mean**2)

    @cached_property
    def _deviation_mean(self) -> float:
        return 0.0 if self.weight == 1.0 else self.expectation(self._deviation)

    def _deviation(self, m: Floats, n: Floats) -> Floats:
        """Return m minus M at the mean share, from the smaller of m and n."""
        whole = self.a + self.weight * self.b
        return m - self.a / whole if self.a <= self.weight * self.b else self.weight * self.b / whole - n

    @property
    def mode(self) -> float:
        """The highest point of the density of M; nan where it has none or two (infinite at both ends, or flat)."""
        if (self.a < 1 and self.b < 1) or self.a == self.b == self.weight == 1:
            return math.nan
        if self.a < 1 or self.b < 1:
            return float(self.a >= 1)
        stationary = [point for point in self._stationary() if 0.0 <= point <= 1.0]
        return max([*stationary, 0.0, 1.0], key=lambda point: float(self.logpdf(point)))

    def interval(self, level: float = 0.95, *, kind: CredibleKind = "equal") -> tuple[float, float]:
        """Return a credible interval: equal tails, or the shortest ("hdi", on the scale of M itself).

        The shortest interval is the highest-density region where the density has one peak. It is not invariant:
        the one of F1 is not the transformed one of the Jaccard share (equal tails are).
        """
        check_level(level)
        if kind == "hdi":
            return shortest(self, 1.0 - level)
        if kind != "equal":
            raise InputError.of("kind", kind, messages.EQUAL_OR_HDI())
        return float(self.ppf((1.0 - level) / 2)), float(self.isf((1.0 - level) / 2))

    # ---- on pairs (m, 1 - m), both to full relative precision

    def below(self, m: Floats, n: Floats) -> Floats:
        """Return P(M <= m) where n = 1 - m."""
        return betas.cdf(self.a, self.b, *self._share(m, n))

    def above(self, m: Floats, n: Floats) -> Floats:
        """Return P(M > m) where n = 1 - m."""
        return betas.sf(self.a, self.b, *self._share(m, n))

    def log_kernel(self, m: Floats, n: Floats) -> Floats:
        """Return the log density of the log odds of M, that is log(pdf(m) m n)."""
        return betas.log_kernel(self.a, self.b, *self._share(m, n))

    def log_density(self, m: Floats, n: Floats) -> Floats:
        """Return the log density of M itself, for 0 < m < 1."""
        return self.log_kernel(m, n) - np.log(m) - np.log(n)

    def expectation(self, function: Callable[[Floats, Floats], Floats]) -> float:
        """Return the mean of a bounded smooth function of (m, 1 - m), by quadrature on the log-odds scale."""
        points = around_peak(lambda t: self.log_kernel(*betas.pair(t)), self.landmarks())
        ends = betas.pair(points[[0, -1]])
        inside = integral(lambda t: self._weighted(function, t), points)
        below, above = self.below(*ends)[0], self.above(*ends)[1]
        values = function(*betas.pair(np.array([-np.inf, np.inf])))
        return float(inside + below * values[0] + above * values[1])

    def landmarks(self) -> Floats:
        """Return log odds of M that bracket every feature of the density, ever wider apart, up to underflow."""
        shift, scale = math.log(self.weight), betas.logit_sd(self.a, self.b)
        steps = scale * 2.0 ** np.arange(-1, max(0, math.ceil(math.log2(2 * betas.DEEPEST_LOGIT / scale))))
        plain = 2.0 ** np.arange(-1, 10)
        centred = betas.logit_mean(self.a, self.b) + np.concatenate([-steps, [0.0], steps])
        points = np.concatenate([centred, -plain, [0.0], plain]) - shift
        limit = betas.DEEPEST_LOGIT
        return np.unique(np.concatenate([np.clip(points, -limit, limit), [-limit, limit]]))

    def _weighted(self, function: Callable[[Floats, Floats], Floats], logit: Floats) -> Floats:
        m, n = betas.pair(logit)
        return np.exp(self.log_kernel(m, n)) * function(m, n)

    def _share(self, m: Floats, n: Floats) -> tuple[Floats, Floats]:
        whole = self.weight * m + n
        return self.weight * m / whole, n / whole

    def _stationary(self) -> tuple[float, ...]:
        """Return the roots of (a-1)(1-m)(1-cm) - (b-1)m(1-cm) + (a+b)cm(1-m) with c = 1 - weight."""
        c = 1.0 - self.weight
        linear, constant = c * (self.b + 1.0) - (self.a + self.b - 2.0), self.a - 1.0
        root = math.sqrt(max(linear * linear + 8.0 * c * constant, 0.0))
        larger = -0.5 * (linear + math.copysign(root, linear))
        return tuple(top / bottom for top, bottom in ((larger, -2.0 * c), (constant, larger)) if bottom)


def _end_density(a: float, b: float, log_weight: float) -> float:
    """Return the log density of M at the end where it behaves as a power a - 1."""
    if a != 1:
        return math.inf if a < 1 else -math.inf
    return math.log(b) + log_weight


class ShareDistribution(Protocol):
    """What is asked of a share posterior."""

    @property
    def a(self) -> float: ...
    @property
    def b(self) -> float: ...
    @property
    def weight(self) -> float: ...
    def log_density(self, m: Floats, n: Floats) -> Floats: ...
    def log_kernel(self, m: Floats, n: Floats) -> Floats: ...
    def below(self, m: Floats, n: Floats) -> Floats: ...
    def above(self, m: Floats, n: Floats) -> Floats: ...


def shortest(law: ShareDistribution, tail: float) -> tuple[float, float]:
    """Return the shortest interval with probability 1 - tail.

    With one interior peak both ends have the same density: Newton in two unknowns. Otherwise, or if that does not
    settle, search over the mass left below: the interval touches an end of the scale, or has equal densities.
    """
    if law.a > 1 and law.b > 1:
        ends = _newton(law, tail)
        if ends is not None:
            return ends
    return _search(law, tail)


def _newton(law: ShareDistribution, tail: float) -> tuple[float, float] | None:
    """Solve cdf(low) + sf(high) = tail and density(low) = density(high) on the log-odds scale."""
    t = np.concatenate([_low_logit(law, np.array([tail / 2])), _high_logit(law, np.array([tail / 2]))])
    for _ in range(30):
        (m, n), x = betas.pair(t), betas.pair(t + math.log(law.weight))
        with np.errstate(divide="ignore"):
            heights, kernels = law.log_density(m, n), np.exp(law.log_kernel(m, n))
        excess = float(law.below(m[:1], n[:1])[0] + law.above(m[1:], n[1:])[0]) - tail
        slopes = law.a * x[1] - law.b * x[0] + m - n
        determinant = kernels[1] * slopes[0] - kernels[0] * slopes[1]
        gap = heights[0] - heights[1]
        step = np.array([excess * slopes[1] - gap * kernels[1], excess * slopes[0] - gap * kernels[0]]) / determinant
        if not (np.all(np.isfinite(step)) and slopes[0] > 0 > slopes[1]):
            return None
        t = t + step
        if abs(excess) < 1e-9 * tail and abs(gap) < 1e-9:
            low, high = betas.pair(t)[0]
            return float(low), float(high)
    return None


def _search(law: ShareDistribution, tail: float) -> tuple[float, float]:
    grid = np.linspace(-40.0, 40.0, 81)
    slope = _slope(law, grid, tail)
    turns = np.flatnonzero((slope[:-1] < -1e-12) & (slope[1:] >= -1e-12))
    roots = [bracketed_root(lambda v: float(_slope(law, np.array([v]), tail)[0]), grid[k], grid[k + 1]) for k in turns]
    left, right = betas.pair(np.array([0.0, *roots]))
    low = betas.pair(_low_logit(law, tail * left))[0]
    high = betas.pair(_high_logit(law, tail * right))[0]
    whole = np.array([tail])
    low = np.concatenate([low, [0.0], betas.pair(_low_logit(law, whole))[0]])
    high = np.concatenate([high, betas.pair(_high_logit(law, whole))[0], [1.0]])
    # Of lengths that are equal but for rounding (a flat density) the first, central one is taken.
    best = int(np.argmax(high - low <= (1 + 1e-12) * np.min(high - low)))
    return float(low[best]), float(high[best])


def _slope(law: ShareDistribution, split: Floats, tail: float) -> Floats:
    """Return log density at the low end minus at the high end, with tail masses split at these log odds."""
    left, right = betas.pair(split)
    low, high = betas.pair(_low_logit(law, tail * left)), betas.pair(_high_logit(law, tail * right))
    return law.log_density(*low) - law.log_density(*high)


def _low_logit(law: ShareDistribution, tail: Floats) -> Floats:
    return np.maximum(betas.logit_ppf(law.a, law.b, tail), -betas.DEEPEST_LOGIT) - math.log(law.weight)


def _high_logit(law: ShareDistribution, tail: Floats) -> Floats:
    return -np.maximum(betas.logit_ppf(law.b, law.a, tail), -betas.DEEPEST_LOGIT) - math.log(law.weight)
