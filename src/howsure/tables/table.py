"""Table: what was counted. How rows were sampled (design) and what they hold (contents), for some models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.errors import InputError, is_number, nearest, quoted
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Label, find_label
from howsure.results.class_counts import CellsOfClass, ClassCounts
from howsure.results.words import amount
from howsure.tables.contents import Contents, merged
from howsure.tables.design import Design
from howsure.tables.sampling.prevalence import weighted_table
from howsure.tables.sampling.runs import ModelRuns
from howsure.tables.strata import Strata
from howsure.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Table:
    """The distinct rows of an evaluation and how often each occurred. Additive: chunks merge with ``+``."""

    models: tuple[str, ...]
    contents: Contents
    design: Design
    notes: tuple[str, ...] = ()

    # --- how rows were sampled

    @property
    def n(self) -> float:
        """Number of rows (items, sentences); whole numbers come back as int."""
        return self.design.n

    @property
    def n_groups(self) -> int | None:
        """Number of groups that occur, or None without groups."""
        return self.design.n_groups

    @property
    def weighted(self) -> bool:
        """Whether rows carry weights of their own, or come from strata."""
        return self.design.weighted

    @property
    def counts(self) -> Array:
        """How often each distinct row occurred."""
        return self.design.counts

    @property
    def weights(self) -> Array:
        """The sum of weights of each distinct row."""
        return self.design.weights

    @property
    def squares(self) -> Array:
        """The sum of squared weights of each distinct row."""
        return self.design.squares

    @property
    def groups(self) -> Ints | None:
        """The group of each distinct row."""
        return self.design.groups

    @property
    def group_labels(self) -> tuple[Any, ...]:
        """The names of the groups."""
        return self.design.group_labels

    @property
    def runs(self) -> ModelRuns | None:
        """The runs of each model, where models have several."""
        return self.design.runs

    @property
    def strata(self) -> Strata | None:
        """The strata in which rows were sampled, if any."""
        return self.design.strata

    # --- what rows hold

    @property
    def rows(self) -> Contents:
        """What the distinct rows hold."""
        return self.contents

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels."""
        return self.contents.labels

    @property
    def pos_label(self) -> Label | None:
        """The positive class, if there is one."""
        return self.contents.pos_label

    @property
    def negatives(self) -> bool:
        """Whether true negatives were counted."""
        return self.contents.negatives

    @property
    def pooled(self) -> bool:
        """Whether a metric of one class is about all classes together."""
        return self.contents.pooled

    @property
    def ordered(self) -> bool:
        """Whether the order of the labels means something."""
        return self.contents.ordered

    @property
    def implied(self) -> bool:
        """Whether nobody named the positive class: it follows from the labels."""
        return self.contents.implied

    @property
    def multilabel(self) -> bool:
        """Whether a row holds counts per class rather than one label."""
        return self.contents.several

    def at(self, threshold: float | str | Mapping[str, float]) -> Table:
        """Return the labels of the same rows at a threshold of their scores: a row is positive from it on.

        One number, one for each model by name, or "argmax" where there is a score for each class.
        """
        if isinstance(threshold, Mapping):
            missing = [name for name in self.models if name not in threshold]
            if missing or len(threshold) > len(self.models):
                raise InputError(
                    messages.THRESHOLD_NAMES_BUT_MODELS(threshold=quoted(threshold), models=quoted(self.models))
                )
        elif not (is_number(threshold) or threshold == "argmax"):
            raise InputError.of("threshold", threshold, messages.NUMBER_ONE_FOR_EACH_MODEL())
        each = threshold if isinstance(threshold, str) else [
            float(threshold[name] if isinstance(threshold, Mapping) else threshold)
            for at, name in enumerate(self.models) for _ in self.places_of(at)
        ]  # fmt: skip
        return replace(self, contents=self.contents.labels_at(each)).merged()

    def at_prevalence(self, prevalence: float | Mapping[Label, float]) -> Table:
        """Return the rows weighted by their truth, so that this share is positive; a mapping has one for each class."""
        return weighted_table(self, prevalence)

    def grouped_by(self, name: str) -> Table:
        """Return the table with what a group is called, such as the name of its column."""
        if self.groups is None:
            return self

        return self.contents.through(self, lambda part: replace(part, design=replace(part.design, grouped_by=name)))

    # --- models

    @property
    def model(self) -> str:
        """The one model's name; refused when there are several."""
        if len(self.models) != 1:
            raise InputError(messages.MODEL_IS_NOT_NAMED_AND_TABLE(number=len(self.models), models=quoted(self.models)))
        return self.models[0]

    def model_index(self, model: str | None) -> int:
        """Return the position of a model, the only one when none is named."""
        name = self.model if model is None else model
        if name not in self.models:
            raise InputError(
                messages.MODEL_IS_NOT_IN_TABLE(
                    name=name, models=quoted(self.models), hint=nearest(str(name), self.models)
                )
            )
        return self.models.index(name)

    def places_of(self, model: int) -> range:
        """Return the columns of a model, given by its position: one, or one for each of its runs."""
        return range(model, model + 1) if self.runs is None else self.runs.places(model)

    def pick(self, *models: str) -> Table:
        """Return the table of some models, with all their runs, equal rows merged."""
        chosen = [self.model_index(name) for name in models]
        if chosen == list(range(len(self.models))):
            return self
        contents, design = self.contents.picked([at for one in chosen for at in self.places_of(one)], self.design)
        if self.runs is not None:
            design = replace(design, runs=self.runs.some(chosen))
        return replace(self, models=tuple(models), contents=contents, design=design)

    def each_run(self) -> Table:
        """Return the table in which every run is a model of its own, such as 'bert: seed 1'."""
        if self.runs is None:
            return self
        return replace(self, models=self.runs.columns(self.models), design=replace(self.design, runs=None))

    # --- rows

    def merged(self) -> Table:
        """Return the same table with equal rows merged into one."""
        contents, design = merged(self.contents, self.design)
        return replace(self, contents=contents, design=design)

    def some_rows(self, chosen: Any) -> Table:
        """Return the table of some of its distinct rows, given by a mask or by their places."""
        return replace(self, contents=self.contents.take(chosen), design=self.design.take(chosen))

    def scaled(self, factor: float) -> Table:
        """Return the table with every count multiplied: the effective counts of a cross-validation."""
        return replace(self, design=self.design.scaled(factor))

    def without_groups(self) -> Table:
        """Return the table with rows taken as independent."""
        if self.groups is None:
            return self
        return self.contents.through(self, lambda table: replace(table, design=table.design.without_groups()).merged())

    def __add__(self, other: object) -> Table:
        if not isinstance(other, Table):
            return NotImplemented
        _check_models(self, other)
        other = other if self.runs is None or other.models == self.models else other.pick(*self.models)
        self.contents.check_joins(other.contents)
        self.design.check_joins(other.design)
        labels = union_of_labels(self.labels, other.labels)
        first, second = self.with_labels(labels), other.with_labels(labels)
        notes = tuple(dict.fromkeys(self.notes + other.notes))
        made = first.contents.added(first, second)
        ordered = made.ordered and labels in (self.labels, other.labels)
        return replace(made, contents=replace(made.contents, ordered=ordered), notes=notes)

    def __radd__(self, other: object) -> Table:
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        sizes = {"row": self.n} | self.contents.sizes() | {"model": len(self.models)}
        sizes |= {} if self.runs is None else {self.runs.called: self.runs.size}
        sizes |= {} if self.n_groups is None else {"group": self.n_groups}
        return f"Table({', '.join(amount(size, noun) for noun, size in sizes.items())}{self.contents.manner})"

    # --- labels

    def matrix(self, model: str | None = None) -> Array:
        """Return the K×K confusion counts of one model (the mean over its runs), truth in rows; nan if not counted."""
        one = self.pick(self.models[self.model_index(model)])
        each = [one.contents.cross_table([place], one.counts) for place in one.places_of(0)]
        matrix = None if each[0] is None else np.asarray(np.mean([one for one in each if one is not None], axis=0))
        if matrix is None:
            raise InputError(messages.MATRIX_ROWS_OF_TABLE_HOLD(holds=self.contents.holds))
        if not self.negatives:
            matrix[0, 0] = np.nan
        return matrix

    def per_class(self, model: str | None = None) -> ClassCounts:
        """Return tp, fp, fn and tn of each class against the rest, of one model or of all.

        >>> from howsure import matrix
        >>> matrix([[2, 2, 2], [5, 70, 2], [0, 2, 15]], rows="prediction", labels=["a", "b", "c"]).per_class()["a"]
        CellsOfClass(model='model', label='a', tp=2.0, fp=4.0, fn=5.0, tn=89.0)
        """
        names = self.models if model is None else (self.models[self.model_index(model)],)
        found = [row for name in names for row in self.per_class_rows(name)]
        if not found:
            raise InputError(messages.PER_CLASS_ROWS_OF_TABLE_HOLD(holds=self.contents.holds))
        return ClassCounts(tuple(found))

    def per_class_rows(self, model: str) -> list[CellsOfClass]:
        """Return the cells of each class of one model, the mean over its runs; none where rows have no classes."""
        each = [self.contents.class_cells(at, self.counts) for at in self.places_of(self.model_index(model))]
        if each[0] is None:
            return []
        cells = np.mean([found for found in each if found is not None], axis=0)
        columns = zip(self.labels, cells.T.tolist(), strict=True)
        return [CellsOfClass(model, label, *column) for label, column in columns]

    def binary(self, label: Label) -> Table:
        """Return one class against the rest: labels (0, 1), 1 for the class."""
        position = find_label(label, self.labels, argument="label")
        if self.contents.several:
            raise InputError(messages.BINARY_TABLE_IS_MULTI_LABEL())
        codes = np.zeros(len(self.labels), dtype=np.int64)
        codes[position] = 1
        return self._relabelled(codes, (0, 1), pos_label=1, implied=False)

    def _relabelled(self, codes: Ints, labels: tuple[Label, ...], **more: Any) -> Table:
        return self.contents.through(
            self, lambda part: replace(part, contents=replace(part.contents.recoded(codes, labels), **more)).merged()
        )

    def relabel(self, names: Mapping[Any, Label]) -> Table:
        """Return the table with labels renamed; labels given the same new name become one class."""
        new = [names.get(label, label) for label in self.labels]
        unknown = [key for key in names if key not in self.labels]
        if unknown:
            raise InputError(messages.NAMES_MAPS_ARE_NOT_LABELS(unknown=quoted(unknown), labels=quoted(self.labels)))
        labels = tuple(dict.fromkeys(new))
        codes = np.array([labels.index(name) for name in new])
        pos_label = names.get(self.pos_label, self.pos_label)
        if pos_label is None and not self.contents.several:
            pos_label = positive_of(labels)
        return self._relabelled(codes, labels, pos_label=pos_label)

    def with_labels(self, labels: Sequence[Label]) -> Table:
        """Return the table on a label set that contains its own."""
        wanted = tuple(labels)
        missing = [label for label in self.labels if label not in wanted]
        if missing:
            raise InputError(messages.LABELS_LACKS_TABLE_HOLDS(missing=quoted(missing), labels=quoted(self.labels)))
        if not wanted:
            return self
        codes = np.array([wanted.index(label) for label in self.labels])
        # A positive class that only followed from the labels {0, 1} follows from the new ones.
        implied = self.pos_label == positive_of(self.labels) and not self.contents.several
        positive = positive_of(wanted) if implied else self.pos_label
        ordered = self.ordered or list(wanted) != sorted(wanted)

        def change(table: Table) -> Table:
            contents = table.contents.recoded(codes, wanted)
            return replace(table, contents=replace(contents, pos_label=positive, ordered=ordered))

        return self.contents.through(self, change)

    def _cell(self, row: int, column: int) -> float:
        if len(self.labels) != 2:
            raise InputError(messages.TP_FP_FN_AND_TN_NEED(labels=quoted(self.labels)))
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


def positive_of(labels: Sequence[Label]) -> Label | None:
    """Return 1 (or True) when the labels are {0, 1}, {False, True} or {-1, 1}; otherwise None: it must be said."""
    if any(isinstance(label, str) for label in labels) or set(labels) not in ({0, 1}, {-1, 1}):
        return None
    return next(label for label in labels if label == 1)


def positive_class(labels: Sequence[Label], asked: Label | None) -> dict[str, Any]:
    """Return the positive class, as asked or as the labels imply it, and which of the two: fields of contents."""
    if asked is not None:
        return {"pos_label": labels[find_label(asked, labels, argument="pos_label")], "implied": False}
    positive = positive_of(labels)
    return {"pos_label": positive, "implied": positive is not None}


def union_of_labels(first: Sequence[Label], second: Sequence[Label]) -> tuple[Label, ...]:
    """Return the labels of both: sorted when both were, the longer list if it holds the other, else as they appear."""
    everything = tuple(dict.fromkeys((*first, *second)))
    kinds = {isinstance(label, str) for label in everything}
    if len(kinds) > 1:
        raise InputError(messages.LABELS_OF_TWO_TABLES_DIFFER(first=quoted(first), second=quoted(second)))
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


def _check_models(first: Table, second: Table) -> None:
    if set(first.models) != set(second.models):
        raise InputError(
            messages.TABLES_TO_ADD_HOLD_DIFFERENT_MODELS(
                models=quoted(first.models), other_models=quoted(second.models)
            )
        )
