"""Row values of people in some rows and of a judge in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.tables.contents import Contents, distinct
from howsure.tables.kinds.judge_copy import Alternatives, Measure, one_measure
from howsure.tables.kinds.judged import Judged, share_bins
from howsure.tables.kinds.values import RowValues
from howsure.tables.linearised import Linearised
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
        """Return every combination of the two ends of the range; None where there are no two ends."""
        bottom, top = linears[0].metric.range
        if not np.isfinite(top - bottom):
            return None
        ends = np.stack(np.meshgrid(*[[bottom, top]] * len(places), indexing="ij"), axis=-1).reshape(-1, len(places))
        values = np.full((len(ends), self.people.values.shape[1]), bottom)
        values[:, list(places)] = ends
        one = np.zeros(len(ends), dtype=np.int64)
        return Alternatives(replace(self.people, values=values), one, np.zeros(len(self), dtype=np.int64))

    def summed(self, people: Measure, judge: Measure) -> tuple[Contents, Array]:
        """Return people's rows, moved to the mean that the judge gives: by rows at an end of the range, or as a whole.

        The mean of each model moves towards the end on that side by giving this end some weight, other models being at
        their means there: for values of 0 and 1 that is the one way there is. Without two ends all values move alike.
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
        ends = np.where(change >= 0, top, bottom)
        share = np.divide(change, ends - mean, out=np.zeros_like(mean), where=ends != mean)
        more = np.where(np.eye(len(mean), dtype=bool), ends, mean)
        found = replace(rows, values=np.concatenate([rows.values, more]))
        return found, np.concatenate([weights * (1 - share.sum()), share])

    def kinds_of_row(self, place: int) -> Ints:
        """Return parts of the range of what the judges said as one number."""
        columns = [np.where(one.share > 0, share_bins(_column(one.rows, place)), 0) for (one,) in self.judges]
        return distinct(np.column_stack(columns))[1]


def _column(rows: Contents, place: int) -> Array:
    assert isinstance(rows, RowValues)
    return np.asarray(rows.values[:, place])
