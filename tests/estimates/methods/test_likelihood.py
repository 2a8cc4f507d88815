"""Score and profile limits against the constrained likelihood of a general-purpose optimiser."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize
from statsmodels.stats.proportion import proportion_confint

import howsure as hs
from estimates.methods.tables import Z, limits


def constrained(cells: np.ndarray, a: float, b: float, tau: float) -> np.ndarray:
    """Return the likeliest shares with Tversky index tau, by a general-purpose optimiser."""
    contrast = np.array([1 - tau, -a * tau, -b * tau])
    found = optimize.minimize(
        lambda p: -np.sum(cells * np.log(p)),
        np.full(3, 1 / 3),
        jac=lambda p: -cells / p,
        bounds=[(1e-12, 1)] * 3,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(3)},
            {"type": "eq", "fun": lambda p: contrast @ p, "jac": lambda p: contrast},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return found.x


WEIGHTS = {"f1": (0.5, 0.5), "f0.5": (0.8, 0.2), "f2": (0.2, 0.8), "jaccard": (1, 1), "tversky(0.3,1.7)": (0.3, 1.7)}


@pytest.mark.parametrize("metric", WEIGHTS)
@pytest.mark.parametrize("cells", [(8, 2, 3), (20, 1, 9), (3, 6, 4)])
def test_limits_of_score_and_profile_sit_at_z(metric: str, cells: tuple[int, ...]) -> None:
    """Both statistics, from an optimiser that knows nothing of our roots, equal z at the limits."""
    (a, b), counted = WEIGHTS[metric], np.array(cells, dtype=float)
    table = hs.counts(tp=cells[0], fp=cells[1], fn=cells[2])
    n = counted.sum()
    for tau in limits(table, metric, "wilson"):
        shares, contrast = constrained(counted, a, b, tau), np.array([1 - tau, -a * tau, -b * tau])
        statistic = contrast @ counted / math.sqrt(n * (shares @ contrast**2))
        assert abs(statistic) == pytest.approx(Z, rel=2e-5)
    for tau in limits(table, metric, "profile"):
        shares = constrained(counted, a, b, tau)
        assert 2 * np.sum(counted * np.log(counted / n / shares)) == pytest.approx(Z**2, rel=2e-5)


def test_score_is_wilson_for_precision_recall_and_f1() -> None:
    for metric in ("precision", "recall", "f1"):
        for tp, fp, fn in ((77, 44, 10), (1, 3, 2), (9, 1, 0), (5, 0, 2)):
            share = {"precision": (tp, fp), "recall": (tp, fn), "f1": (tp, fp + fn)}[metric]
            low, high = proportion_confint(share[0], sum(share), 0.05, "wilson")
            if metric == "f1":
                low, high = 2 * low / (1 + low), 2 * high / (1 + high)
            assert limits(hs.counts(tp=tp, fp=fp, fn=fn), metric, "score") == pytest.approx((low, high), abs=1e-13)
