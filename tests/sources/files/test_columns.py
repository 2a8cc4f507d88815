"""Columns that slice, group or repeat, and a real file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import polars as pl

from howsure.sources.read import read, read_slices
from support import doors
from support.written import text, write_csv


def test_slices(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", {"y": ["a", "b", "c"], "p": ["a", "b", "a"], "site": [10, 9, 9]})
    found = read_slices(path, by="site", truth="y", predictions="p")
    assert list(found) == [9, 10]
    assert {part.labels for part in found.values()} == {("a", "b", "c")}
    assert doors.rows_of(found[9]) == {("b", "b"): (1.0, 1.0, 1.0), ("c", "a"): (1.0, 1.0, 1.0)}


def test_equal_groups_and_slices_are_one(tmp_path: Path) -> None:
    path = text(tmp_path / "a.jsonl", '{"y":1,"p":1,"g":1}\n{"y":1,"p":1,"g":1.0}\n{"y":0,"p":1,"g":2}\n')
    assert read(path, truth="y", predictions="p", group="g").group_labels == (1, 2)
    assert {value: part.n for value, part in read_slices(path, by="g", truth="y", predictions="p").items()} == {
        1: 2,
        2: 1,
    }


def test_long_first_line_of_a_nameless_file(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"y": 1, "p": place % 2, "text": "x" * 100_000}) + "\n" for place in range(2))
    assert read(text(tmp_path / "data", rows), truth="y", predictions="p").n == 2


def test_null_is_no_value(tmp_path: Path) -> None:
    path = text(tmp_path / "a.jsonl", '{"y":1,"p":1,"site":null}\n{"y":1,"p":1,"site":2}\n{"y":0,"p":null,"site":2}\n')
    found = read(path, truth="y", predictions="p", on_bad="skip")
    assert found.notes[0] == "1 of 3 rows was left out: 'p' is missing in 1 (first at line 3)."
    assert found.notes[1].startswith("column 'site' repeats (1 values in 2 rows)")


class TestRepeats:
    """A column that names patients or rows, repeats, and was not declared as group is noted."""

    columns: ClassVar = {"patient_id": [1, 1, 2], "y": [1, 0, 1], "p": [1, 0, 0], "id": [1, 2, 3]}

    def test_noted(self, tmp_path: Path) -> None:
        found = read(write_csv(tmp_path / "a.csv", self.columns), truth="y", predictions="p")
        assert found.notes == (
            "column 'patient_id' repeats (2 values in 3 rows): rows that share one may not be independent; if so, pass "
            "group='patient_id'.",
        )

    def test_declared(self, tmp_path: Path) -> None:
        found = read(write_csv(tmp_path / "a.csv", self.columns), truth="y", predictions="p", group="patient_id")
        assert found.notes == ()
        assert found.group_labels == (1, 2)

    def test_id_named_by_the_caller(self, tmp_path: Path) -> None:
        columns = {"utterance": ["a", "a"], "y": [1, 0], "p": [1, 0]}
        found = read(write_csv(tmp_path / "a.csv", columns), truth="y", predictions="p", id="utterance")
        assert "column 'utterance' repeats" in found.notes[0]


def test_real_file(shared_data: Path) -> None:
    found = read(shared_data / "semeval2019-9a" / "predictions.csv", truth="gold", predictions=["adv_tuned_10ep"])
    rows = pl.read_csv(shared_data / "semeval2019-9a" / "predictions.csv")
    assert (found.n, found.tp) == (len(rows), len(rows.filter((pl.col("gold") == 1) & (pl.col("adv_tuned_10ep") == 1))))
