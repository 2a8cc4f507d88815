"""What a row holds is known to the contents of a table, and to nobody right of tables/ and metrics/."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from howsure.tables.contents import Contents
from howsure.tables.labels import Labels
from support.source_trees import SOURCE, trees

INSIDE = ("tables", "metrics")
REQUIREMENTS = "estimates/requirements.py"  # what a method needs is asked there, and there alone
BASES = {"Contents", "CellView"}
ASKED = {"multilabel", "over", "several", "has_cells"}
ABSENT = {"cells", "view", "matrix", "scores"}  # asked with "is None"
WORDS = {"holds", "kind_words", "manner"}  # said of a kind, and nothing may follow from them


@cache
def kinds_of_data() -> set[str]:
    """Return the names of all classes of contents, whatever kinds there come to be."""
    found, size = set(BASES), 0
    classes = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while size < len(found):
        size = len(found)
        found |= {node.name for node in classes if any(_named(base) in found for base in node.bases)}
    return found


def outside() -> list[Path]:
    """Return the modules that must not ask."""
    found = (path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in INSIDE)
    return [path for path in found if path.relative_to(SOURCE).as_posix() != REQUIREMENTS]


def questions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines that ask what kind of data a table holds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            kinds = {_named(name) for argument in node.args[1:] for name in ast.walk(argument)}
            if node.func.id in ("isinstance", "issubclass") and kinds & kinds_of_data():
                yield node.lineno, "isinstance"
            if node.func.id in ("hasattr", "getattr") and _is_contents(node.args[0]):
                yield node.lineno, node.func.id
            if node.func.id == "type" and _is_contents(node.args[0]):
                yield node.lineno, "type"
        if isinstance(node, ast.Attribute) and node.attr in ASKED and isinstance(node.ctx, ast.Load):
            yield node.lineno, node.attr
        if isinstance(node, ast.Attribute) and node.attr == "__class__" and _is_contents(node.value):
            yield node.lineno, "class"
        if isinstance(node, ast.MatchClass) and _named(node.cls) in kinds_of_data():
            yield node.lineno, "match"
        if isinstance(node, ast.Compare) and {_named(part) for part in (node.left, *node.comparators)} & WORDS:
            yield node.lineno, "words"
        if isinstance(node, ast.Attribute) and node.attr == "table" and _named(node.value) in ("linear", "a", "b"):
            yield node.lineno, "linear.table"
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            left = node.left
            held = isinstance(left, ast.Attribute) and left.attr in ABSENT and _named(left.value) != "asked"
            if held and _is_none(node.comparators[0]):  # a field of a web request is asked, too, and is no kind of data
                yield node.lineno, "is None"


def _named(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_contents(node: ast.expr) -> bool:
    return _named(node) in ("contents", "rows", "design")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


@pytest.mark.parametrize("path", outside(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_nobody_asks_what_kind_of_data_it_is(path: Path) -> None:
    assert list(questions(trees()[path.relative_to(SOURCE)])) == []


@pytest.mark.parametrize(
    "planted",
    [
        "isinstance(table.contents, Labels)", "table.multilabel", "metric.over == 'class'", "linear.view is None",
        "hasattr(table.rows, 'truth')", "type(table.contents)", "pair.a.table", "evidence.has_cells",
        "linear.table.n", "evidence.matrix is not None", "isinstance(rows, Judged)", "isinstance(rows, (int, Scored))",
        "isinstance(rows, kinds.RowValues)", "isinstance(rows, UnitSums | Ratings)", "rows.holds == 'ratings'",
        "table.contents.kind_words in words", "rows.__class__.__name__", "match rows:\n    case Scored(): ...",
    ],
)  # fmt: skip
def test_a_question_is_noticed(planted: str) -> None:
    assert list(questions(ast.parse(planted)))


def test_the_protocol_answers_for_every_kind() -> None:
    """Whatever code may call on contents is defined for any kind, by the protocol itself."""
    shared = {"truth", "predictions", "matrix"}  # what only labels have, for those who made sure
    extra = {name for name in vars(Labels) if not name.startswith("_")} - set(dir(Contents)) - shared
    assert extra == set()
