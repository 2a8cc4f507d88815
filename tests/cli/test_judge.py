"""--judge: few labels of people beside many of a judge, in report, compare, gate and slices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from support.command_line import as_json, run, written


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    truth = (rng.random(500) < 0.4).astype(int)
    old, new, judge = (np.where(rng.random(500) < right, truth, 1 - truth).tolist() for right in (0.75, 0.85, 0.92))
    human = ["" if row >= 80 else str(one) for row, one in enumerate(truth.tolist())]
    site, doc = ["x", "y"] * 250, [row // 5 for row in range(500)]
    return written(tmp_path / "answers.csv", human=human, gpt4=judge, site=site, doc=doc, old=old, new=new)


ASK = ("--truth", "human", "--judge", "gpt4")


def test_report(answers: Path) -> None:
    shown = run("report", answers, *ASK, "--pred", "new", "-m", "f1").stdout
    assert "people alone" in shown
    assert "80 human labels and 500 judged rows" in shown
    (row,) = as_json("report", answers, *ASK, "--pred", "new", "-m", "f1")["rows"]
    expected = hs.estimate(hs.read(answers, truth="human", predictions="new", judge="gpt4"), "f1")
    assert row["value"] == expected.value
    assert row["judge"]["gain"] == expected.gain
    assert row["judge"]["gain"] > 1.2
    assert expected.human is not None
    assert row["judge"]["human"]["low"] == expected.human.low


def test_page(answers: Path, tmp_path: Path) -> None:
    run("report", answers, *ASK, "--pred", "new", "--pred", "old", "--html", tmp_path / "out.html")
    assert "Label next" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_compare_and_slices(answers: Path) -> None:
    shown = run("compare", answers, *ASK, "--pred", "old", "--pred", "new", "--metric", "f1").stdout
    assert "with the judge" in shown
    rows = as_json("report", answers, *ASK, "--pred", "new", "-m", "accuracy", "--by", "site")["rows"]
    assert {row["slice"] for row in rows} == {"x", "y"}
    assert all(row["judge"]["judged"] == 250 for row in rows)
    (grouped,) = as_json("report", answers, *ASK, "--pred", "new", "-m", "accuracy", "--group", "doc")["rows"]
    assert grouped["groups"] == 16


def test_gate_says_when_the_judge_decided_it(answers: Path) -> None:
    made = hs.read(answers, truth="human", predictions="new", judge="gpt4")
    both = hs.gate(made, "accuracy", at_least=0.5)
    bounds = both.low, hs.gate(made, "accuracy", at_least=0.5, judge="ignore").low
    assert bounds[0] > bounds[1]
    between = sum(bounds) / 2
    shown = run("gate", answers, *ASK, "--pred", "new", "--metric", "accuracy", "--at-least", between).stdout
    assert shown.startswith("PASS")
    assert "on people's labels alone this gate would be inconclusive" in " ".join(shown.split())


def test_refusals(answers: Path) -> None:
    done = run("report", answers, "--truth", "human", "--judge", "gpt5", "--pred", "new", code=2)
    assert "'gpt5'" in done.output
    done = run("report", answers, "--truth", "human", "--judge", "new", "--pred", "new", code=2)
    assert "column of its own" in done.output
    done = run("report", answers, "--truth", "human", "--pred", "new", code=2)
    assert "human" in done.output
