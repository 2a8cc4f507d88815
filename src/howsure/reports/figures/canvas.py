"""Draw pictures with matplotlib, with fonts for every letter and no global state, and save them."""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from howsure.errors import InputError, need_extra, quoted
from howsure.errors.messages import reports as messages
from howsure.reports.figures.picture import GREY, SOFT, Area, Axis, Line, Mark, Panel, Picture, Rule, Span, Words
from howsure.results.saving import write_whole

LETTERS_PER_INCH, FEWEST_LETTERS = 12.5, 40  # of a caption
# Without these a file would carry the hour and the library that made it, and differ every time.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


def draw(picture: Panel | Picture, axes: Any = None) -> Any:
    """Draw a panel on the given axes or on a figure of its own, several as an array of axes, and return them."""
    if isinstance(picture, Picture):
        return _draw_panels(picture)
    drawn = _figure(picture.size).subplots() if axes is None else axes
    _paint(drawn, picture)
    return drawn if axes is not None else showing_itself(drawn)


def showing_itself(axes: Any) -> Any:
    """Return axes of a figure of our own, which a notebook then shows without being asked: no pyplot holds it."""
    axes._repr_svg_ = lambda: _written(axes.figure, "svg").decode()
    axes._repr_png_ = lambda: _written(axes.figure, "png")
    return axes


class AxesGrid(np.ndarray):
    """Several axes of one figure, as matplotlib has them, which a notebook shows."""

    def _repr_png_(self) -> bytes:
        return _written(self.flat[0].figure, "png")


def _draw_panels(picture: Picture) -> Any:
    figure, rows = _figure(picture.size), math.ceil(len(picture.panels) / picture.columns)
    shared: Any = {"sharex": True, "sharey": "row"} if picture.shared else {}
    grid = figure.subplots(rows, picture.columns, squeeze=False, **shared)
    handles: dict[str, Any] = {}
    for axes, panel in zip(grid.flat, picture.panels, strict=False):
        handles |= _paint(axes, panel)
    for axes in grid.flat[len(picture.panels) :]:
        axes.set_visible(False)
    if picture.shared:
        for axes in grid.flat:
            axes.label_outer()
        _write_legend(figure, handles, loc="outside upper center", ncols=min(len(handles), 4))
        _write_foot(figure, picture.caption)
    return grid.view(AxesGrid)


def _figure(size: tuple[float, float]) -> Any:
    """Return an empty figure that no global list holds; say which extra is missing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise need_extra("matplotlib", "figures", messages.DRAWING_FIGURE()) from None
    return Figure(figsize=size, layout="constrained")


def _paint(axes: Any, panel: Panel) -> dict[str, Any]:
    """Draw everything of a panel and return the marks that a legend names."""
    before = axes.has_data()
    for side, axis in (("x", panel.across), ("y", panel.up)):
        _scale(axes, side, axis, before)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    drawn = [(mark.label, PAINTERS[type(mark)](axes, mark)) for mark in panel.marks]
    handles = {label: handle for label, handle in drawn if label}
    if panel.title:
        side = "center" if panel.centred else "left"
        axes.set_title(panel.title, fontsize="medium", loc=side, parse_math=False)
    if panel.legend:
        _write_legend(axes, handles)
    if panel.caption:
        _write_caption(axes, panel.caption)
    return handles


# --- axes and marks ----------------------------------------------------------------------------------------------


def _scale(axes: Any, side: str, axis: Axis, before: bool) -> None:
    """Set scale, limits, ticks and label; what was drawn on the axes ``before`` stays in sight."""
    drawn = axes.xaxis if side == "x" else axes.yaxis
    drawn.set_label_text(axis.label, parse_math=False)
    if axis.log:
        axes.set(**{f"{side}scale": "log"})
    limits = axis.low, axis.high
    if before and not axis.names:
        shown = getattr(axes, f"get_{side}lim")()
        limits = min(*limits, *shown), max(*limits, *shown)
    axes.set(**{f"{side}lim": limits})
    if axis.names:
        drawn.set_ticks(axis.places, axis.names, parse_math=False)
        for at in axis.bold:
            drawn.get_ticklabels()[at].set_fontweight("bold")
        drawn.set_tick_params(length=0)
        axes.spines["bottom" if side == "x" else "left"].set_visible(False)
        return
    drawn.grid(color=SOFT, linewidth=0.8)
    if axis.log or axis.ticks is not None:
        drawn.set_ticks(axis.places, axis.words)
        axes.minorticks_off()
    elif side == "x":
        axes.locator_params(axis=side, nbins=6)


def _line(axes: Any, mark: Line) -> Any:
    (drawn,) = axes.plot(
        mark.x, mark.y, color=mark.colour, linewidth=mark.width, linestyle=mark.dash, solid_capstyle="butt",
        marker=mark.shape or None, markersize=mark.size, markeredgewidth=1.6,
        markerfacecolor="white" if mark.hollow else mark.colour, gid=mark.name,
    )  # fmt: skip
    if mark.said:
        beside = axes.get_yaxis_transform()
        axes.text(1.02, mark.y[0], mark.said, transform=beside, va="center", fontsize="small", parse_math=False)
    return drawn


def _area(axes: Any, mark: Area) -> Any:
    style = {"color": mark.colour, "alpha": mark.opacity, "linewidth": 0, "gid": mark.name}
    return axes.fill_between(mark.x, mark.low, mark.high, **style)


def _span(axes: Any, mark: Span) -> Any:
    above = {"transform": axes.get_xaxis_transform(), "va": "bottom", "fontsize": "small", "color": GREY}
    axes.text((mark.low + mark.high) / 2, 1.01, mark.label, ha="center", **above)
    style = {"color": mark.colour, "alpha": mark.opacity, "linewidth": 0, "zorder": 0, "gid": mark.name}
    return axes.axvspan(mark.low, mark.high, **style)


def _rule(axes: Any, mark: Rule) -> Any:
    style = {"color": mark.colour, "linewidth": mark.width, "linestyle": mark.dash, "zorder": 1.5, "gid": mark.name}
    if mark.ends is not None:
        return (axes.vlines if mark.upright else axes.hlines)(mark.at, *mark.ends, **style)
    return (axes.axvline if mark.upright else axes.axhline)(mark.at, **style)


def _words(axes: Any, mark: Words) -> Any:
    side, away = {"start": ("left", 4), "middle": ("center", 0), "end": ("right", -4)}[mark.anchor]
    place = {"xytext": (away, 0), "textcoords": "offset points", "ha": side, "va": "center"}
    style = {"color": mark.colour, "fontsize": mark.size, "fontweight": "bold" if mark.bold else "normal"}
    return axes.annotate(mark.text, (mark.x, mark.y), **place, **style, parse_math=False, gid=mark.name)


PAINTERS: dict[type[Mark], Callable[[Any, Any], Any]] = {
    Line: _line,
    Area: _area,
    Span: _span,
    Rule: _rule,
    Words: _words,
}


# --- captions and legends ----------------------------------------------------------------------------------------


def _write_caption(axes: Any, text: str) -> None:
    """Write the caption: across the foot of a figure with one set of axes, else under these axes, moving with them."""
    figure = axes.figure
    if len(figure.axes) == 1 and hasattr(figure, "get_layout_engine") and figure.get_layout_engine() is not None:
        _write_foot(figure, text)
        return
    place = axes.get_subplotspec()
    columns = 1 if place is None else place.get_gridspec().ncols
    axes.annotate(
        _broken(figure, text, columns), xy=(0, 0), xycoords="axes fraction", xytext=(0, -38),
        textcoords="offset points", va="top", fontsize="small", color=GREY, parse_math=False, gid="caption",
    )  # fmt: skip


def _write_foot(figure: Any, text: str) -> None:
    figure.supxlabel(_broken(figure, text), x=0.01, ha="left", fontsize="small", color=GREY, parse_math=False)


def _broken(figure: Any, text: str, columns: int = 1) -> str:
    """Return a caption broken to the width of a figure, or of one of its columns."""
    letters = int(LETTERS_PER_INCH * figure.bbox.width / figure.dpi / columns)
    return textwrap.fill(text, max(letters, FEWEST_LETTERS))


def caption_of(axes: Any) -> str:
    """Return the caption that was written under the axes, or at the foot of their figure."""
    under = [text.get_text() for text in axes.texts if text.get_gid() == "caption"]
    return " ".join(" ".join(text.split()) for text in under or [axes.figure.get_supxlabel()])


def _write_legend(place: Any, handles: Mapping[str, Any], **options: Any) -> None:
    """Write a legend on axes or a figure, its labels as they are, also with dollar signs or a leading underscore."""
    legend = place.legend(list(handles.values()), [f"{at}" for at, _ in enumerate(handles)], frameon=False, **options)
    for text, label in zip(legend.get_texts(), handles, strict=True):
        text.set_parse_math(False)
        text.set_text(label)


# --- files -------------------------------------------------------------------------------------------------------


def save(axes: Any, path: str | Path) -> Path:
    """Write the figure of these axes as SVG, PDF or PNG by the file's ending: the same file every time."""
    place = Path(path)
    form = place.suffix.lower().removeprefix(".")
    if form not in METADATA:
        raise InputError.of("path", str(path), messages.FIGURE_IS_WRITTEN(metadata=quoted(METADATA)))
    return write_whole(place, _written((axes.flat[0] if hasattr(axes, "flat") else axes).figure, form))


def _written(figure: Any, form: str) -> bytes:
    from matplotlib import rc_context

    drawn = io.BytesIO()
    with rc_context({"svg.hashsalt": "howsure"}), every_letter(figure):
        figure.savefig(drawn, format=form, dpi=160, metadata=METADATA[form])
    return drawn.getvalue()


@contextmanager
def every_letter(figure: Any) -> Iterator[None]:
    """Give each text of a figure a font for every letter that some installed font has; boxes stand for the rest."""
    from matplotlib.font_manager import findfont
    from matplotlib.text import Text

    usual = _letters(findfont("DejaVu Sans"))
    for text in figure.findobj(Text):
        lacking = frozenset(map(ord, text.get_text())) - usual - set(range(127))
        if lacking:
            text.set_fontfamily([*text.get_fontfamily(), *_fonts_for(lacking)])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not support", category=UserWarning)
        yield


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
