"""Counters of scores, values and sums: the same table as from all rows at once, added, saved, loaded, in threads."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs

N, PARTS = 240, 4


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(21)
    truth = (rng.random(N) < 0.4).astype(int)
    bert, svm = (np.clip(np.round(rng.normal(0.4 + shift * truth, 0.2), 2), 0, 1) for shift in (0.3, 0.2))
    return {
        "y": truth, "bert": bert, "svm": svm, "g": rng.integers(0, 30, N), "w": rng.integers(1, 5, N) / 4,
        "e": rng.integers(0, 4, N), "words": rng.integers(5, 20, N),
    }  # fmt: skip


def some(data: dict[str, Any], part: slice) -> dict[str, Any]:
    return {name: column[part] for name, column in data.items()}


def scored(counter: hs.Counter, d: dict[str, Any]) -> None:
    counter.update(d["y"], scores={"bert": d["bert"], "svm": d["svm"]}, groups=d["g"])


def weighed(counter: hs.Counter, d: dict[str, Any]) -> None:
    counter.update(values={"bert": d["bert"], "svm": d["svm"]}, sample_weight=d["w"])


def summed(counter: hs.Counter, d: dict[str, Any]) -> None:
    counter.update(sums={name: {"errors": d["e"] + at, "words": d["words"]} for at, name in enumerate(("bert", "svm"))})


DATA = columns()
SCORES = {"bert": DATA["bert"], "svm": DATA["svm"]}
CASES: dict[str, tuple[Any, Any, hs.Table, str]] = {
    "scores": (
        lambda: hs.Counter([0, 1], ["bert", "svm"], threshold=0.5), scored,
        hs.table(DATA["y"], scores=SCORES, groups=DATA["g"], threshold=0.5), "auc",
    ),
    "values": (
        lambda: hs.Counter(models=["bert", "svm"], range=(0, 1)), weighed,
        hs.table(values=SCORES, range=(0, 1), sample_weight=DATA["w"]), "mean",
    ),
    "sums": (
        lambda: hs.Counter(models=["bert", "svm"], better="lower"), summed,
        hs.sums({name: {"errors": DATA["e"] + at, "words": DATA["words"]} for at, name in enumerate(("bert", "svm"))},
                better="lower"), "errors/words",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_batches_are_the_whole(kind: str, tmp_path: Path) -> None:
    make, update, whole, metric = CASES[kind]
    counters = [make() for _ in range(PARTS)]
    for place, counter in enumerate(counters):
        update(counter, some(DATA, slice(place, None, PARTS)))
    total = sum(counters)
    total.save(tmp_path / "counter.npz")
    for found in (total, hs.Counter.load(tmp_path / "counter.npz"), pickle.loads(pickle.dumps(total))):
        assert found.n == N
        for model in ("bert", "svm"):
            one, other = (hs.estimate(each, metric, model=model) for each in (found.table, whole))
            assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=1e-12)
        first, second = (hs.compare(each, metric, "bert", "svm") for each in (found.table, whole))
        assert (first.low, first.high) == pytest.approx((second.low, second.high), rel=1e-9)


def test_bins_are_those_of_the_histogram() -> None:
    pl = pytest.importorskip("polars")
    counter = hs.Counter([0, 1], ["bert", "svm"], bins=50)
    for place in range(PARTS):
        part = some(DATA, slice(place, None, PARTS))
        counter.update(part["y"], scores={name: part[name] for name in ("bert", "svm")})
    whole = hs.histogram(pl.DataFrame(DATA), truth="y", scores=["bert", "svm"], bins=50)
    exact = hs.table(DATA["y"], scores=SCORES)
    for model in ("bert", "svm"):
        np.testing.assert_array_equal(counter.histogram.counts[model], whole.counts[model])
        binned, true = (hs.estimate(each, "auc", model=model, method="wald") for each in (counter.table, exact))
        bound = counter.histogram.certificate(model)
        assert abs(binned.value - true.value) <= bound.auc
        assert abs(binned.se - true.se) <= bound.auc_se * (1 + 2 / N)  # DeLong's factors
        low, high = bound.average_precision
        assert low <= hs.estimate(exact, "average_precision", model=model).value <= high
    assert len(counter.table.rows) < N


def test_what_is_refused(tmp_path: Path) -> None:
    counter = hs.Counter([0, 1], bins=10)
    counter.update([0, 1], scores=[0.2, 0.8])
    counter.update([], scores=[])
    for call, words in (
        (lambda: counter.update([0], [1]), "differ in kind"),
        (lambda: counter.update([0], scores=[1.5]), "outside 0 to 1"),
        (lambda: counter.update([0], scores=[float("nan")]), "missing in 1 of 1"),
        (lambda: counter.update([2], scores=[0.5]), "2"),
        (lambda: counter.update([0], [1], scores=[0.5]), "one kind of data"),
        (lambda: counter.update([0], scores={"a": [0.5]}), "counts 'model'"),
        (lambda: counter + hs.Counter([0, 1], bins=20), "counters to add differ"),
        (lambda: hs.Counter(models="m").update([0], [1]), "labels were not given"),
        (lambda: hs.Counter([0, 1], bins=1), "bins is 1"),
        (lambda: hs.Counter([0, 1]).histogram, "bins were not given"),
    ):
        with pytest.raises(hs.InputError, match=words):
            call()
    assert counter.n == 2
    counter.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as held:
        arrays = dict(held)
    arrays["scores"] = arrays["scores"][:1]
    np.savez(tmp_path / "b.npz", **arrays)
    with pytest.raises(hs.InputError, match="do not fit together"):
        hs.Counter.load(tmp_path / "b.npz")
