"""Streams of two models, looked at every 25 rows: how often limits at any time are ever wrong, on fresh populations.

A population is drawn by number: prevalence, quality, how much the models err on the same rows. "equal" models have the
same law with their names exchanged, so every metric is equal; for "apart" ones the limits must hold the true difference
at every look. Limits are put together here from confusion matrices: the library does it from rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import betaincc, betaln

from howsure.estimates.methods.martingales import normal_reach

COUNTED = ("accuracy", "recall", "specificity")
METRICS = ("f1", "macro_f1", "mcc", "balanced_accuracy", "kappa", "precision")
EVERY, MOST, FIRST = 25, 2000, 100
STREAMS = 4000
PSEUDO = 4.0
KINDS = ("equal", "apart")
Line = dict[str, Any]


def population(kind: str, number: int) -> np.ndarray:
    """Return the shares [truth, a, b] of a population."""
    draw = np.random.default_rng([number, KINDS.index(kind)])
    prevalence, right, alike = draw.choice([0.5, 0.3, 0.08, 0.03]), draw.choice([0.7, 0.85, 0.95, 0.98]), draw.random()
    shares = np.zeros((2, 2, 2))
    for truth, weight in ((0, 1 - prevalence), (1, prevalence)):
        wrong_a = min((1 - right) * (draw.choice([1.0, 3.0]) if truth else 1.0), 0.6)
        wrong_b = wrong_a * (1.0 if kind == "equal" else draw.uniform(0.3, 1.0))
        both = alike * min(wrong_a, wrong_b) + (1 - alike) * wrong_a * wrong_b
        for a, b, share in (
            (0, 0, 1 - wrong_a - wrong_b + both), (1, 0, wrong_a - both), (0, 1, wrong_b - both), (1, 1, both),
        ):  # fmt: skip
            shares[truth, truth ^ a, truth ^ b] = weight * share
    return shares / shares.sum()


def _cells(table: np.ndarray) -> np.ndarray:
    """Return tn, fp, fn, tp of tables [truth, prediction, …]."""
    return table.reshape(4, *table.shape[2:])


def value(metric: str, table: np.ndarray) -> np.ndarray:
    """Return a metric on tables [truth, prediction, …]."""
    tn, fp, fn, tp = _cells(table)
    wrong, product = fp + fn, tp * tn - fp * fn
    if metric == "mcc":
        return np.asarray(product / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))
    if metric == "kappa":
        return np.asarray(2 * product / ((tp + fp) * (tn + fp) + (tp + fn) * (tn + fn)))
    found = {
        "f1": lambda: 2 * tp / (2 * tp + wrong), "precision": lambda: tp / (tp + fp),
        "macro_f1": lambda: tp / (2 * tp + wrong) + tn / (2 * tn + wrong),
        "balanced_accuracy": lambda: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    }  # fmt: skip
    return np.asarray(found[metric]())


def influence(metric: str, table: np.ndarray) -> np.ndarray:
    """Return how a row in each cell [truth, prediction, …] moves a metric, times the number of rows."""
    tn, fp, fn, tp = _cells(table)
    said, true, false, denied = tp + fp, tp + fn, tn + fp, tn + fn
    n, none = said + denied, np.zeros_like(tp)
    if metric in ("mcc", "kappa"):
        at, root = value(metric, table), np.sqrt(said * true * false * denied)
        top = np.stack([tp, -fn, -fp, tn])  # of tp·tn − fp·fn
        if metric == "mcc":
            sides = [1 / false + 1 / denied, 1 / said + 1 / false, 1 / true + 1 / denied, 1 / said + 1 / true]
            slopes = top / root - at / 2 * np.stack(sides)
        else:
            whole = said * false + true * denied
            slopes = (2 * top - at * np.stack([said + true, said + false, true + denied, false + denied])) / whole
    elif metric == "precision":
        slopes = np.stack([none, -tp / said**2, none, fp / said**2])
    elif metric == "balanced_accuracy":
        slopes = np.stack([fp / false**2, -tn / false**2, -tp / true**2, fn / true**2]) / 2
    else:
        first, second = 2 * tp + fp + fn, 2 * tn + fp + fn
        slopes = 2 * np.stack([none, -tp / first**2, -tp / first**2, (fp + fn) / first**2])
        if metric == "macro_f1":
            slopes = slopes / 2 + np.stack([(fp + fn) / second**2, -tn / second**2, -tn / second**2, none])
    return np.asarray(slopes * n).reshape(table.shape)


def difference(metric: str, counts: np.ndarray) -> np.ndarray:
    """Return b − a of a metric on tables [truth, a, b, …]."""
    return value(metric, counts.sum(1)) - value(metric, counts.sum(2))


def reach_of(metric: str, counts: np.ndarray, rows: float) -> np.ndarray:
    """Return half the length of approximate limits: V = (Σ (φ_b − φ_a)² + a pseudo-row a cell of each model)/n².

    The standard error counts 1 + 2/m times, m the participation number of the rows.
    """
    each = PSEUDO / 4
    a, b = (influence(metric, counts.sum(axis) + each) for axis in (2, 1))
    gap, alone = np.square(b[:, None] - a[:, :, None]), np.square(a) + np.square(b)
    total, fourth = ((counts * gap**power).sum((0, 1, 2)) + each * (alone**power).sum((0, 1)) for power in (1, 2))
    return np.asarray(normal_reach(0.025, rows) * np.sqrt(total) / rows * (1 + 2 * fourth / total**2))


def coin_is_unfair(only_a: np.ndarray, only_b: np.ndarray, level: float = 0.95) -> np.ndarray:
    """Say where discordant rows have made a fortune of 2/(1 − level) against a fair coin, for one side or the other."""
    pairs = np.maximum(only_a, only_b) + 1j * np.minimum(only_a, only_b)  # who won less has the less fortune
    found, place = np.unique(pairs, return_inverse=True)
    more, less = found.real + 0.5, found.imag + 0.5
    with np.errstate(divide="ignore"):
        above = np.log(betaincc(more, less, 0.5))
    fortune = (more + less) * np.log(2) + betaln(more, less) - betaln(0.5, 0.5) + above
    return np.asarray(fortune >= np.log(2 / (1 - level)))[place].reshape(np.shape(only_a))


def discordant(metric: str, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many rows only a, and only b, got right, of those that count."""
    truths = {"accuracy": (0, 1), "recall": (1,), "specificity": (0,)}[metric]
    only_a = sum(counts[truth, truth, 1 - truth] for truth in truths)
    return np.asarray(only_a), np.asarray(sum(counts[truth, 1 - truth, truth] for truth in truths))


def line(kind: str, number: int, *, streams: int = STREAMS, most: int = MOST) -> Line:
    """Return in what share of the streams of a population each metric was ever wrong."""
    shares, draw = population(kind, number), np.random.default_rng([number, KINDS.index(kind), 1])
    true = {metric: float(difference(metric, shares)) for metric in METRICS}
    counts, wrong = np.zeros((2, 2, 2, streams)), {}
    for n in range(EVERY, most + 1, EVERY):
        counts += draw.multinomial(EVERY, shares.ravel(), streams).T.reshape(counts.shape)
        missed = {metric: coin_is_unfair(*discordant(metric, counts)) for metric in COUNTED if kind == "equal"}
        if n >= FIRST:
            with np.errstate(invalid="ignore", divide="ignore"):
                missed |= {
                    metric: np.abs(difference(metric, counts) - true[metric]) > reach_of(metric, counts, n)
                    for metric in METRICS
                }
        for metric, now in missed.items():
            wrong[metric] = wrong.get(metric, False) | now
    return {"kind": kind, "number": number, "streams": streams, "most": most,
            "wrong": {metric: float(np.mean(ever)) for metric, ever in wrong.items()}}  # fmt: skip


def lines_of(file: Path) -> list[Line]:
    """Return the finished populations of a file."""
    return [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(
    file: Path, numbers: Iterable[int], line: Callable[..., Line] = line, kinds: tuple[str, ...] = KINDS, **how: int
) -> list[Line]:
    """Run the populations that are missing in a file, and keep each when it is done."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done = {(one["kind"], one["number"]) for one in lines_of(file)}
    for number in numbers:
        for kind in kinds:
            if (kind, number) not in done:
                with file.open("a", encoding="utf-8") as kept:
                    kept.write(json.dumps(line(kind, number, **how)) + "\n")
    return lines_of(file)
