"""A curve over the number of rows as inline SVG, with the plan marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from howsure.reports.forest import axis
from howsure.results.words import count

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 310, 64, 24, 34, 50


def curve_svg(points: Sequence[tuple[int, float]], planned: tuple[float, float], *, across: str, up: str) -> str:
    """Return the curve on a logarithmic axis of rows and a linear one from zero."""
    drawn = [(x, y) for x, y in points if x > 0 and math.isfinite(y)]
    if len(drawn) < 2 or not math.isfinite(planned[1]) or planned[0] <= 0:
        return ""
    ends = math.log(min(drawn[0][0], planned[0])), math.log(max(drawn[-1][0], planned[0]))
    top, ticks = axis(0.0, max(planned[1], *(y for _, y in drawn)))[1:]

    def place(x: float, y: float) -> tuple[float, float]:
        along = (math.log(x) - ends[0]) / ((ends[1] - ends[0]) or 1.0)
        return (
            round(LEFT + along * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM), 1),
        )

    line = " ".join(f"{x},{y}" for x, y in (place(*point) for point in drawn))
    here = place(*planned)
    listed = "; ".join(f"{count(x)}: {y:.4g}" for x, y in drawn)
    said = f"{up} over {across}: {listed}. Plan: {count(planned[0])}: {planned[1]:.4g}"
    middle = (LEFT + WIDTH - RIGHT) / 2
    return "".join([
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said, quote=True)}" class="forest curve">',
        *_across(drawn, planned[0], place),
        *_up(ticks, place),
        f'<text class="tick" x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>',
        f'<text class="tick" x="{LEFT}" y="{TOP - 14}">{escape(up)}</text>',
        f'<polyline class="path" points="{line}"/>',
        f'<circle class="plan" cx="{here[0]}" cy="{here[1]}" r="6"/></svg>',
    ])  # fmt: skip


def _across(drawn: Sequence[tuple[int, float]], planned: float, place: object) -> list[str]:
    assert callable(place)
    parts = []
    for size in dict.fromkeys([drawn[0][0], planned, drawn[-1][0]]):
        x, bottom = place(size, 0)
        anchor = "start" if size == drawn[0][0] else "end" if size == drawn[-1][0] else "middle"
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 18}" text-anchor="{anchor}">{count(size)}</text>')
    return parts


def _up(ticks: Sequence[float], place: object) -> list[str]:
    assert callable(place)
    parts = []
    for tick in ticks:
        y = place(1.0, tick)[1]
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{tick:g}</text>')
    return parts
