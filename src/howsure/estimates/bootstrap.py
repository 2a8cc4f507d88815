"""The bootstrap of a table: multinomial counts of its rows, or whole groups; never single rows, bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.errors import InputError, MethodError, check_seed, check_whole, quoted
from howsure.estimates.evidence import Evidence, Limits, Tail
from howsure.estimates.limits import scale_of
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import embed, gradient_of, value_of, view
from howsure.metrics.metric import cells_for
from howsure.numerics.sampled_posterior import drawn_quantile
from howsure.results.base import Note
from howsure.results.words import count
from howsure.tables.contents import Bags, Codes
from howsure.tables.linearised import Linear
from howsure.types import Array

Kind = Literal["percentile", "basic", "bca", "studentised"]
KINDS = ("percentile", "basic", "bca", "studentised")
BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Options of the bootstrap: how many resamples, which kind of limits, which seed.

    percentile, basic: Efron & Tibshirani (1993), chapters 13–14. bca: Efron (1987) JASA 82:171, with the
    acceleration from the influence. studentised: Hall (1988) Ann. Stat. 16:927, on the scale of the range.
    """

    n_resamples: int = 9999
    kind: Kind = "bca"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"kind is {self.kind!r}; it must be one of {quoted(KINDS)}")
        object.__setattr__(self, "n_resamples", check_whole("n_resamples", self.n_resamples, 100, "9999 is usual"))
        object.__setattr__(self, "seed", check_seed(self.seed))


@dataclass(frozen=True, slots=True)
class Units:
    """What is drawn: rows or groups, how often each occurred, and (for groups) what one draw adds to each cell."""

    chances: Array
    draws: float
    weight_mean: Array
    weight_variance: Array
    sums: Array | None = None
    strata: Array | None = None


def units_of(linear: Linear) -> Units:
    """Return the units of a table: its groups if it has any, otherwise its distinct rows."""
    table = linear.table
    if table.groups is None:
        held = np.where(table.counts > 0, table.counts, 1.0)
        mean = table.weights / held
        variance = np.maximum(table.squares / held - mean**2, 0.0)
        strata = None if table.strata is None else table.strata.codes
        return Units(table.counts / table.counts.sum(), float(table.counts.sum()), mean, variance, strata=strata)
    _, first, codes = np.unique(table.groups, return_index=True, return_inverse=True)
    size = int(codes.max()) + 1
    width = len(table.labels)
    if isinstance(table.rows, Bags):
        parts = np.concatenate([*table.rows.parts(_model(linear)), np.ones((len(table.rows), 1))], axis=1)
        sums = np.zeros((size, parts.shape[1]))
        np.add.at(sums, codes, parts * table.weights[:, None])
    else:
        sums = np.zeros((size, width * width))
        np.add.at(sums, (codes, _places(linear)), table.weights)
    strata = None if table.strata is None else table.strata.codes[first]
    return Units(np.full(size, 1 / size), float(size), np.ones(size), np.zeros(size), sums, strata)


def _model(linear: Linear) -> int:
    return linear.table.model_index(linear.model)


def _places(linear: Linear) -> Array:
    rows = linear.table.rows
    assert isinstance(rows, Codes)
    return rows.truth.astype(np.int64) * len(linear.table.labels) + rows.predictions[:, _model(linear)]


def resampled(linear: Linear, options: Bootstrap) -> Iterator[tuple[Array, Array, Units]]:
    """Yield blocks of draws (resamples × units) and the weight that they carry."""
    units = units_of(linear)
    rng = np.random.default_rng(options.seed)
    some = max(1, BLOCK // max(len(linear.table.labels) ** 2, len(units.chances)))
    for start in range(0, options.n_resamples, some):
        block = min(some, options.n_resamples - start)
        drawn = _drawn(units, block, rng)
        yield drawn, _weighted(drawn, units, rng), units


def _drawn(units: Units, block: int, rng: np.random.Generator) -> Array:
    """Return how often each unit is drawn; within each stratum as often as the stratum has units."""
    if units.strata is None:
        return rng.multinomial(round(units.draws), units.chances, size=block).astype(float)
    drawn = np.zeros((block, len(units.chances)))
    for code in np.unique(units.strata):
        part = units.strata == code
        chances = units.chances[part]
        drawn[:, part] = rng.multinomial(round(units.draws * chances.sum()), chances / chances.sum(), size=block)
    return drawn


def _weighted(drawn: Array, units: Units, rng: np.random.Generator) -> Array:
    """Return the sums of weights of the drawn rows: exact if equal, otherwise a gamma with their mean and variance."""
    total = drawn * units.weight_mean
    if not units.weight_variance.any():
        return total
    spread = drawn * units.weight_variance
    shape = np.divide(total**2, spread, out=np.ones_like(total), where=spread > 0)
    scale = np.divide(spread, total, out=np.zeros_like(total), where=(spread > 0) & (total > 0))
    return np.where(spread > 0, rng.gamma(shape, scale), total)


def _cells_of(linear: Linear, weights: Array, units: Units) -> Cells:
    table, width = linear.table, len(linear.table.labels)
    if isinstance(table.rows, Bags):
        return _bag_cells(linear, weights, units)
    if units.sums is not None:
        matrix = weights @ units.sums
    else:
        matrix = np.zeros((len(weights), width * width))
        places = _places(linear)
        if np.all(np.diff(places) > 0):
            matrix[:, places] = weights
        else:
            order = np.argsort(places, kind="stable")
            held, starts = np.unique(places[order], return_index=True)
            matrix[:, held] = np.add.reduceat(weights[:, order], starts, axis=1)
    matrix = matrix.reshape(-1, width, width)
    if not table.negatives:
        matrix[:, 0, 0] = np.nan
    return cells_for(linear.metric, matrix)[0]


def _bag_cells(linear: Linear, weights: Array, units: Units) -> Cells:
    table, width = linear.table, len(linear.table.labels)
    assert isinstance(table.rows, Bags)
    if units.sums is not None:
        sums = weights @ units.sums
    else:
        sums = np.concatenate(
            [weights @ part for part in table.rows.parts(_model(linear))] + [weights.sum(1, keepdims=True)],
            axis=1,
        )
    tp, fp, fn = (sums[:, part * width : (part + 1) * width] / sums[:, -1:] for part in range(3))
    rest = np.maximum(1 - tp - fp - fn, 0.0) if table.negatives else np.full(tp.shape, np.nan)
    return Cells(tp, fp, fn, rest)


def bootstrap_values(linear: Linear, options: Bootstrap, *, with_se: bool = False) -> tuple[Array, Array]:
    """Return the metric's value in every resample, and its standard error there if asked."""
    values, errors = [], []
    for drawn, weights, units in resampled(linear, options):
        if linear.metric.over == "row":
            values.append(_row_means(linear, weights))
            continue
        everything = _cells_of(linear, weights, units)
        values.append(value_of(linear.metric, view(everything, linear.selection), linear.undefined))
        if with_se:
            errors.append(_resampled_se(linear, everything, drawn))
    return np.concatenate(values), np.concatenate(errors) if errors else np.zeros(0)


def _row_means(linear: Linear, weights: Array) -> Array:
    """Return the mean row score in every resample; the influence of a row is its score less the mean."""
    table = linear.table
    scores = linear.influence + linear.value
    if table.groups is None:
        return np.asarray(weights @ scores / weights.sum(1))
    _, codes = np.unique(table.groups, return_inverse=True)
    tops = np.bincount(codes, weights=table.weights * scores)
    return np.asarray(weights @ tops / (weights @ np.bincount(codes, weights=table.weights)))


def _resampled_se(linear: Linear, everything: Cells, drawn: Array) -> Array:
    """Return the standard error in each resample from that resample's own influences."""
    if linear.table.strata is not None:
        raise MethodError(
            "kind is 'studentised', which is not made for strata; choose kind='bca' or 'percentile', or method='wald'"
        )
    table, width = linear.table, len(linear.table.labels)
    slopes = embed(
        gradient_of(linear.metric, view(everything, linear.selection), linear.undefined),
        width,
        linear.selection,
    )
    if isinstance(table.rows, Bags):
        tp, fp, fn = table.rows.parts(_model(linear))
        rows = sum((getattr(slopes, name) - slopes.tn) @ part.T for name, part in (("tp", tp), ("fp", fp), ("fn", fn)))
    else:
        rows = slopes.by_cell[:, table.rows.truth, table.rows.predictions[:, _model(linear)]]
    rows = np.asarray(rows)
    if table.groups is None:
        share = drawn / drawn.sum(1, keepdims=True)
        centred = rows - (share * np.where(share > 0, rows, 0)).sum(1, keepdims=True)
        return np.asarray(np.sqrt((share * np.where(share > 0, centred, 0) ** 2).sum(1) / drawn.sum(1)))
    _, codes = np.unique(table.groups, return_inverse=True)
    size = drawn.shape[1]
    member = np.zeros((len(codes), size))
    member[np.arange(len(codes)), codes] = table.weights
    total = drawn @ member.sum(0)
    mean = ((rows @ member) * drawn).sum(1) / total
    sums = (rows - mean[:, None]) @ member
    return np.asarray(np.sqrt((drawn * sums**2).sum(1) * size / (size - 1)) / total)


def bootstrap_limits(evidence: Evidence, tail: Tail, options: Bootstrap) -> Limits:
    """Return bootstrap limits of one estimate, their Monte-Carlo error, and what to say of them."""
    linear = evidence.linear
    assert linear is not None
    studentised = options.kind == "studentised"
    values, errors = bootstrap_values(linear, options, with_se=studentised)
    good = np.isfinite(values)
    notes = _lost(linear, values, good)
    if good.sum() < 100:
        return Limits(np.float64(np.nan), np.float64(np.nan), notes, seed=options.seed)
    if studentised:
        low, high, error = _studentised(evidence, values[good], errors[good], tail)
    else:
        low, high, error = _LIMITS[options.kind](evidence, np.sort(values[good]), tail)
    if low == high:
        notes += (
            Note(
                "every resample gives the same value, so the bootstrap interval has no width; use another method",
                "degenerate",
            ),
        )
    return Limits(np.float64(low), np.float64(high), notes, error=error, seed=options.seed)


def _lost(linear: Linear, values: Array, good: Array) -> tuple[Note, ...]:
    lost = int((~good).sum())
    if not lost:
        return ()
    return (
        Note(
            f"{count(lost)} of {count(len(values))} resamples left {linear.metric.name} undefined and were dropped",
            "resamples",
        ),
    )


def _percentile(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    (low, first), (high, second) = (drawn_quantile(ordered, p) for p in (tail.probability, 1 - tail.probability))
    return low, high, max(first, second)


def _basic(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    low, high, error = _percentile(evidence, ordered, tail)
    value = float(evidence.value)
    return 2 * value - high, 2 * value - low, error


def _bca(evidence: Evidence, ordered: Array, tail: Tail) -> tuple[float, float, float]:
    value, linear = float(evidence.value), evidence.linear
    assert linear is not None
    below = ((ordered < value).mean() + (ordered <= value).mean()) / 2
    below = np.clip(below, 0.5 / len(ordered), 1 - 0.5 / len(ordered))
    bias, lean = float(ndtri(below)), _acceleration(linear)
    ranks = [float(ndtr(bias + (bias + z) / (1 - lean * (bias + z)))) for z in (-tail.z, tail.z)]
    ends = [drawn_quantile(ordered, rank) for rank in ranks]
    return ends[0][0], ends[1][0], max(ends[0][1], ends[1][1])


def _acceleration(linear: Linear) -> float:
    """Return a sixth of the skewness of the units' influences."""
    table = linear.table
    if table.groups is None:
        sums, weight = linear.influence, table.counts
    else:
        _, codes = np.unique(table.groups, return_inverse=True)
        sums = np.bincount(codes, weights=linear.influence * table.weights)
        weight = np.ones(len(sums))
    square = float(weight @ sums**2)
    return float(weight @ sums**3) / (6 * square**1.5) if square > 0 else 0.0


def _studentised(evidence: Evidence, values: Array, errors: Array, tail: Tail) -> tuple[float, float, float]:
    scale = scale_of(evidence.metric.range)
    value, se = np.float64(evidence.value), np.float64(evidence.se)
    with np.errstate(all="ignore"):
        pivots = (scale.to(values) - scale.to(value)) / (errors * scale.slope(values))
        width = float(se * scale.slope(value))
    pivots = np.sort(pivots[np.isfinite(pivots)])
    if not len(pivots) or not np.isfinite(width):
        return float("nan"), float("nan"), float("nan")
    (low, first), (high, second) = (drawn_quantile(pivots, p) for p in (1 - tail.probability, tail.probability))
    centre = float(scale.to(value))
    ends = [float(scale.back(centre - pivot * width)) for pivot in (low, high)]
    error = max(first, second) * width / float(scale.slope(value))
    return ends[0], ends[1], error


_LIMITS = {"percentile": _percentile, "basic": _basic, "bca": _bca}
