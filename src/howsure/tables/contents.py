"""Contents: what a row of a table holds. One class a kind of data; everything else is served through it.

To add a kind of data, write a subclass: its rows (taken, picked, merged, joined), a metric on them (value and influence
of each row), and the metric at other weightings of the rows. Estimates, intervals, joint intervals, comparisons,
groups, weights, strata, slices, resampling, gates and reports then serve it. The methods that are not abstract have an
answer that is right for any rows; a kind that knows better overrides them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Label, Metric
from howsure.metrics.pseudo_counts import Smoothed
from howsure.metrics.scoring import ScoreRows, UnderNull, Worth
from howsure.results.base import Note
from howsure.tables.design import Design
from howsure.tables.design_notes import plain_notes
from howsure.tables.sampling.effect import Movement, Relabelled, WeightClasses, half_square
from howsure.tables.sampling.equal_rows import distinct
from howsure.types import Array, Ints, Undefined

if TYPE_CHECKING:
    from howsure.tables.kinds.unit_moments import RatioMoments
    from howsure.tables.linearised import Linearised
    from howsure.tables.table import Table


class RowOutcomes(NamedTuple):
    """Rows that a share counts whatever is predicted, and among them those where it is a success."""

    counted: Array
    success: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class Contents(ABC):
    """What the distinct rows hold, and what a metric's name is resolved against.

    ``negatives`` is False where true negatives were not counted; ``pooled`` says that a metric of one class is about
    all classes together (the chunks of a tagged corpus). ``ordered`` is False where labels are text sorted by name:
    their order then says nothing. ``implied`` says that nobody named the positive class: it follows from the labels,
    such as {0, 1}. ``answers`` says that rows are right or wrong answers and no more.
    """

    labels: tuple[Label, ...] = ()
    pos_label: Label | None = None
    negatives: bool = True
    pooled: bool = False
    ordered: bool = True
    implied: bool = False
    answers: bool = False

    manner = ""  # what the repr of a table adds
    kind_words = "holds other rows"
    one_truth = False  # whether a row has one true label, which every model predicts: a table of truth and predictions
    several = False  # whether a row holds several labels, each an outcome
    compact = False  # whether one model's own distinct rows are few, so that its estimates are made on them alone
    wholly_right = "accuracy"  # the metric that is the share of rows wholly right
    leading = "accuracy"  # the metric that a comparison takes when none is named
    holds = "no labels"  # in words: "rows of this table hold …"
    sections: ClassVar[tuple[str, ...]] = ()  # what the report page adds: names of reports.page.sections.MAKERS
    by_row: ClassVar[tuple[str, ...]] = ()  # the fields that hold an array with a line for each row
    stratifies = False  # whether rows of any such table may be weighted to the strata of a pool
    one_of_tasks = True  # whether a table of such rows may be one task of several
    labels_may_follow = False  # whether people's labels may come later than the rows

    @property
    def no_matrix(self) -> str:
        """Why there is no confusion matrix, in words, where there is none."""
        return f"rows of this table hold {self.holds}"

    @property
    def unit(self) -> str:
        """What a row is called: a row, a question of a log, a sentence of a corpus."""
        return "row"

    @property
    def usual(self) -> str | tuple[Any, ...]:
        """What a report shows when no metrics are named: a kind of ``metrics.names.USUAL``, or metrics."""
        return ()

    @property
    def two_classes(self) -> bool:
        """Whether a row has one of two classes, of which one is the positive one."""
        return self.one_truth and not self.answers and self.pos_label is not None and len(self.labels) == 2

    @property
    def curves(self) -> tuple[str, ...]:
        """Which curves a page draws of these rows."""
        return ()

    @property
    def known(self) -> Array:
        """Which rows have a truth: all."""
        return np.ones(len(self), dtype=bool)

    # --- rows

    def __len__(self) -> int:
        return len(getattr(self, self.by_row[0]))

    def take(self, rows: Any) -> Self:
        """Return some of the rows."""
        return replace(self, **{name: getattr(self, name)[rows] for name in self.by_row})

    @abstractmethod
    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""

    @abstractmethod
    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""

    def joined(self, other: Self) -> Self:
        """Return the rows of both, one after the other."""
        both: dict[str, Any] = {one: np.concatenate([getattr(self, one), getattr(other, one)]) for one in self.by_row}
        return replace(self, **both)

    def picked(self, models: list[int], design: Design) -> tuple[Contents, Design]:
        """Return the rows with some of the models, equal rows merged, and their design."""
        return merged(self.pick(models), design)

    def through(self, table: Table, change: Callable[[Table], Table]) -> Table:
        """Return a table changed; one that is held in parts changes each of them."""
        return change(table)

    def added(self, table: Table, other: Table) -> Table:
        """Return the table of the rows of two, whose labels are already the same."""
        other = other.pick(*table.models)
        contents = replace(
            self.joined(other.contents),
            pos_label=self.pos_label if self.pos_label is not None else other.contents.pos_label,
            ordered=self.ordered and other.contents.ordered,
            answers=self.answers and other.contents.answers,
        )
        return replace(table, contents=contents, design=table.design.joined(other.design)).merged()

    def as_judged(self, table: Table, how: str | None) -> Table:
        """Return the table with another use of its judge; refuse rows without one."""
        if how is None:
            return table
        raise InputError.of("judge", how, messages.TABLE_HAS_NO_JUDGE(), messages.GIVE_ONE_WHERE_IS_MADE_JUDGE())

    def contrasted(self, table: Table, metric: Metric, undefined: Undefined) -> Table:
        """Return the table of two models on which their difference is taken."""
        return table

    def recoded(self, codes: Ints, labels: tuple[Label, ...]) -> Self:
        """Return the rows with label c renamed to labels[codes[c]]."""
        return replace(self, labels=labels)

    def check_joins(self, other: Contents) -> None:
        """Refuse to add rows of another kind."""
        if type(self) is not type(other):
            one, another = sorted((self.kind_words, other.kind_words), reverse=True)
            raise InputError(messages.TABLES_TO_ADD_DIFFER_IN_KIND(one=one, another=another))
        if self.negatives != other.negatives:
            raise InputError(messages.TABLES_TO_ADD_TRUE_NEGATIVES())
        if None not in (self.pos_label, other.pos_label) and self.pos_label != other.pos_label:
            raise InputError(
                messages.TABLES_TO_ADD_HAVE_DIFFERENT_POSITIVE(
                    pos_label=self.pos_label, other_pos_label=other.pos_label
                )
            )

    # --- a metric on the rows

    def fitted(self, metric: Metric) -> Metric:
        """Return a metric as these rows have it: values bring their own range and direction."""
        return metric

    @abstractmethod
    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a metric of one model: its value, and the influence of each row."""

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows on an estimate."""
        assert linear.scores is not None
        return linear.scores[part]

    def covariance(self, linears: Sequence[Linearised], design: Design, places: Sequence[int]) -> Array:
        """Return the covariance of estimates on these rows; ``places`` are those of their models here.

        Every estimate has one influence per row, whatever its metric and model, so two models on the same rows are
        paired without a further assumption: rows that both get wrong move both. The design multiplies and sums. A kind
        of data overrides this only to reach the same numbers by a shorter way.
        """

        def influences(part: slice) -> Array:
            pairs = zip(linears, places, strict=True)
            return np.stack([self.counted(linear, part, design, place) for linear, place in pairs])

        return design.covariance(influences, len(linears))

    def counted(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the influence of some of these rows as a covariance counts it."""
        return self.influence(linear, part, design, place)

    @abstractmethod
    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the metric at many weightings of the rows (weightings × rows): resamples, permutations."""

    def influences_at(self, linear: Linearised, weights: Array) -> Array | None:
        """Return the influence of each row, not centred, at many weightings; None where that is not known."""
        return None

    def smooths(self, metric: Metric) -> bool:
        """Say whether there are pseudo-rows for a metric."""
        return False

    def pseudo_rows(self, linear: Linearised) -> tuple[Contents, Array] | None:
        """Return the rows that smoothing adds, and how many of each for z = 1, where there are any."""
        return None

    def smoothed(self, linear: Linearised, size: float, z: float) -> Smoothed | None:
        """Return the metric on these rows and pseudo-rows, for data that are worth ``size`` rows."""
        found = self.pseudo_rows(linear)
        if found is None:
            return None
        more, each = found
        rows = self.joined(more)
        weights = np.append(linear.design.weights * (size / linear.design.total), each * z * z)

        def at(weight: Array) -> Linearised:
            design = linear.design.reweighted(weight)
            return rows.linearise(linear.metric, linear.model, linear.place, design, linear.undefined)

        made, n = at(weights), weights.sum()
        variance = np.asarray(weights @ made.influence**2 / n**2)
        return Smoothed(
            np.asarray(made.value), variance, weights, made.influence,
            lambda sides: np.stack([at(side).influence for side in sides]),
        )  # fmt: skip

    def centre(self, linear: Linearised) -> float | None:
        """Return the value without the bias that it has in few rows, where that is known."""
        return None

    def check_runs(self) -> None:  # noqa: B027
        """Refuse columns that are runs of models, where rows cannot hold them."""

    def under_null(self, linear: Linearised) -> UnderNull | None:
        """Return the variance that an estimate would have at another value, where it is known: for score intervals."""
        return None

    def scored(self, place: int, label: Label | None = None) -> ScoreRows:
        """Return the truth and the scores of one model; refuse rows without scores."""
        raise InputError(messages.ROWS_HOLD_NO_SCORES(holds=self.holds))

    def worth(self, linear: Linearised) -> Worth | None:
        """Return how many rows of two classes an estimate rests on, where it ranks them against each other."""
        return None

    def labels_at(self, thresholds: Sequence[float] | str) -> Contents:
        """Return the labels that rows have when their scores are cut; refuse rows without scores."""
        raise InputError(messages.ONLY_SCORES_ARE_CUT(holds=self.holds))

    def relabelled(self, linear: Linearised) -> Relabelled | None:
        """Return how a row would move the estimate if its label were another: what rows that were not seen may do.

        Without labels, δ² = ½ Σwφ⁴/Σwφ² for every row: half the mean square of the rows that carry the estimate. None
        where no row moves it.
        """
        return half_square(linear.influence, linear.design, linear.scale)

    def contrast(self, pair: Sequence[Linearised], places: Sequence[int], design: Design) -> Movement:
        """Return how rows move the second of two estimates less the first; ``places`` are their models' here."""
        each = zip(pair, places, strict=True)
        first, second = (self.counted(one, slice(None), design, place) for one, place in each)
        moved, scale = second - first, max(one.scale for one in pair)
        return Movement(moved, half_square(moved, design, scale), None, scale)

    def weight_classes(self, linear: Linearised) -> WeightClasses | None:
        """Return the classes that the weights depend on alone, as those that balance classes do; None otherwise."""
        return None

    def bundled(self, metric: Metric) -> bool:
        """Say whether a row brings several outcomes for a metric, so that it is a group of its own."""
        return False

    def unbiased(self, metric: Metric) -> bool:
        """Say whether the covariance here divides by n − 1 for a metric already."""
        return False

    def rows_that_tell(self, linear: Linearised, size: float) -> float:
        """Return the number of rows of a share that one row moves as much as here a row can, at most all there are."""
        return size

    def mean_of_rows(self, metric: Metric) -> bool:
        """Say whether a metric is the plain mean of a number of each row, which is no outcome of cells."""
        return False

    def rows_of_share(self, linear: Linearised, size: float, z: float) -> float | None:
        """Return how many outcomes of 0 and 1 would tell as much of a mean or ratio between two ends; else None."""
        return None

    def ratio(self, linear: Linearised, size: float, extra: float = 0.5) -> RatioMoments | None:
        """Return variance and degrees of freedom of a ratio of sums without an upper end; None where it is none."""
        return None

    def per_error(self, linear: Linearised) -> float:
        """Return how much one more error in every unit would move a ratio that has none."""
        return math.nan

    def rows_that_count(self, linear: Linearised) -> tuple[Array, Array] | None:
        """Return the numbers in [0, 1] whose mean the metric is and how often each occurred, of independent rows."""
        return None

    def lacks(self, metric: Metric) -> bool:
        """Say whether a metric needs something that was not counted."""
        return False

    # --- two models, or one, row by row

    def right(self, place: int) -> Array | None:
        """Return whether each row was answered right by a model; None where that has no meaning."""
        return None

    def outcomes(self, linear: Linearised) -> RowOutcomes | None:
        """Return the successes of a share whose denominator no prediction can change, or None."""
        return None

    def cross_table(self, places: Sequence[int], weights: Array) -> Array | None:
        """Return the weights of (truth, one prediction for each model): K×K, K×K×K …; None where there is none."""
        return None

    # --- labels

    @property
    def each_class(self) -> bool:
        """Whether metrics of each class say more than those of a positive one."""
        return False

    def occurring(self, weights: Array) -> list[Label]:
        """Return the labels that scikit-learn would average over."""
        return list(self.labels)

    def support(self, weights: Array) -> Array:
        """Return the weight of true rows of each label."""
        return np.zeros(len(self.labels))

    def only(self, labels: Sequence[Label]) -> Contents | None:
        """Return sets of some labels; None where rows hold one label, which cannot be left out."""
        return None

    def class_cells(self, place: int, counts: Array) -> Array | None:
        """Return tp, fp, fn, tn (rows) of every class (columns) of one model; None where rows have no classes."""
        return None

    # --- words

    def fraction(self, linear: Linearised) -> tuple[float, float] | None:
        """Return numerator and denominator of a metric that is a share of whole rows; None of another."""
        return None

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what only this kind of data can say of an estimate."""
        return plain_notes(linear)

    def weight_notes(self, design: Design) -> tuple[Note, ...]:
        """Return what this kind of data can say of the weights."""
        return ()

    def sizes(self) -> dict[str, float]:
        """Return what a table of these rows says of its size besides rows and models."""
        return {}

    # --- saving

    def to_arrays(self) -> dict[str, Array]:
        """Return the rows as named arrays: with the other fields they make the same rows again."""
        held = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in held.items() if isinstance(value, np.ndarray)}

    def saved_fields(self) -> dict[str, Any]:
        """Return what a file says of rows besides their arrays: the kind and its fields, judges; nothing of labels."""
        return {}

    def described(self) -> Mapping[str, Any]:
        """Return what a report says of the data besides rows, labels, models, groups and weights."""
        return {"multilabel": self.several, "negatives_counted": self.negatives}


def merged(contents: Contents, design: Design) -> tuple[Contents, Design]:
    """Return the rows and their design with equal rows merged into one."""
    first, kind = distinct(np.column_stack([*design.keys(), contents.keys()]))
    return contents.take(first), design.merged(first, kind)
