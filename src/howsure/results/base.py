"""What every answer can do: a dictionary, JSON, text with its notes, and one hook to the writers.

A result knows its numbers and its words. How it looks as a table, a page or a figure is known to ``howsure.reports``,
which is asked here and nowhere else, when somebody wants to see it: computing never loads what formats.
"""

from __future__ import annotations

import json
import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from howsure.errors import LONG_SENTENCE, Door, cut, said
from howsure.results.sentences.encoding import printable
from howsure.results.sentences.phrases import held, marked, phrase
from howsure.results.words import metric_words, units
from howsure.version import __version__

# Fields for what is said and drawn, which no document holds.
HIDDEN = frozenset((
    "again", "laws", "moved", "drawn", "fixed", "run_values", "variance_shares", "run_half", "range_of_metric",
))  # fmt: skip


Row = TypeVar("Row")


class Note(str):
    """A remark on a result: plain text with a ``kind`` (its cause) that code can ask for.

    As in an error, a door may put its own words in place of what the note mentions of the library (``said``). A
    ``detail`` is for those who ask for all there is to say: critical values, design effects, degrees of freedom.
    """

    kind: str
    marked: str
    detail: bool

    def __new__(cls, sentence: str, kind: str | None = None, *, detail: bool | None = None) -> Note:
        marked = sentence.marked if isinstance(sentence, Note) else sentence
        made = super().__new__(cls, cut(said(marked, str), LONG_SENTENCE))
        made.kind = kind or str(getattr(sentence, "kind", "note"))
        made.marked, made.detail = marked, getattr(sentence, "detail", False) if detail is None else detail
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.marked, self.kind, self.detail))

    def said(self, door: Door | None = None) -> str:
        """Return the note in the words of a door; without one, of the door that is open."""
        return cut(said(self.marked, door), LONG_SENTENCE)


def _restored(marked: str, kind: str, detail: bool) -> Note:
    return Note(marked, kind, detail=detail)


def note_line(text: str) -> str:
    """Return the line that says a note, in the words of the door that is open."""
    said_ = text.said() if isinstance(text, Note) else text
    return said_ if getattr(text, "kind", "") == "more" else f"note: {said_}"


MOST_NOTES = 3
FIRST = ("answers", "undefined", "never true", "majority")  # causes that change what a number means


def brief_notes(notes: Iterable[str], *, verbose: bool = False) -> list[Note]:
    """Return the notes for a reader in a hurry: one a cause, three at most, and how many more there are.

    Details are left out without a word; with ``verbose`` everything is said.
    """
    every = list(dict.fromkeys(Note(note) for note in notes))
    if verbose:
        return every
    plain = sorted((note for note in every if not note.detail), key=lambda note: note.kind not in FIRST)
    first: dict[str, Note] = {}
    for note in plain:
        first.setdefault(note.kind if note.kind != "note" else note, note)
    shown = list(first.values())[:MOST_NOTES]
    more = len(plain) - len(shown)
    return shown if not more else [*shown, note_of("more notes", "more", more=more)]


def note_of(name: str, kind: str, /, *, detail: bool = False, **fields: Any) -> Note:
    """Return a sentence of the catalogue as a note of some kind."""
    return Note(marked(name, **fields), kind, detail=detail)


def shared_notes(each: Iterable[tuple[str, Sequence[Note]]]) -> tuple[Note, ...]:
    """Return the notes of several that have names: once where all say it, otherwise under a name."""
    said_by = list(each)
    common = [note for note in said_by[0][1] if all(note in others for _, others in said_by)]
    own = [Note(f"{name}: {note.marked}", note.kind) for name, some in said_by for note in some if note not in common]
    return (*common, *own)


def json_ready(value: Any) -> Any:
    """Return a copy that strict JSON can hold: nan as null, infinities as text."""
    if isinstance(value, dict):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def schema_of(document: str) -> str:
    """Return what the ``schema`` field of a kind of JSON document says; its number goes up when a field changes.

    >>> schema_of("comparison")
    'howsure/comparison/1'
    """
    return f"howsure/{document}/1"


def document_of(kind: type) -> str:
    """Return the kind of JSON document that a result becomes: the name of its class.

    >>> document_of(type("ComparisonPlan", (), {}))
    'comparison-plan'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def rows_document(document: str, rows: Iterable[Any]) -> dict[str, Any]:
    """Return a list of records as a JSON document with its schema."""
    return {"schema": schema_of(document), "version": __version__, "rows": json_ready(list(rows))}


class Shown:
    """What can be shown in other forms than text, and printed on any terminal."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("__str__", "__repr__"):
            if name in vars(cls):
                setattr(cls, name, printable(vars(cls)[name]))

    def write(self, form: str, **options: Any) -> Any:
        """Return the result in a form such as "markdown", "latex", "html", "notebook", "figure" or "frame"."""
        from howsure.reports.writing import write

        return write(self, form, **options)

    def _repr_html_(self) -> str:
        return str(self.write("notebook"))


class Tabled(Shown):
    """What can be written as a table."""

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return str(self.write("markdown"))

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs)."""
        return str(self.write("latex"))

    def to_html(self) -> str:
        """Return an HTML table."""
        return str(self.write("html"))


class Listed(Shown, Sequence[Row]):
    """What is a sequence of rows, of which each has a name besides its place."""

    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a row by its place, or by what names it."""
        return self.rows[index] if isinstance(index, (int, slice)) else self._named(index)

    @abstractmethod
    def _named(self, index: Any) -> Row:
        """Return the row that this names; raise KeyError where none is, or several are."""

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a tidy data frame, one line a row: pandas if installed, otherwise polars."""
        return self.write("frame", backend=backend)


class Result(Shown):
    """What an answer can do: a dictionary, JSON, and text with its notes."""

    metric: str
    notes: tuple[Note, ...]

    @property
    def said(self) -> str:
        """The metric's name as people write it."""
        return metric_words(self.metric)

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        plain = {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__ if name not in HIDDEN}  # type: ignore[attr-defined]
        return plain | {"sentence": self.sentence, "version": __version__}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the dictionary as JSON with its schema's version; nan and infinity become null and text."""
        made = {"schema": schema_of(document_of(type(self)))} | json_ready(self.to_dict())
        return json.dumps(made, indent=indent, ensure_ascii=False)

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        return ""

    @property
    def held_fixed(self) -> str:
        """What was sampled and what was held fixed, where it is known."""
        return ""

    def __str__(self) -> str:
        lines = [repr(self), self.sentence, self.held_fixed, *map(note_line, brief_notes(self.notes))]
        return "\n".join(cut(line, LONG_SENTENCE) for line in lines if line)


class Sampled:
    """What knows how many rows it rests on, and what was held fixed."""

    n: float
    groups: int | None = None
    drawn: str
    fixed: tuple[str, ...]

    @property
    def sampled(self) -> str:
        """What was sampled, in words."""
        plain = units(self.n, "row")
        return self.drawn or (plain if self.groups is None else f"{plain} of {units(self.groups, 'group')}")

    @property
    def held_fixed(self) -> str:
        """What was sampled and what was held fixed."""
        return phrase("held fixed", sampled=self.sampled, held=held(self.fixed)) if self.fixed else ""


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Note) else value


class Drawn(Result):
    """An answer that is an interval, drawn against what it is judged by."""

    def plot(self, *, axes: Any = None, ax: Any = None) -> Any:
        """Draw the interval against what it is judged by, and return matplotlib's axes."""
        return self.write("figure", axes=ax if axes is None else axes)
