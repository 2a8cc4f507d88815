"""The exception tree and checks of plain values; `messages` is the catalogue of what errors say.

May import: nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from math import inf
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeGuard, TypeVar

from howsure.errors.mentions import (
    DOORS,
    LONG_NAME,
    LONG_SENTENCE,
    LONG_VALUE,
    Door,
    Mention,
    among,
    arg,
    by_door,
    calling,
    cut,
    page_door,
    parts_of,
    quoted,
    said,
    setting,
    speaking,
)
from howsure.errors.messages import checks as messages

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [  # what sentences are made of is imported from here too
    "DOORS", "LONG_NAME", "LONG_SENTENCE", "LONG_VALUE", "Door", "Mention", "among", "arg", "by_door", "calling",
    "cut", "page_door", "parts_of", "quoted", "said", "setting", "speaking",
]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")


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
        self.argument = first.argument if isinstance(first, Mention) else None
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
    return MissingExtra(messages.NEEDS_EXTRA(purpose=purpose, package=package, extra=extra))


def need_package(package: str, purpose: str) -> MissingExtra:
    """Return the error that names a missing package which no extra brings."""
    return MissingExtra(messages.NEEDS_PACKAGE(purpose=purpose, package=package))


def check_level(level: object) -> None:
    """Refuse a confidence or credible level that is no number between 0 and 1."""
    if type(level) is float and 0.0 < level < 1.0:
        return
    check_number("level", level, messages.LIE_STRICTLY_BETWEEN_0_AND_1(), above=0, below=1)


def check_choice(name: str, value: object, choices: Collection[object]) -> None:
    """Refuse a value that is none of the choices.

    >>> check_choice("kind", "ratio", ("difference", "ratio"))
    """
    if value not in choices:
        raise InputError.of(name, value, messages.ONE_OF_CHOICES(choices=quoted(choices)))


def first_given(values: Mapping[str, object]) -> str | None:
    """Return the name of the first value that is given, not None; None where none is."""
    return next((name for name, value in values.items() if value is not None), None)


def is_number(value: object) -> TypeGuard[float]:
    """Say whether a value is a real number, nan and infinity among them; text and truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_seed(seed: object) -> int:
    """Return a seed; refuse what is no whole number, zero or larger: the same seed must give the same draws."""
    return check_whole("seed", seed, 0, messages.DEFAULT_IS_0())


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
        raise InputError.of(name, value, messages.WHOLE_NUMBER_OR_LARGER(least_in_words=least_in_words), remedy)
    if most is not None and number > most:
        raise InputError.of(name, value, messages.WHOLE_NUMBER_AT_MOST(most=most), remedy)
    return number


def numbers_of(name: str, values: Any, rule: str) -> npt.NDArray[np.float64]:
    """Return values as an array of floats; refuse text and what is ragged, with the rule."""
    import numpy as np

    if np.ma.is_masked(values):
        raise InputError(messages.MASKED_CELLS_FILL_THEM_WITH_NUMBERS(name=name, rule=rule))
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "USmM":
            return found.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    shown = repr(values)
    raise InputError(messages.BREAKS_RULE(name=name, shown=shown if len(shown) <= 80 else shown[:77] + "…", rule=rule))


def number_of(text: str) -> float:
    """Return the number of a text, which may be a fraction such as 8/30; a ValueError where it is none.

    >>> number_of("8/32"), number_of("0.25")
    (0.25, 0.25)
    """
    top, slash, bottom = text.partition("/")
    if slash and not float(bottom):
        raise ValueError(messages.DIVIDES_BY_ZERO(text=text))
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
                    raise InputError(messages.GIVEN_TWICE_ALSO_BY_OLD_NAME(new=new, old=old))
                warn_renamed("argument", old, new, gone=gone)
                held[new] = held.pop(old)
            return function(*args, **given)

        return call

    return renamed
