"""What errors say stands in the catalogue: every sentence is shown as each door says it, and nobody else writes one."""

from __future__ import annotations

import ast
import importlib
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from howsure.cli.app import howsure as command
from howsure.cli.wording import options_of
from howsure.errors import InputError, arg, page_door, said
from howsure.errors.mentions import Sentence
from support.snapshots import Snapshots
from support.source_trees import SOURCE, trees

FOLDER = SOURCE / "errors" / "messages"
MODULES = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.py") if path.stem != "__init__"
)
PLAIN = ("TypeError", "KeyError", "ValueError")  # Python's own, which howsure raises where Python would
# Arguments by place that are sentences: of checks and of functions that refuse.
TAKES = {"check_number": 2, "check_whole": 3, "numbers_of": 2, "need_extra": 2, "need_package": 1, "refuse": 2}


class Blank:
    """A field that is written as its name in braces, however it is formatted."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"{{{self.name}}}"

    def __format__(self, _: str) -> str:
        return repr(self)


def fields_of(text: str) -> set[str]:
    """Return the fields of a text, those inside marks too."""
    found: set[str] = set()
    for _, field, spec, _ in string.Formatter().parse(text):
        found |= fields_of(spec or "") | ({field} if field else set())
    return found - {"arg", "setting", "calling"}


def catalogue(module: str) -> dict[str, Sentence]:
    """Return the sentences of a module by name."""
    held = vars(importlib.import_module("howsure.errors.messages." + module.replace("/", ".")))
    return {name: value for name, value in held.items() if isinstance(value, Sentence)}


def blank(sentence: Sentence) -> str:
    return sentence(**{field: Blank(field) for field in fields_of(sentence)})


@pytest.fixture(scope="module")
def every_option() -> click.Command:
    """A command with the options of all verbs, so that each argument that has one is said by it."""
    context = click.Context(command)
    verbs = [command.get_command(context, name) for name in command.list_commands(context)]
    params = {param.name: param for verb in verbs if verb for param in verb.params if isinstance(param, click.Option)}
    return click.Command("every", params=list(params.values()))


@pytest.mark.parametrize("module", MODULES)
def test_what_errors_say(module: str, every_option: click.Command, snapshots: Snapshots) -> None:
    lines = []
    for name, sentence in catalogue(module).items():
        made = blank(sentence)
        shown = {
            "python": said(made, str),
            "shell": said(made, options_of(every_option)),
            "page": said(made, page_door),
        }
        same = len(set(shown.values())) == 1
        told = [shown["python"]] if same else [f"{door}: {text}" for door, text in shown.items()]
        lines += [f"[{name}]", *told]
    snapshots.check("errors-" + module.replace("/", "-"), "\n".join(lines))


@pytest.mark.parametrize("module", MODULES)
def test_a_sentence_stands_once(module: str) -> None:
    texts = [str.__str__(sentence) for sentence in catalogue(module).values()]
    assert sorted(text for text in set(texts) if texts.count(text) > 1) == []


# --- call sites ---------------------------------------------------------------------------------------------------


def outside() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules that may say a sentence, not those that hold them."""
    for path, tree in trees().items():
        if FOLDER not in (SOURCE / path).parents:
            yield path, tree


def called(node: ast.Call) -> str:
    """Return the name of what is called: InputError also of InputError.of, UsageError of click.UsageError."""
    made = node.func
    if isinstance(made, ast.Attribute) and isinstance(made.value, ast.Name):
        return made.value.id if made.attr == "of" else made.attr if made.value.id == "click" else ""
    return made.id if isinstance(made, ast.Name) else ""


def errors() -> set[str]:
    """Return the names of howsure's exceptions, click's and some of Python's."""
    found = {"HowsureError", "UsageError", "BadParameter", "ClickException", *PLAIN}
    classes = [node for _, tree in outside() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for _ in range(3):  # a class of a class of one
        found |= {one.name for one in classes if found & {base.id for base in one.bases if isinstance(base, ast.Name)}}
    return found


def sentences_given(node: ast.Call, names: set[str]) -> list[ast.expr]:
    """Return what a call is given to say."""
    name = called(node)
    if name in TAKES:
        return node.args[TAKES[name] : TAKES[name] + 1]
    if name not in names:
        return []
    of = isinstance(node.func, ast.Attribute) and node.func.attr == "of"
    return node.args[2:4] if of else node.args[:1]


def written(value: ast.expr) -> bool:
    """Say whether an expression is a text with words in it, written where it stands."""
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(mark.isalpha() for text in texts for mark in text)


def test_no_error_is_given_a_literal_sentence() -> None:
    names = errors()
    assert {"InputError", "MetricError", "Refused", "TooLarge"} <= names
    calls = [(path, node) for path, tree in outside() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = [
        f"{path}:{node.lineno}" for path, node in calls if any(written(value) for value in sentences_given(node, names))
    ]
    assert found == [], "write the sentence into errors/messages"


def texts_in(value: ast.expr) -> list[str]:
    """Return the texts of several words that an expression may be, or is made of."""
    found = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return [text for text in found if any(map(str.isalpha, text)) and " " in text.strip() and "SELECT" not in text]


def test_no_sentence_is_given_a_fragment() -> None:
    """Words that a function keeps in a variable and hands to a sentence belong into the catalogue too."""
    found = []
    for path, tree in outside():
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            held = {
                target.id
                for node in ast.walk(function)
                if isinstance(node, ast.Assign) and texts_in(node.value)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            found += [
                f"{path}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("messages.")
                for given in (keyword.value for keyword in node.keywords)
                if (isinstance(given, ast.Name) and given.id in held) or texts_in(given)
            ]
    assert found == [], "write the words into errors/messages"


def test_every_sentence_is_said_with_its_fields() -> None:
    """A name that no call uses is dead; a call without a field, or with another, would fail when somebody errs."""
    texts = {module: catalogue(module) for module in MODULES}
    used, wrong = set(), []
    for path, tree in outside():
        home = next(
            (
                "/".join([*(node.module or "").split(".")[3:], alias.name])
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("howsure.errors.messages")
                for alias in node.names
            ),
            "",
        )
        for node in ast.walk(tree):
            made = node.func if isinstance(node, ast.Call) else None
            if isinstance(made, ast.Attribute) and isinstance(made.value, ast.Name) and made.value.id == "messages":
                used.add((home, made.attr))
                if fields_of(texts[home][made.attr]) != {keyword.arg for keyword in node.keywords}:
                    wrong.append(f"{path}:{node.lineno} {made.attr}")
    assert wrong == []
    assert {(module, name) for module in MODULES for name in texts[module]} - used == set()


# --- sentences ----------------------------------------------------------------------------------------------------


def test_a_sentence_marks_what_it_mentions() -> None:
    few = Sentence(
        "{arg:{name}} has {rows:,} rows; say {setting:on_bad='skip'}, {setting:level={level!r}} or {calling:compare()}"
    )
    made = few(name="truth", rows=1200, level=0.9)
    assert said(made, str) == "truth has 1,200 rows; say on_bad='skip', level=0.9 or compare()"
    assert said(made, page_door) == (
        "truth has 1,200 rows; say the setting on bad skip, the setting level 0.9 or compare"
    )
    assert said(Sentence("{calling:estimate(method='wald')}")(), str) == "estimate(method='wald')"


def test_a_sentence_may_have_words_of_its_own_for_a_door() -> None:
    made = Sentence("see compare() of {name}", shell="run 'howsure compare' of {name}")(name="a")
    assert said(made, str) == "see compare() of a"
    assert said(made, options_of(click.Command("x"))) == "run 'howsure compare' of a"
    assert said(made, page_door) == "see compare() of a"


@pytest.mark.parametrize("words", [{}, {"shell": "--level is {came}"}, {"page": "The level is {came}"}])
def test_an_error_knows_its_argument_whatever_the_doors_say(words: dict[str, str]) -> None:
    made = InputError(Sentence("{arg:level} is {came}; it must be less", **words)(came=2))
    assert made.argument == "level"
    assert str(made) == "level is 2; it must be less"
    assert InputError(Sentence("nothing is {came}", **words)(came=2)).argument is None


def test_braces_of_a_user_are_left_alone() -> None:
    assert Sentence("{what} is {{not}} known")(what="{arg:level}") == "{arg:level} is {not} known"
    assert said(Sentence("{arg:{name}}")(name="x"), str) == said(arg("x"), str)
