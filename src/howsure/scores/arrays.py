"""Scores: an array of scores, one a class, that numpy takes for floats and whose elements are Estimates."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.results.estimate import Estimate
from howsure.types import Floats


class Scores(np.ndarray):
    """An array of floats whose elements, asked for one at a time, are estimates; what is computed from it is plain.

    A number that was changed in place is no longer an estimate, and its element is a plain float.
    """

    estimates: tuple[Estimate, ...] = ()

    def __new__(cls, estimates: Sequence[Estimate]) -> Scores:
        made = np.array([float(one) for one in estimates], dtype=float).view(cls)
        made.estimates = tuple(estimates)
        return made

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar or plain.ndim == 0 else plain

    def __getitem__(self, index: Any) -> Any:
        value = np.asarray(self)[index]
        if not isinstance(value, float) or not self.estimates:
            return value
        found = self.estimates[operator.index(index if not isinstance(index, tuple) else index[0])]
        return found if found == value or (math.isnan(found) and math.isnan(value)) else value

    @property
    def low(self) -> Floats:
        """The lower limits; nan where a number was changed."""
        return np.array([getattr(one, "low", math.nan) for one in self])

    @property
    def high(self) -> Floats:
        """The upper limits; nan where a number was changed."""
        return np.array([getattr(one, "high", math.nan) for one in self])

    def __reduce__(self) -> Any:
        return (Scores, (tuple(self.estimates),)) if self.estimates else np.asarray(self).__reduce__()

    def __deepcopy__(self, memo: Any) -> Any:
        return Scores(self.estimates) if self.estimates else np.array(self)

    def __repr__(self) -> str:
        return "[" + ",\n ".join(map(repr, self)) + "]"
