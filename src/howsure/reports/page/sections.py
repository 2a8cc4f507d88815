"""Sections that a kind of data adds to the page: score curves, a judge beside people.

A kind of data names the sections that it wants (``Contents.sections``); each name is an entry of ``MAKERS``, a function
from the table and its report to a ``Section``. The page lays them out between the pairs and the classes.
"""

from __future__ import annotations

from collections.abc import Callable

from howsure.reports.page.judge import judge_section
from howsure.reports.page.section import Section
from howsure.reports.page.tasks import tasks_section
from howsure.results.estimate import Report
from howsure.tables.table import Table

Maker = Callable[[Table, Report], Section | None]
MAKERS: dict[str, Maker] = {"judge": judge_section, "tasks": tasks_section}


def sections_of(table: Table, report: Report) -> tuple[Section, ...]:
    """Return the sections that this kind of data adds."""
    made = (MAKERS[name](table, report) for name in table.contents.sections)
    return tuple(one for one in made if one is not None)
