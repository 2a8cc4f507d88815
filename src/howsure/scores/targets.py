"""What scikit-learn takes for labels, read as a Table: columns, (n, 1) columns, sparse and dense indicator matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages import scores as messages
from howsure.estimates.estimate import from_linear
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Label, Metric
from howsure.results.estimate import Estimate
from howsure.sources.kinds.label_sets import is_multilabel
from howsure.sources.kinds.labels import table
from howsure.tables.covariance import linearise
from howsure.tables.table import Table, positive_of
from howsure.types import Undefined


def read_targets(y_true: Any, y_pred: Any, sample_weight: Any, groups: Any) -> Table:
    """Return the table of two columns of labels, or of two indicator matrices; several runs of a model are neither."""
    truth, predicted = as_column(y_true), as_column(y_pred)
    if _nested(predicted) and not is_multilabel(truth):
        raise InputError(messages.PREDICTIONS_ARE_NESTED(shape=np.shape(predicted)))
    return table(truth, predicted, sample_weight=sample_weight, groups=groups)


def _nested(values: Any) -> bool:
    """Say whether values are rows of several: what ``table`` takes for several runs where truth is one column."""
    if isinstance(values, (list, tuple)):
        return bool(values) and isinstance(values[0], (list, tuple, np.ndarray))
    return getattr(values, "ndim", 1) == 2


def as_column(values: Any) -> Any:
    """Return labels as ``table`` takes them: a sparse matrix dense, a single column of two dimensions flat.

    >>> as_column([[1], [0]])
    [1, 0]
    """
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        values = values.toarray()
    if isinstance(values, (list, tuple)):
        flat = bool(values) and all(isinstance(row, (list, tuple, np.ndarray)) and len(row) == 1 for row in values)
        return [row[0] for row in values] if flat else values
    columns = getattr(values, "columns", None)
    if columns is not None and not callable(columns):
        return values[columns[0]] if len(columns) == 1 else values
    if getattr(values, "ndim", 1) == 2 and values.shape[1] == 1:
        return np.asarray(values)[:, 0]
    return values


def ask(data: Table, metric: Metric, undefined: Undefined, level: float, method: Any) -> Estimate:
    """Return a metric of the table with its interval."""
    return from_linear(linearise(data, metric, None, undefined), method, Tail(level))


def occurring_labels(data: Table) -> list[Label]:
    """Return the labels that occur, as scikit-learn averages over them."""
    return data.contents.occurring(data.counts)


def covering(data: Table, chosen: Sequence[Label]) -> Table:
    """Return the table with the chosen labels too, where some occur in no row."""
    extra = [label for label in chosen if label not in data.labels]
    return data if not extra else data.with_labels([*data.labels, *extra])


def only(data: Table, chosen: Sequence[Label]) -> Table | None:
    """Return a multi-label table of some of its classes; None where each row has one label."""
    some = data.contents.only(chosen)
    return None if some is None else replace(data, contents=some)


def present(data: Table, labels: Sequence[Label] | None) -> Table | None:
    """Return the table of the rows whose labels are all among ``labels`` (or occur), in that order, or None."""
    wanted = tuple(occurring_labels(data) if labels is None else labels)
    true = [label for label, weight in zip(data.labels, data.contents.support(data.counts), strict=True) if weight]
    if not set(wanted) & set(true):
        raise InputError.of("labels", list(wanted), messages.AT_LEAST_ONE_MUST_BE_AMONG(true=quoted(true)))
    matrix = covering(data, wanted)
    codes = np.full(len(matrix.labels), -1)
    codes[[matrix.labels.index(label) for label in wanted]] = np.arange(len(wanted))
    rows = replace(matrix.contents.recoded(codes, wanted), pos_label=positive_of(wanted))
    keep = (rows.keys() >= 0).all(1)
    return replace(matrix, contents=rows).some_rows(keep) if keep.any() else None


def binary(data: Table, pos_label: Label) -> Table:
    """Return the table of two labels with its positive one."""
    seen = occurring_labels(data)
    sets = only(data, seen) is not None
    if sets or len(seen) > 2:
        kind = messages.MULTI_LABEL() if sets else messages.LABELS_SEEN(number=len(seen), seen=quoted(seen))
        raise InputError(messages.AVERAGE_IS_BINARY_BUT_DATA(kind=kind))
    if pos_label not in data.labels and len(seen) == 2:
        raise InputError(messages.POS_LABEL_IS_NOT_AMONG_LABELS(pos_label=pos_label, seen=quoted(seen)))
    with_it = covering(data, [pos_label])
    return replace(with_it, contents=replace(with_it.contents, pos_label=pos_label))


def support_of(data: Table, label: Label) -> float:
    """Return the weight of the rows whose true label it is."""
    return float(data.contents.support(data.weights)[data.labels.index(label)])


def times(found: Estimate, data: Table) -> Estimate:
    """Return a share of the rows as their number, a mean over them as its sum."""
    total, (_, top) = float(data.weights.sum()), found.metric_range or (0.0, 1.0)
    scaled = {name: getattr(found, name) * total for name in ("value", "low", "high", "se")}
    return found.replace(**scaled, metric_range=(0.0, top * total), again=None)
