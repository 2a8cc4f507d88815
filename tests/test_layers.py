"""Imports point one way, and importing the package is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import howsure

SOURCE = Path(howsure.__file__).parent

HEAVY = (
    "scipy.stats", "scipy.optimize", "pandas", "polars", "pyarrow", "duckdb", "sklearn", "joblib", "matplotlib",
    "narwhals", "mpmath", "click", "starlette", "fastapi", "pydantic", "pebble", "jinja2", "statsmodels",
)  # fmt: skip


def modules() -> list[str]:
    """Return every module by its path below the package: 'cells', 'sources.arrays'."""
    found = (path.relative_to(SOURCE).with_suffix("").parts for path in SOURCE.rglob("*.py"))
    return sorted(".".join(part for part in parts if part != "__init__") for parts in found if parts != ("__init__",))


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """Yield the package's modules that a module imports, and whether only inside a function."""
    path = SOURCE.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    yield from _imports(ast.parse(path.read_text(encoding="utf-8")), lazy=False)


def _imports(node: ast.AST, *, lazy: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and (child.level or (child.module or "").split(".")[0] == "howsure"):
            inner = "." * child.level + (child.module or "").removeprefix("howsure").removeprefix(".")
            yield from ((name, lazy) for name in ([inner] if inner else [alias.name for alias in child.names]))
        elif isinstance(child, ast.Import):
            names = [alias.name for alias in child.names if alias.name.split(".")[0] == "howsure"]
            yield from ((name.partition(".")[2] or name, lazy) for name in names)
        else:
            inside = lazy or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from _imports(child, lazy=inside)


def test_no_circle() -> None:
    known = set(modules())
    graph = {module: {target for target, lazy in imports(module) if not lazy and target in known} for module in known}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"modules import each other in a circle: {' → '.join(error.args[1])}")


def loaded_after(code: str) -> set[str]:
    """Return the heavy modules that a fresh interpreter has loaded after running the code."""
    probe = f"import sys\n{code}\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stdout.split())


def test_import_is_light() -> None:
    assert loaded_after("import howsure") == set()


def test_every_public_name_is_light() -> None:
    assert loaded_after("import howsure\nfor name in howsure.__all__: getattr(howsure, name)") == set()


def test_an_estimate_is_light() -> None:
    code = """
import howsure
howsure.estimate(howsure.counts(tp=7, fp=2, fn=1, tn=3), 'f1')
howsure.report(howsure.matrix([[5, 1], [2, 7]], rows='truth'))
howsure.estimate(howsure.table(['a', 'b', 'a'], ['a', 'b', 'b']), 'macro_f1')
"""
    assert loaded_after(code) == set()
