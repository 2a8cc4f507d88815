"""Rows of values, sums, answers or several labels, and logs of evaluation tools: what would mislead is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

import howsure as hs
from hard_use.catalogue import refused, theme
from hard_use.row_readers import helm, openai_evals

ROWS = theme("Values, sums, answers and logs")
LONG: dict[str, Any] = {"model": "model", "id": "question", "correct": "right"}


def answers(rows: list[tuple[Any, ...]], *more: str) -> pd.DataFrame:
    """Return a long table."""
    return pd.DataFrame(rows, columns=["model", "question", "right", *more])


@ROWS.case("values that are all the same", "the interval still has width, for values in the range that did not occur")
def equal_values(folder: Path) -> None:
    made = hs.estimate(hs.table(values=[1.0] * 30, range=(0, 1)), "mean")
    assert made.low < made.value == made.high == 1


@ROWS.case("a value outside the stated range", "refused, with the row and how many there are")
def outside_the_range(folder: Path) -> None:
    refused(lambda: hs.table(values=[0.5, 1.5], range=(0, 1)), "1.5 in row 1", "0 to 1")


@ROWS.case("values or sums beyond 1e100", "refused: their squares are no numbers")
def too_large(folder: Path) -> None:
    refused(lambda: hs.table(values=[1e200, 1.0]), "1e+200 in row 0")
    refused(lambda: hs.sums({"errors": [1, 2], "words": [1e200, 3]}), "1e+200 in row 0")


@ROWS.case("two test sets whose values have two ranges, or whose positive classes differ", "not compared: refused")
def two_scales(folder: Path) -> None:
    first, second = (hs.table(values=[0.2, 0.5, 0.9], range=(0, top)) for top in (1, 10))
    refused(lambda: hs.compare_tables(first, second, "mean"), "0 to 1", "0 to 10", "same range")
    cats, dogs = (hs.table(["cat", "dog"] * 3, ["cat"] * 6, pos_label=name) for name in ("cat", "dog"))
    refused(lambda: hs.compare_tables(cats, dogs, "f1"), "'cat'", "'dog'")


@ROWS.case("a unit of which the part exceeds the whole", "refused, with both sums")
def part_above_whole(folder: Path) -> None:
    refused(lambda: hs.sums({"missed": [3, 1], "words": [2, 9]}, range=(0, 1)), "missed 3", "words 2")


@ROWS.case("no error in any unit", "the value is 0, and the upper limit is not")
def no_error(folder: Path) -> None:
    made = hs.estimate(hs.sums({"errors": [0] * 25, "words": [10] * 25}), "errors/words")
    assert made.low == made.value == 0 < made.high


@ROWS.case("an image without objects and without detections", "has no F1 of its own: undefined, left out or 0 as asked")
def empty_unit(folder: Path) -> None:
    table = hs.counts(tp=[2, 0, 3], fp=[0, 0, 1], fn=[1, 0, 0])
    assert abs(hs.estimate(table, "f1").value - 10 / 12) < 1e-12  # pooled, it counts for nothing
    assert str(hs.estimate(table, "per_unit_f1").value) == "nan"
    assert hs.estimate(table, "per_unit_f1", undefined="skip").value > hs.estimate(
        table, "per_unit_f1", undefined="zero"
    )


@ROWS.case("columns of a second detector of which one is missing", "the detector is left out, and a note says so")
def half_a_system(folder: Path) -> None:
    frame = pd.DataFrame({"image": [1, 2], "a_tp": [1, 2], "a_fp": [0, 1], "a_fn": [1, 0], "b_tp": [1, 1]})
    assert any("'b' has 'b_tp' but no" in note for note in hs.read(frame, unit="image", sums=["tp", "fp", "fn"]).notes)


@ROWS.case("one column named for two parts, such as unit and sum", "refused, with both parts")
def two_parts(folder: Path) -> None:
    frame = pd.DataFrame({"u": [1, 2], "e": [1, 0]})
    refused(lambda: hs.read(frame, unit="u", sums=["e", "u"]), "'u' is named as sums and as unit")


@ROWS.case(
    "several answers of a model to a question", "one group each question; unequal numbers: each question counts once"
)
def several_answers(folder: Path) -> None:
    rows = [("a", q, (q + k) % 2) for q in range(6) for k in range(3)]
    assert hs.read(answers(rows), **LONG).n_groups == 6
    unequal = hs.read(answers(rows[:-1]), **LONG)
    assert unequal.n == 6
    assert any("unequal numbers" in note for note in unequal.notes)


@ROWS.case(
    "ids that recur in several tasks, with several answers each",
    "refused: questions would be pooled; one answer each is noted",
)
def recurring_ids(folder: Path) -> None:
    rows = [("a", q, q % 2, task) for task, size in (("x", 4), ("y", 7)) for q in range(size) for _ in range(2)]
    refused(lambda: hs.read(answers(rows, "task"), **LONG), "ids recur in 'task'", "say task='task'", "make ids unique")
    assert any("with column 'task'" in note for note in hs.read(answers(rows[::2], "task"), **LONG).notes)


@ROWS.case(
    "a question that one model did not answer", "refused, with the question; left out and noted with on_bad='skip'"
)
def not_answered(folder: Path) -> None:
    frame = answers([("a", 1, 1), ("a", 2, 0), ("b", 1, 1)])
    refused(lambda: hs.read(frame, **LONG), "'b' has no answer to 1 (2)")
    assert hs.read(frame, **LONG, on_bad="skip").n == 1


@ROWS.case("models 1 and '1'", "refused: they read the same, and would be one")
def same_as_text(folder: Path) -> None:
    refused(lambda: hs.read(answers([(1, 1, 1), ("1", 1, 0)]), **LONG), "read the same as text")


@ROWS.case("options that the kind of rows has no use for (a weight of sums, a range of labels)", "refused, not ignored")
def not_ignored(folder: Path) -> None:
    frame = pd.DataFrame({"u": [1, 2], "e": [1, 0], "w": [3, 4]})
    refused(lambda: hs.read(frame, unit="u", sums=["e", "w"], weight="w2"), "weight does not go with sums per unit")
    refused(lambda: hs.read(frame, truth="u", predictions="e", range=(0, 1)), "range is about values and sums")


@ROWS.case("a log in which a question lacks the score", "refused, with the number of such questions and why")
def without_score(folder: Path) -> None:
    stats = json.loads(helm())
    stats[0]["stats"] = []
    path = folder / "per_instance_stats.json"
    path.write_text(json.dumps(stats))
    refused(lambda: hs.read(path, predictions="exact_match"), "1 with no such statistic")


@ROWS.case("a log that scores a sample twice", "refused")
def scored_twice(folder: Path) -> None:
    path = folder / "events.jsonl"
    path.write_bytes(openai_evals() + openai_evals().splitlines()[-1])
    refused(lambda: hs.read(path), "more than once")


@ROWS.case("two files of tags of different sentences", "refused, with the number of the sentence")
def other_sentences(folder: Path) -> None:
    paths = [folder / name for name in ("a.conll", "b.conll")]
    for path, tag in zip(paths, ("B-PER", "B-LOC"), strict=True):
        path.write_text(f"EU O O\n\nPeter {tag} O\n")
    refused(lambda: hs.read(paths), "sentence 2")
