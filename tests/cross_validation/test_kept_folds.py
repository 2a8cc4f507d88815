"""cross_validate with a folder: finished folds are taken up again, and only those of the same question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.cross_validation.kept_folds import KeptFolds

RNG = np.random.default_rng(2)
X, Y = RNG.normal(size=(60, 2)), RNG.integers(0, 2, 60)


class Counted:
    """A rule that counts how often it is asked."""

    def __init__(self, shift: float) -> None:
        self.shift, self.calls = shift, 0

    def __call__(self, known: np.ndarray, answers: np.ndarray, asked: np.ndarray) -> np.ndarray:
        self.calls += 1
        return (asked[:, 0] > known[:, 0].mean() + self.shift).astype(int)


def test_finished_folds_are_not_trained_again(tmp_path: Path) -> None:
    first, second = Counted(0.0), Counted(0.1)
    fresh = hs.cross_validate({"a": first, "b": second}, X, Y, checkpoint=tmp_path)
    assert (first.calls, second.calls) == (6, 6)
    for path in sorted(tmp_path.iterdir())[:2]:
        path.unlink()
    sorted(tmp_path.iterdir())[0].write_text("{torn")
    again = hs.cross_validate({"a": first, "b": second}, X, Y, checkpoint=tmp_path)
    assert first.calls + second.calls == 15
    for one, two in zip(fresh, again, strict=True):
        assert [table.matrix().tolist() for table in one.tables] == [table.matrix().tolist() for table in two.tables]


def test_other_data_other_names_and_other_folds_are_other_questions(tmp_path: Path) -> None:
    rule = Counted(0.0)
    hs.cross_validate({"a": rule}, X, Y, checkpoint=tmp_path)
    hs.cross_validate({"a": rule}, X + 1, Y, checkpoint=tmp_path)
    hs.cross_validate({"b": rule}, X, Y, checkpoint=tmp_path)
    hs.cross_validate({"a": rule}, X, Y, cv=hs.BlockedCV(seed=1), checkpoint=tmp_path)
    assert rule.calls == 24


def test_refusals(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(hs.InputError, match="which is a file; name a folder"):
        KeptFolds(file, X, Y)
    with pytest.raises(hs.InputError, match="checkpoint keeps predictions that are numbers or text"):
        hs.cross_validate({"a": lambda known, answers, asked: [object()] * len(asked)}, X, Y, checkpoint=tmp_path / "x")
