"""Forest plots as inline SVG: one metric, a line per model, single and joint intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from howsure.results import Estimate, number

ROW = 26
LEFT = 190
RIGHT = 24
WIDTH = 720
TOP = 30


def forest_svg(rows: Sequence[Estimate], joint: Sequence[Estimate] = (), *, labels: Sequence[str] | None = None) -> str:
    """Return estimates drawn one under the other on a common axis; joint intervals as thin lines behind."""
    shown = [row for row in rows if _finite(row)]
    if not shown:
        return ""
    names = list(labels or [row.model for row in rows])
    ends = [x for row in (*shown, *(r for r in joint if _finite(r))) for x in (row.low, row.high)]
    start, stop, ticks = axis(min(ends), max(ends))
    height = TOP + ROW * len(rows) + 34

    def place(x: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (x - start) / (stop - start), 1)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" class="forest" '
        f'aria-label="{escape(_described(rows, names), quote=True)}">'
    ]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{place(tick)}" x2="{place(tick)}" y1="{TOP - 8}" y2="{height - 30}"/>')
        parts.append(f'<text class="tick" x="{place(tick)}" y="{height - 14}" text-anchor="middle">{tick:g}</text>')
    wide = {(row.model, row.metric): row for row in joint if _finite(row)}
    for at, (row, name) in enumerate(zip(rows, names, strict=True)):
        parts += _line(row, wide.get((row.model, row.metric)), name, TOP + ROW * at + ROW / 2, place)
    return "".join([*parts, "</svg>"])


def _line(row: Estimate, wide: Estimate | None, name: str, y: float, place: object) -> list[str]:
    assert callable(place)
    short = name if len(name) <= 26 else name[:25] + "…"
    parts = [f'<text class="name" x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(short)}</text>']
    if not _finite(row):
        return [*parts, f'<text class="tick" x="{LEFT}" y="{y + 4}">undefined</text>']
    if wide is not None:
        parts.append(f'<line class="joint" x1="{place(wide.low)}" x2="{place(wide.high)}" y1="{y}" y2="{y}"/>')
    parts.append(f'<line class="single" x1="{place(row.low)}" x2="{place(row.high)}" y1="{y}" y2="{y}"/>')
    title = f"{name}: {number(row.value)} {row.limits}"
    return [
        *parts,
        f'<circle class="point" cx="{place(row.value)}" cy="{y}" r="4.5"><title>{escape(title)}</title></circle>',
    ]


def _finite(row: Estimate) -> bool:
    return all(math.isfinite(x) for x in (row.value, row.low, row.high))


def _described(rows: Sequence[Estimate], names: Sequence[str]) -> str:
    return "; ".join(f"{name} {number(row.value)} {row.limits}" for row, name in zip(rows, names, strict=True))


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
