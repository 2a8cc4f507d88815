"""Every kind of data through polars' lazy frames and DuckDB: the same table to the last count, and only aggregates."""

from __future__ import annotations

from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from support.kinds import KINDS, LONG, N, check_same, columns, long_columns

FRAME = pl.DataFrame(columns())


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of rows that lazy frames were asked for."""
    rows: list[int] = []
    whole = nw.LazyFrame.collect

    def watched(self: Any, *given: Any, **more: Any) -> Any:
        answer = whole(self, *given, **more)
        rows.append(len(answer))
        return answer

    monkeypatch.setattr(nw.LazyFrame, "collect", watched)
    return rows


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_table_from_aggregates(kind: str, engine: str, fetched: list[int]) -> None:
    connection = duckdb.connect()
    connection.register("held", FRAME.to_arrow())
    check_same(kind, FRAME.lazy() if engine == "polars" else connection.sql("SELECT * FROM held"), FRAME)
    assert fetched
    assert max(fetched) < N


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("kind", LONG)
def test_long_tables_are_paired_by_their_ids(kind: str, engine: str) -> None:
    """Their rows do come back, for the ids pair them; the table is the same."""
    frame, connection = pl.DataFrame(long_columns(2 if kind == "long runs" else 1)), duckdb.connect()
    connection.register("held", frame.to_arrow())
    check_same(kind, frame.lazy() if engine == "polars" else connection.sql("SELECT * FROM held"), frame)
