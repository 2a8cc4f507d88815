"""Runs inside tasks: two equal algorithms, trained several times each, on all tasks of a benchmark; a line a cell.

A run answers a row right where √½·hard + √½·noise < c_k + s_r + s_rk (+ e_k of the second algorithm): c_k the task's
level, s_r the luck of the run on all tasks, s_rk that on one task, and e_k, of mean 0 on the scale of the metric, what
tasks add to the difference where they are a sample. The product itself is run: hs.tasks, hs.compare, hs.estimate.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import howsure as hs
from howsure.comparisons.compare import paired
from howsure.comparisons.methods.tasks import limits_over_tasks
from howsure.comparisons.pair import wald_limits
from howsure.estimates.catalogue import own_limits
from howsure.estimates.evidence import evidence_of
from howsure.estimates.tail import Tail

TASKS, RUNS, SPREADS = (4, 8), (3, 5), (0.0, 0.15)
SAMPLES, SEED = 1000, 610
TAIL = Tail(0.95)
APART = 0.05  # the spread between tasks of the true difference, where tasks are a sample
Cell = tuple[int, int, float, str]
Line = dict[str, Any]


def wanted() -> list[Cell]:
    """Return all cells: tasks, runs, spread between runs on the probit scale, what tasks are."""
    return list(product(TASKS, RUNS, SPREADS, ("fixed", "random")))


def computed(cell: Cell, samples: int = SAMPLES, seed: int = SEED) -> Line:
    """Return how often equal algorithms are called different, and how often the value of one is covered."""
    tasks, runs, spread, choice = cell
    rng = np.random.default_rng([seed, tasks, runs, round(100 * spread), choice == "random"])
    cuts, rows = ndtri(rng.uniform(0.7, 0.95, tasks)), rng.integers(80, 400, tasks)
    different = covered = 0
    for _ in range(samples):
        # tasks that are a sample are drawn anew: their levels, and by how much the second algorithm differs on them
        own = cuts if choice == "fixed" else ndtri(rng.uniform(0.7, 0.95, tasks))
        apart = np.zeros(tasks) if choice == "fixed" else rng.normal(0, APART, tasks)
        table = hs.tasks(_tables(rng, own, apart, rows, runs, spread), tasks=choice)
        pair = paired(table, "accuracy", "a", "b")
        low, high = (limits_over_tasks if choice == "random" else wald_limits)(pair, TAIL)
        different += bool(low > 0 or high < 0)
        ends = own_limits(evidence_of(pair.a), TAIL)[1]
        covered += bool(ends.low <= _true(cuts, spread, choice) <= ends.high)
    return {"cell": list(cell), "samples": samples, "seed": seed, "different": different, "covered": covered}


def _true(cuts: np.ndarray, spread: float, choice: str) -> float:
    """Return the true accuracy: over all runs, on these tasks or on all that could be drawn."""
    total = np.sqrt(1 + 2 * spread**2)  # a normal luck of the run and of run × task in a probit
    if choice == "fixed":
        return float(ndtr(cuts / total).mean())
    levels = ndtri(np.linspace(0.7, 0.95, 20_001))
    return float(ndtr(levels / total).mean())


def _tables(
    rng: np.random.Generator, cuts: np.ndarray, apart: np.ndarray, rows: np.ndarray, runs: int, spread: float
) -> dict[str, hs.Table]:
    luck = rng.normal(0, spread, (2, runs))
    found = {}
    for task, (cut, gap, size) in enumerate(zip(cuts, apart, rows.tolist(), strict=True)):
        hard = rng.normal(size=(2, size)) * np.sqrt(0.25) + rng.normal(size=size) * np.sqrt(0.25)
        noise = hard[:, None] + np.sqrt(0.5) * rng.normal(size=(2, runs, size))
        base = np.array([cut, _moved(cut, gap)])[:, None]
        right = noise < (base + luck + rng.normal(0, spread, (2, runs)))[..., None]
        said = right.astype(np.int8)
        found[f"task {task}"] = hs.table(np.ones(size, dtype=np.int8), {"a": said[0], "b": said[1]}, labels=(0, 1))
    return found


def _moved(cut: float, gap: float) -> float:
    """Return the cut at which the accuracy is larger by a gap."""
    return float(ndtri(np.clip(ndtr(cut) + gap, 0.01, 0.999)))


def lines_of(file: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(file: Path, samples: int = SAMPLES, seed: int = SEED) -> list[Line]:
    """Compute the cells that are not in the file yet with this seed; return all lines."""
    done = {(*line["cell"], line["seed"]) for line in lines_of(file)}
    file.parent.mkdir(parents=True, exist_ok=True)
    for cell in wanted():
        if (*cell, seed) not in done:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(computed(cell, samples, seed)) + "\n")
    return lines_of(file)


def joined(lines: list[Line]) -> list[Line]:
    """Return the lines of each cell as one: samples of several seeds are of populations drawn alike."""
    found: dict[Cell, Line] = {}
    for line in lines:
        tasks, runs, spread, choice = line["cell"]
        one = found.setdefault(
            (tasks, runs, spread, choice), {"cell": line["cell"], "samples": 0, "different": 0, "covered": 0}
        )
        for name in ("samples", "different", "covered"):
            one[name] += line[name]
    return list(found.values())
