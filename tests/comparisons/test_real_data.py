"""Two models on real data: named entities and sentiment."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

import howsure as hs


def test_named_entities_by_sentence(shared_data: Path) -> None:
    """Paired, the standard error of the F1 difference is less than half of the unpaired one."""
    from howsure.tables.design import plain_design
    from howsure.tables.label_counts import LabelCounts
    from howsure.tables.table import Table

    with (shared_data / "conll2003-ner-tags" / "sentence_counts.csv").open() as file:
        rows = list(csv.DictReader(file))
    systems = ("elmo", "flair")
    counts = {
        (system, part): np.array([int(row[f"{system}_{part}"]) for row in rows])
        for system in systems
        for part in ("tp", "fp", "fn")
    }
    actual = counts["elmo", "tp"] + counts["elmo", "fn"]
    assert (actual == counts["flair", "tp"] + counts["flair", "fn"]).all()
    hits = np.stack([counts[system, "tp"] for system in systems], axis=1)[:, :, None]
    predicted = np.stack([counts[system, "tp"] + counts[system, "fp"] for system in systems], axis=1)[:, :, None]
    bags = LabelCounts(actual[:, None], predicted, hits, labels=("entity",), negatives=False)
    table = Table(systems, bags, plain_design(np.ones(len(rows)))).merged()
    made = hs.compare(table, "micro_f1", "elmo", "flair")
    (first, moved_first), (second, moved_second) = (
        _f1_by_sentence(*(counts[system, part] for part in ("tp", "fp", "fn"))) for system in systems
    )
    assert (made.value_a, made.value_b) == pytest.approx((first, second), rel=1e-12)
    # As published: 0.9222 and 0.9303, and a standard error of 0.0023 paired, 0.0053 unpaired.
    assert (round(first, 4), round(second, 4)) == (0.9222, 0.9303)
    paired = math.sqrt(np.sum((moved_second - moved_first) ** 2))
    assert made.se == pytest.approx(paired, rel=1e-6)
    unpaired = math.sqrt(np.sum(moved_first**2) + np.sum(moved_second**2))
    apart = math.hypot(*(hs.estimate(table, "micro_f1", model=system).se for system in systems))
    assert apart == pytest.approx(unpaired, rel=1e-6)
    assert (round(paired, 4), round(unpaired, 4)) == (0.0023, 0.0053)
    assert made.winner == "flair"


def _f1_by_sentence(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> tuple[float, np.ndarray]:
    """Return F1 = 2 TP/(2 TP + FP + FN) and, by the delta method, by how much each sentence moves it.

    The slopes are 2 (FP + FN)/D² in TP and −2 TP/D² in FP and FN, D = 2 TP + FP + FN. F1 has degree 0, so what the
    sentences move sums to nothing, and the sum of the squares is the variance with n sentences drawn at random.
    """
    hits, errors = tp.sum(), fp.sum() + fn.sum()
    size = 2 * hits + errors
    moved = (2 * errors * tp - 2 * hits * (fp + fn)) / size**2
    assert abs(moved.sum()) < 1e-12
    return float(2 * hits / size), moved


def test_two_sentiment_systems(shared_data: Path) -> None:
    with (shared_data / "sst2-two-systems" / "predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = hs.table([row["gold"] for row in rows], {name: [row[name] for row in rows] for name in ("cnn", "lstm")})
    made = hs.compare(table, "accuracy", "cnn", "lstm", method="mid-p")
    assert (made.value_a, made.value_b) == pytest.approx((0.8572, 0.8803), abs=5e-5)
    assert made.winner == "lstm"
    assert made.p_value < 0.05
