"""Data frames: the same table from every library, missing values, weights, slices, and clear refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure as hs
from howsure.errors import InputError
from howsure.metrics.names import named
from howsure.sources import frames
from howsure.sources.files.request import ReadRequest
from howsure.sources.read import read, read_slices
from howsure.tables.covariance import covariance, linearise
from howsure.tables.in_pairs import InPairs
from support import doors

HOLES = {
    "gold": [1, 0, None, 1, 0, 1],
    "svm": [1, None, 0, 1, None, 0],
    "site": ["a", "b", "a", None, "b", "c"],
    "w": [1.0, 2.0, 0.5, 0.5, None, -1.0],
}


def frames_of(columns: dict) -> dict:
    """Return the same columns as a frame of each library that needs no server."""
    arrow = pa.table(columns)
    plain = arrow.to_pandas()
    texts = [name for name, values in columns.items() if any(isinstance(value, str) for value in values)]
    return {
        "pandas": plain,
        "pandas nullable": plain.convert_dtypes(),
        "pandas object": plain.astype(dict.fromkeys(texts, object)),
        "pandas string": plain.astype(dict.fromkeys(texts, pd.StringDtype("python"))),
        "pandas on Arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas category": plain.astype(dict.fromkeys(texts, "category")),
        "polars": pl.DataFrame(columns),
        "polars lazy": pl.LazyFrame(columns),
        "polars enum": pl.DataFrame(columns).with_columns(pl.col(texts).cast(pl.Categorical)).lazy(),
        "arrow": arrow,
        "duckdb": duckdb.connect().from_arrow(arrow),
    }


KINDS = list(frames_of({"a": ["x"], "b": [1]}))


@pytest.mark.parametrize("kind", KINDS)
def test_same_table_from_every_frame(kind: str) -> None:
    doors.check_source(lambda columns: frames_of(columns)[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_leaving_rows_out_changes_nothing_where_all_are_whole(kind: str) -> None:
    doors.check_door(partial(read, frames_of(doors.make_columns())[kind], on_bad="skip"))


def test_arrays_give_the_same_table() -> None:
    columns = doors.make_columns()
    found = hs.table(
        columns[doors.TRUTH],
        {name: columns[name] for name in doors.MODELS},
        groups=columns[doors.GROUP],
        sample_weight=columns[doors.WEIGHT],
    )
    assert doors.rows_of(found) == doors.counted(columns, group=True)


@pytest.mark.parametrize("kind", KINDS)
class TestHoles:
    """Missing values are found alike, whatever an engine does with nulls in keys."""

    def test_refused_by_default(self, kind: str) -> None:
        with pytest.raises(InputError, match="missing"):
            read(frames_of(HOLES)[kind], truth="gold", predictions="svm")

    def test_left_out_and_noted(self, kind: str) -> None:
        found = read(frames_of(HOLES)[kind], truth="gold", predictions="svm", on_bad="skip")
        assert doors.rows_of(found) == {(1, 1): (2.0, 2.0, 2.0), (1, 0): (1.0, 1.0, 1.0)}
        assert found.notes == ("3 of 6 rows were left out: 'gold' is missing in 1; 'svm' is missing in 2.",)

    def test_group_and_weight(self, kind: str) -> None:
        found = read(frames_of(HOLES)[kind], truth="gold", predictions="svm", group="site", weight="w", on_bad="skip")
        assert doors.rows_of(found) == {("a", 1, 1): (1.0, 1.0, 1.0)}
        assert "'site' is missing in 1" in found.notes[0]
        assert "'w' is no finite number, zero or larger, in 2" in found.notes[0]

    def test_abstentions_as_a_label(self, kind: str) -> None:
        found = read(frames_of(HOLES)[kind], truth="gold", predictions="svm", on_bad="skip", abstain=-1)
        assert found.labels == (-1, 0, 1)
        assert found.matrix().tolist() == [[0, 0, 0], [2, 0, 0], [0, 1, 2]]


def test_lazy_refusal_names_columns_and_numbers() -> None:
    with pytest.raises(InputError) as refusal:
        read(pl.LazyFrame(HOLES), truth="gold", predictions="svm", weight="w")
    assert str(refusal.value) == (
        "the frame: 4 of 6 rows cannot be counted: 'gold' is missing in 1; 'svm' is missing in 2; 'w' is no finite "
        "number, "
        "zero or larger, in 2. Every row needs a label of one type in each column; correct them, leave such rows out "
        "with "
        "on_bad='skip', or give missing predictions a label of their own with abstain=."
    )


@pytest.mark.parametrize(
    "made", [pd.DataFrame, pl.DataFrame, pa.table, lambda columns: pd.DataFrame(columns).convert_dtypes()]
)
def test_refusal_of_a_frame_in_memory(made: Callable[[dict[str, list[Any]]], Any]) -> None:
    columns = {"gold": ["a", "b", None, "a"], "svm": ["a", None, None, "b"], "w": [1.0, 1.0, 1.0, None]}
    with pytest.raises(InputError) as refusal:
        read(made(columns), truth="gold", predictions={"the model": "svm"})
    assert str(refusal.value) == (
        "the frame: 2 of 4 rows cannot be counted: 'gold' is missing in 1 (first in row 2, counting from 0); "
        "'the model' is missing in 2 (first in row 1, counting from 0). Every row needs a label of one type in each "
        "column; correct them, leave such rows out with on_bad='skip', or give missing predictions a label of their "
        "own with abstain=."
    )
    whole = {name: values[:1] + values[3:] for name, values in columns.items()}
    with pytest.raises(InputError, match=r"1 of 2 rows .* 'w' is no finite number.* Every row needs a weight"):
        read(made(whole), truth="gold", predictions="svm", weight="w")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.5])
def test_weights_that_are_no_weights(bad: float) -> None:
    frame = pl.LazyFrame({"y": [1, 0, 1], "p": [1, 1, 1], "w": [1.0, bad, 0.25]})
    found = read(frame, truth="y", predictions="p", weight="w", on_bad="skip")
    assert doors.rows_of(found) == {(1, 1): (2.0, 1.25, 1.0625)}
    with pytest.raises(InputError, match="'w' is no finite number"):
        read(frame, truth="y", predictions="p", weight="w")


def test_labels_of_two_types() -> None:
    frame = pl.LazyFrame({"y": [1, 0], "p": ["1", "0"]})
    with pytest.raises(InputError, match=r"'p' is text where the truth has numbers in 2, such as '[01]'"):
        read(frame, truth="y", predictions="p")


@pytest.mark.parametrize(
    "frame", [pl.LazyFrame({"y": [1, 0], "p": [0.9, 0.2]}), pd.DataFrame({"y": [1, 0], "p": [0.9, 0.2]})]
)
def test_scores_are_refused(frame: object) -> None:
    with pytest.raises(InputError, match="threshold them first"):
        read(frame, truth="y", predictions="p", on_bad="skip")


def test_whole_floats_and_booleans_are_labels() -> None:
    frame = pl.LazyFrame({"y": [1.0, 0.0], "p": [True, False]})
    found = read(frame, truth="y", predictions="p")
    assert found.labels == (0, 1)
    assert found.pos_label == 1
    assert found.matrix().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("lazy", [True, False])
def test_slices_share_their_labels(lazy: bool) -> None:
    frame = pl.DataFrame({"y": ["a", "b", "c"], "p": ["a", "b", "a"], "site": [2, 1, 1], "w": [1.0, 2.0, 4.0]})
    found = read_slices(frame.lazy() if lazy else frame, by="site", truth="y", predictions="p", weight="w")
    assert list(found) == [1, 2]
    assert {part.labels for part in found.values()} == {("a", "b", "c")}
    assert doors.rows_of(found[1]) == {("b", "b"): (1.0, 2.0, 4.0), ("c", "a"): (1.0, 4.0, 16.0)}
    assert doors.rows_of(found[2]) == {("a", "a"): (1.0, 1.0, 1.0)}


class TestColumns:
    frame = pl.LazyFrame({"label": [1, 0], "svm": [1, 0], "text": ["x", "y"]})

    def test_missing_column(self) -> None:
        with pytest.raises(InputError, match=r"'lable', which the frame does not have.*Did you mean 'label'"):
            read(self.frame, truth="lable", predictions="svm")

    def test_truth_as_prediction(self) -> None:
        with pytest.raises(InputError, match="a column of its own"):
            read(self.frame, truth="label", predictions=["label"])

    def test_weight_must_be_a_number(self) -> None:
        with pytest.raises(InputError, match="weights must be numbers"):
            read(self.frame, truth="label", predictions="svm", weight="text")

    def test_twice_and_none(self) -> None:
        with pytest.raises(InputError, match="twice"):
            read(self.frame, truth="label", predictions=["svm", "svm"])
        with pytest.raises(InputError, match="at least one column"):
            read(self.frame, truth="label", predictions=[])

    def test_models_may_be_renamed(self) -> None:
        assert read(self.frame, truth="label", predictions={"model 1": "svm"}).models == ("model 1",)

    def test_guessed_and_noted(self) -> None:
        found = read(self.frame)
        assert found.models == ("svm",)
        assert "truth is 'label' by its name; predictions are 'svm', which share its labels" in found.notes[0]

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_repeated_ids_are_noted(self, kind: str) -> None:
        columns = {"label": [1, 0, 1], "svm": [1, 0, 0], "patient": ["a", "a", None], "id": [1, 2, 3]}
        frame = frames_of(columns)[kind]
        found = read(frame, truth="label", predictions="svm")
        assert len(found.notes) == 1
        assert found.notes[0].startswith("column 'patient' repeats (1 values in 2 rows)")
        assert read(frame, truth="label", predictions="svm", group="id").notes == ()

    def test_no_frame(self) -> None:
        with pytest.raises(InputError, match="source is of type int"):
            read(5, truth="label", predictions="svm")

    def test_bad_choice(self) -> None:
        with pytest.raises(InputError, match="on_bad is 'drop'"):
            read(self.frame, truth="label", predictions="svm", on_bad="drop")


class TestPairs:
    """Joint rows that would not fit: tables of pairs give the same numbers."""

    models = ("a", "b", "c", "d")

    @pytest.fixture
    def frame(self) -> pl.DataFrame:
        columns = doors.make_columns(800)
        more = doors.make_columns(800, seed=1)
        labels = {"y": columns[doors.TRUTH], "w": columns[doors.WEIGHT], "site": columns[doors.GROUP]}
        rows = (columns[doors.MODELS[0]], columns[doors.MODELS[1]], more[doors.TRUTH], more[doors.MODELS[1]])
        return pl.DataFrame(labels | dict(zip(self.models, rows, strict=True)))

    @pytest.mark.parametrize("weight", [None, "w"])
    @pytest.mark.parametrize("group", [None, "site"])
    def test_same_numbers(self, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch, weight: str, group: str) -> None:
        request = ReadRequest("y", self.models, weight=weight, group=group)
        joint = frames.read_frame(frame.lazy(), request)
        monkeypatch.setattr(frames, "MOST_CELLS", (len(joint.rows) - 1) * len(request.columns()))
        pairs = frames.read_frame(frame.lazy(), request)
        assert isinstance(pairs.contents, InPairs)
        assert not isinstance(joint.contents, InPairs)
        assert pairs.labels == joint.labels
        assert pairs.n == joint.n == 800
        for pair in [("a", "b"), ("d", "b"), ("c",)]:
            assert doors.rows_of(pairs.pick(*pair)) == doors.rows_of(joint.pick(*pair))
        metrics = [named("accuracy"), named("macro_f1")]
        whole = covariance(
            joint, [linearise(joint, metric, model, "skip") for model in self.models for metric in metrics]
        )
        alone = [linearise(pairs.pick(model), metric, undefined="skip") for model in self.models for metric in metrics]
        assert covariance(pairs, alone) == pytest.approx(whole, rel=1e-12, abs=1e-18)

    def test_what_it_can_and_cannot(self, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        joint = read(frame.lazy(), truth="y", predictions=self.models)
        monkeypatch.setattr(frames, "MOST_CELLS", (len(joint.rows) - 1) * 5)
        pairs = read(frame.lazy(), truth="y", predictions=self.models)
        assert repr(pairs) == "Table(800 rows, 4 labels, 4 models, in pairs)"
        assert hs.estimate(pairs, "macro_f1", model="b", undefined="skip").low == pytest.approx(
            hs.estimate(joint, "macro_f1", model="b", undefined="skip").low
        )
        assert (pairs + pairs).pick("a", "c").n == 1600
        assert pairs.binary("cat").pick("a").matrix().tolist() == joint.binary("cat").pick("a").matrix().tolist()
        with pytest.raises(InputError, match="in pairs"):
            pairs.pick("a", "b", "c")
        assert linearise(pairs, named("accuracy"), "a").value == linearise(joint, named("accuracy"), "a").value

    def test_missing_values_leave_all_pairs(self, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        holed = frame.with_columns(pl.when(pl.int_range(pl.len()) < 7).then(None).otherwise(pl.col("c")).alias("c"))
        joint = read(holed.lazy(), truth="y", predictions=self.models, on_bad="skip")
        monkeypatch.setattr(frames, "MOST_CELLS", (len(joint.rows) - 1) * 5)
        pairs = read(holed.lazy(), truth="y", predictions=self.models, on_bad="skip")
        assert isinstance(pairs.contents, InPairs)
        assert doors.rows_of(pairs.pick("a", "b")) == doors.rows_of(joint.pick("a", "b"))
        assert pairs.notes == ("7 of 800 rows were left out: 'c' is missing in 7.",)

    def test_too_many_even_so(self, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "MOST_CELLS", 60)
        monkeypatch.setattr(frames, "MOST_PAIR_ROWS", 60)
        with pytest.raises(InputError, match="too many distinct rows"):
            read(frame.lazy(), truth="y", predictions=self.models)
        with pytest.raises(InputError, match="too many distinct rows"):
            read(frame.lazy(), truth="y", predictions=["a", "b"])
