"""Many tables at once: shapes, undefined tables, refusals; and a level near one."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import howsure as hs
from estimates.methods.tables import limits
from howsure.estimates.catalogue import interval, named_method
from howsure.estimates.evidence import evidence_of_counts
from howsure.estimates.tail import Tail
from howsure.metrics import gradient as influence
from howsure.metrics.names import named
from howsure.numerics.share_posterior import SharePosterior


def test_batch_takes_any_shape_that_broadcasts() -> None:
    found = hs.batch_intervals("precision", tp=[[1], [2]], fp=[0, 1, 2], fn=0, method="wilson")
    assert found.low.shape == (2, 3)
    assert found.value[1, 2] == 0.5
    assert (found.low[1, 2], found.high[1, 2]) == pytest.approx(
        limits(hs.counts(tp=2, fp=2, fn=0), "precision", "wilson")
    )
    assert hs.batch_intervals("f1", tp=3, fp=1, fn=1).low.shape == ()


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (2, 1, 3)])
@pytest.mark.parametrize("block", [1, 60, 10**6])
def test_a_ratio_of_two_costs_has_its_textbook_variance(
    shape: tuple[int, ...], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R = Σap / Σbp: the influence of a cell is (a − Rb) / Σbp, whatever the axes of a batch and its blocks."""
    monkeypatch.setattr(influence, "BLOCK", block)
    a, b = np.array([[0, 2, 5], [1, 0, 3], [7, 1, 0]]), np.array([[1, 1, 2], [1, 3, 1], [2, 1, 1]])
    counts = np.random.default_rng(3).integers(1, 30, (*shape, 3, 3)).astype(float)
    metric = hs.Metric(
        "ratio", lambda c: (c.matrix * a).sum((-2, -1)) / (c.matrix * b).sum((-2, -1)), over="matrix", range=(0, 7)
    )
    found = influence.moments(metric, counts)
    n = counts.sum((-2, -1))
    shares = counts / n[..., None, None]
    below = (shares * b).sum((-2, -1))
    ratio = (shares * a).sum((-2, -1)) / below
    moved = (a - ratio[..., None, None] * b) / below[..., None, None]
    assert found.value == pytest.approx(ratio, rel=1e-12)
    assert found.influence == pytest.approx(moved, rel=1e-9, abs=1e-12)
    assert found.variance == pytest.approx((shares * moved**2).sum((-2, -1)) / n, rel=1e-9)


def test_a_formula_of_the_matrix_may_use_the_cells_of_classes_too() -> None:
    """A sum of tp, fp, fn and tn with weights is a sum over cells: the slope of a cell is what it adds to each."""
    weights = np.array([[1.0, 2, 4], [3, 5, 7], [11, 13, 17], [19, 23, 29]])
    metric = hs.Metric(
        "sum",
        lambda c: sum(cell @ weight for cell, weight in zip((c.tp, c.fp, c.fn, c.tn), weights, strict=True)),
        over="matrix",
        range=(0, 100),
    )
    slopes = np.zeros((3, 3))
    for truth, said, label in np.ndindex(3, 3, 3):
        slopes[truth, said] += weights[
            (0 if said == truth else 2) if truth == label else 1 if said == label else 3, label
        ]
    counts = np.random.default_rng(5).integers(1, 30, (2, 4, 3, 3))
    found = influence.moments(metric, counts)
    shares = counts / counts.sum((-2, -1), keepdims=True)
    assert found.value == pytest.approx((shares * slopes).sum((-2, -1)), rel=1e-12)
    assert found.influence == pytest.approx(slopes - found.value[..., None, None], rel=1e-9)


@pytest.mark.parametrize("name", ["macro_f1", "mcc"])
def test_blocks_of_a_batch_are_joined_in_order(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(4).integers(1, 30, (7, 2, 3, 3)).astype(float)
    whole = influence.moments(named(name), counts)
    monkeypatch.setattr(influence, "BLOCK", 2 * 4 * 9)
    parts = influence.moments(named(name), counts)
    for part in ("value", "variance", "influence", "n"):
        np.testing.assert_array_equal(getattr(parts, part), getattr(whole, part))
    np.testing.assert_array_equal(parts.cells.fp, whole.cells.fp)


def test_batch_serves_a_prior_where_the_metric_is_a_share() -> None:
    found = hs.batch_intervals("f1", tp=[8, 3], fp=[2, 0], fn=[3, 0], method=hs.Bayes(prior=1.0, kind="hdi"))
    for place, law in enumerate((SharePosterior(9, 7, 0.5), SharePosterior(4, 2, 0.5))):
        assert (found.low[place], found.high[place]) == pytest.approx(law.interval(0.95, kind="hdi"), abs=1e-9)
    with pytest.raises(hs.InputError, match="one table at a time"):
        hs.batch_intervals("f2", tp=[8, 3], fp=[2, 0], fn=[3, 0], tn=1, method=hs.Bayes(prior=1.0))


@pytest.mark.parametrize("method", ["wilson", "wilson-direct", "mid-p", "clopper-pearson"])
def test_a_method_of_counts_finds_no_variance(method: str) -> None:
    """Slopes and variances of a million tables cost twice what Wilson's limits do."""
    cells = (np.array([float(cell), cell + 3.0]) for cell in (77, 44, 10, 702))
    evidence = evidence_of_counts(named("f1"), *cells)
    found = interval(evidence, named_method(method), Tail(0.95))
    assert (found.low < evidence.value).all()
    assert {"variance", "slopes"} & set(vars(evidence)) == set()


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
