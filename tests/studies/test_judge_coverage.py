"""The study of intervals with a judge: its short cut is the library's way, and what it found is what the page says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.tail import Tail
from studies.judge_samples import JudgedSamples
from studies.judge_study import PAIRED, SINGLE, drawn_groups, judged_population, of_cells, of_groups

STORED = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "judges.json"
OLD = 9  # a seed of populations that the study does not have


def cells_of(counts: np.ndarray) -> np.ndarray:
    """Return a row for each count of an array, by its places."""
    return np.argwhere(counts >= 0).repeat(counts.ravel().astype(int), axis=0)


def of_rows(width: int, *, weighted: bool) -> tuple[JudgedSamples, list[hs.Table]]:
    """Return two samples of independent rows, with two weights that depend on the judge or none, and their tables."""
    rng, shares = np.random.default_rng(5), judged_population(3, width, OLD).shares
    weights = np.array([[1.0, 3.0]]) * np.linspace(1, 2, width)[:, None] if weighted else np.ones((width, 1))
    shares = np.repeat(shares[..., None] / weights.shape[1], weights.shape[1], axis=-1)
    x = rng.multinomial(60, shares.ravel(), size=2).reshape(-1, *shares.shape).astype(float)
    u = rng.multinomial(300, shares.sum(0).ravel(), size=2).reshape(-1, *shares.shape[1:]).astype(float)
    tables = []
    for known, free in zip(x, u, strict=True):
        others = cells_of(free)
        rows = np.concatenate([cells_of(known), np.column_stack([np.full(len(others), -1), others])])
        weight = weights[rows[:, 1], rows[:, 4]] if weighted else None
        tables.append(table_of(rows, width, sample_weight=weight))
    return of_cells(x, u, weights), tables


def in_groups(width: int) -> tuple[JudgedSamples, list[hs.Table]]:
    """Return two samples of groups of rows that are partly alike, and their tables."""
    codes, others = drawn_groups(judged_population(3, width, OLD), 60, 2, np.random.default_rng(6))
    tables = []
    for known, free in zip(codes, others, strict=True):
        every = np.concatenate([known, free])
        groups = np.repeat(np.arange(len(every)), every.shape[1])
        rows = np.stack(np.unravel_index(every.ravel(), (width,) * 4), axis=1)
        rows[groups >= len(known), 0] = -1
        tables.append(table_of(rows, width, groups=groups))
    return of_groups(width, codes, others), tables


def table_of(rows: np.ndarray, width: int, **more: Any) -> hs.Table:
    """Return rows of (truth or −1, judge, a, b) as hs.table counts them."""
    truth = np.where(rows[:, 0] < 0, np.nan, rows[:, 0])
    return hs.table(truth, {"a": rows[:, 2], "b": rows[:, 3]}, judge=rows[:, 1], labels=list(range(width)), **more)


@pytest.mark.parametrize("width", [2, 3, 5])
@pytest.mark.parametrize(
    "make",
    [lambda width: of_rows(width, weighted=False), lambda width: of_rows(width, weighted=True), in_groups],
    ids=["rows", "weights", "groups"],
)
def test_many_samples_at_once_are_as_one_by_one(
    make: Callable[[int], tuple[JudgedSamples, list[hs.Table]]], width: int
) -> None:
    samples, tables = make(width)
    for name in SINGLE[width]:
        human, judged, gain = samples.single(name, Tail(0.95))
        for place, table in enumerate(tables):
            found = hs.estimate(table, name, model="a")
            expected = (found.low, found.high, found.human.low, found.human.high, found.gain)
            here = (*(end[place] for end in (*judged, *human)), gain[place])
            assert here == pytest.approx(expected, abs=1e-9), name
    for name in PAIRED[width]:
        human, judged, _ = samples.difference(name, Tail(0.95))
        for place, table in enumerate(tables):
            found, alone = (hs.compare(table, name, "a", "b", judge=use) for use in ("gain", "ignore"))
            expected = (found.low, found.high, alone.low, alone.high)
            assert [end[place] for end in (*judged, *human)] == pytest.approx(expected, abs=1e-9), name


def test_what_was_found_keeps_to_what_was_asked() -> None:
    """Mean coverage no lower than people's less 0.01, lowest no lower than people's lowest less 0.03."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    asked = {"accuracy", "recall[1]", "f1[1]", "mcc", "macro_f1", "accuracy difference", "f1[1] difference"}
    assert asked <= {line["metric"] for line in stored}
    assert {(line["kind"], line["classes"]) for line in stored} >= {("rows", 5), ("groups", 3), ("weights", 3)}
    for line in stored:
        (lowest, mean), (people_lowest, people_mean) = line["gain"], line["human"]
        assert line["populations"] >= 60, line
        assert mean >= people_mean - 0.01, line
        assert line["length"] < 1, line
        if line["metric"] != "precision[1]":  # its lowest lies 0.0302 below at 25 labels: the page says it
            assert lowest >= people_lowest - 0.03, line
