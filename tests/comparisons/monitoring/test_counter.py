"""Counter: batches add up to the table of all rows; snapshots, processes, threads."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import pickle
import threading
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure as hs
from howsure.comparisons.monitoring.counter import Counter
from howsure.errors import InputError, MetricError
from support import doors

LABELS = ("cat", "dog", "emu", "fox")


def batches(columns: dict, size: int) -> list[tuple]:
    cuts = range(0, len(columns[doors.TRUTH]), size)
    return [
        tuple(columns[name][cut : cut + size] for name in (doors.TRUTH, *doors.MODELS, doors.GROUP, doors.WEIGHT))
        for cut in cuts
    ]


def count(part: list[tuple], *, weights: bool = False, groups: bool = False) -> Counter:
    counter = Counter(LABELS, doors.MODELS, pos_label="cat")
    for truth, first, second, group, weight in part:
        predictions = dict(zip(doors.MODELS, (first, second), strict=True))
        counter.update(truth, predictions, sample_weight=weight if weights else None, groups=group if groups else None)
    return counter


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_batches_add_up(size: int) -> None:
    columns = doors.make_columns(700)
    found = count(batches(columns, size))
    assert doors.rows_of(found.table) == {key: (entry[0],) * 3 for key, entry in doors.counted(columns).items()}
    assert found.n == 700
    assert found.table.pos_label == "cat"
    assert repr(found) == "Counter(700 rows, 4 labels, 2 models)"


def test_weights_and_groups() -> None:
    columns = doors.make_columns(700)
    found = count(batches(columns, 50), weights=True, groups=True)
    assert doors.rows_of(found.table) == doors.counted(columns, group=True)


def test_memory_does_not_grow_with_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howsure.comparisons.monitoring.counter._PENDING", 100)
    counter = Counter([0, 1])
    draw = np.random.default_rng(0)
    sizes = set()
    for _ in range(400):
        counter.update(draw.integers(0, 2, 16), draw.integers(0, 2, 16))
        sizes.add(sum(len(part.rows) for part in counter._parts))
    assert max(sizes) <= 108
    assert counter.n == 6400
    assert len(counter.table.rows) == 4


class Tensor:
    """What a batch of a deep-learning library shows of itself."""

    def __init__(self, values: list[int]) -> None:
        self.values = np.array(values)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.values

    def __len__(self) -> int:
        return len(self.values)


class Capsule:
    """A batch that shows its numbers only through DLPack, as those of jax and cupy may."""

    def __init__(self, values: list[int]) -> None:
        self.values = np.array(values)

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


def test_kinds_of_batches() -> None:
    counter = Counter([0, 1], "net")
    for kind in (list, np.array, Tensor, Capsule):
        counter.update(kind([1, 0, 1]), kind([1, 1, 1]))
    counter.update([True], {"net": [False]})
    assert counter.table.matrix().tolist() == [[0, 4], [1, 8]]


@pytest.mark.parametrize(
    "kind",
    [list, tuple, np.array, Tensor, Capsule, pd.Series, pl.Series, lambda values: np.array(values, dtype=np.int64)],
)
def test_a_batch_without_rows_adds_nothing(kind: Any) -> None:
    counter = Counter([0, 1], ["a", "b"])
    counter.update(kind([]), {"a": kind([]), "b": kind([])})
    assert counter.n == 0
    counter.update([1, 0], {"a": [1, 1], "b": [0, 0]}, groups=["x", "y"], sample_weight=[1.0, 2.0])
    counter.update(kind([]), {"a": kind([]), "b": kind([])}, groups=kind([]), sample_weight=[])
    counter.update(kind([]), {"a": kind([]), "b": kind([])})
    assert counter.table.matrix("a").tolist() == [[0, 1], [0, 1]]
    for truth, predictions in (
        (kind([]), {"a": kind([])}),
        (kind([]), {"a": kind([]), "b": [1]}),
        ([1], {"a": [1], "b": kind([])}),
        (np.empty((0, 2)), {"a": np.empty((0, 2)), "b": np.empty((0, 2))}),
    ):
        with pytest.raises(InputError):
            counter.update(truth, predictions)
    with pytest.raises(InputError, match="truth has 0 rows but weight has 1"):
        counter.update(kind([]), {"a": kind([]), "b": kind([])}, sample_weight=[1.0])


class ElsewhereTensor(Tensor):
    """A batch in the memory of another device."""

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def test_a_batch_of_another_device_is_refused_with_the_way_out() -> None:
    counter = Counter([0, 1])
    with pytest.raises(InputError, match=r"cuda:0.*move it to main memory first, for example with \.cpu\(\)"):
        counter.update([1, 0], ElsewhereTensor([1, 0]))
    assert counter.n == 0


class TestRefusals:
    def test_a_refused_batch_changes_nothing(self) -> None:
        counter = Counter([0, 1])
        counter.update([1, 0], [1, 0])
        for truth, prediction in (([1, 2], [1, 1]), ([1], [1, 0]), ([1], [0.5]), ([1], [None]), ([[1]], [[1]])):
            with pytest.raises(InputError):
                counter.update(truth, prediction)
        assert counter.table.matrix().tolist() == [[1, 0], [0, 1]]

    def test_several_labels_a_row(self) -> None:
        counter = Counter([0, 1])
        for batch in (np.array([[1, 0], [0, 1]]), [{0}, {0, 1}], np.empty((0, 2), dtype=int)):
            with pytest.raises(InputError, match="one label a row; make a table of each batch"):
                counter.update(batch, batch)
        assert counter.n == 0

    def test_models(self) -> None:
        counter = Counter([0, 1], ["a", "b"])
        with pytest.raises(InputError, match="give exactly these"):
            counter.update([1], {"a": [1]})
        with pytest.raises(InputError, match="give exactly these"):
            counter.update([1], [1])
        with pytest.raises(InputError, match="a name of its own"):
            Counter([0, 1], ["a", "a"])

    def test_labels(self) -> None:
        with pytest.raises(InputError, match="two at least"):
            Counter([1])
        with pytest.raises(InputError, match="labels is 3; give a list of every label"):
            Counter(3)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="labels is 'cat'; give a list of every label"):
            Counter("cat")
        with pytest.raises(InputError, match="more than once"):
            Counter([1, 1])
        with pytest.raises(MetricError, match="pos_label"):
            Counter(["a", "b"], pos_label="c")

    def test_groups_always_or_never(self) -> None:
        counter = Counter([0, 1])
        counter.update([1], [1], groups=["x"])
        with pytest.raises(InputError, match="always or never"):
            counter.update([1], [1])

    def test_counters_that_differ(self) -> None:
        with pytest.raises(InputError, match="counters to add differ"):
            Counter([0, 1]) + Counter([0, 1, 2])


def test_empty() -> None:
    counter = Counter([0, 1], ["a", "b"])
    assert counter.n == 0
    assert repr(counter) == "Counter(0 rows, 2 labels, 2 models)"
    assert (counter + counter).n == 0
    assert counter.bound(model="a").low == 0.0


@pytest.mark.parametrize("method", [None, "wald", "bootstrap", "bayes", "tango", "mcnemar", "mid-p"])
def test_models_without_a_row_are_not_compared(method: str | None) -> None:
    with pytest.raises(InputError, match="table holds no rows, so its models cannot be compared"):
        hs.compare(Counter([0, 1], ["a", "b"]).table, "accuracy", method=method)


def test_merge_and_sum() -> None:
    columns = doors.make_columns(600)
    parts = [count([batch], weights=True, groups=True) for batch in batches(columns, 200)]
    assert doors.rows_of(sum(parts).table) == doors.counted(columns, group=True)
    first = parts[0]
    for other in parts[1:]:
        first.merge(other)
    assert doors.rows_of(first.table) == doors.counted(columns, group=True)
    before = parts[1].n
    parts[1].merge(parts[1])
    assert parts[1].n == 2 * before


def _work(seed: int) -> Counter:
    return count(batches(doors.make_columns(300, seed=seed), 50))


def test_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = sum(pool.map(_work, range(3)))
    expected = sum(_work(seed) for seed in range(3))
    assert doors.rows_of(found.table) == doors.rows_of(expected.table)
    assert found.n == 900


def test_threads() -> None:
    counter = Counter([0, 1])

    def work() -> None:
        for _ in range(200):
            counter.update([1, 0, 1], [1, 1, 0])

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert counter.table.matrix().tolist() == [[0, 800], [800, 800]]


class TestSnapshots:
    @pytest.mark.parametrize("weights", [False, True])
    @pytest.mark.parametrize("groups", [False, True])
    def test_there_and_back(self, tmp_path: Path, weights: bool, groups: bool) -> None:
        counter = count(batches(doors.make_columns(400), 100), weights=weights, groups=groups)
        counter.save(tmp_path / "state")
        assert [one.name for one in tmp_path.iterdir()] == ["state"]
        again = Counter.load(tmp_path / "state")
        assert (again.labels, again.models, again.pos_label) == (LABELS, doors.MODELS, "cat")
        assert doors.rows_of(again.table) == doors.rows_of(counter.table)
        assert again.table.weighted == counter.table.weighted
        more = batches(doors.make_columns(100, seed=5), 100)
        assert (again + count(more, weights=weights, groups=groups)).n == 500

    def test_small(self, tmp_path: Path) -> None:
        counter = Counter([0, 1])
        counter.update(np.ones(100_000, dtype=int), np.ones(100_000, dtype=int))
        counter.save(tmp_path / "state")
        assert (tmp_path / "state").stat().st_size < 4000
        Counter([False, True]).save(tmp_path / "empty")
        assert Counter.load(tmp_path / "empty").labels == (False, True)

    def test_the_file_has_the_rights_of_any_new_file(self, tmp_path: Path) -> None:
        (tmp_path / "other").touch()
        Counter([0, 1]).save(tmp_path / "state")
        assert (tmp_path / "state").stat().st_mode == (tmp_path / "other").stat().st_mode

    def test_a_failed_write_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        counter = Counter([0, 1])
        counter.update([1], [1])
        counter.save(tmp_path / "state")

        def broken(*_: object) -> None:
            raise OSError(errno.ENOSPC, "disk full")

        counter.update([1], [1])
        monkeypatch.setattr("os.fsync", broken)
        with pytest.raises(OSError, match="disk full"):
            counter.save(tmp_path / "state")
        assert [one.name for one in tmp_path.iterdir()] == ["state"]
        assert Counter.load(tmp_path / "state").n == 1

    def test_pickle_is_never_read(self, tmp_path: Path) -> None:
        (tmp_path / "state").write_bytes(pickle.dumps({"labels": [0, 1]}))
        with pytest.raises(InputError, match="no counter that save"):
            Counter.load(tmp_path / "state")
        np.savez(tmp_path / "o.npz", header=np.array({"a": 1}, dtype=object))
        with pytest.raises(InputError, match="no counter that save"):
            Counter.load(tmp_path / "o.npz")

    @pytest.mark.parametrize(
        "change",
        [
            {"truth": np.array([0, 7])},
            {"predictions": np.array([[0], [-1]])},
            {"counts": np.array([1.0, -2.0])},
            {"counts": np.array([1.0])},
            {"weights": np.array([1.0, np.nan])},
            {"header": np.array(json.dumps({"format": "other"}))},
            {"header": np.array("no json")},
        ],
    )
    def test_files_that_were_tampered_with(self, tmp_path: Path, change: dict) -> None:
        counter = Counter([0, 1])
        counter.update([1, 0], [1, 0])
        counter.save(tmp_path / "state")
        with np.load(tmp_path / "state") as file:
            content = {name: file[name] for name in file.files}
        np.savez(tmp_path / "bad.npz", **(content | change))
        with pytest.raises(InputError, match="no counter that save"):
            Counter.load(tmp_path / "bad.npz")

    def test_cut_anywhere(self, tmp_path: Path) -> None:
        counter = count(batches(doors.make_columns(200), 50), weights=True, groups=True)
        counter.save(tmp_path / "state")
        whole = (tmp_path / "state").read_bytes()
        for size in range(0, len(whole), 97):
            (tmp_path / "cut").write_bytes(whole[:size])
            with pytest.raises(InputError, match="no counter that save"):
                Counter.load(tmp_path / "cut")

    def test_bomb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Refused by its list of contents: no member is unfolded."""
        counter = Counter([0, 1])
        counter.update([1, 0], [1, 0])
        counter.save(tmp_path / "honest")
        monkeypatch.setattr("howsure.sources.files.formats.EXPANDED", 1 << 10)
        monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *_: pytest.fail("a member was read"))
        np.savez_compressed(tmp_path / "bomb.npz", truth=np.zeros(1_000_000, dtype=np.uint8))
        with pytest.raises(InputError, match=r"bomb.npz' unfolds to 1,000,128 bytes, more than 200 .* load only what"):
            Counter.load(tmp_path / "bomb.npz")
        monkeypatch.undo()
        assert Counter.load(tmp_path / "honest").n == 2

    def test_an_array_that_claims_more_than_any_memory(self, tmp_path: Path) -> None:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 58,)})
        with zipfile.ZipFile(tmp_path / "state", "w") as archive:
            archive.writestr("header.npy", header.getvalue())
        with pytest.raises(InputError, match="no counter that save"):
            Counter.load(tmp_path / "state")

    def test_read_names_the_way_to_load_it(self, tmp_path: Path) -> None:
        path = str(tmp_path / "state.npz")
        counter = Counter([0, 1])
        counter.update([1, 0], [1, 0])
        counter.save(path)
        with pytest.raises(InputError) as refusal:
            hs.read(path)
        assert (
            str(refusal.value) == f"source is {path!r}, a saved Counter; its table is hs.Counter.load({path!r}).table"
        )
        np.savez(path, y=np.array([1]), p=np.array([1]))
        with pytest.raises(InputError, match=r"an archive of numpy arrays; load it with numpy\.load, .* hs\.table"):
            hs.read(path)

    def test_another_version(self, tmp_path: Path) -> None:
        counter = Counter([0, 1])
        counter.save(tmp_path / "state")
        with np.load(tmp_path / "state") as file:
            content = {name: file[name] for name in file.files}
        header = json.loads(str(content["header"])) | {"format": "howsure counter 4"}
        np.savez(tmp_path / "later.npz", **(content | {"header": np.array(json.dumps(header))}))
        with pytest.raises(InputError, match="'howsure counter 4', but this howsure reads 'howsure counter 1'"):
            Counter.load(tmp_path / "later.npz")

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is no such file"):
            Counter.load(tmp_path / "nothing")
        (tmp_path / "cut").write_bytes(b"PK\x03\x04")
        with pytest.raises(InputError, match="no counter that save"):
            Counter.load(tmp_path / "cut")

    def test_pickles_between_processes(self) -> None:
        counter = count(batches(doors.make_columns(100), 10))
        again = pickle.loads(pickle.dumps(counter))
        again.update(["cat"], {model: ["cat"] for model in doors.MODELS})
        assert (counter.n, again.n) == (100, 101)
