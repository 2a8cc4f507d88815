"""Joint intervals: all models and metrics of a report hold together with the stated level.

Yuan & Jiang (2025): the covariance comes from the influences, the critical value q from P(max|Z| < q) = level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.errors import MethodError
from howsure.errors.messages import estimates as messages
from howsure.estimates.build import build_estimate
from howsure.estimates.catalogue import IntervalMethod, default_method, interval, named_method
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.tail import Limits, Tail, tail_at
from howsure.numerics.critical import CriticalValue, critical_value
from howsure.results.base import Note, note_of
from howsure.results.covariance import Covariance
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import marked
from howsure.tables.covariance import Family
from howsure.tables.linearised import Linearised
from howsure.types import Array


def correlation_of(covariances: Array, *, still: Array) -> Array:
    """Return correlations; an estimate whose variance is zero is independent of all, or (``still``) never moves.

    An estimate that never moves has 0 on the diagonal and does not take part in the maximum. One at a perfect score has
    no variance in the sample but has one in truth: as independent it makes the critical value larger, never smaller.
    """
    spread = np.sqrt(np.maximum(np.diagonal(covariances), 0.0))
    fixed = ~(spread > 0)
    safe = np.where(fixed, 1.0, spread)
    correlation = np.where(fixed[:, None] | fixed, 0.0, covariances / np.outer(safe, safe))
    correlation = np.clip((correlation + correlation.T) / 2, -1.0, 1.0)
    np.fill_diagonal(correlation, np.where(fixed & still, 0.0, 1.0))
    return correlation


def joint_report(family: Family, *, level: float, method: Any = None) -> Report:
    """Return the report of a family of estimates with simultaneous intervals.

    One q for all: "wald" and "blurred", the paper's choices I and II, are value ± q · se. By default each metric has
    the method that it has alone; that method, and any other, runs at the single level whose quantile is q, such as
    0.997 for twenty independent estimates at 0.95. What a single interval keeps there, the joint ones keep together. An
    estimate without variance (a perfect score) counts as independent of the others, except under "wald", where its
    interval has no width.
    """
    tail = Tail(level)
    chosen = None if method is None else named_method(method)
    if chosen is not None and chosen.textbook:
        family = family.as_textbook()
    evidences = [evidence_of(linear) for linear in family.linears]
    # Yuan & Jiang divide by n−1 (erratum Y4).
    ratios = np.sqrt([linear.unbiasing for linear in family.linears])
    covariances = family.covariances * np.outer(ratios, ratios)
    flat = False
    if chosen is not None and chosen.symmetric:
        covariances, flat = _with_added(covariances, evidences, chosen, tail.z), chosen.added is None
    # correlations that rest on a handful of tasks would make q too small: estimates are taken as independent
    few = any(linear.design.tasks_sampled for linear in family.linears)
    held = np.diag(np.diagonal(covariances)) if few else covariances
    q = simultaneous(held, family.values, level, degenerate=flat)
    variances = np.diagonal(covariances)
    rows = tuple(
        _row(linear, evidence.with_variance(np.float64(variance)), chosen, q, tail)
        for linear, evidence, variance in zip(family.linears, evidences, variances, strict=True)
    )
    degrees = fewest_degrees(family.linears)
    notes = joint_notes(q, degrees, sum(math.isfinite(row.value) for row in rows), len(rows))
    used = tail_at(float(q)).quantile(degrees)
    labels = tuple((row.model, row.metric) for row in rows)
    return Report(
        rows, level, joint=True, critical_value=used, critical_error=q.error, notes=notes,
        moved=lambda: Covariance(covariances, labels),
    )  # fmt: skip


def fewest_degrees(linears: Sequence[Linearised]) -> float:
    """Return the degrees of freedom of the estimate that has the fewest."""
    return min((linear.degrees for linear in linears), default=float("inf"))


def _critical_words(q: CriticalValue, degrees: float) -> dict[str, str]:
    """Return which quantile the intervals take, and which one a single interval would, for a sentence."""
    how = marked("critical normal", q=f"{float(q):.4f}", error=f"{q.error:.1g}", how=q.how)
    if np.isfinite(degrees):
        used = tail_at(float(q)).quantile(degrees)
        how = marked("critical t", used=f"{used:.4f}", degrees=f"{degrees:g}", normal=how)
    return {"q": how, "single": f"{Tail(q.level).quantile(degrees):.4f}"}


def undefined_words(lost: int) -> str:
    """Return how many more of a family are undefined, to stand after how many hold together."""
    return marked("more undefined" if lost > 1 else "one more undefined", lost=lost) if lost else ""


def simultaneous(covariances: Array, values: Array, level: float, *, degenerate: bool) -> CriticalValue:
    """Return q of estimates with this covariance: P(max |Z| < q) = level for Z with their correlations.

    Undefined estimates are left out, and so are degenerate ones if asked. q lies between the quantile of a single
    interval and that of independent estimates (Šidák 1967, JASA 62:626).
    """
    still = ~np.isfinite(values) | degenerate
    return critical_value(correlation_of(covariances, still=still), level)


def _with_added(covariances: Array, evidences: Sequence[Evidence], method: IntervalMethod, z: float) -> Array:
    """Return the covariances with what a method adds to each variance; one that cannot serve a metric is refused."""
    for evidence in evidences:
        why = method.missing(evidence)
        if why is not None:
            raise MethodError(
                messages.METHOD_CANNOT_SERVE_JOINTLY(method=method.name, metric=evidence.metric.name, why=why)
            )
    if method.added is None:
        return covariances
    return covariances + np.diag([float(method.added(evidence, z)) for evidence in evidences])


def joint_notes(q: CriticalValue, degrees: float, defined: int, asked: int) -> tuple[Note, ...]:
    """Return how much wider joint intervals are, and the critical value behind it."""
    size = f"{defined}{undefined_words(asked - defined)}"
    ratio = float(q) / Tail(q.level).z
    wider = note_of("wider", "wider", detail=True, size=size, ratio=f"{ratio:.2f}")
    alike = note_of("not wider", "wider", detail=True, size=size)
    critical = note_of("critical", "joint", detail=True, size=size, **_critical_words(q, degrees))
    return (wider if ratio > 1.005 else alike, critical) if defined > 1 else ()


def _row(
    linear: Linearised, evidence: Evidence, method: IntervalMethod | None, q: CriticalValue, tail: Tail
) -> Estimate:
    entry = default_method(linear.metric, evidence) if method is None else method
    found = _limits(evidence, entry, float(q))
    return build_estimate(linear, entry, found, tail, variance=float(evidence.variance), meaning="joint")


def _limits(evidence: Evidence, method: IntervalMethod, q: float) -> Limits:
    """Return the limits of one estimate with q in place of z.

    Methods that are not symmetric run at the single level whose quantile is q. The joint level is then as near as a
    single interval's is.
    """
    if np.isnan(evidence.value):
        return Limits(np.float64(np.nan), np.float64(np.nan))
    if method.symmetric:
        half = evidence.half(tail_at(q))
        return Limits(evidence.value - half, evidence.value + half)
    return interval(evidence, method, tail_at(q))
