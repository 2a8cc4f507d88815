"""The bootstrap against the binomial, SciPy and brute force; its seed, its error, and where it has no width."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from estimates.methods.tables import TABLE, limits
from howsure.estimates.methods.bootstrap import bootstrap_values
from howsure.metrics.names import named
from howsure.tables.covariance import linearise


def test_percentile_limits_are_quantiles_of_the_binomial() -> None:
    """Resampling rows makes the number of right rows Binomial(n, accuracy): the limits are its quantiles."""
    table = hs.counts(tp=30, fp=11, fn=9, tn=50)
    low, high = limits(table, "accuracy", hs.Bootstrap(n_resamples=40_000, kind="percentile"))
    expected = stats.binom.ppf([0.025, 0.975], 100, 0.8) / 100
    assert (low, high) == pytest.approx(tuple(expected), abs=0.0101)
    basic = limits(table, "accuracy", hs.Bootstrap(n_resamples=40_000, kind="basic"))
    assert basic == pytest.approx((1.6 - high, 1.6 - low), abs=1e-12)


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_bootstrap_of_counts_agrees_with_scipy_on_rows(kind: str) -> None:
    truth = np.repeat([1, 0, 1, 0], [30, 8, 12, 50])
    guess = np.repeat([1, 1, 0, 0], [30, 8, 12, 50])

    def f1(z: np.ndarray, a: np.ndarray, axis: int = -1) -> np.ndarray:
        return 2 * (z * a).sum(axis) / (z.sum(axis) + a.sum(axis))

    method = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}[kind]
    other = stats.bootstrap(
        (truth, guess), f1, paired=True, vectorized=True, n_resamples=9999, method=method,
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    found = hs.estimate(hs.table(truth, guess), "f1", method=hs.Bootstrap(kind=kind))
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=5 * found.error)


def grouped_table(seed: int = 0) -> tuple[hs.Table, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(12), rng.integers(2, 9, 12))
    truth = rng.integers(0, 3, len(groups))
    guess = np.where(rng.random(len(groups)) < 0.6, truth, rng.integers(0, 3, len(groups)))
    return hs.table(truth, guess, groups=groups), truth, guess, groups


@pytest.mark.parametrize("metric", ["macro_f1", "accuracy", "mcc", "f1[2]"])
def test_studentised_bootstrap_of_groups_against_brute_force(metric: str) -> None:
    """Every resample as a table of its own: drawn groups become new groups, value and standard error from there."""
    table, truth, guess, groups = grouped_table()
    options = hs.Bootstrap(n_resamples=100, kind="studentised", seed=3)
    linear = linearise(table, named(metric))
    values, errors = np.concatenate(list(bootstrap_values(linear, options, with_se=True)), axis=-1)
    drawn = np.random.default_rng(3).multinomial(12, np.full(12, 1 / 12), size=100)
    labels = np.unique(groups)
    for row, value, error in zip(drawn, values, errors, strict=True):
        parts = [np.flatnonzero(groups == labels[g]) for g in np.repeat(np.arange(12), row)]
        again = hs.table(
            truth[np.concatenate(parts)], guess[np.concatenate(parts)], labels=[0, 1, 2],
            groups=np.repeat(np.arange(12), [len(part) for part in parts]),
        )  # fmt: skip
        brute = linearise(again, named(metric))
        assert value == pytest.approx(brute.value, rel=1e-10, nan_ok=True)
        if not math.isnan(value):
            assert error == pytest.approx(math.sqrt(brute.as_textbook().variance), rel=1e-9)


def test_studentised_limits_from_their_pivots() -> None:
    """Limits on the logit scale: h(M) − quantile of (h(M*) − h(M))/(se* h'(M*)) times se h'(M)."""
    table, *_ = grouped_table(1)
    options = hs.Bootstrap(n_resamples=2000, kind="studentised")
    linear = linearise(table, named("macro_f1"))
    values, errors = np.concatenate(list(bootstrap_values(linear, options, with_se=True)), axis=-1)

    def logit(x: float) -> float:
        return np.log(x / (1 - x))

    pivots = (logit(values) - logit(linear.value)) * values * (1 - values) / errors
    width = math.sqrt(linear.as_textbook().variance) / (linear.value * (1 - linear.value))
    ends = logit(linear.value) - np.quantile(pivots[np.isfinite(pivots)], [0.975, 0.025]) * width
    assert limits(table, "macro_f1", options) == pytest.approx(tuple(1 / (1 + np.exp(-ends))), rel=1e-9)


@pytest.mark.parametrize("cells", [(9, 0, 0, 9), (0, 3, 4, 9)])
def test_studentised_bootstrap_where_its_scale_is_infinite(cells: tuple[int, ...]) -> None:
    """A perfect or a hopeless score has no pivot: no limits, rather than wrong ones."""
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    assert np.isnan(limits(table, "f1", hs.Bootstrap(n_resamples=200, kind="studentised"))).all()


def test_bootstrap_is_repeatable_and_carries_its_error_and_seed() -> None:
    first, again = (hs.estimate(TABLE, "mcc", method=hs.Bootstrap(n_resamples=500, seed=7)) for _ in range(2))
    other = hs.estimate(TABLE, "mcc", method=hs.Bootstrap(n_resamples=500, seed=8))
    assert (first.low, first.high, first.seed) == (again.low, again.high, 7)
    assert first.low != other.low
    assert first.error > 0


def test_bootstrap_error_is_the_spread_over_seeds() -> None:
    runs = [
        hs.estimate(TABLE, "f1", method=hs.Bootstrap(n_resamples=1000, kind="percentile", seed=s)) for s in range(60)
    ]
    spread = max(np.std([run.low for run in runs]), np.std([run.high for run in runs]))
    assert np.mean([run.error for run in runs]) == pytest.approx(spread, rel=0.4)


def test_bootstrap_of_a_perfect_table_says_that_it_has_no_width() -> None:
    found = hs.estimate(hs.counts(tp=9, fp=0, fn=0, tn=9), "f1", method="bootstrap")
    assert found.low == found.high == 1
    assert "degenerate" in {note.kind for note in found.notes}
