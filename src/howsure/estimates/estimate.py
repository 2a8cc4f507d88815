"""hs.estimate, hs.report and hs.intervals: a table and metrics to results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.build import build_estimate
from howsure.estimates.catalogue import (
    IntervalMethod,
    applicable,
    check_fits,
    default_method,
    named_method,
)
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.interval_method import limits_by
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named, usual_metrics
from howsure.results.base import Note, note_of
from howsure.results.class_counts import ClassCounts
from howsure.results.covariance import Covariance
from howsure.results.estimate import Estimate, Report
from howsure.results.words import about, metric_words, percent, reach
from howsure.tables.covariance import family_of_pairs, linearise
from howsure.tables.linearised import Linearised, metric_on, with_design
from howsure.tables.sampling.tasks import taken
from howsure.tables.table import Table
from howsure.types import Side, Undefined

POLICIES = ("nan", "skip", "zero")
USES = ("gain", "ignore", "wald")
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
    judge: str | None = None,
    anytime: bool = False,
) -> Estimate:
    """Return a metric of one model with its interval.

    Without ``method`` the documented default of the metric is used; the result says which. ``undefined`` says
    what an average does with a class that is 0/0: "nan" (the average is undefined too), "skip" it, or count "zero".
    ``judge`` says what becomes of the judge of a table that has one: "gain" (default), "ignore", or "wald", the
    interval of PPI++ as published.
    ``anytime=True`` gives limits that hold at all looks together, for rows that come one after the other.

    >>> from howsure import counts
    >>> estimate(counts(tp=77, fp=44, fn=10, tn=702), "f1", method="wald")
    F1 = 0.740, 95% interval 0.674 to 0.807 (Wald), 833 rows
    """
    check_table(table)
    table, method = with_judge(table, judge, method)
    tail = Tail(level, side)
    check_undefined(undefined)
    chosen = metric_on(table, metric)
    linear = linearise(table.pick(table.models[table.model_index(model)]), chosen, None, undefined)
    return _with_other_question(_at_look(linear, method=method, tail=tail, anytime=anytime), linear, tail)


def _with_other_question(made: Estimate, linear: Linearised, tail: Tail) -> Estimate:
    """Return an estimate over tasks with the interval of the other question: these tasks, or tasks like these."""
    sampled = linear.design.tasks
    if sampled is None or len(sampled) < 2 or made.value != linear.value:
        return made
    how, name = ("fixed", "these tasks") if sampled.random else ("random", "tasks like these")
    other = from_linear(with_design(linear, replace(linear.design, tasks=taken(sampled, how))), None, tail)
    note = note_of(f"{name}, one model", "other question", size=len(sampled), reach=reach(other.low, other.high))
    return made.replace(notes=(note, *made.notes))


def with_judge(table: Table, judge: str | None, method: MethodLike | None) -> tuple[Table, MethodLike | None]:
    """Return the table with a use of its judge, and the method: Wald's where PPI++ as published is asked for."""
    if judge is None:
        return table, method
    check_choice("judge", judge, USES)
    if judge == "wald" and method not in (None, "wald"):
        raise InputError(messages.METHOD_AND_JUDGE_IS_INTERVAL(method=method))
    return table.contents.as_judged(table, judge), "wald" if judge == "wald" else method


def check_undefined(undefined: object) -> None:
    """Refuse an unknown rule for classes that are 0/0."""
    check_choice("undefined", undefined, POLICIES)


def check_table(table: object) -> None:
    """Refuse what is not a Table, with the way to make one."""
    if not isinstance(table, Table) and callable(getattr(table, "gap", None)):
        raise InputError(messages.TABLE_HOLDS_SLICES())
    if not isinstance(table, Table):
        raise InputError(messages.TABLE_IS_OF_TYPE(kind=type(table).__name__))


def from_linear(linear: Linearised, method: MethodLike | None, tail: Tail) -> Estimate:
    """Return the estimate of a linearised metric."""
    evidence = evidence_of(linear)
    if method is None:
        return _estimate(linear, evidence, default_method(linear.metric, evidence), method, tail)
    chosen = named_method(method)
    check_fits(evidence, chosen)
    return _estimate(linear, evidence, chosen, method, tail)


def _estimate(
    linear: Linearised, evidence: Evidence, chosen: IntervalMethod, asked: MethodLike | None, tail: Tail
) -> Estimate:
    found = limits_by(evidence, chosen, tail)

    def again(*, level: float = tail.level, method: MethodLike | None = asked) -> Estimate:
        return from_linear(linear, method, Tail(level, tail.side))

    shown = linear.as_textbook() if chosen.textbook else linear
    facts = linear.design.judge
    human = None if facts is None else from_linear(facts.human[0], asked, tail)
    return build_estimate(shown, chosen, found, tail, human=human, again=again)


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
    linear = linearise(table.pick(first.model), metric_on(table, metric), None, undefined)
    evidence, tail = evidence_of(linear), Tail(level, side)
    rows = tuple(_estimate(linear, evidence, entry, entry, tail) for entry in applicable(evidence))
    default = note_of("default method", "default", metric=metric_words(first.metric), method=first.method_said)
    return Report(rows, level, notes=(default,))


def default_metrics(table: Table) -> tuple[Metric, ...]:
    """Return the metrics of a report when none are named: what people report for this kind of table."""
    chosen = tuple(map(named, usual_metrics(table.contents.usual, table.labels)))
    return tuple(metric for metric in chosen if not table.contents.lacks(metric))


def report(
    table: Any,
    given: Any = None,
    *,
    metrics: Iterable[MetricLike | tuple[str, MetricLike]] | MetricLike | None = None,
    level: float = 0.95,
    method: MethodLike | None = None,
    joint: bool = False,
    models: Iterable[str] | str | None = None,
    undefined: Undefined = "nan",
    judge: Any = None,
    anytime: bool = False,
    **data: Any,
) -> Report:
    """Return several metrics of every model, each with its interval.

    ``joint=True`` makes all intervals hold together with the stated level (Yuan & Jiang 2025): by the default method of
    each metric at a higher level, or by ``method`` "wald" (their choice I) or "blurred" (choice II). Pairs (model,
    metric) in place of metrics are a chosen set: [("bert", "f1"), ("svm", "lift")]. With ``anytime=True`` each interval
    holds at all looks at a growing table together.

    ``report(y_true, y_pred, metrics=…)`` is short for ``report(table(y_true, y_pred), metrics)``; ``data`` such as
    ``pos_label``, ``groups`` and ``sample_weight`` then go to the table. ``judge`` is as in ``estimate``, or with
    arrays the judge's column as in ``table``.

    >>> report([1, 1, 0, 0, 1], [1, 0, 0, 0, 1], metrics="recall")["recall"].counts
    '2/3'
    """
    if judge is not None and not isinstance(judge, str):
        data, judge = {**data, "judge": judge}, None
    table, metrics = _table_and_metrics(table, given, metrics, data)
    table, method = with_judge(table, judge, method)
    pairs = _chosen_pairs(table, metrics, models)
    alone: Any = metrics
    chosen = chosen_metrics(table, alone, None if joint else method) if pairs is None else _distinct(pairs)
    if pairs is None:
        pairs = [(name, metric) for name in chosen_models(table, models) for metric in chosen]
    check_undefined(undefined)
    if joint and anytime:
        raise InputError(messages.JOINT_AND_ANYTIME_ARE_BOTH_GIVEN())
    if joint:
        from howsure.estimates.joint import joint_report  # critical values, which single intervals do without

        made = joint_report(family_of_pairs(table, pairs, undefined), level=level, method=method)
    else:
        whose = {model: table.pick(model) for model in dict.fromkeys(model for model, _ in pairs)}
        linears = (linearise(whose[model], metric, None, undefined) for model, metric in pairs)
        rows = tuple(_at_look(linear, method=method, tail=Tail(level), anytime=anytime) for linear in linears)
        alone = family_notes(len({model for model, _ in pairs}), 0 if anytime else len(rows), level)
        made = Report(rows, level, notes=alone, moved=partial(_covariance, table, pairs, undefined, method))
    notes = (*notes_of(table, chosen), *left_out(table, metrics, chosen), *made.notes)
    held: dict[str, Any] = {"asked": chosen, "classes": classes_of(table, pairs), "table": table}
    return replace(made, notes=notes, about=describe(table), usual=metrics is None, unit=table.contents.unit, **held)


def _at_look(linear: Linearised, *, method: MethodLike | None, tail: Tail, anytime: bool) -> Estimate:
    if anytime:
        from howsure.estimates.methods.anytime import at_any_time

        method = at_any_time(evidence_of(linear), method)
    return from_linear(linear, method, tail)


def _covariance(
    table: Table, pairs: Sequence[tuple[str, Metric]], undefined: Undefined, method: MethodLike | None
) -> Covariance:
    labels = tuple((model, metric.name) for model, metric in pairs)
    family = family_of_pairs(table, pairs, undefined)
    textbook = method is not None and named_method(method).textbook
    return Covariance((family.as_textbook() if textbook else family).covariances, labels)


def _chosen_pairs(table: Table, metrics: Any, models: object) -> list[tuple[str, Metric]] | None:
    """Return chosen pairs of a model and a metric; None where metrics are named alone."""
    if isinstance(metrics, (str, Metric)) or not isinstance(metrics, Sequence):
        return None
    told = [isinstance(one, tuple) for one in metrics]
    if not any(told):
        return None
    wrong = [one for one in metrics if not (isinstance(one, tuple) and len(one) == 2)]
    if wrong:
        raise InputError(messages.METRICS_HOLDS_BESIDE_PAIRS(wrong=wrong[0], models=table.models[0]))
    if models is not None:
        raise InputError(messages.MODELS_DOES_NOT_GO_WITH_PAIRS())
    pairs = [(table.models[table.model_index(model)], metric_on(table, metric)) for model, metric in metrics]
    twice = [pair for at, pair in enumerate(pairs) if pair in pairs[:at]]
    if twice:
        raise InputError(messages.METRICS_HOLDS_PAIR_TWICE(twice=(twice[0][0], twice[0][1].name)))
    return pairs


def _distinct(pairs: Sequence[tuple[str, Metric]]) -> tuple[Metric, ...]:
    return tuple(dict.fromkeys(metric for _, metric in pairs))


def classes_of(table: Table, pairs: Iterable[tuple[str, Metric]] | None = None) -> ClassCounts | None:
    """Return the cells of each class of the models in a report; None where rows have no classes."""
    models = table.models if pairs is None else dict.fromkeys(model for model, _ in pairs)
    rows = [row for model in models for row in table.per_class_rows(model)]
    return ClassCounts(tuple(rows)) if rows else None


def _table_and_metrics(table: Any, given: Any, metrics: Any, data: dict[str, Any]) -> tuple[Table, Any]:
    """Return the table and the metrics of a report: a Table and its metrics, or a table of truth and predictions."""
    arrays = not isinstance(table, (Table, str, PathLike)) and not callable(getattr(table, "gap", None))
    if arrays and given is not None:
        from howsure.sources.kinds.labels import table as make_table  # the door for arrays, which tables do without

        return make_table(table, given, **data), metrics
    check_table(table)
    for name, value in data.items():
        raise InputError(messages.TABLE_IS_MADE_ALREADY(name=name, value=value))
    if given is not None and metrics is not None:
        raise InputError(messages.METRICS_IS_GIVEN_TWICE(given=given, metrics=metrics))
    return table, metrics if given is None else given


def notes_of(table: Table, metrics: Iterable[Metric]) -> tuple[Note, ...]:
    """Return what a table says of itself; that a log knows accuracy alone is said only where more was asked of it."""
    usual = {metric.canonical for metric in default_metrics(table)}
    needless = {"answers"} if all(metric.canonical in usual for metric in metrics) else set()
    return tuple(Note(text) for text in table.notes if getattr(text, "kind", "") not in needless)


def chosen_models(table: Table, models: Iterable[str] | str | None) -> tuple[str, ...]:
    """Return the models of an answer: those named, one name being one model, or all of the table."""
    if models is not None and not isinstance(models, Iterable):
        raise InputError.of("models", models, messages.ONE_OR_MORE_NAMES(models=quoted(table.models)))
    names = table.models if models is None else (models,) if isinstance(models, str) else tuple(models)
    if not names:
        raise InputError(messages.MODELS_IS_EMPTY(models=quoted(table.models)))
    return names


def chosen_metrics(
    table: Table, metrics: Iterable[MetricLike] | MetricLike | None, method: MethodLike | None = None
) -> tuple[Metric, ...]:
    """Return the metrics of a report: those named, or the usual ones of this kind of table that a method serves."""
    if isinstance(metrics, (str, Metric)) or not isinstance(metrics, Iterable | None):
        metrics = [metrics]
    chosen = default_metrics(table) if metrics is None else tuple(metric_on(table, metric) for metric in metrics)
    if not chosen:
        raise InputError(messages.METRICS_IS_EMPTY())
    if metrics is not None or method is None:
        return chosen
    entry, one = named_method(method), table.pick(table.models[0])
    served = (metric for metric in chosen if entry.missing(evidence_of(linearise(one, metric))) is None)
    return tuple(served) or chosen  # if it serves none, the refusal of the first says why


def left_out(table: Table, metrics: object, chosen: tuple[Metric, ...]) -> tuple[Note, ...]:
    """Return a note on the usual metrics that a report does without, because its method does not serve them."""
    missing = [] if metrics is not None else [entry.name for entry in default_metrics(table) if entry not in chosen]
    return (note_of("left out", "left out", names=quoted(missing)),) if missing else ()


def family_notes(models: int, rows: int, level: float) -> tuple[Note, ...]:
    """Return what single intervals side by side do not say: they are no test, and of many some miss."""
    notes = [note_of("overlap", "overlap")] if models > 1 else []
    if rows * (1 - level) >= 1:
        expected = about(rows * (1 - level))
        notes.append(note_of("expected to miss", "family", size=rows, level=percent(level), expected=expected))
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
    } | dict(table.contents.described())
