"""Scores of probabilities and ranks: AUC, average precision, Brier score, log loss, top-k accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, check_whole
from howsure.errors.messages import scores as messages
from howsure.estimates.estimate import estimate
from howsure.metrics.metric import Label
from howsure.results.estimate import Estimate
from howsure.scores.targets import times
from howsure.sources.kinds.scores import coded_truth, score_table
from howsure.tables.table import Table, positive_of

MANNERS = {"ovr": "macro_auc", "ovo": "macro_auc_ovo"}


def _table(y_true: Any, scores: Any, sample_weight: Any, groups: Any, **more: Any) -> Table:
    """Return the table of one model's scores; a frame is a score for each class, not a model for each column."""
    scores = np.asarray(scores) if np.ndim(scores) == 2 else scores
    return score_table(y_true, scores, sample_weight=sample_weight, groups=groups, **more)


def _greater(y_true: Any, labels: Any = None) -> Label | None:
    """Return the label that scikit-learn takes as positive where two do not say it themselves: the greater one."""
    names = coded_truth(y_true, labels)[1]
    return max(names) if len(names) == 2 and positive_of(names) is None else None


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return AUC; ``max_fpr`` the standardised partial one; of several classes the mean "ovr" or "ovo"."""
    if average != "macro":
        raise InputError.of("average", average, messages.MACRO_WEIGHTED_AND_MICRO_AUC())
    several = np.ndim(y_score) == 2 and np.shape(y_score)[1] > 2
    if several:
        check_choice("multi_class", multi_class, tuple(MANNERS))
        made = _table(y_true, y_score, sample_weight, groups, labels=labels)
        return estimate(made, MANNERS[multi_class], level=level, method=method)
    metric = "auc" if max_fpr is None or max_fpr == 1 else f"partial_auc[fpr<={max_fpr:g},standardised]"
    made = _table(y_true, y_score, sample_weight, groups, pos_label=_greater(y_true))
    return estimate(made, metric, level=level, method=method)


def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return average precision: the mean of the precision at the score of each positive."""
    if average != "macro":
        raise InputError.of("average", average, messages.MACRO_OF_TWO_CLASSES())
    made = _table(y_true, y_score, sample_weight, groups, pos_label=pos_label)
    return estimate(made, "average_precision", level=level, method=method)


def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: Any = "auto",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the Brier score: of two classes from 0 to 1, of several from 0 to 2, as scikit-learn's "auto" has it."""
    greater = _greater(y_true, labels) if pos_label is None else pos_label
    guessed = pos_label is None and isinstance(greater, str)  # which scikit-learn does not do here
    made = _table(y_true, y_proba, sample_weight, groups, pos_label=None if guessed else greater, labels=labels)
    usual = len(made.labels) == 2
    if scale_by_half not in ("auto", usual):
        raise InputError.of(
            "scale_by_half", scale_by_half, messages.HERE_FOR_CLASSES(usual=usual, number=len(made.labels)),
            messages.LEAVE_SCALE_BY_HALF_AND_SCALE_RESULT(),
        )  # fmt: skip
    return estimate(made, "brier", level=level, method=method)


def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the mean of −log p(true class), probabilities kept off 0 as scikit-learn keeps them; or their sum."""
    if isinstance(y_pred, str) == (y_proba is None):
        raise InputError(messages.GIVE_Y_PROBA_PROBABILITIES_OF_EACH_CLASS())
    given = y_pred if y_proba is None else y_proba
    made = _table(y_true, given, sample_weight, groups, labels=labels, pos_label=_greater(y_true, labels))
    found = estimate(made, f"log_loss[clip={float(np.finfo(np.float64).eps)!r}]", level=level, method=method)
    return found if normalize else times(found, made)


def top_k_accuracy_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the share of rows whose true class is among the k highest scores, or their number.

    A tie at the k-th place counts against.
    """
    made = _table(y_true, y_score, sample_weight, groups, labels=labels)
    found = estimate(made, f"top{check_whole('k', k, 1, messages.SUCH_AS_2())}_accuracy", level=level, method=method)
    return found if normalize else times(found, made)
