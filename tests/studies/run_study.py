"""The study of runs: two equal algorithms, trained several times each, on the same rows; one line a cell, resumable.

A run r answers row i right where ρ·hard_i + √(1 − ρ²)·noise < c_y + s_r, hard_i the same for all runs of an algorithm
and in part for both algorithms, s_r the luck of the run; a wrong answer to a row is the same in all runs. A run's true
metric is then an exact function of s_r, and the true mean over runs an integral over it. Every cell draws its own
population: prevalences, correlations, confusions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import ndtr, ndtri

from howsure.metrics.gradient import values_of
from howsure.metrics.names import named
from studies.run_batch import RunSamples, pairs_of, run_samples

RUNS, ROWS = (2, 3, 5, 10), (200, 1000, 5000)
SPREADS, LEVELS = (0.0, 0.005, 0.01, 0.02), (0.85, 0.98)  # of accuracy between runs; near which accuracy
CLASSES = (2, 3)
METRICS = ("accuracy", "f1", "macro_f1", "mcc")
FOUND = ("different", "rows alone", "covered", "rows cover", "above", "below")
SAMPLES, BLOCK = 4000, 500
SEED = 2111
Line = dict[str, Any]
Cell = tuple[int, int, float, float, int]


@dataclass(frozen=True)
class RunPopulation:
    """Two equal algorithms: how often a class is answered right, and how runs and rows agree."""

    shares: np.ndarray  # of the classes
    cuts: np.ndarray  # of the classes
    wrong: np.ndarray  # [class, answer]: what is said where the answer is wrong
    shift: float  # the spread of s_r
    within: float  # correlation of two runs of an algorithm in a row
    between: float  # of hard_i of the two algorithms

    def draw(self, rng: np.random.Generator, rows: int, runs: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the truth, sorted, and what is said [algorithm, run, row]."""
        truth = np.repeat(np.arange(len(self.shares), dtype=np.int8), rng.multinomial(rows, self.shares))
        normal = rng.standard_normal
        common, apart = normal(rows, np.float32), normal((2, rows), np.float32)
        hard = np.float32(np.sqrt(self.between)) * common + np.float32(np.sqrt(1 - self.between)) * apart
        noise = normal((2, runs, rows), np.float32)
        noise *= np.float32(np.sqrt(1 - self.within))
        noise += np.float32(np.sqrt(self.within)) * hard[:, None]
        cuts = self.cuts[truth].astype(np.float32)
        right = noise < cuts + (self.shift * normal((2, runs, 1))).astype(np.float32)
        return truth, np.where(right, truth, self._mistaken(rng, truth))

    def _mistaken(self, rng: np.random.Generator, truth: np.ndarray) -> np.ndarray:
        if len(self.shares) == 2:
            return (1 - truth).astype(np.int8)
        ends = self.wrong.cumsum(1)[truth]
        return (rng.random((len(truth), 1)) > ends).sum(1).astype(np.int8)

    def true(self, metric: str) -> float:
        """Return the mean over runs of the metric in the population."""
        points, weights = hermegauss(60)
        right = ndtr(self.cuts + self.shift * points[:, None])[..., None]
        matrices = self.shares[:, None] * (right * np.eye(len(self.shares)) + (1 - right) * self.wrong)
        chosen = named(metric)
        values = values_of(chosen, matrices, 1 if chosen.over == "class" else None)
        return float(weights @ values / weights.sum())


def population_of(cell: Cell, seed: int = SEED) -> RunPopulation:
    """Return the population of a cell."""
    *_, spread, level, classes = cell
    rng = np.random.default_rng([seed, *_numbers(cell)])
    lean = rng.uniform(-0.3, 0.3, classes)
    first = rng.uniform(0.25, 0.6)
    shares = np.append(first, rng.dirichlet(np.full(classes - 1, 8.0)) * (1 - first))[::-1]
    wrong = rng.dirichlet(np.full(classes, 2.0), classes) * (1 - np.eye(classes))
    wrong /= wrong.sum(1, keepdims=True)
    slope = float(np.exp(-(ndtri(level) ** 2) / 2) / np.sqrt(2 * np.pi))
    cuts = ndtri(level) + lean - shares @ lean
    return RunPopulation(
        shares, cuts, wrong, spread / slope, float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.2, 0.9))
    )


def _numbers(cell: Cell) -> tuple[int, ...]:
    runs, rows, spread, level, classes = cell
    return runs, rows, round(1e4 * spread), round(1e4 * level), classes


def wanted() -> list[Cell]:
    """Return all cells."""
    return list(product(RUNS, ROWS, SPREADS, LEVELS, CLASSES))


def metrics_of(cell: Cell) -> tuple[str, ...]:
    """Return the metrics of a cell: F1 is of two classes."""
    return METRICS if cell[-1] == 2 else tuple(metric for metric in METRICS if metric != "f1")


def lines_of(file: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(file: Path, samples: int = SAMPLES, cells: Iterable[Cell] | None = None, seed: int = SEED) -> list[Line]:
    """Compute the cells that are not in the file yet; return all lines."""
    done = {(*line["cell"], line["samples"], line["seed"]) for line in lines_of(file)}
    for cell in wanted() if cells is None else cells:
        if (*cell, samples, seed) not in done:
            found = computed(cell, samples, seed)
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(found) + "\n")
    return lines_of(file)


def computed(cell: Cell, samples: int, seed: int = SEED) -> Line:
    """Return how often equal algorithms are called different, and how often a single value is covered, by metric."""
    runs, rows, *_, classes = cell
    population, rng = population_of(cell, seed), np.random.default_rng([seed, samples, *_numbers(cell)])
    metrics = metrics_of(cell)
    true = {metric: population.true(metric) for metric in metrics}
    counts = {metric: dict.fromkeys(FOUND, 0) for metric in metrics}
    for start in range(0, samples, BLOCK):
        drawn = (population.draw(rng, rows, runs) for _ in range(min(BLOCK, samples - start)))
        pairs = np.stack([pairs_of(truth, said, classes) for truth, said in drawn])
        for metric in metrics:
            for name, found in looked(run_samples(metric, pairs, 2, runs), true[metric]).items():
                counts[metric][name] += int(found.sum())
    return {"cell": list(cell), "samples": samples, "seed": seed, "true": true, "counts": counts}


def looked(drawn: RunSamples, true: float) -> dict[str, np.ndarray]:
    """Return what hs.compare and hs.estimate find in each sample, and what rows alone would."""
    difference, half, alone = drawn.difference()
    low, high = drawn.single()
    own = 1.959963984540054 * np.sqrt(drawn.through_rows[:, 0, 0])
    return {
        "different": np.abs(difference) > half, "rows alone": np.abs(difference) > alone,
        "covered": (low <= true) & (true <= high), "rows cover": np.abs(drawn.means[:, 0] - true) <= own,
        "above": low > true, "below": high < true,
    }  # fmt: skip


def share(lines: Iterable[Line], what: str, **only: Any) -> np.ndarray:
    """Return the share of samples of each cell and metric in which something was found."""
    places = {"runs": 0, "rows": 1, "spread": 2, "level": 3, "classes": 4}
    kept = [line for line in lines if all(line["cell"][places[name]] in value for name, value in only.items())]
    return np.array([counts[what] / line["samples"] for line in kept for counts in line["counts"].values()])
