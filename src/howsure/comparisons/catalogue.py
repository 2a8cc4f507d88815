"""THE CATALOGUE OF COMPARISON METHODS: one entry each, an interval and a p-value for two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.comparisons.methods.discordant import (
    Outcomes,
    mcnemar_p,
    outcomes_of,
    tango_limits,
    tango_z,
    why_not_counted,
)
from howsure.comparisons.methods.paired_posterior import posterior_of
from howsure.comparisons.pair import Alternative, Pair, mover_limits, p_by_inversion, p_of, wald_limits, wald_p
from howsure.errors import InputError, MethodError, arg, nearest, quoted, setting
from howsure.estimates.catalogue import not_a_method
from howsure.estimates.methods.bootstrap import Bootstrap, bootstrap_values
from howsure.estimates.methods.credible import Bayes
from howsure.estimates.tail import Tail
from howsure.numerics.sampled_posterior import drawn_quantile
from howsure.results.base import Note
from howsure.results.citation import EFRON, GOUTTE, UNCITED, Citation, Work
from howsure.results.words import count
from howsure.types import Array

FEWEST = 100  # resamples that a quantile may rest on


@dataclass(frozen=True)
class PairFindings:
    """What a method says of a pair: limits, the p-value of any null, and how sure it is that b − a exceeds x."""

    low: float
    high: float
    p: Callable[[float, Alternative], float]
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()
    meaning: str = "confidence"
    p_method: str = ""
    p_method_elsewhere: str = ""  # where the null is not "no difference"

    def above(self, x: float) -> float:
        """Return the confidence (or the posterior probability) that the difference is larger than x."""
        return 1 - self.p(x, "greater")


@dataclass(frozen=True)
class PairMethod:
    """A way to compare two models: a function of the pair, and what it needs (``missing`` says what lacks, or None).

    ``textbook``: it takes the linearised variance, without what the design effect adds.
    """

    name: str
    find: Callable[[Pair, Tail, Any], PairFindings]
    missing: Callable[[Pair], str | None] = lambda pair: None
    aliases: tuple[str, ...] = ()
    options: Any = None
    textbook: bool = False
    citation: Citation = UNCITED
    text: str = ""
    avoid: str = ""

    def __repr__(self) -> str:
        return f"PairMethod({self.name!r})"

    def __call__(self, pair: Pair, tail: Tail) -> PairFindings:
        """Return what the method says of a pair; one that it cannot serve is refused with the methods that can."""
        why = self.missing(pair)
        if why is not None:
            fits = quoted(entry.name for entry in PAIR_METHODS if entry.missing(pair) is None)
            name = pair.metric.name
            raise MethodError(f"method {self.name!r} cannot compare {name!r} here: {why}. These can: {fits}")
        return self.find(pair, tail, self.options)


# --- what a method needs ------------------------------------------------------------------------------------------


def _discordant_difference(pair: Pair) -> str | None:
    if pair.kind == "ratio":
        return "it is about differences, not ratios"
    return _one_table(pair) or why_not_counted(pair)


def _one_table(pair: Pair) -> str | None:
    return None if pair.same_rows else "it needs both models on the same rows"


def _a_joint_table(pair: Pair) -> str | None:
    if not pair.same_rows:
        return _one_table(pair)
    if not pair.a.design.ungrouped or pair.a.contents.cross_table([], pair.a.design.weights) is None:
        return "it needs independent rows with one label each"
    counted = pair.a.contents.negatives
    return None if counted else "it needs the true negatives, which are not counted"


# --- the methods ---------------------------------------------------------------------------------------------------


def _mover(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Join the single intervals of the two models with their correlation: Newcombe (1998), Zou & Donner (2008).

    It inherits what the single method does near the ends of the range, serves any metric, groups and weights, and needs
    no joint table. See ``mover_limits`` for the formula and for what it covers.
    """
    return PairFindings(*mover_limits(pair, tail), p=lambda null, side: p_by_inversion(pair, mover_limits, null, side))


def _wald(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Take the difference as normal, with the variance from the influence of each row on both models.

    Without a row that moves the difference the interval has no width, and a note says that this is no certainty. See
    ``wald_limits``.
    """
    low, high = wald_limits(pair, tail)
    flat = pair.se == 0 and math.isfinite(pair.difference)
    note = Note("the Wald interval has no width: no row moves the difference. That is no certainty", "degenerate")
    return PairFindings(low, high, p=lambda null, side: wald_p(pair, null, side), notes=(note,) if flat else ())


def _tango(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Keep all differences that a score test of two shares of the same rows does not reject (Tango 1998).

    Only rows that one model alone gets right tell the two apart; the variance is the one under the difference tested,
    so the interval has a width even where no row does. It needs a denominator that no prediction can change: accuracy,
    recall, specificity.
    """
    held = _outcomes(pair)
    if not held.n:
        return PairFindings(math.nan, math.nan, p=lambda null, side: math.nan)

    def p(null: float, side: Alternative) -> float:
        z = tango_z(held.only_a, held.only_b, held.n, null) if abs(null) < 1 else -math.copysign(math.inf, null)
        return p_of(float(ndtr(-abs(z))), z >= 0, side)

    return PairFindings(*tango_limits(held.only_a, held.only_b, held.n, tail.z), p=p)


def _outcomes(pair: Pair) -> Outcomes:
    held = outcomes_of(pair)
    assert held is not None
    return held


def _mcnemar(mid: bool) -> Callable[[Pair, Tail, Any], PairFindings]:
    """Return McNemar's exact test, or its mid-P version, with Tango's interval beside it.

    If both models are equally good, each of the x_a + x_b rows that only one gets right is a fair coin. The exact test
    keeps its level and is conservative, since counts are discrete; mid-P counts half the probability of the observed
    count, and comes nearer to the level at the price of the guarantee. The test speaks of no difference alone: for
    other nulls, and for the limits, Tango's score is used. McNemar (1947); Fagerland, Lydersen & Laake (2013).
    """
    name = "mid-P McNemar" if mid else "exact McNemar"

    def find(pair: Pair, tail: Tail, options: Any) -> PairFindings:
        held, interval = _outcomes(pair), _tango(pair, tail, options)

        def p(null: float, side: Alternative) -> float:
            if null == 0 and held.n:
                return mcnemar_p(held.only_a, held.only_b, alternative=side, mid=mid)
            return interval.p(null, side)

        note = Note(f"p-value of no difference: {name}; interval and other nulls: Tango's score", "method")
        return PairFindings(interval.low, interval.high, p, notes=(note,), p_method=name, p_method_elsewhere="tango")

    return find


def _bayes(pair: Pair, tail: Tail, options: Bayes) -> PairFindings:
    """Take equal tails of the posterior of the difference, from one Dirichlet on (truth, a, b) (Altham 1971).

    In place of a p-value stands the posterior probability of the other side. With few rows and many classes the prior,
    2/K³ in each of K³ cells, weighs much.
    """
    law = posterior_of(pair, options)
    low, high = law.limits(tail.probability)

    def p(null: float, side: Alternative) -> float:
        above = law.above(null)
        return {"two-sided": 2 * min(above, 1 - above), "greater": 1 - above, "less": above}[side]

    prior = "2/K³ in each cell" if options.prior is None else f"{options.prior:g} in each cell"
    note = Note(
        f"posterior of the joint table (truth, a, b) with prior {prior}, {law.how}; in place of a p-value stands the "
        "posterior probability of the other side (twice the smaller one if two-sided)",
        "bayes",
    )
    error = law.error(tail.probability)
    seed = None if error is None else options.seed
    return PairFindings(low, high, p, seed, error, (note,), "credible", "posterior tail")


def _bootstrap(pair: Pair, tail: Tail, options: Bootstrap) -> PairFindings:
    """Resample both models with the same draws of rows, or of groups, and take quantiles of the differences.

    The same draws for both keep the pairing. It fails where few rows tell the models apart: most resamples then give
    one of a few values. Efron (1987) JASA 82:171.
    """
    values = [bootstrap_values(linear, options)[0] for linear in (pair.a, pair.b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = values[1] / values[0] if pair.kind == "ratio" else values[1] - values[0]
    kept = np.sort(draws[np.isfinite(draws)])
    lost = len(draws) - len(kept)
    notes: tuple[Note, ...] = ()
    if lost:
        notes = (Note(f"{count(lost)} of {count(len(draws))} resamples were undefined and were dropped", "resamples"),)
    if len(kept) < FEWEST or not math.isfinite(pair.difference):
        return PairFindings(math.nan, math.nan, lambda null, side: math.nan, options.seed, notes=notes)
    shape = _Resampled.of(pair, kept, options)
    ends = [shape.quantile(p) for p in (tail.probability, 1 - tail.probability)]
    if ends[0][0] == ends[1][0]:
        notes += (Note("every resample gives the same difference; use another method", "degenerate"),)
    return PairFindings(ends[0][0], ends[1][0], shape.p, options.seed, max(ends[0][1], ends[1][1]), notes)


@dataclass(frozen=True)
class _Resampled:
    """Resampled differences and how their quantiles become limits; bias and acceleration are 0 except for BCa."""

    ordered: Array
    bias: float
    acceleration: float
    mirror: float | None

    @staticmethod
    def of(pair: Pair, ordered: Array, options: Bootstrap) -> _Resampled:
        if options.kind == "studentised":
            raise InputError(
                "kind 'studentised' needs the error of each resampled difference, which is not kept; "
                f"for comparisons use {setting('kind', 'bca')}, 'percentile' or 'basic'"
            )
        if options.kind == "basic":
            return _Resampled(ordered, 0.0, 0.0, 2 * pair.difference)
        if options.kind == "percentile":
            return _Resampled(ordered, 0.0, 0.0, None)
        below = np.clip(_rank(ordered, pair.difference), 0.5 / len(ordered), 1 - 0.5 / len(ordered))
        return _Resampled(ordered, float(ndtri(below)), _acceleration(pair), None)

    def quantile(self, probability: float) -> tuple[float, float]:
        """Return a limit and its Monte-Carlo error."""
        shifted = self.bias + float(ndtri(probability))
        rank = float(ndtr(self.bias + shifted / (1 - self.acceleration * shifted)))
        rank = 1 - rank if self.mirror is not None else rank
        found, error = drawn_quantile(self.ordered, rank)
        return found if self.mirror is None else self.mirror - found, error

    def p(self, null: float, side: Alternative) -> float:
        """Return the p-value: the tail at which the limit meets the null, never below 1/(resamples + 1).

        The correction for bias and acceleration is inverted, so the test and the interval agree.
        """
        at = null if self.mirror is None else self.mirror - null
        size = len(self.ordered)
        rank = (_rank(self.ordered, at) * size + 0.5) / (size + 1)
        rank = 1 - rank if self.mirror is not None else rank
        shifted = float(ndtri(rank)) - self.bias
        below = float(ndtr(shifted / (1 + self.acceleration * shifted) - self.bias))
        below = min(max(below, 1 / (size + 1)), 1 - 1 / (size + 1))
        return {"two-sided": 2 * min(below, 1 - below), "greater": below, "less": 1 - below}[side]


def _rank(ordered: Array, at: float) -> float:
    """Return the share of draws below a value; ties, which rounding may have parted, count half."""
    dust = 1e-12 * max(1.0, abs(at))
    return float(np.mean(ordered < at - dust) + np.mean(ordered <= at + dust)) / 2


def _acceleration(pair: Pair) -> float:
    """Return a sixth of the skewness of what each row or group adds to the difference.

    Σφ³/(6(Σφ²)^1.5), φ the influence on b less that on a; for a ratio, on log b less on log a.
    """
    scale = np.array([-1.0, 1.0]) / ([pair.a.value, pair.b.value] if pair.kind == "ratio" else 1.0)
    moved = scale[0] * pair.a.influence + scale[1] * pair.b.influence
    sums, times = pair.a.design.unit_influences(moved)
    square = float(times @ sums**2)
    return float(times @ sums**3) / (6 * square**1.5) if square > 0 else 0.0


PAIR_METHODS: tuple[PairMethod, ...] = (
    PairMethod(
        "mover",
        _mover,
        citation=Citation(
            Work(("Newcombe",), 1998, "Stat. Med.", "17", "2635"),
            Work(("Zou", "Donner"), 2008, "Stat. Med.", "27", "1693"),
        ),
        text="the single intervals' limits joined with the correlation, which is shrunk by z²/2 independent rows",
        avoid="a guaranteed level is required: it may cover a point or two less; with models that nearly always agree "
        "it is cautious",
    ),
    PairMethod(
        "wald",
        _wald,
        aliases=("delta",),
        textbook=True,
        citation=Citation(Work(("Takahashi", "others"), 2023, "Stat. Med.", "42", "4177")),
        text="b − a ± z · standard error of the difference, from the influence of each row",
        avoid="fewer than a few hundred rows, or models that nearly always agree: it falls far short",
    ),
    PairMethod(
        "tango",
        _tango,
        _discordant_difference,
        aliases=("score",),
        citation=Citation(Work(("Tango",), 1998, "Stat. Med.", "17", "891")),
        text="all differences of two shares that a score test does not reject",
        avoid="metrics whose denominator depends on the predictions (precision, F1)",
    ),
    PairMethod(
        "mcnemar",
        _mcnemar(mid=False),
        _discordant_difference,
        aliases=("exact",),
        citation=Citation(Work(("McNemar",), 1947, "Psychometrika", "12", "153")),
        text="exact binomial test on the rows that only one model gets right; Tango's interval beside it",
        avoid="power matters: it is conservative",
    ),
    PairMethod(
        "mid-p",
        _mcnemar(mid=True),
        _discordant_difference,
        citation=Citation(Work(("Fagerland", "Lydersen", "Laake"), 2013, "BMC Med. Res. Methodol.", "13", "91")),
        text="McNemar's test with half the probability of the observed count; Tango's interval beside it",
        avoid="a guaranteed level is required",
    ),
    PairMethod(
        "bootstrap",
        _bootstrap,
        _one_table,
        options=Bootstrap(),
        citation=Citation(EFRON),
        text="BCa limits from 9999 resamples of the rows (or groups) that both models share",
        avoid="few rows that tell the models apart",
    ),
    PairMethod(
        "bayes",
        _bayes,
        _a_joint_table,
        options=Bayes(),
        citation=Citation(Work(("Altham",), 1971, "Biometrika", "58", "561"), GOUTTE),
        text="posterior of the joint table (truth, a, b): exact for accuracy, recall and specificity",
        avoid="few rows and many classes: the prior then weighs much",
    ),
)


def check_single(single: Any, method: str) -> None:
    """Refuse an interval method of one model where no such limits are joined."""
    joins = PAIR_METHODS[0].name
    if single is not None and method != joins:
        raise MethodError(
            f"{arg('single')} is {getattr(single, 'name', single)!r}, but method is {method!r}: only {joins!r} joins "
            f"the limits of single models; leave {setting('single')} out, or choose {setting('method', joins)}"
        )


def named_pair_method(method: Any) -> PairMethod:
    """Return the comparison method of a name, of an object with options, or the default."""
    known = {name: entry for entry in PAIR_METHODS for name in (entry.name, *entry.aliases)}
    if method is None:
        return PAIR_METHODS[0]
    if isinstance(method, PairMethod):
        return method
    if isinstance(method, Bootstrap):
        return PairMethod("bootstrap", _bootstrap, _one_table, options=method)
    if isinstance(method, Bayes):
        return PairMethod("bayes", _bayes, _a_joint_table, options=method)
    if not isinstance(method, str):
        raise MethodError(not_a_method(method, (entry.name for entry in PAIR_METHODS)))
    key = method.strip().lower().replace("_", "-")
    if key not in known:
        raise MethodError(
            f"method {method!r} does not compare two models.{nearest(key, known)} These do: "
            f"{quoted(entry.name for entry in PAIR_METHODS)}; intervals of one model are named by {setting('single')}"
        )
    return known[key]
