"""What every figure shares: axes without global state, colours that all eyes tell apart, fonts, captions, files."""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from howsure.errors import InputError, need_extra, quoted
from howsure.results.saving import write_whole

# Okabe & Ito (2008): told apart by every kind of colour vision. The yellow is left out: too pale on white.
BLUE, ORANGE, GREEN, PURPLE, SKY, AMBER, BLACK = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
)  # fmt: skip
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, AMBER, BLACK)
DASHES = ("-", "--", "-.", ":")
GREY, SOFT = "#5b6570", "#d7dde3"
LETTERS_PER_INCH = 12.5  # of a caption
# Without these a file would carry the hour and the library that made it, and differ every time.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


def axes_for(axes: Any = None, *, size: tuple[float, float] = (6.4, 4.2), rows: int = 1, columns: int = 1) -> Any:
    """Return the given axes, or new ones on a figure of their own; several as an array of rows × columns."""
    if axes is not None:
        return axes
    figure = new_figure(size)
    if (rows, columns) == (1, 1):
        return figure.subplots()
    return figure.subplots(rows, columns, squeeze=False, sharex=True, sharey="row")


def grid_of_axes(rows: int, columns: int, *, size: tuple[float, float]) -> Any:
    """Return an array of axes on one figure, each with its own scales."""
    return new_figure(size).subplots(rows, columns, squeeze=False)


def new_figure(size: tuple[float, float]) -> Any:
    """Return an empty figure that no global list holds; say which extra is missing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise need_extra("matplotlib", "figures", "drawing a figure") from None
    return Figure(figsize=size, layout="constrained")


def style_of(at: int) -> dict[str, Any]:
    """Return the colour and dashes of the line at this place: told apart in grey print too."""
    return {"color": COLOURS[at % len(COLOURS)], "linestyle": DASHES[at % len(DASHES)]}


def write_caption(axes: Any, text: str, *, below: float = 38, width: int = 92) -> None:
    """Write the caption: across the foot of a figure with one set of axes, else under these axes, moving with them."""
    figure = axes.figure
    if len(figure.axes) == 1 and hasattr(figure, "get_layout_engine") and figure.get_layout_engine() is not None:
        foot_caption(figure, text)
        return
    axes.annotate(
        textwrap.fill(text, width), xy=(0, 0), xycoords="axes fraction", xytext=(0, -below),
        textcoords="offset points", va="top", fontsize="small", color=GREY, parse_math=False, gid="caption",
    )  # fmt: skip


def foot_caption(figure: Any, text: str) -> None:
    """Write a caption across the foot of the figure, broken to its width."""
    lines = textwrap.fill(text, int(LETTERS_PER_INCH * figure.get_figwidth()))
    figure.supxlabel(lines, x=0.01, ha="left", fontsize="small", color=GREY, parse_math=False)


def caption_of(axes: Any) -> str:
    """Return the caption that was written under the axes, or at the foot of their figure."""
    under = [text.get_text() for text in axes.texts if text.get_gid() == "caption"]
    return " ".join(" ".join(text.split()) for text in under or [axes.figure.get_supxlabel()])


def write_legend(axes: Any, handles: Sequence[Any], labels: Sequence[str], **options: Any) -> None:
    """Write a legend whose labels are shown as they are, also with dollar signs or a leading underscore."""
    legend = axes.legend(handles, [f"{at}" for at, _ in enumerate(labels)], frameon=False, **options)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        text.set_text(label)


def shortened(label: str, most: int = 36) -> str:
    """Return a label that fits beside an axis."""
    plain = " ".join(label.split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def limits_around(ends: Iterable[float], *, inside: tuple[float, float] | None = None) -> tuple[float, float]:
    """Return limits a little wider than the finite ends, and no wider than needed ``inside`` a metric's range."""
    finite = [end for end in ends if math.isfinite(end)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.06 * (high - low) or 0.05
    if inside is None:
        return low - room, high + room
    edge = 0.03 * (high - low + 2 * room)
    return max(low - room, min(low, inside[0]) - edge), min(high + room, max(high, inside[1]) + edge)


def figure_of(axes: Any) -> Any:
    """Return the figure that axes, or an array of them, belong to."""
    first = axes.flat[0] if hasattr(axes, "flat") else axes
    return first.figure


def save(axes: Any, path: str | Path) -> Path:
    """Write the figure of these axes as SVG, PDF or PNG by the file's ending: the same file every time."""
    from matplotlib import rc_context

    place = Path(path)
    form = place.suffix.lower().removeprefix(".")
    if form not in METADATA:
        raise InputError(f"path is {str(path)!r}; a figure is written as one of {quoted(METADATA)}; change its ending")
    drawn, figure = io.BytesIO(), figure_of(axes)
    with rc_context({"svg.hashsalt": "howsure"}), every_letter(figure):
        figure.savefig(drawn, format=form, dpi=160, metadata=METADATA[form])
    return write_whole(place, drawn.getvalue())


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
