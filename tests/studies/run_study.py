"""The study of runs: two equal algorithms, trained several times each, on the same rows; one line a cell, resumable.

A run r answers row i right where ρ·hard_i + √(1 − ρ²)·noise < c_y + s_r, hard_i the same for all runs of an algorithm
and in part for both algorithms, s_r the luck of the run. A run's true metric is then an exact function of s_r, and the
true mean over runs an integral over it. Every cell draws its own population: prevalence, correlations, classes.
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

import howsure as hs
from howsure.comparisons.compare import paired
from howsure.comparisons.pair import wald_limits
from howsure.estimates.catalogue import own_limits
from howsure.estimates.evidence import evidence_of
from howsure.estimates.tail import Tail
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import value_of
from howsure.metrics.metric import cells_for
from howsure.metrics.names import named
from howsure.tables.cell_view import CELLS

RUNS, ROWS = (2, 3, 5, 10), (200, 1000, 5000)
SPREADS, LEVELS = (0.0, 0.005, 0.01, 0.02), (0.85, 0.98)  # of accuracy between runs; near which accuracy
METRICS = ("accuracy", "f1", "macro_f1", "mcc")
SAMPLES = 4000
TAIL = Tail(0.95)
Line = dict[str, Any]
Cell = tuple[int, int, float, float]


@dataclass(frozen=True)
class RunPopulation:
    """Two equal algorithms: how often a class is answered right, and how runs and rows agree."""

    prevalence: float
    cuts: tuple[float, float]  # of the classes 0 and 1
    shift: float  # the spread of s_r
    within: float  # correlation of two runs of an algorithm in a row
    between: float  # of hard_i of the two algorithms

    def draw(self, rng: np.random.Generator, rows: int, runs: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the truth, and predictions (algorithms × runs × rows)."""
        truth = (rng.random(rows) < self.prevalence).astype(np.int8)
        common = rng.normal(size=rows)
        hard = np.sqrt(self.between) * common + np.sqrt(1 - self.between) * rng.normal(size=(2, rows))
        noise = np.sqrt(self.within) * hard[:, None] + np.sqrt(1 - self.within) * rng.normal(size=(2, runs, rows))
        right = noise < np.array(self.cuts)[truth] + self.shift * rng.normal(size=(2, runs, 1))
        return truth, np.where(right, truth, 1 - truth).astype(np.int8)

    def true(self, metric: str) -> float:
        """Return the mean over runs of the metric in the population."""
        points, weights = hermegauss(60)
        recall, specificity = ndtr(self.cuts[1] + self.shift * points), ndtr(self.cuts[0] + self.shift * points)
        share, rest = self.prevalence, 1 - self.prevalence
        matrices = np.stack(
            [np.stack([rest * specificity, rest * (1 - specificity)], -1),
             np.stack([share * (1 - recall), share * recall], -1)], -2,
        )  # fmt: skip
        chosen = named(metric)
        cells = cells_for(chosen, matrices)[0]
        seen = cells if metric != "f1" else Cells(*(getattr(cells, one)[..., 1] for one in CELLS))
        return float(weights @ value_of(chosen, seen, "nan") / weights.sum())


def population_of(cell: Cell, seed: int = 21) -> RunPopulation:
    """Return the population of a cell."""
    runs, rows, spread, level = cell
    rng = np.random.default_rng([seed, runs, rows, round(1e4 * spread), round(1e4 * level)])
    lean = rng.uniform(-0.3, 0.3)
    cuts = (float(ndtri(level) + lean), float(ndtri(level) - lean))
    slope = float(np.exp(-(ndtri(level) ** 2) / 2) / np.sqrt(2 * np.pi))
    return RunPopulation(
        float(rng.uniform(0.25, 0.6)), cuts, spread / slope, float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.2, 0.9))
    )


def wanted() -> list[Cell]:
    """Return all cells."""
    return list(product(RUNS, ROWS, SPREADS, LEVELS))


def lines_of(file: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(file: Path, samples: int = SAMPLES) -> list[Line]:
    """Compute the cells that are not in the file yet; return all lines."""
    done = {(*line["cell"], line["samples"]) for line in lines_of(file)}
    for cell in wanted():
        if (*cell, samples) not in done:
            found = computed(cell, samples)
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(found) + "\n")
    return lines_of(file)


def computed(cell: Cell, samples: int) -> Line:
    """Return how often equal algorithms are called different, and how often a single value is covered, by metric."""
    runs, rows, *_ = cell
    population = population_of(cell)
    rng = np.random.default_rng([samples, runs, rows, round(1e4 * cell[2]), round(1e4 * cell[3])])
    true = {metric: population.true(metric) for metric in METRICS}
    counts = {metric: dict.fromkeys(("different", "rows alone", "covered", "rows cover"), 0) for metric in METRICS}
    for _ in range(samples):
        truth, columns = population.draw(rng, rows, runs)
        table = hs.table(truth, {"a": columns[0], "b": columns[1]}, labels=(0, 1))
        for metric in METRICS:
            for name, found in looked(table, metric, true[metric]).items():
                counts[metric][name] += found
    return {"cell": list(cell), "samples": samples, "true": true, "counts": counts}


def looked(table: hs.Table, metric: str, true: float) -> dict[str, bool]:
    """Return what hs.compare and hs.estimate find, without their p-values and notes; and what rows alone would."""
    pair = paired(table, metric, "a", "b")
    low, high = wald_limits(pair, TAIL)
    found = own_limits(evidence_of(pair.a), TAIL)[1]
    spread, single = pair.spread, pair.a.spread
    assert spread.floor is not None
    assert single.floor is not None
    alone, own = (TAIL.z * np.sqrt(one.floor.variance) for one in (spread, single))
    return {
        "different": bool(low > 0 or high < 0), "rows alone": bool(abs(pair.difference) > alone),
        "covered": bool(found.low <= true <= found.high), "rows cover": bool(abs(pair.a.value - true) <= own),
    }  # fmt: skip


def share(lines: Iterable[Line], what: str, **only: Any) -> np.ndarray:
    """Return the share of samples of each cell and metric in which something was found."""
    places = {"runs": 0, "rows": 1, "spread": 2, "level": 3}
    kept = [line for line in lines if all(line["cell"][places[name]] in value for name, value in only.items())]
    return np.array([[line["counts"][metric][what] / line["samples"] for metric in METRICS] for line in kept])
