"""What hs.read was asked for besides labels: which columns hold values, sums, models, right answers, label sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import rows as messages
from howsure.metrics.metric import Better
from howsure.sources.files.request import ReadRequest
from howsure.tables.sampling.runs import RunChoice

Columns = str | Sequence[str] | Mapping[str, str]
MARK = "*"  # stands for a label, or a run, in a pattern of columns


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """Columns by the part they play where a row holds no single label."""

    value: Columns | None = None
    correct: str | None = None
    model: str | None = None
    unit: str | None = None
    sums: Sequence[str] | None = None
    range: Any = None
    better: Better | None = None
    separator: str | None = None
    patterns: bool = False
    run: str | None = None
    runs: RunChoice | None = None
    paired_runs: bool = False
    long_labels: tuple[str, str] | None = None  # the columns of true and of predicted labels of a long table

    def __post_init__(self) -> None:
        if self.value is not None and self.correct is not None:
            raise InputError(messages.CORRECT_IS_GIVEN_BESIDE_VALUE())
        if self.correct is not None and self.model is None:
            raise InputError(messages.CORRECT_IS_GIVEN_WITHOUT_COLUMN())
        if self.run is not None and self.model is None:
            raise InputError(messages.RUN_NAMES_COLUMN_OF_RUNS())
        held = (self.value, self.correct, self.long_labels)
        if self.model is not None and all(one is None for one in held):
            raise InputError(messages.MODEL_NAMES_COLUMN_OF_MODELS())
        if (self.unit is None) != (self.sums is None):
            missing, given = ("sums", "unit") if self.sums is None else ("unit", "sums")
            raise InputError(messages.GIVEN_WITHOUT_TABLE_OF_SUMS_NEEDS(given=given, missing=missing))
        if self.sums is not None and (self.value is not None or self.model is not None):
            raise InputError(messages.SUMS_IS_GIVEN_BESIDE_VALUES())
        if self.separator is not None and not self.separator:
            raise InputError.of("separator", self.separator, messages.MARK_BETWEEN_LABELS())
        numbers = self.value is not None or self.sums is not None
        for name in ("range", "better"):
            if getattr(self, name) is not None and not numbers:
                raise InputError(messages.ABOUT_VALUES_AND_SUMS_AND_NONE(name=name))
        for name in ("value", "sums"):
            columns = getattr(self, name)
            if isinstance(columns, (list, tuple)) and len(set(columns)) < len(columns):
                raise InputError(messages.NAMES_COLUMN_TWICE(name=name, columns=quoted(columns)))

    def check_apart(self, others: Mapping[str, str | None]) -> None:
        """Refuse a column that plays two parts; a group of rows may be their question or unit."""
        held: dict[str, str] = {}
        listed = {"value": list(named_columns(self.value).values()) if self.value is not None else []}
        listed |= {"sums": list(self.sums or ())}
        parts: list[tuple[str, str | None]] = [(name, one) for name, columns in listed.items() for one in columns]
        parts += [("model", self.model), *others.items(), ("correct", self.correct), ("unit", self.unit)]
        for name, column in parts:
            first = held.setdefault(column, name) if column is not None else name
            if first != name and {first, name} not in ({"id", "group"}, {"group", "unit"}):
                raise InputError(messages.COLUMN_IS_NAMED(column=column, first=first, name=name))

    @property
    def any(self) -> bool:
        """Whether anything but labels was asked for."""
        return any(one is not None for one in (self.value, self.correct, self.model, self.sums)) or self.label_sets

    @property
    def what(self) -> str:
        """What was asked for, in words."""
        if self.label_sets:
            return "several labels a row"
        if self.long_labels is not None:
            return "labels of a long table"
        return "sums per unit" if self.sums is not None else "answers" if self.correct is not None else "values"

    @property
    def label_sets(self) -> bool:
        """Whether rows hold several labels, in columns or in one cell."""
        return self.patterns or self.separator is not None


def long_labels(model: str | None, truth: str | None, predictions: Any, *, beside: bool) -> tuple[str, str] | None:
    """Return the columns of true and predicted labels, where a long table has one of each; ``beside`` other outcomes.

    With ``model`` there is one column of predictions, whose model each row names.
    """
    if model is None or beside or truth is None or predictions is None:
        return None
    named = [predictions] if isinstance(predictions, str) else list(predictions)
    if isinstance(predictions, Mapping) or len(named) != 1 or not isinstance(named[0], str):
        raise InputError(messages.ONE_COLUMN_OF_PREDICTED_LABELS(named=quoted(named)))
    return truth, named[0]


def named_columns(columns: Columns) -> dict[str, str]:
    """Return columns by the names of their models."""
    if isinstance(columns, str):
        return {columns: columns}
    if isinstance(columns, Mapping):
        return {str(name): column for name, column in columns.items()}
    return {str(name): name for name in columns}


def by_pattern(request: ReadRequest) -> bool:
    """Say whether truth and predictions are patterns of columns, one a label: "*_gold"."""
    truth, named = request.truth, request.columns()
    return isinstance(truth, str) and MARK in truth and bool(named) and all(MARK in str(one) for one in named)


def between(pattern: str, column: str) -> str | None:
    """Return what stands in place of the * of a pattern, or None."""
    before, _, after = pattern.partition(MARK)
    fits = column.startswith(before) and column.endswith(after) and len(column) > len(before) + len(after)
    return column[len(before) : len(column) - len(after)] if fits else None
