"""Metrics of probabilities: Brier score and skill, log loss, the calibration line, expected calibration error.

The first are means of a number per row. The line is a logistic fit, whose influences are those of its estimating
equation. ECE is a sum of absolute values of smooth cells and has a kink where a bin is perfectly calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit, logit

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.metric import Metric
from howsure.metrics.ranking import no_cells
from howsure.metrics.scoring import Found, ScoreRows, Scoring
from howsure.types import Array, Ints

BINS = 15
STEPS, FARTHEST = 60, 100.0  # Newton steps; a slope beyond this means that the classes are separated
INF = float("inf")


def _mean(values: Array, weights: Array, **details: Any) -> Found:
    """Return a mean over rows; a row moves it by how far it lies from it."""
    total = float(weights.sum())
    counted = weights > 0
    value = float(weights[counted] @ values[counted]) / total if total > 0 else math.nan
    with np.errstate(invalid="ignore"):
        return Found(value, values - value, details)


def _means_at(of_row: Callable[[ScoreRows], Array]) -> Callable[[ScoreRows, Array], Array]:
    def values_at(rows: ScoreRows, weights: Array) -> Array:
        return np.asarray(weights @ of_row(rows) / weights.sum(1))

    return values_at


# --- proper scores


def squared_errors(rows: ScoreRows) -> Array:
    """Return (p − y)² of each row; with several classes summed over them."""
    if rows.scores.ndim == 1:
        return np.asarray((rows.scores - rows.positive) ** 2)
    hit = rows.truth[:, None] == np.arange(rows.scores.shape[1])
    return np.asarray(((rows.scores - hit) ** 2).sum(1))


def _brier(rows: ScoreRows, weights: Array) -> Found:
    return _mean(squared_errors(rows), weights)


def _skill(rows: ScoreRows, weights: Array) -> Found:
    """Return 1 − B/U, U the Brier score of a model that says the prevalence of every row."""
    found, total = _brier(rows, weights), float(weights.sum())
    width = 2 if rows.scores.ndim == 1 else rows.scores.shape[1]
    share = np.bincount(rows.truth, weights=weights, minlength=width) / total
    # Two classes with one score a row: π(1−π), half of 1 − Σπ².
    scale = 0.5 if rows.scores.ndim == 1 else 1.0
    unsure = scale * (1 - float(share @ share))
    if not unsure > 0:
        return Found(math.nan, np.full(len(rows), np.nan))
    moved = -2 * scale * (share[rows.truth] - float(share @ share))
    return Found(1 - found.value / unsure, -found.influence / unsure + found.value / unsure**2 * moved)


def losses(rows: ScoreRows, clip: float = 0.0) -> Array:
    """Return −log of the probability that each row's true class was given; infinite where that is 0."""
    if rows.scores.ndim == 1:
        given = np.where(rows.positive, rows.scores, 1 - rows.scores)
    else:
        given = np.take_along_axis(rows.scores, rows.truth.astype(np.int64)[:, None], axis=1)[:, 0]
    given = np.clip(given, clip, 1 - clip) if clip else given
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(given)) + 0.0


def clipped_log_loss(clip: float = 0.0) -> Metric:
    """Return the mean of −log p(true class); ``clip`` keeps probabilities at least so far from 0 and 1."""

    def find(rows: ScoreRows, weights: Array) -> Found:
        each = losses(rows, clip)
        wrong = np.flatnonzero(np.isinf(each) & (weights > 0))
        if not len(wrong):
            return _mean(each, weights)
        return Found(INF, np.full(len(rows), np.nan), {"impossible": wrong})

    tail = f"[clip={clip:g}]" if clip else ""
    return Metric(
        f"log_loss{tail}", no_cells, over="scores", range=(0.0, INF), better="lower", title="Log loss",
        aliases=() if clip else ("cross_entropy",),
        text="mean of −log of the probability given to the true class",
        scoring=Scoring(find, _means_at(lambda rows: losses(rows, clip)), mean=True, probabilities=True,
                        classes="either", few=0),
    )  # fmt: skip


# --- the calibration line


def _line(part: int, clip: float) -> Callable[[ScoreRows, Array], Found]:
    """Return the slope (1) or the intercept (0) of a logistic fit of the truth on logit p, or (2) that with slope 1.

    Cox (1958) Biometrika 45:562. φ = (mean of μ(1−μ)xxᵀ)⁻¹ x(y − μ), so the variance is the sandwich.
    """

    def find(rows: ScoreRows, weights: Array) -> Found:
        log_odds = _log_odds(rows, clip)
        y, offset = rows.positive.astype(float), np.zeros(len(rows))
        x = np.column_stack([np.ones(len(rows)), log_odds])
        if part == 2:
            x, offset = x[:, :1], log_odds
        beta = _fit(x, y, weights, offset)
        if beta is None:
            return Found(math.nan, np.full(len(rows), np.nan), {"separated": True})
        mean = expit(x @ beta + offset)
        bread = (x * (weights * mean * (1 - mean))[:, None]).T @ x / weights.sum()
        moved = np.linalg.solve(bread, (x * (y - mean)[:, None]).T)
        place = 1 if part == 1 else 0
        return Found(float(beta[place]), np.asarray(moved[place]))

    return find


def _log_odds(rows: ScoreRows, clip: float) -> Array:
    scores = np.clip(rows.scores, clip, 1 - clip) if clip else rows.scores
    ends = int(((scores <= 0) | (scores >= 1)).sum())
    if ends:
        raise MetricError(messages.CALIBRATION_LINE_NEEDS_LOG_ODDS_OF_EVERY(ends=ends, number=len(rows)))
    return np.asarray(logit(scores))


def _fit(x: Array, y: Array, weights: Array, offset: Array) -> Array | None:
    """Return the coefficients of a logistic fit by Newton's method with halved steps; None where they are infinite."""
    if not 0 < float(weights @ y) < float(weights.sum()) or (x.shape[1] == 2 and np.ptp(x[weights > 0, 1]) == 0):
        return None
    beta = np.zeros(x.shape[1])

    def loss(at: Array) -> float:
        line = x @ at + offset
        return float(weights @ (np.logaddexp(0, line) - y * line))

    here = loss(beta)
    for _ in range(STEPS):
        mean = expit(x @ beta + offset)
        slope = x.T @ (weights * (y - mean))
        bend = (x * (weights * mean * (1 - mean))[:, None]).T @ x
        try:
            step = np.linalg.solve(bend, slope)
        except np.linalg.LinAlgError:
            return None
        length = 1.0
        while length > 1e-10 and not loss(beta + length * step) <= here + 1e-12 * abs(here):
            length /= 2
        beta = beta + length * step
        here = loss(beta)
        if np.abs(beta).max() > FARTHEST or not np.isfinite(beta).all():
            return None
        if np.abs(step).max() < 1e-12 * max(1.0, float(np.abs(beta).max())):
            return beta
    return beta if float(np.abs(step).max()) < 1e-6 else None


def _line_metric(name: str, part: int, clip: float, title: str, text: str, perfect: float) -> Metric:
    tail = f"[clip={clip:g}]" if clip else ""
    return Metric(
        f"{name}{tail}", no_cells, over="scores", range=(-INF, INF), better=None, title=title,
        text=f"{text}; {perfect:g} for a calibrated model",
        scoring=Scoring(_line(part, clip), mean=True, probabilities=True),
    )  # fmt: skip


def calibration_slope(clip: float = 0.0) -> Metric:
    """Return the slope of a logistic fit of the truth on the log-odds of the probabilities."""
    text = "slope of a logistic fit of the truth on the log-odds of the score"
    return _line_metric("calibration_slope", 1, clip, "Calibration slope", text, 1)


def calibration_intercept(clip: float = 0.0) -> Metric:
    """Return the intercept of that fit."""
    text = "intercept of a logistic fit of the truth on the log-odds of the score"
    return _line_metric("calibration_intercept", 0, clip, "Calibration intercept", text, 0)


def calibration_in_the_large(clip: float = 0.0) -> Metric:
    """Return the intercept with the slope held at 1."""
    return _line_metric("calibration_in_the_large", 2, clip, "Calibration in the large", "intercept with slope 1", 0)


# --- expected calibration error


def confidence(rows: ScoreRows) -> tuple[Array, Array]:
    """Return what was said and what came: probability and truth; of several classes the highest and whether it hit."""
    if rows.scores.ndim == 1:
        return rows.scores, rows.positive.astype(float)
    top = rows.scores.argmax(1)
    return rows.scores.max(1), (top == rows.truth).astype(float)


def bin_of(probabilities: Array, bins: int) -> Ints:
    """Return the bin [k/B, (k+1)/B) of each probability; the last holds 1 too.

    >>> bin_of(np.array([0.0, 0.1, 0.1999, 0.2, 1.0]), 5).tolist()
    [0, 0, 0, 1, 4]
    """
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, probabilities, side="right")


def ece(bins: int = BINS) -> Metric:
    """Return the expected calibration error: the mean over rows of |mean truth − mean probability| of their bin."""
    if not 2 <= bins <= 10_000:
        raise MetricError(messages.METRIC_ECE_BINS_NEEDS_WHOLE_NUMBER(bins=bins))

    def find(rows: ScoreRows, weights: Array) -> Found:
        said, came = confidence(rows)
        place, gap = bin_of(said, bins), came - said
        total = float(weights.sum())
        gaps = np.bincount(place, weights=weights * gap, minlength=bins) / total
        value = float(np.abs(gaps).sum())
        spread = np.bincount(place, weights=weights**2 * said * (1 - said), minlength=bins) / total**2
        details = {"bin": place, "gap": gap, "gaps": gaps, "model_spread": spread}
        return Found(value, np.sign(gaps)[place] * gap - value, details)

    tail = "" if bins == BINS else f"[bins={bins}]"
    return Metric(
        f"ece{tail}", no_cells, over="scores", better="lower", title="ECE",
        aliases=() if tail else ("expected_calibration_error",),
        text=f"mean distance of truth and probability within {bins} equal bins",
        scoring=Scoring(find, probabilities=True, classes="either", few=0),
    )  # fmt: skip


CALIBRATION: tuple[Metric, ...] = (
    Metric(
        "brier", no_cells, over="scores", better="lower", title="Brier score",
        text="mean of (probability − truth)²; with several classes summed over them",
        scoring=Scoring(_brier, _means_at(squared_errors), mean=True, probabilities=True, classes="either", few=0,
                        wide=(0.0, 2.0)),
    ),
    Metric(
        "brier_skill", no_cells, over="scores", range=(-INF, 1.0), title="Brier skill",
        text="1 − Brier score / that of saying the prevalence",
        scoring=Scoring(_skill, mean=True, probabilities=True, classes="either", few=0),
    ),
    clipped_log_loss(),
    calibration_slope(),
    calibration_intercept(),
    calibration_in_the_large(),
    ece(),
)  # fmt: skip
