"""A toy kind of data, complete in one file: a row holds one number for each model, and the metric is its mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from howsure import Metric, Table
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.linearised import Linearised
from howsure.types import Array, Undefined

MEAN = Metric("mean", lambda row: row)


@dataclass(frozen=True, eq=False)
class Numbers(Contents):
    """One number between 0 and 1 for each model in each row."""

    values: Array

    by_row = ("values",)
    holds = "one number each"
    kind_words = "holds one number per row"

    @property
    def usual(self) -> tuple[Metric, ...]:
        """The mean is all there is."""
        return (MEAN,)

    def pick(self, models: list[int]) -> Self:
        """Return the rows with some of the models."""
        return replace(self, values=self.values[:, models])

    def keys(self) -> Array:
        """Return the rows as integers."""
        return np.unique(self.values, return_inverse=True)[1].reshape(self.values.shape)

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return the mean; a row moves it by how far it lies from it."""
        column = self.values[:, place]
        value = float(design.weights @ column / design.total)
        return Linearised(self, design, metric, model, place, undefined, value, scores=column - value)

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the mean at many weightings of the rows."""
        return np.asarray(weights @ self.values[:, linear.place] / weights.sum(1))


def numbers(values: Mapping[str, Sequence[float]], weights: Any = None, **sampled: Any) -> Table:
    """Return the table of some columns of numbers."""
    columns = np.stack([np.asarray(column, dtype=float) for column in values.values()], axis=1)
    ones = np.ones(len(columns))
    weight = ones if weights is None else np.asarray(weights, dtype=float)
    return Table(tuple(values), Numbers(columns), Design(ones, weight, weight**2, **sampled)).merged()
