"""Draw a paper's figure as an SVG, PNG or PDF file: the same bytes every time, text as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from howsure.errors import need_extra
from howsure.errors.messages import studies as messages

# Without these a file would carry the hour and the library that made it, and differ every time.
PLAIN: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None}, "png": {"Software": None},
}  # fmt: skip
# Ids come from the salt, not from a clock; letters stay letters, which keeps a file small.
STYLE: dict[Any, Any] = {"svg.hashsalt": "howsure", "svg.fonttype": "none", "font.size": 9, "path.simplify": True}


def save_figure(path: Path, size: tuple[float, float], paint: Callable[[Any], None]) -> Path:
    """Let ``paint`` fill a figure of this size (inches) and write it in the form of its ending; needs matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise need_extra("matplotlib", "figures", messages.DRAWING_FIGURES()) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    text, form = StringIO(), path.suffix[1:]
    with rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        paint(figure)
        if form != "svg":
            figure.savefig(path, format=form, metadata=PLAIN[form], dpi=200)
            return path
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    path.write_text(re.sub(r' d="[^"]*"', _short, text.getvalue()), encoding="utf-8")
    return path


def _short(line: re.Match[str]) -> str:
    """Return the points of a line to a hundredth of a point; labels are no lines and stay as they are."""
    return re.sub(r"(\d\.\d\d)\d+", r"\1", line[0])
