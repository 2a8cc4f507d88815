"""What is one column, and what only looks like labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import f1_score

import howsure as hs
from howsure.errors import InputError

RNG = np.random.default_rng(18)
TRUTH = RNG.integers(0, 2, 300)
GUESS = np.where(RNG.random(300) < 0.75, TRUTH, 1 - TRUTH)
ONE_COLUMN: dict[str, Callable[[Any], Any]] = {
    "array": lambda column: column.reshape(-1, 1),
    "pandas": lambda column: pd.DataFrame({"label": column}),
    "polars": lambda column: pl.DataFrame({"y": column}),
    "arrow": lambda column: pa.table({"anything": column}),
}


class TestOneColumn:
    """An array of shape (n, 1) and a frame of one column are a column, whatever its name."""

    @pytest.mark.parametrize("kind", list(ONE_COLUMN))
    def test_as_truth_and_prediction(self, kind: str) -> None:
        made = ONE_COLUMN[kind]
        for truth, guess in ((made(TRUTH), made(GUESS)), (made(TRUTH), GUESS), (TRUTH, {"m": made(GUESS)})):
            found = hs.estimate(hs.table(truth, guess), "macro_f1")
            assert float(found) == pytest.approx(f1_score(TRUTH, GUESS, average="macro"), abs=1e-12)

    @pytest.mark.parametrize("kind", list(ONE_COLUMN))
    def test_as_weight_and_groups(self, kind: str) -> None:
        made, weight, groups = ONE_COLUMN[kind], RNG.integers(1, 5, 300) / 2, RNG.integers(0, 30, 300)
        plain = hs.table(TRUTH, GUESS, sample_weight=weight, groups=groups)
        found = hs.table(TRUTH, GUESS, sample_weight=made(weight), groups=made(groups))
        one, other = hs.estimate(found, "f1"), hs.estimate(plain, "f1")
        assert (one.value, one.low, one.high, one.n) == (other.value, other.low, other.high, other.n)

    def test_the_drop_in_functions_and_the_counter(self) -> None:
        assert float(hs.scores.f1_score(TRUTH.reshape(-1, 1), GUESS.reshape(-1, 1), average="macro")) == pytest.approx(
            f1_score(TRUTH, GUESS, average="macro"), abs=1e-12
        )
        counter = hs.Counter(labels=[0, 1])
        counter.update(TRUTH.reshape(-1, 1), GUESS.reshape(-1, 1))
        assert float(hs.estimate(counter.table, "accuracy")) == pytest.approx(np.mean(TRUTH == GUESS), abs=1e-12)

    def test_a_list_of_lists_is_one_of_label_sets(self) -> None:
        assert hs.table([["a"], ["b"]], [["a"], ["a"]]).contents.several

    def test_a_frame_as_truth_beside_a_column(self) -> None:
        truth = pd.DataFrame({"a": [1, 0, 1], "b": [0, 1, 1]})
        for guess in ([1, 0, 1], np.array([1, 0, 1]), pd.Series([1, 0, 1])):
            with pytest.raises(InputError, match=r'prediction "model" is one column, but the truth has several'):
                hs.table(truth, guess)

    def test_a_frame_with_a_column_twice(self) -> None:
        twice = pd.DataFrame([[1, 0, 1], [0, 1, 1]], columns=["truth", "pred", "pred"])
        for frame in (twice, pa.table([[1, 0], [1, 1], [0, 1]], names=["truth", "pred", "pred"])):
            with pytest.raises(InputError, match=r"source has columns of the same name \('pred'\); rename one"):
                hs.read(frame)
        with pytest.raises(InputError, match="y_pred has the column 'pred' twice"):
            hs.table([1, 0], twice)


class TestMasked:
    """A masked cell is no count and no label."""

    def test_matrix(self) -> None:
        masked = np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]])
        with pytest.raises(InputError, match="counts is masked in row 1, column 0"):
            hs.matrix(masked, rows="truth")
        assert hs.matrix(np.ma.array([[1, 2], [3, 4]]), rows="truth").n == 10

    def test_batch_intervals(self) -> None:
        masked = np.ma.array([1, 2], mask=[1, 0])
        with pytest.raises(InputError, match="tp has masked cells"):
            hs.batch_intervals("f1", tp=masked, fp=[1, 1], fn=[1, 1])
        with pytest.raises(InputError, match="tn has masked cells"):
            hs.batch_intervals("accuracy", tp=[1, 1], fp=[1, 1], fn=[1, 1], tn=masked)
        stack = np.ma.array([[[1, 2], [3, 4]]], mask=[[[1, 0], [0, 0]]])
        with pytest.raises(InputError, match="matrices has masked cells"):
            hs.batch_intervals("f1", matrices=stack)

    def test_label_sets(self) -> None:
        masked = np.ma.array([[1, 0], [0, 1]], mask=[[1, 0], [0, 0]])
        with pytest.raises(InputError, match="truth has masked cells"):
            hs.table(masked, np.array([[1, 0], [0, 1]]))


WORDS = ["cat", "dog"] * 60
SCORES = [f"{place / 121:.4f}" for place in range(1, 121)]


class TestScoresUnderWords:
    """Probabilities under a text truth are no classes."""

    @pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series, pa.array])
    def test_columns(self, make: Callable[[Any], Any]) -> None:
        with pytest.raises(InputError, match=r"holds '0\.\d+' and other numbers.*these look like scores"):
            hs.table(make(WORDS), make(SCORES))

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "ipc"])
    @pytest.mark.parametrize("rows", [120, 120_000])
    def test_files(self, tmp_path: Path, ending: str, rows: int) -> None:
        frame = pl.DataFrame({"truth": WORDS, "pred": SCORES}).select(pl.all().repeat_by(rows // 120).explode())
        path = tmp_path / f"a.{ending.replace('ipc', 'arrow')}"
        getattr(frame, {"csv": "write_csv", "jsonl": "write_ndjson"}.get(ending, f"write_{ending}"))(path)
        with pytest.raises(InputError, match=r"'pred' holds '0\.\d+' and other numbers.*these look like scores"):
            hs.read(path, truth="truth", predictions="pred")

    def test_frames(self) -> None:
        frame = pl.DataFrame({"truth": WORDS, "pred": SCORES, "id": range(120)})
        for one in (frame, frame.lazy(), frame.to_pandas()):
            with pytest.raises(InputError, match="these look like scores"):
                hs.read(one, truth="truth", predictions="pred")

    def test_joined_files(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"truth": WORDS, "pred": SCORES, "id": range(120)})
        frame.select("id", "truth").write_csv(tmp_path / "truth.csv")
        frame.select("id", "pred").write_csv(tmp_path / "model.csv")
        with pytest.raises(InputError, match="these look like scores"):
            hs.read([tmp_path / "truth.csv", tmp_path / "model.csv"], truth="truth", predictions=["pred"], id="id")

    def test_labels_that_are_numbers_in_the_truth_too(self) -> None:
        versions = ["1.5", "2.5", "3.0"] * 4
        assert hs.table(versions, versions[::-1]).labels == ("1.5", "2.5", "3.0")
        assert hs.table(["cat", "dog"], ["cat", "0.5"]).labels == ("0.5", "cat", "dog")


FRAMES: dict[str, Callable[[], Any]] = {
    "polars struct": lambda: pl.DataFrame({"truth": [1, 0], "pred": [{"a": 1}, {"a": 2}]}),
    "polars list": lambda: pl.DataFrame({"truth": [1, 0], "pred": [[1], [2]]}),
    "polars lazy list": lambda: pl.LazyFrame({"truth": [1, 0], "pred": [[1], [2]]}),
    "arrow struct": lambda: pa.table({"truth": [1, 0], "pred": [{"a": 1}, {"a": 2}]}),
    "arrow map": lambda: pa.table(
        {"truth": [1, 0], "pred": pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int8()))}
    ),
    "pandas lists": lambda: pd.DataFrame({"truth": [1, 0], "pred": [[1], [2]]}),
    "pandas dicts": lambda: pd.DataFrame({"truth": [1, 0], "pred": [{1: 2}, {1: 3}]}),
}


@pytest.mark.parametrize("on_bad", ["refuse", "skip"])
@pytest.mark.parametrize("kind", list(FRAMES))
def test_a_row_of_several_values_is_no_label(kind: str, on_bad: str) -> None:
    frame = FRAMES[kind]()
    with pytest.raises(InputError):
        hs.read(frame, truth="truth", predictions="pred", on_bad=on_bad)
