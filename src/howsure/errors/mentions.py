"""The sentences that errors and notes are made of.

A sentence knows which of its words are arguments, settings and functions of the library: ``arg``, ``setting``,
``calling`` and ``among`` mark them. Python's door shows them as Python writes them; another door, such as the command
line, puts its own words in their place (``said``). The words of errors are ``Sentence``s of the catalogue,
``errors/messages``, one module a package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LONG_NAME, LONG_VALUE, LONG_SENTENCE = 100, 1000, 6000
"""Characters of a name in a list, of a value, and of a sentence, beyond which their middle is left out."""
# Marks of a mention inside text: private-use characters, which repr() never leaves bare in what a user gave.
_OPEN, _NEXT, _CLOSE = "\ue000", "\ue001", "\ue002"


def quoted(names: Iterable[object], *, most: int = 20) -> str:
    """Return names as a readable list, cut after ``most`` of them.

    >>> quoted(["a", "b"])
    "'a', 'b'"
    """
    every = list(names)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(cut(repr(name), LONG_NAME) for name in every[:most]) + rest


def cut(text: str, most: int) -> str:
    """Return a text without its middle where it is longer than ``most``: labels may have megabytes.

    >>> cut("abcdefghij" * 9, 20), cut("short", 20)
    ('abcdefghijabcd…fghij', 'short')
    """
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


@dataclass(frozen=True)
class Mention:
    """Words of a sentence that stand for something of the library; as text they are Python's."""

    kind: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return quoted(self.words) if self.kind == "arguments" else _PYTHON[self.kind].format(*self.words)

    @property
    def of_doors(self) -> dict[str, str]:
        """What each door says, where the sentence differs from door to door."""
        return dict(zip(DOORS, self.words[:-1], strict=True)) if self.kind == "doors" else {}

    @property
    def argument(self) -> str | None:
        """The argument that is mentioned, or that what doors say begins with."""
        return self.words[-1] or None if self.kind in ("argument", "doors") else None


Door = Callable[[Mention], str]
DOORS = ("python", "shell", "page")
# How Python writes a mention; "arguments", of any number, are quoted; of "doors" it is the first that is said.
_PYTHON = {"argument": "{}", "setting": "{}={}", "function": "{}()", "call": "{}({}={})", "doors": "{0}"}
_SIZES = {"argument": 1, "setting": 2, "function": 1, "call": 3, "doors": len(DOORS) + 1}
_DOOR: ContextVar[Door] = ContextVar("door", default=str)


def arg(argument: str) -> str:
    """Return an argument's name, marked: ``level``."""
    return _marked("argument", argument)


def setting(argument: str, *value: object, quote: str = "'") -> str:
    """Return an argument with its value, marked: ``on_bad='skip'``, or ``truth=`` without one."""
    return _marked("setting", argument, "".join(map(repr, value)).replace("'", quote))


def calling(function: str, **given: object) -> str:
    """Return a call, marked: ``compare()``, or with one argument ``estimate(method='wald')``."""
    for name, value in given.items():
        return _marked("call", function, name, repr(value))
    return _marked("function", function)


def among(arguments: Iterable[str]) -> str:
    """Return a list of arguments to choose from, marked: ``'n', 'se'``."""
    return _marked("arguments", *arguments)


def by_door(*, python: str, shell: str, page: str = "", argument: str = "") -> str:
    """Return what each door says in its own words, marked; a page may say nothing. It begins with the argument, if any.

    >>> said(by_door(python="see compare()", shell="run howsure compare"), str)
    'see compare()'
    """
    return _marked("doors", python, shell, page, argument)


def page_door(mention: Mention) -> str:
    """Return what a page says: no Python and no options, but plain words."""
    words = {name: word.replace("_", " ") for name, word in zip("abc", mention.words, strict=False)}
    if mention.kind in ("setting", "call"):
        name, value = mention.words[-2:]
        return f"the setting {name.replace('_', ' ')}" + (
            f" {value}".replace("'", "").replace('"', "") if value else ""
        )
    return mention.of_doors.get("page", words["a"]) if mention.kind != "arguments" else ", ".join(mention.words)


def _marked(kind: str, *words: str) -> str:
    return _OPEN + _NEXT.join([kind, *words]) + _CLOSE


def parts_of(sentence: str) -> tuple[str | Mention, ...]:
    """Return a sentence as plain text and mentions.

    >>> parts_of(f"leave them out with {setting('on_bad', 'skip')}.")
    ('leave them out with ', Mention(kind='setting', words=('on_bad', "'skip'")), '.')
    """
    first, *rest = sentence.split(_OPEN)
    parts: list[str | Mention] = [first]
    for piece in rest:
        inside, closed, after = piece.partition(_CLOSE)
        kind, *words = inside.split(_NEXT)
        known = kind == "arguments" or len(words) == _SIZES.get(kind)
        parts += [Mention(kind, tuple(words)), after] if closed and known else [_OPEN + piece]
    return tuple(part for part in parts if part != "")


def said(sentence: str, door: Door | None = None) -> str:
    """Return a sentence in the words of a door; without one, of the door that is open: Python's, or ``speaking``'s.

    >>> said(f"{arg('on_bad')} is 'x'", str), said(f"{arg('on_bad')} is 'x'", lambda mention: "--on-bad")
    ("on_bad is 'x'", "--on-bad is 'x'")
    """
    words = door or _DOOR.get()
    return "".join(words(part) if isinstance(part, Mention) else part for part in parts_of(sentence))


@contextmanager
def speaking(door: Door) -> Iterator[None]:
    """Let what is said inside be in the words of a door."""
    before = _DOOR.set(door)
    try:
        yield
    finally:
        _DOOR.reset(before)


# --- sentences of the catalogue -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Mark:
    """A word of the catalogue that marks what stands after its colon: ``{arg:level}``."""

    make: Callable[[str], str]

    def __format__(self, written: str) -> str:
        return self.make(written)


def _setting_written(written: str) -> str:
    name, _, value = written.partition("=")
    return _marked("setting", name, value)


def _call_written(written: str) -> str:
    function, _, inside = written.removesuffix(")").partition("(")
    name, given, value = inside.partition("=")
    return _marked("call", function, name, value) if given else _marked("function", function)


_MARKS = {"arg": _Mark(arg), "setting": _Mark(_setting_written), "calling": _Mark(_call_written)}


class Sentence(str):
    """A sentence of the catalogue, with fields in braces; called with them it is made, its mentions marked.

    ``{arg:level}`` mentions an argument, ``{setting:on_bad='skip'}`` one with its value, ``{calling:compare()}`` a
    function: each door writes them in its own words. Where that is not enough, ``shell`` and ``page`` are what these
    doors say instead.

    >>> few = Sentence("{arg:{name}} has {rows:,} rows; leave bad ones out with {setting:on_bad='skip'}")
    >>> said(few(name="truth", rows=1200), str)
    "truth has 1,200 rows; leave bad ones out with on_bad='skip'"
    """

    shell: str | None
    page: str | None
    plain: str | None

    def __new__(cls, text: str, *, shell: str | None = None, page: str | None = None) -> Sentence:
        made = super().__new__(cls, text)
        made.shell, made.page, made.plain = shell, page, None
        return made

    def __call__(self, **fields: object) -> str:
        if fields:
            return self._made(fields)
        if self.plain is None:  # always the same: made once
            self.plain = self._made(fields)
        return self.plain

    def _made(self, fields: dict[str, object]) -> str:
        python = self.format(**_MARKS, **fields)
        if self.shell is None and self.page is None:
            return python
        shell, page = (python if text is None else text.format(**_MARKS, **fields) for text in (self.shell, self.page))
        first = next(iter(parts_of(python)), "")
        argument = (isinstance(first, Mention) and first.argument) or ""
        return by_door(python=said(python, str), shell=said(shell, str), page=said(page, page_door), argument=argument)
