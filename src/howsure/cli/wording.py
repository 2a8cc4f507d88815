"""Messages name Python's arguments; on the command line they name the options of the verb that runs."""

from __future__ import annotations

import re

import click

# What a message may recommend, and the verb that does it.
VERB_OF = {
    "compare": "compare", "compare_all": "compare", "report": "report", "gate": "gate", "plan": "plan",
    "bayes_test": "bayes", "study": "study", "posterior": "posterior", "corrected_resampled_t": "cvtest",
}  # fmt: skip
_FILES = ("file", "files")
_LIST = re.compile(r"\bone of ((?:'\w+'(?:, | and | or )?)+)")


def as_options(text: str, command: click.Command | None) -> str:
    """Return a message with ``on_bad='skip'`` as ``--on-bad skip`` and ``truth=`` as ``--truth``, where there is one.

    >>> bad = click.Command("report", params=[click.Option(["--on-bad"]), click.Option(["--id", "id_"])])
    >>> as_options("name it with id=, or on_bad='skip'; level=0.9 stays", bad)
    'name it with --id, or --on-bad skip; level=0.9 stays'
    >>> as_options("or say it with on_bad=.", bad)
    'or say it with --on-bad.'
    >>> as_options("on_bad is 'x'; give one of 'id', 'on_bad'", bad)
    "--on-bad is 'x'; give one of --id, --on-bad"
    """
    known = _names(command)
    text = _of_files(text, command)
    for name, option in known.items():
        text = _assigned(text, name, option)
        text = re.sub(rf"^((?:note: )?){name}(?= (?:is|has|holds|names|does|are|and|sums?)\b)", rf"\1{option}", text)
        if "_" in name:
            text = re.sub(rf"(?<![\w'\"./-]){name}(?![\w'\"(=])", option, text)
    text = _LIST.sub(lambda found: _listed(found, known), text)
    return _calls(text, known)


def _names(command: click.Command | None) -> dict[str, str]:
    """Return the option of every argument: by its name in Python, and by its own."""
    found: dict[str, str] = {}
    for param in [] if command is None else command.params:
        if isinstance(param, click.Option) and param.name:
            long = max(param.opts, key=len)
            found[long.removeprefix("--").replace("-", "_")] = long
            found.setdefault(param.name.rstrip("_"), long)
    if "input_format" in found:  # what Python calls the format of a file; --format is that of the output
        found["format"] = found["input_format"]
    return found


def _of_files(text: str, command: click.Command | None) -> str:
    """Return a message on what Python calls source or path with the name of the verb's own argument: FILE or FILES."""
    for param in [] if command is None else command.params:
        if isinstance(param, click.Argument) and param.name in _FILES:
            return re.sub(r"^(?:source|path)(?= (?:is|holds|mixes)\b)", param.human_readable_name, text)
    return text


def _assigned(text: str, name: str, option: str) -> str:
    return re.sub(rf"\b{name}=('[^']*'|\"[^\"]*\"|\w+(?:\.\w+)*|)", lambda found: _said(option, found[1]), text)


def _said(option: str, value: str) -> str:
    if value == "True":
        return option
    bare = value[1:-1] if value[:1] in ("'", '"') and re.fullmatch(r".[\w.-]+.", value) else value
    return f"{option} {bare}".rstrip()


def _listed(found: re.Match[str], known: dict[str, str]) -> str:
    """Return "one of 'a', 'b'" with options, if every name is one."""
    names = re.findall(r"'(\w+)'", found[1])
    if not all(name in known for name in names):
        return found[0]
    return "one of " + re.sub(r"'(\w+)'", lambda name: known[name[1]], found[1])


def _calls(text: str, known: dict[str, str]) -> str:
    """Return ``compare()`` as ``howsure compare``, and ``estimate(--method beta)`` as the option alone."""
    text = re.sub(r"\b(?:howsure\.)?(\w+)\(\)", lambda found: _verb(found, known), text)
    return re.sub(r"\bestimate\((--method [\w-]+)\)", r"\1", text)


def _verb(found: re.Match[str], known: dict[str, str]) -> str:
    return f"howsure {VERB_OF[found[1]]}" if known and found[1] in VERB_OF else found[0]
