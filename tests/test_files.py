"""Tabular files: the same table from every format and both ways of counting, bad rows named, clear refusals."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import zlib
from functools import partial
from pathlib import Path
from typing import ClassVar

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import doors
import howsure as hs
from howsure.errors import InputError, MissingExtra
from howsure.pairwise import Pairwise
from howsure.sources import files, formats, scans
from howsure.sources.files import read_file
from howsure.sources.read import read, read_slices
from howsure.sources.wishes import Wish

WAYS = {"line by line": 1 << 40, "by the engine": 0}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Count text files in Python, then with DuckDB: both must agree."""
    monkeypatch.setattr(scans, "SMALL", WAYS[request.param])
    return str(request.param)


def write_csv(path: Path, columns: dict, *, delimiter: str = ",") -> Path:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    path.write_bytes(gzip.compress(buffer.getvalue().encode()) if path.suffix == ".gz" else buffer.getvalue().encode())
    return path


def write_jsonl(path: Path, columns: dict) -> Path:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text(
        "[" + ",".join(map(json.dumps, rows)) + "]" if path.suffix == ".json" else "\n".join(map(json.dumps, rows))
    )
    return path


def text(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


class TestDoors:
    """The same table to the last count."""

    @pytest.mark.parametrize(
        ("name", "delimiter"), [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t"), ("a.csv.gz", ",")]
    )
    def test_csv(self, tmp_path: Path, way: str, name: str, delimiter: str) -> None:
        doors.check_door(partial(read, write_csv(tmp_path / name, doors.make_columns(), delimiter=delimiter)))

    @pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json"])
    def test_json(self, tmp_path: Path, way: str, name: str) -> None:
        doors.check_door(partial(read, write_jsonl(tmp_path / name, doors.make_columns())))

    def test_parquet(self, tmp_path: Path) -> None:
        pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")
        doors.check_door(partial(read, tmp_path / "a.parquet"))

    def test_parquet_with_dictionaries_and_decimals(self, tmp_path: Path) -> None:
        frame = pl.DataFrame(doors.make_columns()).with_columns(
            pl.col(doors.TRUTH).cast(pl.Categorical), pl.col(doors.WEIGHT).cast(pl.Decimal(10, 3))
        )
        frame.write_parquet(tmp_path / "a.parquet")
        doors.check_door(partial(read, tmp_path / "a.parquet"))

    @pytest.mark.parametrize("source", ["parts", "parts/*.parquet"])
    def test_directory_and_glob(self, tmp_path: Path, source: str) -> None:
        (tmp_path / "parts").mkdir()
        frame = pl.DataFrame(doors.make_columns())
        for place in range(3):
            frame[place * 1000 : (place + 1) * 1000].write_parquet(tmp_path / "parts" / f"{place}.parquet")
        text(tmp_path / "parts" / "_SUCCESS", "")
        doors.check_door(partial(read, str(tmp_path / source)))

    def test_several_csv_parts(self, tmp_path: Path, way: str) -> None:
        columns = doors.make_columns()
        for place in range(3):
            part = {name: values[place * 1000 : (place + 1) * 1000] for name, values in columns.items()}
            write_csv(tmp_path / f"{place}.csv", part)
        doors.check_door(partial(read, str(tmp_path / "*.csv")))

    def test_arrow_file_and_stream(self, tmp_path: Path) -> None:
        arrow = pa.table(doors.make_columns())
        pyarrow.feather.write_feather(arrow, tmp_path / "a.feather")
        with pa.OSFile(str(tmp_path / "b.arrow"), "wb") as sink, pa.ipc.new_stream(sink, arrow.schema) as writer:
            writer.write_table(arrow)
        for name in ("a.feather", "b.arrow"):
            doors.check_door(partial(read, tmp_path / name))

    @pytest.mark.parametrize("as_text", [True, False])
    def test_open_files(self, tmp_path: Path, way: str, as_text: bool) -> None:
        path = write_csv(tmp_path / "a.csv", doors.make_columns())

        def from_stream(**options: object) -> hs.Table:
            with open(path, newline="") if as_text else open(path, "rb") as stream:
                return read(stream, **options)

        doors.check_door(from_stream)

    @pytest.mark.parametrize("form", ["parquet", "csv", "ndjson", "ipc"])
    def test_format_by_content(self, tmp_path: Path, form: str) -> None:
        frame = pl.DataFrame(doors.make_columns())
        getattr(frame, f"write_{form}")(tmp_path / "data")
        doors.check_door(partial(read, tmp_path / "data"))

    def test_names_that_would_break_sql(self, tmp_path: Path, way: str) -> None:
        odd = ["""a"; DROP TABLE x; --""", "it's", "$files", "a.b", "/c~d", "é 漢"]
        columns = {name: ["x'; --", 'y"'] for name in odd}
        frame = pl.DataFrame(columns)
        frame.write_parquet(tmp_path / "it's.parquet")
        write_csv(tmp_path / "it's.csv", columns)
        write_jsonl(tmp_path / "it's.jsonl", columns)
        for suffix in ("parquet", "csv", "jsonl"):
            found = read(tmp_path / f"it's.{suffix}", truth=odd[0], predictions=odd[1:])
            assert doors.rows_of(found) == {("x'; --",) * 6: (1.0, 1.0, 1.0), ('y"',) * 6: (1.0, 1.0, 1.0)}


fields = st.text(alphabet=" ab\",;\n'é0", max_size=4)


@settings(max_examples=15)
@given(rows=st.lists(st.tuples(fields, fields), min_size=1, max_size=12))
def test_both_ways_of_counting_agree(rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    write_csv(path, {"y": [row[0] for row in rows], "p": [row[1] for row in rows]})
    found = []
    for size in WAYS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scans, "SMALL", size)
            try:
                table = read(path, truth="y", predictions="p", on_bad="skip")
                found.append((doors.rows_of(table), table.notes))
            except InputError as error:
                found.append(str(error))
    assert found[0] == found[1]
    kept = [row for row in rows if all(row)]
    if kept:
        assert sum(entry[0] for entry in found[0][0].values()) == len(kept)


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
    def test_read_as(
        self, tmp_path: Path, way: str, truth: list, prediction: list, labels: tuple, positive: object
    ) -> None:
        found = read(write_csv(tmp_path / "a.csv", {"y": truth, "p": prediction}), truth="y", predictions="p")
        assert found.labels == labels
        assert [type(label) for label in found.labels] == [type(label) for label in labels]
        assert found.pos_label is positive or found.pos_label == positive

    def test_labels_given_as_text_fit_numbers(self, tmp_path: Path, way: str) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": [1, 0], "p": [1, 1]})
        assert read(path, truth="y", predictions="p", labels=["0", "1", "2"]).labels == (0, 1, 2)
        pl.read_csv(path).write_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="y", predictions="p", labels=["0", "1", "2"]).labels == (0, 1, 2)

    def test_labels_not_listed(self, tmp_path: Path, way: str) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": ["a", "b"], "p": ["a", "c"]})
        with pytest.raises(
            InputError, match=r"'p' is not among the labels given in 1, such as 'c' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p", labels=["a", "b"])
        assert read(path, truth="y", predictions="p", labels=["a", "b"], on_bad="skip").n == 1

    def test_json_keeps_its_types(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.jsonl", '{"y": "1", "p": "1"}\n{"y": "0", "p": 1}\n')
        with pytest.raises(
            InputError, match=r"'p' is a number where the truth has text in 1, such as 1 \(first at line 2\)"
        ):
            read(path, truth="y", predictions="p")
        path = text(tmp_path / "a.jsonl", '{"y": true, "p": false}\n{"y": false, "p": false}\n')
        assert read(path, truth="y", predictions="p").labels == (False, True)

    def test_lookalikes_are_noted(self, tmp_path: Path, way: str) -> None:
        path = write_csv(tmp_path / "a.csv", {"y": ["cat", "Cat", "NA"], "p": ["cat", "cat ", "cat"]})
        notes = " ".join(read(path, truth="y", predictions="p").notes)
        assert "labels 'Cat', 'cat', 'cat ' differ only in case or blanks" in notes
        assert "label 'NA' is counted as a class" in notes


class TestBadRows:
    """Counted and named, with the first line; refused, or left out and noted."""

    def test_missing(self, tmp_path: Path, way: str) -> None:
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
            "3 of 4 rows were left out: 'y' is missing in 1; 'p' is missing in 1; 'q' is missing in 1.",
        )

    def test_wrong_type(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\n0,error\n1,nan\n0,0\n")
        with pytest.raises(
            InputError, match=r"'p' is text where the truth has numbers in 2, such as '\w+' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p")
        assert read(path, truth="y", predictions="p", on_bad="skip").n == 2

    def test_a_hole_in_the_truth_does_not_make_it_text(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\nNaN,0\n0,0\n")
        with pytest.raises(
            InputError, match=r"'y' is text where the truth has numbers in 1, such as 'NaN' \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p")

    def test_ragged_lines(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", 'y,p,note\n1,1,"a, b"\n1,0\n0,0,x,y\n0,0,"two\nlines"\n')
        with pytest.raises(
            InputError, match=r"2 of 4 rows cannot be counted: a line has not 3 fields in 2 \(first at line 3\)"
        ):
            read(path, truth="y", predictions="p")
        found = read(path, truth="y", predictions="p", on_bad="skip")
        assert found.matrix().tolist() == [[1, 0], [0, 1]]
        assert found.notes[0].startswith("2 of 4 rows were left out: a line has not 3 fields in 2")

    def test_lines_that_are_no_objects(self, tmp_path: Path, way: str) -> None:
        path = text(
            tmp_path / "a.jsonl", '{"y": 1, "p": 1}\nnot json\n[1]\n{"y": 0}\n{"y": 0, "p": [1]}\n{"y": 0, "p": 0}\n'
        )
        with pytest.raises(InputError) as refusal:
            read(path, truth="y", predictions="p")
        assert "a line is no JSON object in 2 (first at line 2)" in str(refusal.value)
        assert "'p' is missing in 1 (first at line 4)" in str(refusal.value)
        assert "'p' is no label in 1, such as [1]" in str(refusal.value)
        assert read(path, truth="y", predictions="p", on_bad="skip").matrix().tolist() == [[1, 0], [0, 1]]

    def test_weights(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p,w\n1,1,0.5\n1,1,-1\n1,1,x\n1,1,\n1,1,inf\n1,1,0.25\n")
        with pytest.raises(
            InputError, match="4 of 6 rows cannot be counted: 'w' is no finite number, zero or larger, in 4"
        ):
            read(path, truth="y", predictions="p", weight="w")
        found = read(path, truth="y", predictions="p", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {(1, 1): (2.0, 0.75, 0.3125)}

    def test_json_weights(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.jsonl", '{"y":1,"p":1,"w":0.5}\n{"y":1,"p":1,"w":-1}\n{"y":1,"p":1}\n')
        found = read(path, truth="y", predictions="p", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {(1, 1): (1.0, 0.5, 0.25)}

    def test_all_weights_zero(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p,w\n1,1,0\n")
        with pytest.raises(InputError, match="zero in every row"):
            read(path, truth="y", predictions="p", weight="w")

    def test_parquet_names_the_row(self, tmp_path: Path) -> None:
        pl.DataFrame({"y": [1, 0, None], "p": [1, None, 0]}).write_parquet(tmp_path / "a.parquet")
        with pytest.raises(InputError) as refusal:
            read(tmp_path / "a.parquet", truth="y", predictions="p")
        assert "'y' is missing in 1 (first in row 3); 'p' is missing in 1 (first in row 2)" in str(refusal.value)

    def test_abstentions(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p\na,a\nb,\n")
        found = read(path, truth="y", predictions="p", abstain="none")
        assert doors.rows_of(found) == {("a", "a"): (1.0, 1.0, 1.0), ("b", "none"): (1.0, 1.0, 1.0)}
        assert found.notes == ()

    def test_nothing_left(self, tmp_path: Path, way: str) -> None:
        path = text(tmp_path / "a.csv", "y,p\n,1\n,0\n")
        with pytest.raises(InputError, match="none of its 2 rows can be counted: 'y' is missing in 2"):
            read(path, truth="y", predictions="p", on_bad="skip")

    def test_scores(self, tmp_path: Path, way: str) -> None:
        write_csv(tmp_path / "a.csv", {"y": [1, 0], "p": [0.75, 0.5]})
        pl.DataFrame({"y": [1, 0], "p": [0.75, 0.5]}).write_parquet(tmp_path / "a.parquet")
        for name in ("a.csv", "a.parquet"):
            with pytest.raises(InputError, match=r"'p' holds '?0\.[75]+'?, which is not a whole number.*threshold"):
                read(tmp_path / name, truth="y", predictions="p", on_bad="skip")


class TestRefusals:
    """Files that cannot be read say so, and what to do."""

    def test_no_such_file(self, tmp_path: Path) -> None:
        text(tmp_path / "preds.csv", "y,p\n1,1\n")
        with pytest.raises(InputError, match=r"there is no such file; check the path. The directory holds 'preds.csv'"):
            read(tmp_path / "pred.csv")
        with pytest.raises(InputError, match="no file matches this pattern"):
            read(str(tmp_path / "*.parquet"))

    @pytest.mark.parametrize(
        ("content", "words"), [("", "is empty"), ("\n\n", "has no text"), ("y,p\n", "none of its 0 rows")]
    )
    def test_empty(self, tmp_path: Path, way: str, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(text(tmp_path / "a.csv", content), truth="y", predictions="p")

    def test_missing_column(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "label,svm\n1,1\n")
        with pytest.raises(
            InputError, match=r"'lable', which .* does not have; its columns are 'label', 'svm'. Did you mean 'label'"
        ):
            read(path, truth="lable", predictions="svm")

    def test_column_names_keep_their_case(self, tmp_path: Path) -> None:
        pl.DataFrame({"Label": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
        with pytest.raises(InputError, match="Did you mean 'Label'"):
            read(tmp_path / "a.parquet", truth="label", predictions="p")

    def test_truncated_parquet(self, tmp_path: Path) -> None:
        pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")
        whole = (tmp_path / "a.parquet").read_bytes()
        (tmp_path / "a.parquet").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match=r"cannot be read: .*check that the file is complete"):
            read(tmp_path / "a.parquet", truth=doors.TRUTH, predictions=list(doors.MODELS))

    def test_truncated_arrow_and_gzip(self, tmp_path: Path, way: str) -> None:
        pyarrow.feather.write_feather(pa.table(doors.make_columns()), tmp_path / "a.feather")
        path = write_csv(tmp_path / "a.csv.gz", doors.make_columns())
        for name in ("a.feather", "a.csv.gz"):
            whole = (tmp_path / name).read_bytes()
            (tmp_path / name).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match="complete Arrow"):
            read(tmp_path / "a.feather", truth=doors.TRUTH, predictions=list(doors.MODELS))
        with pytest.raises(InputError, match=r"damaged gzip|cannot be read"):
            read(path, truth=doors.TRUTH, predictions=list(doors.MODELS))

    def test_bomb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(formats, "EXPANDED", 1 << 20)
        (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"y,p\n" + b"1,1\n" * 1_000_000))
        with pytest.raises(InputError, match="unfolds to more than 200 times its size"):
            read(tmp_path / "a.csv.gz", truth="y", predictions="p")
        pack = zlib.compressobj(wbits=31)
        parts = [gzip.compress(b"y,p\n"), pack.compress(b"1,1\n" * 1_000_000) + pack.flush()]
        (tmp_path / "b.csv.gz").write_bytes(b"".join(parts))
        with pytest.raises(InputError, match="unfolds"):
            read(tmp_path / "b.csv.gz", truth="y", predictions="p")

    def test_honest_compression_passes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(formats, "EXPANDED", 1 << 12)
        path = write_csv(tmp_path / "a.csv.gz", doors.make_columns())
        assert read(path, truth=doors.TRUTH, predictions=list(doors.MODELS)).n == 3000

    def test_not_utf8(self, tmp_path: Path, way: str) -> None:
        (tmp_path / "a.csv").write_bytes("y,p\nä,ä\n".encode("latin-1"))
        with pytest.raises(InputError, match=r"UTF-8|cannot be counted"):
            read(tmp_path / "a.csv", truth="y", predictions="p")

    def test_formats(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "y,p\n1,1\n")
        with pytest.raises(InputError, match="format is 'excel'"):
            read(path, format="excel")
        with pytest.raises(InputError, match="cannot be read"):
            read(path, format="parquet")
        (tmp_path / "a.parquet").write_bytes(b"no parquet")
        with pytest.raises(InputError, match="several formats"):
            read(tmp_path)
        (tmp_path / "old").write_bytes(b"FEA1....")
        with pytest.raises(InputError, match="feather version 1"):
            read(tmp_path / "old")

    def test_parts_with_other_columns(self, tmp_path: Path) -> None:
        text(tmp_path / "a.csv", "y,p\n1,1\n")
        text(tmp_path / "b.csv", "p,y\n1,1\n")
        with pytest.raises(InputError, match="must have the same columns in the same order"):
            read(str(tmp_path / "*.csv"), truth="y", predictions="p")

    def test_limits_of_the_engine(self, tmp_path: Path) -> None:
        pl.DataFrame({"y": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="y", predictions="p", memory="200MB", threads=1).n == 1
        with pytest.raises(InputError, match="memory is 'lots'"):
            read(tmp_path / "a.parquet", truth="y", predictions="p", memory="lots")


def test_progress_goes_from_nothing_to_all(tmp_path: Path) -> None:
    pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")
    seen: list[float] = []
    found = read(tmp_path / "a.parquet", truth=doors.TRUTH, predictions=list(doors.MODELS), progress=seen.append)
    assert found.n == 3000
    assert seen[-1] == 1.0
    assert all(0 <= share <= 1 for share in seen)


def test_an_error_in_the_progress_hook_ends_the_count(tmp_path: Path) -> None:
    pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(tmp_path / "a.parquet", truth=doors.TRUTH, predictions=list(doors.MODELS), progress=stop)


def test_without_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text files of any size need no DuckDB; other formats say what to install."""
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setattr(scans, "SMALL", 0)
    doors.check_door(partial(read, write_csv(tmp_path / "a.csv.gz", doors.make_columns())))
    doors.check_door(partial(read, write_jsonl(tmp_path / "a.jsonl", doors.make_columns())))
    pl.DataFrame({"y": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(MissingExtra, match=r"pip install 'howsure\[files\]'"):
        read(tmp_path / "a.parquet", truth="y", predictions="p")


def test_slices(tmp_path: Path, way: str) -> None:
    path = write_csv(tmp_path / "a.csv", {"y": ["a", "b", "c"], "p": ["a", "b", "a"], "site": [10, 9, 9]})
    found = read_slices(path, by="site", truth="y", predictions="p")
    assert list(found) == [9, 10]
    assert {part.labels for part in found.values()} == {("a", "b", "c")}
    assert doors.rows_of(found[9]) == {("b", "b"): (1.0, 1.0, 1.0), ("c", "a"): (1.0, 1.0, 1.0)}


def test_equal_groups_and_slices_are_one(tmp_path: Path, way: str) -> None:
    path = text(tmp_path / "a.jsonl", '{"y":1,"p":1,"g":1}\n{"y":1,"p":1,"g":1.0}\n{"y":0,"p":1,"g":2}\n')
    assert read(path, truth="y", predictions="p", group="g").group_labels == (1, 2)
    assert {value: part.n for value, part in read_slices(path, by="g", truth="y", predictions="p").items()} == {
        1: 2,
        2: 1,
    }


def test_long_first_line_of_a_nameless_file(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"y": 1, "p": place % 2, "text": "x" * 100_000}) + "\n" for place in range(2))
    assert read(text(tmp_path / "data", rows), truth="y", predictions="p").n == 2


class TestRepeats:
    """A column that names patients or rows, repeats, and was not declared as group is noted."""

    columns: ClassVar = {"patient_id": [1, 1, 2], "y": [1, 0, 1], "p": [1, 0, 0], "id": [1, 2, 3]}

    def test_noted(self, tmp_path: Path, way: str) -> None:
        found = read(write_csv(tmp_path / "a.csv", self.columns), truth="y", predictions="p")
        assert found.notes == (
            "column 'patient_id' repeats (2 values in 3 rows): rows that share one may not be independent; if so, pass "
            "group='patient_id'.",
        )

    def test_declared(self, tmp_path: Path, way: str) -> None:
        found = read(write_csv(tmp_path / "a.csv", self.columns), truth="y", predictions="p", group="patient_id")
        assert found.notes == ()
        assert found.group_labels == (1, 2)

    def test_id_named_by_the_caller(self, tmp_path: Path, way: str) -> None:
        columns = {"utterance": ["a", "a"], "y": [1, 0], "p": [1, 0]}
        found = read(write_csv(tmp_path / "a.csv", columns), truth="y", predictions="p", id="utterance")
        assert "column 'utterance' repeats" in found.notes[0]


class TestPairs:
    """Files whose joint rows would not fit are counted in pairs of models, many in one pass."""

    models: ClassVar = [f"m{place}" for place in range(4)]

    def write(self, path: Path) -> Path:
        first, second = doors.make_columns(600), doors.make_columns(600, seed=1)
        rows = [first[doors.MODELS[0]], first[doors.MODELS[1]], second[doors.TRUTH], second[doors.MODELS[0]]]
        columns = {"y": first[doors.TRUTH], "w": first[doors.WEIGHT], "site": first[doors.GROUP]}
        return write_csv(path, columns | dict(zip(self.models, rows, strict=True)))

    @pytest.mark.parametrize("group", [None, "site"])
    def test_same_tables(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str | None) -> None:
        path = self.write(tmp_path / "a.csv")
        monkeypatch.setattr(scans, "SMALL", 0)
        wish = Wish("y", self.models, group=group, weight="w")
        joint = read_file(path, wish)
        monkeypatch.setattr(files, "MOST_CELLS", (len(joint.rows) - 1) * (5 if group is None else 6))
        monkeypatch.setattr("howsure.sources.pair_tallies.PAIRS_A_PASS", 4)
        pairs = read_file(path, wish)
        assert isinstance(pairs, Pairwise)
        assert pairs.models == joint.models
        for pair in [("m0", "m1"), ("m3", "m1"), ("m2",), ("m2", "m3")]:
            assert doors.rows_of(pairs.pick(*pair)) == doors.rows_of(joint.pick(*pair))

    def test_holes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.write(tmp_path / "a.csv")
        lines = path.read_text().splitlines()
        lines[5:5] = ["cat,1,3,cat,,cat,cat", "cat,1,3,cat", "cat,1,3,cat,cat,cat,"]
        path.write_text("\n".join(lines) + "\n")
        monkeypatch.setattr(scans, "SMALL", 0)
        wish = Wish("y", self.models, on_bad="skip")
        joint = read_file(path, wish)
        monkeypatch.setattr(files, "MOST_CELLS", (len(joint.rows) - 1) * 5)
        pairs = read_file(path, wish)
        assert isinstance(pairs, Pairwise)
        assert pairs.n == joint.n == 600
        assert "3 of 603 rows were left out: 'm1' is missing in 1; 'm3' is missing in 1" in pairs.notes[0]
        with pytest.raises(InputError, match="3 of 603 rows cannot be counted"):
            read_file(path, Wish("y", self.models))

    def test_too_many_even_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.write(tmp_path / "a.csv")
        monkeypatch.setattr(scans, "SMALL", 0)
        monkeypatch.setattr(files, "MOST_CELLS", 30)
        with pytest.raises(InputError, match="too many distinct rows"):
            read_file(path, Wish("y", self.models))


def test_real_file(shared_data: Path, way: str) -> None:
    found = read(shared_data / "semeval2019-9a" / "predictions.csv", truth="gold", predictions=["adv_tuned_10ep"])
    rows = pl.read_csv(shared_data / "semeval2019-9a" / "predictions.csv")
    assert (found.n, found.tp) == (len(rows), len(rows.filter((pl.col("gold") == 1) & (pl.col("adv_tuned_10ep") == 1))))
