"""The library's own source as trees, parsed once for all tests that read it."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

import howsure

SOURCE = Path(howsure.__file__).parent


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the tree of every module by its path below the package.

    They are a million objects that stay to the end, so they are left out of every later search for garbage.
    """
    paths = sorted(SOURCE.rglob("*.py"))
    found = {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    gc.freeze()
    return found


@cache
def calls() -> list[tuple[Path, ast.Call]]:
    """Return every call with the path of its module."""
    return [(path, node) for path, tree in trees().items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
