"""Draw pictures as inline SVG, for the report page, notebooks and the calculator.

Colours are attributes, so that a notebook shows them as they are; a page's style overrides them. Greys and black are
the reader's own colour, which is light on a dark ground.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from howsure.reports.align import visible
from howsure.reports.figures import picture
from howsure.reports.figures.intervals import Bar, bar_marks, bars_forest, estimate_bars, estimates_forest
from howsure.reports.figures.picture import Area, Axis, Line, Mark, Panel, Rule, Span, Values, Words, shortened
from howsure.results.estimate import Estimate

ROW = 26
NAMES, MOST_WIDE = 200, 24  # room for names in pixels, and in letters
WIDTHS = {"forest": 720, "curve": 480}
HEIGHT = 220
PIXELS = 4 / 3  # of a point
FONT = 'font-family="system-ui,sans-serif" font-size="13" fill="currentColor"'
DASHES = {"--": ' stroke-dasharray="4 3"', "-.": ' stroke-dasharray="6 3 1 3"', ":": ' stroke-dasharray="1.5 3"'}
CLASSES = {"interval": "single"}


# --- what is drawn most ------------------------------------------------------------------------------------------


def forest_svg(rows: Sequence[Estimate], joint: Sequence[Estimate] = (), *, labels: Sequence[str] | None = None) -> str:
    """Return estimates drawn one under the other on a common axis; joint intervals as thin lines behind."""
    bars = estimate_bars(rows, labels or [row.model for row in rows], joint)
    return svg(estimates_forest(rows, bars))


def bars_svg(bars: Sequence[Bar], *, mark: float | None = None) -> str:
    """Return bars on a common axis, with a dashed line at ``mark``."""
    return svg(bars_forest(bars, against=mark))


def interval_svg(estimate: Estimate) -> str:
    """Return an interval drawn on the metric's range, small enough for a line of text; empty where it has none."""
    start, end = estimate.metric_range or (0.0, 1.0)
    if not all(math.isfinite(x) for x in (estimate.low, estimate.high, estimate.value, start, end)):
        return ""
    line = Rule(0, upright=False, colour=picture.GREY, width=0.75, dash=":")
    bar = Bar("", estimate.value, estimate.low, estimate.high)
    marks = [line, *bar_marks(bar, 0, (start, end))]
    panel = Panel(Axis(start, end, ticks=()), Axis(-1, 1, ticks=()), marks, described=estimate.limits)
    return svg(panel, width=180, height=14)


# --- the drawer --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Frame:
    """Where a panel's data lie in a drawing, in pixels from the upper left corner."""

    panel: Panel
    left: float
    right: float
    top: float
    bottom: float

    def x(self, value: float) -> float:
        """Return the place of a value across."""
        return round(self.left + (self.right - self.left) * self.panel.across.share(value), 1)

    def y(self, value: float) -> float:
        """Return the place of a value upwards."""
        return round(self.bottom - (self.bottom - self.top) * self.panel.up.share(value), 1)

    def points(self, x: Iterable[float], y: Iterable[float]) -> str:
        """Return points as SVG lists them."""
        return " ".join(f"{self.x(float(a))},{self.y(float(b))}" for a, b in zip(x, y, strict=True))


def svg(panel: Panel, *, width: int | None = None, height: int | None = None) -> str:
    """Return a panel as an SVG element, empty without data; names take a row each, a curve has one height."""
    if all(isinstance(mark, (Rule, Span, Words)) for mark in panel.marks):
        return ""
    kind = "forest" if panel.up.names else "curve"
    wide = width or WIDTHS[kind]
    frame, high = _frame(panel, wide, height)
    parts = [*_ticks(frame), *_header(frame)]
    parts += [DRAWERS[type(mark)](frame, mark) for mark in panel.marks]
    said = escape(visible(panel.described), quote=True)
    return (
        f'<svg viewBox="0 0 {wide} {high:g}" style="max-width:{wide / 16:g}rem" role="img" '
        f'class="{" ".join(dict.fromkeys(["forest", kind]))}" aria-label="{said}">{"".join(parts)}</svg>'
    )


def _frame(panel: Panel, width: int, height: int | None) -> tuple[Frame, float]:
    """Return the frame, with room for ticks, names, labels and a header, and the height of the drawing."""
    ticks = bool(panel.across.places)
    labelled = [mark for mark in panel.marks if isinstance(mark, Span) and mark.label]
    top = 34 if panel.title or panel.up.label or panel.legend or labelled else 8 if ticks else 0
    foot = (28 if ticks else 0) + (20 if panel.across.label else 0)
    high = height or (HEIGHT if not panel.up.names else top + ROW * len(panel.up.names) + foot)
    left = NAMES if panel.up.names else 56 if panel.up.places else 4
    return Frame(panel, left, width - (24 if ticks else 4), top, high - foot), high


def _header(frame: Frame) -> list[str]:
    """Return the title or the label of the upright axis, and the legend, above the frame; the other label below."""
    panel, above = frame.panel, frame.top - 14
    middle = (frame.left + frame.right) / 2
    parts = [_text(middle, frame.bottom + 38, panel.across.label, "tick", "middle")] if panel.across.label else []
    if panel.title or panel.up.label:
        parts.append(_text(NAMES if panel.up.names else 8, above, panel.title or panel.up.label, "tick"))
    if panel.legend:
        named = [mark for mark in panel.marks if mark.label]
        words = "   ".join(f'<tspan fill="{mark.colour}">●</tspan> {escape(visible(mark.label))}' for mark in named)
        parts.append(_marked(frame.right, above, words, "tick", "end"))
    return parts


def _ticks(frame: Frame) -> list[str]:
    """Return the ticks of both axes with their words, numbers with a line across the frame."""
    across, up, parts = frame.panel.across, frame.panel.up, []
    for at, words in zip(across.places, across.words, strict=True):
        x = frame.x(at)
        parts += [_grid(x, x, frame.top, frame.bottom + 4), _text(x, frame.bottom + 20, words, "tick", "middle")]
    for at, words in zip(up.places, up.words, strict=True):
        y = frame.y(at)
        parts += [] if up.names else [_grid(frame.left, frame.right, y, y)]
        kind, bold = "name" if up.names else "tick", at in up.bold
        parts.append(_text(frame.left - 10, y + 4, shortened(words, MOST_WIDE), kind, "end", bold=bold))
    return parts


# --- the marks ---------------------------------------------------------------------------------------------------


def _line(frame: Frame, mark: Line) -> str:
    """Return the line, and its points as circles, whatever their shape, with what they say on hover."""
    joined = mark.dash != "none"
    parts = [_polyline(frame, mark, mark.x, mark.y)] if joined else []
    said = f"<title>{escape(visible(f'{mark.label} {mark.said}'))}</title>" if mark.said else ""
    colour, kind = ink(mark.colour), "" if joined else _class(mark)
    look = f'r="{mark.size / 2 * PIXELS:.1f}" fill="{"#fff" if mark.hollow else colour}" stroke="{colour}"'
    for x, y in zip(mark.x, mark.y, strict=True) if mark.shape else ():
        parts.append(f'<circle{kind} cx="{frame.x(x)}" cy="{frame.y(y)}" {look} stroke-width="2.1">{said}</circle>')
    return "".join(parts)


def _area(frame: Frame, mark: Area) -> str:
    if len(mark.x) < 2:
        return ""
    edge = frame.points([*mark.x, *mark.x[::-1]], [*mark.high, *mark.low[::-1]])
    return f'<polygon{_class(mark)} points="{edge}" fill="{ink(mark.colour)}" fill-opacity="{mark.opacity:g}"/>'


def _span(frame: Frame, mark: Span) -> str:
    start, stop = frame.x(mark.low), frame.x(mark.high)
    box = f'x="{start}" width="{stop - start:.1f}" y="{frame.top}" height="{frame.bottom - frame.top:.1f}"'
    label = _text((start + stop) / 2, frame.top - 6, mark.label, "tick", "middle") if mark.label else ""
    return f'<rect{_class(mark)} {box} fill="{ink(mark.colour)}" fill-opacity="{mark.opacity:g}"/>{label}'


def _rule(frame: Frame, mark: Rule) -> str:
    axis = frame.panel.up if mark.upright else frame.panel.across
    ends, at = mark.ends or (axis.low, axis.high), (mark.at, mark.at)
    return _polyline(frame, mark, *((at, ends) if mark.upright else (ends, at)))


def _polyline(frame: Frame, mark: Mark, x: Values, y: Values) -> str:
    look = f'stroke="{ink(mark.colour)}" stroke-width="{mark.width * PIXELS:.3g}"{DASHES.get(mark.dash, "")}'
    return f'<polyline{_class(mark)} points="{frame.points(x, y)}" fill="none" {look}/>'


def _words(frame: Frame, mark: Words) -> str:
    away = {"start": 5, "middle": 0, "end": -5}[mark.anchor]
    x, y = frame.x(mark.x) + away, frame.y(mark.y) + 4
    return _text(x, y, mark.text, mark.name or "tick", mark.anchor, bold=mark.bold)


DRAWERS: dict[type[Mark], Callable[[Frame, Any], str]] = {
    Line: _line, Area: _area, Span: _span, Rule: _rule, Words: _words,
}  # fmt: skip


def ink(colour: str) -> str:
    """Return a colour; greys and black as the colour of the text around."""
    return "currentColor" if colour in (picture.GREY, picture.BLACK) else colour


def _class(mark: Mark) -> str:
    return f' class="{CLASSES.get(mark.name, mark.name)}"' if mark.name else ""


def _grid(left: float, right: float, top: float, bottom: float) -> str:
    ends = f'x1="{left}" x2="{right}" y1="{top}" y2="{bottom}"'
    return f'<line class="grid" {ends} stroke="currentColor" stroke-opacity="0.2"/>'


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start", *, bold: bool = False) -> str:
    return _marked(x, y, escape(visible(words)), kind, anchor, bold=bold)


def _marked(x: float, y: float, marked: str, kind: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text class="{kind}" x="{x}" y="{y:.1f}" text-anchor="{anchor}" {FONT}{weight}>{marked}</text>'
