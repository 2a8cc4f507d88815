"""One Estimate from one linearised metric and the limits that a method found."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.estimates.catalogue import IntervalMethod
from howsure.estimates.tail import Limits, Tail
from howsure.results.base import Note, note_of
from howsure.results.estimate import Estimate, JudgeAlone
from howsure.results.quantity import later
from howsure.tables.linearised import Linearised


def build_estimate(
    linear: Linearised,
    method: IntervalMethod,
    found: Limits,
    tail: Tail,
    *,
    variance: float | None = None,
    meaning: str | None = None,
    human: Estimate | None = None,
    again: Callable[..., Any] | None = None,
) -> Estimate:
    """Return the estimate; ``variance`` and ``meaning`` are those of the metric and of the method unless given."""

    def standard_error() -> float:
        if not np.isfinite(linear.value):
            return float("nan")
        return math.sqrt(linear.variance if variance is None else variance) if found.se is None else found.se

    return Estimate(
        value=linear.value if found.value is None else found.value,
        low=float(found.low),
        high=float(found.high),
        level=tail.level,
        method=method.name,
        se=later(standard_error),
        n=linear.n,
        metric=linear.metric.name,
        model=linear.model,
        notes=later(lambda: (*linear.notes, *found.notes, *_no_limits(linear, method, found))),
        side=tail.side,
        meaning=meaning or method.meaning,
        groups=linear.design.n_groups,
        design_effect=linear.design_effect,
        effective_n=linear.effective_n,
        undefined=linear.undefined,
        seed=found.seed,
        error=found.error,
        metric_range=linear.metric.range,
        threshold=linear.details.get("threshold"),
        fraction=later(lambda: linear.fraction),
        drawn=later(lambda: linear.sampled),
        fixed=later(lambda: linear.design.fixed),
        canonical=linear.metric.canonical,
        names=linear.metric.names,
        human=human,
        again=again,
        **(_of_runs(linear) if linear.runs else {}),
        **_judged(linear),
    )


def _of_runs(linear: Linearised) -> dict[str, Any]:
    """Return what belongs to a mean over runs, and to runs that were sampled."""
    crossing, values = linear.crossing, tuple([run.value for run in linear.runs])
    if crossing is None:
        return {"run_values": values}
    of_truth = linear.factor is not None and linear.factor.of_truth
    return {
        "run_values": values,
        "variance_shares": later(lambda: tuple(linear.spread.shares.items())),
        "says": "confidence annotators" if of_truth else "",
    }


def _judged(linear: Linearised) -> dict[str, Any]:
    """Return what a judge did to the estimate, where there is one."""
    facts = linear.design.judge
    if facts is None:
        return {}
    alone = JudgeAlone(value=facts.alone, metric=linear.metric.name, model=linear.model)
    return {"gain": facts.gain, "judge_only": alone, "lam": facts.lam, "judged": facts.judged}


def _no_limits(linear: Linearised, method: IntervalMethod, found: Limits) -> tuple[Note, ...]:
    """Return why a value that is defined has no limits, where the method did not say so itself."""
    if found.notes or not np.isfinite(linear.value) or not (np.isnan(found.low) or np.isnan(found.high)):
        return ()
    if linear.notes and np.isnan(linear.variance):
        return ()  # one group, or no finite slope: said there
    return (note_of("no limits", "degenerate", metric=linear.metric.name, method=method.name),)
