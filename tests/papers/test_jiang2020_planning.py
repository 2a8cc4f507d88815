"""Jiang (2020), proposition 1 and corollary 2: V, the bound over all classifiers, and sample sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.largest_variance import largest_variance, tversky_variance, worst_case
from howsure.metrics.names import named

PRINTED = {0.5: 0.1549, 0.6: 0.1695, 0.7: 0.1861, 0.8: 0.2050, 0.9: 0.2262}


@pytest.mark.parametrize(("weight", "printed"), PRINTED.items())
def test_table_of_v(weight: float, printed: float) -> None:
    assert round(largest_variance(weight), 4) == printed


@pytest.mark.parametrize("weight", [1e-12, 0.3, 0.5, 0.8, 1.0, 1.0000001, 1.7, 25.0])
def test_v_is_the_maximum_at_every_weight(weight: float) -> None:
    """Erratum J2: one formula, also at 1 (where it is a quarter) and above."""
    tau = np.linspace(0, 1, 200_001)
    assert largest_variance(weight) == pytest.approx((tau * (1 - tau) * (1 - (1 - weight) * tau) ** 2).max(), rel=1e-8)


def test_no_weight_is_no_index() -> None:
    """With a = b = 0 the index is tp/tp, which does not vary."""
    with pytest.raises(hs.InputError, match="a number above 0"):
        largest_variance(0.0)


def test_v_at_one_is_a_quarter() -> None:
    assert largest_variance(1.0) == 0.25


def test_sample_sizes_of_section_2_3() -> None:
    """10 250 positives and 16 667 rows with V = 0.2050 and δ = 0.01, as printed; 16 004 without rounding (J4)."""
    assert math.ceil(round(0.2050 / (0.01**2 * 0.2), 6)) == 10250
    assert math.ceil(0.2050 / (0.01**2 * 0.2 * 0.615)) == 16667
    rounded = hs.plan("f0.5", se=0.01, prevalence=0.615)
    assert rounded.n == 16665  # V = 0.204970…
    assert hs.plan("f0.5", se=0.01).positives == 10249
    assert hs.plan("f0.5", half_width=0.02, level=0.95, prevalence=0.615).n == 16004


def test_prevalence_predicted_or_both() -> None:
    """Erratum J5: the larger of b·EZ and a·EA; for the orange juice 4 116 by a·EA and 1 411 as observed."""
    v = 0.20497022552948
    only_z, only_a = 0.2 * 0.615, 0.8 * 0.6
    assert largest_variance(0.8) == pytest.approx(v, rel=1e-9)
    sizes = [
        hs.plan(hs.tversky(0.8, 0.2), se=0.01, **known).n
        for known in ({"prevalence": 0.615}, {"predicted": 0.6}, {"prevalence": 0.615, "predicted": 0.6})
    ]
    assert sizes == [math.ceil(v / 1e-4 / base) for base in (only_z, only_a, max(only_z, only_a))]
    assert hs.plan("f0.5", se=0.01, prevalence=0.615, predicted=333 / 535).n == 4117  # 4 116.3
    assert hs.plan("f0.5", se=0.01, pilot=hs.counts(tp=286, fp=47, fn=43, tn=159)).n == 1411


def random_populations(size: int, seed: int) -> tuple[np.ndarray, ...]:
    """Return tp, fp, fn shares, many of them near an edge, and weights a, b from 0.01 to 100."""
    random = np.random.default_rng(seed)
    cells = random.gamma(random.choice([0.1, 0.5, 1.0, 5.0], (size, 1)), size=(size, 4)) + 1e-12
    tp, fp, fn, _ = (cells / cells.sum(1, keepdims=True)).T
    a, b = np.exp(random.uniform(np.log(0.01), np.log(100), (2, size)))
    return tp, fp, fn, a, b


def test_the_bound_holds_for_a_hundred_thousand_populations() -> None:
    """ν ≤ V(max(a, b)) / max(a·EA, b·EZ)."""
    tp, fp, fn, a, b = random_populations(100_000, 1)
    bound = np.array([largest_variance(m) for m in np.maximum(a, b)]) / np.maximum(a * (tp + fp), b * (tp + fn))
    assert (tversky_variance(a, b, tp, fp, fn) <= bound * (1 + 1e-9)).all()
    # and it is not idle: some population comes within a few per cent of it
    assert (tversky_variance(a, b, tp, fp, fn) / bound).max() > 0.95


def test_the_formula_is_the_variance_of_the_engine() -> None:
    for tp, fp, fn, a, b in zip(*random_populations(30, 2), strict=True):
        shares = 1000 * np.array([[1 - tp - fp - fn, fp], [fn, tp]])
        found = hs.estimate(
            hs.matrix(np.maximum(shares, 0), rows="truth", pos_label=1), hs.tversky(a, b), method="wald"
        )
        assert tversky_variance(a, b, tp, fp, fn) == pytest.approx(1000 * found.se**2, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("metric", ["f1", "f0.5", "f2", "jaccard", "tversky(0.8,0.2)", "tversky(3,0.5)"])
@pytest.mark.parametrize("known", [(0.3, None), (None, 0.2), (0.3, 0.2), (0.001, None), (0.99, None)])
def test_the_sharp_bound_is_between_what_is_seen_and_the_papers(metric: str, known: tuple[float | None, ...]) -> None:
    prevalence, predicted = known
    loose, sharp = (
        worst_case(named(metric), prevalence=prevalence, predicted=predicted, bound=bound).variance
        for bound in ("jiang", "sharp")
    )
    random = np.random.default_rng(5)
    z = np.full(100_000, prevalence) if prevalence else predicted * random.uniform(size=100_000)
    if prevalence and predicted:
        tp = np.minimum(prevalence, predicted) * random.uniform(size=100_000)
        fp, fn = predicted - tp, prevalence - tp
    elif prevalence:
        tp = z * random.uniform(size=100_000)
        fp, fn = (1 - z) * random.uniform(size=100_000) ** 6, z - tp
    else:
        tp = predicted * random.uniform(size=100_000)
        fp, fn = predicted - tp, (1 - predicted) * random.uniform(size=100_000) ** 3
    seen = tversky_variance(*named(metric).tversky, tp, fp, fn).max()
    assert seen <= sharp * (1 + 1e-9)
    assert sharp <= loose * (1 + 1e-9)
    assert seen > 0.98 * sharp


def test_the_sharp_bound_saves_four_rows_in_ten_of_the_papers_example() -> None:
    sharp = hs.plan("f0.5", half_width=0.02, prevalence=0.615, bound="sharp")
    assert sharp.n == pytest.approx(0.5925 * 16004, rel=1e-3)
    assert any("59.3% of these rows" in note for note in map(str, hs.plan("f0.5", se=0.01, prevalence=0.615).notes))


def test_precision_and_recall_are_binomial() -> None:
    """Erratum J8: outside the proposition; a quarter over the rows that count."""
    assert hs.plan("recall", se=0.05, prevalence=0.1).n == 1000
    assert hs.plan("precision", se=0.05, predicted=0.2).n == 500
    assert hs.plan("recall", se=0.05).positives == 100
    assert hs.plan("accuracy", se=0.05).n == 100
    assert hs.plan("specificity", se=0.05, prevalence=0.75).n == 400
    assert hs.plan("npv", se=0.05, predicted=0.75).n == 400
