"""Promises that were once broken, each with a number: Koopman, priors, huge counts, skipped classes, Holm, joint."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import howsure as hs

STORED = Path(__file__).parents[3] / "docs" / "reference" / "methods" / "coverage.json"
TABLE = hs.counts(tp=7, fp=1, fn=2, tn=20)


def test_koopman_is_shown_where_it_falls_short() -> None:
    """The exact coverage of the worst population of its page, made again: 0.873, where ".93 or more" was promised."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))
    (row,) = (
        one
        for one in rows
        if (one["metric"], one["method"], one["n"], one["level"]) == ("lr_plus", "koopman", 25, 0.95)
    )
    worst = int(np.argmin(row["coverage"]))
    rates = {"prevalence": 0.3, "precision": row["quality"][worst], "recall": row["quality"][worst]}
    found = hs.study("lr_plus", "koopman", rates, 25, exact=True)[0]
    assert found.coverage == pytest.approx(row["coverage"][worst], abs=1e-5)
    assert found.coverage < 0.93
    assert hs.study("lr_plus", "default", rates, 2)[0].method == "koopman"


@pytest.mark.parametrize(("metric", "hits", "errors"), [("prevalence", 9, 21), ("accuracy", 27, 3), ("recall", 7, 2)])
def test_the_prior_of_a_share_is_jeffreys_however_many_cells_it_has(metric: str, hits: int, errors: int) -> None:
    law = stats.beta(hits + 0.5, errors + 0.5)
    assert hs.estimate(TABLE, metric, method="beta").interval == pytest.approx(law.interval(0.95), abs=1e-10)


@pytest.mark.parametrize("given", [{"tp": [1e18], "fp": 0, "fn": 0}, {"matrices": [[[1e18, 0.0], [0.0, 1.0]]]}])
def test_counts_beyond_floats_are_refused_in_batches_too(given: dict[str, object]) -> None:
    with pytest.raises(hs.InputError, match=r"1e\+18; above 2\*\*53"):
        hs.batch_intervals("f1", **given)


def test_a_mean_over_the_one_class_that_is_left_has_limits() -> None:
    found = hs.estimate(hs.table([1, 1, 1], [1, 1, 1], labels=[0, 1]), "macro_f1", undefined="skip")
    assert found.value == found.high == 1
    assert 0 < found.low < 1
    assert "left out of the average, which is over 1 of 2 classes" in str(found.notes)


def test_holm_of_exact_tests_keeps_its_error() -> None:
    """Three equal models that err apart, 12 rows each pair's own: P(any pair decided) over all outcomes of the signs.

    McNemar's exact p-values of three independent sets of discordant rows, stepped down by Holm; the worst case of one
    Bonferroni step is 1 − (1 − α/3)³.
    """
    from howsure.comparisons.compare import holm

    rows = 12
    mass = stats.binom.pmf(np.arange(rows + 1), rows, 0.5)
    single = np.array([stats.binomtest(k, rows).pvalue for k in range(rows + 1)])
    wrong = 0.0
    for i in range(rows + 1):
        for j in range(rows + 1):
            adjusted = np.array([holm(single[[i, j, k]]).min() for k in range(rows + 1)])
            wrong += mass[i] * mass[j] * mass[adjusted < 0.05].sum()
    assert 0.001 < wrong <= 1 - (1 - 0.05 / 3) ** 3 + 1e-12


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_joint_intervals_of_two_shares_of_other_rows_hold_together(level: float) -> None:
    """Recall and specificity rest on different rows: joint coverage is a product of exact ones, at each level."""
    both = hs.report(hs.counts(tp=36, fp=4, fn=4, tn=36), ["recall", "specificity"], joint=True, level=level)
    each = 1 - 2 * stats.norm.sf(both.critical_value)
    assert each == pytest.approx(math.sqrt(level), abs=1e-6)
    hits, shares = np.arange(41), np.linspace(0.5, 0.99, 50)
    found = hs.batch_intervals("recall", tp=hits, fp=0, fn=40 - hits, tn=0, level=each)
    mass = stats.binom.pmf(hits[:, None], 40, shares)
    held = (mass * ((found.low[:, None] <= shares) & (shares <= found.high[:, None]))).sum(0)
    assert float(np.mean(np.outer(held, held))) >= level
