"""Scores of one class and their averages over classes: precision, recall, F1, F-beta, Jaccard."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages import scores as messages
from howsure.metrics.catalogue import f_beta
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import macro, micro, named, of_class, samples, weighted
from howsure.results.estimate import Estimate
from howsure.scores.arrays import Scores
from howsure.scores.targets import ask, binary, covering, occurring_labels, only, read_targets, support_of
from howsure.scores.undefined import Fill, fill_of, filled, warn_undefined
from howsure.tables.table import Table

AVERAGES = {"micro": micro, "macro": macro, "weighted": weighted}
CHOICES = (None, "binary", "micro", "macro", "weighted", "samples")


@dataclass(frozen=True)
class Asked:
    """How a score is asked for: what 0/0 becomes, at which level, by which method."""

    fill: Fill
    level: float
    method: Any

    def of(self, data: Table, metric: Metric, *, warn: bool = True) -> Estimate:
        """Return one metric of a table, 0/0 filled as asked and warned of."""
        found = ask(data, metric, self.fill.policy, self.level, self.method)
        if self.fill.warn and warn:
            warn_undefined(found, "Set zero_division to choose.")
        return filled(found, self.fill.value)

    def mean(self, data: Table, average: str, base: Metric, chosen: list[Label], *, warn: bool = True) -> Estimate:
        """Return an average over the chosen classes; scikit-learn's plain mean where none of them carries weight."""
        some = None if set(chosen) == set(data.labels) else chosen
        found = self.of(data, AVERAGES[average](base, classes=some), warn=warn)
        lost = math.isnan(found.value) or any(note.kind == "filled" for note in found.notes)
        return self.of(data, macro(base, classes=some), warn=warn) if lost and average == "weighted" else found


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return precision with its interval; without an average an array of one a class."""
    asked = Asked(fill_of(zero_division), level, method)
    return _averaged("precision", y_true, y_pred, labels, pos_label, average, sample_weight, groups, asked)


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return recall with its interval; without an average an array of one a class."""
    asked = Asked(fill_of(zero_division), level, method)
    return _averaged("recall", y_true, y_pred, labels, pos_label, average, sample_weight, groups, asked)


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return F1 with its interval; without an average an array of one a class."""
    asked = Asked(fill_of(zero_division), level, method)
    return _averaged("f1", y_true, y_pred, labels, pos_label, average, sample_weight, groups, asked)


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return F-beta with its interval; without an average an array of one a class."""
    asked = Asked(fill_of(zero_division), level, method)
    return _averaged(_f(beta), y_true, y_pred, labels, pos_label, average, sample_weight, groups, asked)


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return the Jaccard index with its interval; without an average an array of one a class."""
    asked = Asked(fill_of(zero_division), level, method)
    return _averaged("jaccard", y_true, y_pred, labels, pos_label, average, sample_weight, groups, asked)


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = None,
    warn_for: Iterable[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F-beta and support: arrays of one a class, or with an average numbers and None."""
    data = _read(y_true, y_pred, pos_label, average, sample_weight, groups)
    asked, wanted = Asked(fill_of(zero_division), level, method), set(warn_for)
    columns = {"precision": named("precision"), "recall": named("recall"), "f-score": _f(beta)}
    found = [
        _of_table(base, data, labels, pos_label, average, asked, warn=name in wanted) for name, base in columns.items()
    ]
    support = None if average is not None else _supports(data, labels, sample_weight)
    return (*found, support)


def _f(beta: float) -> Metric:
    return named("precision") if beta == 0 else named("recall") if beta == math.inf else f_beta(beta)


def _averaged(
    metric: str | Metric, y_true: Any, y_pred: Any, labels: Any, pos_label: Label, average: str | None,
    sample_weight: Any, groups: Any, asked: Asked,
) -> Any:  # fmt: skip
    data = _read(y_true, y_pred, pos_label, average, sample_weight, groups)
    return _of_table(named(metric), data, labels, pos_label, average, asked)


def _read(y_true: Any, y_pred: Any, pos_label: Label, average: str | None, sample_weight: Any, groups: Any) -> Table:
    check_choice("average", average, CHOICES)
    if average != "binary" and pos_label not in (None, 1):
        text = f"pos_label is {pos_label!r}, which average={average!r} does not look at; labels=[pos_label] reports it"
        warnings.warn(text, stacklevel=4)
    return read_targets(y_true, y_pred, sample_weight, groups)


def _of_table(
    base: Metric, data: Table, labels: Any, pos_label: Label, average: str | None, asked: Asked, *, warn: bool = True
) -> Any:
    if average == "binary":
        return asked.of(binary(data, pos_label), base, warn=warn)
    if average == "samples":
        some = only(data, chosen_labels(data, labels, data.labels))
        if some is None:
            raise InputError(messages.AVERAGE_IS_SAMPLES_IS_FOR_MULTI_LABEL())
        return asked.of(some, samples(base), warn=warn)
    chosen = chosen_labels(data, labels, occurring_labels(data))
    data = covering(data, chosen)
    if average is None:
        return Scores([asked.of(data, of_class(base, label), warn=warn) for label in chosen])
    return asked.mean(data, average, base, chosen, warn=warn)


def chosen_labels(data: Table, labels: Any, usual: Iterable[Label]) -> list[Label]:
    """Return the labels to look at; those of an indicator matrix are its columns, of which there are no others."""
    if labels is None:
        return list(usual)
    chosen = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    extra = [label for label in chosen if label not in data.labels]
    if extra and only(data, data.labels) is not None:
        raise InputError.of("labels", chosen, messages.COLUMNS_OF_INDICATOR_MATRIX_ARE_0(number=len(data.labels) - 1))
    return chosen


def _supports(data: Table, labels: Any, sample_weight: Any) -> Any:
    chosen = chosen_labels(data, labels, occurring_labels(data))
    data = covering(data, chosen)
    return np.array([support_of(data, label) for label in chosen], dtype=float if sample_weight is not None else int)
