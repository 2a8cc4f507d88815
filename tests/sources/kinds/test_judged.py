"""hs.table and hs.read with a judge: one data set through every door, blanks, codes, answers that are missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InputError
from howsure.tables.table import Table
from howsure.types import Array

ROWS, LABELLED = 400, 80


def columns(seed: int = 0) -> dict[str, Array]:
    """People's label in the first rows, two models, a judge, groups; all 0 or 1."""
    rng = np.random.default_rng(seed)
    truth = rng.random(ROWS) < 0.4

    def noisy(right: float) -> Array:
        return np.where(rng.random(ROWS) < right, truth, ~truth).astype(int)

    human = np.where(np.arange(ROWS) < LABELLED, truth.astype(float), np.nan)
    return {"human": human, "a": noisy(0.85), "b": noisy(0.75), "gpt": noisy(0.9), "doc": rng.integers(0, 30, ROWS)}


def direct(groups: bool = False) -> Table:
    data = columns()
    more = {"groups": data["doc"]} if groups else {}
    return hs.table(data["human"], {"a": data["a"], "b": data["b"]}, judge={"gpt": data["gpt"]}, **more)


def assert_same(one: Table, other: Table) -> None:
    for metric in ("f1", "macro_f1"):
        for model in ("a", "b"):
            first, second = (hs.estimate(made, metric, model=model) for made in (one, other))
            assert (first.value, first.low, first.high) == pytest.approx(
                (second.value, second.low, second.high), abs=1e-12
            )
            assert first.gain == pytest.approx(second.gain, abs=1e-12)
            assert first.gain > 1.1
            assert first.human is not None
            assert first.human.n == LABELLED


def csv(path: Path, words: bool = False) -> Path:
    data = columns()
    names = ("no", "yes") if words else ("0", "1")

    def said(value: float) -> str:
        return "" if np.isnan(value) else names[int(value)]

    rows = zip(*(data[name].tolist() for name in ("human", "a", "b", "gpt", "doc")), strict=True)
    lines = [",".join((*(said(float(one)) for one in row[:4]), str(row[4]))) for row in rows]
    path.write_text("\n".join(["human,a,b,gpt,doc", *lines]) + "\n", encoding="utf-8")
    return path


ASK: dict[str, Any] = {"truth": "human", "predictions": ["a", "b"], "judge": "gpt"}


def test_csv(tmp_path: Path) -> None:
    assert_same(direct(), hs.read(csv(tmp_path / "p.csv"), **ASK))
    assert_same(direct(groups=True), hs.read(tmp_path / "p.csv", **ASK, group="doc"))
    assert_same(direct(), hs.read(csv(tmp_path / "w.csv", words=True), **ASK, pos_label="yes"))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    data: dict[str, list[Any]] = {name: column.tolist() for name, column in columns().items()}
    data["human"] = [None if value != value else int(value) for value in data["human"]]
    if library == "pandas":
        import pandas as pd

        frame: Any = pd.DataFrame(data)
        assert_same(direct(), hs.read(frame.astype({"human": "Int8"}), **ASK))
        assert_same(direct(), hs.table(frame["human"].astype("category"), frame[["a", "b"]], judge=frame["gpt"]))
        frame.to_parquet(tmp_path / "p.parquet")
        assert_same(direct(), hs.read(tmp_path / "p.parquet", **ASK))
    elif library == "polars":
        import polars as pl

        frame = pl.DataFrame(data)
        assert_same(direct(), hs.read(frame.lazy(), **ASK))
        words = frame["human"].replace_strict({0: "0", 1: "1"}, default=None)
        models = {name: frame[name].cast(pl.String) for name in "ab"}
        said = {"gpt": frame["gpt"].cast(pl.String)}
        assert_same(direct(), hs.table(words, models, judge=said, pos_label="1"))
    else:
        import pyarrow as pa

        frame = pa.table(data)
    assert_same(direct(groups=True), hs.read(frame, **ASK, group="doc"))


def test_lists_of_objects_with_every_sign_of_nothing() -> None:
    data = columns()
    nothing = [None, float("nan"), np.nan]
    human = [nothing[row % 3] if value != value else int(value) for row, value in enumerate(data["human"].tolist())]
    assert_same(direct(), hs.table(human, {"a": data["a"], "b": data["b"]}, judge={"gpt": data["gpt"].tolist()}))
    masked = np.ma.masked_invalid(data["human"])
    assert_same(direct(), hs.table(masked, {"a": data["a"], "b": data["b"]}, judge={"gpt": data["gpt"]}))


def test_slices_are_as_tables_of_their_rows(tmp_path: Path) -> None:
    data = columns()
    parts = hs.read_slices(csv(tmp_path / "p.csv"), by="doc", **ASK)
    chosen = data["doc"] == 3
    alone = hs.table(*(data[name][chosen] for name in ("human", "a")), judge=data["gpt"][chosen], labels=[0, 1])
    first, second = hs.estimate(parts[3], "accuracy", model="a"), hs.estimate(alone, "accuracy")
    assert (first.value, first.low, first.high) == (second.value, second.low, second.high)


def test_parts_add_up() -> None:
    data = columns()

    def part(rows: slice) -> Table:
        return hs.table(
            data["human"][rows], {"a": data["a"][rows], "b": data["b"][rows]}, judge={"gpt": data["gpt"][rows]}
        )

    assert_same(direct(), part(slice(0, 150)) + part(slice(150, None)))
    with pytest.raises(InputError, match="differ in kind"):
        direct() + hs.table([1, 0], {"a": [1, 0], "b": [0, 0]})


@pytest.mark.parametrize("code", ["NA", "n/a", "?", "unlabelled"])
def test_a_code_for_no_label_is_asked_about(code: str) -> None:
    truth = ["yes", "no", code, "", "yes"]
    with pytest.raises(InputError, match="nobody labelled must be blank"):
        hs.table(truth, ["yes", "no", "no", "yes", "yes"], judge=["yes"] * 5)
    made = hs.table(truth, ["yes", "no", "no", "yes", "yes"], judge=["yes"] * 5, labels=["yes", "no", code])
    assert made.labels == ("yes", "no", code)


def test_minus_one_is_asked_about_unless_it_is_a_class() -> None:
    with pytest.raises(InputError, match="-1"):
        hs.table([1, 0, -1, -1], [1, 0, 0, 1], judge=[1, 0, 0, 1])
    assert hs.table([1, -1, None], [1, -1, -1], judge=[1, -1, 1]).labels == (-1, 1)


def test_a_judge_in_other_words_is_refused() -> None:
    with pytest.raises(InputError, match="none of which is a class"):
        hs.table(["yes", "no", None], ["yes", "no", "no"], judge=["pass", "fail", "pass"])
    with pytest.raises(InputError, match="labels must be of one type"):
        hs.table([1, 0, None], [1, 0, 0], judge=["yes", "no", "yes"])


def test_an_answer_that_is_missing_or_no_class_moves_nothing_and_the_row_stays() -> None:
    data = columns()
    answers: list[Any] = data["gpt"].tolist()
    answers[::17] = [None] * len(answers[::17])
    made = hs.table(data["human"], data["a"], judge=answers)
    assert made.n == ROWS
    found = hs.estimate(made, "f1")
    assert any(note.kind == "judge silent" for note in found.notes)
    words = ["unsure" if answer is None else ("no", "yes")[answer] for answer in answers]
    truth = ["" if value != value else ("no", "yes")[int(value)] for value in data["human"].tolist()]
    model = [("no", "yes")[value] for value in data["a"].tolist()]
    other = hs.table(truth, model, judge=words, pos_label="yes")
    assert hs.estimate(other, "f1").value == pytest.approx(found.value, abs=1e-12)
    assert "'unsure'" in other.notes[0]
    # φ of such a row is 0: to first order, its answer is what the table says already
    facts, lam = hs.estimate(made, "accuracy"), hs.estimate(made, "accuracy").lam[0]
    right = (np.array([-1 if one is None else one for one in answers]) == data["a"]).astype(float)
    told = np.array([one is not None for one in answers])
    assert facts.human is not None
    gap = np.where(told, right - facts.human.value, 0.0)
    expected = facts.human.value + lam * (gap[LABELLED:].mean() - gap[:LABELLED].mean())
    assert facts.value == pytest.approx(expected, abs=1e-12)


def test_scores_of_a_judge(tmp_path: Path) -> None:
    data = columns()
    rng = np.random.default_rng(5)
    score = np.clip(0.8 * data["gpt"] + 0.1 + rng.normal(0, 0.05, ROWS), 0.01, 0.99).round(3)
    made = hs.table(data["human"], data["a"], judge=score)
    found = hs.estimate(made, "prevalence")
    # of a share of positives the judge's part is its score
    n, human = LABELLED, data["human"][:LABELLED]
    lam = np.cov(human, score[:n], ddof=0)[0, 1] / score.var() / (1 + n / (ROWS - n))
    assert found.lam[0] == pytest.approx(lam, abs=1e-12)
    assert found.value == pytest.approx(human.mean() + lam * (score[n:].mean() - score[:n].mean()), abs=1e-12)
    rows = zip(data["human"].tolist(), data["a"].tolist(), score.tolist(), strict=True)
    lines = ["human,a,gpt", *(f"{'' if h != h else int(h)},{a},{s}" for h, a, s in rows)]
    (tmp_path / "s.csv").write_text("\n".join(lines), encoding="utf-8")
    read = hs.estimate(hs.read(tmp_path / "s.csv", truth="human", predictions="a", judge="gpt"), "prevalence")
    assert read.value == pytest.approx(found.value, abs=1e-12)
    with pytest.raises(InputError, match="between 0 and 1"):
        hs.table(data["human"], data["a"], judge=score * 10)
    with pytest.raises(InputError, match="positive class of two"):
        hs.table(["x", None, "y"], ["x", "y", "z"], judge=[0.5, 0.2, 0.3])


def test_values_and_files_of_values(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    full = rng.random(200)
    judge = np.clip(full + rng.normal(0, 0.1, 200), 0, 1)
    people = np.where(np.arange(200) < 60, full, np.nan)
    made = hs.table(values={"m": people}, judge={"m": judge}, range=(0, 1))
    found = hs.estimate(made, "mean")
    lam = np.cov(people[:60], judge[:60], ddof=0)[0, 1] / judge.var() / (1 + 60 / 140)
    assert found.lam[0] == pytest.approx(min(lam, 1.0), abs=1e-12)
    assert found.value == pytest.approx(people[:60].mean() + found.lam[0] * (judge[60:].mean() - judge[:60].mean()))
    lines = [f"{'' if v != v else v!r},{j!r}" for v, j in zip(people.tolist(), judge.tolist(), strict=True)]
    (tmp_path / "v.csv").write_text("\n".join(["rubric,gpt", *lines]), encoding="utf-8")
    read = hs.read(tmp_path / "v.csv", value="rubric", judge="gpt", range=(0, 1))
    assert hs.estimate(read, "mean").low == pytest.approx(found.low, abs=1e-12)
    with pytest.raises(InputError, match="under the model's name"):
        hs.table(values={"m": people}, judge={"other": judge})


def test_refusals() -> None:
    with pytest.raises(InputError, match="has no judge"):
        hs.estimate(hs.table([1, 0], [1, 0]), "f1", judge="gain")
    with pytest.raises(InputError, match="judge"):
        hs.estimate(direct(), "f1", model="a", judge="never")
    with pytest.raises(InputError, match="an interval of its own"):
        hs.estimate(direct(), "f1", model="a", judge="wald", method="wilson")
    with pytest.raises(InputError, match="column of its own"):
        hs.read(_frame(), truth="human", predictions="a", judge="a")


def _frame() -> Any:
    pl = pytest.importorskip("polars")
    return pl.DataFrame({name: column.tolist() for name, column in columns().items()})


def test_json_holds_the_judge() -> None:
    found = hs.estimate(direct(), "f1", model="a")
    held = json.loads(found.to_json())["judge"]
    assert held["gain"] == found.gain
    assert found.human is not None
    assert held["human"]["low"] == found.human.low
    assert held["judge_only"] == float(found.judge_only or 0)


@pytest.mark.parametrize("last", [7.0, 300.0, -1.0])
def test_long_columns_of_floats_are_not_what_their_sample_says(last: float) -> None:
    rows = 1 << 22
    truth = np.where(np.arange(rows) % 100 == 0, np.arange(rows) % 2, np.nan).astype(float)
    truth[1] = last
    model = (np.arange(rows) % 3 == 0).astype(np.int16)
    model[1] = int(last)
    made = hs.table(truth, model, judge=model)
    assert made.labels == tuple(sorted({0, 1, int(last)}))
    assert made.contents.support(made.counts).sum() == np.isfinite(truth).sum()
