"""Pair methods over tasks: Student's t, weights by precision, and ranks, from the difference in each task."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from scipy.special import ndtr

from howsure.comparisons.methods.pair_method import PairFindings, PairMethod
from howsure.comparisons.pair import Alternative, Ends, Pair, meeting_point, p_by_inversion, p_of, posterior_p
from howsure.errors import check_number, check_seed, check_whole
from howsure.errors.messages import comparisons as messages
from howsure.estimates.methods.tasks import BY_PRECISION, COCHRAN, HARTUNG_KNAPP, without_precision
from howsure.estimates.tail import Tail, tail_at
from howsure.numerics.pooling.random_effects import Pooled, fixed_effect, hartung_knapp
from howsure.numerics.pooling.ranks import bayesian_signed_rank, signed_rank
from howsure.results.base import Note, note_of
from howsure.results.citation import Citation, Work
from howsure.tables.tasks.task_values import TaskValues, pooled_spread

RANKS_IGNORE = note_of("signed ranks ignore", "ranks")


@dataclass(frozen=True)
class SignedRanks:
    """Options of the Bayesian signed rank: the weight of the prior at no difference, draws of the process, seed."""

    prior: float = 0.5
    draws: int = 50_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("prior", self.prior, messages.FINITE_NUMBER_LARGER_THAN_0(), above=0)
        check_whole("draws", self.draws, 1000)
        check_seed(self.seed)


# --- what a method needs --------------------------------------------------------------------------------------------


def several_tasks(pair: Pair) -> str | None:
    """Say what lacks for a method over tasks."""
    if pair.kind == "ratio":
        return "it is about differences, not ratios"
    if pair.tasks is None:
        return "it needs several tasks: make the table with howsure.tasks"
    return None if len(pair.tasks.known.names) > 1 else "it needs two tasks or more in which the metric is defined"


def tasks_with_precision(pair: Pair) -> str | None:
    """Say what lacks for weights by precision: every task needs a variance."""
    why = several_tasks(pair)
    return why if why is not None or pair.tasks is None else without_precision(pair.tasks)


# --- the methods ----------------------------------------------------------------------------------------------------


def _known(pair: Pair) -> TaskValues:
    assert pair.tasks is not None
    return pair.tasks.known


def limits_over_tasks(pair: Pair, tail: Tail) -> Ends:
    """Return d̄ ± max(t·s/√K, z·se of the rows): tasks as a sample of tasks like these.

    s, the spread of the differences, holds the error of their rows already; the maximum forbids an interval shorter
    than rows alone allow. With weights of the tasks: Bell & McCaffrey's variance and degrees of freedom.
    """
    half = float(_known(pair).spread.half(tail))
    return pair.difference - half, pair.difference + half


def _t(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Take tasks as a sample of tasks like these: the mean difference ± Student's t on K − 1 degrees of freedom.

    Never shorter than the rows allow; ``limits_over_tasks`` has the formula. With fewer than five tasks an odd one may
    be among those not seen, and nothing can know. Student (1908) Biometrika 6:1.
    """
    se = float(_known(pair).spread.se)
    low, high = limits_over_tasks(pair, tail)
    return PairFindings(low, high, p=lambda null, side: p_by_inversion(pair, limits_over_tasks, null, side), se=se)


def _pooled(pool: Callable[..., Pooled], note: Note) -> Callable[[Pair, Tail, Any], PairFindings]:
    """Return a method that weighs tasks by precision, as a meta-analysis does."""

    def find(pair: Pair, tail: Tail, options: Any) -> PairFindings:
        held = _known(pair)
        found = pool(held.values, held.variances)
        spread = pooled_spread(found, held)
        half = float(spread.half(tail))

        def p(null: float, side: Alternative) -> float:
            gap = found.mean - null
            z = meeting_point(lambda z: abs(gap) - float(spread.half(tail_at(z))))
            return p_of(float(ndtr(-z)), gap >= 0, side)

        se = float(spread.se)
        return PairFindings(found.mean - half, found.mean + half, p, notes=(note,), difference=found.mean, se=se)

    return find


def _signed_rank(pair: Pair, tail: Tail, options: Any) -> PairFindings:
    """Test by Wilcoxon's signed ranks of the differences in the tasks, Student's t interval beside it.

    Under symmetric differences every sign of a rank is a fair coin; all signs are counted. It knows no rows, cannot
    reject with five tasks, and takes skew for a shift. Wilcoxon (1945); recommended for two models by Demšar (2006).
    """
    found = signed_rank(_known(pair).values)

    def p(side: Alternative) -> float:
        ends = {"greater": found.at_least, "less": found.at_most}
        return ends.get(side, min(1.0, 2 * min(ends.values())))

    how = "exact" if found.exact else "normal"
    return _t(pair, tail, None).beside(p, f"signed rank, {how}", elsewhere="t", notes=(RANKS_IGNORE,))


def _bayesian(pair: Pair, tail: Tail, options: SignedRanks) -> PairFindings:
    """Take the Bayesian signed rank's probabilities of worse, practically equal and better; t beside it.

    A Dirichlet process on the differences of the tasks: ``bayesian_signed_rank`` has the model. Between equal models it
    is 97.5 % sure of a winner in about one case of ten. Benavoli et al. (2017) JMLR 18:77.
    """
    sign = -1.0 if pair.metric.better == "lower" else 1.0
    chances = bayesian_signed_rank(
        sign * _known(pair).values, rope=pair.rope or 0.0, prior=options.prior, draws=options.draws, seed=options.seed
    )
    error = max(math.sqrt(one * (1 - one) / options.draws) for one in chances)
    above = chances[2] + chances[1] / 2 if sign > 0 else chances[0] + chances[1] / 2
    note = note_of(
        "signed ranks posterior", "bayes", prior=f"{options.prior:g}", draws=f"{options.draws:,}", error=f"{error:.2g}"
    )
    return _t(pair, tail, None).beside(
        partial(posterior_p, above), "posterior tail", elsewhere="t", seed=options.seed, notes=(note, RANKS_IGNORE),
        rope=chances,
    )  # fmt: skip


PAIR_TASK_METHODS: tuple[PairMethod, ...] = (
    PairMethod(
        "t",
        _t,
        several_tasks,
        aliases=("student", "tasks"),
        many=True,
        over_tasks=True,
        citation=Citation(Work(("Student",), 1908, "Biometrika", "6", "1")),
        text="mean difference over tasks ± Student's t on tasks − 1, never shorter than the rows allow",
        avoid="these very tasks are meant: then they are no sample, and rows alone are uncertain",
    ),
    PairMethod(
        "hartung-knapp",
        _pooled(hartung_knapp, BY_PRECISION),
        tasks_with_precision,
        aliases=("random-effects", "knha"),
        citation=HARTUNG_KNAPP,
        text="random effects: tasks weighted by precision, τ² by Paule and Mandel, t on tasks − 1",
        avoid="the mean of the benchmark is wanted, and large tasks differ from small ones",
    ),
    PairMethod(
        "fixed-effect",
        _pooled(fixed_effect, BY_PRECISION),
        tasks_with_precision,
        aliases=("common-effect", "inverse-variance"),
        citation=COCHRAN,
        text="one common difference: tasks weighted by the inverse of their variances",
        avoid="tasks differ: it takes all of them to measure the same",
    ),
    PairMethod(
        "signed-rank",
        _signed_rank,
        several_tasks,
        aliases=("wilcoxon",),
        citation=Citation(
            Work(("Wilcoxon",), 1945, "Biometrics Bulletin", "1", "80"), Work(("Demšar",), 2006, "JMLR", "7", "1")
        ),
        text="Wilcoxon's signed rank test of the differences in the tasks; Student's t interval beside it",
        avoid="fewer than six tasks, where it cannot reject; or an interval is wanted",
    ),
    PairMethod(
        "bayesian-signed-rank",
        _bayesian,
        several_tasks,
        aliases=("baycomp",),
        options=SignedRanks(),
        citation=Citation(Work(("Benavoli", "others"), 2017, "JMLR", "18", "77")),
        text="probabilities of worse, practically equal (rope) and better by a Dirichlet process over the tasks",
        avoid="a level must hold: between equal models it is 97.5 % sure of a winner in about one case of ten",
    ),
)
