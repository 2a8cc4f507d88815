"""Metrics of the order of scores: AUC, partial AUC, average precision, averages of AUC over classes, top-k accuracy.

Each has its value and its influence from one sort and cumulative sums, ties taken together (Sun & Xu 2014, IEEE Signal
Process. Lett. 21:1389). Functions of sums take the weight of positives and of negatives at each distinct score, in
ascending order on the last axis, so that resamples and simulated samples are computed many at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.metric import Better, Metric
from howsure.metrics.null_variance import auc_null, binomial_null, of_range, partial_null, precision_null
from howsure.metrics.scoring import Found, LevelInfluence, ScoreRows, Scoring, in_blocks
from howsure.types import Array

PERFECT = 1e-12  # a value so near to 1 is 1 but for rounding
LEAST = 1e-300


def no_cells(cells: object) -> float:
    """Stand for the formula of a metric that is none of cells."""
    raise TypeError(messages.METRIC_IS_NO_FORMULA_OF_CELLS())


# --- AUC


def placements(positives: Array, negatives: Array) -> tuple[Array, Array, Array]:
    """Return AUC, the share of negatives below each score, and the share of positives above it, ties half.

    V₁₀ and V₀₁ of DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837; AUC is the mean of V₁₀ over the positives.
    """
    shares = [np.cumsum(part, axis=-1) for part in (negatives, positives)]
    below, above = shares
    rest, total = (part[..., -1:].copy() for part in shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        for at in in_blocks(below.shape[-1]):
            below[..., at] = (below[..., at] - 0.5 * negatives[..., at]) / rest
            above[..., at] = (total - above[..., at] + 0.5 * positives[..., at]) / total
        area = np.einsum("...i,...i->...", positives, below) / total[..., 0]
    return _snapped(area), below, above


def _snapped(value: Array) -> Array:
    """Return a value that is 1 but for rounding as 1."""
    return np.where(value > 1 - PERFECT, 1.0, value)


def _auc(rows: ScoreRows, weights: Array) -> Found:
    positives, negatives = rows.sums(weights)
    area, below, above = placements(positives, negatives)
    value, total = float(area), float(weights.sum())
    share = float(positives.sum()) / total if total > 0 else np.nan
    if not 0 < share < 1:
        return Found(np.nan, np.full(len(rows), np.nan))
    for at in in_blocks(len(below)):
        for part, size in ((below[at], share), (above[at], 1 - share)):
            part -= value
            part /= size
    return Found(value, LevelInfluence(rows, positives, negatives, below, above))


def _auc_at(rows: ScoreRows, weights: Array) -> Array:
    return placements(*rows.sums(weights))[0]


# --- average precision


def precision_steps(positives: Array, negatives: Array) -> tuple[Array, Array, Array, Array]:
    """Return average precision, and per score: precision from it on, Σ y/B and Σ y·A/B² up to it (B, A as sums).

    The step-wise sum of scikit-learn, Σ (R_k − R_{k−1}) P_k: A(t) the positives and B(t) all rows with a score of t or
    more, and the mean of A/B over the positives.
    """
    precision, first = (np.cumsum(part[..., ::-1], axis=-1)[..., ::-1] for part in (positives, negatives))
    total, second = precision[..., 0].copy(), np.empty_like(first)
    for at in in_blocks(first.shape[-1]):
        marked = np.maximum(precision[..., at] + first[..., at], LEAST)  # without rows, 0/0 is no precision
        precision[..., at] /= marked
        first[..., at] = positives[..., at] / marked
        second[..., at] = first[..., at] * precision[..., at]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.einsum("...i,...i->...", positives, precision) / total
    for part in (first, second):
        np.cumsum(part, axis=-1, out=part)
    return _snapped(value), precision, first, second


def _average_precision(rows: ScoreRows, weights: Array) -> Found:
    positives, negatives = rows.sums(weights)
    found, precision, first, second = precision_steps(positives, negatives)
    value, share = float(found), float(positives.sum() / max(float(weights.sum()), 1e-300))
    if not share > 0:
        return Found(np.nan, np.full(len(rows), np.nan))
    second /= -share
    first += precision
    first -= value
    first /= share
    first += second
    return Found(value, LevelInfluence(rows, positives, negatives, first, second))


def _average_precision_at(rows: ScoreRows, weights: Array) -> Array:
    return precision_steps(*rows.sums(weights))[0]


# --- partial AUC


def _partial(rows: ScoreRows, weights: Array, most: float) -> Found:
    """Return the area under the ROC polyline over false positive rates up to ``most``; its influence has no density.

    McClish (1989) Med. Decis. Making 9:190; Dodd & Pepe (2003) Biometrics 59:614; He & Escobar (2008) Stat. Med.
    27:5291. A positive adds the mean of (f − u)₊ over its run; a negative moves the polyline to its right.
    """
    positives, negatives = rows.sums(weights)
    p, q, total = float(positives.sum()), float(negatives.sum()), float(weights.sum())
    if not (p > 0 and q > 0):
        return Found(np.nan, np.full(len(rows), np.nan))
    right, high = (np.cumsum(part[::-1])[::-1] / part.sum() for part in (negatives, positives))
    left, low = right - negatives / q, high - positives / p  # a run is the segment from (left, low) to (right, high)
    width = right - left
    cut = np.clip(most, left, right)
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = np.where(width > 0, low + (cut - left) / width * (high - low), low)
        area = (cut - left) * (low + reached) / 2
        value, at = float(area.sum()), _height(left, right, low, high, most)
        slack = np.where(
            width > 0,
            (np.maximum(most - left, 0) ** 2 - np.maximum(most - right, 0) ** 2) / (2 * width),
            np.maximum(most - left, 0),
        )
        mean = np.where(width > 0, (area + at * (right - cut)) / width, 0.0)
    gained = (slack - value) / (p / total)
    lost = (mean - at + most * at - value) / (q / total)
    return Found(value, LevelInfluence(rows, positives, negatives, gained, lost))


def _height(left: Array, right: Array, low: Array, high: Array, most: float) -> float:
    """Return the height of the polyline over a rate; at a vertical step the mean of its two ends."""
    inside = (left <= most + 1e-12) & (right >= most - 1e-12)
    width = np.where(right > left, right - left, 1.0)
    share = np.clip((most - left) / width, 0, 1)
    flat = inside & (right > left)
    ends = (low + share * (high - low))[flat]
    return float((ends.min() + ends.max()) / 2) if len(ends) else float(high[inside].max(initial=0.0))


def partial_auc(inside: str) -> Metric:
    """Return partial AUC over a range of false or true positive rates: "fpr<=0.1", "tpr>=0.8", "0.1<=fpr<=0.2".

    "standardised" after a comma maps chance to ½ and perfection to 1 (McClish; scikit-learn's max_fpr).

    >>> partial_auc("fpr<=0.1").range
    (0.0, 0.1)
    """
    wanted, _, more = (part.strip() for part in inside.partition(","))
    found = re.fullmatch(r"(?:([\d.]+)\s*<=\s*)?(fpr|tpr)\s*(<=|>=)\s*([\d.]+)", wanted)
    standard = more in ("standardised", "standardized")
    if found is None or (more and not standard):
        raise MetricError(messages.METRIC_PARTIAL_AUC_IS_NOT_KNOWN(inside=inside))
    start, which, sign, end = found.groups()
    low, high = float(start or 0), float(end)
    if sign == ">=":
        low, high = high, 1.0
    if not 0 <= low < high <= 1 or (sign == ">=" and start):
        raise MetricError(messages.METRIC_PARTIAL_AUC_NEEDS_RANGE_OF_RATES(inside=inside))
    if standard and low > 0 and which == "fpr":
        raise MetricError(messages.METRIC_PARTIAL_AUC_MCCLISH_SCALE(inside=inside))
    # A range of true positive rates is one of false positive rates with the classes and the order swapped.
    ends = (1 - high, 1 - low) if which == "tpr" else (low, high)

    def find(rows: ScoreRows, weights: Array) -> Found:
        seen = ScoreRows((~rows.positive).astype(np.int8), -rows.scores) if which == "tpr" else rows
        upper = _partial(seen, weights, ends[1])
        if ends[0] > 0:
            lower = _partial(seen, weights, ends[0])
            upper = Found(upper.value - lower.value, upper.influence - lower.influence)
        elif seen is not rows:  # its levels are those of the classes swapped
            upper = Found(upper.value, upper.influence)
        if not standard:
            return upper
        least, most = ends[1] ** 2 / 2, ends[1]
        scale = 0.5 / (most - least)
        return Found(0.5 + scale * (upper.value - least), scale * upper.influence)

    least = 0.5 - 0.25 * ends[1] / (1 - ends[1] / 2)  # on McClish's scale an area of 0
    width = (least, 1.0) if standard else (0.0, high - low)
    return Metric(
        f"partial_auc[{inside}]", no_cells, over="scores", range=width, title=f"Partial AUC, {wanted}",
        text=f"area under the ROC curve over {wanted}",
        scoring=Scoring(find, ranked=True, null=of_range(partial_null(*ends, swapped=which == "tpr"), width)),
    )  # fmt: skip


# --- several classes


def _each_class(rows: ScoreRows, weights: Array) -> Found:
    """Return the mean over classes of the AUC of a class against the rest."""
    found = [_auc(rows.of_class(place), weights) for place in range(rows.scores.shape[1])]
    return Found(
        float(np.mean([one.value for one in found])), np.asarray(np.mean([one.influence for one in found], axis=0))
    )


def _pairs(size: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(size) for other in range(size) if one != other)


def _each_pair(rows: ScoreRows, weights: Array) -> Found:
    """Return the mean over ordered pairs of classes of the AUC between them (Hand & Till 2001, Mach. Learn. 45:171)."""
    total, size = float(weights.sum()), rows.scores.shape[1]
    value, moved = 0.0, np.zeros(len(rows))
    for one, other in _pairs(size):
        chosen = np.flatnonzero((rows.truth == one) | (rows.truth == other))
        some = ScoreRows((rows.truth[chosen] == one).astype(np.int8), np.ascontiguousarray(rows.scores[chosen, one]))
        found = _auc(some, weights[chosen])
        part = float(weights[chosen].sum())
        value += found.value
        moved[chosen] += found.influence * (total / part if part > 0 else np.nan)
    count = size * (size - 1)
    return Found(value / count, moved / count)


def hits_among(rows: ScoreRows, k: int) -> tuple[Array, int]:
    """Return whether the true class is among the k highest scores of each row, and in how many a tie decides.

    A tie at the last place counts against: another order of the classes would not have found it.
    """
    own = np.take_along_axis(rows.scores, rows.truth.astype(np.int64)[:, None], axis=1)
    reached, beaten = (rows.scores >= own).sum(1), (rows.scores > own).sum(1)
    return np.asarray(reached <= k, dtype=float), int(((reached > k) & (beaten < k)).sum())


def top_k(k: int) -> Metric:
    """Return the share of rows whose true class is among the k highest scores.

    >>> top_k(3).name
    'top3_accuracy'
    """

    def find(rows: ScoreRows, weights: Array) -> Found:
        if k >= rows.scores.shape[1]:
            raise MetricError(messages.METRIC_TOP_ACCURACY_IS_1(k=k, shape=rows.scores.shape[1]))
        hit, open_ = hits_among(rows, k)
        total = float(weights.sum())
        value = float(weights @ hit) / total if total > 0 else np.nan
        return Found(value, hit - value, {"tied": open_})

    return Metric(
        f"top{k}_accuracy", no_cells, over="scores", title=f"Top-{k} accuracy",
        text=f"share of rows whose true class is among the {k} highest scores",
        scoring=Scoring(find, classes="several", null=binomial_null, few=0),
    )  # fmt: skip


# --- one's own


def score_metric(
    name: str,
    find: Callable[[Array, Array, Array], tuple[float, Array]],
    *,
    range: tuple[float, float] = (0.0, 1.0),
    better: Better | None = "higher",
) -> Metric:
    """Return a metric of scores of one's own: a function of truth, score and weight that gives value and influences.

    Truth is 1 for the positive class. The influence of a row is the whole weight times the slope of the value in the
    row's weight; its weighted mean is 0.

    >>> score_metric("spread", lambda y, s, w: (m := float(w @ s / w.sum()), s - m)).name
    'spread'
    """

    def found(rows: ScoreRows, weights: Array) -> Found:
        value, influence = find(rows.truth.astype(float), rows.scores, weights)
        moved = np.asarray(influence, dtype=float)
        if moved.shape != weights.shape or abs(float(weights @ moved)) > 1e-6 * float(weights @ np.abs(moved)) + 1e-9:
            raise MetricError(
                messages.METRIC_GAVE_INFLUENCES_OF_SHAPE(
                    name=name, shape=moved.shape, mean=float(np.mean(moved)), number=len(weights)
                )
            )
        return Found(float(value), moved)

    return Metric(name, no_cells, over="scores", range=range, better=better, scoring=Scoring(found, few=0))


def combined(
    name: str,
    formula: Callable[..., Any],
    of: Sequence[Any],
    *,
    range: tuple[float, float] = (-float("inf"), float("inf")),
    better: Better | None = "higher",
) -> Metric:
    """Return a smooth function of other metrics of the same scores: its slopes come by complex step.

    >>> combined("gain", lambda auc, brier: auc - brier, of=["auc", "brier"]).name
    'gain'
    """
    if not of:
        raise MetricError(messages.OF_IS_EMPTY(name=name))

    def nothing(rows: ScoreRows, weights: Array) -> Found:
        raise TypeError(messages.PARTS_ARE_FOUND())

    scoring = Scoring(nothing, classes="either", few=0, parts=tuple(of))
    return Metric(name, formula, over="scores", range=range, better=better, scoring=scoring)


AUC = Metric(
    "auc", no_cells, over="scores", aliases=("roc_auc", "c_statistic"), title="AUC",
    text="chance that a positive has a higher score than a negative, ties half",
    scoring=Scoring(_auc, _auc_at, ranked=True, null=auc_null, chance=0.5),
)  # fmt: skip
RANKING: tuple[Metric, ...] = (
    AUC,
    Metric(
        "average_precision", no_cells, over="scores", aliases=("ap", "pr_auc"), title="Average precision",
        text="mean of the precision at the score of each positive",
        scoring=Scoring(_average_precision, _average_precision_at, ranked=True, null=precision_null, few=20),
    ),
    Metric(
        "macro_auc", no_cells, over="scores", title="Macro AUC", aliases=("roc_auc_ovr",),
        text="mean over classes of the AUC of a class against the rest",
        scoring=Scoring(_each_class, classes="several", ranked=True, null=auc_null, chance=0.5),
    ),
    Metric(
        "macro_auc_ovo", no_cells, over="scores", title="Macro AUC, pairs", aliases=("roc_auc_ovo",),
        text="mean over ordered pairs of classes of the AUC between them (Hand & Till)",
        scoring=Scoring(_each_pair, classes="several", ranked=True, null=auc_null, chance=0.5),
    ),
)  # fmt: skip
