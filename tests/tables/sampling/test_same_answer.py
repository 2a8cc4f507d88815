"""Weights and groups say the same of a metric whichever way its table came: columns, a stream, a slice of many rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs

ROWS = 180
METRICS = ("accuracy", "recall", "f1", "mcc", "macro_f1")
DESIGNS = ("weights", "groups", "weights and groups")


def columns(design: str) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, Any]]:
    """Return truth, two models and how rows were sampled: 23 groups of unequal size, weights of three tiers."""
    random = np.random.default_rng(42)
    group = np.sort(random.integers(0, 23, ROWS))
    truth = (random.random(ROWS) < 0.35).astype(int)
    wrong = random.random((2, ROWS)) < np.array([[0.1], [0.2]]) * random.gamma(1.0, 1.0, 23)[group]
    models = {name: np.where(part, 1 - truth, truth) for name, part in zip("ab", wrong, strict=True)}
    more = {"sample_weight": random.choice([1.0, 4.0, 15.0], ROWS), "groups": group}
    return truth, models, {name: part for name, part in more.items() if name.removeprefix("sample_")[:5] in design}


def told(table: hs.Table) -> list[tuple[float, ...]]:
    """Return value, error, effective rows and limits of single values and of differences."""
    found: list[tuple[float, ...]] = []
    for metric in METRICS:
        one, pair = hs.estimate(table, metric, model="a"), hs.compare(table, metric, a="a", b="b")
        found.append((one.value, one.se, one.effective_n, one.low, one.high))
        found.append((pair.difference, pair.se, pair.low, pair.high))
    return found


@pytest.mark.parametrize("design", DESIGNS)
def test_a_stream_counted_in_parts(design: str) -> None:
    truth, models, more = columns(design)
    counter = hs.Counter([0, 1], ["a", "b"], pos_label=1)
    for part in np.array_split(np.arange(ROWS), 3):
        counter.update(truth[part], {name: guess[part] for name, guess in models.items()},
                       **{name: held[part] for name, held in more.items()})  # fmt: skip
    whole = hs.table(truth, models, labels=[0, 1], pos_label=1, **more)
    for expected, found in zip(told(whole), told(counter.table), strict=True):
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_slice_of_more_rows(design: str) -> None:
    truth, models, more = columns(design)
    place = np.repeat(["here", "there"], ROWS)

    def twice(part: np.ndarray) -> np.ndarray:
        return np.concatenate([part, np.roll(part, 7)])

    sliced = hs.slices(
        twice(truth), {name: twice(guess) for name, guess in models.items()}, by=place, labels=[0, 1], pos_label=1,
        **{name: twice(held) for name, held in more.items()},
    )  # fmt: skip
    alone = hs.table(truth, models, labels=[0, 1], pos_label=1, **more)
    for expected, found in zip(told(alone), told(sliced["here"]), strict=True):
        assert found == pytest.approx(expected, rel=1e-9)
