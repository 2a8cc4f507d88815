"""Databases through Ibis: a PostgreSQL server that the tests start and stop, SQLite, DuckDB."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import doors
from howsure.sources.frames import frame_table
from howsure.sources.read import read, read_slices

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

ibis = pytest.importorskip("ibis", reason="needs the package 'ibis-framework' (extra 'engines')")

HOLES = [(1, 1, "a", 1.0), (0, None, None, 1.0), (None, 0, "a", 2.0), (1, 1, "b", -1.0), (1, 0, "b", 0.5)]


def _programs() -> Path | None:
    found = shutil.which("initdb")
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return Path(found).resolve().parent if found else installed[-1] if installed else None


def _owner() -> str | None:
    """Return the user that may run the server: PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return getpass.getuser()
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else None


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    """Start a PostgreSQL server on loopback in a directory of its own; stop it and remove the directory."""
    psycopg = pytest.importorskip("psycopg", reason="needs the package 'psycopg' (extra 'engines')")
    programs, owner = _programs(), _owner()
    if programs is None or owner is None:
        pytest.skip("needs a PostgreSQL server (Debian package postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="howsure-postgres-"))
    shutil.chown(folder, owner)
    port = _free_port()

    def run(*command: str) -> None:
        subprocess.run(
            [str(programs / command[0]), *command[1:]],
            check=True,
            capture_output=True,
            cwd=folder,
            user=owner if os.getuid() == 0 else None,
            timeout=60,
        )

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "howsure", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        with psycopg.connect(host="127.0.0.1", port=port, user="howsure", dbname="postgres") as connection:
            _fill_postgres(connection)
        backend = ibis.postgres.connect(host="127.0.0.1", port=port, user="howsure", database="postgres")
        yield backend
        backend.disconnect()
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def _fill_postgres(connection: Any) -> None:
    columns = doors.make_columns()
    types = {doors.GROUP: "int", doors.WEIGHT: "double precision"}
    names = ", ".join('"' + name.replace('"', '""') + '" ' + types.get(name, "text") for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE predictions ({names})")
        with cursor.copy("COPY predictions FROM STDIN") as copy:
            for row in zip(*columns.values(), strict=True):
                copy.write_row(row)
        cursor.execute("CREATE TABLE holes (y int, p int, site text, w double precision)")
        cursor.executemany("INSERT INTO holes VALUES (%s, %s, %s, %s)", HOLES)


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an SQLite file with the data."""
    path = tmp_path_factory.mktemp("sqlite") / "data.db"
    columns = doors.make_columns()
    types = {doors.GROUP: "integer", doors.WEIGHT: "real"}
    names = ", ".join('"' + name.replace('"', '""') + '" ' + types.get(name, "text") for name in columns)
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE predictions ({names})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO predictions VALUES ({marks})", zip(*columns.values(), strict=True))
        connection.execute("CREATE TABLE holes (y integer, p integer, site text, w real)")
        connection.executemany("INSERT INTO holes VALUES (?, ?, ?, ?)", HOLES)
    connection.close()
    return ibis.sqlite.connect(path)


@pytest.fixture(scope="module")
def duck() -> Any:
    """Return a DuckDB database in memory with the data."""
    backend = ibis.duckdb.connect()
    holes = dict(zip(("y", "p", "site", "w"), map(list, zip(*HOLES, strict=True)), strict=True))
    for name, columns in (("predictions", doors.make_columns()), ("holes", holes)):
        backend.con.register("arriving", pa.table(columns))
        backend.con.execute(f"CREATE TABLE {name} AS FROM arriving")
        backend.con.unregister("arriving")
    return backend


@pytest.mark.parametrize("engine", ["postgres", "sqlite", "duck"])
class TestEngines:
    def test_same_table(self, engine: str, request: pytest.FixtureRequest) -> None:
        frame = request.getfixturevalue(engine).table("predictions")
        doors.check_door(partial(read, frame))

    def test_missing_values(self, engine: str, request: pytest.FixtureRequest) -> None:
        frame = request.getfixturevalue(engine).table("holes")
        with pytest.raises(ValueError, match="'y' is missing in 1; 'p' is missing in 1"):
            frame_table(frame, truth="y", predictions="p")
        found = frame_table(frame, truth="y", predictions="p", group="site", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {("a", 1, 1): (1.0, 1.0, 1.0), ("b", 1, 0): (1.0, 0.5, 0.25)}

    def test_slices(self, engine: str, request: pytest.FixtureRequest) -> None:
        frame = request.getfixturevalue(engine).table("predictions")
        found = read_slices(frame, by=doors.GROUP, truth=doors.TRUTH, predictions=doors.MODELS[0])
        assert list(found) == list(range(40))
        assert sum(part.n for part in found.values()) == 3000

    def test_the_engine_counts(
        self, engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Only distinct rows come back: what the engine is asked for is never as long as the table."""
        fetched: list[int] = []
        whole = ibis.Table.to_pyarrow

        def watched(self: Any, **options: Any) -> Any:
            answer = whole(self, **options)
            fetched.append(len(answer))
            return answer

        monkeypatch.setattr(ibis.Table, "to_pyarrow", watched)
        frame = request.getfixturevalue(engine).table("predictions")
        distinct = len(read(frame, truth=doors.TRUTH, predictions=list(doors.MODELS)).rows)
        assert fetched == [distinct]
