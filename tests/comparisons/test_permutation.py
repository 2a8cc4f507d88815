"""The permutation test of two models: against an enumeration of all swaps, and McNemar's exact test."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

import howsure as hs

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 3, 8)
A = np.where(RANDOM.random(8) < 0.5, TRUTH, RANDOM.integers(0, 3, 8))
B = np.where(RANDOM.random(8) < 0.8, TRUTH, RANDOM.integers(0, 3, 8))
LABELS = [0, 1, 2]
SCORES: dict[str, Callable[..., float]] = {
    "accuracy": metrics.accuracy_score,
    "macro_f1": lambda y, p: metrics.f1_score(y, p, average="macro", labels=LABELS, zero_division=0),
    "weighted_precision": lambda y, p: metrics.precision_score(y, p, average="weighted", zero_division=0),
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}
SIDES: dict[str, Callable[[float, float], bool]] = {
    "two-sided": lambda found, seen: abs(found) >= abs(seen) - 1e-12,
    "greater": lambda found, seen: found >= seen - 1e-12,
    "less": lambda found, seen: found <= seen + 1e-12,
}


@cache
def swapped(metric: str, units: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]) -> list[float]:
    """Return the difference of two models for every swap of units (rows or groups), the one without a swap first."""
    score, found = SCORES[metric], []
    for flips in itertools.product([False, True], repeat=max(units) + 1):
        moved = np.array(flips)[list(units)]
        a, b = np.where(moved, second, first), np.where(moved, first, second)
        found.append(score(TRUTH, b) - score(TRUTH, a))
    return found


def enumerated(metric: str, side: str, units: Any = range(8), first: Any = A, second: Any = B) -> float:
    """Return the share of all swaps whose difference is as extreme as the one seen."""
    found = swapped(metric, tuple(units), tuple(first), tuple(second))
    return float(np.mean([SIDES[side](one, found[0]) for one in found]))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("metric", SCORES)
def test_every_swap_by_hand(metric: str, side: Any) -> None:
    table = hs.table(TRUTH, {"a": A, "b": B}, labels=LABELS)
    made = hs.compare(table, metric, method="permutation", undefined="zero", alternative=side)
    assert made.p_value == pytest.approx(enumerated(metric, side), abs=1e-12)
    assert made.seed is None


def test_groups_are_swapped_whole() -> None:
    groups = np.arange(8) // 2
    table = hs.table(TRUTH, {"a": A, "b": B}, labels=LABELS, groups=groups)
    made = hs.compare(table, "macro_f1", method="permutation", undefined="zero")
    assert made.p_value == pytest.approx(enumerated("macro_f1", "two-sided", groups), abs=1e-12)


def test_of_accuracy_it_is_the_exact_mcnemar_test() -> None:
    truth = np.ones(60, dtype=int)
    a, b = np.repeat([1, 0, 1, 0], [40, 9, 2, 9]), np.repeat([1, 1, 0, 0], [40, 9, 2, 9])
    table = hs.table(truth, {"a": a, "b": b}, labels=[0, 1])
    p = [hs.compare(table, "accuracy", method=method).p_value for method in ("permutation", "mcnemar")]
    assert p[0] == pytest.approx(p[1], rel=1e-12)


def test_drawn_swaps_come_near_the_counted_ones() -> None:
    truth = np.ones(200, dtype=int)
    a, b = np.repeat([1, 0, 1, 0], [110, 40, 25, 25]), np.repeat([1, 1, 0, 0], [110, 40, 25, 25])
    table = hs.table(truth, {"a": a, "b": b}, labels=[0, 1])
    exact = hs.compare(table, "accuracy", method="mcnemar").p_value
    drawn = hs.compare(table, "accuracy", method=hs.Permutation(n_resamples=1000, seed=5))
    assert "Monte-Carlo error" in drawn.notes[-1]
    assert drawn.seed == 5
    assert drawn.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1000))


def test_the_interval_is_movers_and_names_find_it() -> None:
    table = hs.table(TRUTH, {"a": A, "b": B}, labels=LABELS)
    mover = hs.compare(table, "kappa")
    for name in ("permutation", "approximate-randomisation", "randomization"):
        made = hs.compare(table, "kappa", method=name)
        assert (made.low, made.high, made.p_method) == (mover.low, mover.high, "permutation")
    with pytest.raises(hs.InputError, match="n_resamples"):
        hs.Permutation(n_resamples=5)


def test_models_that_agree_have_p_1() -> None:
    table = hs.table(TRUTH, {"a": A, "b": A}, labels=LABELS)
    assert hs.compare(table, "accuracy", method="permutation").p_value == 1


def test_several_labels_a_row() -> None:
    truth, a, b = np.random.default_rng(0).integers(0, 2, (3, 6, 3))
    made = hs.compare(hs.table(truth, {"a": a, "b": b}), "micro_f1", method="permutation")

    def score(guess: Any) -> float:
        return float(metrics.f1_score(truth, guess, average="micro"))

    seen, extreme = score(b) - score(a), []
    for flips in itertools.product([False, True], repeat=6):
        moved = np.array(flips)[:, None]
        extreme.append(abs(score(np.where(moved, a, b)) - score(np.where(moved, b, a))) >= abs(seen) - 1e-12)
    assert made.p_value == pytest.approx(np.mean(extreme), abs=1e-12)


# --- many models ------------------------------------------------------------------------------------------------------

C = np.where(RANDOM.random(8) < 0.3, TRUTH, RANDOM.integers(0, 3, 8))
THREE = {"a": A, "b": B, "c": C}


@pytest.mark.parametrize("adjust", [None, "holm", "none"])
def test_many_models_by_every_swap(adjust: Any) -> None:
    table = hs.table(TRUTH, THREE, labels=LABELS)
    made = hs.compare_all(table, "macro_f1", method="permutation", undefined="zero", adjust=adjust)
    names = [("a", "b"), ("a", "c"), ("b", "c")]
    single = np.array([enumerated("macro_f1", "two-sided", first=THREE[a], second=THREE[b]) for a, b in names])
    order = np.argsort(single)
    expected = single.copy()
    if adjust != "none":  # Holm by hand: the smallest times three, the next times two, never falling
        expected[order] = np.minimum(np.maximum.accumulate(single[order] * [3, 2, 1]), 1)
    assert [(row.a, row.b) for row in made] == names
    assert [row.p_value for row in made] == pytest.approx(expected, abs=1e-12)
    assert made.adjust == (adjust or "holm")
    assert {row.p_method for row in made} == {f"permutation, {'single' if adjust == 'none' else 'Holm'}"}
    pair = hs.compare(table, "macro_f1", "a", "c", undefined="zero", level=0.95 if adjust == "none" else 1 - 0.05 / 3)
    assert made["a", "c"].interval == pytest.approx(pair.interval, abs=1e-12)


def test_many_models_by_other_methods_of_two() -> None:
    truth = np.ones(60, dtype=int)
    right = {name: (np.arange(60) * step % 60 < most).astype(int) for name, step, most in
             (("a", 7, 50), ("b", 11, 40), ("c", 13, 25))}  # fmt: skip
    table = hs.table(truth, right, labels=[0, 1])
    made = hs.compare_all(table, "accuracy", method="mcnemar", baseline="a")
    single = [hs.compare(table, "accuracy", "a", name, method="mcnemar").p_value for name in "bc"]
    assert [row.p_value for row in made] == pytest.approx([max(single), 2 * min(single)] if single[0] > single[1]
                                                          else [2 * min(single), max(single)])  # fmt: skip
    drawn = hs.compare_all(table, "accuracy", method=hs.Permutation(n_resamples=999, seed=4))
    assert all(row.method == "permutation" for row in drawn)
    assert "Holm" in str(drawn.notes[0])
    assert "a" in drawn.tied_with_best


def test_what_many_models_refuse() -> None:
    table = hs.table(TRUTH, THREE, labels=LABELS)
    for more in ({"versus": "best"}, {"adjust": "joint"}):
        with pytest.raises(hs.MethodError, match="two models at a time"):
            hs.compare_all(table, "accuracy", method="permutation", **more)
    with pytest.raises(hs.MethodError, match="posterior probabilities"):
        hs.compare_all(table, "accuracy", method="bayes")
    with pytest.raises(hs.MethodError, match="does not compare two models"):
        hs.compare_all(table, "accuracy", method="wilson")
    with pytest.raises(hs.MethodError, match="cannot compare 'macro_f1'"):
        hs.compare_all(table, "macro_f1", method="mcnemar", undefined="zero")


@pytest.mark.parametrize("method", ["permutation", "mcnemar"])
def test_the_test_asked_for_decides_and_not_the_interval_beside_it(method: str) -> None:
    """15 rows that only a gets right and 7 that only b does: exact McNemar p = 0.134; of 15 and 4 p = 0.0192."""
    for only_a, only_b, said in ((15, 7, False), (15, 4, True)):
        truth = np.ones(only_a + only_b + 20, dtype=int)
        a, b = truth.copy(), truth.copy()
        b[:only_a], a[only_a : only_a + only_b] = 0, 0
        exact = stats.binomtest(only_a, only_a + only_b).pvalue
        made = hs.compare(hs.table(truth, {"a": a, "b": b}), "accuracy", method=method)
        assert made.p_value == pytest.approx(exact, rel=1e-9)
        assert made.decided == said == (exact < 0.05)


def test_a_test_and_an_interval_that_disagree_are_both_told() -> None:
    """39 rows, 12 against 4 (exact p = 0.0768): the interval beside it leaves out zero, and the test does not."""
    truth = np.ones(39, dtype=int)
    a, b = truth.copy(), truth.copy()
    b[:12], a[12:16] = 0, 0
    made = hs.compare(hs.table(truth, {"a": a, "b": b}), "accuracy", method="mcnemar")
    assert made.p_value == pytest.approx(stats.binomtest(12, 16).pvalue)
    assert (made.apart, made.decided, made.winner) == (True, False, None)
    assert made.sentence.startswith("a and b are not told apart in accuracy by the test asked for (exact McNemar, p = ")
    assert made.sentence.endswith("excludes zero.")
