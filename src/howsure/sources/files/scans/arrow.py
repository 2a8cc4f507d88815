"""Arrow files (Feather version 2) and streams, checked before DuckDB reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from howsure.errors import InputError, need_extra
from howsure.errors.messages.sources import files as messages
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.scans.scan import NOT_READ, TypedScan


@dataclass(frozen=True)
class ArrowScan(TypedScan):
    """Files of Arrow; ``relation`` makes the object to register before a query."""

    relation: Callable[[], Any]

    def ready(self) -> Duck:
        """Return the engine, which knows the Arrow object, good for one query, by the name that the SQL has."""
        self.duck.register(self.sql, self.relation())
        return self.duck

    def with_partitions(self) -> Self:
        """Refuse: Arrow files have no folders for the engine."""
        raise InputError(messages.PARTITIONS_IS_TRUE_IS_ARROW_FILE(name=self.name))


def scan_arrow(files: Sequence[str], kind: str, duck: Duck) -> ArrowScan:
    """Return Arrow files, or one stream."""
    try:
        import pyarrow as pa
        from pyarrow import dataset, ipc
    except ImportError:
        raise need_extra("pyarrow", "files", messages.READING_ARROW_FILES()) from None

    def stream() -> Any:
        return ipc.open_stream(pa.memory_map(files[0]))

    try:
        schema = ipc.open_file(pa.memory_map(files[0])).schema
        if len(set(schema.names)) < len(schema.names):  # which a dataset does not take
            relation = _in_turn(files, schema)
        else:
            found = dataset.dataset(list(files), format="ipc")
            schema, relation = found.schema, lambda: found
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        try:
            schema, relation = stream().schema, stream
        except (pa.ArrowException, OSError, UnicodeDecodeError):
            raise InputError(messages.CANNOT_BE_READ(files=files[0], error=error)) from None
    _check(files[0], relation)
    types = tuple(_sql_type(field.type) for field in schema)
    names = tuple(schema.names)
    if len({name.lower() for name in names}) < len(names) or not all(map(_is_read, schema.types)):
        names = tuple(f"c{place}" for place in range(len(names)))
        relation = _as_readable(relation, schema, names)
    return ArrowScan(duck, tuple(files), tuple(schema.names), "howsure_arrow", {}, types, names, relation)


def _in_turn(files: Sequence[str], schema: Any) -> Callable[[], Any]:
    """Return what makes a reader of the batches of files, one file after the other."""
    import pyarrow as pa

    def batches() -> Any:
        for name in files:
            opened = pa.ipc.open_file(pa.memory_map(name))
            yield from (opened.get_batch(place) for place in range(opened.num_record_batches))

    return lambda: pa.RecordBatchReader.from_batches(schema, batches())


def _check(name: str, relation: Callable[[], Any]) -> None:
    """Refuse damaged batches: DuckDB trusts their offsets and codes, and would read beyond them."""
    import pyarrow as pa

    try:
        found = relation()
        for batch in found if isinstance(found, pa.RecordBatchReader) else found.to_batches():
            batch.validate(full=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise InputError(messages.DAMAGED_FETCH_OR_WRITE_AGAIN(name=name, reason=reason)) from None


def _as_readable(relation: Callable[[], Any], schema: Any, names: Sequence[str]) -> Callable[[], Any]:
    """Return what makes a reader of the same rows in types that DuckDB has, under names that it tells apart."""
    import pyarrow as pa

    types = [one if _is_read(one) else pa.float32() if pa.types.is_float16(one) else pa.null() for one in schema.types]
    target = pa.schema(list(zip(names, types, strict=True)))

    def batches() -> Any:
        found = relation()
        for batch in found if isinstance(found, pa.RecordBatchReader) else found.to_batches():
            columns = [
                pa.nulls(len(batch)) if wanted == pa.null() and column.type != wanted else column.cast(wanted)
                for column, wanted in zip(batch.columns, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=target)

    return lambda: pa.RecordBatchReader.from_batches(target, batches())


def _is_read(dtype: Any) -> bool:
    """Say whether DuckDB reads a type as it is."""
    from pyarrow import types

    if types.is_dictionary(dtype):
        return _is_read(dtype.value_type)
    if types.is_nested(dtype):
        parts = [dtype.field(place).type for place in range(dtype.num_fields)]
        return not types.is_union(dtype) and not types.is_run_end_encoded(dtype) and all(map(_is_read, parts))
    known = (
        types.is_null, types.is_boolean, types.is_integer, types.is_float32, types.is_float64, types.is_string,
        types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary, types.is_date,
        types.is_time, types.is_timestamp, types.is_duration, types.is_interval, types.is_fixed_size_binary,
    )  # fmt: skip
    return any(one(dtype) for one in known) or (types.is_decimal(dtype) and not types.is_decimal256(dtype))


def _sql_type(dtype: Any) -> str:
    from pyarrow import types

    if types.is_float16(dtype):
        return "FLOAT"
    if types.is_nested(dtype):
        return str(dtype).upper()
    if not _is_read(dtype):
        return f"{NOT_READ} {dtype}"
    if types.is_dictionary(dtype):
        return "ENUM"
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "VARCHAR"
    if types.is_decimal(dtype):
        return "DECIMAL"
    return str(dtype).upper()
