"""The exception tree, what its messages share (a list of options, the nearest name), and checks of plain numbers."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class HowsureError(ValueError):
    """Base of every error that howsure raises on purpose."""


class InputError(HowsureError):
    """The data or an argument cannot be used as given."""


class MetricError(HowsureError):
    """No such metric, or this metric does not exist for this table."""


class MethodError(HowsureError):
    """No such interval method, or this method cannot serve this metric."""


class MissingExtra(HowsureError, ImportError):
    """An optional dependency is needed and not installed."""


def quoted(names: Iterable[object], *, most: int = 20) -> str:
    """Return names as a readable list, cut after ``most`` of them.

    >>> quoted(["a", "b"])
    "'a', 'b'"
    """
    shown = [repr(name) for name in names]
    rest = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + rest


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a sentence that suggests the nearest known name, or an empty string.

    >>> nearest("precison", ["precision", "recall"])
    " Did you mean 'precision'?"
    """
    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f" Did you mean {close[0]!r}?" if close else ""


def need_extra(package: str, extra: str, purpose: str) -> MissingExtra:
    """Return the error that says which extra brings a missing package."""
    return MissingExtra(f"{purpose} needs the package {package!r}; install it with: pip install 'howsure[{extra}]'")


def need_package(package: str, purpose: str) -> MissingExtra:
    """Return the error that names a missing package which no extra brings."""
    return MissingExtra(f"{purpose} needs the package {package!r}; install it with: pip install {package}")


def check_level(level: object) -> None:
    """Refuse a confidence or credible level that is no number between 0 and 1."""
    if not is_number(level) or not 0 < level < 1:
        raise InputError(f"level is {level!r}; it must lie strictly between 0 and 1, such as 0.95")


def is_number(value: object) -> TypeGuard[float]:
    """Say whether a value is a real number, nan and infinity among them; text and truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_seed(seed: object) -> int:
    """Return a seed; refuse what is no whole number, zero or larger: the same seed must give the same draws."""
    return check_whole("seed", seed, 0, "the default is 0")


def check_whole(name: str, value: object, least: int, remedy: str = "") -> int:
    """Return a whole number that is not below the least; refuse anything else, 2.0 and True among them.

    >>> check_whole("draws", 3, 1)
    3
    """
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        least_in_words = "zero" if least == 0 else str(least)
        end = f"; {remedy}" if remedy else ""
        raise InputError(f"{name} is {value!r}; it must be a whole number, {least_in_words} or larger{end}")
    return number


def numbers_of(name: str, values: Any, rule: str) -> npt.NDArray[np.float64]:
    """Return values as an array of floats; refuse text and what is ragged, with the rule."""
    import numpy as np

    try:
        found = np.asarray(values)
        if found.dtype.kind not in "USmM":
            return found.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    shown = repr(values)
    raise InputError(f"{name} is {shown if len(shown) <= 80 else shown[:77] + '…'}; {rule}")
