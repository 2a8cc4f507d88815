"""A confusion matrix with an interval in every cell."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.numerics.binomial import wilson
from howsure.reports.figures.canvas import axes_for, grid_of_axes, shortened, write_caption
from howsure.results.words import count, percent
from howsure.tables.table import Table

MOST_CLASSES = 20


def plot_matrix(table: Table, *, model: str | None = None, level: float = 0.95, axes: Any = None) -> Any:
    """Draw the matrix: colour is the share of the row (its truth), text the count, the share of all rows, its interval.

    The interval of a cell is Wilson's for its share of all n rows, each on its own. Rows that hang together (groups)
    or carry weights make it too narrow, and are refused.
    """
    counts = _counts(table, model)
    labels = [shortened(str(label), 16) for label in table.labels]
    total, size = counts.sum(), len(labels)
    drawn = axes_for(axes, size=(2.2 + 1.25 * size, 1.9 + 0.9 * size))
    truth = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, truth, out=np.zeros_like(counts), where=truth > 0)
    drawn.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for at, across in np.ndindex(size, size):
        _write_cell(drawn, at, across, float(counts[at, across]), float(total), float(shares[at, across]), level)
    drawn.set_xticks(range(size), labels, parse_math=False)
    drawn.set_yticks(range(size), labels, parse_math=False)
    drawn.set_xlabel("prediction")
    drawn.set_ylabel("truth")
    if len(table.models) > 1 or model is not None:
        drawn.set_title(model or table.models[0], fontsize="medium", loc="left", parse_math=False)
    text = f"Count, share of all n = {count(total)} rows, {percent(level)} interval of that share (wilson, each on its"
    write_caption(drawn, text + " own). Colour: share of the row.", width=max(52, 21 * size))
    return drawn


def plot_matrices(table: Table, *, level: float = 0.95) -> Any:
    """Draw the matrix of every model of a table side by side and return the axes, an array if there are several."""
    if len(table.models) == 1:
        return plot_matrix(table, level=level)
    size = len(table.labels)
    across = min(len(table.models), 3)
    down = math.ceil(len(table.models) / across)
    panels = grid_of_axes(down, across, size=((2.2 + 1.25 * size) * across, (1.9 + 0.9 * size) * down))
    for model, axes in zip(table.models, panels.flat, strict=False):
        plot_matrix(table, model=model, level=level, axes=axes)
    for axes in panels.flat[len(table.models) :]:
        axes.set_visible(False)
    return panels


def _counts(table: Table, model: str | None) -> Any:
    if not table.design.independent or table.contents.cross_table([], table.counts) is None:
        what = "several labels per row" if table.design.independent else "weights" if table.weighted else "groups"
        raise InputError(f"table has {what}; the cells' intervals need independent rows with one label each")
    if len(table.labels) > MOST_CLASSES:
        raise InputError(f"table has {len(table.labels)} classes; a matrix of more than {MOST_CLASSES} cannot be read")
    if model is None and len(table.models) > 1:
        raise InputError(f"model is missing; the table has {', '.join(map(repr, table.models))}: name one")
    counts = np.asarray(table.pick(model or table.models[0]).matrix(), dtype=np.float64)
    if np.isnan(counts).any():
        raise InputError("table has no true negatives; the matrix has a cell that was not counted: give tn")
    return counts


def _write_cell(axes: Any, at: int, across: int, cell: float, total: float, shade: float, level: float) -> None:
    low, high = (float(end) for end in wilson(cell, total - cell, z=NormalDist().inv_cdf((1 + level) / 2)))
    ink = "white" if shade > 0.55 else "black"
    axes.text(across, at - 0.14, count(cell), ha="center", va="center", color=ink, fontweight="bold")
    share = cell / total if total else math.nan
    words = f"{100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"
    axes.text(across, at + 0.18, words, ha="center", va="center", color=ink, fontsize="x-small", gid="cell")
