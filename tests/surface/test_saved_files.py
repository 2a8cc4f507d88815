"""Files that version 0.1 saved are still read: counters, and the finished parts of a study."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from support.saved_files import DRAWN, FOLDER, STUDY, grouped_counter, plain_counter


@pytest.mark.parametrize(
    ("name", "made"), [("counter-0.1.npz", plain_counter), ("counter-grouped-0.1.npz", grouped_counter)]
)
def test_a_saved_counter_is_read(name: str, made: Callable[[], hs.Counter]) -> None:
    saved, fresh = hs.Counter.load(FOLDER / name).table, made().table
    assert (saved.labels, saved.models, saved.pos_label) == (fresh.labels, fresh.models, fresh.pos_label)
    assert saved.group_labels == fresh.group_labels
    for model in saved.models:
        assert np.array_equal(saved.matrix(model), fresh.matrix(model))
        assert hs.estimate(saved, "macro_f1", model=model).same(hs.estimate(fresh, "macro_f1", model=model))


@pytest.mark.parametrize("asked", [STUDY, DRAWN], ids=["exact", "drawn"])
def test_finished_parts_of_a_study_are_used(asked: dict[str, Any], tmp_path: Path) -> None:
    """A part that is computed anew would be written, and the file would grow."""
    kept = tmp_path / "checkpoint"
    shutil.copytree(FOLDER / "checkpoint-0.1", kept)
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    found, fresh = hs.study("f1", **asked, checkpoint=kept), hs.study("f1", **asked)
    for row, same in zip(found, fresh, strict=True):  # sums of another processor differ in their last bits
        for name, value in same.to_dict().items():
            near = pytest.approx(value, rel=1e-12, abs=1e-15) if isinstance(value, float) else value
            assert row.to_dict()[name] == near, name
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == before
