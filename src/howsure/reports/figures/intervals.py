"""Figures of results, drawn with matplotlib: every function returns the axes; ``save`` writes them to a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.reports.comparisons import caption as comparison_caption
from howsure.reports.describe import caption as report_caption
from howsure.reports.figures.bayes import plot_bayes_test, plot_bayes_tests
from howsure.reports.figures.canvas import (
    BLUE,
    GREY,
    ORANGE,
    SOFT,
    axes_for,
    limits_around,
    save,
    shortened,
    write_caption,
)
from howsure.reports.figures.curves import plot_coverage, plot_posteriors
from howsure.reports.figures.matrix import plot_matrices, plot_matrix
from howsure.results.comparison import Comparison, Comparisons, Gate
from howsure.results.estimate import Estimate, Report
from howsure.results.words import decimals_for, number, p_said, percent

__all__ = [
    "plot_bayes_test", "plot_bayes_tests", "plot_comparisons", "plot_coverage", "plot_estimate", "plot_gate",
    "plot_matrices", "plot_matrix", "plot_posteriors", "plot_report", "plot_verdict", "save",
]  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One line of a forest plot; a heading has no numbers."""

    label: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    wide: tuple[float, float] | None = None
    words: str = ""
    solid: bool = True
    heading: bool = False

    @property
    def drawable(self) -> bool:
        """Whether there is a point to draw."""
        return math.isfinite(self.value) and not (math.isnan(self.low) or math.isnan(self.high))


# --- estimates and reports ---------------------------------------------------------------------------------------


def plot_estimate(estimate: Estimate, *, axes: Any = None) -> Any:
    """Draw one estimate with its interval."""
    return plot_report(Report((estimate,), estimate.level), axes=axes)


def plot_report(
    report: Report, *, joint: Report | None = None, metrics: Sequence[str] | None = None, axes: Any = None
) -> Any:
    """Draw a forest plot: all models under each metric, or methods side by side; joint intervals as thin lines.

    Metrics without an upper end (ratios) share no axis with shares: they are left out, and the caption says so,
    unless they are asked for by name or are all there is.
    """
    chosen, left_out = _chosen(report, metrics)
    rows = [row for row in report.rows if row.metric in chosen]
    wide = {} if joint is None else {(row.model, row.metric): (row.low, row.high) for row in joint.rows}
    lines = _report_lines(report, rows, chosen, wide)
    drawn = axes_for(axes, size=_size(lines))
    ratios = not _bounded(rows)
    draw_lines(drawn, lines, inside=None if ratios else _range(rows), log=ratios and _positive(lines))
    drawn.set_xlabel("score" if len(chosen) > 3 else ", ".join(chosen), parse_math=False)
    write_caption(drawn, _report_caption(report, joint, left_out))
    return drawn


def _chosen(report: Report, metrics: Sequence[str] | None) -> tuple[list[str], list[str]]:
    if not report.rows:
        raise InputError("report has no rows; a figure needs at least one estimate")
    if metrics is not None:
        unknown = [name for name in metrics if name not in report.metrics]
        if unknown:
            raise InputError(
                f"metrics holds {unknown[0]!r}; the report has {quoted(report.metrics)}."
                f"{nearest(unknown[0], report.metrics)}"
            )
        return list(dict.fromkeys(metrics)), []
    bounded = [name for name in report.metrics if _bounded([row for row in report.rows if row.metric == name])]
    return (bounded or list(report.metrics)), [name for name in report.metrics if bounded and name not in bounded]


def _bounded(rows: Sequence[Estimate]) -> bool:
    return all(math.isfinite(end) for row in rows for end in row.metric_range or (0.0, 1.0))


def _range(rows: Sequence[Estimate]) -> tuple[float, float]:
    ranges = [row.metric_range or (0.0, 1.0) for row in rows]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _positive(lines: Sequence[Line]) -> bool:
    return all(line.low > 0 for line in lines if line.drawable)


def _report_lines(
    report: Report, rows: Sequence[Estimate], chosen: Sequence[str], wide: dict[tuple[str, str], tuple[float, float]]
) -> list[Line]:
    """Return the lines: metrics alone, models under their metric, or methods where one estimate has several."""
    by_method = len({(row.model, row.metric) for row in rows}) < len(rows)
    several = len(report.models) > 1 or by_method
    lines: list[Line] = []
    for metric in chosen:
        own = [row for row in rows if row.metric == metric]
        if several and len(chosen) > 1:
            lines.append(Line(metric, heading=True))
        for row in own:
            label = row.method if by_method else row.model if several else row.metric
            if by_method and len(report.models) > 1:
                label = f"{row.model}, {row.method}"
            words = f"{number(row.value, decimals_for(row.low, row.high))} {row.limits}"
            lines.append(Line(label, row.value, row.low, row.high, wide.get((row.model, row.metric)), words))
    return lines


def _report_caption(report: Report, joint: Report | None, left_out: Sequence[str]) -> str:
    text = report_caption(report)
    if joint is not None:
        text += f" Thin lines: simultaneous {percent(joint.level)} intervals over all {len(joint.rows)} estimates."
    return text + (f" Not drawn, for want of an upper end: {', '.join(left_out)}." if left_out else "")


# --- differences and verdicts ------------------------------------------------------------------------------------


def plot_verdict(made: Any, *, axes: Any = None) -> Any:
    """Draw a comparison, many, a gate or a Bayes test."""
    if isinstance(made, (Comparison, Comparisons)):
        return plot_comparisons(made, axes=axes)
    return plot_gate(made, axes=axes) if isinstance(made, Gate) else plot_bayes_test(made, axes=axes)


def plot_comparisons(made: Comparison | Comparisons, *, axes: Any = None) -> Any:
    """Draw differences against the line of no difference; settled ones solid, open ones hollow."""
    rows = [made] if isinstance(made, Comparison) else list(made.rows)
    first = rows[0]
    sign = "/" if first.kind == "ratio" else "−"
    lines = [_comparison_line(row, sign) for row in rows]
    drawn = axes_for(axes, size=_size(lines))
    marks = [first.nothing, *_edges(first)]
    draw_lines(drawn, lines, also=marks)
    _draw_nothing(drawn, first.nothing)
    _draw_edges(drawn, first)
    what = "ratio" if first.kind == "ratio" else "difference"
    drawn.set_xlabel(f"{what} in {first.metric}{_direction(first)}", parse_math=False)
    write_caption(drawn, comparison_caption(made) + " Filled points: settled; hollow: not settled.")
    return drawn


def _comparison_line(row: Comparison, sign: str) -> Line:
    places = decimals_for(row.low, row.high)
    value, low, high = (number(x, places) for x in (row.difference, row.low, row.high))
    words = f"{value} [{low}, {high}]  {p_said(row.p_value)}"
    name = f"{shortened(row.b, 18)} {sign} {shortened(row.a, 18)}"
    return Line(name, row.difference, row.low, row.high, None, words, solid=row.decided)


def _direction(row: Comparison) -> str:
    if row.better is None:
        return ""
    return f" ({row.better} is better)"


def _edges(row: Comparison) -> list[float]:
    """Return the ends of the margin or of the region of practical equivalence."""
    edge = row.rope if row.rope is not None else row.margin
    if edge is None:
        return []
    return [row.nothing - edge, row.nothing + edge] if row.kind == "difference" else [1 / (1 + edge), 1 + edge]


def _draw_edges(axes: Any, row: Comparison) -> None:
    edges = _edges(row)
    if edges:
        axes.axvspan(*edges, color=ORANGE, alpha=0.12, linewidth=0, zorder=0, gid="region")
        what = "practically equal" if row.rope is not None else "margin"
        axes.text(
            sum(edges) / 2, 1.01, what, transform=axes.get_xaxis_transform(), ha="center", va="bottom",
            fontsize="small", color=GREY,
        )  # fmt: skip


def plot_gate(made: Gate, *, axes: Any = None) -> Any:
    """Draw the two bounds of a gate against its threshold."""
    words = f"{number(made.value)}  bounds {number(made.low)}, {number(made.high)}"
    name = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    lines = [Line(name, made.value, made.low, made.high, None, words, solid=made.verdict != "inconclusive")]
    drawn = axes_for(axes, size=_size(lines))
    draw_lines(drawn, lines, also=[made.threshold])
    _draw_nothing(drawn, made.threshold)
    drawn.set_xlabel(made.metric, parse_math=False)
    drawn.set_title(f"{made.verdict}: {made.direction} {made.threshold:g}", fontsize="medium", loc="left")
    write_caption(drawn, f"One-sided {percent(made.level)} bounds ({made.method}); n = {made.n:,.0f}.")
    return drawn


# --- the drawing -------------------------------------------------------------------------------------------------


def _size(lines: Sequence[Line]) -> tuple[float, float]:
    longest = max((len(shortened(line.label, 40)) for line in lines), default=0)
    return 7.2 + 0.09 * max(longest - 14, 0), 1.35 + 0.3 * max(len(lines), 1)


def _draw_nothing(axes: Any, place: float) -> None:
    axes.axvline(place, color=GREY, linewidth=1, linestyle="--", zorder=1, gid="nothing")


def draw_lines(
    axes: Any,
    lines: Sequence[Line],
    *,
    also: Sequence[float] = (),
    inside: tuple[float, float] | None = None,
    log: bool = False,
) -> None:
    """Draw lines one under the other, numbers at the right; limits hold every finite end and ``also``."""
    ends = [x for line in lines if line.drawable for x in (line.low, line.high, line.value, *(line.wide or ()))]
    if log:
        axes.set_xscale("log")
        start, stop = (math.exp(x) for x in limits_around([math.log(x) for x in ends if 0 < x < math.inf]))
    else:
        start, stop = limits_around([*ends, *also], inside=inside)
    axes.set_xlim(start, stop)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.grid(axis="x", color=SOFT, linewidth=0.8)
    axes.set_axisbelow(True)
    for at, line in enumerate(lines):
        _draw_line(axes, at, line, start, stop)
    _name_lines(axes, lines)


def _draw_line(axes: Any, at: int, line: Line, start: float, stop: float) -> None:
    if line.heading:
        return
    if not line.drawable:
        axes.text(0.01, at, "undefined", transform=axes.get_yaxis_transform(), va="center", color=GREY)
        return
    if line.wide is not None:
        axes.plot(line.wide, (at, at), color=BLUE, linewidth=1.2, solid_capstyle="butt", gid="joint")
    low, high = max(line.low, start), min(line.high, stop)
    axes.plot((low, high), (at, at), color=BLUE, linewidth=3, solid_capstyle="butt", gid="interval")
    axes.plot(
        line.value, at, marker="o", markersize=7, color=BLUE, markerfacecolor=BLUE if line.solid else "white",
        markeredgewidth=1.6, linestyle="none", gid="point",
    )  # fmt: skip
    axes.text(
        1.02, at, line.words, transform=axes.get_yaxis_transform(), va="center", fontsize="small", parse_math=False
    )


def _name_lines(axes: Any, lines: Sequence[Line]) -> None:
    axes.set_yticks(range(len(lines)), [shortened(line.label, 40) for line in lines], parse_math=False)
    for tick, line in zip(axes.get_yticklabels(), lines, strict=True):
        tick.set_fontweight("bold" if line.heading else "normal")
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
