"""Write into the documentation what its examples print now, so that a change of wording takes one command.

    python scripts/refresh_outputs.py [page.md …]

Runs the blocks of each page (by default all that show output) in a folder of its own with the bundled example, as
tests/surface/test_docs.py does, and replaces the output that is shown. An output that ends with a line ``…`` keeps its
number of lines. Read the difference before you commit it.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.doc_blocks import CUT, FENCE, commands_of, run_howsure, save_file  # noqa: E402


def shortened(printed: str, shown: str) -> str:
    """Return what was printed, cut where the text shown is cut."""
    lines, old = printed.rstrip().splitlines(), shown.rstrip().splitlines()
    if CUT in old:
        lines = [*lines[: old.index(CUT)], CUT]
    return "\n".join(line.rstrip() for line in lines) + "\n" if lines else ""


def console(text: str) -> str:
    """Return a console block with the output of its commands; one without prompts is left as it is."""
    parts, code = [], 0
    if not (commands := list(commands_of(text))):
        return text
    for command, shown in commands:
        if command == "echo $?":
            parts.append(f"$ {command}\n{code}\n")
            continue
        code, output = run_howsure(shlex.split(command)[1:])
        parts.append(f"$ {command}\n{shortened(output, shown)}")
    return "".join(parts)


def refreshed(page: Path) -> str:
    """Return the page with what its blocks print, run one after the other in the current folder."""
    text, names, printed = page.read_text(encoding="utf-8"), dict[str, Any](__name__="page"), ""
    parts, place, after = [], 0, -1
    for found in FENCE.finditer(text):
        language, title, body = found[1] or "", found[2], found[3]
        if title:
            save_file(title, body)
        elif language == "python":
            with redirect_stdout(io.StringIO()) as caught:
                exec(compile(body, str(page), "exec"), names)
            printed, after = caught.getvalue(), found.end()
        elif language == "console":
            body = console(body)
        elif language == "text" and after >= 0 and not text[after : found.start()].strip():
            body = shortened(printed, body)
        parts += [text[place : found.start(3)], body]
        place = found.end(3)
    return "".join([*parts, text[place:]])


def in_example_folder(page: Path) -> str:
    """Return the refreshed page, run in a new folder that holds the bundled example."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tumours.csv", "digits.csv"):
            text = (files("howsure.cli") / "example" / name).read_text(encoding="utf-8")
            for place in (Path(folder), Path(folder) / "src" / "howsure" / "cli" / "example"):
                place.mkdir(parents=True, exist_ok=True)
                (place / name).write_text(text, encoding="utf-8")
        before = Path.cwd()
        os.chdir(folder)
        try:
            return refreshed(page)
        finally:
            os.chdir(before)


def main() -> None:
    """Refresh the pages named, or all."""
    named = [Path(name).resolve() for name in sys.argv[1:]]
    for page in named or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        old = page.read_text(encoding="utf-8")
        new = in_example_folder(page)
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"refreshed {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
