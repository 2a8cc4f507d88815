"""Exact studies against brute force, and when a study is exact."""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.catalogue import named_method
from howsure.estimates.evidence import Evidence
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.names import named
from howsure.studies.scenario import Part, Scenario, how_to
from howsure.tables.population import population_of
from studies.populations import HALF, THREE


def brute_force(metric: str, method: str, matrix: np.ndarray, n: int, truth: float) -> dict[str, float]:
    """Return the same numbers from every table of n rows, one hs.estimate each."""
    flat, width = matrix.ravel(), len(matrix)
    sums = dict.fromkeys(("mass", "covered", "length", "overshoot", "degenerate", "above"), 0.0)
    for cells in itertools.product(range(n + 1), repeat=len(flat)):
        if sum(cells) != n:
            continue
        chance = math.factorial(n) * math.prod(p**k / math.factorial(k) for p, k in zip(flat, cells, strict=True))
        found = hs.estimate(hs.matrix(np.reshape(cells, (width, width)), rows="truth"), metric, method=method)
        if math.isnan(found.value):
            continue
        sums["mass"] += chance
        sums["covered"] += chance * (found.low <= truth + 1e-12 and truth <= found.high + 1e-12)
        sums["length"] += chance * (found.high - found.low)
        sums["overshoot"] += chance * (found.low < -1e-12 or found.high > 1 + 1e-12)
        sums["degenerate"] += chance * (found.high - found.low < 1e-12)
        sums["above"] += chance * (found.low > truth + 1e-12)
    return {name: value / sums["mass"] for name, value in sums.items()} | {"undefined": 1 - sums["mass"]}


@pytest.mark.parametrize(
    ("metric", "method"),
    [("f1", "wald"), ("f1", "wilson"), ("f2", "wald"), ("f2", "wilson"), ("recall", "clopper-pearson"),
     ("accuracy", "wald"), ("jaccard", "beta"), ("specificity", "logit"), ("macro_f1", "smoothed")],
)  # fmt: skip
def test_exact_rows_equal_brute_force(metric: str, method: str) -> None:
    matrix = np.array([[0.5, 0.1], [0.15, 0.25]])
    row = hs.study(metric, method, matrix, n=6)[0]
    table = hs.matrix(matrix, rows="truth", n=1000)
    truth = hs.estimate(table, metric, method="wald").value
    expected = brute_force(metric, method, matrix, 6, truth)
    assert row.exact
    assert (row.se, row.replicates, row.seed) == (0.0, None, None)
    assert row.truth == pytest.approx(truth, rel=1e-12)
    for name in ("length", "overshoot", "degenerate", "undefined", "above"):
        assert getattr(row, name) == pytest.approx(expected[name], abs=1e-10), name
    assert row.coverage == pytest.approx(expected["covered"], abs=1e-10)
    assert row.coverage + row.above + row.below == pytest.approx(1, abs=1e-12)


def test_three_classes_by_enumeration_equal_brute_force() -> None:
    matrix = np.array(THREE)
    row = hs.study("macro_f1", "wald", matrix, n=3)[0]
    truth = hs.estimate(hs.matrix(matrix, rows="truth", n=1000), "macro_f1", method="wald").value
    expected = brute_force("macro_f1", "wald", matrix, 3, truth)
    assert row.coverage == pytest.approx(expected["covered"], abs=1e-12)
    assert row.undefined == pytest.approx(expected["undefined"], abs=1e-12)


def test_a_method_without_limits_misses() -> None:
    """Limits that are nan where the metric has a value count against the method; nan values do not."""
    wald = named_method("wald")

    def blind(evidence: Evidence, tail: Tail) -> Limits:
        found = wald.limits(evidence, tail)
        hidden = np.where(evidence.value > 0.9, np.nan, 1.0)
        return Limits(found.low * hidden, found.high * hidden)

    plain, row = hs.study("f1", [wald, hs.IntervalMethod("blind", blind, lambda evidence: None)], HALF, n=8)
    over = sum(
        math.comb(8, hits) * math.comb(8 - hits, wrong) * 0.4**hits * 0.2**wrong * 0.4 ** (8 - hits - wrong)
        for hits in range(1, 9) for wrong in range(9 - hits) if 2 * hits / (2 * hits + wrong) > 0.9
    )  # fmt: skip
    assert row.undefined == plain.undefined == pytest.approx(0.4**8)
    assert row.failed == pytest.approx(over / (1 - 0.4**8), rel=1e-9)
    assert plain.failed == 0
    assert row.coverage + row.above + row.below + row.failed == pytest.approx(1, abs=1e-12)


def test_undefined_policy_changes_what_is_counted() -> None:
    strict = hs.study("macro_f1", "wald", THREE, n=5)[0]
    lenient = hs.study("macro_f1", "wald", THREE, n=5, undefined="zero")[0]
    assert strict.undefined > 0.05
    assert lenient.undefined == 0


@pytest.mark.parametrize("metric", ["f1", "precision", "accuracy", "specificity"])
def test_pooling_a_share_changes_nothing(metric: str) -> None:
    """The exact study of a share looks at pairs of counts; all tables of all cells give the same sums."""
    scenario = scenario_of(metric, 12)
    names = ("wald", "wilson", "clopper-pearson", "blurred", "smoothed", "profile", "logit", "beta", "mid-p")
    entries = tuple(map(named_method, names))
    ways = (scenario.tallies(entries, Part(12, how, 0, 13)) for how in ("share", "all"))
    for name, pooled, whole in zip(names, *ways, strict=True):
        assert asdict(pooled) == pytest.approx(asdict(whole), abs=1e-11), name


def scenario_of(metric: str, n: int) -> Scenario:
    return Scenario(named(metric), population_of(HALF), Tail(0.95), "nan", n)


def test_which_way_is_chosen() -> None:
    def way(metric: str, method: object, n: int, exact: bool | None = None) -> str:
        return how_to(scenario_of(metric, n), named_method(method), exact)

    assert way("f1", "wilson", 100_000) == "share"
    assert way("f2", "wilson", 300) == "all"
    assert way("f2", "wilson", 100_000) == "simulate"
    assert way("f1", "wilson", 25, exact=False) == "simulate"
    assert way("f1", hs.Bootstrap(), 200) == "simulate"
    with pytest.raises(hs.InputError, match="leave exact out"):
        way("f2", "wilson", 100_000, exact=True)
