"""Very many, very few, and nothing but right or wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import howsure as hs
from hard_use.catalogue import refused, theme

SIZES = theme("Sizes and extremes")


@SIZES.case(
    "500 classes",
    "macro, micro and weighted F1, accuracy, kappa, MCC and a class by name have a finite interval around the value",
)
def many_classes(folder: Path) -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 500, 20_000)
    guess = np.where(random.random(20_000) < 0.7, truth, random.integers(0, 500, 20_000))
    table = hs.table(truth, guess)
    assert len(table.labels) == 500
    for name in ("macro_f1", "micro_f1", "weighted_f1", "accuracy", "kappa", "mcc", "f1[499]"):
        found = hs.estimate(table, name)
        assert 0 < found.low < found.value < found.high < 1, name


@SIZES.case("200 models on the same rows", "one table holds them all; any two are compared on their rows")
def many_models(folder: Path) -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 1000)
    guesses = {f"model {i}": np.where(random.random(1000) < 0.7, truth, 1 - truth) for i in range(200)}
    table = hs.table(truth, guesses)
    assert len(hs.report(table, ["accuracy"])) == 200
    found = hs.compare(table, "accuracy", a="model 0", b="model 199")
    expected = np.mean(guesses["model 199"] == truth) - np.mean(guesses["model 0"] == truth)
    assert math.isclose(found.difference, expected)


@SIZES.case("200 models, all against a baseline", "199 joint comparisons, and who may be the best", slow=True)
def many_comparisons(folder: Path) -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 1000)
    guesses = {f"m{i}": np.where(random.random(1000) < (0.99 if i == 7 else 0.7), truth, 1 - truth) for i in range(200)}
    found = hs.compare_all(hs.table(truth, guesses), "accuracy", baseline="m0")
    assert len(found) == 199
    assert list(found.tied_with_best) == ["m7"]


@SIZES.case("one row", "an interval as wide as one row deserves: 1 of 1 right is [0.05, 1], where ½p = 0.025")
def one_row(folder: Path) -> None:
    found = hs.estimate(hs.table([1], [1]), "accuracy")
    assert found.value == 1
    assert math.isclose(found.low, 2 * 0.025, rel_tol=1e-9)  # mid-P: half the probability of what was seen, ½p¹
    assert found.high == 1
    wilson = hs.estimate(hs.table([1], [1]), "accuracy", method="wilson")
    assert math.isclose(wilson.low, 1 / (1 + 1.959963984540054**2), rel_tol=1e-9)


@SIZES.case("one class only", "accuracy has an interval; kappa and MCC are undefined (0/0), with a note that says so")
def one_class(folder: Path) -> None:
    table = hs.table(["a", "a"], ["a", "a"])
    assert hs.estimate(table, "accuracy").value == 1
    for name in ("kappa", "mcc"):
        found = hs.estimate(table, name)
        assert math.isnan(found.value)
        assert any("undefined" in note for note in found.notes)


@SIZES.case("every row right", "the value is 1 and the interval still has width, below it")
def all_right(folder: Path) -> None:
    for name in ("accuracy", "f1", "macro_f1"):
        found = hs.estimate(hs.counts(tp=30, fp=0, fn=0, tn=40), name)
        assert found.value == found.high == 1
        assert found.low < 1


@SIZES.case("every row wrong", "the value is 0 and the interval still has width, above it")
def all_wrong(folder: Path) -> None:
    for name in ("accuracy", "f1", "macro_f1"):
        found = hs.estimate(hs.counts(tp=0, fp=30, fn=40, tn=0), name)
        assert found.value == found.low == 0
        assert found.high > 0


@SIZES.case("a class that is never predicted", "its precision is undefined, not 0, and the note names the class")
def never_predicted(folder: Path) -> None:
    found = hs.estimate(hs.table(["a", "b", "b"], ["a", "a", "a"]), "macro_precision")
    assert math.isnan(found.value)
    assert any("class 'b' is never predicted" in note for note in found.notes)


@SIZES.case(
    "20 000 classes",
    "accuracy, metrics of a class and averages need no matrix and little memory; what needs the matrix says so",
)
def very_many_classes(folder: Path) -> None:
    truth = np.arange(60_000) % 20_000
    table = hs.table(truth, np.where(np.arange(60_000) % 3, truth, 0))
    for name in ("accuracy", "macro_f1", "weighted_f1", "micro_f1", "mcc", "f1[17]"):
        found = hs.estimate(table, name, undefined="skip")
        assert found.low < found.value < found.high
    refused(table.matrix, "20,000 classes", "ask for accuracy")


@SIZES.case("a label of a million characters", "kept whole in the data; shortened in text, pages and messages")
def endless_label(folder: Path) -> None:
    label = "x" * 1_000_000
    made = hs.report(hs.table([label, "b"] * 9, [label, "b", "b", "b", label, label] * 3), f"f1[{label}]")
    assert label in made.to_json()
    assert len(str(made)) < 10_000
