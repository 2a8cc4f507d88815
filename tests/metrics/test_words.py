"""Nothing hangs on words: no behaviour follows from the text of a name or of a note."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import howsure as hs
from howsure.sources.logs.right_or_wrong import RIGHT, Run, paired_runs

NAMES = ("mine_f1", "micro_mine", "weighted_mine", "macro_mine", "samples_mine")
RNG = np.random.default_rng(8)
SETS = (RNG.random((60, 4)) < 0.3).astype(int)
GUESSES = np.where(RNG.random((60, 4)) < 0.85, SETS, 1 - SETS)
TABLES = {
    "labels": hs.matrix([[30, 4, 2], [5, 40, 6], [1, 3, 20]], rows="truth"),
    "label sets": hs.table(SETS, GUESSES),
    "chunks": hs.spans([["B-A", "O", "B-B"], ["O", "B-A", "O"]] * 9, [["B-A", "O", "O"], ["B-B", "B-A", "O"]] * 9),
}


def average(name: str) -> hs.Metric:
    """Return the mean F1 of the classes under a name of one's own."""
    per_class = (hs.Metric("part", lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn)),)
    return hs.Metric(
        name, lambda c: c.average(lambda one: 2 * one.tp / (2 * one.tp + one.fp + one.fn)), over="classes",
        per_class=per_class,
    )  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_formula_has_one_interval_whatever_it_is_called(kind: str) -> None:
    found = [hs.estimate(TABLES[kind], average(name)) for name in NAMES]
    assert len({(one.value, one.low, one.high, one.method) for one in found}) == 1
    notes = [[str(note).replace(one.metric, "…") for note in one.notes] for one in found]
    assert all(other == notes[0] for other in notes)


def test_a_log_added_to_an_ordinary_table_changes_no_default_metrics() -> None:
    log = paired_runs([Run("model", {1: 1, 2: 0, 3: 1, 4: 1}, {}, {})], "refuse", notes=())
    plain = hs.table([1, 0, 1, 0, 1, 1], [1, 0, 0, 0, 1, 1], pos_label=1)
    assert hs.report(log).metrics == ("accuracy",)
    assert RIGHT in log.notes
    ordinary = hs.report(plain).metrics
    assert len(ordinary) == 9
    assert hs.report(plain + log).metrics == hs.report(log + plain).metrics == ordinary


def test_a_note_of_the_same_text_changes_nothing() -> None:
    plain = hs.table([1, 0, 1, 0, 1, 1], [1, 0, 0, 0, 1, 1])
    assert hs.report(replace(plain, notes=(str(RIGHT),))).metrics == hs.report(plain).metrics
