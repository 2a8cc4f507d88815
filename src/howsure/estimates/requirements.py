"""What an interval method needs of the evidence: each returns what is missing, in words, or None.

This is the one place that looks whether there are cells, a matrix, a table of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from howsure.errors import quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.evidence import Evidence
from howsure.metrics.ranking import AUC

ONE_OUTCOME = messages.NEEDS_ONE_OUTCOME_A_ROW()


def nothing(evidence: Evidence) -> str | None:
    return None


def a_share(evidence: Evidence) -> str | None:
    if evidence.metric.share is None:
        return messages.NEEDS_A_SHARE()
    return None if evidence.countable else ONE_OUTCOME


def a_share_or_tversky(evidence: Evidence) -> str | None:
    if evidence.metric.tversky is not None and evidence.has_cells:
        return None
    return a_share(evidence) and messages.NEEDS_A_SHARE_OR_TVERSKY()


def a_score_test(evidence: Evidence) -> str | None:
    """A share, a Tversky index, the larger of two shares, a mean or ratio of rows between two ends, or a metric that
    knows its variance under another value."""
    if evidence.null is not None or between_two_ends(evidence) is None:
        return None
    return a_binomial(evidence)


def a_binomial(evidence: Evidence) -> str | None:
    """A share, a Tversky index, the larger of two shares, or an estimate that is as skewed as a share."""
    if evidence.metric.larger is not None and evidence.countable:
        return None
    if evidence.null is not None and evidence.null.skewed:
        return None
    return a_share_or_tversky(evidence)


def between_two_ends(evidence: Evidence) -> str | None:
    """A mean of row values, or a ratio of sums, between two ends: there are no cells, but rows that are worth some."""
    found = None if evidence.has_cells else evidence.rows_of_share(1.0)
    return messages.NEEDS_A_MEAN_OR_RATIO_BETWEEN_ENDS() if found is None else None


def a_mean_of_rows(evidence: Evidence) -> str | None:
    of_rows = evidence.linear is not None and evidence.linear.contents.mean_of_rows(evidence.metric)
    return None if of_rows else messages.FOR_A_MEAN_OF_ROW_VALUES()


def a_mean_or_a_ratio(evidence: Evidence) -> str | None:
    if a_mean_of_rows(evidence) is None:
        return None
    spread = a_ratio_of_sums(evidence) is None and float(evidence.value) > 0
    return None if spread else messages.FOR_A_MEAN_OR_A_RATIO_WITHOUT_AN_END()


def a_ratio_of_sums(evidence: Evidence) -> str | None:
    found = None if evidence.linear is None else evidence.linear.contents.ratio(evidence.linear, float(evidence.size))
    return messages.FOR_A_RATIO_OF_SUMS() if found is None else None


def independent_values(evidence: Evidence) -> str | None:
    found = None if evidence.linear is None else evidence.linear.contents.rows_that_count(evidence.linear)
    if a_mean_of_rows(evidence) is None and found is None:
        return messages.NEEDS_INDEPENDENT_VALUES()
    return a_mean_of_rows(evidence)


def two_shares(evidence: Evidence) -> str | None:
    if evidence.metric.quotient is None:
        return messages.NEEDS_TWO_SHARES()
    return None if evidence.countable else ONE_OUTCOME


def f1_alone(evidence: Evidence) -> str | None:
    made = evidence.metric.tversky == (0.5, 0.5) and evidence.has_cells
    return None if made else messages.FOR_F1_ALONE()


def a_range(low: float, high: float, words: str) -> Callable[[Evidence], str | None]:
    def missing(evidence: Evidence) -> str | None:
        return None if evidence.metric.range == (low, high) else messages.FOR_METRICS_IN_RANGE(words=words)

    return missing


def a_matrix(evidence: Evidence) -> str | None:
    if evidence.matrix is None:
        return messages.NEEDS_A_MATRIX(lacking=evidence.lacking)
    tn = evidence.cells.tn
    uncounted = np.isnan(tn if evidence.one_class else tn.sum(-1)) & (evidence.n > 0)
    return messages.NEEDS_TRUE_NEGATIVES() if uncounted.any() else None


def cells(evidence: Evidence) -> str | None:
    """Cells to add pseudo-counts to: of a matrix, or of each label where a row holds several."""
    if evidence.linear is not None and evidence.linear.contents.smooths(evidence.metric) and evidence.matrix is None:
        return None
    return a_matrix(evidence)


def cells_and_ends(evidence: Evidence) -> str | None:
    if any(map(math.isinf, evidence.metric.range)):
        return messages.FOR_RANGES_WITH_TWO_ENDS()
    return cells(evidence)


MOST_CORRELATED = 500


def a_class_mean(evidence: Evidence) -> str | None:
    """A plain mean over classes of precision, recall or another Tversky index, or the harmonic mean of two such."""
    metric = evidence.metric
    if metric.class_mean is None or any(part.tversky is None for part in metric.per_class) or not evidence.has_cells:
        return messages.NEEDS_A_CLASS_MEAN()
    if evidence.cells.tp.shape[-1] > MOST_CORRELATED:
        return messages.CORRELATES_CLASSES(most=MOST_CORRELATED, classes=evidence.cells.tp.shape[-1])
    return None if evidence.linear is not None and evidence.matrix is None else a_matrix(evidence)


def two_classes(evidence: Evidence) -> str | None:
    if evidence.has_cells and evidence.one_class:
        return None
    if evidence.matrix is None or evidence.matrix.shape[-1] != 2:
        return messages.FOR_ONE_CLASS_AGAINST_THE_REST()
    return messages.NEEDS_THE_POSITIVE_CLASS() if evidence.positive is None else None


def an_auc(evidence: Evidence) -> str | None:
    made = evidence.metric.scoring is AUC.scoring and evidence.worth is not None
    return None if made else messages.FOR_AUC_ALONE()


def a_threshold_chosen(evidence: Evidence) -> str | None:
    cut = evidence.metric.cut
    return None if cut is not None and cut.kind == "best" else messages.FOR_THE_BEST_THRESHOLD()


def a_threshold_bounded(evidence: Evidence) -> str | None:
    cut, linear = evidence.metric.cut, evidence.linear
    found = cut is not None and cut.bound is not None and linear is not None and "threshold" in linear.details
    return None if found else messages.FOR_A_BOUNDED_THRESHOLD()


def bins(evidence: Evidence) -> str | None:
    found = evidence.linear is not None and "gaps" in evidence.linear.details
    return None if found else messages.FOR_CALIBRATION_ALONE()


def a_table(evidence: Evidence) -> str | None:
    if evidence.linear is not None and evidence.linear.design.tasks_sampled:
        return messages.RESAMPLES_ROWS_NOT_TASKS()
    if evidence.linear is not None and evidence.linear.crossing is not None:
        return messages.RESAMPLES_ROWS_NOT_RUNS()
    return None if evidence.linear is not None else messages.RESAMPLES_ONE_TABLE()


UNIT = a_range(0.0, 1.0, messages.BETWEEN_0_AND_1())
SIGNED = a_range(-1.0, 1.0, messages.BETWEEN_MINUS_1_AND_1())
RATIO = a_range(0.0, float("inf"), messages.FROM_0_UPWARDS())


def not_a_method(method: object, names: Iterable[str]) -> str:
    """Return what to say of a method that is neither a name nor an object with options."""
    return messages.METHOD_IS_NEITHER_NAME_NOR_OBJECT(method=method, kind=type(method).__name__, names=quoted(names))
