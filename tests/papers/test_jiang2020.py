"""Jiang (2020), Statistical formulas for F measures: section 2.3, and proposition 1 as an oracle.

Also the other papers' closed variances that speak about the same two-class table: Lam et al. (2024), eq. 25,
and the derivatives of Yuan & Jiang, Table III.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.gradient import moments
from howsure.metrics.names import named

JUICE = hs.counts(tp=286, fp=47, fn=43, tn=159)
TABLES = [np.random.default_rng(seed).integers(1, 300, 4) for seed in range(40)]
WEIGHTS = [(0.8, 0.2), (0.5, 0.5), (0.2, 0.8), (1.0, 1.0), (0.3, 1.9), (0.05, 0.7)]


def estimate(table: hs.Table, metric: hs.Metric | str) -> hs.Estimate:
    return hs.estimate(table, metric, method="wald")


def test_section_2_3_inputs() -> None:
    """(n, E ZA, tau(0.8, 0.2), tau(0.64, 0.04)) = (535, 0.535, 0.861, 0.900); E Z = 0.615."""
    assert JUICE.n == 535
    assert round(JUICE.tp / JUICE.n, 3) == 0.535
    assert round(estimate(JUICE, hs.tversky(0.8, 0.2)).value, 3) == 0.861
    assert round(estimate(JUICE, hs.tversky(0.64, 0.04)).value, 3) == 0.900
    assert round(estimate(JUICE, "prevalence").value, 3) == 0.615


@pytest.mark.parametrize("metric", ["f0.5", "tversky(0.8,0.2)"])
def test_section_2_3_interval(metric: str) -> None:
    """0.861 ± 1.96 · 0.0162 = 0.861 ± 0.032."""
    found = estimate(JUICE, metric)
    assert (round(found.value, 3), round(found.se, 4)) == (0.861, 0.0162)
    assert round((found.high - found.low) / 2, 3) == 0.032


def test_orange_juice_table_is_the_only_one() -> None:
    """No other table of 535 rows gives every printed figure, the standard error included."""
    found = []
    for tp in (count for count in range(536) if round(count / 535, 3) == 0.535):
        fn = np.array([count for count in range(536 - tp) if round((tp + count) / 535, 3) == 0.615])
        for fp in range(536 - tp):
            index, squared = tau(tp, fp, fn, 0.8, 0.2), tau(tp, fp, fn, 0.64, 0.04)
            se = np.sqrt(jiang_variance(tp, fp, fn, 535, 0.8, 0.2))
            fits = (np.round(index, 3) == 0.861) & (np.round(squared, 3) == 0.900) & (np.round(se, 4) == 0.0162)
            found += [(tp, fp, int(count)) for count in fn[fits & (tp + fp + fn <= 535)]]
    assert found == [(286, 47, 43)]


def tau(tp: Any, fp: Any, fn: Any, a: float, b: float) -> Any:
    return tp / (tp + a * fp + b * fn)


def jiang_variance(tp: Any, fp: Any, fn: Any, n: float, a: float, b: float) -> Any:
    """Proposition 1: nu_n(a, b) / n."""
    index, squared = tau(tp, fp, fn, a, b), tau(tp, fp, fn, a * a, b * b)
    return (1 / squared - 1 + (1 / index - 1) ** 2) / (tp / n) * index**4 / n


@pytest.mark.parametrize("counts", TABLES)
def test_proposition_1(counts: np.ndarray) -> None:
    tp, fp, fn, tn = counts
    table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    for a, b in WEIGHTS:
        found = estimate(table, hs.tversky(a, b))
        assert found.value == pytest.approx(tau(tp, fp, fn, a, b), rel=1e-13)
        assert found.se**2 == pytest.approx(jiang_variance(tp, fp, fn, table.n, a, b), rel=1e-12)


@pytest.mark.parametrize(("metric", "a", "b"), [("precision", 1, 0), ("recall", 0, 1)])
def test_proposition_1_at_its_edges(metric: str, a: int, b: int) -> None:
    """a or b = 0: the bound fails, the variance formula stays right."""
    for tp, fp, fn, tn in TABLES[:10]:
        found = estimate(hs.counts(tp=tp, fp=fp, fn=fn, tn=tn), metric)
        assert found.se**2 == pytest.approx(jiang_variance(tp, fp, fn, tp + fp + fn + tn, a, b), rel=1e-12)


def test_no_true_positive_is_zero_without_width() -> None:
    """tp = 0 with errors: tau = 0 and the variance is 0 (the printed formula is 0/0); the result says so."""
    found = estimate(hs.counts(tp=0, fp=3, fn=4, tn=5), "f1")
    assert (found.value, found.se) == (0.0, 0.0)
    assert "degenerate" in {note.kind for note in found.notes}


@pytest.mark.parametrize("counts", TABLES[:20])
def test_lam_variance_of_f1(counts: np.ndarray) -> None:
    """Lam, Gopal & Qian (2024), eq. 25: F1(1−F1)(2−F1)²/(2ν), ν = tp+fp+fn; eq. 22 divides once too often."""
    tp, fp, fn, tn = counts
    f1, nu = 2 * tp / (2 * tp + fp + fn), tp + fp + fn
    with_tn, without = (estimate(hs.counts(tp=tp, fp=fp, fn=fn, tn=rest), "f1") for rest in (tn, None))
    assert with_tn.se**2 == pytest.approx(f1 * (1 - f1) * (2 - f1) ** 2 / (2 * nu), rel=1e-12)
    assert without.se == pytest.approx(with_tn.se, rel=1e-13)


# Yuan & Jiang, Table III: g(EZA, EA, EZ) and its gradient, with the slips put right: correlation's numerators are
# (2EA−1)EZA − EA·EZ, Jaccard, F1 and F-beta divide the whole vector, and the arguments come as EZA, EA, EZ.

Gradient = Callable[[float, float, float], tuple[float, ...]]


def f_beta_row(beta: float) -> Gradient:
    a = 1 / (1 + beta**2)
    b = 1 - a

    def row(x: float, y: float, z: float) -> tuple[float, ...]:
        g = x / (a * y + b * z)
        return tuple(part / (a * y + b * z) for part in (1, -a * g, -b * g))

    return row


def jaccard_row(x: float, y: float, z: float) -> tuple[float, ...]:
    g, union = x / (y + z - x), y + z - x
    return (y + z) / union / union, -g / union, -g / union


def tversky_row(a: float, b: float) -> Gradient:
    def row(x: float, y: float, z: float) -> tuple[float, ...]:
        base = (1 - a - b) * x + a * y + b * z
        return tuple(part / base**2 for part in (a * y + b * z, -a * x, -b * x))

    return row


def correlation_row(x: float, y: float, z: float) -> tuple[float, ...]:
    scale = 1 / np.sqrt((z - z * z) * (y - y * y))
    return (
        scale,
        scale * ((2 * y - 1) * x - y * z) / (2 * (y - y * y)),
        scale * ((2 * z - 1) * x - y * z) / (2 * (z - z * z)),
    )


def cosine_row(x: float, y: float, z: float) -> tuple[float, ...]:
    g = x / np.sqrt(y * z)
    return g / x, -g / (2 * y), -g / (2 * z)


def lift_row(x: float, y: float, z: float) -> tuple[float, ...]:
    g = x / (y * z)
    return g / x, -g / y, -g / z


def overlap_row(x: float, y: float, z: float) -> tuple[float, ...]:
    return (1 / y, -x / y**2, 0) if y < z else (1 / z, 0, -x / z**2)


TABLE_III: dict[str, Gradient] = {
    "accuracy": lambda x, y, z: (2, -1, -1),
    "f1": f_beta_row(1),
    "f0.5": f_beta_row(0.5),
    "jaccard": jaccard_row,
    "tversky(0.3,1.9)": tversky_row(0.3, 1.9),
    "correlation": correlation_row,
    "cosine": cosine_row,
    "lift": lift_row,
    "overlap": overlap_row,
}


@pytest.mark.parametrize("metric", TABLE_III)
def test_yuan_jiang_table_iii(metric: str) -> None:
    """V = var(d1·ZA + d2·A + d3·Z) over the rows, divided by n; the paper's n−1 is a factor n/(n−1) on it."""
    compared = 0
    for tp, fp, fn, tn in TABLES:
        if fp == fn:
            continue
        n = tp + fp + fn + tn
        gradient = np.array(TABLE_III[metric](tp / n, (tp + fp) / n, (tp + fn) / n))
        rows = np.repeat([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], [tp, fp, fn, tn], axis=0) @ gradient
        found = estimate(hs.counts(tp=tp, fp=fp, fn=fn, tn=tn), metric)
        assert found.se**2 == pytest.approx(rows.var() / n, rel=1e-12)
        assert found.se**2 * n / (n - 1) == pytest.approx(rows.var(ddof=1) / n, rel=1e-12)
        compared += 1
    assert compared > 30


def slopes(metric: str, x: float, y: float, z: float) -> np.ndarray:
    """Return the engine's derivatives in EZA, EA and EZ: differences of the influence between cells."""
    chosen = named(metric)
    selection = 1 if chosen.over == "class" else None
    (none, a_only), (z_only, both) = moments(
        chosen, np.array([[1 - y - z + x, y - x], [z - x, x]]), selection=selection
    ).influence
    return np.array([both - z_only - a_only + none, a_only - none, z_only - none])


@pytest.mark.parametrize("metric", TABLE_III)
def test_yuan_jiang_table_iii_gradients(metric: str) -> None:
    for x, y, z in ((0.31, 0.42, 0.37), (0.05, 0.3, 0.2), (0.4, 0.41, 0.85)):
        assert slopes(metric, x, y, z) == pytest.approx(np.array(TABLE_III[metric](x, y, z)), rel=1e-12)


def test_yuan_jiang_printed_derivative_of_correlation_is_off() -> None:
    """At EZA = .31, EA = .42, EZ = .37 the derivative in EZ as printed is off by 2.8."""
    x, y, z = 0.31, 0.42, 0.37
    printed = (2 * (z - 1) * x - y * z) / (2 * (z - z * z)) / np.sqrt((z - z * z) * (y - y * y))
    assert slopes("correlation", x, y, z)[2] - printed == pytest.approx(2.8, abs=0.05)


def test_yuan_jiang_independence_is_no_special_case() -> None:
    """EZA = EA·EZ: the printed prefactor g/(EZA − EA·EZ) is 0/0, the variance is finite."""
    found = estimate(hs.counts(tp=12, fp=18, fn=28, tn=42), "correlation")
    assert found.value == pytest.approx(0.0, abs=1e-15)
    assert found.se == pytest.approx(1 / np.sqrt(100), rel=1e-12)


def test_yuan_jiang_overlap_at_a_tie_is_said() -> None:
    """EA = EZ: no derivative; the printed indicators give too small a variance, without a word."""
    kinds = {note.kind for note in estimate(hs.counts(tp=40, fp=9, fn=9, tn=42), "overlap").notes}
    near = {note.kind for note in estimate(hs.counts(tp=40, fp=9, fn=12, tn=42), "overlap").notes}
    clear = {note.kind for note in estimate(hs.counts(tp=40, fp=2, fn=60, tn=42), "overlap").notes}
    assert "kink" in kinds
    assert "kink" in near
    assert "kink" not in clear


def test_yuan_jiang_other_names() -> None:
    """Correlation is MCC and phi; cosine is Fowlkes–Mallows and Ochiai; lift is P(Z=1|A=1)/P(Z=1)."""
    table = hs.counts(tp=286, fp=47, fn=43, tn=159)
    assert estimate(table, "lift").value == pytest.approx((286 / 333) / (329 / 535), rel=1e-14)
    for first, second in (("correlation", "mcc"), ("phi", "mcc"), ("cosine", "fowlkes_mallows"), ("ochiai", "cosine")):
        one, other = estimate(table, first), estimate(table, second)
        assert (one.metric, other.metric) == (first, second)  # each goes by the name it was asked for
        assert one.canonical == other.canonical
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
