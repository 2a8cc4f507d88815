"""What one expects to see: shares of a confusion matrix from rates such as precision and recall, or a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from howsure.errors import InputError, MetricError, among, check_number, check_whole, quoted
from howsure.errors.messages import planning as messages
from howsure.metrics.gradient import moments
from howsure.metrics.metric import Metric, selection_of
from howsure.metrics.names import named
from howsure.numerics.solving import bracketed_root
from howsure.types import Array

SHARES = ("prevalence", "predicted")
RATES = ("precision", "recall", "specificity", "npv")
SMALL = 1e-12  # below it a coefficient is the rounding of a rate that was typed


def share_between(name: str, value: float | None) -> float | None:
    """Return a share strictly between 0 and 1, or None; refuse anything else."""
    rule = messages.STRICTLY_BETWEEN_0_AND_1()
    return None if value is None else check_number(name, value, rule, above=0, below=1)


def rate_between(name: str, value: float | None) -> float | None:
    """Return a rate above 0 and up to 1 (a perfect score may be expected), or None; refuse anything else."""
    return None if value is None else check_number(name, value, messages.LIE_ABOVE_0(), above=0, most=1)


@dataclass(frozen=True)
class Expected:
    """The performance one expects: shares and rates of a confusion matrix, or the planned metric's own value.

    ``classes`` is the number of classes of a metric over several: equally frequent, and told apart equally well.
    """

    prevalence: float | None = None
    predicted: float | None = None
    precision: float | None = None
    recall: float | None = None
    specificity: float | None = None
    npv: float | None = None
    value: float | None = None
    classes: int | None = None

    def __post_init__(self) -> None:
        for name in SHARES:
            share_between(name, getattr(self, name))
        for name in RATES:
            rate_between(name, getattr(self, name))
        if self.classes is not None:
            check_whole("classes", self.classes, 2)

    @property
    def given(self) -> dict[str, float]:
        """The shares and rates that were given."""
        return {name: getattr(self, name) for name in (*SHARES, *RATES) if getattr(self, name) is not None}

    @property
    def performance(self) -> list[str]:
        """Names of what says how good the classifier is, beyond the shares of its margins."""
        return [name for name in (*RATES, "value") if getattr(self, name) is not None]

    def but(self, rates: Mapping[str, float | None]) -> Expected:
        """Return the same with other rates, where they are given."""
        return Expected(**self.given | {name: rate for name, rate in rates.items() if rate is not None})  # type: ignore[arg-type]

    def shares(self, metric: Metric | None = None) -> Array | None:
        """Return the confusion matrix as shares, truth in rows, or None where no performance is given.

        Each rate is a linear equation in the four cells, so any three independent ones fix them. Two may do for a
        metric that does not care about the rest: recall at a prevalence, precision at a share predicted positive.
        The metric's own value is one equation more; where that is too few, as many false positives as false
        negatives are expected.
        """
        if self.value is not None and metric is not None:
            return self._shares_of_value(metric, self.value)
        given = self.given
        if not set(given) & set(RATES):
            return None
        cells, free = _solution(given)
        if free:
            cells = _completed(cells, free, metric, given)
        return _checked(cells, given)

    def fixes_prevalence(self) -> bool:
        """Say whether the rates given fix the share of positives: two may fix the metric and leave that share open."""
        if self.value is not None:
            return self.prevalence is not None
        return all(abs(direction[0] + direction[2]) < SMALL for direction in _solution(self.given)[1])

    def words(self, metric: Metric) -> str:
        """Return what is expected, in words: a rate that is the metric itself by the name that was asked for."""
        names = {"predicted": "share predicted positive", "npv": "negative predictive value"}
        names[metric.canonical] = metric.name
        said = [f"{names.get(name, name)} {value:g}" for name, value in self.given.items()]
        said += [f"{self.classes} classes of equal size"] if self.classes is not None else []
        if self.value is not None:
            said.append(f"{metric.name} {self.value:g}")
        if self.value is not None and self.classes is None and len(self.given) == 1:
            said.append("as many false positives as false negatives")
        return ", ".join(said)

    def _shares_of_value(self, metric: Metric, value: float) -> Array:
        check_number(metric.name, value, _range_rule(metric), least=metric.range[0], most=metric.range[1])
        if self.classes is not None:
            return _even_classes(metric, value, self.classes)
        given = self.given
        if not given and counts_all_rows(metric):
            return _right_or_wrong(metric, value)
        cells, free = _solution(given)
        alike = len(free) == 2 and "prevalence" in given
        if alike:
            cells, free = _solution(given, alike=True)
        if len(free) != 1:
            what = messages.TOO_LITTLE() if free else messages.TOO_MUCH()
            raise InputError(
                messages.SAYS_ABOUT_CONFUSION_MATRIX(
                    metric=metric.name, value=value, words=" with " + _words(given) if given else "", what=what
                )
            )
        said = _words(given) + (" and as many false positives as false negatives" if alike else "")
        return _checked(_at_value(metric, value, cells, free[0], said), {})


def own_value(metric: Metric, own: Mapping[str, Any]) -> float | None:
    """Return the value that is expected of the metric itself, given by its own name: ``accuracy=0.85``."""
    found = None
    for name, value in own.items():
        try:
            other = named(name)
        except MetricError:
            raise TypeError(messages.NO_ARGUMENT_NOR_METRIC_OF_NAME(name=name)) from None
        if other.canonical != metric.canonical:
            raise InputError(messages.BUT_PLAN_GIVE_WHAT_YOU_EXPECT(name=name, value=value, metric=metric.name))
        found = check_number(name, value, _range_rule(metric), least=metric.range[0], most=metric.range[1])
    return found


def counts_all_rows(metric: Metric) -> bool:
    """Say whether a metric is the share of all rows that are right, or a function of it."""
    return metric.share is not None and {*metric.share.success, *metric.share.failure} == {"hits", "misses"}


def _right_or_wrong(metric: Metric, value: float) -> Array:
    """Return the table of one class in which the share of right rows is what the metric's value says."""
    assert metric.share is not None
    share = float(metric.share.unlink(value))
    right = share if "hits" in metric.share.success else 1 - share
    return np.array([[0.0, 0.0], [1 - right, right]])


def _range_rule(metric: Metric) -> str:
    low, high = metric.range
    return f"{metric.name} lies between {low:g} and {high:g}"


def _checked(cells: Array, given: Mapping[str, float]) -> Array:
    """Return [[tn, fp], [fn, tp]] of the cells tp, fp, fn, tn, which must be shares and solve the equations."""
    system = _system(given)
    right = np.array([1.0, *(value if name in SHARES else 0.0 for name, value in given.items())])
    if np.abs(system @ cells - right).max() > 1e-6 or cells.min() < -1e-9:
        raise InputError(messages.NO_CLASSIFIER_CHANGE_ONE_OF_THEM(words=_words(given), why=_why(cells, system, right)))
    tp, fp, fn, tn = np.maximum(cells, 0.0)
    return np.array([[tn, fp], [fn, tp]])


def _even_classes(metric: Metric, value: float, classes: int) -> Array:
    """Return K classes of equal size, each right equally often and wrong evenly, at which the metric has its value."""

    def matrix(right: float) -> Array:
        made = np.full((classes, classes), (1 - right) / (classes * (classes - 1)))
        np.fill_diagonal(made, right / classes)
        return made

    def gap(right: float) -> float:
        return _value(metric, matrix(right)) - value

    if gap(1.0) == 0:
        return matrix(1.0)
    if not gap(1 / classes) * gap(1.0) < 0:
        raise InputError(messages.WITH_CLASSES_OF_EQUAL_SIZE(metric=metric.name, value=value, classes=classes))
    return matrix(round(bracketed_root(gap, 1 / classes, 1.0), 12))


def _at_value(metric: Metric, value: float, cells: Array, along: Array, said: str) -> Array:
    """Return the solution on a line of solutions at which the metric has its value."""
    ends = _reach(cells, along)

    def gap(part: float) -> float:
        assert ends is not None
        tp, fp, fn, tn = np.maximum(cells + along * (ends[0] + part * (ends[1] - ends[0])), 0.0)
        return _value(metric, np.array([[tn, fp], [fn, tp]])) - value

    tried = [] if ends is None else [(part, gap(part)) for part in np.linspace(0.0, 1.0, 33).tolist()]
    hit = [part for part, size in tried if abs(size) < SMALL]
    between = [(a, b) for (a, x), (b, y) in pairwise(tried) if x * y < 0]
    if ends is None or not (hit or between):
        raise InputError(
            messages.NO_CLASSIFIER_CHANGE_ONE_OF_THEM_OR_GIVE_PRECISION(metric=metric.name, value=value, said=said)
        )
    part = hit[-1] if hit else round(bracketed_root(gap, *between[-1]), 12)
    return np.asarray(cells + along * (ends[0] + part * (ends[1] - ends[0])))


def _value(metric: Metric, shares: Array) -> float:
    labels = tuple(range(len(shares)))
    found = moments(metric, shares, selection=selection_of(metric, labels, 1 if len(shares) == 2 else None))
    return float(found.value)


def _system(given: Mapping[str, float]) -> Array:
    """Return the left sides of the equations: the cells add up to 1, and each rate is one more."""
    return np.array([[1.0, 1.0, 1.0, 1.0], *(_equation(name, value) for name, value in given.items())], dtype=float)


def _solution(given: Mapping[str, float], *, alike: bool = False) -> tuple[Array, list[Array]]:
    """Return one solution of the equations, and the directions in which it is free.

    Elimination in fractions of the numbers as they are typed: the cells are the same to the last bit on every
    processor, so that tables drawn from them are too. An equation that follows from those before it is passed over;
    whether it contradicts them is for the caller to see. ``alike`` adds that the two kinds of error are as frequent.
    """
    exact = {name: Fraction(repr(float(value))) for name, value in given.items()}
    rows = [[*map(Fraction, (1, 1, 1, 1, 1))]]
    rows += [[*map(Fraction, _equation(name, value)), value * (name in SHARES)] for name, value in exact.items()]
    rows += [[*map(Fraction, (0, 1, -1, 0, 0))]] if alike else []
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
    raise InputError(messages.PERFORMANCE_YOU_EXPECT_IS_NOT_COMPLETE(given=quoted(given), missing=among(missing)))


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
