"""Plans as figures: half-width or power over the number of rows. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from howsure.reports.figures.canvas import BLUE, ORANGE, axes_for, write_caption
from howsure.reports.figures.curves import clean
from howsure.results.plan import ComparisonPlan, Plan
from howsure.results.words import count, percent


def _draw(axes: Any, points: Sequence[tuple[float, float]], planned: tuple[float, float], words: str) -> None:
    sizes, heights = zip(*points, strict=True)
    axes.plot(sizes, heights, color=BLUE, marker=".", linewidth=1.8)
    axes.plot(*planned, color=ORANGE, marker="D", linestyle="none", label=words)
    axes.axvline(planned[0], color=ORANGE, linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_xticks(_round_between(min(sizes), max(sizes)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.minorticks_off()
    clean(axes)
    axes.legend(frameon=False)


def _round_between(low: float, high: float) -> list[float]:
    """Return the numbers 1, 2 and 5 times a power of ten from low to high."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in (1, 2, 5) if low <= step * 10.0**power <= high]


def plot_plan(plan: Plan, *, sizes: Iterable[int] | None = None, axes: Any = None) -> Any:
    """Draw the half-width over the number of rows and mark the plan."""
    drawn = axes_for(axes)
    unit = "rows" if plan.n is not None else "positive rows"
    rows = plan.n if plan.n is not None else plan.positives or 1
    _draw(drawn, plan.curve(sizes), (rows, plan.half_width), f"plan: {count(rows)} {unit}")
    drawn.set_ylim(bottom=0)
    drawn.set_xlabel(f"labelled {unit}")
    drawn.set_ylabel(f"half-width of {plan.metric}")
    write_caption(drawn, f"{percent(plan.level)} intervals by the {plan.method} method; {plan.basis}.")
    return drawn


def plot_comparison_plan(plan: ComparisonPlan, *, sizes: Iterable[int] | None = None, axes: Any = None) -> Any:
    """Draw the power over the number of rows and mark the plan."""
    drawn = axes_for(axes)
    design = "paired" if plan.paired else "unpaired"
    _draw(drawn, plan.curve(sizes), (plan.n, plan.power), f"plan: {count(plan.n)} rows")
    drawn.set_ylim(0, 1)
    drawn.set_xlabel("labelled rows" if plan.paired else "labelled rows in each test set")
    drawn.set_ylabel(f"power for a difference of {plan.difference:.3g} in {plan.metric}")
    write_caption(drawn, f"{percent(plan.level)} level, {plan.test} test, {design}.")
    return drawn
