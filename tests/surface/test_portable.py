"""Paths, line ends, encodings and signals are written so that other systems can run them; what can be is simulated."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import howsure as hs
from support.command_line import run
from support.source_trees import calls, trees

UNIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
TEXT_MODES = {"r", "w", "a", "x", "rt", "wt", "at", "xt"}
ROWS = ["id,truth,bert", *(f"{at},{'ab'[at % 2]},{'ab'[at % 3 % 2]}" for at in range(30))]


def opens_text(call: ast.Call) -> bool:
    """Say whether a call opens a file as text: open(), Path.open(), read_text(), write_text()."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("read_text", "write_text"):
        return True
    if name == "open" and isinstance(call.func, ast.Name):  # its mode is text unless it says otherwise
        modes = [one.value for one in call.args[1:] if isinstance(one, ast.Constant)]
        return not modes or modes[0] in TEXT_MODES
    modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return name in ("open", "fdopen", "NamedTemporaryFile") and bool(TEXT_MODES & set(map(str, modes)))


def test_text_names_its_encoding() -> None:
    """Without one, Windows takes that of its region."""
    text = [(f"{path}:{call.lineno}", {one.arg for one in call.keywords}) for path, call in calls() if opens_text(call)]
    assert len(text) > 10
    assert [where for where, named in text if "encoding" not in named] == []


def test_what_only_unix_has_is_imported_where_it_may_be_missing() -> None:
    found = []
    for path, tree in trees().items():
        for node in tree.body:
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [f"{path.name}: {name}" for name in names if name.partition(".")[0] in UNIX]
    assert found == []
    nodes = (node for tree in trees().values() for node in ast.walk(tree))
    asked = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    used = {node.attr for node in asked if isinstance(node.value, ast.Name) and node.value.id == "signal"}
    everywhere = {"SIGINT", "SIGTERM", "signal", "Signals", "default_int_handler", "raise_signal"}
    assert used <= everywhere | {"setitimer", "ITIMER_REAL"}  # which a worker of the calculator asks for first


def test_a_worker_without_alarms_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which has neither."""
    worker = pytest.importorskip("howsure.web.worker")
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setitem(sys.modules, "resource", None)
    assert worker._limit_time(5) is None
    assert worker._limit_memory() is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_files_that_are_read(end: str, tmp_path: Path) -> None:
    path = tmp_path / "preds.csv"
    path.write_bytes(end.join([*ROWS, ""]).encode())
    found = hs.estimate(hs.read(path, truth="truth", predictions=["bert"], pos_label="a"), "f1")
    plain = tmp_path / "plain.csv"
    plain.write_bytes("\n".join([*ROWS, ""]).encode())
    assert found.same(hs.estimate(hs.read(plain, truth="truth", predictions=["bert"], pos_label="a"), "f1"))
    tagged = tmp_path / "tags.conll"
    tagged.write_bytes(end.join(["Ann B-PER B-PER", "met O O", "", "Bob B-PER O", ""]).encode())
    if end != "\r":
        assert hs.estimate(hs.read(tagged, scheme="IOB2"), "recall") == 0.5


def test_a_history_with_the_line_ends_of_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("data/preds.csv").write_text("\n".join([*ROWS, ""]), encoding="utf-8")
    file = str(Path("data") / "preds.csv")
    asked = ["gate", file, "-m", "accuracy", "--at-least", 0.1, "--history", "runs.jsonl", "--id", "id"]
    run(*asked, "--release", "v1")
    kept = Path("runs.jsonl").read_bytes()
    assert b"\r" not in kept
    assert json.loads(kept)["files"][0]["path"] == "data/preds.csv"
    Path("runs.jsonl").write_bytes(kept.replace(b"\n", b"\r\n"))
    assert "last release: v1" in run(*asked).stderr


@pytest.mark.parametrize("form", ["text", "csv", "json", "md", "latex", "html", "tex-macros"])
def test_files_that_are_written_end_lines_alike_everywhere(form: str, tmp_path: Path) -> None:
    target = tmp_path / "made"
    run("counts", 77, 44, 10, 702, "--format", form, "-o", target)
    content = target.read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    content.decode("utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "latin-1"])
def test_the_shell_prints_on_any_terminal(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "naïve.csv"
    rows = [f"{'aß'[at % 2]},{'aß'[at % 3 % 2]},{'aß'[at % 2]}" for at in range(30)]
    path.write_text("\n".join(["truth,naïve,β", *rows, ""]), encoding="utf-8")
    here = dict(os.environ, PYTHONIOENCODING=encoding, PYTHONUTF8="0", PYTHONPATH=os.pathsep.join(sys.path))
    code = (
        "import sys\nfrom howsure.cli.app import howsure\n"
        "for form in ('text', 'md', 'latex', 'html', 'csv', 'json', 'tex-macros'):\n"
        "    for verb in (['report'], ['compare', '-m', 'macro_f1']):\n"
        "        howsure([*verb, sys.argv[1], '--truth', 'truth', '--format', form], standalone_mode=False)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], env=here, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-2000:]
    assert "macro F1" in done.stdout.decode(encoding)
