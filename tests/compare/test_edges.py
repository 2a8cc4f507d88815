"""Two models at the edges: identical, perfect, undefined; what is said, and what is refused."""

from __future__ import annotations

import math

import pytest

import howsure as hs
from compare.cubes import EXAMPLE, Z, cube


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
    assert repr(made).startswith("accuracy: b − a = +0.037 [")  # (31 − 20) / 300
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
