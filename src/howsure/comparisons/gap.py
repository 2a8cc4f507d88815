"""Spread: the best slice, the worst slice and the gap between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.comparisons.against_best import may_be_best
from howsure.errors import InputError
from howsure.estimates.joint import joint_report
from howsure.metrics.metric import Metric
from howsure.results.comparison import Comparisons, Said
from howsure.results.estimate import Note, number, percent
from howsure.tables.covariance import Family


@dataclass(frozen=True, repr=False)
class Spread(Said):
    """How far slices lie apart in one metric: the gap between highest and lowest, and the worst slice.

    The interval of the gap holds the true difference between the highest and the lowest slice, whichever they are;
    ``worst_low`` and ``worst_high`` hold the true value of the truly worst slice, whichever that is.
    """

    metric: str
    model: str
    gap: float
    low: float
    high: float
    best: str
    worst: str
    worst_value: float
    worst_low: float
    worst_high: float
    may_be_worst: tuple[str, ...]
    level: float
    slices: int
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"{self.metric}: gap between slices {number(self.gap)} [{number(self.low)}, {number(self.high)}], worst "
            f"{self.worst} {number(self.worst_value)} [{number(self.worst_low)}, {number(self.worst_high)}], "
            f"{percent(self.level)} simultaneous over {self.slices} slices"
        )

    @property
    def sentence(self) -> str:
        """The spread in plain words."""
        if self.low > 0:
            first = f"The slices differ in {self.metric}: the true gap is at least {number(self.low)}."
        else:
            most = f"a gap up to {number(self.high)} is possible"
            first = f"The data do not settle whether the slices differ in {self.metric}; {most}."
        if len(self.may_be_worst) == 1:
            return f"{first} The worst slice: {self.worst}."
        return f"{first} May be the worst: {', '.join(self.may_be_worst)}."

    def _repr_html_(self) -> str:
        from howsure.reports.notebook import spread_notebook

        return spread_notebook(self)


def spread_of(
    family: Family, pairs: Comparisons, names: Sequence[str], metric: Metric, level: float, notes: tuple[Note, ...]
) -> Spread:
    """Return the spread of one metric over slices from simultaneous intervals of all pairs and of all slices.

    If every pair's interval holds, the true gap lies between the largest lower limit (or 0) and the largest limit.
    """
    kept = [place for place in range(len(family)) if math.isfinite(family.values[place])]
    if len(kept) < 2:
        raise InputError(f"metric {metric.name!r} is defined in {len(kept)} slices; a gap needs two or more")
    lower_is_worse = metric.better != "lower"
    order = sorted(kept, key=lambda place: family.values[place], reverse=not lower_is_worse)
    rows = [row for row in pairs.rows if math.isfinite(row.difference)]
    low = max(0.0, *(max(row.low, -row.high) for row in rows))
    high = max(max(row.high, -row.low) for row in rows)
    single = Family(tuple(family.linears[place] for place in kept), family.covariances[np.ix_(kept, kept)])
    ends = [(row.low, row.high) for row in joint_report(single, level=level).rows]
    pick = min if lower_is_worse else max
    tied = may_be_best(single, better="lower" if lower_is_worse else "higher", level=level)
    candidates = [place for place, maybe in zip(kept, tied, strict=True) if maybe]
    undefined = [names[place] for place in range(len(family)) if place not in kept]
    said = [Note(f"{metric.name} is undefined in {', '.join(undefined)}: left out", "undefined")] if undefined else []
    if metric.better is None:
        said.append(Note(f"no end of {metric.name} is the better one: 'worst' is the lowest slice here", "direction"))
    return Spread(
        metric=metric.name, model=family.linears[0].model, gap=float(np.ptp(family.values[kept])), low=low, high=high,
        best=names[order[-1]], worst=names[order[0]], worst_value=float(family.values[order[0]]),
        worst_low=pick(low for low, _ in ends), worst_high=pick(high for _, high in ends),
        may_be_worst=tuple(names[place] for place in order if place in candidates), level=level, slices=len(kept),
        notes=(*said, *notes),
    )  # fmt: skip
