"""The interval of a metric at a threshold that keeps a bound: what it is by its definition, and where it leads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, norm

import howsure as hs
from howsure.numerics import binomial


def sample(positives: int, negatives: int, seed: int, gap: float = 1.4) -> hs.Table:
    rng = np.random.default_rng(seed)
    scores = np.concatenate([rng.standard_normal(negatives), rng.standard_normal(positives) + gap])
    return hs.table(np.repeat([0, 1], [negatives, positives]), scores=scores)


def by_definition(table: hs.Table, least: float, level: float = 0.95) -> tuple[float, float]:
    """Recall at a specificity: for every threshold the share of negatives below it is tested, then recall with what is
    left of the quantile; thresholds between the same two rows are one."""
    held = table.contents.scored(0)
    ones, zeros = held.scores[held.positive], held.scores[~held.positive]
    q, ends = norm.isf((1 - level) / 2), []
    chosen = min(t for t in [*held.scores, np.inf] if np.mean(zeros < t) >= least)  # recall is best there
    for threshold in [*held.scores, np.inf]:
        below, hits = int((zeros < threshold).sum()), int((ones >= threshold).sum())
        mid = binom.cdf(below, len(zeros), least) - binom.pmf(below, len(zeros), least) / 2
        z = 0.0 if threshold == chosen else norm.ppf(mid)
        if abs(z) < q:
            ends.append(binomial.mid_p(hits, len(ones) - hits, tail=float(norm.sf(np.sqrt(q**2 - z**2)))))
    low, high = np.array(ends, dtype=float).T
    return float(low.min()), float(high.max())


@pytest.mark.parametrize(("positives", "negatives"), [(30, 60), (12, 31), (80, 19), (7, 200)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_it_is_the_union_over_thresholds_of_what_both_tests_leave(positives: int, negatives: int, level: float) -> None:
    table = sample(positives, negatives, seed=positives)
    made = hs.estimate(table, "recall@specificity>=0.9", level=level)
    assert made.method == "thresholds"
    assert (made.low, made.high) == pytest.approx(by_definition(table, 0.9, level), abs=1e-6)


def test_with_many_rows_it_is_the_delta_method_with_the_true_slope() -> None:
    """Binormal: ROC(f) = Φ(a + Φ⁻¹(f)), and its slope is a ratio of densities (Hsieh & Turnbull 1996)."""
    gap, n = 1.4, 200_000
    table = sample(n, n, seed=3, gap=gap)
    made = hs.estimate(table, "recall@specificity>=0.9")
    at = norm.isf(0.1)
    recall, slope = norm.sf(at - gap), norm.pdf(at - gap) / norm.pdf(at)
    half = 1.959964 * np.sqrt((recall * (1 - recall) + slope**2 * 0.09) / n)
    assert (made.high - made.low) / 2 == pytest.approx(half, rel=0.05)
    assert made.low < recall < made.high


def test_where_the_threshold_may_lie_beyond_all_negatives_recall_may_be_anything() -> None:
    """0.9²⁸ is 0.052 and 0.9²⁹ is 0.047: with half of that a test at 0.025 rejects from 29 negatives on."""
    few, more = (hs.estimate(sample(400, n, seed=1), "recall@specificity>=0.9") for n in (28, 40))
    assert few.low == 0.0 < more.low
    assert any(note.kind == "few rows" for note in few.notes)


def test_exchanging_the_classes_and_the_order_changes_nothing() -> None:
    held = sample(40, 70, seed=8).contents.scored(0)
    one = hs.estimate(hs.table(held.truth, scores=held.scores), "recall@specificity>=0.8")
    other = hs.estimate(hs.table(1 - held.truth, scores=-held.scores), "specificity@recall>=0.8")
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-9)


def test_limits_are_nested_and_hold_the_value_for_every_pair_of_metrics() -> None:
    table = sample(60, 120, seed=5)
    names = ["recall@specificity>=0.9", "specificity@recall>=0.95", "precision@recall>=0.8", "recall@precision>=0.7",
             "f1@specificity>=0.9", "lr_plus@specificity>=0.8", "lift@recall>=0.5", "recall@f1>=0.6"]  # fmt: skip
    for name in names:
        found = [hs.estimate(table, name, level=level) for level in (0.5, 0.9, 0.99)]
        assert all(one.low <= one.value <= one.high for one in found), name
        assert all(a.low >= b.low and a.high <= b.high for a, b in pairwise(found)), name


def test_rows_that_tie_at_the_bound_leave_the_next_threshold_possible() -> None:
    """Three levels: the right threshold is the one that keeps more than the bound where the next does not keep it."""
    truth = np.repeat([0, 0, 0, 1, 1, 1], [70, 20, 10, 10, 20, 30])
    scores = np.repeat([0, 1, 2, 0, 1, 2], [70, 20, 10, 10, 20, 30]).astype(float)
    made = hs.estimate(hs.table(truth, scores=scores), "recall@specificity>=0.8")
    assert made.value == 0.5
    assert made.low <= binomial.mid_p(30, 30, tail=0.025)[0] + 1e-9
    assert made.high >= binomial.mid_p(30, 30, tail=0.025)[1] - 1e-9


def test_a_bound_that_does_not_bind_leaves_the_metrics_own_interval() -> None:
    """Marking every row keeps a precision of 0.3 where half of them are positive, and recall is 1 there."""
    made = hs.estimate(sample(200, 200, seed=2), "recall@precision>=0.3")
    assert (made.low, made.high) == pytest.approx(tuple(map(float, binomial.mid_p(200, 0, tail=0.025))), abs=1e-9)


def test_groups_and_weights_lengthen_it() -> None:
    held = sample(60, 120, seed=5).contents.scored(0)
    groups = np.arange(180) // 6
    plain = hs.estimate(hs.table(held.truth, scores=held.scores), "recall@specificity>=0.8")
    grouped = hs.estimate(hs.table(held.truth, scores=held.scores, groups=groups), "recall@specificity>=0.8")
    weights = np.exp(np.random.default_rng(0).standard_normal(180))
    weighted = hs.estimate(hs.table(held.truth, scores=held.scores, sample_weight=weights), "recall@specificity>=0.8")
    assert grouped.high - grouped.low > plain.high - plain.low
    assert weighted.high - weighted.low > plain.high - plain.low
