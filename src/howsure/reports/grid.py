"""A plain table in every form: what gates, plans, studies and catalogues are written with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from howsure.reports.align import aligned, visible
from howsure.reports.csv import as_csv
from howsure.reports.latex import columns_of, decimal_cell, escaped, table_environment
from howsure.reports.markdown import escaped as markdown_escaped
from howsure.results.base import json_ready


@dataclass(frozen=True)
class Grid:
    """Printed cells under a header, what is said below, and the same at full precision.

    ``numbers`` are the columns of digits; ``records`` is what JSON and CSV hold.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]
    caption: str
    records: tuple[dict[str, Any], ...]
    said: tuple[str, ...] = ()

    def written(self, form: str) -> str:
        """Return the table as text, json, csv, md, latex or html."""
        writers: dict[str, Callable[[], str]] = {
            "text": self.text, "json": self.json, "csv": self.csv, "md": self.markdown, "latex": self.latex,
            "html": self.html,
        }  # fmt: skip
        return writers[form]()

    def text(self) -> str:
        """Return aligned text."""
        lines = aligned([self.header, *self.rows], self.numbers)
        return "\n".join([*lines, "", *(visible(part) for part in (self.caption, *self.said) if part)])

    def json(self) -> str:
        """Return the records as JSON."""
        return json.dumps(json_ready(list(self.records)), indent=2, ensure_ascii=False)

    def csv(self) -> str:
        """Return the records as CSV."""
        return as_csv([{key: _flat(value) for key, value in record.items()} for record in self.records])

    def markdown(self) -> str:
        """Return a Markdown table."""
        rule = "|" + "".join("---:|" if at in self.numbers else "---|" for at, _ in enumerate(self.header))
        head = ["| " + " | ".join(self.header) + " |", rule]
        body = ["| " + " | ".join(map(markdown_escaped, row)) + " |" for row in self.rows]
        said = [part for text in (self.caption, *self.said) if text for part in ("", markdown_escaped(text))]
        return "\n".join([*head, *body, *said])

    def latex(self) -> str:
        """Return a LaTeX table (booktabs) with digits aligned at the decimal point."""
        columns = "".join(columns_of(at in self.numbers) for at, _ in enumerate(self.header))
        head = [
            rf"\multicolumn{{2}}{{c}}{{{escaped(name)}}}" if at in self.numbers else escaped(name)
            for at, name in enumerate(self.header)
        ]
        body = [
            [decimal_cell(cell) if at in self.numbers else escaped(cell) for at, cell in enumerate(row)]
            for row in self.rows
        ]
        return table_environment(columns, head, body, self.caption)

    def html(self) -> str:
        """Return an HTML table with what is said below."""
        said = "".join(f"<p>{escape(text)}</p>" for text in self.said)
        return plain_table(self.header, self.rows, self.numbers, self.caption) + said


def plain_table(header: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int], caption: str) -> str:
    """Return an HTML table that needs no style of its own; every cell is escaped."""
    head = f'<caption style="text-align:left;min-width:30rem">{escape(caption)}</caption>'
    body = "".join(_line(row, "td", numbers) for row in rows)
    return f"<table>{head}<thead>{_line(header, 'th', numbers)}</thead><tbody>{body}</tbody></table>"


def _line(cells: Sequence[str], tag: str, numbers: frozenset[int]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    kinds = [' class="n"' if at in numbers else "" for at, _ in enumerate(cells)]
    parts = [f"<{tag}{scope}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)]
    return f"<tr>{''.join(parts)}</tr>"


def _flat(value: Any) -> Any:
    return json.dumps(json_ready(value), ensure_ascii=False) if isinstance(value, dict) else value
