"""Many tables at once: shapes, undefined tables, refusals; and a level near one."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import howsure as hs
from howsure.evidence import Tail
from howsure.shares import SharePosterior
from methods.tables import limits


def test_batch_takes_any_shape_that_broadcasts() -> None:
    found = hs.batch_intervals("precision", tp=[[1], [2]], fp=[0, 1, 2], fn=0, method="wilson")
    assert found.low.shape == (2, 3)
    assert found.value[1, 2] == 0.5
    assert (found.low[1, 2], found.high[1, 2]) == pytest.approx(
        limits(hs.counts(tp=2, fp=2, fn=0), "precision", "wilson")
    )
    assert hs.batch_intervals("f1", tp=3, fp=1, fn=1).low.shape == ()


def test_batch_serves_a_prior_where_the_metric_is_a_share() -> None:
    found = hs.batch_intervals("f1", tp=[8, 3], fp=[2, 0], fn=[3, 0], method=hs.Bayes(prior=1.0, kind="hdi"))
    for place, law in enumerate((SharePosterior(9, 7, 0.5), SharePosterior(4, 2, 0.5))):
        assert (found.low[place], found.high[place]) == pytest.approx(law.interval(0.95, kind="hdi"), abs=1e-9)
    with pytest.raises(hs.InputError, match="one table at a time"):
        hs.batch_intervals("f2", tp=[8, 3], fp=[2, 0], fn=[3, 0], tn=1, method=hs.Bayes(prior=1.0))


def test_batch_of_undefined_tables_is_nan() -> None:
    found = hs.batch_intervals("f1", tp=[0, 1], fp=[0, 1], fn=[0, 1])
    assert np.isnan([found.value[0], found.low[0], found.high[0]]).all()
    assert np.isfinite([found.value[1], found.low[1], found.high[1]]).all()


def test_batch_of_nothing_is_nothing() -> None:
    assert hs.batch_intervals("f1", tp=[], fp=[], fn=[], method="wald").value.shape == (0,)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tp": 1, "fp": 1}, "tp, fp and fn are needed"),
        ({"tp": [1, 2], "fp": [1, 2, 3], "fn": 0}, "do not fit together: tp (2,), fp (3,)"),
        ({"tp": -1, "fp": 1, "fn": 0}, "tp holds the count -1"),
        ({"tp": 1, "fp": float("nan"), "fn": 0}, "fp holds the count nan"),
        ({"tp": 1, "fp": 1, "fn": 0, "matrices": [[1, 2], [3, 4]]}, "both given"),
        ({"matrices": [1, 2, 3]}, "last two axes must be equal"),
        ({"tp": 1, "fp": 1, "fn": 0, "method": "bootstrap"}, "one table at a time"),
    ],
)
def test_batch_refusals(given: dict[str, object], words: str) -> None:
    with pytest.raises(hs.InputError) as caught:
        hs.batch_intervals("f1", **given)
    assert words in str(caught.value)


def test_batch_needs_true_negatives_where_the_metric_does() -> None:
    for metric in ("specificity", "mcc", "accuracy"):
        with pytest.raises(hs.MetricError, match="needs the true negatives"):
            hs.batch_intervals(metric, tp=1, fp=1, fn=1)


def test_tail_keeps_its_digits_near_one() -> None:
    assert Tail(1 - 1e-9).z == pytest.approx(float(-mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(1e-9) - 1)), rel=1e-8)
