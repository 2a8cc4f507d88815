"""howsure plan with a pilot of several runs: how many runs against how many rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import howsure as hs
from support.command_line import as_json, run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, hs.Table]:
    """Return a wide file and a long one of two models with four runs each, and their table."""
    rng, folder = np.random.default_rng(3), tmp_path_factory.mktemp("runs")
    truth = rng.integers(0, 2, 400)
    hard = rng.normal(size=400)
    said = {
        model: np.where(hard + rng.normal(size=(4, 400)) < right + rng.normal(0, 0.2, (4, 1)), truth, 1 - truth)
        for model, right in (("bert", 1.6), ("svm", 1.2))
    }
    columns = {f"{model}_{at}": one for model, each in said.items() for at, one in enumerate(each)}
    pl.DataFrame({"label": truth} | columns).write_csv(folder / "wide.csv")
    long = [
        pl.DataFrame({"model": model, "seed": at, "q": np.arange(400), "label": truth, "pred": one})
        for model, each in said.items() for at, one in enumerate(each)
    ]  # fmt: skip
    pl.concat(long).write_csv(folder / "long.csv")
    return folder / "wide.csv", folder / "long.csv", hs.table(truth, said)


BERT = ("--truth", "label", "--pred", "bert=bert_*")


def test_runs_and_rows_for_an_interval(files: tuple[Path, Path, hs.Table]) -> None:
    wide, _, table = files
    one = table.pick("bert")
    found = as_json("plan", "f1", "--pilot", wide, *BERT, "--half-width", 0.03, "--runs", 8)
    assert (found["runs"], found["n"]) == (8, hs.plan("f1", pilot=one, half_width=0.03, runs=8).n)
    priced = as_json(
        "plan", "f1", "--pilot", wide, *BERT, "--half-width", 0.03, "--cost-per-run", 500, "--cost-per-label", 2
    )
    expected = hs.plan("f1", pilot=one, half_width=0.03, cost={"run": 500, "row": 2})
    assert (priced["runs"], priced["n"], priced["price"]) == (expected.runs, expected.n, expected.price)
    bought = as_json(
        "plan", "f1", "--pilot", wide, *BERT, "--budget", 9000, "--cost-per-run", 500, "--cost-per-label", 2
    )
    assert bought["price"] <= 9000


def test_runs_and_rows_for_a_comparison_from_a_long_file(files: tuple[Path, Path, hs.Table]) -> None:
    _, long, table = files
    named = ("--model-column", "model", "--id", "q", "--truth", "label", "--pred", "pred", "--run", "seed")
    found = as_json("plan", "f1", "--pilot", long, *named, "--difference", 0.05, "--runs", 10)
    assert found["n"] == hs.plan_comparison("f1", pilot=table, difference=0.05, runs=10).n
    assert "10 runs" in run("plan", "f1", "--pilot", long, *named, "--difference", 0.05, "--runs", 10).output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--half-width", 0.05, "--accuracy", 0.8, "--runs", 3], "give --pilot a file with several runs"),
        (["--half-width", 0.05, "--accuracy", 0.8, "--run", "seed"], "--run does not go with a plan without --pilot"),
        (["--half-width", 0.05, "--accuracy", 0.8, "--cost-per-run", 3], "--cost-per-run goes with --cost-per-label"),
        (["--difference", 0.05, "--accuracy", 0.8, "--budget", 3], "--budget is 3.0; it weighs runs against rows"),
    ],
)
def test_what_is_refused(arguments: list[object], words: str) -> None:
    assert words in " ".join(run("plan", "accuracy", *arguments, code=2).output.split())
