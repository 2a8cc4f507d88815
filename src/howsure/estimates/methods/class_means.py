"""mover-gamma: the interval of a plain mean over classes, from the limits of each class.

A mean over classes is skewed where classes are few or rare and the model is good: errors come one at a time, each moves
the mean by as much as its class is small, and those that were not seen yet leave no trace in a variance. The limits of
one class are known well, however: its F1, precision or recall is a binomial share. So the interval is joined from
those, as the method of variance estimates recovery does for a sum (Zou & Donner 2008, Stat. Med. 27:1693):

    down = √(d'Rd)/K,   d = value of each class − its mid-P lower limit
    up   = √(e'Re)/K,   e = its mid-P upper limit − value;   exact: the same with Clopper–Pearson's upper limits
    G    = quantile of the gamma law with mean 1 − M and the delta-method variance V of M

R are the correlations of the classes. 1 − macro F1 is a weighted count of errors, Σ n_ij (1/s_i + 1/s_j)/K over the
cells off the diagonal with s the true and predicted rows of a class, and such counts follow a gamma law well, as
standardised rates do (Fay & Feuer 1997, Stat. Med. 16:791).

A mean of many classes is less skewed than each of them, has a finer lattice of values, and its variance is known
better. How much of each is left is ρ, the standard error of the mean over what it were if all classes moved together:
1 for one class, 1/√K for K that are alike and independent. With half = (down + up)/2, lean = (down − up)/2:

    low  = M − ( √( (1+ρ)/2·half² + (1−ρ)/2·min(half², z²V) ) + ρ·lean )
    high = max( M + half − ρ·lean,  M + ρ·exact + (1−ρ)·up,  1 − G )

ρ does not depend on the level. Two classes share an error in the same direction, so R has no negative entries, and
limits that are nested for each class are nested for the mean: down and up enter every term with weights that are not
negative (in the root, half ≥ z√V makes the slope in half at least (1+ρ)/2, which outweighs ρ·lean).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaincinv

from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.methods.limits import PSEUDO_Z
from howsure.estimates.requirements import a_matrix
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.pseudo_counts import with_pseudo_counts
from howsure.numerics.binomial import LowHigh, mid_p, upper_quantile
from howsure.numerics.tversky import by_tails
from howsure.tables.linearised import Linearised, of_each_class
from howsure.tables.sampling.rule import ROUNDING as NOTHING
from howsure.types import Array

ROUNDING = 1e-12


@dataclass(frozen=True)
class Parts:
    """The Tversky indices that an average is made of, on the last axis: counts, correlations, and which count.

    ``weights`` are those of false positives and false negatives, ``tail`` the probability beyond each limit, ``base``
    the place of the metric that is averaged, ``known`` is False where an index is 0/0.
    """

    tp: Array
    fp: Array
    fn: Array
    correlation: Array
    weights: tuple[Array, Array]
    base: Array
    tail: Any

    @property
    def total(self) -> Array:
        """The denominator of each index."""
        return np.asarray(self.tp + self.weights[0] * self.fp + self.weights[1] * self.fn)

    @property
    def known(self) -> Array:
        """Whether each index is defined."""
        return np.asarray(self.total > 0)

    @property
    def values(self) -> Array:
        """Each index, 0 where it is 0/0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.known, self.tp / self.total, 0.0)

    def limits(self) -> tuple[Array, Array, Array]:
        """Return mid-P limits and Clopper–Pearson's upper ones; an index that counts as zero may be anything."""
        low, high = self._by_tails(mid_p)
        exact = self._by_tails(_exact_above)[1]
        return np.where(self.known, low, 0.0), np.where(self.known, high, 1.0), np.where(self.known, exact, 1.0)

    def _by_tails(self, of_share: Callable[..., LowHigh]) -> LowHigh:
        a, b = self.weights
        return by_tails(of_share, self.tp, self.fp, self.fn, a=a, b=b, tail=self.tail)

    def together(self, slopes: Array) -> Array:
        """Return ρ: the standard error of the average over what it were if all indices moved together.

        That of each index is taken with a row more of either kind, so that a perfect one has some too.
        """
        a, b = self.weights
        hits, missed, heavy = self.tp + 1, (a > 0) * self.fp + (b > 0) * self.fn + 1, np.maximum(a, b)
        total = hits + missed
        spread = slopes * heavy * np.sqrt(hits * missed / total) * total / (hits + heavy * missed) ** 2
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.minimum(_joined(spread, self.correlation) / spread.sum(-1), 1.0))

    def slopes(self, evidence: Evidence) -> Array:
        """Return how the average moves with each index."""
        kept = self.known | (evidence.undefined != "skip")
        means, slopes = [], np.zeros(np.broadcast_shapes(kept.shape))
        for base in range(int(self.base.max()) + 1):
            own = kept & (self.base == base)
            number = np.maximum(own.sum(-1, keepdims=True), 1)
            means.append((own * self.values).sum(-1, keepdims=True) / number)
            slopes = slopes + own / number
        if evidence.metric.class_mean == "harmonic":
            first, second = means
            with np.errstate(invalid="ignore", divide="ignore"):
                share = np.where(self.base == 0, second, first) / (first + second)
            slopes = slopes * 2 * share**2
        return slopes


def class_mean_limits(evidence: Evidence, tail: Tail) -> Limits:
    """Return the limits of a plain mean over classes joined from those of each class.

    Assumes independent rows, or groups, and a mean whose classes are shares or Tversky indices; the formula and its
    reasons stand at the head of this module. Zou & Donner (2008) Stat. Med. 27:1693; Fay & Feuer (1997) 16:791.
    """
    made = _parts_of_rows if _by_rows(evidence) else _parts_of_matrix
    return joined_limits(evidence, made(evidence, tail), tail)


def joined_limits(evidence: Evidence, parts: Parts, tail: Tail) -> Limits:
    """Return the limits of an average joined from those of its parts."""
    slopes, values, (lows, highs, exact) = parts.slopes(evidence), parts.values, parts.limits()
    down, up, exact_up = (
        _joined(slopes * length, parts.correlation) for length in (values - lows, highs - values, exact - values)
    )
    value, variance, rho = np.asarray(evidence.value), np.asarray(evidence.variance), parts.together(slopes)
    half, lean = (down + up) / 2, rho * (down - up) / 2
    known = np.minimum(half**2, np.asarray(evidence.quantile(tail)) ** 2 * variance)
    low = value - np.sqrt((1 + rho) / 2 * half**2 + (1 - rho) / 2 * known) - lean
    fewest = _fewest_errors(1 - value, variance, evidence.tail_of(tail))
    high = np.maximum(value + np.maximum(half - lean, rho * exact_up + (1 - rho) * up), 1 - fewest)
    return Limits(np.clip(low, 0.0, value), np.minimum(high, 1.0))


def _exact_above(success: Array, failure: Array, *, tail: Any) -> LowHigh:
    return success * np.nan, upper_quantile(success + 1, failure, tail=tail)


def _by_rows(evidence: Evidence) -> bool:
    """Say whether classes must be asked one by one: rows that do not count alike, or that hold several labels."""
    return bool(a_matrix(evidence)) or (evidence.linear is not None and not evidence.linear.design.independent)


def _joined(lengths: Array, correlation: Array) -> Array:
    """Return √(d'Rd), d the distances on the last axis; a limit on the wrong side of its estimate counts as none."""
    lengths = np.maximum(lengths, 0.0)
    return np.asarray(np.sqrt(((correlation * lengths[..., None, :]).sum(-1) * lengths).sum(-1)))


def _fewest_errors(mean: Array, variance: Array, tail: float) -> Array:
    """Return the lower quantile of the gamma law of this mean and variance; without variance the mean itself."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        found = gammaincinv(mean**2 / variance, tail) * variance / mean
    return np.where((mean > ROUNDING) & np.isfinite(found), found, np.maximum(mean, 0.0))


# --- the parts of a confusion matrix of independent rows


def _parts_of_matrix(evidence: Evidence, tail: Tail) -> Parts:
    counts = [getattr(evidence.cells, cell) * np.asarray(evidence.size)[..., None] for cell in ("tp", "fp", "fn")]
    bases, classes = evidence.metric.per_class, counts[0].shape[-1]
    tp, fp, fn = (np.concatenate([part] * len(bases), axis=-1) for part in counts)
    base = np.repeat(np.arange(len(bases)), classes)
    a, b = (np.array([one.tversky[place] for one in bases if one.tversky])[base] for place in (0, 1))
    parts = Parts(tp, fp, fn, np.empty(0), (a, b), base, np.asarray(evidence.tail_of(tail))[..., None])
    return replace(parts, correlation=_correlation(evidence, a, b, classes))


def _correlation(evidence: Evidence, a: Array, b: Array, classes: int) -> Array:
    """Return the correlations of the indices on the table with z²/(2K²) in each cell, z that of level 0.95.

    A row moves the class that it is of and the one that it is taken for, and no other: the covariance of two indices
    of one class is a sum over its tp, fp and fn, that of two classes over the cells where one is taken for the other.
    """
    counts = evidence.matrix
    assert counts is not None
    table = with_pseudo_counts(counts, PSEUDO_Z, skip=evidence.undefined == "skip")
    chosen = np.arange(table.shape[-1]) if evidence.selection is None else np.asarray(evidence.selection)
    place = np.tile(chosen, len(a) // classes)
    hits = np.diagonal(table, axis1=-2, axis2=-1)[..., place]
    false_alarms, missed = table.sum(-2)[..., place] - hits, table.sum(-1)[..., place] - hits
    with np.errstate(invalid="ignore", divide="ignore"):
        total = hits + a * false_alarms + b * missed
        value = hits / total
        right, alarm, miss = (1 - value) / total, -a * value / total, -b * value / total
        cross = table[..., place[:, None], place] * miss[..., :, None] * alarm[..., None, :]
        same = sum(n[..., :, None] * slope[..., :, None] * slope[..., None, :]
                   for n, slope in ((hits, right), (false_alarms, alarm), (missed, miss)))  # fmt: skip
        covariance = np.where(place[:, None] == place, same, cross + np.swapaxes(cross, -1, -2))
        spread = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
        found = covariance / (spread[..., :, None] * spread[..., None, :])
    return np.where(np.isfinite(found), found, np.eye(len(a)))


# --- the parts of rows with weights, groups or several labels


def _parts_of_rows(evidence: Evidence, tail: Tail) -> Parts:
    """Return each class's index by its own effective number of rows, and their correlations by the design."""
    assert evidence.linear is not None
    bases, linear = evidence.metric.per_class, evidence.linear
    linears = of_each_class(linear, bases)
    owns = [evidence_of(one) for one in linears]
    tp, fp, fn = (np.array(part) for part in zip(*(own.tversky_counts for own in owns), strict=True))
    base = np.repeat(np.arange(len(bases)), len(linears) // len(bases))
    a, b = (np.array([one.tversky[place] for one in bases if one.tversky])[base] for place in (0, 1))
    cells = np.eye(len(a)) if a_matrix(evidence) else _correlation(evidence, a, b, len(linears) // len(bases))
    known = linear.design.counts_cells and not a_matrix(evidence)
    found = cells if known else _correlation_by_design(linear, linears, cells)
    return Parts(tp, fp, fn, found, (a, b), base, np.stack([own.tail_of(tail) for own in owns], axis=-1))


def _correlation_by_design(linear: Linearised, linears: Sequence[Linearised], unseen: Array) -> Array:
    """Return the correlations that groups, strata or several labels a row give; ``unseen`` where no error shows one.

    Two classes without an error are not independent: the next error may be of both.
    """
    covariance = linear.contents.covariance(linears, linear.design, [linear.place] * len(linears))
    own = np.diagonal(covariance)
    shown = np.array(
        [not one.still and spread > NOTHING * one.variance for one, spread in zip(linears, own, strict=True)]
    )
    spread = np.sqrt(np.where(shown, own, 1.0))
    return np.where(np.outer(shown, shown), np.clip(covariance / np.outer(spread, spread), 0.0, 1.0), unseen)
