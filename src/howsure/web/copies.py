"""A result to take along: BibTeX of its method, and the Python and shell lines that make it again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

WORK = re.compile(r"^(?P<who>.+?) \((?P<year>\d{4})\),? ?(?P<rest>.*)$")
WANG = "Wang & Li (2019), eq. 31 and Algorithm 1"
JIANG = "Jiang (2020), corollary 2"


def bibtex(citations: Mapping[str, str]) -> str:
    """Return an entry for every work that the methods' citations name; a catalogue's citation knows no more than this.

    >>> print(bibtex({"wilson": "Wilson (1927) JASA 22:209"}))
    @misc{wilson1927,
      author = {Wilson},
      year = {1927},
      note = {JASA 22:209. Source of: wilson}
    }
    """
    works: dict[str, tuple[str, str, list[str], list[str]]] = {}
    for method, text in citations.items():
        for part in filter(None, (part.strip() for part in text.split("; "))):
            found = WORK.match(part)
            who, year, rest = found.group("who", "year", "rest") if found else (part, "", "")
            entry = works.setdefault(_key(who, year), (who, year, [], []))
            entry[2].extend([rest] if rest and rest not in entry[2] else [])
            entry[3].extend([method] if method not in entry[3] else [])
    return "\n\n".join(_entry(key, *work) for key, work in works.items())


def _key(who: str, year: str) -> str:
    return re.sub(r"[^a-z]", "", who.split(",")[0].split("&")[0].replace(" et al.", "").lower())[:20] + year


def _entry(key: str, who: str, year: str, rest: list[str], methods: list[str]) -> str:
    note = f"{'; '.join(rest)}. " if rest else ""
    lines = [f"  author = {{{_authors(who)}}}"] if year else []
    lines += [f"  year = {{{year}}}"] if year else []
    lines.append(f"  note = {{{_plain(note if year else who + '. ')}Source of: {', '.join(methods)}}}")
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}"


def _authors(who: str) -> str:
    return _plain(who.replace(" et al.", " and others").replace(" & ", " and ").replace(", ", " and "))


def _plain(text: str) -> str:
    return text.replace("&", r"\&").replace("–", "--").replace("×", r"$\times$").replace("½", r"$\frac12$")


def python(*lines: str) -> str:
    """Return lines of Python with the import on top."""
    return "\n".join(["import howsure as hs", "", *lines])


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


def command(*words: str, **options: Any) -> str:
    """Return a command line; None and False leave an option out, a list repeats it.

    >>> command("howsure", "counts", tp=7, metric=["f1", "recall"], joint=True)
    'howsure counts --tp 7 --metric f1 --metric recall --joint'
    """
    parts = [shlex.quote(word) for word in words]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, list) else [value]:
            if item is True:
                parts.append(flag)
            elif item is not None and item is not False:
                parts += [flag, shlex.quote(item if isinstance(item, str) else short(item))]
    return " ".join(parts)


def written(lines: Iterable[str], file: str) -> str:
    """Return the shell line that writes a small file."""
    return f"printf '%s\\n' {' '.join(map(shlex.quote, lines))} > {shlex.quote(file)}"
