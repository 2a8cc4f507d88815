"""hs.curve: ROC, precision–recall, a metric over thresholds, reliability, decisions, risk–coverage, with bands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.errors import InputError, check_level, check_whole, nearest, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.catalogue import own_limits
from howsure.estimates.estimate import check_table, estimate
from howsure.estimates.methods.band import MOST_THRESHOLDS, Band, band_of, covariance_over
from howsure.estimates.tail import Tail
from howsure.metrics.calibration import bin_of, confidence
from howsure.metrics.cuts import cut_by
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import MetricLike, named
from howsure.metrics.scoring import ScoreRows
from howsure.metrics.thresholds import cells_at_levels, found_at_coverage
from howsure.numerics import binomial
from howsure.numerics.max_normal_sampled import process_maximum
from howsure.results.base import Note, note_of
from howsure.results.curves.curve import Curve
from howsure.sources.kinds.runs import without_runs
from howsure.tables.table import Table
from howsure.types import Array

FEW_HITS = 10  # true positives below which a band is not to be trusted
POINTS = 99
BINS = 10


def curve(
    table: Table,
    what: MetricLike = "roc",
    *,
    model: str | None = None,
    level: float = 0.95,
    bins: int = BINS,
    label: Label | None = None,
) -> Curve:
    """Return a curve of scores with a band that holds along all of it at once.

    ``what``: "roc", "precision_recall", "reliability", "decision", "risk_coverage", or any metric of labels, over its
    thresholds. ``bins`` are those of a reliability curve; ``label`` names the class where there is a score for each.

    >>> from howsure import table
    >>> t = table([0, 0, 1, 0, 1, 1, 0, 1], scores=[0.1, 0.2, 0.3, 0.35, 0.6, 0.7, 0.5, 0.9])
    >>> curve(t, "f1").best.threshold
    0.6
    """
    check_table(table)
    check_level(level)
    one = without_runs(table, model, "a curve")
    rows = one.contents.scored(0, label)
    maker = MAKERS.get(what) if isinstance(what, str) else None
    if rows.scores.ndim == 2 and maker not in (_reliability, _risk_coverage):
        raise InputError(messages.LABEL_IS_MISSING(labels=quoted(table.labels)))
    if maker is not None:
        return maker(one, rows, level, check_whole("bins", bins, 2, messages.SUCH_AS_10()))
    return _over_thresholds(one, rows, _metric(what), level)


def _metric(what: MetricLike) -> Metric:
    """Return the metric of labels whose curve was asked for."""
    found = named(what)
    if found.scoring is not None or found.cut is not None:
        raise InputError.of(
            "what", getattr(what, "name", what), messages.ONE_OF_OR_METRIC_OF_LABELS(makers=quoted(MAKERS)),
            f"such as 'f1'.{nearest(str(what), MAKERS)}".rstrip("."),
        )  # fmt: skip
    return found


def _band(one: Table, rows: ScoreRows, metric: Metric, level: float, **more: Any) -> Band:
    return band_of(rows, one.design, metric, Tail(level), own_limits, degrees=one.design.degrees(), **more)


def _over_thresholds(one: Table, rows: ScoreRows, metric: Metric, level: float) -> Curve:
    """Return a metric at its thresholds, each limit by the metric's own method with one critical value for all."""
    best = estimate(one, cut_by(metric, "best", named), level=level) if metric.better else None
    at = () if best is None or best.threshold is None else (best.threshold,)
    found = _band(one, rows, metric, level, including=at)
    notes = _few(found)
    return Curve(
        "threshold", metric.name, one.model, level, one.n, found.at.levels, found.value, found.low, found.high,
        found.method, found.q, best=best, notes=(*notes, *(_same_rows(metric) if best else ())),
    )  # fmt: skip


def _few(found: Band) -> tuple[Note, ...]:
    thin = int((found.hits < FEW_HITS).sum())
    return (note_of("few marked", "few rows", thin=thin, size=len(found.hits), least=FEW_HITS),) if thin else ()


def _same_rows(metric: Metric) -> tuple[Note, ...]:
    return (note_of("threshold on other rows", "chosen", metric=repr(metric.name)),)


def _roc(one: Table, rows: ScoreRows, level: float, bins: int) -> Curve:
    """Return both rates at each threshold, within a rectangle that holds them at all thresholds together.

    Independent rows: the Kolmogorov bound of Dvoretzky, Kiefer, Wolfowitz and Massart for each class, exact at any size
    (Campbell 1994, Stat. Med. 13:499). Otherwise the largest deviation of each rate, sampled from its covariance.
    """
    each = math.sqrt(level)
    every = cells_at_levels(rows, one.design.weights)
    size = len(every.levels)
    if size > 2 * MOST_THRESHOLDS:
        every = every.take(np.unique(np.linspace(0, size - 1, 2 * MOST_THRESHOLDS).round().astype(int)))
    with np.errstate(invalid="ignore"):
        tpr, fpr = every.tp / (every.tp + every.fn), every.fp / (every.fp + every.tn)
    if one.design.independent:
        ones, zeros = float(rows.positive @ one.design.counts), float(~rows.positive @ one.design.counts)
        up, across = (math.sqrt(math.log(2 / (1 - each)) / (2 * max(n, 1))) for n in (ones, zeros))
    else:
        some = every.take(np.unique(np.linspace(0, len(every.levels) - 1, MOST_THRESHOLDS).round().astype(int)))
        up, across = (
            process_maximum(covariance_over(rows, one.design, named(name), some), each, standardised=False)
            for name in ("recall", "specificity")
        )
    return Curve(
        "roc", "roc", one.model, level, one.n, every.levels, tpr, np.maximum(tpr - up, 0), np.minimum(tpr + up, 1),
        "rectangle", fpr=fpr, fpr_low=np.maximum(fpr - across, 0), fpr_high=np.minimum(fpr + across, 1),
        area=estimate(one, "auc", level=level),
    )  # fmt: skip


def _precision_recall(one: Table, rows: ScoreRows, level: float, bins: int) -> Curve:
    """Return precision and recall at each threshold, each with a band over thresholds; both hold together."""
    each = 1 - (1 - level) / 2
    precision = _band(one, rows, named("precision"), each, fewest=1.0)
    recall = _band(one, rows, named("recall"), each, fewest=1.0)
    return Curve(
        "precision_recall", "precision_recall", one.model, level, one.n, precision.at.levels, precision.value,
        precision.low, precision.high, precision.method, precision.q, recall=recall.value, recall_low=recall.low,
        recall_high=recall.high, area=estimate(one, "average_precision", level=level), notes=_few(precision),
    )  # fmt: skip


def _reliability(one: Table, rows: ScoreRows, level: float, bins: int) -> Curve:
    """Return the share of positives within bins of the probability, with Wilson's interval at one critical value.

    Of several classes: how often the most probable one is right, by its probability.
    """
    said, came = confidence(rows)
    if len(said) and (said.min() < 0 or said.max() > 1):
        raise InputError(messages.WHAT_IS_RELIABILITY_NEEDS_PROBABILITIES_BETWEEN())
    place, design = bin_of(said, bins), one.design
    weight = np.bincount(place, weights=design.weights, minlength=bins)
    held = np.flatnonzero(weight > 0)
    value, mean = (np.bincount(place, weights=design.weights * part, minlength=bins)[held] / weight[held]
                   for part in (came, said))  # fmt: skip
    share = weight[held] / design.total

    def influences(part: slice) -> Array:
        inside = place[part] == held[:, None]
        return np.asarray(np.where(inside, came[part] - value[:, None], 0.0) / share[:, None])

    covariances = design.covariance(influences, len(held))
    counts = np.bincount(place, weights=design.counts, minlength=bins)[held]
    q = _for_all(covariances, level, len(held))
    low, high = _wilson_worth(value, np.diagonal(covariances), counts, q)
    return Curve(
        "reliability", "reliability", one.model, level, one.n, held / bins, value, low, high, "wilson", q,
        predicted=mean, count=counts,
    )  # fmt: skip


def _for_all(covariances: Array, level: float, size: int) -> float:
    """Return the critical value of bins: of independent ones (Šidák) or what their covariance gives, if larger."""
    alone = Tail(level ** (1 / max(size, 1))).z
    off = covariances - np.diag(np.diagonal(covariances))
    return (
        alone if not np.abs(off).max(initial=0.0) > 1e-12 else max(process_maximum(covariances, level), Tail(level).z)
    )


def _wilson_worth(value: Array, variance: Array, rows: Array, q: float) -> tuple[Array, Array]:
    """Return Wilson's limits of shares at the rows they are worth: at most those that were counted."""
    inside = value * (1 - value)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where((variance > 0) & (inside > 0), inside / variance, rows)
    size = np.minimum(size, rows)
    low, high = binomial.wilson(value * size, (1 - value) * size, z=q)
    return np.asarray(low), np.asarray(high)


def _decision(one: Table, rows: ScoreRows, level: float, bins: int) -> Curve:
    """Return the net benefit tp − fp·t/(1 − t) at each threshold probability t, per row.

    Vickers & Elkin (2006) Med. Decis. Making 26:565. ``everyone`` is the net benefit of marking every row; that of
    marking none is 0.
    """
    if len(rows) and (rows.scores.min() < 0 or rows.scores.max() > 1):
        raise InputError(messages.WHAT_IS_DECISION_NEEDS_PROBABILITIES_BETWEEN())
    at = np.arange(1, POINTS + 1) / (POINTS + 1)
    odds, design = at / (1 - at), one.design
    worth = np.where(rows.positive, 1.0, 0.0)

    def gain(part: slice) -> Array:
        marked = rows.scores[part] >= at[:, None]
        return np.asarray(marked * np.where(rows.positive[part], worth[part], -odds[:, None]))

    value = gain(slice(None)) @ design.weights / design.total
    covariances = design.covariance(lambda part: gain(part) - value[:, None], len(at))
    se = np.sqrt(np.diagonal(covariances))
    q = max(process_maximum(covariances, level), Tail(level).z)
    share = float(design.weights @ rows.positive) / design.total
    return Curve(
        "decision", "net benefit", one.model, level, one.n, at, value, value - q * se, value + q * se, "wald", q,
        everyone=share - (1 - share) * odds,
    )  # fmt: skip


def _risk_coverage(one: Table, rows: ScoreRows, level: float, bins: int) -> Curve:
    """Return the share of wrong answers among the most confident rows, over how many of them are answered."""
    coverage = np.arange(1, 51) / 50
    found = [found_at_coverage(named(f"accuracy@coverage={share:g}"), rows, one.design.weights) for share in coverage]
    value = np.array([one.value for one in found])
    moved = np.stack([one.influence for one in found])
    covariances = one.design.covariance(lambda part: moved[:, part], len(coverage))
    q = max(process_maximum(covariances, level), Tail(level).z)
    low, high = _wilson_worth(value, np.diagonal(covariances), coverage * float(one.n), q)
    sure = np.array([one.details["confidence"] for one in found])
    return Curve(
        "risk_coverage", "risk", one.model, level, one.n, sure, 1 - value, 1 - high, 1 - low, "wilson", q,
        coverage=coverage,
    )  # fmt: skip


MAKERS: dict[str, Callable[[Table, ScoreRows, float, int], Curve]] = {
    "roc": _roc,
    "precision_recall": _precision_recall,
    "reliability": _reliability,
    "decision": _decision,
    "risk_coverage": _risk_coverage,
}
