"""Labels of people that arrive late: Counter.update with a judge, Counter.label, files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InputError
from howsure.types import Array


def stream(rows: int = 300) -> dict[str, Array]:
    rng = np.random.default_rng(3)
    truth = (rng.random(rows) < 0.4).astype(int)
    noisy = [np.where(rng.random(rows) < right, truth, 1 - truth) for right in (0.85, 0.9)]
    return {"truth": truth, "model": noisy[0], "judge": noisy[1], "group": rng.integers(0, 20, rows)}


@pytest.mark.parametrize("grouped", [False, True])
def test_late_labels_are_as_if_they_had_been_there(grouped: bool) -> None:
    data, late = stream(), np.random.default_rng(1).choice(300, 60, replace=False)
    counter = hs.Counter([0, 1])
    groups: Any = data["group"] if grouped else None
    counter.update([None] * 300, data["model"], judge=data["judge"], groups=groups)
    for row in late[:5]:
        more = {"groups": data["group"][row]} if grouped else {}
        counter.label(data["truth"][row], data["model"][row], data["judge"][row], **more)
    rest = late[5:]
    more = {"groups": data["group"][rest]} if grouped else {}
    counter.label(data["truth"][rest], data["model"][rest], data["judge"][rest], **more)
    truth = np.where(np.isin(np.arange(300), late), data["truth"].astype(float), np.nan)
    whole = hs.table(truth, data["model"], judge=data["judge"], groups=groups)
    for metric in ("f1", "accuracy"):
        one, other = hs.estimate(counter.table, metric), hs.estimate(whole, metric)
        assert (one.value, one.low, one.high, one.gain) == (other.value, other.low, other.high, other.gain)
    assert counter.n == 300


def test_a_label_needs_a_row_that_waits_for_it() -> None:
    counter = hs.Counter([0, 1])
    counter.update([None, 1], [1, 1], judge=[0, 1])
    counter.label([1], [1], [0])
    with pytest.raises(InputError, match="never counted without one"):
        counter.label(1, 1, 0)
    with pytest.raises(InputError, match="missing in 1 rows"):
        counter.label([None], [1], [0])
    with pytest.raises(InputError, match="no row with a judge"):
        hs.Counter([0, 1]).label(1, 1, 1)
    with pytest.raises(InputError, match="differ in kind"):
        counter.update([1], [1])


@pytest.mark.parametrize("scored", [False, True])
def test_files_and_pickles(scored: bool, tmp_path: Path) -> None:
    data = stream()
    judge = np.where(data["judge"] == 1, 0.9, 0.2).astype(object) if scored else data["judge"].astype(object)
    judge[::11] = None
    truth = np.where(np.arange(300) < 80, data["truth"].astype(float), np.nan)
    counter = hs.Counter([0, 1])
    counter.update(truth[:200], data["model"][:200], judge={"gpt": judge[:200]})
    counter.update(truth[200:], data["model"][200:], judge={"gpt": judge[200:]})
    counter.save(tmp_path / "c.npz")
    for again in (hs.Counter.load(tmp_path / "c.npz"), pickle.loads(pickle.dumps(counter))):
        one, other = hs.estimate(again.table, "f1"), hs.estimate(counter.table, "f1")
        assert (one.value, one.low, one.high, one.gain) == (other.value, other.low, other.high, other.gain)
    assert hs.estimate((counter + counter).table, "f1").judged == 600
