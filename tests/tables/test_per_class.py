"""The four cells of each class in one call, by hand, by brute force, and in JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import howsure as hs

# Takahashi et al. (2022), Table 1a: predictions in rows; section 2 prints TP_i, FP_i and FN_i as shares of 100.
EXAMPLE = hs.matrix([[2, 2, 2], [5, 70, 2], [0, 2, 15]], rows="prediction", labels=["1", "2", "3"])


def test_the_example_of_takahashi() -> None:
    assert [tuple(row)[2:] for row in EXAMPLE.per_class()] == [(2, 4, 5, 89), (70, 7, 4, 19), (15, 2, 4, 79)]
    assert EXAMPLE.per_class()["1"].fp == 4


def test_labels_and_label_sets_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    truth, guess = rng.integers(0, 4, 300), rng.integers(0, 4, 300)
    for row in hs.table(truth, {"m": guess}).per_class():
        true, said = truth == row.label, guess == row.label
        cells = (true & said, ~true & said, true & ~said, ~true & ~said)
        assert (row.tp, row.fp, row.fn, row.tn) == tuple(cell.sum() for cell in cells)
    sets = hs.table([["a"], ["a", "b"], []], {"m": [["a", "b"], ["b"], ["a"]]})
    found = {row.label: tuple(row)[2:] for row in sets.per_class()}
    assert found == {"a": (1, 1, 1, 0), "b": (1, 1, 0, 1)}


def test_what_was_not_counted_is_not_known() -> None:
    rest, positive = hs.counts(tp=77, fp=44, fn=10).per_class()
    assert (positive.tp, positive.fp, positive.fn) == (77, 44, 10)
    assert math.isnan(positive.tn)
    assert math.isnan(rest.tp)
    assert "–" in str(hs.counts(tp=77, fp=44, fn=10).per_class())


def test_json_of_a_report_has_the_classes_of_its_models() -> None:
    table = hs.table([1, 0, 1, 1], {"x": [1, 0, 0, 1], "y": [1, 1, 1, 1]})
    made = json.loads(hs.report(table, "f1", models="y").to_json())["classes"]
    assert made == [
        {"model": "y", "label": 0, "tp": 0.0, "fp": 0.0, "fn": 1.0, "tn": 3.0},
        {"model": "y", "label": 1, "tp": 3.0, "fp": 1.0, "fn": 0.0, "tn": 0.0},
    ]
    frame = table.per_class().to_frame(backend="pandas")
    assert list(frame.columns) == ["model", "label", "tp", "fp", "fn", "tn"]


def test_shares_in_place_of_counts_ask_for_n() -> None:
    """Table 1b of Takahashi et al.: no interval follows from shares alone."""
    shares = [[0.02, 0.02, 0.02], [0.05, 0.70, 0.02], [0.00, 0.02, 0.15]]
    with pytest.raises(hs.InputError, match="no interval follows from shares alone; pass n="):
        hs.matrix(shares, rows="prediction")
    found = hs.estimate(hs.matrix(shares, rows="prediction", n=100), "maF1", method="wald")
    assert (found.low, found.high) == pytest.approx((0.562, 0.817), abs=0.0005)
    with pytest.raises(hs.InputError, match="shares of rows"):
        hs.counts(tp=0.4, fp=0.1, fn=0.1, tn=0.4)
    assert hs.counts(tp=0.4, fp=0.1, fn=0.1, tn=0.4, n=50).tp == pytest.approx(20, rel=1e-12)
    with pytest.raises(hs.InputError, match="leave it out"):
        hs.counts(tp=4, fp=1, fn=1, tn=4, n=50)
