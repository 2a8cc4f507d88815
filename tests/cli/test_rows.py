"""Values, sums per unit, long tables and label columns on the command line; counts typed bare."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from support.command_line import as_json, run, written


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """A long table: two models, six questions, two answers each."""
    right = {"old": [1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1]}
    rows = [(model, at // 2, at % 2, one) for model, held in right.items() for at, one in enumerate(held)]
    columns = dict(zip(("model", "question", "draw", "correct"), map(list, zip(*rows, strict=True)), strict=True))
    return written(tmp_path / "long.csv", **columns)


@pytest.fixture
def speech(tmp_path: Path) -> Path:
    errors, words = [1, 0, 2, 1, 3, 0, 1, 2], [12, 9, 20, 15, 17, 8, 11, 14]
    speaker = [1, 1, 2, 2, 3, 3, 4, 4]
    return written(tmp_path / "asr.csv", utterance=list(range(8)), speaker=speaker, errors=errors, words=words)


@pytest.fixture
def detections(tmp_path: Path) -> Path:
    columns = {"yolo_tp": [3, 1, 4, 2], "yolo_fp": [0, 1, 0, 1], "yolo_fn": [1, 0, 0, 1],
               "detr_tp": [3, 2, 4, 3], "detr_fp": [0, 0, 0, 1], "detr_fn": [1, 0, 0, 0]}  # fmt: skip
    return written(tmp_path / "det.csv", image=["a", "b", "c", "d"], **columns)


def test_values(tmp_path: Path) -> None:
    marks = [4, 5, 3, 5, 5, 2, 4, 5]
    path = written(
        tmp_path / "marks.csv", question=[1, 1, 2, 2, 3, 3, 4, 4], rubric=marks, other=[5] * 8, site=list("xyxyxyxy")
    )
    (row,) = as_json("report", path, "--value", "rubric", "--range", 1, 5)["rows"]
    direct = hs.estimate(hs.table(values=marks, range=(1, 5)), "mean")
    assert (row["metric"], row["low"]) == ("mean", pytest.approx(direct.low))
    grouped = as_json("report", path, "--value", "rubric", "--range", 1, 5, "--group", "question")["rows"][0]
    assert grouped["groups"] == 4
    found = as_json("compare", path, "--value", "rubric", "--value", "other", "--better", "lower")
    assert (found["metric"], found["difference"]) == ("mean", pytest.approx(5 - sum(marks) / 8))
    assert "gap between slices" in run("report", path, "--value", "rubric", "--range", 1, 5, "--by", "site").output
    assert run("gate", path, "--value", "rubric", "--range", 1, 5, "-m", "mean", "--at-least", 2).exit_code == 0
    refused = run("report", path, "--value", "rubric", "--truth", "site", code=2)
    assert "--truth does not go with values" in refused.output


def test_ids_that_recur_in_tasks_name_the_option(tmp_path: Path) -> None:
    """As --task and --run, in refusals and in notes; and what is advised serves."""
    rows = [(model, task, id, draw, int((id + draw + (model == "a")) % 3 > 0))
            for model in "ab" for task, size in (("sums", 12), ("words", 8)) for id in range(size)
            for draw in range(2)]  # fmt: skip
    names = ("model", "task", "id", "draw", "correct")
    base = ["--model-column", "model", "--id", "id", "--correct", "correct"]
    path = written(tmp_path / "twice.csv", **dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    once = [row for row in rows if not row[3]]
    single = written(tmp_path / "once.csv", **dict(zip(names, map(list, zip(*once, strict=True)), strict=True)))
    for verb in ("report", "compare"):
        for more in ([], ["--run", "draw"]):
            refused = " ".join(run(verb, path, *base, *more, code=2).output.split())
            assert "if each 'task' is a task of its own, say --task task; else make ids unique" in refused
            assert run(verb, path, *base, *more, "--task", "task").exit_code == 0
        noted = " ".join(run(verb, single, *base, "--verbose").output.split())
        assert "say --task task; if it is a training run or a prompt, --run task" in noted


def test_long_tables(answers: Path) -> None:
    base = ["compare", answers, "--model-column", "model", "--id", "question"]
    found = as_json(*base, "--correct", "correct")
    assert found["metric"] == "accuracy"
    assert (found["value_a"], found["value_b"]) == (pytest.approx(0.5), pytest.approx(10 / 12))
    assert found["groups"] == 6
    assert as_json(*base, "--value", "correct", "--range", 0, 1)["metric"] == "mean"
    assert "column 'draw'" in run(*base, "--correct", "correct").stderr


def test_sums_per_unit(speech: Path, detections: Path) -> None:
    asked = ["--unit", "utterance", "--sum", "errors", "--sum", "words", "-m", "errors/words"]
    row = as_json("report", speech, *asked, "--group", "speaker")["rows"][0]
    assert (row["method"], row["value"], row["groups"]) == ("log-t", pytest.approx(10 / 106), 4)
    rows = as_json("counts", detections, "--unit", "image")["rows"]
    assert [(one["model"], one["metric"]) for one in rows[:4]] == [
        ("yolo", "precision"), ("yolo", "recall"), ("yolo", "f1"), ("yolo", "per_unit_f1"),
    ]  # fmt: skip
    found = as_json("compare", detections, "--unit", "image", "--sum", "tp", "--sum", "fp", "--sum", "fn")
    assert found["metric"] == "f1"
    assert "--unit names a column of FILE" in run("counts", 1, 2, 3, "--unit", "image", code=2).output
    assert "--group goes with --unit" in run("counts", detections, "--group", "image", code=2).output


def test_several_labels(tmp_path: Path) -> None:
    path = written(tmp_path / "sets.csv", a_gold=[1, 0, 1], b_gold=[0, 1, 1], a_net=[1, 0, 0], b_net=[0, 1, 1],
                   gold=["a", "b", "a;b"], net=["a", "b", "b"])  # fmt: skip
    columns = as_json("report", path, "--truth", "*_gold", "--pred", "*_net", "-m", "micro_f1")["rows"][0]
    cells = as_json("report", path, "--truth", "gold", "--pred", "net", "--separator", ";", "-m", "micro_f1")["rows"][0]
    assert columns["value"] == cells["value"] == pytest.approx(6 / 7)


def test_counts_typed_bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = as_json("counts", 77, 44, 10, 702, "-m", "f1")["rows"]
    named = as_json("counts", "--tp", 77, "--fp", 44, "--fn", 10, "--tn", 702, "-m", "f1")["rows"]
    assert bare == named
    assert as_json("counts", 77, 44, 10, "-m", "f1")["rows"][0]["value"] == pytest.approx(154 / 208)
    assert "2 counts are given" in run("counts", 77, 44, code=2).output
    assert "do not go with --tp" in run("counts", 77, 44, 10, "--tp", 3, code=2).output
    (tmp_path / "77").write_text("tp,fp,fn\n1,2,3\n")
    monkeypatch.chdir(tmp_path)
    assert as_json("counts", "./77", "-m", "f1")["rows"][0]["value"] == pytest.approx(2 / 7)


@pytest.mark.parametrize("name", ["gt", "outcome", "diagnosis", "human"])
def test_names_of_the_truth(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", **{name: [1, 0, 1, 0], "svm": [1, 0, 0, 0]})
    assert f"truth is '{name}'" in run("report", path).output
