"""Tasks from files: a column, one file a task, folders; long tables; what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import howsure as hs
from howsure.errors import InputError
from howsure.sources.task_files import task_sources
from howsure.tables.tasks.of_tasks import tables_of_tasks

NEWS = {"label": [1, 0, 1, 1, 0], "old": [1, 1, 1, 0, 0], "new": [1, 0, 1, 1, 1]}
PETS = {
    "label": ["cat", "dog", "bird", "dog"], "old": ["cat", "dog", "dog", "dog"], "new": ["cat", "cat", "bird", "dog"],
}  # fmt: skip
LAW = {"label": [0, 1, 1, 0], "old": [0, 1, 0, 0], "new": [0, 1, 1, 0]}


def folder(path: Path, **tasks: dict) -> Path:
    path.mkdir()
    for name, columns in tasks.items():
        pl.DataFrame(columns).write_csv(path / f"{name}.csv")
    return path


def stacked(**tasks: dict) -> pl.DataFrame:
    """Return the same tasks as one frame with a column of tasks."""
    return pl.concat([pl.DataFrame(one).with_columns(task=pl.lit(name)) for name, one in tasks.items()])


def direct(**tasks: dict) -> hs.Table:
    """Return the same tasks from arrays."""
    return hs.tasks({
        name: hs.table(one["label"], {"old": one["old"], "new": one["new"]}) for name, one in tasks.items()
    })  # fmt: skip


def same(one: hs.Table, other: hs.Table, metric: str = "accuracy") -> bool:
    return all(hs.estimate(one, metric, model=name).same(hs.estimate(other, metric, model=name)) for name in one.models)


def test_a_column_of_tasks(tmp_path: Path) -> None:
    frame = pl.concat(
        [pl.DataFrame(one).with_columns(task=pl.lit(name)) for name, one in (("law", LAW), ("news", NEWS))]
    )
    frame.write_csv(tmp_path / "all.csv")
    for source in (frame, tmp_path / "all.csv"):
        found = hs.read(source, truth="label", predictions=["old", "new"], task="task", tasks="random")
        assert list(tables_of_tasks(found)) == ["law", "news"]
        assert found.design.tasks.random
        assert same(found, hs.tasks(tables_of_tasks(direct(law=LAW, news=NEWS)), tasks="random"))


def test_every_task_has_the_labels_that_occur_in_it() -> None:
    birds = {"label": ["wren", "crow", "crow"], "old": ["wren", "crow", "wren"], "new": ["wren", "crow", "crow"]}
    frame = pl.concat(
        [pl.DataFrame(one).with_columns(task=pl.lit(name)) for name, one in (("birds", birds), ("pets", PETS))]
    )
    found = hs.read(frame, truth="label", predictions=["old", "new"], task="task")
    assert [one.labels for one in tables_of_tasks(found).values()] == [("crow", "wren"), ("bird", "cat", "dog")]
    assert same(found, direct(birds=birds, pets=PETS), "macro_f1")


def test_numbers_of_two_classes_have_a_positive_one_of_their_own() -> None:
    digits = {"label": [0, 1, 2, 2], "old": [0, 1, 2, 1], "new": [0, 2, 2, 2]}
    frame = pl.concat(
        [pl.DataFrame(one).with_columns(task=pl.lit(name)) for name, one in (("digits", digits), ("news", NEWS))]
    )
    found = hs.read(frame, truth="label", predictions=["old", "new"], task="task")
    assert [one.pos_label for one in tables_of_tasks(found).values()] == [None, 1]


def test_one_file_a_task(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench", law=LAW, news=NEWS)
    wanted = direct(law=LAW, news=NEWS)
    files = [place / "law.csv", place / "news.csv"]
    asked = {"truth": "label", "predictions": ["old", "new"], "task": True}
    for source in (place, str(place / "*.csv"), files, {"law": files[0], "news": files[1]}):
        found = hs.read(source, **asked)
        assert list(tables_of_tasks(found)) == ["law", "news"]
        assert same(found, wanted)


def test_one_folder_a_task_with_one_file_a_model(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    for task, one in (("law", LAW), ("news", NEWS)):
        ids = list(range(len(one["label"])))
        models = {name: {"id": ids, "label": one["label"], "prediction": one[name]} for name in ("old", "new")}
        folder(tmp_path / "bench" / task, **models)
    found = hs.read(tmp_path / "bench", truth="label", predictions="prediction", id="id", task=True)
    assert set(found.models) == {"old", "new"}
    assert hs.estimate(found, "accuracy", model="new").value == pytest.approx((4 / 5 + 4 / 4) / 2)


def test_weights_by_name() -> None:
    frame = pl.concat(
        [pl.DataFrame(one).with_columns(task=pl.lit(name)) for name, one in (("law", LAW), ("news", NEWS))]
    )
    asked = {"truth": "label", "predictions": ["old", "new"], "task": "task"}
    by_size = hs.read(frame, **asked, task_weights="size")
    assert hs.estimate(by_size, "accuracy", model="old").value == pytest.approx(6 / 9)
    own = hs.read(frame, **asked, task_weights={"law": 3, "news": 1})
    assert hs.estimate(own, "accuracy", model="old").value == pytest.approx(0.75 * 0.75 + 0.25 * 0.6)


def test_what_is_refused(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench", law=LAW)
    with pytest.raises(InputError, match="holds one task"):
        hs.read(place, truth="label", task=True)
    with pytest.raises(InputError, match="name the column"):
        hs.read(pl.DataFrame(LAW), truth="label", task=True)
    with pytest.raises(InputError, match="name of a column"):
        hs.read(pl.DataFrame(LAW), truth="label", task=3)
    (tmp_path / "more").mkdir()
    with pytest.raises(InputError, match="two tasks called 'law'"):
        task_sources([place / "law.csv", tmp_path / "more" / "law.csv"])
