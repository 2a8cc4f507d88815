"""Rows that would give a wrong number without a word, through frames and files; each was found by attack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import howsure as hs

LONG: dict[str, Any] = {"model": "m", "id": "q", "correct": "c"}
ROWS = pd.DataFrame({"m": ["a", "a", "b", "b"], "q": [1, 2, 1, 2], "c": [1, 0, 1, 1], "v": [0.5, 0.2, 0.1, 1.0]})


def test_models_that_read_the_same_as_text() -> None:
    """1 and "1" would be one model with two answers each."""
    rows = ROWS.assign(m=[1, 1, "1", "1"])
    with pytest.raises(hs.InputError, match="model names that read the same as text"):
        hs.read(rows, **LONG)


@pytest.mark.parametrize(("asked", "message"), [
    (LONG | {"id": "m"}, "'m' is named as model and as id"),
    (LONG | {"id": "c"}, "'c' is named as id and as correct"),
    (LONG | {"model": "c"}, "'c' is named as model and as correct"),
    ({"model": "m", "id": "v", "value": "v"}, "'v' is named as value and as id"),
    ({"value": "v", "group": "v"}, "'v' is named as value and as group"),
    ({"value": "v", "weight": "v"}, "'v' is named as value and as weight"),
    ({"value": ["v", "v"]}, "names a column twice: 'v', 'v'"),
    ({"unit": "q", "sums": ["c", "q"]}, "'q' is named as sums and as unit"),
    ({"unit": "q", "sums": ["c", "c"]}, "names a column twice: 'c', 'c'"),
    ({"unit": "q", "sums": ["c", "v"], "group": "c"}, "'c' is named as sums and as group"),
])  # fmt: skip
@pytest.mark.parametrize("form", ["csv", "pandas"])
def test_a_column_in_two_parts(asked: dict[str, Any], message: str, form: str, tmp_path: Path) -> None:
    ROWS.to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(hs.InputError, match=message):
        hs.read(ROWS if form == "pandas" else tmp_path / "rows.csv", **asked)


def test_a_group_may_be_the_question() -> None:
    assert hs.read(ROWS, **LONG, group="q").n_groups == 2


@pytest.mark.parametrize("make", [
    lambda: hs.table(values=[1e308, 1e308, -1e308]),
    lambda: hs.table(values=[0.0, 1e-320], range=(0, 1e-320)),
    lambda: hs.table(values=[0.0, 1.0], range=(-1e300, 1e300)),
    lambda: hs.sums({"e": [1.0, 2.0], "w": [1e200, 1e200]}),
    lambda: hs.counts(tp=[1e200, 2], fp=[0, 1], fn=[1, 1]),
])  # fmt: skip
def test_numbers_whose_squares_are_none(make: Callable[[], Any]) -> None:
    with pytest.raises(hs.InputError, match=r"1e\+?100"):
        make()


def test_a_range_is_no_text() -> None:
    with pytest.raises(hs.InputError, match="range is '01'"):
        hs.table(values=[0.0, 1.0], range="01")


@pytest.mark.parametrize("given", [
    {"e": [1, 2], 1: [1, 2], "1": [3, 4]},
    {1: {"e": [1, 2], "w": [2, 3]}, "1": {"e": [0, 1], "w": [2, 3]}},
])  # fmt: skip
def test_names_of_sums_that_read_the_same_as_text(given: Any) -> None:
    """Of two systems 1 and "1" one would be lost."""
    with pytest.raises(hs.InputError, match="read the same as text"):
        hs.sums(given)


@pytest.mark.filterwarnings("error")
def test_nothing_to_divide_by() -> None:
    for words in ([0, 0, 0], [-5, 2, 3]):
        assert hs.estimate(hs.sums({"e": [1, 2, 3], "w": words}), "e/w").value == np.inf


@pytest.mark.parametrize("nested", [[1], {"a": 1}])
def test_questions_that_are_lists_or_objects(nested: Any, tmp_path: Path) -> None:
    """Found by fuzzing: a JSON line with an object for the question."""
    path = tmp_path / "rows.jsonl"
    pl.DataFrame({"m": ["a", "b"], "q": ["x", "x"], "c": [1, 0]}).write_ndjson(path)
    text = path.read_text().replace('"x"', str(nested).replace("'", '"'), 1)
    path.write_text(text)
    with pytest.raises(hs.InputError, match="'q'"):
        hs.read(path, **LONG)
    with pytest.raises(hs.InputError, match="'q' is missing, or several values"):
        hs.read(pl.DataFrame({"m": ["a", "b"], "q": [[1], [1]], "c": [1, 0]}), **LONG)


def test_cells_that_are_lists_of_labels() -> None:
    """A column of lists is what cells apart by a mark stand for, not their text."""
    frame = pl.DataFrame({"gold": [["x"], ["x", "y"], []], "net": [["x"], ["y"], ["y"]]})
    found = hs.read(frame, truth="gold", predictions="net", separator="|")
    assert found.labels == ("x", "y")
    assert hs.estimate(found, "micro_f1").value == pytest.approx(2 * 2 / (3 + 3))


@pytest.mark.parametrize(("asked", "message"), [
    (LONG | {"scores": ["c"]}, "scores does not go with answers"),
    (LONG | {"threshold": 0.5}, "threshold does not go with answers"),
    ({"value": "v", "scores": ["c"]}, "scores does not go with values"),
    ({"unit": "q", "sums": ["c", "v"], "weight": "v2"}, "weight does not go with sums per unit"),
    ({"truth": "m", "predictions": "q", "separator": ""}, "separator is ''"),
    ({"truth": "m", "predictions": "q", "range": (0, 1)}, "range is about values and sums"),
    (LONG | {"range": (0, 10)}, "range is about values and sums"),
    ({"truth": "m", "predictions": "q", "better": "lower"}, "better is about values and sums"),
    ({"truth": "m", "predictions": "q", "separator": ";", "threshold": 0.5}, "does not go with several labels a row"),
])  # fmt: skip
def test_what_would_be_ignored_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(hs.InputError, match=message):
        hs.read(ROWS, **asked)


def test_a_system_that_lacks_a_sum_is_said() -> None:
    rows = pd.DataFrame({"image": [1, 2], "yolo_tp": [1, 2], "yolo_fp": [0, 1], "yolo_fn": [1, 0], "detr_tp": [1, 1]})
    notes = hs.read(rows, unit="image", sums=["tp", "fp", "fn"]).notes
    assert "left out: 'detr' has 'detr_tp' but no 'fp', 'fn'; a system needs all of the sums." in notes


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "arrow"])
def test_an_underscore_makes_no_number(form: str, tmp_path: Path) -> None:
    """DuckDB reads 1_0 as ten."""
    frame = pl.DataFrame({"v": ["1_0", "0.25"], "y": [1, 0], "p": [1, 0]})
    path = tmp_path / f"rows.{form}"
    getattr(
        frame, {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet", "arrow": "write_ipc"}[form]
    )(path)
    with pytest.raises(hs.InputError, match="'v' is no finite number in 1"):
        hs.read(path, value="v")
    with pytest.raises(hs.InputError, match="'v'"):
        hs.read(path, truth="y", predictions="p", weight="v")


@pytest.mark.parametrize("text", ["1.0", "1", "true", "Yes"])
def test_right_answers_in_a_file_as_in_a_frame(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"m,q,c\na,1,{text}\na,2,0.0\n")
    assert hs.estimate(hs.read(path, **LONG), "accuracy").value == 0.5


def test_units_1_and_text_1_are_two() -> None:
    frame = pd.DataFrame({"u": [1, "1"], "e": [1, 0], "w": [3, 4]})
    assert hs.read(frame, unit="u", sums=["e", "w"]).n == 2


def test_sums_in_two_columns_or_beside_those_of_others() -> None:
    twice = pd.DataFrame({"u": [1, 2], "a_errors": [1, 0], "a.errors": [2, 3], "words": [5, 6]})
    with pytest.raises(hs.InputError, match=r"'errors' is in two columns, 'a_errors' and 'a\.errors'"):
        hs.read(twice, unit="u", sums=["errors", "words"])
    beside = pd.DataFrame({"u": [1, 2], "e": [1, 0], "w": [5, 6], "b_e": [2, 3], "b_w": [5, 6]})
    assert any("not read: 'b_e', 'b_w'" in note for note in hs.read(beside, unit="u", sums=["e", "w"]).notes)


def test_a_predicted_label_without_a_column_of_truth() -> None:
    frame = pd.DataFrame({"x_gold": [1, 0], "x_net": [1, 0], "y_net": [1, 1]})
    with pytest.raises(hs.InputError, match="finds 'y' too, and the truth has no column"):
        hs.read(frame, truth="*_gold", predictions="*_net")
    assert hs.read(frame, truth="*_gold", predictions="*_net", labels=["x"]).labels == ("x",)
