"""Truth of several annotators: majority with ties, the mean annotator, annotators beside the models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from support.command_line import run

RNG = np.random.default_rng(29)
N = 240
TRUE = RNG.integers(0, 3, N)


def seen(share: float) -> Any:
    """Return labels that are right in a share of the rows."""
    return np.where(RNG.random(N) < share, TRUE, RNG.integers(0, 3, N))


PEOPLE = {"ann": seen(0.85), "bob": seen(0.8), "eva": seen(0.75)}
MODELS = {"bert": seen(0.7), "svm": seen(0.6)}
METRICS = ("accuracy", "macro_f1", "mcc", "kappa", "recall[1]")


# --- majority -----------------------------------------------------------------------------------------------------


def by_votes(row: int, people: dict[str, Any]) -> list[int]:
    votes = [int(column[row]) for column in people.values() if column[row] is not None]
    most = max(votes.count(one) for one in votes)
    return sorted({one for one in votes if votes.count(one) == most})


def test_majority_with_ties_in_parts() -> None:
    table = hs.table(PEOPLE, MODELS)
    winners = [by_votes(row, PEOPLE) for row in range(N)]
    tied = sum(len(one) > 1 for one in winners)
    assert table.n == N
    right = np.mean([(MODELS["bert"][row] in one) / len(one) for row, one in enumerate(winners)])
    assert hs.estimate(table, "accuracy", model="bert").value == pytest.approx(right)
    assert f"{tied} of {N} rows have no majority" in table.notes[0]
    matrix = np.zeros((3, 3))
    for row, one in enumerate(winners):
        for label in one:
            matrix[label, MODELS["svm"][row]] += 1 / len(one)
    assert table.matrix("svm") == pytest.approx(matrix)


def test_ties_that_are_left_out() -> None:
    table = hs.table(PEOPLE, MODELS, ties="drop")
    clear = [row for row in range(N) if len(by_votes(row, PEOPLE)) == 1]
    truth = [by_votes(row, PEOPLE)[0] for row in clear]
    direct = hs.table(truth, {name: column[clear] for name, column in MODELS.items()})
    assert table.n == len(clear)
    for metric in METRICS:
        one, other = (hs.estimate(made, metric, model="svm") for made in (table, direct))
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_without_ties_it_is_a_plain_table() -> None:
    same = {"a": TRUE, "b": TRUE, "c": seen(0.5)}
    table, direct = hs.table(same, MODELS, groups=np.arange(N) // 4), hs.table(TRUE, MODELS, groups=np.arange(N) // 4)
    assert table.notes == ()
    assert hs.estimate(table, "macro_f1", model="svm").same(hs.estimate(direct, "macro_f1", model="svm"))
    weighted = hs.table(same, MODELS, sample_weight=np.arange(1, N + 1))
    assert weighted.design.total == N * (N + 1) / 2


def test_gaps_and_text() -> None:
    people = {"a": ["x", None, "y", "z"], "b": ["x", "y", None, "y"], "c": [None, "y", "x", "z"]}
    table = hs.table(people, ["x", "y", "x", "z"])
    assert hs.estimate(table, "accuracy").value == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert table.labels == ("x", "y", "z")
    assert not table.ordered
    two = hs.table({"a": [1, 0, 1, 0], "b": [1, 0, 0, 0]}, [1, 0, 1, 0])
    assert two.pos_label == 1


def test_the_error_of_a_tie_is_that_of_breaking_it_by_lot() -> None:
    """Never shorter than the exact one, of a row whose influence is the mean over its labels; longer by a little."""
    table = hs.table(PEOPLE, {"bert": MODELS["bert"]})
    winners = [by_votes(row, PEOPLE) for row in range(N)]
    each = np.array([(MODELS["bert"][row] in one) / len(one) for row, one in enumerate(winners)])
    exact = each.std() / np.sqrt(N)
    found = hs.estimate(table, "accuracy", method="wald").se
    assert exact <= found <= 1.05 * exact


# --- the mean annotator -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
def test_the_mean_annotator(metric: str) -> None:
    table = hs.table(PEOPLE, MODELS, consensus="mean")
    for model, column in MODELS.items():
        each = [hs.estimate(hs.table(truth, column), metric).value for truth in PEOPLE.values()]
        assert hs.estimate(table, metric, model=model).value == pytest.approx(np.mean(each))


def test_its_error_is_that_of_a_mean_over_rows() -> None:
    found = hs.estimate(hs.table(PEOPLE, MODELS, consensus="mean"), "accuracy", model="bert", method="wald")
    each = np.mean([MODELS["bert"] == truth for truth in PEOPLE.values()], axis=0)
    assert found.se == pytest.approx(each.std() / np.sqrt(N))
    first, second = (np.mean([column == truth for truth in PEOPLE.values()], axis=0) for column in MODELS.values())
    pair = hs.compare(hs.table(PEOPLE, MODELS, consensus="mean"), "accuracy", method="wald")
    assert pair.difference == pytest.approx((second - first).mean())
    assert pair.se == pytest.approx((second - first).std() / np.sqrt(N))


@pytest.mark.parametrize("metric", ["accuracy", "kappa", "mcc"])
@pytest.mark.parametrize("choice", ["random", "fixed"])
def test_annotators_are_runs_of_the_other_side(metric: str, choice: Any) -> None:
    """These metrics do not know which column is the truth: annotators of one model are runs of one annotator."""
    column = MODELS["bert"]
    truth_side = hs.table(PEOPLE, {"m": column}, consensus="mean", annotators=choice)
    other_side = hs.table(column, {"m": PEOPLE}, runs=choice)
    one, other = hs.estimate(truth_side, metric), hs.estimate(other_side, metric)
    assert (one.value, one.se, one.low, one.high) == pytest.approx((other.value, other.se, other.low, other.high))


@pytest.mark.parametrize("consensus", ["mean", "others"])
@pytest.mark.parametrize("metric", METRICS)
def test_influences_by_differences(consensus: Any, metric: str) -> None:
    table = hs.table(PEOPLE, MODELS, consensus=consensus)
    linear = linearise(table, named(metric), "bert")
    weights = table.design.weights
    for row in (0, 5, len(weights) - 1):
        sides = np.stack([weights, weights])
        sides[:, row] += [1e-4, -1e-4]
        ahead, behind = linear.contents.values_at(linear, sides)
        assert linear.influence[row] == pytest.approx((ahead - behind) / 2e-4 * table.n, rel=1e-5, abs=1e-7)


# --- annotators beside the models ---------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
def test_each_annotator_against_the_others(metric: str) -> None:
    table = hs.table(PEOPLE, MODELS, consensus="others")
    assert table.models == ("annotator", "bert", "svm")
    people, models = [], []
    for name, column in PEOPLE.items():
        others = {other: labels for other, labels in PEOPLE.items() if other != name}
        direct = hs.table(others, {"person": column, "bert": MODELS["bert"]})  # ties in parts
        people.append(hs.estimate(direct, metric, model="person").value)
        models.append(hs.estimate(direct, metric, model="bert").value)
    assert hs.estimate(table, metric, model="annotator").value == pytest.approx(np.mean(people))
    assert hs.estimate(table, metric, model="bert").value == pytest.approx(np.mean(models))


def test_is_the_model_as_good_as_a_person() -> None:
    table = hs.table(PEOPLE, MODELS, consensus="others")
    found = hs.compare(table, "accuracy", a="annotator", b="svm")
    assert found.high < 0
    assert "annotator is better than svm" in found.sentence
    wide = hs.compare(
        hs.table(PEOPLE, MODELS, consensus="others", annotators="random"), "accuracy", a="annotator", b="svm"
    )
    assert wide.difference == pytest.approx(found.difference)
    assert wide.high - wide.low > found.high - found.low
    assert "3 annotators" in " ".join(wide.notes)
    assert not any("training set" in note for note in wide.notes)
    page = str(hs.page(table))
    assert "annotator" in page
    assert [row.model for row in hs.report(table, "accuracy")] == ["annotator", "bert", "svm"]


def test_tables_of_annotators_go_on_like_others() -> None:
    table = hs.table(PEOPLE, MODELS, consensus="mean", groups=np.arange(N) // 6)
    assert table.n_groups == 40
    halves = [
        hs.table(
            {name: column[part] for name, column in PEOPLE.items()},
            {name: column[part] for name, column in MODELS.items()}, consensus="mean",
        )
        for part in (slice(0, 100), slice(100, N))
    ]  # fmt: skip
    whole = hs.estimate(hs.table(PEOPLE, MODELS, consensus="mean"), "macro_f1", model="svm")
    assert hs.estimate(halves[0] + halves[1], "macro_f1", model="svm").value == pytest.approx(whole.value)
    renamed = table.relabel({0: "no", 1: "yes", 2: "yes"})
    each = [np.mean((truth > 0) == (MODELS["bert"] > 0)) for truth in PEOPLE.values()]
    assert hs.estimate(renamed, "accuracy", model="bert").value == pytest.approx(np.mean(each))
    assert hs.report(table, joint=True).joint
    resampled = hs.estimate(table, "accuracy", model="bert", method=hs.Bootstrap(n_resamples=300, kind="percentile"))
    assert resampled.low < whole.value + 0.3


# --- doors --------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "annotated.csv"
    pl.DataFrame({**PEOPLE, **MODELS, "doc": np.arange(N) // 4}).write_csv(path)
    return path


@pytest.mark.parametrize("consensus", ["majority", "mean", "others"])
def test_files_and_frames(file: Path, consensus: Any) -> None:
    direct = hs.table(PEOPLE, MODELS, consensus=consensus, groups=np.arange(N) // 4)
    wanted: dict[str, Any] = {"truth": list(PEOPLE), "predictions": list(MODELS), "group": "doc"}
    for source in (file, pl.read_csv(file)):
        read = hs.read(source, **wanted, consensus=consensus)
        one, other = (hs.estimate(made, "macro_f1", model="svm") for made in (read, direct))
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
        assert read.design.grouped_by == "doc"


def test_the_command_line(file: Path) -> None:
    asked = ["report", file, *(part for name in PEOPLE for part in ("--annotator", name)), "--pred", "bert"]
    asked += ["-m", "accuracy", "--format", "json"]
    made = json.loads(run(*asked, "--consensus", "others", "--annotators", "random").stdout)["rows"]
    direct = hs.table(PEOPLE, {"bert": MODELS["bert"]}, consensus="others", annotators="random")
    assert [row["value"] for row in made] == pytest.approx([row.value for row in hs.report(direct, "accuracy")])
    dropped = json.loads(run(*asked, "--ties", "drop").stdout)["rows"]
    assert dropped[0]["n"] == hs.table(PEOPLE, MODELS, ties="drop").n
    assert "--annotator does not go with --truth" in run(*asked, "--truth", "ann", code=2).stderr
    lonely = run("report", file, "--truth", "ann", "--pred", "bert", "--ties", "drop", code=2)
    assert "--ties goes with --annotator" in lonely.stderr


@pytest.mark.parametrize(
    ("truth", "asked", "words"),
    [
        (PEOPLE, {"consensus": "median"}, "consensus is 'median'"),
        (PEOPLE, {"ties": "first"}, "ties is 'first'"),
        (PEOPLE, {"annotators": "some"}, "annotators is 'some'"),
        ({"ann": TRUE}, {}, "y_true holds 1 annotator"),
        ({"ann": TRUE, "bob": TRUE}, {"consensus": "others"}, "needs 3 or more"),
        ({**PEOPLE, "ida": [None, *TRUE[1:].tolist()]}, {"consensus": "mean"}, "no label of annotator 'ida' in 1 row"),
        (
            {"ann": [None, *TRUE[1:].tolist()], "bob": [None, *TRUE[1:].tolist()]},
            {},
            "1 row that no annotator labelled",
        ),
        ({"ann": [0] * N, "bob": [1] * N}, {"ties": "drop"}, "every row ties"),
        (PEOPLE, {"judge": TRUE}, "judge is given beside several annotators"),
        (TRUE, {"consensus": "mean"}, "consensus is for several annotators"),
        ({"bert": TRUE, "bob": TRUE}, {}, "which is the name of an annotator"),
    ],
)
def test_refusals(truth: Any, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.InputError, match=words):
        hs.table(truth, MODELS, **asked)


def test_refusals_of_files(file: Path) -> None:
    with pytest.raises(hs.InputError, match="predictions is missing"):
        hs.read(file, truth=list(PEOPLE))
    with pytest.raises(hs.InputError, match="it is for several annotators"):
        hs.read(file, truth="ann", predictions="bert", consensus="mean")
    with pytest.raises(hs.InputError, match="truth names the column 'ans'"):
        hs.read(file, truth=["ann", "ans"], predictions="bert")
    with pytest.raises(hs.InputError, match="judge is 'eva' beside several"):
        hs.read(file, truth=["ann", "bob"], predictions="bert", judge="eva")


def test_real_annotators(shared_data: Path) -> None:
    """README of judge-pandalm: against the majority pandalm7b has 0.668; JUDGES, section 7: .660, .652, .670 by one."""
    path = shared_data / "judge-pandalm" / "judgments.csv"
    people = ["annotator1", "annotator2", "annotator3"]
    majority = hs.read(path, truth=people, predictions=["pandalm7b"])
    assert hs.estimate(majority, "accuracy").value == pytest.approx(0.668, abs=5e-4)
    assert majority.notes == ()  # every row has a majority
    mean = hs.estimate(hs.read(path, truth=people, predictions=["pandalm7b"], consensus="mean"), "accuracy")
    assert mean.value == pytest.approx((0.660 + 0.652 + 0.670) / 3, abs=5e-4)
