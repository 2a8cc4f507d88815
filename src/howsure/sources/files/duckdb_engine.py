"""DuckDB as the embedded engine: bounded memory, a hook for progress, errors in our own words, and two walls.

It fetches no extension by itself, and of the file system it reaches the files it was given and its own folder, unless
one of them is a URL.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import Any

from howsure.errors import InputError, need_extra, setting
from howsure.errors.messages.sources import files as messages
from howsure.sources.files.formats import is_url

ReadProgress = Callable[[float], None]
_TICK = 0.1
_EXTENSION = re.compile(r"extension '(\w+)")
_STEP, _BATCH = 1 << 16, 1 << 18
_ODD = re.compile(r"[*?\[\]{}\\]|^~")
"""What the engine would expand in a name: patterns, and the folder of a user."""
_MEGABYTES = 400
_MEGABYTES_A_THREAD = 60


class UnevenLines(InputError):
    """Lines of one file that end in different ways, which DuckDB does not read."""


class Duck:
    """One in-memory DuckDB connection with limits on memory and threads; spills to a directory that goes with it."""

    def __init__(
        self, *, memory: str | None = None, threads: int | None = None, progress: ReadProgress | None = None
    ) -> None:
        self._memory, self._threads, self._progress = memory, threads or os.cpu_count() or 1, progress
        self._links: dict[str, str] = {}
        self._admitted: list[str] | None = []

    def admit(self, files: Sequence[str]) -> None:
        """Say which files will be read, before any is: the engine gets at no others, unless some are elsewhere."""
        self._admitted = None if any(map(is_url, files)) else [self.place(name) for name in files]

    def place(self, name: str) -> str:
        """Return a name under which the engine finds just this file: one that it would expand is linked to."""
        if is_url(name) or not _ODD.search(name):
            return name
        if name not in self._links:
            ending = re.search(r"(\.\w+)?(\.gz|\.zst)?$", name)
            link = os.path.join(self.folder, f"link{len(self._links)}{ending[0] if ending else ''}")
            os.symlink(os.path.abspath(name), link)
            self._links[name] = link
        return self._links[name]

    def name_of(self, place: str) -> str:
        """Return the name of a file that the engine knows by its place."""
        return next((name for name, link in self._links.items() if link == place), place)

    @cached_property
    def _spill(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="howsure-")

    @cached_property
    def _connection(self) -> Any:
        """The connection, made when first needed."""
        try:
            import duckdb
        except ImportError:
            raise need_extra("duckdb", "files", messages.READING_FILE()) from None
        self._error = duckdb.Error
        limits: dict[str, Any] = {
            "memory_limit": self._memory or f"{max(_MEGABYTES, _MEGABYTES_A_THREAD * self._threads)}MB",
            "threads": self._threads,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
        }
        made = _connected(duckdb, limits)
        made.execute("SET temp_directory = $directory", {"directory": self.folder})
        if self._admitted is not None:
            made.execute(f"SET allowed_directories = [{literal(self.folder)}]")
            made.execute(f"SET allowed_paths = [{', '.join(map(literal, self._admitted))}]")
            made.execute("SET enable_external_access = false")  # which cannot be taken back
        # Its own bar would be printed among the results; a notebook without ipywidgets has none, and refuses.
        with suppress(duckdb.InvalidInputException):
            made.execute(
                f"SET enable_progress_bar = {self._progress is not None}; SET enable_progress_bar_print = false"
            )
        return made

    def __enter__(self) -> Duck:
        return self

    def __exit__(self, *_: object) -> None:
        if "_connection" in vars(self):
            self._connection.close()
        if "_spill" in vars(self):
            self._spill.cleanup()

    @property
    def folder(self) -> str:
        """A directory that goes with the connection."""
        return self._spill.name

    def register(self, name: str, data: Any) -> None:
        """Let queries see an Arrow dataset, reader or table under a name."""
        self._connection.register(name, data)

    def rows(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> list[tuple[Any, ...]]:
        """Return all rows of a small result."""
        return [row for rows in self.steps(sql, parameters, source=source) for row in rows]

    def steps(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a result, some at a time: to load Arrow would take longer than to count a small file."""
        connection, used = self._connection, _used(sql, parameters)
        return self._pieces(lambda: connection.execute(sql, used), lambda found: found.fetchmany(_STEP) or None, source)

    def batches(self, sql: str, parameters: Mapping[str, Any], *, source: str) -> Iterator[Any]:
        """Yield the result as Arrow record batches."""
        relation = partial(self._connection.sql, sql, params=_used(sql, parameters))
        return self._pieces(lambda: relation().to_arrow_reader(_BATCH), lambda reader: next(reader, None), source)

    def _pieces(self, start: Callable[[], Any], take: Callable[[Any], Any], source: str) -> Iterator[Any]:
        with self._translated(source):
            found = self._run(start)
            while (piece := self._run(lambda: take(found))) is not None:
                yield piece
        self._tell(1.0)

    @contextmanager
    def in_order(self) -> Iterator[None]:
        """Let a query return the rows of a file in their order, at the price of its speed."""
        self._connection.execute("SET preserve_insertion_order = true")
        try:
            yield
        finally:
            self._connection.execute("SET preserve_insertion_order = false")

    def _run(self, work: Callable[[], Any]) -> Any:
        """Run in another thread and tell how far it is: here, Ctrl-C or an error of the hook is heard at once."""
        answer: list[Any] = []
        ended = threading.Event()  # Thread.join takes a thread for dead after Ctrl-C

        def run() -> None:
            try:
                answer.append(work())
            except BaseException as error:
                answer.append(error)
            ended.set()

        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        try:
            while not ended.wait(_TICK):
                self._tell()
        except BaseException:
            while not ended.wait(_TICK):
                self._connection.interrupt()
            raise
        if isinstance(answer[0], BaseException):
            raise answer[0]
        return answer[0]

    def _tell(self, share: float | None = None) -> None:
        if self._progress is not None:
            found = float(self._connection.query_progress()) / 100 if share is None else share
            self._progress(min(max(found, 0.0), 1.0))

    @contextmanager
    def _translated(self, source: str) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise _refusal(source, error, self._links) from None
        except UnicodeDecodeError as error:
            raise InputError(messages.SOURCE_IS_NOT_UTF_8(source=source, reason=error.reason)) from None


def _connected(duckdb: Any, limits: dict[str, Any]) -> Any:
    try:
        return duckdb.connect(config=limits)
    except duckdb.Error as error:
        raise InputError(
            messages.MEMORY_AND_THREADS_DUCKDB(
                limits=limits["memory_limit"], other_limits=limits["threads"], first_line=_first_line(error)
            )
        ) from None


def _used(sql: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a query names: DuckDB refuses others."""
    return {name: parameters[name] for name in re.findall(r"\$(\w+)", sql) if name in parameters}


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]


def _refusal(source: str, error: Exception, links: Mapping[str, str]) -> InputError:
    reason = _first_line(error)
    for name, link in links.items():
        reason = reason.replace(link, name)
    missing = _EXTENSION.search(reason)
    if missing is not None:
        reason = (
            f"reading it needs DuckDB's extension {missing[1]!r}, which is not installed, and is not fetched unasked"
        )
        remedy = (
            f"where the network allows it, run duckdb.sql('INSTALL {missing[1]}') once; or copy the file here, or give "
            "hs.read a frame that can read it, such as polars.scan_parquet(…)"
        )
    elif "Out of Memory" in reason or "OutOfMemory" in type(error).__name__:
        remedy = f"give more memory with {setting('memory', '2GB')}, fewer threads, or read fewer models at a time"
    elif "HTTP" in reason:
        remedy = "check the address, the access rights and the network; or copy the file here first"
    else:
        remedy = f"check that the file is complete and of the format that its name or {setting('format')} says"
    kind = UnevenLines if "state machine" in reason else InputError
    return kind(f"{source} cannot be read: {reason}; {remedy}")


def quote(identifier: str) -> str:
    """Return a name as an SQL identifier, whatever characters it holds.

    >>> print(quote('a "b" c'))
    "a ""b"" c"
    """
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL has it.

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"
