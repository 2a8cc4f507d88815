"""Text as an encoding can show it: results print on any terminal, in plainer marks where it has no better."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

# What a terminal or a pipe that knows only ASCII gets instead.
PLAIN = str.maketrans({
    "●": "o", "○": "o", "━": "=", "─": "-", "†": "+", "·": ".", "−": "-", "–": "-", "…": "...", "±": "+/-", "≤": "<=",
    "≥": ">=", "×": "x",
    "∞": "inf", "→": "->", "√": "sqrt", "²": "^2", "β": "beta", "ρ": "rho", "ν": "nu", "’": "'", "“": '"', "”": '"',
})  # fmt: skip


def fitting(text: str, encoding: str) -> str:
    """Return the text as the encoding can show it.

    >>> fitting("··━●━·", "ascii"), fitting("··━●━·", "utf-8"), fitting("名", "ascii")
    ('..=o=.', '··━●━·', '?')
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(PLAIN).encode("ascii", "replace").decode()
    return text


def printable(words: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a ``__str__`` or ``__repr__`` that standard output can show: print() would raise otherwise."""

    @wraps(words)
    def said(self: Any) -> str:
        text = words(self)
        encoding = None if text.isascii() else getattr(sys.stdout, "encoding", None)
        return fitting(text, encoding) if encoding else text

    return said
