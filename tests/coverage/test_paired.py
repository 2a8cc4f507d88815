"""How often intervals of a paired difference hold the true one: the study that settled the default.

Two rules are given by their true and false positive rates; ``agreement`` is the share of rows on which both answer from
the same random number (as much alike as their rates allow), otherwise independently given the truth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import howsure as hs
from howsure.comparisons.methods.paired_posterior import TverskyPosterior
from howsure.comparisons.pair import shrunk, square_and_add
from howsure.estimates.batch import method_for
from howsure.estimates.catalogue import default_method, interval
from howsure.estimates.evidence import evidence_of_matrices
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.names import named
from howsure.studies.joint_coverage import JointCoverage, table_of_cells
from howsure.studies.papers.yuan2025_rules import population, rules

pytestmark = pytest.mark.slow
Z = 1.959963984540054
Rates = tuple[float, float]


def paired_shares(prevalence: float, a: Rates, b: Rates, agreement: float) -> np.ndarray:
    """Return the shares [truth, a, b]."""
    shares = np.zeros((2, 2, 2))
    for truth, weight, p, q in ((1, prevalence, a[0], b[0]), (0, 1 - prevalence, a[1], b[1])):
        apart = np.outer([1 - p, p], [1 - q, q])
        alike = np.array([[1 - max(p, q), max(q - p, 0)], [max(p - q, 0), min(p, q)]])
        shares[truth] = weight * ((1 - agreement) * apart + agreement * alike)
    return shares


class Result(NamedTuple):
    coverage: float
    length: float


def study(
    metric: str, shares: np.ndarray, n: int, replicates: int, seed: int = 0, single: str | None = None
) -> dict[str, Result]:
    """Return coverage and mean length of four intervals, given that both estimates are defined.

    ``single`` names the interval of each model that MOVER joins; the default of the metric unless given.
    """
    chosen = named(metric)
    selection = 1 if chosen.over == "class" else None
    width = len(shares)
    counts = np.random.default_rng(seed).multinomial(n, shares.ravel(), replicates).reshape(-1, width, width, width)
    first, second = counts.sum(3).astype(float), counts.sum(2).astype(float)
    a, b = (moments(chosen, table, selection=selection) for table in (first, second))
    known = np.isfinite(a.value) & np.isfinite(b.value)
    joint = counts / n
    product = a.influence[:, :, :, None] * b.influence[:, :, None, :]
    between = np.where(joint > 0, joint * product, 0.0).sum((1, 2, 3)) / n
    truth = _value(chosen, shares.sum(1), selection) - _value(chosen, shares.sum(2), selection)
    difference = b.value - a.value
    found = {}
    spread = np.sqrt(np.maximum(a.variance + b.variance - 2 * between, 0.0))
    found["delta"] = difference - Z * spread, difference + Z * spread
    apart = np.sqrt(a.variance + b.variance)
    found["independence"] = difference - Z * apart, difference + Z * apart
    with np.errstate(invalid="ignore", divide="ignore"):
        product = a.variance * b.variance
        correlation = np.where(product > 0, between / np.sqrt(product), 0.0)
    ends = [_single(chosen, table, selection, single) for table in (first, second)]
    down, up = (b.value - ends[1][0], ends[0][1] - a.value), (ends[1][1] - b.value, a.value - ends[0][0])
    moving = n * (_moving(chosen, a.influence, first / n) + _moving(chosen, b.influence, second / n)) / 2
    found["plain mover"] = square_and_add(difference, down, up, correlation)
    found["mover"] = square_and_add(difference, down, up, shrunk(correlation, moving, Z))
    return {
        name: Result(float(((low <= truth) & (truth <= high))[known].mean()), float((high - low)[known].mean()))
        for name, (low, high) in found.items()
    }


def _value(metric, matrix, selection):
    return float(evidence_of_matrices(metric, matrix[None], selection=selection).value[0])


def _single(metric, tables, selection, name=None):
    evidence = evidence_of_matrices(metric, tables, selection=selection)
    limits = interval(
        evidence, default_method(metric, evidence) if name is None else method_for(metric, name), Tail(0.95)
    )
    return np.asarray(limits.low), np.asarray(limits.high)


def _moving(metric, influence, share):
    held = np.where(share > 0, influence, 0.0)
    if metric.share is not None or metric.tversky is not None:
        moving = (share * (np.abs(held) > 1e-12 * np.abs(held).max((1, 2), keepdims=True))).sum((1, 2))
        return np.where(moving > 0, moving, 1.0)
    with np.errstate(invalid="ignore"):
        moving = (share * held**2).sum((1, 2)) ** 2 / (share * held**4).sum((1, 2))
    return np.where(moving > 0, moving, 1.0)


def test_the_study_runs_the_interval_of_compare() -> None:
    shares = paired_shares(0.3, (0.8, 0.1), (0.75, 0.08), 0.9)
    counts = np.random.default_rng(5).multinomial(60, shares.ravel())
    cells = np.array(list(np.ndindex(2, 2, 2)))
    table = table_of_cells(cells[:, [0, 1, 2]], counts.astype(float), ("a", "b")).merged()
    for metric in ("f1", "accuracy", "mcc"):
        one = hs.compare(table, metric, a="a", b="b")
        alone = study_of_one(metric, counts.reshape(2, 2, 2))
        assert (one.low, one.high) == pytest.approx(alone, abs=1e-12)


def study_of_one(metric: str, counts: np.ndarray) -> tuple[float, float]:
    chosen, n = named(metric), counts.sum()
    selection = 1 if chosen.over == "class" else None
    first, second = (counts.sum(axis)[None].astype(float) for axis in (2, 1))
    a, b = (moments(chosen, table, selection=selection) for table in (first, second))
    product = a.influence[0][:, :, None] * b.influence[0][:, None, :]
    between = np.where(counts > 0, counts * product, 0.0).sum() / n**2
    correlation = between / np.sqrt(a.variance * b.variance)
    ends = [_single(chosen, table, selection) for table in (first, second)]
    moving = n * (_moving(chosen, a.influence, first / n) + _moving(chosen, b.influence, second / n)) / 2
    down, up = (b.value - ends[1][0], ends[0][1] - a.value), (ends[1][1] - b.value, a.value - ends[0][0])
    low, high = square_and_add(b.value - a.value, down, up, shrunk(correlation, moving, Z))
    return float(low[0]), float(high[0])


def by_hand(counts: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return limits of the difference in F1, b minus a, from counts [table, truth, a, b], with nothing of the library.

    F1 = 2 TP/D with D = 2 TP + FP + FN, and a row moves it by (2·hit − F1·(truth + prediction))/D. Single limits are
    Wilson's of u = TP/(TP + FP + FN), carried over by F1 = 2u/(1 + u) (Lam et al. 2024, eq. 42); MOVER puts them
    together as Zou (2007), Psychol. Methods 12:399, does for two dependent estimates.
    """
    truth, first, second = np.indices((2, 2, 2))
    values, moved, limits = [], [], []
    for prediction in (first, second):
        tp = (counts * (truth & prediction)).sum((1, 2, 3))
        size = (counts * (truth + prediction)).sum((1, 2, 3))  # D
        seen = size - tp
        value = 2 * tp / size
        values.append(value)
        one = value[:, None, None, None]
        moved.append((2 * (truth & prediction) - one * (truth + prediction)) / size[:, None, None, None])
        centre = (tp + Z * Z / 2) / (seen + Z * Z)
        half = Z * np.sqrt(tp * (seen - tp) / seen + Z * Z / 4) / (seen + Z * Z)
        limits.append([2 * share / (1 + share) for share in (centre - half, centre + half)])
    errors = [np.sqrt((counts * part**2).sum((1, 2, 3))) for part in moved]
    paired = np.sqrt((counts * (moved[1] - moved[0]) ** 2).sum((1, 2, 3)))
    apart = np.hypot(*errors)
    between = (counts * moved[0] * moved[1]).sum((1, 2, 3))
    with np.errstate(invalid="ignore"):
        correlation = np.where(errors[0] * errors[1] > 0, between / (errors[0] * errors[1]), 0.0)
    difference, ((low_a, high_a), (low_b, high_b)) = values[1] - values[0], limits

    def mover(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(x * x + y * y - 2 * correlation * x * y, 0.0))

    return {
        "delta": (difference - Z * paired, difference + Z * paired),
        "independence": (difference - Z * apart, difference + Z * apart),
        "plain mover": (
            difference - mover(values[1] - low_b, high_a - values[0]),
            difference + mover(high_b - values[1], values[0] - low_a),
        ),
    }


PAIR = 0.3, (0.8, 0.1), (0.75, 0.08)  # prevalence, and the true and false positive rates of both
PAIR_DIFFERENCE = 0.45 / 0.581 - 0.48 / 0.61  # of 2 TP/(2 TP + FP + FN) in the population, in twice the shares


@pytest.mark.parametrize(("agreement", "n"), [(0.0, 50), (0.5, 50), (0.5, 200), (0.9, 50), (0.9, 100), (0.9, 500)])
def test_coverage_of_f1_differences_by_hand(agreement: float, n: int) -> None:
    """The study against closed forms on other samples: coverage and length to four errors of their difference."""
    shares, ours, theirs = paired_shares(*PAIR, agreement), 30_000, 60_000
    found = study("f1", shares, n, ours, single="wilson")
    counts = np.random.default_rng([n, 1927]).multinomial(n, shares.ravel(), theirs).reshape(-1, 2, 2, 2)
    for name, (low, high) in by_hand(counts).items():
        held, length = (low <= PAIR_DIFFERENCE) & (high >= PAIR_DIFFERENCE), high - low
        share = held.mean()
        error = np.sqrt(share * (1 - share) * (1 / ours + 1 / theirs))
        assert abs(found[name].coverage - share) <= 4 * max(error, 1 / ours), name
        assert abs(found[name].length - length.mean()) < 4 * length.std() * np.sqrt(1 / ours + 1 / theirs), name


def test_what_throwing_away_the_pairing_costs() -> None:
    """By hand: models that agree on 90 % of 50 rows. Delta is too short, independence more than twice as long."""
    counts = np.random.default_rng(2).multinomial(50, paired_shares(*PAIR, 0.9).ravel(), 30_000).reshape(-1, 2, 2, 2)
    limits = by_hand(counts)
    held = {name: np.mean((low <= PAIR_DIFFERENCE) & (high >= PAIR_DIFFERENCE)) for name, (low, high) in limits.items()}
    length = {name: np.mean(high - low) for name, (low, high) in limits.items()}
    assert 0.87 < held["delta"] < 0.90  # errors of 0.002
    assert held["independence"] > 0.999
    assert 0.97 < held["plain mover"] < 0.99
    assert length["independence"] > 2.3 * length["delta"]
    assert length["plain mover"] < 1.3 * length["delta"]


CASES = {
    "chance": ("accuracy", 0.5, (0.52, 0.50), (0.50, 0.45)),
    "fair": ("accuracy", 0.5, (0.70, 0.30), (0.75, 0.30)),
    "good": ("accuracy", 0.5, (0.90, 0.10), (0.92, 0.10)),
    "excellent": ("accuracy", 0.5, (0.98, 0.02), (0.99, 0.01)),
    "rare f1": ("f1", 0.05, (0.60, 0.02), (0.65, 0.02)),
    "high f1": ("f1", 0.3, (0.97, 0.01), (0.95, 0.01)),
    "f1 at chance": ("f1", 0.5, (0.50, 0.50), (0.55, 0.45)),
    "precision": ("precision", 0.2, (0.50, 0.10), (0.50, 0.08)),
    "recall": ("recall", 0.1, (0.70, 0.10), (0.80, 0.10)),
    "f2": ("f2", 0.3, (0.80, 0.10), (0.75, 0.08)),
    "mcc": ("mcc", 0.2, (0.70, 0.10), (0.65, 0.08)),
    "balanced": ("balanced_accuracy", 0.2, (0.70, 0.10), (0.65, 0.08)),
}
SIZES = (50, 100, 200, 500, 1000)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("agreement", [0.5, 0.9, 0.98])
def test_mover_holds_its_level(case: str, agreement: float) -> None:
    metric, prevalence, a, b = CASES[case]
    shares = paired_shares(prevalence, a, b, agreement)
    found = [study(metric, shares, n, 6000, seed=n)["mover"] for n in SIZES]
    assert min(one.coverage for one in found) > 0.935
    assert found[-1].coverage < 0.995 or agreement == 0.98


def test_what_the_default_is_chosen_over() -> None:
    """The delta method and MOVER without shrinkage fall far short where models nearly always agree."""
    worst = {"delta": 1.0, "plain mover": 1.0, "mover": 1.0}
    for metric, prevalence, a, b in CASES.values():
        for n in (50, 200, 500):
            found = study(metric, paired_shares(prevalence, a, b, 0.98), n, 4000, seed=n)
            worst = {name: min(least, found[name].coverage) for name, least in worst.items()}
    assert worst["delta"] < 0.5
    assert worst["plain mover"] < 0.87
    assert worst["mover"] > 0.935


def test_three_classes_one_of_them_rare() -> None:
    """Macro averages lean on the rare class: the shrinkage counts the rows that carry the estimate."""
    prior = np.array([0.75, 0.2, 0.05])
    first = np.array([[0.9, 0.07, 0.03], [0.3, 0.6, 0.1], [0.3, 0.3, 0.4]])
    second = np.array([[0.88, 0.09, 0.03], [0.25, 0.65, 0.1], [0.3, 0.2, 0.5]])
    shares = np.zeros((3, 3, 3))
    for truth in range(3):
        both = np.minimum(first[truth], second[truth])
        rest = np.outer(first[truth] - both, second[truth] - both) / max(1 - both.sum(), 1e-12)
        shares[truth] = prior[truth] * (0.05 * np.outer(first[truth], second[truth]) + 0.95 * (np.diag(both) + rest))
    for metric in ("macro_f1", "balanced_accuracy", "kappa"):
        for n in (100, 300, 1000):
            found = study(metric, shares, n, 4000, seed=n)
            assert found["mover"].coverage > 0.93, (metric, n)
    assert study("balanced_accuracy", shares, 200, 4000)["plain mover"].coverage < 0.88


@pytest.mark.parametrize("n", [50, 100])
def test_dirichlet_posterior_of_f1_differences(n: int) -> None:
    """Strong agreement, prior ½ per cell: as often right as the quantiles of numpy's own draws on the same tables."""
    random, draws = np.random.default_rng(n), 2000
    tables = random.multinomial(n, paired_shares(*PAIR, 0.9).ravel(), 400).reshape(-1, 2, 2, 2)
    truth, first, second = np.indices((2, 2, 2)).reshape(3, 8)
    ours, theirs = [], []
    for seed, counts in enumerate(tables):
        ours.append(TverskyPosterior(counts, np.full((2, 2, 2), 0.5), (0.5, 0.5), draws, seed).limits(0.025))
        cells = random.dirichlet(counts.ravel() + 0.5, draws)
        a, b = (2 * cells @ (truth & guess) / (cells @ (truth + guess)) for guess in (first, second))
        theirs.append(np.quantile(b - a, (0.025, 0.975)))
    limits = np.array([ours, theirs])
    length = np.mean(limits[1, :, 1] - limits[1, :, 0])
    apart = limits[0] - limits[1]
    # √(0.025 · 0.975/2000)/φ(1.96) = 0.06 standard deviations is the error of such a quantile, 0.015 lengths; a long
    # tail has somewhat more. Both have it, and each table has draws of its own.
    assert np.abs(apart.mean(axis=0)).max() < 4 * 0.03 * length / np.sqrt(len(tables))
    held = (limits[..., 0] <= PAIR_DIFFERENCE) & (limits[..., 1] >= PAIR_DIFFERENCE)
    assert np.mean(held[0] != held[1]) < 0.02
    assert held.mean(axis=1).min() > 0.96


@pytest.mark.parametrize("n", [500, 2000])
def test_joint_coverage_of_three_models_and_two_metrics(n: int) -> None:
    world = population(rules(seed=3))
    run = JointCoverage(world, ("f0.5", "accuracy"), n, 20_000, seed=1)
    for method in ("joint", "scaled"):
        assert 0.94 < run.joint(method)[0] < 0.96
    assert run.joint("individual")[0] < 0.90


def _many_models(n: int, seed: int, rates: list[Rates]) -> hs.Table:
    random = np.random.default_rng(seed)
    truth = (random.random(n) < 0.4).astype(int)
    shared = random.random(n)
    predictions = {}
    for place, (hit, false) in enumerate(rates):
        own = np.where(random.random(n) < 0.6, shared, random.random(n))
        predictions[f"m{place}"] = (own < np.where(truth == 1, hit, false)).astype(int)
    return hs.table(truth, predictions)


def test_all_pairs_hold_together() -> None:
    rates = [(0.8, 0.1), (0.8, 0.1), (0.78, 0.08), (0.85, 0.15)]
    true = [2 * 0.4 * hit / (0.4 * hit + 0.6 * false + 0.4) for hit, false in rates]
    together, single, replicates = 0, 0, 300
    for seed in range(replicates):
        table = _many_models(400, seed, rates)
        for adjust in ("joint", "none"):
            rows = hs.compare_all(table, "f1", adjust=adjust)
            held = all(row.low <= true[int(row.b[1])] - true[int(row.a[1])] <= row.high for row in rows)
            together += held and adjust == "joint"
            single += held and adjust == "none"
    assert 0.915 < together / replicates < 0.985
    assert single / replicates < 0.90


def test_the_set_of_the_best_holds_the_best() -> None:
    rates = [(0.8, 0.1), (0.82, 0.1), (0.78, 0.1), (0.8, 0.12)]
    replicates = 300
    held = sum(
        "m1" in hs.compare_all(_many_models(500, seed, rates), "accuracy").tied_with_best for seed in range(replicates)
    )
    assert held / replicates > 0.93
