"""Runs crossed with rows: equal algorithms are called different in at most 6.5 %, single values are covered in 93 %.

Every cell draws its own population, on which nothing was chosen. ``HOWSURE_RUNS=file`` keeps what was computed, or goes
on with it (scripts/run_coverage.py). A band allows for three standard errors of a share.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from studies.run_study import METRICS, RUNS, SAMPLES, looked, population_of, run, share

MOST, LEAST = 0.065, 0.93
BAND = 3 * math.sqrt(0.065 * 0.935 / SAMPLES)


@pytest.mark.parametrize("metric", METRICS)
def test_the_study_looks_at_what_the_library_says(metric: str) -> None:
    cell = (5, 200, 0.02, 0.85)
    population = population_of(cell)
    rng = np.random.default_rng(8)
    for _ in range(5):
        truth, columns = population.draw(rng, 200, 5)
        table = hs.table(truth, {"a": columns[0], "b": columns[1]}, labels=(0, 1))
        true = population.true(metric)
        found, pair, single = (
            looked(table, metric, true),
            hs.compare(table, metric, "a", "b"),
            hs.estimate(table, metric, model="a"),
        )
        assert found["different"] == pair.decided
        assert found["covered"] == (single.low <= true <= single.high)


@pytest.mark.parametrize("metric", METRICS)
def test_the_true_mean_over_runs(metric: str) -> None:
    """The integral over the luck of runs against 400 runs of 20 000 rows."""
    population = population_of((3, 1000, 0.02, 0.85))
    truth, columns = population.draw(np.random.default_rng(1), 20_000, 200)
    values = [
        hs.estimate(hs.table(truth, one, labels=(0, 1)), metric).value for one in columns.reshape(-1, 20_000)[::8]
    ]
    assert np.mean(values) == pytest.approx(
        population.true(metric), abs=4 * np.std(values) / math.sqrt(len(values)) + 0.006
    )


def test_few_samples_of_a_cell() -> None:
    """A spread of 2 points and 5 runs on 5 000 rows: rows alone call most equal algorithms different, with runs few."""
    cell = (5, 5000, 0.02, 0.85)
    population, rng = population_of(cell), np.random.default_rng(4)
    found = []
    for _ in range(60):
        truth, columns = population.draw(rng, 5000, 5)
        table = hs.table(truth, {"a": columns[0], "b": columns[1]}, labels=(0, 1))
        found.append(looked(table, "accuracy", population.true("accuracy")))
    different, alone = (np.mean([one[name] for one in found]) for name in ("different", "rows alone"))
    assert different < 0.15  # 6.5 % and three errors of 60 samples
    assert alone > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("runs", RUNS)
def test_equal_algorithms_and_single_values(runs: int, tmp_path: Path) -> None:
    lines = run(Path(os.environ.get("HOWSURE_RUNS", tmp_path / "runs.jsonl")))
    different, covered = (share(lines, what, runs=(runs,)) for what in ("different", "covered"))
    if runs > 2:
        assert different.max() < MOST + BAND
    assert covered.min() > LEAST - BAND
    assert share(lines, "rows alone", runs=(runs,)).max() > 0.3
