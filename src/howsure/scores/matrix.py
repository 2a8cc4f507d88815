"""confusion_matrix: scikit-learn's array of counts or shares, with limits for each of its cells."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages import scores as messages
from howsure.estimates.confusion import MULTINOMIAL, Given, limits_of
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Label
from howsure.scores.targets import covering, occurring_labels, only, present, read_targets
from howsure.tables.table import Table
from howsure.types import Array

NORMS: dict[str | None, Given] = {None: None, "true": "truth", "pred": "prediction", "all": None}


class ConfusionMatrix(np.ndarray):
    """An array of counts or shares, truth in rows, whose ``low`` and ``high`` are limits of its cells.

    The limits of counts are those of the expected counts of a sample of this size. What is computed from it is plain.
    """

    asked: tuple[Table, Given, float, str, float] | None = None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar or plain.ndim == 0 else plain

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(self)[index]

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()

    @property
    def low(self) -> Array:
        """The lower limits."""
        return self._limits(1)

    @property
    def high(self) -> Array:
        """The upper limits."""
        return self._limits(2)

    def _limits(self, which: int) -> Array:
        if self.asked is None:
            raise InputError(messages.ARRAY_WAS_COMPUTED_FROM_CONFUSION_MATRIX())
        table, given, level, method, scale = self.asked
        return np.asarray(limits_of(table, given, level, method)[which]) * scale


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    sample_weight: Any = None,
    normalize: str | None = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> ConfusionMatrix:
    """Return the confusion matrix, truth in rows; its ``low`` and ``high`` are limits of its counts or shares.

    ``method`` is that of ``howsure.confusion``; "wilson" by default, each cell by itself.
    """
    check_choice("normalize", normalize, NORMS)
    check_choice("method", method, (None, *MULTINOMIAL))
    wanted = None if labels is None else list(np.asarray(labels).tolist())
    if wanted == []:
        raise InputError(messages.LABELS_IS_EMPTY())
    if np.size(np.asarray(y_true, dtype=object)) == 0 and wanted is not None:
        return np.zeros((len(wanted), len(wanted)), dtype=int).view(ConfusionMatrix)
    data = read_targets(y_true, y_pred, sample_weight, groups)
    if only(data, data.labels) is not None:
        raise InputError(messages.CONFUSION_MATRIX_IS_OF_ONE_LABEL())
    names = wanted or occurring_labels(data)
    if len(names) == 1 and wanted is None:
        warnings.warn(
            f"there is a single label, {names[0]!r}; with labels= the matrix has a row for others", stacklevel=2
        )
    kept = present(covering(data, names), wanted)
    if kept is None:
        return np.zeros((len(names), len(names)), dtype=int).view(ConfusionMatrix)
    counts = kept.contents.cross_table([0], kept.weights)
    assert counts is not None
    given, scale = NORMS[normalize], float(counts.sum()) if normalize is None else 1.0
    made = _normalised(counts, normalize, whole=_whole(sample_weight)).view(ConfusionMatrix)
    made.asked = (kept, given, Tail(level).level, method or "wilson", scale)
    return made


def _whole(sample_weight: Any) -> bool:
    """Return whether weights are whole numbers by their type, so that the counts are too."""
    return sample_weight is None or np.asarray(sample_weight).dtype.kind in "biu"


def _normalised(counts: Array, normalize: str | None, *, whole: bool) -> Array:
    """Return the counts, whole numbers where rows have no weights, or their shares; a share of nothing is 0."""
    if normalize is None:
        return counts.astype(int) if whole else counts
    axis: Any = {"true": 1, "pred": 0, "all": (0, 1)}[normalize]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(counts / counts.sum(axis, keepdims=True)))
