"""An output never goes onto an input, nor two outputs into one file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from howsure.cli.app import howsure

TEXT = "id,truth,pred\n" + "".join(f"{place},{place % 2},{int(place % 4 == 1)}\n" for place in range(40))
CONLL = "EU B-ORG B-ORG\nrejects O O\n\nPeter B-PER O\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("preds.csv", "b.csv"):
        Path(name).write_text(TEXT)
    Path("tags.conll").write_text(CONLL)
    Path("m.csv").write_text("3,1\n1,3\n")
    os.symlink("preds.csv", "link.csv")
    os.link("preds.csv", "hard.csv")
    os.symlink("preds.csv", "page.svg")
    Path("sub").mkdir()
    os.symlink("../preds.csv", "sub/far.csv")
    return tmp_path


CASES = [
    "report preds.csv -o preds.csv",
    "report preds.csv -o ./sub/../preds.csv",
    "report preds.csv -o link.csv",
    "report preds.csv -o hard.csv",
    "report link.csv -o preds.csv",
    "report sub/far.csv -o preds.csv",
    "report preds.csv --html preds.csv",
    "report preds.csv --html link.csv",
    "report preds.csv --plot page.svg",
    "report preds.csv --plot-matrix page.svg",
    "report p*.csv -o preds.csv",
    "report sub -o preds.csv",
    "report preds.csv --by truth -o preds.csv",
    "compare preds.csv b.csv --id id -m accuracy -o b.csv",
    "gate preds.csv -m accuracy --at-least 0.5 -o preds.csv",
    "spans tags.conll -o tags.conll",
    "matrix m.csv --rows truth -o m.csv",
    "posterior preds.csv -m f1 -o preds.csv",
]


@pytest.mark.parametrize("line", CASES)
def test_refused(here: Path, line: str) -> None:
    before = {path: path.read_bytes() for path in here.iterdir() if path.is_file()}
    done = CliRunner().invoke(howsure, line.split())
    assert done.exit_code == 2, done.output
    assert "an output never goes onto its input; name another file" in done.output
    assert {path: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


def test_two_outputs_in_one_file(here: Path) -> None:
    done = CliRunner().invoke(howsure, ["report", "preds.csv", "-o", "new.txt", "--html", "sub/../new.txt"])
    assert done.exit_code == 2
    assert "--output and --html are both" in done.output
    assert not (here / "new.txt").exists()


def test_other_files_and_devices_are_written(here: Path) -> None:
    for line in ("report preds.csv -o new.txt", "report preds.csv -o new.txt", "report preds.csv -o /dev/null"):
        done = CliRunner().invoke(howsure, line.split())
        assert done.exit_code == 0, done.output
    assert "accuracy" in (here / "new.txt").read_text()


BEGINNINGS = {
    "html": "<!doctype html>",
    "json": "{",
    "csv": "metric,canonical,",
    "md": "Accuracy is ",
    "tex": "% needs",
    "txt": "Accuracy is ",
}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_says_the_form(here: Path, ending: str) -> None:
    done = CliRunner().invoke(howsure, ["counts", "85/100", "-o", f"new.{ending}"])
    assert done.exit_code == 0, done.output
    text = (here / f"new.{ending}").read_text()
    assert text.startswith(BEGINNINGS[ending]), text[:300]
    assert ("| metric |" in text) == (ending == "md")


def test_a_form_that_was_asked_for_stays(here: Path) -> None:
    done = CliRunner().invoke(howsure, ["counts", "85/100", "-o", "new.html", "--format", "text"])
    assert done.exit_code == 0, done.output
    assert (here / "new.html").read_text().startswith("Accuracy is 0.850")
