"""The permutation test of two models on the same rows (approximate randomisation): whose answer is whose is chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammaln

from howsure.comparisons.pair import Alternative, Pair
from howsure.errors import check_seed, check_whole
from howsure.errors.messages import comparisons as messages
from howsure.tables.contents import Contents
from howsure.tables.design import plain_design
from howsure.tables.linearised import Linearised
from howsure.types import Array, Floats

BLOCK = 4_000_000  # numbers that a block of swaps may hold
DUST = 1e-10  # differences this close are ties that rounding parted


@dataclass(frozen=True, slots=True)
class Permutation:
    """Options of the permutation test: how many swaps are drawn where not all can be counted, and the seed."""

    n_resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "n_resamples", check_whole("n_resamples", self.n_resamples, 100, messages.USUALLY_9999())
        )
        object.__setattr__(self, "seed", check_seed(self.seed))


@dataclass(frozen=True)
class Swapped:
    """The differences after swaps of the two models' answers, their probabilities, and the observed difference."""

    differences: Floats
    chances: Floats | None  # None: drawn, all alike
    observed: float

    @property
    def exact(self) -> bool:
        """Whether all swaps were counted."""
        return self.chances is not None

    def p(self, side: Alternative) -> float:
        """Return the p-value of no difference; a drawn one counts the observed swap too, so it is never 0.

        A swap that leaves the metric undefined counts as extreme.
        """
        dust = DUST * max(1.0, abs(self.observed))
        if side == "two-sided":
            beyond = ~(np.abs(self.differences) < abs(self.observed) - dust)
        else:
            sign = 1 if side == "greater" else -1
            beyond = ~(sign * self.differences < sign * self.observed - dust)
        if self.chances is not None:
            return min(float(self.chances[beyond].sum()), 1.0)
        return (1 + int(beyond.sum())) / (1 + len(beyond))

    @property
    def error(self) -> float:
        """Monte-Carlo standard error of the two-sided p-value."""
        p = self.p("two-sided")
        return 0.0 if self.exact else math.sqrt(p * (1 - p) / len(self.differences))


def swapped(pair: Pair, options: Permutation) -> Swapped:
    """Return the difference under swaps of the models' answers, row by row or group by group.

    If the models are equally good, nothing changes when each row's two answers change places with probability ½. Of c
    rows alike, a Binomial(c, ½) number change places, so whole tables of swaps are counted where they are few, and
    otherwise drawn. Source: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses; Yeh (2000) COLING.
    """
    rows = _Swaps(pair)
    observed = float(rows.differences(np.zeros((1, rows.size)))[0])
    if rows.tables <= options.n_resamples:
        moved, chances = rows.every()
        return Swapped(rows.differences(moved), chances, observed)
    random = np.random.default_rng(options.seed)
    found = [rows.differences(moved) for moved in rows.drawn(random, options.n_resamples)]
    return Swapped(np.concatenate(found), None, observed)


class _Swaps:
    """Both models' rows one after the other, as one model whose weights say which answers are in place."""

    def __init__(self, pair: Pair) -> None:
        self.pair, design = pair, pair.a.design
        self.weights = design.weights
        first, second = (linear.contents.pick([linear.place]) for linear in (pair.a, pair.b))
        self.contents: Contents = first.joined(second)
        self.differ = (first.keys() != second.keys()).reshape(len(first), -1).any(1)
        if design.groups is None:
            self.units, self.counts = np.arange(len(first)), np.where(self.differ, design.counts, 0)
        else:
            self.units = np.unique(design.groups, return_inverse=True)[1].ravel()
            self.counts = (np.bincount(self.units, weights=self.differ) > 0).astype(float)
        self.size = len(self.counts)

    @cached_property
    def linear(self) -> Linearised:
        """The metric on the rows of both models."""
        both = plain_design(np.concatenate([self.weights, self.weights]))
        return self.contents.linearise(self.pair.metric, self.pair.a.model, 0, both, self.pair.a.undefined)

    @property
    def tables(self) -> float:
        """How many different numbers of swaps there are, of all kinds of rows together."""
        return float(np.exp(min(np.log1p(self.counts).sum(), 700.0)))

    def every(self) -> tuple[Array, Floats]:
        """Return the number of swaps of each unit in every case, and its probability."""
        some = np.flatnonzero(self.counts)
        sizes = self.counts[some].astype(int)
        cases = np.indices(tuple(sizes + 1)).reshape(len(some), -1).T if len(some) else np.zeros((1, 0), dtype=int)
        logs = (gammaln(sizes + 1) - gammaln(cases + 1) - gammaln(sizes - cases + 1) - sizes * math.log(2)).sum(1)
        moved = np.zeros((len(cases), self.size))
        moved[:, some] = cases
        return moved, np.exp(logs)

    def drawn(self, random: np.random.Generator, number: int) -> Iterator[Array]:
        """Yield numbers of swaps in blocks of bounded memory."""
        block = max(1, BLOCK // max(2 * len(self.weights), 1))
        for start in range(0, number, block):
            yield random.binomial(self.counts.astype(int), 0.5, (min(block, number - start), self.size)).astype(float)

    def differences(self, moved: Array) -> Floats:
        """Return b − a, or log b − log a of a ratio, when so many of each unit have changed places."""
        share = (moved / np.where(self.counts > 0, self.counts, 1))[:, self.units]
        gone = share * self.weights
        kept = self.weights - gone
        a, b = (
            self.contents.values_at(self.linear, np.concatenate(parts, axis=1))
            for parts in ((kept, gone), (gone, kept))
        )
        with np.errstate(all="ignore"):
            return np.asarray(np.log(b) - np.log(a) if self.pair.kind == "ratio" else b - a, dtype=float)
