"""ClassCounts: true and false positives and negatives of each class of each model, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from howsure.errors.messages import results as messages
from howsure.results.base import Listed, Tabled
from howsure.results.words import count


class CellsOfClass(NamedTuple):
    """The four cells of one class against the rest; ``tn`` is nan where true negatives were not counted."""

    model: str
    label: Any
    tp: float
    fp: float
    fn: float
    tn: float


@dataclass(frozen=True)
class ClassCounts(Tabled, Listed[CellsOfClass]):
    """One row per model and class: what the papers write TP_i, FP_i, FN_i; ``[label]`` or ``[model, label]`` is one."""

    rows: tuple[CellsOfClass, ...]

    def _named(self, index: Any) -> CellsOfClass:
        """Return the row of a label that is text, or of (model, label)."""
        found = [row for row in self.rows if index in (row.label, (row.model, row.label))]
        if len(found) != 1:
            raise KeyError(messages.CLASSES_MATCH_ASK(index=index, number=len(found)))
        return found[0]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per model and class."""
        return [row._asdict() for row in self.rows]

    def __repr__(self) -> str:
        return f"ClassCounts({count(len(self.rows))} classes)"

    def __str__(self) -> str:
        return str(self.write("text"))
