"""hs.table: label columns of any kind to a Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.errors import InputError, quoted
from howsure.metrics.metric import Label, find_label
from howsure.sources.arrays.tabulate import tabulate
from howsure.sources.kinds.label_sets import is_multilabel, multilabel_table
from howsure.tables.labels import Labels
from howsure.tables.table import Table, positive_of


def table(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    groups: Any = None,
) -> Table:
    """Count the distinct rows of truth and predictions.

    ``y_pred`` is one column of predicted labels, or a mapping (or data frame) of a column per model. Labels are
    integers, booleans or strings; without ``labels`` they are sorted, or in the order that ordered categories (pandas),
    an Enum (polars) or an ordered dictionary (Arrow) states. An n×L indicator matrix or a list of label sets makes a
    multi-label table. ``groups`` names what belongs together (patient, document, speaker); ``sample_weight`` is a
    sampling weight.

    >>> table([1, 0, 1, 1], [1, 0, 0, 1])
    Table(4 rows, 2 labels, 1 model)
    """
    several = is_multilabel(y_true)
    # A frame beside several labels per row is one model's indicators, not a column per model.
    predictions = named_predictions({"model": y_pred} if several and hasattr(y_pred, "columns") else y_pred)
    if several:
        return multilabel_table(
            y_true, predictions, labels=labels, pos_label=pos_label, weight=sample_weight, groups=groups
        )
    tally = tabulate(y_true, predictions, labels=labels, weight=sample_weight, groups=groups)
    positive = positive_of(tally.labels)
    if pos_label is not None:
        positive = tally.labels[find_label(pos_label, tally.labels, argument="pos_label")]
    rows = Labels(
        tally.truth, tally.predictions, labels=tally.labels, pos_label=positive, ordered=tally.ordered,
        implied=pos_label is None and positive is not None,
    )  # fmt: skip
    made = Table(tally.models, rows, tally.design, tally.notes)
    name = getattr(groups, "name", None)
    return made.grouped_by(name) if isinstance(name, str) and name else made


def named_predictions(y_pred: Any) -> dict[str, Any]:
    """Return the predictions by model name: a mapping or a frame as it is, a single column as "model"."""
    if isinstance(y_pred, Mapping):
        found = {str(name): column for name, column in y_pred.items()}
    elif hasattr(y_pred, "columns") and not callable(y_pred.columns):
        found = {str(name): y_pred[name] for name in y_pred.columns}
    else:
        found = {"model": y_pred}
    if not found:
        raise InputError("y_pred holds no model; give at least one column of predictions")
    if isinstance(y_pred, Mapping) and len(found) < len(y_pred):
        raise InputError(f"y_pred names models that read the same as text: {quoted(y_pred)}; give each its own name")
    return found
