"""A confusion matrix with an interval in every cell."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import reports as messages
from howsure.numerics.binomial import wilson
from howsure.reports.figures.canvas import draw
from howsure.reports.figures.picture import BLACK, Area, Axis, Mark, Panel, Picture, Words, shortened
from howsure.results.words import count, percent
from howsure.tables.table import Table

MOST_CLASSES = 20
FAINTEST, DARK = 0.04, 0.9  # white is read better than black on the blue of the darkest cells alone


def plot_matrix(table: Table, *, model: str | None = None, level: float = 0.95, axes: Any = None) -> Any:
    """Draw the matrix: colour is the share of the row (its truth), text the count, the share of all rows, its interval.

    The interval of a cell is Wilson's for its share of all n rows, each on its own. Clustered rows (groups)
    or carry weights make it too narrow, and are refused.
    """
    return draw(cells_picture(table, model=model, level=level), axes)


def plot_matrices(table: Table, *, level: float = 0.95) -> Any:
    """Draw the matrix of every model of a table side by side and return the axes, an array if there are several."""
    if len(table.models) == 1:
        return plot_matrix(table, level=level)
    panels = [cells_picture(table, model=model, level=level) for model in table.models]
    columns = min(len(panels), 3)
    width, height = panels[0].size
    return draw(Picture(panels, columns, size=(width * columns, height * math.ceil(len(panels) / columns))))


def cells_picture(table: Table, *, model: str | None = None, level: float = 0.95) -> Panel:
    """Describe the matrix of one model."""
    counts = _counts(table, model)
    names = [shortened(str(label), 16) for label in table.labels]
    total, size = float(counts.sum()), len(names)
    truth = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, truth, out=np.zeros_like(counts), where=truth > 0)
    text = f"Count, share of all n = {count(total)} rows, {percent(level)} interval of that share (wilson, each on its"
    return Panel(
        across=Axis(-0.5, size - 0.5, label="prediction", names=names),
        up=Axis(size - 0.5, -0.5, label="truth", names=names),
        marks=[
            mark
            for at, across in np.ndindex(size, size)
            for mark in _cell(at, across, float(counts[at, across]), total, float(shares[at, across]), level)
        ],
        title=(model or table.models[0]) if len(table.models) > 1 or model is not None else "",
        caption=f"{text} own). Colour: share of the row.", size=(2.2 + 1.25 * size, 1.9 + 0.9 * size),
    )  # fmt: skip


def _counts(table: Table, model: str | None) -> Any:
    if not table.design.independent or not table.contents.one_truth:
        what = (
            messages.SEVERAL_LABELS_PER_ROW() if table.design.independent else "weights" if table.weighted else "groups"
        )
        raise InputError(messages.TABLE_CELLS_INTERVALS_NEED_INDEPENDENT_ROWS(what=what))
    if len(table.labels) > MOST_CLASSES:
        raise InputError(messages.TABLE_CLASSES_MATRIX_OF_MORE(number=len(table.labels), most_classes=MOST_CLASSES))
    if model is None and len(table.models) > 1:
        raise InputError(messages.MODEL_IS_MISSING(models=", ".join(map(repr, table.models))))
    counts = np.asarray(table.pick(model or table.models[0]).matrix(), dtype=np.float64)
    if np.isnan(counts).any():
        raise InputError(messages.TABLE_HAS_NO_TRUE_NEGATIVES())
    return counts


def _cell(at: int, across: int, cell: float, total: float, shade: float, level: float) -> list[Mark]:
    low, high = (float(end) for end in wilson(cell, total - cell, z=NormalDist().inv_cdf((1 + level) / 2)))
    ink = "#ffffff" if shade > DARK else BLACK
    share = cell / total if total else math.nan
    words = f"{100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"
    sides, top, bottom = (across - 0.49, across + 0.49), (at - 0.49,) * 2, (at + 0.49,) * 2
    return [
        Area(sides, top, bottom, opacity=FAINTEST + (1 - FAINTEST) * shade),
        Words(across, at - 0.14, count(cell), colour=ink, bold=True),
        Words(across, at + 0.18, words, colour=ink, size="x-small", name="cell"),
    ]
