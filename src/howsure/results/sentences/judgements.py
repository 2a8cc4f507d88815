"""The sentences of comparisons and gates: which phrase of the catalogue fits what was found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from howsure.results.sentences.phrases import phrase
from howsure.results.sentences.ranking import attainable
from howsure.results.words import (
    amount,
    brief,
    decimals_for,
    method_words,
    number,
    p_said,
    percent,
    reach,
    signed,
    tight,
)

if TYPE_CHECKING:
    from howsure.results.comparison import Comparison
    from howsure.results.gate import Gate


SHOWN = ("equivalent", "non-inferior")

# --- comparisons -------------------------------------------------------------------------------------------------


def comparison_sentence(row: Comparison) -> str:
    """Return what a comparison says; of one that holds at any time also whether one may stop."""
    if math.isnan(row.difference):
        return _without_difference(row)
    if row.meaning != "anytime":
        return _said(row)
    shown = row.decided if row.margin is None else row.verdict in SHOWN
    return _said(row) + phrase("may stop" if shown else "look again")


def _said(row: Comparison) -> str:
    if row.margin is not None:
        return _margin(row)
    if row.tasks is not None and row.side == "both" and row.kind == "difference":
        return row.tasks.sentence(row.a, row.b, row.said, row.level, row.better)
    if row.beside and row.adjusted == "none" and row.decided != row.apart:
        return _by_test(row)
    if row.decided:
        return _decided(row)
    if row.side in ("lower", "upper"):
        return phrase("one-sided open", metric=row.said, a=row.a, b=row.b, alternative=row.alternative)
    sign, shown = ("/", number) if row.kind == "ratio" else ("−", signed)
    text = phrase("open", a=row.a, b=row.b, metric=row.said, sign=sign, low=shown(row.low), high=shown(row.high))
    return text + _detectable(row)


def _without_difference(row: Comparison) -> str:
    if row.kind == "ratio" and row.value_a == 0:
        return phrase("no ratio", metric=row.said, a=row.a)
    lacking = "infinite" if math.inf in (abs(row.value_a), abs(row.value_b)) else "undefined"
    return phrase("not comparable", metric=row.said, a=row.a, b=row.b, lacking=lacking)


def _decided(row: Comparison) -> str:
    """Return who is better, by how much at this level; without a better direction, that they differ."""
    other = row.a if row.winner == row.b else row.b
    ratio, sided = row.kind == "ratio", row.side in ("lower", "upper")
    what = "better" if row.winner is not None else "differs"
    kind = " holm" if row.adjusted == "holm" else " one-sided" if sided else " ratio" if ratio and row.winner else ""
    ends = sorted((abs(row.low), abs(row.high))) if not ratio and row.winner else [row.low, row.high]
    least = min(abs(end) for end in (row.low, row.high) if math.isfinite(end)) if sided else 0.0
    within = reach(ends[0], ends[1]) if ratio else tight(*ends) if row.winner else row.reach
    text = phrase(
        what + kind, winner=row.winner, other=other, metric=row.said, a=row.a, b=row.b, reach=within,
        level=percent(row.level), family=amount(row.family, "comparison"), sign="/" if ratio else "−",
        none="1" if ratio else "zero", least=brief(float(number(least).replace("−", "-"))) if sided else "",
        alternative=row.alternative, at=row.at,
    )  # fmt: skip
    together = row.adjusted == "joint" and row.family > 1
    return text + (phrase("together", family=amount(row.family, "interval")) if together else "")


def _by_test(row: Comparison) -> str:
    """Return what a test says where the interval beside it says otherwise."""
    kind = "open" if not row.decided else "better" if row.winner is not None else "differs"
    return phrase(
        f"{kind} by test", winner=row.winner, other=row.a if row.winner == row.b else row.b, metric=row.said, a=row.a,
        b=row.b, test=row.p_method, p=p_said(row.p_value), beside=method_words(row.beside), reach=row.reach,
        none="1" if row.kind == "ratio" else "zero",
    )  # fmt: skip


def _detectable(row: Comparison) -> str:
    if not row.detectable > 0 or not math.isfinite(row.detectable) or (row.adjusted != "none" and row.family > 1):
        return ""
    if not attainable(row, row.detectable):
        return ""
    what = "factor" if row.kind == "ratio" else "difference"
    return phrase("detectable", what=what, size=number(row.detectable))


def _margin(row: Comparison) -> str:
    by, shown = f"{row.margin:g}", row.verdict in SHOWN
    if row.side == "each":
        return phrase("equivalent" if shown else "not shown equivalent", a=row.a, b=row.b, margin=by, metric=row.said)
    if row.better is None:
        bound = f"above −{by}" if row.side == "lower" else f"below {by}"
        return phrase("within" if shown else "not within", a=row.a, b=row.b, metric=row.said, bound=bound)
    first, second = (row.b, row.a) if (row.side == "lower") == (row.better == "higher") else (row.a, row.b)
    name = "non-inferior" if shown else "not shown non-inferior"
    return phrase(name, first=first, second=second, margin=by, metric=row.said)


# --- gates -------------------------------------------------------------------------------------------------------


def gate_sentence(made: Gate) -> str:
    """Return the verdict of a gate, with the bound that decides it; at any time also whether one may stop."""
    if made.meaning == "anytime":
        return _judged(made) + phrase("look again" if made.verdict == "inconclusive" else "may stop")
    return _judged(made)


def _judged(made: Gate) -> str:
    what = made.said if made.model == "model" else f"{made.said} of {made.model}"
    if any(map(math.isnan, (made.value, made.low, made.high))):
        return phrase("not judged", what=what)
    return _against_baseline(made) if made.baseline is not None else _against_threshold(made, what)


def _against_threshold(made: Gate, what: str) -> str:
    places = decimals_for(made.low, made.high)
    name = f"{made.direction}, {made.verdict}"
    if made.verdict == "inconclusive":
        below = made.value < made.threshold
        name += " below" if below and made.direction == "at least" else ""
        name += " above" if not below and made.value > made.threshold and made.direction == "at most" else ""
    return phrase(
        name, what=what, value=number(made.value, places), low=number(made.low, places), high=number(made.high, places),
        threshold=brief(made.threshold), sampled=made.sampled,
    )  # fmt: skip


def _against_baseline(made: Gate) -> str:
    """Return how a model stands against its baseline; a negative margin asks for an improvement."""
    rising = made.direction == "at least"
    worst, best = (made.low, made.high) if rising else (made.high, made.low)
    places = decimals_for(made.low, made.high)
    name = "better" if made.margin < 0 else "baseline"
    by = phrase(f"{name} by", margin=f"{abs(made.margin):g}") if made.margin else ""
    return phrase(
        f"{name}, {made.verdict}", model=made.model, baseline=made.baseline, metric=made.said, by=by,
        value=signed(made.value, places), bound=signed(worst, places), other=signed(best, places),
    )  # fmt: skip
