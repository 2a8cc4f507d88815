"""Predictions that are missing count as a label of their own, where one is named: as in files, so in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure as hs

TRUTH, SAID = ["a", "b", "a", "b", "a"], ["a", None, "b", "b", ""]


@pytest.mark.parametrize("make", [list, pd.Series, pl.Series, lambda said: np.array(said, dtype=object)])
def test_missing_and_blank_predictions_are_an_answer_of_their_own(make: object) -> None:
    assert callable(make)
    made = hs.table(TRUTH, make(SAID), abstain="none")
    assert made.labels == ("a", "b", "none")
    assert hs.estimate(made, "accuracy").value == 0.4
    assert hs.estimate(made, "recall[a]").value == pytest.approx(1 / 3)


def test_a_column_in_memory_and_the_same_in_a_file_are_one(tmp_path: Path) -> None:
    said = pd.Series([1, np.nan, 0, 1, 0])
    pd.DataFrame({"y": [1, 0, 1, 1, 0], "p": said}).to_csv(tmp_path / "p.csv", index=False)
    read = hs.read(tmp_path / "p.csv", truth="y", predictions="p", abstain=9)
    made = hs.table([1, 0, 1, 1, 0], {"p": said}, abstain=9)
    assert read.labels == made.labels == (0, 1, 9)
    for metric in ("accuracy", "macro_f1"):
        one, other = (hs.estimate(table, metric, undefined="skip") for table in (read, made))
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)


def test_models_and_runs_abstain_each_for_itself() -> None:
    said = {"x": [[1, None, 0, 1, 0], [1, 0, None, 1, 0]], "y": [1, 1, 1, 1, 0]}
    made = hs.table([1, 0, 1, 1, 0], said, abstain=2)
    assert hs.estimate(made, "accuracy", model="x").value == pytest.approx((3 / 5 + 4 / 5) / 2)
    assert hs.estimate(made, "accuracy", model="y").value == 0.8


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"values": [1, 2]}, "abstain is 2, which says what a missing prediction"),
        ({"y_true": [[1], [0]], "y_pred": [[1], [0]]}, "abstain is 2, which says what a missing prediction"),
        ({"y_true": ["a", "b"], "y_pred": ["a", None]}, "mixes"),
        ({"y_true": [1, 0], "scores": [0.1, 0.2]}, "must be one of 'lowest'"),
    ],
)
def test_where_nothing_can_be_missing_it_is_refused(data: dict[str, object], said: str) -> None:
    with pytest.raises(hs.InputError, match=said):
        hs.table(**data, abstain=2)
