"""The shell: version, help, completion, encodings, colours, progress, pipes and Ctrl-C; mistakes are one clear line."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import howsure as hs
from howsure.cli.app import VERBS
from howsure.cli.output import fitting
from support.command_line import COLUMNS, TRUTH, X, at_a_terminal, check_html, run, shell, written


def test_version_has_a_signature() -> None:
    name, signature = run("--version").stdout.splitlines()
    assert name == f"howsure {hs.__version__}"
    assert signature.startswith(f"howsure|v={hs.__version__}|python=3.")


def test_help_names_verbs_codes_and_completion() -> None:
    text = run("--help").stdout
    assert all(f"  {verb} " in text for verb in VERBS)
    assert "exit codes: 0 done or gate passed" in text
    assert "_HOWSURE_COMPLETE=bash_source" in text


def completed(line: str) -> list[str]:
    """Return what a shell is offered for the last word of a line."""
    words = line.split(" ")
    environment = {"_HOWSURE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return shell(env={**os.environ, **environment}).stdout.split()


def test_completion() -> None:
    assert completed("howsure rep") == ["plain,report"]
    assert completed("howsure gate --at-") == ["plain,--at-least", "plain,--at-most"]
    assert completed("howsure report --format la") == ["plain,latex"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_in_bash(tmp_path: Path) -> None:
    """The printed script is loaded by bash and completes a verb there."""
    command = tmp_path / "howsure"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m howsure "$@"\n')
    command.chmod(0o755)
    script = """
eval "$(_HOWSURE_COMPLETE=bash_source howsure)"
COMP_WORDS=(howsure post); COMP_CWORD=1
_howsure_completion howsure post howsure
echo "${COMPREPLY[@]}"
"""
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout.split() == ["posterior"], done.stderr


def test_help_loads_nothing_heavy() -> None:
    code = """
import sys
from howsure.cli.app import howsure
try:
    howsure(["--help"], prog_name="howsure")
except SystemExit:
    pass
print([name for name in ("numpy", "scipy", "narwhals", "duckdb", "matplotlib") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_plain_marks_where_the_encoding_has_no_better() -> None:
    arguments = ("counts", "--tp", 77, "--fp", 44, "--fn", 10, "-m", "f1")
    plain = shell(*arguments, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert plain.returncode == 0, plain.stderr
    assert "==o=" in plain.stdout
    assert plain.stdout.isascii()
    assert "━━●━" in shell(*arguments, env={**os.environ, "PYTHONIOENCODING": "utf-8"}).stdout
    assert fitting("0 ≤ x − y ± ∞ 名", "latin-1") == "0 <= x - y +/- inf ?"


def test_colours_only_at_a_terminal(file: Path) -> None:
    gate: list[object] = ["gate", file, *COLUMNS, "--pred", "bert", "-m", "f1", "--at-least", 0.2]
    assert "\x1b[32m" in at_a_terminal(gate)
    assert "\x1b" not in at_a_terminal(gate, NO_COLOR="1")
    assert "\x1b" not in shell(*gate).stdout


@pytest.mark.parametrize("verb", ["gate", "compare", "bayes", "report"])
def test_a_terminal_obeys_no_label(tmp_path: Path, verb: str) -> None:
    evil = "\x1b[31mred"
    file = written(tmp_path / "evil.csv", **{"label": TRUTH, evil: X, "other": TRUTH[::-1]})
    gate = ["--model", "other", "-m", "f1", "--baseline", evil, "--margin", 1]
    rest = {"gate": gate, "compare": ["-m", "f1"]}.get(verb, [])
    done = run(verb, file, *COLUMNS, "--pred", evil, "--pred", "other", *rest)
    assert "\x1b" not in done.output
    assert r"\x1b[31mred" in done.stdout


def test_a_bar_only_at_a_terminal() -> None:
    study: list[object] = ["study", "f1", "--population", ".4,.1,.1,.4", "--n", 10, "--n", 20, "--method", "wald"]
    assert "[####" in at_a_terminal(study)
    assert "[####" not in at_a_terminal([*study, "--quiet"])
    assert "####" not in shell(*study).stderr


def test_a_bar_while_slices_are_computed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody watches, and ten seconds pass between two looks at the clock."""
    clock = iter(range(0, 10**6, 10))
    monkeypatch.setattr("howsure.cli.verbs.slices.watched", lambda quiet: not quiet)
    monkeypatch.setattr("howsure.cli.output.time.monotonic", lambda: next(clock))
    slices = ["report", file, *COLUMNS, "--pred", "bert", "-m", "f1", "--by", "site"]
    assert "\rslices [####################....................]  50%" in run(*slices).stderr
    assert "slices [" not in run(*slices, "--quiet").stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_first_line_through_a_pipe() -> None:
    command = f'"{sys.executable}" -m howsure methods | head -n 1; echo "${{PIPESTATUS[@]}}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [shell("methods").stdout.splitlines()[0], "0 0"]
    assert done.stdout.startswith("wald (delta")
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [["methods"], ["--help"]])
def test_a_closed_pipe_is_no_traceback(arguments: list[str]) -> None:
    """Nobody reads: the first write fails. The command ends with status 1 and says nothing."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "howsure", *arguments], stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals as shells send them")
def test_control_c_is_clean(tmp_path: Path) -> None:
    parts, target = tmp_path / "parts", tmp_path / "out.txt"
    command = [
        sys.executable, "-m", "howsure", "study", "macro_f1", "--population", ".4,.1,.1,.4", "--n", "2000",
        "--replicates", "100000000", "--checkpoint", str(parts), "--output", str(target),
    ]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        latest = time.monotonic() + 60
        while not any(parts.glob("*.jsonl")) and time.monotonic() < latest:
            time.sleep(0.05)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130, said
    assert "howsure: stopped" in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == [parts]


def test_demo(tmp_path: Path) -> None:
    page = tmp_path / "demo.html"
    done = run("demo", "--html", page)
    assert done.stdout.startswith("neighbours and linear are tied; centroid is clearly worse (F1 lower by 0.06 to")
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    check_html(page.read_text(encoding="utf-8"))


# --- mistakes ----------------------------------------------------------------------------------------------------

COUNTS = ["counts", "--tp", 1, "--fp", 1, "--fn", 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot"], "Did you mean 'report'?"),
        ([*COUNTS, "-m", "presicion"], "Did you mean precision?"),
        ([*COUNTS, "-m", "f1", "--method", "wilsn"], "Did you mean 'wilson'?"),
        ([*COUNTS, "--levl", 0.9], "--level"),
        ([*COUNTS, "--format", "latx"], "Did you mean 'latex'?"),
        ([*COUNTS, "--plot", "figure.gif"], "must end in .svg, .pdf or .png"),
        (["counts", "--tp", -1, "--fp", 1, "--fn", 1], "--tp"),
        ([*COUNTS, "--level", 95], "--level is 95"),
        (["report", "no-such-file.csv"], "no-such-file.csv"),
        (["plan", "f1", "--half-width", 0.02, "--agreement", 0.9], "--agreement does not go with"),
    ],
)
def test_mistakes_are_one_clear_line_and_two(arguments: list[object], said: str) -> None:
    done = run(*arguments, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert done.stdout == ""


def test_misspelt_columns_and_files_are_suggested(file: Path) -> None:
    assert "Did you mean 'label'?" in run("report", file, "--truth", "lable", "--pred", "bert", code=2).stderr
    for verb in ("report", "bayes", "counts", "split", "critical"):
        assert "Did you mean 'preds.csv'?" in run(verb, file.with_name("prds.csv"), code=2).stderr, verb
    assert "Did you mean" not in run("report", file.with_name("nothing-alike.csv"), code=2).stderr
    assert "name its columns with --truth and --pred" in run("bayes", file, code=2).stderr
    assert "--input-format is 'cvs'" in run("report", file, "--input-format", "cvs", code=2).stderr


def test_nothing_is_said_after_the_answer(file: Path, tmp_path: Path) -> None:
    """DuckDB counts what is left of it when the process ends: it must be loaded after what is left out of the count."""
    (tmp_path / "mine.py").write_text("import duckdb\n\n\ndef hits(c):\n    return c.tp / c.total\n", encoding="utf-8")
    for asked in (["report", str(file), "--truth", "label"], ["counts", "7", "2", "1", "3", "-m", "mine:hits"]):
        done = subprocess.run(
            [sys.executable, "-m", "howsure", *asked], capture_output=True, text=True, timeout=60, cwd=tmp_path
        )
        assert (done.returncode, done.stderr) == (0, "")
