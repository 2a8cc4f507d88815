"""Two models looked at every 25 rows: at most one stream in twenty is ever wrong, in every population and metric."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from studies import anytime_values
from studies.anytime_study import EVERY, STREAMS, line, population

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["equal", "apart"])
@pytest.mark.parametrize("number", range(700, 703))
def test_wrong_in_at_most_one_stream_of_twenty(kind: str, number: int) -> None:
    """4 000 streams to 2 000 rows of a fresh population: the share of wrong ones less three errors is at most 5 %."""
    for metric, wrong in line(kind, number)["wrong"].items():
        assert wrong - 3 * math.sqrt(max(wrong, 0.05) * (1 - wrong) / STREAMS) <= 0.05, metric


@pytest.mark.parametrize("kind", anytime_values.KINDS)
@pytest.mark.parametrize("number", range(2700, 2703))
def test_one_value_is_missed_in_at_most_one_stream_of_twenty(kind: str, number: int) -> None:
    """1 000 streams to 2 000 rows of one model, of classes that may be rare."""
    for metric, wrong in anytime_values.line(kind, number)["wrong"].items():
        assert wrong - 3 * math.sqrt(max(wrong, 0.05) * (1 - wrong) / anytime_values.STREAMS) <= 0.05, metric


def test_a_counter_that_stops_when_it_is_settled() -> None:
    """The library itself: 150 streams of equal models, asked every 25 rows, with equivalence as the other way out."""
    shares, wrong, alike = population("equal", 0), 0, 0
    for number in range(150):
        draw = np.random.default_rng([number, 9])
        counter = hs.Counter([0, 1], ["a", "b"])
        for _ in range(1500 // EVERY):
            truth, a, b = np.unravel_index(draw.choice(8, EVERY, p=shares.ravel()), (2, 2, 2))
            counter.update(truth, {"a": a, "b": b})
            found = counter.settled("accuracy", "a", "b", margin=0.05)
            if found is not None:
                wrong, alike = wrong + (found.margin is None), alike + (found.margin is not None)
                break
    assert wrong / 150 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 150)
    assert alike > 75
