"""hs.estimate, hs.report and hs.intervals: a table and metrics to results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.estimates.catalogue import IntervalMethod, applicable, default_method, interval, named_method
from howsure.estimates.evidence import Evidence, Tail, evidence_of
from howsure.estimates.joint import joint_report
from howsure.estimates.notes import remarks
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.results.base import Note
from howsure.results.estimate import Estimate, Report
from howsure.sources.logs.right_or_wrong import RIGHT
from howsure.tables.covariance import family_of
from howsure.tables.linearised import Linear, lacks_negatives, linearise
from howsure.tables.table import Table
from howsure.types import Side, Undefined

POLICIES = ("nan", "skip", "zero")
MethodLike = str | IntervalMethod | Any


def estimate(
    table: Table,
    metric: MetricLike,
    *,
    method: MethodLike | None = None,
    level: float = 0.95,
    model: str | None = None,
    side: Side = "both",
    undefined: Undefined = "nan",
) -> Estimate:
    """Return a metric of one model with its interval.

    Without ``method`` the documented default of the metric is used; the result says which. ``undefined`` says
    what an average does with a class that is 0/0: "nan" (the average is undefined too), "skip" it, or count "zero".

    >>> from howsure import counts
    >>> estimate(counts(tp=77, fp=44, fn=10, tn=702), "f1", method="wald")
    f1 = 0.740 [0.674, 0.807] 95% wald, n = 833
    """
    check_table(table)
    tail = Tail(level, side)
    check_undefined(undefined)
    chosen = named(metric)
    linear = linearise(table.pick(table.models[table.model_index(model)]), chosen, None, undefined)
    return from_linear(linear, method, tail)


def check_undefined(undefined: object) -> None:
    """Refuse an unknown rule for classes that are 0/0."""
    if undefined not in POLICIES:
        raise InputError(f"undefined is {undefined!r}; it must be one of {quoted(POLICIES)}")


def check_table(table: object) -> None:
    """Refuse what is not a Table, with the way to make one."""
    if not isinstance(table, Table) and callable(getattr(table, "gap", None)):
        raise InputError(
            "table holds slices; they answer themselves: slices.report(…), slices.compare(…), slices.gap(…)"
        )
    if not isinstance(table, Table):
        raise InputError(
            f"table is of type {type(table).__name__}; make a Table first: howsure.table(y_true, y_pred), "
            "howsure.counts(tp=…, fp=…, fn=…), howsure.matrix(…, rows=…) or howsure.read(file)"
        )


def from_linear(linear: Linear, method: MethodLike | None, tail: Tail) -> Estimate:
    """Return the estimate of a linearised metric."""
    evidence = evidence_of(linear)
    chosen = default_method(linear.metric, evidence) if method is None else named_method(method)
    return _estimate(linear, evidence, chosen, method, tail)


def _estimate(
    linear: Linear, evidence: Evidence, chosen: IntervalMethod, asked: MethodLike | None, tail: Tail
) -> Estimate:
    found = interval(evidence, chosen, tail)

    def again(*, level: float = tail.level, method: MethodLike | None = asked) -> Estimate:
        return from_linear(linear, method, Tail(level, tail.side))

    table = linear.table
    return Estimate(
        value=linear.value,
        low=float(found.low),
        high=float(found.high),
        level=tail.level,
        method=chosen.name,
        se=float(np.sqrt(linear.variance)) if np.isfinite(linear.value) else float("nan"),
        n=table.n,
        metric=linear.metric.name,
        model=linear.model,
        notes=(*remarks(linear), *found.notes),
        side=tail.side,
        meaning=chosen.meaning,
        groups=table.n_groups,
        design_effect=linear.design_effect,
        effective_n=linear.effective_n,
        undefined=linear.undefined,
        seed=found.seed,
        error=found.error,
        metric_range=linear.metric.range,
        again=again,
    )


def intervals(
    table: Table,
    metric: MetricLike,
    *,
    level: float = 0.95,
    model: str | None = None,
    side: Side = "both",
    undefined: Undefined = "nan",
) -> Report:
    """Return every applicable method's interval for one metric, side by side."""
    first = estimate(table, metric, level=level, model=model, side=side, undefined=undefined)
    linear = linearise(table.pick(first.model), named(metric), None, undefined)
    evidence, tail = evidence_of(linear), Tail(level, side)
    rows = tuple(_estimate(linear, evidence, entry, entry, tail) for entry in applicable(evidence))
    return Report(rows, level, notes=(Note(f"default for {first.metric}: {first.method}", "default"),))


def default_metrics(table: Table) -> tuple[Metric, ...]:
    """Return the metrics of a report when none are named: what people report for this kind of table."""
    if RIGHT in table.notes:
        names = ["accuracy"]
    elif table.pooled:
        names = ["precision", "recall", "f1", "macro_f1", "weighted_f1"]
    elif table.multilabel:
        names = ["micro_f1", "macro_f1", "weighted_f1", "micro_precision", "micro_recall"]
        names += ["samples_f1", "exact_match"] if table.negatives else []
    elif table.pos_label is not None and len(table.labels) == 2:
        names = [
            "accuracy",
            "precision",
            "recall",
            "specificity",
            "npv",
            "f1",
            "jaccard",
            "mcc",
            "balanced_accuracy",
        ]
    else:
        names = [
            "accuracy",
            "balanced_accuracy",
            "macro_precision",
            "macro_recall",
            "macro_f1",
            "weighted_f1",
            "mcc",
            "kappa",
        ]
        names += [f"f1[{label}]" for label in table.labels] if len(table.labels) <= 30 else []
    return tuple(metric for metric in map(named, names) if not lacks_negatives(metric, table))


def report(
    table: Table,
    metrics: Iterable[MetricLike] | MetricLike | None = None,
    *,
    level: float = 0.95,
    method: MethodLike | None = None,
    joint: bool = False,
    models: Iterable[str] | str | None = None,
    undefined: Undefined = "nan",
) -> Report:
    """Return several metrics of every model, each with its interval.

    ``joint=True`` makes all intervals hold together with the stated level (Yuan & Jiang 2025): on the scale of each
    metric's range, or by ``method`` "wald" (their choice I) or "blurred" (choice II).
    """
    check_table(table)
    chosen = chosen_metrics(table, metrics, None if joint else method)
    names = chosen_models(table, models)
    check_undefined(undefined)
    if joint:
        made = joint_report(family_of(table, chosen, names, undefined), level=level, method=method)
    else:
        linears = (linearise(one, metric, None, undefined) for one in map(table.pick, names) for metric in chosen)
        rows = tuple(from_linear(linear, method, Tail(level)) for linear in linears)
        made = Report(rows, level, notes=family_notes(len(names), len(rows), level))
    notes = (*notes_of(table, chosen), *left_out(table, metrics, chosen), *made.notes)
    return replace(made, notes=notes, about=describe(table))


def notes_of(table: Table, metrics: Iterable[Metric]) -> tuple[Note, ...]:
    """Return what a table says of itself; that a log knows accuracy alone is said only where more was asked of it."""
    needless = {RIGHT} if all(metric.name == "accuracy" for metric in metrics) else set()
    return tuple(Note(text) for text in table.notes if text not in needless)


def chosen_models(table: Table, models: Iterable[str] | str | None) -> tuple[str, ...]:
    """Return the models of an answer: those named, one name being one model, or all of the table."""
    if models is not None and not isinstance(models, Iterable):
        raise InputError(f"models is {models!r}; it must be one or more names of {quoted(table.models)}")
    names = table.models if models is None else (models,) if isinstance(models, str) else tuple(models)
    if not names:
        raise InputError(f"models is empty; name at least one of {quoted(table.models)}, or leave it out for all")
    return names


def chosen_metrics(
    table: Table, metrics: Iterable[MetricLike] | MetricLike | None, method: MethodLike | None = None
) -> tuple[Metric, ...]:
    """Return the metrics of a report: those named, or the usual ones of this kind of table that a method serves."""
    if isinstance(metrics, (str, Metric)) or not isinstance(metrics, Iterable | None):
        metrics = [metrics]
    chosen = default_metrics(table) if metrics is None else tuple(named(metric) for metric in metrics)
    if not chosen:
        raise InputError("metrics is empty; name at least one, or leave it out for the usual ones")
    if metrics is not None or method is None:
        return chosen
    entry, one = named_method(method), table.pick(table.models[0])
    served = (metric for metric in chosen if entry.missing(evidence_of(linearise(one, metric))) is None)
    return tuple(served) or chosen  # if it serves none, the refusal of the first says why


def left_out(table: Table, metrics: object, chosen: tuple[Metric, ...]) -> tuple[Note, ...]:
    """Return a note on the usual metrics that a report does without, because its method does not serve them."""
    missing = [] if metrics is not None else [entry.name for entry in default_metrics(table) if entry not in chosen]
    text = f"left out, as the method does not serve them: {quoted(missing)}; without a method each has its default"
    return (Note(text, "left out"),) if missing else ()


def family_notes(models: int, rows: int, level: float) -> tuple[Note, ...]:
    """Return what single intervals side by side do not say: they are no test, and of many some miss."""
    notes = []
    if models > 1:
        text = "the models share their rows: overlap of two intervals is not a test of a difference; compare() is one"
        notes.append(Note(text, "overlap"))
    if rows * (1 - level) >= 1:
        expected = rows * (1 - level)
        text = f"{rows} single intervals: about {expected:.2g} are expected to miss; joint=True makes all hold together"
        notes.append(Note(text, "family"))
    return tuple(notes)


def describe(table: Table) -> dict[str, Any]:
    """Return what was measured: rows, labels, models, groups, weights."""
    return {
        "n": table.n,
        "labels": list(table.labels),
        "models": list(table.models),
        "pos_label": table.pos_label,
        "groups": table.n_groups,
        "weighted": table.weighted,
        "multilabel": table.multilabel,
        "negatives_counted": table.negatives,
    }
