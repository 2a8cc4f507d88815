"""Posteriors of a difference of two models on the same rows, from one Dirichlet on (truth, prediction a, prediction b).

Exact where only discordant rows count (accuracy, recall, specificity), Rao–Blackwell for Tversky indices, draws for
the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.special import gammaincc

from howsure.comparisons.methods.discordant import outcomes_of
from howsure.comparisons.pair import Ends, Pair
from howsure.errors import MethodError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.methods.credible import Bayes
from howsure.metrics.gradient import values_of
from howsure.numerics import beta as betas
from howsure.numerics.dirichlet import default_prior, dirichlet_blocks, log_gamma_blocks
from howsure.numerics.sampled_posterior import drawn_quantile, shortest_drawn
from howsure.numerics.share_posterior import SharePosterior
from howsure.numerics.solving import bracketed_root
from howsure.tables.labels import RIGHT
from howsure.types import Array

MOST_CLASSES = 30
BLACKWELL_DRAWS = 20_000


class DifferencePosterior(Protocol):
    """The posterior of b − a (or b / a)."""

    @property
    def how(self) -> str:
        """How it is known, in words."""

    def above(self, x: float) -> float:
        """Return P(difference > x)."""

    def limits(self, probability: float) -> Ends:
        """Return the quantiles that leave this probability beyond each end."""

    def error(self, probability: float) -> float | None:
        """Return the Monte-Carlo error of such a limit, or None if exact."""


def _limits(above: Callable[[float], float], probability: float, tolerance: float) -> Ends:
    """Return where P(difference > x) leaves this probability beyond each end."""
    low = bracketed_root(lambda x: above(x) - (1 - probability), -1.0, 1.0, tolerance=tolerance)
    return low, bracketed_root(lambda x: above(x) - probability, -1.0, 1.0, tolerance=tolerance)


@dataclass(frozen=True)
class DiscordantPosterior:
    """δ = s(2u − 1): s ~ Beta the share of discordant rows, u ~ Beta the part of them that b alone got right.

    Exact for the difference of two shares of the same rows under a Dirichlet prior, in which s and u are independent;
    P(δ > 0) is the Bayesian McNemar test, P(u > ½) (Altham 1971, Biometrika 58:561).

    >>> round(DiscordantPosterior(9.5, 1.5, 40.0).above(0.0), 4)
    0.9963
    """

    gained: float
    lost: float
    rest: float
    how: str = "exact"

    @cached_property
    def _share(self) -> SharePosterior:
        return SharePosterior(self.gained + self.lost, self.rest)

    def above(self, x: float) -> float:
        """Return P(δ > x), by quadrature over the share of discordant rows; closed at x = 0."""
        if abs(x) >= 1:
            return float(x < 0)

        def beyond(m: Array, n: Array) -> Array:
            with np.errstate(divide="ignore"):
                lean = np.clip(np.where(m > 0, x / m, np.copysign(np.inf, x) if x else 0.0), -1.0, 1.0)
            return betas.sf(self.gained, self.lost, (1 + lean) / 2, (1 - lean) / 2)

        return float(beyond(np.array(1.0), np.array(0.0))) if x == 0 else self._share.expectation(beyond)

    def limits(self, probability: float) -> Ends:
        """Return the quantiles that leave this probability beyond each end."""
        return _limits(self.above, probability, 1e-10)

    def error(self, probability: float) -> float | None:
        """Nothing is simulated."""
        return None


@dataclass(frozen=True)
class TverskyPosterior:
    """T_b − T_a of a Tversky index: seven gammas drawn, the eighth, of (1, a = 0, b = 1), integrated exactly.

    A Dirichlet is gammas over their sum, which cancels in T. T_b − T_a increases in that gamma x, so P(T_b − T_a > c)
    is the mean of P(x > root) over the draws of the others (Rao–Blackwell): its error is smaller than that of counting
    draws.
    """

    counts: Array
    prior: Array
    weights: tuple[float, float]
    draws: int
    seed: int
    how: str = "Rao–Blackwell"

    @cached_property
    def _gammas(self) -> Array:
        blocks = log_gamma_blocks(self.counts, prior=self.prior, draws=self.draws, seed=self.seed)
        return np.asarray(np.exp(np.concatenate(list(blocks))))

    def _chances(self, c: float) -> Array:
        shape = float(self.counts[1, 0, 1] + self.prior[1, 0, 1])
        return np.asarray(gammaincc(shape, _crossing(self._gammas, *self.weights, c)))

    def above(self, x: float) -> float:
        """Return P(T_b − T_a > x)."""
        return float(x < 0) if abs(x) >= 1 else float(self._chances(x).mean())

    def limits(self, probability: float) -> Ends:
        """Return the quantiles that leave this probability beyond each end."""
        return _limits(self.above, probability, 1e-8)

    def error(self, probability: float) -> float | None:
        """Return the error of a limit: the error of the probability there over its slope."""
        return max(self._limit_error(end) for end in self.limits(probability))

    def _limit_error(self, end: float) -> float:
        step = 1e-3 * max(1 - abs(end), 1e-6)
        slope = (self.above(end - step) - self.above(end + step)) / (2 * step)
        return float(self._chances(end).std() / math.sqrt(self.draws)) / slope if slope > 0 else math.nan


def _crossing(g: Array, a: float, b: float, c: float) -> Array:
    """Return the x at which T_b − T_a = c: 0 if it is above c for every x, infinite if for none.

    T_b = (x + hit)/(x + hit + loss), T_a = found/(whole + b·x): a quadratic in x.
    """
    hit, miss, only_a = g[:, 1, 1, 1], g[:, 1, 0, 0], g[:, 1, 1, 0]
    loss = a * (g[:, 0, 0, 1] + g[:, 0, 1, 1]) + b * (miss + only_a)
    found = hit + only_a
    whole = found + a * (g[:, 0, 1, 0] + g[:, 0, 1, 1]) + b * miss
    leading = b * (1 - c)
    linear = whole + b * hit - found - c * (whole + b * (hit + loss))
    constant = hit * whole - found * (hit + loss) - c * (hit + loss) * whole
    with np.errstate(divide="ignore", invalid="ignore"):
        root = -2 * constant / (linear + np.sqrt(np.maximum(linear**2 - 4 * leading * constant, 0.0)))
    return np.where(constant >= 0, 0.0, np.where(root >= 0, root, np.inf))


@dataclass(frozen=True)
class DrawnPosterior:
    """A difference or ratio known through draws."""

    ordered: Array
    kind: str
    how: str = "draws"

    def above(self, x: float) -> float:
        """Return the share of draws above x; ties count half."""
        return float(np.mean(self.ordered > x) + np.mean(self.ordered == x) / 2)

    def limits(self, probability: float) -> Ends:
        """Return the quantiles, or the shortest interval of the same probability."""
        if self.kind == "equal":
            return drawn_quantile(self.ordered, probability)[0], drawn_quantile(self.ordered, 1 - probability)[0]
        return shortest_drawn(self.ordered, 1 - 2 * probability)

    def error(self, probability: float) -> float | None:
        """Return the error of an equal-tailed limit."""
        return max(drawn_quantile(self.ordered, p)[1] for p in (probability, 1 - probability))


def posterior_of(pair: Pair, options: Bayes, *, usual: int | None = None) -> DifferencePosterior:
    """Return the posterior of b − a (or b / a): exact, Rao–Blackwell or by draws, whichever is best.

    All three come from one Dirichlet on the K×K×K table of (truth, a, b), so the pairing is kept. ``usual`` is the
    number of plain draws where the options name none.
    """
    counts = paired_counts(pair)
    each = default_prior(counts.shape) if options.prior is None else options.prior
    if pair.kind == "difference" and options.kind == "equal":
        if outcomes_of(pair) is not None:
            return _discordant_law(pair, counts, each)
        if pair.metric.tversky is not None and pair.seen.one_class:
            binary, merged = _against_rest(counts, int(pair.seen.selection or 0))
            draws = options.draws or min(options.draws_for(counts.size), BLACKWELL_DRAWS)
            return TverskyPosterior(binary, each * merged, pair.metric.tversky, draws, options.seed)
    return _drawn_law(pair, counts, each, options, options.draws or usual or options.draws_for(counts.size))


def paired_counts(pair: Pair) -> Array:
    """Return the K×K×K table of counts (truth, a, b); sampling weights are scaled to what they are worth."""
    design, width = pair.a.design, len(pair.a.contents.labels)
    if width > MOST_CLASSES:
        raise MethodError(messages.METHOD_BAYES_DRAWS_ALL_K_CELLS(width=width, most_classes=MOST_CLASSES))
    counts = pair.a.contents.cross_table([pair.a.place, pair.b.place], design.weights)
    if counts is None or not design.ungrouped or not pair.same_rows:
        raise MethodError(messages.METHOD_BAYES_NEEDS_INDEPENDENT_ROWS())
    if not pair.a.contents.negatives:
        raise MethodError(messages.METHOD_BAYES_NEEDS_TRUE_NEGATIVES_TABLE())
    worth = min(pair.a.effective_n, pair.b.effective_n) / design.total if design.weighted else 1.0
    return np.asarray(counts * worth)


def _discordant_law(pair: Pair, counts: Array, each: float) -> DiscordantPosterior:
    """Sum counts and prior over the rows that count, by whose outcome was a success."""
    width, share = len(counts), pair.metric.share
    assert share is not None
    truth, first, second = np.indices(counts.shape)
    if pair.seen.one_class:
        chosen = pair.seen.selection
        right_a, right_b = ((part == chosen) == (truth == chosen) for part in (first, second))
        counted = truth == chosen if {*share.success} & {"tp", "fn"} else truth != chosen
    else:
        right_a, right_b, counted = first == truth, second == truth, np.ones((width,) * 3, dtype=bool)
    if not RIGHT & {*share.success}:
        right_a, right_b = ~right_a, ~right_b
    masses = counts + each
    gained, lost = (float(masses[counted & only].sum()) for only in (right_b & ~right_a, right_a & ~right_b))
    return DiscordantPosterior(gained, lost, float(masses[counted & (right_a == right_b)].sum()))


def _against_rest(counts: Array, positive: int) -> tuple[Array, Array]:
    """Return the 2×2×2 table of one class against the rest, and how many cells went into each."""
    sides = [np.arange(len(counts)) != positive, np.arange(len(counts)) == positive]
    cells = [[[counts[np.ix_(t, a, b)] for b in sides] for a in sides] for t in sides]
    return (
        np.array([[[part.sum() for part in line] for line in block] for block in cells]),
        np.array([[[part.size for part in line] for line in block] for block in cells], dtype=float),
    )


def _drawn_law(pair: Pair, counts: Array, each: float, options: Bayes, draws: int) -> DrawnPosterior:
    """Return the difference or ratio in each draw of the joint table; draws without a value are left out."""
    found = []
    for cube in dirichlet_blocks(counts, prior=each, draws=draws, seed=options.seed):
        first, second = (
            values_of(linear.metric, cube.sum(axis), pair.seen.selection, linear.undefined)
            for linear, axis in ((pair.a, -1), (pair.b, -2))
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(second / first if pair.kind == "ratio" else second - first)
    values = np.concatenate(found)
    return DrawnPosterior(np.sort(values[np.isfinite(values)]), options.kind)
