"""Distinct scores counted by sorting numbers alone: the same sums and variances as from the order of the rows."""

from dataclasses import replace

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.metrics.scoring import ScoreRows, counted_levels
from howsure.tables.covariance import linearise

SHAPES = {
    "probabilities": lambda rng, n: rng.random(n),
    "ties": lambda rng, n: np.round(rng.random(n), 1),
    "both signs": lambda rng, n: np.round(rng.normal(size=n), 2),
    "negative alone": lambda rng, n: -rng.exponential(size=n),
    "neighbours": lambda rng, n: np.nextafter(0.3, np.where(rng.random(n) < 0.5, 1.0, 0.0)),
    "ends of the doubles": lambda rng, n: rng.choice([0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, -np.inf], n),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_levels_are_those_of_unique(shape):
    rng = np.random.default_rng(11)
    scores, positive = SHAPES[shape](rng, 300), rng.random(300) < 0.4
    found = counted_levels(scores, positive)
    levels, place = np.unique(scores, return_inverse=True)
    np.testing.assert_array_equal(found.scores, levels)
    np.testing.assert_array_equal(found.positives, np.bincount(place, weights=positive))
    np.testing.assert_array_equal(found.negatives, np.bincount(place, weights=~positive))


@pytest.mark.parametrize("shape", list(SHAPES)[:4])
def test_sums_do_not_depend_on_the_way(shape):
    rng = np.random.default_rng(12)
    scores, truth = SHAPES[shape](rng, 200), (rng.random(200) < 0.4).astype(np.int8)
    plain, ordered = ScoreRows(truth, scores), ScoreRows(truth, scores)
    whole = ordered.sums(np.full(200, 2.0))  # not each row once: by the order of the rows
    for one, two in zip(plain.sums(np.ones(200)), whole, strict=True):
        np.testing.assert_array_equal(2 * one, two)
    np.testing.assert_array_equal(plain.levels, ordered.levels)


@pytest.mark.parametrize(
    "metric",
    [
        "auc",
        "average_precision",
        "f1@best",
        "mcc@best",
        "partial_auc[fpr<=0.3]",
        "partial_auc[tpr>=0.6]",
        "partial_auc[fpr<=1]",
    ],
)
@pytest.mark.parametrize("shape", list(SHAPES)[:3])
def test_variance_and_worth_over_levels_are_those_over_rows(metric, shape):
    rng = np.random.default_rng(13)
    scores, truth = SHAPES[shape](rng, 150), (rng.random(150) < 0.3).astype(int)
    table = hs.table(truth, scores=scores)
    one = linearise(table, named(metric), "model")
    again = replace(table, design=replace(table.design, counts=table.counts.copy()))
    rows = table.contents.covariance([one, one], table.design, [0, 0])  # two at once: row by row
    assert table.contents.covariance([one], table.design, [0])[0, 0] == pytest.approx(rows[0, 1], rel=1e-12)
    by_row = replace(one, details={}, scores=one.influence, design=again.design)
    for first, second in zip(table.contents.worth(one), table.contents.worth(by_row), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-12)


def test_the_band_of_independent_rows_is_that_of_equal_weights():
    rng = np.random.default_rng(14)
    truth = (rng.random(400) < 0.3).astype(int)
    scores = np.round(rng.random(400) + 0.4 * truth, 2)
    plain = hs.curve(hs.table(truth, scores=scores), "f1")
    each = hs.curve(hs.table(truth, scores=scores, groups=np.arange(400)), "recall")  # merged row by row
    one = hs.curve(hs.table(truth, scores=scores), "recall")
    assert plain.best.low < plain.best.value < plain.best.high
    assert each.q == pytest.approx(one.q, abs=1e-9)
