"""Estimate and Report: frozen results that say themselves in one line, a sentence, or a dictionary."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from howsure.errors import LONG_NAME, InputError, cut
from howsure.errors.messages import results as messages
from howsure.results.base import Note, Result, Tabled, json_ready
from howsure.results.class_counts import ClassCounts
from howsure.results.covariance import Source, WithCovariance
from howsure.results.quantity import Quantity
from howsure.results.sentences.phrases import held, phrase
from howsure.results.words import amount, count, decimals_for, method_words, metric_words, number, percent, reach, units
from howsure.version import __version__

BEFORE = {"joint": "joint ", "credible": "credible "}


class JudgeAlone(Quantity):
    """What a judge alone would say: a float without an interval, as a judge knows nothing of its own errors."""

    value: float
    metric: str = ""
    model: str = "model"

    def __repr__(self) -> str:
        said = metric_words(self.metric)
        name = said if self.model == "model" else f"{said} of {cut(self.model, LONG_NAME)}"
        return phrase("judge alone", name=name, value=number(self.value, 3))


class Estimate(Result, Quantity):
    """A metric of one model with its interval: a float that knows how sure it is.

    It works wherever a float does, unpacks as ``value, (low, high)``, and compares as its value does; ``same`` compares
    everything. Ask again with ``at`` (level) and ``by`` (method). ``metric`` is the name that was asked for,
    ``canonical`` the catalogue's: "cosine" is "fowlkes_mallows" there.

    With a judge: labels of people count as ``gain`` times as many, ``human`` is the same from people alone,
    ``judge_only`` what the judge alone would say, ``lam`` the weight of each judge, ``judged`` the rows it answered.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"again"})
    value: float
    low: float
    high: float
    level: float
    method: str
    se: float
    n: float
    metric: str
    model: str = "model"
    notes: tuple[Note, ...] = ()
    side: str = "both"
    meaning: str = "confidence"
    groups: int | None = None
    design_effect: float = 1.0
    effective_n: float = math.nan
    undefined: str = "nan"
    seed: int | None = None
    error: float | None = None
    metric_range: tuple[float, float] | None = None
    threshold: float | None = None
    fraction: tuple[float, float] | None = None
    drawn: str = ""
    fixed: tuple[str, ...] = ()
    canonical: str = ""
    names: tuple[str, ...] = ()
    says: str = ""
    run_values: tuple[float, ...] = ()
    variance_shares: tuple[tuple[str, float], ...] = ()
    gain: float | None = None
    human: Estimate | None = None
    judge_only: JudgeAlone | None = None
    lam: tuple[float, ...] = ()
    judged: float | None = None
    again: Callable[..., Estimate] | None = None

    @property
    def runs(self) -> int | None:
        """How many runs the value is a mean of; None where it is of one model as it is."""
        return len(self.run_values) or None

    @property
    def parts(self) -> dict[str, float]:
        """The shares of the variance by what was sampled, such as {"rows": 0.46, "runs": 0.54}."""
        return dict(self.variance_shares) or {"rows": 1.0}

    def called(self, name: object) -> bool:
        """Whether a name is one of the metric's: as asked for, the catalogue's, or an alias; case does not matter."""
        return isinstance(name, str) and name.lower() in {one.lower() for one in (self.metric, *self.names)}

    def at(self, level: float) -> Estimate:
        """Return the same estimate at another level."""
        return self._ask(level=level)

    def by(self, method: Any) -> Estimate:
        """Return the same estimate by another method."""
        return self._ask(method=method)

    def _ask(self, **changes: Any) -> Estimate:
        if self.again is None and self.meaning == "joint":
            ((name, value),) = changes.items()
            raise InputError(messages.ESTIMATE_IS_ONE_OF_SEVERAL(name=name, value=value))
        if self.again is None:
            raise InputError(messages.ESTIMATE_CAME_FROM_FILE_OR_ANOTHER())
        return self.again(**changes)

    def __getitem__(self, index: int) -> Any:
        """Unpack as value, (low, high). Without ``__iter__``, with which pandas would take it for a list."""
        return (self.value, self.interval)[index]

    @property
    def interval(self) -> tuple[float, float]:
        """The pair (low, high)."""
        return (self.low, self.high)

    @property
    def said(self) -> str:
        """The metric's name as people write it."""
        return metric_words(self.metric)

    @property
    def sampled(self) -> str:
        """What was sampled, in words: '833 rows', '400 rows of 120 patient_id'."""
        plain = units(self.n, "row")
        return self.drawn or (plain if self.groups is None else f"{plain} of {units(self.groups, 'group')}")

    @property
    def held_fixed(self) -> str:
        """What was sampled and what was held fixed."""
        return phrase("held fixed", sampled=self.sampled, held=held(self.fixed)) if self.fixed else ""

    @property
    def counts(self) -> str:
        """Numerator and denominator as text, such as '77/87'; empty where there is none."""
        return "" if self.fraction is None else f"{count(self.fraction[0])}/{count(self.fraction[1])}"

    @property
    def limits(self) -> str:
        """The interval as text."""
        places = decimals_for(self.low, self.high)
        return f"[{number(self.low, places)}, {number(self.high, places)}]"

    @property
    def reach(self) -> str:
        """The interval in words, '0.669 to 0.801'; of a one-sided one the bound."""
        places = decimals_for(self.low, self.high)
        bounds = {"lower": self.low, "upper": self.high}
        return number(bounds[self.side], places) if self.side in bounds else reach(self.low, self.high, places)

    @property
    def kind(self) -> str:
        """What the limits are: an interval, joint or credible, or a bound."""
        before, after = BEFORE.get(self.meaning, ""), phrase("at any time") if self.meaning == "anytime" else ""
        return f"{before}interval{after}" if self.side == "both" else f"{before}{self.side} bound{after}"

    @property
    def method_said(self) -> str:
        """The method as a footnote says it."""
        return method_words(self.method)

    def __repr__(self) -> str:
        said, model = cut(self.said, LONG_NAME), cut(self.model, LONG_NAME)
        name = said if self.model == "model" else f"{said} of {model}"
        if math.isnan(self.value):
            return phrase("estimate undefined", name=name, sampled=self.sampled)
        return phrase(
            "estimate", name=name, value=number(self.value, decimals_for(self.low, self.high)), reach=self.reach,
            level=percent(self.level), kind=self.kind, method=self.method_said, sampled=self.sampled,
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """What the interval says, in words that fit its meaning."""
        sampled = f"{self.meaning} runs" if self.variance_shares and self.meaning == "confidence" else self.meaning
        chosen = self.says if self.says and self.meaning == "confidence" else sampled
        return phrase(chosen, level=percent(self.level), metric=self.said)

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with method, level, seed and version."""
        names = (
            "metric",
            "canonical",
            "model",
            "value",
            "low",
            "high",
            "level",
            "side",
            "method",
            "meaning",
            "se",
            "n",
            "groups",
            "design_effect",
            "effective_n",
            "undefined",
            "seed",
            "error",
        )
        return {name: getattr(self, name) for name in names} | {
            "canonical": self.canonical or self.metric,
            "notes": [str(note) for note in self.notes],
            **self._of_judge(),
            **self._of_runs(),
            "version": __version__,
        }

    def _of_judge(self) -> dict[str, Any]:
        """Return what a judge adds to the dictionary; nothing without one."""
        if self.gain is None:
            return {}
        alone = None if self.judge_only is None else self.judge_only.value
        human = None if self.human is None else {name: getattr(self.human, name) for name in ("value", "low", "high")}
        return {
            "judge": {
                "gain": self.gain, "lam": list(self.lam), "judged": self.judged, "human": human, "judge_only": alone,
            }
        }  # fmt: skip

    def _of_runs(self) -> dict[str, Any]:
        """Return what belongs to several runs, where the value is a mean over them."""
        held = {"runs": self.runs, "run_values": list(self.run_values), "parts": self.parts}
        return held if self.run_values else {}

    def flat(self) -> dict[str, float]:
        """Return {"f1": …, "f1_low": …, "f1_high": …} for any experiment tracker.

        The names of models are put in front when an estimate has one.
        """
        key = self.metric if self.model == "model" else f"{self.model}/{self.metric}"
        return {key: self.value, f"{key}_low": self.low, f"{key}_high": self.high}

    def plot(self, *, axes: Any = None, ax: Any = None) -> Any:
        """Draw the estimate with its interval and return matplotlib's axes."""
        return self.write("figure", axes=ax if axes is None else axes)


@dataclass(frozen=True, eq=False)
class Report(WithCovariance, Tabled, Sequence[Estimate]):
    """Estimates of several metrics and models on one table."""

    rows: tuple[Estimate, ...]
    level: float
    notes: tuple[Note, ...] = ()
    joint: bool = False
    critical_value: float | None = None
    critical_error: float | None = None
    about: dict[str, Any] = field(default_factory=dict)
    classes: ClassCounts | None = field(default=None, repr=False, compare=False)
    asked: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    moved: Source | None = field(default=None, repr=False, compare=False)
    table: Any = field(default=None, repr=False, compare=False)
    usual: bool = field(default=False, repr=False, compare=False)
    unit: str = field(default="row", repr=False, compare=False)
    compared: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the rows with what their models are against each other, without table and functions."""
        self.write("pairs")
        return super().__getstate__() | {"asked": (), "table": None}

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a row by position, by metric name, or by (model, metric); any alias of a metric is its name."""
        if isinstance(index, (int, slice)):
            return self.rows[index]
        found = [row for row in self.rows if index in (row.metric, (row.model, row.metric))]
        if not found:
            model, name = index if isinstance(index, tuple) and len(index) == 2 else (None, index)
            found = [row for row in self.rows if model in (None, row.model) and row.called(name)]
        if len(found) != 1:
            raise KeyError(messages.ROWS_OF_REPORT_MATCH(index=index, number=len(found)))
        return found[0]

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in order of appearance."""
        return tuple(dict.fromkeys(row.model for row in self.rows))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in order of appearance."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return [row.to_dict() for row in self.rows]

    def flat(self) -> dict[str, float]:
        """Return {"f1": …, "f1_low": …, "f1_high": …, …} for any experiment tracker."""
        return {key: value for row in self.rows for key, value in row.flat().items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a tidy data frame, one row per estimate: pandas if installed, otherwise polars."""
        return self.write("frame", backend=backend)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the report as JSON with its schema's version."""
        return json.dumps(json_ready(self.write("document")), indent=indent, ensure_ascii=False)

    def to_markdown(self, *, baseline: str | None = None) -> str:
        """Return a Markdown table; † marks models clearly worse than the best, or those that differ from a baseline."""
        return str(self.write("markdown", **_baseline(baseline)))

    def to_latex(self, *, baseline: str | None = None) -> str:
        """Return a LaTeX table (booktabs); † marks models clearly worse than the best, or unlike a baseline."""
        return str(self.write("latex", **_baseline(baseline)))

    def to_html(self) -> str:
        """Return a self-contained HTML page."""
        return str(self.write("html"))

    def plot(
        self, *, joint: Report | None = None, metrics: Sequence[str] | None = None, axes: Any = None, ax: Any = None
    ) -> Any:
        """Draw a forest plot, joint intervals as thin lines behind, and return matplotlib's axes."""
        return self.write("figure", joint=joint, metrics=metrics, axes=ax if axes is None else axes)

    @property
    def ranking(self) -> Any:
        """Who is best in the leading metric, tied or clearly worse; None where models cannot be compared."""
        return self.write("ranking")

    def __repr__(self) -> str:
        size = f"{amount(len(self.models), 'model')} × {amount(len(self.metrics), 'metric')}"
        return f"Report({size}, {'joint ' if self.joint else ''}{percent(self.level)} intervals)"

    def __str__(self) -> str:
        return str(self.write("text"))


def _baseline(name: str | None) -> dict[str, str]:
    """Return the option of a writer, where a baseline was named."""
    return {} if name is None else {"baseline": name}
