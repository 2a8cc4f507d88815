"""Weights, strata and groups: what the defaults cover at 95 %, on populations on which nothing was chosen.

The study computes thousands of samples at once (tests/studies/design_samples.py); a quick test here sees that its
limits are those of hs.estimate and hs.compare. What is stored beside the page is checked, and the slow lane draws three
populations of each kind anew, 4000 samples each; a band allows for three standard errors.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.tail import Tail
from studies.design_families import FAMILIES, fresh_population
from studies.design_populations import DesignPopulation
from studies.design_samples import Samples, difference_limits, limits
from studies.design_study import OPEN, cells_of, computed, figures, lines_of

KINDS = [(family, kind) for family, kinds in FAMILIES.items() for kind in kinds]
# What is promised of every family but the open ones: the lowest cell, and 5 % of cells.
LOWEST, LOW = 0.90, 0.93
# Few errors that come in whole groups leave most samples without any such group, and nothing in them tells of it.
LOWEST_OPEN = {"correlated": 0.90, "failing": 0.55, "few in strata": 0.90, "heavy tier": 0.87, "times others": 0.90}
STORED = Path(__file__).parents[2] / "docs/explanation/clusters-and-weights.jsonl"
SUBSET = 3  # populations of each kind that are drawn anew here, 4000 samples each: some ten CPU minutes in all


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
        low, high = difference_limits(samples, metric, tail)
        for sample in range(2):
            table = table_of(population, codes[sample], weight[sample])
            single, pair = hs.estimate(table, metric, model="a"), hs.compare(table, metric, a="a", b="b")
            found = (ends[0][0][sample], ends[0][1][sample], low[sample], high[sample])
            expected = (single.low, single.high, pair.low, pair.high)
            assert found == pytest.approx(expected, abs=1e-10, nan_ok=True), metric
            assert moved[0].size[sample] == pytest.approx(single.effective_n, rel=1e-9), metric


def test_the_stored_study_keeps_what_the_page_says() -> None:
    """Less three standard errors of a figure from as many samples as there are."""
    lines = lines_of(STORED)
    assert {(line["family"], line["kind"]) for line in lines} == set(KINDS)
    for line in lines:
        _check(line)
    for family in set(FAMILIES) - set(OPEN):
        own = [line for line in lines if line["family"] == family]
        for paired in (False, True):
            assert figures(cells_of(own, paired=paired))["low"] >= LOW, family


@pytest.mark.slow
@pytest.mark.parametrize(("family", "kind"), KINDS, ids=lambda part: part)
def test_coverage(family: str, kind: str) -> None:
    for number in range(SUBSET):
        _check(computed(family, kind, number, samples=4000))


def _check(line: dict[str, Any]) -> None:
    lowest = LOWEST_OPEN[line["kind"]] if line["family"] in OPEN else LOWEST
    for cell in line["cells"]:
        if cell["level"] == 0.95:
            error = np.sqrt(lowest * (1 - lowest) / cell["samples"])
            assert cell["coverage"] >= lowest - 3 * error, (line["name"], cell)


# --- rows with several labels, finite pools: sample by sample -------------------------------------------------------

LABELS, FEW = 4, 500
TOLD = 0.93 - 3 * np.sqrt(0.93 * 0.07 / FEW)


def label_sets(random: np.random.Generator, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return true and predicted labels of items; ``times`` multiplies how often each item's labels are wrong."""
    truth = random.random((len(times), LABELS)) < [0.5, 0.3, 0.2, 0.15]
    drawn = random.random(truth.shape)
    return truth, np.where(truth, drawn > np.minimum(0.08 * times, 0.9)[:, None], drawn < 0.03 * times[:, None])


def values_of(truth: np.ndarray, guess: np.ndarray) -> dict[str, float]:
    """Return the metrics of label sets, by hand."""
    hits, sizes = (truth & guess).sum(0), truth.sum(0) + guess.sum(0)
    return {"micro_f1": 2 * hits.sum() / sizes.sum(), "macro_f1": float(np.mean(2 * hits / sizes)),
            "exact_match": float((truth == guess).all(1).mean())}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("design", ["weights", "groups"])
def test_several_labels_a_row(design: str) -> None:
    random, n = np.random.default_rng(20261118), 80

    def times(rows: int) -> np.ndarray:
        return np.ones(rows) if design == "weights" else np.repeat(random.gamma(2.0, 0.5, rows // 5), 5)

    true = values_of(*label_sets(random, times(500_000)))
    held = dict.fromkeys(true, 0)
    for _ in range(FEW):
        truth, guess = ([np.flatnonzero(row).tolist() for row in part] for part in label_sets(random, times(n)))
        more = {"sample_weight": random.lognormal(0, 1.2, n)} if design == "weights" else {"groups": np.arange(n) // 5}
        table = hs.table(truth, guess, labels=range(LABELS), **more)
        for metric, value in true.items():
            found = hs.estimate(table, metric, undefined="skip")
            held[metric] += found.low <= value <= found.high
    assert min(held.values()) / FEW >= TOLD, held


@pytest.mark.slow
def test_a_finite_pool() -> None:
    """Labels drawn without replacement from 300 predicted positives and 1500 negatives of which few are missed."""
    random, held = np.random.default_rng(20261119), dict.fromkeys(("recall", "f1", "accuracy", "prevalence"), 0)
    for _ in range(FEW):
        positive, negative = random.random(300) < 0.85, random.random(1500) < 0.012
        tp, fn = positive.sum(), negative.sum()
        true = {"recall": tp / (tp + fn), "f1": 2 * tp / (300 + tp + fn), "accuracy": (tp + 1500 - fn) / 1800,
                "prevalence": (tp + fn) / 1800}  # fmt: skip
        truth = np.r_[random.permutation(positive)[:100], random.permutation(negative)[:150]].astype(int)
        table = hs.stratified(truth, [1] * 100 + [0] * 150, pool={1: 300, 0: 1500})
        for metric, value in true.items():
            found = hs.estimate(table, metric)
            held[metric] += found.low - 1e-9 <= value <= found.high + 1e-9
    assert min(held.values()) / FEW >= TOLD, held
