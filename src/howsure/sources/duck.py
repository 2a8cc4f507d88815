"""DuckDB as the embedded engine: bounded memory, a hook for progress, and errors in our own words."""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from howsure.errors import InputError, need_extra

Progress = Callable[[float], None]
_TICK = 0.1
_BATCH = 1 << 18
_MEGABYTES = 400
_MEGABYTES_A_THREAD = 60


class Duck:
    """One in-memory DuckDB connection with limits on memory and threads; spills to a directory that goes with it."""

    def __init__(
        self, *, memory: str | None = None, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        self._memory, self._threads, self._progress = memory, threads or os.cpu_count() or 1, progress

    @cached_property
    def _connection(self) -> Any:
        """The connection, made when first needed: small files do without."""
        try:
            import duckdb
        except ImportError:
            raise need_extra("duckdb", "files", "reading this file") from None
        self._error = duckdb.Error
        limits: dict[str, Any] = {
            "memory_limit": self._memory or f"{max(_MEGABYTES, _MEGABYTES_A_THREAD * self._threads)}MB",
            "threads": self._threads,
            "preserve_insertion_order": False,
        }
        made = _connected(duckdb, limits)
        self._spill = tempfile.TemporaryDirectory(prefix="howsure-")
        made.execute("SET temp_directory = $directory", {"directory": self._spill.name})
        return made

    def __enter__(self) -> Duck:
        return self

    def __exit__(self, *_: object) -> None:
        if "_connection" in vars(self):
            self._connection.close()
            self._spill.cleanup()

    def register(self, name: str, data: Any) -> None:
        """Let queries see an Arrow dataset, reader or table under a name."""
        self._connection.register(name, data)

    def run(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> None:
        """Run a statement that returns nothing."""
        self.rows(sql, parameters, source=source)

    def rows(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> list[tuple[Any, ...]]:
        """Return all rows of a small result."""
        with self._translated(source):
            return list(self._run(lambda: self._connection.execute(sql, _used(sql, parameters))).fetchall())

    def names(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> list[tuple[str, str]]:
        """Return the columns of a query with their types, without running it."""
        return [(row[0], row[1]) for row in self.rows(f"DESCRIBE {sql}", parameters, source=source)]

    def batches(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> Iterator[Any]:
        """Yield the result as Arrow record batches."""

        def work() -> Any:
            relation = self._connection.sql(sql, params=_used(sql, parameters))
            reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
            return reader(_BATCH)

        with self._translated(source):
            yield from self._run(work)

    def _run(self, work: Callable[[], Any]) -> Any:
        return work() if self._progress is None else self._watched(work, self._progress)

    def _watched(self, work: Callable[[], Any], progress: Progress) -> Any:
        """Run in another thread, and tell how far it is until it ends."""
        answer: list[Any] = []

        def run() -> None:
            try:
                answer.append(work())
            except BaseException as error:
                answer.append(error)

        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(_TICK)
                progress(self._share_done())
        except BaseException:
            self._connection.interrupt()
            worker.join()
            raise
        if isinstance(answer[0], BaseException):
            raise answer[0]
        progress(1.0)
        return answer[0]

    def _share_done(self) -> float:
        return min(max(float(self._connection.query_progress()) / 100, 0.0), 1.0)

    @contextmanager
    def _translated(self, source: str) -> Iterator[Any]:
        connection = self._connection
        try:
            yield connection
        except self._error as error:
            raise _refusal(source, error) from None


def _connected(duckdb: Any, limits: dict[str, Any]) -> Any:
    try:
        return duckdb.connect(config=limits)
    except duckdb.Error as error:
        raise InputError(
            f"memory is {limits['memory_limit']!r} and threads {limits['threads']!r}, which DuckDB does not take "
            f"({_first_line(error)}); give memory such as '400MB' and threads such as 2"
        ) from None


def _used(sql: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a query names: DuckDB refuses others."""
    return {name: parameters[name] for name in re.findall(r"\$(\w+)", sql) if name in parameters}


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]


def _refusal(source: str, error: Exception) -> InputError:
    reason = _first_line(error)
    if "Out of Memory" in reason or "OutOfMemory" in type(error).__name__:
        remedy = "give more memory with memory='2GB', fewer threads, or read fewer models at a time"
    elif "httpfs" in reason or "HTTP" in reason:
        remedy = "reading URLs needs DuckDB's extension httpfs and access to the host; or fetch the file first"
    else:
        remedy = "check that the file is complete and of the format that its name or format= says"
    return InputError(f"{source} cannot be read: {reason}; {remedy}")


def quote(identifier: str) -> str:
    """Return a name as an SQL identifier, whatever characters it holds.

    >>> print(quote('a "b" c'))
    "a ""b"" c"
    """
    return '"' + identifier.replace('"', '""') + '"'
