"""Differences between many models at once: limits at any quantile, and the quantile at which a limit meets 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import ndtr, ndtri, stdtr

from howsure.comparisons.catalogue import PAIR_METHODS, named_pair_method, usual_pair_method
from howsure.comparisons.methods.pair_method import PairMethod
from howsure.comparisons.pair import DUST, joined, limits_at, shrunk
from howsure.errors import MethodError, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import IntervalMethod
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.joint import correlation_of
from howsure.estimates.methods.limits import PSEUDO_Z
from howsure.estimates.tail import tail_at
from howsure.numerics.critical import CriticalValue, MaxNormal
from howsure.numerics.max_normal_sampled import MaxLaw, max_law
from howsure.numerics.max_normal_tail import MaxSide
from howsure.numerics.solving import bracketed_roots
from howsure.tables.covariance import Family
from howsure.tables.sampling.rule import over
from howsure.tables.sampling.spread import NormalQuantile, Spread
from howsure.tables.tasks.task_values import task_values
from howsure.types import Array

OF_MANY = tuple(entry for entry in PAIR_METHODS if entry.many)
METHODS = tuple(entry.name for entry in OF_MANY)
NEAREST, FARTHEST = 1e-6, 9.0  # a one-sided tail of nearly a half, and of 1e-19
BREAKS = (0.0, PSEUDO_Z, FARTHEST)  # smoothed-t has a kink where its reach begins to be held back
DEGREE = 20
ROUGH = 5120  # draws that settle most questions of who may be the best
MANY = 200  # differences: above, directions are drawn instead of the more accurate computation


@dataclass(frozen=True)
class Reaches:
    """How far the single intervals of a family reach from their estimates, at any normal quantile.

    A test by joined limits asks for the z at which a limit meets 0, for every pair of models. The distances over z are
    smooth, so Chebyshev polynomials in two pieces give them at any z from 2 × 21 evaluations of the single intervals.
    """

    family: Family
    single: IntervalMethod | None = None

    def some(self, kept: Sequence[int]) -> Reaches:
        """Return those of some of the estimates."""
        return self if len(kept) == len(self.family) else Reaches(self.family.some(kept), self.single)

    @cached_property
    def _evidences(self) -> list[Evidence]:
        return [evidence_of(linear) for linear in self.family.linears]

    def at(self, z: Array) -> Array:
        """Return (value − low, high − value) at each quantile of every estimate, which is the last axis."""
        hole = np.full((2, len(z)), np.nan)
        limits = [
            limits_at(evidence, self.single, z) if np.isfinite(evidence.value) else hole for evidence in self._evidences
        ]
        low, high = np.stack(limits, axis=-1)
        return np.stack([self.family.values - low, high - self.family.values])

    @cached_property
    def _fitted(self) -> Array:
        """Chebyshev coefficients (piece, side, degree, estimate) of the reach over z, which is smooth in each piece."""
        nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
        pieces = []
        for start, end in pairwise(BREAKS):
            found = self.at(start + (nodes + 1) * (end - start) / 2)
            pieces.append([chebyshev.chebfit(nodes, side, DEGREE) for side in found])
        return np.array(pieces)

    def of(self, members: Array, z: Array) -> Array:
        """Return (below, above) of one estimate at one quantile each."""
        piece = np.searchsorted(BREAKS[1:-1], z)
        start, end = np.array(BREAKS)[piece], np.array(BREAKS)[piece + 1]
        terms = chebyshev.chebvander(2 * (z - start) / (end - start) - 1, DEGREE)
        return np.asarray(np.einsum("pk,psk->sp", terms, self._fitted[piece, :, :, members]))

    @cached_property
    def moving(self) -> Array:
        """How many independent rows carry each estimate."""
        return np.array([linear.moving_rows for linear in self.family.linears])

    @cached_property
    def _all_pairs(self) -> dict[str, Contrasts]:
        return {}

    def all_pairs(self, method: str) -> Contrasts:
        """Return the differences of all pairs by a method; made once, for all who ask."""
        if method not in self._all_pairs:
            first, second = np.triu_indices(len(self.family), 1)
            self._all_pairs[method] = Contrasts(self.family, first, second, self, method)
        return self._all_pairs[method]


@dataclass(frozen=True)
class Contrasts:
    """Differences b − a of estimates of a family (``first`` a, ``second`` b), by one of METHODS.

    Simultaneous intervals put q in place of z, with P(max |Z| < q) = level for normal Z with the correlations of the
    differences: exact in their correlation where Bonferroni's z is an upper bound (Hothorn, Bretz & Westfall 2008,
    Biometrical Journal 50:346).
    """

    estimates: Family
    first: Array
    second: Array
    reaches: Reaches
    method: str = "mover"
    many: int = MANY

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def entry(self) -> PairMethod:
        """The method's entry in the catalogue."""
        return named_pair_method(self.method)

    @cached_property
    def family(self) -> Family:
        """The estimates, with the variances that the method takes: Wald's are the linearised ones."""
        return self.estimates.as_textbook() if self.entry.textbook else self.estimates

    @cached_property
    def differences(self) -> Array:
        """The differences b − a; nan where one of them is infinite."""
        values = np.where(np.isfinite(self.family.values), self.family.values, np.nan)
        return np.asarray(values[self.second] - values[self.first])

    @cached_property
    def covariances(self) -> Array:
        """C V C': the covariance of the differences; rows of identical models are exactly zero."""
        contrast = np.zeros((len(self), len(self.family)))
        contrast[np.arange(len(self)), self.second] += 1.0
        contrast[np.arange(len(self)), self.first] -= 1.0
        found = contrast @ self._known @ contrast.T
        dust = self.se == 0
        found[dust], found[:, dust] = 0.0, 0.0
        if self.spreads is None and self._own is None:
            return np.asarray(found)
        # A difference that moves by its own design effect alone goes with no other.
        variance = np.diagonal(found)
        scale = np.sqrt(over(self.se**2, np.where(variance > DUST * self.se**2, variance, 0.0)))
        found = found * np.outer(scale, scale)
        np.fill_diagonal(found, self.se**2)
        return np.asarray(found)

    @cached_property
    def spreads(self) -> tuple[Spread, ...] | None:
        """The variance of each difference by what was sampled, where runs or tasks were and the method asks for it."""
        if self.entry.over_tasks:
            return tuple(self._over_tasks(a, b) for a, b in zip(self.first, self.second, strict=True))
        if self.family.crossing is None or self.entry.joins:
            return None
        found = []
        for a, b in zip(self.first, self.second, strict=True):
            weights = np.zeros(len(self.family))
            weights[b], weights[a] = 1.0, -1.0
            found.append(self.family.spread(weights))
        return tuple(found)

    def _over_tasks(self, a: int, b: int) -> Spread:
        """Return the variance of a difference between tasks; with runs, no less than on these very tasks."""
        these, weights = self.family.these, np.zeros(len(self.family))
        weights[b], weights[a] = 1.0, -1.0
        floor = None if these is None or these.crossing is None else these.spread(weights)
        found = task_values(self.family.linears[a], self.family.linears[b], floor)
        assert found is not None
        return found.spread

    def _halves(self, q: Array) -> Array:
        """Return half the length of each interval, at one quantile for each."""
        assert self.spreads is not None
        return np.array([float(spread.half(NormalQuantile(z))) for spread, z in zip(self.spreads, q, strict=True)])

    @cached_property
    def _known(self) -> Array:
        """The covariance of the estimates, 0 where there is none."""
        return np.nan_to_num(self.family.covariances)

    @cached_property
    def _own(self) -> list[Family] | None:
        """The two estimates of each difference with its own design effect, where it has one."""
        return self.family.differences(self.first, self.second) if self.entry.joins else None

    @cached_property
    def _sides(self) -> tuple[Reaches, Array, Array]:
        """Whose limits are joined: those of the estimates, or with the design effect of each difference."""
        if self._own is None:
            return self.reaches, self.first, self.second
        linears = tuple(linear for family in self._own for linear in family.linears)
        first = 2 * np.arange(len(self))
        return Reaches(Family(linears, np.zeros((0, 0))), self.reaches.single), first, first + 1

    @cached_property
    def se(self) -> Array:
        """Standard errors of the differences, found without their covariance; exactly 0 for identical models."""
        if self.spreads is not None:
            return np.array([float(spread.se) for spread in self.spreads])
        if self._own is not None:
            square = np.array([family.covariances.sum() - 4 * family.covariances[0, 1] for family in self._own])
            both = np.array([np.trace(family.covariances) for family in self._own])
            return np.asarray(np.sqrt(np.where(square > DUST * both, square, 0.0)))
        own = np.diagonal(self._known)
        both = own[self.first] + own[self.second]
        square = both - 2 * self._known[self.first, self.second]
        return np.asarray(np.sqrt(np.where(square > DUST * both, square, 0.0)))

    @cached_property
    def correlation(self) -> Array:
        """Correlations; what is undefined or identical never moves, what is perfect is independent of the rest."""
        return correlation_of(self.covariances, still=self._still)

    @cached_property
    def _still(self) -> Array:
        """Which differences never move if their variance is 0: undefined or identical ones, and all of Wald's."""
        own = np.diagonal(self.family.covariances)
        identical = (self.se == 0) & (own[self.first] > 0)
        return np.asarray(~np.isfinite(self.differences) | identical | (not self.entry.joins))

    @property
    def moves(self) -> bool:
        """Whether any difference moves."""
        return bool(np.any((self.se > 0) | ~self._still))

    def critical(self, level: float, *, side: MaxSide = "both") -> CriticalValue:
        """Return q with P(max|Z| < q) = level, or P(max Z < q) = level for side "upper".

        Above ``many`` differences the maximum is sampled: directions are drawn and the radius is integrated.
        """
        return self._law(side).quantile(level)

    def tails(self, z: Array, *, side: MaxSide = "both") -> Array:
        """Return P(max|Z| >= z) for each z > 0: adjusted p-values.

        z is the statistic of a difference. All differences share one distribution of the maximum (a single-step
        adjustment).
        """
        return self._law(side).tail(np.asarray(z))[0]

    @cached_property
    def _axes(self) -> Array:
        """Unit vectors whose products are the correlations, without what never moves."""
        values, vectors = np.linalg.eigh(self._known)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        moved = root[self.second] - root[self.first]
        alive = np.flatnonzero((self.se > 0) | ~self._still)
        apart = [place for place in alive if self.se[place] == 0]
        axes = np.concatenate([moved[alive], np.zeros((len(alive), len(apart)))], axis=1)
        for column, place in enumerate(apart):
            axes[np.flatnonzero(alive == place), root.shape[1] + column] = 1.0
        kept = np.linalg.norm(axes, axis=0) > 0
        return np.asarray(axes[:, kept] / np.linalg.norm(axes, axis=1, keepdims=True))

    @cached_property
    def _laws(self) -> dict[str, MaxLaw | MaxNormal]:
        return {}

    def exceeds(self, statistic: float, level: float) -> bool:
        """Say whether a statistic is above the critical value of the largest difference; few draws settle most."""
        if len(self) > self.many and len(self._axes):
            rough = max_law(self._axes, side="upper", draws=ROUGH).quantile(level)
            if abs(statistic - float(rough)) > rough.error:
                return statistic > float(rough)
        return statistic > float(self.critical(level, side="upper"))

    def _law(self, side: MaxSide) -> MaxLaw | MaxNormal:
        """Return the distribution of the largest difference, one sample for its quantiles and tails."""
        if side not in self._laws:
            few = len(self) <= self.many or not len(self._axes)
            self._laws[side] = MaxNormal(self.correlation, side=side) if few else max_law(self._axes, side=side)
        return self._laws[side]

    @cached_property
    def degrees(self) -> Array:
        """Degrees of freedom of each difference."""
        if self._own is not None:
            return np.array([family.linears[0].degrees for family in self._own])
        own = np.array([linear.degrees for linear in self.family.linears])
        return np.asarray(np.minimum(own[self.first], own[self.second]))

    @cached_property
    def paired(self) -> Array:
        """Correlations of the two estimates of each difference."""
        own, both = np.diagonal(self.family.covariances), self.family.covariances[self.first, self.second]
        spread = np.sqrt(own[self.first] * own[self.second])
        if self._own is not None:
            both = np.array([family.covariances[0, 1] for family in self._own])
            spread = np.array([np.sqrt(np.diagonal(family.covariances).prod()) for family in self._own])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(spread > 0, both / spread, 0.0).clip(-1, 1)

    @cached_property
    def moving(self) -> Array:
        """How many independent rows carry each pair."""
        reaches, first, second = self._sides
        return np.asarray((reaches.moving[first] + reaches.moving[second]) / 2)

    def limits(self, q: float) -> tuple[Array, Array]:
        """Return the limits of all differences with the normal quantile q in place of z.

        Wald's with Student's quantile of the same tail where there are groups; else the single limits at q, joined as
        in ``mover_limits``.
        """
        if not self.entry.joins:
            single = np.array([tail_at(q).quantile(degrees) for degrees in self.degrees]) * self.se
            half = single if self.spreads is None else self._halves(np.full(len(self), q))
            return self.differences - half, self.differences + half
        reaches, first, second = self._sides
        down, up = reaches.at(np.array([q]))[:, 0]
        correlation = shrunk(self.paired, self.moving, q)
        low = joined(down[second], up[first], correlation)
        high = joined(up[second], down[first], correlation)
        return self.differences - low, self.differences + high

    @cached_property
    def statistics(self) -> Array:
        """The quantile z at which each interval meets 0: what a test by this interval has in place of |d|/se.

        Found between 0 and ``FARTHEST``, all differences at once. An interval that holds 0 at every level has 0.
        """
        if not self.entry.joins and self.spreads is None:
            return self._wald_statistics
        found = bracketed_roots(self._left, np.full(len(self), NEAREST), np.full(len(self), FARTHEST))
        return np.where(np.isnan(self.differences), np.nan, np.where(found > NEAREST, found, 0.0))

    def _left(self, z: Array) -> Array:
        """Return how far the limit on the side of 0 still is from it, at one quantile for each difference."""
        if self.spreads is not None:
            return np.asarray(np.abs(self.differences) - self._halves(z))
        rises = self.differences >= 0
        reaches, *sides = self._sides
        (below_a, above_a), (below_b, above_b) = (reaches.of(who, z) for who in sides)
        first, second = np.where(rises, above_a, below_a), np.where(rises, below_b, above_b)
        with np.errstate(invalid="ignore"):
            return np.abs(self.differences) - joined(first, second, shrunk(self.paired, self.moving, z))

    @property
    def _wald_statistics(self) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(self.differences == 0, 0.0, np.abs(self.differences) / self.se)
        tails = np.where(np.isinf(self.degrees), ndtr(-t), stdtr(np.minimum(self.degrees, 1e15), -t))
        return np.where(np.isfinite(t), np.minimum(-ndtri(np.maximum(tails, 1e-300)), 37.0), np.nan)


def pair_method(method: str | None, family: Family) -> str:
    """Return the method of many differences: "mover" unless another is named; "t" or "crossed" as tasks or runs ask."""
    tasks = family.linears[0].design.tasks
    if method is None:
        return usual_pair_method(tasks=tasks is not None and tasks.random, runs=family.crossing is not None).name
    entry = next((one for one in OF_MANY if one.name == method), None)
    if entry is None:
        raise MethodError(messages.METHOD_DOES_NOT_COMPARE_MANY_MODELS(method=method, methods=quoted(METHODS)))
    if entry.over_tasks and tasks is None:
        raise MethodError(messages.METHOD_NEEDS_SEVERAL_TASKS(method=method))
    if entry.over_runs and family.crossing is None:
        others = quoted(one.name for one in OF_MANY if not (one.over_runs or one.over_tasks))
        raise MethodError(messages.METHOD_NEEDS_SEVERAL_RUNS_OF_MODEL(method=method, methods=others))
    return method
