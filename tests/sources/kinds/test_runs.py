"""Every door to several runs of a model gives the same table; what is no such thing is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import howsure as hs
from howsure.sources.rows.long_tables import _run_p

RNG = np.random.default_rng(3)
N = 60
TRUTH = RNG.integers(0, 2, N)
A = np.where(RNG.random((3, N)) < 0.8, TRUTH, 1 - TRUTH)
B = np.where(RNG.random((2, N)) < 0.7, TRUTH, 1 - TRUTH)
Q = np.where(RNG.random(N) < 0.6, TRUTH, 1 - TRUTH)


def same(one: hs.Table, other: hs.Table, metric: str = "f1", model: str = "bert") -> bool:
    first, second = (hs.estimate(table, metric, model=model) for table in (one, other))
    return (first.value, first.low, first.high, first.runs) == pytest.approx(
        (second.value, second.low, second.high, second.runs)
    )


FORMS: dict[str, Any] = {
    "list of arrays": list(A), "list of lists": A.tolist(), "array": A, "mapping": {"s1": A[0], "s2": A[1], "s3": A[2]},
    "frame": pd.DataFrame(A.T, columns=["s1", "s2", "s3"]), "series": [pd.Series(one) for one in A],
    "polars": [pl.Series(one) for one in A],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_runs_is_the_same(form: str) -> None:
    made = hs.table(TRUTH, {"bert": FORMS[form], "svm": Q})
    assert same(made, hs.table(TRUTH, {"bert": A, "svm": Q}))
    assert repr(made) == "Table(60 rows, 2 labels, 2 models, 4 runs)"
    assert made.models == ("bert", "svm")


def test_the_mean_over_runs_is_not_the_pooled_table() -> None:
    """Four runs with F1 near 0.8 and one that learned nothing: their mean, which no pooled table has."""
    runs = [*(np.where(RNG.random(N) < 0.85, TRUTH, 1 - TRUTH) for _ in range(4)), np.zeros(N, dtype=int)]
    each = [hs.estimate(hs.table(TRUTH, one, labels=(0, 1)), "f1").value for one in runs]
    found = hs.estimate(hs.table(TRUTH, {"a": runs}), "f1")
    assert each[-1] == 0
    assert found.value == pytest.approx(np.mean(each))
    assert found.run_values == pytest.approx(each)
    assert any(note.kind == "far run" for note in found.notes)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "as many runs as rows": ({"y_true": [0, 1, 1], "y_pred": {"a": np.eye(3, dtype=int)}}, "cannot be told"),
    "transposed": ({"y_true": TRUTH, "y_pred": {"a": A.T}}, "transpose it"),
    "unequal lengths": ({"y_true": TRUTH, "y_pred": {"a": [A[0], A[1][:9]]}}, "has 9"),
    "no run": ({"y_true": TRUTH, "y_pred": {"a": {}}}, "give each run a name"),
    "mixed": ({"y_true": TRUTH, "y_pred": {"a": [A[0], 1]}}, "columns and single values"),
    "fixed without runs": ({"y_true": TRUTH, "y_pred": {"a": A[0]}, "runs": "fixed"}, "every model has one column"),
    "pairs without runs": ({"y_true": TRUTH, "y_pred": {"a": Q}, "paired_runs": True}, "every model has one column"),
    "unknown choice": ({"y_true": TRUTH, "y_pred": {"a": A}, "runs": "some"}, "random"),
    "unequal pairs": ({"y_true": TRUTH, "y_pred": {"a": A, "b": B}, "paired_runs": True}, "share their runs"),
    "judge": ({"y_true": TRUTH, "y_pred": {"a": A}, "judge": Q}, "beside several runs"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_table_of_runs_is_refused(case: str) -> None:
    arguments, message = REFUSED[case]
    with pytest.raises(hs.InputError, match=message):
        hs.table(**arguments)


# --- every kind of data ---------------------------------------------------------------------------------------------


def test_values_scores_sums_and_label_sets_have_runs() -> None:
    values = RNG.beta(4, 2, (3, N))
    made = hs.estimate(hs.table(values={"a": list(values)}, range=(0, 1)), "mean")
    assert (made.value, made.runs) == (pytest.approx(values.mean()), 3)
    spread, scores = (
        values.mean(1).var(ddof=1) / 3,
        np.clip(0.5 + 0.3 * (TRUTH - 0.5) + RNG.normal(0, 0.2, (3, N)), 0, 1),
    )
    assert made.se**2 >= spread
    auc = hs.estimate(hs.table(TRUTH, scores={"a": list(scores)}), "auc")
    each = [hs.estimate(hs.table(TRUTH, scores=one), "auc").value for one in scores]
    assert auc.value == pytest.approx(np.mean(each))
    cut = hs.estimate(hs.table(TRUTH, scores={"a": list(scores)}), "f1@0.5")
    assert cut.value == pytest.approx(
        np.mean([hs.estimate(hs.table(TRUTH, scores=one), "f1@0.5").value for one in scores])
    )
    words = RNG.integers(5, 20, N)
    errors = RNG.binomial(words, 0.1, (3, N))
    runs = {str(at): {"errors": one, "words": words} for at, one in enumerate(errors)}
    rate = hs.estimate(hs.sums({"a": runs}), "errors/words")
    assert rate.value == pytest.approx(np.mean(errors.sum(1) / words.sum()))
    sets = RNG.integers(0, 2, (N, 4))
    guesses = {str(run): np.where(RNG.random((N, 4)) < 0.8, sets, 1 - sets) for run in range(3)}
    found = hs.estimate(hs.table(sets, {"a": guesses}), "micro_f1")
    assert found.value == pytest.approx(
        np.mean([hs.estimate(hs.table(sets, one), "micro_f1").value for one in guesses.values()])
    )
    for one in (made, auc, cut, rate, found):
        assert one.low < one.value < one.high
        assert one.runs == 3


@pytest.mark.parametrize("metric", ["f1@best", "ece"])
def test_metrics_that_runs_would_bias_are_refused(metric: str) -> None:
    scores = np.clip(0.5 + 0.3 * (TRUTH - 0.5) + RNG.normal(0, 0.2, (3, N)), 0, 1)
    with pytest.raises(hs.MetricError, match="ask for"):
        hs.estimate(hs.table(TRUTH, scores={"a": list(scores)}), metric)


def test_what_is_made_of_one_column_asks_for_a_run() -> None:
    table = hs.table(TRUTH, {"bert": A})
    with pytest.raises(hs.InputError, match="has 3 runs"):
        hs.confusion(table)
    assert table.each_run().models == ("bert: 1", "bert: 2", "bert: 3")
    assert hs.confusion(table.each_run(), model="bert: 2")
    assert table.matrix().sum() == pytest.approx(N)
    assert table.matrix() == pytest.approx(
        np.mean([table.each_run().matrix(one) for one in table.each_run().models], axis=0)
    )
    for method in ("bootstrap", "mid-p"):
        with pytest.raises(hs.MethodError):
            hs.estimate(table, "accuracy", method=method)
    with pytest.raises(hs.InputError, match="several runs"):
        hs.estimate(table, "accuracy", anytime=True)


# --- design ---------------------------------------------------------------------------------------------------------


def test_parts_of_a_table_add_up_and_slices_keep_runs() -> None:
    whole = hs.table(TRUTH, {"bert": A, "svm": Q})
    parts = [hs.table(TRUTH[part], {"bert": A[:, part], "svm": Q[part]}) for part in (slice(0, 25), slice(25, N))]
    assert same(parts[0] + parts[1], whole)
    by = np.arange(N) % 2
    slices = hs.slices(TRUTH, {"bert": A}, by=by)
    assert same(slices.total, whole)
    gap = slices.compare("accuracy")
    values = (A == TRUTH).astype(float)
    difference = values[:, by == 1].mean(1) - values[:, by == 0].mean(1)
    assert gap.rows[0].difference == pytest.approx(difference.mean())
    # the runs are the same in both slices: the spread of the differences, never less than that of the rows
    variance = [
        (values[:, by == one].mean(0) - values[:, by == one].mean()).var() / (by == one).sum() for one in (0, 1)
    ]
    assert gap.rows[0].se ** 2 >= sum(variance) - 1e-12
    with pytest.raises(hs.InputError, match="differ"):
        parts[0] + hs.table(TRUTH, {"bert": A[:2], "svm": Q})


def test_two_test_sets_have_runs_of_their_own() -> None:
    first, second = hs.table(TRUTH[:30], {"a": A[:, :30]}), hs.table(TRUTH[30:], {"a": A[:, 30:]})
    found = hs.compare_tables(first, second, "accuracy")
    one, two = (hs.estimate(table, "accuracy", method="wald") for table in (first, second))
    assert found.method == "crossed"
    assert found.se <= math.hypot(one.se, two.se) + 1e-12
    assert found.difference == pytest.approx(two.value - one.value)


# --- files and frames -----------------------------------------------------------------------------------------------


def long_frame() -> pd.DataFrame:
    rows = [
        {"model": model, "seed": f"s{run}", "question": at, "correct": int(block[run, at] == TRUTH[at])}
        for model, block in (("bert", A), ("svm", B)) for run in range(len(block)) for at in range(N)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_long_tables_files_and_frames(tmp_path: Path) -> None:
    wanted = hs.table(
        np.ones(N, dtype=int), {"bert": (A == TRUTH).astype(int), "svm": (B == TRUTH).astype(int)}, labels=(0, 1)
    )
    frame = long_frame()
    frame.to_csv(tmp_path / "runs.csv", index=False)
    how: Any = {"model": "model", "id": "question", "correct": "correct", "run": "seed"}
    for source in (frame, pl.from_pandas(frame), tmp_path / "runs.csv", frame.sample(frac=1, random_state=1)):
        made = hs.read(source, **how)
        assert same(made, wanted, "accuracy")
        assert made.runs is not None
        assert dict(zip(made.models, made.runs.numbers, strict=True)) == {"bert": 3, "svm": 2}
        assert "× 2 or 3 seeds" in hs.compare(made, "accuracy").sampled
    assert "× 3 seeds" in hs.estimate(made, "accuracy", model="bert").sampled


def test_wide_files_and_frames(tmp_path: Path) -> None:
    frame = pd.DataFrame({"label": TRUTH, "svm": Q} | {f"bert_{run}": A[run] for run in range(3)})
    frame.to_csv(tmp_path / "wide.csv", index=False)
    wanted = hs.table(TRUTH, {"bert": A, "svm": Q})
    for source in (frame, tmp_path / "wide.csv"):
        named: Any = {"bert": ["bert_0", "bert_1", "bert_2"], "svm": "svm"}
        assert same(hs.read(source, truth="label", predictions=named), wanted)
        for form in ("bert=bert_*", "bert=bert_0,bert_1, bert_2"):
            assert same(hs.read(source, truth="label", predictions=[form, "svm"]), wanted)
    odd = frame.rename(columns={"svm": "svm=a,b"})
    found = hs.read(odd, truth="label", predictions=["bert=bert_0,bert_2", "svm=a,b"])
    assert found.models == ("bert", "svm=a,b")  # a column of that name is a column


def test_rows_that_lack_a_run_are_refused_or_left_out() -> None:
    frame = long_frame().iloc[1:]
    how: Any = {"model": "model", "id": "question", "correct": "correct", "run": "seed"}
    with pytest.raises(hs.InputError, match=r"'s0' of 'bert' has no answer to 1"):
        hs.read(frame, **how)
    assert hs.read(frame, on_bad="skip", **how).n == N - 1


def test_ids_that_recur_are_not_pooled() -> None:
    frame = pd.concat([long_frame(), long_frame()])
    with pytest.raises(hs.InputError, match="a run answers a question once"):
        hs.read(frame, model="model", id="question", correct="correct", run="seed")


def test_repeated_answers_are_a_group_and_the_note_offers_runs() -> None:
    """By structure alone: nothing said, every value of the column covers the same questions."""
    frame = long_frame()[lambda rows: rows.model == "bert"].rename(columns={"seed": "anything"})
    made = hs.read(frame, model="model", id="question", correct="correct")
    assert made.runs is None
    assert made.n_groups == N
    assert any("run='anything'" in note for note in made.notes)


def by_least_squares(block: np.ndarray) -> float:
    """Return the p-value of the runs in a two-way layout by comparing two fitted linear models."""
    runs, questions = block.shape
    run, question = (
        np.eye(size)[place.ravel()] for size, place in zip(block.shape, np.indices(block.shape), strict=True)
    )
    rests = []
    for design in (question, np.hstack([question, run[:, 1:]])):
        fitted = design @ np.linalg.lstsq(design, block.ravel(), rcond=None)[0]
        rests.append(float(((block.ravel() - fitted) ** 2).sum()))
    degrees = (runs - 1) * (questions - 1)
    return float(stats.f.sf((rests[0] - rests[1]) / (runs - 1) / (rests[1] / degrees), runs - 1, degrees))


def test_the_test_that_tells_runs_from_repeated_answers() -> None:
    """F = B/cell against least squares; of answers without an effect of the run it rejects at 1 % in about 1 %."""
    rng = np.random.default_rng(9)
    blocks = (rng.random((300, 4, 60)) < rng.uniform(0.2, 0.9, (300, 1, 60))).astype(float)
    found = [_run_p(block) for block in blocks]
    assert found[:5] == pytest.approx([by_least_squares(block) for block in blocks[:5]], rel=1e-9)
    assert np.mean(np.array(found) < 0.01) < 0.03
    luck = np.array([0.0, 0.0, 0.0, 0.25])[:, None]
    assert np.mean([_run_p((rng.random((4, 60)) < 0.5 + luck).astype(float)) < 0.01 for _ in range(50)]) > 0.3


# --- real data ------------------------------------------------------------------------------------------------------


def test_ten_runs_of_three_algorithms_on_letters(shared_data: Path) -> None:
    models: Any = {name: [f"{name}_{run}" for run in range(1, 11)] for name in ("forest", "mlp", "sgd")}
    table = hs.read(shared_data / "runs-letter" / "predictions.csv", truth="truth", predictions=models)
    found = hs.compare_all(table, "accuracy")
    assert found.tied_with_best == ("forest",)
    assert hs.estimate(table, "accuracy", model="sgd").parts["runs"] > 0.3
    assert hs.estimate(table, "accuracy", model="forest").parts["runs"] < 0.1


def test_ids_of_several_tasks_are_not_pooled_in_real_data(shared_data: Path) -> None:
    frame = pd.read_csv(shared_data / "runs-tasks" / "predictions.csv")
    how: Any = {"model": "model", "id": "id", "correct": "correct", "run": "seed"}
    with pytest.raises(hs.InputError, match="say task='task'"):
        hs.read(frame, **how)
    digits = hs.read(frame[frame.task == "digits"], **how)
    assert digits.runs is not None
    assert digits.runs.numbers == (3,) * len(digits.models)


# --- faces ------------------------------------------------------------------------------------------------------------


def test_the_page_the_figure_and_the_words_show_runs() -> None:
    table = hs.table(TRUTH, {"bert": A, "svm": B})
    page = str(hs.page(table))
    assert page.count('<circle class="run"') >= 5
    assert "60 rows × 2 or 3 runs" in page
    assert "another training set unless runs were trained on several" in page
    drawn = hs.report(table, metrics="accuracy").plot()
    assert sorted(len(line.get_xdata()) for line in drawn.get_lines()).count(3) == 1  # the three runs of bert
    found = hs.estimate(table, "accuracy", model="bert")
    assert "the model run anew as often" in found.sentence
    assert found.held_fixed == "Sampled: 60 rows × 3 runs; held fixed: the training data, the labels."
    assert found.to_dict()["run_values"] == pytest.approx([(one == TRUTH).mean() for one in A])
    pair = hs.compare(table, "accuracy", "bert", "svm").to_dict()
    assert pair["runs"] == (3, 2)
    assert set(pair["parts"]) == {"rows", "runs"}
    assert "runs" not in hs.estimate(hs.table(TRUTH, Q), "accuracy").to_dict()


def test_notes_say_what_a_run_covers_and_what_more_would_do() -> None:
    several, two, lone = (
        hs.compare(hs.table(TRUTH, {"a": first, "b": second}), "accuracy").notes
        for first, second in ((A, B[[0, 1, 0]]), (A[:2], B), (A, Q))
    )
    assert any("cross-validation alone" in note for note in several)
    assert any(note.startswith("3 runs of each. ") for note in several)
    assert any("Two runs say little about the spread between runs: a third" in note for note in two)
    assert any("b has one run: its training is taken as fixed." in note for note in lone)
    fixed = hs.compare(hs.table(TRUTH, {"a": A, "b": [Q, Q]}, runs="fixed"), "accuracy")
    assert any("these very ones" in note for note in fixed.notes)


def test_one_run_of_each_says_that_the_seed_is_fixed() -> None:
    lone = hs.compare(hs.table(TRUTH, {"a": [A[0]], "b": [B[0]]}), "accuracy")
    said = "one run of each: the seed is taken as fixed. Another training run may rank them otherwise."
    assert said in lone.notes
    assert not any("seed" in note for note in hs.compare(hs.table(TRUTH, {"a": A[0], "b": B[0]}), "accuracy").notes)


def test_runs_of_the_same_names_are_offered_as_pairs() -> None:
    named = {model: {"prompt x": block[0], "prompt y": block[1]} for model, block in (("a", A), ("b", B))}
    found = hs.compare(hs.table(TRUTH, named), "accuracy")
    assert any("paired_runs=True" in note for note in found.notes)
    paired = hs.compare(hs.table(TRUTH, named, paired_runs=True), "accuracy")
    assert not any("paired_runs" in note for note in paired.notes)
    assert not any(
        "paired_runs" in note for note in hs.compare(hs.table(TRUTH, {"a": A[:2], "b": B}), "accuracy").notes
    )
