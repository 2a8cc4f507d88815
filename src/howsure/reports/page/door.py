"""hs.page: the report page of a table, as a file or as an object that shows itself in a notebook."""

from __future__ import annotations

from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from howsure.comparisons.slices import Slices
from howsure.estimates.estimate import check_table, report
from howsure.metrics.names import MetricLike
from howsure.reports.page.page import table_page
from howsure.reports.page.sliced import sliced_page
from howsure.results.saving import write_whole
from howsure.tables.table import Table


class Page(str):
    """The HTML of a page; a notebook shows it in a frame of its own, so that neither styles the other."""

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self)}" style="width:100%;height:760px;border:0" title="howsure report" '
            'sandbox="allow-scripts allow-downloads"></iframe>'
        )


def page(
    table: Table | Slices, path: str | PathLike[str] | None = None, *,
    metrics: Any | list[MetricLike] | None = None, level: float = 0.95, name: str = "", by: str = "",
) -> Page | Path:  # fmt: skip
    """Return the full report page of a table, or write it to a file and return where: what ``report --html`` writes.

    ``metrics`` are those of the report; the first one leads. ``name`` stands at the top of the page. Slices
    (``hs.slices``) have a section of their own, in which ``by`` says what they are: "site".

    >>> from howsure import counts
    >>> page(counts(tp=77, fp=44, fn=10, tn=702))[:15]
    '<!doctype html>'
    """
    if isinstance(table, Slices):
        made = Page(sliced_page(table, metrics, level=level, by=by, name=name))
    else:
        check_table(table)
        made = Page(table_page(table, report(table, metrics, level=level), name=name))
    if path is None:
        return made
    write_whole(fspath(path), made.encode())
    return Path(path)
