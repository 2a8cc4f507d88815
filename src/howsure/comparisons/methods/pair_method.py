"""PairMethod: what an entry in the catalogue of comparison methods is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from howsure.comparisons.pair import Alternative, Pair
from howsure.errors import MethodError, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.tail import Tail
from howsure.results.base import Note
from howsure.results.citation import UNCITED, Citation


@dataclass(frozen=True)
class PairFindings:
    """What a method says of a pair: limits, the p-value of any null, and how sure it is that b − a exceeds x."""

    low: float
    high: float
    p: Callable[[float, Alternative], float]
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()
    meaning: str = "confidence"
    p_method: str = ""
    p_method_elsewhere: str = ""  # where the null is not "no difference"
    difference: float | None = None  # where the method weighs tasks in its own way
    se: float | None = None
    rope: tuple[float, float, float] | None = None  # worse, equal, better: where the method has its own

    def above(self, x: float) -> float:
        """Return the confidence (or the posterior probability) that the difference is larger than x."""
        return 1 - self.p(x, "greater")

    def beside(
        self, p: Callable[[Alternative], float], p_method: str, *, elsewhere: str, nothing: float = 0.0, **more: Any
    ) -> PairFindings:
        """Return these limits beside the p-value of a test that speaks of no difference alone.

        For other nulls the p-value stays that of the limits, by the method named ``elsewhere``.
        """

        def either(null: float, side: Alternative) -> float:
            return p(side) if null == nothing else self.p(null, side)

        return replace(self, p=either, p_method=p_method, p_method_elsewhere=elsewhere, **more)


@dataclass(frozen=True)
class PairMethod:
    """A way to compare two models: a function of the pair, and what it needs (``missing`` says what lacks, or None).

    ``textbook``: it takes the linearised variance, without what the design effect adds. ``resamples``: it draws the
    rows anew, many times. ``many``: it compares many models at once as well. One of those ``joins`` the limits of the
    single methods; one is the default where runs are sampled (``over_runs``), one where tasks are (``over_tasks``).
    """

    name: str
    find: Callable[[Pair, Tail, Any], PairFindings]
    missing: Callable[[Pair], str | None] = lambda pair: None
    aliases: tuple[str, ...] = ()
    options: Any = None
    textbook: bool = False
    resamples: bool = False
    many: bool = False
    joins: bool = False
    over_runs: bool = False
    over_tasks: bool = False
    citation: Citation = UNCITED
    text: str = ""
    avoid: str = ""

    def __repr__(self) -> str:
        return f"PairMethod({self.name!r})"

    def __call__(self, pair: Pair, tail: Tail, among: Sequence[PairMethod] = ()) -> PairFindings:
        """Return what the method says of a pair; one that it cannot serve is refused with those ``among`` that can."""
        why = self.missing(pair)
        if why is not None:
            fits = quoted(entry.name for entry in among if entry.missing(pair) is None)
            name = pair.metric.name
            raise MethodError(messages.METHOD_CANNOT_COMPARE_HERE(name=self.name, other_name=name, why=why, fits=fits))
        return self.find(pair, tail, self.options)
