"""hs.compare: the difference of one metric between two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.special import bdtr, ndtr, ndtri, stdtr

from howsure.cells import Array, Undefined
from howsure.errors import InputError, MethodError, nearest, quoted
from howsure.estimates import check_table
from howsure.evidence import Evidence, Tail, evidence_of
from howsure.intervals import IntervalMethod, default_method, interval, named_method
from howsure.linear import Linear, covariance, linearise
from howsure.naming import MetricLike, named
from howsure.paired import paired_draws
from howsure.remarks import remarks
from howsure.resampling import Bootstrap, bootstrap_values
from howsure.results import Note
from howsure.rows import Codes
from howsure.table import Table
from howsure.verdicts import Comparison

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES = ("two-sided", "greater", "less")
KINDS = ("difference", "ratio")


@dataclass(frozen=True)
class Pair:
    """Two estimates on the same rows, with their covariance: what a comparison method may ask for."""

    a: Linear
    b: Linear
    covariances: Array
    kind: str
    single: IntervalMethod | None

    @property
    def correlation(self) -> float:
        """Correlation of the two estimates; 0 where one cannot move."""
        spread = math.sqrt(max(self.covariances[0, 0] * self.covariances[1, 1], 0.0))
        return float(np.clip(self.covariances[0, 1] / spread, -1, 1)) if spread > 0 else 0.0

    @property
    def difference(self) -> float:
        """b − a, or b / a."""
        if self.kind == "ratio":
            return self.b.value / self.a.value if self.a.value != 0 else math.nan
        return self.b.value - self.a.value

    @property
    def nothing(self) -> float:
        """The value of no difference."""
        return 1.0 if self.kind == "ratio" else 0.0

    @property
    def se(self) -> float:
        """Standard error of the difference, or of the log ratio."""
        weights = np.array([-1.0, 1.0])
        if self.kind == "ratio":
            with np.errstate(divide="ignore"):
                weights = weights / np.array([self.a.value, self.b.value])
        with np.errstate(invalid="ignore"):
            return math.sqrt(max(float(weights @ self.covariances @ weights), 0.0))

    @property
    def degrees(self) -> float:
        """Degrees of freedom: groups − 1, or infinite."""
        return self.a.degrees

    def singles(self, tail: Tail) -> tuple[float, float, float, float]:
        """Return the single intervals (low a, high a, low b, high b) by the single method."""
        ends = []
        for linear in (self.a, self.b):
            evidence = evidence_of(linear)
            found = interval(evidence, self.single or _single_default(evidence), tail)
            ends += [float(found.low), float(found.high)]
        return ends[0], ends[1], ends[2], ends[3]


def _single_default(evidence: Evidence) -> IntervalMethod:
    """Return the default of the metric, but never one that resamples: its limits would carry noise."""
    chosen = default_method(evidence.metric, evidence)
    return chosen if chosen.batch else named_method("logit")


# --- methods: each returns (low, high) at a tail ------------------------------------------------------------------


def _wald(pair: Pair, tail: Tail) -> tuple[float, float]:
    half = tail.quantile(pair.degrees) * pair.se
    if pair.kind == "ratio":
        return pair.difference * math.exp(-half), pair.difference * math.exp(half)
    return pair.difference - half, pair.difference + half


def _mover(pair: Pair, tail: Tail) -> tuple[float, float]:
    """Square-and-add with correlation (Newcombe 1998; Zou & Donner 2008), on logs for a ratio."""
    low_a, high_a, low_b, high_b = pair.singles(tail)
    value_a, value_b = pair.a.value, pair.b.value
    if pair.kind == "ratio":
        with np.errstate(divide="ignore"):
            ends = [float(np.log(x)) for x in (low_a, high_a, low_b, high_b, value_a, value_b)]
        low, high = square_and_add(*ends, correlation=pair.correlation)
        return math.exp(low), math.exp(high)
    return square_and_add(low_a, high_a, low_b, high_b, value_a, value_b, correlation=pair.correlation)


def square_and_add(
    low_a: float, high_a: float, low_b: float, high_b: float, a: float, b: float, *, correlation: float
) -> tuple[float, float]:
    """Return the limits of b − a from two single intervals and the correlation of the estimates."""
    down, up = (b - low_b, high_a - a), (high_b - b, a - low_a)
    return b - a - _joined(*down, correlation), b - a + _joined(*up, correlation)


def _joined(first: float, second: float, correlation: float) -> float:
    if math.isinf(first) or math.isinf(second):
        return math.inf
    return math.sqrt(max(first**2 - 2 * correlation * first * second + second**2, 0.0))


def unpaired(pair: Pair, tail: Tail) -> tuple[float, float]:
    """Return the interval that ignores the pairing: to show what pairing buys."""
    alone = replace(pair, covariances=np.diag(np.diagonal(pair.covariances)))
    return _mover(alone, tail)


def two_sided_p(
    pair: Pair, limits: Callable[[Pair, Tail], tuple[float, float]], null: float, alternative: str
) -> float:
    """Return the p-value that belongs to an interval method: the level at which its limit meets the null."""
    rises = pair.difference >= null

    def clears(z: float) -> bool:
        low, high = limits(pair, Tail(1 - 2 * float(ndtr(-z))))
        return low > null if rises else high < null

    if not clears(1e-6):
        tail = 0.5
    else:
        below, above = 1e-6, 37.0
        if clears(8.0):
            tail = float(ndtr(-8.0))
        else:
            above = 8.0
            for _ in range(50):
                middle = (below + above) / 2
                below, above = (middle, above) if clears(middle) else (below, middle)
            tail = float(ndtr(-(below + above) / 2))
    return _p_of(tail, rises, alternative)


def _p_of(tail: float, rises: bool, alternative: str) -> float:
    if alternative == "two-sided":
        return min(2 * tail, 1.0)
    return tail if rises == (alternative == "greater") else 1 - tail


def _wald_p(pair: Pair, null: float, alternative: str) -> float:
    if pair.se == 0:
        return 1.0 if pair.difference == null else math.nan
    gap = math.log(pair.difference / null) if pair.kind == "ratio" else pair.difference - null
    z = gap / pair.se
    tail = float(ndtr(-abs(z)) if math.isinf(pair.degrees) else stdtr(pair.degrees, -abs(z)))
    return _p_of(tail, z >= 0, alternative)


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
    return _Found(*_mover(pair, tail), p=lambda null, side: two_sided_p(pair, _mover, null, side))


def _by_wald(pair: Pair, tail: Tail, options: Any) -> _Found:
    return _Found(*_wald(pair, tail), p=lambda null, side: _wald_p(pair, null, side))


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


def mcnemar(only_a: float, only_b: float) -> dict[str, float]:
    """Return the exact and the mid-P McNemar p-values of two discordant counts.

    McNemar (1947) Psychometrika 12:153; mid-P: Fagerland, Lydersen & Laake (2013) BMC Med. Res. Methodol. 13:91.

    >>> {name: round(p, 6) for name, p in mcnemar(1, 9).items()}
    {'exact': 0.021484, 'mid_p': 0.011719}
    """
    total, least = only_a + only_b, min(only_a, only_b)
    if total == 0:
        return {"exact": 1.0, "mid_p": 1.0}
    if not float(total).is_integer() or not float(least).is_integer():
        return {"exact": math.nan, "mid_p": math.nan}
    tail = float(bdtr(least, int(total), 0.5))
    point = tail - (float(bdtr(least - 1, int(total), 0.5)) if least > 0 else 0.0)
    mid = 1.0 - point if only_a == only_b else 2 * tail - point
    return {"exact": min(2 * tail, 1.0), "mid_p": min(mid, 1.0)}


def quantile_of(p: float) -> float:
    """Return the normal quantile of a two-sided p-value."""
    return float(-ndtri(p / 2))
