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
        design = phrase("plan pair shared" if self.paired else "plan pair apart")
        return phrase("plan pair", rows=count(self.n), design=design, power=f"{self.power:.3g}", **self._asked())

    def _asked(self) -> dict[str, str]:
        return {
            "metric": self.metric, "question": self._question(), "difference": number(self.difference, 4),
            "level": percent(self.level),
        }  # fmt: skip

    @property
    def answer_first(self) -> tuple[str, str]:
        """The answer in two parts: the rows, and what they show."""
        if self.expected is not None:
            shown = phrase("plan stopping rest", metric=self.metric, question=self._question(), **self._stopping())
            return phrase("plan stopping first", expected=count(self.expected)), shown
        which = phrase("plan pair same" if self.paired else "plan pair each")
        shown = phrase("plan pair rest", which=which, power=percent(self.power), **self._asked())
        return phrase("plan rows", rows=count(self.n)), shown

    def _stopping(self) -> dict[str, str]:
        numbers = {"expected": self.expected, "half": self.half_by, "n": self.n, "every": self.every}
        said = {name: count(value or 0) for name, value in numbers.items()}
        shown = {"difference": number(self.difference, 4), "power": percent(round(self.power, 4))}
        return said | shown | {"level": percent(self.level)}

    def _agreed(self) -> str:
        known = not math.isnan(self.agreement)
        return phrase("plan agree", share=percent(round(self.agreement, 4))) if known else ""

    def _question(self) -> str:
        if self.margin is None:
            return phrase("plan question")
        return phrase("plan question margin", margin=f"{self.margin:g}")

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
        agree = self._agreed() if self.paired else ""
        deviation = phrase("plan row deviation", deviation=number(math.sqrt(self.variance), 4))
        computed = phrase("plan computed", version=__version__)
        if self.expected is not None:
            said = {"metric": self.metric, "question": self._question(), "agree": agree, "deviation": deviation}
            return phrase("plan stopping paragraph", **said, **self._stopping()) + computed
        text = phrase(
            "plan pair paragraph", rows=count(self.n), power=f"{self.power:.3g}", test=self.test, agree=agree,
            design=phrase("plan pair same rows" if self.paired else "plan pair two sets"), deviation=deviation,
            **self._asked(),
        )  # fmt: skip
        if self.comparisons > 1:
            text += phrase("plan pair adjusted", critical=f"{self.critical:.4f}", comparisons=self.comparisons)
        if self.clusters is not None:
            text += phrase(
                "plan pair clusters", size=f"{self.clusters.size:g}", effect=f"{self.clusters.design_effect:.3g}",
                clusters=count(self.n_clusters or 0),
            )  # fmt: skip
        return text + computed
