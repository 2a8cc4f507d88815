"""What a picture shows, in the units of the data: described once for each kind of result, drawn by two drawers.

A panel is two axes and marks in the order in which they are drawn; ``canvas`` draws it with matplotlib, ``svg`` as
inline SVG. A band is an area, a line in steps repeats its points, dots are a line without dashes, a bar of error is a
rule with ends.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from howsure.reports.align import width_of
from howsure.results.words import brief, count
from howsure.types import Array

# Okabe & Ito (2008): told apart by every kind of colour vision. The yellow is left out: too pale on white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
BLUE, ORANGE, *_, BLACK = COLOURS
GREY, SOFT, PALE = "#5b6570", "#d7dde3", "#87919b"
MOST_TICKS = 6

Dash = Literal["-", "--", "-.", ":", "none"]
DASHES: tuple[Dash, ...] = ("-", "--", "-.", ":")
Values = Sequence[float] | Array


@dataclass(frozen=True)
class Axis:
    """An axis from low to high; one of names has them at 0, 1, 2, …, those in ``bold`` as headings."""

    low: float
    high: float
    label: str = ""
    log: bool = False
    ticks: Sequence[float] | None = None
    names: Sequence[str] = ()
    bold: Collection[int] = ()

    def share(self, value: float) -> float:
        """Return how far along the axis a value lies: 0 at low, 1 at high."""
        low, high, at = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return (at - low) / (high - low)

    @property
    def places(self) -> Sequence[float]:
        """Where its ticks are: as asked for, else at round numbers."""
        if self.names:
            return range(len(self.names))
        return round_numbers(self.low, self.high, log=self.log) if self.ticks is None else self.ticks

    @property
    def words(self) -> list[str]:
        """What its ticks are called."""
        return list(self.names) or [_said(float(at)) for at in self.places]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Something drawn; ``name`` says what it is to those who look for it, ``label`` to readers of the legend."""

    name: str = ""
    label: str = ""
    colour: str = BLUE
    width: float = 1.6
    dash: Dash = "-"


@dataclass(frozen=True)
class Line(Mark):
    """Points with a shape, joined by a line, or both; ``said`` is what a point says beside it or on hover."""

    x: Values
    y: Values
    shape: str = ""
    size: float = 7.0
    hollow: bool = False
    said: str = ""


@dataclass(frozen=True)
class Area(Mark):
    """A shaded area between low and high: a band, what lies under a curve, or a rectangle."""

    x: Values
    low: Values
    high: Values
    opacity: float = 0.3


@dataclass(frozen=True)
class Span(Mark):
    """A stretch of the horizontal axis, shaded over the whole height."""

    low: float
    high: float
    opacity: float = 0.12


@dataclass(frozen=True)
class Rule(Mark):
    """A reference line, upright at x or level at y: across the whole panel, or from end to end."""

    at: float
    ends: tuple[float, float] | None = None
    upright: bool = True


@dataclass(frozen=True)
class Words(Mark):
    """A text in the middle of a place, or beside it where it starts or ends there."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"
    size: str = "medium"
    bold: bool = False


@dataclass(frozen=True)
class Panel:
    """One pair of axes with what is drawn on them; ``described`` says it to those who cannot see it."""

    across: Axis
    up: Axis
    marks: Sequence[Mark]
    title: str = ""
    caption: str = ""
    described: str = ""
    legend: bool = False
    centred: bool = False
    size: tuple[float, float] = (6.4, 4.2)


@dataclass(frozen=True)
class Picture:
    """Several panels in rows of so many columns; where ``shared``, rows have one scale and all have one legend."""

    panels: Sequence[Panel]
    columns: int
    size: tuple[float, float]
    caption: str = ""
    shared: bool = False


def _said(tick: float) -> str:
    return count(tick).replace("-", "−") if tick.is_integer() and abs(tick) < 1e7 else brief(tick)


def dots(x: Values, y: Values, shape: str = "o", **options: Any) -> Line:
    """Return points that no line joins."""
    return Line(x, y, shape, dash="none", **options)


def style_of(at: int) -> tuple[str, Dash]:
    """Return the colour and dashes of the line at this place: told apart in grey print too."""
    return COLOURS[at % len(COLOURS)], DASHES[at % len(DASHES)]


def shortened(label: str, most: int = 36) -> str:
    """Return a label on one line that takes at most so many places, wide letters counted as two.

    >>> shortened("a name that goes on and on", 10), shortened("名前名前名前", 6)
    ('a name th…', '名前…')
    """
    plain = " ".join(label[: 8 * most].split())
    if width_of(plain) <= most and len(label) <= 8 * most:
        return plain
    while width_of(plain) > most - 1:
        plain = plain[:-1]
    return f"{plain}…"


def limits_around(
    ends: Iterable[float], *, inside: tuple[float, float] | None = None, log: bool = False
) -> tuple[float, float]:
    """Return limits a little wider than the finite ends, and no wider than needed ``inside`` a metric's range."""
    if log:
        low, high = limits_around(math.log(end) for end in ends if 0 < end < math.inf)
        return math.exp(low), math.exp(high)
    finite = [end for end in ends if math.isfinite(end)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.06 * (high - low) or 0.05
    if inside is None:
        return low - room, high + room
    edge = 0.03 * (high - low + 2 * room)
    return max(low - room, min(low, inside[0]) - edge), min(high + room, max(high, inside[1]) + edge)


def round_numbers(low: float, high: float, *, log: bool = False) -> list[float]:
    """Return round numbers from low to high; on a logarithmic axis 1, 2 and 5 times a power of ten, if few.

    >>> round_numbers(0.66, 0.81), round_numbers(60, 250, log=True), round_numbers(60, 90, log=True)
    ([0.7, 0.75, 0.8], [100.0, 200.0], [60.0, 70.0, 80.0, 90.0])
    """
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found = [step * 10.0**power for power in powers for step in (1, 2, 5) if low <= step * 10.0**power <= high]
        if len(found) > MOST_TICKS:
            tens = [10.0**power for power in powers if low <= 10.0**power <= high]
            return tens[:: math.ceil(len(tens) / MOST_TICKS)]
        if len(found) > 1:
            return found
    rough = (high - low) / 5
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude >= rough)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return [round(step * k, digits) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
