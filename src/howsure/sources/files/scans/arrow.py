"""Arrow files (Feather version 2) and streams, checked before DuckDB reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.errors import InputError, need_extra
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.scans.scan import TypedScan


@dataclass(frozen=True)
class ArrowScan(TypedScan):
    """Files of Arrow; ``relation`` makes the object to register before a query."""

    relation: Callable[[], Any]

    def ready(self) -> Duck:
        """Return the engine, which knows the Arrow object, good for one query, by the name that the SQL has."""
        self.duck.register(self.sql, self.relation())
        return self.duck


def scan_arrow(files: Sequence[str], kind: str, duck: Duck) -> ArrowScan:
    """Return Arrow files, or one stream."""
    try:
        import pyarrow as pa
        from pyarrow import dataset, ipc
    except ImportError:
        raise need_extra("pyarrow", "files", "reading Arrow files") from None

    def stream() -> Any:
        return ipc.open_stream(pa.memory_map(files[0]))

    try:
        found = dataset.dataset(list(files), format="ipc")
        schema, relation = found.schema, lambda: found
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        try:
            schema, relation = stream().schema, stream
        except (pa.ArrowException, OSError, UnicodeDecodeError):
            raise InputError(
                f"{files[0]!r} cannot be read: {error}; check that it is a complete Arrow (Feather version 2) file"
            ) from None
    _check(files[0], relation)
    types = {field.name: _sql_type(field.type) for field in schema}
    return ArrowScan(duck, tuple(files), tuple(schema.names), "howsure_arrow", {}, types, relation)


def _check(name: str, relation: Callable[[], Any]) -> None:
    """Refuse damaged batches: DuckDB trusts their offsets and codes, and would read beyond them."""
    import pyarrow as pa

    try:
        found = relation()
        for batch in found if isinstance(found, pa.RecordBatchReader) else found.to_batches():
            batch.validate(full=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise InputError(f"{name!r} is damaged: {reason}; fetch or write it again") from None


def _sql_type(dtype: Any) -> str:
    from pyarrow import types

    if types.is_dictionary(dtype):
        return "ENUM"
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "VARCHAR"
    if types.is_decimal(dtype):
        return "DECIMAL"
    return str(dtype).upper()
