"""Scores in files and lazy frames: several files joined by id, distinct rows counted by the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import howsure as hs

N = 60
RNG = np.random.default_rng(31)
TRUTH = np.where(RNG.random(N) < 0.4, "ill", "well")
SCORES = {name: np.round(RNG.random(N) * 0.7 + 0.3 * (TRUTH == "ill"), 3) for name in ("bert", "svm")}
GROUP = RNG.integers(0, 12, N)
WHOLE = hs.table(TRUTH, scores=SCORES, pos_label="ill", groups=GROUP)
HOW: dict[str, Any] = {"truth": "y", "pos_label": "ill", "group": "site"}


def written(folder: Path, **change: Any) -> dict[str, Path]:
    """Write a file a model, the rows of the second in another order, and return their paths."""
    ids = np.array([f"r{place}" for place in range(N)])
    first = pl.DataFrame({"id": ids, "y": TRUTH, "site": GROUP, "score": SCORES["bert"]})
    order = RNG.permutation(N)
    second = pl.DataFrame({"id": ids[order], "score": SCORES["svm"][order], **change})
    paths = {"bert": folder / "bert.csv", "svm": folder / "svm.parquet"}
    first.write_csv(paths["bert"])
    second.write_parquet(paths["svm"])
    return paths


def same(found: hs.Table) -> None:
    assert found.models == ("bert", "svm")
    for metric in ("auc", "average_precision"):
        one, other = (hs.compare(each, metric, "bert", "svm") for each in (found, WHOLE))
        assert (one.difference, one.low, one.high) == pytest.approx(
            (other.difference, other.low, other.high), abs=1e-12
        )


def test_several_files_are_joined_by_id(tmp_path: Path) -> None:
    paths = written(tmp_path)
    same(hs.read(list(paths.values()), id="id", scores="score", **HOW))
    same(hs.read({"bert": paths["bert"], "svm": paths["svm"]}, scores="score", **HOW))  # the id by its name


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    paths = list(written(tmp_path).values())
    (tmp_path / "more.csv").write_text("id,score\nr0,0.5\nr1,nan\n")
    for files, more, words in (
        ([*paths, tmp_path / "more.csv"], {"scores": "score"}, "58 ids of the first file not at all"),
        (paths, {"scores": "p_*"}, "scores of each class are read from one file"),
        (paths, {"scores": "chance"}, "none of which"),
        (paths, {"scores": "score", "truth": None}, "truth must be named"),
    ):
        with pytest.raises(hs.InputError, match=words):
            hs.read(files, **{**HOW, **more})
    found = hs.read([*paths, tmp_path / "more.csv"], scores="score", on_bad="skip", labels=["ill", "well"], **HOW)
    assert found.n == 1
    assert any("1 of 2 rows were left out" in note for note in found.notes)


def test_a_lazy_frame_gives_the_same_numbers_with_fewer_rows() -> None:
    rows = {"y": TRUTH, "site": GROUP, **SCORES}
    same(hs.read(pl.LazyFrame(rows), scores=["bert", "svm"], **HOW))
    one = hs.read(
        pl.LazyFrame({**rows, "bert": np.round(SCORES["bert"], 1)}), truth="y", pos_label="ill", scores="bert"
    )
    assert one.n == N
    assert len(one.rows) <= 22
    rounded = hs.table(TRUTH, scores={"bert": np.round(SCORES["bert"], 1)}, pos_label="ill")
    first, second = (hs.estimate(each, "auc") for each in (one, rounded))
    assert (first.value, first.low, first.high) == pytest.approx((second.value, second.low, second.high), rel=1e-12)


def test_holes_of_a_lazy_frame_are_counted() -> None:
    frame = pl.LazyFrame({"y": ["a", "b", None, "b", "b"], "p": [0.1, 0.9, 0.4, None, None]})
    with pytest.raises(hs.InputError, match="missing"):
        hs.read(frame, truth="y", scores="p", pos_label="b", on_bad="refuse")
    found = hs.read(frame, truth="y", scores="p", pos_label="b", on_bad="skip")
    assert found.n == 2
    assert "3 of 5 rows were left out" in found.notes[0]
