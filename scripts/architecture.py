"""Write what docs/explanation/architecture.md shows of the code: the drawing of the packages, imports, two walks.

The layers are those of the contract in pyproject.toml, the jobs are the first lines of docstrings, and a walk is a
trace of function calls in a fresh interpreter. make_reference.py calls ``pages``; ``python scripts/architecture.py
estimate`` prints a trace as JSON.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import pkgutil
import re
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any
from xml.sax.saxutils import escape

import howsure

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "howsure"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
MAINTENANCE = ROOT / "MAINTENANCE.md"
TOYS = {"toy_numbers": "Numbers", "toy_days": "DayDesign"}
"""Files of tests/support that the page shows, and the class in each."""


# --- the contract -------------------------------------------------------------------------------------------------


def contract() -> list[dict[str, Any]]:
    """Return the import contracts of pyproject.toml, the layers first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["tool"]["importlinter"]["contracts"])


def layers() -> list[list[str]]:
    """Return the names of each layer, the top one first."""
    return [re.split(r" [:|] ", layer) for layer in contract()[0]["layers"]]


def docstring(path: Path) -> str:
    """Return the docstring of a package or module, given by its path without ``.py``."""
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def job(path: Path) -> str:
    """Return the first line of a docstring."""
    return docstring(path).splitlines()[0]


# --- the drawing --------------------------------------------------------------------------------------------------

WIDTH, LINE, GAP, MARGIN, SIDE = 720, 14, 8, 10, 150
LETTER = 6.0  # width of a small letter


def drawing() -> str:
    """Return the layers as SVG: a row a layer, the jobs of the packages inside, the one exception beside them."""
    rows = layers()
    tops = [MARGIN]
    for names in rows:
        tops.append(tops[-1] + _height(names) + GAP)
    boxes = [box for names, top in zip(rows, tops, strict=False) for box in _row(names, top)]
    wide, tall = WIDTH + SIDE + 2 * MARGIN, tops[-1] - GAP + MARGIN
    style = (
        "rect{fill:#eef2f5;stroke:#607d8b}.paper{fill:#fff;stroke:none}text{font-family:sans-serif;fill:#222}"
        ".name{font-size:14px;font-weight:bold}.job{font-size:11px}path{fill:none;stroke:#b3541e}"
    )
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" role="img">',
        "<title>The packages of howsure: each imports only from the rows below it</title>",
        f"<style>{style}</style>",
        f'<rect class="paper" width="{wide}" height="{tall}"/>',
        *boxes, *_exceptions(rows, tops), "</svg>", "",
    ])  # fmt: skip


def _wide(names: list[str]) -> float:
    return (WIDTH - GAP * (len(names) - 1)) / len(names)


def _job_lines(name: str, wide: float) -> list[str]:
    return textwrap.wrap(job(SOURCE / name), int((wide - 20) / LETTER), max_lines=2, placeholder=" …")


def _height(names: list[str]) -> int:
    return 28 + LINE * max(len(_job_lines(name, _wide(names))) for name in names)


def _row(names: list[str], y: int) -> Iterator[str]:
    wide, tall = _wide(names), _height(names)
    for column, name in enumerate(names):
        x = MARGIN + column * (wide + GAP)
        yield f'<rect x="{x:.0f}" y="{y}" width="{wide:.0f}" height="{tall}" rx="4"/>'
        yield f'<text class="name" x="{x + 10:.0f}" y="{y + 19}">{name}</text>'
        for number, line in enumerate(_job_lines(name, wide)):
            yield f'<text class="job" x="{x + 10:.0f}" y="{y + 35 + LINE * number}">{escape(line)}</text>'


def _exceptions(rows: list[list[str]], tops: list[int]) -> Iterator[str]:
    """Yield an arrow for each import that the contract lets pass although it points upwards."""
    place = {name: (row, column) for row, names in enumerate(rows) for column, name in enumerate(names)}
    edge = MARGIN + WIDTH
    for found in contract()[0]["ignore_imports"]:
        first, second = (end.strip().removeprefix("howsure.") for end in found.split("->"))
        row, column = place[first.split(".")[0]]
        target = place[second.split(".")[0]][0]
        x, start = MARGIN + (column + 0.5) * _wide(rows[row]), tops[row]
        end = tops[target] + _height(rows[target]) // 2
        way = f"M{x:.0f} {start}v-{GAP // 2}H{edge + 18}V{end}h-14"
        yield f'<path stroke-dasharray="4 3" d="{way}"/><path d="M{edge + 10} {end - 5}l-6 5l6 5"/>'
        for number, text in enumerate(("the one exception:", first, f"→ {second}")):
            height = (start + end) // 2 + LINE * number
            yield f'<text class="job" x="{edge + 24}" y="{height}">{escape(text)}</text>'


# --- imports ------------------------------------------------------------------------------------------------------


def imported(package: str) -> list[str]:
    """Return the packages that one imports, at the top or inside functions; those for types alone do not count."""
    path = SOURCE / package
    found: set[str] = set()
    for file in path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
        for node in _nodes(ast.parse(file.read_text(encoding="utf-8"))):
            found |= {name.split(".")[1] for name in _targets(node) if name.startswith("howsure.")}
    order = [name for names in layers() for name in names]
    return [name for name in order if name in found - {package}]


def _nodes(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a tree without what stands under ``if TYPE_CHECKING``; expressions import nothing."""
    for child in (child for part in ast.iter_child_nodes(node) for child in _statements(part)):
        yield child
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield from _nodes(child)


def _statements(part: ast.AST) -> list[ast.stmt]:
    """Return a part of a statement if it is one, or those inside it: of an ``except`` or a ``case``."""
    if isinstance(part, ast.stmt):
        return [part]
    return part.body if isinstance(part, ast.ExceptHandler | ast.match_case) else []


def _targets(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def imports_table() -> str:
    """Return a row for each package: what it imports today."""
    rows = [f"| `{name}` | {_listed(imported(name))} |" for names in layers() for name in names]
    return "\n".join(["| package | imports |", "|---|---|", *rows])


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "nothing of ours"


def tree() -> str:
    """Return the packages and what is inside them, one line each, the top layer first."""
    lines = []
    for name in (name for names in layers() for name in names):
        path = SOURCE / name
        lines.append(f"{f'{name}/' if path.is_dir() else f'{name}.py':<22}{job(path)}")
        inner = sorted(file.parent for file in path.rglob("__init__.py") if file.parent != path)
        lines += [f"{'  ' * len(one.relative_to(SOURCE).parts[1:]) + one.name + '/':<22}{job(one)}" for one in inner]
    return "\n".join(["```text", *lines, "```"])


# --- walks --------------------------------------------------------------------------------------------------------


def one_estimate() -> None:
    """Make one estimate from four counts."""
    howsure.estimate(howsure.counts(tp=77, fp=44, fn=10, tn=702), "f1")


def one_page() -> None:
    """Write the report page of the bundled example, as the command line does.

    Several threads of DuckDB return the distinct rows in an order of their own, and rows out of order are sorted by a
    further module.
    """
    from howsure.cli import main

    example = SOURCE / "cli" / "example" / "tumours.csv"
    with tempfile.TemporaryDirectory() as folder:
        page = str(Path(folder) / "report.html")
        sys.argv = ["howsure", "report", str(example), "--threads", "1", "--html", page]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                main()
            except SystemExit as end:
                if end.code:
                    raise RuntimeError(said.getvalue()) from end


WALKS: dict[str, Callable[[], None]] = {"estimate": one_estimate, "page": one_page}


def load_everything() -> None:
    """Import every module, so that a trace shows calls and no imports."""
    for module in pkgutil.walk_packages(howsure.__path__, "howsure."):
        if not module.name.endswith("__main__") and not module.name.startswith("howsure.web"):
            importlib.import_module(module.name)


def traced(call: Callable[[], None]) -> dict[str, list[int]]:
    """Return the modules that a call enters, in order, each with the first lines of the functions entered there.

    The methods that ``dataclass`` writes belong to the module of their class; they have no line.
    """
    found: dict[str, dict[int, None]] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if event == "call" and module.startswith("howsure."):
            lines = found.setdefault(module.removeprefix("howsure."), {})
            if frame.f_code.co_filename.endswith(".py"):
                lines[frame.f_code.co_firstlineno] = None

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {module: list(lines) for module, lines in found.items()}


@cache
@cache
def walk(name: str) -> dict[str, list[int]]:
    """Return a trace from an interpreter that has kept nothing of earlier calls."""
    done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def walk_table(name: str) -> str:
    """Return the modules of a walk with their jobs."""
    rows = []
    for module in walk(name):
        text = job(SOURCE.joinpath(*module.split("."))).replace("|", "\\|")
        rows.append(f"| `{module}` | {text} |")
    return "\n".join(["| module | job |", "|---|---|", *rows])


# --- the pages ----------------------------------------------------------------------------------------------------


def toy(name: str) -> str:
    """Return the class of a toy file as it stands there."""
    text = (ROOT / "tests" / "support" / f"{name}.py").read_text(encoding="utf-8")
    (found,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == TOYS[name])
    lines = text.splitlines()[found.decorator_list[0].lineno - 1 : found.end_lineno]
    return "\n".join(["```py", *lines, "```"])


def replaced(page: Path, parts: dict[str, str]) -> str:
    """Return a page with what stands between two marks written anew."""
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        begin, end = (f"<!-- {name}, made by scripts/architecture.py: {edge} -->\n" for edge in ("begin", "end"))
        if begin not in text or end not in text:
            raise SystemExit(f"{page.name} has no place for {name!r}: {begin.strip()}")
        text = f"{text.partition(begin)[0]}{begin}\n{part}\n\n{end}{text.partition(end)[2]}"
    return text


def pages() -> dict[Path, str]:
    """Return the files that follow from the code: the page, its drawing, and the tree in MAINTENANCE.md."""
    parts = {
        "imports": imports_table(),
        **{name: walk_table(name) for name in WALKS},
        **{name: toy(name) for name in TOYS},
    }
    return {
        PAGE: replaced(PAGE, parts),
        PAGE.with_suffix(".svg"): drawing(),
        MAINTENANCE: replaced(MAINTENANCE, {"tree": tree()}),
    }


if __name__ == "__main__":
    load_everything()
    if sys.argv[1:] == [] or sys.argv[1] not in WALKS:
        sys.exit(f"name a walk to trace: {', '.join(WALKS)}; the page is written by scripts/make_reference.py")
    print(json.dumps(traced(WALKS[sys.argv[1]])))
