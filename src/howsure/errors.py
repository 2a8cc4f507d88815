"""The exception tree, what its messages share (a list of options, the nearest name), and the check of a level."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Real


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
    if isinstance(level, bool) or not isinstance(level, Real) or not 0 < float(level) < 1:
        raise InputError(f"level is {level!r}; it must lie strictly between 0 and 1, such as 0.95")
