"""Reconstruction: every whole-number table that rounds to the figures of a paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from howsure.errors.messages import results as messages
from howsure.results.base import Note, Result, note_line
from howsure.results.estimate import Estimate, Report
from howsure.results.words import amount, count
from howsure.version import __version__

SHOWN = 5


@dataclass(frozen=True, repr=False)
class Reconstruction(Result):
    """The tables (tp, fp, fn, tn) that round to the printed figures; tn is None where n was not given.

    ``found["f1"]`` is the interval that holds those of all tables, for any metric that the tables have.
    """

    tables: tuple[tuple[int, int, int, int | None], ...]
    printed: dict[str, str]
    level: float
    n: int | None = None
    positives: int | None = None
    notes: tuple[Note, ...] = ()
    estimate_of: Callable[[Any], Estimate] = field(default=lambda metric: _forgotten(), repr=False, compare=False)

    def __getitem__(self, metric: Any) -> Estimate:
        return self.estimate_of(metric)

    def __len__(self) -> int:
        return len(self.tables)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the tables without the function behind the intervals."""
        return vars(self) | {"estimate_of": _forgotten}

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {value}" for name, value in self.printed.items())
        if not self.tables:
            return f"{figures}{self._rows()}: no counts follow from it, but an interval does."
        verb = "rounds" if len(self.tables) == 1 else "round"
        return f"{amount(len(self.tables), 'table')} {verb} to {figures}{self._rows()}."

    def _rows(self) -> str:
        rows = "" if self.n is None else f" in {count(self.n)} rows"
        return rows if self.positives is None else f"{rows} with {count(self.positives)} positive"

    @property
    def report(self) -> Report:
        """The printed metrics with the intervals that hold those of all tables."""
        return Report(tuple(self[name] for name in self.printed), self.level)

    def __str__(self) -> str:
        lines = [repr(self)]
        for tp, fp, fn, tn in self.tables[:SHOWN]:
            rest = "" if tn is None else f", tn {count(tn)}"
            lines.append(f"  tp {count(tp)}, fp {count(fp)}, fn {count(fn)}{rest}")
        if len(self.tables) > SHOWN:
            lines.append(f"  and {count(len(self.tables) - SHOWN)} more")
        return "\n".join([*lines, *(repr(row) for row in self.report), *map(note_line, self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return tables, printed figures and intervals at full precision, with the version."""
        return {
            "tables": [dict(zip(("tp", "fp", "fn", "tn"), table, strict=True)) for table in self.tables],
            "printed": self.printed, "n": self.n, "positives": self.positives, "level": self.level,
            "estimates": self.report.to_dicts(), "notes": [str(note) for note in self.notes], "version": __version__,
        }  # fmt: skip


def _forgotten(metric: Any = None) -> Estimate:
    from howsure.errors import InputError

    raise InputError(messages.RECONSTRUCTION_CAME_FROM_ANOTHER_PROCESS())
