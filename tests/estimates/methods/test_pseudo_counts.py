"""smoothed-t: degrees of freedom against brute force, range, and coverage on populations not used to make it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

import howsure as hs
from howsure.estimates.evidence import Evidence, evidence_of, evidence_of_matrices
from howsure.estimates.methods.limits import _smoothed_t, smoothed_t
from howsure.estimates.methods.pseudo_counts import smoothed_moments_and_degrees
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.names import named
from howsure.tables.covariance import linearise

Z = float(-ndtri(0.025))
METRICS = ("macro_f1", "macro_f1_star", "macro_precision", "weighted_f1", "balanced_accuracy", "mcc", "kappa")


def scaled_variance(name: str, shares: np.ndarray) -> float:
    """n times the variance, from the engine's own first derivatives only."""
    made = moments(named(name), shares)
    return float(made.variance * made.n)


def brute_degrees(name: str, table: np.ndarray) -> float:
    """2 V² / Var(V̂), the slope of V in each cell by a plain central difference."""
    n = table.sum()
    shares = table / n
    slopes = np.zeros(shares.size)
    step = 1e-6
    for cell in range(shares.size):
        up, down = shares.ravel().copy(), shares.ravel().copy()
        up[cell] += step
        down[cell] -= step
        sides = [scaled_variance(name, side.reshape(shares.shape) / side.sum()) for side in (up, down)]
        slopes[cell] = (sides[0] - sides[1]) / (2 * step)
    weights = shares.ravel()
    spread = weights @ (slopes - weights @ slopes) ** 2 / n
    return float(2 * scaled_variance(name, shares) ** 2 / spread)


def smoothed_table(evidence: Evidence) -> np.ndarray:
    """Return the table with pseudo-counts."""
    return evidence.smoothed(Z).weights.reshape(np.shape(evidence.matrix))


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_degrees_of_freedom_agree_with_central_differences(name: str, classes: int) -> None:
    rng = np.random.default_rng(classes)
    matrix = (rng.poisson(3, (classes, classes)) + 12 * np.eye(classes)).astype(float)
    evidence = evidence_of_matrices(named(name), matrix)
    assert float(smoothed_moments_and_degrees(evidence, Z)[2]) == pytest.approx(
        brute_degrees(name, smoothed_table(evidence)), rel=1e-4
    )


def test_pseudo_counts_sum_to_half_z_squared_and_leave_a_skipped_class_empty() -> None:
    matrix = np.array([[30.0, 2, 0], [3, 20, 0], [0, 0, 0]])
    every = smoothed_table(evidence_of_matrices(named("macro_f1"), matrix))
    assert (every - matrix).sum() == pytest.approx(Z * Z / 2)
    some = smoothed_table(evidence_of_matrices(named("macro_f1"), matrix, undefined="skip"))
    assert (some - matrix).sum() == pytest.approx(Z * Z / 2)
    assert not some[2].any()
    assert not some[:, 2].any()


def test_a_skipped_class_changes_nothing() -> None:
    three = hs.matrix([[38, 2, 0], [1, 39, 0], [0, 0, 0]], rows="truth")
    two = hs.matrix([[38, 2], [1, 39]], rows="truth")
    found = hs.estimate(three, "macro_f1", undefined="skip")
    assert found.interval == pytest.approx(hs.estimate(two, "macro_f1").interval, rel=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_it_stays_in_range_and_holds_the_estimate(name: str) -> None:
    rng = np.random.default_rng(1)
    metric = named(name)
    for _ in range(60):
        matrix = rng.poisson(rng.choice([0.3, 2.0]), (3, 3)) + np.diag(rng.integers(1, 20, 3))
        found = hs.estimate(hs.matrix(matrix, rows="truth"), name, method="smoothed-t")
        assert metric.range[0] <= found.low <= found.value <= found.high <= metric.range[1]
        assert found.low < found.high


def test_a_perfect_score_is_no_certainty() -> None:
    found = hs.estimate(hs.matrix(np.diag([10, 12, 8]), rows="truth"), "weighted_f1")
    assert found.method == "smoothed-t"
    assert found.high == 1
    assert 0.3 < found.low < 0.95


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("n", [30, 300, 30_000])
def test_a_perfect_score_keeps_its_worth_at_high_levels(name: str, n: int) -> None:
    """With no error seen, the errors that a level allows grow as its z² (Wilson's n / (n + z²)), not as t's tail."""
    table = hs.matrix(np.diag([n // 2, n // 2]), rows="truth")
    bottom = named(name).range[0]
    usual = 1 - hs.estimate(table, name, method="smoothed-t").low
    for level in (0.99, 0.999, 1 - 1e-6):
        growth = (float(ndtri((1 - level) / 2)) / Z) ** 2
        low = hs.estimate(table, name, method="smoothed-t", level=level).low
        assert low >= max(1 - growth * usual, bottom) - 1e-12
        assert low < 1 - usual


def test_an_ordinary_score_has_the_quantiles_of_t_at_high_levels() -> None:
    """Where a thousand rows of every kind were seen, a limit moves with z on the scale of the range."""
    table = hs.matrix([[9000, 1000], [1200, 8800]], rows="truth")
    made = hs.estimate(table, "macro_f1", method="smoothed-t", level=0.999)
    scale = [math.log(end / (1 - end)) for end in (made.low, made.value, made.high)]
    error = made.se / (made.value * (1 - made.value))
    assert scale[2] - scale[1] == pytest.approx(-float(ndtri(0.0005)) * error, rel=0.01)
    assert scale[1] - scale[0] == pytest.approx(-float(ndtri(0.0005)) * error, rel=0.01)


def test_a_limit_that_grows_with_z_squared_covers_as_well_as_t() -> None:
    """Two excellent populations, 20,000 samples of 100 rows: no sample's interval loses the truth by the bound."""
    metric, tail = named("macro_f1"), Tail(0.999)
    for shares in ([[0.49, 0.01], [0.015, 0.485]], [[0.04, 0.002, 0.001], [0.01, 0.3, 0.01], [0, 0.007, 0.63]]):
        truth = float(moments(metric, np.array(shares)).value)
        drawn = np.random.default_rng(12).multinomial(100, np.ravel(shares), size=20_000)
        evidence = evidence_of_matrices(metric, drawn.reshape(-1, *np.shape(shares)).astype(float), undefined="zero")
        bounded = smoothed_t(evidence, tail)
        whole = _smoothed_t(evidence, smoothed_moments_and_degrees(evidence, Z), tail)
        held = [((low <= truth) & (truth <= high)).mean() for low, high in ((bounded.low, bounded.high), whole)]
        assert held[0] >= held[1] - 1e-4
        assert (bounded.high - bounded.low).mean() < 0.95 * (whole[1] - whole[0]).mean()


@pytest.mark.parametrize("name", ["macro_f1", "mcc"])
def test_coverage_in_takahashis_first_scenario(name: str) -> None:
    """Simulated with 4 000 tables: 0.95 within four standard errors below and the method's caution above."""
    shares = (np.eye(3) * 7 + 1) / 30
    rows = hs.study(name, ["smoothed-t"], shares, n=[25, 50, 100], replicates=4000)
    for row in rows:
        assert 0.935 <= row.coverage <= 0.985
        assert row.overshoot == 0
        assert row.degenerate == 0


# --- rows that hold several labels ------------------------------------------------------------------------------------


def labelled(rows: int = 90, labels: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return indicators of truth and prediction, labels of one row hanging together."""
    rng = np.random.default_rng(labels)
    truth = (rng.random((rows, labels)) < rng.uniform(0.05, 0.9, (rows, 1))).astype(int)
    return truth, np.where(rng.random((rows, labels)) < 0.15, 1 - truth, truth)


def several(name: str, truth: np.ndarray, guess: np.ndarray, **options: object) -> Evidence:
    return evidence_of(linearise(hs.table(truth, guess), named(name), **options))


@pytest.mark.parametrize("name", ["mcc", "g_mean", "balanced_accuracy"])
def test_one_label_is_smoothed_as_a_table_of_two_classes(name: str) -> None:
    truth, guess = labelled()
    both = np.zeros((2, 2))
    np.add.at(both, (truth[:, 1], guess[:, 1]), 1)
    expected = smoothed_moments_and_degrees(evidence_of_matrices(named(f"{name}[1]"), both, selection=1), Z)
    found = smoothed_moments_and_degrees(several(f"{name}[1]", truth, guess), Z)
    assert np.asarray(found, dtype=float) == pytest.approx(np.asarray(expected, dtype=float), rel=1e-6)


def by_hand(name: str, actual: np.ndarray, predicted: np.ndarray, weight: np.ndarray) -> float:
    """Macro or weighted F1 or recall from weighted indicators, without the package."""
    tp, true, called = (weight @ part for part in (actual * predicted, actual, predicted))
    each = tp / true if name.endswith("recall") else 2 * tp / (true + called)
    return float(each.mean() if name.startswith("macro") else each @ true / true.sum())


def slopes(function: object, weight: np.ndarray, step: float) -> np.ndarray:
    """Slope of a function of shares in the share of each row, by central differences, centred."""
    made = np.array([
        (function(weight + step * unit) - function(weight - step * unit)) / (2 * step) for unit in np.eye(len(weight))
    ])  # fmt: skip
    return made - weight @ made


@pytest.mark.parametrize("name", ["macro_f1", "macro_recall", "weighted_f1"])
def test_value_error_and_degrees_of_several_labels_agree_with_differences_by_hand(name: str) -> None:
    truth, guess = labelled(rows=25)
    unit, none, labels = np.eye(3), np.zeros((3, 3)), 3
    actual = np.concatenate([truth, unit, none, unit, none])
    predicted = np.concatenate([guess, unit, unit, none, none])
    weight = np.concatenate([np.ones(25), np.full(12, Z * Z / 8 / np.sqrt(labels))])
    n, shares = weight.sum(), weight / weight.sum()

    def variance(share: np.ndarray) -> float:
        share = share / share.sum()
        return float(share @ slopes(lambda w: by_hand(name, actual, predicted, w), share, 1e-5) ** 2)

    spread = shares @ slopes(variance, shares, 1e-4) ** 2 / n
    value, error, degrees = smoothed_moments_and_degrees(several(name, truth, guess), Z)
    assert float(value) == pytest.approx(by_hand(name, actual, predicted, weight), rel=1e-12)
    assert float(error) == pytest.approx(np.sqrt(variance(shares) / n), rel=1e-6)
    assert float(degrees) == pytest.approx(2 * variance(shares) ** 2 / spread, rel=1e-3)


def test_labels_out_of_view_and_skipped_ones_get_no_pseudo_counts() -> None:
    truth, guess = labelled(labels=4)
    added = several("macro_f1[0,2]", truth, guess).smoothed(Z).weights[-8:]
    assert added == pytest.approx(np.full(8, Z * Z / 8 / np.sqrt(2)))
    truth[:, 3] = guess[:, 3] = 0
    skipping = several("macro_f1", truth, guess, undefined="skip")
    assert skipping.smoothed(Z).weights.sum() - 90 == pytest.approx(3 * 4 * Z * Z / 8 / np.sqrt(3))
    more, _ = skipping.linear.contents.pseudo_rows(skipping.linear)
    assert not more.actual[:, 3].any()


def test_grouped_rows_count_as_many_as_they_are_worth() -> None:
    truth, guess = labelled()
    groups = np.arange(90) // 6
    linear = linearise(hs.table(truth, guess, groups=groups), named("macro_f1"))
    made = evidence_of(linear).smoothed(Z)
    assert made.weights.sum() == pytest.approx(linear.effective_n + 3 * 4 * Z * Z / 8 / np.sqrt(3))


def test_defaults_of_several_labels() -> None:
    truth, guess = labelled()
    table = hs.table(truth, guess)
    found = {
        name: hs.estimate(table, name).method for name in ("macro_f1", "weighted_f1", "micro_f1", "samples_jaccard")
    }
    assert found == {
        "macro_f1": "mover-gamma", "weighted_f1": "logit", "micro_f1": "logit", "samples_jaccard": "logit",
    }  # fmt: skip
