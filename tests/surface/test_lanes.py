"""The lanes of the Makefile: a killed one goes on with what is left; the summary counts what the project promises."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.resuming import state

TESTS = Path(__file__).resolve().parents[1]
KEPT = "build/kept.txt"
# The second test is killed with the lane, unless it is told that it was.
SUITE = {
    "hard_use/test_end.py": """
        import os, signal
        def test_before(): pass
        def test_killed():
            if "KILLED" not in os.environ:
                os.kill(os.getpid(), signal.SIGKILL)
    """,
    "papers/test_number.py": """
        def test_right(): pass
        def test_wrong(): assert False
    """,
    "properties/test_law.py": """
        from hypothesis import given, strategies
        @given(strategies.integers())
        def test_drawn(number): pass
        def test_of_every_metric(): pass
    """,
    "references/test_program.py": "def test_agrees(): pass",
    "sources/test_door.py": "def test_same_table(): pass",
    "surface/test_law_elsewhere.py": """
        from hypothesis import given, strategies
        @given(strategies.integers())
        def test_drawn(number): pass
        def test_plain(): pass
    """,
}


def pytest_run(folder: Path, *arguments: str, **told: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--going-on", KEPT, *arguments, "tests"]
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    here = surroundings | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"} | told
    return subprocess.run(command, cwd=folder, env=here, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], subprocess.CompletedProcess[str]]:
    """Return the folder, what was kept of a run that was killed, and the run after it."""
    folder = tmp_path_factory.mktemp("lane")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n", encoding="utf-8")
    for name, text in SUITE.items():
        path = folder / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.removeprefix("\n").split("\n")
        path.write_text("\n".join(line.removeprefix(" " * 8) for line in lines), encoding="utf-8")
    shutil.copy(TESTS / "conftest.py", folder / "tests")
    assert pytest_run(folder).returncode < 0, "killed"
    kept = (folder / KEPT).read_text(encoding="utf-8").splitlines()[1:]
    return folder, kept, pytest_run(folder, "-n", "1", KILLED="yes")


def test_what_passed_is_left_out_after_the_lane_was_killed(
    runs: tuple[Path, list[str], subprocess.CompletedProcess[str]],
) -> None:
    folder, kept, done = runs
    assert kept == ["tests/hard_use/test_end.py::test_before"]
    assert "1 failed, 8 passed" in done.stdout, done.stdout
    assert "went on after 1 test that had passed on the same files" in done.stdout
    assert not (folder / KEPT).exists(), "the lane was through"


def test_the_summary_counts_what_the_project_promises(
    runs: tuple[Path, list[str], subprocess.CompletedProcess[str]],
) -> None:
    counted = "published numbers 1 of 2, references of other programs 1 of 1, doors for data 1 of 1, properties 3 of 3"
    assert f"checked: {counted}\n" in runs[2].stdout


@pytest.mark.parametrize(
    ("name", "other"),
    [("src/a.py", True), ("tests/rows.csv", True), ("build/kept.txt", False), ("src/__pycache__/a.pyc", False)],
)
def test_a_changed_file_begins_the_lane_anew(tmp_path: Path, name: str, other: bool) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("1", encoding="utf-8")
    before = state(tmp_path)
    path.write_text("2", encoding="utf-8")
    assert (state(tmp_path) != before) is other


def test_another_number_of_examples_begins_the_lane_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = state(tmp_path)
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "another")
    assert state(tmp_path) != before
