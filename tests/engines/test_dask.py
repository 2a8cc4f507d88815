"""A real Dask cluster of several worker processes: the same table, also when a worker dies; studies spread over it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure as hs
from support import doors
from support.kinds import check_scores, columns

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

distributed = pytest.importorskip("distributed", reason="needs the package 'distributed' (extra 'engines')")
dataframe = pytest.importorskip("dask.dataframe", reason="needs the package 'dask[dataframe]' (extra 'engines')")

PARTS = 12
HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Start three worker processes on this machine, and end them."""
    cluster = distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0, silence_logs=50
    )
    with cluster, distributed.Client(cluster, set_as_default=True) as found:
        yield found


def pids(client: Any) -> set[int]:
    """Return the processes of the workers."""
    return set(client.run(os.getpid).values())


def test_workers_are_processes_of_their_own(client: Any) -> None:
    assert len(pids(client)) == 3
    assert os.getpid() not in pids(client)


def test_same_table(client: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    def door(columns: dict[str, list[Any]]) -> Any:
        folder = tmp_path_factory.mktemp("dask")
        for place in range(4):
            part = {name: values[place::4] for name, values in columns.items()}
            pl.DataFrame(part).write_parquet(folder / f"{place}.parquet")
        frame = dataframe.read_parquet(folder)
        assert frame.npartitions > 1
        return frame

    doors.check_source(door)


def test_scores(client: Any) -> None:
    """Distinct scores, histograms and second passes on the cluster are those of a frame in memory."""
    whole = pd.DataFrame({name: values for name, values in columns().items() if name in ("y", "bert", "svm", "g")})
    check_scores(dataframe.from_pandas(whole, npartitions=4), whole)


# --- a worker dies ----------------------------------------------------------------------------------------------------


def part(place: int, folder: str, pause: float) -> pd.DataFrame:
    """Return one part of the data, slowly, and leave a trace of having done so."""
    time.sleep(pause)
    Path(folder, f"{place}-{os.getpid()}-{time.time_ns()}").touch()
    columns = doors.make_columns()
    return pd.DataFrame({name: values[place::PARTS] for name, values in columns.items()})


def test_killing_a_worker_in_mid_count(client: Any, tmp_path: Path) -> None:
    client.wait_for_workers(3, timeout=30)
    frame = dataframe.from_map(partial(part, folder=str(tmp_path), pause=0.4), range(PARTS))
    answer: list[hs.Table] = []
    counting = threading.Thread(
        target=lambda: answer.append(hs.read(frame, truth=doors.TRUTH, predictions=list(doors.MODELS)))
    )
    counting.start()
    traces = _wait_for_traces(tmp_path)
    victim = int(traces[0].split("-")[1])
    assert victim in pids(client)
    os.kill(victim, signal.SIGKILL)
    done = len(list(tmp_path.iterdir()))
    counting.join(timeout=120)
    assert done < PARTS
    # What the dead worker had counted died with it, and was counted again by another.
    again = [one.name for one in tmp_path.iterdir() if one.name.startswith(traces[0].split("-")[0] + "-")]
    assert {int(name.split("-")[1]) for name in again} > {victim}
    assert doors.rows_of(answer[0]) == doors.plainly(doors.counted(doors.make_columns()))
    assert victim not in pids(client)


def _wait_for_traces(folder: Path) -> list[str]:
    """Return the traces of the parts that are done, oldest first, as soon as there are some."""
    for _ in range(600):
        traces = sorted((one.name for one in folder.iterdir()), key=lambda name: int(name.split("-")[2]))
        if len(traces) >= 2:
            return traces
        time.sleep(0.05)
    raise AssertionError("no part was done within 30 s")


# --- studies and cross-validation through joblib ----------------------------------------------------------------------


class Traced:
    """Says the nearest mean of one column, and leaves the number of the process that said it."""

    def __init__(self, folder: str, column: int) -> None:
        self.folder, self.column = folder, column

    def __call__(self, X_train: Any, y_train: Any, X_test: Any) -> Any:
        Path(self.folder, str(os.getpid())).touch()
        means = [X_train[y_train == label, self.column].mean() for label in (0, 1)]
        return (np.abs(X_test[:, self.column] - means[1]) < np.abs(X_test[:, self.column] - means[0])).astype(int)


def traced_precision(c: Any, *, folder: str) -> Any:
    """Return the precision, and leave the number of the process that asked."""
    Path(folder, str(os.getpid())).touch()
    return c.tp / (c.tp + c.fp)


def workers_that_left(folder: Path) -> set[int]:
    """Return the processes that left their number, apart from this one."""
    return {int(one.name) for one in folder.iterdir()} - {os.getpid()}


def test_a_study_gives_the_same_numbers(client: Any, tmp_path: Path) -> None:
    client.wait_for_workers(3, timeout=30)
    metric = hs.Metric("traced", partial(traced_precision, folder=str(tmp_path)))
    settings: dict[str, Any] = {"n": [20, 40], "exact": False, "replicates": 60_000}
    serial = hs.study(metric, ["wald", "smoothed"], HALF, **settings)
    assert workers_that_left(tmp_path) == set()
    with joblib.parallel_config(backend="dask"):
        told: list[tuple[int, int]] = []
        spread = hs.study(
            metric, ["wald", "smoothed"], HALF, jobs=-1, progress=lambda *step: told.append(step), **settings
        )
    assert spread == serial
    assert told == [(done, 6) for done in range(1, 7)]
    assert workers_that_left(tmp_path)
    assert workers_that_left(tmp_path) <= pids(client)


def test_cross_validation_gives_the_same_numbers(client: Any, tmp_path: Path) -> None:
    client.wait_for_workers(3, timeout=30)
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 120)
    X = y[:, None] + draw.normal(size=(120, 2))
    models = {"first": Traced(str(tmp_path), 0), "second": Traced(str(tmp_path), 1)}
    serial = hs.cross_validate(models, X, y)
    assert workers_that_left(tmp_path) == set()
    with joblib.parallel_config(backend="dask"):
        spread = hs.cross_validate(models, X, y, jobs=-1)
    assert workers_that_left(tmp_path)
    assert workers_that_left(tmp_path) <= pids(client)
    for alone, together in zip(serial, spread, strict=True):
        assert [one.matrix().tolist() for one in together.tables] == [one.matrix().tolist() for one in alone.tables]
        assert hs.posterior(together, "f1").mean == hs.posterior(alone, "f1").mean
