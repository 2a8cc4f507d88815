"""Values, sums per unit, long tables and label columns: from files small and large, frames and arrays, all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs

RNG = np.random.default_rng(11)
N = 90
RUBRIC = np.round(RNG.beta(4, 2, N), 2)
VALUES = pl.DataFrame({
    "question": np.arange(N) // 3, "rubric": RUBRIC, "other": np.round(RUBRIC**2, 3), "site": ["x", "y", "y"] * (N //
    3), "w": np.round(RNG.uniform(0.5, 2, N), 2),
})  # fmt: skip
DETECTIONS = pl.DataFrame({
    "image": [f"{place}.png" for place in range(N)], "scene": np.arange(N) // 5,
    **{f"{model}_{cell}": RNG.poisson(mean, N) for model in ("yolo", "detr")
       for cell, mean in (("tp", 3), ("fp", 1), ("fn", 1))},
})  # fmt: skip
SPEECH = pl.DataFrame({"utterance": range(N), "errors": RNG.poisson(1, N), "words": RNG.poisson(12, N) + 1})
LONG = pl.DataFrame(
    [(model, question, draw, int(RNG.random() < share)) for model, share in (("a", 0.55), ("b", 0.75))
     for question in range(40) for draw in range(3)],
    schema=["model", "question", "draw", "correct"], orient="row",
)  # fmt: skip
FORMS = ("csv", "tsv", "jsonl", "parquet", "arrow", "polars", "lazy", "pandas", "table")


def as_form(frame: pl.DataFrame, form: str, folder: Path) -> Any:
    """Return a frame as a file or as a frame of another library."""
    made = {"polars": lambda: frame, "lazy": frame.lazy, "pandas": frame.to_pandas, "table": frame.to_arrow}
    if form in made:
        return made[form]()
    path = folder / f"data.{form}"
    writers = {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet,
               "arrow": frame.write_ipc, "tsv": lambda to: frame.write_csv(to, separator="\t")}  # fmt: skip
    writers[form](path)
    return path


def same(first: hs.Estimate, second: hs.Estimate) -> bool:
    return (first.value, first.low, first.high) == pytest.approx((second.value, second.low, second.high))


@pytest.mark.parametrize("form", FORMS)
def test_values_of_every_source(form: str, tmp_path: Path) -> None:
    source = as_form(VALUES, form, tmp_path)
    found = hs.read(source, value=["rubric", "other"], group="question", range=(0, 1))
    direct = hs.table(values={"rubric": RUBRIC, "other": VALUES["other"]}, groups=VALUES["question"], range=(0, 1))
    for model in ("rubric", "other"):
        assert same(hs.estimate(found, "mean", model=model), hs.estimate(direct, "mean", model=model))
    weighted = hs.read(source, value={"mine": "rubric"}, weight="w", range=(0, 1), better="lower")
    assert weighted.models == ("mine",)
    assert hs.estimate(weighted, "mean").value == pytest.approx(np.average(RUBRIC, weights=VALUES["w"]))
    slices = hs.Slices(hs.read_slices(source, by="site", value="rubric", range=(0, 1)))
    assert {name: one.n for name, one in slices.items()} == {"x": 30, "y": 60}
    assert slices.gap("mean").gap >= 0


@pytest.mark.parametrize("form", FORMS)
def test_sums_of_every_source(form: str, tmp_path: Path) -> None:
    found = hs.read(as_form(DETECTIONS, form, tmp_path), unit="image", sums=["tp", "fp", "fn"], group="scene")
    cells = {model: [DETECTIONS[f"{model}_{cell}"] for cell in ("tp", "fp", "fn")] for model in ("yolo", "detr")}
    direct = hs.counts(cells, unit=DETECTIONS["image"], groups=DETECTIONS["scene"])
    assert found.models == ("yolo", "detr")
    assert hs.compare(found, "f1").low == pytest.approx(hs.compare(direct, "f1").low)
    speech = hs.read(as_form(SPEECH, form, tmp_path), unit="utterance", sums=["errors", "words"], better="lower")
    direct = hs.sums({"errors": SPEECH["errors"], "words": SPEECH["words"]})
    assert same(hs.estimate(speech, "errors/words"), hs.estimate(direct, "errors/words"))


def test_a_sum_that_stands_alone_is_shared() -> None:
    frame = SPEECH.rename({"errors": "a_errors"}).with_columns(b_errors=pl.col("a_errors") + 1)
    found = hs.read(frame, unit="utterance", sums=["errors", "words"])
    assert found.models == ("a", "b")
    assert hs.compare(found, "errors/words").difference == pytest.approx(N / SPEECH["words"].sum())


@pytest.mark.parametrize("form", FORMS)
def test_long_tables_of_every_source(form: str, tmp_path: Path) -> None:
    source = as_form(LONG, form, tmp_path)
    found = hs.read(source, model="model", id="question", correct="correct")
    right = {model: LONG.filter(pl.col("model") == model)["correct"].to_numpy() for model in ("a", "b")}
    assert found.n_groups == 40
    for model in ("a", "b"):
        assert hs.estimate(found, "accuracy", model=model).value == pytest.approx(right[model].mean())
    values = hs.read(source, model="model", id="question", value="correct", range=(0, 1))
    assert hs.compare(values, "mean").difference == pytest.approx(right["b"].mean() - right["a"].mean())
    assert any("answered 3 times (column 'draw')" in note for note in found.notes)
    assert any(note.kind == "within groups" for note in hs.estimate(found, "accuracy", model="a").notes)


def test_one_answer_each_and_groups_of_questions() -> None:
    once = LONG.filter(pl.col("draw") == 0).with_columns(topic=pl.col("question") % 7)
    found = hs.read(once, model="model", id="question", correct="correct")
    assert (found.n, found.n_groups) == (40, None)
    assert hs.read(once, model="model", id="question", correct="correct", group="topic").n_groups == 7
    shuffled = once.sample(fraction=1.0, shuffle=True, seed=3)
    again = hs.read(shuffled, model="model", id="question", correct="correct")
    assert hs.compare(again.pick("a", "b"), "accuracy").low == pytest.approx(hs.compare(found, "accuracy").low)
    words = once.with_columns(correct=pl.when(pl.col("correct") == 1).then(pl.lit("yes")).otherwise(pl.lit("no")))
    assert hs.read(words, model="model", id="question", correct="correct").n == 40


def test_unequal_numbers_of_answers_count_each_question_once() -> None:
    some = LONG.head(-2)
    found = hs.read(some, model="model", id="question", correct="correct")
    means = some.filter(pl.col("model") == "b").group_by("question").agg(pl.col("correct").mean())["correct"]
    assert found.n == 40
    assert hs.estimate(found, "mean", model="b").value == pytest.approx(means.mean())
    assert any("unequal numbers of answers" in note for note in found.notes)


def test_questions_that_a_model_lacks() -> None:
    some = LONG.head(-3)
    with pytest.raises(hs.InputError, match=r"'b' has no answer to 1 \(39\)"):
        hs.read(some, model="model", id="question", correct="correct")
    assert hs.read(some, model="model", id="question", correct="correct", on_bad="skip").n_groups == 39


def test_runs_are_remarked_and_told_from_answers_by_structure() -> None:
    """A column that numbers runs of unequal quality is said first; one that does not cover all questions is no run."""
    runs = LONG.with_columns(correct=pl.when(pl.col("draw") == 2).then(0).otherwise(pl.col("correct")))
    notes = hs.read(runs, model="model", id="question", correct="correct").notes
    (note,) = (note for note in notes if getattr(note, "kind", "") == "runs")
    assert note.startswith("the 3 values of column 'draw' differ more than repeated answers do (p")
    assert "a training run or a prompt, say run='draw'; if it is a task, with questions of its own, task='draw'" in note
    scattered = LONG.with_columns(draw=(pl.col("draw") + pl.col("question") * (pl.col("draw") > 0)) % 3)
    kinds = [
        getattr(one, "kind", "") for one in hs.read(scattered, model="model", id="question", correct="correct").notes
    ]
    assert "runs" not in kinds


def recurring(answers: int) -> pl.DataFrame:
    """Return two tasks whose ids begin at 0, with some answers to each question."""
    rows = [(model, task, id, draw, (id + draw + (model == "a")) % 3 > 0)
            for model in "ab" for task, size in (("sums", 12), ("words", 8)) for id in range(size)
            for draw in range(answers)]  # fmt: skip
    return pl.DataFrame(rows, schema=["model", "task", "id", "draw", "correct"], orient="row")


@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "pandas"])
def test_ids_that_are_unique_only_within_a_task(form: str, tmp_path: Path) -> None:
    """Several answers each: refused. One each: a task cannot be told from the number of an answer, and is noted."""
    asked: dict[str, Any] = {"model": "model", "id": "id", "correct": "correct"}
    source = as_form(recurring(3), form, tmp_path)
    with pytest.raises(hs.InputError, match=r"with column 'task' \('sums', 'words'\) 20 with 3 each") as refused:
        hs.read(source, **asked)
    assert str(refused.value).endswith("if each 'task' is a task of its own, say task='task'; else make ids unique")
    assert hs.read(source, **asked, task="task").n == 60  # the remedy serves
    assert {name: one.n for name, one in hs.read_slices(source, by="task", **asked).items()} == {
        "sums": 36,
        "words": 24,
    }
    unique = recurring(3).with_columns(id=pl.col("task") + pl.col("id").cast(str))
    assert hs.read(unique, **asked).n_groups == 20
    notes = hs.read(as_form(recurring(1), form, tmp_path), **asked).notes
    (note,) = (note for note in notes if getattr(note, "kind", "") == "recurring ids")
    assert "if each 'task' has questions of its own, say task='task'" in note
    assert "if it is a training run or a prompt, run='task'" in note


@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "pandas"])
def test_ids_that_recur_within_a_run_name_the_column_of_tasks(form: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"model": "model", "id": "id", "correct": "correct", "run": "draw"}
    timed = recurring(3).with_row_index("time")  # which tells rows apart too, and is no task
    source = as_form(timed.select("time", *recurring(3).columns), form, tmp_path)
    with pytest.raises(hs.InputError, match="a run answers a question once") as refused:
        hs.read(source, **asked)
    assert str(refused.value).endswith(
        "With column 'task' each has one answer: if each 'task' is a task of its own, say task='task'; else make ids "
        "unique"
    )
    assert hs.read(source, **asked, task="task").models == ("a", "b")
    lonely = as_form(recurring(3).drop("task"), form, tmp_path)
    with pytest.raises(hs.InputError, match="a run answers a question once") as refused:
        hs.read(lonely, **asked)
    assert str(refused.value).endswith(
        "If ids recur in several tasks, name the column of tasks with task=; else make ids unique"
    )


def test_several_runs_and_several_answers_are_both_said() -> None:
    """Three seeds with two draws each: no column numbers all six answers, and none is pooled without a word."""
    rows = [(model, id, seed, draw, (id * seed + draw) % 4 > 0)
            for model in "ab" for id in range(10) for seed in (1, 2, 3) for draw in (1, 2)]  # fmt: skip
    frame = pl.DataFrame(rows, schema=["model", "id", "seed", "draw", "correct"], orient="row")
    notes = [str(note) for note in hs.read(frame, model="model", id="id", correct="correct").notes]
    assert all(any(f"(column {name!r})" in note for note in notes) for name in ("seed", "draw"))


def test_the_real_tasks_and_seeds_are_not_pooled(shared_data: Path) -> None:
    path = shared_data / "runs-tasks" / "predictions.csv"
    with pytest.raises(hs.InputError, match=r"ids recur in 'task'"):
        hs.read(path, model="model", id="id", correct="correct")


LABELS = pl.DataFrame({
    "a_gold": [1, 0, 1, 1], "b_gold": [0, 0, 1, 0], "a_net": [1, 0, 0, 1], "b_net": [0, 1, 1, 0],
    "gold": ["a", "", "a|b", "a"], "net": ["a", "b", "b", "a"],
})  # fmt: skip


@pytest.mark.parametrize("form", ["csv", "parquet", "polars", "pandas"])
def test_several_labels_in_columns_and_in_cells(form: str, tmp_path: Path) -> None:
    source = as_form(LABELS, form, tmp_path)
    columns = hs.read(source, truth="*_gold", predictions="*_net")
    cells = hs.read(source, truth="gold", predictions={"net": "net"}, separator="|")
    direct = hs.table(LABELS.select("a_gold", "b_gold").to_numpy(), {"net": LABELS.select("a_net", "b_net").to_numpy()})
    assert columns.labels == cells.labels == ("a", "b")
    assert columns.models == cells.models == ("net",)
    for metric in ("micro_f1", "macro_f1", "exact_match"):
        values = {hs.estimate(one, metric, method="wald").value for one in (columns, cells, direct)}
        assert len(values) == 1


REFUSED = {
    "no such column": ({"value": "rubrik"}, "value names the column 'rubrik'.*Did you mean 'rubric'"),
    "text": ({"value": "site"}, "'site' is no finite number in 90"),
    "truth too": ({"value": "rubric", "truth": "site"}, "truth does not go with values"),
    "outside": ({"value": "rubric", "range": (0, 0.5)}, "outside the range 0 to 0.5"),
    "both": ({"value": "rubric", "correct": "site", "model": "site"}, "correct is given beside value"),
    "model alone": ({"model": "site"}, "name what each row holds too"),
    "no id": ({"model": "site", "value": "rubric"}, "name its questions too"),
    "unit alone": ({"unit": "site"}, "unit is given without sums"),
    "no sum": ({"unit": "question", "sums": ["errors"]}, "names the column 'errors', and there is neither"),
    "not right or wrong": ({"model": "site", "id": "question", "correct": "rubric"}, "must be 0 or 1, true or false"),
    "pattern": ({"truth": "*_gold", "predictions": "*_net"}, "which no column fits"),
    "several": ({"truth": "gold", "predictions": "*", "separator": "|"}, "as patterns with"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("form", ["csv", "polars"])
def test_what_is_refused(case: str, form: str, tmp_path: Path) -> None:
    given, message = REFUSED[case]
    with pytest.raises(hs.InputError, match=message):
        hs.read(as_form(VALUES, form, tmp_path), **given)


def test_bad_rows_are_refused_with_their_line_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("id,rubric\n1,0.5\n2,\n3,good\n4,0.75\n")
    with pytest.raises(
        hs.InputError, match=r"2 of 4 rows cannot be used: 'rubric' is no finite number in 2 \(first at line 3\)"
    ):
        hs.read(path, value="rubric")
    found = hs.read(path, value="rubric", on_bad="skip")
    assert found.n == 2
    assert any("2 of 4 rows were left out" in note for note in found.notes)


@pytest.mark.parametrize("form", ["csv", "polars"])
def test_a_long_table_is_recognised_where_labels_are_asked(form: str, tmp_path: Path) -> None:
    with pytest.raises(hs.InputError, match="It looks like a long table, a row for each model and question"):
        hs.read(as_form(LONG, form, tmp_path))
    with pytest.raises(hs.InputError) as plain:
        hs.read(as_form(SPEECH, form, tmp_path))
    assert "long table" not in str(plain.value)


def test_large_files_are_the_same(tmp_path: Path) -> None:
    many = pl.concat([VALUES] * 2000)  # 180,000 rows
    path = tmp_path / "large.parquet"
    many.write_parquet(path)
    found = hs.read(path, value="rubric", range=(0, 1))
    assert found.n == len(many)
    assert hs.estimate(found, "mean").value == pytest.approx(RUBRIC.mean())
    assert len(found.contents) == len(set(RUBRIC.tolist()))
