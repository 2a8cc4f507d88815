"""Row values of people in some rows and of a judge in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.tables.contents import Contents
from howsure.tables.kinds.judges.judge_copy import Alternatives, Measure, one_measure
from howsure.tables.kinds.judges.judged import Judged, share_bins
from howsure.tables.kinds.values import RowValues
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.equal_rows import distinct
from howsure.types import Array, Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedValues(Judged):
    """Rows with a number that a judge gave for each model, and in some of them the number that people gave."""

    people: RowValues

    holds = "one number of people or of a judge each"
    leading = "mean"
    stratifies = True

    def nothing_said(self) -> RowValues:
        """Return values of 0, as rows that nobody rated have them."""
        return replace(self.people, values=np.zeros_like(self.people.values))

    def moves(self, rows: Contents, linear: Linearised, place: int) -> Array:
        """Return how far values lie from the mean, times the slope of the metric there."""
        assert isinstance(rows, RowValues)
        mean, slope = linear.details["mean"], linear.details["slope"]
        return np.asarray(slope * (rows.values[:, place] - mean))

    def alternatives(self, linears: Sequence[Linearised], places: Sequence[int]) -> Alternatives | None:
        """Return every combination of one standard deviation to each side; None where the range has no two ends.

        Mean and standard deviation are those of people's rows with one row at each end of the range, so that values
        which all agree leave room for others. For outcomes of 0 and 1, half of them 1, these are the two ends.
        """
        bottom, top = linears[0].metric.range
        if not np.isfinite(top - bottom):
            return None
        sides = [_two_sides(linear, place, (bottom, top)) for linear, place in zip(linears, places, strict=True)]
        grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, len(places))
        values = np.full((len(grid), self.people.values.shape[1]), bottom)
        values[:, list(places)] = grid
        one = np.zeros(len(grid), dtype=np.int64)
        return Alternatives(replace(self.people, values=values), one, np.zeros(len(self), dtype=np.int64))

    def summed(self, people: Measure, judge: Measure) -> tuple[Contents, Array]:
        """Return people's rows, moved to the mean that the judge gives.

        Between two ends each model's values move towards the end on that side, partly as a whole and partly by rows
        that go there, so that variance/(mean · (1 − mean)) stays what it was: for values of 0 and 1 rows alone go, as
        there is no other way. Without two ends all values move alike.
        """
        rows, weights = one_measure(people)
        assert isinstance(rows, RowValues)
        mean = weights @ rows.values
        change = np.zeros_like(mean)
        for said, share in judge:
            assert isinstance(said, RowValues)
            change += share @ (said.values - mean)
        bottom, top = rows.range
        if not np.isfinite(top - bottom):
            return replace(rows, values=rows.values + change), weights
        spread = weights @ (rows.values - mean) ** 2
        each = zip(rows.values.T, mean.tolist(), change.tolist(), spread.tolist(), strict=True)
        columns, shares = zip(*(_towards(*one, (bottom, top)) for one in each), strict=True)
        held, share = np.stack(columns, axis=1), np.array(shares)
        ends = np.where(change >= 0, top, bottom)
        more = np.where(np.eye(len(mean), dtype=bool), ends, weights @ held)  # other models at their means there
        found = replace(rows, values=np.concatenate([held, more]))
        return found, np.concatenate([weights * (1 - share.sum()), share])

    def kinds_of_row(self, place: int) -> Ints:
        """Return parts of the range of what the judges said as one number."""
        columns = [np.where(one.share > 0, share_bins(_column(one.rows, place)), 0) for (one,) in self.judges]
        return distinct(np.column_stack(columns))[1]


def _column(rows: Contents, place: int) -> Array:
    assert isinstance(rows, RowValues)
    return np.asarray(rows.values[:, place])


def _two_sides(linear: Linearised, place: int, ends: tuple[float, float]) -> Array:
    """Return the mean less and plus one standard deviation of values with a row at each end."""
    rows, weights = linear.contents, linear.design.weights * float(linear.design.n) / linear.design.total
    values, held = np.append(_column(rows, place), ends), np.append(weights, [1.0, 1.0])
    mean = held @ values / held.sum()
    apart = float(np.sqrt(held @ (values - mean) ** 2 / held.sum()))
    return np.array([mean - apart, mean + apart])


def _towards(
    values: Array, mean: float, change: float, spread: float, ends: tuple[float, float]
) -> tuple[Array, float]:
    """Return values moved as a whole towards an end, by a change of their mean, and the share of rows that goes there.

    In units of the range, towards 1, with k = (1 − new mean)/(1 − mean): values go to x + c(1 − x), a share s of rows
    to 1, and (1 − s)(1 − c) = k. The share s = v(m' − km)/(km(1 − m)² + vm') keeps v/(m(1 − m)).
    """
    bottom, top = ends
    end, width = (top, top - bottom) if change >= 0 else (bottom, bottom - top)
    m, v = 1 - (end - mean) / width, spread / width**2
    if change == 0 or m >= 1:
        return values, 0.0
    new = min(m + change / width, 1.0)
    k = (1 - new) / (1 - m)
    if k == 0 or m <= 0:
        return values, 1 - k
    share = v * (new - k * m) / (k * m * (1 - m) ** 2 + v * new)
    return values + (1 - k / (1 - share)) * (end - values), share
