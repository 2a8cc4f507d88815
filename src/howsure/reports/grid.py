"""A table as data: columns of a kind, printed cells, what is said below, and the same at full precision.

Every result becomes a Grid (``grids``), and every form is written from one: ``text``, ``markdown``, ``latex``, ``html``
and ``csv`` know no result, only Grids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from howsure.errors import LONG_SENTENCE, cut, said

LONG_CELL = 200
FORMS = ("text", "markdown", "latex", "html", "notebook", "page")


@dataclass(frozen=True)
class EstimateCell:
    """A value with its interval below or beside it; the best of its column, or one clearly worse than the best."""

    value: str
    low: str = ""
    high: str = ""
    best: bool = False
    worse: bool = False

    @property
    def reach(self) -> str:
        """The interval in words."""
        return self.low if self.low == self.high else f"{self.low} to {self.high}"

    @property
    def mark(self) -> str:
        """A star for the best, a dagger for one that is clearly worse."""
        return "*" * self.best + "†" * self.worse


Cell = str | tuple[str, str] | EstimateCell


@dataclass(frozen=True)
class GridColumn:
    """A column: what heads it, what its cells are, and the forms that show it.

    A cell of kind "interval" is the pair of its limits. ``headings`` are for forms that say something else than the
    name; that of LaTeX is LaTeX already.
    """

    name: str
    kind: Literal["text", "number", "interval", "estimate"] = "text"
    forms: tuple[str, ...] = FORMS
    headings: Mapping[str, str] = field(default_factory=dict)

    def heading(self, form: str) -> str:
        """Return what heads the column in a form."""
        return self.headings.get(form, self.name)


@dataclass(frozen=True)
class Said:
    """A sentence or a note below a table, and the forms that say it."""

    text: str
    kind: Literal["sentence", "note"] = "sentence"
    forms: tuple[str, ...] = FORMS


@dataclass(frozen=True)
class Grid:
    """Printed cells under their columns, what is said, and as ``records`` what JSON and CSV hold.

    ``lead`` is said before the table, the caption and ``said`` below; ``captions`` are for forms that say another.
    ``document`` is the kind of JSON document that the records are.
    """

    columns: tuple[GridColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    records: tuple[dict[str, Any], ...] = ()
    said: tuple[Said, ...] = ()
    lead: tuple[str, ...] = ()
    captions: Mapping[str, str] = field(default_factory=dict)
    document: str = "table"

    def shown(self, form: str) -> Grid:
        """Return the part that a form shows."""
        kept = [at for at, column in enumerate(self.columns) if form in column.forms]
        return replace(
            self,
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(_cut(row[at]) for at in kept) for row in self.rows),
            said=tuple(replace(one, text=cut(one.text, LONG_SENTENCE)) for one in self.said if form in one.forms),
            caption=cut(self.captions.get(form, self.caption), LONG_SENTENCE),
        )

    @property
    def numbers(self) -> list[int]:
        """Where the columns of digits are."""
        return [at for at, column in enumerate(self.columns) if column.kind == "number"]

    @property
    def sentences(self) -> list[str]:
        """What is said below, without the notes."""
        return [one.text for one in self.said if one.kind == "sentence"]

    @property
    def notes(self) -> list[str]:
        """The notes, each once."""
        return list(dict.fromkeys(one.text for one in self.said if one.kind == "note"))


def _cut(cell: Cell) -> Cell:
    """Return a cell without the middle of a label of many characters; records hold it whole."""
    return cut(cell, LONG_CELL) if isinstance(cell, str) else cell


def plain(cell: Cell) -> str:
    """Return a cell as text, the limits of an interval in brackets."""
    if isinstance(cell, EstimateCell):
        return f"{cell.value}{cell.mark} ({cell.reach})" if cell.reach else f"{cell.value}{cell.mark}"
    return cell if isinstance(cell, str) else f"[{cell[0]}, {cell[1]}]"


def columns(*names: str, numbers: Iterable[str] = ()) -> tuple[GridColumn, ...]:
    """Return columns by name, those of ``numbers`` for digits."""
    digits = set(numbers)
    return tuple(GridColumn(name, "number" if name in digits else "text") for name in names)


def limits(*merged: str) -> tuple[GridColumn, ...]:
    """Return columns of two limits and of the pair of them, which some forms show in their place."""
    apart = tuple(form for form in FORMS if form not in merged)
    return (
        GridColumn("low", "number", apart),
        GridColumn("high", "number", apart),
        GridColumn("interval", "interval", merged),
    )


def sentences(*texts: str) -> tuple[Said, ...]:
    """Return sentences for every form."""
    return tuple(Said(text) for text in texts)


def noted(notes: Iterable[str], *forms: str) -> tuple[Said, ...]:
    """Return notes for some forms, in the words of the door that is open."""
    return tuple(Said(said(getattr(note, "marked", note)), "note", forms) for note in notes)
