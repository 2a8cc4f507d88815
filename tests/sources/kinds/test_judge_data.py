"""Judges of three published data sets: what people, and what judges alone, say there."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from studies.label_study import estimates, pandalm


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def some(truth: list[Any], labels: int, seed: int) -> list[Any]:
    kept = set(np.random.default_rng(seed).choice(len(truth), labels, replace=False).tolist())
    return [one if place in kept else None for place, one in enumerate(truth)]


def test_pandalm(shared_data: Path) -> None:
    rows = rows_of(shared_data / "judge-pandalm" / "judgments.csv")
    votes = [Counter(row[f"annotator{at}"] for at in (1, 2, 3)).most_common(1)[0][0] for row in rows]
    model, judge = [row["pandalm7b"] for row in rows], [row["gpt35"] for row in rows]
    true = float(np.mean([a == b for a, b in zip(votes, model, strict=True)]))
    held, gains = 0, []
    for seed in range(40):
        found = hs.estimate(hs.table(some(votes, 200, seed), model, judge={"gpt-3.5": judge}), "accuracy")
        held += found.low <= true <= found.high
        gains.append(found.gain or 0.0)
        assert found.judge_only is not None
        assert round(found.judge_only.value, 3) == 0.702
    assert held >= 34  # 40 intervals of 95 %: fewer than 34 hold in 1 of 2,000 such runs
    assert 1.1 < np.mean(gains) < 1.35
    assert any("unreadable" in note for note in hs.table(votes, model, judge=judge).notes)


def test_chosen_labels_of_pandalm_make_shorter_intervals(shared_data: Path) -> None:
    for pool in pandalm(shared_data / "judge-pandalm"):
        widths = [[one.high - one.low for one in estimates(pool, 200, seed)] for seed in range(6)]
        random, _, chosen, _, after_a_quarter = np.mean(widths, axis=0)
        assert max(chosen, after_a_quarter) < random


@pytest.mark.parametrize(("judge", "said"), [("gpt4o_mini", 0.209), ("gpt52", 0.486)])
def test_arena(shared_data: Path, judge: str, said: float) -> None:
    rows = [
        row
        for row in rows_of(shared_data / "judge-arena" / "judgments.csv")
        if "flash" in row["pair"] and "opus" in row["pair"]
    ]
    opus = next(name for name in {row["human"] for row in rows} if "opus" in name)
    people = [int(row["human"] == opus) for row in rows]
    told = [int(row[judge] == opus) for row in rows]
    found = hs.estimate(hs.table(some(people, 100, 1), [1] * len(rows), judge=told), "accuracy")
    assert found.judge_only is not None
    assert round(found.judge_only.value, 3) == said
    assert round(float(np.mean(people)), 3) == 0.409
    assert (found.gain or 9.0) < 1.1


def test_dices(shared_data: Path) -> None:
    rows = rows_of(shared_data / "judge-dices350" / "ratings.csv")
    people = [int(row["expert"] == "yes") for row in rows]
    crowd = [int(int(row["crowd_yes"]) > int(row["crowd_no"])) for row in rows]
    share = [int(row["crowd_yes"]) / sum(int(row[f"crowd_{one}"]) for one in ("yes", "no", "unsure")) for row in rows]
    for judge in (crowd, share):
        found = hs.estimate(hs.table(some(people, 100, 3), [1] * len(rows), judge=judge), "accuracy")
        assert 1.0 <= (found.gain or 0) < 1.6
        assert found.low < float(np.mean(people)) < found.high
