"""hs.confusion: the shares of a confusion matrix, a row at a time, with intervals that hold for the whole row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages import estimates as messages
from howsure.estimates.tail import Tail
from howsure.metrics.cells import Cells
from howsure.metrics.metric import Metric
from howsure.numerics.binomial import LowHigh, clopper_pearson, wilson
from howsure.numerics.multinomial import goodman, quesenberry_hurst, sison_glaz
from howsure.results.base import note_of
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import marked
from howsure.sources.kinds.runs import without_runs
from howsure.tables.covariance import linearise
from howsure.tables.table import Table
from howsure.types import Array

Given = Literal["truth", "prediction"] | None
AXES: dict[str | None, Any] = {"truth": 1, "prediction": 0, None: (0, 1)}


def _alone(limits: Callable[..., LowHigh], counts: Array, *, level: float, **more: Any) -> LowHigh:
    return limits(counts, counts.sum() - counts, **more)


def _wilson(counts: Array, *, level: float) -> LowHigh:
    return _alone(wilson, counts, level=level, z=Tail(level).z)


def _exact(counts: Array, *, level: float) -> LowHigh:
    return _alone(clopper_pearson, counts, level=level, tail=Tail(level).probability)


# name: function of a row's counts, and whether the limits of a row hold together
MULTINOMIAL: dict[str, tuple[Callable[..., LowHigh], bool]] = {
    "goodman": (goodman, True),
    "quesenberry-hurst": (quesenberry_hurst, True),
    "sison-glaz": (sison_glaz, True),
    "wilson": (_wilson, False),
    "clopper-pearson": (_exact, False),
}


def confusion(
    table: Table, *, given: Given = "truth", level: float = 0.95, method: str = "goodman", model: str | None = None
) -> Report:
    """Return the shares of a confusion matrix: of the rows of each true class, which were predicted as what.

    The shares of one true class are one multinomial sample, and by the default method their intervals hold together
    (Goodman 1965); "quesenberry-hurst" and "sison-glaz" do so too, "wilson" and "clopper-pearson" hold one by one.
    ``given="prediction"`` turns it round, ``given=None`` takes shares of all rows. With groups or weights each class
    has as many rows as it is worth by the variance of its shares.

    >>> from howsure import matrix
    >>> print(repr(confusion(matrix([[48, 2], [5, 45]], rows="truth"))[0]))
    predicted 0 | true 0 = 0.960, 95% joint interval 0.845 to 0.991 (goodman), 50 rows
    """
    check_choice("given", given, AXES)
    check_choice("method", method, MULTINOMIAL)
    check_level = Tail(level).level
    one = without_runs(table, model, "a confusion matrix")
    value, low, high, sizes = limits_of(one, given, check_level, method)
    held = MULTINOMIAL[method][1]
    rows = tuple(
        Estimate(
            float(value[i, j]), float(low[i, j]), float(high[i, j]), level, method,
            float(np.sqrt(value[i, j] * (1 - value[i, j]) / sizes[i, j])) if sizes[i, j] > 0 else float("nan"),
            float(sizes[i, j]), _name(one, given, i, j), one.models[0], meaning="joint" if held else "confidence",
        )
        for i, j in np.ndindex(*value.shape)
    )  # fmt: skip
    what = marked(f"given {given or 'nothing'}")
    together = note_of("classes together", "family", what=what, level=f"{level:.0%}")
    alone = note_of("classes alone", "family", level=f"{level:.0%}")
    return Report(rows, level, notes=(together if held else alone,), joint=held)


def limits_of(one: Table, given: Given, level: float, method: str) -> tuple[Array, Array, Array, Array]:
    """Return shares, lower and upper limits, and the rows that each share is worth, as matrices with truth in rows."""
    counts = one.contents.cross_table([0], one.weights)
    if counts is None or not one.negatives:
        raise InputError(messages.CONFUSION_MATRIX_NEEDS_ONE_TRUE())
    whole = counts.sum(AXES[given], keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = counts / whole
    sizes = _sizes(one, counts, value, given)
    low, high = np.full((2, *value.shape), np.nan)
    limits = MULTINOMIAL[method][0]
    for places in _samples(value.shape[0], given):
        if np.isfinite(value[places]).all():
            low[places], high[places] = limits(value[places] * sizes[places].min(), level=level)
    return value, low, high, sizes


def _samples(size: int, given: Given) -> list[Any]:
    """Return where the cells of each multinomial sample are."""
    if given is None:
        return [tuple(np.indices((size, size)).reshape(2, -1))]
    lines = range(size)
    return [(line, slice(None)) if given == "truth" else (slice(None), line) for line in lines]


def _sizes(one: Table, counts: Array, value: Array, given: Given) -> Array:
    """Return how many independent rows each sample is worth: those counted, or where they hang together fewer."""
    if one.design.independent:
        return np.broadcast_to(counts.sum(AXES[given], keepdims=True), counts.shape)
    worth = np.full(counts.shape, np.nan)
    for i, j in np.ndindex(*counts.shape):
        if 0 < value[i, j] < 1:
            metric = Metric(_name(one, given, i, j), partial(_share, i=i, j=j, given=given), over="matrix")
            worth[i, j] = value[i, j] * (1 - value[i, j]) / linearise(one, metric).variance
    counted = one.contents.cross_table([0], one.counts)
    assert counted is not None
    plain = np.broadcast_to(counted.sum(AXES[given], keepdims=True), counts.shape)
    axis = AXES[given]
    with np.errstate(all="ignore"):
        least = np.nanmin(np.where(np.isnan(worth), np.inf, worth), axis=axis, keepdims=True)
    return np.where(np.isfinite(least), np.broadcast_to(least, counts.shape), plain)


def _share(c: Cells, *, i: int, j: int, given: Given) -> Any:
    cells = c.matrix
    assert cells is not None
    if given is None:
        return cells[..., i, j] / cells.sum((-2, -1))
    return cells[..., i, j] / (cells[..., i, :] if given == "truth" else cells[..., :, j]).sum(-1)


def _name(one: Table, given: Given, i: int, j: int) -> str:
    true, guess = f"true {one.labels[i]}", f"predicted {one.labels[j]}"
    return {"truth": f"{guess} | {true}", "prediction": f"{true} | {guess}", None: f"{true}, {guess}"}[given]
