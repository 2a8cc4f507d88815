"""A name that exists is that file, a pattern is expanded once, and folders are columns only when asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import dataset

from howsure.cli.app import howsure
from howsure.errors import InputError
from howsure.estimates.estimate import estimate
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.partitions import partitions_of
from howsure.sources.read import read, read_slices
from support import doors

Columns = dict[str, list[Any]]
LARGE = 60_000
WRITERS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "csv": lambda frame, path: frame.write_csv(path),
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "parquet": lambda frame, path: frame.write_parquet(path),
    "arrow": lambda frame, path: frame.write_ipc(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "json": lambda frame, path: path.write_text(frame.write_json()),
}
ODD = [
    ("preds[1]", "preds1"),
    ("all*", "all_others"),
    ("q?", "qa"),
    ("[!a]", "b"),
    ("**", "c"),
    ("{a,b}", "a"),
    ("back\\slash[ab]", "back\\slasha"),
    ("~", "home"),
]


def _frame(right: bool, rows: int = 8) -> pl.DataFrame:
    truth = [place % 2 for place in range(rows)]
    return pl.DataFrame({"id": range(rows), "truth": truth, "pred": truth if right else [1 - one for one in truth]})


class TestNames:
    """The file of the name, not one that the name would match."""

    @pytest.mark.parametrize(
        ("odd", "plain", "ending"),
        [(*ODD[0], ending) for ending in WRITERS]
        + [(*names, ending) for names in ODD for ending in ("csv", "parquet")],
    )
    def test_a_name_that_exists_is_literal(self, tmp_path: Path, ending: str, odd: str, plain: str) -> None:
        WRITERS[ending](_frame(right=True), tmp_path / f"{odd}.{ending}")
        WRITERS[ending](_frame(right=False), tmp_path / f"{plain}.{ending}")
        found = read(tmp_path / f"{odd}.{ending}", truth="truth", predictions="pred")
        assert (found.n, float(estimate(found, "accuracy"))) == (8, 1.0)
        other = read(tmp_path / f"{plain}.{ending}", truth="truth", predictions="pred")
        assert (other.n, float(estimate(other, "accuracy"))) == (8, 0.0)

    @pytest.mark.parametrize("ending", ["csv", "parquet"])
    def test_large_files(self, tmp_path: Path, ending: str) -> None:
        WRITERS[ending](_frame(right=True, rows=LARGE), tmp_path / f"all*.{ending}")
        WRITERS[ending](_frame(right=False, rows=LARGE), tmp_path / f"all_others.{ending}")
        found = read(tmp_path / f"all*.{ending}", truth="truth", predictions="pred")
        assert (found.n, float(estimate(found, "accuracy"))) == (LARGE, 1.0)

    def test_a_folder_of_odd_names_is_read_once_each(self, tmp_path: Path) -> None:
        for odd, _ in ODD:
            _frame(right=True).write_csv(tmp_path / f"{odd}.csv")
        assert read(tmp_path).n == 8 * len(ODD)

    def test_a_pattern_is_expanded_once(self, tmp_path: Path) -> None:
        for name, right in (("x[1].csv", True), ("x1.csv", False), ("y[1].csv", True)):
            _frame(right=right).write_csv(tmp_path / name)
        found = read(str(tmp_path / "?[[]1].csv"))
        assert (found.n, float(estimate(found, "accuracy"))) == (16, 1.0)

    def test_odd_folders(self, tmp_path: Path) -> None:
        folder = tmp_path / "run[12]"
        folder.mkdir()
        (tmp_path / "run1").mkdir()
        _frame(right=True).write_parquet(folder / "p.parquet")
        _frame(right=False).write_parquet(tmp_path / "run1" / "p.parquet")
        for source in (folder, folder / "p.parquet"):
            assert float(estimate(read(source), "accuracy")) == 1.0

    def test_compare_names_the_right_winner(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for name, right in (("a[1].csv", True), ("a1.csv", False), ("b.csv", False)):
            _frame(right=right, rows=40).write_csv(name)
        done = CliRunner().invoke(howsure, ["compare", "a[1].csv", "b.csv", "-m", "accuracy"])
        assert done.exit_code == 0, done.output
        assert "a[1] is better" in done.output

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
    def test_bad_rows_are_told_by_the_names_given(self, tmp_path: Path, ending: str) -> None:
        holed = _frame(right=True).with_columns(pred=pl.Series([None, *range(7)]))
        for name in ("a[1]", "a[2]"):
            WRITERS[ending](holed, tmp_path / f"{name}.{ending}")
        with pytest.raises(InputError, match=r"first (in row 1|at line \d) of '.*a\[1\]\." + ending):
            read(str(tmp_path / f"a[[]?].{ending}"), truth="truth", predictions="pred")

    def test_a_damaged_file_is_told_by_its_name(self, tmp_path: Path) -> None:
        path = tmp_path / "a[1].parquet"
        path.write_bytes(b"PAR1" + b"x" * 100)
        with pytest.raises(InputError) as caught:
            read(path)
        assert "a[1].parquet" in str(caught.value)
        assert "link0" not in str(caught.value)


def _hive(columns: Columns, folder: Path, form: str) -> Path:
    """A directory per patient, whose name holds what the files do not."""
    parts = dataset.partitioning(pa.schema([pa.table(columns).schema.field(doors.GROUP)]), flavor="hive")
    dataset.write_dataset(pa.table(columns), folder, format=form, partitioning=parts)
    return folder


class TestPartitions:
    """Folders named column=value."""

    @pytest.mark.parametrize("form", ["parquet", "csv"])
    def test_read_when_asked(self, tmp_path_factory: pytest.TempPathFactory, form: str) -> None:
        where = tmp_path_factory.mktemp
        doors.check_door(partial(read, _hive(doors.make_columns(), where("whole"), form), partitions=True))
        if form == "parquet":  # a missing label is no empty text in Arrow's CSV
            doors.check_holes(partial(read, _hive(doors.make_holed(), where("holed"), form), partitions=True))

    def test_json_lines(self, tmp_path: Path) -> None:
        for site in ("a b", "7"):
            folder = tmp_path / f"site={site.replace(' ', '%20')}"
            folder.mkdir()
            _frame(right=True).write_ndjson(folder / "x.jsonl")
        found = read(tmp_path, truth="truth", predictions="pred", group="site", partitions=True)
        assert sorted(map(str, found.group_labels)) == ["7", "a b"]

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "arrow"])
    @pytest.mark.parametrize(("name", "column"), [("truth=1", "truth"), ("pred=0", "pred"), ("group=7", "group")])
    def test_they_never_overwrite_a_column(self, tmp_path: Path, ending: str, name: str, column: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        frame = _frame(right=True).with_columns(group=pl.Series(range(8)))
        WRITERS[ending](frame, folder / f"p.{ending}")
        for source in (tmp_path, folder / f"p.{ending}", str(folder / f"*.{ending}")):
            found = read(source, truth="truth", predictions="pred", group="group")
            assert float(estimate(found, "accuracy")) == 1.0
            assert found.n_groups == 8
        with pytest.raises(InputError, match=f"partitions is given, (and|but) .*('{column}'|Arrow)"):
            read(tmp_path, truth="truth", predictions="pred", group="group", partitions=True)

    def test_a_column_that_only_a_folder_has_is_asked_for(self, tmp_path: Path) -> None:
        for site in "ab":
            folder = tmp_path / f"site={site}"
            folder.mkdir()
            _frame(right=site == "a").write_parquet(folder / "p.parquet")
        with pytest.raises(InputError, match=r"does not have.*Its folder states 'site'.*partitions=True"):
            read(tmp_path, truth="truth", predictions="pred", group="site")
        found = read_slices(tmp_path, by="site", truth="truth", predictions="pred", partitions=True)
        assert {site: float(estimate(table, "accuracy")) for site, table in found.items()} == {"a": 1.0, "b": 0.0}
        done = CliRunner().invoke(
            howsure, ["report", str(tmp_path), "--partitions", "--by", "site", "-m", "accuracy", "--format", "csv"]
        )
        assert done.exit_code == 0, done.output
        assert "a" in done.output

    def test_folders_of_different_kinds(self, tmp_path: Path) -> None:
        for name in ("site=a", "year=1"):
            (tmp_path / name).mkdir()
            _frame(right=True).write_csv(tmp_path / name / "p.csv")
        with pytest.raises(InputError, match=r"state 'site' and those of .* 'year'; .*read them apart"):
            read(tmp_path, partitions=True)

    def test_patterns_elsewhere(self) -> None:
        with pytest.raises(InputError, match="a pattern in an object store"):
            partitions_of(["s3://bucket/site=a/*.parquet"], ["truth"])

    def test_no_such_folder(self, tmp_path: Path) -> None:
        _frame(right=True).write_csv(tmp_path / "p.csv")
        with pytest.raises(InputError, match=r"no folder of .* is named like column=value; leave it out"):
            read(tmp_path / "p.csv", partitions=True)


class TestColumnsThatDifferInCase:
    """``Pred`` and ``pred`` are two columns."""

    @pytest.mark.parametrize(
        ("ending", "rows"), [*((ending, 8) for ending in WRITERS), ("parquet", LARGE), ("arrow", LARGE)]
    )
    def test_the_asked_one_is_read(self, tmp_path: Path, ending: str, rows: int) -> None:
        truth = [place % 2 for place in range(rows)]
        frame = pl.DataFrame({"Pred": [1 - one for one in truth], "truth": truth, "pred": truth, "PRED": [1] * rows})
        WRITERS[ending](frame, tmp_path / f"p.{ending}")
        for column, right in (("pred", 1.0), ("Pred", 0.0), ("PRED", 0.5)):
            found = read(tmp_path / f"p.{ending}", truth="truth", predictions=column)
            assert float(estimate(found, "accuracy")) == right

    def test_several_parquet_files_in_another_order(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"Pred": [0, 1], "truth": [1, 0], "pred": [1, 0]})
        frame.write_parquet(tmp_path / "1.parquet")
        frame.write_parquet(tmp_path / "2.parquet")
        assert float(estimate(read(tmp_path, truth="truth", predictions="pred"), "accuracy")) == 1.0
        frame.select("pred", "truth", "Pred").write_parquet(tmp_path / "2.parquet")
        with pytest.raises(InputError, match="differ only in case"):
            read(tmp_path, truth="truth", predictions="pred")

    def test_a_column_twice_in_arrow(self, tmp_path: Path) -> None:
        table = pa.table([[1, 0], [1, 0], [0, 1]], names=["truth", "pred", "pred"])
        with pa.OSFile(str(tmp_path / "p.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        with pytest.raises(InputError, match=r"'pred', which .* has more than once"):
            read(tmp_path / "p.arrow", truth="truth", predictions="pred")


class TestWalls:
    """The engine reaches what it was given, and fetches nothing."""

    def test_other_files_are_out_of_reach(self, tmp_path: Path) -> None:
        for name in ("in.csv", "out.csv"):
            (tmp_path / name).write_text("a\n1\n")
        with Duck() as duck:
            duck.admit([str(tmp_path / "in.csv")])
            sql = "SELECT * FROM read_csv($file)"
            assert duck.rows(sql, {"file": str(tmp_path / "in.csv")}, source="in") == [(1,)]
            for forbidden in (
                f"SELECT * FROM read_csv('{tmp_path}/out.csv')",
                f"SELECT * FROM read_text('{tmp_path}/*')",
                f"COPY (SELECT 1) TO '{tmp_path}/new.csv'",
                "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
                f"ATTACH '{tmp_path}/x.db'",
                "INSTALL httpfs",
                "SET enable_external_access = true",
            ):
                with pytest.raises(InputError):
                    duck.rows(forbidden, {}, source="it")
        assert not (tmp_path / "new.csv").exists()

    def test_without_files_nothing_is_reached(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text("a\n1\n")
        with Duck() as duck, pytest.raises(InputError, match="cannot be read"):
            duck.rows(f"SELECT * FROM read_csv('{tmp_path}/a.csv')", {}, source="it")

    def test_extensions_are_never_fetched(self) -> None:
        with Duck() as duck:
            duck.admit(["http://127.0.0.1:9/x.csv"])
            sql = "SELECT value FROM duckdb_settings() WHERE name = 'autoinstall_known_extensions'"
            assert duck.rows(sql, {}, source="it") == [("false",)]


def test_slices_of_a_literal_name(tmp_path: Path) -> None:
    frame = _frame(right=True).with_columns(site=pl.Series(["a", "b"] * 4))
    frame.write_csv(tmp_path / "s[1].csv")
    _frame(right=False).with_columns(site=pl.Series(["a", "b"] * 4)).write_csv(tmp_path / "s1.csv")
    found = read_slices(tmp_path / "s[1].csv", by="site", truth="truth", predictions="pred")
    assert {float(estimate(one, "accuracy")) for one in found.values()} == {1.0}
