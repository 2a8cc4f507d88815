"""Tasks on the command line: a column, files, weights; both questions in the words of the shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import as_json, run

ROWS = {
    "law": [(1, 1, 1), (0, 0, 0), (1, 0, 1), (1, 1, 1), (0, 1, 0), (0, 0, 1), (1, 1, 1), (0, 0, 0)],
    "news": [(1, 1, 1), (1, 0, 1), (0, 0, 0), (0, 1, 1), (1, 1, 0), (0, 0, 0)],
    "code": [(1, 0, 1), (1, 1, 1), (0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1)],
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    lines = [f"{task},{','.join(map(str, row))}" for task, rows in ROWS.items() for row in rows]
    (tmp_path / "all.csv").write_text("task,label,old,new\n" + "\n".join(lines) + "\n")
    for task, rows in ROWS.items():
        (tmp_path / f"{task}.csv").write_text(
            "label,old,new\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n"
        )
    return tmp_path


def test_both_questions_are_answered(place: Path) -> None:
    said = run("compare", str(place / "all.csv"), "--truth", "label", "--task", "task", "-q").stdout.replace("\n", " ")
    assert "On these 3 tasks" in said
    assert "asks like these" in said
    assert "on one new task expect" in said


def test_files_are_tasks(place: Path) -> None:
    files = [str(place / f"{task}.csv") for task in ROWS]
    asked = ("--truth", "label")
    column = as_json("compare", place / "all.csv", "--task", "task", *asked)
    several = as_json("compare", *files, *asked, "--task")
    for name in ("difference", "low", "high"):
        assert several[name] == pytest.approx(column[name])


def test_weights_and_the_sample(place: Path) -> None:
    asked = ("report", place / "all.csv", "--truth", "label", "--task", "task", "-m", "accuracy")
    size = as_json(*asked, "--task-weights", "size")
    assert size["rows"][0]["value"] == pytest.approx(14 / 21)
    own = as_json(*asked, "--task-weights", "law=1", "--task-weights", "news=1", "--task-weights", "code=2")
    assert own["rows"][0]["value"] == pytest.approx((6 / 8 + 4 / 6 + 2 * 4 / 7) / 4)
    random = as_json(*asked, "--tasks", "random")
    assert random["rows"][0]["low"] != size["rows"][0]["low"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--task-weights", "law=heavy", "--task-weights", "news=1"), "TASK=WEIGHT"),
        (("--task-weights", "rows"), "one of 'equal', 'size'"),
        (("--strata", "task"), "does not go with --task"),
        (("--tasks", "some"), "is not one of"),
    ],
)
def test_what_is_refused(place: Path, words: tuple[str, ...], said: str) -> None:
    done = run("report", place / "all.csv", "--truth", "label", "--task", "task", *words, code=2)
    assert said in done.output.replace("\n", " ")


def test_the_page_has_a_forest(place: Path) -> None:
    run("report", str(place / "all.csv"), "--truth", "label", "--task", "task", "--html", str(place / "page.html"))
    page = (place / "page.html").read_text(encoding="utf-8")
    assert "in each of 3 tasks" in page
    assert "tasks like these" in page
