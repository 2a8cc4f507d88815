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
    from howsure.rows import Bags
    from howsure.table import Table

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
    bags = Bags(actual[:, None], predicted, hits)
    once = np.ones(len(rows))
    table = Table(("entity",), systems, bags, counts=once, weights=once, squares=once, negatives=False).merged()
    made = hs.compare(table, "micro_f1", "elmo", "flair")
    assert (made.value_a, made.value_b) == pytest.approx((0.9222, 0.9303), abs=5e-5)
    assert made.se == pytest.approx(0.0023, abs=5e-5)
    apart = math.hypot(*(hs.estimate(table, "micro_f1", model=system).se for system in systems))
    assert apart == pytest.approx(0.0054, abs=1e-4)
    assert made.winner == "flair"


def test_two_sentiment_systems(shared_data: Path) -> None:
    with (shared_data / "sst2-two-systems" / "predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = hs.table([row["gold"] for row in rows], {name: [row[name] for row in rows] for name in ("cnn", "lstm")})
    made = hs.compare(table, "accuracy", "cnn", "lstm", method="mid-p")
    assert (made.value_a, made.value_b) == pytest.approx((0.8572, 0.8803), abs=5e-5)
    assert made.winner == "lstm"
    assert made.p_value < 0.05
