"""A real Spark with separate worker processes (local-cluster): the same table, and nulls in keys."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import doors
from howsure.sources.frames import frame_table
from howsure.sources.read import read

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

sql = pytest.importorskip("pyspark.sql", reason="needs the package 'pyspark' (extra 'engines')")
if shutil.which("java") is None:
    pytest.skip("needs Java (Debian package openjdk-17-jre-headless)", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Start Spark with two workers in processes of their own, and stop it."""
    builder = sql.SparkSession.builder.master("local-cluster[2,1,640]").appName("howsure")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "640m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.log.level": "OFF",
    }.items():
        builder = builder.config(name, value)
    work = Path(sql.__file__).parents[1] / "work"  # where the workers of a local cluster keep what they are sent
    new = not work.exists()
    session = builder.getOrCreate()
    yield session
    session.stop()
    if new:
        shutil.rmtree(work, ignore_errors=True)


def test_executors_are_processes_of_their_own(spark: Any) -> None:
    spark.range(100).repartition(8).count()
    assert spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == 3


def test_same_table(spark: Any, tmp_path: Path) -> None:
    for place in range(3):
        columns = {name: values[place::3] for name, values in doors.make_columns().items()}
        pl.DataFrame(columns).write_parquet(tmp_path / f"{place}.parquet")
    doors.check_door(partial(read, spark.read.parquet(str(tmp_path))))


def test_missing_values(spark: Any) -> None:
    rows = [(1, 1, "a", 1.0), (0, None, None, 1.0), (None, 0, "a", 2.0), (1, 1, "b", float("nan")), (1, 0, "b", 0.5)]
    frame = spark.createDataFrame(rows, "y int, p int, site string, w double")
    with pytest.raises(ValueError, match="'y' is missing in 1; 'p' is missing in 1"):
        frame_table(frame, truth="y", predictions="p")
    found = frame_table(frame, truth="y", predictions="p", group="site", weight="w", on_bad="skip")
    assert doors.rows_of(found) == {("a", 1, 1): (1.0, 1.0, 1.0), ("b", 1, 0): (1.0, 0.5, 0.25)}
    assert "'w' is no finite number, zero or larger, in 1" in found.notes[0]
