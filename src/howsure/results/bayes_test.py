"""BayesTest: the probabilities that one model is better than another, and not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from howsure.results.base import Note, Result, Tabled
from howsure.results.sentences.phrases import phrase
from howsure.results.words import chance, decimals_for, percent, reach, signed

Pairing = Literal["independent", "paired"]
ACCEPT = ("Accept H0", "Accept H1")
COIN = 2 / 3  # below, the larger probability decides no more than a coin


class Difference(Protocol):
    """The distribution of ν_B − ν_A, as far as a curve asks."""

    def pdf(self, x: Any) -> Any: ...
    def ppf(self, p: Any) -> Any: ...
    def isf(self, q: Any) -> Any: ...


class Laws(NamedTuple):
    """The posterior of each model and of their difference; ``drawn`` where the curve of it is smoothed draws."""

    a: Any
    b: Any
    gain: Difference
    drawn: bool


@dataclass(frozen=True, repr=False)
class BayesTest(Tabled, Result):
    """H0: ν_B − ν_A ≤ 0 against H1: ν_B − ν_A > 0, with the probability of each.

    ``difference`` is the posterior mean of ν_B − ν_A, ``low`` and ``high`` its equal-tailed credible interval,
    ``value_a`` and ``value_b`` the metric itself, ``interval_a`` and ``interval_b`` its credible intervals.
    ``rope_probabilities`` are those of ν_B − ν_A below, within and above the region of practical equivalence. ``error``
    is the Monte-Carlo standard error of p_h0, None if exact. ``laws()`` gives both posteriors and the distribution of
    ν_B − ν_A, which ``plot()`` draws.
    """

    metric: str
    a: str
    b: str
    p_h0: float
    p_h1: float
    decision: str
    difference: float
    low: float
    high: float
    level: float
    method: str
    pairing: Pairing
    prior: float
    value_a: float
    value_b: float
    interval_a: tuple[float, float] | None = None
    interval_b: tuple[float, float] | None = None
    factors: tuple[float | None, float | None] = (None, None)
    rope: float | None = None
    rope_probabilities: tuple[float, float, float] | None = None
    better: str | None = "higher"
    draws: int | None = None
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()
    laws: Callable[[], Laws] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        places = decimals_for(self.low, self.high)
        return phrase(
            "bayes", metric=self.said, a=self.a, b=self.b, value=signed(self.difference, places),
            level=percent(self.level), reach=reach(self.low, self.high, places, sign=True), chance=chance(self.p_h1),
            error="" if self.error is None else f" ± {self.error:.1g}",
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """The test in plain words: who has the higher value, how sure that is, and whether it decides."""
        sure, first = (self.p_h1, self.b) if self.p_h1 >= self.p_h0 else (self.p_h0, self.a)
        name = "bayes decided" if sure >= self.level else "bayes open" if sure >= COIN else "bayes coin"
        shown = chance(self.p_h1 if name == "bayes coin" else sure, 2)
        text = phrase(name, first=first, b=self.b, metric=self.said, sure=shown)
        if self.better == "lower":
            text += phrase("bayes lower", metric=self.said)
        if self.rope_probabilities is not None:
            text += phrase("bayes alike", rope=f"{self.rope:g}", sure=chance(self.rope_probabilities[1], 2))
        how = phrase("bayes independent" if self.pairing == "independent" else "bayes paired")
        return text + phrase("bayes given", prior=f"{self.prior:g}", how=how)

    def plot(self, *, axes: Any = None, ax: Any = None) -> Any:
        """Draw both posteriors and the density of the difference with the areas of H0 and H1, and return the two axes.

        Given axes, draw the difference alone there and return them.
        """
        return self.write("figure", axes=ax if axes is None else axes)
