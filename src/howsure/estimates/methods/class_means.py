"""mover-gamma: the interval of a plain mean over classes, from the limits of each class.

A mean over classes is skewed where classes are few or rare and the model is good: errors come one at a time, each moves
the mean by as much as its class is small, and those that were not seen yet leave no trace in a variance. The limits of
one class are known well, however: its F1, precision or recall is a binomial share. So the interval is joined from
those, as the method of variance estimates recovery does for a sum (Zou & Donner 2008, Stat. Med. 27:1693):

    low  = M − √(d'Rd)/K,                         d = value of each class − its mid-P lower limit
    high = max( M + √(e'Re)/K, 1 − G ),           e = its Clopper–Pearson upper limit − value
    G    = quantile of the gamma law with mean 1 − M and the delta-method variance of M

R are the correlations of the classes. 1 − macro F1 is a weighted count of errors, Σ n_ij (1/s_i + 1/s_j)/K over the
cells off the diagonal with s the true and predicted rows of a class, and such counts follow a gamma law well, as
standardised rates do (Fay & Feuer 1997, Stat. Med. 16:791). An error touches two classes in the same direction, so R
has no negative entries, and limits that are nested for each class are nested for the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaincinv

from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.methods.limits import PSEUDO_Z
from howsure.estimates.requirements import a_matrix
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.pseudo_counts import with_pseudo_counts
from howsure.numerics.binomial import mid_p_lower, upper_quantile
from howsure.numerics.tversky import by_tails
from howsure.tables.covariance import with_variances
from howsure.tables.linearised import Linearised, of_each_class
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

    def limits(self) -> tuple[Array, Array]:
        """Return mid-P lower and Clopper–Pearson upper limits; an index that counts as zero may be anything."""
        a, b = self.weights
        low, high = by_tails(_mid_p_below_exact_above, self.tp, self.fp, self.fn, a=a, b=b, tail=self.tail)
        return np.where(self.known, low, 0.0), np.where(self.known, high, 1.0)

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
    parts = _parts_of_rows(evidence, tail) if _by_rows(evidence) else _parts_of_matrix(evidence, tail)
    slopes, values, (lows, highs) = parts.slopes(evidence), parts.values, parts.limits()
    down = _joined(slopes * (values - lows), parts.correlation)
    up = _joined(slopes * (highs - values), parts.correlation)
    value = np.asarray(evidence.value)
    high = np.maximum(value + up, 1 - _fewest_errors(1 - value, np.asarray(evidence.variance), evidence.tail_of(tail)))
    return Limits(np.maximum(value - down, 0.0), np.minimum(high, 1.0))


def _mid_p_below_exact_above(success: Array, failure: Array, *, tail: Any) -> tuple[Array, Array]:
    return mid_p_lower(success, failure, tail=tail), upper_quantile(success + 1, failure, tail=tail)


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
    if a_matrix(evidence) is None and linear.design.counts_cells:
        found = _correlation(evidence, a, b, len(linears) // len(bases))
    else:
        found = _correlation_by_design(linear, linears)
    return Parts(tp, fp, fn, found, (a, b), base, np.stack([own.tail_of(tail) for own in owns], axis=-1))


def _correlation_by_design(linear: Linearised, linears: Sequence[Linearised]) -> Array:
    """Return the correlations that groups, strata or several labels a row give; one without variance has none."""
    linearised = linear.contents.covariance(linears, linear.design, [linear.place] * len(linears))
    covariance = with_variances(linearised, linears)
    spread = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.clip(covariance / np.outer(spread, spread), 0.0, 1.0)
    found = np.where(np.isfinite(found), found, 0.0)
    np.fill_diagonal(found, 1.0)
    return found
