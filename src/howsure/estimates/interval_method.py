"""IntervalMethod: what an entry in the catalogue of interval methods is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from howsure.estimates.evidence import Evidence
from howsure.estimates.tail import Limits, Tail
from howsure.results.citation import UNCITED, Citation
from howsure.types import Array

Meaning = Literal["confidence", "credible", "anytime"]


@dataclass(frozen=True)
class IntervalMethod:
    """A way to put an interval around an estimate: a function of the evidence, and what it needs.

    ``missing`` returns what the evidence lacks, in words, or None. ``symmetric``: value ± quantile · se, to whose
    variance ``added`` may add, as joint intervals do.
    ``tails``: it takes many tails at once, an array of them, and then returns as many limits.
    ``textbook``: it takes the linearised variance, as textbooks and R's survey do, without what the design effect adds.
    ``joined``: the method whose limits a comparison joins in its place, where that can serve: one end that is long by
    caution would make every difference as long. ``approximate``: of methods at any time, that it rests on an estimated
    variance.
    """

    name: str
    limits: Callable[[Evidence, Tail], Limits]
    missing: Callable[[Evidence], str | None]
    aliases: tuple[str, ...] = ()
    meaning: Meaning = "confidence"
    citation: Citation = UNCITED
    text: str = ""
    avoid: str = ""
    batch: bool = True
    tails: bool = False
    symmetric: bool = False
    textbook: bool = False
    joined: str = ""
    approximate: bool = False
    added: Callable[[Evidence, float], Array] | None = None

    def __repr__(self) -> str:
        return f"IntervalMethod({self.name!r})"


def limits_by(evidence: Evidence, method: IntervalMethod, tail: Tail) -> Limits:
    """Return the limits by a method that is known to serve the evidence."""
    if method.textbook:
        evidence = evidence.as_textbook()
    hole = evidence.value != evidence.value  # nan differs from itself
    single = isinstance(evidence.value, float) or not np.ndim(evidence.value)
    if single and hole:
        return Limits(np.float64(np.nan), np.float64(np.nan))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        found = method.limits(evidence, tail)
    if single and tail.side == "both":
        return found
    bottom, top = evidence.metric.range
    low, high = bottom if tail.side == "upper" else found.low, top if tail.side == "lower" else found.high
    if not single:
        low, high = np.where(hole, np.nan, low), np.where(hole, np.nan, high)
    return replace(found, low=low, high=high)
