"""Letters that the usual font lacks: taken from another installed font, or drawn as a box without a warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def every_letter(figure: Any) -> Iterator[None]:
    """Give each text of a figure a font for every letter that some installed font has; boxes stand for the rest."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        lacking = frozenset(_beyond(text.get_text()))
        others = _fonts_for(lacking) if lacking else ()
        if others:
            text.set_fontfamily([*text.get_fontfamily(), *others])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not support", category=UserWarning)
        yield


def _beyond(text: str) -> set[int]:
    """Return the letters of a text that the usual font does not have."""
    return {ord(letter) for letter in text if ord(letter) > 126} - _usual() if not text.isascii() else set()


@cache
def _usual() -> frozenset[int]:
    from matplotlib.font_manager import findfont

    return _letters(findfont("DejaVu Sans"))


@cache
def _letters(path: str) -> frozenset[int]:
    """Return the letters of a font; none of one that cannot be drawn from, such as a font of coloured pictures."""
    from matplotlib.ft2font import FT2Font

    try:
        font = FT2Font(path)
        return frozenset(font.get_charmap()) if font.scalable else frozenset()
    except (OSError, RuntimeError, ValueError):
        return frozenset()


@cache
def _fonts_for(lacking: frozenset[int]) -> tuple[str, ...]:
    """Return names of installed fonts that together have as many of the letters as can be had."""
    from matplotlib.font_manager import fontManager

    found: list[str] = []
    left = set(lacking)
    for entry in sorted(fontManager.ttflist, key=lambda one: (one.style != "normal", one.weight != 400, one.name)):
        held = left & _letters(entry.fname) if left else set()
        if held:
            found.append(entry.name)
            left -= held
    return tuple(dict.fromkeys(found))
