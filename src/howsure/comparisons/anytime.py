"""Comparisons that hold at all times together: look after every row, stop when it is settled.

They stand apart from the catalogue of comparison methods, which are for one look. Accuracy, recall and specificity bet
on the rows that one model alone gets right, row values on their differences, every other metric on its influences.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.comparisons.catalogue import PairFindings, PairMethod
from howsure.comparisons.methods.discordant import outcomes_of
from howsure.comparisons.pair import Alternative, Pair
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.methods.anytime import (
    APPROXIMATE,
    ASYMPTOTIC,
    BETS,
    CARRY,
    FEWEST,
    PSEUDO_Z,
    VILLE,
    carried,
    check_no_method,
    check_row_by_row,
    enlarged,
    no_limit_yet,
    steady,
)
from howsure.estimates.methods.martingales import log_fortune, mean_limit, normal_log_fortune, normal_reach
from howsure.estimates.tail import Tail
from howsure.results.citation import Citation
from howsure.types import Array


def anytime_pair(pair: Pair, method: Any) -> PairMethod:
    """Return the method that compares a pair at any time; refuse one that was named, and rows not drawn one by one."""
    check_no_method(method)
    check_row_by_row(pair.a.design)
    return next(entry for entry in ANYTIME_PAIRS if entry.missing(pair) is None)


def refuse_at_any_time(rope: float | None) -> None:
    """Refuse what has no meaning at any time: probabilities of a region."""
    if rope is not None:
        raise InputError(messages.ROPE_ASKS_FOR_PROBABILITIES_AND_LIMITS(rope=rope))


# --- bets on the difference of each row ----------------------------------------------------------------------------


def moved_by_rows(pair: Pair) -> tuple[Array, Array, float] | None:
    """Return the rows' differences, as (d + 1)/2 in [0, 1], how often each occurred, and what a difference of 1 is.

    None where the difference of the metric is no mean of differences of rows between two ends.
    """
    if pair.kind == "ratio" or not pair.same_rows:
        return None
    held = outcomes_of(pair)
    if held is not None:
        return np.array([0.0, 0.5, 1.0]), np.array([held.only_a, held.both + held.neither, held.only_b]), 1.0
    a, b = (linear.contents.rows_that_count(linear) for linear in (pair.a, pair.b))
    if a is None or b is None or len(a[0]) != len(b[0]) or len(a[0]) != len(pair.a.contents):
        return None  # where a value is missing for one model alone, the means are not over the same rows
    bottom, top = pair.metric.range
    return (b[0] - a[0] + 1) / 2, a[1], top - bottom


def _of_rows(pair: Pair) -> str | None:
    return None if moved_by_rows(pair) is not None else "it needs a difference that is a mean over the same rows"


def _betting(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Bet on the difference of each row: exact at every number of rows, whatever the differences look like.

    For accuracy, recall and specificity a bet against "no difference" sees the discordant rows alone: with x_b and x_a
    of them the fortune is that of a coin, 2^(x_a+x_b+1)·B(x_b+½, x_a+½)/B(½, ½)·P(Beta(x_b+½, x_a+½) > ½).
    """
    found = moved_by_rows(pair)
    assert found is not None
    values, counts, scale = found
    if not counts.sum():
        return _nothing_yet(pair)

    def p(null: float, side: Alternative) -> float:
        mean = (null / scale + 1) / 2
        return _by_fortune(_fortune(values, counts, mean), _fortune(1 - values, counts, 1 - mean), side)

    low = 2 * mean_limit(values, counts, tail.probability) - 1
    high = 1 - 2 * mean_limit(1 - values, counts, tail.probability)
    return PairFindings(scale * low, scale * high, p=p, meaning="anytime")


def _fortune(values: Array, counts: Array, mean: float) -> float:
    """Return the log fortune against a mean; at the ends of the range, and beyond them, all or nothing."""
    if 0 < mean < 1:
        return log_fortune(values, counts, mean)
    return math.inf if mean <= 0 and (values[counts > 0] > 0).any() else -math.inf


def _by_fortune(above: float, below: float, side: Alternative) -> float:
    """Return the p-value that holds at any time, 1 over the fortune made against the null; two-sided twice the less."""
    greater, less = (math.exp(-max(fortune, 0.0)) for fortune in (above, below))
    return {"greater": greater, "less": less, "two-sided": min(2 * min(greater, less), 1.0)}[side]


def _nothing_yet(pair: Pair, *notes: Any) -> PairFindings:
    """Return what can be said before anything is known: every difference is possible."""
    return PairFindings(*pair.reach, p=lambda null, side: 1.0, notes=notes, meaning="anytime")


# --- bets on influences --------------------------------------------------------------------------------------------


def _normal(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Take the sum of influences as a Brownian motion: approximate, from 100 rows on (Waudby-Smith and others 2024)."""
    n, ratio, se = float(pair.a.n), pair.kind == "ratio", _se(pair)
    if not steady(n, se) or (ratio and not pair.difference > 0):
        return _nothing_yet(pair, no_limit_yet(n))
    half, value = normal_reach(tail.probability, n) * se, math.log(pair.difference) if ratio else pair.difference
    ends = (value - half, value + half)
    bottom, top = pair.reach
    low, high = (math.exp(ends[0]), math.exp(ends[1])) if ratio else (max(ends[0], bottom), min(ends[1], top))

    def p(null: float, side: Alternative) -> float:
        z = (value - (math.log(null) if ratio else null)) / se
        return _by_fortune(normal_log_fortune(z, n), normal_log_fortune(-z, n), side)

    return PairFindings(low, high, p=p, notes=(APPROXIMATE,), meaning="anytime")


def _se(pair: Pair) -> float:
    """Return the standard error of the difference, or of the log ratio, with four pseudo-rows for each model.

    V = (Σ (φ_b − φ_a)² + Σ_pseudo w·(φ_a² + φ_b²)) / n², φ at the table with the pseudo-rows, on which the models are
    independent. Where rows so far tell of few positives, say, the plain variance is too small: with 3 % of them, equal
    models were called different in 19 % of streams by balanced accuracy, and in 5 % so; in 1 % by the error enlarged. A
    kind of data without pseudo-rows has no limits before 30 rows carry the difference.
    """
    scales = (pair.a.value, pair.b.value) if pair.kind == "ratio" else (1.0, 1.0)
    design, contents = pair.a.design, pair.a.contents
    found = contents.pseudo_rows(pair.a)
    if found is None:
        gap = pair.b.influence / scales[1] - pair.a.influence / scales[0]
        return pair.se if carried(gap, design.weights) >= CARRY else math.nan
    more, each = found
    size, joined = len(contents), contents.joined(more)
    weights = np.append(design.weights, each * PSEUDO_Z**2)
    first, second = (
        joined.linearise(one.metric, one.model, one.place, design.reweighted(weights), one.undefined).influence / scale
        for one, scale in zip((pair.a, pair.b), scales, strict=True)
    )
    apart = np.square(second - first)
    apart[size:] = np.square(first[size:]) + np.square(second[size:])
    return float(enlarged(math.sqrt(float(weights @ apart)) / float(pair.a.n), np.sqrt(apart), weights))


ANYTIME_PAIRS: tuple[PairMethod, ...] = (
    PairMethod(
        "anytime-betting",
        _betting,
        _of_rows,
        citation=Citation(VILLE, BETS),
        text="all differences against which no mixture of bets on the rows' differences has made 1/p: exact",
        avoid="you look once, at a number of rows fixed before: it is longer",
    ),
    PairMethod(
        "anytime-normal",
        _normal,
        citation=Citation(ASYMPTOTIC),
        text=f"difference ± the reach of a normal mixture · standard error; approximate, from {FEWEST} rows on",
        avoid="few rows tell the models apart: it rests on their standard error",
    ),
)
