"""hs.plan_comparison: how many rows to tell two models apart, on the same rows or on two test sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.agreement import paired_shares
from howsure.anticipated import anticipated_shares, share_between
from howsure.cells import Array
from howsure.errors import InputError
from howsure.evidence import Tail
from howsure.linear import covariance, linearise
from howsure.metric import Metric
from howsure.naming import MetricLike, named
from howsure.plans import ComparisonPlan, clusters_of
from howsure.rows import Codes
from howsure.table import Table

MOST_STEPS = 200


def plan_comparison(
    metric: MetricLike,
    *,
    difference: float | None = None,
    power: float = 0.8,
    n: int | None = None,
    level: float = 0.95,
    prevalence: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    precision_b: float | None = None,
    recall_b: float | None = None,
    agreement: float | None = None,
    pilot: Any = None,
    paired: bool = True,
    margin: float | None = None,
    comparisons: int = 1,
    cluster_size: float | None = None,
    icc: float | None = None,
) -> ComparisonPlan:
    """Return how many rows give the stated power to detect a difference b − a of a metric.

    The two models' joint behaviour comes from a ``pilot`` (a table with two models, or counts[truth, a, b]), or from
    model a's precision, recall and prevalence with either ``difference`` or b's own precision and recall, and
    ``agreement``, the share of rows on which they will agree. ``paired=False`` is for two separate test sets of n rows
    each. ``margin`` turns it into non-inferiority: b may be worse by the margin; ``comparisons`` adjusts the level for
    several models. With ``n`` instead of a difference: the smallest difference that n rows can detect.

    n = (z₁₋α/₂ + z_power)² · Var(φ_b − φ_a) / Δ² (McNemar's case: Connor 1987, Biometrics 43:207).
    """
    chosen = named(metric)
    z = _quantiles(Tail(level), power, margin, comparisons)
    known = {
        name: share_between(name, value)
        for name, value in {
            "prevalence": prevalence, "precision": precision, "recall": recall, "precision_b": precision_b,
            "recall_b": recall_b, "agreement": agreement,
        }.items()
    }  # fmt: skip
    if (difference is None) == (n is None) and pilot is None and precision_b is None and recall_b is None:
        raise InputError("give difference= (then n is found) or n= (then the detectable difference is found)")
    shares = _expected_pair(chosen, difference, known, pilot)
    gap, variance = _spread(chosen, shares, paired=paired)
    effect = _effect(gap if difference is None else difference, margin, n, difference)
    clusters = clusters_of(cluster_size, icc)
    factor = 1.0 if clusters is None else clusters.design_effect
    if n is not None:
        detectable = z * math.sqrt(variance * factor / n)
        rows, seen = int(n), detectable - (margin or 0.0)
    else:
        rows, seen = max(1, math.ceil(z * z * variance * factor / effect**2 * (1 - 1e-12))), effect - (margin or 0.0)
    return ComparisonPlan(
        metric=chosen.name, n=rows, difference=seen, power=power, level=level, paired=paired, margin=margin,
        comparisons=comparisons, variance=variance, agreement=float(np.einsum("zkk->", shares)), clusters=clusters,
        n_clusters=None if clusters is None else math.ceil(rows / clusters.size), z=z,
    )  # fmt: skip


def _quantiles(tail: Tail, power: float, margin: float | None, comparisons: int) -> float:
    if isinstance(power, bool) or not 0 < power < 1:
        raise InputError(f"power is {power!r}; it must lie strictly between 0 and 1, such as 0.8")
    if power <= 1 - tail.level:
        raise InputError(f"power is {power!r}, not above 1 − level = {1 - tail.level:.3g}: no data are needed for that")
    if isinstance(comparisons, bool) or comparisons < 1:
        raise InputError(f"comparisons is {comparisons!r}; it must be 1 or larger")
    if margin is not None and not (math.isfinite(margin) and margin > 0):
        raise InputError(f"margin is {margin!r}; it must be a positive number")
    single = (1 - tail.level) if margin is not None else tail.probability
    # Šidák's bound is valid for every correlation of two-sided tests and a little above the exact q.
    tailed = 0.5 * (1 - (1 - 2 * single) ** (1 / comparisons)) if comparisons > 1 else single
    return float(-ndtri(tailed) + ndtri(power))


def _effect(gap: float, margin: float | None, n: int | None, difference: float | None) -> float:
    effect = (gap + margin) if margin is not None else abs(gap)
    if n is None and not effect > 0:
        raise InputError(
            "the expected difference is not above the margin of non-inferiority: no number of rows can show it"
            if margin is not None
            else "the expected difference is 0: no number of rows can show it"
        )
    if difference is not None and not 0 < abs(difference) < 1 and margin is None:
        raise InputError(f"difference is {difference!r}; it must be a non-zero number between −1 and 1")
    return effect


def _expected_pair(metric: Metric, difference: float | None, known: dict[str, float | None], pilot: Any) -> Array:
    if pilot is not None:
        return _pilot_pair(pilot)
    first = anticipated_shares(
        prevalence=known["prevalence"],
        precision=known["precision"],
        recall=known["recall"],
        specificity=None,
        predicted=None,
    )
    if first is None:
        raise InputError("give a pilot, or model a's precision=, recall= and prevalence=")
    if known["precision_b"] is not None or known["recall_b"] is not None:
        second = anticipated_shares(
            prevalence=known["prevalence"], precision=known["precision_b"] or known["precision"],
            recall=known["recall_b"] or known["recall"], specificity=None, predicted=None,
        )  # fmt: skip
        assert second is not None
    else:
        second = first if difference is None else _shifted(metric, first, difference)
    return paired_shares(first, second, known["agreement"])


def _pilot_pair(pilot: Any) -> Array:
    if isinstance(pilot, Table):
        if len(pilot.models) != 2 or not isinstance(pilot.rows, Codes):
            raise InputError("pilot must be a table of one label per row with two models; pick two with .pick(a, b)")
        width = len(pilot.labels)
        joint = (
            pilot.rows.truth.astype(np.int64) * width + pilot.rows.predictions[:, 0]
        ) * width + pilot.rows.predictions[:, 1]
        counts = np.bincount(joint, weights=pilot.weights, minlength=width**3).reshape(width, width, width)
    else:
        counts = np.asarray(list(pilot.values()) if isinstance(pilot, Mapping) else pilot, dtype=float)
    if counts.ndim != 3 or len(set(counts.shape)) != 1 or (counts < 0).any() or not counts.sum() > 0:
        raise InputError(
            "pilot must be a table of two models, or counts[truth, a, b] with K entries a side, zero or larger"
        )
    return counts / counts.sum()


def _shifted(metric: Metric, first: Array, difference: float) -> Array:
    """Return model b: recall and specificity of a moved equally on the logit scale until the metric has moved enough."""

    def moved(step: float) -> Array:
        rates = np.array([first[1, 1] / first[1].sum(), first[0, 0] / first[0].sum()])
        rates = np.clip(rates, 1e-6, 1 - 1e-6)
        recall, specificity = 1 / (1 + np.exp(-(np.log(rates / (1 - rates)) + step)))
        positive, negative = first[1].sum(), first[0].sum()
        return np.array(
            [[negative * specificity, negative * (1 - specificity)], [positive * (1 - recall), positive * recall]]
        )

    def gap(step: float) -> float:
        return _spread(metric, paired_shares(first, moved(step), None), paired=True)[0] - difference

    low, high = -12.0, 12.0
    if gap(low) * gap(high) > 0:
        raise InputError(
            f"difference is {difference:g}; {metric.name} cannot move that far from the performance of model a"
        )
    for _ in range(MOST_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(low) * gap(middle) > 0 else (low, middle)
        if high - low < 1e-12:
            break
    return moved((low + high) / 2)


def _spread(metric: Metric, shares: Array, *, paired: bool) -> tuple[float, float]:
    """Return the difference b − a at these shares and n times its variance."""
    table = table_of_shares(shares)
    linears = [linearise(table, metric, model) for model in ("a", "b")]
    joint = covariance(table, linears)
    variance = joint[0, 0] + joint[1, 1] - (2 * joint[0, 1] if paired else 0.0)
    if not np.isfinite(variance):
        raise InputError(f"metric {metric.name!r} is undefined or has no slope at the performance expected")
    return linears[1].value - linears[0].value, float(max(variance, 0.0) * table.n)


def table_of_shares(shares: Array) -> Table:
    """Return the table with fractional counts that sum to one: (truth, a, b)."""
    width = len(shares)
    truth, a, b = (part.ravel() for part in np.indices(shares.shape))
    flat = shares.ravel()
    positive = 1 if width == 2 else None
    rows = Codes(truth, np.column_stack([a, b]))
    return Table(tuple(range(width)), ("a", "b"), rows, flat, flat, flat, pos_label=positive)


def power_of(plan: ComparisonPlan, rows: int) -> float:
    """Return the power that another number of rows would have."""
    factor = 1.0 if plan.clusters is None else plan.clusters.design_effect
    error = math.sqrt(plan.variance * factor / rows)
    quantile = plan.z - float(ndtri(plan.power))
    effect = abs(plan.difference) if plan.margin is None else plan.difference + plan.margin
    return float(ndtr(effect / error - quantile))
