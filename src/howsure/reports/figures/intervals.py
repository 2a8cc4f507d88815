"""Forest plots: estimates, differences, gates and gaps, one under the other with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages import reports as messages
from howsure.reports import describe
from howsure.reports.boards.verdicts import rankings
from howsure.reports.figures import picture
from howsure.reports.figures.picture import Line, Mark, Panel, shortened
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.estimate import Estimate, Report
from howsure.results.gap import Gap
from howsure.results.gate import Gate
from howsure.results.sentences.ranking import Ranking
from howsure.results.words import decimals_for, method_words, metric_words, number, p_said, percent, worded

AxisLimits = tuple[float, float]
NUMBERS = "{value} [{low}, {high}]"
BELOW = 0.24  # of a line: where the dots of runs lie


@dataclass(frozen=True)
class Bar:
    """One line of a forest plot: ``wide`` is its joint interval, ``words`` how its numbers are said.

    ``runs`` are the values whose mean it is, as small dots behind it.
    """

    label: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    wide: AxisLimits | None = None
    words: str = NUMBERS
    solid: bool = True
    heading: bool = False
    colour: str = picture.BLUE
    runs: tuple[float, ...] = ()

    @property
    def drawable(self) -> bool:
        """Whether there is a point to draw."""
        return math.isfinite(self.value) and not (math.isnan(self.low) or math.isnan(self.high))

    @property
    def said(self) -> str:
        """The line in words."""
        places = decimals_for(self.low, self.high)
        value, low, high = (number(x, places) for x in (self.value, self.low, self.high))
        return self.words.format(value=value, low=low, high=high)


def bars_forest(
    bars: Sequence[Bar],
    *,
    against: float | None = None,
    region: picture.Span | None = None,
    inside: AxisLimits | None = None,
    log: bool = False,
    label: str = "",
    title: str = "",
    caption: str = "",
) -> Panel:
    """Describe bars one under the other, against a dashed line and a shaded region."""
    ends = [end for bar in bars if bar.drawable for end in (bar.value, bar.low, bar.high, *(bar.wide or ()), *bar.runs)]
    marks: list[Mark] = []
    if region is not None:
        marks, ends = [region], [*ends, region.low, region.high]
    if against is not None:
        marks.append(picture.Rule(against, name="nothing", colour=picture.GREY, width=1, dash="--"))
        ends.append(against)
    limits = picture.limits_around(ends, inside=inside, log=log)
    names = [shortened(bar.label, 40) for bar in bars]
    headings = [at for at, bar in enumerate(bars) if bar.heading]
    longest = max(map(len, names), default=0)
    return Panel(
        across=picture.Axis(*limits, label=label, log=log),
        up=picture.Axis(len(bars) - 0.4, -0.6, names=names, bold=headings),
        marks=marks + [part for at, bar in enumerate(bars) if not bar.heading for part in bar_marks(bar, at, limits)],
        described="; ".join(f"{bar.label} {bar.said}" for bar in bars if not bar.heading),
        size=(7.2 + 0.09 * max(longest - 14, 0), 1.35 + 0.3 * max(len(bars), 1)), title=title, caption=caption,
    )  # fmt: skip


def bar_marks(bar: Bar, at: float, limits: AxisLimits) -> list[Mark]:
    """Return the joint interval, the interval and the point of a bar at a height, cut where the axis ends."""
    if not bar.drawable:
        return [picture.Words(limits[0], at, "undefined", anchor="start", colour=picture.GREY)]
    lines = [
        Line((max(ends[0], limits[0]), min(ends[1], limits[1])), (at, at), name=name, width=width, colour=bar.colour)
        for ends, name, width in ((bar.wide, "joint", 1.2), ((bar.low, bar.high), "interval", 3))
        if ends is not None
    ]
    look: dict[str, Any] = {"colour": bar.colour, "hollow": not bar.solid}
    dot = picture.dots((bar.value,), (at,), name="point", label=bar.label, said=bar.said, **look)
    known = [value for value in bar.runs if math.isfinite(value)]
    runs = [picture.dots(known, [at + BELOW] * len(known), name="runs", colour=picture.GREY, size=3.0)] if known else []
    return [*runs, *lines, dot]


# --- estimates and reports ---------------------------------------------------------------------------------------


def estimate_forest(estimate: Estimate) -> Panel:
    """Describe one estimate with its interval."""
    return report_forest(Report((estimate,), estimate.level))


def report_forest(report: Report, *, joint: Report | None = None, metrics: Sequence[str] | None = None) -> Panel:
    """Describe all models under each metric, or methods side by side; joint intervals as thin lines.

    Metrics without an upper end (ratios) share no axis with shares: they are left out, and the caption says so,
    unless they are asked for by name or are all there is.
    """
    chosen, left_out = shown_metrics(report, metrics)
    rows = [row for row in report.rows if row.metric in chosen]
    ranked = rankings(report, chosen)
    bars = _report_bars(rows, chosen, () if joint is None else joint.rows, ranked)
    text = describe.caption(report)
    text += " Small dots: single runs." if any(row.run_values for row in rows) else ""
    text += " Hollow: not among the best." if any(not bar.solid for bar in bars) else ""
    if joint is not None:
        text += f" Thin lines: simultaneous {percent(joint.level)} intervals over all {len(joint.rows)} estimates."
    text += f" Not drawn, for want of an upper end: {', '.join(map(metric_words, left_out))}." if left_out else ""
    label = "score" if len(chosen) > 3 else worded([metric_words(name) for name in chosen])
    return estimates_forest(rows, bars, label=label, caption=text)


def estimates_forest(rows: Sequence[Estimate], bars: Sequence[Bar], *, label: str = "", caption: str = "") -> Panel:
    """Describe bars of estimates on an axis within their metrics' range; of ratios on a logarithmic one."""
    ends = [end for row in rows for end in row.metric_range or (0.0, 1.0)] or [0.0, 1.0]
    inside = (min(ends), max(ends)) if all(map(math.isfinite, ends)) else None
    log = inside is None and all(bar.low > 0 for bar in bars if bar.drawable)
    return bars_forest(bars, inside=inside, log=log, label=label, caption=caption)


def estimate_bars(rows: Sequence[Estimate], labels: Sequence[str], joint: Sequence[Estimate] = ()) -> list[Bar]:
    """Return a bar for each estimate, with the joint interval of the same model and metric."""
    wide = {(row.model, row.metric): (row.low, row.high) for row in joint}
    return [
        Bar(name, row.value, row.low, row.high, wide.get((row.model, row.metric)), runs=row.run_values)
        for row, name in zip(rows, labels, strict=True)
    ]


def shown_metrics(report: Report, metrics: Sequence[str] | None = None) -> tuple[list[str], list[str]]:
    """Return the metrics to draw on one axis, and those left out for want of an upper end."""
    if not report.rows:
        raise InputError(messages.REPORT_HAS_NO_ROWS())
    if metrics is not None:
        for name in metrics:
            if name not in report.metrics:
                known, hint = quoted(report.metrics), nearest(name, report.metrics)
                raise InputError(messages.METRICS_HOLDS_REPORT(name=name, known=known, hint=hint))
        return list(dict.fromkeys(metrics)), []
    unbounded = {row.metric for row in report.rows if not all(map(math.isfinite, row.metric_range or (0.0, 1.0)))}
    bounded = [name for name in report.metrics if name not in unbounded]
    return (bounded or list(report.metrics)), [name for name in report.metrics if bounded and name in unbounded]


def _report_bars(
    rows: Sequence[Estimate], chosen: Sequence[str], joint: Sequence[Estimate], ranked: Mapping[str, Ranking]
) -> list[Bar]:
    """Return the bars: metrics alone, models under their metric, the best first, or methods of one estimate."""
    methods = len({(row.model, row.metric) for row in rows}) < len(rows)
    models = len({row.model for row in rows}) > 1
    bars: list[Bar] = []
    for metric in chosen:
        own = [row for row in rows if row.metric == metric]
        order = {} if methods or metric not in ranked else {one.model: at for at, one in enumerate(ranked[metric])}
        own.sort(key=lambda row: order.get(row.model, 0))
        labels = [", ".join([row.model] * models + [method_words(row.method)] * methods) or row.said for row in own]
        bars += [Bar(metric_words(metric), heading=True)] * ((models or methods) and len(chosen) > 1)
        made = estimate_bars(own, labels, joint)
        bars += [_behind(bar) if order and not ranked[metric][row.model].leads else bar
                 for row, bar in zip(own, made, strict=True)]  # fmt: skip
    return bars


def _behind(bar: Bar) -> Bar:
    """Return the bar of a model that is not among the best: grey, its point hollow."""
    return replace(bar, solid=False, colour=picture.PALE)


# --- differences and verdicts ------------------------------------------------------------------------------------


def comparisons_forest(made: Comparison | Comparisons, *, most: int | None = None, longest: int = 18) -> Panel:
    """Describe differences or ratios against none, with their margin or region; settled ones coloured, others grey."""
    rows = [made] if isinstance(made, Comparison) else made.rows[:most]
    first = rows[0]
    ratio = first.kind == "ratio"
    sign, what = ("/", "ratio") if ratio else ("−", "difference")
    bars = [
        Bar(
            f"{shortened(row.b, longest)} {sign} {shortened(row.a, longest)}", row.difference, row.low, row.high,
            words=f"{NUMBERS}  {p_said(row.p_value)}", colour=_settled(row.decided),
        )
        for row in rows
    ]  # fmt: skip
    direction = "" if first.better is None else f" ({first.better} is better)"
    return bars_forest(
        bars, against=first.nothing, region=_region(first), label=f"{what} in {first.said}{direction}",
        caption=describe.comparison_caption(made) + " Coloured: settled; grey: not settled.",
    )  # fmt: skip


def _settled(decided: bool) -> str:
    """Return the colour of what is settled or not; a hollow point is a model that is not among the best."""
    return picture.BLUE if decided else picture.PALE


def _region(row: Comparison) -> picture.Span | None:
    """Return the margin or the region of practical equivalence."""
    name, edge = ("margin", row.margin) if row.rope is None else ("practically equal", row.rope)
    if edge is None:
        return None
    low, high = (-edge, edge) if row.kind == "difference" else (1 / (1 + edge), 1 + edge)
    return picture.Span(low, high, name="region", label=name, colour=picture.ORANGE)


def gate_forest(made: Gate) -> Panel:
    """Describe the two bounds of a gate against its threshold."""
    name = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    said, settled = "{value}  bounds {low}, {high}", made.verdict != "inconclusive"
    return bars_forest(
        [Bar(name, made.value, made.low, made.high, words=said, colour=_settled(settled))], against=made.threshold,
        label=metric_words(made.metric), title=f"{made.verdict}: {made.direction} {made.threshold:g}",
        caption=f"One-sided {percent(made.level)} bounds ({method_words(made.method)}); n = {made.n:,.0f}.",
    )  # fmt: skip


def gap_forest(made: Gap) -> Panel:
    """Describe the gap between the best slice and the worst against none."""
    text = f"{percent(made.level)} interval of the gap between the highest and the lowest of {made.slices} slices."
    bar = Bar(f"gap in {metric_words(made.metric)}", made.gap, made.low, made.high, colour=_settled(made.low > 0))
    return bars_forest(
        [bar], against=0.0, label=f"difference in {metric_words(made.metric)} between slices", caption=text
    )
