"""Ranks over tasks: signed ranks and Friedman's test against scipy, the critical difference against Demšar's table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.numerics.pooling.ranks import critical_difference, friedman_test, signed_rank


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tasks", [5, 9, 20])
def test_signed_ranks_without_ties(tasks: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(0.4, 1, tasks)
    found = signed_rank(values)
    assert found.exact
    for p, side in ((found.at_least, "greater"), (found.at_most, "less")):
        assert p == pytest.approx(stats.wilcoxon(values, alternative=side, method="exact").pvalue, rel=1e-12)


@pytest.mark.parametrize("values", [[1, 1, -2, 3, 3, 3, -1], [0, 0, 1, -1, 2, 2], [0.5, 0.5, 0.5, 0.5]])
def test_ties_are_counted_over_all_signs(values: list[float]) -> None:
    """Every sign of the shared ranks, one by one."""
    kept = np.array([one for one in values if one != 0], dtype=float)
    ranks = stats.rankdata(np.abs(kept))
    sums = [ranks[np.array(signs, dtype=bool)].sum() for signs in np.ndindex(*(2,) * len(kept))]
    seen, found = ranks[kept > 0].sum(), signed_rank(np.array(values, dtype=float))
    assert found.positive == seen
    assert found.at_least == pytest.approx(np.mean(np.array(sums) >= seen - 1e-9))
    assert found.at_most == pytest.approx(np.mean(np.array(sums) <= seen + 1e-9))


def test_many_tasks_by_the_normal_law() -> None:
    values = np.random.default_rng(1).normal(0.1, 1, 80)
    theirs = stats.wilcoxon(values, alternative="greater", method="asymptotic", correction=False).pvalue
    assert signed_rank(values).at_least == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("rounded", [False, True])
def test_friedman_is_that_of_scipy(rounded: bool) -> None:
    values = np.random.default_rng(4).normal(size=(11, 5)) + np.arange(5) * 0.3
    values = np.round(values) if rounded else values
    found, theirs = friedman_test(values), stats.friedmanchisquare(*values.T)
    assert (found.chi_squared, found.p_chi_squared) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    f = 10 * theirs.statistic / (11 * 4 - theirs.statistic)
    assert (found.f, found.p_value) == pytest.approx((f, stats.f.sf(f, 4, 40)), rel=1e-9)
    assert found.ranks == pytest.approx(np.mean([stats.rankdata(-row) for row in values], axis=0))


def test_the_example_of_demsar() -> None:
    """Demšar (2006), section 3.2.2: four models, 14 data sets, mean ranks 3.143, 2.000, 2.893, 1.964."""
    assert critical_difference(4, 14, 0.95) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.90) == pytest.approx(1.12, abs=0.005)
