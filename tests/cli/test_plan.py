"""howsure plan …: the same numbers as the functions, every form, and refusals with exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import howsure as hs
from howsure.cli.app import howsure


def run(*words: str) -> Result:
    return CliRunner().invoke(howsure, ["plan", *words])


def as_json(*words: str) -> dict[str, object]:
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


RATES = ("--prevalence", "0.3", "--precision", "0.8", "--recall", "0.7")


def test_worst_case() -> None:
    done = run("f0.5", "--half-width", "0.02", "--prevalence", "0.615")
    assert done.exit_code == 0
    assert done.output.startswith(
        "16,004 rows (about 9,843 positive) give f0.5 ±0.020 for any classifier with\n"
        "prevalence 0.615 (95% interval).\n"
    )
    assert max(map(len, done.output.splitlines())) <= 80
    found = as_json("f0.5", "--half-width", "0.02", "--prevalence", "0.615", "--bound", "sharp")
    assert found["n"] == hs.plan("f0.5", half_width=0.02, prevalence=0.615, bound="sharp").n


def test_expected_with_every_option() -> None:
    words = ("f1", "--half-width", "0.1", *RATES, "--method", "wald", "--assurance", "0.9", "--level", "0.9",
             "--cluster-size", "5", "--icc", "0.1", "--seed", "3")  # fmt: skip
    made = hs.plan(
        "f1", half_width=0.1, prevalence=0.3, precision=0.8, recall=0.7, method="wald", assurance=0.9, level=0.9,
        cluster_size=5, icc=0.1, seed=3,
    )  # fmt: skip
    found = as_json(*words)
    assert (found["n"], found["n_clusters"]) == (made.n, made.n_clusters)
    assert found["half_width"] == pytest.approx(made.half_width)


def test_comparison() -> None:
    found = as_json("f1", "--difference", "0.03", *RATES, "--agreement", "0.9", "--power", "0.9", "--comparisons", "3",
                    "--correlation", "0.5")  # fmt: skip
    made = hs.plan_comparison(
        "f1", difference=0.03, prevalence=0.3, precision=0.8, recall=0.7, agreement=0.9, power=0.9, comparisons=3,
        correlation=0.5,
    )  # fmt: skip
    assert found["n"] == made.n
    words = ("accuracy", "--compare", "--accuracy", "0.8", "--accuracy-b", "0.85", "--agreement", "0.85")
    assert as_json(*words)["n"] == 469
    unpaired = as_json("f1", "--difference", "0.03", *RATES, "--unpaired")
    assert unpaired["paired"] is False
    reverse = as_json("f1", "--compare", "--n", str(made.n), *RATES, "--agreement", "0.9")
    assert reverse["difference"] < 0.03


def test_strata() -> None:
    done = run("f1", "--strata", "--n", "500", "--predicted", "0.1", "--precision", "0.8", "--recall", "0.7")
    assert done.output.startswith("f1: 500 labels (363 predicted 0, 137 predicted 1)")


def test_pilot_file(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("truth,prediction\n" + "1,1\n" * 70 + "1,0\n" * 30 + "0,1\n" * 20 + "0,0\n" * 200)
    found = as_json("mcc", "--se", "0.03", "--pilot", str(path))
    assert found["n"] == hs.plan("mcc", se=0.03, pilot=[[200, 20], [30, 70]]).n


def test_how_many_more(tmp_path: Path) -> None:
    path = tmp_path / "so_far.csv"
    path.write_text("gold,ours,other\n" + "y,y,n\n" * 70 + "y,n,n\n" * 30 + "n,y,y\n" * 20 + "n,n,n\n" * 200)
    columns = ("--truth", "gold", "--pred", "ours", "--pos-label", "y")
    found = as_json("f1", "--half-width", "0.03", "--labelled", str(path), *columns)
    truth, ours = ["y"] * 100 + ["n"] * 220, ["y"] * 70 + ["n"] * 30 + ["y"] * 20 + ["n"] * 200
    made = hs.still_needed(hs.table(truth, ours, pos_label="y"), "f1", half_width=0.03)
    assert (found["n"], found["n_more"]) == (made.n, made.n_more)
    pilot = as_json("mcc", "--se", "0.03", "--pilot", str(path), *columns)
    assert pilot["n"] == hs.plan("mcc", se=0.03, pilot=[[200, 20], [30, 70]]).n
    done = run("f1", "--half-width", "0.03", "--labelled", str(path), *columns, "--prevalence", "0.1")
    assert "--prevalence does not go with --labelled" in done.output
    assert "--truth does not go with a plan without --pilot" in run("f1", "--se", "0.1", "--truth", "x").output


def test_forms_and_files(tmp_path: Path) -> None:
    words = ("f0.5", "--se", "0.01", "--prevalence", "0.615")
    assert "We plan 16,665 labelled rows" in run(*words, "--format", "md").output
    table = run(*words, "--format", "csv", "--curve", "100,400").output.splitlines()
    assert table[0] == "n,reached"
    first, second = (float(line.split(",")[1]) for line in table[1:])
    assert first == pytest.approx(2 * second)
    assert run(*words, "--curve", "100,400").output.splitlines()[-2].split() == ["100", "0.2530"]
    path = tmp_path / "plan.json"
    assert run(*words, "--format", "json", "--output", str(path)).exit_code == 0
    assert json.loads(path.read_text())["n"] == 16665


def test_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "plan.svg"
    assert run("f0.5", "--se", "0.01", "--prevalence", "0.615", "--plot", str(path)).exit_code == 0
    assert "<svg" in path.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("f1", "--half-width", "0.7", "--prevalence", "0.1"), "--half-width is 0.7; it must lie strictly between"),
        (("f1", "--prevalence", "0.1"), "give exactly one of --half-width, --se and --n"),
        (("f1", "--half-width", "0.1", "--agreement", "0.9", *RATES), "--agreement does not go with one model"),
        (("f1", "--difference", "0.1", "--assurance", "0.9", *RATES), "--assurance does not go with a comparison"),
        (("f1", "--difference", "0.1", "--power", "0.01", *RATES), "--power is 0.01, not above 1 − level"),
        (("f1", "--se", "0.1", "--prevalence", "0.1", "--curve", "1,x"), "'1,x' is not a list of whole numbers"),
        (("nonsense", "--se", "0.1"), "nonsense"),
        (("f1", "--half-width", "0.1", "--power", "0.9", *RATES), "--power does not go with one model; leave it out"),
        (("f1", "--half-width", "0.1", "--unpaired", *RATES), "--unpaired does not go with one model"),
        (("f1", "--half-width", "0.1", "--comparisons", "2", *RATES), "--comparisons does not go with one model"),
        (("f1", "--half-width", "0.1", "--correlation", "0.5", *RATES), "--correlation does not go with one model"),
        (("f1", "--difference", "0.1", "--bound", "sharp", *RATES), "--bound does not go with a comparison; leave it"),
        (("f1", "--difference", "0.1", "--strata", *RATES), "--strata does not go with a comparison"),
        (("f1", "--strata", "--n", "99", "--method", "wald", *RATES), "--method does not go with --strata"),
        (("f1", "--half-width", "0.1", "--prevalence", "0.1", "--method", "exact"), "for 'wald' alone; give the"),
        (("f1", "--difference", "0.1", "--unpaired", "--agreement", "0.9", *RATES), "--agreement is 0.9, but the plan"),
        (("f1", "--difference", "0.1", "--recall-b", "0.71", *RATES), "--difference is 0.1, but the performances of"),
    ],
)  # fmt: skip
def test_refusals_exit_with_two(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output


def test_looks_at_any_time() -> None:
    rates = ["--accuracy", "0.8", "--accuracy-b", "0.85", "--agreement", "0.85"]
    found = as_json("accuracy", "--compare", *rates, "--anytime")
    own = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85, anytime=True)
    assert (found["expected"], found["half_by"], found["n"]) == (own.expected, own.half_by, own.n)
    assert "shared rows on average" in run("accuracy", "--compare", *rates, "--anytime").output
    shown = run("accuracy", "--half-width", "0.05", "--accuracy", "0.85", "--anytime").output
    assert "95% interval at any time" in " ".join(shown.split())
    refused = run("f1", "--strata", "--half-width", "0.05", "--prevalence", "0.2", "--anytime")
    assert refused.exit_code == 2
    assert "--anytime does not go with --strata" in refused.output
