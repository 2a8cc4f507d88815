"""Two independent test sets: Newcombe's published example, the two estimates' own methods, files, refusals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs
from support.command_line import run

# Newcombe (1998), Stat. Med. 17:873, Table II, column (a): 56/70 against 48/80; methods 10 (score) and 1 (Wald).
FIRST, SECOND = hs.counts(tp=48, fp=5, fn=32, tn=50), hs.counts(tp=56, fp=9, fn=14, tn=40)


Make = Callable[[np.random.Generator], pl.DataFrame]
OTHERS: dict[str, tuple[Make, list[str], dict[str, Any], str]] = {
    "values": (
        lambda rng: pl.DataFrame({"grade": rng.random(60)}),
        ["--value", "grade", "--range", "0", "1"], {"value": "grade", "range": (0, 1)}, "mean",
    ),
    "scores": (
        lambda rng: pl.DataFrame({"y": np.arange(80) % 2, "p": rng.random(80) + np.arange(80) % 2}),
        ["--truth", "y", "--score", "p"], {"truth": "y", "scores": "p"}, "auc",
    ),
    "counts per unit": (
        lambda rng: pl.DataFrame(
            {"image": np.arange(50)} | {cell: rng.integers(0, 6, 50) for cell in ("tp", "fp", "fn")}
        ),
        ["--unit", "image", "--sum", "tp", "--sum", "fp", "--sum", "fn"],
        {"unit": "image", "sums": ["tp", "fp", "fn"]}, "f1",
    ),
    "long table": (
        lambda rng: pl.DataFrame({"who": ["x"] * 60, "q": np.arange(60), "ok": rng.integers(0, 2, 60)}),
        ["--model-column", "who", "--id", "q", "--correct", "ok"], {"model": "who", "id": "q", "correct": "ok"},
        "accuracy",
    ),
}  # fmt: skip


@pytest.mark.parametrize("other", [
    hs.table(values=[0.2, 0.4, 0.9], range=(0, 10)), hs.table(values=[0.2, 0.4, 0.9]),
    hs.table([1, 0, 1], [1, 1, 1]), hs.counts(tp=[1, 2, 0], fp=[0, 1, 1], fn=[1, 1, 1]),
])  # fmt: skip
def test_tables_of_other_kinds_or_ranges_are_refused(other: hs.Table) -> None:
    with pytest.raises(hs.HowsureError):
        hs.compare_tables(hs.table(values=[0.2, 0.4, 0.9, 0.7], range=(0, 1)), other, "mean")


def test_slices_and_tasks_have_one_scale() -> None:
    first, second = (hs.table(values=np.linspace(0, top, 9), range=(0, top)) for top in (1, 10))
    both = hs.Slices({"x": first, "y": second})
    for ask in (both.compare, both.gap):
        with pytest.raises(hs.InputError, match=r"mean of 'x' goes from 0 to 1, .* that of 'y' from 0 to 10"):
            ask("mean")
    with pytest.raises(hs.InputError, match="mean of task 'x' goes from 0 to 1"):
        hs.tasks({"x": first, "y": second})


def test_another_positive_class_is_refused() -> None:
    truth, guess = ["cat", "dog", "dog", "cat", "dog"], ["cat", "dog", "cat", "cat", "dog"]
    first, second = (hs.table(truth, guess, pos_label=label) for label in ("cat", "dog"))
    with pytest.raises(hs.InputError, match="positive class is 'cat' in 'a' and 'dog' in 'b'"):
        hs.compare_tables(first, second, "f1")
    assert hs.compare_tables(first, second, "accuracy").difference == 0
    assert hs.compare_tables(first, second, "f1[cat]").difference == 0


def test_newcombes_example() -> None:
    score = hs.compare_tables(FIRST, SECOND, "recall", single="wilson")
    assert (score.difference, score.low, score.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    wald = hs.compare_tables(FIRST, SECOND, "recall", method="wald")
    assert (wald.low, wald.high) == pytest.approx((0.0575, 0.3425), abs=5e-5)
    assert not score.paired
    assert score.n == FIRST.n + SECOND.n


@pytest.mark.parametrize("metric", ["macro_f1", "mcc", "f1", "kappa", "maF1*"])
def test_the_standard_errors_add(metric: str) -> None:
    found = hs.compare_tables(FIRST, SECOND, metric, method="wald")
    parts = [hs.estimate(one, metric, method="wald").se for one in (FIRST, SECOND)]
    assert found.se == pytest.approx(math.hypot(*parts), rel=1e-12)
    assert found.metric == metric
    slices = hs.Slices({"a": FIRST, "b": SECOND}).compare(metric, method="wald")[0]
    assert (found.low, found.high) == pytest.approx((slices.low, slices.high), rel=1e-9)


def test_claims_as_in_compare() -> None:
    one_sided = hs.compare_tables(FIRST, SECOND, "recall", alternative="greater")
    both = hs.compare_tables(FIRST, SECOND, "recall", level=0.9)
    assert one_sided.low == pytest.approx(both.low, rel=1e-12)
    assert one_sided.p_value == pytest.approx(hs.compare_tables(FIRST, SECOND, "recall").p_value / 2, rel=1e-6)
    assert hs.compare_tables(FIRST, SECOND, "recall", margin=0.5).verdict == "equivalent"
    ratio = hs.compare_tables(FIRST, SECOND, "recall", kind="ratio")
    assert ratio.difference == pytest.approx((56 / 70) / (48 / 80), rel=1e-12)
    assert sum(hs.compare_tables(FIRST, SECOND, "recall", rope=0.1).rope_probabilities or ()) == pytest.approx(1)


def test_names_of_the_sides() -> None:
    assert (hs.compare_tables(FIRST, SECOND, "f1").a, hs.compare_tables(FIRST, SECOND, "f1").b) == ("a", "b")
    named = hs.compare_tables(FIRST, SECOND, "f1", names=("2023", "2024"))
    assert (named.a, named.b) == ("2023", "2024")
    models = hs.compare_tables(hs.counts(tp=9, fp=1, fn=2, model="x"), hs.counts(tp=8, fp=1, fn=2, model="y"), "f1")
    assert (models.a, models.b) == ("x", "y")
    with pytest.raises(hs.InputError, match="two different names"):
        hs.compare_tables(FIRST, SECOND, "f1", names=("one", "one"))


@pytest.mark.parametrize("method", ["tango", "mcnemar", "bootstrap", "bayes"])
def test_methods_that_need_the_same_rows_are_refused(method: str) -> None:
    with pytest.raises(hs.MethodError, match=r"same rows. These can: 'mover', 'wald'"):
        hs.compare_tables(FIRST, SECOND, "recall", method=method)


def test_rows_that_look_the_same_are_asked_about() -> None:
    made = hs.compare_tables(hs.counts(tp=9, fp=1, fn=2, tn=8), hs.counts(tp=8, fp=2, fn=3, tn=7), "f1")
    assert any("put both models in one table" in note for note in made.notes)
    with pytest.raises(hs.InputError, match="compare_tables"):
        hs.compare(FIRST, SECOND, "f1")  # type: ignore[arg-type]


class TestFiles:
    def test_counts(self, tmp_path: Path) -> None:
        old, new = tmp_path / "old.csv", tmp_path / "new.csv"
        old.write_text("tp,fp,fn,tn\n48,5,32,50\n")
        new.write_text("tp,fp,fn,tn\n56,9,14,40\n")
        made = json.loads(
            run("compare", old, new, "--unpaired", "-m", "recall", "--single", "wilson", "--format", "json").stdout
        )
        assert (made["low"], made["high"]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
        assert "new is better than old in recall" in run("compare", old, new, "--unpaired", "-m", "recall").stdout
        assert "two files" in run("compare", old, "--unpaired", code=2).stderr
        assert "does not go with --unpaired" in run("compare", old, new, "--unpaired", "--baseline", "x", code=2).stderr

    def test_matrices(self, tmp_path: Path) -> None:
        """Takahashi et al. (2022), Table 1a and 4 (MNN): 0.689 and 0.805, standard errors 0.0650 and 0.002."""
        small, large = tmp_path / "small.csv", tmp_path / "large.csv"
        small.write_text("2,2,2\n5,70,2\n0,2,15\n")
        large.write_text("4,2,2\n5,60,2\n0,2,25\n")
        asked = ["compare", small, large, "--unpaired", "-m", "maF1", "--method", "wald"]
        made = json.loads(run(*asked, "--rows", "prediction", "--format", "json").stdout)
        assert made["value_a"] == pytest.approx(0.689, abs=0.0005)
        assert "say what its rows are: --rows truth" in run(*asked, code=2).stderr

    def test_predictions(self, tmp_path: Path) -> None:
        for name, said in (("old", "1,0\n1,1\n0,1\n0,0\n"), ("new", "1,1\n1,1\n0,0\n0,1\n")):
            (tmp_path / f"{name}.csv").write_text(f"label,model\n{said}")
        files = [tmp_path / "old.csv", tmp_path / "new.csv"]
        made = run("compare", *files, "--unpaired", "--truth", "label", "-m", "accuracy", "--format", "json").stdout
        assert json.loads(made)["difference"] == pytest.approx(0.25)

    @pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
    @pytest.mark.parametrize("kind", OTHERS)
    def test_every_kind_of_rows(self, kind: str, form: str, tmp_path: Path) -> None:
        """The verb, hs.read and the two standard errors agree, whatever rows hold and however they are stored."""
        make, options, asked, metric = OTHERS[kind]
        files = [tmp_path / f"{name}.{form}" for name in ("old", "new")]
        for seed, file in enumerate(files):
            frame = make(np.random.default_rng(seed))
            getattr(frame, {"csv": "write_csv", "parquet": "write_parquet", "jsonl": "write_ndjson"}[form])(file)
        first, second = (hs.read(file, **asked) for file in files)
        made = json.loads(run("compare", *files, "--unpaired", *options, "--format", "json").stdout)
        expected = hs.compare_tables(first, second, metric, names=("old", "new"))
        assert (made["low"], made["high"], made["a"]) == (expected.low, expected.high, "old")
        wald = hs.compare_tables(first, second, metric, method="wald")
        assert wald.se == pytest.approx(math.hypot(*(hs.estimate(one, metric).se for one in (first, second))), rel=1e-9)

    def test_columns_that_say_what_they_are(self, tmp_path: Path) -> None:
        for name in ("old", "new"):
            (tmp_path / f"{name}.csv").write_text("label,model\n1,0\n1,1\n0,1\n0,0\n1,1\n")
        files = [tmp_path / "old.csv", tmp_path / "new.csv"]
        assert json.loads(run("compare", *files, "--unpaired", "--format", "json").stdout)["metric"] == "accuracy"
        assert "--rows" in run("compare", *files, "--unpaired", "--truth", "label", "--rows", "truth", code=2).stderr

    def test_right_answers_of_all_answers(self) -> None:
        """Newcombe (1998), method 10, example: 56/70 against 48/80 has 0.0524 to 0.3339."""
        asked = ["compare", "48/80", "56/70", "--unpaired", "--single", "wilson"]
        made = json.loads(run(*asked, "--format", "json").stdout)
        assert (made["low"], made["high"]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
        assert "B is better than A in accuracy" in " ".join(run(*asked).stdout.split())
        assert "150 rows in all, different ones for each; held fixed" in run(*asked).stdout
        assert "say that rows differ: --unpaired" in run("compare", "48/80", "56/70", code=2).stderr
        assert "no number of right answers" in run("compare", "90/80", "56/70", "--unpaired", code=2).stderr
        assert "of right answers alone" in run("compare", "48/80", "56/70", "--unpaired", "-m", "f1", code=2).stderr
