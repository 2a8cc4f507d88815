"""judge="wald" against ppi-python: forty means, of labels and of row values; and where a judge agreed everywhere."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from references.stored import grouped, stored

CASES = grouped(stored("ppi_rows"), "case")


@pytest.mark.parametrize("row", stored("ppi_means"), ids=lambda row: row["case"])
def test_means(row: dict[str, str]) -> None:
    rows = CASES[(row["case"],)]
    truth = np.array([float(one["truth"]) if one["truth"] else np.nan for one in rows])
    judge = np.array([float(one["judge"]) for one in rows])
    expected = [float(row[name]) for name in ("value", "low", "high")]
    found = hs.estimate(hs.table(values=truth, judge=judge), "mean", judge="wald")
    assert [found.value, found.low, found.high] == pytest.approx(expected, abs=1e-9)
    if set(judge.tolist()) <= {0.0, 1.0}:
        passed = hs.table(truth, np.ones(len(truth), dtype=int), judge=judge)
        found = hs.estimate(passed, "accuracy", judge="wald")  # of a model that says 1 everywhere: the share of 1
        assert [found.value, found.low, found.high] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("case", grouped(stored("judged_peers"), "n", "passed"), ids="/".join)
def test_perfect_agreement_is_believed_less_than_elsewhere(case: tuple[str, str]) -> None:
    """Ours is within people's and within [0, 1]; the others' are shorter, or leave [0, 1], or there are none."""
    n, passed = map(int, case)
    right = round(1000 * passed / n) - passed
    judge = np.repeat([1, 0, 1, 0], [passed, n - passed, right, 1000 - n - right])
    truth = np.where(np.arange(1000) < n, judge.astype(float), np.nan)
    found = hs.estimate(hs.table(truth, np.ones(1000, dtype=int), judge=judge, labels=[0, 1]), "accuracy")
    people = found.human
    assert 0 <= found.low < found.high <= 1
    assert people.low <= found.low
    assert found.high <= people.high
    for row in grouped(stored("judged_peers"), "n", "passed")[case]:
        if row["low"]:
            low, high = float(row["low"]), float(row["high"])
            assert high - low < found.high - found.low or high > 1, row["program"]
