"""Several runs of a model on the command line: a column of runs, columns by a pattern, and what was sampled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from support.command_line import as_json, run, written

RNG = np.random.default_rng(6)
N = 80
TRUTH = RNG.integers(0, 2, N)
RUNS = {name: np.where(RNG.random((3, N)) < share, TRUTH, 1 - TRUTH) for name, share in (("bert", 0.9), ("svm", 0.7))}


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    columns = {f"{name}_{at}": block[at].tolist() for name, block in RUNS.items() for at in range(3)}
    return written(tmp_path / "wide.csv", label=TRUTH.tolist(), **columns)


@pytest.fixture
def long(tmp_path: Path) -> Path:
    rows = [(name, run, at, int(block[run, at] == TRUTH[at]))
            for name, block in RUNS.items() for run in range(3) for at in range(N)]  # fmt: skip
    columns = zip(("model", "seed", "question", "correct"), map(list, zip(*rows, strict=True)), strict=True)
    return written(tmp_path / "long.csv", **dict(columns))


def test_runs_by_pattern_and_by_column(wide: Path, long: Path) -> None:
    expected = hs.compare(hs.table(TRUTH, RUNS), "accuracy", "bert", "svm")
    by_pattern = ["compare", wide, "--truth", "label", "--pred", "bert=bert_*", "--pred", "svm=svm_*", "-m", "accuracy"]
    by_column = [
        "compare",
        long,
        "--model-column",
        "model",
        "--id",
        "question",
        "--correct",
        "correct",
        "--run",
        "seed",
    ]
    for asked in (by_pattern, by_column):
        found = as_json(*asked)
        assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high))
        assert (found["method"], found["runs"]) == ("crossed", [3, 3])
    text = run(*by_column).output
    assert "80 questions × 3 seeds, the same for both" in " ".join(text.split())


def test_runs_that_are_fixed_or_shared(wide: Path) -> None:
    base = ["compare", wide, "--truth", "label", "--pred", "bert=bert_*", "--pred", "svm=svm_*", "-m", "f1"]
    fixed, shared = as_json(*base, "--runs", "fixed"), as_json(*base, "--paired-runs")
    assert fixed["method"] == "mover"
    direct = hs.compare(hs.table(TRUTH, RUNS, paired_runs=True), "f1", "bert", "svm")
    assert shared["low"] == pytest.approx(direct.low)


def test_what_is_no_run_is_refused(wide: Path, long: Path) -> None:
    refused = run("report", wide, "--truth", "label", "--pred", "bert=none_*", code=2).output
    assert "which no column fits" in " ".join(refused.split())
    alone = run("report", wide, "--truth", "label", "--pred", "bert_0", "--runs", "fixed", code=2).output
    assert "every model has one column" in " ".join(alone.split())
    lonely = run("report", wide, "--truth", "label", "--pred", "bert_0", "--run", "bert_1", code=2).output
    assert "--run names the column of runs of a long table" in " ".join(lonely.split())
