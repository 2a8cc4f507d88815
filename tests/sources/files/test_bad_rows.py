"""Rows that cannot be counted: named with the first line; refused, or left out and noted."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from howsure.errors import InputError
from howsure.sources.read import read
from support import doors
from support.written import text, write_csv, write_jsonl


class TestBadRows:
    """Counted and named, with the first line; refused, or left out and noted."""

    def test_missing(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p,q\n1,1,0\n0,,1\n\n1,0,\n,1,1\n")
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions=["p", "q"])
        assert str(refusal.value).startswith(
            f"'{path}': 3 of 4 rows cannot be counted: 'y' is missing in 1 (first at line 6); 'p' is missing in 1 "
            "(first at "
            "line 3); 'q' is missing in 1 (first at line 5). Every row needs a label"
        )
        found = read(path, truth="y", predictions=["p", "q"], on_bad="skip")
        assert doors.rows_of(found) == {(1, 1, 0): (1.0, 1.0, 1.0)}
        assert found.notes == (
            "3 of 4 rows were left out: 'y' is missing in 1 (first at line 6); 'p' is missing in 1 (first at line 3); "
            "'q' is missing in 1 (first at line 5).",
        )

    def test_wrong_type(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\n0,error\n1,nan\n0,0\n")
        with pytest.raises(
            InputError, match=r"'p' is text where the truth has numbers in 2, such as '\w+' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p")
        assert read(path, truth="y", predictions="p", on_bad="skip").n == 2

    @pytest.mark.parametrize("blank", ["", "\n", "\n\n\n", "  \n", "\n\t\n\n"])
    def test_blank_lines_before_the_header(self, tmp_path: Path, blank: str) -> None:
        """They are no header, and the header is no row."""
        path = text(tmp_path / "a.csv", f"{blank}y,p\na,a\n\nb,a\nb\n")
        found = read(path, truth="y", predictions="p", on_bad="skip")
        assert doors.rows_of(found) == {("a", "a"): (1.0, 1.0, 1.0), ("b", "a"): (1.0, 1.0, 1.0)}
        assert found.notes[0].endswith(f"(first at line {5 + blank.count(chr(10))}).")

    def test_one_row_and_one_line(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\n0\n0,0\n")
        assert read(path, truth="y", predictions="p", on_bad="skip").notes == (
            "1 of 3 rows was left out: 1 line cannot be read as 2 fields (first at line 3).",
        )

    def test_each_fault_has_its_own_line(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\n0,error\n1,\n0,0\n")
        note = (
            "'p' is missing in 1 (first at line 4); 'p' is text where the truth has numbers in 1, such as 'error' "
            "(first at line 3)."
        )
        assert read(path, truth="y", predictions="p", on_bad="skip").notes == (f"2 of 4 rows were left out: {note}",)
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions="p")
        assert note in str(refusal.value)
        # A filled hole is no fault, and must not lend its line to another.
        found = read(text(path, "y,p\n1,1\n1,\n0,error\n0,0\n"), truth="y", predictions="p", on_bad="skip", abstain=9)
        assert found.notes[0].endswith(
            "'p' is text where the truth has numbers in 1, such as 'error' (first at line 4)."
        )

    def test_a_note_is_not_worth_a_long_search(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("howsure.sources.files.read_file._SEARCHED", 2)
        path = text(tmp_path / "a.csv", "y,p,q\n1,1,\n0,0,1\n1,,1\n1,1,1\n")
        found = read(path, truth="y", predictions=["p", "q"], on_bad="skip")
        assert found.notes == (
            "2 of 4 rows were left out: 'p' is missing in 1; 'q' is missing in 1 (first at line 2).",
        )
        with pytest.raises(InputError, match=r"'p' is missing in 1 \(first at line 4\)"):
            read(path, truth="y", predictions=["p", "q"])

    def test_rows_of_parquet(self, tmp_path: Path) -> None:
        path = tmp_path / "a.parquet"
        pl.DataFrame({"y": [1, 0, 1], "p": ["a", None, "b"]}).write_parquet(path)
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions="p")
        faults = "'p' is missing in 1 (first in row 2); 'p' is text where the truth has numbers in 2, such as 'a'."
        assert faults in str(refusal.value)

    def test_a_hole_in_the_truth_does_not_make_it_text(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\nNaN,0\n0,0\n")
        with pytest.raises(
            InputError, match=r"'y' is text where the truth has numbers in 1, such as 'NaN' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p")

    def test_ragged_lines(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", 'y,p,note\n1,1,"a, b"\n1,0\n0,0,x,y\n0,0,"two\nlines"\n')
        with pytest.raises(
            InputError, match=r"2 of 4 rows cannot be counted: 2 lines cannot be read as 3 fields \(first at line 3\)\."
        ):
            read(path, truth="y", predictions="p")
        found = read(path, truth="y", predictions="p", on_bad="skip")
        assert found.matrix().tolist() == [[1, 0], [0, 1]]
        assert found.notes[0].startswith(
            "2 of 4 rows were left out: 2 lines cannot be read as 3 fields (first at line 3)"
        )

    def test_lines_that_are_no_objects(self, tmp_path: Path) -> None:
        path = text(
            tmp_path / "a.jsonl", '{"y": 1, "p": 1}\nnot json\n[1]\n{"y": 0}\n{"y": 0, "p": [1]}\n{"y": 0, "p": 0}\n'
        )
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions="p")
        assert "2 lines cannot be read as a JSON object (first at line 2)" in str(refusal.value)
        assert "'p' is missing in 1 (first at line 4)" in str(refusal.value)
        assert "'p' is no label in 1, such as [1] (first at line 5)" in str(refusal.value)
        assert read(path, truth="y", predictions="p", on_bad="skip").matrix().tolist() == [[1, 0], [0, 1]]

    def test_half_a_surrogate_pair(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.jsonl", '{"y": 1, "p": 1}\n{"y": 0, "p": 0, "note": "\\ud83d"}\n')
        with pytest.raises(InputError, match=r"1 line cannot be read as a JSON object \(first at line 2\)"):
            read(path, truth="y", predictions="p")

    def test_no_columns(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="truth is not given and no column is named like one"):
            read(text(tmp_path / "a.jsonl", "{}\nnot json\n"))

    def test_weights(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p,w\n1,1,0.5\n1,1,-1\n1,1,x\n1,1,\n1,1,inf\n1,1,0.25\n")
        with pytest.raises(
            InputError, match="4 of 6 rows cannot be counted: 'w' is no finite number, zero or larger, in 4"
        ):
            read(path, truth="y", predictions="p", weight="w")
        found = read(path, truth="y", predictions="p", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {(1, 1): (2.0, 0.75, 0.3125)}

    def test_the_remedy_speaks_of_what_is_at_fault(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p,w\n1,1,heavy\n1,1,light\n")
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions="p", weight="w")
        assert str(refusal.value) == (
            f"'{path}': 2 of 2 rows cannot be counted: 'w' is no finite number, zero or larger, in 2. Every row needs "
            "a weight, which is a finite number, zero or larger (at most 1e+100); correct the weights, leave such rows "
            "out with on_bad='skip', or read without weight=."
        )
        text(path, "y,p,w\n1,,1\n1,1,light\n")
        with pytest.raises(InputError, match="Every row needs a label of one type in each column"):
            read(path, truth="y", predictions="p", weight="w")

    def test_json_weights(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.jsonl", '{"y":1,"p":1,"w":0.5}\n{"y":1,"p":1,"w":-1}\n{"y":1,"p":1}\n')
        found = read(path, truth="y", predictions="p", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {(1, 1): (1.0, 0.5, 0.25)}

    def test_all_weights_zero(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p,w\n1,1,0\n")
        with pytest.raises(InputError, match="zero in every row"):
            read(path, truth="y", predictions="p", weight="w")

    def test_parquet_names_the_row(self, tmp_path: Path) -> None:
        pl.DataFrame({"y": [1, 0, None], "p": [1, None, 0]}).write_parquet(tmp_path / "a.parquet")
        with pytest.raises(InputError) as refusal:
            read(tmp_path / "a.parquet", truth="y", predictions="p")
        assert "'y' is missing in 1 (first in row 3); 'p' is missing in 1 (first in row 2)" in str(refusal.value)

    def test_abstentions(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\na,a\nb,\n")
        found = read(path, truth="y", predictions="p", abstain="none")
        assert doors.rows_of(found) == {("a", "a"): (1.0, 1.0, 1.0), ("b", "none"): (1.0, 1.0, 1.0)}
        assert found.notes == ()

    def test_nothing_left(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n,1\n,0\n")
        with pytest.raises(InputError, match="none of its 2 rows can be counted: 'y' is missing in 2"):
            read(path, truth="y", predictions="p", on_bad="skip")

    def test_scores(self, tmp_path: Path) -> None:
        columns = {"y": [1, 0, 1, 0], "p": [0.75, 0.5, 0.25, 0.125]}
        write_csv(tmp_path / "a.csv", columns)
        write_jsonl(tmp_path / "a.jsonl", columns)
        pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
        for name in ("a.csv", "a.jsonl", "a.parquet"):
            with pytest.raises(InputError, match=r"'p' holds '?0\.75'?, which is not a whole number.*threshold"):
                read(tmp_path / name, truth="y", predictions="p", on_bad="skip")
