"""ComparisonPlan: how many rows to tell two models apart, in one look or looked at until it is settled."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from scipy.special import ndtr

from howsure.results.base import Note
from howsure.results.plans.plan import Clusters, Planned, sizes_around
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, number, percent
from howsure.version import __version__


@dataclass(frozen=True, repr=False)
class ComparisonPlan(Planned):
    """How many rows to tell two models apart, with what power.

    ``variance`` is n·variance of the difference as planned, ``null_variance`` the one that the test itself uses. Where
    it is looked at until it is settled, ``expected`` is the mean number of rows, ``half_by`` that by which half of such
    evaluations are settled, and ``every`` the rows between looks; n is that by which the share ``power`` is.
    """

    metric: str
    n: int
    difference: float
    power: float
    level: float
    paired: bool
    variance: float
    null_variance: float
    agreement: float
    critical: float
    test: str
    margin: float | None = None
    comparisons: int = 1
    correlation: float | None = None
    better: str | None = None
    clusters: Clusters | None = None
    n_clusters: int | None = None
    notes: tuple[Note, ...] = ()
    expected: int | None = None
    half_by: int | None = None
    every: int | None = None
    settled: tuple[tuple[int, float], ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        if self.expected is not None:
            return phrase("plan stopping", metric=self.metric, question=self._question(), **self._stopping())
        design = "shared rows" if self.paired else "rows for each model"
        return (
            f"{self.metric}: {count(self.n)} {design} to {self._question()} of {number(self.difference, 4)} "
            f"with power {self.power:.3g} at {percent(self.level)}"
        )

    @property
    def answer_first(self) -> tuple[str, str]:
        """The answer in two parts: the rows, and what they show."""
        if self.expected is not None:
            shown = phrase("plan stopping rest", metric=self.metric, question=self._question(), **self._stopping())
            return f"{count(self.expected)} rows on average", shown
        which = "the same for both models" if self.paired else "for each model"
        shown = f"{self._question()} of {number(self.difference, 4)} in {self.metric}"
        return f"{count(self.n)} rows", f"({which}) {shown} in {percent(self.power)} of such tests."

    def _stopping(self) -> dict[str, str]:
        numbers = {"expected": self.expected, "half": self.half_by, "n": self.n, "every": self.every}
        said = {name: count(value or 0) for name, value in numbers.items()}
        shown = {"difference": number(self.difference, 4), "power": percent(round(self.power, 4))}
        return said | shown | {"level": percent(self.level)}

    def _agreed(self) -> str:
        known = not math.isnan(self.agreement)
        return f"the models agree on {percent(round(self.agreement, 4))} of rows; " if known else ""

    def _question(self) -> str:
        if self.margin is None:
            return "detect a difference"
        return f"show non-inferiority with margin {self.margin:g} at a difference"

    @property
    def effect(self) -> float:
        """How far the truth lies from what is to be refuted."""
        if self.margin is None:
            return abs(self.difference)
        return self.margin + (-self.difference if self.better == "lower" else self.difference)

    def power_at(self, n: int) -> float:
        """Return the power that another number of rows has: Φ((effect − critical·√(v₀/n)) / √(v₁/n)).

        Of looks at any time: the share of evaluations that are settled by then.
        """
        if self.expected is not None:
            return max((share for rows, share in self.settled if rows <= n), default=0.0)
        factor = 1.0 if self.clusters is None else self.clusters.design_effect
        tested, true = (math.sqrt(part * factor / n) for part in (self.null_variance, self.variance))
        return float(ndtr((self.effect - self.critical * tested) / true)) if true > 0 else 1.0

    def curve(self, sizes: Iterable[int] | None = None) -> list[tuple[int, float]]:
        """Return (n, power) for several numbers of rows; a quarter to four times the plan by default."""
        return [(size, self.power_at(size)) for size in sizes_around(sizes, self.n)]

    def plot(self, *, sizes: Iterable[int] | None = None, axes: Any = None, ax: Any = None) -> Any:
        """Draw the power over the number of rows, with the plan marked, and return matplotlib's axes."""
        return self.write("figure", sizes=sizes, axes=ax if axes is None else axes)

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        if self.expected is not None:
            agree = self._agreed()
            said = phrase("plan stopping paragraph", metric=self.metric, question=self._question(), agree=agree,
                          variance=f"{self.variance:.6g}", **self._stopping())  # fmt: skip
            return f"{said} Computed with howsure {__version__}."
        design = "the same rows for both models" if self.paired else "two separate test sets of this size"
        text = [
            f"We plan {count(self.n)} labelled rows ({design}) to {self._question()} of {number(self.difference, 4)} "
            f"in {self.metric} with power {self.power:.3g} at the {percent(self.level)} level ({self.test} test).",
        ]
        agree = self._agreed() if self.paired else ""
        text.append(f"Assumptions: {agree}n · variance of the difference {self.variance:.6g}.")
        if self.comparisons > 1:
            text.append(
                f"The critical value {self.critical:.4f} is adjusted for {self.comparisons} comparisons together."
            )
        if self.clusters is not None:
            text.append(
                f"Rows come in clusters of about {self.clusters.size:g} with a design effect of "
                f"{self.clusters.design_effect:.3g}: {count(self.n_clusters or 0)} clusters."
            )
        return " ".join(text) + f" Computed with howsure {__version__}."
