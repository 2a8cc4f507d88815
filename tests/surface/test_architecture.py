"""The page on the architecture says what the code does: its layers, its walks, its worked examples."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.estimates.catalogue import METHODS
from howsure.estimates.methods.bootstrap import bootstrap_limits
from howsure.estimates.methods.credible import dirichlet_limits, share_limits
from howsure.estimates.methods.limits import of_share
from howsure.tables.contents import Contents
from support.toy_numbers import Numbers

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "howsure"
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "architecture.py"))
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
WALKS = ("estimate", "page")


@pytest.fixture(scope="module", params=WALKS)
def walked(request: pytest.FixtureRequest) -> tuple[str, dict[str, list[int]]]:
    """Return the name of a walk and its trace."""
    return request.param, SCRIPT["walk"](request.param)


def section(name: str) -> str:
    """Return what stands between the marks of a part of the page."""
    return PAGE.read_text(encoding="utf-8").split(f"<!-- {name}, made by")[1]


def test_the_page_lists_the_modules_of_a_walk_in_their_order(walked: tuple[str, dict[str, list[int]]]) -> None:
    name, modules = walked
    assert re.findall(r"^\| `([a-z_0-9.]+)` \|", section(name), re.MULTILINE) == list(modules)


def test_the_page_and_its_drawing_are_up_to_date() -> None:
    stale = [path.name for path, text in SCRIPT["pages"]().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `make pages`"


def test_the_drawing_has_a_box_for_every_package_in_the_order_of_the_layers() -> None:
    shown = re.findall(r'class="name"[^>]*>([a-z_]+)<', PAGE.with_suffix(".svg").read_text(encoding="utf-8"))
    packages = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert shown == [name for names in SCRIPT["layers"]() for name in names]
    assert packages <= set(shown)


# --- no module of a walk only forwards ------------------------------------------------------------------------------


def forwards(node: ast.AST) -> bool:
    """Say whether a function only hands its arguments to another one."""
    body = [node.body] if isinstance(node, ast.Lambda) else list(getattr(node, "body", []))
    body = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom) and not is_docstring(one)]
    if len(body) != 1:
        return False
    call = getattr(body[0], "value", None) if isinstance(body[0], ast.Return | ast.Expr) else body[0]
    if not isinstance(call, ast.Call):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return all(isinstance(one, ast.Name | ast.Constant | ast.Starred) for one in given)


def is_docstring(node: ast.AST) -> bool:
    """Say whether a statement is a string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def working(text: str, lines: list[int]) -> bool:
    """Say whether some of the functions that begin at these lines do more than to hand on."""
    functions = (ast.FunctionDef, ast.Lambda)
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, functions) and first_line(node) in lines]
    return not all(map(forwards, found)) or not found


def first_line(node: Any) -> int:
    """Return the line where a function begins, decorators included."""
    return int((getattr(node, "decorator_list", None) or [node])[0].lineno)


def test_no_module_of_a_walk_only_forwards(walked: tuple[str, dict[str, list[int]]]) -> None:
    idle = []
    for module, lines in walked[1].items():
        path = SOURCE.joinpath(*module.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not working(file.read_text(encoding="utf-8"), lines):
            idle.append(module)
    assert idle == []


def test_a_module_that_only_forwards_is_noticed() -> None:
    assert not working('def f(x):\n    """Say."""\n    from a import g\n    return g(x)\n', [1])
    assert working("def f(x):\n    return g(x + 1)\n", [1])


def test_the_toy_writes_only_what_is_abstract_and_what_a_report_shows() -> None:
    written = {name for name, value in vars(Numbers).items() if callable(value) and not name.startswith("__")}
    assert written == Contents.__abstractmethods__


# --- the prose ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["MAINTENANCE.md", "CONTRIBUTING.md", "docs/explanation/architecture.md"])
def test_the_files_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.(?:pyi|py|toml|jinja|md))`", text))
    known = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.*") if ".venv" not in path.parts]
    assert named
    assert [name for name in named if not any(f"/{one}".endswith(f"/{name}") for one in known)] == []


def test_every_function_behind_a_method_says_why() -> None:
    """A sentence alone does not: the idea or the formula, the source, and where it fails."""
    named = [*(entry.limits for entry in METHODS), *(entry.find for entry in PAIR_METHODS)]
    functions = [one for one in named if "<" not in one.__qualname__]
    functions += [bootstrap_limits, share_limits, dirichlet_limits, of_share]
    assert len(functions) > 15
    assert [one.__name__ for one in functions if len((one.__doc__ or "").strip().splitlines()) < 3] == []
