"""Small inline drawings: an interval on its range, and a curve with shaded parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from howsure.reports.forest import FONT, axis
from howsure.results.estimate import Estimate
from howsure.results.words import brief

WIDTH, HEIGHT, SIDE, FOOT = 480, 170, 44, 26
Shade = tuple[float, float, str]


def interval_svg(estimate: Estimate, *, width: int = 180, height: int = 14) -> str:
    """Return an interval drawn on the metric's range; empty where it has none."""
    start, end = estimate.metric_range or (0.0, 1.0)
    if not all(math.isfinite(x) for x in (estimate.low, estimate.high, estimate.value, start, end)):
        return ""

    def place(x: float) -> float:
        return round(4 + (width - 8) * min(max((x - start) / (end - start), 0.0), 1.0), 2)

    low, high, point, middle = place(estimate.low), place(estimate.high), place(estimate.value), height / 2
    return (
        f'<svg width="{width}" height="{height}" role="img" aria-label="{estimate.limits}">'
        f'<line x1="4" x2="{width - 4}" y1="{middle}" y2="{middle}" stroke="currentColor" stroke-opacity="0.2"/>'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="#0072b2" stroke-width="3"/>'
        f'<circle cx="{point}" cy="{middle}" r="3.5" fill="#0072b2"/></svg>'
    )


def curve_svg(
    x: Sequence[float],
    y: Sequence[float],
    *,
    shades: Sequence[Shade] = (),
    heights: Sequence[float] = (),
    mark: float | None = None,
    described: str,
) -> str:
    """Return a curve; ``shades`` are (from, to, colour), ``heights`` are named at the left, ``mark`` is dashed."""
    points = [(float(a), float(b)) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    if len(points) < 2:
        return ""
    ends = [a for a, _ in points] + ([] if mark is None else [mark])
    start, stop, ticks = axis(min(ends), max(ends))
    top = max([b for _, b in points] + list(heights)) or 1.0

    def place(point: tuple[float, float]) -> str:
        across = SIDE + (WIDTH - 2 * SIDE) * (point[0] - start) / (stop - start)
        return f"{across:.1f},{8 + (HEIGHT - 8 - FOOT) * (1 - point[1] / top):.1f}"

    areas = [_area([p for p in points if low <= p[0] <= high], colour, place) for low, high, colour in shades]
    line = " ".join(map(place, points))
    marks = [] if mark is None else [_upright(place((mark, 0.0)), 'stroke="currentColor" stroke-dasharray="4 3"')]
    names = [_tick(place((tick, 0.0)), tick) for tick in ticks]
    names += [_level(place((start, height)), height) for height in heights]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width:30rem" role="img" '
        f'aria-label="{escape(described, quote=True)}">{"".join(areas)}'
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.6"/>'
        f"{''.join(marks + names)}</svg>"
    )


def _area(points: Sequence[tuple[float, float]], colour: str, place: object) -> str:
    assert callable(place)
    if len(points) < 2:
        return ""
    edge = [(points[0][0], 0.0), *points, (points[-1][0], 0.0)]
    return f'<polygon points="{" ".join(map(place, edge))}" fill="{colour}" fill-opacity="0.3"/>'


def _upright(foot: str, how: str) -> str:
    across = foot.partition(",")[0]
    return f'<line x1="{across}" x2="{across}" y1="8" y2="{HEIGHT - FOOT}" {how}/>'


def _tick(foot: str, tick: float) -> str:
    across = foot.partition(",")[0]
    line = f'<line x1="{across}" x2="{across}" y1="{HEIGHT - FOOT}" y2="{HEIGHT - FOOT + 4}" stroke="currentColor"/>'
    return f'{line}<text x="{across}" y="{HEIGHT - 6}" text-anchor="middle" {FONT}>{brief(tick)}</text>'


def _level(place: str, height: float) -> str:
    up = float(place.partition(",")[2])
    line = f'<line x1="{SIDE}" x2="{WIDTH - SIDE}" y1="{up}" y2="{up}" stroke="currentColor" stroke-opacity="0.2"/>'
    return f'{line}<text x="{SIDE - 6}" y="{up + 4:.1f}" text-anchor="end" {FONT}>{brief(height)}</text>'
