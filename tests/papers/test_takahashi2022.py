"""Takahashi, Yamamoto, Kuchiba & Koyama (2022), Applied Intelligence 52:4961: every number that rests on a table."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, linearise

# Table 1a: predictions in rows, truth in columns.
TABLE_1 = [[2, 2, 2], [5, 70, 2], [0, 2, 15]]
# Appendix D: each list is a column, that is, a true class.
MNN = [
    [5022, 577, 188, 19, 395],
    [407, 2468, 989, 4, 965],
    [130, 630, 27254, 1021, 763],
    [13, 0, 1236, 6399, 5],
    [103, 258, 609, 0, 9611],
]
# Table 2, as printed: predictions in rows.
SCENARIOS = {
    1: np.array([[8, 1, 1], [1, 8, 1], [1, 1, 8]]) / 30,
    2: np.array([[64, 3, 3], [8, 4, 3], [8, 3, 4]]) / 100,
    3: np.array([[32, 1, 1], [24, 8, 1], [24, 1, 8]]) / 100,
}


@pytest.fixture(scope="module")
def example() -> hs.Table:
    return hs.matrix(TABLE_1, rows="prediction", labels=["1", "2", "3"])


def wald(table: hs.Table, metric: str) -> hs.Estimate:
    return hs.estimate(table, metric, method="wald")


@pytest.mark.parametrize(
    ("metric", "printed"),
    [
        ("micro_precision", 0.87), ("micro_recall", 0.87), ("micro_f1", 0.87), ("accuracy", 0.87),
        ("precision[1]", 0.33), ("precision[2]", 0.91), ("precision[3]", 0.88),
        ("recall[1]", 0.29), ("recall[2]", 0.95), ("recall[3]", 0.79),
    ],
)  # fmt: skip
def test_section_2_two_decimals(example: hs.Table, metric: str, printed: float) -> None:
    assert round(wald(example, metric).value, 2) == printed


@pytest.mark.parametrize(
    ("metric", "printed"),
    [
        ("f1[1]", 0.308), ("f1[2]", 0.927), ("f1[3]", 0.833), ("macro_f1", 0.689),
        ("macro_precision", 0.708), ("macro_recall", 0.674), ("macro_f1_star", 0.691),
    ],
)  # fmt: skip
def test_section_2_three_decimals(example: hs.Table, metric: str, printed: float) -> None:
    assert round(wald(example, metric).value, 3) == printed


def test_section_2_cells(example: hs.Table) -> None:
    """TP, FP and FN of each class as printed, in hundredths of 100 rows."""
    for label, (tp, fp, fn) in {"1": (2, 4, 5), "2": (70, 7, 4), "3": (15, 2, 4)}.items():
        one = example.binary(label)
        assert (one.tp, one.fp, one.fn) == (tp, fp, fn)


@pytest.mark.parametrize(
    ("metric", "se", "low", "high"),
    [
        ("micro_f1", 0.0336, 0.804, 0.936),  # section 3.1
        ("macro_f1", 0.0650, 0.562, 0.817),  # section 3.2
        ("macro_f1_star", 0.0649, 0.563, 0.818),  # section 3.3
    ],
)
def test_section_3_intervals(example: hs.Table, metric: str, se: float, low: float, high: float) -> None:
    found = wald(example, metric)
    assert (round(found.se, 4), round(found.low, 3), round(found.high, 3)) == (se, low, high)


@pytest.mark.parametrize(
    ("metric", "value", "low", "high"),
    [
        ("micro_f1", 0.859, 0.856, 0.862),
        ("macro_f1", 0.805, 0.801, 0.809),
        ("macro_f1_star", 0.807, 0.803, 0.811),
    ],
)
def test_table_4_row_mnn(metric: str, value: float, low: float, high: float) -> None:
    table = hs.matrix(MNN, rows="truth")
    found = wald(table, metric)
    assert found.n == 59_066
    assert (round(found.value, 3), round(found.low, 3), round(found.high, 3)) == (value, low, high)


@pytest.mark.parametrize(
    ("scenario", "micro", "macro", "star"), [(1, 0.80, 0.80, 0.80), (2, 0.72, 0.50, 0.51), (3, 0.48, 0.44, 0.55)]
)
def test_section_4_true_values(scenario: int, micro: float, macro: float, star: float) -> None:
    table = hs.matrix(SCENARIOS[scenario], rows="prediction", n=1000)
    values = [wald(table, name).value for name in ("micro_f1", "macro_f1", "macro_f1_star")]
    assert [round(value, 2) for value in values] == [micro, macro, star]


def test_section_4_rates_of_the_scenarios() -> None:
    """Scenario 2: recall 80 % and 40 %, precision 91 % and 27 %. Scenario 3: 40 % and 80 %, 94 % and 24 %."""
    for scenario, recalls, precisions in ((2, (0.80, 0.40), (0.91, 0.27)), (3, (0.40, 0.80), (0.94, 0.24))):
        table = hs.matrix(SCENARIOS[scenario], rows="prediction", n=1000)
        for name, printed in (("recall", recalls), ("precision", precisions)):
            assert [round(wald(table, f"{name}[{label}]").value, 2) for label in (0, 1)] == list(printed)


# The closed formulas, p with predictions in rows as in the paper; the errata are named where they bite.


def variance_micro(p: np.ndarray, n: float) -> float:
    """Equation (4)."""
    return np.trace(p) * (1 - np.trace(p)) / n


def variance_macro(p: np.ndarray, n: float) -> float:
    """Section 3.2; the part before the double sum is what the code of appendix D lost."""
    r, hit, both = len(p), np.diagonal(p), p.sum(0) + p.sum(1)
    f1 = 2 * hit / both
    alone = (f1 * (both - 2 * hit) / both**2 * ((both - 2 * hit) / both + f1 / 2)).sum()
    ratio = f1 / both
    mixed = sum(p[i, j] * ratio[i] * ratio[j] for i in range(r) for j in range(r) if i != j)
    return 2 * (alone + mixed) / r**2 / n


def moments_of_averages(p: np.ndarray, n: float) -> tuple[float, float, float, float, float]:
    """Section 3.3 with the dots put back: maP, maR, Var(maP), Var(maR), Cov(maP, maR)."""
    r, hit, row, column = len(p), np.diagonal(p), p.sum(1), p.sum(0)
    var_p = (hit * (row - hit) / row**3).sum() / r**2 / n
    var_r = (hit * (column - hit) / column**3).sum() / r**2 / n
    same = ((row - hit) * hit * (column - hit) / (row**2 * column**2)).sum()
    cross = sum(
        hit[i] * p[i, j] * hit[j] / (row[i] ** 2 * column[j] ** 2) for i in range(r) for j in range(r) if i != j
    )
    return (hit / row).mean(), (hit / column).mean(), var_p, var_r, (same + cross) / r**2 / n


def variance_star(p: np.ndarray, n: float) -> float:
    """Section 3.3; the printed factor n cancels, since the three moments are divided by n already."""
    precision, recall, var_p, var_r, cov = moments_of_averages(p, n)
    inner = recall**4 * var_p + 2 * precision**2 * recall**2 * cov + precision**4 * var_r
    return 4 * inner / (precision + recall) ** 4


RANDOM = [
    np.random.default_rng(seed).integers(1, 200, (classes, classes))
    for seed in range(5)
    for classes in (2, 3, 4, 7, 12)
]


@pytest.mark.parametrize("counts", [np.array(TABLE_1), np.array(MNN).T, *RANDOM])
def test_closed_formulas(counts: np.ndarray) -> None:
    table, n = hs.matrix(counts, rows="prediction"), counts.sum()
    for name, formula in (("micro_f1", variance_micro), ("macro_f1", variance_macro), ("macro_f1_star", variance_star)):
        assert wald(table, name).se ** 2 == pytest.approx(formula(counts / n, n), rel=1e-12)


@pytest.mark.parametrize("counts", RANDOM[:10])
def test_closed_covariance_of_macro_precision_and_recall(counts: np.ndarray) -> None:
    table, n = hs.matrix(counts, rows="prediction"), counts.sum()
    pair = [linearise(table, named(name)) for name in ("macro_precision", "macro_recall")]
    precision, recall, var_p, var_r, cov = moments_of_averages(counts / n, n)
    assert [one.value for one in pair] == pytest.approx([precision, recall], rel=1e-13)
    assert covariance(table, pair) == pytest.approx(np.array([[var_p, cov], [cov, var_r]]), rel=1e-12)


def test_wrong_order_of_indices_is_seen() -> None:
    """With p_ji in the double sum the example's standard error would be 0.06506 instead of 0.06493."""
    found = wald(hs.matrix(TABLE_1, rows="prediction"), "macro_f1_star").se
    assert round(found, 5) == 0.06493


def test_transposing_swaps_macro_precision_and_recall_only(example: hs.Table) -> None:
    other = hs.matrix(TABLE_1, rows="truth")
    assert wald(other, "macro_recall").value == wald(example, "macro_precision").value
    assert wald(other, "macro_f1_star").se == pytest.approx(wald(example, "macro_f1_star").se, rel=1e-14)


def test_micro_f1_without_a_class_is_not_accuracy(example: hs.Table) -> None:
    """Leaving class 1 out: 2·85 / (2·85 + 9 + 8); equation (4) does not hold."""
    found = wald(example, "micro_f1[without 1]")
    assert found.value == pytest.approx(170 / 187, rel=1e-14)
    assert found.se != pytest.approx(np.sqrt(170 / 187 * 17 / 187 / 100), rel=1e-3)


def test_three_answers_for_an_absent_class() -> None:
    """A class that is neither true nor predicted: undefined, left out, or zero, and always said."""
    table = hs.matrix([[3, 1, 0], [1, 5, 0], [0, 0, 0]], rows="truth", labels=["a", "b", "c"])
    f1 = [6 / 8, 10 / 12]
    expected = {"nan": float("nan"), "skip": sum(f1) / 2, "zero": sum(f1) / 3}
    for policy, value in expected.items():
        found = hs.estimate(table, "macro_f1", method="wald", undefined=policy)
        assert found.value == pytest.approx(value, nan_ok=True)
        assert any(note.kind == "undefined" and "'c'" in note for note in found.notes)


def test_two_classes_average_both() -> None:
    """For r = 2 the macro F1 averages both classes; it is not the binary F1."""
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    assert wald(table, "macro_f1").value == pytest.approx((154 / 208 + 1404 / 1458) / 2, rel=1e-14)
