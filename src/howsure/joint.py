"""Joint intervals: all models and metrics of a report hold together with the stated level.

Yuan & Jiang (2025): the covariance comes from the influences, the critical value q from P(max|Z| < q) = level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtr, stdtrit

from howsure.cells import Array
from howsure.critical import CriticalValue, critical_value
from howsure.errors import MethodError
from howsure.evidence import Evidence, Limits, Tail, evidence_of
from howsure.intervals import IntervalMethod, blur, interval, named_method
from howsure.linear import Linear, covariance
from howsure.remarks import remarks
from howsure.results import Estimate, Note, Report
from howsure.scales import scale_of

SCALES = ("logit", "log", "atanh")


def correlation_of(covariances: Array) -> Array:
    """Return correlations; an estimate that cannot move (zero or undefined variance) gets a zero row."""
    spread = np.sqrt(np.diagonal(covariances))
    fixed = ~(spread > 0)
    safe = np.where(fixed, 1.0, spread)
    correlation = np.where(fixed[:, None] | fixed, 0.0, covariances / np.outer(safe, safe))
    correlation = np.clip((correlation + correlation.T) / 2, -1.0, 1.0)
    np.fill_diagonal(correlation, np.where(fixed, 0.0, 1.0))
    return correlation


def individual_level(q: float, degrees: float = float("inf")) -> float:
    """Return the level of a single interval that is as wide as a joint one: P(|Z| < q)."""
    return float(1 - 2 * ndtr(-q))


def joint_report(
    linears: Sequence[Linear],
    *,
    level: float,
    method: str | IntervalMethod | None,
    accuracy: float | None = None,
) -> Report:
    """Return the report of linearised estimates on one table with simultaneous intervals.

    By default on the scale of each metric's range (logit, log, atanh), which keeps limits in range; "wald" and
    "blurred" are the paper's choices I and II. Any other method runs at the single level that matches q.
    """
    tail = Tail(level)
    chosen = None if method is None else named_method(method)
    table = linears[0].table
    evidences = [_unbiased(evidence_of(linear)) for linear in linears]
    covariances = covariance(table, linears) * _ratio(float(table.n))
    if chosen is not None and chosen.name == "blurred":
        covariances = _blurred_diagonal(covariances, evidences, tail.z)
    q = critical_value(correlation_of(covariances), level, accuracy=accuracy)
    variances = np.diagonal(covariances)
    rows = tuple(
        _row(linear, replace(evidence, variance=np.float64(variance)), chosen, q, tail)
        for linear, evidence, variance in zip(linears, evidences, variances, strict=True)
    )
    return Report(
        rows,
        level,
        joint=True,
        critical_value=float(q),
        critical_error=q.error,
        notes=(_family(len(rows), q),),
    )


def _ratio(n: float) -> float:
    """Return n/(n−1): Yuan & Jiang divide by n−1 (ERRATA Y4)."""
    return n / (n - 1) if n > 1 else 1.0


def _unbiased(evidence: Evidence) -> Evidence:
    return replace(evidence, variance=evidence.variance * _ratio(float(evidence.n)))


def _blurred_diagonal(covariances: Array, evidences: Sequence[Evidence], z: float) -> Array:
    for evidence in evidences:
        why = named_method("blurred").missing(evidence)
        if why is not None:
            raise MethodError(f"method 'blurred' cannot serve metric {evidence.metric.name!r}: {why}")
    plain = [replace(evidence, variance=evidence.variance / _ratio(float(evidence.n))) for evidence in evidences]
    blurred = np.array([float(blur(evidence, z)) for evidence in plain])
    result = covariances.copy()
    np.fill_diagonal(result, blurred)
    return result


def _family(size: int, q: CriticalValue) -> Note:
    return Note(
        f"simultaneous over {size} estimates: critical value q = {float(q):.4f} (± {q.error:.1g}, {q.how}) "
        f"where a single interval takes {Tail(q.level).z:.4f}",
        "joint",
    )


def _row(linear: Linear, evidence: Evidence, method: IntervalMethod | None, q: CriticalValue, tail: Tail) -> Estimate:
    quantile = _quantile(float(q), evidence.degrees)
    found = _limits(evidence, method, quantile)
    name = method.name if method is not None else scale_of(linear.metric.range).name
    table = linear.table
    return Estimate(
        value=linear.value, low=float(found.low), high=float(found.high), level=tail.level, method=name,
        se=float(np.sqrt(evidence.variance)), n=table.n, metric=linear.metric.name, model=linear.model,
        notes=(*remarks(linear), *found.notes), meaning="joint", groups=table.n_groups,
        design_effect=linear.design_effect, effective_n=linear.effective_n, undefined=linear.undefined,
        error=found.error, seed=found.seed, metric_range=linear.metric.range,
    )  # fmt: skip


def _quantile(q: float, degrees: float) -> float:
    """Return q, or the t quantile of the same single level where the variance rests on few groups."""
    return q if np.isinf(degrees) else float(-stdtrit(degrees, ndtr(-q)))


def _limits(evidence: Evidence, method: IntervalMethod | None, quantile: float) -> Limits:
    if np.isnan(evidence.value):
        return Limits(np.float64(np.nan), np.float64(np.nan))
    if method is not None and method.name in ("wald", "blurred"):
        half = quantile * np.sqrt(evidence.variance)
        return Limits(evidence.value - half, evidence.value + half)
    entry = method or _on_own_scale(evidence)
    return interval(replace(evidence, degrees=float("inf")), entry, Tail(individual_level(quantile)))


def _on_own_scale(evidence: Evidence) -> IntervalMethod:
    for name in SCALES:
        entry = named_method(name)
        if entry.missing(evidence) is None:
            return entry
    return named_method("wald")
