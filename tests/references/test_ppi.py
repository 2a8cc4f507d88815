"""judge="wald" against ppi-python: forty means, of labels and of row values."""

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
