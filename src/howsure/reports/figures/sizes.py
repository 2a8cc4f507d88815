"""Curves over the number of rows: half-width or power of plans, coverage and length of studies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from howsure.errors import InputError
from howsure.errors.messages import reports as messages
from howsure.reports.figures import picture
from howsure.reports.figures.picture import Axis, Line, Mark, Panel, Rule, limits_around
from howsure.results.coverage import Coverage, CoverageRow
from howsure.results.plans.comparison import ComparisonPlan
from howsure.results.plans.plan import Plan
from howsure.results.words import count, method_words, metric_words, percent

SHAPES = "osD^vPX"
BARS = "Bars: ± 1.96 Monte-Carlo standard errors, none where exact"


def plan_curve(plan: Plan | ComparisonPlan, *, sizes: Iterable[int] | None = None) -> Panel:
    """Describe the half-width or the power over the number of rows, with the plan marked."""
    points = [point for point in plan.curve(sizes) if math.isfinite(point[1])]
    unit, rows, where, level = "rows", plan.n or 1, "", percent(plan.level)
    if isinstance(plan, Plan):
        if plan.n is None:
            unit, rows = "positive rows", plan.positives or 1
        height, top = plan.half_width, 1.05 * max([plan.half_width, *(y for _, y in points)])
        label = f"half-width of {metric_words(plan.metric)}"
        caption = f"{level} intervals ({method_words(plan.method)}); {plan.basis}."
    else:
        design, where = ("paired", "") if plan.paired else ("unpaired", " in each test set")
        height, top, caption = plan.power, 1.0, f"{level} level, {plan.test} test, {design}."
        label = f"power for a difference of {plan.difference:.3g} in {metric_words(plan.metric)}"
    across = Axis(*limits_around([rows, *(x for x, _ in points)], log=True), f"labelled {unit}{where}", log=True)
    said, colour = f"plan: {count(rows)} {unit}", picture.ORANGE
    listed = "; ".join(f"{count(x)}: {y:.4g}" for x, y in points)
    return Panel(
        across=across, up=Axis(0, top, label), caption=caption, legend=True,
        marks=[
            Line([x for x, _ in points], [y for _, y in points], name="path", shape="o", size=3, width=1.8),
            Rule(rows, colour=colour, width=0.8, dash=":"),
            picture.dots((rows,), (height,), "D", size=6, name="plan", label=said, colour=colour),
        ],
        described=f"{label} over {across.label}: {listed}; {said}: {height:.4g}",
    )  # fmt: skip


def coverage_curves(found: Coverage) -> picture.Picture:
    """Describe coverage (upper row, with the nominal line) and length (lower row) over n, a column per population.

    Monte-Carlo error is drawn as a bar of ± 1.96 standard errors; an exact row has none.
    """
    if not found.rows:
        raise InputError(messages.STUDY_HAS_NO_ROWS())
    columns: dict[tuple[str, str], list[CoverageRow]] = {}
    for row in sorted(found.rows, key=lambda row: row.n):
        columns.setdefault((row.metric, row.population), []).append(row)
    sizes = sorted({row.n for row in found.rows})
    levels = list(dict.fromkeys(row.level for row in found.rows))
    ends = {field: [end for row in found.rows for end in _ends(row, field)] for field in ("coverage", "length")}
    up = {
        "coverage": Axis(*limits_around(ends["coverage"] + levels), "coverage"),
        "length": Axis(0, limits_around([0.0, *ends["length"]])[1], "mean length"),
    }
    across = Axis(
        *limits_around(sizes, log=True), "number of rows", log=True,
        ticks=sizes if len(sizes) <= picture.MOST_TICKS else None,
    )  # fmt: skip
    panels = [
        Panel(across, axis, _marks(own, field, found), title=_title(own) if field == "coverage" else "", centred=True)
        for field, axis in up.items()
        for own in columns.values()
    ]
    how = "Exact enumeration" if all(row.exact for row in found.rows) else BARS
    caption = f"Dashed: the nominal level, {', '.join(map(percent, levels))}. {how}."
    size = max(3.1 * len(columns), 5.6), 6.2
    return picture.Picture(panels, len(columns), size, caption=caption, shared=True)


def _ends(row: CoverageRow, field: str) -> tuple[float, float, float]:
    """Return the value of a row and the ends of its Monte-Carlo error."""
    value, se = (row.coverage, row.se) if field == "coverage" else (row.length, row.length_se)
    return value, value - 1.96 * se, value + 1.96 * se


def _title(own: Sequence[CoverageRow]) -> str:
    truth = ", ".join(f"{value:.3g}" for value in dict.fromkeys(row.truth for row in own))
    where = f"{own[0].population}: " if own[0].population else ""
    return f"{where}true {metric_words(own[0].metric)} {truth}"


def _marks(own: Sequence[CoverageRow], field: str, found: Coverage) -> list[Mark]:
    """Return a line for each method with its Monte-Carlo error, and the nominal levels."""
    marks: list[Mark] = []
    for at, method in enumerate(dict.fromkeys(row.method for row in found.rows)):
        colour, dash = picture.style_of(at)
        ends = {row.n: _ends(row, field) for row in own if row.method == method}
        marks += [Rule(n, (low, high), colour=colour) for n, (_, low, high) in ends.items()]
        values, shape = [value for value, _, _ in ends.values()], SHAPES[at % 7]
        marks.append(Line(list(ends), values, shape=shape, size=4.5, colour=colour, dash=dash, label=method))
    levels = dict.fromkeys(row.level for row in own) if field == "coverage" else ()
    return marks + [
        Rule(level, upright=False, name="nominal", colour=picture.GREY, dash="--", width=1.4) for level in levels
    ]
