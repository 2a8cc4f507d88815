"""howsure gate --history: runs are kept with file and hash, and compared with the last release row by row."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from howsure.cli.app import howsure as app

ASKED = ["-m", "accuracy", "--at-least", "0.5", "--history", "runs.jsonl"]


def write(path: str, right: int) -> None:
    rows = [f"{row},{row % 2},{row % 2 if row < right else 1 - row % 2}" for row in range(200)]
    Path(path).write_text("id,truth,pred\n" + "\n".join(rows) + "\n", encoding="utf-8")


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["gate", *arguments, *ASKED])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("one.csv", 150)
    write("two.csv", 190)


def runs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("runs.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_release_is_compared_row_by_row() -> None:
    first = gate("one.csv", "--id", "id", "--release", "v1")
    assert first.exit_code == 0
    assert "no release" not in first.stderr
    second = gate("two.csv", "--id", "id")
    assert "last release: v1, accuracy 0.750" in second.stderr
    assert "now − release = +0.200" in second.stderr
    kept = runs()
    assert [one["release"] for one in kept] == ["v1", None]
    assert [one["schema"] for one in kept] == ["howsure/history/1"] * 2
    assert kept[1]["files"] == [{"path": "two.csv", "sha256": hashlib.sha256(Path("two.csv").read_bytes()).hexdigest()}]
    assert kept[1]["gate"]["value"] == pytest.approx(0.95)


def test_one_of_several_columns_is_compared_with_itself() -> None:
    for name, right in (("first.csv", 150), ("second.csv", 190)):
        rows = [f"{at},{at % 2},{at % 2 if at < right else 1 - at % 2},{at % 3 % 2}" for at in range(200)]
        Path(name).write_text("id,truth,bert,svm\n" + "\n".join(rows) + "\n", encoding="utf-8")
    asked = ["--truth", "truth", "--pred", "bert", "--id", "id"]
    gate("first.csv", *asked, "--release", "v1")
    assert "accuracy: now − release = +0.200" in gate("second.csv", *asked).stderr
    Path("third.csv").write_text("id,truth,other\n" + "".join(f"{at},{at % 2},{at % 2}\n" for at in range(200)))
    renamed = ["--truth", "truth", "--pred", "other", "--id", "id"]
    assert "accuracy: now − release = +0.250" in gate("third.csv", *renamed).stderr
    Path("fourth.csv").write_text("id,truth,other\n" + "".join(f"x{at},{at % 2},{at % 2}\n" for at in range(200)))
    found = gate("fourth.csv", *renamed)
    assert "it cannot be compared row by row:" in found.stderr
    assert found.exit_code == 0
    assert len(runs()) == 4


def test_a_release_without_a_value() -> None:
    Path("none.csv").write_text("id,truth,pred\n" + "".join(f"{at},0,0\n" for at in range(20)), encoding="utf-8")
    asked = ["gate", "none.csv", "-m", "f1", "--pos-label", "1", "--at-least", "0.5", "--history", "runs.jsonl"]
    asked += ["--labels", "0,1", "--id", "id"]
    assert CliRunner().invoke(app, [*asked, "--release", "v1"]).exit_code == 1
    assert "last release: v1, f1 undefined" in CliRunner().invoke(app, asked).stderr


def test_what_cannot_be_paired_is_said() -> None:
    assert "no release in the history yet" in gate("one.csv").stderr
    Path("runs.jsonl").unlink()
    gate("one.csv", "--id", "id", "--release", "v1")
    assert "rows have no --id" in gate("two.csv").stderr
    assert gate("two.csv", "--quiet").stderr == ""
    write("one.csv", 140)
    assert "another hash" in gate("two.csv", "--id", "id").stderr
    Path("one.csv").unlink()
    assert "not there any more" in gate("two.csv", "--id", "id").stderr
    assert len(runs()) == 5


def test_a_file_that_is_no_history_is_refused() -> None:
    Path("runs.jsonl").write_text("nothing\n")
    found = gate("one.csv")
    assert found.exit_code == 2
    assert "line 1 of runs.jsonl" in found.output
    assert CliRunner().invoke(app, ["gate", "one.csv", *ASKED[:4], "--release", "v1"]).exit_code == 2
