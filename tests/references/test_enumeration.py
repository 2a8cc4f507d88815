"""Coverage at tiny n against a listing of every table in exact fractions (enumeration_make.py)."""

from __future__ import annotations

from typing import Any

import pytest

import howsure as hs
from references.stored import grouped, stored

POPULATIONS: dict[str, Any] = {
    "even": {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4},
    "rare": {"tp": 0.06, "fp": 0.02, "fn": 0.04, "tn": 0.88},
    "excellent": {"tp": 0.35, "fp": 0.01, "fn": 0.02, "tn": 0.62},
    "three": [[0.30, 0.05, 0.02], [0.06, 0.20, 0.07], [0.03, 0.07, 0.20]],
}
GROUPS = grouped(stored("enumeration_coverage"), "population", "metric", "method")


@pytest.mark.parametrize("key", GROUPS, ids="-".join)
def test_exact_coverage(key: tuple[str, str, str]) -> None:
    population, metric, method = key
    for (level,), rows in grouped(GROUPS[key], "level").items():
        sizes = [int(row["n"]) for row in rows]
        found = hs.study(metric, method, POPULATIONS[population], sizes, level=float(level), exact=True)
        for row in rows:
            ours = found[method, int(row["n"])]
            assert ours.exact
            assert ours.coverage == pytest.approx(float(row["coverage"]), abs=1e-12), row
            assert ours.undefined == pytest.approx(float(row["undefined"]), abs=1e-12), row
