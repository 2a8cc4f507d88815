"""One-sided claims, margins, practical equivalence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from comparisons.cubes import EXAMPLE, cube, cubes


@given(cubes, st.floats(0, 0.2))
def test_a_rate_and_its_complement_tell_the_same(counts: list[int], margin: float) -> None:
    """Lower is better for the error rate: b − a > −m of accuracy is b − a < m of the error rate."""
    right = hs.compare(cube(counts), "accuracy", alternative="greater", margin=margin)
    wrong = hs.compare(cube(counts), "error_rate", alternative="less", margin=margin)
    assert wrong.high == pytest.approx(-right.low, abs=1e-12)
    assert wrong.p_value == pytest.approx(right.p_value, abs=1e-8)
    assert wrong.verdict == right.verdict
    assert wrong.probability_better == pytest.approx(right.probability_better, abs=1e-8)
    assert wrong.sentence == right.sentence.replace("accuracy", "error rate")


def test_one_sided_limits() -> None:
    both = hs.compare(EXAMPLE, "f1", level=0.90)
    lower, upper = (hs.compare(EXAMPLE, "f1", alternative=side) for side in ("greater", "less"))
    assert (lower.low, lower.high) == pytest.approx((both.low, 1.0))
    assert (upper.low, upper.high) == pytest.approx((-1.0, both.high))
    assert lower.p_value + upper.p_value == pytest.approx(1.0)
    assert (lower.side, upper.side) == ("lower", "upper")
    assert "lower bound" in repr(lower)


def test_non_inferiority_follows_from_the_bound() -> None:
    bound = hs.compare(EXAMPLE, "accuracy", "b", "a", alternative="greater").low
    assert bound < 0
    for margin, verdict in ((-bound + 1e-6, "non-inferior"), (-bound - 1e-6, "not shown non-inferior")):
        made = hs.compare(EXAMPLE, "accuracy", "b", "a", alternative="greater", margin=margin)
        assert made.verdict == verdict
        assert made.low == pytest.approx(bound)
    assert "a may be worse than b by" in made.sentence


def test_equivalence_takes_both_one_sided_tests() -> None:
    made = hs.compare(EXAMPLE, "accuracy", margin=0.1)
    assert made.side == "each"
    assert made.p_value == pytest.approx(
        max(
            hs.compare(EXAMPLE, "accuracy", alternative="greater", margin=0.1).p_value,
            hs.compare(EXAMPLE, "accuracy", alternative="less", margin=0.1).p_value,
        )
    )
    reach = max(-made.low, made.high)
    assert hs.compare(EXAMPLE, "accuracy", margin=reach + 1e-6).verdict == "equivalent"
    assert hs.compare(EXAMPLE, "accuracy", margin=reach - 1e-6).verdict == "not shown equivalent"


@pytest.mark.parametrize("method", ["mover", "wald", "bayes", "bootstrap"])
def test_region_of_practical_equivalence(method: str) -> None:
    made = hs.compare(EXAMPLE, "accuracy", rope=0.02, method=method)
    assert sum(made.rope_probabilities) == pytest.approx(1)
    worse, equal, better = made.rope_probabilities
    assert better > equal > worse
    mirrored = hs.compare(EXAMPLE, "error_rate", rope=0.02, method=method).rope_probabilities
    assert mirrored == pytest.approx(made.rope_probabilities, abs=2e-3)
    nothing = hs.compare(EXAMPLE, "accuracy", rope=0.0, method=method).rope_probabilities
    assert nothing[2] == pytest.approx(made.probability_better, abs=0.02)
