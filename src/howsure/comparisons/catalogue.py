"""THE CATALOGUE OF COMPARISON METHODS: one entry each, an interval and a p-value for two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from howsure.comparisons.methods.discordant import (
    Outcomes,
    corrected_mcnemar_p,
    mcnemar_p,
    outcomes_of,
    tango_limits,
    tango_z,
)
from howsure.comparisons.methods.pair_method import PairFindings as PairFindings
from howsure.comparisons.methods.pair_method import PairMethod as PairMethod
from howsure.comparisons.methods.permutation import Permutation, swapped
from howsure.comparisons.methods.predictive_values import no_predictive_value, score_p, score_z
from howsure.comparisons.methods.requirements import a_joint_table, discordant_difference, one_table, sampled_runs
from howsure.comparisons.methods.tasks import PAIR_TASK_METHODS
from howsure.comparisons.pair import (
    Alternative,
    Pair,
    mover_limits,
    p_by_inversion,
    p_of,
    posterior_p,
    wald_limits,
    wald_p,
)
from howsure.errors import MethodError, nearest, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.methods.bootstrap import Bootstrap, bootstrap_values
from howsure.estimates.methods.credible import Bayes
from howsure.estimates.requirements import not_a_method
from howsure.estimates.tail import Tail
from howsure.metrics.metric import plugged
from howsure.results.base import Note, note_of
from howsure.results.citation import EFRON, GOUTTE, Citation, Work
from howsure.results.words import count

FEWEST = 100  # resamples that a quantile may rest on


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
    note = note_of("pair no width", "degenerate")
    return PairFindings(low, high, p=lambda null, side: wald_p(pair, null, side), notes=(note,) if flat else ())


def _crossed(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Take t for the spread between runs and z for the rows, square and add: d ± √(t² B + z² shared).

    Welch's degrees for t, or runs − 1 where models share their runs. See ``tables.sampling.crossed``.
    """
    return PairFindings(*wald_limits(pair, tail), p=lambda null, side: wald_p(pair, null, side))


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


def _mcnemar(name: str, test: Callable[..., float]) -> Callable[[Pair, Tail, Any], PairFindings]:
    """Return a form of McNemar's test with Tango's interval beside it: exact, mid-P, or chi-squared with correction.

    If both models are equally good, each of the x_a + x_b rows that only one gets right is a fair coin. The exact test
    keeps its level and is conservative, since counts are discrete; mid-P counts half the probability of the observed
    count, and comes nearer to the level at the price of the guarantee; the corrected chi-squared is near the exact
    test and no better, but many papers print it (Edwards 1948). The test speaks of no difference alone: for other
    nulls, and for the limits, Tango's score is used. McNemar (1947); Fagerland, Lydersen & Laake (2013).
    """

    def find(pair: Pair, tail: Tail, options: Any) -> PairFindings:
        held = _outcomes(pair)

        def p(side: Alternative) -> float:
            return test(held.only_a, held.only_b, alternative=side) if held.n else math.nan

        note = note_of("p of discordant", "method", test=name)
        return _tango(pair, tail, options).beside(p, name, elsewhere="tango", notes=(note,))

    return find


def _bayes(pair: Pair, tail: Tail, options: Bayes) -> PairFindings:
    """Take equal tails of the posterior of the difference, from one Dirichlet on (truth, a, b) (Altham 1971).

    In place of a p-value stands the posterior probability of the other side. With few rows and many classes the prior,
    2/K³ in each of K³ cells, weighs much.
    """
    from howsure.comparisons.methods.paired_posterior import posterior_of  # loaded for who asks for a posterior

    law = posterior_of(pair, options)
    low, high = law.limits(tail.probability)
    prior = "2/K³" if options.prior is None else f"{options.prior:g}"
    note = note_of("pair posterior", "bayes", prior=prior, how=law.how)
    error = law.error(tail.probability)
    seed = None if error is None else options.seed
    return PairFindings(
        low, high, lambda null, side: posterior_p(law.above(null), side), seed, error, (note,), "credible",
        "posterior tail",
    )  # fmt: skip


def _kosinski(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Test two predictive values by the weighted generalised score (Kosinski 2013), with mover's interval beside it.

    The variance is that under equal values, so it holds its level at few calls; ``score_z`` has the formula. It speaks
    of no difference alone, and of precision and npv alone.
    """
    p, notes = partial(score_p, score_z(pair)), (note_of("p of predictive values", "method"),)
    return _mover(pair, tail, None).beside(p, "weighted generalised score", elsewhere="mover", notes=notes)


def _permutation(pair: Pair, tail: Tail, options: Permutation) -> PairFindings:
    """Swap the models' answers with probability ½ and count how often the difference is as large (Noreen 1989).

    Exact where the swaps can be counted, which for accuracy makes it McNemar's exact test; otherwise drawn. It serves
    every metric and needs no variance, but speaks of no difference alone: limits and other nulls are mover's.
    """
    mover, found = _mover(pair, tail, None), swapped(pair, options)

    def p(side: Alternative) -> float:
        return found.p(side) if math.isfinite(found.observed) else mover.p(pair.nothing, side)

    note = note_of(
        "p of all swaps" if found.exact else "p of drawn swaps",
        "method",
        swaps=count(len(found.differences)),
        error=f"{found.error:.2g}",
    )
    seed = None if found.exact else options.seed
    return mover.beside(p, "permutation", elsewhere="mover", nothing=pair.nothing, seed=seed, notes=(note,))


def _bootstrap(pair: Pair, tail: Tail, options: Bootstrap) -> PairFindings:
    """Resample both models with the same draws of rows, or of groups, and take quantiles of the differences.

    The same draws for both keep the pairing. It fails where few rows tell the models apart: most resamples then give
    one of a few values. Efron (1987) JASA 82:171.
    """
    from howsure.comparisons.methods.resampled import Resampled

    values = [np.concatenate(list(bootstrap_values(linear, options))) for linear in (pair.a, pair.b)]
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = values[1] / values[0] if pair.kind == "ratio" else values[1] - values[0]
    kept = np.sort(draws[np.isfinite(draws)])
    lost = len(draws) - len(kept)
    notes: tuple[Note, ...] = ()
    if lost:
        notes = (note_of("pair resamples lost", "resamples", lost=count(lost), resamples=count(len(draws))),)
    if len(kept) < FEWEST or not math.isfinite(pair.difference):
        return PairFindings(math.nan, math.nan, lambda null, side: math.nan, options.seed, notes=notes)
    shape = Resampled.of(pair, kept, options)
    ends = [shape.quantile(p) for p in (tail.probability, 1 - tail.probability)]
    if ends[0][0] == ends[1][0]:
        notes += (note_of("pair resamples alike", "degenerate"),)
    return PairFindings(ends[0][0], ends[1][0], shape.p, options.seed, max(ends[0][1], ends[1][1]), notes)


PAIR_METHODS: tuple[PairMethod, ...] = (
    PairMethod(
        "mover",
        _mover,
        many=True,
        joins=True,
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
        many=True,
        citation=Citation(Work(("Takahashi", "others"), 2023, "Stat. Med.", "42", "4177")),
        text="b − a ± z · standard error of the difference, from the influence of each row",
        avoid="fewer than a few hundred rows, or models that nearly always agree: it falls far short",
    ),
    PairMethod(
        "crossed",
        _crossed,
        sampled_runs,
        many=True,
        over_runs=True,
        citation=Citation(
            Work(("Obuchowski", "Rockette"), 1995, "Commun. Stat. Simul. Comput.", "24", "285"),
            Work(("Gallas",), 2006, "Academic Radiology", "13", "353"),
        ),
        text="b − a ± half, half² = t² · variance between runs + z² · variance through rows; never below rows alone",
        avoid="two runs: the interval is then several times as long; a third run is worth more than any method",
    ),
    PairMethod(
        "tango",
        _tango,
        discordant_difference,
        aliases=("score",),
        citation=Citation(Work(("Tango",), 1998, "Stat. Med.", "17", "891")),
        text="all differences of two shares that a score test does not reject",
        avoid="metrics whose denominator depends on the predictions (precision, F1)",
    ),
    PairMethod(
        "mcnemar",
        _mcnemar("exact McNemar", mcnemar_p),
        discordant_difference,
        aliases=("exact",),
        citation=Citation(Work(("McNemar",), 1947, "Psychometrika", "12", "153")),
        text="exact binomial test on the rows that only one model gets right; Tango's interval beside it",
        avoid="power matters: it is conservative",
    ),
    PairMethod(
        "mid-p",
        _mcnemar("mid-P McNemar", partial(mcnemar_p, mid=True)),
        discordant_difference,
        citation=Citation(Work(("Fagerland", "Lydersen", "Laake"), 2013, "BMC Med. Res. Methodol.", "13", "91")),
        text="McNemar's test with half the probability of the observed count; Tango's interval beside it",
        avoid="a guaranteed level is required",
    ),
    PairMethod(
        "mcnemar-cc",
        _mcnemar("corrected McNemar", corrected_mcnemar_p),
        discordant_difference,
        aliases=("edwards",),
        citation=Citation(Work(("Edwards",), 1948, "Psychometrika", "13", "185")),
        text="McNemar's chi-squared with the correction for continuity; Tango's interval beside it",
        avoid="nothing asks for this very number: the exact test keeps its level, mid-P has more power",
    ),
    PairMethod(
        "kosinski",
        _kosinski,
        no_predictive_value,
        aliases=("weighted-generalised-score", "predictive-values"),
        citation=Citation(Work(("Kosinski",), 2013, "Stat. Med.", "32", "964")),
        text="weighted generalised score test of two predictive values (precision, npv); mover's interval beside it",
        avoid="any metric but precision and npv",
    ),
    PairMethod(
        "permutation",
        _permutation,
        one_table,
        aliases=("approximate-randomisation", "approximate-randomization", "randomisation", "randomization"),
        options=Permutation(),
        citation=Citation(Work(("Yeh",), 2000, "COLING", "", "947")),
        text="swaps the two models' answers row by row (or group by group): all swaps, or 9999 drawn; mover's interval",
        avoid="an interval is wanted: the test speaks of no difference alone",
    ),
    PairMethod(
        "bootstrap",
        _bootstrap,
        one_table,
        options=Bootstrap(),
        resamples=True,
        citation=Citation(EFRON),
        text="BCa limits from 9999 resamples of the rows (or groups) that both models share",
        avoid="few rows that tell the models apart",
    ),
    PairMethod(
        "bayes",
        _bayes,
        a_joint_table,
        options=Bayes(),
        citation=Citation(Work(("Altham",), 1971, "Biometrika", "58", "561"), GOUTTE),
        text="posterior of the joint table (truth, a, b): exact for accuracy, recall and specificity",
        avoid="few rows and many classes: the prior then weighs much",
    ),
    *PAIR_TASK_METHODS,
)


def chosen_pair_method(method: Any, pair: Pair) -> PairMethod:
    """Return the method asked for, or the default: joined limits; t over tasks, or t and z over runs, if sampled."""
    if method is not None:
        return named_pair_method(method)
    return usual_pair_method(
        tasks=pair.a.design.tasks_sampled and pair.kind == "difference", runs=pair.crossing is not None
    )


def usual_pair_method(*, tasks: bool, runs: bool) -> PairMethod:
    """Return the default method where tasks or runs are sampled, or neither."""
    if tasks:
        return next(entry for entry in PAIR_METHODS if entry.over_tasks)
    return next(entry for entry in PAIR_METHODS if (entry.over_runs if runs else entry.joins))


def check_single(single: Any, entry: PairMethod) -> None:
    """Refuse an interval method of one model where no such limits are joined."""
    joins = PAIR_METHODS[0]
    if single is not None and entry != joins:
        raise MethodError(
            messages.SINGLE_BUT_METHOD(single=getattr(single, "name", single), method=entry.name, joins=joins.name)
        )


def named_pair_method(method: Any) -> PairMethod:
    """Return the comparison method of a name, of an object with options, or the default."""
    known = {name: entry for entry in PAIR_METHODS for name in (entry.name, *entry.aliases)}
    if method is None:
        return PAIR_METHODS[0]
    if isinstance(method, PairMethod):
        return method
    for entry in PAIR_METHODS:
        if entry.options is not None and isinstance(method, type(entry.options)):
            return replace(entry, options=method)
    if not isinstance(method, str):
        raise MethodError(not_a_method(method, (entry.name for entry in PAIR_METHODS)))
    key = method.strip().lower().replace("_", "-")
    if key not in known and isinstance(plugged("pair_methods", key), PairMethod):
        return plugged("pair_methods", key)  # type: ignore[no-any-return]
    if key not in known:
        raise MethodError(
            messages.METHOD_DOES_NOT_COMPARE_TWO_MODELS(
                method=method, hint=nearest(key, known), pair_methods=quoted(entry.name for entry in PAIR_METHODS)
            )
        )
    return known[key]
