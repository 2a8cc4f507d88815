"""mover-gamma: against the formula written out class by class, edges, nesting, weights, groups, several labels."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import howsure as hs
from support.strategies import some

MATRIX = [[9, 1, 0, 2], [1, 14, 2, 0], [0, 3, 6, 1], [0, 0, 1, 20]]
NAMES = ("macro_f1", "balanced_accuracy", "macro_precision", "macro_f2", "macro_jaccard", "macro_f1_star")
WEIGHTS = {"macro_f1": (0.5, 0.5), "balanced_accuracy": (0, 1), "macro_precision": (1, 0), "macro_jaccard": (1, 1)}


def mid_p_limits(hits: int, errors: int, tail: float) -> tuple[float, float]:
    """Return the p with P(X > hits) + P(X = hits)/2 = tail, and with P(X < hits) + P(X = hits)/2, by bisection."""
    total = hits + errors

    def excess(p: float, beyond: Callable[[float], float]) -> float:
        return beyond(p) + float(stats.binom.pmf(hits, total, p)) / 2 - tail

    def root(beyond: Callable[[float], float]) -> float:
        return float(optimize.brentq(excess, 1e-12, 1 - 1e-12, args=(beyond,), xtol=1e-14))

    low = root(lambda p: float(stats.binom.sf(hits, total, p))) if hits else 0.0
    high = root(lambda p: float(stats.binom.cdf(hits - 1, total, p))) if errors else 1.0
    return low, high


def by_hand(matrix: list[list[int]], name: str, level: float) -> tuple[float, float]:
    """Return the limits by loops over classes and over the rows of the table with pseudo-counts, one at a time."""
    a, b = WEIGHTS[name]
    classes, tail = len(matrix), (1 - level) / 2
    table = np.array(matrix, dtype=float)

    def value(counts: np.ndarray, k: int) -> float:
        tp, fp, fn = counts[k, k], counts[:, k].sum() - counts[k, k], counts[k].sum() - counts[k, k]
        return tp / (tp + a * fp + b * fn)

    def gradients(counts: np.ndarray) -> np.ndarray:
        """Influence of a row of each cell on each class, by a difference to each side."""
        found = np.zeros((classes, classes, classes))
        for i in range(classes):
            for j in range(classes):
                step = np.zeros_like(counts)
                step[i, j] = 1e-4
                for k in range(classes):
                    found[k, i, j] = (value(counts + step, k) - value(counts - step, k)) / 2e-4
        return found

    smooth = table + 1.959963984540054**2 / (2 * classes**2)
    slopes = gradients(smooth)
    covariance = np.einsum("kij,lij,ij->kl", slopes, slopes, smooth)
    spread = np.sqrt(np.diagonal(covariance))
    correlation = covariance / np.outer(spread, spread)
    down, up, exact, sizes = [], [], [], []
    for k in range(classes):
        tp = int(table[k, k])
        errors = int((a > 0) * (table[:, k].sum() - tp) + (b > 0) * (table[k].sum() - tp))
        heavy, here = max(a, b), value(table, k)
        ends = *mid_p_limits(tp, errors, tail), float(stats.beta.isf(tail, tp + 1, errors)) if errors else 1.0
        low, high, surest = (share / (share + heavy * (1 - share)) for share in ends)
        down.append(here - low)
        up.append(high - here)
        exact.append(surest - here)
        share = (tp + 1) / (tp + errors + 2)
        slope = heavy / (share + heavy * (1 - share)) ** 2
        sizes.append(slope * math.sqrt(share * (1 - share) / (tp + errors + 2)))
    mean = np.mean([value(table, k) for k in range(classes)])
    variance = (table * (gradients(table).sum(0) / classes) ** 2).sum()
    fewest = stats.gamma.ppf(tail, (1 - mean) ** 2 / variance, scale=variance / (1 - mean))
    d, e, surest, spread = (
        math.sqrt(np.array(part) @ correlation @ np.array(part)) / classes for part in (down, up, exact, sizes)
    )
    rho = spread / np.mean(sizes)
    half, lean = (d + e) / 2, (d - e) / 2
    known = min(half**2, stats.norm.isf(tail) ** 2 * variance)
    reach = math.sqrt((1 + rho) / 2 * half**2 + (1 - rho) / 2 * known) + rho * lean
    above = max(half - rho * lean, rho * surest + (1 - rho) * e, 1 - fewest - mean)
    return float(mean - reach), float(min(mean + above, 1))


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_by_hand(name: str, level: float) -> None:
    """Slopes by differences, quantiles by scipy.stats and bisection: right to what differences allow."""
    found = hs.estimate(hs.matrix(MATRIX, rows="truth"), name, level=level)
    assert found.method == "mover-gamma"
    assert found.interval == pytest.approx(by_hand(MATRIX, name, level), abs=1e-6)


def test_one_class_of_a_mean_has_mid_p_below_and_clopper_pearson_above() -> None:
    """A mean over one class is that class; above, the larger of its exact limit and that of the gamma law."""
    table = hs.matrix(MATRIX, rows="truth", labels=list("abcd"))
    mean = hs.estimate(table, hs.macro("recall", classes=["b"]))
    single = hs.estimate(table, "recall[b]")
    exact = hs.estimate(table, "recall[b]", method="clopper-pearson")
    assert mean.low == pytest.approx(single.low, abs=1e-12)
    assert exact.high - 1e-12 <= mean.high <= 1


@pytest.mark.parametrize("name", NAMES)
def test_equal_weights_and_rows_one_by_one_change_nothing(name: str) -> None:
    """Asked class by class, as with weights, the counts are the same; with groups R has no pseudo-counts."""
    pairs = [(i, j) for i, row in enumerate(MATRIX) for j, n in enumerate(row) for _ in range(n)]
    truth, prediction = zip(*pairs, strict=True)
    plain = hs.estimate(hs.table(truth, prediction), name)
    alike = hs.estimate(hs.table(truth, prediction, sample_weight=[3.0] * len(truth)), name)
    groups = hs.estimate(hs.table(truth, prediction, groups=range(len(truth))), name)
    assert alike.interval == pytest.approx(plain.interval, abs=1e-9)
    assert groups.interval == pytest.approx(plain.interval, abs=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_few_groups_and_uneven_weights_make_it_longer(name: str) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 240)
    hard = np.repeat(rng.random(12) < 0.4, 20)
    prediction = np.where(rng.random(240) < np.where(hard, 0.45, 0.95), truth, (truth + 1) % 3)
    plain = hs.estimate(hs.table(truth, prediction), name)
    grouped = hs.estimate(hs.table(truth, prediction, groups=np.repeat(range(12), 20)), name)
    weighted = hs.estimate(hs.table(truth, prediction, sample_weight=np.where(np.arange(240) % 10, 1.0, 30.0)), name)
    length = plain.high - plain.low
    assert grouped.high - grouped.low > 1.3 * length
    assert weighted.high - weighted.low > 1.3 * length


@pytest.mark.parametrize("design", ["strata", "groups"])
def test_perfect_classes_are_not_independent(design: str) -> None:
    """With two classes the next error is one of both: the mean then falls as far as its classes do, on average."""
    truth, rows = np.repeat([0, 1], [60, 40]), np.arange(100)
    if design == "strata":
        table = hs.stratified(truth, truth, strata=rows % 2, shares={0: 0.6, 1: 0.4})
    else:
        table = hs.table(truth, truth, groups=rows // 5)
    fall = np.mean([1 - hs.estimate(table, f"f1[{label}]").low for label in (0, 1)])
    assert 1 - hs.estimate(table, "macro_f1").low == pytest.approx(fall, rel=0.02)


def test_several_labels_a_row() -> None:
    """Labels that are never confused: each F1 is a share of rows of its own, and their mean is joined from those."""
    rng = np.random.default_rng(1)
    truth = [[c for c in "abc" if rng.random() < 0.5] for _ in range(80)]
    guess = [[c for c in "abc" if (rng.random() < 0.85) == (c in row)] for row in truth]
    table = hs.table(truth, guess)
    found = hs.estimate(table, "macro_f1")
    parts = [hs.estimate(table, f"f1[{c}]") for c in "abc"]
    apart = math.sqrt(sum((one.high - one.low) ** 2 for one in parts)) / 3
    together = sum(one.high - one.low for one in parts) / 3
    assert found.method == "mover-gamma"
    assert 0.97 * apart <= found.high - found.low <= together + 1e-9


def test_a_class_that_is_nowhere() -> None:
    table = hs.table([0, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 1, 0], labels=[0, 1, 2])
    without = hs.table([0, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 1, 0])
    skipped = hs.estimate(table, "macro_f1", undefined="skip")
    assert skipped.interval == pytest.approx(hs.estimate(without, "macro_f1").interval, abs=1e-12)
    zero = hs.estimate(table, "macro_f1", undefined="zero")
    assert zero.value == pytest.approx(2 / 3 * skipped.value)
    assert zero.low == pytest.approx(2 / 3 * skipped.low, abs=0.03)
    assert zero.high > 2 / 3 * skipped.high  # the class that is counted as zero may have any F1
    assert math.isnan(hs.estimate(table, "macro_f1").low)


@some(20)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.floats(0.5, 0.999), st.floats(0.01, 0.99))
def test_in_range_nested_and_with_a_width(seed: int, classes: int, level: float, left: float) -> None:
    rng = np.random.default_rng(seed)
    tables = rng.poisson(rng.choice([0.3, 2.0, 30.0], (20, classes, classes)) + 9.0 * np.eye(classes)).astype(float)
    for name in NAMES:
        inner = hs.batch_intervals(name, matrices=tables, level=level)
        outer = hs.batch_intervals(name, matrices=tables, level=1 - (1 - level) * left)
        defined = ~np.isnan(inner.value)
        low, high, value = (part[defined] for part in (inner.low, inner.high, inner.value))
        assert inner.method == "mover-gamma"
        assert ((low >= 0) & (low <= value) & (value <= high) & (high <= 1) & (low < high)).all()
        assert (outer.low[defined] <= low + 1e-12).all()
        assert (outer.high[defined] >= high - 1e-12).all()


def test_one_table_and_many_agree() -> None:
    tables = np.array([MATRIX, np.array(MATRIX).T], dtype=float)
    for name in NAMES:
        many = hs.batch_intervals(name, matrices=tables)
        for k, table in enumerate(tables):
            one = hs.estimate(hs.matrix(table, rows="truth"), name)
            assert (one.low, one.high) == pytest.approx((many.low[k], many.high[k]), abs=1e-12)
