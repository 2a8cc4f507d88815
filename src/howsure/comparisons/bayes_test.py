"""hs.bayes_test: the probabilities that model B is better than model A, and not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from howsure.comparisons.bayes_densities import independent_laws, joint_laws
from howsure.comparisons.bayes_probabilities import (
    Method,
    PosteriorFindings,
    Question,
    cube_prior,
    independent,
    joint_posterior,
)
from howsure.comparisons.compare import paired
from howsure.cross_validation.folds import Folds
from howsure.errors import (
    InputError,
    MethodError,
    check_number,
    check_seed,
    check_whole,
    quoted,
)
from howsure.errors.messages import comparisons as messages
from howsure.estimates.posterior import evidence_for, posterior
from howsure.estimates.tail import Tail
from howsure.metrics.names import MetricLike, named
from howsure.results.base import Note, note_of
from howsure.results.bayes_test import ACCEPT, BayesTest, Pairing
from howsure.tables.table import Table

WEIGHTED = note_of("weights in a posterior", "weights")


def bayes_test(
    a: Folds | Table,
    b: Folds | Table | None = None,
    metric: MetricLike = "f1",
    *,
    models: Sequence[str] | None = None,
    pairing: Pairing | None = None,
    prior: float | None = None,
    rope: float | None = None,
    level: float = 0.95,
    method: Method | None = None,
    draws: int | None = None,
    seed: int = 0,
) -> BayesTest:
    """Return the probabilities of H0: ν_B − ν_A ≤ 0 and H1: ν_B − ν_A > 0, and the paper's decision between them.

    Two Folds (or tables) have independent posteriors, as in the paper. One table of two models, or two Folds from one
    ``cross_validate`` with ``pairing="paired"``, share a Dirichlet on (truth, A, B): narrower when the models agree.
    ``models`` names A and B of a table with more than two. H0 is accepted if P(H0) ≥ P(H1), so identical models give
    exactly ½ and H0. ``rope`` adds the probability of a difference of at most that size.

    ``method`` "exact" is quadrature (absolute error below 1e-10), the default wherever both posteriors are closed;
    "monte-carlo" draws, as the paper does with 10⁶. ``draws`` says how many where any are made: without it 10⁶, or
    20,000 for the paired test of a Tversky index, where each draw leaves one cell to be integrated exactly. ``prior``
    is the mass per cell of each model's own table: without it 1 for independent shares (as in the paper), otherwise
    2/K² per cell of a K×K table.

    >>> from howsure import folds
    >>> a, b = folds([(2088, 154, 1058)] * 6), folds([(2075, 151, 1071)] * 6)
    >>> bayes_test(a, b, "recall")
    recall: model B − model A = −0.004, 95% credible interval −0.020 to +0.012; model B higher with probability 0.3032

    Source: Wang & Li (2019), eq. 31 and Algorithm 1 with lines 17 and 18 exchanged; Benavoli et al. (2017) for rope.
    """
    seed, draws = (
        check_seed(seed),
        None if draws is None else check_whole("draws", draws, 1000, messages.USUALLY_1000000()),
    )
    asked = Question(float(Tail(level).level), _checked_rope(rope), prior, method, draws, seed)
    _check_methods(method, pairing)
    named(metric).check_own_prevalence()
    first, second, joint, names = _sides(a, b, models, pairing)
    if joint is not None:
        _check_rows(joint)
        pair = paired(joint, metric, *names)
        found, mass = joint_posterior(pair, asked), cube_prior(pair, prior)[1]
        laws = partial(joint_laws, pair, asked)
        values = pair.a.value, pair.b.value
    else:
        held = [evidence_for(data, metric, model) for data, model in (first, second)]
        found, mass = independent(held[1], held[0], asked)
        laws = partial(independent_laws, held[1], held[0], asked)
        values = float(held[0].value), float(held[1].value)
    factors = tuple(data.factor if isinstance(data, Folds) else None for data, _ in (first, second))
    shared: dict[str, Any] = {"prior": mass, "draws": min(draws or 100_000, 1_000_000), "seed": seed}
    own = [posterior(data, metric, model=model, **shared).interval(level) for data, model in (first, second)]
    return BayesTest(
        metric=named(metric).name, a=names[0], b=names[1], p_h0=found.p_h0, p_h1=found.p_h1,
        decision=ACCEPT[found.p_h1 > found.p_h0], difference=found.mean, low=found.low, high=found.high, level=level,
        method=found.method, pairing="independent" if joint is None else "paired", prior=mass,
        value_a=values[0], value_b=values[1], interval_a=own[0], interval_b=own[1],
        factors=(factors[0], factors[1]), rope=rope,
        rope_probabilities=found.rope, better=named(metric).better, draws=found.draws,
        seed=seed if found.draws else None, error=found.error,
        notes=_notes(first[0], second[0], metric, joint, found, mass), laws=laws,
    )  # fmt: skip


ModelData = tuple[Folds | Table, str | None]


def _sides(
    a: Any, b: Any, models: Sequence[str] | None, pairing: Pairing | None
) -> tuple[ModelData, ModelData, Table | None, tuple[str, str]]:
    """Return both sides, the joint table if they are paired, and their names."""
    for name, data in (("a", a), ("b", b)):
        if not isinstance(data, (Folds, Table)) and not (name == "b" and data is None):
            raise InputError.of(name, data, messages.FOLDS_OR_TABLE())
    if b is None:
        if not isinstance(a, Table):
            raise InputError(messages.B_IS_MISSING())
        names = _two_of(a, models)
        return (a, names[0]), (a, names[1]), None if pairing == "independent" else a, names
    if models is not None:
        raise InputError(messages.MODELS_NAMES_TWO_MODELS())
    names = _names(a.model, b.model)
    if pairing != "paired":
        return (a, None), (b, None), None, names
    return (a, None), (b, None), _joint(a, b), names


def _two_of(table: Table, models: Sequence[str] | None) -> tuple[str, str]:
    chosen = table.models if models is None else (models,) if isinstance(models, str) else tuple(models)
    if len(chosen) != 2 or chosen[0] == chosen[1]:
        rule = messages.NAME_TWO_DIFFERENT_MODELS(models=quoted(table.models))
        raise InputError.of("models", chosen, rule)
    for name in chosen:
        table.model_index(name)
    return chosen[0], chosen[1]


def _names(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a != b else (f"{a} A", f"{b} B")


def _joint(a: Folds | Table, b: Folds | Table) -> Table:
    """Return the effective table of both models side by side."""
    if not (isinstance(a, Folds) and isinstance(b, Folds) and a.together and a.together is b.together):
        raise InputError(messages.PAIRING_IS_PAIRED_BUT_AND_B())
    if a.factor != b.factor:
        raise InputError(messages.FACTOR_OF_BUT_OF_B(factor=a.factor, other_factor=b.factor))
    both = [table.pick(a.model, b.model) for table in a.together]
    return sum(both[1:], start=both[0]).scaled(a.factor)


def _check_rows(joint: Table) -> None:
    """Refuse to pair what has no table of (truth, A, B)."""
    single = joint.contents.one_truth
    if not single or not joint.design.ungrouped or not joint.negatives:
        what = messages.ROWS_IN_GROUPS_OR_WITHOUT_TRUE() if single else messages.ROWS_WITH_SEVERAL_LABELS_OR_CHUNKS()
        raise MethodError(messages.PAIRING_IS_PAIRED_BUT_TABLE_HOLDS(what=what))


# --- what is said besides ----------------------------------------------------------------------------------------


def _notes(
    a: Folds | Table, b: Folds | Table, metric: MetricLike, joint: Table | None, found: PosteriorFindings, mass: float
) -> tuple[Note, ...]:
    notes = [*_factor_notes([data for data in (a, b) if isinstance(data, Folds)])]
    if joint is None:
        notes.append(note_of("posteriors independent", "independence"))
    if found.pulled > 0.05:
        notes.append(note_of("prior weighs", "prior", mass=f"{mass:g}", share=f"{found.pulled:.0%}"))
    tables = [data.pooled if isinstance(data, Folds) else data for data in (a, b)]
    if any(data.weighted for data in tables):
        notes.append(WEIGHTED)
    if not all(data.contents.known.all() for data in tables):
        notes.append(note_of("people's labels alone", "judge"))
    return (*notes, *_chunk_notes(a, b, metric))


def _factor_notes(sides: list[Folds]) -> list[Note]:
    most = max((side.times_the_data for side in sides), default=0.0)
    notes = list(dict.fromkeys(note for side in sides for note in side.notes))
    numbers = [len(side) for side in sides]
    if len(set(numbers)) > 1:
        notes.append(note_of("other folds", "folds", first=numbers[0], second=numbers[1]))
    if most > 1 + 1e-12:
        notes.append(note_of("factor repeats", "factor", times=f"{most:.3f}"))
    return notes


def _chunk_notes(a: Folds | Table, b: Folds | Table, metric: MetricLike) -> list[Note]:
    """Say by how much sentences or groups spread more than single counts would, where that was left out."""
    found = (evidence_for(data, metric).linear for data in (a, b) if isinstance(data, Folds))
    effects = [linear.design_effect for linear in found if linear is not None and math.isfinite(linear.degrees)]
    finite = [effect for effect in effects if math.isfinite(effect)]
    if not finite or max(finite) < 1.05:
        return []
    return [note_of("counts independent", "clusters", times=f"{max(finite):.2f}")]


def _checked_rope(rope: float | None) -> float | None:
    if rope is not None:
        check_number("rope", rope, messages.SMALL_NUMBER_ZERO_OR_LARGER(), least=0)
    return rope


def _check_methods(method: str | None, pairing: str | None) -> None:
    if method not in (None, "exact", "monte-carlo"):
        raise InputError.of("method", method, messages.EXACT_OR_MONTE_CARLO_OR_LEFT_OUT())
    if pairing not in (None, "independent", "paired"):
        raise InputError.of("pairing", pairing, messages.INDEPENDENT_OR_PAIRED_OR_LEFT_OUT())
