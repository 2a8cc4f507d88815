"""A real Dask cluster of several worker processes: the same table, also when a worker dies in mid-count."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import doors
from howsure.sources.frames import frame_table
from howsure.sources.read import read

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

distributed = pytest.importorskip("distributed", reason="needs the package 'distributed' (extra 'engines')")
dataframe = pytest.importorskip("dask.dataframe", reason="needs the package 'dask[dataframe]' (extra 'engines')")

PARTS = 12


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Start three worker processes on this machine, and end them."""
    cluster = distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0, silence_logs=50
    )
    with cluster, distributed.Client(cluster, set_as_default=True) as found:
        yield found


def part(place: int, folder: str, pause: float) -> pd.DataFrame:
    """Return one part of the data, slowly, and leave a trace of having done so."""
    time.sleep(pause)
    Path(folder, f"{place}-{os.getpid()}-{time.time_ns()}").touch()
    columns = doors.make_columns()
    return pd.DataFrame({name: values[place::PARTS] for name, values in columns.items()})


def test_workers_are_processes_of_their_own(client: Any) -> None:
    pids = set(client.run(os.getpid).values())
    assert len(pids) == 3
    assert os.getpid() not in pids


def test_same_table(client: Any, tmp_path: Path) -> None:
    for place in range(4):
        columns = {name: values[place::4] for name, values in doors.make_columns().items()}
        pl.DataFrame(columns).write_parquet(tmp_path / f"{place}.parquet")
    frame = dataframe.read_parquet(tmp_path)
    assert frame.npartitions > 1
    doors.check_door(partial(read, frame))


def test_missing_values(client: Any) -> None:
    plain = pd.DataFrame({"y": [1, 0, None, 1], "p": [1, None, 0, 1], "site": ["a", None, "a", "b"]})
    frame = dataframe.from_pandas(plain, npartitions=2)
    found = frame_table(frame, truth="y", predictions="p", group="site", on_bad="skip")
    assert doors.rows_of(found) == {("a", 1, 1): (1.0, 1.0, 1.0), ("b", 1, 1): (1.0, 1.0, 1.0)}
    assert found.notes == (
        "2 of 4 rows were left out: 'y' is missing in 1; 'p' is missing in 1; 'site' is missing in 1.",
    )


def test_killing_a_worker_in_mid_count(client: Any, tmp_path: Path) -> None:
    client.wait_for_workers(3, timeout=30)
    frame = dataframe.from_map(partial(part, folder=str(tmp_path), pause=0.4), range(PARTS))
    answer: list[Any] = []
    worker = threading.Thread(
        target=lambda: answer.append(frame_table(frame, truth=doors.TRUTH, predictions=list(doors.MODELS)))
    )
    worker.start()
    traces = _wait_for_traces(tmp_path)
    victim = int(traces[0].split("-")[1])
    assert victim in client.run(os.getpid).values()
    os.kill(victim, signal.SIGKILL)
    done = len(list(tmp_path.iterdir()))
    worker.join(timeout=90)
    assert done < PARTS
    expected = {key: (entry[0],) * 3 for key, entry in doors.counted(doors.make_columns()).items()}
    assert doors.rows_of(answer[0]) == expected
    assert victim not in client.run(os.getpid).values()


def _wait_for_traces(folder: Path) -> list[str]:
    """Return the traces of the parts that are done, as soon as there are some."""
    for _ in range(600):
        traces = [one.name for one in folder.iterdir()]
        if len(traces) >= 2:
            return traces
        time.sleep(0.05)
    raise AssertionError("no part was done within 30 s")
