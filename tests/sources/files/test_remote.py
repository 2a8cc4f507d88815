"""Files at an address: DuckDB alone opens them, so what it says of lines must do. file:// stands for any store."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from howsure.errors import InputError
from howsure.sources.files.matrix_files import read_fold_counts, read_matrix
from howsure.sources.read import read, read_slices
from support import doors
from support.written import text, write_bytes, write_csv, write_jsonl


def at(path: Path) -> str:
    """Return the address of a local file or pattern."""
    return f"file://{path}"


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.csv.zst"])
def test_csv_is_a_door_like_any_other(tmp_path: Path, name: str) -> None:
    doors.check_door(partial(read, at(write_csv(tmp_path / name, doors.make_columns()))))
    doors.check_holes(partial(read, at(write_csv(tmp_path / name, doors.make_holed()))))


def test_tsv_and_jsonl(tmp_path: Path) -> None:
    doors.check_door(partial(read, at(write_csv(tmp_path / "a.tsv", doors.make_columns(), delimiter="\t"))))
    doors.check_door(partial(read, at(write_jsonl(tmp_path / "a.jsonl", doors.make_columns()))))


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("\ufeffy,p\n1,1\n", ("y", "p")),
        ("\n\ny;p\n1;1\n", ("y", "p")),
        ('"y"\t"a b"\n1\t1\n', ("y", "a b")),
        (" \n\ny,p\n1,1\n", ("y", "p")),
        ("y|p\r\n1|1\r\n", ("y", "p")),
        ("truth y,p;q\n1,1\n", ("truth y", "p;q")),
    ],
)
def test_the_first_line_is_read_as_that_of_a_local_file(tmp_path: Path, content: str, columns: tuple[str, str]) -> None:
    path = write_bytes(tmp_path / "a.csv", content.encode())
    for source in (at(path), path):
        assert read(source, truth=columns[0], predictions=columns[1]).matrix().tolist() == [[0, 0], [0, 1]]


def test_lines_that_cannot_be_read_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    path = text(tmp_path / "a.csv", 'y,p,note\n0,0,"two\nlines"\n1,1,"a, b"\n1,0\n0,0,x,y\n,0,\n')
    words = "3 of 5 rows {}: 2 lines cannot be read as 3 fields (first is '1,0'); 'y' is missing in 1."
    with pytest.raises(InputError) as refusal:
        read(at(path), truth="y", predictions="p")
    assert words.format("cannot be counted") in str(refusal.value)
    found = read(at(path), truth="y", predictions="p", on_bad="skip")
    assert found.notes == (words.format("were left out"),)
    assert found.matrix().tolist() == [[1, 0], [0, 1]]


def test_jsonl_with_bad_lines(tmp_path: Path) -> None:
    path = text(tmp_path / "a.jsonl", '{"y": 1, "p": 1}\nnot json\n{"y": 0}\n{"y": 0, "p": 0}\n')
    words = "1 line cannot be read as a JSON object; 'p' is missing in 1."
    with pytest.raises(InputError) as refusal:
        read(at(path), truth="y", predictions="p")
    assert words in str(refusal.value)
    assert read(at(path), truth="y", predictions="p", on_bad="skip").notes == (f"2 of 4 rows were left out: {words}",)


def test_patterns(tmp_path: Path) -> None:
    text(tmp_path / "a1.csv", "y,p\n1,1\n0,0\n")
    text(tmp_path / "a2.csv", "y,p\n1,0\n")
    assert read(at(tmp_path / "a*.csv"), truth="y", predictions="p").matrix().tolist() == [[1, 0], [1, 1]]
    text(tmp_path / "a3.csv", "p,y\n1,0\n")
    with pytest.raises(InputError, match="must have the same columns in the same order"):
        read(at(tmp_path / "a*.csv"), truth="y", predictions="p")
    with pytest.raises(InputError, match="no file matches this pattern; check the address"):
        read(at(tmp_path / "b*.csv"), truth="y", predictions="p")


def test_guesses_and_slices(tmp_path: Path) -> None:
    path = text(tmp_path / "a.csv", "label,svm,site\n1,1,x\n0,1,y\n1,1,y\n")
    found = read(at(path), predictions="svm")
    assert found.matrix().tolist() == [[0, 1], [0, 2]]
    slices = read_slices(at(path), by="site", truth="label", predictions="svm")
    assert {value: table.n for value, table in slices.items()} == {"x": 1, "y": 2}


def test_what_is_read_in_python_is_read_here_only(tmp_path: Path) -> None:
    text(tmp_path / "a.csv", "3,1\n1,3\n")
    for reads in (
        partial(read_matrix, rows="truth"),
        read_fold_counts,
        partial(read, format="mlflow"),
        partial(read, format="inspect"),
    ):
        with pytest.raises(InputError, match=r"a\.csv'; from an address only tables of rows are read.*fetch it first"):
            reads(at(tmp_path / "a.csv"))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.csv' cannot be read"):
        read(at(tmp_path / "a.csv"), truth="y", predictions="p")
    with pytest.raises(InputError, match="has no text"):
        read(at(text(tmp_path / "b.csv", "\n\n")), truth="y", predictions="p")
