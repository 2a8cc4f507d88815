"""hs.compare_all: every pair of models, all against a baseline, or each with the best, with control over all."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.comparisons.against_best import against_best, may_be_best
from howsure.comparisons.catalogue import PairMethod, check_single, named_pair_method
from howsure.comparisons.compare import holm, pairs_alone, several_models
from howsure.comparisons.contrasts import METHODS, OF_MANY, Contrasts, Reaches, pair_method
from howsure.errors import InputError, MethodError, check_choice, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import IntervalMethod, named_method
from howsure.estimates.estimate import check_table, estimate, from_linear, with_judge
from howsure.estimates.joint import joint_notes, undefined_words
from howsure.estimates.tail import Tail, tail_at
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike
from howsure.numerics.critical import CriticalValue
from howsure.results.base import Note, note_of, shared_notes
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.covariance import Covariance
from howsure.results.words import amount, metric_words, worded
from howsure.tables.covariance import Family, family_of
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.types import Array, Undefined

ADJUSTMENTS = ("joint", "holm", "none")
VERSUS = ("pairs", "baseline", "best")


def compare_all(
    table: Table,
    metric: MetricLike,
    *,
    baseline: str | None = None,
    versus: str | None = None,
    adjust: str | None = None,
    level: float = 0.95,
    method: Any = None,
    single: Any = None,
    models: Iterable[str] | str | None = None,
    undefined: Undefined = "nan",
    judge: str | None = None,
    anytime: bool = False,
) -> Comparisons:
    """Return the differences of a metric between many models on the same rows, with control over all of them.

    ``versus``: "pairs" (every two), "baseline" (b − baseline; so too when ``baseline`` is named) or "best" (each with
    the best of the others). ``adjust="joint"`` makes all intervals hold together and gives single-step max|Z|
    p-values (Hothorn, Bretz & Westfall 2008 Biom. J. 50:346); "holm" adjusts the p-values alone (intervals are then
    Bonferroni's); "none" does neither. "joint" is the default of methods that know many models, "holm" that of those
    that know two ("permutation", "mcnemar", …). ``tied_with_best`` holds the best model with the stated level (Hsu
    1984); where several are equally the best it holds each of them with that level, not all of them together.
    ``anytime=True`` makes all of it hold at all looks together too, with Bonferroni's share of the error for each pair.

    >>> from howsure import table
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 20
    >>> t = table(truth, {"a": truth, "b": [1, 1, 0, 1, 0, 0, 0, 0] * 20, "c": [1, 0, 0, 1, 0, 1, 0, 0] * 20})
    >>> compare_all(t, "accuracy").tied_with_best
    ('a',)
    """
    check_table(table)
    asked: Any
    table, asked = with_judge(table, judge, method)
    alone = None if anytime else _two_at_a_time(asked, versus, adjust)
    adjust = adjust or ("joint" if alone is None else "holm")
    kind = _versus(versus, baseline, adjust)
    names = several_models(table, models, baseline)
    chosen = metric_on(table, metric)
    if anytime:
        return _at_any_time(table, chosen, names, baseline, kind, adjust, level, method, single, undefined)
    if alone is not None:
        check_single(single, alone)
        return _one_by_one(table, chosen, names, baseline, adjust, level, alone, undefined)
    family = family_of(table, [chosen], names, undefined)
    how = pair_method(asked, family)
    check_single(single, named_pair_method(how))
    entry = None if single is None else named_method(single)
    if kind == "best":
        return _with_best(family, chosen, how, entry, level)
    made = compared(family, names, chosen, baseline=baseline, adjust=adjust, level=level, method=how, single=entry)
    return _with_other_question(made, table, chosen, undefined)


def _with_other_question(made: Comparisons, table: Table, metric: Metric, undefined: Undefined) -> Comparisons:
    """Return the comparisons with the ranks that the other question leaves open: these tasks, or tasks like these."""
    if table.design.tasks is None:
        return made
    from howsure.comparisons.methods.task_answers import other_question, other_ranks  # few tables have tasks

    other = other_question(table) if made.ranks else None
    if other is None:
        return made
    names = tuple(one.model for one in made.estimates)
    pairs = compared(family_of(other, [metric], names, undefined), names, metric, level=made.level, besides=())
    return replace(made, notes=(other_ranks(made, pairs, table), *made.notes))


def intervals_of_pairs(
    table: Table, metric: MetricLike, *, level: float = 0.95, undefined: Undefined = "nan"
) -> Comparisons:
    """Return every pair with its joint interval alone: enough to say which are settled, in a third of the time.

    p-values are undefined and nothing is said of who may be the best: tails of many differences take longer.
    """
    check_table(table)
    family = family_of(table, [metric_on(table, metric)], table.models, undefined)
    return compared(family, table.models, metric_on(table, metric), level=level, besides=())


def _versus(versus: str | None, baseline: str | None, adjust: str) -> str:
    kind = versus or ("pairs" if baseline is None else "baseline")
    check_choice("versus", kind, VERSUS)
    check_choice("adjust", adjust, ADJUSTMENTS)
    if (kind == "baseline") != (baseline is not None):
        raise InputError(messages.VERSUS_AND_BASELINE(kind=kind, baseline=baseline))
    if kind == "best" and adjust != "joint":
        raise InputError(messages.ADJUST_AND_VERSUS_IS_BEST(adjust=adjust))
    return kind


def _two_at_a_time(method: Any, versus: str | None, adjust: str | None) -> PairMethod | None:
    """Return a method that compares two models at a time, None for one that knows many."""
    if method is None or method in METHODS:
        return None
    entry = named_pair_method(method)
    for name, given, many in (("versus", versus, "best"), ("adjust", adjust, "joint")):
        if given == many and entry not in OF_MANY:
            why = messages.COMPARES_TWO_MODELS_AT_TIME_NEEDS(name=name, many=many)
            raise MethodError(messages.METHOD_LEAVE_OUT_OR_CHOOSE_METHOD(entry=entry.name, why=why, methods=METHODS[0]))
    return None if entry in OF_MANY else entry


def compared(
    family: Family, names: Sequence[str], metric: Metric, *, baseline: str | None = None, adjust: str = "joint",
    level: float = 0.95, method: str | None = None, single: IntervalMethod | None = None,
    besides: Collection[str] = ("p-values", "best"),
) -> Comparisons:  # fmt: skip
    """Return all pairs of a family of one metric, or all against a baseline; ``names`` say who is compared.

    ``besides`` is what is found besides the intervals, each at a price.
    """
    method = pair_method(method, family)
    reaches, (first, second) = Reaches(family, single), _pairs(names, baseline)
    one_to_all = baseline is not None
    contrasts = Contrasts(family, first, second, reaches, method) if one_to_all else reaches.all_pairs(method)
    defined = np.isfinite(contrasts.differences)
    # what is undefined is compared with nothing, so it must not widen what is compared
    some = defined.any() and not defined.all()
    counted = replace(contrasts, first=first[defined], second=second[defined]) if some else contrasts
    q = _critical(counted, int(defined.sum()), adjust, level)
    limits = contrasts.limits(float(q)) if defined.any() else (np.full(len(first), np.nan),) * 2
    p_values = np.full(len(first), np.nan)
    if "p-values" in besides:
        p_values[defined] = _p_values(counted, adjust)[: defined.sum()]
    size = int(defined.sum())
    rows = tuple(
        _row(contrasts, names, place, limits[0][place], limits[1][place], p_values[place], level, adjust, size)
        for place in range(len(first))
    )
    degrees = float(contrasts.degrees.min())
    tied, notes = ((), []) if "best" not in besides else _tied(reaches, names, metric, method, level, rows)
    return Comparisons(
        metric=metric.name, rows=rows, estimates=_estimates(family, level), level=level, adjust=adjust,
        versus="pairs" if baseline is None else "baseline", critical_value=tail_at(float(q)).quantile(degrees),
        tied_with_best=tied,
        notes=(*_family_notes(q, size, len(first), adjust, level, degrees), *notes, *_remarks(contrasts, names)),
        moved=lambda: Covariance(contrasts.covariances, tuple((row.a, row.b) for row in rows)),
    )  # fmt: skip


def _at_any_time(
    table: Table, metric: Metric, names: Sequence[str], baseline: str | None, kind: str, adjust: str, level: float,
    method: Any, single: Any, undefined: Undefined,
) -> Comparisons:  # fmt: skip
    """Return the pairs at any time, each with its share of the error; who may be best is whom none is shown to beat."""
    from howsure.comparisons.anytime import anytime_pair

    if kind == "best" or single is not None:
        what = ("versus", "best") if kind == "best" else ("single", single)
        raise InputError(messages.FOR_ONE_LOOK(what=what[0], other_what=what[1]))
    pairs = [(names[a], names[b]) for a, b in zip(*_pairs(names, baseline), strict=True)]
    choose = partial(anytime_pair, method=method)
    rows = pairs_alone(table, metric, pairs, choose, adjust=adjust, level=level, undefined=undefined)
    rows = [replace(row, p_method=_ANYTIME_P[adjust]) for row in rows]
    estimates = tuple(
        estimate(table, metric, model=name, level=level, undefined=undefined, anytime=True) for name in names
    )
    beaten = {row.a if row.winner == row.b else row.b for row in rows if row.winner is not None}
    sign = -1 if metric.better == "higher" else 1
    ranked = sorted((one for one in estimates if math.isfinite(one)), key=lambda one: sign * float(one))
    tied = () if metric.better is None else tuple(one.model for one in ranked if one.model not in beaten)
    notes = dict.fromkeys(note for row in rows for note in row.notes)
    return Comparisons(
        metric=metric.name, rows=tuple(rows), estimates=estimates, level=level, adjust=adjust, versus=kind,
        critical_value=None, tied_with_best=tied, notes=tuple(notes),
    )  # fmt: skip


def _one_by_one(
    table: Table, metric: Metric, names: Sequence[str], baseline: str | None, adjust: str, level: float,
    method: PairMethod, undefined: Undefined,
) -> Comparisons:  # fmt: skip
    """Return the pairs by a method of two models, each with its share of the error; p-values by Holm or as they are."""
    pairs = [(names[a], names[b]) for a, b in zip(*_pairs(names, baseline), strict=True)]
    rows = pairs_alone(table, metric, pairs, lambda pair: method, adjust=adjust, level=level, undefined=undefined)
    if any(row.meaning == "credible" for row in rows):
        why = messages.POSTERIOR_PROBABILITIES_NOTHING_ADJUSTS_FOR_MANY()
        raise MethodError(messages.METHOD_GIVES(method=method.name, why=why))
    rows = [replace(row, p_method=f"{row.p_method}, {_ANYTIME_P[adjust]}") for row in rows]
    family = family_of(table, [metric], names, undefined)
    tied, notes = _tied(Reaches(family, None), names, metric, pair_method(None, family), level, rows)
    how = dict.fromkeys(note for row in rows for note in row.notes if note.kind == "method")
    return Comparisons(
        metric=metric.name, rows=tuple(rows), estimates=_estimates(family, level), level=level, adjust=adjust,
        versus="pairs" if baseline is None else "baseline", critical_value=None, tied_with_best=tied,
        notes=(*_family_notes(None, len(rows), len(rows), adjust, level, math.inf), *notes, *how),
    )  # fmt: skip


_ANYTIME_P = {"joint": "Bonferroni", "holm": "Holm", "none": "single"}


def _pairs(names: Sequence[str], baseline: str | None) -> tuple[Array, Array]:
    if baseline is None:
        first, second = np.triu_indices(len(names), 1)
        return first, second
    place = list(names).index(baseline)
    others = np.array([other for other in range(len(names)) if other != place])
    return np.full(len(others), place), others


def _critical(contrasts: Contrasts, defined: int, adjust: str, level: float) -> CriticalValue:
    tail = Tail(level)
    if adjust == "joint" and not contrasts.entry.over_tasks:
        q = contrasts.critical(level)
        # where nothing moves (identical or perfect models), no joint statement is needed: a single one
        return q if float(q) > 0 else CriticalValue(tail.z, 0.0, level, q.dimension, q.rank, q.how)
    # tasks: correlations that rest on a handful of them would make a joint critical value too small
    share, how = (1, "single") if adjust == "none" else (max(defined, 1), "Bonferroni")
    return CriticalValue(float(-ndtri(tail.probability / share)), 0.0, level, defined, defined, how)


def _p_values(contrasts: Contrasts, adjust: str) -> Array:
    z = contrasts.statistics
    found = np.full(len(z), np.nan)
    known = np.isfinite(z)
    if adjust == "joint" and contrasts.entry.over_tasks:
        return np.asarray(np.minimum(2 * ndtr(-z) * len(z), 1.0))
    if adjust == "joint" and known.any() and contrasts.moves:
        found[known] = contrasts.tails(np.maximum(z[known], 1e-6))
        return np.where(z == 0, 1.0, np.clip(found, 2 * ndtr(-z), 1.0))
    found = np.where(known, 2 * ndtr(-z), np.nan)
    return holm(found) if adjust == "holm" else found


def _row(
    contrasts: Contrasts, names: Sequence[str], place: int, low: float, high: float, p_value: float, level: float,
    adjust: str, size: int,
) -> Comparison:  # fmt: skip
    a, b = int(contrasts.first[place]), int(contrasts.second[place])
    linear_a, linear_b = contrasts.family.linears[a], contrasts.family.linears[b]
    difference, metric = float(contrasts.differences[place]), linear_a.metric
    sure = math.nan if math.isnan(p_value) else _probability_better(contrasts, place, metric)
    return Comparison(
        metric=metric.name, a=names[a], b=names[b], difference=difference, low=float(low), high=float(high),
        level=level, method=contrasts.method, p_value=float(p_value), se=float(contrasts.se[place]),
        value_a=linear_a.value, value_b=linear_b.value, n=linear_a.n, correlation=float(contrasts.paired[place]),
        probability_better=sure, p_method=_P_METHODS[adjust], adjusted=adjust, fixed=linear_a.design.fixed,
        family=size, better=metric.better, range_of_metric=linear_a.metric.range, groups=linear_a.design.n_groups,
        drawn=linear_a.sampled,
        run_values=tuple(tuple(run.value for run in one.runs) for one in (linear_a, linear_b)),
        variance_shares=() if contrasts.spreads is None else tuple(contrasts.spreads[place].shares.items()),
        meaning="confidence" if adjust == "none" else "joint",
    )  # fmt: skip


_P_METHODS = {"joint": "single-step max|Z|", "holm": "Holm", "none": "single", "best": "single-step max Z"}


def _probability_better(contrasts: Contrasts, place: int, metric: Metric) -> float:
    """Return the confidence, for this pair alone, that b is better."""
    if metric.better is None or math.isnan(contrasts.differences[place]):
        return math.nan
    sure = float(ndtr(contrasts.statistics[place]))
    return sure if (contrasts.differences[place] >= 0) == (metric.better == "higher") else 1 - sure


def _estimates(family: Family, level: float) -> tuple[Any, ...]:
    return tuple(from_linear(linear, None, Tail(level)) for linear in family.linears)


def _tied(
    reaches: Reaches, names: Sequence[str], metric: Metric, method: str, level: float, rows: Sequence[Comparison]
) -> tuple[tuple[str, ...], list[Note]]:
    """Return the models that may be the best, best score first, and what is to be said of the others."""
    if metric.better is None:
        return (), [note_of("no direction", "best", metric=metric_words(metric.name))]
    family = reaches.family
    kept = [place for place in range(len(family)) if math.isfinite(family.values[place])]
    endless = [name for name, value in zip(names, family.values, strict=True) if math.isinf(value)]
    if endless:
        return (), [note_of("infinite for", "best", metric=metric_words(metric.name), models=quoted(endless))]
    lost = [names[place] for place in range(len(family)) if place not in kept]
    notes = [note_of("undefined", "undefined", metric=metric_words(metric.name), models=worded(lost))] if lost else []
    beaten = {row.a if row.winner == row.b else row.b for row in rows if row.winner is not None}
    possible = np.array([names[place] not in beaten for place in kept])
    if not named_pair_method(method).over_tasks:
        possible = may_be_best(reaches.some(kept), better=metric.better, level=level, method=method)
    order = np.argsort(family.values[kept] * (-1 if metric.better == "higher" else 1), kind="stable")
    return tuple(names[kept[place]] for place in order if possible[place]), notes


def _family_notes(
    q: CriticalValue | None, defined: int, asked: int, adjust: str, level: float, degrees: float
) -> list[Note]:
    if q is not None and adjust == "joint":
        return [*joint_notes(q, degrees, defined, asked)]
    size, expected = amount(defined, "comparison") + undefined_words(asked - defined), f"{defined * (1 - level):.2g}"
    return [note_of(f"adjusted {adjust}", adjust, size=size, expected=expected)]


def _remarks(contrasts: Contrasts, names: Sequence[str]) -> list[Note]:
    """Return the remarks on the estimates, and how many pairs are identical."""
    notes = (linear.notes for linear in contrasts.family.linears)
    identical = int(((contrasts.se == 0) & (contrasts.differences == 0)).sum())
    alike = [note_of("pairs alike", "identical", pairs=amount(identical, "pair"))] if identical else []
    return [*shared_notes(zip(names, notes, strict=True)), *alike]


def _with_best(family: Family, metric: Metric, method: str, single: IntervalMethod | None, level: float) -> Comparisons:
    if metric.better is None:
        raise InputError(messages.VERSUS_IS_BEST_HAS_NO_BETTER(metric=metric.name))
    if named_pair_method(method).over_tasks:
        raise InputError(messages.VERSUS_IS_BEST_IS_NOT_MADE())
    names = [linear.model for linear in family.linears]
    kept = [place for place in range(len(family)) if math.isfinite(family.values[place])]
    if len(kept) < 2:
        raise InputError(
            messages.METRIC_IS_DEFINED_FOR_OF_MODELS(metric=metric.name, number=len(kept), number_of_names=len(names))
        )
    reaches = Reaches(family, single).some(kept)
    part = reaches.family
    found = against_best(reaches, better=metric.better, level=level, method=method)
    sign = 1 if metric.better == "higher" else -1
    own = [names[place] for place in kept]
    contrasts = Contrasts(part, found.other, np.arange(len(own)), reaches, method)
    ends = np.sort(sign * np.stack([found.low, found.high]), axis=0)
    rows = [
        _row(contrasts, own, place, ends[0, place], ends[1, place], found.p_value[place], level, "best", len(own))
        for place in range(len(own))
    ]
    order = np.argsort(-sign * part.values, kind="stable")
    lost = [name for name in names if name not in own]
    notes = [note_of("left out for", "undefined", metric=metric.name, names=quoted(lost))] if lost else []
    notes += _remarks(contrasts, own)
    return Comparisons(
        metric=metric.name, rows=tuple(rows), estimates=_estimates(family, level), level=level, adjust="joint",
        versus="best", critical_value=float(found.critical.max()),
        tied_with_best=tuple(own[place] for place in order if found.possible[place]),
        notes=(note_of("each with the best", "best", size=len(own)), *notes),
        against_best={name: (float(found.low[at]), float(found.high[at])) for at, name in enumerate(own)},
        moved=lambda: Covariance(contrasts.covariances, tuple((row.a, row.b) for row in rows)),
    )  # fmt: skip
