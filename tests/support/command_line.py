"""Running the command line in a test: in this process, in a shell, at a terminal; and checks of each form."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from howsure.cli.app import howsure

TRUTH, X, Y, Z = (list(letters * 4) for letters in ("aabbbabbaa", "abbbaabbaa", "ababbabbba", "bbaabbabab"))
COLUMNS = ["--truth", "label", "--pos-label", "a"]


def run(*arguments: object, code: int = 0, stdin: str | None = None) -> Result:
    done = CliRunner().invoke(howsure, [str(argument) for argument in arguments], input=stdin)
    assert done.exit_code == code, done.output
    return done


def as_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--format", "json").stdout)


def rows_of(*arguments: object) -> Any:
    """Return the rows of a JSON document that is a list of them."""
    return as_json(*arguments)["rows"]


def shell(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "howsure", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


# Stands in the place of howsure, once: writes down its words and what it is piped.
LISTENER = """#!/bin/sh
set -Ce
printf '%s\\0' "$@" > "$0.words"
if [ -p /dev/stdin ]; then cat > "$0.piped"; fi
"""


def copied_lines(lines: str, folder: Path) -> str:
    """Return what lines for a shell print: a shell reads them in this folder, howsure itself runs in this process."""
    script, words, piped = (folder / name for name in ("howsure", "howsure.words", "howsure.piped"))
    script.write_text(LISTENER)
    script.chmod(0o755)
    for path in (words, piped):
        path.unlink(missing_ok=True)
    done = subprocess.run(
        ["sh", "-e", "-c", lines], cwd=folder, env=os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout == "", "nothing but howsure prints"
    stdin = piped.read_text(encoding="utf-8") if piped.exists() else None
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        here.setenv("COLUMNS", "200")
        return run(*words.read_text(encoding="utf-8").split("\0")[:-1], stdin=stdin).stdout


def python_lines(lines: str, folder: Path) -> str:
    """Return what lines of Python print that know no name but their own, run in this folder."""
    with pytest.MonkeyPatch.context() as here, redirect_stdout(io.StringIO()) as printed:
        here.chdir(folder)
        exec(compile(lines, "copied", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def at_a_terminal(arguments: list[object], **environment: str) -> str:
    """Return what a terminal gets on its screen."""
    pty = pytest.importorskip("pty")
    main, side = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    command = [sys.executable, "-m", "howsure", *map(str, arguments)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=side, stderr=side, timeout=120,
        env={**plain, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip
    os.close(side)
    text = os.read(main, 100_000).decode()
    os.close(main)
    assert done.returncode in (0, 3), text
    return text


def written(path: Path, **columns: list[object]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return path


class Balance(HTMLParser):
    """Fails on a tag that is closed out of order."""

    void = frozenset({"meta", "br", "img", "input", "link", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


def check_json(text: str) -> None:
    assert json.loads(text)


def check_csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text.strip("\n"))))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def check_markdown(text: str) -> None:
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("| "))
    assert first in (0, 2)  # after what the table says in a sentence
    assert set(lines[first + 1]) <= set("|-:")
    table = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1


def check_latex(text: str) -> None:
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    assert r"\toprule" in text
    assert text.startswith(r"% needs \usepackage{booktabs}")


def check_macros(text: str) -> None:
    head, *lines = [line for line in text.splitlines() if line]
    assert head.startswith("% numbers of howsure")
    names = [re.fullmatch(r"\\newcommand\{\\(hs[A-Za-z]+)\}\{(.+)\}", line) for line in lines if line[0] != "%"]
    assert all(names)
    assert len({one[1] for one in names if one}) == len(names)
    assert names or "% no number here" in lines


def check_html(text: str) -> None:
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    assert "<table" in text


CHECKS = {"json": check_json, "csv": check_csv, "md": check_markdown, "latex": check_latex, "html": check_html,
          "tex-macros": check_macros}  # fmt: skip
