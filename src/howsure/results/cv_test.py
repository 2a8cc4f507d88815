"""CvTest and HypothesisTest: the outcome of a test, on the scores of folds or of one hypothesis such as Cochran's Q."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from howsure.results.citation import Citation
from howsure.results.sentences.encoding import printable
from howsure.results.words import count, number, p_said


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


@dataclass(frozen=True, repr=False)
class HypothesisTest:
    """A test of one hypothesis: its statistic, degrees of freedom where it has some, the p-value, and a sentence."""

    name: str
    statistic: float
    df: float | None
    p_value: float
    n: float
    sentence: str
    citation: Citation
    values: dict[str, float]

    @printable
    def __repr__(self) -> str:
        df = "" if self.df is None else f"({self.df:g})"
        return f"{self.name}{df} = {number(self.statistic, 3)}, {p_said(self.p_value)}, n = {count(self.n)}"

    @printable
    def __str__(self) -> str:
        return "\n".join([repr(self), self.sentence, self.citation])

    def to_dict(self) -> dict[str, Any]:
        """Return every field at full precision."""
        return asdict(self) | {"citation": str(self.citation)}
