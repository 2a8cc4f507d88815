"""RunMean: the mean of a metric over the runs of one model, all on the same rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.results.base import Note
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.tables.runs.run_notes import run_notes
from howsure.tables.sampling.effect import Relabelled, WeightClasses
from howsure.tables.sampling.runs import CrossedFactor
from howsure.tables.sampling.spread import NormalQuantile
from howsure.types import Array, Ints, Undefined

ALONE = "the model has several runs, and each has a matrix of its own"


@dataclass(frozen=True, eq=False)
class RunMean(Contents):
    """What rows hold for a mean over runs: the contents of all runs, of which ``each`` has its own column.

    Nothing is known of it but its value and the influence of each row: a mean of metrics has no cells.
    """

    inner: Contents

    @property
    def no_matrix(self) -> str:
        """Why there is no confusion matrix."""
        return ALONE

    @property
    def unit(self) -> str:
        """What a row is called."""
        return self.inner.unit

    @property
    def several(self) -> bool:  # type: ignore[override]
        """Whether a row holds several labels."""
        return self.inner.several

    def __len__(self) -> int:
        return len(self.inner)

    def take(self, rows: Any) -> Self:
        """Return some of the rows."""
        return replace(self, inner=self.inner.take(rows))

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the columns."""
        return replace(self, inner=self.inner.pick(models))

    def keys(self) -> Ints:
        """Return the rows as one integer matrix, for finding equal rows."""
        return self.inner.keys()

    def joined(self, other: Self) -> Self:
        """Return the rows of both."""
        return replace(self, inner=self.inner.joined(other.inner))

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return the mean of another metric over the same runs."""
        assert design.runs is not None
        places = design.runs.starting(place)
        each = [self.inner.linearise(metric, model, one, design, undefined) for one in places]
        return mean_of_runs(each, design.runs.factor)

    def influence(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the mean of the runs' influences."""
        return self._mean(linear, lambda run: run.influence_of(part), part)

    def counted(self, linear: Linearised, part: slice, design: Design, place: int) -> Array:
        """Return the mean of the runs' influences as a covariance counts them."""
        return self._mean(linear, lambda run: run.contents.counted(run, part, design, run.place), part)

    def _mean(self, linear: Linearised, found: Any, part: slice) -> Array:
        if linear.scores is not None:
            return linear.scores[part]
        total = sum(found(run) for run in linear.runs)
        return np.asarray(total / len(linear.runs))

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the mean over the runs at many weightings of the rows."""
        return np.asarray(sum(run.contents.values_at(run, weights) for run in linear.runs) / len(linear.runs))

    def influences_at(self, linear: Linearised, weights: Array) -> Array | None:
        """Return the mean of the runs' influences at many weightings; None where one of them is not known."""
        each = [run.contents.influences_at(run, weights) for run in linear.runs]
        known = [one for one in each if one is not None]
        return np.asarray(sum(known) / len(known)) if len(known) == len(each) else None

    def relabelled(self, linear: Linearised) -> Relabelled | None:
        """Return how a row would move the mean if its label were another, the runs taken to agree on it."""
        each = [run.contents.relabelled(run) for run in linear.runs]
        known = [one for one in each if one is not None]
        if len(known) < len(each) or not known:
            return super().relabelled(linear)
        return Relabelled(*(sum(parts) / len(known) for parts in zip(*known, strict=True)))

    def weight_classes(self, linear: Linearised) -> WeightClasses | None:
        """Return the classes that the weights depend on alone, the runs taken to agree on a row that was not seen."""
        each = [run.contents.weight_classes(run) for run in linear.runs]
        known = [one for one in each if one is not None]
        if len(known) < len(each) or not known:
            return None
        return WeightClasses(known[0].codes, np.asarray(sum(one.square for one in known) / len(known)))

    def bundled(self, metric: Metric) -> bool:
        """Say whether a row brings several outcomes, or numbers, so that t belongs to the rows."""
        return self.inner.bundled(metric) or self.inner.mean_of_rows(metric)

    def unbiased(self, metric: Metric) -> bool:
        """Say whether the covariance divides by n − 1 for a metric already."""
        return self.inner.unbiased(metric)

    def rows_of_share(self, linear: Linearised, size: float, z: float) -> float | None:
        """Return the outcomes of 0 and 1 that would tell as much: Wilson's interval at the half-width of runs and rows.

        Wilson's interval of a share u hangs on q²/N alone, so N = q² u(1 − u)/h² makes it as long as h says: t for the
        runs, z for the rows, squared and added. The part of the rows first gets z²/4 pseudo-rows at each end, as for
        row values; where all runs are perfect, N is the number of rows (not of rows × runs). The part of the runs is no
        less than their spread on the scale of log odds says (``_by_log_odds``).
        """
        bottom, top = linear.metric.range
        if not math.isfinite(top - bottom):
            return None
        if linear.design.tasks_sampled:  # the spread between tasks holds that of rows and runs already
            return self.inner.rows_of_share(linear, size, z)
        share, slope, rows = _share(linear, size)
        if not math.isfinite(share):
            return size
        room, spread = share * (1 - share), linear.spread
        centre = (rows * share + z * z / 4) / (rows + z * z / 2)
        through = slope**2 * linear.through_rows.variance
        ends = z * z / 4 * (centre**2 + (1 - centre) ** 2)
        smooth = (rows**2 * through + rows * (share - centre) ** 2 + ends) / (rows + z * z / 2)
        least = max(smooth / (rows * centre * (1 - centre)), through / room if room > 0 else 0.0)
        if spread.floor is None or not room > 0:
            return float(1 / least)
        q = NormalQuantile(z)
        more = least * room / through if through > 0 else 1.0  # how many times the variance of the rows
        first, *runs = spread.parts
        between = sum(q.quantile(part.degrees) ** 2 * part.variance for part in runs) * slope**2
        between = max(between, room**2 * _by_log_odds(linear, rows, share, q))
        row_quantile = q.quantile(first.degrees) ** 2
        shared = through * (first.variance / spread.floor.variance if spread.floor.variance > 0 else 0.0)
        half = max(between + row_quantile * shared * more, row_quantile * least * room)
        return float(spread.quantile(q) ** 2 * room / half)

    def fitted(self, metric: Metric) -> Metric:
        """Return the metric as the runs' rows have it."""
        return self.inner.fitted(metric)

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is said of the mean, and of its runs."""
        return run_notes(linear)


def _share(linear: Linearised, size: float) -> tuple[float, float, float]:
    """Return the value as a share of its range, how steeply that moves with it, and the rows that the share counts.

    F1 is taken as Jaccard's share, whose rows are tp, fp and fn.
    """
    share, slope = linear.metric.as_share(linear.value)
    return float(share), float(slope), size * linear.counted


def _by_log_odds(linear: Linearised, rows: float, share: float, q: NormalQuantile) -> float:
    """Return the square of t · standard error of a mean over runs on the scale of log odds.

    Near 0 or 1 runs scatter to one side: without a bad run among them their mean is too good and their spread too small
    at once. Of log odds mean and spread are independent. With S their standard deviation over R runs it is Cox's
    variance of a lognormal mean, S²/R + (1 − 2u)² S⁴/(2(R − 1)), t for its first part and z for its second (Zhou & Gao
    1997, Stat. Med. 16:783). Half a row is added at each end, as runs may be perfect.
    """
    values = np.array([linear.metric.as_share(run.value)[0] for run in linear.runs])
    shares = np.clip((values * rows + 0.5) / (rows + 1), 1e-12, 1 - 1e-12)
    number, square = len(values), float(np.log(shares / (1 - shares)).var(ddof=1))
    skewed = (1 - 2 * share) ** 2 * square**2 / (2 * (number - 1))
    return q.quantile(number - 1) ** 2 * square / number + q.z**2 * skewed


def mean_of_runs(each: Sequence[Linearised], factor: CrossedFactor) -> Linearised:
    """Return the mean of one metric over runs on the same rows, each with its own value and influences.

    A run in which the metric is 0/0 makes the mean undefined, or is left out where undefined classes are skipped.
    """
    first = each[0]
    if first.metric.cut is not None and first.metric.cut.kind == "best":
        raise MetricError(messages.METRIC_CHOOSES_THRESHOLD_ON_ROWS_THEMSELVES(metric=first.metric.name))
    if "gaps" in first.details:
        raise MetricError(messages.METRIC_IS_BIASED_BY_NUMBER(metric=first.metric.name))
    defined = [run for run in each if not math.isnan(run.value)]
    kept = tuple(defined if first.undefined == "skip" and defined else each)
    names = ("labels", "pos_label", "negatives", "pooled", "ordered", "implied", "answers")
    inner = first.contents
    contents = RunMean(inner, **{name: getattr(inner, name) for name in names})
    value = float(np.mean([run.value for run in kept]))
    details = {"left out": len(each) - len(kept), "undefined": len(each) - len(defined), "same": _same(kept)}
    return Linearised(
        contents, first.design, first.metric, first.model, first.place, first.undefined, value, details=details,
        runs=kept, factor=factor,
    )  # fmt: skip


def _same(runs: Sequence[Linearised]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of runs that are the same column: equal values, and equal influences in every row."""
    found = []
    for second, run in enumerate(runs):
        for first in range(second):
            other = runs[first]
            if run.value == other.value and np.array_equal(run.influence, other.influence):
                found.append((first, second))
                break
    return tuple(found)
