"""Section: what a kind of data adds to the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Section:
    """A section of the page: its anchor, a heading that states the finding, one line, and drawings that are HTML.

    Every text in ``html`` must be escaped by whoever makes it, as the drawers of ``reports.svg`` do. A ``template``
    lays out ``data`` instead, and escapes them itself. A section that ``leads`` stands beneath the verdict, as its
    picture; the others follow further down.
    """

    key: str
    title: str
    lead: str = ""
    html: str = ""
    template: str = ""
    data: Any = None
    leads: bool = False
