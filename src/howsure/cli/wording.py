"""Messages name Python's arguments; on the command line they name the options of the verb that runs."""

from __future__ import annotations

import re

import click


def as_options(text: str, command: click.Command | None) -> str:
    """Return a message with ``on_bad='skip'`` as ``--on-bad skip`` and ``truth=`` as ``--truth``, where there is one.

    >>> bad = click.Command("report", params=[click.Option(["--on-bad"]), click.Option(["--id", "id_"])])
    >>> as_options("name it with id=, or on_bad='skip'; level=0.9 stays", bad)
    'name it with --id, or --on-bad skip; level=0.9 stays'
    """
    params = [] if command is None else command.params
    for param in params:
        if isinstance(param, click.Option) and param.name:
            long = max(param.opts, key=len)
            name = param.name.rstrip("_")
            text = _replaced(text, name, long)
    return text


def _replaced(text: str, name: str, option: str) -> str:
    return re.sub(rf"\b{name}=('[^']*'|\"[^\"]*\"|[\w.]*)", lambda found: _said(option, found[1]), text)


def _said(option: str, value: str) -> str:
    bare = value[1:-1] if value[:1] in ("'", '"') and re.fullmatch(r".[\w.-]+.", value) else value
    return f"{option} {bare}".rstrip()
