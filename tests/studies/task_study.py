"""These tasks: how often the interval of a mean over tasks holds it, many samples at once; a line a population.

The limits are written anew from the formulas of docs/how-to/tasks.md, from the confusion matrices of all samples
together, not from the library's code; a test compares both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from howsure.metrics.gradient import moments
from howsure.metrics.metric import Metric
from howsure.metrics.names import named

Z, SAMPLES, SEED = float(-ndtri(0.025)), 4000, 4711
NEAR, CLASSES, EACH = (0.8, 0.9, 0.95, 0.99), (2, 3, 5), 5
METRICS = ("accuracy", "f1", "recall", "macro_f1")
HIDDEN, ROUNDING = 2, 1e-20  # rows of any label that a task may hide; a variance below is none
Cell = tuple[float, int, int]
Line = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """Tasks: how many rows each has, and the shares of its cells, truth in rows."""

    rows: np.ndarray
    shares: np.ndarray

    def draw(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """Return confusion matrices [sample, task, truth, prediction]."""
        tasks, classes = self.shares.shape[:2]
        flat = self.shares.reshape(tasks, -1)
        drawn = [rng.multinomial(n, share, size=samples) for n, share in zip(self.rows, flat, strict=True)]
        return np.stack(drawn, axis=1).reshape(samples, tasks, classes, classes).astype(float)

    def true(self, metric: str) -> float:
        """Return the mean of the metric over the tasks."""
        return float(_moments(named(metric), self.shares).value.mean())


def benchmark(rng: np.random.Generator, near: float, classes: int) -> Benchmark:
    """Return 3 to 20 tasks of 30 to 500 rows, near a share of right answers; tasks and classes differ."""
    tasks = int(rng.integers(3, 21))
    rows = np.rint(30 * (500 / 30) ** rng.uniform(size=tasks)).astype(int)
    prior = rng.dirichlet(np.full(classes, 6.0), size=tasks)
    prior = (prior + 0.1) / (1 + 0.1 * classes)  # no class so rare that a small task lacks it
    uneven = rng.normal(-0.1, 0.6, size=(tasks, 1)) + rng.normal(0, 0.4, prior.shape)
    wrong = np.minimum((1 - near) * np.exp(uneven), 0.6)
    taken = rng.dirichlet(np.full(classes, 2.0), size=(tasks, classes)) * (1 - np.eye(classes))
    taken = taken / taken.sum(-1, keepdims=True)
    shares = prior[..., None] * (wrong[..., None] * taken + (1 - wrong)[..., None] * np.eye(classes))
    return Benchmark(rows, shares)


def _moments(metric: Metric, matrices: np.ndarray) -> Any:
    return moments(metric, matrices, selection=1 if metric.over == "class" else None)


@dataclass(frozen=True)
class TaskSamples:
    """One metric on many samples of tasks that count alike: its mean, the parts of its variance, the rows it counts.

    ``seen`` and ``hidden`` are mean squares of influences in each task: of its rows, and of two that have the same
    prediction and any truth; ``spread`` is the mean square over all rows, of tasks that differ too.
    """

    metric: str
    rows: np.ndarray
    mean: np.ndarray
    seen: np.ndarray
    hidden: np.ndarray
    spread: np.ndarray
    counted: Any

    def wald(self) -> tuple[np.ndarray, np.ndarray]:
        """Return mean ± z · standard error."""
        half = Z * np.sqrt((self.seen / (self.rows - 1)).sum(-1)) / len(self.rows)
        return self.mean - half, self.mean + half

    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Return Wilson's limits at as many rows as the variance is worth; F1 as Jaccard's share."""
        rows, n, mean = self.rows, self.rows.sum(), self.mean
        weight = n / (len(rows) * rows)
        hidden = HIDDEN * weight * self.hidden
        total = (weight**2 * rows**2 / (rows - 1) * self.seen + weight * hidden).sum(-1)
        effect = total / (n * self.spread + hidden.sum(-1))
        u, slope = (mean / (2 - mean), 2 / (2 - mean) ** 2) if self.metric == "f1" else (mean, 1.0)
        variance = slope**2 * self.spread * effect / n
        size = np.divide(u * (1 - u), variance, out=n / effect * self.counted, where=variance > ROUNDING)
        q = stdtrit(n - len(rows), 0.975)
        half = q * np.sqrt(u * (1 - u) / size + q**2 / (4 * size**2))
        low, high = ((u + q**2 / (2 * size) + side * half) / (1 + q**2 / size) for side in (-1, 1))
        return (2 * low / (1 + low), 2 * high / (1 + high)) if self.metric == "f1" else (low, high)


def task_samples(metric: str, rows: np.ndarray, matrices: np.ndarray) -> TaskSamples:
    """Return a metric on the matrices of samples, nan where it is undefined in a task."""
    found = _moments(named(metric), matrices)
    shares, mean = matrices / rows[:, None, None], found.value.mean(-1)
    known = np.where(np.isfinite(found.influence), found.influence, 0.0)
    seen = (shares * known**2).sum((-2, -1))
    hidden = (shares.sum(-2) * (known**2).mean(-2)).sum(-1)
    spread = (seen + (found.value - mean[:, None]) ** 2).mean(-1)
    return TaskSamples(metric, rows, mean, seen, hidden, spread, _counted(metric, shares))


def _counted(metric: str, shares: np.ndarray) -> Any:
    """Return the share of rows that count, the mean over tasks: all but true negatives for F1, positives for recall."""
    if metric not in ("f1", "recall"):
        return 1.0
    return (1 - shares[..., 0, 0] if metric == "f1" else shares[..., 1, :].sum(-1)).mean(-1)


def metrics_of(classes: int) -> tuple[str, ...]:
    """Return the metrics that this many classes have."""
    return METRICS if classes == 2 else ("accuracy", "macro_f1")


def computed(cell: Cell, samples: int = SAMPLES, seed: int = SEED) -> Line:
    """Return how often the mean over the tasks of one benchmark is covered, and the mean length; Wald's beside."""
    near, classes, number = cell
    rng = np.random.default_rng([seed, round(1000 * near), classes, number])
    tasks = benchmark(rng, near, classes)
    matrices, found = tasks.draw(rng, samples), {}
    for metric in metrics_of(classes):
        held, true = task_samples(metric, tasks.rows, matrices), tasks.true(metric)
        told = np.isfinite(held.mean)
        found[metric] = {"value": round(true, 4), "undefined": int((~told).sum())}
        for name, (low, high) in (("", held.limits()), ("wald ", held.wald())):
            inside = ((low <= true) & (true <= high))[told]
            found[metric] |= {f"{name}covered": round(float(inside.mean()), 4)}
            found[metric] |= {f"{name}length": round(float((high - low)[told].mean()), 5)}
    return {"cell": list(cell), "samples": samples, "rows": tasks.rows.tolist(), "found": found}


def wanted() -> list[Cell]:
    """Return all cells: near which share of right answers, classes, number of the benchmark."""
    return [(near, classes, number) for near in NEAR for classes in CLASSES for number in range(EACH)]


def figures(lines: list[Line], metric: str, what: str, classes: tuple[int, ...] = CLASSES) -> list[float]:
    """Return one figure of a metric in all benchmarks that have it."""
    return [line["found"][metric][what] for line in lines if metric in line["found"] and line["cell"][1] in classes]


def lines_of(file: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(file: Path, samples: int = SAMPLES) -> list[Line]:
    """Compute the cells that are not in the file yet; return all lines."""
    done = {(*line["cell"], line["samples"]) for line in lines_of(file)}
    file.parent.mkdir(parents=True, exist_ok=True)
    for cell in wanted():
        if (*cell, samples) not in done:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(computed(cell, samples)) + "\n")
    return lines_of(file)
