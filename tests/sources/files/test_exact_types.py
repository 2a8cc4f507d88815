"""Values of files as they are: decimals exactly, nested ones refused, half floats, long headers."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from howsure.errors import InputError
from howsure.estimates.estimate import estimate
from howsure.sources.read import read

BIG = 123_456_789_012_345_678
TRUTH, PRED = [BIG, BIG + 1] * 4, [BIG, BIG] * 4
EXACT = {
    "decimal(18, 0)": "DECIMAL(18, 0)",
    "decimal(38, 0)": "DECIMAL(38, 0)",
    "decimal(24, 4)": "DECIMAL(24, 4)",
    "bigint": "BIGINT",
}


def _parquet(path: Path, dtype: str) -> Path:
    rows = ", ".join(f"({one}, {other})" for one, other in zip(TRUTH, PRED, strict=True))
    sql = f"SELECT t::{dtype} AS truth, p::{dtype} AS pred, row_number() OVER () AS id FROM (VALUES {rows}) v(t, p)"
    duckdb.sql(sql).write_parquet(str(path))
    return path


def _typed(values: list[int], dtype: pa.DataType) -> pa.Array:
    return pa.array([Decimal(one) for one in values] if pa.types.is_decimal(dtype) else values, dtype)


class TestExactly:
    """Neighbours that doubles do not tell apart are two classes."""

    @pytest.mark.parametrize("dtype", list(EXACT))
    def test_parquet(self, tmp_path: Path, dtype: str) -> None:
        found = read(_parquet(tmp_path / "a.parquet", EXACT[dtype]), truth="truth", predictions="pred")
        assert found.labels == (BIG, BIG + 1)
        assert float(estimate(found, "accuracy")) == 0.5

    @pytest.mark.parametrize("dtype", [pa.decimal128(18, 0), pa.decimal128(38, 0), pa.int64(), pa.uint64()])
    def test_arrow(self, tmp_path: Path, dtype: pa.DataType) -> None:
        table = pa.table({"truth": _typed(TRUTH, dtype), "pred": _typed(PRED, dtype)})
        pyarrow.feather.write_feather(table, tmp_path / "a.arrow")
        found = read(tmp_path / "a.arrow", truth="truth", predictions="pred")
        assert (found.labels, float(estimate(found, "accuracy"))) == ((BIG, BIG + 1), 0.5)

    @pytest.mark.parametrize(("ending", "after"), [("csv", ""), ("csv", ".0"), ("jsonl", ""), ("json", "")])
    def test_text(self, tmp_path: Path, ending: str, after: str) -> None:
        rows = [(f"{one}{after}", f"{other}{after}") for one, other in zip(TRUTH, PRED, strict=True)]
        objects = [f'{{"truth": {one}, "pred": {other}}}' for one, other in rows]
        text = {
            "csv": "truth,pred\n" + "\n".join(f"{one},{other}" for one, other in rows),
            "jsonl": "\n".join(objects),
            "json": f"[{', '.join(objects)}]",
        }[ending]
        (tmp_path / f"a.{ending}").write_text(text)
        found = read(tmp_path / f"a.{ending}", truth="truth", predictions="pred")
        assert (found.labels, float(estimate(found, "accuracy"))) == ((BIG, BIG + 1), 0.5)

    def test_long_integers_of_json(self, tmp_path: Path) -> None:
        (tmp_path / "a.jsonl").write_text(f'{{"truth": {BIG}{BIG}, "pred": {BIG}{BIG + 1}}}\n' * 2)
        assert read(tmp_path / "a.jsonl").labels == (int(f"{BIG}{BIG}"), int(f"{BIG}{BIG + 1}"))

    def test_numbers_that_json_readers_round_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a.jsonl").write_text(f'{{"truth": {BIG}.0, "pred": 1, "other": 1e300}}\n' * 2)
        with pytest.raises(InputError, match=r"'truth' is a number that readers of JSON round"):
            read(tmp_path / "a.jsonl", truth="truth", predictions="pred")

    def test_ids(self, tmp_path: Path) -> None:
        ids = _typed([BIG, BIG + 1, BIG + 2], pa.decimal128(18, 0))
        for name, pred in (("a", [1, 0, 1]), ("b", [0, 0, 1])):
            table = pa.table({"id": ids, "truth": [1, 0, 1], "pred": pred})
            pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
        found = read([tmp_path / "a.parquet", tmp_path / "b.parquet"], id="id")
        assert found.n == 3

    def test_groups_in_pairs_and_fractions(self, tmp_path: Path) -> None:
        groups = _typed([BIG, BIG + 1] * 4, pa.decimal128(18, 0))
        table = pa.table({"truth": [1, 0] * 4, "pred": [1, 1] * 4, "patient": groups})
        pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet", truth="truth", predictions="pred", group="patient").n_groups == 2
        scores = pa.table({"truth": [1, 0] * 4, "pred": pa.array([0.25, 0.75] * 4).cast(pa.decimal128(4, 2))})
        pyarrow.parquet.write_table(scores, tmp_path / "b.parquet")
        with pytest.raises(InputError, match=r"not a whole number.*scores"):
            read(tmp_path / "b.parquet", truth="truth", predictions="pred")


NESTED: dict[str, Any] = {
    "struct": pa.array([{"a": 1}, {"a": 2}]),
    "list": pa.array([[1], [2]]),
    "list of structs": pa.array([[{"a": 1}], []]),
    "map": pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int8())),
    "half in a struct": pa.array([{"a": np.float16(1)}] * 2, pa.struct([("a", pa.float16())])),
}
BESIDE: dict[str, Any] = NESTED | {
    "half float": pa.array(np.array([1, 0], np.float16)),
    "decimal of 256 bits": pa.array([Decimal(1), Decimal(2)], pa.decimal256(50, 2)),
    "duration": pa.array([1, 2], pa.duration("s")),
}


def _written(column: pa.Array, path: Path) -> Path:
    table = pa.table({"truth": [1, 0], "pred": [1, 0], "odd": column})
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path)
    return path


class TestNested:
    """Columns that are no column of labels: refused by name, and no hindrance beside those that are read."""

    @pytest.mark.parametrize("ending", ["arrow", "parquet"])
    @pytest.mark.parametrize("kind", list(NESTED))
    def test_refused(self, tmp_path: Path, kind: str, ending: str) -> None:
        if ending == "parquet" and kind == "half in a struct":
            kind = "struct"
        path = _written(NESTED[kind], tmp_path / f"a.{ending}")
        for argument, names in (
            ("truth", {"truth": "odd", "predictions": "pred"}),
            ("predictions", {"truth": "truth", "predictions": ["pred", "odd"]}),
            ("group", {"truth": "truth", "predictions": "pred", "group": "odd"}),
            ("weight", {"truth": "truth", "predictions": "pred", "weight": "odd"}),
        ):
            with pytest.raises(InputError, match=rf"^{argument} names the column 'odd' of .*, which is of type \w+"):
                read(path, **names)

    @pytest.mark.parametrize("kind", list(BESIDE))
    def test_beside_other_columns(self, tmp_path: Path, kind: str) -> None:
        found = read(_written(BESIDE[kind], tmp_path / "a.arrow"))
        assert (found.n, found.models) == (2, ("pred",))
        if kind not in ("half in a struct", "decimal of 256 bits", "duration"):
            assert read(_written(BESIDE[kind], tmp_path / "a.parquet"), truth="truth", predictions="pred").n == 2

    def test_half_floats_are_whole_numbers_too(self, tmp_path: Path) -> None:
        half = pa.array(np.array([1, 0, 1], np.float16))
        pyarrow.feather.write_feather(pa.table({"truth": half, "pred": half}), tmp_path / "a.arrow")
        assert float(estimate(read(tmp_path / "a.arrow"), "accuracy")) == 1.0
        pyarrow.parquet.write_table(pa.table({"truth": half, "pred": half}), tmp_path / "a.parquet")
        assert float(estimate(read(tmp_path / "a.parquet"), "accuracy")) == 1.0


class TestLongHeaders:
    """A header of more than 131 072 characters, which is where Python's csv module stops."""

    @pytest.mark.parametrize("ending", ["csv", "tsv"])
    def test_many_columns(self, tmp_path: Path, ending: str) -> None:
        mark = "," if ending == "csv" else "\t"
        names = [f"column_{place:08d}" for place in range(9000)]
        rows = [["1", "1", *["x"] * 9000], ["0", "1", *["x"] * 9000]]
        lines = [["truth", "pred", *names], *rows]
        (tmp_path / f"a.{ending}").write_text("\n".join(mark.join(line) for line in lines) + "\n")
        assert read(tmp_path / f"a.{ending}", truth="truth", predictions="pred").n == 2

    def test_a_long_name_and_a_long_label(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text(f"truth,pred,{'x' * 200_000}\n1,1,0\n0,1,0\n")
        assert read(tmp_path / "a.csv").n == 2
        (tmp_path / "b.csv").write_text(f"truth,pred\n{'x' * 200_000},a\na,\n")
        with pytest.raises(InputError, match=r"'pred' is missing in 1 \(first at line 3\)") as caught:
            read(tmp_path / "b.csv")
        assert len(str(caught.value)) < 1000

    def test_a_line_that_is_no_header(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text("x" * ((1 << 24) + 1))
        with pytest.raises(InputError, match="line 1 has 16,777,217 characters"):
            read(tmp_path / "a.csv")
