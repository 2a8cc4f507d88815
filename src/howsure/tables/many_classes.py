"""Labels of very many classes: what Labels computes from a K×K matrix, from the rows and K sums of each kind."""

from __future__ import annotations

import numpy as np

from howsure.errors import InputError, MetricError
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient
from howsure.metrics.metric import Metric
from howsure.types import Array, Ints

MOST_CLASSES = 500
"""Classes up to which the K×K matrix is made: its slopes take 4K² complex numbers."""


def class_cells(truth: Ints, guess: Ints, weights: Array, width: int) -> Cells:
    """Return the cells of each class as shares of the weight, summed over rows."""
    right = truth == guess
    wrong = ~right
    total = float(weights.sum())
    tp = np.bincount(truth[right], weights=weights[right], minlength=width)
    fn = np.bincount(truth[wrong], weights=weights[wrong], minlength=width)
    fp = np.bincount(guess[wrong], weights=weights[wrong], minlength=width)
    rest = total - (tp + fp + fn)
    whole = total == np.rint(total) and bool(np.all(tp + fp + fn == np.rint(tp + fp + fn)))
    tn = np.where(rest > (0.0 if whole else 1e-13 * total), rest, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Cells(*(part / total for part in (tp, fp, fn, tn)))


def at_rows(slopes: Gradient, truth: Ints, guess: Ints) -> Array:
    """Return what ``slopes.by_cell`` holds in the cell of each row."""
    base = slopes.tn.sum(-1)
    missed, wrong, hit = slopes.fn - slopes.tn, slopes.fp - slopes.tn, slopes.tp - slopes.tn
    return np.asarray(base + np.where(truth == guess, hit[truth], missed[truth] + wrong[guess]))


def class_moments(slopes: Gradient, centre: float, axis: int) -> Array:
    """Return the share of finite entries of ``slopes.by_cell − centre`` along an axis, and their sums over K: of φ, φ².

    Off the diagonal φ is a sum of one number of the true class and one of the predicted, so that sums over one of them
    follow from sums over all classes.
    """
    base = slopes.tn.sum(-1) - centre
    missed, wrong, hit = slopes.fn - slopes.tn, slopes.fp - slopes.tn, slopes.tp - slopes.tn + base
    summed, fixed = (missed, wrong + base) if axis == 0 else (wrong, missed + base)
    finite, held = np.isfinite(summed), np.where(np.isfinite(summed), summed, 0.0)
    number, first, second = (part.sum() - part for part in (finite.astype(float), held, held**2))
    known = np.isfinite(fixed)
    fixed, right = np.where(known, fixed, 0.0), np.isfinite(hit)
    hit = np.where(right, hit, 0.0)
    sums = (number, first + number * fixed, second + 2 * fixed * first + number * fixed**2)
    return np.stack([
        (np.where(known, part, 0.0) + own) / len(hit) for part, own in zip(sums, (right, hit, hit**2), strict=True)
    ])  # fmt: skip


def pseudo_cells(classes: Ints) -> tuple[Ints, Ints, Array]:
    """Return truth, prediction and number of pseudo-rows that add to each class what ½ row spread over K² cells does.

    2K rows in place of K²: the hits of each class, and misses, each of one class and taken for the next. What is added
    to tp, fp and fn of a class is the same.
    """
    size = len(classes)
    hits, misses = np.full(size, 1 / (2 * size**2)), np.full(size, (size - 1) / (2 * size**2))
    truth, guess = np.concatenate([classes, classes]), np.concatenate([classes, np.roll(classes, 1)])
    return truth, guess, np.concatenate([hits, misses])


def no_matrix(width: int) -> str:
    """Return in words why there is no matrix."""
    return f"there are {width:,} classes, whose matrix of {width**2:,} cells is not held"


def refuse_matrix(width: int, models: int) -> InputError:
    """Return the refusal of a table of K^(models + 1) cells."""
    return InputError(
        f"{no_matrix(width)}: it would take {width ** (models + 1) * 8 / 2**30:,.0f} GB; ask for accuracy, metrics of "
        "each class or averages, which need none, or join rare classes"
    )


def check_metric(metric: Metric, width: int) -> None:
    """Refuse a metric of the whole matrix."""
    if metric.over == "matrix" or metric.scores is not None:
        raise MetricError(
            f"metric {metric.name!r} looks at every cell of the confusion matrix, and {no_matrix(width)}; choose "
            "accuracy, a metric of one class or an average, or join rare classes"
        )
