"""compare and gate: two models, many, subgroups, margins; verdicts are exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from support.command_line import COLUMNS, TRUTH, X, Y, Z, as_json, run, written

TWO = [*COLUMNS, "--pred", "bert", "--pred", "svm", "-m", "f1"]


def made(*arguments: object) -> Any:
    return as_json("compare", *arguments)


@pytest.fixture
def table() -> hs.Table:
    return hs.table(TRUTH, {"bert": X, "svm": Y}, pos_label="a")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    return written(tmp_path / "three.csv", label=TRUTH, bert=X, svm=Y, rule=Z)


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--ratio"], {"kind": "ratio"}),
        (["--margin", 0.1], {"margin": 0.1}),
        (["--margin", 0.1, "--alternative", "greater"], {"margin": 0.1, "alternative": "greater"}),
        (["--margin", 0, "--alternative", "greater"], {"margin": 0.0, "alternative": "greater"}),
        (["--rope", 0.05], {"rope": 0.05}),
        (["--single", "wald"], {"single": "wald"}),
        (["--method", "wald", "--level", 0.9], {"method": "wald", "level": 0.9}),
        (["--method", "bayes", "--prior", 1], {"method": hs.Bayes(prior=1.0)}),
    ],
)
def test_every_question_about_two(
    file: Path, table: hs.Table, options: list[object], asked: dict[str, Any]
) -> None:  # fmt: skip
    found, expected = made(file, *TWO, *options), hs.compare(table, "f1", a="bert", b="svm", **asked)
    assert (found["low"], found["high"], found["verdict"]) == (expected.low, expected.high, expected.verdict)


def test_single_goes_with_mover_alone(file: Path, three: Path) -> None:
    for source, more in ((file, TWO), (three, [*COLUMNS, "-m", "f1"])):
        stderr = run("compare", source, *more, "--method", "wald", "--single", "exact", code=2).stderr
        told = (
            "--single is 'exact', but method is 'wald': only 'mover' joins the limits of single models; leave --single"
        )
        assert told in " ".join(stderr.split())


def test_each_with_the_best(three: Path) -> None:
    found = made(three, *COLUMNS, "-m", "f1", "--versus", "best")
    models = {"bert": X, "svm": Y, "rule": Z}
    expected = hs.compare_all(hs.table(TRUTH, models, pos_label="a"), "f1", versus="best")
    assert [row["high"] for row in found["rows"]] == [row.high for row in expected]


def test_subgroups(file: Path) -> None:
    found = made(file, *COLUMNS, "--pred", "bert", "-m", "f1", "--by", "site", "--baseline", "north")
    (row,) = found["rows"]
    assert (row["a"], row["b"], row["difference"], row["paired"]) == ("north", "south", 0.0, False)
    text = run("compare", file, *COLUMNS, "--pred", "bert", "-m", "f1", "--by", "site").stdout
    assert "north and south are not told apart in F1" in text
    assert "the same for" not in text


def test_options_without_use_are_refused(file: Path, three: Path) -> None:
    done = run("compare", file, *TWO, "--adjust", "holm", code=2)
    assert "--adjust does not go with two models" in done.stderr
    done = run("compare", three, *COLUMNS, "-m", "f1", "--rope", 0, code=2)
    assert "--rope does not go with 3 models; name two with --pred" in done.stderr
    done = run("compare", file, *TWO, "--by", "site", "--margin", 0.1, code=2)
    assert "--margin does not go with --by" in done.stderr


def test_a_seed_reaches_the_bootstrap(file: Path) -> None:
    lows = [made(file, *TWO, "--method", "bootstrap", "--seed", seed)["low"] for seed in (1, 1, 2)]
    assert lows[0] == lows[1] != lows[2]


# --- gates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "verdict", "code"), [(0.2, "pass", 0), (0.95, "fail", 1), (0.78, "inconclusive", 3)]
)
def test_a_gate_exits_with_its_verdict(file: Path, threshold: float, verdict: str, code: int) -> None:
    columns = [*COLUMNS, "--pred", "bert", "--metric", "f1"]
    done = run("gate", file, *columns, "--at-least", threshold, code=code)
    assert done.stdout.startswith(f"{verdict.upper()}  F1 of bert is 0.800")
    assert f" {threshold:g}." in done.stdout
    assert done.stdout.endswith(f"Exit code {code}.\n")
    found = run("gate", file, *columns, "--at-least", threshold, "--format", "json", code=code).stdout
    assert f'"verdict": "{verdict}"' in found


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "give one of --at-least, --at-most, --baseline"),
        (["--at-least", 0.5, "--at-most", 0.6], "give one of --at-least, --at-most, --baseline"),
        (["--at-least", 80], "--at-least is 80.0, outside the range of 'f1'"),
        (
            ["--at-least", 0.5, "--margin", 0.1],
            "--margin is 0.1; it must be a finite number, and belongs to --baseline",
        ),
        (["--baseline", "brt"], "Did you mean 'bert'?"),
    ],
)
def test_questions_that_are_no_gate(file: Path, options: list[object], said: str) -> None:
    assert said in run("gate", file, *TWO, *options, code=2).stderr


def test_at_any_time(tmp_path: Path, three: Path) -> None:
    file = written(tmp_path / "two.csv", label=TRUTH * 5, bert=X * 5, svm=Y * 5)
    table = hs.table(TRUTH * 5, {"bert": X * 5, "svm": Y * 5}, pos_label="a")
    for metric in ("accuracy", "f1"):
        found = made(file, *COLUMNS, "--pred", "bert", "--pred", "svm", "-m", metric, "--anytime")
        own = hs.compare(table, metric, a="bert", b="svm", anytime=True)
        assert (found["low"], found["high"], found["p_value"]) == (own.low, own.high, own.p_value)
        assert found["meaning"] == "anytime"
    shown = run("compare", file, *TWO, "--anytime").output
    assert "95% interval at any time" in shown
    assert "approximate" in shown
    many = made(three, *COLUMNS, "--pred", "bert", "--pred", "svm", "--pred", "rule", "--anytime")
    assert {row["meaning"] for row in many["rows"]} == {"anytime"}
    page = tmp_path / "page.html"
    run("compare", file, *TWO, "--anytime", "--html", page)
    assert "95% intervals at any time" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("more", [["--unpaired"], ["--by", "svm"]])
def test_at_any_time_is_for_models_on_the_same_rows(tmp_path: Path, more: list[str]) -> None:
    file = written(tmp_path / "two.csv", label=TRUTH, bert=X, svm=Y)
    found = run("compare", file, file, *COLUMNS, "--pred", "bert", "--anytime", *more, code=2)
    assert "--anytime does not go with" in found.output


def test_a_gate_at_any_time(tmp_path: Path) -> None:
    file = written(tmp_path / "two.csv", label=TRUTH * 5, bert=X * 5, svm=Y * 5)
    asked = ["gate", file, *COLUMNS, "--pred", "bert", "-m", "accuracy", "--at-least", 0.1, "--anytime"]
    assert "bounds at any time" in run(*asked).output
    found = as_json(*asked)
    assert (found["verdict"], found["meaning"], found["method"]) == ("pass", "anytime", "anytime-beta")
