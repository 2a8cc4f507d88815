"""Tasks like these: how often intervals hold the mean of their population, and the value of one new task.

Two models on the same rows of each task; a population is a shape, a spread between tasks, how many there are and how
large. Many samples at once, written from the formulas; the law of a new task is the library's, at points between which
it is interpolated (a test compares both).
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import ndtri, stdtrit

from howsure.numerics.pooling.new_task import NewTask

LEVEL, MEAN, SAMPLES, SEED = 0.95, 0.02, 4000, 31
TASKS, SPREADS, SIZES = (5, 8, 20), (0.0, 0.02, 0.06), ((40, 150), (150, 1500))
SHAPES = {
    "normal": lambda rng, size: rng.normal(size=size),
    "uniform": lambda rng, size: rng.uniform(-1, 1, size) * math.sqrt(3),
    "gamma": lambda rng, size: (rng.gamma(4, 1, size) - 4) / 2,
    "two kinds": lambda rng, size: rng.choice([-1.0, 1.0], size),
}
Cell = tuple[int, str, float, tuple[int, int]]
Line = dict[str, Any]


class Tasks(NamedTuple):
    """The differences of accuracy of two models in the tasks of each sample (last axis), and their variances."""

    differences: np.ndarray
    variances: np.ndarray


def wanted() -> list[Cell]:
    """Return all populations."""
    return list(product(TASKS, SHAPES, SPREADS, SIZES))


def true_differences(rng: np.random.Generator, cell: Cell, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the true differences of tasks, and the share of rows that one model alone gets right."""
    _, name, spread, _ = cell
    apart = rng.uniform(0.15, 0.3, size=shape)
    return np.clip(MEAN + spread * SHAPES[name](rng, shape), -apart, apart), apart


def drawn(rng: np.random.Generator, cell: Cell, samples: int) -> Tasks:
    """Return the tasks of some samples, each with tasks and rows of its own."""
    tasks, _, _, sizes = cell
    rows = rng.integers(*sizes, size=(samples, tasks), endpoint=True)
    true, apart = true_differences(rng, cell, rows.shape)
    counts = rng.multinomial(rows, np.stack([(apart + true) / 2, (apart - true) / 2, 1 - apart], axis=-1))
    difference = (counts[..., 0] - counts[..., 1]) / rows
    return Tasks(difference, ((counts[..., 0] + counts[..., 1]) / rows - difference**2) / (rows - 1))


def mean_half(found: Tasks) -> np.ndarray:
    """Return half the length of the interval of the mean: t between tasks, no less than z through rows."""
    tasks = found.differences.shape[-1]
    between = stdtrit(tasks - 1, (1 + LEVEL) / 2) * found.differences.std(-1, ddof=1) / math.sqrt(tasks)
    return np.maximum(between, float(ndtri((1 + LEVEL) / 2)) * np.sqrt(found.variances.sum(-1)) / tasks)


@cache
def _new_task_law(tasks: int) -> tuple[CubicSpline, float]:
    """Return log(half length/√(s² + V)) of a new task's interval as a function of log(s²/V), and where it begins."""
    at = np.linspace(-9.0, 9.0, 361)
    halves = [NewTask(0.0, math.exp(one), 1.0, tasks).interval(LEVEL)[1] for one in at]
    return CubicSpline(at, np.log(halves) - np.logaddexp(at, 0.0) / 2), float(at[-1])


def new_task_half(found: Tasks) -> np.ndarray:
    """Return half the length of the interval of one new task: a function of K and s²/V, times √(s² + V)."""
    square, rows = found.differences.var(-1, ddof=1), found.variances.mean(-1)
    law, end = _new_task_law(found.differences.shape[-1])
    return np.asarray(np.exp(law(np.clip(np.log(square / rows), -end, end))) * np.sqrt(square + rows))


def computed(cell: Cell, samples: int = SAMPLES, seed: int = SEED) -> Line:
    """Return how often the mean of a population is held, and how often one new task is."""
    tasks, shape, spread, sizes = cell
    rng = np.random.default_rng([seed, tasks, list(SHAPES).index(shape), round(100 * spread), sizes[0]])
    found = drawn(rng, cell, samples)
    centre, new = found.differences.mean(-1), true_differences(rng, cell, (samples,))[0]
    held = np.abs(centre - MEAN) <= mean_half(found)
    predicted = np.abs(centre - new) <= new_task_half(found)
    return {"cell": [tasks, shape, spread, list(sizes)], "samples": samples,
            "held": float(held.mean()), "predicted": float(predicted.mean())}  # fmt: skip
