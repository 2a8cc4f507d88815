"""hs.gate: pass, fail or inconclusive, from one-sided bounds; what cannot be judged fails."""

from __future__ import annotations

import math
from typing import Any

from howsure.comparisons.anytime import anytime_pair
from howsure.comparisons.catalogue import PAIR_METHODS, chosen_pair_method
from howsure.comparisons.compare import human_pair, pair_remarks, paired
from howsure.errors import InputError, among, is_number, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import IntervalMethod, named_method
from howsure.estimates.estimate import check_table, from_linear, with_judge
from howsure.estimates.evidence import evidence_of
from howsure.estimates.methods.anytime import at_any_time
from howsure.estimates.tail import Tail, one_sided
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike
from howsure.results.base import Note, note_of
from howsure.results.estimate import Estimate
from howsure.results.gate import Gate, Verdict
from howsure.results.words import metric_words
from howsure.tables.covariance import linearise
from howsure.tables.linearised import Linearised, metric_on
from howsure.tables.table import Table
from howsure.types import Undefined


def gate(
    table: Table,
    metric: MetricLike,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    baseline: str | None = None,
    margin: float = 0.0,
    level: float = 0.95,
    model: str | None = None,
    method: Any = None,
    undefined: Undefined = "nan",
    anytime: bool = False,
    judge: str | None = None,
) -> Gate:
    """Return whether a model clears a threshold, or is no worse than a baseline on the same rows by a margin.

    Each bound is one-sided at the level. ``at_least``: pass if the lower bound reaches the threshold, fail if the upper
    bound stays below it, otherwise inconclusive; ``at_most`` is the mirror image. ``baseline``: pass if the bound shows
    that the model is not worse by more than ``margin`` (a negative margin asks for an improvement). A metric that is
    undefined, or has no bound, fails. Without ``method`` the bounds of a share or of F1 are the exact ones (Clopper &
    Pearson): a model at the very threshold passes, and fails, in at most 1 − level of samples each. With
    ``anytime=True`` that holds for all looks together: add rows while it is inconclusive, as often as you like.
    ``judge`` is as in ``estimate``; a verdict that people's labels alone would not give is noted.

    >>> from howsure import counts
    >>> gate(counts(tp=77, fp=44, fn=10, tn=702), "f1", at_least=0.6)
    pass: F1 is 0.740. Even the lower bound, 0.677, reaches 0.6.
    """
    check_table(table)
    table, method = with_judge(table, judge, method)
    chosen = metric_on(table, metric)
    _check_question(chosen, at_least, at_most, baseline, margin)
    if baseline is not None:
        name = _model(table, model, baseline)
        return _against_baseline(table, chosen, baseline, name, margin, level, method, undefined, anytime)
    name = table.models[table.model_index(model)]
    return _against_threshold(table, chosen, name, at_least, at_most, level, method, undefined, anytime)


def _check_question(
    metric: Metric, at_least: float | None, at_most: float | None, baseline: str | None, margin: float
) -> None:
    questions = {"at_least": at_least, "at_most": at_most, "baseline": baseline}
    asked = [name for name, value in questions.items() if value is not None]
    if len(asked) != 1:
        given = messages.SEVERAL_ARE_GIVEN(asked=quoted(asked)) if asked else messages.NONE_IS_GIVEN()
        raise InputError(messages.GATE_ASKS_ONE_QUESTION(given=given, questions=among(questions)))
    for name, value in (("at_least", at_least), ("at_most", at_most)):
        bottom, top = metric.range
        if value is not None and not is_number(value):
            raise InputError.of(name, value, messages.NUMBER_IN_RANGE(metric=metric.name))
        if value is not None and not bottom <= value <= top:
            raise InputError(
                messages.OUTSIDE_RANGE_GIVE_SHARE_NOT_PERCENTAGE(
                    name=name, value=value, metric=metric.name, bottom=bottom, top=top
                )
            )
    if not (is_number(margin) and math.isfinite(margin)) or (margin != 0 and baseline is None):
        raise InputError.of("margin", margin, messages.FINITE_NUMBER_AND_BELONGS_TO_BASELINE())
    if baseline is not None and metric.better is None:
        raise InputError(messages.METRIC_HAS_NO_BETTER_DIRECTION(metric=metric.name))


def _model(table: Table, model: str | None, baseline: str) -> str:
    table.model_index(baseline)
    others = [name for name in table.models if name != baseline]
    if model is None and len(others) != 1:
        raise InputError(messages.MODEL_IS_NOT_NAMED_AND_TABLE(others=quoted(others)))
    name = others[0] if model is None else model
    table.model_index(name)
    if name == baseline:
        raise InputError(messages.MODEL_AND_BASELINE_ARE_BOTH(name=name))
    return name


def _against_threshold(
    table: Table, metric: Metric, model: str, at_least: float | None, at_most: float | None, level: float, method: Any,
    undefined: Undefined, anytime: bool,
) -> Gate:  # fmt: skip
    linear = linearise(table.pick(model), metric, None, undefined)
    if anytime:
        found = _at_any_time(linear, method, level)
    else:
        found = from_linear(linear, _exact_where_known(linear) if method is None else method, one_sided(level))
    threshold = at_least if at_least is not None else at_most
    assert threshold is not None
    rising = at_least is not None
    notes = list(found.notes)
    if metric.better == ("lower" if rising else "higher"):
        usual = "at_most" if rising else "at_least"
        flag, words = usual.replace("_", "-"), metric_words(metric.name)
        usually = note_of("usual question", "direction", metric=words, better=metric.better, usual=usual, flag=flag)
        notes.append(usually)
    verdict, why = _verdict(found.value, found.low, found.high, threshold, rising=rising)
    if found.human is not None and not anytime:
        human = found.human
        why += _by_judge(verdict, _verdict(human.value, human.low, human.high, threshold, rising=rising)[0])
    return Gate(
        verdict=verdict, metric=metric.name, model=model, threshold=threshold,
        direction="at least" if rising else "at most", level=level, method=found.method, value=found.value,
        low=found.low, high=found.high, n=table.n, drawn=found.sampled, fixed=found.fixed,
        notes=(*why, *notes), meaning=found.meaning,
    )  # fmt: skip


def _at_any_time(linear: Linearised, method: Any, level: float) -> Estimate:
    """Return the estimate with a lower and an upper bound at any time, each one-sided at the level."""
    entry = at_any_time(evidence_of(linear), method)
    below, above = (from_linear(linear, entry, Tail(level, side)) for side in ("lower", "upper"))
    return below.replace(high=above.high)


def _exact_where_known(linear: Linearised) -> IntervalMethod | None:
    """Return the exact method for a share, as a gate promises an error rate; None, the default, for other metrics."""
    exact = named_method("clopper-pearson")
    return exact if exact.missing(evidence_of(linear)) is None else None


def _against_baseline(
    table: Table, metric: Metric, baseline: str, model: str, margin: float, level: float, method: Any,
    undefined: Undefined, anytime: bool,
) -> Gate:  # fmt: skip
    pair = paired(table, metric, baseline, model, undefined=undefined)
    entry = anytime_pair(pair, method) if anytime else chosen_pair_method(method, pair)
    low = high = math.nan
    notes = list(pair_remarks(pair))
    if math.isfinite(pair.difference):
        found = entry(pair, one_sided(level), PAIR_METHODS)
        low, high = found.low, found.high
        notes += found.notes
    rising = metric.better == "higher"
    threshold = (-margin if rising else margin) + 0.0  # never −0
    verdict, why = _verdict(pair.difference, low, high, threshold, rising=rising)
    human = human_pair(pair)
    if human is not None and math.isfinite(human.difference):
        alone = entry(human, one_sided(level))
        why += _by_judge(verdict, _verdict(human.difference, alone.low, alone.high, threshold, rising=rising)[0])
    return Gate(
        verdict=verdict, metric=metric.name, model=model, threshold=threshold,
        direction="at least" if rising else "at most", level=level, method=entry.name, value=pair.difference,
        low=low, high=high, n=table.n, drawn=pair.a.sampled, fixed=pair.a.design.fixed,
        baseline=baseline, margin=margin, notes=(*why, *notes),
        meaning="anytime" if anytime else "confidence",
    )  # fmt: skip


def _by_judge(verdict: Verdict, alone: Verdict) -> tuple[Note, ...]:
    """Say what people's labels alone would give, where that is another verdict."""
    return (note_of("judge decides", "judge decides", alone=alone),) if alone != verdict else ()


def _verdict(
    value: float, low: float, high: float, threshold: float, *, rising: bool
) -> tuple[Verdict, tuple[Note, ...]]:
    if math.isnan(value) or math.isnan(low) or math.isnan(high):
        return "fail", (note_of("value undefined" if math.isnan(value) else "no bound", "closed"),)
    cleared, missed = (low >= threshold, high < threshold) if rising else (high <= threshold, low > threshold)
    return ("pass" if cleared else "fail" if missed else "inconclusive"), ()
