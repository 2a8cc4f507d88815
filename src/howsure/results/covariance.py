"""Covariance: how the estimates of one result move together, by the names of its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Self

from howsure.errors import InputError
from howsure.errors.messages import results as messages
from howsure.results.quantity import alike
from howsure.results.sentences.encoding import printable
from howsure.types import Array


@dataclass(frozen=True, eq=False)
class Covariance:
    """The covariance matrix of a result, with the label of each row and column.

    The diagonal is the squared standard errors. Labels are (model, metric) in a report, (a, b) in comparisons.
    """

    matrix: Array
    labels: tuple[tuple[str, str], ...]

    def __getitem__(self, pair: tuple[tuple[str, str], tuple[str, str]]) -> float:
        """Return the covariance of two estimates by their labels."""
        first, second = (self._place(label) for label in pair)
        return float(self.matrix[first, second])

    def _place(self, label: tuple[str, str]) -> int:
        if label not in self.labels:
            raise KeyError(messages.NOT_AMONG_LABELS(label=label, labels=list(self.labels)))
        return self.labels.index(label)

    @printable
    def __repr__(self) -> str:
        return f"Covariance({len(self.labels)} × {len(self.labels)})"


Source = Callable[[], Covariance]


class WithCovariance:
    """A result of several rows that knows how they move together, as long as it knows its table."""

    moved: Source | None

    @property
    def covariance(self) -> Covariance:
        """How the rows move together, labelled (model, metric) or, of comparisons, (a, b); the diagonal is se²."""
        if self.moved is None:
            raise InputError(messages.RESULT_NO_LONGER_KNOWS_ROWS_CAME())
        return self.moved()

    def __eq__(self, other: object) -> bool:
        """Hold every row against its like in full; two estimates alone are equal when their values are."""
        if type(other) is not type(self):
            return NotImplemented
        names = [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]
        return all(alike(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the numbers without functions and the table behind them."""
        return vars(self) | {"moved": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
