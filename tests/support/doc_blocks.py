"""Read the fenced blocks of a page and run them as a reader would: files, Python, and commands with their output."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

FENCE = re.compile(r"^```(\w+)?(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CUT = "…"


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the file it is to be saved as, its text, and whether it follows code at once."""

    language: str
    title: str
    text: str
    follows: bool


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    found, end = [], -1
    for one in FENCE.finditer(text):
        adjacent = end >= 0 and not text[end : one.start()].strip()
        after_code = adjacent and found[-1].language == "python"
        found.append(Block(one[1] or "", one[2] or "", one[3], after_code))
        end = one.end()
    return found


def runs(block: Block) -> bool:
    """Say whether a block does something: code, a command, or a file to save."""
    return block.language in ("python", "console") or bool(block.title)


def run_page(page: Path) -> None:
    """Run the blocks of a page one after the other in the current folder, and compare what they print."""
    names: dict[str, Any] = {"__name__": "page"}
    printed = ""
    for block in blocks_of(page):
        if block.title:
            save_file(block.title, block.text)
        elif block.language == "python":
            with redirect_stdout(io.StringIO()) as caught:
                exec(compile(block.text, str(page), "exec"), names)
            printed = caught.getvalue()
        elif block.language == "console":
            run_commands(block.text)
        elif block.language == "text" and block.follows:
            assert_shown(block.text, printed, str(page))


def recipe(page: Path, word: str) -> tuple[str, str]:
    """Return the code of the ``py`` blocks that need a server or a cluster and hold a word, and what they print."""
    blocks = blocks_of(page)
    chosen = [place for place, block in enumerate(blocks) if block.language == "py" and word in block.text]
    assert chosen, f"no block of {page.name} has the word {word!r}"
    shown = [blocks[place + 1] for place in chosen]
    assert {one.language for one in shown} == {"text"}, "a recipe shows what it prints in the block after it"
    return "\n".join(blocks[place].text for place in chosen), "".join(one.text for one in shown)


def save_file(name: str, text: str) -> None:
    """Save a block that has a title as the file of that name."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output shown under it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while command.endswith("\\"):
            more, _, shown = shown.partition("\n")
            command = command[:-1] + more.strip()
        yield command, shown


def run_commands(text: str) -> None:
    """Run the commands of a console block; ``echo $?`` shows the exit code of the one before."""
    code = 0
    for command, shown in commands_of(text):
        if command == "echo $?":
            assert shown.strip() == str(code)
            continue
        words = shlex.split(command)
        assert words[0] == "howsure", f"a console block runs {words[0]!r}; it may only run howsure"
        code, output = run_howsure(words[1:])
        assert_shown(shown, output, command)


def run_howsure(words: list[str]) -> tuple[int, str]:
    """Return exit code and output of the command line, run in this process."""
    from howsure.cli.app import howsure

    done = CliRunner().invoke(howsure, words, prog_name="howsure")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def assert_shown(shown: str, printed: str, what: str) -> None:
    """Assert that the text shown is what was printed; a line ``…`` stands for any lines."""
    expected = [line.rstrip() for line in shown.rstrip().splitlines()]
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    place = 0
    for number, line in enumerate(expected):
        if line == CUT:
            following = expected[number + 1] if number + 1 < len(expected) else None
            place = len(lines) if following is None else _find(lines, following, place, what)
            continue
        got = lines[place] if place < len(lines) else "nothing more"
        assert got == line, f"{what}\nshown:   {line}\nprinted: {got}"
        place += 1
    assert place >= len(lines), f"{what}\nprints more than is shown: {lines[place]}"


def _find(lines: list[str], line: str, start: int, what: str) -> int:
    assert line in lines[start:], f"{what}\nshown but not printed: {line}"
    return lines.index(line, start)
