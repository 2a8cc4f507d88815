"""Folds: effective counts, factors, files, and what the frequentist tests get from them."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs

SIX = [(9, 1, 2), (8, 2, 3), (9, 2, 2), (8, 1, 3), (9, 1, 3), (8, 2, 2)]
NINE_ONE_TWO = (51, 9, 15)  # the sums of SIX by hand
counts = st.tuples(*[st.integers(0, 10**6)] * 3)


@given(st.lists(counts, min_size=1, max_size=5), st.floats(0.01, 1))
def test_effective_counts_are_the_sum_times_the_factor(half: list[tuple[int, int, int]], factor: float) -> None:
    held = hs.folds(half + half[::-1], factor=factor)
    for place, cell in enumerate(("tp", "fp", "fn")):
        expected = factor * 2 * sum(one[place] for one in half)
        assert getattr(held.effective, cell) == pytest.approx(expected, rel=1e-14)
    assert (len(held), held.repeats, held.factor) == (2 * len(half), len(half), factor)


def test_the_default_factor_is_the_papers() -> None:
    held = hs.folds(SIX)
    exact = 2 * (3.5 * math.log(3.5) - 2.5 * math.log(2.5) - 3 * math.log(3) + 2 * math.log(2))  # erratum W7
    assert held.factor == pytest.approx(exact, abs=1e-15)
    assert held.times_the_data == pytest.approx(1.106406, abs=1e-6)  # erratum W8
    assert (held.pooled.tp, held.pooled.fp, held.pooled.fn) == NINE_ONE_TWO
    assert repr(held) == "Folds(3×2, model 'model', factor 0.3688: tp 18.81, fp 3.319, fn 5.532)"


@pytest.mark.parametrize(
    ("options", "factor"),
    [
        ({"factor": "conservative"}, 1 / 3),
        ({"correlations": (0.0, 0.5)}, 1 / 3),
        ({"correlations": (1.0, 1.0)}, 1 / 6),  # the mean of six tables: Wang et al. 2015
        ({"correlations": (0.0, 0.0)}, 1.0),
        ({"factor": 0.25}, 0.25),
        ({"factor": 1}, 1.0),
    ],
)
def test_other_factors(options: dict, factor: float) -> None:
    assert hs.folds(SIX, **options).factor == pytest.approx(factor, rel=1e-15)
    changed = hs.folds(SIX).with_factor(options.get("factor"), correlations=options.get("correlations"))
    assert changed.effective.tp == pytest.approx(factor * 51, rel=1e-14)


def test_true_negatives_are_kept_or_left_out() -> None:
    with_tn = hs.folds([(9, 1, 2, 8)] * 6, factor=0.5)
    assert with_tn.effective.tn == 24
    assert math.isnan(hs.folds(SIX).effective.tn)
    assert hs.folds([{"tp": 9, "fp": 1, "fn": 2, "tn": 8}] * 6, factor=0.5).effective.tn == 24


def test_tables_may_be_given() -> None:
    tables = [hs.table([1, 1, 0, 0], [1, 0, 0, 1])] * 4
    held = hs.folds(tables)
    assert held.repeats == 2
    assert held.effective.tp == pytest.approx(4 * held.factor)
    assert hs.folds([table.pick("model") for table in tables], model="x").model == "model"


def test_folds_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        hs.folds(SIX).factor = 1.0  # type: ignore[misc]


def test_scores_per_fold_feed_the_t_tests() -> None:
    a, b = hs.folds(SIX), hs.folds([(tp + 1, fp, fn - 1) for tp, fp, fn in SIX])
    by_hand = [2 * tp / (2 * tp + fp + fn) for tp, fp, fn in SIX]
    assert a.scores("f1") == pytest.approx(by_hand, rel=1e-14)
    differences = b.scores("f1") - a.scores("f1")
    test = hs.blocked_three_by_two_t(differences)
    assert test.difference == pytest.approx(np.mean(differences), rel=1e-12)
    assert test.difference > 0


def test_a_file_of_counts(tmp_path: Path) -> None:
    lines = ["model,repeat,fold,tp,fp,fn,task"]
    for repeat in (3, 1, 2):  # any order of rows: repeat and fold say where they belong
        for fold in (2, 1):
            for model, shift in (("new", 1), ("old", 0)):
                tp, fp, fn = SIX[2 * (repeat - 1) + fold - 1]
                lines.append(f"{model},{repeat},{fold},{tp + shift},{fp},{fn},x")
    path = tmp_path / "folds.csv"
    path.write_text("\n".join([*lines, "new,1,1,5,5,5,other"]))
    found = hs.read_folds(path, where={"task": "x"}, factor="conservative")
    assert set(found) == {"old", "new"}
    assert [table.tp for table in found["old"].tables] == [tp for tp, _, _ in SIX]
    assert [table.tp for table in found["new"].tables] == [tp + 1 for tp, _, _ in SIX]
    assert found["new"].model == "new"
    assert found["old"].factor == 1 / 3


def test_the_authors_file(shared_data: Path) -> None:
    from howsure.studies.papers.wang2019 import COUNTS

    for task in ("CWS", "NER", "ORG"):
        found = hs.read_folds(shared_data / "bcv3x2-counts" / "counts.csv", where={"task": task})
        for model, held in found.items():
            assert tuple((one.tp, one.fp, one.fn) for one in held.tables) == COUNTS[task, model]


def test_a_missing_fold_is_named(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("model,repeat,fold,tp,fp,fn\na,1,1,1,1,1\na,1,2,1,1,1\na,2,2,1,1,1\n")
    with pytest.raises(hs.InputError, match=r"model 'a' lacks repeat 2, fold 1; every repeat needs the folds 1, 2"):
        hs.read_folds(path)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hs.folds(SIX[:5]), "tables has 5 folds; m×2 cross-validation has two per repeat"),
        (lambda: hs.folds([]), "tables has 0 folds"),
        (lambda: hs.folds([], factor=0.5), "tables is empty"),
        (lambda: hs.folds([(1, 2)] * 6), r"tables has \(1, 2\) for fold 1; each fold is \(tp, fp, fn\)"),
        (lambda: hs.folds(["123"] * 6), "tables has '123' for fold 1"),
        (lambda: hs.folds([{"tp": 1, "fp": 2}] * 6), "each fold is"),
        (lambda: hs.folds([(1, 2, -3)] * 6), "fn is -3"),
        (lambda: hs.folds(SIX, factor=0), "factor is 0.0; it must be a finite number above 0"),
        (lambda: hs.folds(SIX, factor="1/m"), "factor is '1/m'; it must be a number or 'conservative'"),
        (lambda: hs.folds(SIX, factor=0.3, correlations=(0, 0.5)), "one follows from the other"),
        (lambda: hs.folds(SIX, correlations=(-5, 0)), "correlations"),
        (lambda: hs.folds([hs.table([1], {"a": [1], "b": [0]})] * 6), "the same one model"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(hs.InputError, match=message):
        call()


def test_an_odd_number_of_folds_needs_a_factor_of_its_own() -> None:
    held = hs.folds(SIX[:5], factor=1.0)
    assert repr(held) == "Folds(5 folds, model 'model', factor 1: tp 43, fp 7, fn 13)"
