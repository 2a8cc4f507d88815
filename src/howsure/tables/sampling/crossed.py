"""Crossing: estimates that are means over runs which all predict the same rows, and the variance of contrasts of them.

A value is a mean over R runs (seeds, prompts, readers) of a metric on the same n rows: two crossed samples. With T the
values of the runs and C their covariance through rows, B = S²/R (S² the variance of T), rows = mean of C, and shared =
mean of C off its diagonal,

    V = max(B + shared, rows)      E V = σ²_run/R + σ²_row/n + σ²_cell/(nR)
    h² = max(t² B + z² max(shared, 0), z² rows)

which is Obuchowski & Rockette's (1995) variance of multi-reader studies for any metric, and for accuracy the
U-statistic of Gallas (2006). C is never made: rows is the covariance of the averaged influences, and the diagonal of C
is one number a run, so that the cost is linear in the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from howsure.tables.sampling.spread import Spread, VariancePart
from howsure.types import Array

RUNS = "runs"
FEWEST = 2  # runs of a model beside which another number of runs asks for a t of its own


@dataclass(frozen=True, eq=False)
class Crossing:
    """The runs behind some estimates.

    ``values`` holds the values of each estimate's runs (one, where it has no runs or they are not random). ``within``
    is the sum over runs of the covariance through rows of two estimates' runs, where they have their runs in common
    (``whose`` is the same); ``whose`` numbers the sets of runs.
    """

    values: tuple[Array, ...]
    within: Array
    whose: tuple[int, ...]

    @cached_property
    def numbers(self) -> Array:
        """How many runs each estimate has."""
        return np.array([len(one) for one in self.values])

    def some(self, kept: Sequence[int]) -> Crossing:
        """Return some of the estimates."""
        whose = tuple(self.whose[place] for place in kept)
        return Crossing(tuple(self.values[place] for place in kept), self.within[np.ix_(kept, kept)], whose)

    def scaled(self, scale: Array) -> Crossing:
        """Return the crossing of rows whose influences count ``scale`` times as much: what a design effect adds."""
        return replace(self, within=self.within * np.outer(scale, scale))

    @cached_property
    def _sets(self) -> list[Array]:
        """The estimates of each set of runs that has more than one run."""
        whose = np.array(self.whose)
        found = (np.flatnonzero(whose == one) for one in dict.fromkeys(self.whose))
        return [members for members in found if len(self.values[members[0]]) > 1]

    def cells(self, rows: Array) -> Array:
        """Return what a row × run adds to both parts: (Σ_r C_r − R·rows)/(R(R − 1)), of estimates with common runs."""
        found = np.zeros_like(rows)
        for members in self._sets:
            block, number = np.ix_(members, members), len(self.values[members[0]])
            found[block] = (self.within[block] - number * rows[block]) / (number * (number - 1))
        return found

    @cached_property
    def between(self) -> Array:
        """The covariance of the estimates between runs: that of the runs' values, over their number."""
        found = np.zeros_like(self.within)
        for members in self._sets:
            values = np.stack([self.values[place] for place in members])
            found[np.ix_(members, members)] = np.cov(values).reshape(len(members), -1) / values.shape[1]
        return found

    def covariances(self, rows: Array) -> Array:
        """Return the covariance of the estimates: between runs and through rows, no variance below that of the rows."""
        found = rows - self.cells(rows) + self.between
        wanted = np.maximum(np.diagonal(found), np.diagonal(rows))
        np.fill_diagonal(found, wanted)
        return _positive(found, wanted)

    def spread(self, weights: Array, rows: Array, degrees: float = float("inf")) -> Spread:
        """Return the variance of Σ weight · estimate from the covariance of the averaged influences (``rows``)."""
        parts, shared = [], float(weights @ rows @ weights)
        floor = VariancePart("rows", shared, degrees)
        for members in self._sets:
            own, block = weights[members], np.ix_(members, members)
            if not own.any():
                continue
            number = len(self.values[members[0]])
            between = float(own @ self.between[block] @ own)
            shared -= float(own @ self.cells(rows)[block] @ own)
            parts.append(VariancePart(RUNS, between, float(number - 1)))
        if not parts:
            return Spread((floor,))
        return Spread((VariancePart("rows", max(shared, 0.0), degrees), *_joined(parts)), floor)


def _positive(found: Array, variances: Array) -> Array:
    """Return the nearest covariance with these variances: a difference of two estimated ones may have none."""
    moving = np.flatnonzero(variances > 0)
    if not np.isfinite(found).all() or not len(moving):
        return found
    spread, block = np.sqrt(variances[moving]), np.ix_(moving, moving)
    values, vectors = np.linalg.eigh(found[block] / np.outer(spread, spread))
    if values[0] >= 0:
        return found
    near = (vectors * np.maximum(values, 0.0)) @ vectors.T
    scale = spread / np.sqrt(np.diagonal(near))
    made = found.copy()
    made[block] = near * np.outer(scale, scale)
    np.fill_diagonal(made, variances)
    return made


def _joined(parts: list[VariancePart]) -> list[VariancePart]:
    """Return the variance between runs of several models as one part, with Welch's degrees of freedom.

    Where one model has two runs and another more, each keeps a t of its own: Welch's degrees would be too many.
    """
    degrees = {part.degrees for part in parts}
    if len(parts) == 1 or (len(degrees) > 1 and min(degrees) < FEWEST):
        return parts
    total = sum(part.variance for part in parts)
    squares = sum(part.variance**2 / part.degrees for part in parts)
    return [VariancePart(RUNS, total, total**2 / squares if squares > 0 else min(degrees))]


def projected(spread: Spread, runs: int, *, to: int, rows: float = 1.0) -> Spread:
    """Return the spread that ``to`` runs in place of ``runs``, and ``rows`` times as many rows, would have.

    σ²_run = R · max(B − cell, 0), σ²_cell/n = R · cell and σ²_row/n = shared, so that B becomes (σ²_run + σ²_cell/n)/R.
    """
    if spread.floor is None:
        return Spread(tuple(part._replace(variance=part.variance / rows) for part in spread.parts))
    first, *between = spread.parts
    cell = max(spread.floor.variance - first.variance, 0.0)
    total = sum(part.variance for part in between)
    left = (max(total - cell, 0.0) + cell / rows) * runs / to
    scale = left / total if total > 0 else 0.0
    more = (to - 1) / max(runs - 1, 1)
    parts = [part._replace(variance=part.variance * scale, degrees=part.degrees * more) for part in between]
    shared = first.variance / rows
    floor = spread.floor.summing_to(shared + cell * runs / to / rows)
    return Spread((first._replace(variance=shared), *parts), floor)
