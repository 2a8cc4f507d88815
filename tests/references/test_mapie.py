"""hs.threshold beside MAPIE's risk controller on the same rows: it finds a threshold wherever MAPIE does.

The two do not give the same threshold: MAPIE tests a hundred grid points with Holm's correction for independent tests,
howsure all scores with the quantile of their maximum, which knows how alike neighbouring thresholds are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from references.stored import grouped, stored

CASES = grouped(stored("mapie_rows"), "case")
THEN = {"precision": "recall", "recall": "precision", "fpr": "recall"}
ASKED = stored("mapie_thresholds")


def both(row: dict[str, str]) -> tuple[hs.ThresholdChoice, float | None, float | None]:
    """Return our choice, and what the wanted metric is at our threshold and at MAPIE's."""
    rows = CASES[(row["case"],)]
    table = hs.table([int(one["truth"]) for one in rows], scores=[float(one["score"]) for one in rows])
    bound: dict[str, Any] = {"at_most" if row["risk"] == "fpr" else "at_least": float(row["level"])}
    then = THEN[row["risk"]]
    found = hs.threshold(table, row["risk"], then=then, **bound)
    ours, theirs = (
        None if at in (None, "") else hs.estimate(table, f"{then}@{float(at)!r}").value
        for at in (found.threshold, row["best"])
    )
    return found, ours, theirs


@pytest.mark.parametrize("row", ASKED, ids=lambda row: f"{row['case']}-{row['risk']}-{row['level']}")
def test_a_threshold_wherever_mapie_has_one(row: dict[str, str]) -> None:
    found, ours, theirs = both(row)
    if theirs is None:
        return
    assert found.threshold is not None
    assert ours > theirs - 0.01  # a grid point of MAPIE's may by luck lie where the bound just holds


def test_the_choice_is_better_on_the_whole() -> None:
    pairs = [(ours, theirs) for _, ours, theirs in map(both, ASKED)]
    gains = [ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None]
    assert len(gains) == sum(bool(row["best"]) for row in ASKED) == 14
    assert np.mean(gains) > 0.02
    assert sum(ours is not None for ours, _ in pairs) > len(gains)
