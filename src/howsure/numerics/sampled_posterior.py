"""A posterior known through draws, for any metric, with the Monte-Carlo error of what it says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from howsure.errors import InputError, check_level, check_seed
from howsure.errors.messages import numerics as messages
from howsure.numerics.dirichlet import dirichlet_blocks
from howsure.numerics.share_posterior import CredibleKind, DrawnDensity, SharePosterior
from howsure.types import Floats

Value = Callable[[Floats], Floats]

_MOST_BINS = 1 << 16
_BATCHES = 25


class SamplingError(NamedTuple):
    """Monte-Carlo standard errors of the mean and of the two ends of an interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class SampledPosterior(DrawnDensity):
    """The posterior of a metric, given by draws of it; ``bounds`` are the least and greatest possible values.

    >>> law = SampledPosterior(np.array([0.1, 0.4, 0.2, 0.3]))
    >>> law.mean, float(law.cdf(0.2)), float(law.ppf(0.5))
    (0.25, 0.5, 0.25)
    """

    draws: Floats
    seed: int = 0
    bounds: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        draws = np.sort(np.asarray(self.draws, dtype=np.float64).ravel())
        if len(draws) < 2 or not np.all(np.isfinite(draws)):
            bad = np.count_nonzero(~np.isfinite(draws))
            raise InputError(messages.DRAWS_VALUES_OF_THEM_NOT_FINITE(number=len(draws), bad=bad))
        draws.flags.writeable = False
        object.__setattr__(self, "draws", draws)

    @property
    def mean(self) -> float:
        """The mean of the draws."""
        return float(self.draws.mean())

    @property
    def sd(self) -> float:
        """The standard deviation of the draws."""
        return float(self.draws.std(ddof=1))

    @property
    def mode(self) -> float:
        """The highest point of the estimated density."""
        grid, heights = self._density
        return float(grid[np.argmax(heights)])

    def pdf(self, x: npt.ArrayLike) -> Floats:
        """Return a kernel estimate of the density, reflected at the bounds so that no mass leaks out."""
        return np.interp(np.asarray(x, dtype=np.float64), *self._density, left=0.0, right=0.0)

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Return the share of draws up to x."""
        return np.searchsorted(self.draws, np.asarray(x, dtype=np.float64), side="right") / len(self.draws)

    def sf(self, x: npt.ArrayLike) -> Floats:
        """Return the share of draws above x."""
        above = len(self.draws) - np.searchsorted(self.draws, np.asarray(x, dtype=np.float64), side="right")
        return above / len(self.draws)

    def ppf(self, p: npt.ArrayLike) -> Floats:
        """Return the quantile of the draws."""
        rank = np.asarray(p, dtype=np.float64) * (len(self.draws) - 1)
        return np.interp(rank, np.arange(len(self.draws)), self.draws)

    def isf(self, q: npt.ArrayLike) -> Floats:
        """Return the upper quantile of the draws."""
        return self.ppf(1.0 - np.asarray(q, dtype=np.float64))

    def interval(self, level: float = 0.95, *, kind: CredibleKind = "equal") -> tuple[float, float]:
        """Return a credible interval: equal tails, or the shortest that holds this share of the draws ("hdi")."""
        check_level(level)
        if kind == "hdi":
            return shortest_drawn(self.draws, level)
        if kind != "equal":
            raise InputError.of("kind", kind, messages.EQUAL_OR_HDI())
        return float(self.ppf((1.0 - level) / 2)), float(self.ppf((1.0 + level) / 2))

    def sample(self, size: int, *, seed: int = 0) -> Floats:
        """Return draws picked at random, with replacement."""
        return np.random.default_rng(check_seed(seed)).choice(self.draws, size)

    def error(self, level: float = 0.95, *, kind: CredibleKind = "equal") -> SamplingError:
        """Return Monte-Carlo standard errors of the mean and of the ends of ``interval(level, kind=kind)``.

        Equal tails: see ``drawn_quantile``. Shortest: the scatter over 25 random batches, scaled by the cube root, at
        which rate its ends converge.
        """
        mean = self.sd / math.sqrt(len(self.draws))
        if kind == "hdi":
            return SamplingError(mean, *self._batch_errors(level))
        tail = (1.0 - level) / 2
        return SamplingError(mean, *(drawn_quantile(self.draws, p)[1] for p in (tail, 1.0 - tail)))

    def _batch_errors(self, level: float) -> tuple[float, float]:
        shuffled = np.random.default_rng(self.seed).permutation(self.draws)
        ends = np.array([shortest_drawn(np.sort(shuffled[k::_BATCHES]), level) for k in range(_BATCHES)])
        low, high = ends.std(axis=0, ddof=1) / _BATCHES ** (1 / 3)
        return float(low), float(high)

    @cached_property
    def _density(self) -> tuple[Floats, Floats]:
        """Return grid and heights: binned draws, a Gaussian kernel of Silverman's width, reflection at the bounds."""
        width = self._bandwidth
        low = max(self.bounds[0], float(self.draws[0]) - 6 * width)
        high = min(self.bounds[1], float(self.draws[-1]) + 6 * width)
        bins = min(_MOST_BINS, 2 + math.ceil(16 * (high - low) / width))
        grid = np.linspace(low, high, bins)
        step = grid[1] - grid[0]
        reach = min(math.ceil(6 * width / step), bins - 1)
        kernel = np.exp(-0.5 * (step / width * np.arange(-reach, reach + 1)) ** 2)
        spread = np.convolve(_binned(self.draws, low, step, bins), kernel / kernel.sum())
        return grid, _folded(spread, bins, reach) / (len(self.draws) * step)

    @property
    def _bandwidth(self) -> float:
        quarters = float(np.diff(self.ppf([0.25, 0.75]))[0]) / 1.349
        scale = min(self.sd, quarters) if quarters > 0 else self.sd
        smallest = 1e-12 * max(abs(float(self.draws[-1])), 1e-300)
        return max(0.9 * scale * math.pow(len(self.draws), -0.2), smallest)


Posterior = SharePosterior | SampledPosterior  # both answer pdf, cdf, ppf, interval and plot


def sampled_posterior(
    counts: npt.ArrayLike,
    value: Value,
    *,
    prior: npt.ArrayLike | None = None,
    draws: int = 100_000,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> SampledPosterior:
    """Return the posterior of any metric of a table under a Dirichlet prior, by draws.

    ``value`` maps cell probabilities of shape (draws, *counts.shape) to one number a draw. The prior
    is ``default_prior`` unless given. Goutte & Gaussier (2005); Caelen (2017).

    >>> law = sampled_posterior([[8, 2], [1, 9]], lambda p: p[:, 0, 0] + p[:, 1, 1], draws=1000)
    >>> abs(law.mean - 18 / 22) < 4 * law.error().mean
    True
    """
    blocks = dirichlet_blocks(counts, prior=prior, draws=draws, seed=seed)
    return SampledPosterior(np.concatenate([value(block) for block in blocks]), seed=seed, bounds=bounds)


def sampled_difference(
    counts: npt.ArrayLike,
    value: Value,
    *,
    prior: npt.ArrayLike | None = None,
    draws: int = 100_000,
    seed: int = 0,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> SampledPosterior:
    """Return the posterior of metric(B) - metric(A) on the same rows, by draws from the joint Dirichlet.

    ``value`` maps tables of shape (draws, K, K), truth in rows, to one number a draw. Unlike a comparison of two
    separate posteriors it uses that both models saw the same rows, and is the narrower the more they agree.

    >>> joint = [[[30, 2], [1, 3]], [[4, 6], [2, 52]]]
    >>> accuracy = lambda p: p[:, 0, 0] + p[:, 1, 1]
    >>> bool(sampled_difference(joint, accuracy, draws=2000).sf(0) > 0.6)
    True
    """
    _check_joint(counts)
    blocks = dirichlet_blocks(counts, prior=prior, draws=draws, seed=seed)
    differences = [value(block.sum(axis=2)) - value(block.sum(axis=3)) for block in blocks]
    return SampledPosterior(np.concatenate(differences), seed=seed, bounds=bounds)


def _check_joint(counts: npt.ArrayLike) -> None:
    shape = np.shape(counts)
    if len(shape) != 3 or len(set(shape)) != 1:
        raise InputError(messages.COUNTS_HAS_SHAPE(shape=shape))


def drawn_quantile(ordered: Floats, probability: float) -> tuple[float, float]:
    """Return a quantile of sorted draws and its Monte-Carlo error.

    The error is half the distance of the order statistics one standard error of the rank away.
    """
    step = math.sqrt(probability * (1.0 - probability) / len(ordered))
    ranks = np.clip([probability - step, probability, probability + step], 0.0, 1.0)
    below, value, above = np.quantile(ordered, ranks).tolist()
    return value, (above - below) / 2


def drawn_limits(ordered: Floats, ranks: Iterable[float]) -> tuple[float, float, float]:
    """Return two quantiles of sorted draws, and the larger of their Monte-Carlo errors."""
    (low, first), (high, second) = (drawn_quantile(ordered, rank) for rank in ranks)
    return low, high, max(first, second)


def shortest_drawn(ordered: Floats, level: float) -> tuple[float, float]:
    """Return the shortest interval that holds this share of sorted draws."""
    held = min(math.ceil(level * len(ordered)), len(ordered))
    start = int(np.argmin(ordered[held - 1 :] - ordered[: len(ordered) - held + 1]))
    return float(ordered[start]), float(ordered[start + held - 1])


def _binned(draws: Floats, low: float, step: float, bins: int) -> Floats:
    """Share each draw between the two nearest grid points."""
    position = np.clip((draws - low) / step, 0.0, bins - 1.0)
    left = np.minimum(position.astype(np.int64), bins - 2)
    part = position - left
    shared = np.bincount(left, 1.0 - part, bins) + np.bincount(left + 1, part, bins)
    return np.asarray(shared, dtype=np.float64)


def _folded(spread: Floats, bins: int, reach: int) -> Floats:
    """Fold what the kernel carried beyond either end of the grid back inside; nothing is there unless at a bound."""
    heights = spread[reach : reach + bins].copy()
    heights[: reach + 1] += spread[reach::-1]
    heights[bins - 1 - reach :] += spread[: bins + reach - 2 : -1]
    return heights
