"""The exception tree, the sentences that errors and notes are made of, and checks of plain values.

A sentence knows which of its words are arguments, settings and functions of the library: ``arg``, ``setting``,
``calling`` and ``among`` mark them inside an f-string. Python's door shows them as Python writes them; another door,
such as the command line, puts its own words in their place (``said``).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from math import inf
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeGuard, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

P = ParamSpec("P")
R = TypeVar("R")

LONG_NAME, LONG_VALUE, LONG_SENTENCE = 100, 1000, 6000
"""Characters of a name in a list, of a value, and of a sentence, beyond which their middle is left out."""
# Marks of a mention inside text: private-use characters, which repr() never leaves bare in what a user gave.
_OPEN, _NEXT, _CLOSE = "\ue000", "\ue001", "\ue002"


# --- sentences ----------------------------------------------------------------------------------------------------


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
        return dict(zip(DOORS, self.words, strict=True)) if self.kind == "doors" else {}


Door = Callable[[Mention], str]
DOORS = ("python", "shell", "page")
# How Python writes a mention; "arguments", of any number, are quoted; of "doors" it is the first that is said.
_PYTHON = {"argument": "{}", "setting": "{}={}", "function": "{}()", "call": "{}({}={})", "doors": "{0}"}
_SIZES = {"argument": 1, "setting": 2, "function": 1, "call": 3, "doors": len(DOORS)}
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


def by_door(*, python: str, shell: str, page: str = "") -> str:
    """Return what each door says in its own words, marked; a page may say nothing.

    >>> said(by_door(python="see compare()", shell="run howsure compare"), str)
    'see compare()'
    """
    return _marked("doors", python, shell, page)


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


# --- errors -------------------------------------------------------------------------------------------------------


class HowsureError(ValueError):
    """Base of every error that howsure raises on purpose.

    Its sentence has ``parts``, and a door may put its own words in place of those that mention something of the library
    (``said``). The ``argument`` is the one that the sentence begins with. An error made by ``of`` is a record of four
    parts: that, and what ``came``, the ``rule`` and the ``remedy``.
    """

    argument: str | None
    came = ""
    rule = ""
    remedy = ""

    def __init__(self, sentence: str = "") -> None:
        self.marked = sentence
        first = next(iter(self.parts), None)
        self.argument = first.words[0] if isinstance(first, Mention) and first.kind == "argument" else None
        super().__init__(cut(said(sentence, str), LONG_SENTENCE))

    @classmethod
    def of(cls, argument: str, came: object, rule: str, remedy: str = "") -> Self:
        """Return the error that an argument breaks a rule.

        >>> print(InputError.of("seed", -1, "it must be zero or larger", "the default is 0"))
        seed is -1; it must be zero or larger; the default is 0
        """
        shown = cut(repr(came), LONG_VALUE)
        made = cls(f"{arg(argument)} is {shown}; {rule}" + (f"; {remedy}" if remedy else ""))
        made.came, made.rule, made.remedy = shown, said(rule, str), said(remedy, str)
        return made

    @property
    def parts(self) -> tuple[str | Mention, ...]:
        """The sentence as plain text and mentions."""
        return parts_of(self.marked)

    def said(self, door: Door) -> str:
        """Return the sentence in the words of a door."""
        return cut(said(self.marked, door), LONG_SENTENCE)


class InputError(HowsureError):
    """The data or an argument cannot be used as given."""


class MetricError(HowsureError):
    """No such metric, or this metric does not exist for this table."""


class MethodError(HowsureError):
    """No such interval method, or this method cannot serve this metric."""


class MissingExtra(HowsureError, ImportError):
    """An optional dependency is needed and not installed."""


# --- what sentences share, and checks -----------------------------------------------------------------------------


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


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a sentence that suggests the nearest known name, or an empty string.

    >>> nearest("precison", ["precision", "recall"])
    " Did you mean 'precision'?"
    """
    if len(name) > LONG_NAME:
        return ""
    close = get_close_matches(name, [one for one in names if len(one) <= 2 * LONG_NAME], n=1, cutoff=0.6)
    return f" Did you mean {close[0]!r}?" if close else ""


def close_names(name: str, names: Iterable[str]) -> list[str]:
    """Return up to three known names that are close to one."""
    return get_close_matches(name, list(names), n=3, cutoff=0.6)


def any_of(names: Iterable[str]) -> str:
    """Return a question that suggests names.

    >>> any_of(["f1", "macro_f1", "micro_f1"])
    ' Did you mean f1, macro_f1 or micro_f1?'
    """
    found = list(dict.fromkeys(names))
    before = [", ".join(found[:-1])] if len(found) > 1 else []
    return f" Did you mean {' or '.join([*before, *found[-1:]])}?" if found else ""


def need_extra(package: str, extra: str, purpose: str) -> MissingExtra:
    """Return the error that says which extra brings a missing package."""
    return MissingExtra(f"{purpose} needs the package {package!r}; install it with: pip install 'howsure[{extra}]'")


def need_package(package: str, purpose: str) -> MissingExtra:
    """Return the error that names a missing package which no extra brings."""
    return MissingExtra(f"{purpose} needs the package {package!r}; install it with: pip install {package}")


def check_level(level: object) -> None:
    """Refuse a confidence or credible level that is no number between 0 and 1."""
    check_number("level", level, "it must lie strictly between 0 and 1, such as 0.95", above=0, below=1)


def check_choice(name: str, value: object, choices: Collection[object]) -> None:
    """Refuse a value that is none of the choices.

    >>> check_choice("kind", "ratio", ("difference", "ratio"))
    """
    if value not in choices:
        raise InputError.of(name, value, f"it must be one of {quoted(choices)}")


def is_number(value: object) -> TypeGuard[float]:
    """Say whether a value is a real number, nan and infinity among them; text and truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_seed(seed: object) -> int:
    """Return a seed; refuse what is no whole number, zero or larger: the same seed must give the same draws."""
    return check_whole("seed", seed, 0, "the default is 0")


def check_number(
    name: str, value: object, rule: str, *, above: float = -inf, below: float = inf, least: float = -inf,
    most: float = inf,
) -> float:  # fmt: skip
    """Return a finite number within limits; refuse anything else with the rule.

    >>> check_number("icc", 0.5, "it must lie between 0 and 1", least=0, most=1)
    0.5
    """
    if not (is_number(value) and above < value < below and least <= value <= most):
        raise InputError.of(name, value, rule)
    return float(value)


def check_whole(name: str, value: object, least: int, remedy: str = "", *, most: int | None = None) -> int:
    """Return a whole number from the least to the most; refuse anything else, 2.0 and True among them.

    >>> check_whole("draws", 3, 1)
    3
    """
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        least_in_words = "zero" if least == 0 else str(least)
        raise InputError.of(name, value, f"it must be a whole number, {least_in_words} or larger", remedy)
    if most is not None and number > most:
        raise InputError.of(name, value, f"it must be a whole number, at most {most:,}", remedy)
    return number


def numbers_of(name: str, values: Any, rule: str) -> npt.NDArray[np.float64]:
    """Return values as an array of floats; refuse text and what is ragged, with the rule."""
    import numpy as np

    if np.ma.is_masked(values):
        raise InputError(
            f"{arg(name)} has masked cells; {rule}; fill them with numbers first, or leave their tables out"
        )
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "USmM":
            return found.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    shown = repr(values)
    raise InputError(f"{arg(name)} is {shown if len(shown) <= 80 else shown[:77] + '…'}; {rule}")


def number_of(text: str) -> float:
    """Return the number of a text, which may be a fraction such as 8/30; a ValueError where it is none.

    >>> number_of("8/32"), number_of("0.25")
    (0.25, 0.25)
    """
    top, slash, bottom = text.partition("/")
    if slash and not float(bottom):
        raise ValueError(f"{text!r} divides by zero")
    return float(top) / float(bottom) if slash else float(text)


# --- names that change --------------------------------------------------------------------------------------------


def warn_renamed(what: str, old: str, new: str, *, gone: str, up: int = 2) -> None:
    """Warn that something is called otherwise now; the old name works until version ``gone``, one minor version on.

    A FutureWarning, which Python shows to whoever runs the code; ``up`` is how many calls above this one that is.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn_renamed("method", "wilsn", "wilson", gone="0.4.0")
    >>> print(seen[0].message)
    method 'wilsn' is called 'wilson' now; the old name goes with version 0.4.0
    """
    text = f"{what} {old!r} is called {new!r} now; the old name goes with version {gone}"
    warnings.warn(text, FutureWarning, stacklevel=up + 1)


def renamed_arguments(*, gone: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take arguments by their old names (old="new") until version ``gone``, with a warning.

    >>> @renamed_arguments(gone="0.4.0", alpha="level")
    ... def interval(*, level): ...
    """

    def renamed(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            held: dict[str, Any] = given
            for old, new in names.items():
                if old not in held:
                    continue
                if new in held:
                    raise InputError(f"{arg(new)} is given twice, also by its old name {old!r}; give it once")
                warn_renamed("argument", old, new, gone=gone)
                held[new] = held.pop(old)
            return function(*args, **given)

        return call

    return renamed
