"""A result to take along: BibTeX of its method, and the Python and shell lines that make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from howsure.results.citation import JIANG as JIANG_2020
from howsure.results.citation import WANG_LI, Citation, Work

WANG = Citation(WANG_LI.at("eq. 31 and Algorithm 1"))
JIANG = Citation(JIANG_2020.at("corollary 2"))
CONNOR = Citation(Work(("Connor",), 1987, "Biometrics", "43", "207"))


def taken_along(shell: str, *lines: str) -> dict[str, str]:
    """Return the lines of Python and that of the shell that make a result again."""
    return {"python": "\n".join(["import howsure as hs", "", *lines]), "command": shell}


def call(name: str, *first: str, **options: Any) -> str:
    """Return a call as Python source; options that are None are left out.

    >>> call("hs.plan", "'f1'", n=10, se=None)
    "hs.plan('f1', n=10)"
    """
    given = [f"{key}={short(value)}" for key, value in options.items() if value is not None]
    return f"{name}({', '.join([*first, *given])})"


def short(value: Any) -> str:
    """Return a value as source, whole floats as integers."""
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(short, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return repr(int(value)) if isinstance(value, float) and value == int(value) else repr(value)


def cells_source(cells: Sequence[Sequence[float]]) -> str:
    """Return rows of counts as source."""
    return "[" + ", ".join("[" + ", ".join(f"{cell:.15g}" for cell in row) + "]" for row in cells) + "]"


def command(*words: str, **options: Any) -> str:
    """Return a command line; None and False leave an option out, a list repeats it, a pair is two words.

    >>> command("howsure", "counts", tp=7, metric=["f1", "recall"], joint=True)
    'howsure counts --tp 7 --metric f1 --metric recall --joint'
    """
    parts = [shlex.quote(word) for word in words]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, list) else [value]:
            if item is True:
                parts.append(flag)
            elif isinstance(item, tuple):
                parts += [flag, *map(short, item)]
            elif item is not None and item is not False:
                parts += [flag, shlex.quote(item if isinstance(item, str) else short(item))]
    return " ".join(parts)


def written(lines: Iterable[str], file: str) -> str:
    """Return the shell line that writes a small file."""
    return f"printf '%s\\n' {' '.join(map(shlex.quote, lines))} > {shlex.quote(file)}"
