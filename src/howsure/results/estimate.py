"""Estimate, Report and Note: frozen results that say themselves in one line, a sentence, or a dictionary."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from howsure.errors import InputError
from howsure.version import __version__


class Note(str):
    """A remark on a result: plain text with a ``kind`` that code can ask for."""

    kind: str

    def __new__(cls, text: str, kind: str = "note") -> Note:
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (Note, (str(self), self.kind))


def decimals_for(low: float, high: float) -> int:
    """Return how many decimals show an interval: three, or enough to see its width."""
    width = high - low
    if not math.isfinite(width) or width <= 0:
        return 3
    return min(max(math.ceil(-math.log10(width)) + 1, 3), 9)


def number(value: float, decimals: int = 3) -> str:
    """Return a value as people read it: a true minus, none before zeros; large ratios lose decimals without support.

    >>> number(0.74038), number(-0.0216), number(-0.0001), number(122.873), number(float("nan"))
    ('0.740', '−0.022', '0.000', '122.9', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) >= 10:
        decimals = max(decimals - math.floor(math.log10(abs(value))) - 1, 0) + 1
    return f"{value:z.{decimals}f}".replace("-", "−")


def signed(value: float, decimals: int = 3) -> str:
    """Return a difference as people read it: a plus or a minus where the digits shown are not all zero.

    >>> signed(0.0216), signed(-0.0216), signed(0.0001)
    ('+0.022', '−0.022', '0.000')
    """
    text = number(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def brief(value: float) -> str:
    """Return a value as one would type it, with a true minus: '−0.03'."""
    return f"{value:zg}".replace("-", "−").replace("inf", "∞")


def amount(size: int, what: str) -> str:
    """Return a number of things, one of them in the singular: '1 pair', '3 pairs'."""
    return f"{size:,} {what}" if size == 1 else f"{size:,} {what}s"


def percent(level: float) -> str:
    """Return a level as text: 0.95 is '95%'."""
    return f"{100 * level:.10g}%"


def count(n: float) -> str:
    """Return a number of rows as text, whole where it is whole."""
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


@dataclass(frozen=True)
class Estimate:
    """A metric of one model with its interval; ask again with ``at`` (level) and ``by`` (method)."""

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
    again: Callable[..., Estimate] | None = field(default=None, repr=False, compare=False)

    def at(self, level: float) -> Estimate:
        """Return the same estimate at another level."""
        return self._ask(level=level)

    def by(self, method: Any) -> Estimate:
        """Return the same estimate by another method."""
        return self._ask(method=method)

    def _ask(self, **changes: Any) -> Estimate:
        if self.again is None and self.meaning == "joint":
            ((name, value),) = changes.items()
            raise InputError(
                f"{name} is {value!r}, and this estimate is one of several that hold together: none can be asked again "
                f"alone; ask for all of them, report(…, joint=True, {name}={value!r})"
            )
        if self.again is None:
            raise InputError(
                "this estimate came from a file or another process and no longer knows its table; estimate it again"
            )
        return self.again(**changes)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the numbers without the table that they came from."""
        return vars(self) | {"again": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Estimate:
        return self

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, spec: str) -> str:
        """Return the whole estimate as text, or with a format such as ".3f" its value."""
        return format(float(self), spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self)) if digits is None else round(float(self), digits)

    def __lt__(self, other: object) -> bool:
        return self._against(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._against(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._against(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._against(other, operator.ge)

    def _against(self, other: object, holds: Callable[[float, float], bool]) -> bool:
        """Hold the bare value against a number, as code written for scikit-learn's scores does."""
        if isinstance(other, Estimate):
            raise TypeError(
                "two estimates have no order: which is larger may be chance; compare models with howsure.compare on a "
                "table of both, or the bare values with float()"
            )
        return holds(float(self), float(other)) if isinstance(other, Real) else NotImplemented

    def __iter__(self) -> Iterator[Any]:
        """Unpack as value, (low, high)."""
        yield self.value
        yield (self.low, self.high)

    @property
    def interval(self) -> tuple[float, float]:
        """The pair (low, high)."""
        return (self.low, self.high)

    @property
    def support(self) -> str:
        """n, and what stands behind it when rows hang together."""
        text = f"n = {count(self.n)}"
        if self.groups is not None:
            text += f" in {count(self.groups)} groups"
        return text

    @property
    def limits(self) -> str:
        """The interval as text."""
        places = decimals_for(self.low, self.high)
        return f"[{number(self.low, places)}, {number(self.high, places)}]"

    def __repr__(self) -> str:
        value = number(self.value, decimals_for(self.low, self.high))
        side = "" if self.side == "both" else f" {self.side} bound,"
        name = self.metric if self.model == "model" else f"{self.metric} of {self.model}"
        return f"{name} = {value} {self.limits} {percent(self.level)}{side} {self.method}, {self.support}"

    def __str__(self) -> str:
        return "\n".join([repr(self), self.sentence, *(f"note: {note}" for note in self.notes)])

    @property
    def sentence(self) -> str:
        """What the interval says, in words that fit its meaning."""
        return _SENTENCES[self.meaning].format(level=percent(self.level), metric=self.metric)

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with method, level, seed and version."""
        names = (
            "metric",
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
            "notes": [str(note) for note in self.notes],
            "version": __version__,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the dictionary as JSON; nan and infinity become null and text."""
        return json.dumps(json_ready(self.to_dict()), indent=indent, ensure_ascii=False)

    def flat(self) -> dict[str, float]:
        """Return {"f1": …, "f1_low": …, "f1_high": …} for any experiment tracker.

        The names of models are put in front when an estimate has one.
        """
        key = self.metric if self.model == "model" else f"{self.model}/{self.metric}"
        return {key: self.value, f"{key}_low": self.low, f"{key}_high": self.high}

    def plot(self, *, axes: Any = None) -> Any:
        """Draw the estimate with its interval and return matplotlib's axes."""
        from howsure.reports.figures.intervals import plot_estimate

        return plot_estimate(self, axes=axes)

    def _repr_html_(self) -> str:
        from howsure.reports.notebook import estimate_html

        return estimate_html(self)


_SENTENCES = {
    "confidence": (
        "If other test sets of this size were drawn from the same source, {level} of intervals made this way would "
        "hold the true {metric} of this model."
    ),
    "joint": (
        "If other test sets of this size were drawn from the same source, in {level} of them all intervals of this "
        "report together would hold their true values."
    ),
    "credible": (
        "Given the data and the stated prior, the true {metric} lies in this interval with probability {level}."
    ),
}


def json_ready(value: Any) -> Any:
    """Return a copy that strict JSON can hold: nan as null, infinities as text."""
    if isinstance(value, dict):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


@dataclass(frozen=True)
class Report(Sequence[Estimate]):
    """Estimates of several metrics and models on one table."""

    rows: tuple[Estimate, ...]
    level: float
    notes: tuple[Note, ...] = ()
    joint: bool = False
    critical_value: float | None = None
    critical_error: float | None = None
    about: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a row by position, by metric name, or by (model, metric)."""
        if isinstance(index, (int, slice)):
            return self.rows[index]
        found = [row for row in self.rows if index in (row.metric, (row.model, row.metric))]
        if len(found) != 1:
            raise KeyError(f"{index!r}: {len(found)} rows of the report match; ask for (model, metric)")
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
        from howsure.reports.frames import to_frame

        return to_frame(self.to_dicts(), backend)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the report as JSON with its schema's version."""
        from howsure.reports.describe import report_document

        return json.dumps(json_ready(report_document(self)), indent=indent, ensure_ascii=False)

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        from howsure.reports.markdown import report_markdown

        return report_markdown(self)

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs)."""
        from howsure.reports.latex import report_latex

        return report_latex(self)

    def to_html(self) -> str:
        """Return a self-contained HTML page."""
        from howsure.reports.page.page import report_html

        return report_html(self)

    def plot(self, *, joint: Report | None = None, metrics: Sequence[str] | None = None, axes: Any = None) -> Any:
        """Draw a forest plot, joint intervals as thin lines behind, and return matplotlib's axes."""
        from howsure.reports.figures.intervals import plot_report

        return plot_report(self, joint=joint, metrics=metrics, axes=axes)

    def __repr__(self) -> str:
        size = f"{amount(len(self.models), 'model')} × {amount(len(self.metrics), 'metric')}"
        return f"Report({size}, {'joint ' if self.joint else ''}{percent(self.level)} intervals)"

    def __str__(self) -> str:
        from howsure.reports.text import report_text

        return report_text(self)

    def _repr_html_(self) -> str:
        from howsure.reports.notebook import report_notebook

        return report_notebook(self)
