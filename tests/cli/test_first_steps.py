"""What a newcomer meets: the example's files, logs of answers, tags under a header, slices, and a quiet command."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

import howsure as hs
from howsure.cli.verbs.demo import _command
from support.command_line import COLUMNS, as_json, check_html, run, written

BERT = [*COLUMNS, "--pred", "bert"]


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Two runs of 40 questions, 30 and 34 of them right, as lm-evaluation-harness logs them."""
    paths = []
    for model, right in (("one", 30), ("two", 34)):
        path = tmp_path / model / "samples_arc_2025-01-31T10-20-30.123456.jsonl"
        path.parent.mkdir()
        rows = [
            {"doc_id": doc, "doc": {}, "target": "A", "arguments": {}, "resps": [], "filtered_resps": [],
             "filter": "none", "metrics": ["acc"], "doc_hash": f"h{doc}", "acc": float(doc < right)}
            for doc in range(40)
        ]  # fmt: skip
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        paths.append(path)
    return paths


class TestExample:
    def test_its_files_are_written_and_can_be_reported(self, tmp_path: Path) -> None:
        folder = tmp_path / "deep" / "example"
        done = run("demo", "--data", folder)
        bundled = {
            path.name: path.read_bytes() for path in files("howsure.cli.example").iterdir() if ".csv" in path.name
        }
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == bundled
        tried = [line.split() for line in done.stdout.splitlines() if line.startswith("  ")]
        assert [words[1] for words in tried] == ["report", "compare"]
        for _, *words in tried:
            assert run(*words).exit_code == 0
        assert run("demo", "--data", folder).exit_code == 0

    def test_a_file_of_ones_own_stays(self, tmp_path: Path) -> None:
        mine = tmp_path / "tumours.csv"
        mine.write_text("mine\n")
        done = run("demo", "--data", tmp_path, code=2)
        assert "tumours.csv' is there with other content; name another folder" in done.stderr
        assert [path.read_text() for path in tmp_path.iterdir()] == ["mine\n"]


class TestAnswers:
    def test_accuracy_alone_unless_more_is_asked(self, logs: list[Path]) -> None:
        rows = as_json("report", *logs)["rows"]
        assert [(row["model"], row["metric"], row["value"]) for row in rows] == [
            ("one", "accuracy", 0.75),
            ("two", "accuracy", 0.85),
        ]
        asked = as_json("report", *logs, "-m", "f1", "-m", "accuracy")["rows"]
        assert [row["metric"] for row in asked] == ["f1", "accuracy"] * 2
        assert hs.report(hs.read(list(map(str, logs)))).metrics == ("accuracy",)

    def test_that_other_metrics_mean_nothing_is_said_where_they_are_asked_for(self, logs: list[Path]) -> None:
        said = "accuracy is the share right; precision, F1 and the like mean nothing here."
        for verb in ("report", "compare"):
            assert said not in " ".join(run(verb, *logs).output.split())
            assert said in " ".join(run(verb, *logs, "-m", "f1").output.split())
        assert said in " ".join(run("report", *logs, "-m", "f1", "--side", "lower").output.split())
        assert said not in run("report", *logs, "--method", "all").output
        assert said in " ".join(run("gate", logs[0], "-m", "f1", "--at-least", 0.1).output.split())
        assert said in " ".join(run("posterior", logs[0]).output.split())
        assert said not in run("posterior", logs[0], "-m", "accuracy").output


class TestTags:
    def test_the_usual_metrics_pool_all_types(self, tagged: Path) -> None:
        rows = {row["metric"]: row for row in as_json("spans", tagged)["rows"]}
        assert list(rows) == ["precision", "recall", "f1", "macro_f1", "weighted_f1"]
        # 2 of 3 predicted chunks and 2 of 4 gold ones agree
        assert [rows[name]["value"] for name in ("precision", "recall", "f1")] == pytest.approx([2 / 3, 1 / 2, 4 / 7])
        assert {rows[name]["method"] for name in ("precision", "recall", "f1")} == {"mid-p"}

    def test_a_header_is_told(self, tagged: Path) -> None:
        plain = run("spans", tagged).stdout.replace("prediction", "crf")
        tagged.write_text("token gold crf\n" + tagged.read_text())
        done = run("spans", tagged, code=2)
        assert "line 1 looks like a header ('token gold crf')" in done.stderr
        assert "Name them with --gold gold and --pred crf" in done.stderr
        assert run("spans", tagged, "--gold", "gold", "--pred", "crf").stdout == plain

    def test_a_first_line_of_tags_is_none(self, tagged: Path) -> None:
        for first in ("Oslo S-LOC O", "x B-gold O", "x _ -"):
            tagged.write_text(f"{first}\n{tagged.read_text()}")
            assert "header" not in run("spans", tagged, "--scheme", "auto", "--outside", "_", "--outside", "-",
                                       "--outside", "O").output  # fmt: skip


class TestSlices:
    @pytest.mark.parametrize(
        ("form", "head"),
        [
            ("text", "site   metric"), ("md", "| site | metric |"), ("latex", "site & metric &"),
            ("html", '<th scope="col">site</th><th scope="col">metric</th>'),
        ],
    )  # fmt: skip
    def test_their_column_heads_them(self, file: Path, form: str, head: str) -> None:
        done = run("report", file, *BERT, "--by", "site", "-m", "f1", "--format", form)
        assert head in done.stdout

    def test_with_several_models(self, file: Path) -> None:
        done = run("report", file, *BERT, "--pred", "svm", "--by", "site", "-m", "f1")
        assert done.stdout.startswith("model [site]  metric")
        assert "\nbert [north]" in done.stdout

    def test_the_page_counts_them(self, file: Path) -> None:
        page = run("report", file, *BERT, "--pred", "svm", "--by", "site", "-m", "f1", "--format", "html").stdout
        check_html(page)
        assert "40 rows in 2 slices" in page
        assert "bert [north]" in page

    def test_without_a_name(self) -> None:
        parts = hs.slices([1, 0, 1, 1], [1, 0, 0, 1], by=["x", "x", "y", "y"])
        assert str(parts.report("accuracy")).startswith("slice  metric")
        assert "4 rows" in parts.report("accuracy").to_html()


def test_quiet_is_quiet_about_files(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    targets = [tmp_path / name for name in ("a.html", "b.svg", "c.csv")]
    base = ["report", file, *BERT, "--html", targets[0], "--plot", targets[1], "-o", targets[2], "--format", "csv"]
    assert [f"wrote {path}" in run(*base).stderr for path in targets] == [True] * 3
    for path in targets:
        path.unlink()
    assert run(*base, "-q").output == ""
    assert all(path.exists() for path in targets)


def test_options_named_at_the_end_of_a_sentence(tmp_path: Path, tagged: Path) -> None:
    path = written(tmp_path / "gap.csv", label=["a", "b", "a"], bert=["a", "b", ""])
    assert run("report", path, *BERT, code=2).stderr.rstrip().endswith("a label of their own with --abstain.")
    tagged.write_text(tagged.read_text() + "x B-PER PER\n")
    assert run("spans", tagged, code=2).stderr.rstrip().endswith("or list it in --outside.")


@pytest.mark.parametrize(
    ("option", "why"),
    [("--group", "with --strata, --share or --pool: here the rows of a stratum are taken as drawn one by one. Leave"),
     ("--weight", "with --share or --pool: each says what a stratum stands for")],
)  # fmt: skip
def test_what_strata_refuse_is_explained(file: Path, option: str, why: str) -> None:
    shares = ["--strata", "site", "--share", "north=0.5", "--share", "south=0.5"]
    done = run("report", file, *BERT, *shares, option, "svm", code=2)
    assert f"{option} does not go {why}" in " ".join(done.stderr.split())


def test_the_demo_names_a_command_that_can_be_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After make demo the command is in .venv/bin, where no shell looks for it."""
    (tmp_path / "bin").mkdir()
    for name in ("python", "howsure"):
        (tmp_path / "bin" / name).touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _command() == str(Path("bin", "howsure"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert _command() == "howsure"
