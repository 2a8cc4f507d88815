"""Methods for shares of rows, and for F1 through one: against statsmodels, SciPy and the definition."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import howsure as hs
from estimates.methods.tables import SMALL, TABLE, Z, limits

SHARES: dict[str, Callable[[float, float, float, float], tuple[float, float]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, fp),
    "recall": lambda tp, fp, fn, tn: (tp, fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp),
    "npv": lambda tp, fp, fn, tn: (tn, fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, fp + fn),
    "jaccard": lambda tp, fp, fn, tn: (tp, fp + fn),
    "prevalence": lambda tp, fp, fn, tn: (tp + fn, fp + tn),
}
COUNTS = [(8, 2, 3, 7), (77, 44, 10, 702), (0, 3, 4, 5), (5, 0, 0, 9), (1, 0, 1, 1)]
PROGRAM = {"wilson": "wilson", "clopper-pearson": "beta", "agresti-coull": "agresti_coull", "beta": "jeffreys"}


@pytest.mark.parametrize("cells", COUNTS)
@pytest.mark.parametrize("method", PROGRAM)
def test_binomial_methods_equal_statsmodels(method: str, cells: tuple[int, ...]) -> None:
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    for metric, pick in SHARES.items():
        if method == "beta" and metric in ("accuracy", "jaccard", "prevalence"):
            continue  # prior ½ per cell: not Jeffreys' for a pool of cells, see below
        success, failure = pick(*cells)
        for level in (0.8, 0.95, 0.999):
            low, high = proportion_confint(success, success + failure, 1 - level, PROGRAM[method])
            if method == "agresti-coull":  # statsmodels clips what it computes
                share = hs.estimate(table, metric, method=method, level=level)
                found = max(share.low, 0.0), min(share.high, 1.0)
            else:
                found = limits(table, metric, method, level)
            assert found == pytest.approx((low, high), abs=1e-12), metric


@pytest.mark.parametrize("cells", [*COUNTS, (40, 9, 9, 42), (10, 0, 3, 2)])
def test_overlap_has_the_larger_of_the_limits_of_precision_and_recall(cells: tuple[int, ...]) -> None:
    """tp / min(actual, predicted) is the larger of the two shares, and its limits are the larger of theirs."""
    tp, fp, fn, tn = cells
    found = limits(hs.counts(tp=tp, fp=fp, fn=fn, tn=tn), "overlap", "wilson")
    both = [proportion_confint(tp, tp + errors, 0.05, "wilson") for errors in (fp, fn)]
    assert found == pytest.approx(tuple(np.max(both, axis=0)), abs=1e-12)
    assert found == pytest.approx(limits(hs.counts(tp=tp, fp=fp, fn=fn), "overlap", "wilson"), abs=1e-12)


@pytest.mark.parametrize("cells", COUNTS)
def test_mid_p_solves_its_equations(cells: tuple[int, ...]) -> None:
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    for metric, pick in SHARES.items():
        success, failure = pick(*cells)
        total = success + failure
        low, high = limits(table, metric, "mid-p")
        if success:
            point = stats.binom.pmf(success, total, low)
            assert stats.binom.sf(success, total, low) + point / 2 == pytest.approx(0.025, rel=1e-9)
        else:
            assert low == 0
        if failure:
            point = stats.binom.pmf(success, total, high)
            assert stats.binom.cdf(success - 1, total, high) + point / 2 == pytest.approx(0.025, rel=1e-9)
        else:
            assert high == 1


def test_f1_goes_through_the_link_of_the_jaccard_share() -> None:
    for method in ("wilson", "clopper-pearson", "mid-p", "agresti-coull", "beta", "profile"):
        for table in (TABLE, SMALL, hs.counts(tp=0, fp=2, fn=1), hs.counts(tp=4, fp=0, fn=0)):
            share = np.array(limits(table, "jaccard", method))
            assert limits(table, "f1", method) == pytest.approx(tuple(2 * share / (1 + share)), abs=1e-13)


def halved(function: Callable[[mpmath.mpf], mpmath.mpf], outside: mpmath.mpf, inside: mpmath.mpf) -> mpmath.mpf:
    """Return the root between a point where the function is positive and one where it is negative."""
    for _ in range(170):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if function(middle) > 0 else (outside, middle)
    return middle


@pytest.mark.parametrize(
    ("tp", "errors"),
    [(77, 54), (1, 0), (0, 1), (1, 1), (2, 0), (10**6, 0), (10**12, 1), (3 * 10**14, 7 * 10**14)],
)
def test_wilson_direct_roots_with_fifty_digits(tp: int, errors: int) -> None:
    """Lam et al., eq. 37, where polynomial solvers in floating point lose the roots (errata L3, L4)."""
    with mpmath.workdps(50):
        f1, k = mpmath.mpf(2 * tp) / (2 * tp + errors), mpmath.mpf(Z) ** 2 / (tp + errors)

        def quartic(f: mpmath.mpf) -> mpmath.mpf:
            return k * f * (f - 1) * (f - 2) ** 2 + 2 * (f - f1) ** 2

        # F1 itself is a root where it is 0 or 1: start beside it, where the quartic is negative.
        beside = mpmath.mpf(10) ** -25
        low = 0 if tp == 0 else halved(quartic, mpmath.mpf(0), f1 - beside)
        high = 1 if errors == 0 else halved(quartic, mpmath.mpf(1), f1 + beside)
        length = float(high - low)
    found = limits(hs.counts(tp=tp, fp=errors, fn=0), "f1", "wilson-direct")
    # Against the length: a limit near 1 hides an error of the interval.
    assert found == pytest.approx((float(low), float(high)), rel=0, abs=3e-16 + 1e-9 * length)


@pytest.mark.parametrize("method", ["wald", "wilson", "clopper-pearson", "profile", "beta", "logit"])
def test_true_negatives_do_not_move_f1(method: str) -> None:
    counted, uncounted = TABLE, hs.counts(tp=77, fp=44, fn=10)
    assert limits(counted, "f1", method) == pytest.approx(limits(uncounted, "f1", method), rel=1e-12)
