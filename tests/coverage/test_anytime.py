"""Two models looked at every 25 rows: at most one stream in twenty is ever wrong, in every population and metric."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from studies import anytime_ratios, anytime_values
from studies.anytime_study import EVERY, STREAMS, line, population

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize("kind", anytime_ratios.KINDS[:4])
def test_limits_of_ratios_are_what_the_library_says(kind: str) -> None:
    errors, words = (part[0] for part in anytime_ratios.drawn(np.random.default_rng(2), kind, (1, 600)))
    low, high = (ends[0] for ends in anytime_ratios.limits(errors[None], words[None]))
    for rows in (150, 300, 600):
        table = hs.sums({"errors": errors[:rows], "words": words[:rows]})
        found = hs.estimate(table, "errors/words", anytime=True)
        expected = low[rows // EVERY - 1], high[rows // EVERY - 1]
        assert (found.low, found.high) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ["streams", "values", "ratios"])
def test_what_is_kept_holds(name: str) -> None:
    """Every population on the page of the reference: at most 5 % of its streams were ever wrong."""
    lines = json.loads((REFERENCE / f"anytime-{name}.json").read_text(encoding="utf-8"))
    assert min(line["streams"] for line in lines) >= 1000
    assert max(wrong for line in lines for wrong in line["wrong"].values()) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", anytime_ratios.KINDS)
def test_a_ratio_is_missed_in_at_most_one_stream_of_twenty(kind: str) -> None:
    """1 000 other streams of each law."""
    wrong = anytime_ratios.line(kind, 77, streams=1000)["wrong"]["ratio"]
    assert wrong - 3 * math.sqrt(max(wrong, 0.05) * (1 - wrong) / 1000) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["equal", "apart"])
@pytest.mark.parametrize("number", range(700, 703))
def test_wrong_in_at_most_one_stream_of_twenty(kind: str, number: int) -> None:
    """4 000 streams to 2 000 rows of a fresh population: the share of wrong ones less three errors is at most 5 %."""
    for metric, wrong in line(kind, number)["wrong"].items():
        assert wrong - 3 * math.sqrt(max(wrong, 0.05) * (1 - wrong) / STREAMS) <= 0.05, metric


@pytest.mark.slow
@pytest.mark.parametrize("kind", anytime_values.KINDS)
@pytest.mark.parametrize("number", range(2700, 2703))
def test_one_value_is_missed_in_at_most_one_stream_of_twenty(kind: str, number: int) -> None:
    """1 000 streams to 2 000 rows of one model, of classes that may be rare."""
    for metric, wrong in anytime_values.line(kind, number)["wrong"].items():
        assert wrong - 3 * math.sqrt(max(wrong, 0.05) * (1 - wrong) / anytime_values.STREAMS) <= 0.05, metric


@pytest.mark.slow
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
