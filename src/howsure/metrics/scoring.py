"""Scoring: a metric of scores, its value and influences at given weights; and how scores are cut for labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.metrics.metric import Metric

BLOCK = 1 << 14
CutKind = Literal["threshold", "best", "where", "argmax", "coverage"]


class ScoreInfluence(Protocol):
    """Influences that depend on the score and the class alone: sums over rows are known without those of each row."""

    @property
    def of_rows(self) -> Array:
        """The influence of each row, found when somebody asks."""
        ...

    @property
    def squares(self) -> tuple[float, float]:
        """Σ w φ² over the positives, and over the negatives."""
        ...

    @property
    def sizes(self) -> tuple[float, float]:
        """The weight of the positives, and of the negatives."""
        ...


@dataclass(frozen=True, eq=False)
class LevelInfluence:
    """The influence of a positive and of a negative at each distinct score.

    ``positives`` and ``negatives`` are the weights there. Sums over rows are sums over levels, for which rows need not
    be put in order.
    """

    rows: ScoreRows
    positives: Array
    negatives: Array
    of_positive: Array
    of_negative: Array

    @cached_property
    def of_rows(self) -> Array:
        """The influence of each row."""
        place = self.rows.runs.of_row
        return np.where(self.rows.positive, self.of_positive[place], self.of_negative[place])

    @cached_property
    def squares(self) -> tuple[float, float]:
        """Σ w φ² over the positives, and over the negatives."""
        pairs = ((self.positives, self.of_positive), (self.negatives, self.of_negative))
        first, second = (float(np.einsum("i,i,i->", weight, moved, moved)) for weight, moved in pairs)
        return first, second

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """The weight of the positives, and of the negatives."""
        return float(self.positives.sum()), float(self.negatives.sum())


class Found(NamedTuple):
    """A metric on scored rows: its value, how each row moves it (weighted mean zero), what else was found."""

    value: float
    moved: Array | ScoreInfluence
    details: Mapping[str, Any] = {}

    @property
    def influence(self) -> Array:
        """The influence of each row."""
        return self.moved if isinstance(self.moved, np.ndarray) else self.moved.of_rows


class Levels(NamedTuple):
    """The distinct scores in ascending order, and how many positives and negatives have each."""

    scores: Array
    positives: Array
    negatives: Array


class Runs(NamedTuple):
    """Rows in ascending order of their score: the order, where each run of equal scores begins, each row's run."""

    order: Ints
    starts: Ints
    of_row: Ints


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """Rows of one model: the true class, as a place among the classes, and a score, or one for each class.

    With one score a row the truth is 1 where the row is positive and 0 elsewhere.
    """

    truth: Ints
    scores: Array

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def positive(self) -> Array:
        """Whether each row is positive."""
        return np.asarray(self.truth == 1)

    @cached_property
    def runs(self) -> Runs:
        """The order of the rows by score, sorted once for all metrics."""
        order = np.argsort(self.scores)
        ordered = self.scores[order]
        new = np.empty(len(order), dtype=bool)
        new[:1] = True
        np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.cumsum(new) - 1
        return Runs(order, np.flatnonzero(new), place)

    @cached_property
    def counted(self) -> Levels:
        """The distinct scores with their rows, each row counting once."""
        return counted_levels(self.scores, self.positive)

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What was found of rows that count once, for those who ask again."""
        return {}

    def counts_once(self, weights: Array) -> bool:
        """Say whether each row counts once in a weighting."""
        return weights.ndim == 1 and len(weights) > 0 and weights.min() == 1.0 == weights.max()

    def sums(self, weights: Array) -> tuple[Array, Array]:
        """Return the weight of positives and of negatives in each run, in ascending order of the score (last axis)."""
        if self.counts_once(np.asarray(weights)):
            return self.counted.positives, self.counted.negatives
        order, starts, _ = self.runs
        ordered, positive = np.asarray(weights)[..., order], self.positive[order]
        parts = ordered * positive, ordered * ~positive
        if len(starts) == len(order):
            return parts
        first, second = (np.add.reduceat(part, starts, axis=-1) for part in parts)
        return first, second

    @cached_property
    def levels(self) -> Array:
        """The distinct scores in ascending order."""
        if "runs" not in self.__dict__:
            return self.counted.scores
        order, starts, _ = self.runs
        return self.scores[order[starts]]

    def of_class(self, place: int) -> ScoreRows:
        """Return one class against the rest."""
        return ScoreRows((self.truth == place).astype(np.int8), np.ascontiguousarray(self.scores[:, place]))


def in_blocks(size: int) -> Iterator[slice]:
    """Yield slices of a long axis whose working arrays stay in a cache: of 10⁷ scores a new array costs as much as
    what is done with it."""
    return (slice(start, start + BLOCK) for start in range(0, size, BLOCK))


def counted_levels(scores: Array, positive: Array) -> Levels:
    """Return the distinct scores and the rows of each class that have them.

    Sorting numbers takes half as long as finding the order of rows, so the class travels within the number: a double
    that is not negative has a free bit, that of its sign, and its bits are in the order of its value.
    """
    below = scores < 0
    if below.any():
        parts = [_with_class(-scores[below], positive[below]), _with_class(scores[~below], positive[~below])]
        (low, first), (high, second) = parts
        ordered, ones = np.concatenate([-low[::-1], high]), np.concatenate([first[::-1], second])
    else:
        ordered, ones = _with_class(scores, positive)
    new = np.empty(len(ordered), dtype=bool)
    new[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    if new.all():
        return Levels(ordered, ones, 1.0 - ones)
    starts = np.flatnonzero(new)
    ones = np.add.reduceat(ones, starts)
    return Levels(ordered[starts], ones, np.diff(starts, append=len(ordered)) - ones)


def _with_class(scores: Array, positive: Array) -> tuple[Array, Array]:
    """Return scores that are not negative in ascending order, and 1 for each that is of a positive, else 0."""
    keys = scores.view(np.uint64) << np.uint64(1)
    keys |= positive
    keys.sort()
    ones = np.empty(len(keys))
    for at in in_blocks(len(keys)):
        ones[at] = keys[at] & np.uint64(1)
        keys[at] >>= np.uint64(1)
    return keys.view(np.float64), ones


@dataclass(frozen=True)
class Scoring:
    """What a metric of scores is: its value and influences, and what its intervals and messages need to know.

    ``find`` gives both at weights of the rows; ``values_at`` the value alone at many weightings, where that is faster
    than one by one. ``ranked``: the metric depends on the order of the scores alone, so its variance is that within the
    two classes, each with n/(n − 1) (DeLong). ``mean``: it is a mean over rows, or solves a mean, so Student's t
    belongs to it. ``null`` makes the variance that the estimate would have at another value. ``probabilities``: scores
    must lie between 0 and 1. ``classes``: whether it is about two classes, several, or either. ``chance`` is its value
    for scores that know nothing, where that is the same for any data.
    """

    find: Callable[[ScoreRows, Array], Found]
    values_at: Callable[[ScoreRows, Array], Array] | None = None
    ranked: bool = False
    mean: bool = False
    null: Callable[[Worth], UnderNull] | None = None
    probabilities: bool = False
    classes: Literal["two", "several", "either"] = "two"
    chance: float | None = None
    wide: tuple[float, float] | None = None  # the range with several classes, where it is another
    few: int = 5  # rows of a class below which a note says that they are few
    parts: tuple[Any, ...] = field(default=())  # a smooth function of these, metrics or their names

    def at_each(self, rows: ScoreRows, weights: Array) -> Array:
        """Return the value at many weightings of the rows."""
        if self.values_at is not None:
            return self.values_at(rows, weights)
        return np.array([self.find(rows, one).value for one in weights])


class Worth(NamedTuple):
    """What the rows of an estimate are worth: its variance, and how many of each class there are.

    ``positives`` and ``negatives`` are numbers of rows that count alike (Kish 1965); ``units`` the same with groups
    counted as one row each, which is all that is known where no row moves the value. ``parts`` are the shares of the
    variance from positives and negatives, ``degrees`` those of the design, infinite for independent rows.
    """

    value: Any
    variance: Any
    positives: Any
    negatives: Any
    units: tuple[Any, Any]
    parts: tuple[Any, Any]
    degrees: Any = np.inf


class UnderNull(NamedTuple):
    """The variance of an estimate if another value were true, and the quantile that goes with it.

    The squared quantile is a mean of Student's t² on ``degrees`` and of z², t² with the weight ``estimated``.
    ``skewed``: near an end of the range the estimate is as skewed as a share of so many rows, so binomial tails belong
    to it.
    """

    variance: Callable[[Any], Array]
    degrees: Any = np.inf
    estimated: Any = 0.0
    skewed: bool = False


@dataclass(frozen=True)
class Cut:
    """How scores become labels for a metric of labels.

    "threshold": positive from ``value`` on; "best": where the metric is best on the same rows; "where": the best among
    the thresholds at which ``bound`` is at least ``value``; "argmax": the class with the highest score; "coverage": the
    share ``value`` of rows with the most confident answers.
    """

    kind: CutKind
    value: float = float("nan")
    bound: Metric | None = None
