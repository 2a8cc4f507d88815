"""hs.study against brute force: what it enumerates, what it simulates, how it spreads, stops and goes on."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.enumeration import number_of_outcomes, outcomes, random_outcomes
from howsure.evidence import Evidence, Limits, Tail
from howsure.intervals import named_method
from howsure.naming import named
from howsure.populations import population_of, populations_of, random_population
from howsure.scenario import Part, Scenario, how_to

HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}
THREE = [[0.40, 0.05, 0.05], [0.10, 0.15, 0.05], [0.02, 0.03, 0.15]]


# --- the outcomes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "n"), [([0.5, 0.3, 0.2], 9), ([0.4, 0.1, 0.1, 0.4], 7), ([0.6, 0.0, 0.4], 5), ([1.0], 3)]
)
def test_outcomes_are_all_of_them_with_their_multinomial_probability(shares: list[float], n: int) -> None:
    expected = {}
    for counts in itertools.product(range(n + 1), repeat=len(shares)):
        if sum(counts) == n and all(share > 0 or count == 0 for share, count in zip(shares, counts, strict=True)):
            ways = math.factorial(n) / math.prod(map(math.factorial, counts))
            expected[counts] = ways * math.prod(p**k for p, k in zip(shares, counts, strict=True))
    found = {}
    for block, chances in outcomes(np.array(shares), n):
        found |= {tuple(row): chance for row, chance in zip(block.astype(int).tolist(), chances, strict=True)}
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n", "share"), [(25, 0.07), (1000, 0.5), (5000, 0.003), (100_000, 0.3)])
def test_outcomes_lose_next_to_nothing(n: int, share: float) -> None:
    shares = np.array([0.7 * share, 0.3 * share, 1 - share])
    mass, mean = 0.0, np.zeros(3)
    for block, chances in outcomes(shares, n):
        mass += chances.sum()
        mean += chances @ block
    assert mass == pytest.approx(1, abs=1e-9)
    assert mean == pytest.approx(n * shares, rel=1e-8)


def test_outcomes_come_in_parts_that_add_up() -> None:
    shares = np.array([0.4, 0.1, 0.1, 0.4])
    whole = sum(len(chances) for _, chances in outcomes(shares, 30))
    parts = [len(c) for low in range(0, 31, 7) for _, c in outcomes(shares, 30, range(low, low + 7))]
    assert sum(parts) == whole


def test_number_of_outcomes_is_never_far_below_the_truth() -> None:
    for shares, n in [([0.4, 0.1, 0.1, 0.4], 200), ([0.01, 0.001, 0.002, 0.987], 500), ([0.4, 0.2, 0.4], 5000)]:
        real = sum(len(chances) for _, chances in outcomes(np.array(shares), n))
        assert real <= number_of_outcomes(np.array(shares), n) <= 20 * real + 1000


def test_random_outcomes_count_the_distinct_ones() -> None:
    counts, times = random_outcomes(np.array([0.3, 0.3, 0.4]), 6, 0, 5000, seed=3)
    assert times.sum() == 5000
    assert len(np.unique(counts, axis=0)) == len(counts) <= 28
    assert (counts.sum(1) == 6).all()
    assert times @ counts / 5000 == pytest.approx([1.8, 1.8, 2.4], abs=0.08)


# --- exact studies against brute force ------------------------------------------------------------------------------


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
    table = hs.matrix(matrix, rows="truth")
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
    truth = hs.estimate(hs.matrix(matrix, rows="truth"), "macro_f1", method="wald").value
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


# --- simulated studies ----------------------------------------------------------------------------------------------


def test_simulation_agrees_with_enumeration() -> None:
    methods = ["wald", "wilson", "logit"]
    exact = hs.study("f2", methods, HALF, n=[20, 40])
    drawn = hs.study("f2", methods, HALF, n=[20, 40], exact=False, replicates=40_000, seed=5)
    for one, other in zip(exact, drawn, strict=True):
        assert (one.method, one.n) == (other.method, other.n)
        assert not other.exact
        assert other.se == pytest.approx(math.sqrt(other.coverage * (1 - other.coverage) / 40_000), rel=1e-3)
        assert abs(one.coverage - other.coverage) < 4.5 * other.se
        assert abs(one.length - other.length) < 4.5 * other.length_se


def test_same_seed_same_numbers_other_seed_other_numbers() -> None:
    first, again, other = (
        hs.study("mcc", "wald", HALF, n=30, exact=False, replicates=3000, seed=seed)[0] for seed in (1, 1, 2)
    )
    assert first == again
    assert first.coverage != other.coverage


def test_methods_that_draw_are_studied_one_table_at_a_time() -> None:
    rows = hs.study("f1", ["wilson", hs.Bootstrap(n_resamples=200)], HALF, n=4, replicates=100)
    slow = hs.study("f1", hs.Bootstrap(n_resamples=200), HALF, n=4, exact=False, replicates=300)[0]
    assert [row.method for row in rows] == ["wilson", "bootstrap"]
    assert rows[1].exact
    assert abs(slow.coverage - rows[1].coverage) < 4.5 * slow.se


def test_a_ratio_without_an_upper_end_has_infinite_length() -> None:
    """LR+ of a table without false positives is infinite, and so is the upper limit; nothing else breaks."""
    row = hs.study("lr_plus", "log", HALF, n=8)[0]
    assert row.exact
    assert row.length == math.inf
    assert 0.9 < row.coverage < 1


def test_one_sided_study() -> None:
    lower = hs.study("precision", "clopper-pearson", HALF, n=20, level=0.95, side="lower")[0]
    both = hs.study("precision", "clopper-pearson", HALF, n=20, level=0.90)[0]
    assert lower.below == 0
    assert lower.above == pytest.approx(both.above, abs=1e-12)
    assert lower.coverage >= 0.95


# --- spreading, stopping, going on ----------------------------------------------------------------------------------

LONG = {"n": [20, 40], "exact": False, "replicates": 60_000}


@pytest.fixture(scope="module")
def whole() -> hs.Coverage:
    return hs.study("f2", ["wald", "wilson"], HALF, **LONG)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_do_not_change_the_numbers(whole: hs.Coverage, backend: str) -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config(backend=backend):
        assert hs.study("f2", ["wald", "wilson"], HALF, jobs=2, **LONG) == whole


def test_a_backend_that_cannot_hand_over_one_by_one(whole: hs.Coverage, monkeypatch: pytest.MonkeyPatch) -> None:
    joblib = pytest.importorskip("joblib")
    from joblib._parallel_backends import ThreadingBackend

    monkeypatch.setattr(ThreadingBackend, "supports_return_generator", False)
    with joblib.parallel_config(backend="threading"):
        assert hs.study("f2", ["wald", "wilson"], HALF, jobs=2, **LONG) == whole


class Stop(Exception):
    """The user pulls the plug."""


@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_an_interrupted_study_goes_on_where_it_stopped(whole: hs.Coverage, tmp_path: Path, stop_after: int) -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, everything: int) -> None:
        seen.append((done, everything))
        if len(seen) == stop_after:
            raise Stop

    with pytest.raises(Stop):
        hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    resumed = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    assert resumed == whole
    assert [done for done, _ in seen] == list(range(1, 7))
    assert {everything for _, everything in seen} == {6}
    again = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    assert again == whole
    assert len(seen) == 6


def test_an_exact_study_is_kept_too(tmp_path: Path) -> None:
    calls = []
    first = hs.study("f1", "wald", HALF, n=25, checkpoint=tmp_path, progress=lambda *a: calls.append(a))
    second = hs.study("f1", "wald", HALF, n=25, checkpoint=tmp_path, progress=lambda *a: calls.append(a))
    assert first == second
    assert calls == [(1, 1)]


def test_a_torn_line_is_ignored(whole: hs.Coverage, tmp_path: Path) -> None:
    hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, **LONG)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-40])
    calls = []
    found = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=lambda *a: calls.append(a), **LONG)
    assert found == whole
    assert len(calls) == 1


def test_a_checkpoint_knows_options_and_formulas(tmp_path: Path) -> None:
    """Two methods, or two metrics, of the same name are told apart by what they do."""
    rows = [
        hs.study("f1", hs.Bootstrap(n_resamples=200, kind=kind), HALF, n=4, checkpoint=tmp_path)[0].length
        for kind in ("percentile", "basic", "bca")
    ]
    assert len(set(rows)) > 1
    values = [
        hs.study(hs.Metric("mine", formula), "wald", HALF, n=9, checkpoint=tmp_path)[0].truth
        for formula in (lambda c: c.tp / (c.tp + c.fp), lambda c: c.tp / (c.tp + 2 * c.fp))
    ]
    lengths = [
        hs.study(hs.Metric("mine", formula), "wald", HALF, n=9, checkpoint=tmp_path)[0].length
        for formula in (lambda c: c.tp / (c.tp + c.fp), lambda c: c.tp / (c.tp + 2 * c.fp))
    ]
    assert values[0] != values[1]
    assert lengths[0] != lengths[1]


def test_more_replicates_reuse_the_finished_ones(tmp_path: Path) -> None:
    calls = []
    settings = {"n": 20, "exact": False, "checkpoint": tmp_path, "progress": lambda *a: calls.append(a)}
    hs.study("f2", "wald", HALF, replicates=40_000, **settings)
    more = hs.study("f2", "wald", HALF, replicates=60_000, **settings)
    assert calls == [(1, 2), (2, 2), (3, 3)]
    assert more == hs.study("f2", "wald", HALF, n=20, exact=False, replicates=60_000)


def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    hs.study("f1", "wald", HALF, n=[5, 6], progress="bar")
    assert capsys.readouterr().err.endswith("2/2\n")


# --- populations and results ----------------------------------------------------------------------------------------


def test_populations_can_be_given_in_many_ways() -> None:
    table = hs.counts(tp=400, fp=100, fn=100, tn=400)
    rates = {"prevalence": 0.5, "precision": 0.8, "recall": 0.8}
    sick = {"prevalence": 0.5, "specificity": 0.8, "recall": 0.8}
    for given in (HALF, rates, sick, [[0.4, 0.1], [0.1, 0.4]], np.array([[4, 1], [1, 4]]) / 10, table):
        assert population_of(given).shares == pytest.approx(np.array([[0.4, 0.1], [0.1, 0.4]]))
        found, wanted = (hs.study("f1", "wald", one, n=10)[0] for one in (given, HALF))
        assert found.coverage == pytest.approx(wanted.coverage, rel=1e-12)


def test_several_populations_keep_their_names() -> None:
    rows = hs.study("f1", ["wald", "wilson"], {"a": HALF, "b": {**HALF, "tp": 0.5, "tn": 0.3}}, n=[5, 10])
    assert len(rows) == 8
    assert {row.population for row in rows} == {"a", "b"}
    (one,) = rows.where(population="b", method="wilson", n=10)
    assert one.coverage == hs.study("f1", "wilson", {**HALF, "tp": 0.5, "tn": 0.3}, n=10)[0].coverage
    assert [one.name for one in populations_of([HALF, HALF])] == ["0", "1"]


def test_labels_of_a_table_are_known_to_the_metric() -> None:
    table = hs.matrix([[5, 1, 0], [2, 7, 1], [0, 1, 9]], rows="truth", labels=["a", "b", "c"])
    for metric in ("f1[b]", "macro_f1", "micro_f1[without a]"):
        row = hs.study(metric, "wald", table, n=12, exact=False, replicates=200)[0]
        assert row.truth == pytest.approx(hs.estimate(table, metric).value)


def test_random_populations_are_proper_and_repeatable() -> None:
    for classes in (2, 3, 6):
        one, again, other = (random_population(classes, seed=seed) for seed in (4, 4, 5))
        assert one.shares.sum() == pytest.approx(1)
        assert (one.shares >= 0).all()
        assert np.array_equal(one.shares, again.shares)
        assert not np.array_equal(one.shares, other.shares)
        recalls = np.diagonal(one.shares) / one.shares.sum(1)
        assert ((recalls >= 0.4) & (recalls <= 0.98)).all()


def test_coverage_is_a_sequence_with_writers() -> None:
    rows = hs.study("f1", ["wald", "wilson"], HALF, n=[25, 50])
    assert rows["wald", 50] is rows.where(method="wald", n=50)[0]
    assert len(rows[1:]) == 3
    assert json.loads(rows.to_json())[0]["coverage"] == rows[0].coverage
    assert repr(rows) == "Coverage(4 rows)"
    made = replace(rows[0], coverage=0.90461, length=0.34291)
    assert repr(made) == "f1 by wald, n = 25: 95% interval covers 0.9046 (exact), length 0.3429"
    made = replace(made, exact=False, se=0.00093, population="S1")
    assert repr(made) == "f1 by wald in S1, n = 25: 95% interval covers 0.9046 (simulated, ± 0.0009), length 0.3429"
    assert list(rows.to_frame("pandas")["n"]) == [25, 25, 50, 50]
    with pytest.raises(KeyError, match="0 rows match"):
        rows["wald", 51]


def test_without_methods_every_batch_method_is_studied() -> None:
    found = {row.method for row in hs.study("precision", None, HALF, n=6)}
    assert found >= {"wald", "wilson", "clopper-pearson", "mid-p", "beta", "hdi", "profile", "logit", "smoothed"}
    assert "bootstrap" not in found


def test_the_default_method_can_be_asked_for() -> None:
    assert hs.study("f1", "default", HALF, n=6)[0].method == "wilson"
    one = hs.estimate(hs.counts(tp=4, fp=1, fn=1, tn=4), "mcc")
    assert hs.study("mcc", "default", HALF, n=6)[0].method == one.method


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"population": None}, "population is missing; give dict"),
        ({"population": {"tp": 0.5, "fp": 0.5}}, "population has the keys 'fp', 'tp'"),
        ({"population": {**HALF, "tp": 0.5}}, "sum to 1.1; they must sum to 1"),
        ({"population": {**HALF, "tp": -0.4, "tn": 1.2}}, "negative"),
        ({"population": [0.5, 0.5]}, "has the shape"),
        ({"population": {"prevalence": 0.9, "recall": 0.9, "precision": 0.5}}, "precision must be at least 0.89"),
        ({"population": {"prevalence": 0.9, "recall": 1.9, "precision": 0.5}}, "recall 1.9; rates lie between"),
        ({"population": hs.counts(tp=1, fp=1, fn=1)}, "every cell"),
        ({"population": {"tp": 0, "fp": 0, "fn": 0, "tn": 1}}, "metric 'f1' is 0/0 in the population"),
        ({"n": 0}, "n is 0; it must be"),
        ({"n": [10, 2.5]}, "whole numbers"),
        ({"n": []}, "one or more"),
        ({"level": 95}, "level is 95"),
        ({"replicates": 0}, "replicates is 0"),
        ({"methods": "log"}, "method 'log' cannot serve metric 'f1'"),
        ({"methods": "wld"}, "Did you mean 'wald'"),
    ],
)
def test_refusals_say_what_to_do(changes: dict[str, object], words: str) -> None:
    given = {"methods": "wald", "population": HALF, "n": 10} | changes
    with pytest.raises(hs.HowsureError) as caught:
        hs.study("f1", **given)
    assert words in str(caught.value)


@pytest.mark.parametrize("metric", ["exact_match", "samples_f1"])
def test_metrics_of_rows_with_several_labels_are_refused(metric: str) -> None:
    with pytest.raises(hs.MetricError, match="rows with several labels"):
        hs.study(metric, "wald", HALF, n=10)
    with pytest.raises(hs.MetricError, match="rows with several labels"):
        hs.batch_intervals(metric, tp=1, fp=1, fn=1, tn=1)


def test_checkpoint_must_be_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(hs.InputError, match="name a folder"):
        hs.study("f1", "wald", HALF, n=10, checkpoint=file)
