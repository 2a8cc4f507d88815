"""What one expects to see: shares of a confusion matrix from rates such as precision and recall, or from a pilot.

For two models: the joint shares of (truth, a, b) from two performances and how often they agree.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from howsure.errors import InputError, among, arg, check_number, numbers_of, quoted
from howsure.metrics.gradient import moments
from howsure.metrics.metric import Metric, selection_of
from howsure.tables.population import Population, population_of
from howsure.tables.table import Table
from howsure.types import Array

SHARES = ("prevalence", "predicted")
RATES = ("precision", "recall", "specificity", "npv")
SMALL = 1e-12  # below it a coefficient is the rounding of a rate that was typed
PILOTS = "give a Table, a file of predictions, dict(tp=…, fp=…, fn=…, tn=…), or a K×K matrix with truth in rows"
Known = Mapping[str, float | None]


def share_between(name: str, value: float | None) -> float | None:
    """Return a share strictly between 0 and 1, or None; refuse anything else."""
    rule = "it must lie strictly between 0 and 1"
    return None if value is None else check_number(name, value, rule, above=0, below=1)


def beside_pilot(name: str) -> InputError:
    """Return the refusal of a rate that is given beside a pilot."""
    return InputError(f"{arg('pilot')} and {name} were both given; the pilot says what to expect, so leave {name} out")


def rate_between(name: str, value: float | None) -> float | None:
    """Return a rate above 0 and up to 1 (a perfect score may be expected), or None; refuse anything else."""
    return None if value is None else check_number(name, value, "it must lie above 0 and be at most 1", above=0, most=1)


def known_rates(**given: float | None) -> dict[str, float | None]:
    """Return what was given of the confusion matrix, checked; a share that is not given is None."""
    return {
        name: (share_between if name in SHARES else rate_between)(name, given.get(name)) for name in (*SHARES, *RATES)
    }


def anticipated_shares(known: Known, metric: Metric | None = None) -> Array | None:
    """Return [[tn, fp], [fn, tp]] as shares, or None where no performance is given.

    Each rate is a linear equation in the four cells, so any three independent ones fix them. Two may do for a metric
    that does not care about the rest: recall at a prevalence, precision at a share predicted positive.
    """
    given = {name: value for name, value in known.items() if value is not None}
    if not set(given) & set(RATES):
        return None
    system = _system(given)
    right = np.array([1.0, *(value if name in SHARES else 0.0 for name, value in given.items())])
    cells, free = _solution(given)
    if free:
        cells = _completed(cells, free, metric, given)
    if np.abs(system @ cells - right).max() > 1e-6 or cells.min() < -1e-9:
        raise InputError(
            f"no classifier has {_words(given)}: {_why(cells, system, right)}; change one of them, or leave one out"
        )
    tp, fp, fn, tn = np.maximum(cells, 0.0)
    return np.array([[tn, fp], [fn, tp]])


def fixes_prevalence(known: Known) -> bool:
    """Say whether the rates given fix the share of positives: two may fix the metric and leave that share open."""
    _, free = _solution({name: value for name, value in known.items() if value is not None})
    return all(abs(direction[0] + direction[2]) < SMALL for direction in free)


def _system(given: Mapping[str, float]) -> Array:
    """Return the left sides of the equations: the cells add up to 1, and each rate is one more."""
    return np.array([[1.0, 1.0, 1.0, 1.0], *(_equation(name, value) for name, value in given.items())], dtype=float)


def _solution(given: Mapping[str, float]) -> tuple[Array, list[Array]]:
    """Return one solution of the equations, and the directions in which it is free.

    Elimination in fractions of the numbers as they are typed: the cells are the same to the last bit on every
    processor, so that tables drawn from them are too. An equation that follows from those before it is passed over;
    whether it contradicts them is for the caller to see.
    """
    exact = {name: Fraction(repr(float(value))) for name, value in given.items()}
    rows = [[*map(Fraction, (1, 1, 1, 1, 1))]]
    rows += [[*map(Fraction, _equation(name, value)), value * (name in SHARES)] for name, value in exact.items()]
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        for place, pivot in pivots.items():
            row = _less(row, pivot, row[place])
        place = max(range(4), key=lambda cell: abs(row[cell]))
        if abs(row[place]) > SMALL:
            row = [entry / row[place] for entry in row]
            pivots = {at: _less(pivot, row, pivot[place]) for at, pivot in pivots.items()} | {place: row}
    free = [cell for cell in range(4) if cell not in pivots]
    cells = np.array([float(pivots[cell][4]) if cell in pivots else 0.0 for cell in range(4)])
    return cells, [_direction(pivots, cell) for cell in free]


def _less(row: list[Fraction], pivot: list[Fraction], times: Fraction) -> list[Fraction]:
    return [entry - times * other for entry, other in zip(row, pivot, strict=True)]


def _direction(pivots: Mapping[int, list[Fraction]], free: int) -> Array:
    """Return how the cells move when the free one grows by 1."""
    return np.array([float(cell == free) if cell not in pivots else -float(pivots[cell][free]) for cell in range(4)])


def _equation(name: str, value: Any) -> list[Any]:
    """Return the coefficients of tp, fp, fn, tn."""
    return {
        "prevalence": [1, 0, 1, 0],
        "predicted": [1, 1, 0, 0],
        "precision": [1 - value, -value, 0, 0],
        "recall": [1 - value, 0, -value, 0],
        "specificity": [0, -value, 0, 1 - value],
        "npv": [0, 0, -value, 1 - value],
    }[name]


def _words(given: Mapping[str, float]) -> str:
    names = {"predicted": "a share predicted positive of"}
    return " and ".join(f"{names.get(name, name)} {value:g}" for name, value in given.items())


def _why(cells: Array, system: Array, right: Array) -> str:
    if np.abs(system @ cells - right).max() > 1e-6:
        return "they contradict each other"
    place = int(np.argmin(cells))
    name = ("true positives", "false positives", "false negatives", "true negatives")[place]
    return f"the share of {name} would be {cells[place]:.4g}"


def _completed(cells: Array, free: Sequence[Array], metric: Metric | None, given: Mapping[str, float]) -> Array:
    """Return one solution of too few equations, if every solution tells the same of the metric."""
    if len(free) == 1 and metric is not None:
        along = free[0]
        ends = _reach(cells, along)
        if ends is not None:
            tried = [cells + along * (ends[0] + part * (ends[1] - ends[0])) for part in (0.3, 0.7)]
            seen = np.array([_moments(metric, one) for one in tried])
            if np.isfinite(seen).all() and np.allclose(seen[0], seen[1], rtol=1e-9, atol=1e-12):
                return np.asarray((tried[0] + tried[1]) / 2)
    missing = [name for name in (*SHARES, *RATES) if name not in given]
    raise InputError(
        f"the performance you expect is not complete: {quoted(given)} leave it open; give prevalence, recall and "
        f"precision, or add one of {among(missing)}"
    )


def _reach(cells: Array, along: Array) -> tuple[float, float] | None:
    """Return how far one may go along a direction, both ways, before a cell becomes negative."""
    moves = np.abs(along) > SMALL
    if (cells[~moves] < -1e-9).any():
        return None
    steps = -cells[moves] / along[moves]
    low = float(np.max(steps[along[moves] > 0], initial=-np.inf))
    high = float(np.min(steps[along[moves] < 0], initial=np.inf))
    return (low, high) if low < high else None


def _moments(metric: Metric, cells: Array) -> tuple[float, float]:
    tp, fp, fn, tn = np.maximum(cells, 0.0)
    found = moments(metric, np.array([[tn, fp], [fn, tp]]), selection=selection_of(metric, (0, 1), 1))
    return float(found.value), float(found.variance)


# --- pilots ----------------------------------------------------------------------------------------------------------


def pilot_table(pilot: Any) -> Table:
    """Return a pilot as a table of one model: a Table, a file of predictions, counts tp fp fn tn, or a K×K matrix."""
    from howsure.sources.kinds.counts import counts, matrix

    if isinstance(pilot, (str, os.PathLike)):
        from howsure.sources.read import read

        pilot = read(os.fspath(pilot))
    if isinstance(pilot, Table):
        return _one_model(pilot)
    if isinstance(pilot, Mapping):
        if not {"tp", "fp", "fn"} <= set(pilot) <= {"tp", "fp", "fn", "tn"}:
            raise InputError(
                f"{arg('pilot')} has the keys {quoted(pilot)}; counts are tp, fp, fn and perhaps tn: {PILOTS}"
            )
        return counts(**pilot)
    cells = numbers_of("pilot", pilot, PILOTS)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(f"{arg('pilot')} has the shape {cells.shape}; {PILOTS}")
    return matrix(pilot, rows="truth", pos_label=1 if len(pilot) == 2 else None)


def _one_model(pilot: Table) -> Table:
    if len(pilot.models) != 1:
        raise InputError(
            f"{arg('pilot')} holds {len(pilot.models)} models: {quoted(pilot.models)}; a plan is made from one: pick "
            "it with table.pick(name)"
        )
    return pilot


def has_matrix(table: Table) -> bool:
    """Say whether a table is a full confusion matrix of equally weighted rows, from which samples can be drawn."""
    single = table.contents.cross_table([], table.counts) is not None
    return single and table.negatives and not table.weighted


def pilot_population(table: Table, prevalence: float | None) -> Population:
    """Return the shares of a pilot, moved to another prevalence where one is given (recall and specificity stay)."""
    source = population_of(table)
    if prevalence is None:
        return source
    if source.positive is None or source.classes != 2:
        raise InputError(
            f"{arg('prevalence')} is {prevalence:g}, but the pilot has {source.classes} classes and no positive one; "
            "leave prevalence out"
        )
    place = source.labels.index(source.positive)
    target = np.full(2, 1 - prevalence)
    target[place] = prevalence
    actual = source.shares.sum(1)
    if (actual == 0).any():
        raise InputError(
            f"{arg('pilot')} holds one true class alone; it says nothing about the other, so give one with both"
        )
    return Population(source.shares * (target / actual)[:, None], source.positive, source.labels, source.name)


AgreementKind = Literal["opposed", "independent", "close"]
KINDS: tuple[AgreementKind, ...] = ("opposed", "independent", "close")


def paired_shares(first: Array, second: Array, agreement: float | None) -> Array:
    """Return shares[truth, a, b] of two models with 2×2 confusion shares ``first`` and ``second`` (truth in rows).

    Within each true class the models are joined between independence and the closest agreement their margins allow (or
    the least, where ``agreement`` is below that of independence), in one proportion for both classes, so that
    P(a = b) is ``agreement``. Without it: independence.
    """
    if not np.allclose(first.sum(1), second.sum(1), atol=1e-9):
        raise InputError("the two models see different shares of true classes; both must be on the same rows")
    opposed, apart, close = (_joined(first, second, kind) for kind in KINDS)
    if agreement is None:
        return apart
    least, middle, most = (float(np.einsum("zkk->", shares)) for shares in (opposed, apart, close))
    if not least - 1e-9 <= agreement <= most + 1e-9:
        raise InputError(
            f"{arg('agreement')} is {agreement!r}; with these performances it lies between {least:.4f} (errors apart "
            f"as far as possible) and {most:.4f} (errors shared as far as possible)"
        )
    end, limit = (close, most) if agreement >= middle else (opposed, least)
    part = 0.0 if limit == middle else float(np.clip((agreement - middle) / (limit - middle), 0.0, 1.0))
    return (1 - part) * apart + part * end


def _joined(first: Array, second: Array, kind: AgreementKind) -> Array:
    """Return the joint shares with these margins; both-positive is all there is to choose (Fréchet's bounds)."""
    shares = np.zeros((2, 2, 2))
    for truth in range(2):
        mass, a, b = first[truth].sum(), first[truth, 1], second[truth, 1]
        if mass > 0:
            both = {"opposed": max(0.0, a + b - mass), "independent": a * b / mass, "close": min(a, b)}[kind]
            shares[truth] = [[mass - a - b + both, b - both], [a - both, both]]
    return np.maximum(shares, 0.0)
