"""Comparison and Comparisons: results about differences, each a sentence and a dictionary."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

from howsure.errors.messages import results as messages
from howsure.results.base import Drawn, Listed, Note, Sampled, Tabled
from howsure.results.covariance import Source, WithCovariance
from howsure.results.estimate import Estimate
from howsure.results.sentences.judgements import comparison_sentence
from howsure.results.sentences.phrases import phrase
from howsure.results.sentences.ranking import Ranking, rank_ranges, ranking_of, ranks
from howsure.results.tasks.over_tasks import NewTaskLimits, OverTasks, TaskRow
from howsure.results.words import (
    amount,
    decimals_for,
    method_words,
    number,
    p_said,
    percent,
    reach,
    signed,
    worded,
)


@dataclass(frozen=True, repr=False)
class Comparison(Tabled, Sampled, Drawn):
    """The difference b − a (or the ratio b / a) of one metric of two models on the same rows.

    ``se`` is the standard error of the difference, or of the logarithm of the ratio. ``beside`` names the method of the
    interval where the p-value is that of a test of its own, which then decides.
    """

    metric: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    level: float
    method: str
    p_value: float
    se: float
    value_a: float
    value_b: float
    n: float
    correlation: float = math.nan
    kind: str = "difference"
    alternative: str = "two-sided"
    margin: float | None = None
    side: str = "both"
    verdict: str | None = None
    probability_better: float = math.nan
    rope: float | None = None
    rope_probabilities: tuple[float, float, float] | None = None
    discordant: tuple[float, float] | None = None
    unpaired: tuple[float, float] | None = None
    p_method: str = ""
    beside: str = ""
    adjusted: str = "none"
    family: int = 1
    better: str | None = "higher"
    groups: int | None = None
    paired: bool = True
    meaning: str = "confidence"
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()
    drawn: str = ""
    fixed: tuple[str, ...] = ()
    run_values: tuple[tuple[float, ...], ...] = ((), ())
    variance_shares: tuple[tuple[str, float], ...] = ()
    run_half: float | None = None
    tasks: OverTasks | None = None
    range_of_metric: tuple[float, float] = (-math.inf, math.inf)

    @property
    def runs(self) -> tuple[int, int] | None:
        """How many runs the two values are means of; None where neither has several."""
        numbers = len(self.run_values[0]), len(self.run_values[1])
        return (max(numbers[0], 1), max(numbers[1], 1)) if any(numbers) else None

    @property
    def parts(self) -> dict[str, float]:
        """The shares of the variance by what was sampled, such as {"rows": 0.46, "runs": 0.54}."""
        return dict(self.variance_shares) or {"rows": 1.0}

    @property
    def by_task(self) -> tuple[TaskRow, ...]:
        """The difference in each task; empty where rows are not of several tasks."""
        return () if self.tasks is None else self.tasks.rows

    @property
    def new_task(self) -> NewTaskLimits | None:
        """Where the difference on one more task like these may lie, and how probably b is better there."""
        return None if self.tasks is None else self.tasks.new_task

    @property
    def ratio(self) -> float:
        """The ratio of the two values."""
        return self.value_b / self.value_a if self.value_a else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The pair (low, high)."""
        return (self.low, self.high)

    @property
    def nothing(self) -> float:
        """The value that means no difference: 0, or 1 for a ratio."""
        return 1.0 if self.kind == "ratio" else 0.0

    @property
    def decided(self) -> bool:
        """Whether "no difference" is ruled out: by the interval, or by a test of its own or Holm's p-value."""
        if self.adjusted == "holm" or (self.beside and self.adjusted == "none"):
            return bool(self.p_value < 1 - self.level)
        if self.adjusted == "best":
            return bool((self.low == 0) != (self.high == 0))
        return self.apart

    @property
    def apart(self) -> bool:
        """Whether the interval leaves out no difference."""
        return bool(self.low > self.nothing or self.high < self.nothing)

    @property
    def winner(self) -> str | None:
        """The model that is better, where that is settled and the metric has a direction."""
        if not self.decided or self.better is None:
            return None
        return self.b if (self.difference > self.nothing) == (self.better == "higher") else self.a

    @property
    def detectable(self) -> float:
        """The true difference that data of this kind and size would settle in 80 of 100 cases (ratio: as a factor).

        Undefined for limits at any time: there the size follows from the data.
        """
        if self.meaning == "anytime":
            return math.nan
        tail = (1 - self.level) / (1 if self.side != "both" else 2)
        half = self.run_half if self.run_half is not None else NormalDist().inv_cdf(1 - tail) * self.se
        reach = half + NormalDist().inv_cdf(0.8) * self.se
        return math.exp(reach) if self.kind == "ratio" else reach

    @property
    def effects(self) -> dict[str, float]:
        """Effect sizes, to stand beside the p-value; nan where one has no meaning.

        ``cohens_h``: 2·arcsin√b − 2·arcsin√a, of two shares. ``standardised``: the difference in standard deviations of
        what one row adds to it. ``odds_ratio``: rows that only b gets right for each that only a does.
        """
        shares = all(0 <= value <= 1 for value in (self.value_a, self.value_b))
        roots = [2 * math.asin(math.sqrt(value)) if shares else math.nan for value in (self.value_a, self.value_b)]
        apart = math.log(self.difference) if self.kind == "ratio" and self.difference > 0 else self.difference
        spread = self.se * math.sqrt(self.n) if self.se > 0 else math.nan
        only_a, only_b = self.discordant or (math.nan, math.nan)
        odds = only_b / only_a if only_a else (math.inf if only_b else math.nan)
        return {"cohens_h": roots[1] - roots[0], "standardised": apart / spread, "odds_ratio": odds}

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the effect sizes and the version."""
        more = {} if self.runs is None else {"runs": self.runs, "run_values": self.run_values, "parts": self.parts}
        found = super().to_dict() | {"effects": self.effects} | more
        if self.tasks is None:
            found.pop("tasks")
        return found

    @property
    def reach(self) -> str:
        """The interval in words; of a one-sided one the bound."""
        places = decimals_for(self.low, self.high)
        bounds = {"lower": self.low, "upper": self.high}
        if self.side in bounds:
            return _shown(bounds[self.side], places, self.kind)
        return reach(self.low, self.high, places, sign=self.kind == "difference")

    @property
    def at(self) -> str:
        """When the limits hold, in words: nothing is said of one look."""
        return phrase("at any time") if self.meaning == "anytime" else ""

    @property
    def words(self) -> str:
        """What the pair settles about b, in two words."""
        if self.winner is not None:
            return "better" if self.winner == self.b else "worse"
        return "differs" if self.decided else "not settled"

    def __repr__(self) -> str:
        sure = p_said(self.p_value)
        if self.meaning == "credible" and self.better is not None:
            sure = f"P({self.b} better) = {number(self.probability_better, 4)}"
        kinds = {"both": f"interval{self.at}", "each": f"interval{self.at}, each end one-sided,"}
        what = "credible " if self.meaning == "credible" else ""
        return phrase(
            "pair", metric=self.said, a=self.a, b=self.b, sign="/" if self.kind == "ratio" else "−",
            value=_shown(self.difference, decimals_for(self.low, self.high), self.kind), level=percent(self.level),
            kind=what + kinds.get(self.side, f"{self.side} bound{self.at}"), reach=self.reach,
            method=method_words(self.method), sure=sure, sampled=self.sampled,
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """The comparison in plain words."""
        return comparison_sentence(self)


def _shown(value: float, places: int, kind: str) -> str:
    return signed(value, places) if kind == "difference" else number(value, places)


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(WithCovariance, Tabled, Drawn, Listed[Comparison]):
    """Several comparisons of one metric, with control over all of them together; ``[a, b]`` is one of them."""

    metric: str
    rows: tuple[Comparison, ...]
    estimates: tuple[Estimate, ...]
    level: float
    adjust: str
    versus: str
    critical_value: float | None
    tied_with_best: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    against_best: dict[str, tuple[float, float]] = field(default_factory=dict)
    among: str = "models"
    moved: Source | None = field(default=None, repr=False, compare=False)

    def _named(self, index: Any) -> Comparison:
        """Return the comparison of the pair (a, b) of models."""
        for row in self.rows:
            if (row.a, row.b) == tuple(index):
                return row
        raise KeyError(messages.NOT_PAIR_OF_COMPARISON(index=index))

    @property
    def held_fixed(self) -> str:
        """What was sampled and what was held fixed."""
        return self.rows[0].held_fixed if self.rows else ""

    @property
    def family(self) -> int:
        """How many comparisons are controlled together."""
        return len(self.rows)

    def __repr__(self) -> str:
        rows = {"pairs": "pair", "baseline": "against the baseline", "best": "with the best"}[self.versus]
        size = amount(len(self.rows), rows) if self.versus == "pairs" else f"{len(self.rows)} {rows}"
        return f"Comparisons({self.said}: {len(self.estimates)} {self.among}, {size}, {self.adjust})"

    def __str__(self) -> str:
        return str(self.write("text"))

    @property
    def ranking(self) -> Ranking:
        """Who is best, tied or clearly worse, in order: the same for every face."""
        return ranking_of(self)

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each model by its value; empty where no direction is better, or not every pair was compared."""
        return ranks(self.estimates, self.rows[0].better) if self.versus == "pairs" and self.rows else {}

    @property
    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """The ranks that the settled pairs leave open: {"bert": (1, 2)} is first or second."""
        return rank_ranges(self) if self.ranks else {}

    @property
    def sentence(self) -> str:
        """Who is best, and how many pairs have a clear winner."""
        first = self.ranking.sentence
        return first if first == self.settled_said or len(self.rows) == 1 else f"{first} {self.settled_said}"

    @property
    def settled_said(self) -> str:
        """How many pairs have a clear winner."""
        settled, how = sum(row.decided for row in self.rows), {"joint": "all together", "holm": "after Holm"}
        shared = {
            "settled": settled, "size": len(self.rows), "level": percent(self.level),
            "together": phrase(how.get(self.adjust, "each alone")),
        }  # fmt: skip
        if self.versus == "baseline":
            return phrase(
                "settled baseline", baseline=self.rows[0].a, differ="differs" if settled == 1 else "differ", **shared
            )
        if self.versus == "best":
            return phrase("with the best", names=worded(self.tied_with_best), metric=self.said, level=shared["level"])
        return phrase("settled count", have="has" if settled == 1 else "have", **shared)

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the ranks and the version."""
        return super().to_dict() | {"ranks": self.ranks, "rank_ranges": self.rank_ranges}

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per comparison."""
        return [row.to_dict() for row in self.rows]
