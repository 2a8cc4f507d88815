"""Long tables of labels: a row for each model, question and run, with the true and the predicted label."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs
from support.command_line import as_json

ASKED: dict[str, Any] = {"model": "model", "id": "q", "truth": "label", "predictions": "pred"}
ROWS, RUNS = 40, 3


def data(labels: tuple[Any, ...]) -> tuple[np.ndarray, dict[str, dict[str, np.ndarray]], pl.DataFrame]:
    """Return the truth, predictions by model and run, and both as a shuffled long frame."""
    rng = np.random.default_rng(1)
    named = np.array([*labels, None], dtype=object)[:-1]
    truth = named[rng.integers(0, len(labels), ROWS)]
    columns: dict[str, dict[str, np.ndarray]] = {}
    for model, run in itertools.product("ab", range(RUNS)):
        said = np.where(rng.random(ROWS) < 0.8, truth, named[rng.integers(0, len(labels), ROWS)])
        columns.setdefault(model, {})[f"s{run}"] = said
    rows = [
        {"model": model, "seed": run, "q": at, "label": truth[at], "pred": said[at]}
        for model, each in columns.items() for run, said in each.items() for at in range(ROWS)
    ]  # fmt: skip
    return truth, columns, pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=3)


def source(frame: pl.DataFrame, form: str, tmp_path: Path) -> Any:
    if form == "frame":
        return frame
    path = tmp_path / f"long.{form}"
    frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
    return path


@pytest.mark.parametrize("form", ["frame", "csv", "parquet"])
@pytest.mark.parametrize("labels", [("x", "y", "z"), (0, 1)], ids=["text", "numbers"])
def test_a_long_table_with_runs_is_the_wide_one(labels: tuple[Any, ...], form: str, tmp_path: Path) -> None:
    truth, columns, frame = data(labels)
    found = hs.read(source(frame, form, tmp_path), run="seed", **ASKED)
    wide = hs.table(truth.tolist(), {m: {r: c.tolist() for r, c in each.items()} for m, each in columns.items()})
    if form != "csv":
        assert found.labels == wide.labels
    for metric in ("accuracy", "macro_f1"):
        got, expected = (hs.compare(one, metric, "a", "b") for one in (found, wide))
        assert (got.low, got.high, got.p_value) == pytest.approx((expected.low, expected.high, expected.p_value))


def test_numbers_of_a_csv_file_are_the_labels_that_a_wide_file_has(tmp_path: Path) -> None:
    _, _, frame = data((0, 1))
    one = frame.filter((pl.col("model") == "a") & (pl.col("seed") == "s0"))
    one.write_csv(tmp_path / "wide.csv")
    wide = hs.read(tmp_path / "wide.csv", truth="label", predictions="pred")
    found = hs.read(source(frame, "csv", tmp_path), run="seed", **ASKED)
    assert (found.labels, found.contents.pos_label) == (wide.labels, wide.contents.pos_label)


def test_without_runs_the_answers_to_a_question_are_a_group() -> None:
    truth, columns, frame = data(("x", "y"))
    found = hs.read(frame, **ASKED)
    assert found.n_groups == ROWS
    assert "if each 'seed' is a training run or a prompt, say run='seed'" in str(found.notes).replace("If", "if")
    accuracy = np.mean([column == truth for column in columns["a"].values()])
    assert hs.estimate(found, "accuracy", model="a").value == pytest.approx(float(accuracy))


def test_one_answer_each_is_a_paired_table() -> None:
    truth, columns, frame = data(("x", "y"))
    found = hs.read(frame.filter(pl.col("seed") == "s1"), **ASKED)
    wide = hs.table(truth.tolist(), {model: each["s1"].tolist() for model, each in columns.items()})
    got, expected = (hs.compare(one, "macro_f1", "a", "b") for one in (found, wide))
    assert (got.low, got.high) == pytest.approx((expected.low, expected.high))


def test_slices_and_tasks_have_the_labels_of_all(tmp_path: Path) -> None:
    truth, _, frame = data(("x", "y", "z"))
    frame = frame.with_columns(part=pl.when(pl.col("q") < 20).then(pl.lit("one")).otherwise(pl.lit("two")))
    parts = hs.read_slices(frame, by="part", run="seed", **ASKED)
    assert [part.labels for part in parts.values()] == [("x", "y", "z")] * 2
    assert hs.read(frame, task="part", run="seed", **ASKED).n == ROWS
    assert len(truth) == ROWS


def test_the_shell(tmp_path: Path) -> None:
    _, _, frame = data(("x", "y"))
    path = source(frame, "csv", tmp_path)
    named = ("--model-column", "model", "--id", "q", "--truth", "label", "--pred", "pred", "--run", "seed")
    found = as_json("compare", path, *named, "-m", "macro_f1")
    expected = hs.compare(hs.read(frame, run="seed", **ASKED), "macro_f1")
    assert (found["a"], found["low"]) == (expected.a, pytest.approx(expected.low))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"predictions": ["pred", "seed"]}, "name the one column of predicted labels"),
        ({"predictions": {"a": "pred"}}, "name the one column of predicted labels"),
        ({"truth": "seed"}, "a question has one"),
        ({"abstain": "x"}, "abstain does not go with labels of a long table"),
        ({"truth": "pred"}, "a column plays one part"),
        ({"truth": None}, "one column each for truth= and predictions="),
    ],
)
def test_what_is_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.InputError, match=words):
        hs.read(data(("x", "y"))[2], **(ASKED | more))


def test_unequal_numbers_of_answers_have_no_mean() -> None:
    frame = data(("x", "y"))[2].filter((pl.col("q") > 3) | (pl.col("seed") != "s2"))
    with pytest.raises(hs.InputError, match="predicted labels have no mean"):
        hs.read(frame, **ASKED)
    with pytest.raises(hs.InputError, match="the runs did not answer the same questions"):
        hs.read(frame, run="seed", **ASKED)
    assert hs.read(frame, run="seed", on_bad="skip", **ASKED).n == ROWS - 4


def test_a_run_is_the_same_in_all_tasks_by_its_name_in_whatever_order() -> None:
    _, columns, frame = data(("x", "y"))
    frame = frame.with_columns(part=pl.when(pl.col("q") < 20).then(pl.lit("one")).otherwise(pl.lit("two")))
    asked = {"task": "part", "run": "seed", **ASKED}
    sorted_, shuffled = (hs.read(one, **asked) for one in (frame.sort("model", "seed", "q"), frame))
    got, expected = (hs.compare(one, "accuracy", "a", "b") for one in (shuffled, sorted_))
    assert (got.low, got.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    by_hand = np.mean([[np.mean(np.array(c[p]) == data(("x", "y"))[0][p]) for p in (slice(20), slice(20, None))]
                       for c in columns["a"].values()], axis=1)  # fmt: skip
    found = hs.estimate(shuffled, "accuracy", model="a").run_values
    assert sorted(found) == pytest.approx(sorted(by_hand))
