"""Parquet files, whose columns state their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from howsure.sources.files.duckdb_engine import Duck, quote
from howsure.sources.files.scans.scan import TypedScan


class ParquetScan(TypedScan):
    """Files of Parquet."""

    def first_bad(self, column: str, is_bad: Callable[[Any], bool], most: int | None = None) -> str:
        """Return the first row without a value, in words: others are not sought."""
        if not is_bad(None):
            return ""
        sql = (
            "SELECT filename, file_row_number FROM read_parquet($files, filename=true, file_row_number=true) "
            f"WHERE {quote(column)} IS NULL ORDER BY ALL LIMIT 1"
        )
        return "".join(f" (first in row {row + 1}{self.part(file)})" for file, row in self.rows(sql))


def scan_parquet(files: Sequence[str], kind: str, duck: Duck) -> ParquetScan:
    """Return Parquet files."""
    sql, parameters = "read_parquet($files)", {"files": list(files)}
    columns = duck.rows(f"DESCRIBE SELECT * FROM {sql}", parameters, source=repr(files[0]))
    types = {name: dtype for name, dtype, *_ in columns}
    return ParquetScan(duck, tuple(files), tuple(types), sql, parameters, types)
