"""Notes are said by the catalogue, or by the kind of data that alone can say them; nobody else writes one."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from howsure.results import sentences
from howsure.results.sentences.phrases import PHRASES
from support.snapshots import Snapshots
from support.source_trees import calls, trees

SAYING = ("note_of", "phrase", "marked")


def name_of(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def of_a_kind(path: Path) -> bool:
    """Say whether a module may have words of its own: a kind of data, a way of sampling, and the catalogue."""
    return path.parts[0] == "tables" or path.parts[:2] == ("results", "sentences")


def words_of(value: ast.expr) -> list[str]:
    """Return the words that are written in an expression, not those that it asks for."""
    if isinstance(value, ast.Constant):
        return re.findall(r"[^\W\d_]+", value.value) if isinstance(value.value, str) else []
    if isinstance(value, ast.JoinedStr):
        return [word for part in value.values for word in words_of(part)]
    if isinstance(value, ast.IfExp):
        return words_of(value.body) + words_of(value.orelse)
    return words_of(value.left) + words_of(value.right) if isinstance(value, ast.BinOp) else []


def statements(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a function or a module, without the functions inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from statements(child)


def words_held(scope: ast.AST) -> set[str]:
    """Return the variables to which a function or a module gives words."""
    return {
        target.id
        for node in statements(scope)
        if isinstance(node, ast.Assign) and len(words_of(node.value)) > 1
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def noted(node: ast.Call) -> list[ast.expr]:
    """Return what a call makes a note of: Note(…), notes.append(…), notes=[…]."""
    if name_of(node) == "Note":
        return node.args[:1]
    appended = isinstance(node.func, ast.Attribute) and ast.unparse(node.func).endswith(
        ("notes.append", "marks.append")
    )
    listed = [keyword.value for keyword in node.keywords if keyword.arg == "notes"]
    within = [one for some in listed if isinstance(some, (ast.Tuple, ast.List)) for one in some.elts]
    return [*(node.args[:1] if appended else []), *within]


def literal_notes(tree: ast.Module) -> set[int]:
    """Return the lines where a note is given a text of several words, or a variable that holds one."""
    found, top = set(), words_held(tree)
    for scope in (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))):
        held = top | words_held(scope)
        made = [node for node in statements(scope) if isinstance(node, ast.Call)]
        given = [(node.lineno, value) for node in made for value in noted(node)]
        found |= {
            line
            for line, value in given
            if len(words_of(value)) > 1 or (isinstance(value, ast.Name) and value.id in held)
        }
    return found


def test_no_note_is_given_a_literal_sentence() -> None:
    places = [(path, line) for path, tree in trees().items() if not of_a_kind(path) for line in literal_notes(tree)]
    assert [f"{path}:{line}" for path, line in places] == [], "write the sentence into results/sentences"


@pytest.mark.parametrize(
    "source",
    [
        "Note('few rows', 'few')",
        "def f(n):\n    text = f'only {n} rows'\n    return Note(text, 'few')",
        "def f(n):\n    notes.append(Note('one row' if n else 'no row', 'few'))",
        "def f(n):\n    notes.append(f'{n} rows were lost')",
        "def f(n):\n    return replace(made, notes=(*made.notes, f'{n} rows lost'))",
        "TEXT = 'few ' + 'rows'\ndef f():\n    return Note(TEXT)",
    ],
)
def test_a_literal_note_is_found(source: str) -> None:
    assert len(literal_notes(ast.parse(source))) == 1


def test_what_others_say_is_no_literal() -> None:
    source = "Note(f'{name}: {note.marked}', note.kind)\nNote(f\"{phrase('a line parts')} {more}\", 'lines')"
    assert literal_notes(ast.parse(source)) == set()


def template(value: ast.expr) -> str:
    """Return a text as it is written, each field as its source in braces."""
    if isinstance(value, ast.FormattedValue):
        return "{" + ast.unparse(value.value) + "}"
    if isinstance(value, ast.JoinedStr):
        return "".join(map(template, value.values))
    return str(ast.literal_eval(value))


def texts_of(tree: ast.Module) -> list[str]:
    """Return the texts of several words in a module, but for what explains the code."""
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    told |= {id(part) for node in joined for part in ast.walk(node) if part is not node}
    found = [
        node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr)) and id(node) not in told
    ]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return [template(node) for node in found if len(words_of(node)) > 2]


def test_what_kinds_of_data_say_of_themselves(snapshots: Snapshots) -> None:
    """The words that stand beside a kind of data or a way of sampling, as they are written there."""
    makers = [path for path, node in calls() if name_of(node) == "Note" and path.parts[0] == "tables"]
    lines = [line for path in dict.fromkeys(makers) for line in (f"[{path.as_posix()}]", *texts_of(trees()[path]))]
    snapshots.check("sentences-of-kinds", "\n".join(lines))


def fields_of(name: str) -> set[str]:
    entry = PHRASES[name]
    texts = [entry] if isinstance(entry, str) else entry.values()
    return {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}


def test_every_sentence_is_given_its_fields() -> None:
    """A name that is not in the catalogue, or a field that lacks, would fail when somebody is to be told."""
    wrong = []
    for path, node in calls():
        if name_of(node) not in SAYING or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        name, given = str(node.args[0].value), {keyword.arg for keyword in node.keywords} - {"detail"}
        if name not in PHRASES or (None not in given and not fields_of(name) <= given):
            wrong.append(f"{path}:{node.lineno} {name}")
    assert wrong == []


def parts() -> list[dict[str, object]]:
    """Return the parts that the catalogue is made of."""
    modules = [
        importlib.import_module(f"{sentences.__name__}.{one.name}") for one in pkgutil.iter_modules(sentences.__path__)
    ]
    return [
        held
        for module in modules
        for name, held in vars(module).items()
        if name.isupper() and isinstance(held, dict) and held and held.keys() <= PHRASES.keys() and held is not PHRASES
    ]


def test_no_part_of_the_catalogue_hides_another() -> None:
    apart = list({id(part): part for part in parts()}.values())
    often = Counter(name for part in apart for name in part)
    assert [name for name, times in often.items() if times > 1] == []
    assert often.keys() == PHRASES.keys()
