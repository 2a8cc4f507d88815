"""Notes are said by the catalogue, or by the kind of data that alone can say them; nobody else writes one."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import string
from collections import Counter
from pathlib import Path

import howsure
from howsure.results import sentences
from howsure.results.sentences.phrases import PHRASES

SOURCE = Path(howsure.__file__).parent
TREES = {path.relative_to(SOURCE): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
CALLS = [(path, node) for path, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
SAYING = ("note_of", "phrase", "marked")


def name_of(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def of_a_kind(path: Path) -> bool:
    """Say whether a module may have words of its own: a kind of data, a way of sampling, and the catalogue."""
    return path.parts[0] == "tables" or path.parts[:2] == ("results", "sentences")


def has_words(value: ast.expr) -> bool:
    """Say whether an expression holds a text of several words; what others say may be put after a name."""
    texts = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(map(str.isalpha, "".join(texts))) and " " in "".join(texts).strip()


def words_held(function: ast.AST) -> dict[str, ast.expr]:
    """Return the variables to which a function or a module gives words."""
    return {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.JoinedStr, ast.IfExp))
        for target in node.targets
        if isinstance(target, ast.Name) and has_words(node.value)
    }


def test_no_note_is_given_a_literal_sentence() -> None:
    found = []
    for path, tree in TREES.items():
        for function in (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))):
            held = words_held(function)
            found += [
                f"{path}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and name_of(node) == "Note" and not of_a_kind(path)
                for given in node.args[:1]
                if (isinstance(given, ast.Name) and given.id in held)
                or (isinstance(given, (ast.Constant, ast.JoinedStr, ast.IfExp, ast.BinOp)) and has_words(given))
            ]
    assert sorted(set(found)) == [], "write the sentence into results/sentences"


def fields_of(name: str) -> set[str]:
    entry = PHRASES[name]
    texts = [entry] if isinstance(entry, str) else entry.values()
    return {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}


def test_every_sentence_is_given_its_fields() -> None:
    """A name that is not in the catalogue, or a field that lacks, would fail when somebody is to be told."""
    wrong = []
    for path, node in CALLS:
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
