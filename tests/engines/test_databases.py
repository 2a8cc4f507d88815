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
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.resources import files
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

from howsure.sources.read import read, read_slices
from support import doors
from support.doc_blocks import assert_shown, recipe

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

ibis = pytest.importorskip("ibis", reason="needs the package 'ibis-framework' (extra 'engines')")

Columns = dict[str, list[Any]]
Fill = Callable[[Columns], Any]
"""Puts columns into a new table of a database and returns the table as Ibis sees it."""


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
def postgres() -> Iterator[Fill]:
    """Start a PostgreSQL server on loopback in a directory of its own; stop it and remove the directory."""
    programs, owner = _programs(), _owner()
    if programs is None or owner is None:
        pytest.skip("needs a PostgreSQL server (Debian package postgresql)")
    psycopg = pytest.importorskip("psycopg", reason="needs 'psycopg' (extra 'engines')", exc_type=ImportError)
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
        backend = ibis.postgres.connect(host="127.0.0.1", port=port, user="howsure", database="postgres")
        with psycopg.connect(host="127.0.0.1", port=port, user="howsure", dbname="postgres") as connection:
            yield lambda columns: backend.table(_copied(connection, columns))
        backend.disconnect()
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


_numbers = count()


def _new_table(columns: Columns, **types: str) -> tuple[str, str]:
    """Return a name that was not used before, and the names and types of its columns in SQL."""
    kinds = {doors.GROUP: "whole", doors.WEIGHT: "real"}
    fields = ('"' + name.replace('"', '""') + '" ' + types.get(kinds.get(name, ""), "text") for name in columns)
    return f"predictions{next(_numbers)}", ", ".join(fields)


def _copied(connection: Any, columns: Columns) -> str:
    name, fields = _new_table(columns, whole="int", real="double precision")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({fields})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in zip(*columns.values(), strict=True):
                copy.write_row(row)
    connection.commit()
    return name


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Fill:
    """Make tables in one SQLite file."""
    path = tmp_path_factory.mktemp("sqlite") / "data.db"

    def fill(columns: Columns) -> Any:
        name, fields = _new_table(columns, whole="integer", real="real")
        with sqlite3.connect(path) as connection:
            connection.execute(f"CREATE TABLE {name} ({fields})")
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", zip(*columns.values(), strict=True))
        connection.close()
        return ibis.sqlite.connect(path).table(name)

    return fill


@pytest.fixture(scope="module")
def duck() -> Fill:
    """Make tables in one DuckDB database in memory."""
    backend = ibis.duckdb.connect()

    def fill(columns: Columns) -> Any:
        name = f"predictions{next(_numbers)}"
        backend.con.register("arriving", pa.table(columns))
        backend.con.execute(f"CREATE TABLE {name} AS FROM arriving")
        backend.con.unregister("arriving")
        return backend.table(name)

    return fill


def test_the_recipe_of_the_documentation(postgres: Fill) -> None:
    """The recipe of PostgreSQL, with the address of the server of the tests in place of the reader's."""
    page = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "engines.md"
    if not page.exists():
        pytest.skip("the source archive comes without the documentation")
    backend = postgres(doors.make_columns()).get_backend()
    with (files("howsure.cli") / "example" / "digits.csv").open("rb") as file:
        backend.create_table("predictions", pyarrow.csv.read_csv(file))
    code, shown = recipe(page, "ibis.postgres")
    theirs = 'user="me", database="evaluations"'
    ours = f'port={backend.con.info.port}, user="howsure", database="postgres"'
    assert theirs in code
    with redirect_stdout(StringIO()) as printed:
        exec(code.replace(theirs, ours), {"__name__": "page"})
    assert_shown(shown, printed.getvalue(), "the recipe of PostgreSQL")


@pytest.mark.parametrize("engine", ["postgres", "sqlite", "duck"])
class TestEngines:
    def test_same_table(self, engine: str, request: pytest.FixtureRequest) -> None:
        doors.check_source(request.getfixturevalue(engine))

    def test_slices(self, engine: str, request: pytest.FixtureRequest) -> None:
        frame = request.getfixturevalue(engine)(doors.make_columns())
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
        frame = request.getfixturevalue(engine)(doors.make_columns())
        distinct = len(read(frame, truth=doors.TRUTH, predictions=list(doors.MODELS)).rows)
        assert fetched == [distinct]
        assert distinct < 3000
