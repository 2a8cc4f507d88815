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
from howsure.metrics.gradient import moments, values_of
from howsure.metrics.names import named

COUNTED = ("accuracy", "recall", "specificity")
METRICS = ("f1", "macro_f1", "mcc", "balanced_accuracy", "kappa", "precision")
EVERY, MOST, FIRST = 25, 2000, 100
STREAMS = 4000
BLOCK = 500  # streams at once: what stays in the cache is quicker
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


def _selection(metric: str) -> int | None:
    return 1 if named(metric).over == "class" else None


def difference(metric: str, counts: np.ndarray) -> np.ndarray:
    """Return b − a of a metric on tables [truth, a, b]."""
    chosen = named(metric)
    a, b = (values_of(chosen, counts.sum(axis), _selection(metric)) for axis in (-1, -2))
    return np.asarray(b - a)


def reach_of(metric: str, counts: np.ndarray) -> np.ndarray:
    """Return half the length of approximate limits: V = (Σ (φ_b − φ_a)² + a pseudo-row a cell of each model)/n².

    The standard error counts 1 + 2/m times, m the participation number of the rows.
    """
    parts = (counts[start : start + BLOCK] for start in range(0, len(counts), BLOCK))
    error = np.concatenate([_error(metric, part) for part in parts])
    return np.asarray(normal_reach(0.025, float(counts[0].sum())) * error)


def _error(metric: str, counts: np.ndarray) -> np.ndarray:
    chosen, each, n = named(metric), PSEUDO / 4, counts[0].sum()
    a, b = (moments(chosen, counts.sum(axis) + each, selection=_selection(metric)).influence for axis in (-1, -2))
    gap, alone = np.square(b[:, :, None, :] - a[:, :, :, None]), np.square(a) + np.square(b)
    total, fourth = (
        np.einsum("stab,stab->s", counts, gap**power) + each * np.einsum("stp->s", alone**power) for power in (1, 2)
    )
    return np.asarray(np.sqrt(total) / n * (1 + 2 * fourth / total**2))


def coin_is_unfair(only_a: np.ndarray, only_b: np.ndarray, level: float = 0.95) -> np.ndarray:
    """Say where discordant rows have made a fortune of 2/(1 − level) against a fair coin, for one side or the other."""
    more, less = np.maximum(only_a, only_b) + 0.5, np.minimum(only_a, only_b) + 0.5  # who won less has the less fortune
    with np.errstate(divide="ignore"):
        above = np.log(betaincc(more, less, 0.5))
    fortune = (more + less) * np.log(2) + betaln(more, less) - betaln(0.5, 0.5) + above
    return np.asarray(fortune >= np.log(2 / (1 - level)))


def discordant(metric: str, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many rows only a, and only b, got right, of those that count."""
    truths = {"accuracy": (0, 1), "recall": (1,), "specificity": (0,)}[metric]
    only_a = sum(counts[..., truth, truth, 1 - truth] for truth in truths)
    return np.asarray(only_a), np.asarray(sum(counts[..., truth, 1 - truth, truth] for truth in truths))


def line(kind: str, number: int, *, streams: int = STREAMS, most: int = MOST) -> Line:
    """Return in what share of the streams of a population each metric was ever wrong."""
    shares, draw = population(kind, number), np.random.default_rng([number, KINDS.index(kind), 1])
    true = {metric: float(difference(metric, shares[None])[0]) for metric in METRICS}
    counts, wrong = np.zeros((streams, 2, 2, 2)), {}
    for n in range(EVERY, most + 1, EVERY):
        counts += draw.multinomial(EVERY, shares.ravel(), streams).reshape(-1, 2, 2, 2)
        missed = {metric: coin_is_unfair(*discordant(metric, counts)) for metric in COUNTED if kind == "equal"}
        if n >= FIRST:
            with np.errstate(invalid="ignore", divide="ignore"):
                missed |= {
                    metric: np.abs(difference(metric, counts) - true[metric]) > reach_of(metric, counts)
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
