"""Metric: a named formula of the cells, with what else the methods may want to know of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache, cached_property
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import MetricError, arg, nearest, quoted, setting
from howsure.errors.messages import metrics as messages
from howsure.metrics.cells import Cells, Formula, cells_of_matrix
from howsure.metrics.scoring import Cut, Scoring
from howsure.types import Array

Label = int | bool | str
Over = Literal["class", "classes", "matrix", "row", "values", "scores"]
Better = Literal["higher", "lower"]
Average = Literal["macro", "micro", "weighted", "samples"]
ClassMean = Literal["arithmetic", "harmonic"]
# The cells of a share that no prediction can change the rows of, and which rows those are.
FIXED = (({"hits", "misses"}, "all"), ({"tp", "fn"}, "positive"), ({"tn", "fp"}, "negative"))


@dataclass(frozen=True, slots=True)
class Share:
    """A metric that is a share of cells under a link: u = success/(success+failure), M = u/(u + weight·(1−u)).

    weight 1 is the share itself; weight ½ turns the Jaccard share into F1 (Lam et al. 2024, eq. 14).
    """

    success: tuple[str, ...]
    failure: tuple[str, ...]
    _: KW_ONLY
    weight: float = 1.0

    @property
    def masses(self) -> tuple[float, float]:
        """How many cells successes and failures have for each cell of the side that has fewer: a prior's parts.

        1 and 2 for F1, whose failures are fp and fn; 1 and 1 for accuracy and for a prevalence, which has two cells on
        each side, so that a prior per cell means the same for every share of rows.
        """
        fewest = min(len(self.success), len(self.failure))
        return len(self.success) / fewest, len(self.failure) / fewest

    @property
    def fixed_rows(self) -> str | None:
        """Which rows it is a share of, where no prediction can change that: "all", "positive" or "negative"."""
        return next((name for cells, name in FIXED if {*self.success, *self.failure} == cells), None)

    def link(self, share: Any) -> Any:
        """Return the metric's value for a share; increasing."""
        share = share if isinstance(share, float) else np.asarray(share, dtype=float)
        return share if self.weight == 1.0 else share / (share + self.weight * (1.0 - share))

    def unlink(self, value: Any) -> Any:
        """Return the share for a value of the metric."""
        value = np.asarray(value, dtype=float)
        return value if self.weight == 1.0 else self.weight * value / (1.0 - value + self.weight * value)

    def slope(self, value: Any) -> Any:
        """Return how steeply the share moves with the metric at a value of the metric."""
        return self.weight / np.square(1.0 - value + self.weight * np.asarray(value, dtype=float))


@dataclass(frozen=True)
class Metric:
    """A formula of the cells, and what else is known of it.

    ``over`` says what the formula sees: one ``class`` against the rest (then the positive class, or any class
    in an average), all ``classes``, the whole ``matrix``, the counts of one multi-label ``row``, or the mean of row
    ``values``. On a table of sums per unit a formula sees those sums by their names.
    ``average`` says which mean over classes (or rows) it is, if it is one. ``class_mean`` says that it is the plain
    mean over classes of the one metric in ``per_class``, or the harmonic mean of such plain means. ``scoring`` is what
    a metric over ``scores`` has in place of a formula of cells, ``cut`` how scores become labels for a metric of
    labels, as in "f1@0.5". ``prior`` is the prevalence that it is asked at, as in "f1@prevalence=0.02".
    ``name`` is the one that was asked for, ``canonical`` the catalogue's: "cosine" is "fowlkes_mallows" there.
    ``quotient`` names two shares of different rows whose ratio the metric is, ``larger`` two of which it is the larger.
    A formula may use + − × ÷, powers, numpy's analytic functions, and ``howsure.smaller`` for a minimum.

    >>> Metric("mine", lambda c: (c.tp + c.tn) / c.total).needs_tn
    True
    """

    name: str
    formula: Formula
    over: Over = "class"
    range: tuple[float, float] = (0.0, 1.0)
    better: Better | None = "higher"
    share: Share | None = None
    tversky: tuple[float, float] | None = None
    quotient: tuple[Share, Share] | None = None
    larger: tuple[Share, Share] | None = None
    scores: Callable[[int], Array] | None = None
    aliases: tuple[str, ...] = ()
    text: str = ""
    title: str = ""
    label: Label | None = None
    classes: tuple[Label, ...] | None = None
    without: tuple[Label, ...] = ()
    per_class: tuple[Metric, ...] = ()
    average: Average | None = None
    class_mean: ClassMean | None = None
    kink: Formula | None = None
    scoring: Scoring | None = None
    cut: Cut | None = None
    prior: float | None = None
    canonical: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise MetricError(messages.NAME_OF_METRIC_MUST_BE_NON_EMPTY(name=self.name))
        if not callable(self.formula):
            raise MetricError(messages.FORMULA_OF_METRIC_MUST_BE_FUNCTION(name=self.name, formula=self.formula))
        if self.over not in ("class", "classes", "matrix", "row", "values", *(("scores",) if self.scoring else ())):
            raise MetricError(messages.OVER_OF_METRIC(name=self.name, over=self.over))
        if not _is_range(self.range):
            raise MetricError(messages.RANGE_OF_METRIC(name=self.name, range=self.range))
        if self.better not in ("higher", "lower", None):
            raise MetricError(messages.BETTER_OF_METRIC(name=self.name, better=self.better))
        object.__setattr__(self, "canonical", self.canonical or self.name)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """The hash of all fields, found once: a metric is looked up in every estimate."""
        return hash(tuple(getattr(self, one.name) for one in fields(self)))

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields without the hash, which texts have anew in each process."""
        return {name: value for name, value in vars(self).items() if name != "_hash"}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every name that the metric has: as asked for, in the catalogue, and its aliases."""
        return tuple(dict.fromkeys((self.name, self.canonical, *self.aliases)))

    def check_value(self, value: float) -> None:
        """Refuse a value outside the range: limits made for the range would cut it off."""
        bottom, top = self.range
        slack = 1e-9 * max(1.0, abs(value))
        if bottom - value > slack or value - top > slack:
            raise MetricError(
                messages.METRIC_HERE_AND_RANGE_IS_SAID(name=self.name, value=value, bottom=bottom, top=top)
            )

    def as_share(self, value: Any) -> tuple[Any, Any]:
        """Return a value as a share, and how steeply that moves with it: F1 as Jaccard's, others by their range."""
        if self.share is not None:
            return self.share.unlink(value), self.share.slope(value)
        bottom, top = self.range
        return (value - bottom) / (top - bottom), 1 / (top - bottom)

    def check_own_prevalence(self) -> Metric:
        """Return the metric; refuse one at another prevalence, where rows are not weighted to it."""
        if self.prior is not None:
            bare = self.name.partition("@prevalence")[0]
            raise MetricError(messages.METRIC_IS_ABOUT_ANOTHER_PREVALENCE(name=self.name, bare=bare))
        return self

    @cached_property
    def needs_tn(self) -> bool:
        """Whether the value changes with the number of true negatives: found by hiding them once."""
        if self.scoring is not None:
            return False
        return bool(np.isnan(_probe(self, hidden=True)) and not np.isnan(_probe(self, hidden=False)))

    @property
    def scores_rows(self) -> bool:
        """Whether the formula scores one row at a time: a share of it is that of the rows that score 1."""
        return self.over == "row"

    @property
    def single_label(self) -> bool:
        """Whether the formula takes for granted that each row has one true and one predicted class."""
        return self.over == "matrix" or (self.over == "classes" and not self.per_class)

    def __repr__(self) -> str:
        return f"Metric({self.name!r})"


def _is_range(ends: object) -> bool:
    return (
        isinstance(ends, tuple | list)
        and len(ends) == 2
        and all(isinstance(end, Real) for end in ends)
        and ends[0] < ends[1]
    )


def _probe(metric: Metric, *, hidden: bool) -> float:
    matrix = np.array([[np.nan if hidden else 0.3, 0.1], [0.2, 0.4]])
    tp, off = np.diagonal(matrix), np.array([0.2, 0.1])
    cells = Cells(tp, off, off[::-1], tp[::-1], matrix=matrix)
    if metric.scores is not None:
        scores = metric.scores(2)
        cells = Cells(tp, off, off[::-1], tp[::-1], scored=np.asarray((matrix * scores).sum()), scores=scores)
    with np.errstate(all="ignore"):
        return float(np.asarray(metric.formula(cells.take(1) if metric.over in ("class", "row") else cells)).real)


def cells_for(metric: Metric, matrices: ArrayLike, *, shares: bool = True) -> tuple[Cells, Array]:
    """Return the cells of confusion matrices (…, K, K) with the scores that a metric gives them, and the totals."""
    scores = metric.scores(np.shape(matrices)[-1]) if metric.scores else None
    return cells_of_matrix(matrices, scores=scores, shares=shares)


def find_label(wanted: object, labels: Sequence[Label], *, argument: str) -> int:
    """Return the index of a label, given as itself or as its text."""
    if wanted in labels:
        return labels.index(wanted)
    texts = [str(label) for label in labels]
    if str(wanted) in texts:
        return texts.index(str(wanted))
    raise MetricError(
        messages.NAMES_CLASS_IS_NOT_AMONG_LABELS(
            argument=argument, wanted=wanted, labels=quoted(labels), hint=nearest(str(wanted), texts)
        )
    )


def selection_of(
    metric: Metric, labels: Sequence[Label], pos_label: Label | None, *, pooled: bool = False
) -> int | Array | Literal["pooled"] | None:
    """Return the class or classes a metric looks at: an index, an index array, "pooled" into one, or None for all."""
    argument = f"metric {metric.name!r}"
    if metric.over == "class":
        if metric.label is not None:
            return find_label(metric.label, labels, argument=argument)
        if pooled and pos_label is None:
            return "pooled"
        if pos_label is None:
            raise MetricError(_positive_class_missing(metric, labels))
        return find_label(pos_label, labels, argument="pos_label")
    if metric.classes is not None:
        return np.array([find_label(name, labels, argument=argument) for name in metric.classes])
    left_out = {find_label(name, labels, argument=argument) for name in metric.without}
    kept = np.array([index for index in range(len(labels)) if index not in left_out])
    if left_out and not len(kept):
        raise MetricError(messages.LEAVES_OUT_EVERY_CLASS(argument=argument, labels=quoted(labels)))
    return kept if left_out else None


def _positive_class_missing(metric: Metric, labels: Sequence[Label]) -> str:
    name = metric.name
    example = labels[-1]
    if len(labels) > 2:
        return (
            f"metric {name!r} is about one class, but there are {len(labels)} labels: {quoted(labels)}. "
            f"Average it ('macro_{name}', 'micro_{name}', 'weighted_{name}'), name a class ('{name}[{example}]'), "
            f"or pass {arg('pos_label')} to look at one class against the rest."
        )
    return (
        f"metric {name!r} needs to know the positive class, and the labels {quoted(labels)} do not say it; "
        f"pass {setting('pos_label', example)} (or the other one), or use 'macro_{name}' or '{name}[{example}]'."
    )


@cache
def plugged(group: str, name: str) -> Any:
    """Return what an installed package offers under a name in a group of entry points, or None.

    A package declares, for example, ``[project.entry-points."howsure.metrics"]`` with ``cost = "mine.metrics:cost"``;
    the groups are metrics, methods, pair_methods and readers. An entry is loaded when a name is asked for that the
    library does not know: built-in names cannot be replaced.
    """
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=f"howsure.{group}", name=name)), None)
    return None if found is None else found.load()


def numbers_between(inside: str, wanted: int, text: str) -> list[float]:
    """Return the numbers between the parentheses of a metric's name."""
    try:
        numbers = [float(part) for part in inside.split(",")]
    except ValueError:
        raise MetricError(messages.METRIC_NEEDS_PLAIN_NUMBERS_BETWEEN_PARENTHESES(text=text, inside=inside)) from None
    if len(numbers) != wanted:
        raise MetricError(messages.METRIC_NUMBERS_BETWEEN_PARENTHESES(text=text, number=len(numbers), wanted=wanted))
    return numbers
