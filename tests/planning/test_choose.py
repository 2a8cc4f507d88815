"""Which rows to label: strata, allocation by brute force, doors, and the way back into an estimate."""

from __future__ import annotations

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs
from howsure.planning.labelling.allocation import Pool, whole_labels
from support.command_line import run

RNG = np.random.default_rng(17)
N = 600
TRUTH = (RNG.random(N) < 0.3).astype(int)
MODEL = np.where(RNG.random(N) < 0.85, TRUTH, 1 - TRUTH)
JUDGE = np.where(RNG.random(N) < 0.9, TRUTH, 1 - TRUTH)
SOME = RNG.random(N) < 0.1


def test_every_stratum_gets_labels_and_the_weights_add_up() -> None:
    chosen = hs.choose(judge=JUDGE, predictions={"bert": MODEL}, n=80)
    strata = {(j, p): f"judge {j}, bert {p}" for j, p in product((0, 1), repeat=2)}
    assert chosen.pool == {name: float(((j == JUDGE) & (p == MODEL)).sum()) for (j, p), name in strata.items()}
    assert sum(chosen.by_stratum.values()) == len(chosen.rows) == len(set(chosen.rows)) == 80
    assert min(chosen.by_stratum.values()) >= 2
    assert sum(chosen.weights) == pytest.approx(N)
    for row, stratum, weight in zip(chosen.rows, chosen.strata, chosen.weights, strict=True):
        assert stratum == strata[JUDGE[row], MODEL[row]]
        assert weight == pytest.approx(chosen.pool[stratum] / chosen.by_stratum[stratum])
    differ = float((JUDGE != MODEL).mean())
    assert chosen.where_apart > 1.5 * differ  # more labels where judge and model differ


def test_the_allocation_is_the_best_of_all() -> None:
    """Neyman's shares as whole numbers: no other whole numbers make the variance smaller by more than rounding does."""
    pool = Pool(0.8, np.array([0.6, 0.3, 0.1]), np.array([0.1, 0.3, 0.5]), np.array([0.3, 0.2, 0.4]), 0.16)
    found = pool.variance(whole_labels(24, pool.sizes(24)))
    every = [(a, b, 24 - a - b) for a in range(2, 21) for b in range(2, 23 - a)]
    best = min(float((pool.shares**2 * (pool.spread**2 + 2 * pool.hidden / n) / n).sum()) for n in map(np.array, every))
    labels = whole_labels(24, pool.sizes(24))
    own = float((pool.shares**2 * (pool.spread**2 + 2 * pool.hidden / labels) / labels).sum())
    assert own <= best * 1.01
    assert found > 0


def test_whole_labels_stay_within_their_bounds() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        size = rng.integers(1, 7)
        most = rng.integers(2, 30, size)
        least = np.minimum(rng.integers(0, 5, size), most)
        rows = int(rng.integers(least.sum(), most.sum() + 1))
        labels = whole_labels(rows, rng.random(size) * rng.integers(0, 2, size), least, most)
        assert labels.sum() == rows
        assert (labels >= least).all()
        assert (labels <= most).all()


def test_labelled_rows_are_never_chosen_and_count() -> None:
    known = np.where(SOME, TRUTH.astype(float), np.nan)
    chosen = hs.choose(truth=known, judge=JUDGE, predictions={"bert": MODEL}, n=60, metric="f1", seed=3)
    assert not set(chosen.rows) & set(chosen.labelled.rows)
    assert set(chosen.labelled.rows) == set(np.flatnonzero(SOME).tolist())
    assert sum(chosen.weights) + sum(chosen.labelled.weights) == pytest.approx(N)
    assert hs.choose(truth=known, judge=JUDGE, predictions={"bert": MODEL}, n=60, metric="f1", seed=3).ids == chosen.ids
    assert hs.choose(truth=known, judge=JUDGE, predictions={"bert": MODEL}, n=60, metric="f1", seed=4).ids != chosen.ids
    rows = [*chosen.labelled.rows, *chosen.rows]
    strata = [*chosen.labelled.strata, *chosen.strata]
    by_pool = hs.stratified(TRUTH[rows], {"bert": MODEL[rows]}, strata=strata, pool=chosen.pool)
    weights = [*chosen.labelled.weights, *chosen.weights]
    by_weight = hs.stratified(TRUTH[rows], {"bert": MODEL[rows]}, strata=strata, sample_weight=weights)
    one, other = hs.estimate(by_pool, "f1"), hs.estimate(by_weight, "f1")
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    assert one.low <= hs.estimate(hs.table(TRUTH, MODEL), "f1") <= one.high


def test_rare_kinds_are_taken_as_one() -> None:
    judge = ["a"] * 500 + ["b"] * 480 + [None, "c", "d", "e"] * 2
    model = ["a"] * 500 + ["b"] * 480 + ["a", "a", "b", "b"] * 2
    chosen = hs.choose(judge=judge, predictions={"m": model}, n=30)
    assert set(chosen.by_stratum) == {"judge a, m a", "judge b, m b", "other"}
    assert chosen.pool["other"] == 8
    assert chosen.by_stratum["other"] >= 2
    few = hs.choose(judge=judge, predictions={"m": model}, n=3)
    assert sum(few.by_stratum.values()) == 3
    lonely = hs.choose(judge=["a"] * 50 + ["b"], predictions={"m": ["a"] * 51}, n=10)
    assert lonely.by_stratum == {"other": 10}  # a stratum of one row has no variance: the next joins it


def test_models_without_a_judge_and_several_judges() -> None:
    other = np.where(RNG.random(N) < 0.8, TRUTH, 1 - TRUTH)
    two = hs.choose(predictions={"a": MODEL, "b": other}, n=50)
    assert set(two.by_stratum) == {f"a {i}, b {j}" for i, j in product((0, 1), repeat=2)}
    assert "models differ" in repr(two)
    judges = hs.choose(judge={"x": JUDGE, "y": other}, predictions={"m": MODEL}, n=50)
    assert len(judges.by_stratum) == 8


def test_a_table_says_how_many() -> None:
    known = [int(value) if seen else None for value, seen in zip(TRUTH, SOME, strict=True)]
    table = hs.table(known, {"bert": MODEL}, judge=JUDGE)
    rows = hs.choose(truth=known, judge=JUDGE, predictions={"bert": MODEL}, n=70)
    kinds = hs.choose(table, n=70)
    assert kinds.by_stratum == rows.by_stratum
    assert kinds.pool == rows.pool
    assert (kinds.rows, kinds.ids) == ((), ())
    plan = hs.plan_strata("accuracy", pilot=table, n=100)
    assert set(plan.allocation) == set(rows.by_stratum)
    assert plan.shares == pytest.approx({name: size / N for name, size in rows.pool.items()})
    assert plan.gain > 1.5


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "preds.csv"
    known = [int(value) if seen else None for value, seen in zip(TRUTH, SOME, strict=True)]
    columns = {"id": [f"r{row}" for row in range(N)], "human": known, "gpt4": JUDGE, "bert": MODEL, "true": TRUTH}
    pl.DataFrame(columns).write_csv(path)
    return path


def test_files_frames_and_columns_are_chosen_alike(file: Path) -> None:
    asked: dict[str, Any] = {"truth": "human", "judge": "gpt4", "predictions": ["bert"], "id": "id", "n": 40}
    of_file = hs.choose(file, **asked)
    of_frame = hs.choose(pl.read_csv(file), **asked)
    known = np.where(SOME, TRUTH.astype(float), np.nan)
    ids = [f"r{row}" for row in range(N)]
    of_columns = hs.choose(truth=known, judge={"gpt4": JUDGE}, predictions={"bert": MODEL}, ids=ids, n=40)
    assert of_file.ids == of_frame.ids == of_columns.ids
    assert of_file.by_stratum == of_columns.by_stratum


def test_the_whole_way_on_the_command_line(file: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "to-label.csv"
    asked = ["choose", file, "--truth", "human", "--judge", "gpt4", "--pred", "bert", "--id", "id", "-n", 60]
    shown = run(*asked)
    assert "60 rows to label" in shown.stdout
    run(*asked, "--output", chosen)
    with chosen.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["id", "stratum", "weight"]
    same = hs.choose(file, truth="human", judge="gpt4", predictions=["bert"], id="id", n=60)
    assert [row["id"] for row in rows] == list(same.ids)
    run(*asked, "--labelled", "--with", "bert", "--with", "true", "--output", chosen)
    made = json.loads(
        run("report", chosen, "--truth", "true", "--pred", "bert", "--strata", "stratum", "--weight", "weight",
            "-m", "f1", "--format", "json").stdout
    )  # fmt: skip
    every = [*same.labelled.rows, *same.rows]
    strata = [*same.labelled.strata, *same.strata]
    direct = hs.estimate(hs.stratified(TRUTH[every], MODEL[every], strata=strata, pool=same.pool), "f1")
    assert made["rows"][0]["value"] == pytest.approx(direct.value)
    assert made["rows"][0]["low"] == pytest.approx(direct.low)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 1}, "an estimate needs 2 labels"),
        ({"n": N + 1}, f"only {N} rows have no label"),
        ({"predictions": None}, "predictions is missing"),
        ({"id": "name"}, "id names a column of a file"),
        ({"ids": [1, 2]}, "they must describe the same"),
        ({"ids": [1] * N}, "names some rows twice"),
        ({"predictions": {"m": [None, *MODEL[1:].tolist()]}}, "a model answers every row"),
        ({"predictions": {"judge": MODEL}}, "have a name in common"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_refusals(asked: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"judge": JUDGE, "predictions": {"bert": MODEL}, "n": 50}
    with pytest.raises(hs.InputError, match=words):
        hs.choose(**(usual | asked))


def test_refusals_of_sources(file: Path) -> None:
    with pytest.raises(hs.InputError, match="judge names the column 'gpt5'"):
        hs.choose(file, judge="gpt5", predictions="bert", n=10)
    with pytest.raises(hs.InputError, match="ids goes with columns in memory"):
        hs.choose(file, judge="gpt4", predictions="bert", ids=[1], n=10)
    with pytest.raises(hs.InputError, match="of a file it must be the name"):
        hs.choose(file, judge=JUDGE, predictions="bert", n=10)
    with pytest.raises(hs.InputError, match="every row has a label"):
        hs.choose(hs.table(TRUTH, MODEL), n=10)
    with pytest.raises(hs.InputError, match="no single labels"):
        hs.choose(hs.table(values=[0.5, 1.0]), n=1)
    with pytest.raises(hs.InputError, match="a Table knows its own"):
        hs.choose(hs.table(TRUTH, MODEL), judge=JUDGE, n=10)


def test_weights_must_be_alike_in_a_stratum() -> None:
    with pytest.raises(hs.InputError, match="is 1 and 2 in stratum 'x'"):
        hs.stratified([1, 0, 1, 0], [1, 0, 1, 1], strata=list("xxyy"), sample_weight=[1, 2, 3, 3])
    with pytest.raises(hs.InputError, match="both say what a stratum stands for"):
        hs.stratified(
            [1, 0, 1, 0], [1, 0, 1, 1], strata=list("xxyy"), sample_weight=[2, 2, 3, 3], pool={"x": 4, "y": 6}
        )


@pytest.mark.parametrize(("right", "worth"), [(0.9, 3.3), (0.98, 15.2)])
def test_many_labels_are_worth_what_neyman_says(right: float, worth: float) -> None:
    """Accuracy at 20 % positives: n_eff/n = var φ/(Σ W s)², less by hidden rows the fewer labels there are."""
    shares = {
        (t, p, j): (0.2, 0.8)[t == 0] * (1 - hit, hit)[p] * (right if j == t else 1 - right)
        for t, hit in ((0, 0.05), (1, 0.85)) for p in (0, 1) for j in (0, 1)
    }  # fmt: skip
    rows = np.repeat(list(shares), [round(100_000 * share) for share in shares.values()], axis=0)
    wrong = 1 - (0.2 * 0.85 + 0.8 * 0.95)
    kinds = [[sum(shares[t, p, j] for t in truths) for truths in ((0, 1), (1 - p,))] for p in (0, 1) for j in (0, 1)]
    expected = wrong * (1 - wrong) / sum(np.sqrt(miss * (size - miss)) for size, miss in kinds) ** 2
    assert expected == pytest.approx(worth, abs=0.05)
    known = np.where(np.arange(len(rows)) % 2 == 0, rows[:, 0].astype(float), np.nan)
    pilot = hs.table(known, {"m": rows[:, 1]}, judge=rows[:, 2])
    few, many = (hs.plan_strata("accuracy", pilot=pilot, n=n).gain for n in (200, 20_000))
    assert 2 < few < many < expected * 1.005
    assert many == pytest.approx(expected, rel=0.07)
