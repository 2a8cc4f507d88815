"""hs.compare: the difference of one metric between two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.comparisons.catalogue import PAIR_METHODS, PairFindings, PairMethod, check_single, chosen_pair_method
from howsure.comparisons.methods.discordant import outcomes_of
from howsure.comparisons.pair import Alternative, Ends, Pair, unpaired_limits
from howsure.errors import InputError, check_choice, check_number, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import named_method
from howsure.estimates.estimate import check_table, chosen_models, with_judge
from howsure.estimates.tail import Tail, one_sided
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike
from howsure.results.base import Note, note_of, shared_notes
from howsure.results.comparison import Comparison
from howsure.results.words import count
from howsure.tables.covariance import covariance, crossing_of, family_of, linearise
from howsure.tables.linearised import metric_on
from howsure.tables.runs.run_notes import COVERED, runs_said
from howsure.tables.runs.run_notes import KIND as RUN_NOTES
from howsure.tables.sampling.prevalence import at_prior
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import tables_of_tasks, with_tasks
from howsure.types import Array, Undefined

ALTERNATIVES = ("two-sided", "greater", "less")
KINDS = ("difference", "ratio")
FEW = 10  # discordant rows
READ_OFF = note_of("region read off", "rope")


def compare(
    table: Table,
    metric: MetricLike,
    a: str | None = None,
    b: str | None = None,
    *,
    method: Any = None,
    level: float = 0.95,
    kind: str = "difference",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    rope: float | None = None,
    single: Any = None,
    undefined: Undefined = "nan",
    judge: str | None = None,
    anytime: bool = False,
) -> Comparison:
    """Return the difference b − a of a metric of two models on the same rows, with interval and p-value.

    ``method``: "mover" (default), "wald", "bootstrap" or a Bootstrap, "bayes" or a Bayes; for accuracy, recall and
    specificity also "tango", "mcnemar" and "mid-p"; over tasks "t" (the default where tasks are a sample),
    "hartung-knapp" and "signed-rank". ``single`` is the one-model method whose limits "mover" joins.
    ``kind="ratio"`` compares b / a. ``alternative`` "greater" or "less" is a claim about b − a and gives one-sided
    limits. ``margin`` asks whether b − a > −margin ("greater"), b − a < margin ("less") or both (equivalence);
    ``rope`` is a region of practical equivalence: the probabilities that b is worse, equal, better. ``judge`` is as in
    ``estimate``; its weight is fitted to the difference.
    ``anytime=True`` gives limits and a p-value that hold at all looks together, for rows that come one after the other:
    look as often as you like and stop when it is settled. It refuses groups, weights and runs.

    >>> from howsure import table
    >>> t = table([1, 1, 1, 0, 0, 0, 1, 0], {"old": [1, 0, 1, 0, 1, 0, 0, 0], "new": [1, 1, 1, 0, 0, 0, 0, 0]})
    >>> compare(t, "accuracy", a="old", b="new")
    accuracy: new − old = +0.250, 95% interval −0.101 to +0.570 (joined limits), p = 0.154, 8 rows
    """
    first, second = _two_models(table, metric, a, b)
    table, method = with_judge(table, judge, method)
    check_claim(kind, alternative, margin, rope)
    pair = paired(table, metric, first, second, kind=kind, single=single, undefined=undefined, rope=rope)
    entry = _at_any_time(pair, method, rope) if anytime else chosen_pair_method(method, pair)
    check_single(single, entry)
    pair = pair.as_textbook() if entry.textbook else pair
    tail = Tail(level) if alternative == "two-sided" and margin is None else one_sided(level)
    found = entry(pair, tail, PAIR_METHODS)
    made = comparison_of(pair, tail, found, name=entry.name, level=level, alternative=alternative, margin=margin)
    return with_answers(with_rope(made, pair, found, rope), pair, table.pick(first, second), tail)


def _at_any_time(pair: Pair, method: Any, rope: float | None) -> PairMethod:
    from howsure.comparisons.anytime import anytime_pair, refuse_at_any_time  # few comparisons watch a stream

    refuse_at_any_time(rope)
    return anytime_pair(pair, method)


def with_answers(made: Comparison, pair: Pair, table: Table, tail: Tail) -> Comparison:
    """Return the comparison with what the tasks say: each of them, these together, tasks like these, a new one."""
    if pair.tasks is None or pair.kind == "ratio" or not math.isfinite(pair.difference):
        return made
    from howsure.comparisons.methods.task_answers import over_tasks, task_notes  # few tables have tasks

    def compared(one: Table) -> tuple[Pair, PairFindings | None]:
        own = paired(one, pair.metric, made.a, made.b, undefined=pair.a.undefined)
        known = math.isfinite(own.difference)
        return own, chosen_pair_method(None, own)(own, tail, PAIR_METHODS) if known else None

    each = {name: compared(one) for name, one in tables_of_tasks(table).items()}
    _, these = compared(with_tasks(table, "fixed"))
    assert these is not None
    found = over_tasks(made, pair, each, these, tail)
    return replace(made, tasks=found, notes=(*made.notes, *task_notes(found, pair)))


def with_rope(made: Comparison, pair: Pair, found: PairFindings, rope: float | None) -> Comparison:
    """Return the comparison with the probabilities of a region of practical equivalence, where one was asked for."""
    if rope is not None and made.meaning == "confidence" and found.rope is None:
        made = replace(made, notes=(*made.notes, READ_OFF))
    return replace(made, rope=rope, **_rope(pair, found, rope))


def paired(
    table: Table, metric: MetricLike, a: str, b: str, *, kind: str = "difference", single: Any = None,
    undefined: Undefined = "nan", rope: float | None = None,
) -> Pair:  # fmt: skip
    """Return the two estimates with their covariance."""
    picked, chosen = at_prior(table.pick(a, b), metric_on(table, metric))
    two = picked.contents.contrasted(picked, chosen, undefined)
    first, second = (linearise(two, chosen, model, undefined) for model in (a, b))
    entry = None if single is None else named_method(single)
    pair = Pair(first, second, covariance(two, [first, second]), kind, entry, crossing_of(two, [first, second]))
    these = family_of(with_tasks(two, "fixed"), [chosen], (a, b), undefined) if two.design.tasks_sampled else None
    return replace(pair, rope=rope, these=these, table=two)


def human_pair(pair: Pair) -> Pair | None:
    """Return the pair of people's labels alone, where a judge helps; else None."""
    facts = pair.a.design.judge
    if facts is None:
        return None
    first, second = facts.human
    held = first.contents.covariance([first, second], first.design, [first.place, second.place])
    return Pair(first, second, held, pair.kind, pair.single)


def _two_models(table: Table, metric: Any, a: str | None, b: str | None) -> tuple[str, str]:
    if isinstance(metric, Table):
        raise InputError(messages.METRIC_IS_TABLE())
    check_table(table)
    if not len(table.contents):
        raise InputError(messages.TABLE_HOLDS_NO_ROWS_MODELS_CANNOT())
    if a is None and b is None:
        if len(table.models) == 1:
            raise InputError(messages.TABLE_HOLDS_ONE_MODEL(models=quoted(table.models)))
        if len(table.models) != 2:
            raise InputError(messages.A_AND_B_ARE_NOT_NAMED(number=len(table.models), models=quoted(table.models)))
        return table.models[0], table.models[1]
    if a is None or b is None:
        raise InputError(messages.GIVE_BOTH_AND_B())
    for name in (a, b):
        table.model_index(name)
    if a == b:
        raise InputError(messages.A_AND_B_ARE_BOTH(a=a, models=quoted(table.models)))
    return a, b


def several_models(table: Table, models: Iterable[str] | str | None, baseline: str | None) -> tuple[str, ...]:
    """Return the models to compare, the baseline among them."""
    names = chosen_models(table, models)
    for name in (*names, *([] if baseline is None else [baseline])):
        table.model_index(name)
    if baseline is not None and baseline not in names:
        names = (baseline, *names)
    if len(set(names)) < len(names):
        raise InputError(messages.MODELS_NAMES_MODEL_TWICE(names=quoted(names)))
    if len(names) < 2:
        raise InputError(messages.MODELS_HOLDS_COMPARISON_NEEDS_TWO(names=quoted(names)))
    return names


def check_claim(kind: str, alternative: str, margin: float | None, rope: float | None) -> None:
    """Refuse a kind or alternative that there is not, and margins that are no distances."""
    check_choice("kind", kind, KINDS)
    check_choice("alternative", alternative, ALTERNATIVES)
    for name, value in (("margin", margin), ("rope", rope)):
        if value is not None:
            check_number(name, value, messages.FINITE_NUMBER_ZERO_OR_LARGER(), least=0)
        if value is not None and kind == "ratio":
            raise InputError(messages.ABOUT_DIFFERENCES_AND_KIND_IS_RATIO(name=name))


def comparison_of(
    pair: Pair, tail: Tail, found: PairFindings, *, name: str, level: float, alternative: Alternative = "two-sided",
    margin: float | None = None,
) -> Comparison:  # fmt: skip
    """Return what was found of a pair as a result; what is undefined stays undefined."""
    defined = math.isfinite(pair.difference)
    difference = pair.difference if found.difference is None or not defined else found.difference
    discordant = discordant_of(pair)
    p_value = _p_value(found, pair.nothing, alternative, margin) if defined else math.nan
    low, high = _sided((found.low, found.high), pair, alternative, margin)
    at_any_time = found.meaning == "anytime"
    apart = _sided(unpaired_limits(pair, tail), pair, alternative, margin) if defined and not at_any_time else None
    p_method = found.p_method_elsewhere if margin else found.p_method
    made = Comparison(
        metric=pair.metric.name, a=pair.a.model, b=pair.b.model, difference=difference,
        low=low if defined else math.nan, high=high if defined else math.nan, level=level, method=name,
        p_value=p_value, se=pair.se if found.se is None else found.se, value_a=pair.a.value, value_b=pair.b.value,
        n=pair.a.n,
        correlation=pair.correlation, kind=pair.kind, alternative=alternative, margin=margin,
        side=side_of(alternative, margin), probability_better=_probability_better(pair, found), discordant=discordant,
        unpaired=apart, p_method=p_method or name, beside="" if margin else found.p_method_elsewhere,
        better=pair.metric.better, range_of_metric=pair.metric.range, groups=pair.a.design.n_groups,
        drawn=pair.a.sampled, fixed=pair.a.design.fixed, **_of_runs(pair, tail),
        meaning=found.meaning, seed=found.seed, error=found.error,
        verdict=_verdict(p_value, level, margin, alternative),
    )  # fmt: skip
    return replace(made, notes=(*_notes(pair, made, tail), *found.notes))


def pairs_alone(
    table: Table, metric: Metric, pairs: Sequence[tuple[str, str]], choose: Callable[[Pair], PairMethod], *,
    adjust: str, level: float, undefined: Undefined,
) -> list[Comparison]:  # fmt: skip
    """Return comparisons of many pairs, each by itself: limits with Bonferroni's share of the error, p-values adjusted.

    ``adjust``: "joint" is Bonferroni here, "holm" and "none" what they say.
    """
    size = 1 if adjust == "none" else len(pairs)
    tail, rows = Tail(1 - (1 - Tail(level).level) / size), []
    for a, b in pairs:
        pair = paired(table, metric, a, b, undefined=undefined)
        entry = choose(pair)
        pair = pair.as_textbook() if entry.textbook else pair
        rows.append(comparison_of(pair, tail, entry(pair, tail), name=entry.name, level=level))
    single = np.array([row.p_value for row in rows])
    p_values = holm(single) if adjust == "holm" else np.minimum(single * size, 1.0)
    return [
        replace(row, p_value=float(p), adjusted=adjust, family=len(pairs))
        for row, p in zip(rows, p_values, strict=True)
    ]


def holm(p_values: Array) -> Array:
    """Return Holm's adjusted p-values (1979 Scand. J. Stat. 6:65); undefined ones stay out of the family.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    size = int(np.isfinite(p_values).sum())
    steps = np.maximum(size - np.arange(len(p_values)), 1)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[order] = np.minimum(np.fmax.accumulate(p_values[order] * steps), 1.0)
    return np.where(np.isnan(p_values), np.nan, adjusted)


def _of_runs(pair: Pair, tail: Tail) -> dict[str, Any]:
    """Return what runs add to a comparison: their values, their share of the variance, half an interval's length."""
    values = tuple(tuple(run.value for run in linear.runs) for linear in (pair.a, pair.b))
    if pair.crossing is None or not math.isfinite(pair.difference):
        return {"run_values": values}
    return {"run_values": values, "variance_shares": tuple(pair.spread.shares.items()), "run_half": pair.half(tail)}


def side_of(alternative: str, margin: float | None) -> str:
    """Say which limits are one-sided: none ("both" bound together), the "lower", the "upper", or "each" on its own."""
    if alternative == "two-sided":
        return "both" if margin is None else "each"
    return "lower" if alternative == "greater" else "upper"


def _sided(ends: Ends, pair: Pair, alternative: str, margin: float | None) -> Ends:
    bottom, top = pair.reach
    side = side_of(alternative, margin)
    return bottom if side == "upper" else ends[0], top if side == "lower" else ends[1]


def _p_value(found: PairFindings, nothing: float, alternative: Alternative, margin: float | None) -> float:
    """Return the p-value of the claim; equivalence needs both one-sided tests (Schuirmann 1987)."""
    if margin is None:
        return found.p(nothing, alternative)
    if alternative == "two-sided":
        return max(found.p(-margin, "greater"), found.p(margin, "less"))
    return found.p(-margin if alternative == "greater" else margin, alternative)


def _verdict(p_value: float, level: float, margin: float | None, alternative: str) -> str | None:
    if margin is None:
        return None
    claim = "equivalent" if alternative == "two-sided" else "non-inferior"
    return claim if p_value < 1 - level else f"not shown {claim}"


def discordant_of(pair: Pair) -> tuple[float, float] | None:
    """Return how many rows only a, and only b, got right: those that count where the metric says so, else all."""
    a, b = (linear.contents.right(linear.place) for linear in (pair.a, pair.b))
    if a is None or b is None or not pair.same_rows:
        return None
    design = pair.a.design
    held = None if design.weighted else outcomes_of(pair)
    if held is not None:
        return held.only_a, held.only_b
    return float(design.counts[a & ~b].sum()), float(design.counts[b & ~a].sum())


def _probability_better(pair: Pair, found: PairFindings) -> float:
    """Return how sure the method is that b is better."""
    if pair.metric.better is None or not math.isfinite(pair.difference) or found.meaning == "anytime":
        return math.nan
    above = found.above(pair.nothing)
    return 1 - above if pair.metric.better == "lower" else above


def _rope(pair: Pair, found: PairFindings, rope: float | None) -> dict[str, Any]:
    """Return the probabilities that b is worse, practically equal, better by more than the rope."""
    if rope is None or not math.isfinite(pair.difference):
        return {}
    if found.rope is not None:
        return {"rope_probabilities": found.rope}
    worse, over = 1 - found.above(-rope), found.above(rope)
    if pair.metric.better == "lower":
        worse, over = over, worse
    return {"rope_probabilities": (worse, max(1 - worse - over, 0.0), over)}


def _notes(pair: Pair, made: Comparison, tail: Tail) -> tuple[Note, ...]:
    notes = pair_remarks(pair)
    if not math.isfinite(made.difference):
        return notes
    if pair.se == 0 and pair.difference == pair.nothing:
        return (*notes, note_of("models alike", "identical"))
    if made.discordant is not None and sum(made.discordant) < FEW:
        rows = sum(made.discordant)
        told = f"{count(rows)} {'row was' if rows == 1 else 'rows were'}"
        notes += (note_of("few discordant", "few", rows=told),)
    if made.meaning == "anytime":
        return notes
    if made.decided and made.side == "both" and _overlap(pair, tail):
        notes += (note_of("overlap though settled", "overlap"),)
    return notes


def pair_remarks(pair: Pair) -> tuple[Note, ...]:
    """Return the remarks on both estimates, once where they say the same, otherwise under the model's name."""
    if pair.a.runs or pair.b.runs:
        return (*runs_said((pair.a, pair.b), pair.spread), *_remarks(pair, without=(RUN_NOTES, COVERED)))
    return _remarks(pair)


def _remarks(pair: Pair, without: tuple[str, ...] = ()) -> tuple[Note, ...]:
    return shared_notes(
        (one.model, [note for note in one.notes if note.kind not in without]) for one in (pair.a, pair.b)
    )


def _overlap(pair: Pair, tail: Tail) -> bool:
    (low_a, high_a), (low_b, high_b) = pair.singles(tail)
    return bool(np.minimum(high_a, high_b) >= np.maximum(low_a, low_b))
