"""Small multiples of coverage over n, or over another scale, as an SVG without dependencies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, LEFT, TOP, GAP = 168, 120, 44, 54, 14
NARROWEST = 400  # room for the title and the legend
LOWEST, HIGHEST, NOMINAL = 0.80, 1.0, 0.95
COLOURS = {
    "wilson": "#0072b2", "wald": "#d55e00", "logit": "#009e73", "blurred": "#cc79a7", "profile": "#56b4e9",
    "clopper-pearson": "#e69f00", "beta": "#6a3d9a", "smoothed": "#000000", "atanh": "#009e73",
    "wilson-direct": "#7f7f7f", "smoothed-t": "#a6761d",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One method in one panel: row and column of the panel, and coverage per n (or another x)."""

    row: str
    column: str
    method: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Axis:
    """The x axis: where a value lies on it, and which values are written."""

    low: float
    high: float
    ticks: tuple[float, ...]
    scale: Callable[[float], float] = math.log
    name: str = ""

    def across(self, left: float, value: float) -> float:
        """Return the place of a value in a panel that begins at ``left``."""
        low, high = self.scale(self.low), self.scale(self.high)
        return left + 8 + (WIDTH - 16) * (self.scale(value) - low) / (high - low)


def sizes_axis(lines: Sequence[Line]) -> Axis:
    """Return the axis of n, on a log scale; every other size is written."""
    sizes = sorted({n for line in lines for n, _ in line.points})
    return Axis(sizes[0], sizes[-1], tuple(n for n in sizes if n not in (50, 200, 1000)))


def coverage_figure(
    lines: Sequence[Line],
    *,
    title: str,
    axis: Axis | None = None,
    colours: Mapping[str, str] = COLOURS,
    zoom: float = 0.0,
) -> str:
    """Return the SVG: a panel per row and column, coverage from 0.80 to 1, nominal dashed; n on a log scale.

    ``zoom`` sets its width on a page; without it the picture takes the width that there is.
    """
    rows, columns = (list(dict.fromkeys(getattr(line, name) for line in lines)) for name in ("row", "column"))
    methods = [name for name in colours if any(line.method == name for line in lines)]
    axis = axis or sizes_axis(lines)
    width = max(LEFT + len(columns) * (WIDTH + GAP), NARROWEST)
    height = TOP + len(rows) * (HEIGHT + GAP) + 46
    parts = [_head(width, height, title, zoom), *_legend({name: colours[name] for name in methods}, height - 8)]
    if axis.name:
        parts.append(_text(width - GAP, height - 8, axis.name, "end", colour="#555"))
    for down, row in enumerate(rows):
        for across, column in enumerate(columns):
            x, y = LEFT + across * (WIDTH + GAP), TOP + down * (HEIGHT + GAP)
            some = [line for line in lines if (line.row, line.column) == (row, column)]
            parts += _frame(x, y, axis, last=down == len(rows) - 1, first=across == 0)
            parts += [_path(x, y, axis, line, colours[line.method]) for line in some]
            if down == 0:
                parts.append(_text(x + WIDTH / 2, y - 6, column, "middle"))
        parts.append(_text(LEFT + 4, TOP + down * (HEIGHT + GAP) + HEIGHT - 5, row, "start", colour="#555"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _head(width: float, height: float, title: str, zoom: float) -> str:
    size = f'width="{width * zoom:.0f}" ' if zoom else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
        f'font-family="sans-serif" font-size="10">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + _text(LEFT, 20, title, "start", size=13)
    )


def _text(x: float, y: float, text: str, anchor: str, *, colour: str = "#222", size: int = 10) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{text}</text>'


def _legend(colours: Mapping[str, str], y: float) -> list[str]:
    parts, x = [], float(LEFT)
    for name, colour in colours.items():
        parts.append(f'<path d="M{x:.1f} {y - 3:.1f}h16" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(x + 20, y, name, "start"))
        x += 32 + 6.2 * len(name)
    return parts


def _frame(x: float, y: float, axis: Axis, *, last: bool, first: bool) -> list[str]:
    parts = [f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#bbb"/>']
    for level in (0.80, 0.85, 0.90, 0.95, 1.0):
        down = _down(y, level)
        dash = ' stroke-dasharray="4 3"' if level == NOMINAL else ""
        colour = "#444" if level == NOMINAL else "#eee"
        parts.append(f'<path d="M{x} {down:.1f}h{WIDTH}" stroke="{colour}" stroke-width="1"{dash}/>')
        if first:
            parts.append(_text(x - 5, down + 3, f"{level:.2f}", "end"))
    if last:
        parts += [_text(axis.across(x, tick), y + HEIGHT + 13, f"{tick:g}", "middle") for tick in axis.ticks]
    return parts


def _path(x: float, y: float, axis: Axis, line: Line, colour: str) -> str:
    path = "".join(
        f"{'L' if place else 'M'}{axis.across(x, at):.1f} {_down(y, value):.1f}"
        for place, (at, value) in enumerate(line.points)
    )
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>'


def _down(y: float, coverage: float) -> float:
    return y + HEIGHT * (HIGHEST - max(min(coverage, HIGHEST), LOWEST)) / (HIGHEST - LOWEST)
