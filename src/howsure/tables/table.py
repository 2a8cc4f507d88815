"""Table: distinct rows (truth, one prediction per model, optional group) with counts and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.errors import InputError, nearest, quoted
from howsure.metrics.cells import Cells
from howsure.metrics.metric import Label, Metric, find_label
from howsure.tables.contents import Bags, Codes, Ints, Rows, distinct, joined
from howsure.tables.design import Strata
from howsure.types import Array

LARGEST, SMALLEST = 2.0**53, 1e-100  # counts between which doubles tell neighbours apart, and products do not vanish


@dataclass(frozen=True, eq=False)
class Table:
    """The distinct rows of an evaluation and how often each occurred. Additive: chunks merge with ``+``.

    ``weights`` and ``squares`` are the sums of the rows' weights and squared weights (the counts, if rows carry
    none). ``negatives`` is False where true negatives were not counted; ``pooled`` says that a metric of one class
    is about all classes together (the chunks of a tagged corpus). ``strata`` is set where rows were sampled
    separately within parts of a pool; their weights then bring the parts to their shares. ``ordered`` is False where
    labels are text sorted by name: their order then says nothing. ``implied`` says that nobody named the positive
    class: it follows from the labels, such as {0, 1}.
    """

    labels: tuple[Label, ...]
    models: tuple[str, ...]
    rows: Rows
    counts: Array
    weights: Array
    squares: Array
    groups: Ints | None = None
    group_labels: tuple[Any, ...] = ()
    pos_label: Label | None = None
    negatives: bool = True
    pooled: bool = False
    notes: tuple[str, ...] = ()
    strata: Strata | None = None
    ordered: bool = True
    implied: bool = False

    @cached_property
    def n(self) -> float:
        """Number of rows (items, sentences); whole numbers come back as int."""
        total = float(self.counts.sum())
        return int(total) if total.is_integer() else total

    @cached_property
    def n_groups(self) -> int | None:
        """Number of groups that occur, or None without groups."""
        return None if self.groups is None else len(np.unique(self.groups))

    @cached_property
    def weighted(self) -> bool:
        """Whether rows carry weights of their own, or come from strata."""
        return self.strata is not None or not all(
            part is self.counts or np.array_equal(part, self.counts) for part in (self.weights, self.squares)
        )

    @property
    def multilabel(self) -> bool:
        """Whether a row holds counts per class rather than one label."""
        return isinstance(self.rows, Bags)

    @property
    def model(self) -> str:
        """The one model's name; refused when there are several."""
        if len(self.models) != 1:
            raise InputError(
                f"model is not named and the table holds {len(self.models)}: {quoted(self.models)}; name one"
            )
        return self.models[0]

    def model_index(self, model: str | None) -> int:
        """Return the position of a model, the only one when none is named."""
        name = self.model if model is None else model
        if name not in self.models:
            raise InputError(
                f"model {name!r} is not in the table; it holds {quoted(self.models)}.{nearest(str(name), self.models)}"
            )
        return self.models.index(name)

    @cached_property
    def _last_cells(self) -> dict[Any, Cells]:
        return {}

    def cells(self, index: int, metric: Metric) -> Cells:
        """Return the cells of every class for one model; the last are kept, as many metrics look at the same."""
        key = (index, metric.scores)
        found = self._last_cells.get(key)
        if found is None:
            found = self.rows.cells(self.weights, index, len(self.labels), metric, negatives=self.negatives)
            self._last_cells.clear()
            self._last_cells[key] = found
        return found

    def pick(self, *models: str) -> Table:
        """Return the table of some models, equal rows merged."""
        chosen = [self.model_index(name) for name in models]
        if chosen == list(range(len(self.models))):
            return self
        return replace(self, models=tuple(models), rows=self.rows.pick(chosen)).merged()

    def merged(self) -> Table:
        """Return the same table with equal rows merged into one."""
        keys = self.rows.keys()
        if self.groups is not None:
            keys = np.column_stack([self.groups, keys])
        if self.strata is not None:
            keys = np.column_stack([self.strata.codes, keys])
        first, kind = distinct(keys)
        counts = np.bincount(kind, weights=self.counts)
        plain = self.weights is self.counts
        weights = counts if plain else np.bincount(kind, weights=self.weights)
        squares = counts if self.squares is self.counts else np.bincount(kind, weights=self.squares)
        groups = None if self.groups is None else self.groups[first]
        strata = None if self.strata is None else self.strata.take(first)
        return replace(
            self, rows=self.rows.take(first), counts=counts, weights=weights, squares=squares, groups=groups,
            strata=strata,
        )  # fmt: skip

    def scaled(self, factor: float) -> Table:
        """Return the table with every count multiplied: the effective counts of a cross-validation."""
        if not (np.isfinite(factor) and factor > 0):
            raise InputError(f"factor is {factor!r}; it must be a finite number larger than 0")
        plain = self.weights is self.counts
        with np.errstate(over="ignore"):
            counts = self.counts * factor
        if counts.sum() > LARGEST or (counts[self.counts > 0] < SMALLEST).any():
            raise InputError(
                f"factor is {factor!r}, which makes {counts.sum():g} rows of {self.n:g}; counts must lie between "
                f"{SMALLEST:g} and 2**53 (about 9.0e15); choose a factor nearer to 1"
            )
        return replace(
            self,
            counts=counts,
            weights=counts if plain else self.weights * factor,
            squares=counts if plain else self.squares * factor,
        )

    def without_groups(self) -> Table:
        """Return the table with rows taken as independent."""
        return self if self.groups is None else replace(self, groups=None, group_labels=()).merged()

    def matrix(self, model: str | None = None) -> Array:
        """Return the K×K confusion counts of one model, truth in rows; nan where negatives were not counted."""
        index = self.model_index(model)
        if not isinstance(self.rows, Codes):
            raise InputError(
                "matrix: rows of this table hold several labels, so there is no one matrix; "
                "ask for a metric of one class, such as 'f1[label]'"
            )
        matrix = self.rows.matrix(self.counts, index, len(self.labels))
        if not self.negatives:
            matrix[0, 0] = np.nan
        return matrix

    def binary(self, label: Label) -> Table:
        """Return one class against the rest: labels (0, 1), 1 for the class."""
        position = find_label(label, self.labels, argument="label")
        if isinstance(self.rows, Bags):
            raise InputError("binary: this table is multi-label; ask for 'f1[label]' and the like instead")
        codes = np.zeros(len(self.labels), dtype=np.int64)
        codes[position] = 1
        return replace(self, labels=(0, 1), pos_label=1, implied=False, rows=self._recoded(codes)).merged()

    def _recoded(self, codes: Ints) -> Rows:
        if not self.negatives and not self.multilabel and codes[0] != 0:
            raise InputError(
                f"labels: {self.labels[0]!r} is the class whose own hits this table does not count (tn was not given), "
                "so it must stay first; give tn to look at it as a class like any other"
            )
        return self.rows.recoded(codes)

    def relabel(self, names: Mapping[Any, Label]) -> Table:
        """Return the table with labels renamed; labels given the same new name become one class."""
        new = [names.get(label, label) for label in self.labels]
        unknown = [key for key in names if key not in self.labels]
        if unknown:
            raise InputError(
                f"names maps {quoted(unknown)}, which are not labels; the labels are {quoted(self.labels)}"
            )
        labels = tuple(dict.fromkeys(new))
        if self.multilabel and len(labels) < len(new):
            raise InputError(
                "names merges classes of a multi-label table; a row could then count twice. Rename without merging"
            )
        codes = np.array([labels.index(name) for name in new])
        pos_label = names.get(self.pos_label, self.pos_label)
        if pos_label is None and not self.multilabel:
            pos_label = positive_of(labels)
        return replace(self, labels=labels, pos_label=pos_label, rows=self._recoded(codes)).merged()

    def with_labels(self, labels: Sequence[Label]) -> Table:
        """Return the table on a label set that contains its own."""
        wanted = tuple(labels)
        missing = [label for label in self.labels if label not in wanted]
        if missing:
            raise InputError(
                f"labels lacks {quoted(missing)}, which the table holds; give all of {quoted(self.labels)}"
            )
        codes = np.array([wanted.index(label) for label in self.labels])
        rows = self._recoded(codes)
        if isinstance(rows, Bags):
            rows = _widened(rows, len(wanted))
        # A positive class that only followed from the labels {0, 1} follows from the new ones.
        implied = self.pos_label == positive_of(self.labels) and not self.multilabel
        return replace(
            self, labels=wanted, rows=rows, pos_label=positive_of(wanted) if implied else self.pos_label,
            ordered=self.ordered or list(wanted) != sorted(wanted),
        )  # fmt: skip

    def __add__(self, other: object) -> Table:
        if not isinstance(other, Table):
            return NotImplemented
        _check_mergeable(self, other)
        labels = union_of_labels(self.labels, other.labels)
        first, second = self.with_labels(labels), other.pick(*self.models).with_labels(labels)
        groups, group_labels = _joined_groups(first, second)
        plain = not (self.weighted or other.weighted)
        counts = np.concatenate([first.counts, second.counts])
        return replace(
            first,
            rows=joined(first.rows, second.rows),
            counts=counts,
            weights=counts if plain else np.concatenate([first.weights, second.weights]),
            squares=counts if plain else np.concatenate([first.squares, second.squares]),
            groups=groups,
            group_labels=group_labels,
            strata=None if first.strata is None or second.strata is None else first.strata.joined(second.strata),
            pos_label=first.pos_label if first.pos_label is not None else second.pos_label,
            ordered=self.ordered and other.ordered and labels in (self.labels, other.labels),
            notes=tuple(dict.fromkeys(self.notes + other.notes)),
        ).merged()

    def __radd__(self, other: object) -> Table:
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        sizes = {"row": self.n, "label": len(self.labels), "model": len(self.models)}
        sizes |= {} if self.n_groups is None else {"group": self.n_groups}
        return f"Table({', '.join(_counted(size, noun) for noun, size in sizes.items())})"

    def _cell(self, row: int, column: int) -> float:
        if len(self.labels) != 2:
            raise InputError(
                f"tp, fp, fn and tn need two labels; the table has {quoted(self.labels)}. Use binary(label) first"
            )
        positive = find_label(
            self.labels[1] if self.pos_label is None else self.pos_label, self.labels, argument="pos_label"
        )
        matrix = self.matrix()
        return float(matrix[::-1, ::-1][row, column] if positive == 1 else matrix[row, column])

    @property
    def tp(self) -> float:
        """True positives of a two-class table with one model."""
        return self._cell(0, 0)

    @property
    def fn(self) -> float:
        """False negatives of a two-class table with one model."""
        return self._cell(0, 1)

    @property
    def fp(self) -> float:
        """False positives of a two-class table with one model."""
        return self._cell(1, 0)

    @property
    def tn(self) -> float:
        """True negatives of a two-class table with one model; nan if not counted."""
        return self._cell(1, 1)


def some_rows(table: Table, chosen: Any) -> Table:
    """Return the table of some of its distinct rows, given by a mask or by their places."""
    counts, plain = table.counts[chosen], table.weights is table.counts
    return replace(
        table,
        rows=table.rows.take(chosen),
        counts=counts,
        weights=counts if plain else table.weights[chosen],
        squares=counts if plain else table.squares[chosen],
        groups=None if table.groups is None else table.groups[chosen],
        strata=None if table.strata is None else table.strata.take(chosen),
    )


def positive_of(labels: Sequence[Label]) -> Label | None:
    """Return 1 (or True) when the labels are {0, 1}, {False, True} or {-1, 1}; otherwise None: it must be said."""
    if any(isinstance(label, str) for label in labels) or set(labels) not in ({0, 1}, {-1, 1}):
        return None
    return next(label for label in labels if label == 1)


def union_of_labels(first: Sequence[Label], second: Sequence[Label]) -> tuple[Label, ...]:
    """Return the labels of both: sorted when both were, the longer list if it holds the other, else as they appear."""
    everything = tuple(dict.fromkeys((*first, *second)))
    kinds = {isinstance(label, str) for label in everything}
    if len(kinds) > 1:
        raise InputError(
            f"labels of the two tables differ in type: {quoted(first)} and {quoted(second)}; "
            "convert one to the other's type"
        )
    if list(first) == sorted(first) and list(second) == sorted(second):
        return tuple(sorted(everything))
    return tuple(second) if is_part(first, second) else everything


def is_part(some: Sequence[Any], whole: Sequence[Any]) -> bool:
    """Say whether a list comes from another by leaving entries out.

    >>> is_part("ac", "abc"), is_part("ca", "abc")
    (True, False)
    """
    rest = iter(whole)
    return all(any(entry == other for other in rest) for entry in some)


def _counted(number: float, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _widened(rows: Bags, width: int) -> Bags:
    def wide(part: Ints) -> Ints:
        extra = np.zeros((*part.shape[:-1], width - part.shape[-1]), dtype=part.dtype)
        return np.concatenate([part, extra], axis=-1)

    return Bags(wide(rows.actual), wide(rows.predicted), wide(rows.hits))


def _check_mergeable(first: Table, second: Table) -> None:
    if set(first.models) != set(second.models):
        raise InputError(
            f"tables to add hold different models: {quoted(first.models)} and {quoted(second.models)}; "
            "both must hold the same ones"
        )
    if first.multilabel != second.multilabel:
        raise InputError("tables to add differ in kind: one is multi-label, the other has one label per row")
    if first.negatives != second.negatives:
        raise InputError(
            "tables to add differ: one counts true negatives, the other does not; give tn to both or neither"
        )
    if (first.groups is None) != (second.groups is None):
        raise InputError("tables to add differ: one has groups, the other has none; give groups to both or neither")
    if (first.strata is None) != (second.strata is None):
        raise InputError("tables to add differ: one has strata, the other has none; build both the same way")
    if None not in (first.pos_label, second.pos_label) and first.pos_label != second.pos_label:
        raise InputError(f"tables to add have different positive classes: {first.pos_label!r} and {second.pos_label!r}")


def _joined_groups(first: Table, second: Table) -> tuple[Ints | None, tuple[Any, ...]]:
    if first.groups is None or second.groups is None:
        return None, ()
    names = tuple(dict.fromkeys((*first.group_labels, *second.group_labels)))
    place = {name: code for code, name in enumerate(names)}
    codes = np.array([place[name] for name in second.group_labels], dtype=np.int64)
    return np.concatenate([first.groups, codes[second.groups]]), names
