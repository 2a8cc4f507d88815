"""Runs crossed with rows: equal algorithms are called different in at most 6.5 %, single values are covered in 93 %.

Every cell draws its own population, on which nothing was chosen. ``scripts/run_coverage.py`` makes all cells with 4 000
samples each, and ``docs/how-to/runs.json`` keeps them; the slow lane computes the hardest, on other populations. A band
allows for three standard errors of a share.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from studies.run_batch import pairs_of, run_samples
from studies.run_study import METRICS, RUNS, SAMPLES, Cell, Line, computed, metrics_of, population_of, share, wanted

MOST, LEAST = 0.065, 0.93
KEPT = Path(__file__).parents[2] / "docs" / "how-to" / "runs.json"
BAND = 3 * math.sqrt(0.065 * 0.935 / SAMPLES)
HARD: tuple[Cell, ...] = (
    (3, 5000, 0.02, 0.98, 2), (5, 1000, 0.02, 0.98, 2), (5, 5000, 0.02, 0.98, 3), (10, 5000, 0.02, 0.98, 3),
    (10, 1000, 0.01, 0.85, 3), (10, 200, 0.005, 0.85, 3),
)  # fmt: skip


@pytest.mark.parametrize("cell", [(3, 60, 0.0, 0.98, 2), (5, 200, 0.02, 0.85, 3), (2, 200, 0.02, 0.98, 3)])
def test_many_samples_at_once_are_what_the_library_says(cell: Cell) -> None:
    runs, rows, *_, classes = cell
    rng, population = np.random.default_rng(3), population_of(cell)
    drawn = [population.draw(rng, rows, runs) for _ in range(3)]
    pairs = np.stack([pairs_of(truth, said, classes) for truth, said in drawn])
    for metric in metrics_of(cell):
        found = run_samples(metric, pairs, 2, runs)
        difference, half, _ = found.difference()
        low, high = found.single()
        for at, (truth, said) in enumerate(drawn):
            table = hs.table(truth, {"a": said[0], "b": said[1]}, labels=tuple(range(classes)))
            pair, single = hs.compare(table, metric, "a", "b"), hs.estimate(table, metric, model="a")
            expected = (pair.low, pair.high, single.low, single.high)
            got = (difference[at] - half[at], difference[at] + half[at], low[at], high[at])
            assert got == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_the_true_mean_over_runs(metric: str) -> None:
    """The integral over the luck of runs against 50 runs of 20 000 rows."""
    population = population_of((3, 1000, 0.02, 0.85, 2))
    truth, columns = population.draw(np.random.default_rng(1), 20_000, 25)
    values = [hs.estimate(hs.table(truth, one, labels=(0, 1)), metric).value for one in columns.reshape(-1, 20_000)]
    error = 4 * np.std(values) / math.sqrt(len(values))
    assert np.mean(values) == pytest.approx(population.true(metric), abs=error + 0.006)


def test_few_samples_of_a_cell() -> None:
    """A spread of 2 points and 5 runs on 5 000 rows: rows alone call most equal algorithms different, with runs few."""
    found = computed((5, 5000, 0.02, 0.85, 2), 60)["counts"]["accuracy"]
    assert found["different"] / 60 < 0.15  # 6.5 % and three errors of 60 samples
    assert found["rows alone"] / 60 > 0.3


def kept() -> list[Line]:
    return list(json.loads(KEPT.read_text(encoding="utf-8")))


def test_all_cells_are_kept_and_hold() -> None:
    lines = kept()
    assert sorted(tuple(line["cell"]) for line in lines) == sorted(wanted())
    assert {line["samples"] for line in lines} == {SAMPLES}
    for runs in RUNS:
        different, covered = (share(lines, what, runs=(runs,)) for what in ("different", "covered"))
        if runs > 2:
            assert different.max() <= MOST
        assert covered.min() >= LEAST
        assert share(lines, "rows alone", runs=(runs,)).max() > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("cell", HARD, ids=str)
def test_the_hardest_cells_on_other_populations(cell: Cell) -> None:
    line = [computed(cell, SAMPLES, seed=977)]
    assert share(line, "different").max() < MOST + BAND
    assert share(line, "covered").min() > LEAST - BAND
