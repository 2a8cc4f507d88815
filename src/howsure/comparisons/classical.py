"""Tests that reviewers ask for by name: Cochran's Q of several models, accuracy against the no-information rate."""

from __future__ import annotations

import numpy as np
from scipy.special import bdtrc, chdtrc

from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.metrics.names import MetricLike
from howsure.results.citation import Citation, Work
from howsure.results.cv_test import HypothesisTest
from howsure.results.sentences.phrases import phrase
from howsure.results.words import number
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.types import Array

COCHRAN = Citation(Work(("Cochran",), 1950, "Biometrika", "37", "256"))
KUHN = Citation(Work(("Kuhn",), 2008, "J. Stat. Softw.", "28", "5"))


def cochran_q(table: Table, metric: MetricLike = "accuracy") -> HypothesisTest:
    """Test whether all models of a table have the same accuracy (or recall, or specificity) on the same rows.

    Q = (k − 1)·(k·Σ G_j² − N²)/(k·N − Σ L_i²), G_j the rows that model j gets right, L_i the models that get row i
    right, N their sum; chi-squared with k − 1 degrees of freedom if all k are equally good. With two models it is
    McNemar's chi-squared without correction. It says that some differ, not which: ``compare_all`` does.

    >>> from howsure import table
    >>> made = cochran_q(table([1] * 6, {"a": [1, 1, 1, 1, 0, 0], "b": [1, 1, 0, 0, 0, 0], "c": [1, 1, 1, 1, 1, 1]}))
    >>> print(repr(made))
    Cochran's Q(2) = 6.000, p = 0.0498, n = 6

    Source: Cochran (1950) Biometrika 37:256.
    """
    if len(table.models) < 2:
        raise InputError(messages.COCHRAN_NEEDS_TWO_MODELS())
    if not table.design.independent:
        raise InputError(messages.COCHRAN_Q_NEEDS_INDEPENDENT_ROWS())
    chosen = metric_on(table, metric)
    found = [linearise(table, chosen, model) for model in table.models]
    outcomes = [linear.contents.outcomes(linear) for linear in found]
    if any(one is None for one in outcomes):
        raise InputError.of("metric", chosen.name, messages.SHARE_OF_ROWS_NO_PREDICTION())
    right = np.array([one.success for one in outcomes if one is not None], dtype=float)
    counted = next(one.counted for one in outcomes if one is not None)
    q, n = _q(right, table.design.counts * counted)
    df = len(right) - 1
    p = float(chdtrc(df, q))
    values = {linear.model: linear.value for linear in found}
    sentence = phrase("cochran differ" if p < 0.05 else "cochran open", size=len(right), metric=chosen.name)
    return HypothesisTest("Cochran's Q", q, df, p, n, sentence, COCHRAN, values)


def _q(right: Array, counts: Array) -> tuple[float, float]:
    models, row = right @ counts, right.sum(0)
    k, total = len(right), float(models.sum())
    spread = k * total - float(counts @ row**2)
    q = (k - 1) * (k * float((models**2).sum()) - total**2) / spread if spread > 0 else 0.0
    return q, float(counts.sum())


def no_information(table: Table, *, model: str | None = None) -> HypothesisTest:
    """Test accuracy against the no-information rate, the share of the largest true class, by an exact binomial test.

    p = P(X ≥ right) for X ~ Binomial(n, rate): one-sided, as caret prints it beside a confusion matrix. The rate is
    taken as known, though it is estimated from the same rows.

    >>> from howsure import counts
    >>> print(repr(no_information(counts(tp=20, fp=5, fn=10, tn=65))))
    accuracy above the no-information rate = 0.850, p = 0.0005, n = 100

    Source: Kuhn (2008) J. Stat. Softw. 28(5).
    """
    matrix = table.matrix(model)
    if not table.design.independent or not np.isfinite(matrix).all():
        raise InputError(messages.NO_INFORMATION_RATE_NEEDS_INDEPENDENT_ROWS())
    n, right = float(matrix.sum()), float(np.trace(matrix))
    rate = float(matrix.sum(1).max()) / n
    p = float(bdtrc(right - 1, int(n), rate)) if right > 0 else 1.0
    shown = "above no information" if p < 0.05 else "not above no information"
    sentence = phrase(shown, value=number(right / n), rate=number(rate))
    values = {"accuracy": right / n, "no_information_rate": rate}
    return HypothesisTest(
        "accuracy above the no-information rate", right / n, None, p, n, sentence, KUHN, values
    )  # fmt: skip
