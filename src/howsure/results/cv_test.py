"""CvTest: the outcome of a test on the scores of cross-validation folds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from howsure.results.citation import Citation
from howsure.results.encoding import printable
from howsure.results.words import number


@dataclass(frozen=True, repr=False)
class CvTest:
    """The outcome of a cross-validation test of H0: no difference; ``low`` and ``high`` bound the difference.

    ``difference`` is the centre of the interval. ``df`` is a pair for the F test.
    """

    name: str
    difference: float
    statistic: float
    df: float | tuple[float, float]
    p_value: float
    low: float
    high: float
    level: float
    citation: Citation
    notes: tuple[str, ...]

    @printable
    def __repr__(self) -> str:
        pair = isinstance(self.df, tuple)
        df = ", ".join(f"{value:.3g}" for value in np.atleast_1d(self.df))
        test = f"{'F' if pair else 't'}({df}) = {number(self.statistic, 3)}, p = {self.p_value:.3g}"
        difference, low, high = (number(value, 4) for value in (self.difference, self.low, self.high))
        return f"{self.name}: {test}; difference {difference} [{low}, {high}] {self.level:.0%}"

    @printable
    def __str__(self) -> str:
        return "\n".join([repr(self), *self.notes, self.citation])

    def to_dict(self) -> dict[str, Any]:
        """Return every field at full precision."""
        return asdict(self)
