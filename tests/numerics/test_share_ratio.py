"""The score interval of a likelihood ratio: against statsmodels, Koopman's own example, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

import howsure as hs
from howsure.numerics.share_ratio import ratio_interval

Z95 = float(-ndtri(0.025))
TABLES = [(36, 4, 16, 64), (3, 9, 80, 15), (1, 30, 5, 6), (77, 10, 44, 702), (12, 1, 1, 40), (500, 3, 2, 9000)]


@pytest.mark.parametrize("counts", TABLES)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_against_statsmodels(counts: tuple[int, int, int, int], level: float) -> None:
    x, failures, y, base_failures = counts
    theirs = confint_proportions_2indep(
        x, x + failures, y, y + base_failures, method="score", compare="ratio", alpha=1 - level, correction=False
    )
    ours = ratio_interval(*counts, z=float(-ndtri((1 - level) / 2)))
    assert ours == pytest.approx(theirs, rel=1e-6)


def test_koopmans_example() -> None:
    """Koopman (1984), section 3: 36 of 40 against 16 of 80."""
    assert ratio_interval(36, 4, 16, 64, z=Z95) == pytest.approx((2.939, 7.152), abs=0.0006)


def test_swapping_the_shares_inverts_the_limits() -> None:
    for x, failures, y, base_failures in TABLES:
        low, high = ratio_interval(x, failures, y, base_failures, z=Z95)
        turned = ratio_interval(y, base_failures, x, failures, z=Z95)
        assert turned == pytest.approx((1 / high, 1 / low), rel=1e-12)


def test_empty_cells() -> None:
    assert ratio_interval(0, 12, 80, 15, z=Z95)[0] == 0.0
    assert ratio_interval(12, 0, 0, 15, z=Z95)[1] == np.inf
    low, high = ratio_interval(12, 0, 15, 0, z=Z95)
    assert low < 1 < high
    assert np.isnan(ratio_interval(0, 3, 0, 4, z=Z95)).all()
    assert np.isnan(ratio_interval(0, 0, 3, 4, z=Z95)).all()


def test_a_base_of_no_row_and_of_one() -> None:
    """Without a base there is no ratio. A base of one success is fitted as 1, which leaves Wilson's low limit."""
    assert np.isnan(ratio_interval(3, 2, 0, 0, z=Z95)).all()
    low, high = ratio_interval(3, 2, 1, 0, z=Z95)
    assert low == pytest.approx(proportion_confint(3, 5, method="wilson")[0], rel=1e-9)
    theirs = confint_proportions_2indep(3, 5, 1, 1, method="score", compare="ratio", correction=False)
    assert high == pytest.approx(theirs[1], rel=1e-6)


def test_many_at_once_are_each_alone() -> None:
    together = ratio_interval(*np.array(TABLES).T, z=Z95)
    alone = [ratio_interval(*counts, z=Z95) for counts in TABLES]
    np.testing.assert_array_equal(np.transpose(together), alone)


def test_a_likelihood_ratio_uses_its_own_rows() -> None:
    """LR+ is recall over 1 − specificity, LR− is 1 − recall over specificity; one class against the rest alike."""
    tp, fp, fn, tn = 77, 44, 10, 702
    t = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    for metric, counts in (("lr_plus", (tp, fn, fp, tn)), ("lr_minus", (fn, tp, tn, fp))):
        found = hs.estimate(t, metric)
        assert found.method == "koopman"
        assert (found.low, found.high) == pytest.approx(ratio_interval(*counts, z=Z95), rel=1e-12)


def test_groups_widen_it() -> None:
    rng = np.random.default_rng(5)
    patients = np.repeat(np.arange(40), 10)
    truth = rng.integers(0, 2, 40)[patients]
    said = np.where(rng.random(40)[patients] < 0.8, truth, 1 - truth)
    plain, grouped = (hs.estimate(hs.table(truth, said, groups=g), "lr_plus") for g in (None, patients))
    assert grouped.method == "koopman"
    assert grouped.high / grouped.low > 2 * plain.high / plain.low
