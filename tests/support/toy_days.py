"""A toy way of sampling, complete in one file: one more field of the design, the day on which a row was labelled.

Days are crossed with rows: what the rows of a day have in common adds to the covariance of every estimate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from howsure import Table
from howsure.tables.design import APART, CovariancePart, Design, Influences, Resample
from howsure.types import Array


@dataclass(frozen=True, eq=False)
class DayDesign(Design):
    """Rows labelled on several days."""

    days: Array | None = field(default=None, metadata=APART)

    def further(self, influences: Influences, size: int) -> tuple[CovariancePart, ...]:
        """Return Σ_d S_d S_d' / (Σ w)², S_d the weighted influences of a day."""
        weighted = influences(slice(None)) * self.weights
        sums = np.stack([np.bincount(self.days, weights=row) for row in weighted])
        return (CovariancePart("days", sums @ sums.T / self.total**2),)

    def resamples(self, rng: np.random.Generator, number: int, *, most: int) -> Iterator[Resample]:
        """Give each day a random multiple of mean 1 and variance 1, besides drawing rows."""
        for sample in super().resamples(rng, number, most=most):
            times = rng.exponential(size=(len(sample.weights), int(np.max(self.days)) + 1))
            yield Resample(sample.drawn, sample.weights * times[:, self.days])


def by_day(table: Table, days: Any) -> Table:
    """Return a table of single rows with the day of each."""
    held = {one.name: getattr(table.design, one.name) for one in fields(table.design)}
    return replace(table, design=DayDesign(**held, days=np.asarray(days)))
