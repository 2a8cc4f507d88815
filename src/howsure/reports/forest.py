"""Forest plots as inline SVG: a line per estimate or difference, single and joint intervals.

Colours are attributes, so that a notebook shows them as they are; the report page's style overrides them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from howsure.reports.align import visible, width_of
from howsure.results.estimate import Estimate
from howsure.results.words import brief, decimals_for, number

ROW = 26
LEFT = 200
MOST_WIDE = 24
RIGHT = 24
WIDTH = 720
TOP = 14
BLUE = "#0072b2"
FONT = 'font-family="system-ui,sans-serif" font-size="13" fill="currentColor"'


@dataclass(frozen=True)
class Bar:
    """One line of a forest plot; ``wide`` is its joint interval."""

    label: str
    value: float
    low: float
    high: float
    wide: tuple[float, float] | None = None

    @property
    def finite(self) -> bool:
        """Whether it can be drawn."""
        return all(math.isfinite(x) for x in (self.value, self.low, self.high))

    @property
    def said(self) -> str:
        """The line in words."""
        places = decimals_for(self.low, self.high)
        low, value, high = (number(x, places) for x in (self.low, self.value, self.high))
        return f"{self.label} {value} [{low}, {high}]"


def forest_svg(rows: Sequence[Estimate], joint: Sequence[Estimate] = (), *, labels: Sequence[str] | None = None) -> str:
    """Return estimates drawn one under the other on a common axis; joint intervals as thin lines behind."""
    wide = {(row.model, row.metric): (row.low, row.high) for row in joint}
    names = labels or [row.model for row in rows]
    bars = [
        Bar(name, row.value, row.low, row.high, wide.get((row.model, row.metric)))
        for row, name in zip(rows, names, strict=True)
    ]
    return bars_svg(bars)


def bars_svg(bars: Sequence[Bar], *, mark: float | None = None) -> str:
    """Return lines on a common axis, with a dashed line at ``mark``; empty where nothing can be drawn."""
    shown = [bar for bar in bars if bar.finite]
    if not shown:
        return ""
    ends = [x for bar in shown for x in (bar.low, bar.high, *_finite(bar.wide or ()))]
    ends += [] if mark is None else [mark]
    start, stop, ticks = axis(min(ends), max(ends))
    height = TOP + ROW * len(bars) + 34

    def place(x: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (x - start) / (stop - start), 1)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" style="max-width:45rem" role="img" class="forest" '
        f'aria-label="{escape(visible("; ".join(bar.said for bar in bars)), quote=True)}">'
    ]
    parts += [_tick(tick, place(tick), height) for tick in ticks]
    if mark is not None:
        parts.append(
            f'<line class="mark" x1="{place(mark)}" x2="{place(mark)}" y1="{TOP - 8}" y2="{height - 30}" '
            'stroke="currentColor" stroke-dasharray="4 3"/>'
        )
    for at, bar in enumerate(bars):
        parts += _line(bar, TOP + ROW * at + ROW / 2, place)
    return "".join([*parts, "</svg>"])


def _finite(ends: Sequence[float]) -> list[float]:
    return [end for end in ends if math.isfinite(end)]


def _tick(tick: float, x: float, height: int) -> str:
    line = f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{height - 30}" stroke="currentColor"'
    text = f'<text class="tick" x="{x}" y="{height - 14}" text-anchor="middle" {FONT}>{brief(tick)}</text>'
    return f'{line} stroke-opacity="0.2"/>{text}'


def _line(bar: Bar, y: float, place: Callable[[float], float]) -> list[str]:
    short = cut(bar.label, MOST_WIDE)
    parts = [f'<text class="name" x="{LEFT - 12}" y="{y + 4}" text-anchor="end" {FONT}>{escape(short)}</text>']
    if not bar.finite:
        word = "undefined" if math.isnan(bar.value) else bar.said.removeprefix(bar.label)
        return [*parts, f'<text class="tick" x="{LEFT}" y="{y + 4}" {FONT}>{escape(word)}</text>']
    if bar.wide is not None and len(_finite(bar.wide)) == 2:
        parts.append(_stroke("joint", place(bar.wide[0]), place(bar.wide[1]), y, 'stroke-width="1.6"'))
    parts.append(_stroke("single", place(bar.low), place(bar.high), y, 'stroke-width="5" stroke-linecap="round"'))
    return [
        *parts,
        f'<circle class="point" cx="{place(bar.value)}" cy="{y}" r="4.5" fill="#fff" stroke="{BLUE}" '
        f'stroke-width="2.6"><title>{escape(visible(bar.said))}</title></circle>',
    ]


def cut(text: str, most: int) -> str:
    """Return text on one line that takes at most so many places, wide letters counted as two.

    >>> cut("a name that goes on and on", 10), cut("名前名前名前", 6)
    ('a name th…', '名前…')
    """
    plain = visible(text)
    if width_of(plain) <= most:
        return plain
    while width_of(plain) > most - 1:
        plain = plain[:-1]
    return plain + "…"


def _stroke(kind: str, low: float, high: float, y: float, how: str) -> str:
    return f'<line class="{kind}" x1="{low}" x2="{high}" y1="{y}" y2="{y}" stroke="{BLUE}" {how}/>'


def axis(low: float, high: float) -> tuple[float, float, list[float]]:
    """Return a readable axis around two ends: start, stop and round ticks.

    >>> axis(0.669, 0.801)
    (0.65, 0.85, [0.65, 0.7, 0.75, 0.8, 0.85])
    """
    span = max(high - low, 1e-9)
    rough = span / 4
    magnitude = 10 ** math.floor(math.log10(rough))
    step = next(m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude >= rough)
    start, stop = math.floor(low / step) * step, math.ceil(high / step) * step
    if start == stop:
        stop = start + step
    count = round((stop - start) / step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    ticks = [round(start + step * k, digits) for k in range(count + 1)]
    return ticks[0], ticks[-1], ticks
