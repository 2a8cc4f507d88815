"""Curves: posterior densities, and coverage and length over the number of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from howsure.errors import InputError
from howsure.reports.figures.canvas import (
    GREY,
    SOFT,
    axes_for,
    figure_of,
    foot_caption,
    style_of,
    write_caption,
    write_legend,
)
from howsure.results.coverage import Coverage, CoverageRow
from howsure.results.words import percent

TAIL = 0.0005


class Posterior(Protocol):
    """What a curve needs of a posterior."""

    @property
    def mean(self) -> float: ...
    def pdf(self, x: npt.ArrayLike) -> Any: ...
    def ppf(self, p: npt.ArrayLike) -> Any: ...
    def isf(self, q: npt.ArrayLike) -> Any: ...
    def interval(self, level: float = ..., *, kind: Any = ...) -> tuple[float, float]: ...


def plot_posterior(law: Posterior, *, metric: str = "metric", **options: Any) -> Any:
    """Draw the density of one posterior with its credible interval."""
    return plot_posteriors({metric: law}, metric=metric, **options)


def plot_posteriors(
    laws: Mapping[str, Posterior],
    *,
    metric: str = "metric",
    level: float = 0.95,
    kind: str = "equal",
    points: int = 301,
    axes: Any = None,
) -> Any:
    """Draw densities over one another, each with its credible interval shaded and its mean dotted."""
    if not laws:
        raise InputError("laws is empty; give at least one posterior by its name")
    drawn = axes_for(axes)
    handles = [_draw_law(drawn, law, style_of(at), level, kind, points) for at, law in enumerate(laws.values())]
    drawn.set_xlabel(metric, parse_math=False)
    drawn.set_ylabel("posterior density")
    drawn.set_ylim(bottom=0)
    drawn.locator_params(axis="x", nbins=6)
    clean(drawn)
    if len(laws) > 1 or next(iter(laws)) != metric:
        write_legend(drawn, handles, list(laws))
    which = "equal tails" if kind == "equal" else "highest density"
    write_caption(drawn, f"Shaded: {percent(level)} credible interval ({which}); dotted: the mean.", width=78)
    return drawn


def _draw_law(axes: Any, law: Posterior, style: dict[str, Any], level: float, kind: str, points: int) -> Any:
    low, high = law.interval(level, kind=kind)
    start, stop = min(float(law.ppf(TAIL)), low), max(float(law.isf(TAIL)), high)
    x = np.unique(np.concatenate([np.linspace(start, stop, points), [low, high]]))
    density = np.asarray(law.pdf(x), dtype=np.float64)
    finite = np.isfinite(density)
    x, density = x[finite], density[finite]
    (handle,) = axes.plot(x, density, linewidth=1.8, **style)
    held = (x >= low) & (x <= high)
    axes.fill_between(x[held], density[held], color=style["color"], alpha=0.16, linewidth=0)
    axes.vlines(law.mean, 0, float(np.interp(law.mean, x, density)), color=style["color"], linewidth=1, linestyle=":")
    return handle


def plot_coverage(found: Coverage) -> Any:
    """Draw coverage (upper row, with the nominal line) and length (lower row) over n, a column per population.

    Returns an array of axes with two rows. Monte-Carlo error is drawn as a bar of ± 1.96 standard errors; an exact
    row has none.
    """
    if not found.rows:
        raise InputError("the study has no rows; a figure needs at least one")
    columns = list(dict.fromkeys((row.metric, row.population) for row in found.rows))
    methods = list(dict.fromkeys(row.method for row in found.rows))
    panels = axes_for(size=(max(3.1 * len(columns), 5.6), 6.2), rows=2, columns=len(columns))
    for column, (metric, population) in enumerate(columns):
        own = [row for row in found.rows if (row.metric, row.population) == (metric, population)]
        handles = [_draw_method(panels[:, column], own, method, at) for at, method in enumerate(methods)]
        _finish_column(panels[:, column], own, population)
    panels[0, 0].set_ylabel("coverage")
    panels[1, 0].set_ylabel("mean length")
    options = {"loc": "outside upper center", "ncols": min(len(methods), 4)}
    write_legend(figure_of(panels), handles, methods, **options)
    panels[1, 0].set_ylim(bottom=0)  # once all is drawn: the row shares its scale
    foot_caption(figure_of(panels), _coverage_caption(found))
    return panels


def _draw_method(panels: Any, own: list[CoverageRow], method: str, at: int) -> Any:
    rows = sorted((row for row in own if row.method == method), key=lambda row: row.n)
    sizes = [row.n for row in rows]
    options = {"marker": "osD^vPX"[at % 7], "markersize": 4.5, "linewidth": 1.6, **style_of(at)}
    panels[1].errorbar(sizes, [row.length for row in rows], [1.96 * row.length_se for row in rows], **options)
    return panels[0].errorbar(sizes, [row.coverage for row in rows], [1.96 * row.se for row in rows], **options)


def _finish_column(panels: Any, own: list[CoverageRow], population: str) -> None:
    for level in dict.fromkeys(row.level for row in own):
        panels[0].axhline(level, color=GREY, linestyle="--", linewidth=1.4, zorder=1.5, gid="nominal")
    sizes = sorted({row.n for row in own})
    for panel in panels:
        panel.set_xscale("log")
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=45 if len(sizes) > 5 else 0)
        panel.minorticks_off()
        clean(panel)
    panels[1].set_xlabel("number of rows")
    truth = ", ".join(f"{value:.3g}" for value in dict.fromkeys(row.truth for row in own))
    where = f"{population}: " if population else ""
    panels[0].set_title(f"{where}true {own[0].metric} {truth}", fontsize="medium", parse_math=False)


def _coverage_caption(found: Coverage) -> str:
    levels = ", ".join(percent(level) for level in dict.fromkeys(row.level for row in found.rows))
    exact = all(row.exact for row in found.rows)
    how = "exact enumeration" if exact else "bars: ± 1.96 Monte-Carlo standard errors, none where exact"
    return f"Dashed: the nominal level, {levels}. {how[0].upper()}{how[1:]}."


def clean(axes: Any) -> None:
    """Draw a soft grid behind the curves, and no frame at the top and right."""
    axes.grid(color=SOFT, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
