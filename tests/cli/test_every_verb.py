"""Every verb in every form, its figures, and files that are written whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import howsure as hs
from howsure.cli.app import VERBS
from support.command_line import CHECKS, COLUMNS, check_html, run

FORMATS = ("text", "json", "csv", "md", "latex", "html", "tex-macros")
PROBE = [
    "report", "counts", "matrix", "spans", "compare", "gate", "plan", "bayes", "posterior", "cvtest", "split",
    "critical", "study", "metrics", "methods", "reconstruct", "curve", "calibration", "threshold", "papers",
    "choose", "agreement", "rogan-gladen",
]  # fmt: skip
DRAWN = [
    "report",
    "counts",
    "matrix",
    "compare",
    "gate",
    "plan",
    "bayes",
    "posterior",
    "spans",
    "study",
    "curve",
    "calibration",
]


def test_no_verb_is_forgotten() -> None:
    assert set(VERBS) - set(PROBE) == {"demo", "serve"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("verb", PROBE)
def test_every_verb_in_every_form(verbs: dict[str, list[object]], tmp_path: Path, verb: str, form: str) -> None:
    done = run(*verbs[verb], "--format", form)
    assert len(done.stdout) > 20
    CHECKS.get(form, str)(done.stdout)
    target = tmp_path / "made"
    again = run(*verbs[verb], "--format", form, "-o", target)
    assert again.stdout == ""
    assert (f"wrote {target}" in again.stderr) == ("--quiet" not in verbs[verb])
    assert target.read_text(encoding="utf-8").rstrip("\n") == done.stdout.rstrip("\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_numbers_are_those_of_the_library(verbs: dict[str, list[object]]) -> None:
    made = json.loads(run(*verbs["counts"], "--format", "json").stdout)
    expected = hs.report(hs.counts(tp=77, fp=44, fn=10, tn=702))
    assert [(row["metric"], row["value"], row["low"], row["high"]) for row in made["rows"]] == [
        (row.metric, row.value, row.low, row.high) for row in expected
    ]
    (f1,) = [row for row in made["rows"] if row["metric"] == "f1"]
    assert f"{f1['value']:.3f} [{f1['low']:.3f}, {f1['high']:.3f}]" == "0.740 [0.668, 0.802]"  # mid-P of 77/131


@pytest.mark.parametrize("verb", DRAWN)
def test_figures(verbs: dict[str, list[object]], tmp_path: Path, verb: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "figure.svg"
    done = run(*verbs[verb], "--plot", path)
    assert f"wrote {path}" in done.stderr
    assert b"<svg" in path.read_bytes()


@pytest.mark.parametrize("verb", ["report", "counts", "matrix"])
def test_confusion_matrices(verbs: dict[str, list[object]], tmp_path: Path, verb: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "matrix.png"
    run(*verbs[verb], "--plot-matrix", path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_figures_of_a_study(verbs: dict[str, list[object]], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*verbs["study"], "--figures", tmp_path / "drawn")
    assert b"<svg" in (tmp_path / "drawn" / "coverage.svg").read_bytes()


def test_a_page_beside_the_text(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", file, "--pos-label", "a", "--html", page)
    assert "accuracy" in done.stdout
    check_html(page.read_text(encoding="utf-8"))


# --- files are written whole -------------------------------------------------------------------------------------


def test_a_file_is_not_left_half_written(file: Path, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "folder.txt"
    done = run("report", file, "--pos-label", "a", "-o", missing, code=2)
    assert "No such file or directory" in done.stderr
    assert not missing.exists()
    kept = tmp_path / "kept.txt"
    kept.write_text("before")
    run("report", file, "--pos-label", "a", "--metric", "nonsense", "-o", kept, code=2)
    assert kept.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("option", ["--output", "--html", "--plot"])
def test_a_full_disk_is_one_line(file: Path, tmp_path: Path, option: str) -> None:
    pytest.importorskip("matplotlib")
    link = tmp_path / "full.svg"
    link.symlink_to("/dev/full")
    done = run("report", file, *COLUMNS, "--pred", "bert", option, link, code=2)
    assert f"No space left on device: '{link}'" in done.stderr
    assert link.is_symlink()


@pytest.mark.parametrize("option", ["--output", "--html", "--plot"])
def test_stopping_while_writing_keeps_the_old_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    pytest.importorskip("matplotlib")
    old = tmp_path / "old.svg"
    old.write_text("before")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stopped)
    done = run("report", file, *COLUMNS, "--pred", "bert", option, old, code=130)
    assert "stopped" in done.stderr
    assert old.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_link_stays_a_link_and_rights_are_kept(verbs: dict[str, list[object]], tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("before")
    real.chmod(0o600)
    link.symlink_to(real)
    run(*verbs["counts"], "-o", link)
    assert link.is_symlink()
    assert "accuracy" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600


def test_output_to_nowhere_leaves_nowhere_as_it_is(verbs: dict[str, list[object]]) -> None:
    run(*verbs["counts"], "-o", "/dev/null")
    assert Path("/dev/null").is_char_device()
