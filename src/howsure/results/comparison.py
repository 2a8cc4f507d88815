"""Comparison, Comparisons and Gate: results about differences, each a sentence and a dictionary."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Literal

from howsure.results.base import Drawn, Note, Tabled
from howsure.results.covariance import Source, WithCovariance
from howsure.results.estimate import Estimate
from howsure.results.words import amount, brief, count, decimals_for, number, p_said, percent, signed

Verdict = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True, repr=False)
class Comparison(Tabled, Drawn):
    """The difference b − a (or the ratio b / a) of one metric of two models on the same rows.

    ``se`` is the standard error of the difference, or of the logarithm of the ratio.
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
    adjusted: str = "none"
    family: int = 1
    better: str | None = "higher"
    groups: int | None = None
    paired: bool = True
    meaning: str = "confidence"
    seed: int | None = None
    error: float | None = None
    notes: tuple[Note, ...] = ()

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
        """Whether "no difference" is ruled out: by the interval, or by Holm's p-value where that adjusts."""
        if self.adjusted == "holm":
            return bool(self.p_value < 1 - self.level)
        if self.adjusted == "best":
            return bool((self.low == 0) != (self.high == 0))
        return bool(self.low > self.nothing or self.high < self.nothing)

    @property
    def winner(self) -> str | None:
        """The model that is better, where that is settled and the metric has a direction."""
        if not self.decided or self.better is None:
            return None
        return self.b if (self.difference > self.nothing) == (self.better == "higher") else self.a

    @property
    def detectable(self) -> float:
        """The true difference that data of this kind and size would settle in 80 of 100 cases (ratio: as a factor)."""
        tail = (1 - self.level) / (1 if self.side != "both" else 2)
        reach = (NormalDist().inv_cdf(1 - tail) + NormalDist().inv_cdf(0.8)) * self.se
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
        return super().to_dict() | {"effects": self.effects}

    def __repr__(self) -> str:
        places = decimals_for(self.low, self.high)
        sign = "/" if self.kind == "ratio" else "−"
        side = {"both": "", "each": " (each end one-sided)"}.get(self.side, f" {self.side} bound")
        sure = p_said(self.p_value)
        if self.meaning == "credible" and self.better is not None:
            sure = f"P({self.b} better) = {number(self.probability_better, 4)}"
        return (
            f"{self.metric}: {self.b} {sign} {self.a} = {_shown(self.difference, places, self.kind)} "
            f"[{_shown(self.low, places, self.kind)}, {_shown(self.high, places, self.kind)}] {percent(self.level)}"
            f"{side} {self.method}, {sure}, n = {count(self.n)}"
        )

    @property
    def sentence(self) -> str:
        """The comparison in plain words."""
        if math.isnan(self.difference):
            if self.kind == "ratio" and self.value_a == 0:
                return f"{self.metric} of {self.a} is 0, so no ratio to it exists; compare by difference."
            lacking = "infinite" if math.inf in (abs(self.value_a), abs(self.value_b)) else "undefined"
            return f"{self.metric} is {lacking} for at least one of {self.a} and {self.b}, so they cannot be compared."
        if self.margin is not None:
            return self._margin_sentence
        if self.winner is not None:
            other = self.a if self.winner == self.b else self.b
            return f"{self.winner} is better than {other} in {self.metric}; {self._ruled_out}."
        if self.decided:
            return f"{self.metric} differs between {self.a} and {self.b}; {self._ruled_out}."
        if self.side in ("lower", "upper"):
            return f"The data do not show that {self.metric} of {self.b} is {self.alternative} than that of {self.a}."
        ahead = "higher" if self.better is None else "better"
        return (
            f"The data do not settle which of {self.a} and {self.b} is {ahead} in {self.metric}: "
            f"{'ratios' if self.kind == 'ratio' else 'differences'} from {_shown(self.low, 3, self.kind)} to "
            f"{_shown(self.high, 3, self.kind)} are compatible with them. That is not proof of equality."
            f"{self._detectable_sentence}"
        )

    @property
    def _ruled_out(self) -> str:
        if self.adjusted == "holm":
            return f"no difference is rejected after Holm's adjustment over {amount(self.family, 'comparison')}"
        among = f", simultaneously over {amount(self.family, 'comparison')}" if self.adjusted == "joint" else ""
        return f"the interval leaves out no difference{among}"

    @property
    def _detectable_sentence(self) -> str:
        if not self.detectable > 0 or not math.isfinite(self.detectable) or self.adjusted != "none":
            return ""
        what = "factor" if self.kind == "ratio" else "difference"
        return f" A true {what} of {number(self.detectable)} would be settled in 80 of 100 such test sets."

    @property
    def _margin_sentence(self) -> str:
        shown = "The data show that" if self.verdict in ("equivalent", "non-inferior") else "The data do not show that"
        by, what = f"{self.margin:g}", f"in {self.metric}"
        if self.side == "each":
            return f"{shown} {self.a} and {self.b} differ by less than {by} {what}."
        if self.better is None:
            bound = f"above −{self.margin:g}" if self.side == "lower" else f"below {self.margin:g}"
            return f"{shown} the difference {self.b} − {self.a} in {self.metric} lies {bound}."
        first, second = (self.b, self.a) if (self.side == "lower") == (self.better == "higher") else (self.a, self.b)
        return f"{shown} {first} is not worse than {second} by {by} or more {what}."


def _shown(value: float, places: int, kind: str) -> str:
    return signed(value, places) if kind == "difference" else number(value, places)


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(WithCovariance, Tabled, Drawn, Sequence[Comparison]):
    """Several comparisons of one metric, with control over all of them together."""

    metric: str
    rows: tuple[Comparison, ...]
    estimates: tuple[Estimate, ...]
    level: float
    adjust: str
    versus: str
    critical_value: float | None
    tied_with_best: tuple[str, ...]
    ranks: dict[str, int]
    notes: tuple[Note, ...] = ()
    against_best: dict[str, tuple[float, float]] = field(default_factory=dict)
    among: str = "models"
    moved: Source | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a comparison by position or by the pair (a, b) of models."""
        if isinstance(index, (int, slice)):
            return self.rows[index]
        for row in self.rows:
            if (row.a, row.b) == tuple(index):
                return row
        raise KeyError(f"{index!r} is not a pair of this comparison; pairs are (a, b) for b − a")

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    @property
    def family(self) -> int:
        """How many comparisons are controlled together."""
        return len(self.rows)

    def __repr__(self) -> str:
        rows = {"pairs": "pair", "baseline": "against the baseline", "best": "with the best"}[self.versus]
        size = amount(len(self.rows), rows) if self.versus == "pairs" else f"{len(self.rows)} {rows}"
        return f"Comparisons({self.metric}: {len(self.estimates)} {self.among}, {size}, {self.adjust})"

    def __str__(self) -> str:
        return str(self.write("text"))

    @property
    def sentence(self) -> str:
        """Which models cannot be told from the best."""
        settled = sum(row.decided for row in self.rows)
        how = {"joint": "simultaneously", "holm": "after Holm's adjustment", "none": "each on its own"}[self.adjust]
        ahead = "higher" if self.rows[0].better is None else "better"
        first = f"Of {len(self.rows)} comparisons, {settled} settle which is {ahead} at {percent(self.level)} ({how})."
        if len(self.rows) == 1:
            settles = "settles" if settled else "does not settle"
            first = f"The one comparison {settles} which is {ahead} at {percent(self.level)}."
        if not self.tied_with_best:
            return first
        if len(self.tied_with_best) == 1:
            best = self.tied_with_best[0]
            unsettled = any(best in (row.a, row.b) and not row.decided for row in self.rows)
            why = " (each other model against the best, one-sided: that asks less than every pair)" if unsettled else ""
            return f"{first} The best in {self.metric}: {best}{why}."
        return f"{first} Statistically tied with the best in {self.metric}: {', '.join(self.tied_with_best)}."

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per comparison."""
        return [row.to_dict() for row in self.rows]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a tidy data frame, one row per comparison."""
        return self.write("frame", backend=backend)


@dataclass(frozen=True, repr=False)
class Gate(Drawn):
    """Pass, fail or inconclusive, from one-sided bounds at the stated level."""

    verdict: Verdict
    metric: str
    model: str
    threshold: float
    direction: str
    level: float
    method: str
    value: float
    low: float
    high: float
    n: float
    baseline: str | None = None
    margin: float = 0.0
    notes: tuple[Note, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 3 inconclusive: what the command line returns."""
        return {"pass": 0, "fail": 1, "inconclusive": 3}[self.verdict]

    def __bool__(self) -> bool:
        return self.verdict == "pass"

    def __repr__(self) -> str:
        what = f"{self.metric} {self.direction} {brief(self.threshold)}"
        if self.baseline is not None:
            what = f"{self.metric} of {self.model} − {self.baseline} {self.direction} {brief(self.threshold)}"
        return (
            f"{self.verdict}: {what}; {number(self.value)} with one-sided {percent(self.level)} bounds "
            f"{number(self.low)} and {number(self.high)} ({self.method}), n = {count(self.n)}"
        )

    @property
    def sentence(self) -> str:
        """The verdict in plain words."""
        return {
            "pass": "The bound clears the threshold: pass.",
            "fail": "The data contradict the threshold, or it cannot be judged: fail.",
            "inconclusive": "The data are compatible with both sides of the threshold: not enough evidence.",
        }[self.verdict]
