"""Label metrics over all thresholds of a score: the four cells move by one run of equal scores at a time.

A row is positive when its score is at least the threshold, so the distinct scores are all the thresholds that matter,
and one more, above them all, that marks no row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Selection, gradient_of, value_of, view
from howsure.metrics.metric import Metric, cells_for
from howsure.metrics.scoring import BLOCK, Found, ScoreRows, in_blocks
from howsure.types import Array, Ints, Undefined

SAME = 1e-12  # values that rounding may have parted
TOP = np.inf  # the threshold that marks no row


class CellsAt(NamedTuple):
    """tp, fp, fn, tn at each threshold (last axis), as shares of the weight; thresholds ascend and end with TOP."""

    levels: Array
    tp: Array
    fp: Array
    fn: Array
    tn: Array

    def take(self, chosen: Ints) -> CellsAt:
        """Return some of the thresholds."""
        return CellsAt(*(part[..., chosen] for part in self))


def cells_at_levels(rows: ScoreRows, weights: Array) -> CellsAt:
    """Return the cells at every threshold, for one weighting of the rows or for many."""
    if not rows.counts_once(weights):
        return _cells(rows, weights)
    if "cells" not in rows.kept:
        rows.kept["cells"] = _cells(rows, weights)
    found: CellsAt = rows.kept["cells"]
    return found


def _cells(rows: ScoreRows, weights: Array) -> CellsAt:
    positives, negatives = rows.sums(weights)
    total = np.asarray(weights).sum(-1)[..., None]
    # From above, as the sums of what is marked: with whole counts the last one is the whole class, without rounding.
    (tp, fn), (fp, tn) = (_from_above(part, total) for part in (positives, negatives))
    return CellsAt(np.append(rows.levels, TOP), tp, fp, fn, tn)


def _from_above(part: Array, total: Array) -> tuple[Array, Array]:
    """Return the share of the weight from each level on, and the rest of the class."""
    marked = np.zeros((*part.shape[:-1], part.shape[-1] + 1))[..., ::-1]
    np.cumsum(part[..., ::-1], axis=-1, out=marked[..., -2::-1])
    left, whole = np.empty_like(marked), marked[..., :1] / total
    for at in in_blocks(marked.shape[-1]):
        marked[..., at] /= total
        np.maximum(whole - marked[..., at], 0.0, out=left[..., at])
    return marked, left


def metric_cells(metric: Metric, at: CellsAt) -> tuple[Cells, Selection]:
    """Return the cells that a metric sees at each threshold, the positive class being the second of two."""
    if metric.over == "class":
        return Cells(at.tp, at.fp, at.fn, at.tn), 1
    matrices = np.stack([np.stack([at.tn, at.fp], -1), np.stack([at.fn, at.tp], -1)], -2)
    return view(cells_for(metric, matrices)[0], None), None


def values_over(metric: Metric, at: CellsAt, undefined: Undefined = "nan") -> Array:
    """Return a metric of labels at each threshold."""
    if at.tp.ndim > 1 or len(at.tp) <= BLOCK:
        return value_of(metric, metric_cells(metric, at)[0], undefined)
    found = np.empty(len(at.tp))
    for part in in_blocks(len(found)):
        found[part] = value_of(metric, metric_cells(metric, CellsAt(*(each[part] for each in at)))[0], undefined)
    return found


def slopes_over(metric: Metric, at: CellsAt, undefined: Undefined = "nan") -> Array:
    """Return the influence of a row by its cell (tp, fp, fn, tn) at each threshold (…, 4), centred."""
    cells, _ = metric_cells(metric, at)
    slopes = gradient_of(metric, cells, undefined)
    if metric.over == "class":
        found = np.stack([getattr(slopes, name)[..., 0] for name in ("tp", "fp", "fn", "tn")], -1)
    else:
        table = slopes.by_cell
        found = np.stack([table[..., 1, 1], table[..., 0, 1], table[..., 1, 0], table[..., 0, 0]], -1)
    shares = np.stack([at.tp, at.fp, at.fn, at.tn], -1)
    with np.errstate(invalid="ignore"):
        held = np.where(shares > 0, found, 0.0)
        return np.where(shares > 0, held - (shares * held).sum(-1, keepdims=True), 0.0)


def best_place(metric: Metric, values: Array, allowed: Array | None = None) -> Array:
    """Return where a metric is best (last axis), the highest threshold among equals; −1 where none is defined."""
    sign = -1.0 if metric.better == "lower" else 1.0

    def scored(at: slice) -> Array:
        usable = np.isfinite(values[..., at]) if allowed is None else np.isfinite(values[..., at]) & allowed[..., at]
        return np.where(usable, sign * values[..., at], -np.inf)

    blocks = list(in_blocks(values.shape[-1]))
    top = np.max([scored(at).max(-1) for at in blocks], axis=0)
    near = np.where(np.isfinite(top), top - SAME * np.maximum(1.0, np.abs(top)), np.inf)[..., None]
    place = np.full(values.shape[:-1], -1)
    for at in reversed(blocks):
        if (place >= 0).all():
            break
        good = scored(at) >= near
        last = at.start + good.shape[-1] - 1 - np.argmax(good[..., ::-1], axis=-1)
        place = np.where((place < 0) & good.any(-1), last, place)
    return place


class Bounded(NamedTuple):
    """The threshold at which a metric is best among those that keep a bound; ``slope`` is how the metric moves along
    the bound there, 0 where the bound does not bind."""

    place: int
    slope: float


def bounded_place(
    metric: Metric, bound: Metric, least: float, at: CellsAt, size_at: Callable[[float], float]
) -> Bounded:
    """Return the threshold where a metric is best among those at which another is at least ``least``.

    Where the best lies at the edge of what is allowed, the bound binds: moving it moves the value. The slope is a
    secant over the thresholds around it, as wide as a density estimate from the rows of the bound there would be.
    """
    values, held = values_over(metric, at), values_over(bound, at)
    allowed = np.isfinite(held) & (held >= least - SAME)
    place = int(best_place(metric, values, allowed))
    if place < 0:
        return Bounded(-1, 0.0)
    size = size_at(float(at.levels[place]))
    beside = [side for side in (place - 1, place + 1) if 0 <= side < len(held)]
    if all(allowed[side] or not np.isfinite(held[side]) for side in beside):
        return Bounded(place, 0.0)
    reach = max(2 / max(size, 1.0), 0.9 * max(size, 1.0) ** -0.2 * min(least, 1 - least))
    near = np.flatnonzero((np.abs(held - least) <= reach + SAME) & np.isfinite(values))
    if len(near) < 2:
        return Bounded(place, 0.0)
    low, high = near[np.argmin(held[near])], near[np.argmax(held[near])]
    run = float(held[high] - held[low])
    return Bounded(place, float(values[high] - values[low]) / run if run > SAME else 0.0)


# --- a metric where its threshold was chosen on the same rows


def found_at_best(metric: Metric, rows: ScoreRows, weights: Array) -> Found:
    """Return a metric at the threshold where it is best, with the influences that it has at that threshold.

    The choice itself adds nothing to the influence, as the metric is level where it is best; what it does add, an
    optimism, is for the interval to know.
    """
    at = cells_at_levels(rows, weights)
    values = values_over(metric, at)
    place = int(best_place(metric, values))
    if place < 0:
        return Found(np.nan, np.full(len(rows), np.nan))
    one = at.take(np.array([place]))
    slopes = slopes_over(metric, one)[0]
    held = np.array([one.tp, one.fp, one.fn, one.tn])[:, 0] * float(weights.sum())
    moved = CutInfluence(rows, float(one.levels[0]), slopes, held)
    return Found(float(values[place]), moved, {"threshold": moved.threshold})


@dataclass(frozen=True, eq=False)
class CutInfluence:
    """The influence of a row on a metric at one threshold, by its cell (tp, fp, fn, tn): slopes and weights of each."""

    rows: ScoreRows
    threshold: float
    slopes: Array
    weights: Array

    @cached_property
    def of_rows(self) -> Array:
        """The influence of each row."""
        tp, fp, fn, tn = self.slopes
        marked = self.rows.scores >= self.threshold
        return np.asarray(np.where(self.rows.positive, np.where(marked, tp, fn), np.where(marked, fp, tn)))

    @property
    def squares(self) -> tuple[float, float]:
        """Σ w φ² over the positives, and over the negatives."""
        tp, fp, fn, tn = self.weights * self.slopes**2
        return float(tp + fn), float(fp + tn)

    @property
    def sizes(self) -> tuple[float, float]:
        """The weight of the positives, and of the negatives."""
        tp, fp, fn, tn = self.weights
        return float(tp + fn), float(fp + tn)


def _influence(metric: Metric, rows: ScoreRows, at: CellsAt, place: int) -> Array:
    """Return the influence of each row on a metric at one threshold."""
    slopes = slopes_over(metric, at.take(np.array([place])))[0]
    return CutInfluence(rows, float(at.levels[place]), slopes, np.zeros(4)).of_rows


def found_at_bound(metric: Metric, rows: ScoreRows, weights: Array) -> Found:
    """Return a metric at the best threshold that keeps a bound: φ_M − (dM/dG) φ_G, the threshold being estimated too.

    Zhou & Qin (2005) Stat. Med. 24:465 and Hsieh & Turnbull (1996) Ann. Stat. 24:25 for sensitivity at a specificity.
    """
    cut = metric.cut
    assert cut is not None
    assert cut.bound is not None
    at = cells_at_levels(rows, weights)
    bound = cut.bound

    def size_at(threshold: float) -> float:
        """Return how many rows that count alike the bound rests on."""
        some = weights[_counted(bound, rows, threshold)]
        return float(some.sum() ** 2 / np.maximum((some**2).sum(), 1e-300))

    place, slope = bounded_place(metric, bound, cut.value, at, size_at)
    if place < 0:
        return Found(np.nan, np.full(len(rows), np.nan), {"bound": cut.bound.name, "least": cut.value})
    moved = _influence(metric, rows, at, place)
    if slope:
        moved = moved - slope * _influence(cut.bound, rows, at, place)
    value = float(values_over(metric, at.take(np.array([place])))[0])
    level = float(at.levels[place])
    details: dict[str, object] = {"threshold": level, "room": size_at(level) * min(cut.value, 1 - cut.value)}
    if metric.share is not None and metric.share.weight == 1.0:
        details["counted"] = _counted(metric, rows, level)
    return Found(value, moved, details)


def _counted(metric: Metric, rows: ScoreRows, threshold: float) -> Array:
    """Return which rows a share counts at a threshold; all of them where it is no share."""
    if metric.share is None:
        return np.ones(len(rows), dtype=bool)
    marked = rows.scores >= threshold
    cell = {"tp": rows.positive & marked, "fp": ~rows.positive & marked, "fn": rows.positive & ~marked,
            "tn": ~rows.positive & ~marked}  # fmt: skip
    counted = [cell[name] for name in (*metric.share.success, *metric.share.failure) if name in cell]
    return np.asarray(np.any(counted, axis=0) if counted else np.ones(len(rows), dtype=bool))


def confident_answers(rows: ScoreRows) -> tuple[Array, Array]:
    """Return how sure each answer is and whether it is right: the more probable of two classes, or the highest."""
    if rows.scores.ndim == 1:
        return np.maximum(rows.scores, 1 - rows.scores), (rows.scores >= 0.5) == rows.positive
    return rows.scores.max(1), rows.scores.argmax(1) == rows.truth


def found_at_coverage(metric: Metric, rows: ScoreRows, weights: Array) -> Found:
    """Return the accuracy of the most confident answers, a share ``coverage`` of the rows.

    T = E[right·1{c > τ}]/κ with P(c > τ) = κ, so φ = (1{c > τ}(right − m) − κ(T − m))/κ, m the accuracy at τ, found in
    the rows around it. Rows that tie at τ are kept in part. El-Yaniv & Wiener (2010) JMLR 11:1605.
    """
    assert metric.cut is not None
    share = metric.cut.value
    sure, right = confident_answers(rows)
    kept = _kept(sure, weights, share)
    total = float(weights.sum())
    value = float((weights * kept) @ right) / (share * total)
    around = _around(sure, weights, share)
    edge = float(weights[around] @ right[around] / weights[around].sum()) if share < 1 else value
    moved = (kept * (right - edge) - share * (value - edge)) / share
    details = {"confidence": float(sure[kept > 0].min()), "counted": kept > 0}
    return Found(min(value, 1.0), moved, details)


def _kept(sure: Array, weights: Array, share: float) -> Array:
    """Return which part of each row belongs to the most confident share of the weight."""
    levels, place = np.unique(-sure, return_inverse=True)
    each = np.bincount(place, weights=weights, minlength=len(levels))
    left = share * float(weights.sum()) - (np.cumsum(each) - each)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.clip(np.where(each > 0, left / each, 0.0), 0.0, 1.0)
    return np.asarray(np.where(part > 1 - SAME, 1.0, part)[place])


def _around(sure: Array, weights: Array, share: float) -> Ints:
    """Return the rows whose confidence is near that of the last one kept."""
    order = np.argsort(-sure, kind="stable")
    cut = int(np.searchsorted(np.cumsum(weights[order]), share * float(weights.sum())))
    n = len(order)
    reach = max(5, int(0.45 * n**-0.2 * min(share, 1 - share) * n))
    return order[max(0, cut - reach) : cut + reach + 1]


def values_at_cut(metric: Metric, rows: ScoreRows, weights: Array) -> Array:
    """Return a metric whose threshold is chosen anew for each of many weightings of the rows."""
    cut = metric.cut
    assert cut is not None
    if cut.kind == "coverage":
        return np.array([found_at_coverage(metric, rows, one).value for one in weights])
    at = cells_at_levels(rows, weights)
    values = values_over(metric, at)
    allowed: Array | None = None
    if cut.bound is not None:
        held = values_over(cut.bound, at)
        allowed = np.isfinite(held) & (held >= cut.value - SAME)
    place = best_place(metric, values, allowed)
    found = np.take_along_axis(values, np.maximum(place, 0)[..., None], -1)[..., 0]
    return np.where(place >= 0, found, np.nan)
