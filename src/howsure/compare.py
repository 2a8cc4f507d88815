"""hs.compare: the difference of one metric between two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr

from howsure.cells import Array, Undefined
from howsure.errors import InputError, MethodError, nearest, quoted
from howsure.estimates import check_table
from howsure.evidence import Tail
from howsure.intervals import named_method
from howsure.linear import covariance, linearise
from howsure.naming import MetricLike, named
from howsure.paired import paired_draws
from howsure.pairs import Pair, mover_limits, p_by_inversion, unpaired, wald_limits, wald_p
from howsure.remarks import remarks
from howsure.resampling import Bootstrap, bootstrap_values
from howsure.results import Note
from howsure.rows import Codes
from howsure.table import Table
from howsure.verdicts import Comparison

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES = ("two-sided", "greater", "less")
KINDS = ("difference", "ratio")


METHODS = ("mover", "wald", "bootstrap", "bayes")


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
) -> Comparison:
    """Return the difference b − a of a metric of two models on the same rows, with interval and p-value.

    ``method``: "mover" (default: the single intervals' limits joined with the correlation), "wald" (delta method on
    the covariance), "bootstrap" or a Bootstrap, "bayes" (joint Dirichlet over the paired table). ``margin`` makes it
    a non-inferiority (alternative "greater" or "less") or equivalence question; ``rope`` a region of practical
    equivalence.

    >>> from howsure import table
    >>> t = table([1, 1, 1, 0, 0, 0, 1, 0], {"old": [1, 0, 1, 0, 1, 0, 0, 0], "new": [1, 1, 1, 0, 0, 0, 0, 0]})
    >>> compare(t, "accuracy", a="old", b="new").difference
    0.25
    """
    check_table(table)
    first, second = _two_models(table, a, b)
    _check_choices(kind, alternative, margin, rope)
    pair = paired(table, metric, first, second, kind=kind, single=single, undefined=undefined)
    tail = Tail(level)
    how = _method(method)
    found = _FUNCTIONS[how.name](pair, tail, how.options)
    null = pair.nothing + (0.0 if margin is None else _shift(margin, alternative, pair.a.metric.better))
    made = _comparison(pair, tail, how.name, found, alternative, null)
    return replace(
        made,
        margin=margin,
        rope=rope,
        verdict=_verdict(made, margin, alternative),
        **_rope(pair, found, rope),
    )


def paired(
    table: Table, metric: MetricLike, a: str, b: str, *, kind: str = "difference", single: Any = None,
    undefined: Undefined = "nan",
) -> Pair:  # fmt: skip
    """Return the two estimates with their covariance."""
    two = table.pick(a, b)
    chosen = named(metric)
    linears = [linearise(two, chosen, model, undefined) for model in (a, b)]
    return Pair(*linears, covariance(two, linears), kind, None if single is None else named_method(single))


@dataclass(frozen=True)
class _How:
    name: str
    options: Any = None


def _method(method: Any) -> _How:
    if method is None:
        return _How("mover")
    if isinstance(method, Bootstrap):
        return _How("bootstrap", method)
    if method not in METHODS:
        raise MethodError(
            f"method {method!r} does not compare two models.{nearest(str(method), METHODS)} These do: {quoted(METHODS)}"
        )
    return _How(method, Bootstrap() if method == "bootstrap" else None)


def _two_models(table: Table, a: str | None, b: str | None) -> tuple[str, str]:
    if a is None and b is None:
        if len(table.models) != 2:
            raise InputError(
                f"a and b are not named and the table holds {len(table.models)} models: {quoted(table.models)}; name two"
            )
        return table.models[0], table.models[1]
    if a is None or b is None:
        raise InputError("give both a and b (the difference is b − a), or neither when the table holds two models")
    for name in (a, b):
        table.model_index(name)
    if a == b:
        raise InputError(f"a and b are both {a!r}; name two different models")
    return a, b


def _check_choices(kind: str, alternative: str, margin: float | None, rope: float | None) -> None:
    if kind not in KINDS:
        raise InputError(f"kind is {kind!r}; it must be one of {quoted(KINDS)}")
    if alternative not in ALTERNATIVES:
        raise InputError(f"alternative is {alternative!r}; it must be one of {quoted(ALTERNATIVES)}")
    for name, value in (("margin", margin), ("rope", rope)):
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise InputError(f"{name} is {value!r}; it must be a finite number, zero or larger")
        if value is not None and kind == "ratio":
            raise InputError(f"{name} is about differences; leave kind='difference'")


def _shift(margin: float, alternative: str, better: str | None) -> float:
    """Return where the null lies: b may be worse by the margin."""
    if alternative == "two-sided":
        return 0.0
    return -margin if alternative == "greater" else margin


@dataclass(frozen=True)
class _Found:
    low: float
    high: float
    p: Callable[[float, str], float]
    draws: Array | None = None
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()
    meaning: str = "confidence"


def _by_mover(pair: Pair, tail: Tail, options: Any) -> _Found:
    return _Found(*mover_limits(pair, tail), p=lambda null, side: p_by_inversion(pair, mover_limits, null, side))


def _by_wald(pair: Pair, tail: Tail, options: Any) -> _Found:
    return _Found(*wald_limits(pair, tail), p=lambda null, side: wald_p(pair, null, side))


def _by_bootstrap(pair: Pair, tail: Tail, options: Bootstrap) -> _Found:
    """Resample both models with the same draws; percentile limits, shifted to their centre for a p-value."""
    values = [bootstrap_values(linear, options)[0] for linear in (pair.a, pair.b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = values[1] / values[0] if pair.kind == "ratio" else values[1] - values[0]
    kept = np.sort(draws[np.isfinite(draws)])
    lost = len(draws) - len(kept)
    notes = (Note(f"{lost} of {len(draws)} resamples were undefined and were dropped", "resamples"),) if lost else ()
    if len(kept) < 100:
        return _Found(math.nan, math.nan, lambda null, side: math.nan, kept, options.seed, notes=notes)
    low, high = np.quantile(kept, [tail.probability, 1 - tail.probability])
    spread = math.sqrt(tail.probability * (1 - tail.probability) / len(kept))
    ends = np.quantile(kept, np.clip([tail.probability - spread, tail.probability + spread], 0, 1))

    def p(null: float, side: str) -> float:
        below, above = (
            (np.sum(kept <= null) + 1) / (len(kept) + 1),
            (np.sum(kept >= null) + 1) / (len(kept) + 1),
        )
        return float(
            {"two-sided": min(2 * min(below, above), 1.0), "greater": min(below, 1), "less": min(above, 1)}[side]
        )

    return _Found(float(low), float(high), p, kept, options.seed, float(ends[1] - ends[0]) / 2, notes)


def _by_bayes(pair: Pair, tail: Tail, options: Any) -> _Found:
    draws = np.sort(paired_draws(pair.a, pair.b, ratio=pair.kind == "ratio"))
    low, high = np.quantile(draws, [tail.probability, 1 - tail.probability])

    def p(null: float, side: str) -> float:
        below = float(np.mean(draws <= null))
        return {"two-sided": 2 * min(below, 1 - below), "greater": below, "less": 1 - below}[side]

    note = Note(
        "the p-value column holds the posterior probability of the other side (twice the smaller one if two-sided)",
        "bayes",
    )
    return _Found(float(low), float(high), p, draws, 0, notes=(note,), meaning="credible")


_FUNCTIONS: dict[str, Callable[[Pair, Tail, Any], _Found]] = {
    "mover": _by_mover,
    "wald": _by_wald,
    "bootstrap": _by_bootstrap,
    "bayes": _by_bayes,
}


def _comparison(pair: Pair, tail: Tail, name: str, found: _Found, alternative: str, null: float) -> Comparison:
    defined = math.isfinite(pair.difference)
    metric = pair.a.metric
    discordant = _discordant(pair)
    return Comparison(
        metric=metric.name, a=pair.a.model, b=pair.b.model, difference=pair.difference, low=found.low if defined else math.nan,
        high=found.high if defined else math.nan, level=tail.level, method=name,
        p_value=found.p(null, alternative) if defined else math.nan, se=pair.se, value_a=pair.a.value,
        value_b=pair.b.value, n=pair.a.table.n, correlation=pair.correlation, kind=pair.kind, alternative=alternative,
        probability_better=_probability_better(pair, found), discordant=discordant,
        unpaired=unpaired(pair, tail) if defined else None, p_method=name, better=metric.better,
        groups=pair.a.table.n_groups, meaning=found.meaning, seed=found.seed, error=found.error,
        notes=(*_notes(pair, discordant), *found.notes),
    )  # fmt: skip


def _notes(pair: Pair, discordant: tuple[float, float] | None) -> tuple[Note, ...]:
    notes = list(dict.fromkeys((*remarks(pair.a), *remarks(pair.b))))
    if pair.se == 0 and pair.difference == pair.nothing:
        notes.append(
            Note(
                "the two models have the same influence on every row: nothing tells them apart here",
                "identical",
            )
        )
    return tuple(note if isinstance(note, Note) else Note(note) for note in notes)


def _discordant(pair: Pair) -> tuple[float, float] | None:
    """Return how many rows only a, and only b, got right."""
    rows = pair.a.table.rows
    if not isinstance(rows, Codes):
        return None
    right = rows.predictions == rows.truth[:, None]
    counts = pair.a.table.counts
    return float(counts[right[:, 0] & ~right[:, 1]].sum()), float(counts[right[:, 1] & ~right[:, 0]].sum())


def _probability_better(pair: Pair, found: _Found) -> float:
    """Return the chance that b is better: from draws, or the normal law of the estimate under a flat prior."""
    better = pair.a.metric.better
    if better is None or not math.isfinite(pair.difference):
        return math.nan
    if found.draws is not None and len(found.draws):
        above = float(np.mean(found.draws > pair.nothing) + np.mean(found.draws == pair.nothing) / 2)
    elif pair.se == 0:
        above = 0.5 if pair.difference == pair.nothing else float(pair.difference > pair.nothing)
    else:
        gap = (
            math.log(pair.difference)
            if pair.kind == "ratio" and pair.difference > 0
            else pair.difference - pair.nothing
        )
        above = float(ndtr(gap / pair.se))
    return above if better == "higher" else 1 - above


def _rope(pair: Pair, found: _Found, rope: float | None) -> dict[str, Any]:
    """Return the probabilities that b is worse, practically equal, better by more than the rope."""
    if rope is None or not math.isfinite(pair.difference):
        return {}
    if found.draws is not None:
        worse, over = float(np.mean(found.draws < -rope)), float(np.mean(found.draws > rope))
    elif pair.se == 0:
        worse, over = float(pair.difference < -rope), float(pair.difference > rope)
    else:
        worse = float(ndtr((-rope - pair.difference) / pair.se))
        over = float(ndtr((pair.difference - rope) / pair.se))
    if pair.a.metric.better == "lower":
        worse, over = over, worse
    return {"rope_probabilities": (worse, max(1 - worse - over, 0.0), over)}


def _verdict(made: Comparison, margin: float | None, alternative: str) -> str | None:
    """Return the answer to a question with a margin: from one-sided limits at level 2·level − 1 (Schuirmann 1987)."""
    if margin is None or math.isnan(made.p_value):
        return None
    if alternative == "two-sided":
        inside = -margin < made.low and made.high < margin
        return "equivalent" if inside else "not shown equivalent"
    return "non-inferior" if made.p_value < 1 - made.level else "not shown non-inferior"
