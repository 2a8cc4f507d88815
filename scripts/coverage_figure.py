"""Small multiples of coverage over n, as an SVG without dependencies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, LEFT, TOP, GAP = 168, 120, 44, 54, 14
LOWEST, HIGHEST, NOMINAL = 0.80, 1.0, 0.95
COLOURS = {
    "wilson": "#0072b2", "wald": "#d55e00", "logit": "#009e73", "blurred": "#cc79a7", "profile": "#56b4e9",
    "clopper-pearson": "#e69f00", "beta": "#6a3d9a", "smoothed": "#000000", "atanh": "#009e73",
    "wilson-direct": "#7f7f7f", "smoothed-t": "#a6761d",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One method in one panel: row and column of the panel, and coverage per n."""

    row: str
    column: str
    method: str
    points: tuple[tuple[int, float], ...]


def coverage_figure(lines: Sequence[Line], *, title: str) -> str:
    """Return the SVG: a panel per row and column, n on a log scale, coverage from 0.80 to 1, nominal dashed."""
    rows, columns = (list(dict.fromkeys(getattr(line, name) for line in lines)) for name in ("row", "column"))
    methods = [name for name in COLOURS if any(line.method == name for line in lines)]
    sizes = sorted({n for line in lines for n, _ in line.points})
    width = LEFT + len(columns) * (WIDTH + GAP)
    height = TOP + len(rows) * (HEIGHT + GAP) + 46
    parts = [_head(width, height, title), *_legend(methods, height - 8)]
    for down, row in enumerate(rows):
        for across, column in enumerate(columns):
            x, y = LEFT + across * (WIDTH + GAP), TOP + down * (HEIGHT + GAP)
            some = [line for line in lines if (line.row, line.column) == (row, column)]
            parts += _panel(x, y, sizes, some, last=down == len(rows) - 1, first=across == 0)
            if down == 0:
                parts.append(_text(x + WIDTH / 2, y - 6, column, "middle"))
        parts.append(_text(LEFT + 4, TOP + down * (HEIGHT + GAP) + HEIGHT - 5, row, "start", colour="#555"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _head(width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
        f'font-family="sans-serif" font-size="10">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + _text(LEFT, 20, title, "start", size=13)
    )


def _text(x: float, y: float, text: str, anchor: str, *, colour: str = "#222", size: int = 10) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{text}</text>'


def _legend(methods: Sequence[str], y: float) -> list[str]:
    parts, x = [], float(LEFT)
    for name in methods:
        parts.append(f'<path d="M{x:.1f} {y - 3:.1f}h16" stroke="{COLOURS[name]}" stroke-width="2"/>')
        parts.append(_text(x + 20, y, name, "start"))
        x += 32 + 6.2 * len(name)
    return parts


def _panel(x: float, y: float, sizes: list[int], lines: list[Line], *, last: bool, first: bool) -> list[str]:
    parts = [f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#bbb"/>']
    for level in (0.80, 0.85, 0.90, 0.95, 1.0):
        down = _down(y, level)
        dash = ' stroke-dasharray="4 3"' if level == NOMINAL else ""
        colour = "#444" if level == NOMINAL else "#eee"
        parts.append(f'<path d="M{x} {down:.1f}h{WIDTH}" stroke="{colour}" stroke-width="1"{dash}/>')
        if first:
            parts.append(_text(x - 5, down + 3, f"{level:.2f}", "end"))
    for line in lines:
        path = "".join(
            f"{'L' if place else 'M'}{_across(x, n, sizes):.1f} {_down(y, value):.1f}"
            for place, (n, value) in enumerate(line.points)
        )
        parts.append(f'<path d="{path}" fill="none" stroke="{COLOURS[line.method]}" stroke-width="1.6"/>')
    if last:
        parts += [
            _text(_across(x, n, sizes), y + HEIGHT + 13, str(n), "middle") for n in sizes if n not in (50, 200, 1000)
        ]
    return parts


def _across(x: float, n: int, sizes: list[int]) -> float:
    low, high = math.log(sizes[0]), math.log(sizes[-1])
    return x + 8 + (WIDTH - 16) * (math.log(n) - low) / (high - low)


def _down(y: float, coverage: float) -> float:
    return y + HEIGHT * (HIGHEST - max(min(coverage, HIGHEST), LOWEST)) / (HIGHEST - LOWEST)
