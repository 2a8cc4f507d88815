"""Two models at the edges: identical, perfect, undefined; what is said, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from comparisons.cubes import EXAMPLE, Z, cube


def test_identical_models() -> None:
    made = hs.compare(cube([40, 0, 0, 10, 12, 0, 0, 38]), "accuracy")
    assert made.difference == 0
    assert made.se == 0
    assert made.p_value == 1
    assert made.low < 0 < made.high
    assert any(note.kind == "identical" for note in made.notes)
    assert made.probability_better == 0.5


def test_two_perfect_models_are_not_proven_equal() -> None:
    made = hs.compare(cube([20, 0, 0, 0, 0, 0, 0, 20]), "accuracy")
    assert made.low < -0.05
    assert made.high > 0.05
    assert hs.compare(cube([20, 0, 0, 0, 0, 0, 0, 20]), "accuracy", method="wald").low == 0


def test_a_model_without_positives() -> None:
    made = hs.compare(cube([30, 6, 0, 0, 8, 12, 0, 0]), "precision")
    assert math.isnan(made.difference)
    assert math.isnan(made.low)
    assert math.isnan(made.p_value)
    assert "cannot be compared" in made.sentence
    assert any(str(note).startswith("a: precision is undefined") for note in made.notes)
    assert made.verdict is None


def test_what_is_said() -> None:
    made = hs.compare(EXAMPLE, "accuracy")
    assert repr(made).startswith("accuracy: b − a = +0.037, 95% interval ")  # (31 − 20) / 300
    assert made.discordant == (12 + 8, 9 + 22)
    assert made.unpaired[1] - made.unpaired[0] > made.high - made.low
    assert made.detectable == pytest.approx((Z + 0.8416212) * made.se, rel=1e-6)
    assert "That is not proof of equality. A true difference of" in made.sentence
    assert set(made.to_dict()) >= {"difference", "low", "high", "p_value", "method", "level", "version", "sentence"}
    few = hs.compare(cube([40, 1, 0, 3, 2, 3, 0, 41]), "accuracy")
    assert any(note.kind == "few" for note in few.notes)


def test_overlap_is_no_test() -> None:
    made = hs.compare(cube([400, 4, 22, 60, 60, 26, 6, 422]), "accuracy")
    assert made.decided
    assert any(note.kind == "overlap" for note in made.notes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": "a"}, "give both a and b"),
        ({"a": "a", "b": "a"}, "a and b are both 'a'"),
        ({"a": "a", "b": "x"}, "model 'x' is not in the table"),
        ({"kind": "sum"}, "kind is 'sum'; it must be one of 'difference', 'ratio'"),
        ({"alternative": "bigger"}, "alternative is 'bigger'"),
        ({"margin": -1}, "margin is -1; it must be a finite number"),
        ({"rope": math.inf}, "rope is inf"),
        ({"kind": "ratio", "margin": 0.1}, "margin is about differences"),
        ({"method": "wilson"}, "method 'wilson' does not compare two models"),
        ({"method": "movr"}, "Did you mean 'mover'"),
        ({"level": 95}, "level is 95"),
    ],
)
def test_refusals(arguments: dict, message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        hs.compare(EXAMPLE, "accuracy", **arguments)


def test_two_tables_are_refused() -> None:
    with pytest.raises(hs.InputError, match="models are compared within one table"):
        hs.compare(EXAMPLE, EXAMPLE)
    three = hs.table([0, 1], {"a": [0, 1], "b": [1, 1], "c": [0, 0]})
    with pytest.raises(hs.InputError, match="holds 3 models"):
        hs.compare(three, "accuracy")


def test_the_ratio_to_nothing_is_undefined_by_every_method() -> None:
    table = hs.table([0, 1] * 50, {"a": [0, 1, 1, 0] * 25, "b": [0, 1, 0, 1] * 25})
    for method in ("mover", "wald", "bootstrap"):
        made = hs.compare(table, "mcc", "a", "b", kind="ratio", method=method)
        assert made.value_a == 0
        assert math.isnan(made.low)
        assert math.isnan(made.high)


def test_one_model_alone_is_refused_with_the_way_to_two() -> None:
    with pytest.raises(hs.InputError, match="holds one model, 'model'; a comparison needs two on the same rows"):
        hs.compare(hs.table([1, 0], [1, 0]), "accuracy")


def test_one_discordant_row_is_a_row() -> None:
    made = hs.compare(hs.table([1, 0] * 20, {"a": [1, 0] * 20, "b": [0, 0] + [1, 0] * 19}), "accuracy")
    assert "only 1 row was right by one model and wrong by the other: little to go by" in made.notes


def test_where_no_end_is_better_the_words_say_higher() -> None:
    table = hs.table([1, 0] * 20, {"a": [1, 0] * 20, "b": [0, 0] + [1, 0] * 19})
    assert "not told apart in predicted prevalence" in hs.compare(table, "predicted_prevalence").sentence
    other = hs.table([1, 0] * 20, {"a": [1, 0] * 20, "b": [0] * 40, "c": [0, 0] + [1, 0] * 19})
    made = hs.compare_all(other, "predicted_prevalence")
    assert made.sentence.startswith("predicted prevalence has no better direction, so no model is the best.")
    assert [row.words for row in made] == ["differs", "not settled", "differs"]
    assert made.ranks == made.rank_ranges == {}


@pytest.mark.parametrize(("method", "said"), [("mover", True), ("wald", True), ("bayes", False)])
def test_a_region_without_a_posterior_says_where_its_probabilities_come_from(method: str, said: bool) -> None:
    table = hs.table([1, 0] * 20, {"a": [1, 0] * 20, "b": [0, 0] + [1, 0] * 19})
    made = hs.compare(table, "accuracy", method=method, rope=0.1)
    assert ("rope" in {note.kind for note in made.notes}) is said
    assert "rope" not in {note.kind for note in hs.compare(table, "accuracy", method=method).notes}


PERFECT = np.arange(300) % 2
ENDLESS = hs.table(
    PERFECT,
    {
        "a": PERFECT,
        "b": np.where(np.arange(300) % 30 < 2, 1 - PERFECT, PERFECT),
        "c": np.where(np.arange(300) % 6 < 2, 1 - PERFECT, PERFECT),
    },
)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["difference", "ratio"])
@pytest.mark.parametrize("method", ["mover", "wald", "bootstrap", "bayes"])
def test_an_infinite_value_is_compared_with_nothing(kind: str, method: str) -> None:
    found = hs.compare(ENDLESS, "lr_plus", "a", "b", kind=kind, method=method)
    assert found.value_a == math.inf
    assert math.isfinite(found.value_b)
    assert all(map(math.isnan, (found.difference, found.low, found.high, found.p_value)))
    assert found.sentence == "LR+ is infinite for at least one of a and b, so they cannot be compared."
    assert "nan" not in str(found)


@pytest.mark.filterwarnings("error")
def test_an_infinite_value_ranks_no_other_as_the_best() -> None:
    found = hs.compare_all(ENDLESS, "lr_plus")
    assert found.tied_with_best == ()
    assert "LR+ is infinite for 'a', so it ranks no model as the best" in found.notes
    assert [row.decided for row in found] == [False, False, True]
    apart = hs.compare(ENDLESS.pick("b", "c"), "lr_plus")
    assert found.rows[2].low == pytest.approx(apart.low, rel=1e-6)


def test_a_ratio_to_nothing() -> None:
    found = hs.compare(ENDLESS, "lr_minus", "a", "b", kind="ratio")
    assert found.sentence == "LR− of a is 0, so no ratio to it exists; compare by difference."


def test_the_p_value_of_a_margin_is_named_after_the_test_that_gave_it() -> None:
    table = ENDLESS.pick("b", "c")
    for method, name in (("mcnemar", "exact McNemar"), ("mid-p", "mid-P McNemar")):
        assert hs.compare(table, "accuracy", method=method).p_method == name
        margin = hs.compare(table, "accuracy", method=method, margin=0.05, alternative="greater")
        assert margin.p_method == "tango"
        assert (
            margin.p_value == hs.compare(table, "accuracy", method="tango", margin=0.05, alternative="greater").p_value
        )
