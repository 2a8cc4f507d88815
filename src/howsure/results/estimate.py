"""Estimate and Report: frozen results that say themselves in one line, a sentence, or a dictionary."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from howsure.errors import InputError, arg
from howsure.results.base import Note, Result, Tabled, json_ready
from howsure.results.class_counts import ClassCounts
from howsure.results.covariance import Source, WithCovariance
from howsure.results.quantity import Quantity
from howsure.results.words import amount, count, decimals_for, number, percent
from howsure.version import __version__


class Estimate(Result, Quantity):
    """A metric of one model with its interval: a float that knows how sure it is.

    It works wherever a float does, unpacks as ``value, (low, high)``, and compares as its value does; ``same`` compares
    everything. Ask again with ``at`` (level) and ``by`` (method). ``metric`` is the name that was asked for,
    ``canonical`` the catalogue's: "cosine" is "fowlkes_mallows" there.
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
    canonical: str = ""
    names: tuple[str, ...] = ()
    again: Callable[..., Estimate] | None = None

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
            raise InputError(
                f"{arg(name)} is {value!r}, and this estimate is one of several that hold together: none can be "
                f"asked again alone; ask for all of them, report(…, joint=True, {name}={value!r})"
            )
        if self.again is None:
            raise InputError(
                "this estimate came from a file or another process and no longer knows its table; estimate it again"
            )
        return self.again(**changes)

    def __getitem__(self, index: int) -> Any:
        """Unpack as value, (low, high). Without ``__iter__``, with which pandas would take it for a list."""
        return (self.value, self.interval)[index]

    @property
    def interval(self) -> tuple[float, float]:
        """The pair (low, high)."""
        return (self.low, self.high)

    @property
    def support(self) -> str:
        """n, and the effective number of rows where they are clustered or weighted."""
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

    @property
    def sentence(self) -> str:
        """What the interval says, in words that fit its meaning."""
        return _SENTENCES[self.meaning].format(level=percent(self.level), metric=self.metric)

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
            "version": __version__,
        }

    def flat(self) -> dict[str, float]:
        """Return {"f1": …, "f1_low": …, "f1_high": …} for any experiment tracker.

        The names of models are put in front when an estimate has one.
        """
        key = self.metric if self.model == "model" else f"{self.model}/{self.metric}"
        return {key: self.value, f"{key}_low": self.low, f"{key}_high": self.high}

    def plot(self, *, axes: Any = None) -> Any:
        """Draw the estimate with its interval and return matplotlib's axes."""
        return self.write("figure", axes=axes)


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

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the rows without the metrics that they were asked by, which may be functions."""
        return super().__getstate__() | {"asked": ()}

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
        return self.write("frame", backend=backend)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the report as JSON with its schema's version."""
        return json.dumps(json_ready(self.write("document")), indent=indent, ensure_ascii=False)

    def to_html(self) -> str:
        """Return a self-contained HTML page."""
        return str(self.write("html"))

    def plot(self, *, joint: Report | None = None, metrics: Sequence[str] | None = None, axes: Any = None) -> Any:
        """Draw a forest plot, joint intervals as thin lines behind, and return matplotlib's axes."""
        return self.write("figure", joint=joint, metrics=metrics, axes=axes)

    def __repr__(self) -> str:
        size = f"{amount(len(self.models), 'model')} × {amount(len(self.metrics), 'metric')}"
        return f"Report({size}, {'joint ' if self.joint else ''}{percent(self.level)} intervals)"

    def __str__(self) -> str:
        return str(self.write("text"))
