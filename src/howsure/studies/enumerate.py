"""Every outcome of n rows with its probability, negligible tails cut; or a random sample of outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from howsure.types import Array

NEGLIGIBLE = 1e-12
BLOCK = 100_000
CountsAndChances = tuple[Array, Array]


def outcomes(shares: Array, n: int, first: range | None = None) -> Iterator[CountsAndChances]:
    """Yield blocks of counts (outcomes, cells) and their multinomial probabilities.

    Cells are filled one after another, each a binomial of what is left; a branch whose probability is so small
    that all such branches together stay near 1e-12 is cut. ``first`` restricts the count of the first cell that
    can hold rows, so that a long enumeration can be done in parts.

    >>> sum(float(chance.sum()) for _, chance in outcomes(np.array([0.5, 0.3, 0.2]), 10))
    1.0
    """
    flat = np.ravel(shares)
    held = np.flatnonzero(flat > 0)
    enough = math.log(NEGLIGIBLE) - math.log(number_of_outcomes(flat, n))
    seed = _Branches(np.zeros((1, 0), dtype=np.int64), np.array([n]), np.zeros(1))
    factorials = gammaln(np.arange(n + 1) + 1.0)
    for counts, logs in _fill(seed, flat[held], factorials, enough, first):
        block = np.zeros((len(counts), len(flat)))
        block[:, held] = counts
        yield block, np.exp(logs)


def first_counts(shares: Array, n: int) -> range:
    """Return the counts of the first cell that matter."""
    flat = np.ravel(shares)
    low, high = _bounds(np.array([n]), float(flat[np.flatnonzero(flat > 0)[0]]))
    return range(int(low[0]), int(high[0]))


class _Branches:
    """Outcomes so far: counts of the cells already filled, rows left, log probability."""

    def __init__(self, counts: Array, left: Array, logs: Array) -> None:
        self.counts, self.left, self.logs = counts, left, logs

    def take(self, part: slice) -> _Branches:
        return _Branches(self.counts[part], self.left[part], self.logs[part])


def _fill(
    branches: _Branches, shares: Array, factorials: Array, enough: float, only: range | None
) -> Iterator[CountsAndChances]:
    if len(shares) == 1:
        yield np.column_stack([branches.counts, branches.left]), branches.logs
        return
    share = float(shares[0] / shares.sum())
    low, high = _bounds(branches.left, share)
    if only is not None:
        low, high = np.clip(low, only.start, only.stop), np.clip(high, only.start, only.stop)
    for part in _parts(high - low):
        grown = _grow(branches.take(part), low[part], high[part], share, factorials, enough)
        yield from _fill(grown, shares[1:], factorials, enough, None)


def _parts(sizes: Array) -> Iterator[slice]:
    """Yield slices of branches that grow into about one block."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
        yield slice(start, stop)
        start = stop


def _grow(branches: _Branches, low: Array, high: Array, share: float, factorials: Array, enough: float) -> _Branches:
    """Return every branch with the next cell filled in all ways that matter."""
    sizes = high - low
    parent = np.repeat(np.arange(len(sizes)), sizes)
    count = np.arange(len(parent)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + low[parent]
    whole = branches.left[parent]
    left = whole - count
    logs = factorials[whole] - factorials[count] - factorials[left]
    logs = branches.logs[parent] + logs + count * math.log(share) + left * math.log1p(-share)
    keep = logs > enough
    counts = np.column_stack([branches.counts[parent[keep]], count[keep]])
    return _Branches(counts, left[keep], logs[keep])


def _bounds(n: Array, share: float) -> tuple[Array, Array]:
    """Return the counts of a binomial that carry all but some 1e-18 of it, as [low, high)."""
    middle, spread = n * share, 8.5 * np.sqrt(n * share * (1 - share)) + 40
    low = np.maximum(0, np.floor(middle - spread)).astype(np.int64)
    return low, np.minimum(n, np.ceil(middle + spread)).astype(np.int64) + 1


def number_of_outcomes(shares: Array, n: int) -> int:
    """Return about how many outcomes of n rows matter: all of them, or the ellipsoid that holds the probability."""
    flat = np.sort(np.ravel(shares))
    flat = flat[flat > 0]
    free = len(flat) - 1
    everything = math.comb(n + free, free)
    if not free:
        return 1
    radius = 8.5
    axes = [radius * math.sqrt(n * share) + 4 for share in flat[:-1]]
    volume = free / 2 * math.log(math.pi) - math.lgamma(free / 2 + 1) + sum(map(math.log, axes))
    volume += 0.5 * math.log(flat[-1])
    return max(1, min(everything, math.ceil(math.exp(min(volume, 700)))))


def random_outcomes(shares: Array, n: int, start: int, stop: int, seed: int) -> CountsAndChances:
    """Return simulated outcomes start … stop of a long run and how often each came.

    Each part has its own stream, so it does not matter who runs it, or when.
    """
    rng = np.random.default_rng([seed, n, start])
    return _counted(rng.multinomial(n, np.ravel(shares), size=stop - start), n)


def _counted(drawn: Array, n: int) -> CountsAndChances:
    """Return the distinct outcomes with their numbers, where one whole number can name an outcome."""
    free = drawn.shape[1] - 1
    if free * math.log2(n + 1) > 62:
        return drawn.astype(float), np.ones(len(drawn))
    names = drawn[:, :free] @ (n + 1) ** np.arange(free)
    _, where, times = np.unique(names, return_index=True, return_counts=True)
    return drawn[where].astype(float), times.astype(float)
