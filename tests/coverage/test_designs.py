"""Weights, strata and groups: what the defaults cover at 95 %, on populations on which nothing was chosen.

The study computes thousands of samples at once (tests/studies/design_samples.py); a quick test here sees that its
limits are those of hs.estimate and hs.compare. Lowest figures come from 4000 samples a population; a band allows for
three of their standard errors. ``HOWSURE_DESIGNS=file`` keeps what was computed, or goes on with it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.tail import Tail
from studies.design_populations import FAMILIES, DesignPopulation, fresh_population
from studies.design_samples import Samples, difference_limits, limits
from studies.design_study import AGAIN, figures, run

KINDS = [(family, kind) for family, kinds in FAMILIES.items() for kind in kinds]
OPEN = "groups that fail wholly"
LOWEST, LOW = 0.90, 0.93  # what is promised of every family but one: the lowest cell, and 5 % of cells
# Few errors that come in whole groups leave most samples without any such group: nothing in them tells of it.
LOWEST_OPEN, LOW_OPEN = 0.83, 0.89


def table_of(population: DesignPopulation, codes: np.ndarray, weight: np.ndarray) -> hs.Table:
    """Return one sample as hs.table or hs.stratified counts it."""
    width = population.classes
    truth, models = codes // width**2, {"a": codes // width % width, "b": codes % width}
    more: dict[str, Any] = {"labels": range(width), "groups": population.groups}
    if population.strata is None:
        return hs.table(truth, models, sample_weight=weight, **more)
    shares = np.bincount(population.strata, weights=weight) / weight.sum()
    return hs.stratified(truth, models, strata=population.strata, shares=dict(enumerate(shares.tolist())), **more)


@pytest.mark.parametrize(("family", "kind"), KINDS, ids=lambda part: part)
def test_the_study_computes_what_the_library_does(family: str, kind: str) -> None:
    population, _ = fresh_population(family, kind, 0, seed=7)
    codes, weight = population.draw(np.random.default_rng(3), 2)
    samples, tail = Samples.counted(population, codes, weight), Tail(0.95)
    for metric in ("accuracy", "precision[1]", "f1[1]", "mcc", "macro_f1"):
        moved = [samples.moved(metric, model) for model in (0, 1)]
        ends = [limits(samples, metric, model, one, tail) for model, one in enumerate(moved)]
        low, high = difference_limits(samples, metric, (moved[0], moved[1]), ends, tail)
        for sample in range(2):
            table = table_of(population, codes[sample], weight[sample])
            single, pair = hs.estimate(table, metric, model="a"), hs.compare(table, metric, a="a", b="b")
            found = (ends[0][0][sample], ends[0][1][sample], low[sample], high[sample])
            expected = (single.low, single.high, pair.low, pair.high)
            assert found == pytest.approx(expected, abs=1e-10, nan_ok=True), metric
            assert moved[0].size[sample] == pytest.approx(single.effective_n, rel=1e-9), metric


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_coverage(family: str, tmp_path: Path) -> None:
    kept = os.environ.get("HOWSURE_DESIGNS")
    lines = run(Path(kept) if kept else tmp_path / "designs.jsonl", [family])
    lowest, low = (LOWEST_OPEN, LOW_OPEN) if family == OPEN else (LOWEST, LOW)
    error = np.sqrt(lowest * (1 - lowest) / AGAIN)
    for paired in (False, True):
        found = figures(lines, family, paired=paired)
        assert found["lowest"] >= lowest - 3 * error, found
        assert found["low"] >= low, found
