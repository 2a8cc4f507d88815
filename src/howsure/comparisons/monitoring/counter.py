"""Counter: a table that grows batch by batch, for evaluation loops, monitors and many processes."""

from __future__ import annotations

import io
import json
import os
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import reduce
from operator import add
from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from howsure.comparisons.compare import compare
from howsure.comparisons.monitoring.batches import BatchOptions
from howsure.comparisons.monitoring.bound import Bound, anytime_bound
from howsure.comparisons.monitoring.judged_counter import with_labels_of_people
from howsure.comparisons.monitoring.saved import check_format, from_file, to_file
from howsure.errors import InputError, quoted
from howsure.errors.messages import comparisons as messages
from howsure.metrics.metric import Better, Label, find_label
from howsure.metrics.names import MetricLike
from howsure.results.comparison import Comparison
from howsure.results.saving import write_whole
from howsure.sources.arrays.tabulate import NoRows
from howsure.sources.files.formats import check_expansion
from howsure.sources.histogram import Histogram, histogram_of
from howsure.sources.kinds.counts import check_labels
from howsure.sources.kinds.label_sets import is_multilabel
from howsure.sources.kinds.labels import named_predictions, table
from howsure.sources.kinds.values import checked_range
from howsure.tables.design import plain_design
from howsure.tables.kinds.scores import Thresholds
from howsure.tables.kinds.values import RowValues
from howsure.tables.labels import Labels
from howsure.tables.table import Table, positive_of

_PENDING = 4096
_DAMAGE = (
    AttributeError, LookupError, TypeError, ValueError, EOFError, OSError, RuntimeError, MemoryError, BadZipFile,
    zlib.error,
)  # fmt: skip


class Counter:
    """Counts batches of truth and predictions; memory grows with the distinct rows and groups, not with the rows.

    Threads may update at once. Counters of several processes add up, with ``+`` or ``merge``. Batches may also be of
    scores, of row values or of sums per unit: all of them of one kind. Scores are kept as they are, or with ``bins`` as
    probabilities in so many equal bins, and ``histogram`` then bounds what that changes; ``threshold`` is as in
    ``hs.table``, ``range`` and ``better`` are those of values and sums, which need no labels.

    >>> counter = Counter([0, 1])
    >>> counter.update([1, 0, 1], [1, 0, 0])
    >>> counter.update([1, 1], [1, 1])
    >>> counter
    Counter(5 rows, 2 labels, 1 model)
    >>> counter.table.tp
    3.0
    """

    def __init__(
        self,
        labels: Sequence[Label] | None = None,
        models: str | Sequence[str] = ("model",),
        *,
        pos_label: Label | None = None,
        bins: int | None = None,
        threshold: Thresholds | None = None,
        range: Any = None,
        better: Better | None = "higher",
    ) -> None:
        self.labels = () if labels is None else _checked_labels(labels)
        self.how = BatchOptions(bins, threshold, range, better)
        self.models = (models,) if isinstance(models, str) else tuple(models)
        if not self.models or len(set(self.models)) < len(self.models):
            raise InputError.of("models", self.models, messages.GIVE_EACH_MODEL_NAME_OF_OWN())
        self.pos_label = positive_of(self.labels)
        if pos_label is not None:
            self.pos_label = self.labels[find_label(pos_label, self.labels, argument="pos_label")]
        self._lock = threading.Lock()
        self._parts: list[Table] = []

    def update(
        self,
        y_true: Any = None,
        y_pred: Any = None,
        *,
        scores: Any = None,
        values: Any = None,
        sums: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        judge: Any = None,
    ) -> None:
        """Count one batch; a batch without rows, or one that is refused, changes nothing.

        ``y_pred`` is one column, or a mapping of a column per model. Arrays of numpy, torch and others will do. With
        ``judge``, as in ``hs.table``, the truth is None where nobody has looked yet. ``scores``, in place of
        ``y_pred``, or ``values`` alone, are as in ``hs.table``, ``sums`` as in ``hs.sums``, every row a unit.

        >>> counter = Counter([0, 1], bins=1000)
        >>> counter.update([0, 1, 1], scores=[0.2, 0.4, 0.9])
        >>> counter.update([0, 1], scores=[0.5, 0.7])
        >>> counter, counter.histogram.certificate().auc
        (Counter(5 rows, 2 labels, 1 model, scores), 0.0)
        """
        given = {"scores": scores, "values": values, "sums": sums}
        if all(one is None for one in given.values()):
            batch = self._batch(y_true, y_pred, sample_weight=sample_weight, groups=groups, judge=judge)
        else:
            batch = self.how.batch(self, y_true, y_pred, given, sample_weight, groups, judge)
        if batch is not None:
            self._take(batch)

    def label(self, y_true: Any, y_pred: Any, judge: Any, *, groups: Any = None) -> None:
        """Give rows that were counted without a label of people their label, which came late.

        A row is told by its kind: the same predictions, judge's answer and group. One row or a column of them.

        >>> counter = Counter([0, 1])
        >>> counter.update([None, None, 1], [1, 0, 1], judge=[1, 1, 1])
        >>> counter.label(0, 1, 1)
        >>> counter.table.matrix().tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        given: list[Any] = [y_true, y_pred, judge, groups]
        if np.ndim(y_true) == 0:
            given = [None if part is None else _as_column(part) for part in given]
        batch = self._batch(*given[:2], groups=given[3], judge=given[2])
        if batch is None:
            return
        missing = float(batch.counts[~batch.contents.known].sum())
        if missing:
            raise InputError(messages.Y_TRUE_IS_MISSING_IN_ROWS(missing=missing))
        with self._lock:
            held = _joined(self._parts) if self._parts else self._empty()
            self._parts = [with_labels_of_people(held, batch)]

    def _batch(self, y_true: Any, y_pred: Any, **more: Any) -> Table | None:
        """Return the table of a batch; None without rows."""
        if not self.labels:
            raise InputError(messages.LABELS_WERE_NOT_GIVEN())
        given = {self.models[0]: y_pred} if self._is_column(y_pred) else named_predictions(y_pred)
        if set(given) != set(self.models):
            raise InputError(
                messages.Y_PRED_HOLDS_MODELS_BUT_COUNTER_COUNTS(given=quoted(given), models=quoted(self.models))
            )
        if more["judge"] is None and is_multilabel(y_true):
            raise InputError(messages.Y_TRUE_HOLDS_SEVERAL_LABELS_ROW())
        predictions = {name: given[name] for name in self.models}
        try:
            positive: dict[str, Any] = {} if more["judge"] is None else {"pos_label": self.pos_label}
            batch = table(y_true, predictions, labels=self.labels, **positive, **more)
        except NoRows:  # the last batch of a loop may be empty
            return None
        return replace(batch, contents=replace(batch.contents, pos_label=self.pos_label), notes=())

    def _is_column(self, y_pred: Any) -> bool:
        several = isinstance(y_pred, Mapping) or (hasattr(y_pred, "columns") and not callable(y_pred.columns))
        return len(self.models) == 1 and not several

    def _take(self, batch: Table) -> None:
        with self._lock:
            if self._parts and (self._parts[0].groups is None) != (batch.groups is None):
                raise InputError(messages.GROUPS_IS_GIVEN_FOR_SOME_BATCHES())
            if self._parts:
                self._parts[0].contents.check_joins(batch.contents)
            self._parts.append(batch)
            if sum(len(part.rows) for part in self._parts[1:]) > max(_PENDING, len(self._parts[0].rows)):
                self._parts = [_joined(self._parts)]

    @property
    def table(self) -> Table:
        """Everything counted so far."""
        with self._lock:
            if not self._parts:
                return self._empty()
            self._parts = [_joined(self._parts)]
            return self._parts[0]

    def _empty(self) -> Table:
        if not self.labels:
            ends = checked_range(self.how.range)
            return Table(
                self.models,
                RowValues(np.empty((0, len(self.models))), ends, self.how.better),
                plain_design(np.empty(0)),
            )
        none, wide = np.empty(0, dtype=np.int32), np.empty((0, len(self.models)), dtype=np.int32)
        rows = Labels(none, wide, labels=self.labels, pos_label=self.pos_label)
        return Table(self.models, rows, plain_design(np.empty(0)))

    @property
    def histogram(self) -> Histogram:
        """The scores counted so far in their bins, with bounds on what binning changed."""
        if self.how.bins is None:
            raise InputError(messages.BINS_WERE_NOT_GIVEN())

        return histogram_of(self.table, self.how.bins)

    @property
    def n(self) -> float:
        """Number of rows counted so far."""
        return self.table.n

    def __repr__(self) -> str:
        return repr(self.table).replace("Table", "Counter", 1)

    def bound(self, metric: MetricLike = "accuracy", *, level: float = 0.95, model: str | None = None) -> Bound:
        """Return a bound that holds at all times together, for watching a stream and stopping at will.

        >>> counter = Counter([0, 1])
        >>> counter.update([1] * 90 + [0] * 10, [1] * 100)
        >>> counter.bound("precision")
        precision = 0.900 [0.772, 0.971] 95% at any time, n = 100
        """
        return anytime_bound(self.table, metric, level=level, model=model)

    def settled(
        self, metric: MetricLike, a: str, b: str, *, margin: float | None = None, level: float = 0.95
    ) -> Comparison | None:
        """Return the comparison b − a as soon as it is settled, None before: look as often as you like.

        Settled is that one model is better; with ``margin`` also that they differ by less than it. However often it is
        asked, a wrong answer is ever given with probability 1 − level at most.

        >>> counter = Counter([0, 1], ["old", "new"])
        >>> while (found := counter.settled("accuracy", "old", "new")) is None:
        ...     counter.update([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], {"old": [1] * 10, "new": [1, 1, 1, 1, 1, 0, 0, 0, 1, 1]})
        >>> found.winner, found.n
        ('new', 30)
        """
        table = self.table
        if not table.n:
            return None
        if margin is not None:
            alike = compare(table, metric, a, b, level=level, margin=margin, anytime=True)
            if alike.verdict == "equivalent":
                return alike
        found = compare(table, metric, a, b, level=level, anytime=True)
        return found if found.decided else None

    def merge(self, other: Counter) -> None:
        """Add what another counter of the same labels and models has counted."""
        self._check_alike(other)
        found = other.table
        if len(found.rows):
            self._take(found.pick(*self.models))

    def _check_alike(self, other: Counter) -> None:
        if self.how != other.how:
            raise InputError(messages.OPTIONS_OF_COUNTERS_DIFFER(first=str(self.how), second=str(other.how)))
        if self.labels != other.labels or set(self.models) != set(other.models) or self.pos_label != other.pos_label:
            raise InputError(
                messages.COUNTERS_TO_ADD_DIFFER(
                    labels=quoted(self.labels),
                    other_labels=quoted(other.labels),
                    models=quoted(self.models),
                    other_models=quoted(other.models),
                    pos_label=self.pos_label,
                    other_pos_label=other.pos_label,
                )
            )

    def __add__(self, other: object) -> Counter:
        if not isinstance(other, Counter):
            return NotImplemented
        total = Counter(self.labels or None, self.models, pos_label=self.pos_label, **asdict(self.how))
        total.merge(self)
        total.merge(other)
        return total

    def __radd__(self, other: object) -> Counter:
        return self if other == 0 else NotImplemented

    def __getstate__(self) -> dict[str, Any]:
        held = {"labels": self.labels, "models": self.models, "pos_label": self.pos_label, "how": self.how}
        return held | {"table": self.table}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.labels, self.models, self.pos_label = state["labels"], state["models"], state["pos_label"]
        self.how = state.get("how", BatchOptions())
        self._lock = threading.Lock()
        self._parts = [state["table"]] if len(state["table"].rows) else []

    def save(self, path: str | PathLike[str]) -> None:
        """Write the counts to a small file: whole or not at all, whatever happens meanwhile."""
        header, arrays = to_file(self.table, self.labels, self.pos_label, asdict(self.how))
        content = io.BytesIO()
        np.savez_compressed(content, header=np.array(json.dumps(header)), **arrays)
        write_whole(Path(path), content.getvalue())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Counter:
        """Read what ``save`` wrote."""
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as content:
                check_expansion(content.zip, os.fspath(path), remedy="load only what save() wrote")
                arrays = {name: content[name] for name in content.files}
            header = json.loads(str(arrays.pop("header")))
            check_format(header["format"], path)
            return cls._loaded(header, arrays)
        except FileNotFoundError:
            raise InputError(messages.PATH_AND_IS_NO_SUCH_FILE(path=os.fspath(path))) from None
        except _DAMAGE as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                messages.PATH_IS_NO_COUNTER_SAVE(path=os.fspath(path), kind=type(error).__name__, error=error)
            ) from None

    @classmethod
    def _loaded(cls, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> Counter:
        how = header.get("how", {})
        counter = cls(header["labels"] or None, header["models"], pos_label=header["pos_label"], **how)
        found = from_file(header, arrays, counter.models, counter.labels, counter.pos_label)
        counter._parts = [found] if len(found.rows) else []
        return counter


def _checked_labels(labels: Any) -> tuple[Label, ...]:
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise InputError.of("labels", labels, messages.GIVE_LIST_OF_EVERY_LABEL())
    found = tuple(labels)
    check_labels(found)
    if len(found) < 2:
        raise InputError.of("labels", found, messages.GIVE_EVERY_LABEL_MAY_OCCUR_TWO())
    return found


def _joined(parts: Iterable[Table]) -> Table:
    """Return the sum of tables of the same labels and models, merged once."""
    tables = list(parts)
    if len(tables) == 1:
        return tables[0]
    if tables[0].groups is not None:
        return reduce(add, tables)
    contents = reduce(lambda first, second: first.joined(second), (part.contents for part in tables))
    design = reduce(lambda first, second: first.joined(second), (part.design for part in tables))
    return replace(tables[0], contents=contents, design=design).merged()


def _as_column(one: Any) -> Any:
    """Return one entry, or one for each model, as a column of one row."""
    return {name: [value] for name, value in one.items()} if isinstance(one, Mapping) else [one]
