"""Every JSON document names its schema, and follows it: results in Python, every verb, histories, slices."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import howsure as hs
from howsure.reports.writing import written
from reports.test_notebook import RESULTS
from support.command_line import as_json, run

SCHEMAS = {
    file.name.removesuffix(".schema.json"): json.loads(file.read_text(encoding="utf-8"))
    for file in (files("howsure") / "reports" / "schemas").iterdir()
    if file.name.endswith(".schema.json")
}
pytest_plugins = ("cli.conftest",)


def follows(document: Any) -> str:
    """Check a document against the schema that it names, and return the name."""
    house, name, version = document["schema"].split("/")
    assert house == "howsure"
    assert SCHEMAS[name]["$id"] == document["schema"]
    assert version.isdigit()
    jsonschema.Draft202012Validator(SCHEMAS[name]).validate(document)
    return str(name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["properties"]["schema"] == {"const": f"howsure/{name}/1"}
    assert SCHEMAS[name]["additionalProperties"] is False


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_follows_its_schema(name: str) -> None:
    made = RESULTS[name]()
    if hasattr(made, "to_json"):
        assert follows(json.loads(made.to_json())) in SCHEMAS
    if name != "estimate":  # which has no table
        assert follows(json.loads(made.write("json"))) in SCHEMAS


def test_every_verb_follows_its_schema(verbs: dict[str, list[object]]) -> None:
    found = {verb: follows(as_json(*call)) for verb, call in verbs.items()}
    assert set(found.values()) == {
        "report", "choice", "comparison", "gate", "curve", "calibration", "threshold-choice", "plan", "reconstruction",
        "bayes-tests", "posteriors", "cv-test", "split", "critical-value", "coverage", "metrics", "methods",
        "paper-map",
    }  # fmt: skip


def test_other_questions_follow_theirs(file: Path, tmp_path: Path) -> None:
    columns = [file, "--truth", "label", "--pos-label", "a", "--pred", "bert", "--pred", "svm"]
    assert follows(as_json("report", *columns, "--by", "site")) == "report"
    assert follows(as_json("compare", *columns, "--by", "site", "--model", "bert")) in ("comparison", "comparisons")
    assert follows(as_json("study", "jiang2020", "--replicates", 10)) == "paper"
    rates = ["--prevalence", 0.3, "--precision", 0.8, "--recall", 0.7]
    assert follows(as_json("plan", "f1", "--difference", 0.03, *rates, "--agreement", 0.9)) == "comparison-plan"
    clusters = ["--cluster-size", 5, "--icc", 0.1]
    assert follows(as_json("plan", "f1", "--half-width", 0.05, "--prevalence", 0.2, *clusters)) == "plan"
    history = tmp_path / "runs.jsonl"
    run("gate", *columns, "--model", "bert", "-m", "f1", "--at-least", 0.1, "--history", history, "--release", "v1")
    assert follows(json.loads(history.read_text(encoding="utf-8"))) == "history"


def test_several_models_are_one_document(scored: Path, tmp_path: Path) -> None:
    lines = scored.read_text(encoding="utf-8").splitlines()
    both = tmp_path / "both.csv"
    both.write_text("truth,bert,svm\n" + "\n".join(f"{line},{line.split(',')[1]}" for line in lines[1:]) + "\n")
    columns = [both, "--truth", "truth", "--score", "bert", "--score", "svm"]
    made = as_json("calibration", *columns)
    assert follows(made) == "calibrations"
    assert [row["model"] for row in made["rows"]] == ["bert", "svm"]
    chosen = ["threshold", *columns, "-m", "precision", "--at-least", 0.6]
    assert follows(as_json(*chosen)) == "threshold-choices"
    assert len(run(*chosen, "--format", "csv").stdout.strip().splitlines()) == 3
    text = run(*chosen, "-o", tmp_path / "both.txt")
    assert text.stdout == ""
    assert (tmp_path / "both.txt").read_text(encoding="utf-8").count("One-sided") == 2
    assert "name one with --model" in run("calibration", *columns, "--plot", tmp_path / "a.svg", code=2).output


def test_numbers_without_end_and_undefined_ones(tmp_path: Path) -> None:
    endless = hs.compare(hs.table([1, 1, 0, 0], {"a": [1, 1, 0, 0], "b": [1, 0, 1, 0]}), "odds_ratio")
    assert follows(json.loads(endless.to_json())) == "comparison"
    assert follows(json.loads(hs.estimate(hs.counts(tp=0, fp=0, fn=0), "f1").to_json())) == "estimate"
    grid = hs.table([1, 0], [1, 0]).per_class().write("grid")
    assert follows(json.loads(written(grid, "json"))) == "class-counts"


def test_rows_that_a_judge_labelled_too() -> None:
    truth = [k % 2 if k < 60 else None for k in range(200)]
    judged = [int((k % 2) ^ (k % 9 == 0)) for k in range(200)]
    models = {
        "a": [int((k % 2) ^ (k % 5 == 0)) for k in range(200)],
        "b": [int((k % 2) ^ (k % 4 == 0)) for k in range(200)],
    }
    table = hs.table(truth, models, judge=judged)
    report = json.loads(hs.report(table, ["f1", "accuracy"]).to_json())
    assert follows(report) == "report"
    assert report["rows"][0]["judge"]["gain"] > 0
    assert follows(json.loads(hs.estimate(table, "f1", model="a").to_json())) == "estimate"
    assert follows(json.loads(hs.compare(table, "f1").to_json())) == "comparison"


def test_several_runs_of_a_model() -> None:
    truth = [k % 2 for k in range(60)]
    runs = [[int((k % 2) ^ (k % step == 0)) for k in range(60)] for step in (5, 6, 7)]
    table = hs.table(truth, {"a": runs, "b": [1 - k % 2 if k % 3 == 0 else k % 2 for k in range(60)]})
    for made, kind in (
        (hs.report(table, ["f1"]), "report"), (hs.estimate(table, "f1", model="a"), "estimate"),
        (hs.compare(table, "f1"), "comparison"), (hs.compare_all(table, "f1"), "comparisons"),
    ):  # fmt: skip
        document = json.loads(made.to_json())
        assert follows(document) == kind
        assert "run_values" in json.dumps(document)


def test_several_tasks() -> None:
    truth = [k % 2 for k in range(40)]
    models = {
        "a": [int((k % 2) ^ (k % 5 == 0)) for k in range(40)],
        "b": [int((k % 2) ^ (k % 4 == 0)) for k in range(40)],
    }
    table = hs.tasks({"one": hs.table(truth, models), "two": hs.table(truth[::-1], models)})
    for made, kind in (
        (hs.report(table, ["f1"]), "report"), (hs.estimate(table, "f1", model="a"), "estimate"),
        (hs.compare(table, "f1"), "comparison"), (hs.compare_all(table, "f1"), "comparisons"),
    ):  # fmt: skip
        assert follows(json.loads(made.to_json())) == kind


def test_a_schema_refuses_what_is_wrong() -> None:
    good = json.loads(hs.gate(hs.counts(tp=7, fp=2, fn=3, tn=5), "f1", at_least=0.5).to_json())
    follows(good)
    for change in ({"level": 95}, {"schema": "howsure/gate/0"}, {"verdict": "perhaps"}, {"more": 1}, {"value": "high"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(SCHEMAS["gate"]).validate(good | change)
