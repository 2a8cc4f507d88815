"""hs.plan_comparison: how many rows to tell two models apart, on the same rows or on two test sets."""

from __future__ import annotations

import math
import os
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import ndtri

from howsure.errors import InputError, arg, check_number, check_whole, is_number, numbers_of, quoted
from howsure.errors.messages import planning as messages
from howsure.estimates.tail import Tail
from howsure.metrics.largest_variance import denominator
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.metrics.ranking import AUC
from howsure.numerics.critical import critical_value
from howsure.numerics.solving import bracketed_root
from howsure.planning.agreement import paired_shares
from howsure.planning.clusters import planned_clusters
from howsure.planning.expected import Expected, counts_all_rows, rate_between
from howsure.planning.pilots import beside_pilot
from howsure.planning.power import (
    MomentsQuestion,
    PairedCells,
    PairMoments,
    PowerQuestion,
    moments_of,
    paired_moments,
    table_of_shares,
)
from howsure.planning.runs.run_plans import check_no_run_plan, check_runs_alone, has_runs, plan_run_comparison
from howsure.planning.scored import APART, two_aucs
from howsure.planning.stopping import Boundary, coin_boundary, normal_boundary, stopping
from howsure.results.base import Note, note_of
from howsure.results.plans.comparison import ComparisonPlan
from howsure.results.plans.runs import RunPlan
from howsure.results.words import amount
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.types import Array

FAR = 14.0  # on the logit scale
PRINTED = 5e-5
INDEPENDENT = note_of("plan independent", "agreement")


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
    specificity: float | None = None,
    precision_b: float | None = None,
    recall_b: float | None = None,
    specificity_b: float | None = None,
    accuracy: float | None = None,
    accuracy_b: float | None = None,
    auc: float | None = None,
    auc_b: float | None = None,
    score_correlation: float | None = None,
    agreement: float | None = None,
    pilot: Any = None,
    paired: bool = True,
    margin: float | None = None,
    comparisons: int = 1,
    correlation: float | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    anytime: bool = False,
    runs: int | None = None,
    cost: Any = None,
    budget: float | None = None,
) -> ComparisonPlan | RunPlan:
    """Return how many rows give the stated power to detect a difference b − a of a metric.

    The two models' joint behaviour comes from a ``pilot`` (a table of two models, a file, or counts[truth, a, b]), or
    from model a's precision, recall and prevalence with either ``difference`` or b's own rates, and ``agreement``, the
    share of rows on which they will agree; for accuracy, ``accuracy`` and ``accuracy_b`` do (``agreement``: both
    right or both wrong), for AUC ``auc``, ``auc_b``, ``prevalence`` and ``score_correlation``, that of the two models'
    scores within a class (binormal). Other metrics of scores, and row values, need a pilot. ``paired=False`` is for two
    separate test sets of n rows each. ``margin`` turns it into
    non-inferiority, one-sided: b may be worse by the margin. ``comparisons`` holds the level for several at once
    (Šidák; sharper with ``correlation``, the one between differences: ½ against one baseline).
    With ``n`` and a difference: the power. With ``n`` alone: the smallest difference that n rows detect.
    ``anytime=True`` plans for looks at any time: ``expected`` rows on average until it is settled, and ``n``, by which
    it is settled with the stated power. A pilot with several runs of its models weighs runs against rows, as in
    ``plan``: ``runs``, ``cost={"run": 1000, "row": 1}`` and ``budget``.

    n = (z₁₋α/₂·√v₀ + z_power·√v₁)² / Δ², v₁ = Var(φ_b − φ_a), v₀ = v₁; where the models share a denominator
    (accuracy, recall), v₀ = v₁ + Δ²/share of rows in it: McNemar's test (Connor 1987, Biometrics 43:207).

    >>> plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85).n
    469
    """
    if has_runs(pilot):
        check_runs_alone(
            prevalence=prevalence, precision=precision, recall=recall, specificity=specificity, precision_b=precision_b,
            recall_b=recall_b, specificity_b=specificity_b, accuracy=accuracy, accuracy_b=accuracy_b, auc=auc,
            auc_b=auc_b, score_correlation=score_correlation, agreement=agreement, margin=margin, anytime=anytime,
            comparisons=None if comparisons == 1 else comparisons, correlation=correlation, cluster_size=cluster_size,
            icc=icc, paired=None if paired else "no",
        )  # fmt: skip
        asked: Any = {"n": n, "runs": runs, "level": level, "cost": cost, "budget": budget}
        return plan_run_comparison(metric, pilot, difference=difference, power=power, **asked)
    check_no_run_plan(runs, cost=cost, budget=budget)
    chosen = named(metric).check_own_prevalence()
    critical = _critical(Tail(level), power, margin, comparisons, correlation)
    known = Expected(prevalence=prevalence, precision=precision, recall=recall, specificity=specificity)
    second = {"precision_b": precision_b, "recall_b": recall_b, "specificity_b": specificity_b}
    other = {name.removesuffix("_b"): rate_between(name, value) for name, value in second.items()}
    right = [rate_between(name, value) for name, value in (("accuracy", accuracy), ("accuracy_b", accuracy_b))]
    rate_between("agreement", agreement)
    _check(difference, n, margin)
    ranked = {"auc": auc, "auc_b": auc_b, "score_correlation": score_correlation}
    rates = known.given | second | {"accuracy": accuracy, "accuracy_b": accuracy_b}
    _check_roles(pilot, rates | ranked, agreement, paired)
    table = _pilot(pilot) if pilot is not None else None
    fixed = table is not None or any(value is not None for value in (*other.values(), right[1], auc_b))
    moments = _moments(chosen, table, ranked, rates | {"agreement": agreement}, paired=paired)
    if difference is None and n is None and not fixed:
        raise InputError(messages.GIVE_DIFFERENCE_THEN_N_IS_FOUND())
    clusters = planned_clusters(chosen, table, cluster_size, icc)
    ready = (paired, margin, critical, float(ndtri(power)), clusters)
    if moments is None:
        question = PowerQuestion(chosen, _pair_of(chosen, known, other, right, agreement, table), *ready)
    else:
        question = MomentsQuestion(chosen, moments, *ready)
    unknown = agreement is None if moments is None else score_correlation is None
    alone = (INDEPENDENT if moments is None else APART,) if paired and table is None and unknown else ()
    if difference is not None and fixed and table is None:
        _check_gap(chosen, difference, question.gap(None))
    stated = difference if difference is not None else (question.gap(None) if fixed and n is None else None)
    if anytime:
        implied = question.gap(None) if stated is None and fixed else stated
        return _at_any_time(question, implied, n, power, level, comparisons, alone)
    rows, seen, reached = question.answer(stated, n, power)
    return ComparisonPlan(
        metric=chosen.name, n=rows, difference=seen, power=reached, level=level, paired=paired, margin=margin,
        comparisons=comparisons, correlation=correlation, critical=critical, clusters=clusters, better=chosen.better,
        agreement=question.agreement(seen), test="McNemar" if question.counted else "Wald",
        variance=question.variance(seen), null_variance=question.null_variance(seen),
        n_clusters=None if clusters is None else math.ceil(rows / clusters.size),
        notes=alone,
    )  # fmt: skip


def _moments(
    metric: Metric, table: Table | None, ranked: dict[str, float | None], rates: dict[str, float | None], *,
    paired: bool,
) -> PairMoments | None:  # fmt: skip
    """Return what is known of two models without their cells: from a pilot of scores or values, or of two AUC."""
    if table is not None and not table.contents.one_truth:
        found = moments_of(table.without_groups(), metric_on(table, metric), paired=paired)
        return lambda difference: found
    if table is None and metric.scoring is AUC.scoring:
        prevalence = rates.pop("prevalence", None)
        for name, value in rates.items():
            if value is not None:
                raise InputError(messages.SAYS_NOTHING_LEAVE_OUT(name=name, value=value, metric=metric.name))
        return two_aucs(**ranked, prevalence=prevalence, paired=paired)
    for name, value in ranked.items():
        if value is not None:
            raise InputError(messages.FOR_AUC_AND_METRIC(name=name, value=value, metric=metric.name))
    return None


def _at_any_time(
    question: PowerQuestion, difference: float | None, n: int | None, power: float, level: float, comparisons: int,
    notes: tuple[Note, ...],
) -> ComparisonPlan:  # fmt: skip
    """Return the plan of a comparison that is looked at until it is settled."""
    if difference is None or question.factor != 1.0 or not question.paired:
        needs = messages.DIFFERENCE_TO_SETTLE() if difference is None else messages.INDEPENDENT_ROWS_BOTH_MODELS_SHARE()
        raise InputError(messages.ANYTIME_IS_TRUE_NEEDS(needs=needs))
    error = (1 - level) / comparisons / (1 if question.margin is not None else 2)
    variance, needed = question.variance(difference), question.needed(difference)
    boundary = normal_boundary(variance, error, question.carrying(difference))
    if question.counted:  # the surplus counts rows of one class alone for recall, and so does the effect
        share, _ = denominator(question.metric, float(question.pair(difference)[1].sum()), None)
        discordant = question.null_variance(difference) * share**2
        boundary = _scaled(coin_boundary(discordant, error), share)
    found = stopping(question.effect(difference), variance, boundary, needed)
    rows = found.until(power) if n is None else n
    if rows is None:
        raise InputError.of("power", power, messages.NO_NUMBER_OF_ROWS_SETTLES_SURELY(), messages.ASK_FOR_LESS())
    return ComparisonPlan(
        metric=question.metric.name, n=rows, difference=difference, power=power if n is None else found.by(n),
        level=level, paired=True, margin=question.margin, comparisons=comparisons, critical=question.critical,
        better=question.metric.better, agreement=question.agreement(difference), test="anytime",
        variance=variance, null_variance=question.null_variance(difference), expected=round(found.expected),
        half_by=found.until(0.5), every=found.every, notes=notes,
        settled=tuple(zip(map(int, found.rows), map(float, np.cumsum(found.right)), strict=True)),
    )  # fmt: skip


def _scaled(boundary: Boundary, share: float) -> Boundary:
    return lambda n: boundary(n) / share


# --- checks and quantiles --------------------------------------------------------------------------------------------


def _critical(tail: Tail, power: float, margin: float | None, comparisons: int, correlation: float | None) -> float:
    """Return the quantile that the test must pass, for all comparisons together."""
    check_number("power", power, messages.LIE_STRICTLY_BETWEEN_0_AND_1(), above=0, below=1)
    if power <= 1 - tail.level:
        what = messages.NOT_ABOVE_1_LEVEL_NEEDS(level=1 - tail.level)
        raise InputError(messages.POWER_IS_NOT_REACHED(power=power, what=what))
    check_whole("comparisons", comparisons, 1)
    if correlation is not None:
        rule = messages.FROM_0_TO_BELOW_1()
        check_number("correlation", correlation, rule, least=0, below=1)
    beyond = (1 - tail.level) if margin is not None else tail.probability
    if comparisons == 1:
        return float(-ndtri(beyond))
    if margin is not None:
        return float(-ndtri(beyond / comparisons))
    if correlation is None:
        return float(-ndtri(-math.expm1(math.log(tail.level) / comparisons) / 2))
    joint = np.full((comparisons, comparisons), correlation)
    np.fill_diagonal(joint, 1.0)
    return float(critical_value(joint, level=tail.level))


def _check(difference: float | None, n: int | None, margin: float | None) -> None:
    sound = is_number(difference) and math.isfinite(difference) and (difference != 0 or margin is not None)
    if difference is not None and not sound:
        raise InputError.of("difference", difference, messages.FINITE_NUMBER_OTHER_THAN_0())
    if n is not None:
        check_whole("n", n, 2)
    if margin is not None:
        check_number("margin", margin, messages.FINITE_NUMBER_LARGER_THAN_0(), above=0)


def _check_roles(pilot: Any, rates: dict[str, float | None], agreement: float | None, paired: bool) -> None:
    """Refuse what would have no effect: rates beside a pilot, an agreement of models on different rows."""
    given = [name for name, value in (rates | {"agreement": agreement}).items() if value is not None]
    if pilot is not None and given:
        raise beside_pilot(arg(given[0]) if given[0].endswith("_b") else given[0])
    if agreement is not None and not paired:
        raise InputError(messages.AGREEMENT_BUT_PLAN_IS_FOR_TWO(agreement=agreement))


def _check_gap(metric: Metric, difference: float, implied: float) -> None:
    """Refuse a difference that is not the one of the two performances, to the decimals that a plan is printed with."""
    if not abs(difference - implied) < PRINTED:
        raise InputError(
            messages.DIFFERENCE_BUT_PERFORMANCES_OF_AND_B(difference=difference, implied=implied, metric=metric.name)
        )


# --- the two models --------------------------------------------------------------------------------------------------


def _pair_of(
    metric: Metric, known: Expected, other: dict[str, float | None], right: list[float | None],
    agreement: float | None, table: Table | None,
) -> PairedCells:  # fmt: skip
    """Return shares[truth, a, b] as a function of the difference b − a (None: as stated for b)."""
    if table is not None:
        held = _shares_of(table)
        return lambda difference: held
    # The agreement is about all rows, so all cells must be known then.
    asked = metric if agreement is None else None
    first = _one(known, right[0], metric, asked)
    if any(value is not None for value in (*other.values(), right[1])):
        merged = known.but(other)
        second = _one(merged, right[1] if right[1] is not None else right[0], metric, asked)
        held = paired_shares(first, second, agreement)
        return lambda difference: held

    @lru_cache(maxsize=16)
    def pair(difference: float | None) -> Array:
        return paired_shares(first, first if not difference else _shifted(metric, first, difference), agreement)

    return pair


def _one(known: Expected, right: float | None, metric: Metric, asked: Metric | None) -> Array:
    if right is not None:
        if not counts_all_rows(metric):
            raise InputError(messages.ACCURACY_SAYS_TOO_LITTLE_ABOUT(metric=metric.name))
        return np.array([[0.0, 0.0], [1 - right, right]])
    shares = known.shares(asked)
    if shares is None:
        raise InputError(messages.GIVE_PILOT_OR_MODEL_PRECISION_RECALL())
    return shares


def _pilot(pilot: Any) -> Table:
    if isinstance(pilot, (str, os.PathLike)):
        from howsure.sources.read import read

        pilot = read(os.fspath(pilot))
    if isinstance(pilot, Table):
        if len(pilot.models) != 2:
            raise InputError(
                messages.PILOT_HOLDS_COMPARISON_IS_PLANNED(
                    number=amount(len(pilot.models), "model"), models=quoted(pilot.models)
                )
            )
        if pilot.weighted:
            raise InputError(messages.PILOT_MUST_HOLD_NO_WEIGHTS())
        return pilot
    rule = messages.TABLE_OF_TWO_MODELS_OR_COUNTS()
    counts = numbers_of("pilot", pilot, rule)
    if counts.ndim != 3 or len(set(counts.shape)) != 1:
        raise InputError(messages.PILOT_SHAPE_BREAKS_RULE(shape=counts.shape, rule=rule))
    if not (counts >= 0).all() or not counts.sum() > 0:
        what = messages.NO_ROWS() if (counts == 0).all() else messages.COUNT_BELOW_0_OR_MISSING()
        raise InputError(messages.PILOT_HOLDS(what=what, rule=rule))
    return table_of_shares(counts)


def _shares_of(table: Table) -> Array:
    width = len(table.labels)
    counts = table.contents.cross_table([0, 1], table.counts)
    assert counts is not None
    if table.pos_label is not None and width == 2 and table.labels.index(table.pos_label) == 0:
        counts = counts[::-1, ::-1, ::-1]
    return np.asarray(counts / counts.sum())


def _shifted(metric: Metric, first: Array, difference: float) -> Array:
    """Return model b: recall and specificity of a, moved equally on the logit scale until the metric moved enough."""
    actual = first.sum(1)
    held = actual > 0
    rates = np.clip(np.diag(first) / np.where(held, actual, 1.0), 1e-6, 1 - 1e-6)

    def moved(step: float) -> Array:
        right = actual / (1 + np.exp(-(np.log(rates / (1 - rates)) + step)))
        return np.array([[right[0], actual[0] - right[0]], [actual[1] - right[1], right[1]]])

    def gap(step: float) -> float:
        return paired_moments(metric, paired_shares(first, moved(step), None), paired=False)[0] - difference

    if gap(-FAR) * gap(FAR) > 0:
        raise InputError(
            messages.DIFFERENCE_CANNOT_MOVE_FAR_FROM_PERFORMANCE(difference=difference, metric=metric.name)
        )
    return moved(bracketed_root(gap, -FAR, FAR, tolerance=1e-11))
