"""Sections that a kind of data adds to the page: score curves, a judge beside people.

A kind of data names the sections that it wants (``Contents.sections``); each name is an entry of ``MAKERS``, a function
from the table and its report to a ``Section``. The page lays them out between the pairs and the classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from howsure.results.estimate import Report
from howsure.tables.table import Table


@dataclass(frozen=True)
class Section:
    """A section of the page: its anchor, a heading that states the finding, one line, and drawings that are HTML.

    Every text in ``html`` must be escaped by whoever makes it, as the drawers of ``reports.svg`` do. A ``template``
    lays out ``data`` instead, and escapes them itself.
    """

    key: str
    title: str
    lead: str = ""
    html: str = ""
    template: str = ""
    data: Any = None


Maker = Callable[[Table, Report], Section | None]


def _judge(table: Table, report: Report) -> Section | None:
    from howsure.reports.page.judge import judge_section

    return judge_section(table, report)


MAKERS: dict[str, Maker] = {"judge": _judge}


def sections_of(table: Table, report: Report) -> tuple[Section, ...]:
    """Return the sections that this kind of data adds."""
    made = (MAKERS[name](table, report) for name in table.contents.sections)
    return tuple(one for one in made if one is not None)
