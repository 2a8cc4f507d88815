"""The slow lane: what the default of a plain mean over classes covers, given that every class was seen.

Populations of a seed of its own, twelve to a cell, 4 000 samples each. Figures are claims: each is asserted less three
standard errors of what was counted. The study behind docs/explanation/averages.md runs the same code with another seed.
"""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import howsure as hs

SCRIPT = Path(__file__).parents[2] / "scripts" / "study_of_averages.py"
SAMPLES, POPULATIONS = 4_000, 12
CELLS = [
    (2, 8), (2, 30), (2, 60), (3, 12), (3, 40), (3, 100), (6, 25), (6, 60), (6, 150), (12, 50), (12, 130), (12, 300),
    (20, 90), (20, 300), (20, 500),
]  # fmt: skip
OTHERS = [(3, 40), (6, 60), (20, 300)]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    spec = importlib.util.spec_from_file_location("study_of_averages", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def claimed(classes: int, n: int) -> tuple[float, float]:
    """Return the lowest and the mean coverage that are promised for so many rows a class, at level 0.95."""
    if n < 5 * classes:
        return 0.85, 0.90
    return (0.85, 0.92) if n < 20 * classes else (0.91, 0.93)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["macro_f1", "balanced_accuracy"])
@pytest.mark.parametrize(("classes", "n"), CELLS)
def test_a_mean_over_classes_keeps_its_level(study: ModuleType, metric: str, classes: int, n: int) -> None:
    keeps_its_level(study.cell(metric, classes, n, 0.95, seed=4_711, wanted=SAMPLES))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["macro_precision", "macro_f2", "macro_f1_star"])
@pytest.mark.parametrize(("classes", "n"), OTHERS)
def test_so_do_means_of_other_metrics(study: ModuleType, metric: str, classes: int, n: int) -> None:
    keeps_its_level(study.cell(metric, classes, n, 0.95, seed=4_711, wanted=SAMPLES))


def keeps_its_level(row: dict[str, Any]) -> None:
    """Assert what is promised, less three standard errors, and that the interval is shorter than smoothed-t."""
    assert row["populations"] == POPULATIONS
    assert row["samples"] == SAMPLES
    lowest, mean = claimed(row["classes"], row["n"])
    error = math.sqrt(lowest * (1 - lowest) / SAMPLES)
    assert row["lowest"] >= lowest - 3 * error, row
    assert row["mean"] >= mean - 3 * error / math.sqrt(POPULATIONS), row
    assert row["length"] < row["rival_length"], row


@pytest.mark.parametrize("metric", ["macro_f1", "balanced_accuracy"])
def test_twenty_classes_are_shorter_than_by_smoothed_t(study: ModuleType, metric: str) -> None:
    """One population of each kind and few samples: the lengths hardly vary."""
    row = study.cell(metric, 20, 300, 0.95, seed=12, wanted=50, each=1)
    assert row["length"] < row["rival_length"], row


@pytest.mark.slow
@pytest.mark.parametrize("n", [25, 60])
def test_classes_that_are_skipped(study: ModuleType, n: int) -> None:
    """Six classes of which one is rare: where it was not seen it is left out, and the mean of the others is covered."""
    rng = np.random.default_rng(n)
    shares = study.population("ordinary", 6, rng)
    shares[5] *= 0.1
    shares[:5, 5] *= 0.05
    shares /= shares.sum()
    tables = rng.multinomial(n, shares.ravel(), size=SAMPLES).reshape(-1, 6, 6).astype(float)
    seen = tables.sum(1) + tables.sum(2) > 0
    f1 = 2 * np.diagonal(shares) / (shares.sum(0) + shares.sum(1))
    truth = (seen * f1).sum(1) / seen.sum(1)
    found = hs.batch_intervals("macro_f1", matrices=tables, undefined="skip")
    held = float(np.mean((found.low <= truth) & (truth <= found.high)))
    assert 0.1 < (~seen).any(1).mean() < 0.9
    assert held >= 0.90 - 3 * math.sqrt(0.09 / SAMPLES), held
