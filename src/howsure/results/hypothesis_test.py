"""HypothesisTest: the outcome of a test that has no interval of a difference, such as Cochran's Q."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from howsure.results.citation import Citation
from howsure.results.encoding import printable
from howsure.results.words import count, number, p_said


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
