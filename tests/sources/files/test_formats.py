"""File formats: the same table from each to the last count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InputError
from howsure.sources.read import read
from support import doors
from support.written import text, write_csv, write_jsonl

Columns = dict[str, list[Any]]
Door = Callable[[Columns, Path], Any]


def _parquet(columns: Columns, folder: Path) -> Path:
    pl.DataFrame(columns).write_parquet(folder / "a.parquet")
    return folder / "a.parquet"


def _typed_parquet(columns: Columns, folder: Path) -> Path:
    """Dictionaries for labels, decimals for weights."""
    frame = pl.DataFrame(columns).with_columns(
        pl.col(doors.TRUTH).cast(pl.Categorical), pl.col(doors.WEIGHT).cast(pl.Decimal(10, 3))
    )
    frame.write_parquet(folder / "a.parquet")
    return folder / "a.parquet"


def _parts(columns: Columns, folder: Path) -> Path:
    """A directory of files beside a marker, as Spark writes it."""
    frame, size = pl.DataFrame(columns), len(columns[doors.TRUTH]) // 3
    for place in range(3):
        frame[place * size : (place + 1) * size].write_parquet(folder / f"{place}.parquet")
    return text(folder / "_SUCCESS", "").parent


def _arrow_stream(columns: Columns, folder: Path) -> Path:
    arrow = pa.table(columns)
    with pa.OSFile(str(folder / "b.arrow"), "wb") as sink, pa.ipc.new_stream(sink, arrow.schema) as writer:
        writer.write_table(arrow)
    return folder / "b.arrow"


def _feather(columns: Columns, folder: Path) -> Path:
    pyarrow.feather.write_feather(pa.table(columns), folder / "a.feather")
    return folder / "a.feather"


def _csv_parts(columns: Columns, folder: Path) -> str:
    size = len(columns[doors.TRUTH]) // 3
    for place in range(3):
        part = {name: values[place * size : (place + 1) * size] for name, values in columns.items()}
        write_csv(folder / f"{place}.csv", part)
    return str(folder / "*.csv")


TEXTS: dict[str, Door] = {
    "csv": lambda columns, folder: write_csv(folder / "a.csv", columns),
    "csv with semicolons": lambda columns, folder: write_csv(folder / "a.csv", columns, delimiter=";"),
    "tsv": lambda columns, folder: write_csv(folder / "a.tsv", columns, delimiter="\t"),
    "csv.gz": lambda columns, folder: write_csv(folder / "a.csv.gz", columns),
    "csv.zst": lambda columns, folder: write_csv(folder / "a.csv.zst", columns),
    "gzip without the name": lambda columns, folder: write_csv(folder / "a.gz", columns).rename(folder / "a.csv"),
    "zstd without the name": lambda columns, folder: write_csv(folder / "a.zst", columns).rename(folder / "data"),
    "glob of csv": _csv_parts,
    "jsonl": lambda columns, folder: write_jsonl(folder / "a.jsonl", columns),
    "ndjson": lambda columns, folder: write_jsonl(folder / "a.ndjson", columns),
    "jsonl.gz": lambda columns, folder: write_jsonl(folder / "a.jsonl.gz", columns),
    "jsonl.zst": lambda columns, folder: write_jsonl(folder / "a.jsonl.zst", columns),
    "json": lambda columns, folder: write_jsonl(folder / "a.json", columns),
}
TYPED: dict[str, Door] = {
    "parquet": _parquet,
    "parquet with dictionaries and decimals": _typed_parquet,
    "directory": _parts,
    "glob": lambda columns, folder: str(_parts(columns, folder) / "*.parquet"),
    "arrow file": _feather,
    "arrow stream": _arrow_stream,
}


class TestDoors:
    """The same table to the last count, and the same holes."""

    @pytest.mark.parametrize("kind", list(TEXTS))
    def test_text(self, tmp_path_factory: pytest.TempPathFactory, kind: str) -> None:
        doors.check_source(lambda columns: TEXTS[kind](columns, tmp_path_factory.mktemp("door")))

    @pytest.mark.parametrize("kind", list(TYPED))
    def test_typed(self, tmp_path_factory: pytest.TempPathFactory, kind: str) -> None:
        doors.check_source(lambda columns: TYPED[kind](columns, tmp_path_factory.mktemp("door")))

    @pytest.mark.parametrize("as_text", [True, False])
    def test_open_files(self, tmp_path: Path, as_text: bool) -> None:
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

    def test_names_that_would_break_sql(self, tmp_path: Path) -> None:
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


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(fields, fields), min_size=1, max_size=12))
@example(rows=[("a", "b\n\n"), ("a", ""), ("", "0")])
def test_quotes_and_line_ends_in_fields(rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Rows are what was written, and lines those of an editor, whatever stands between quotes."""
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    lines = [write_csv(path, _columns(rows[:place])).read_text().count("\n") + 1 for place in range(len(rows))]
    write_csv(path, _columns(rows))
    numbers = {truth for truth, _ in rows} - {""} == {"0"}
    kept = Counter(row for row in rows if all(row) and (row[1] == "0" or not numbers))
    if not kept:
        with pytest.raises(InputError, match="none of its"):
            read(path, truth="y", predictions="p", on_bad="skip")
        return
    found = read(path, truth="y", predictions="p", on_bad="skip")
    assert {tuple(map(str, row)): sums[0] for row, sums in doors.rows_of(found).items()} == kept
    for place, column in enumerate(("y", "p")):
        missing = [line for line, row in zip(lines, rows, strict=True) if not row[place]]
        said = f"{column!r} is missing in {len(missing)} (first at line {(missing or [0])[0]})"
        assert (said in "".join(found.notes)) == bool(missing)


def _columns(rows: list[tuple[str, str]]) -> Columns:
    return {"y": [row[0] for row in rows], "p": [row[1] for row in rows]}
