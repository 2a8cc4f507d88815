"""The sentences that were hard to read, each as it is said now: one call, what it must say, and what it must not."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import howsure as hs
from howsure.cli.app import howsure

DATA = (str(files("howsure.cli") / "example" / "tumours.csv"), "--pos-label", "malignant")
DOCS = Path(__file__).parents[2] / "docs"
PLAN = ("plan", "f1", "--half-width", "0.1", "--prevalence", "0.3", "--precision", "0.8", "--recall", "0.7")
TRUTH = (np.random.default_rng(0).random(400) < 0.4).astype(int)


def shell(*arguments: str) -> str:
    """Return what a command prints, in one line."""
    done = CliRunner().invoke(howsure, list(arguments))
    assert done.exit_code in (0, 1, 3), done.output
    return " ".join(done.output.split())


def noisy(rate: float, seed: int) -> np.ndarray:
    return np.where(np.random.default_rng(seed).random(400) < rate, 1 - TRUTH, TRUTH)


@cache
def models() -> hs.Table:
    return hs.table(TRUTH, {"a": noisy(0.3, 1), "b": noisy(0.1, 2), "c": noisy(0.12, 3)})


def patients() -> str:
    """Return what is noted on sensitivity where the four rows of a patient are all right or all wrong."""
    truth = np.tile([1, 1, 0, 0], 100)
    wrong = np.repeat(np.random.default_rng(3).random(100) < 0.2, 4)
    table = hs.table(truth, np.where(wrong, 1 - truth, truth), groups=np.repeat(np.arange(100), 4))
    return " ".join(note for note in hs.estimate(table, "sensitivity").notes if not getattr(note, "detail", False))


def worst_city() -> str:
    truth, guess = [1, 1, 0, 0, 1] * 60, [1, 0, 0, 1, 1] * 60
    return hs.slices(truth, guess, by=np.repeat(["Lyon", "Porto", "Gdansk"], 100)).gap("f1").sentence


def bayes(rate: float, seed: int) -> str:
    table = hs.table(TRUTH, {"BIO": noisy(0.2, 6), "IOBES": noisy(rate, seed)})
    return hs.bayes_test(table, metric="precision").sentence


def joint_verbose() -> str:
    return " ".join(hs.compare_all(models(), "f1").notes)


# the row of the table, the call, what it says, what it no longer says
ROWS: dict[str, tuple[Callable[[], str], str, str]] = {
    "better, and zero is outside": (
        lambda: hs.compare(models(), "f1", a="a", b="b").sentence,
        r"^b is better than a in F1, by 0\.\d+ to 0\.\d+ \(95% interval; zero is outside it\)\.", "leaves out",
    ),
    "one estimate": (
        lambda: repr(hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1", method="wilson")),
        r"^F1 = 0\.740, 95% interval 0\.669 to 0\.801 \(Wilson\), 833 rows$", "95% wilson",
    ),
    "overlap": (
        lambda: shell("report", *DATA, "--long"),
        r"Do not judge by overlap of intervals: run 'howsure compare'\.", r"compare\(\)",
    ),
    "many intervals": (
        lambda: shell("report", *DATA, "--long"),
        r"With 27 intervals at 95%, expect one or two to miss\. --joint makes all hold at once\.", "joint=True",
    ),
    "joint width": (
        joint_verbose, r"The intervals are 1\.\d\d times as wide as single ones, so that all 3 hold together\.",
        "simultaneous",
    ),
    "joint width is for --verbose": (
        lambda: shell("compare", *DATA, "-m", "f1"), r"2 of the 3 pairs", "critical value|times as wide",
    ),
    "rows of one patient": (
        patients, r"Rows of one \w+ are alike: for sensitivity, 400 rows count like \d+\.", "design effect|Student",
    ),
    "pairs with a clear winner": (
        lambda: hs.compare_all(models(), "f1").sentence,
        r"2 of the 3 pairs have a clear winner \(95%, all pairs together\)\.", "simultaneous",
    ),
    "the worst of three": (worst_city, r"Any of the three could be the worst\.", "May be the worst"),
    "a gate that fails": (
        lambda: shell("gate", *DATA, "-m", "f1", "--at-least", "0.9", "--model", "centroid"),
        r"(?i)fail.*even the upper bound, 0\.8\d+, is below 0\.9\.", "contradict",
    ),
    "not shown to be non-inferior": (
        lambda: hs.compare(models(), "f1", a="b", b="a", margin=0.05, alternative="greater").sentence,
        r"a may be worse than b by 0\.05 or more in F1: not shown to be non-inferior\.", "do not show",
    ),
    "a plan, expected and at worst": (
        lambda: shell(*PLAN),
        r"^\d+ rows \(about \d+ positive\) .*you expect .*precision 0\.8, recall 0\.7.*anything [\d,]+ the worst case",
        "corollary",
    ),
    "a Bayes test that is open": (
        lambda: bayes(0.19, 8), r"IOBES has the higher precision with probability 0\.\d+: not decided\.", "Accept",
    ),
    "a Bayes test like a coin": (
        lambda: bayes(0.2, 9), r"No decision: \w+ has the higher precision with probability 0\.\d+\.", "Accept",
    ),
    "the unit of independence": (
        lambda: str(hs.page(models())), r"Rows \(400\) are treated as independent\.", "unit of independence is",
    ),
    "a rare class": (
        lambda: (DOCS / "how-to" / "planning.md").read_text(encoding="utf-8"), "F1 of a rare class needs many rows",
        "is dear",
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_table(row: str) -> None:
    call, wanted, gone = ROWS[row]
    text = call()
    assert re.search(wanted, text), text[:600]
    assert not re.search(gone, text)


def test_no_difference_is_promised_that_shares_cannot_have() -> None:
    """Five rows: 2.8 standard errors are more than two accuracies can differ by, and the sentence leaves them out."""
    made = hs.compare(hs.table([1, 0, 1, 1, 0], {"a": [1, 0, 0, 1, 1], "b": [0, 0, 1, 0, 0]}), "accuracy", a="a", b="b")
    assert made.detectable > 1
    assert "would be settled" not in made.sentence


def test_what_two_models_can_differ_by_is_the_range_of_the_metric() -> None:
    """MCC runs from −1 to 1: a difference above 1 can be had; so it can of small values of a range of 0 to 100."""
    few = hs.table([1, 0, 1, 1, 0], {"a": [1, 0, 0, 1, 1], "b": [0, 0, 1, 0, 0]})
    made = hs.compare(few, "mcc", a="a", b="b", method="delta")
    assert made.range_of_metric == (-1, 1)
    assert ("would be settled" in made.sentence) == (0 < made.detectable < 2)
    small = {"a": [0.1, 0.9, 0.2, 0.8, 3.0], "b": [0.9, 0.1, 0.8, 0.1, 0.2]}
    of_hundred = hs.compare(hs.table(values=small, range=(0, 100)), "mean", a="a", b="b")
    assert of_hundred.detectable > 1
    assert max(of_hundred.value_a, of_hundred.value_b) < 1.01
    assert "would be settled" in of_hundred.sentence


def test_who_may_be_the_best_is_said_model_by_model() -> None:
    """Hsu's limits hold each model that is truly the best with the level, not all such models together."""
    truth = [1, 0] * 60
    models = {
        name: [value if (at * 7 + k) % 9 else 1 - value for at, value in enumerate(truth)]
        for k, name in enumerate("abc")
    }
    made = hs.compare_all(hs.table(truth, models), "accuracy", versus="best")
    assert made.sentence.startswith("May be the best in accuracy: ")
    assert made.sentence.endswith("(95%, each with the best of the others).")
    told = " ".join(hs.compare_all.__doc__.split())
    assert "where several are equally the best it holds each of them with that level, not all of them together" in told
