"""Sentences mention Python's arguments; on the command line they mention the options of the verb that runs."""

from __future__ import annotations

from collections.abc import Callable

import click

from howsure.errors import Door, Mention

# What a message may recommend, and the verb that does it.
VERB_OF = {
    "compare": "compare", "compare_all": "compare", "report": "report", "gate": "gate", "plan": "plan",
    "bayes_test": "bayes", "spans": "spans", "study": "study", "posterior": "posterior",
    "corrected_resampled_t": "cvtest",
}  # fmt: skip
_FILES = ("file", "files", "given")


def options_of(command: click.Command | None) -> Door:
    """Return the door of a verb: ``on_bad='skip'`` is ``--on-bad skip`` and ``truth=`` is ``--truth``, if it has them.

    >>> from howsure.errors import arg, said, setting
    >>> door = options_of(click.Command("report", params=[click.Option(["--on-bad"]), click.Option(["--id", "id_"])]))
    >>> said(f"name it with {setting('id')}, or {setting('on_bad', 'skip')}; {setting('level', 0.9)} stays", door)
    'name it with --id, or --on-bad skip; level=0.9 stays'
    >>> said(f"{arg('on_bad')} is 'x'", door)
    "--on-bad is 'x'"
    """
    known = _names(command)
    words: dict[str, Callable[..., str | None]] = {
        "argument": known.get,
        "setting": lambda name, value: _set(known.get(name), value),
        "call": lambda function, name, value: _set(known.get(name), value),
        "function": lambda name: f"howsure {VERB_OF[name]}" if known and name in VERB_OF else None,
        "arguments": lambda *names: ", ".join(known[name] for name in names) if {*names} <= {*known} else None,
    }

    def option(mention: Mention) -> str:
        if mention.of_doors:
            return mention.of_doors["shell"]
        return words[mention.kind](*mention.words) or str(mention)

    return option


def _names(command: click.Command | None) -> dict[str, str]:
    """Return the option of every argument: by its name in Python, and by its own."""
    found: dict[str, str] = {}
    for param in [] if command is None else command.params:
        if isinstance(param, click.Option) and param.name:
            long = max(param.opts, key=len)
            found[long.removeprefix("--").replace("-", "_")] = long
            found.setdefault(param.name.rstrip("_"), long)
        elif param.name in _FILES:  # what Python calls source or path
            name = "FILE" if param.name == "given" else param.human_readable_name
            found |= dict.fromkeys(("source", "path"), name)
    if "input_format" in found:  # what Python calls the format of a file; --format is that of the output
        found["format"] = found["input_format"]
    if "model_column" in found:  # what Python calls the column of models; --model is one of them
        found["model"] = found["model_column"]
    return found


def _set(option: str | None, value: str) -> str | None:
    """Return an option with its value, whose quotes go where the shell needs none."""
    if option is None or value == "True":
        return option
    bare = value[1:-1] if value[:1] in ("'", '"') else ""
    simple = bare and all(mark.isalnum() or mark in "_.-" for mark in bare)
    return f"{option} {bare if simple else value}".rstrip()
