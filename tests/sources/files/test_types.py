"""What the text of a file is read as: a CSV file has no types, the truth decides; JSON keeps its own."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from howsure.errors import InputError
from howsure.sources.read import read
from support.written import text, write_csv


class TestTypes:
    """A CSV file has no types: the truth decides."""

    @pytest.mark.parametrize(
        ("truth", "prediction", "labels", "positive"),
        [
            (["1", "0"], ["1", "1"], (0, 1), 1),
            (["1", "0"], ["1.0", "0.0"], (0, 1), 1),
            (["-1", "1"], ["1", "1"], (-1, 1), 1),
            (["True", "False"], ["TRUE", "false"], (False, True), True),
            (["10", "9"], ["9", "10"], (9, 10), None),
            (["01", "1"], ["1", "1"], ("01", "1"), None),
            (["1", "b"], ["1", "1"], ("1", "b"), None),
            (["yes", "no"], ["yes", "no"], ("no", "yes"), None),
        ],
    )
    def test_read_as(self, tmp_path: Path, truth: list, prediction: list, labels: tuple, positive: object) -> None:
        found = read(write_csv(tmp_path / "a.csv", {"y": truth, "p": prediction}), truth="y", predictions="p")
        assert found.labels == labels
        assert [type(label) for label in found.labels] == [type(label) for label in labels]
        assert found.pos_label is positive or found.pos_label == positive

    def test_labels_given_as_text_fit_numbers(self, tmp_path: Path) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": [1, 0], "p": [1, 1]})
        assert read(path, truth="y", predictions="p", labels=["0", "1", "2"]).labels == (0, 1, 2)
        pl.read_csv(path).write_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="y", predictions="p", labels=["0", "1", "2"]).labels == (0, 1, 2)

    def test_labels_not_listed(self, tmp_path: Path) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": ["a", "b"], "p": ["a", "c"]})
        with pytest.raises(
            InputError, match=r"'p' is not among the labels given in 1, such as 'c' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p", labels=["a", "b"])
        assert read(path, truth="y", predictions="p", labels=["a", "b"], on_bad="skip").n == 1

    def test_json_keeps_its_types(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.jsonl", '{"y": "1", "p": "1"}\n{"y": "0", "p": 1}\n')
        with pytest.raises(
            InputError, match=r"'p' is a number where the truth has text in 1, such as 1 \(first at line 2\)"
        ):
            read(path, truth="y", predictions="p")
        path = text(tmp_path / "a.jsonl", '{"y": true, "p": false}\n{"y": false, "p": false}\n')
        assert read(path, truth="y", predictions="p").labels == (False, True)

    def test_lookalikes_are_noted(self, tmp_path: Path) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": ["cat", "Cat", "NA"], "p": ["cat", "cat ", "cat"]})
        notes = " ".join(read(path, truth="y", predictions="p").notes)
        assert "labels 'Cat', 'cat', 'cat ' differ only in case or blanks" in notes
        assert "label 'NA' is counted as a class" in notes
