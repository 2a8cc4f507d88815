"""Files that cannot be read say so, and what to do."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from howsure.errors import InputError
from howsure.sources.files import duckdb_engine, formats
from howsure.sources.read import read
from support import doors
from support.written import text, write_csv


class TestRefusals:
    """Files that cannot be read say so, and what to do."""

    def test_no_such_file(self, tmp_path: Path) -> None:
        text(tmp_path / "preds.csv", "y,p\n1,1\n")
        with pytest.raises(InputError, match=r"there is no such file; check the path. Did you mean 'preds.csv'"):
            read(tmp_path / "pred.csv")
        with pytest.raises(InputError, match="no file matches this pattern"):
            read(str(tmp_path / "*.parquet"))

    @pytest.mark.parametrize(
        ("content", "words"), [("", "is empty"), ("\n\n", "has no text"), ("y,p\n", "none of its 0 rows")]
    )
    def test_empty(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(text(tmp_path / "a.csv", content), truth="y", predictions="p")

    def test_missing_column(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "label,svm\n1,1\n")
        with pytest.raises(
            InputError, match=r"'lable', which .* does not have; its columns are 'label', 'svm'. Did you mean 'label'"
        ):
            read(path, truth="lable", predictions="svm")

    def test_a_model_called_like_the_truth(self, tmp_path: Path) -> None:
        path = text(tmp_path / "a.csv", "label,svm\n1,1\n")
        for source in (path, pl.DataFrame({"label": [1], "svm": [1]})):
            with pytest.raises(InputError, match="predictions calls a model 'label', which is the column of the truth"):
                read(source, truth="label", predictions={"label": "svm"})

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

    def test_truncated_arrow_and_gzip(self, tmp_path: Path) -> None:
        pyarrow.feather.write_feather(pa.table(doors.make_columns()), tmp_path / "a.feather")
        path = write_csv(tmp_path / "a.csv.gz", doors.make_columns())
        for name in ("a.feather", "a.csv.gz"):
            whole = (tmp_path / name).read_bytes()
            (tmp_path / name).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match="complete Arrow"):
            read(tmp_path / "a.feather", truth=doors.TRUTH, predictions=list(doors.MODELS))
        with pytest.raises(InputError, match="is a damaged gzip file"):
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

    def test_not_utf8(self, tmp_path: Path) -> None:
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

    def test_parts_with_other_beginnings(self, tmp_path: Path) -> None:
        text(tmp_path / "a.csv", "y,p\n1,1\n")
        text(tmp_path / "b.csv", "\n\ny,p\n1,1\n")
        with pytest.raises(InputError, match=r"b\.csv' has 2 blank lines before its header but '.*a\.csv' has 0"):
            read(str(tmp_path / "*.csv"), truth="y", predictions="p")

    def test_limits_of_the_engine(self, tmp_path: Path) -> None:
        pl.DataFrame({"y": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="y", predictions="p", memory="200MB", threads=1).n == 1
        with pytest.raises(InputError, match="memory is 'lots'"):
            read(tmp_path / "a.parquet", truth="y", predictions="p", memory="lots")

    @pytest.mark.parametrize("memory", ["400", "lots", "-2GB", "0MB", "2PB", "120%", "", " ", "1e3", 400])
    def test_memory_is_checked_where_no_engine_starts(self, tmp_path: Path, memory: object) -> None:
        small = text(tmp_path / "a.csv", "y,p\n1,1\n")
        for source in (small, pl.DataFrame({"y": [1], "p": [1]})):
            with pytest.raises(InputError) as refusal:
                read(source, truth="y", predictions="p", memory=memory)  # type: ignore[arg-type]
            assert str(refusal.value) == (
                f"memory is {memory!r}; it must be a number with a unit, or a share of the machine's; give it such as "
                "'400MB', '1.5GiB' or '80%'"
            )

    @pytest.mark.parametrize("memory", ["400MB", "400 MB", "400mb", "1.5GiB", ".5GB", "2G", "80%", "12.5 %", "1TB"])
    def test_memory_as_the_engine_takes_it(self, tmp_path: Path, memory: str) -> None:
        pl.DataFrame({"y": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="y", predictions="p", memory=memory, threads=1).n == 1

    @pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
    def test_threads(self, tmp_path: Path, threads: object) -> None:
        with pytest.raises(InputError) as refusal:
            read(text(tmp_path / "a.csv", "y,p\n1,1\n"), truth="y", predictions="p", threads=threads)  # type: ignore[arg-type]
        assert (
            str(refusal.value) == f"threads is {threads!r}; it must be a whole number, 1 or larger; give it such as 2"
        )

    def test_predictions(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="predictions is 3; name the column, a list of columns, or a mapping"):
            read(text(tmp_path / "a.csv", "y,p\n1,1\n"), truth="y", predictions=3)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("source", "extension"),
        [
            ("s3://bucket/a.parquet", "httpfs"),
            ("s3://bucket/a.csv", "httpfs"),
            ("https://host.invalid/a.tsv.gz", "httpfs"),
            ("az://box/a.parquet", "azure"),
            ("https://host.invalid/a.jsonl", "httpfs"),
        ],
    )
    def test_object_stores_without_the_extension(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, extension: str
    ) -> None:
        """A real DuckDB that finds no extension: where it keeps them and where it fetches them from is empty."""
        nowhere = {"extension_directory": str(tmp_path), "custom_extension_repository": str(tmp_path)}
        connected = duckdb_engine._connected
        monkeypatch.setattr(duckdb_engine, "_connected", lambda module, limits: connected(module, limits | nowhere))
        with pytest.raises(InputError) as refusal:
            read(source, truth="y", predictions="p")
        assert str(refusal.value).startswith(f"{source!r} cannot be read: reading it needs DuckDB's extension")
        assert f"duckdb.sql('INSTALL {extension}')" in str(refusal.value)
