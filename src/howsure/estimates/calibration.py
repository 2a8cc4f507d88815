"""hs.calibration: the calibration line, Brier score and its parts, ECE with its expected bias, and a test."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import chdtrc, fdtrc

from howsure.errors import check_level, quoted
from howsure.estimates.curve import curve
from howsure.estimates.estimate import check_table, report
from howsure.metrics.calibration import squared_errors
from howsure.metrics.names import named
from howsure.metrics.scoring import ScoreRows
from howsure.results.base import Note, note_of
from howsure.results.curves.curve import Calibration
from howsure.sources.kinds.runs import without_runs
from howsure.tables.covariance import covariance, linearise
from howsure.tables.table import Table
from howsure.types import Array

LINE = ("calibration_slope", "calibration_intercept", "calibration_in_the_large")
SCORED = ("brier", "brier_skill", "log_loss", "ece")


def calibration(
    table: Table, *, model: str | None = None, level: float = 0.95, bins: int = 10, clip: float | None = None
) -> Calibration:
    """Return how far the probabilities of one model can be taken at their word.

    Slope and intercept of a logistic fit of the truth on the log-odds, with a test that they are 1 and 0; the Brier
    score as miscalibration − discrimination + uncertainty (isotonic regression, no bins); ECE beside what a perfectly
    calibrated model would show; a reliability curve. ``clip`` keeps probabilities of 0 and 1 off the ends.

    >>> from howsure import table
    >>> t = table([0, 1] * 50, scores=[0.2, 0.7, 0.4, 0.8, 0.6] * 20)
    >>> c = calibration(t)
    >>> round(c.miscalibration - c.discrimination + c.uncertainty - c["brier"].value, 12)
    0.0
    """
    check_table(table)
    check_level(level)
    one = without_runs(table, model, "calibration")
    rows = one.contents.scored(0)
    several = rows.scores.ndim == 2
    notes: list[Note] = []
    line = [] if several else list(LINE)
    at_ends = not several and bool(((rows.scores <= 0) | (rows.scores >= 1)).any())
    used = clip if clip is not None else 1e-6 if at_ends else None
    if at_ends:
        ends = int(((rows.scores <= 0) | (rows.scores >= 1)).sum())
        notes.append(note_of("probabilities at ends", "clip", rows=f"{ends:,}", clip=f"{used:g}"))
    tail = "" if used is None else f"[clip={used:g}]"
    metrics = [f"{name}{tail}" for name in line] + [f"{name}{tail}" if name == "log_loss" else name for name in SCORED]
    made = report(one, metrics, level=level)
    ece = linearise(one, named("ece"))
    expected = float(np.sqrt(2 * np.asarray(ece.details["model_spread"]) / np.pi).sum())
    parts = (math.nan,) * 3 if several else corp(rows, one.design.weights)
    statistic, p_value = (math.nan, math.nan) if several else _test(one, tail)
    if several:
        notes.append(note_of("calibration of classes", "classes", classes=quoted(one.labels)))
    return Calibration(
        one.model, made, *parts, expected, p_value, statistic, one.n, level,
        curve(one, "reliability", level=level, bins=bins), tuple(notes),
    )  # fmt: skip


def corp(rows: ScoreRows, weights: Array) -> tuple[float, float, float]:
    """Return miscalibration, discrimination and uncertainty: Brier = MCB − DSC + UNC, an exact sum.

    Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118. The recalibrated probabilities are the isotonic
    regression of the truth on the score, by pooling adjacent violators.
    """
    total = float(weights.sum())
    positives, negatives = rows.sums(weights)
    fitted = isotonic(positives / (positives + negatives), positives + negatives)
    size = positives + negatives
    brier = float(weights @ squared_errors(rows)) / total
    share = float(positives.sum()) / total
    recalibrated = float((positives * (1 - fitted) ** 2 + negatives * fitted**2).sum()) / float(size.sum())
    uncertainty = share * (1 - share)
    return brier - recalibrated, uncertainty - recalibrated, uncertainty


def isotonic(values: Array, weights: Array) -> Array:
    """Return the nearest non-decreasing values in weighted squares: adjacent violators are pooled.

    >>> isotonic(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4)).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    level: list[float] = []
    weight: list[float] = []
    length: list[int] = []
    for value, mass in zip(values.tolist(), weights.tolist(), strict=True):
        if not mass > 0:
            value = level[-1] if level else 0.0
        level.append(value)
        weight.append(mass)
        length.append(1)
        while len(level) > 1 and level[-2] >= level[-1]:
            mass = weight[-2] + weight[-1]
            pooled = (level[-2] * weight[-2] + level[-1] * weight[-1]) / mass if mass > 0 else level[-1]
            level[-2:], weight[-2:], length[-2:] = [pooled], [mass], [length[-2] + length[-1]]
    return np.repeat(level, length)


def _test(one: Table, tail: str) -> tuple[float, float]:
    """Return Wald's statistic that intercept and slope are 0 and 1 together, and its p-value."""
    linears = [linearise(one, named(f"{name}{tail}")) for name in ("calibration_intercept", "calibration_slope")]
    off = np.array([linears[0].value, linears[1].value - 1])
    if not np.isfinite(off).all():
        return math.nan, math.nan
    statistic = float(off @ np.linalg.solve(covariance(one, linears), off))
    degrees = linears[0].design.degrees()
    if math.isinf(degrees):
        return statistic, float(chdtrc(2, statistic))
    return statistic, float(fdtrc(2, max(degrees - 1, 1), statistic * max(degrees - 1, 1) / (2 * degrees)))
