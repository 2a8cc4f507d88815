"""Curve, Calibration and ThresholdChoice: what scores say over thresholds, of calibration, of one threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from howsure.results.base import Note, Result, Tabled
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, metric_words, number, percent
from howsure.types import Array
from howsure.version import __version__


@dataclass(frozen=True, eq=False)
class Curve(Result, Tabled):
    """A curve with a band: ``value`` with ``low`` and ``high`` at each ``threshold``, or along another axis.

    ``kind`` is "roc", "precision_recall", "reliability", "decision", "risk_coverage" or "threshold" for a metric over
    thresholds. What only one kind has is None elsewhere: ``fpr`` with its limits (roc), ``recall`` with its limits
    (precision_recall), ``predicted`` and ``count`` (reliability), ``everyone`` (decision: the net benefit of marking
    every row), ``coverage`` (risk_coverage). ``best`` is the metric at its best threshold, its interval the band's.
    """

    kind: str
    metric: str
    model: str
    level: float
    n: float
    threshold: Array
    value: Array
    low: Array
    high: Array
    method: str
    q: float = math.nan
    fpr: Array | None = None
    fpr_low: Array | None = None
    fpr_high: Array | None = None
    recall: Array | None = None
    recall_low: Array | None = None
    recall_high: Array | None = None
    predicted: Array | None = None
    count: Array | None = None
    everyone: Array | None = None
    coverage: Array | None = None
    area: Estimate | None = None
    best: Estimate | None = None
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.value)

    @property
    def columns(self) -> dict[str, Array]:
        """The numbers of the curve, a column each."""
        return {one.name: getattr(self, one.name) for one in fields(self)
                if isinstance(getattr(self, one.name), np.ndarray)}  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, the numbers as lists."""
        plain = {"kind": self.kind, "metric": self.metric, "model": self.model, "level": self.level, "n": self.n,
                 "method": self.method, "q": self.q}  # fmt: skip
        ends = {"area": self.area and self.area.to_dict(), "best": self.best and self.best.to_dict()}
        found = {name: column.tolist() for name, column in self.columns.items()}
        notes = {"notes": [str(note) for note in self.notes], "sentence": self.sentence, "version": __version__}
        return plain | ends | found | notes

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a point."""
        named = self.columns
        return [{name: float(column[row]) for name, column in named.items()} for row in range(len(self))]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a data frame, one row a point: pandas if installed, otherwise polars."""
        return self.write("frame", backend=backend)

    def plot(self, *, axes: Any = None) -> Any:
        """Draw the curve with its band and return matplotlib's axes."""
        return self.write("figure", axes=axes)

    def __repr__(self) -> str:
        best = f", best {number(self.best.value)} at {number(self.best.threshold or math.nan)}" if self.best else ""
        area = f", area {number(self.area.value)}" if self.area else ""
        return (
            f"Curve({self.metric} of {self.model}, {len(self)} points, {percent(self.level)} band{area}{best}, "
            f"n = {count(self.n)})"
        )

    @property
    def sentence(self) -> str:
        """What the band says."""
        where = self.kind if self.kind in ("reliability", "decision", "risk_coverage") else "thresholds"
        return phrase("curve sentence", level=percent(self.level), where=phrase(f"curve at {where}"))

    @property
    def said(self) -> str:
        """What is drawn, in words: ROC curve, F1 over thresholds."""
        return phrase(f"curve {self.kind}", metric=metric_words(self.metric))


@dataclass(frozen=True)
class Calibration(Result, Tabled):
    """How far probabilities can be taken at their word, for one model.

    ``report`` holds slope, intercept, calibration in the large, Brier score and its skill, log loss and ECE with their
    intervals. Brier score = ``miscalibration`` − ``discrimination`` + ``uncertainty`` (CORP, Dimitriadis, Gneiting &
    Jordan 2021). ``expected_ece`` is what a perfectly calibrated model would show. ``p_value`` tests that intercept and
    slope are 0 and 1 together.
    """

    model: str
    report: Report
    miscalibration: float
    discrimination: float
    uncertainty: float
    expected_ece: float
    p_value: float
    statistic: float
    n: float
    level: float
    curve: Curve | None = None
    notes: tuple[Note, ...] = ()

    def __getitem__(self, metric: str) -> Estimate:
        found: Estimate = self.report[metric]
        return found

    @property
    def sentence(self) -> str:
        """Whether the probabilities pass as calibrated."""
        if math.isnan(self.p_value):
            return phrase("calibration unknown")
        if self.p_value < 1 - self.level:
            return phrase("calibration off")
        return phrase("calibration open")

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision."""
        plain = {
            one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("report", "curve", "notes")
        }
        return plain | {
            "estimates": self.report.to_dicts(), "curve": self.curve and self.curve.to_dict(),
            "notes": [str(note) for note in self.notes], "sentence": self.sentence, "version": __version__,
        }  # fmt: skip

    def plot(self, *, axes: Any = None) -> Any:
        """Draw the reliability curve and return matplotlib's axes."""
        return self.write("figure", axes=axes)

    def __repr__(self) -> str:
        parts = (f"{row.metric.partition('[')[0]} {number(row.value)}" for row in self.report.rows[:4])
        return f"Calibration({self.model}: {', '.join(parts)}, n = {count(self.n)})"


@dataclass(frozen=True)
class ThresholdChoice(Result, Tabled):
    """The best threshold among those that are shown to reach a bound, or None and what it would take.

    ``estimate`` is the metric at that threshold with its simultaneous bound, ``then`` the metric that was made best.
    """

    metric: str
    model: str
    threshold: float | None
    wanted: float
    direction: str
    level: float
    n: float
    value: float
    bound: float
    then: str = ""
    then_value: float = math.nan
    more_positives: float = math.nan
    nearest: float = math.nan
    q: float = math.nan
    notes: tuple[Note, ...] = ()

    @property
    def sentence(self) -> str:
        """The choice in words."""
        goal = phrase("threshold goal", metric=self.metric, direction=self.direction, wanted=number(self.wanted))
        if self.threshold is not None:
            return phrase(
                "threshold found", threshold=number(self.threshold, 4), goal=goal, level=percent(self.level),
                bound=number(self.bound),
            )  # fmt: skip
        if math.isfinite(self.more_positives):
            return phrase(
                "threshold more", goal=goal, more=count(math.ceil(self.more_positives)), metric=self.metric,
                value=number(self.value), nearest=number(self.nearest, 4),
            )  # fmt: skip
        return phrase("threshold none", goal=goal, value=number(self.value))

    def __repr__(self) -> str:
        at = "none" if self.threshold is None else number(self.threshold, 4)
        more = f", {self.then} = {number(self.then_value)}" if self.then and self.threshold is not None else ""
        return (
            f"threshold = {at}: {self.metric} = {number(self.value)}, bound {number(self.bound)}{more}, "
            f"wanted {self.direction} {number(self.wanted)}, {percent(self.level)}, n = {count(self.n)}"
        )
