"""The engine behind files: progress, interruption, memory, and doing without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from howsure.errors import MissingExtra
from howsure.sources.files import duckdb_engine
from howsure.sources.files.matrix_files import read_matrix
from howsure.sources.read import read
from support import doors
from support.written import text, write_csv, write_jsonl


def test_progress_goes_from_nothing_to_all(tmp_path: Path) -> None:
    pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")
    seen: list[float] = []
    found = read(tmp_path / "a.parquet", truth=doors.TRUTH, predictions=list(doors.MODELS), progress=seen.append)
    assert found.n == 3000
    assert seen[-1] == 1.0
    assert all(0 <= share <= 1 for share in seen)


def test_an_error_in_the_progress_hook_ends_the_count(tmp_path: Path) -> None:
    pl.DataFrame(doors.make_columns()).write_parquet(tmp_path / "a.parquet")

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(tmp_path / "a.parquet", truth=doors.TRUTH, predictions=list(doors.MODELS), progress=stop)


def test_without_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tabular file says what to install; logs and files of counts need no DuckDB."""
    monkeypatch.setitem(sys.modules, "duckdb", None)
    pl.DataFrame({"y": [1], "p": [1]}).write_parquet(tmp_path / "a.parquet")
    written = (write_csv(tmp_path / "a.csv", {"y": [1], "p": [1]}), write_jsonl(tmp_path / "a.jsonl", {"y": [1]}))
    for path in (tmp_path / "a.parquet", *written):
        with pytest.raises(MissingExtra, match=r"pip install 'howsure\[files\]'"):
            read(path, truth="y", predictions="p")
    assert read(text(tmp_path / "a.json", '{"references": [1], "predictions": [1]}')).n == 1
    assert read_matrix(text(tmp_path / "m.csv", "5,1\n2,7\n"), rows="truth").n == 15


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of a thousand million rows, most of them links to one file: more than anyone waits for."""
    folder = tmp_path_factory.mktemp("endless")
    rows = np.arange(3_000_000, dtype=np.int8)
    pl.DataFrame({"y": rows % 2, "p": rows % 3 % 2}).write_parquet(folder / "0.parquet")
    for place in range(1, 330):
        (folder / f"{place}.parquet").symlink_to(folder / "0.parquet")
    return folder


READS = """
import sys
import howsure as hs
few, many, told = sys.argv[1:]
hs.read(few, truth="y", predictions="p")  # imports: CPython ends by the signal if it comes while these compile text
print("ready", flush=True)
try:
    hs.read(many, truth="y", predictions="p", progress=None if told == "silent" else lambda share: None)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("told", ["silent", "told"])
def test_ctrl_c_is_heard_and_leaves_nothing_behind(endless: Path, tmp_path: Path, told: str) -> None:
    command = [sys.executable, "-c", READS, str(endless / "0.parquet"), str(endless), told]
    spill = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=spill, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        latest = time.monotonic() + 60
        while not any(tmp_path.iterdir()) and time.monotonic() < latest:  # its spill directory
            time.sleep(0.02)
        time.sleep(0.5)  # in the midst of counting; much earlier or later would be as good
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)
    assert said == ("stopped\n", "")
    assert child.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_without_widgets_has_no_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There DuckDB refuses every setting of its progress bar, also the one that turns it off."""
    made = duckdb_engine._connected

    class Notebook:
        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def __getattr__(self, name: str) -> Any:
            return getattr(self.connection, name)

        def execute(self, sql: str, *more: Any) -> Any:
            if "progress_bar" in sql:
                raise duckdb.InvalidInputException("required package 'ipywidgets' is missing")
            return self.connection.execute(sql, *more)

    monkeypatch.setattr(duckdb_engine, "_connected", lambda *given: Notebook(made(*given)))
    (tmp_path / "p.csv").write_text("label,svm\na,a\nb,a\n")
    assert read(tmp_path / "p.csv").n == 2
    assert read(tmp_path / "p.csv", progress=lambda share: None).n == 2
