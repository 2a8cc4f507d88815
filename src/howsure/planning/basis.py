"""What a plan rests on: the variance of one row, and the half-width that n rows give."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.special import betainc

from howsure.errors import InputError, MethodError
from howsure.errors.messages import planning as messages
from howsure.estimates.batch import method_for
from howsure.estimates.catalogue import IntervalMethod, default_method, interval
from howsure.estimates.evidence import evidence_of, evidence_of_matrices
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.largest_variance import WorstCase, largest_variance, tversky_steps, worst_case
from howsure.metrics.metric import Metric, selection_of
from howsure.numerics.solving import first_count
from howsure.planning.expected import Expected
from howsure.results.base import Note, note_of
from howsure.results.plans.plan import Plan
from howsure.results.sentences.phrases import phrase
from howsure.studies.half_widths import Lengths
from howsure.tables.covariance import linearise
from howsure.tables.population import Population
from howsure.tables.table import Table

Half = Callable[[float, float | None], float]
WORST_METHOD = "wald"


@dataclass(frozen=True, eq=False)
class Basis:
    """n·variance, the half-width as a function of (rows, assurance), and what the plan will say of itself.

    ``ahead`` is the number of rows beyond n over which the half-width may still waver; 0 where it only falls.
    """

    metric: str
    variance: float
    half: Half
    method: str
    basis: str
    assumptions: tuple[str, ...]
    prevalence: float | None = None
    value: float | None = None
    seed: int | None = None
    closed: bool = False
    only_positives: bool = False
    notes: tuple[Note, ...] = ()
    error_of: Callable[[int], float] | None = None
    steps: tuple[str, ...] = ()
    ahead: Callable[[float], int] = lambda rows: 0

    def plan(self, rows: int, **more: Any) -> Plan:
        """Return the plan for so many rows."""
        positives = rows if self.only_positives else None
        if self.prevalence is not None:
            positives = max(1, math.ceil(rows * self.prevalence * (1 - 1e-12)))
        error = None if self.error_of is None or more["clusters"] is not None else self.error_of(rows)
        return Plan(
            metric=self.metric, n=None if self.only_positives else rows, positives=positives, method=self.method,
            basis=self.basis, assumptions=self.assumptions, variance=self.variance, prevalence=self.prevalence,
            value=self.value, seed=self.seed if error else None, monte_carlo_error=error, notes=self.notes,
            steps=self.steps, **more,
        )  # fmt: skip


# --- worst case ------------------------------------------------------------------------------------------------------


def worst_basis(metric: Metric, tail: Tail, known: Expected, bound: str) -> Basis:
    """Return the basis that holds for every classifier with the shares that are known."""
    shares = {"prevalence": known.prevalence, "predicted": known.predicted}
    worst = worst_case(metric, bound=bound, **shares)
    notes = [note_of("plan bound", "bound")]
    if bound == "jiang" and metric.tversky is not None:
        sharp = worst_case(metric, bound="sharp", **shares).variance / worst.variance
        if sharp < 0.99:
            notes.append(note_of("plan sharp", "sharp", share=f"{sharp:.1%}"))
    return Basis(
        metric=metric.name, variance=worst.variance, half=_worst_half(worst, tail), method=WORST_METHOD,
        basis="worst case",
        assumptions=tuple(filter(None, (
            known.words(metric),
            phrase("plan any classifier", source=phrase(f"plan source {worst.source}")),
        ))),
        prevalence=known.prevalence, closed=True, notes=tuple(notes), steps=worst.steps,
    )  # fmt: skip


def _worst_half(worst: WorstCase, tail: Tail) -> Half:
    """Return z·√(variance/n); with assurance, for the number of rows that count which n rows hold that surely.

    (Buderer 1996: recall rests on the positives, whose number is binomial.)
    """

    def half(rows: float, assurance: float | None = None) -> float:
        if assurance is None or worst.share >= 1:
            return tail.z * math.sqrt(worst.variance / rows)
        counted = _surely(rows, worst.share, assurance)
        return tail.z * math.sqrt(worst.per_row / counted) if counted else math.inf

    return half


def _surely(rows: float, share: float, probability: float) -> int:
    """Return the largest k with P(Binomial(rows, share) ≥ k) ≥ probability."""
    return first_count(lambda k: not betainc(k, rows - k + 1, share) >= probability, 0, int(rows) + 1) - 1


def positives_basis(metric: Metric, tail: Tail, bound: str = "jiang") -> Basis:
    """Return the basis for the positives to recruit when the prevalence is unknown: n·EZ ≥ V/(δ² b)."""
    assert metric.tversky is not None
    if bound != "jiang":
        raise InputError(messages.BOUND_NEEDS_PREVALENCE_OR_PREDICTED(bound=bound))
    a, b = metric.tversky
    if b == 0:
        raise InputError(messages.METRIC_NEEDS_PREDICTED(metric=metric.name))
    variance = largest_variance(max(a, b)) / b

    def half(positives: float, assurance: float | None = None) -> float:
        return tail.z * math.sqrt(variance / positives)

    return Basis(
        metric=metric.name, variance=variance, half=half, method=WORST_METHOD, basis="worst case", closed=True,
        assumptions=(phrase("plan positives alone"),
                     phrase("plan any classifier", source=phrase("plan source jiang"))),
        only_positives=True,
        steps=(*tversky_steps(a, b), f"positives · variance ≤ V / b = {variance:.6g} (corollary 2, first form)"),
        notes=(note_of("plan divide", "prevalence"),),
    )  # fmt: skip


# --- what one expects ------------------------------------------------------------------------------------------------


def expected_basis(metric: Metric, tail: Tail, source: Population, method: Any, known: Expected, seed: int) -> Basis:
    """Return the basis at the performance one expects, for the interval method that will be used."""
    selection = selection_of(metric, source.labels, source.positive)
    exact = moments(metric, source.shares, selection=selection)
    variance, value = float(exact.variance * exact.n), float(exact.value)
    if not math.isfinite(variance):
        raise InputError(messages.METRIC_IS_UNDEFINED(metric=metric.name))
    entry = _entry(metric, source, method)
    lengths = Lengths(metric, entry, source, tail, seed)

    def half(rows: float, assurance: float | None = None) -> float:
        return lengths.mean(rows) if assurance is None else lengths.quantile(rows, assurance)

    shares = known.words(metric) or phrase("plan shares of a pilot")
    said = known.value is not None or metric.canonical in known.given
    near = () if said else (phrase("plan near", metric=metric.name, value=f"{value:.4g}"),)
    return Basis(
        metric=metric.name, variance=variance, half=half, method=entry.name, basis="expected performance",
        assumptions=(shares, *near),
        prevalence=_prevalence(source, known), value=value,
        steps=(f"n · variance = {variance:.6g}, where {metric.name} is {value:.4g}",), seed=seed,
        error_of=lengths.error, ahead=lengths.ahead,
    )  # fmt: skip


def _prevalence(source: Population, known: Expected) -> float | None:
    """Return the share of positives of the pilot or of the rates; None where the rates leave it open."""
    if source.positive is None or (known.performance and not known.fixes_prevalence()):
        return None
    return float(source.shares[source.labels.index(source.positive)].sum())


def _entry(metric: Metric, source: Population, method: Any) -> IntervalMethod:
    selection = selection_of(metric, source.labels, source.positive)
    evidence = evidence_of_matrices(metric, source.shares * 1000, selection=selection)
    entry = default_method(metric, evidence) if method is None else method_for(metric, method)
    if not entry.batch:
        raise MethodError(messages.METHOD_DRAWS_AT_RANDOM(entry=entry.name))
    why = entry.missing(evidence)
    if why is not None:
        raise MethodError(messages.METHOD_CANNOT_SERVE_JOINTLY(entry=entry.name, metric=metric.name, why=why))
    return entry


def pilot_basis(metric: Metric, tail: Tail, table: Table, method: Any, prevalence: float | None) -> Basis:
    """Return the basis of a pilot that is no confusion matrix of equal rows: weights, tagged sentences, no tn.

    The half-width at n rows is that of the pilot with every count multiplied by n over its own number of rows.
    """
    if prevalence is not None:
        raise InputError(messages.PREVALENCE_CANNOT_BE_CHANGED_FOR_PILOT())
    linear = linearise(table, metric)
    variance = linear.variance * float(table.n)
    if not math.isfinite(variance):
        raise InputError(messages.METRIC_IS_UNDEFINED_OR_HAS_NO_SLOPE(metric=metric.name))
    first = evidence_of(linear)
    entry = default_method(metric, first) if method is None else method_for(metric, method)

    def half(rows: float, assurance: float | None = None) -> float:
        if assurance is not None:
            raise InputError(messages.ASSURANCE_NEEDS_PILOT_WITH_FULL_CONFUSION())
        found = interval(evidence_of(linearise(table.scaled(rows / float(table.n)), metric)), entry, tail)
        return float(found.high - found.low) / 2

    return Basis(
        metric=metric.name, variance=variance, half=half, method=entry.name, basis="expected performance",
        assumptions=(phrase("plan rows of a pilot"),
                     phrase("plan near", metric=metric.name, value=f"{linear.value:.4g}")), value=linear.value,
        steps=(f"n · variance = {variance:.6g} in the pilot, where {metric.name} is {linear.value:.4g}",),
    )  # fmt: skip
