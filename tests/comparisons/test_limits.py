"""Limits and p-values of two models: Newcombe, Tango and McNemar against their definitions and R."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from comparisons.cubes import CELLS, EXAMPLE, Z
from howsure.comparisons.compare import paired
from howsure.comparisons.methods.discordant import mcnemar_p, outcomes_of, tango_limits, tango_z
from howsure.comparisons.pair import square_and_add


def wilson(success: float, n: float) -> tuple[float, float]:
    p = success / n
    half = Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n * n)) / (1 + Z**2 / n)
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    return middle - half, middle + half


def test_newcombes_published_example() -> None:
    """36, 12, 2, 0 of 50 pairs: method 10 of Newcombe (1998) prints 0.0569 to 0.3404."""
    (low_a, high_a), (low_b, high_b) = wilson(38, 50), wilson(48, 50)
    phi = (36 * 0 - 12 * 2) / math.sqrt(48 * 2 * 38 * 12)
    low, high = square_and_add(0.2, (0.96 - low_b, high_a - 0.76), (high_b - 0.96, 0.76 - low_a), phi)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0569, 0.3404)


def test_mover_by_hand() -> None:
    """Single limits (Wilson's, by name), the correlation of the two answers, shrunk by z²/2 independent rows of n."""
    counts = EXAMPLE.counts
    n = counts.sum()
    right_a, right_b = CELLS[:, 1] == CELLS[:, 0], CELLS[:, 2] == CELLS[:, 0]
    a, b, both = (counts @ mask / n for mask in (right_a, right_b, right_a & right_b))
    phi = (both - a * b) / math.sqrt(a * (1 - a) * b * (1 - b)) * n / (n + Z**2 / 2)
    (low_a, high_a), (low_b, high_b) = wilson(a * n, n), wilson(b * n, n)
    down = math.sqrt((b - low_b) ** 2 - 2 * phi * (b - low_b) * (high_a - a) + (high_a - a) ** 2)
    up = math.sqrt((high_b - b) ** 2 - 2 * phi * (high_b - b) * (a - low_a) + (a - low_a) ** 2)
    made = hs.compare(EXAMPLE, "accuracy", single="wilson")
    assert (made.low, made.high) == pytest.approx((b - a - down, b - a + up), abs=1e-12)


def test_tango_against_constrained_likelihood() -> None:
    """The statistic's variance rests on the maximum-likelihood shares under the tested difference: found on a grid."""
    for only_a, only_b, n, delta in ((2, 12, 50, 0.05), (5, 3, 40, -0.1), (0, 4, 30, 0.02), (7, 7, 60, 0.15)):
        share_a = np.linspace(max(0, -delta), (1 - abs(delta)) / 2, 400_001)[1:-1]
        share_b = share_a + delta
        inside = (share_b > 0) & (share_a + share_b < 1)
        likelihood = np.where(
            inside,
            only_a * np.log(share_a)
            + only_b * np.log(np.where(inside, share_b, 1))
            + (n - only_a - only_b) * np.log(np.where(inside, 1 - share_a - share_b, 1)),
            -np.inf,
        )
        best = share_a[np.argmax(likelihood)]
        spread = math.sqrt(n * (2 * best + delta - delta**2))
        assert tango_z(only_a, only_b, n, delta) == pytest.approx((only_b - only_a - n * delta) / spread, abs=2e-3)


def test_tango_without_discordant_rows() -> None:
    """All differences within z²/(n + z²), the same as for a share that is 0 of n."""
    assert tango_limits(0, 0, 50, Z) == pytest.approx((-(Z**2) / (50 + Z**2), Z**2 / (50 + Z**2)), abs=1e-9)


def test_mcnemar_p_values() -> None:
    for only_a, only_b in itertools.product(range(8), repeat=2):
        total = only_a + only_b
        expected = stats.binomtest(only_b, total).pvalue if total else 1.0
        assert mcnemar_p(only_a, only_b) == pytest.approx(expected, rel=1e-12)
        greater = stats.binomtest(only_b, total, alternative="greater").pvalue if total else 1.0
        assert mcnemar_p(only_a, only_b, alternative="greater") == pytest.approx(greater, rel=1e-12)
        if total:
            half = stats.binom.pmf(only_b, total, 0.5) / 2
            assert mcnemar_p(only_a, only_b, alternative="greater", mid=True) == pytest.approx(
                greater - half, rel=1e-12
            )


def test_mcnemar_against_r() -> None:
    folder = Path(__file__).parents[1] / "references"
    with (folder / "compare_models.csv").open() as file:
        header, *lines = csv.reader(file)
    data = dict(zip(header, np.array(lines, dtype=int).T, strict=True))
    table = hs.table(data.pop("truth"), data)
    with (folder / "compare_mcnemar.csv").open() as file:
        for row in csv.DictReader(file):
            made = hs.compare(table, "accuracy", row["a"], row["b"], method="mcnemar")
            assert made.discordant == (float(row["only_a"]), float(row["only_b"]))
            assert made.p_value == pytest.approx(float(row["exact"]), rel=1e-9)
            score = hs.compare(table, "accuracy", row["a"], row["b"], method="tango").p_value
            assert score == pytest.approx(float(row["score"]), rel=1e-9)


@pytest.mark.parametrize(
    "metric", ["accuracy", "recall", "specificity", "error_rate", "false_negative_rate", "micro_f1"]
)
def test_rows_that_count_for_a_share(metric: str) -> None:
    held = outcomes_of(paired(EXAMPLE, metric, "a", "b"))
    pair = paired(EXAMPLE, metric, "a", "b")
    assert (held.only_b - held.only_a) / held.n == pytest.approx(pair.difference, abs=1e-14)
    assert (held.both + held.only_b) / held.n == pytest.approx(pair.b.value, abs=1e-14)


@pytest.mark.parametrize("metric", ["precision", "f1", "npv", "mcc", "jaccard"])
def test_metrics_whose_denominator_moves_have_no_such_rows(metric: str) -> None:
    assert outcomes_of(paired(EXAMPLE, metric, "a", "b")) is None
    with pytest.raises(hs.MethodError, match="no prediction can change"):
        hs.compare(EXAMPLE, metric, method="mcnemar")
