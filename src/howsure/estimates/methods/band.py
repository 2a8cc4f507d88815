"""A metric of labels over the thresholds of a score: one critical value for all of them, each with its own method.

At a threshold a metric is a function of four cells, so its interval is the one that it has on a label table. The
critical value comes from the covariance over thresholds, which the design of the rows gives: rows between the same two
thresholds and of the same truth move all of them alike, so they are merged first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, ndtri

from howsure.estimates.evidence import Evidence, evidence_of_matrices, matrix_of
from howsure.estimates.tail import Limits, Tail, tail_at
from howsure.metrics.metric import Metric
from howsure.metrics.scoring import Cut, ScoreRows
from howsure.metrics.thresholds import SAME, CellsAt, cells_at_levels, metric_cells, slopes_over, values_over
from howsure.results.base import note_of
from howsure.tables.design import Design, plain_design
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.equal_rows import distinct
from howsure.types import Array, Ints, Side

MOST_THRESHOLDS = 200
FEWEST_HITS = 3.0  # true positives below which a threshold is no candidate
FAR, FEW = 2.0, 100.0  # beyond the quantile by so much, and with so many rows, a normal approximation tells enough
SURELY = 0.5  # how much farther the best of many thresholds may be than one of them
Own = Callable[[Evidence, Tail], tuple[str, Limits]]


class Band(NamedTuple):
    """A metric at some thresholds with simultaneous limits; ``q`` is the critical value in place of z."""

    at: CellsAt
    value: Array
    se: Array
    low: Array
    high: Array
    hits: Array
    size: Array
    q: float
    method: str


def band_of(
    rows: ScoreRows, design: Design, metric: Metric, tail: Tail, own: Own, *, degrees: float,
    including: tuple[float, ...] = (), fewest: float = FEWEST_HITS, q: float | None = None,
) -> Band:  # fmt: skip
    """Return a metric over thresholds with limits that hold at all of them together with the level of the tail.

    ``own`` gives the limits of the metric's own method. A one-sided tail has a one-sided maximum. ``including`` are
    thresholds that must be among them, ``q`` a critical value that is known already. The last band is kept: a curve
    asks for the one that the estimate at its best threshold has made.
    """
    bare = replace(metric, cut=None, name="metric", canonical="metric", aliases=(), title="")
    asked = (bare, tail, degrees, including, fewest, q)
    known = rows.kept.get("band")
    if known is not None and known[0] is design and known[1] == asked:
        found: Band = known[2]
        return found
    made = _made(rows, design, metric, tail, own, degrees=degrees, including=including, fewest=fewest, q=q)
    rows.kept["band"] = design, asked, made
    return made


def _made(
    rows: ScoreRows, design: Design, metric: Metric, tail: Tail, own: Own, *, degrees: float,
    including: tuple[float, ...], fewest: float, q: float | None,
) -> Band:  # fmt: skip
    at = _chosen(cells_at_levels(rows, design.weights), including, design, fewest)
    value = values_over(metric, at)
    covariances = covariance_over(rows, design, metric, at)
    se = np.sqrt(np.maximum(np.diagonal(covariances), 0.0))
    told = np.isfinite(value) & np.isfinite(se)
    if q is None:
        side: Side = "both" if tail.side == "both" else "upper"
        from howsure.numerics.max_normal_sampled import process_maximum  # critical values, which labels do without

        q = max(process_maximum(np.where(told[:, None] & told, covariances, 0.0), tail.level, side=side), tail.z)
    size = _sizes(rows, design, metric, at, se)
    method, found = own(evidence_at(metric, at, size, degrees), tail_at(q))
    bottom, top = (np.full(len(value), end) for end in metric.range)
    low = bottom if tail.side == "upper" else np.asarray(found.low)
    high = top if tail.side == "lower" else np.asarray(found.high)
    return Band(at, value, se, low, high, at.tp * design.n, size, q, method)


def _chosen(every: CellsAt, including: tuple[float, ...], design: Design, fewest: float) -> CellsAt:
    """Return thresholds with some true positives; of many, those that part the rows evenly."""
    finite = len(every.levels) - 1
    usable = min(len(every.tp) - int(np.searchsorted(every.tp[::-1], (fewest - 1e-9) / design.n)), finite) or finite
    if usable <= MOST_THRESHOLDS:
        some = np.arange(usable)
    else:
        most, least = (float(every.tp[place] + every.fp[place]) for place in (0, usable - 1))
        some = np.minimum(_first_with_at_most(every, np.linspace(most, least, MOST_THRESHOLDS), usable), usable - 1)
    return every.take(np.union1d(some, np.searchsorted(every.levels, np.array(including))).astype(np.int64))


def _first_with_at_most(at: CellsAt, shares: Array, size: int) -> Ints:
    """Return the first threshold that marks no more than each of some shares of the rows: by halving."""
    low, high = np.zeros(len(shares), dtype=np.int64), np.full(len(shares), size, dtype=np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        above = (low < high) & (at.tp[np.minimum(middle, size - 1)] + at.fp[np.minimum(middle, size - 1)] > shares)
        low, high = np.where(above, middle + 1, low), np.where(above, high, middle)
    return low


def _bins(rows: ScoreRows, at: CellsAt) -> Ints:
    """Return how many of the thresholds each row's score reaches."""
    place = np.searchsorted(at.levels, rows.levels, side="right")
    return np.asarray(place[rows.runs.of_row])


def _merged(rows: ScoreRows, design: Design, at: CellsAt) -> tuple[Design, Ints, Ints]:
    """Return the design of rows that no threshold parts, how many of them they reach, and whether they are positive."""
    kinds = _bins(rows, at) * 2 + rows.positive
    first, kind = distinct(np.column_stack([*design.keys(), kinds]))
    return design.merged(first, kind), kinds[first] // 2, kinds[first] % 2


def _between(at: CellsAt, design: Design) -> tuple[Design, Ints, Ints]:
    """Return the same of independent rows: the cells at the thresholds count them already."""
    reached = np.arange(len(at.levels) + 1)
    held = [-np.diff(np.concatenate([(marked + left)[:1], marked, [0.0]])) * design.total
            for marked, left in ((at.fp, at.tn), (at.tp, at.fn))]  # fmt: skip
    positive = np.repeat([0, 1], len(reached))
    return plain_design(np.concatenate(held)), np.tile(reached, 2), positive


def covariance_over(rows: ScoreRows, design: Design, metric: Metric, at: CellsAt) -> Array:
    """Return the covariance of a metric at several thresholds."""
    size = len(at.levels)
    merged, reached, positive = _between(at, design) if design.independent else _merged(rows, design, at)
    tp, fp, fn, tn = slopes_over(metric, at).T

    def influences(part: slice) -> Array:
        marked = np.arange(size)[:, None] < reached[part]
        hit, missed = np.where(marked, tp[:, None], fn[:, None]), np.where(marked, fp[:, None], tn[:, None])
        return np.asarray(np.where(positive[part] == 1, hit, missed))

    return merged.covariance(influences, size)


def _sizes(rows: ScoreRows, design: Design, metric: Metric, at: CellsAt, se: Array) -> Array:
    """Return how many independent rows the data are worth at each threshold."""
    if design.independent:
        return np.full(len(at.levels), float(design.n))
    moved = slopes_over(metric, at)
    shares = np.stack([at.tp, at.fp, at.fn, at.tn], -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = (shares * moved**2).sum(-1) / se**2
    alike = design.total**2 / float(design.squares.sum()) if design.groups is None else float(design.n_groups or 1)
    return np.where(np.isfinite(size) & (size > 0), np.minimum(size, design.n), alike)


def evidence_at(metric: Metric, at: CellsAt, size: Array, degrees: float = np.inf) -> Evidence:
    """Return the evidence of a metric of labels at several thresholds, each worth a number of rows."""
    bare = replace(metric, cut=None)
    tp, fp, fn, tn = (part * size for part in (at.tp, at.fp, at.fn, at.tn))
    made = evidence_of_matrices(bare, matrix_of(tp, fp, fn, tn), selection=metric_cells(bare, at)[1])
    made.degrees = degrees
    return made


def chosen_threshold(evidence: Evidence, tail: Tail, own: Own) -> Limits:
    """Return the limits that a simultaneous band over all thresholds has at the one that was chosen.

    The metric at a threshold chosen on the same rows is too high on average, and an interval that knows nothing of the
    choice covers 0.80 to 0.93. A band holds at every threshold at once, hence at whichever is chosen.
    """
    linear = evidence.linear
    assert linear is not None
    rows, at = linear.contents.scored(linear.place, linear.metric.label), linear.details["threshold"]
    found = band_of(rows, linear.design, linear.metric, tail, own, degrees=linear.degrees, including=(at,))
    place = int(np.searchsorted(found.at.levels, at))
    note = note_of("band critical", "band", detail=True, q=f"{found.q:.3f}", z=f"{tail.z:.3f}")
    return Limits(found.low[place], found.high[place], (note,))


def bounded_threshold(evidence: Evidence, tail: Tail, own: Own) -> Limits:
    """Return all values that some threshold allows: one at which neither the bound nor the value is rejected.

    The threshold that keeps a bound G = c is estimated as well as the metric M there. At a threshold t both are tested
    at once, (z_G² − 2r·z_G·z_M + z_M²)/(1 − r²) ≤ q² with r their correlation, so M has its own limits at the quantiles
    √((1 − r²)(q² − z_G²)) ± r·z_G, and the interval joins those of all t. Where the curve is a line and there are many
    rows that is the delta method with the slope of the curve (Hsieh & Turnbull 1996); nothing here needs a slope. At
    level 0.95 the threshold may lie beyond all rows of the bound's class where they are fewer than some 3/(1 − c).
    """
    linear, metric = evidence.linear, evidence.metric
    assert linear is not None
    assert metric.cut is not None
    assert metric.cut.bound is not None
    chosen = float(linear.details["threshold"])
    own_share, bound = (_at_threshold(linear, one, chosen) for one in (metric, metric.cut.bound))
    rows = linear.contents.scored(linear.place, metric.label)
    every = cells_at_levels(rows, linear.design.weights)
    values, held = values_over(metric, every), values_over(metric.cut.bound, every)
    distance = _over_ties(_distance(every, bound, metric.cut.value, tail), rows)
    alike = np.flatnonzero(
        (values == values[np.searchsorted(every.levels, chosen)]) & (held >= metric.cut.value - SAME)
    )
    distance[alike[np.argmin(distance[alike])]] = 0.0  # the estimate itself is never rejected
    near, away = _candidates(metric, values, distance, tail)
    shift = _correlation(linear, [own_share, bound])
    left = np.sqrt((1 - shift**2) * (tail.z**2 - away**2))
    seen = evidence_at(metric, every.take(near), np.full(len(near), own_share.effective_n), own_share.degrees)
    lower, upper = (own(seen, tail_at(np.maximum(left + part, 1e-3)))[1] for part in (shift * away, -shift * away))
    return Limits(np.nanmin(lower.low), np.nanmax(upper.high))


def _at_threshold(linear: Linearised, metric: Metric, threshold: float) -> Linearised:
    """Return a metric of labels at one threshold of an estimate's scores."""
    cut = replace(metric, cut=Cut("threshold", threshold))
    return linear.contents.linearise(cut, linear.model, linear.place, linear.design, linear.undefined)


def _correlation(linear: Linearised, pair: list[Linearised]) -> float:
    found = linear.contents.covariance(pair, linear.design, [linear.place] * 2)
    scale = float(np.sqrt(found[0, 0] * found[1, 1]))
    return float(np.clip(found[0, 1] / scale, -0.999, 0.999)) if scale > 0 else 0.0


def _distance(at: CellsAt, bound: Linearised, least: float, tail: Tail) -> Array:
    """Return how many standard errors a bound is above what it must be at each threshold; a share by its mid-P."""
    metric, size = bound.metric, bound.effective_n
    if metric.share is None:
        seen = evidence_at(metric, at, np.full(len(at.levels), size))
        found = (seen.value - least) / seen.se
    else:
        sides = (metric.share.success, metric.share.failure)
        hits, misses = (sum(getattr(at, cell) for cell in side) * size for side in sides)
        found = _signed_root(hits, misses, metric.share.unlink(least), tail)
    return np.where(np.isnan(found), 0.0, found) * tail.z / tail.quantile(bound.degrees)


def _signed_root(hits: Array, misses: Array, share: float, tail: Tail) -> Array:
    """Return the normal quantile of the mid-P of counts under a share; where that is far out, a normal one."""
    size = hits + misses
    found = (hits - size * share) / np.sqrt(np.maximum(size * share * (1 - share), 1e-300))
    near = np.flatnonzero((np.abs(found) < tail.z + FAR) | (size < FEW))
    some, rest = hits[near], misses[near]
    at_most, fewer = betainc(rest, some + 1, 1 - share), betainc(rest + 1, some, 1 - share)
    found[near] = ndtri((np.where(rest > 0, at_most, 1.0) + np.where(some > 0, fewer, 0.0)) / 2)
    return found


def _over_ties(distance: Array, rows: ScoreRows) -> Array:
    """Return the distances with those above 0 taken beyond the rows that tie there, which no threshold parts.

    A threshold is the right one too if it keeps more than the bound and the next one does not keep it.
    """
    tied, found = rows.counted.positives + rows.counted.negatives > 1, distance.copy()
    for part, beside in ((found[1:], distance[:-1]), (found[:-1], distance[1:])):
        nearer = np.maximum(beside, 0.0)
        np.copyto(part, nearer, where=tied & (nearer < part))
    return found


def _candidates(metric: Metric, values: Array, distance: Array, tail: Tail) -> tuple[Ints, Array]:
    """Return thresholds that may be the best that keep the bound, and how far each is from that; of very many, some.

    A threshold is none if a better one keeps the bound, so it is as far as any better one, less what looking at many
    of them adds.
    """
    gain, farthest = values if metric.better != "lower" else -values, tail.z + SURELY
    surely = np.where(np.isfinite(gain) & (distance >= farthest), gain, -np.inf).max()
    near = np.flatnonzero((distance > -tail.z) & (distance < farthest) & (gain >= surely))
    near = near[np.lexsort((distance[near], -gain[near]))]
    away = np.maximum(distance[near], np.maximum.accumulate(distance[near]) - SURELY)
    kept = np.flatnonzero(np.abs(away) < tail.z)
    if len(kept) > 2 * MOST_THRESHOLDS:
        kept = kept[np.linspace(0, len(kept) - 1, 2 * MOST_THRESHOLDS).round().astype(int)]
    return near[kept], away[kept]
