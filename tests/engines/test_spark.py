"""A real Spark with executors in processes of their own (local-cluster): the same table, also with holes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import pytest

import howsure as hs
from support import doors
from support.kinds import check_scores, columns

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

sql = pytest.importorskip("pyspark.sql", reason="needs the package 'pyspark' (extra 'engines')")
if shutil.which("java") is None:
    pytest.skip("needs Java (Debian package default-jre-headless)", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Start Spark with two executors, and stop it; a short life pays for no optimising compiler."""
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    builder = sql.SparkSession.builder.master("local-cluster[2,1,640]").appName("howsure")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "640m",
        "spark.driver.extraJavaOptions": quick,
        "spark.executor.extraJavaOptions": quick,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
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


def test_same_table(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    def door(columns: dict[str, list[Any]]) -> Any:
        folder = tmp_path_factory.mktemp("spark")
        for place in range(2):
            part = {name: values[place::2] for name, values in columns.items()}
            pl.DataFrame(part).write_parquet(folder / f"{place}.parquet")
        return spark.read.parquet(str(folder))

    doors.check_source(door)


def test_scores(spark: Any, tmp_path: Path) -> None:
    """Distinct scores, histograms and second passes on the cluster are those of a frame in memory."""
    whole = pl.DataFrame({name: values for name, values in columns().items() if name in ("y", "bert", "svm", "g")})
    whole.write_parquet(tmp_path / "scores.parquet")
    check_scores(spark.read.parquet(str(tmp_path)), whole)


def test_each_task_counts_before_anything_is_sent(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the plans of labels and bins a partial count lies below the exchange, and a scan of the columns below that."""
    pl.DataFrame({"y": [0, 1, 1], "a": [0, 1, 0], "p": [0.2, 0.4, 0.9], "x": ["", "", ""]}).write_parquet(
        tmp_path / "a.parquet"
    )
    plans: list[str] = []
    whole = nw.LazyFrame.collect

    def watched(self: Any, *given: Any, **more: Any) -> Any:
        plans.append(nw.to_native(self)._jdf.queryExecution().executedPlan().toString())
        return whole(self, *given, **more)

    monkeypatch.setattr(nw.LazyFrame, "collect", watched)
    frame = spark.read.parquet(str(tmp_path))
    hs.read(frame, truth="y", predictions="a")
    hs.histogram(frame, truth="y", scores="p")
    assert len(plans) == 2
    for plan in plans:
        steps = [
            plan.index(step)
            for step in ("functions=[count(1)]", "Exchange", "functions=[partial_count(1)]", "FileScan")
        ]
        assert steps == sorted(steps)
        assert "x#" not in plan


def test_weights_that_are_no_numbers(spark: Any, tmp_path: Path) -> None:
    columns = {"y": [1, 1, 1, 1], "p": [1, 1, 1, 0], "w": [1.0, float("nan"), float("inf"), 0.5]}
    pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
    frame = spark.read.parquet(str(tmp_path))
    found = hs.read(frame, truth="y", predictions="p", weight="w", on_bad="skip")
    assert doors.rows_of(found) == {(1, 1): (1.0, 1.0, 1.0), (1, 0): (1.0, 0.5, 0.25)}
    assert "'w' is no finite number, zero or larger, in 2" in found.notes[0]
